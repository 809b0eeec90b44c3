"""Hands and matches of 炒地皮 by players who do anything they may, for tests."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.order import FLAG
from replay.engine.chaodipi.presets import FIRST_CARRY
from replay.engine.chaodipi.states import AwaitingDeal, ChaodipiState, Over, Playing, side
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.rule import Breach, RuleViolation
from replay.players.player import KITS, next_fact
from schema.chaodipi import ChaodipiCarry, ChaodipiOpening, Escaped
from schema.events import By, Dealt, Event, Fact, HandEnded, HandStarted, Played
from schema.options import ChaodipiOptions
from tests.builders import aborted
from tests.oracle_chaodipi_moves import some_deck

KIT = KITS["chaodipi"]
FIRST = FIRST_CARRY
"""What a match opens with: both sides at 2, no dealer, no game score."""
LAST_FACT = 115
"""A hand has about so many facts."""


class Style(NamedTuple):
    """How a hand is dealt and played: `clump` as in `some_deck`; `freely`, how often an answer is
    any legal one, listed or not; `escaped` and `aborted`, how often somebody runs away, and how
    often a hand of a match is broken off.
    """

    clump: float = 0.2
    freely: float = 0.5
    escaped: float = 0.0
    aborted: float = 0.0


ANYHOW = Style()


def any_style(rng: random.Random) -> Style:
    """A style drawn so that pairs, tractors and shows come up, and now and then an early end."""
    return Style(rng.choice((0, 0.2, 0.4, 0.6)), escaped=0.08, aborted=0.05)


def whole_style(rng: random.Random) -> Style:
    """The same, of hands that are played to the end."""
    return any_style(rng)._replace(escaped=0.0, aborted=0.0)


def later(
    dealer: int,
    levels: tuple[int, int] = (4, 2),
    failures: tuple[int, int] = (0, 0),
    hand_no: int = 5,
) -> ChaodipiCarry:
    """The carry of a hand that is not the first; levels and failures of seats 0, 2 and 1, 3."""
    return ChaodipiCarry(hand_no, dealer, levels, failures, (0, 0, 0, 0), False)


def some_carry(rng: random.Random) -> ChaodipiCarry:
    """What a hand may open with: a first one, or a later one at any levels."""
    if rng.random() < 0.3:
        return replace(FIRST, scores=(4, -4, 2, -2))
    levels = tuple(rng.choice((3, 11, 12, FLAG, rng.randrange(FLAG))) for _ in "01")
    failures = tuple(rng.randrange(2) if level == FLAG else 0 for level in levels)
    seats = (3, -3, 0, 15)
    dealer, number = rng.randrange(4), rng.randrange(2, 9)
    pairs = (levels[0], levels[1]), (failures[0], failures[1])
    return ChaodipiCarry(number, dealer, *pairs, seats, False)


def level_of(carry: ChaodipiCarry) -> int:
    """The level that a hand is played at."""
    return 0 if carry.dealer is None else carry.levels[side(carry.dealer)]


class Told(NamedTuple):
    """One fact of a hand and the states around it."""

    before: ChaodipiState
    fact: Fact
    after: ChaodipiState


def deal(state: AwaitingDeal, rng: random.Random, clump: float) -> Dealt:
    """The deck of a hand, from the dealer on."""
    dealer = state.carry.dealer
    return Dealt(0, rng.randrange(4) if dealer is None else dealer, some_deck(rng, clump))


def choice(game: Chaodipi, state: ChaodipiState, rng: random.Random, style: Style = ANYHOW) -> Fact:
    """A legal fact: chance, anything of a seat that is asked, a show, or what follows if none."""
    match state:
        case AwaitingDeal():
            return deal(state, rng, style.clump)
        case Over():
            return HandEnded(0)
        case Playing() if state.lead is not None and rng.random() < style.freely:
            return any_answer(game, state, rng) or _listed(game, state, rng)
        case _:
            return _listed(game, state, rng)


def _listed(game: Any, state: ChaodipiState, rng: random.Random) -> Fact:
    return next_fact(KIT, KIT.players["random"], game, state, rng)


def any_answer(game: Chaodipi, state: Playing, rng: random.Random) -> Played | None:
    """A legal answer out of a few drawn at random; None if none of them is."""
    assert state.lead is not None
    holding, n = unpack(state.holdings[state.turn]), len(state.lead.cards)
    own = of_suit(state.context.order, holding, state.lead.suit)
    for _ in range(4):
        drawn = rng.sample(sorted(own if len(own) >= n else holding), n)
        fact = Played(0, By.PLAYER, state.turn, bytes(sorted(drawn)))
        if not broken(game, state, fact):
            return fact
    return None


def broken(game: Chaodipi, state: ChaodipiState, fact: Fact) -> list[str]:
    """The names of the rules that a fact breaks here."""
    breaches: list[Breach] = []
    try:
        game.apply(state, fact, breaches)
    except RuleViolation as violation:
        breaches.append(violation.breach)
    return [breach.rule.name for breach in breaches]


def told(
    game: Chaodipi,
    options: ChaodipiOptions,
    carry: ChaodipiCarry,
    rng: random.Random,
    style: Style = ANYHOW,
) -> Iterator[Told]:
    """A legal hand, fact by fact, HandEnded included."""
    state: ChaodipiState = game.open(options, carry)
    left = rng.randrange(LAST_FACT) if rng.random() < style.escaped else -1
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = choice(game, state, rng, style)
        if left == 0 and not isinstance(state, Over):
            fact = Escaped(0, rng.randrange(4))
        left -= 1
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert not breaches
        yield Told(state, fact, after)
        state = after


def hand_events(
    options: ChaodipiOptions, carry: ChaodipiCarry, rng: random.Random, style: Style = ANYHOW
) -> tuple[list[Event], ChaodipiCarry]:
    """A legal hand with all its claims, and what the next one opens with."""
    game = Chaodipi()
    events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(carry)]
    for before, fact, after in told(game, options, carry, rng, style):
        events += [fact, *game.due(before, fact, after)]
    return events, game.next_carry(after)


def match(
    options: ChaodipiOptions, n_hands: int, rng: random.Random, style: Style = ANYHOW
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
