"""The functions that the worked cases of 四副滚子 name, answered by the engine.

A case has its arguments by position, named ones in `kwargs`, and options in `opt`; words are mapped
in `casebook_gunzi_words`. The cards given are all there are, a deck need not be complete.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from replay.engine.gunzi import bottom as bottoms
from replay.engine.gunzi import levels as ladder
from replay.engine.gunzi import playing, settlement, showing, titles
from replay.engine.gunzi.declaring import IN_HAND, next_suited
from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.order import Context
from replay.engine.gunzi.order import context as context_of
from replay.engine.gunzi.presets import FIRST_CARRY
from replay.engine.gunzi.states import (
    UNKNOWN,
    Asking,
    AwaitingDeal,
    Burying,
    Deal,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Hands,
    Paying,
    Setting,
    Show,
    Table,
    setting_of,
    side,
)
from replay.engine.gunzi.tribute import owed
from replay.engine.mechanics.deck import held, one_by_one
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.points import points as points_of
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.mechanics.tricks import seat_at
from replay.engine.rule import Breach, RuleViolation
from schema.cards import ALL_CODES, BLACK_JOKER, RED_JOKER, SUITS, parse_card, parse_cards
from schema.events import By, Fact, Played
from schema.gunzi import (
    BottomFate,
    Buried,
    Declared,
    Drawn,
    Flipped,
    GunziCarry,
    GunziResult,
    JokersBuried,
    TributePaid,
)
from schema.options import GunziOptions
from tests.casebook_gunzi_words import (
    ENDINGS,
    KINDS,
    Row,
    named,
    our_level,
    suit_word,
    table_options,
    their_level,
)

Options = GunziOptions
DEALER, SECOND, PAYER = 0, 1, 3
N_CARDS = 162
NO_CARDS: Hands = (b"", b"", b"", b"")

# Positions


def _cards(text: str) -> bytes:
    return parse_cards(text) if text.strip() else b""


def _holding(text: str) -> int:
    return with_cards(EMPTY, pack_dealt(_cards(text)))


def _context(trump: str, level: int) -> Context:
    return context_of(our_level(level), SUITS.index(trump))


def _deal(hands: Hands = NO_CARDS, bottom: bytes = b"", start: int = DEALER) -> Deal:
    return Deal(start, hands, held(hands), bottom)


def _setting(options: Options, level: int, deal: Deal, trump: str | None = None) -> Setting:
    """A later hand, dealt by seat 0 at this level, in which nothing has happened."""
    ours = our_level(level)
    carry = replace(FIRST_CARRY, hand_no=2, dealer=DEALER, levels=(ours, our_level(3)))
    return Setting(
        house=Gunzi().open(options, carry).house,
        carry=carry,
        deal=deal,
        level=ours,
        trump=UNKNOWN if trump is None else SUITS.index(trump),
        dealer=DEALER,
        shows=(),
        turned=(),
        paid=b"",
        returned=b"",
        burials=(),
    )


def _first(options: Options, deal: Deal) -> Setting:
    """The same of a first hand."""
    return replace(_setting(options, 3, deal), carry=FIRST_CARRY, dealer=UNKNOWN)


def _applied(state: GunziState, fact: Fact) -> GunziState | None:
    """The state after a fact; None if it breaks a rule of any kind."""
    breaches: list[Breach] = []
    try:
        after = Gunzi().apply(state, fact, breaches)
    except RuleViolation:
        return None
    return None if breaches else after


# Cards


def classify(options: Options, cards: str) -> str | None:
    """The cards as a lead."""
    led = _cards(cards)
    return KINDS[len(led)] if led and playing.is_one_type(led) else None


def eff(options: Options, card: str, trump: str, level: int) -> str:
    """The suit for following."""
    return suit_word(_context(trump, level).order.suit[parse_card(card)])


def cmp(options: Options, a: str, b: str, trump: str, level: int) -> int | None:
    """Two single cards; two side suits have no order."""
    context = _context(trump, level)
    one, other = parse_card(a), parse_card(b)
    suits = {suit_word(context.order.suit[card]) for card in (one, other)}
    if len(suits) > 1 and "trump" not in suits:
        return None
    high, low = context.height[one], context.height[other]
    return (high > low) - (high < low)


def points(options: Options, cards: str) -> int:
    """Points of the cards."""
    return points_of(_cards(cards))


# The deal and trump


def deal_seat(options: Options, start: int, i: int) -> int | str:
    """Who gets a card of the deal, told by hands of numbered cards."""
    if not 0 <= i < N_CARDS:
        raise ValueError(f"{i} is no card of the deal, expected 0 to {N_CARDS - 1}")
    if i >= IN_HAND:
        return "bottom"
    hands = one_by_one(bytes(range(IN_HAND)), start)
    return next(seat for seat in range(N_SEATS) if i in hands[seat])


def declare(
    options: Options,
    first_hand: bool,
    level: int,
    standing: str | None,
    cards: str,
    suit: str | None,
    held: str,
) -> bool:
    """Whether seat 0 may show the cards over those of seat 1."""
    deal = _deal((_cards(held), b"", b"", b""))
    setting = _first(options, deal) if first_hand else _setting(options, level, deal)
    if standing is not None:
        setting = replace(setting, shows=(_standing(setting, _cards(standing)),))
    declared = Declared(0, By.PLAYER, DEALER, _cards(cards), named(suit), IN_HAND)
    return _applied(Declaring(setting), declared) is not None


def _standing(setting: Setting, cards: bytes) -> Show:
    rung = showing.rung("first" if setting.is_first else "later", setting.level, cards)
    if rung is None:
        raise ValueError("the standing cards declare nothing")
    return Show(SECOND, cards, UNKNOWN, rung, 0)


def first_trump(options: Options, start: int, declarer: int, at: int, deal: str) -> str:
    """The suit that the deal gives the 大王 of a first hand, or that the bottom is to give."""
    hands = one_by_one(_cards(deal)[:IN_HAND], start)
    show = Show(declarer, bytes([RED_JOKER]), UNKNOWN, showing.FIRST_JOKER, at)
    suited = next_suited(_deal(hands, start=start), show)
    return "bottom" if suited is None else suit_word(suited & 3)


def flip(options: Options, start: int, bottom: str, indices: list[int]) -> object:
    """What turning up bottom cards in a first hand comes to."""
    deal = _deal(bottom=_cards(bottom), start=start)
    state: GunziState = Flipping(_first(options, deal), start)
    for place in indices:
        if not isinstance(state, Flipping):
            return "bad"
        after = _applied(state, Flipped(0, By.PLAYER, state.seat, place))
        if after is None:
            return "bad"
        state = after
    return _turned_up(state)


def draw(options: Options, bottom: str, indices: list[int]) -> object:
    """What drawing bottom cards in a later hand comes to."""
    state: GunziState = Drawing(_setting(options, 3, _deal(bottom=_cards(bottom))))
    for place in indices:
        if not isinstance(state, Drawing):
            return "bad"
        after = _applied(state, Drawn(0, By.PLAYER, place))
        if after is None:
            return "bad"
        state = after
    found = _turned_up(state)
    return found[1] if isinstance(found, list) else found


def _turned_up(state: GunziState) -> str | list[object]:
    """`more`, `redeal`, or the dealer and the trump suit."""
    if isinstance(state, Flipping | Drawing):
        return "more"
    if isinstance(state, AwaitingDeal):
        return "redeal"
    setting = setting_of(state)
    assert setting is not None
    return [setting.dealer, suit_word(setting.trump)]


# Tribute and the bottom


def tribute(options: Options, hand: str, B: int, paid: str, trump: str, level: int) -> bool:
    """Whether seat 3 may pay these cards to seat 0."""
    deal = _deal((b"", b"", b"", _cards(hand)))
    setting = _setting(options, level, deal, trump)
    setting = replace(setting, carry=replace(setting.carry, due_for_score=B))
    state = Paying(setting, len(owed(setting)))
    return _applied(state, TributePaid(0, By.PLAYER, PAYER, _cards(paid))) is not None


def gan(options: Options, bottom: str, trump: str, level: int) -> bool:
    """Whether a shown bottom is dry."""
    return bottoms.is_dry(options, _context(trump, level), _cards(bottom))


def bury(options: Options, cards: str, six: str) -> bool:
    """Whether the dealer may bury these; any six known cards stand for the bottom he took."""
    setting = _setting(options, 3, _deal(bottom=ALL_CODES[:6]), "s")
    state = Burying(setting, (_holding(cards), EMPTY, EMPTY, EMPTY))
    return _applied(state, Buried(0, By.PLAYER, DEALER, _cards(six))) is not None


def _asking(options: Options, hand: str, bottom: str, trump: str, level: int) -> Asking:
    """Seat 1 may bury jokers."""
    cards = _cards(bottom)
    return Asking(
        setting=_setting(options, level, _deal(), trump),
        holdings=(EMPTY, _holding(hand), EMPTY, EMPTY),
        buried=cards,
        bottom=cards,
        is_public=False,
        asked=(1, 2, 3),
    )


def pickable(options: Options, bottom: str) -> int:
    """How many cards of the bottom another player may pick."""
    return bottoms.most_buried(_asking(options, "", bottom, "s", 3))


def pick(
    options: Options, hand: str, bottom: str, jokers: str, picked: str, trump: str, level: int
) -> bool:
    """Whether seat 1 may bury the jokers and pick the cards."""
    state = _asking(options, hand, bottom, trump, level)
    fact = JokersBuried(0, By.PLAYER, SECOND, _cards(jokers), _cards(picked))
    return _applied(state, fact) is not None


# Tricks


def follow(
    options: Options, mode: str, hand: str, lead: str, play: str, trump: str, level: int
) -> bool:
    """Whether seat 1 may answer the lead of seat 0 so; seat 2 holds a card, so play goes on."""
    at_table = replace(options, follow_mode=table_options({"follow_mode": mode}).follow_mode)
    setting = _setting(at_table, level, _deal(), trump)
    table = Table(setting, setting.context, b"", b"", False, False)
    begun = playing.begin(table, (EMPTY, _holding(hand), _holding("3d"), EMPTY))
    state = replace(begun, plays=(_cards(lead),), turn=SECOND)
    return _applied(state, Played(0, By.PLAYER, SECOND, _cards(play))) is not None


def trick(options: Options, leader: int, plays: Sequence[str], trump: str, level: int) -> int:
    """Who wins the trick."""
    return seat_at(leader, playing.winner(_context(trump, level), tuple(map(_cards, plays))))


# Settlement


def due(options: Options, S: int, dug: bool, nRj: int, nBj: int, gan: bool = False) -> int:
    """The cards of tribute that a hand leaves."""
    jokers = bytes([RED_JOKER] * nRj + [BLACK_JOKER] * nBj)
    hand = ladder.Ended(S, S, BottomFate(int(dug)), jokers, gan)
    return ladder.due_for_score(S) + ladder.due_for_jokers(hand)


def up(options: Options, level: int, gained: int, as_dealer_team: bool) -> int | str:
    """A team's level after a promotion."""
    promoted: ladder.Sides = "dealers" if as_dealer_team else "attackers"
    risen = ladder.rise(options, our_level(level), gained, promoted)
    return "pass" if risen is None else their_level(risen)


