"""The functions that the worked cases of 炒地皮 name, answered by the engine.

A case has its arguments by position, named ones in `kwargs`, and options in `opt`; words are mapped
in `casebook_chaodipi_words`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from replay.engine.chaodipi import settlement, showing
from replay.engine.chaodipi.game import ALL_DEALT, Chaodipi
from replay.engine.chaodipi.levels import Played as PlayedOut
from replay.engine.chaodipi.levels import outcome
from replay.engine.chaodipi.order import FLAG, LEVELS, TRUMP, context
from replay.engine.chaodipi.playing import begin
from replay.engine.chaodipi.presets import FIRST_CARRY
from replay.engine.chaodipi.shapes import shape, wsks
from replay.engine.chaodipi.states import (
    Burying,
    ChaodipiState,
    Declaring,
    Playing,
    Setting,
    Show,
    Stirring,
)
from replay.engine.chaodipi.winning import winner
from replay.engine.mechanics.holding import EMPTY, pack, with_cards
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, RuleViolation
from schema.cards import ALL_CODES, cards_text, parse_card, parse_cards
from schema.chaodipi import (
    Buried,
    ChaodipiResult,
    Declared,
    DeclaringClosed,
    Stirred,
    ThrowJudged,
)
from schema.events import By, Dealt, Fact, Played
from schema.options import ChaodipiOptions
from tests.casebook_chaodipi_words import (
    RESULTS,
    SUITS_OF_EFFECT,
    TRUMPS,
    Row,
    kind_word,
    level_and_trump,
    named,
    table_options,
)

Options = ChaodipiOptions
DECKS = 2

# Positions


def _applied(state: ChaodipiState, fact: Fact) -> ChaodipiState | None:
    """The state after a fact; None if it breaks a rule of any kind."""
    breaches: list[Breach] = []
    try:
        after = Chaodipi().apply(state, fact, breaches)
    except RuleViolation:
        return None
    return None if breaches else after


def _dealt(options: Options, level: int, first: bytes) -> Declaring | Playing:
    """Dealt by seat 0, who deals a later hand at this level and gets the cards of `first`."""
    carry = replace(FIRST_CARRY, hand_no=2, dealer=0, levels=(level, 0))
    rest = Counter(ALL_CODES * DECKS)
    rest.subtract(first)
    others = list(rest.elements())
    deck = bytearray()
    for code in first:
        deck += bytes([code, *others[:3]])
        del others[:3]
    game = Chaodipi()
    state = _applied(game.open(options, carry), Dealt(0, 0, bytes(deck) + bytes(others)))
    assert isinstance(state, Declaring | Playing)
    return state


def _setting(options: Options, ctx: str) -> Setting:
    level, trump = level_and_trump(ctx)
    return replace(_dealt(options, level, b"").setting, trump=trump)


def _playing(options: Options, ctx: str, held: Iterable[str]) -> Playing:
    """Seat 0 is to lead, the seats hold these cards."""
    holdings = per_seat(with_cards(EMPTY, pack(parse_cards(cards), DECKS)) for cards in held)
    return begin(_setting(options, ctx), (), holdings, b"", 0)


# Cards


def eff(options: Options, card: str, ctx: str) -> str:
    """The effective suit."""
    order = context(options, *level_and_trump(ctx)).order
    return SUITS_OF_EFFECT[order.suit[parse_card(card)]]


def cmp(options: Options, a: str, b: str, ctx: str) -> int | None:
    """Two single cards: a trump is above every side card, two side suits have no order."""
    order = context(options, *level_and_trump(ctx)).order
    one, other = parse_card(a), parse_card(b)
    if order.suit[one] == order.suit[other]:
        high, low = order.strength[one], order.strength[other]
        return (high > low) - (high < low)
    if TRUMP in (order.suit[one], order.suit[other]):
        return 1 if order.suit[one] == TRUMP else -1
    return None


def pts(options: Options, cards: str) -> int:
    """Points of the cards."""
    return points(parse_cards(cards))


def kind(options: Options, cards: str, ctx: str) -> str:
    """The cards as a lead."""
    return kind_word(shape(context(options, *level_and_trump(ctx)), parse_cards(cards)))


# Tricks


def throw(options: Options, lead: str, others: list[str], ctx: str) -> str:
    """`ok`, or the part that is led after all; `rejected` at a table that takes nothing back."""
    state = _playing(options, ctx, (lead, *others))
    fact = Played(0, By.PLAYER, 0, parse_cards(lead))
    after = _applied(state, fact)
    if after is None:
        return "rejected" if options.failed_throw == "reject" else "illegal"
    for claim in Chaodipi().due(state, fact, after):
        if isinstance(claim, ThrowJudged) and claim.beaten_by:
            return cards_text(claim.led)
    return "ok"


def legal(options: Options, hand: str, lead: str, play: str, ctx: str) -> bool:
    """Whether seat 1, which holds `hand`, may answer the lead of seat 0 so."""
    state = _playing(options, ctx, ("", hand, "", ""))
    cards = parse_cards(lead)
    led = shape(state.context, cards)
    if led is None:
        raise ValueError(f"{lead!r} is no lead")
    on_table = replace(state, lead=led, plays=(cards,), turn=1)
    return _applied(on_table, Played(0, By.PLAYER, 1, parse_cards(play))) is not None


def win(options: Options, plays: list[str], ctx: str) -> int:
    """The place of the winning play."""
    table = context(options, *level_and_trump(ctx))
    lead, second, third, fourth = map(parse_cards, plays)
    led = shape(table, lead)
    if led is None:
        raise ValueError(f"{plays[0]!r} is no lead")
    return winner(table, options.over_ruff, led, (lead, second, third, fourth))


def mult(options: Options, lead: str, ctx: str) -> int:
    """What the bottom's points are multiplied by."""
    led = shape(context(options, *level_and_trump(ctx)), parse_cards(lead))
    if led is None:
        raise ValueError(f"{lead!r} is no lead")
    return settlement.factor(options, led)


