"""Hands and matches of 四副滚子 by players who do anything they may, for tests."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.gunzi.declaring import n_dealt
from replay.engine.gunzi.game import ALL_DEALT, Gunzi
from replay.engine.gunzi.order import TEN, THREE
from replay.engine.gunzi.presets import DEFAULT, FIRST_CARRY
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    GunziState,
    Over,
    Playing,
    Returning,
    Setting,
    holdings_of,
    play_of,
    setting_of,
    side,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.points import points
from replay.engine.rule import Breach, RuleViolation
from schema.cards import ALL_CODES, BLACK_JOKER, RED_JOKER
from schema.events import By, Dealt, Event, Fact, HandEnded, HandStarted, Played
from schema.gunzi import (
    Buried,
    Declared,
    DeclaringClosed,
    GunziCarry,
    GunziOpening,
    JokersPassed,
    TributeReturned,
)
from schema.options import GunziOptions
from schema.trumps import Named
from tests.builders import aborted, any_options

FIRST = FIRST_CARRY
"""What a match opens with: both sides at 3, no dealer, nothing owed."""
JOKERS = bytes([BLACK_JOKER, RED_JOKER])
N_HELD, N_BOTTOM = 39, 6


class Style(NamedTuple):
    """How a hand is dealt and played: `clump` and `below` as in `some_deck`; how often a seat
    `shows`, `buries` jokers, plays `freely` (any legal answer, listed or not); `aborted`, how often
    a hand of a match is broken off.
    """

    clump: float = 0.2
    below: float = 0.0
    shows: float = 0.6
    buries: float = 0.4
    freely: float = 0.5
    aborted: float = 0.0


ANYHOW = Style()


def any_style(rng: random.Random) -> Style:
    """A style drawn so that triples, shows, redeals and 干锅 come up, and now and then an abort."""
    return Style(
        clump=rng.choice((0, 0.2, 0.4, 0.6)),
        below=rng.choice((0, 0, 0.2, 0.6, 1)),
        shows=rng.choice((0, 0.4, 0.8)),
        buries=rng.random(),
        aborted=0.05,
    )


def whole_style(rng: random.Random) -> Style:
    """The same, of hands that are played to the end."""
    return any_style(rng)._replace(aborted=0.0)


def later(
    dealer: int,
    levels: tuple[int, int] = (3, 1),
    due: tuple[int, int] = (0, 0),
    hand_no: int = 5,
) -> GunziCarry:
    """The carry of a hand that is not the first; levels by side (1 for 3 … 8 for 10), `due` for
    score and for jokers.
    """
    return GunziCarry(hand_no, dealer, levels, *due, False)


def some_carry(rng: random.Random) -> GunziCarry:
    """What a hand may open with: a first one, or a later one at any levels."""
    if rng.random() < 0.3:
        return FIRST
    one, other = (rng.choice((THREE, 3, TEN, rng.randrange(THREE, TEN + 1))) for _ in "01")
    score, jokers = rng.choice((0, 0, 1, 2, 8, 15)), rng.choice((0, 0, 1, 3, 9))
    return later(rng.randrange(4), (one, other), (score, jokers), rng.randrange(2, 9))


def level_of(carry: GunziCarry) -> int:
    """The level that a hand is played at."""
    return THREE if carry.dealer is None else carry.levels[side(carry.dealer)]


def some_deck(rng: random.Random, clump: float = 0.2, below: float = 0.0) -> bytes:
    """Three decks in deal order, equal cards and suits together the more, the higher `clump`.

    `below` is how likely each joker is to lie in the bottom.
    """
    jokers = [code for code in JOKERS * 3 if rng.random() < below]
    piles: list[list[int]] = [[], [], [], []]
    home = rng.sample(range(4), 4)
    for code in rng.sample(ALL_CODES, len(ALL_CODES)):
        same = home[code & 3] if code < BLACK_JOKER and rng.random() < clump else rng.randrange(4)
        for _ in range(3 - jokers.count(code)):
            piles[same if rng.random() < 0.3 + clump else rng.randrange(4)].append(code)
    for pile in piles:
        rng.shuffle(pile)
    spare = [code for pile in piles for code in pile[N_HELD:]]
    rng.shuffle(spare)
    held = [pile[:N_HELD] for pile in piles]
    for pile in held:
        n = N_HELD - len(pile)
        pile += spare[:n]
        del spare[:n]
        rng.shuffle(pile)
    bottom = spare + jokers
    rng.shuffle(bottom)
    return bytes([pile[k] for k in range(N_HELD) for pile in held] + bottom)


def deal(state: AwaitingDeal, rng: random.Random, style: Style = ANYHOW) -> Dealt:
    """The deck of a hand, from the dealer on; jokers lie below in every second deal at most."""
    dealer = state.carry.dealer
    start = rng.randrange(4) if dealer is None else dealer
    below = style.below if rng.random() < 0.5 else 0
    return Dealt(0, start, some_deck(rng, style.clump, below))


def choice(game: Gunzi, state: GunziState, rng: random.Random, style: Style = ANYHOW) -> Fact:
    """A legal fact: chance, anything of a seat that is asked, a show, or what follows if none."""
    match state:
        case AwaitingDeal():
            return deal(state, rng, style)
        case Over():
            return HandEnded(0)
        case Declaring():
            wants = rng.random() < style.shows
            return (some_show(game, state, rng) if wants else None) or DeclaringClosed(0)
        case Burying():
            return some_burial(state, rng)
        case Returning():
            return some_return(game, state, rng)
        case Playing() if state.plays and rng.random() < style.freely:
            return any_answer(game, state, rng) or rng.choice(list(game.plays(state)))
        case _:
            return _listed(game, state, rng, style)


def _listed(game: Gunzi, state: GunziState, rng: random.Random, style: Style) -> Fact:
    """Any act that is listed, but a burial of jokers only as often as the style wants."""
    acts = list(game.plays(state))
    if isinstance(acts[0], JokersPassed) and (len(acts) == 1 or rng.random() >= style.buries):
        return acts[0]
    return rng.choice(acts[1:] if isinstance(acts[0], JokersPassed) else acts)


def some_show(game: Gunzi, state: Declaring, rng: random.Random) -> Declared | None:
    """A show that breaks nothing, at any time from when its cards are dealt."""
    shows = [fact for fact in game.plays(state) if isinstance(fact, Declared)]
    if not shows:
        return _early_joker(game, state, rng)
    show = rng.choice(shows)
    after = rng.randint(earliest(state.setting, show.seat, show.cards), ALL_DEALT)
    timed = replace(show, after=after)
    if not state.setting.is_first and show.named is Named.NOTHING and rng.random() < 0.3:
        timed = replace(timed, named=Named(show.cards[0] & 3))
    return show if broken(game, state, timed) else timed


def _early_joker(game: Gunzi, state: Declaring, rng: random.Random) -> Declared | None:
    """A first 大王 where the house wants a suited card to come behind it."""
    setting, joker = state.setting, bytes([RED_JOKER])
    seats = [seat for seat in range(4) if RED_JOKER in setting.deal.hands[seat]]
    if not setting.is_first or not seats:
        return None
    seat = rng.choice(seats)
    after = rng.randint(earliest(setting, seat, joker), ALL_DEALT)
    show = Declared(0, By.PLAYER, seat, joker, Named.NOTHING, after)
    return None if broken(game, state, show) else show


def earliest(setting: Setting, seat: int, cards: bytes) -> int:
    """How many cards are dealt when a seat has these, and the last show has been made."""
    least = setting.shows[-1].after if setting.shows else 0
    hand = setting.deal.hands[seat]
    return next(
        after
        for after in range(least, ALL_DEALT + 1)
        if hand[: n_dealt(setting.deal, seat, after)].count(cards[0]) >= len(cards)
    )


def some_burial(state: Burying, rng: random.Random) -> Buried:
    """Any six cards of the dealer: often the jokers, often points; no 小王 before a 大王."""
    held = unpack(state.holdings[state.setting.dealer])
    kinds = [points(bytes([code])) > 0 for code in held]
    jokers = [code for code in held if code >= BLACK_JOKER]
    first = sorted(jokers, reverse=True)[: rng.choice((0, 0, 0, 1, 2, 3, 6))]
    want = rng.choice((True, False))
    rest = [code for code, worth in zip(held, kinds, strict=True) if worth == want]
    rest = [code for code in rest if code < BLACK_JOKER] if rng.random() < 0.7 else list(held)
    six = first + _drawn(rng, rest, 6 - len(first), [c for c in held if c < BLACK_JOKER])
    if BLACK_JOKER in six and held.count(RED_JOKER) > six.count(RED_JOKER):
        six = _drawn(rng, [], 6, [code for code in held if code < BLACK_JOKER])
    return Buried(0, By.PLAYER, state.setting.dealer, bytes(six))


def _drawn(rng: random.Random, wanted: list[int], n: int, others: list[int]) -> list[int]:
    plain = [code for code in wanted if code < BLACK_JOKER]
    return rng.sample(plain if len(plain) >= n else others, n)


def some_return(game: Gunzi, state: Returning, rng: random.Random) -> Fact:
    """Any cards that the house takes back."""
    n, dealer = len(state.setting.paid), state.setting.dealer
    cards = bytes(rng.sample(unpack(state.holdings[dealer]), n))
    fact = TributeReturned(0, By.PLAYER, dealer, cards)
    return fact if not broken(game, state, fact) else rng.choice(list(game.plays(state)))


def any_answer(game: Gunzi, state: Playing, rng: random.Random) -> Played | None:
    """A legal answer out of a few drawn at random; None if none of them is."""
    holding, n = unpack(state.holdings[state.turn]), len(state.plays[0])
    order = state.table.context.order
    own = of_suit(order, holding, order.suit[state.plays[0][0]])
    for _ in range(4):
        drawn = rng.sample(sorted(own if len(own) >= n else holding), n)
        fact = Played(0, By.PLAYER, state.turn, bytes(drawn))
        if not broken(game, state, fact):
            return fact
    return None


def broken(game: Gunzi, state: GunziState, fact: Fact) -> list[str]:
    """The names of the rules that a fact breaks here."""
    breaches: list[Breach] = []
    try:
        game.apply(state, fact, breaches)
    except RuleViolation as violation:
        breaches.append(violation.breach)
    return [breach.rule.name for breach in breaches]


class Told(NamedTuple):
    """One fact of a hand and the states around it."""

    before: GunziState
    fact: Fact
    after: GunziState


def told(
    game: Gunzi,
    options: GunziOptions,
    carry: GunziCarry,
    rng: random.Random,
    style: Style = ANYHOW,
) -> Iterator[Told]:
    """A legal hand, fact by fact, HandEnded included."""
    state: GunziState = game.open(options, carry)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = choice(game, state, rng, style)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert not breaches, (fact, breaches)
        yield Told(state, fact, after)
        state = after


Hand = tuple[Gunzi, GunziOptions, GunziCarry, list[Told]]


def some_hand(seed: int) -> Hand:
    """A legal hand at a random table, from any opening."""
    rng = random.Random(seed)
    game, options, carry = Gunzi(), any_options(rng, DEFAULT), some_carry(rng)
    return game, options, carry, list(told(game, options, carry, rng, any_style(rng)))


def held_in(state: GunziState) -> tuple[list[bytes], bytes]:
    """The cards of each seat, and those of the bottom that nobody holds; none before the deal."""
    holdings, play, setting = holdings_of(state), play_of(state), setting_of(state)
    if holdings is None or setting is None:
        return [], b""
    hands = list(map(unpack, holdings))
    if play is not None:
        return hands, play.table.bottom
    if isinstance(state, Asking):
        return hands, state.bottom
    return hands, b"" if isinstance(state, Burying) else setting.deal.bottom


def hand_events(
    options: GunziOptions, carry: GunziCarry, rng: random.Random, style: Style = ANYHOW
) -> tuple[list[Event], GunziCarry]:
    """A legal hand with all its claims, and what the next one opens with."""
    game = Gunzi()
    events: list[Event] = [HandStarted(bytes(32), 0), GunziOpening(carry)]
    for before, fact, after in told(game, options, carry, rng, style):
        events += [fact, *game.due(before, fact, after)]
    return events, game.next_carry(after)


def match(
    options: GunziOptions, n_hands: int, rng: random.Random, style: Style = ANYHOW
) -> list[list[Event]]:
    """The events of a legal match's hands, fewer than `n_hands` if the match ends before."""
    carry, hands = FIRST, list[list[Event]]()
    while len(hands) < n_hands and not carry.is_over:
        events, after = hand_events(options, carry, rng, style)
        if rng.random() < style.aborted:
            events = aborted(rng, events)
        else:
            carry = after
        hands.append(events)
    return hands