def settle(
    options: Options,
    dealer: int,
    levels: tuple[int, int],
    trick_points: int,
    bottom: str,
    last: int,
    gan: bool = False,
) -> Row:
    """The settlement of a hand."""
    even, odd = map(our_level, levels)
    base = _setting(options, levels[side(dealer)], _deal())
    carry = replace(base.carry, dealer=dealer, levels=(even, odd))
    setting = replace(base, carry=carry, dealer=dealer)
    settled = settlement.settled(setting, trick_points, _cards(bottom), last, gan)
    after = settled.next
    found: Row = {
        "score": settled.score,
        "dug": settled.fate is BottomFate.CAPTURED,
        "levels": [their_level(level) for level in after.levels],
        "next_dealer": after.dealer,
        "blood": after.due_for_score + after.due_for_jokers,
    }
    if after.is_over:
        won = settled.result is GunziResult.MATCH_TO_DEALERS
        winner = side(dealer) if won else 1 - side(dealer)
        return found | {"match_winner": winner, "why": ENDINGS[settled.ending]}
    return found | {"match_winner": None} | _goes_on(after)


def _goes_on(after: GunziCarry) -> Row:
    assert after.dealer is not None
    return {
        "next_level": their_level(after.levels[side(after.dealer)]),
        "payer": (after.dealer + 3) % N_SEATS,
    }


def title(options: Options, x: int) -> str | None:
    """The title of an account."""
    return titles.title(x)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "classify": classify,
    "eff": eff,
    "cmp": cmp,
    "points": points,
    "deal_seat": deal_seat,
    "declare": declare,
    "first_trump": first_trump,
    "flip": flip,
    "draw": draw,
    "tribute": tribute,
    "gan": gan,
    "bury": bury,
    "pickable": pickable,
    "pick": pick,
    "follow": follow,
    "trick": trick,
    "blood": due,
    "up": up,
    "settle": settle,
    "title": title,
}


def evaluate(row: Row, rows: Mapping[str, Row]) -> object:
    """What the engine gives for the case; an unknown argument is a TypeError."""
    options = table_options(row.get("opt"))
    return FUNCTIONS[row["fn"]](options, *row["args"], **row.get("kwargs", {}))