def n5(options: Options, play: str, ctx: str) -> bool:
    """Whether a play contains a 5.10.K."""
    return bool(wsks(context(options, *level_and_trump(ctx)), parse_cards(play)))


# Shows


def rung(options: Options, show: str, level: str) -> int | None:
    """反主级别 of the cards shown."""
    return showing.rung(parse_cards(show), LEVELS.index(level))


def can_show(options: Options, show: str, current_rung: int, level: str) -> bool:
    """Whether seat 0 may show the cards over those of seat 1: in declaring, a pair in stirring."""
    cards = parse_cards(show)
    trump = named("n") if showing.is_named(cards) else named(None)
    state = _dealt(options, LEVELS.index(level), cards)
    assert isinstance(state, Declaring)
    shown = (Show(1, b"", 0, current_rung),) if current_rung else ()
    setting = replace(state.setting, rung=current_rung, declarer=1 if shown else -1, trump=0)
    declared = Declared(0, By.PLAYER, 0, cards, trump, ALL_DEALT)
    may = _applied(Declaring(setting, shown, 0), declared) is not None
    if len(cards) > 1:
        asking = Stirring(setting, shown, state.setting.deal.holdings, b"", 3, (0,), frozenset())
        may_stir = _applied(asking, Stirred(0, By.PLAYER, 0, cards, trump)) is not None
        if may != may_stir:
            raise ValueError(f"{show!r} may be declared: {may}; may stir: {may_stir}")
    return may


def trump_of(options: Options, show: str, named_trump: str | None = None) -> str | None:
    """What a show makes trump."""
    trump = showing.trump_of(parse_cards(show), named(named_trump))
    return None if trump is None else TRUMPS[trump]


def bottom_trump(options: Options, bottom: str, level: str) -> str:
    """The trump suit that the turned-up bottom gives."""
    cards = parse_cards(bottom)
    return TRUMPS[showing.bottom_trump(cards, LEVELS.index(level), options.bottom_joker)]


def stir_order(options: Options, seat: int) -> list[int]:
    """Who is asked, in order, after this seat, which deals, has buried."""
    carry = replace(FIRST_CARRY, hand_no=2, dealer=seat)
    state: ChaodipiState | None = Chaodipi().open(options, carry)
    level_card = parse_cards("2d")
    deck = level_card + (ALL_CODES * DECKS).replace(level_card, b"", 1)
    facts: tuple[Fact, ...] = (
        Dealt(0, seat, deck),
        Declared(0, By.PLAYER, seat, level_card, named(None), ALL_DEALT),
        DeclaringClosed(0),
    )
    for fact in facts:
        assert state is not None
        state = _applied(state, fact)
    assert isinstance(state, Burying)
    after = _applied(state, Buried(0, By.PLAYER, seat, state.taken))
    assert isinstance(after, Stirring)
    return list(after.asked)


# Settlement


def settle(
    options: Options,
    LD: str,
    LE: str,
    s: int,
    last510k: bool = False,
    red5: bool = False,
    fails: int = 0,
    room: str | None = None,
) -> list[object]:
    """New levels, who deals, points each, and failures of the side that dealt."""
    if room is not None:
        options = replace(options, room=table_options({"room": room}).room)
    played = PlayedOut(LEVELS.index(LD), LEVELS.index(LE), fails, s, last510k, red5)
    found = outcome(options, played)
    levels = [LEVELS[found.dealer_level], LEVELS[found.attackers_level]]
    points_each = [found.dealer_score, found.attackers_score]
    failures = found.failures if found.dealer_level == FLAG else 0
    return [*levels, RESULTS[found.result], *points_each, failures]


def next_dealer(options: Options, dealer: int, what: str) -> int:
    """Who deals the next hand."""
    results: dict[str, ChaodipiResult] = {word: result for result, word in RESULTS.items()}
    return settlement.next_dealer(options, dealer, results[what])


FUNCTIONS: dict[str, Callable[..., object]] = {
    "eff": eff,
    "cmp": cmp,
    "pts": pts,
    "kind": kind,
    "throw": throw,
    "legal": legal,
    "win": win,
    "rung": rung,
    "can_show": can_show,
    "trump_of": trump_of,
    "bottom_trump": bottom_trump,
    "stir_order": stir_order,
    "mult": mult,
    "n5": n5,
    "settle": settle,
    "next_dealer": next_dealer,
}


def evaluate(row: Row, rows: Mapping[str, Row]) -> object:
    """What the engine gives for the case; an unknown argument is a TypeError."""
    options = table_options(row.get("opt"))
    found = FUNCTIONS[row["fn"]](options, *row["args"], **row.get("kwargs", {}))
    if row["fn"] == "throw" and _same_cards(found, row["expect"]):
        return row["expect"]
    return found


def _same_cards(found: object, expect: object) -> bool:
    """The cards that are led may be listed in any order."""
    return sorted(str(found).split()) == sorted(str(expect).split())
