"""Hands and parts of hands put through the walk: which event has which fault, by which rule."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.climbing.states import ClimbingState
from replay.walk import Chain, HandWalk
from schema.cards import parse_cards
from schema.events import (
    By,
    Called,
    ClimbingCarry,
    ClimbingOpening,
    Dealt,
    Event,
    Fact,
    HandStarted,
    Passed,
    Played,
    SoloAnswered,
)
from schema.options import Options
from tests.builders import DECK, Table, game_for, later, playing


def dealt_to(*beginnings: str) -> bytes:
    """A deck in deal order from seat 0 whose hands begin so; the rest is shuffled once."""
    hands = [list(parse_cards(cards)) for cards in beginnings]
    rest = list(DECK)
    for card in (card for hand in hands for card in hand):
        rest.remove(card)
    random.Random(1).shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(27 - len(hand))]
    return bytes(hands[k % 4][k // 4] for k in range(108))


DEALT = dealt_to("3d 4d 5d 9h 9h", "3d 4d 5d", "", "")
"""The dealer is seat 0: the deal calls 3d, 4d and 5d are held once, 9h twice."""
CALL, OTHER, DOUBLED = parse_cards("3d 4d 9h")


def no(seat: int) -> SoloAnswered:
    """A seat does not go solo."""
    return SoloAnswered(0, By.PLAYER, seat, False)


def yes(seat: int) -> SoloAnswered:
    """A seat goes solo."""
    return SoloAnswered(0, By.PLAYER, seat, True)


def laid(seat: int, cards: str) -> Played:
    """A seat lays these cards."""
    return Played(0, By.PLAYER, seat, parse_cards(cards))


def lead(seat: int) -> Played:
    """A seat lays the lowest card that DEALT gave it."""
    return Played(0, By.PLAYER, seat, bytes([min(DEALT[seat::4])]))


def passes(seat: int) -> Passed:
    """A seat passes."""
    return Passed(0, By.PLAYER, seat)


ANSWERS = [no(0), no(1), no(2), no(3)]
CALLED: list[Event] = [Called(CALL), *ANSWERS]

Fault = tuple[int, str, str]
"""Index of the event, kind of fault, name of the rule."""


class Walked(NamedTuple):
    """Events and the faults that are in them: behind an opening, or from a table on."""

    options: Options
    events: Sequence[Event]
    faults: list[Fault]
    start: ClimbingCarry | Table
    chain: Chain | None = None


def hand_of(carry: ClimbingCarry, events: Iterable[Event]) -> list[Event]:
    """A hand that opens so."""
    return [HandStarted(bytes(32), 0), ClimbingOpening(carry), *events]


def after_deal(
    options: Options, events: Sequence[Event], *faults: Fault, deck: bytes = DEALT
) -> Walked:
    """A later hand with seat 0 as dealer, behind the deal: the first of the events is the third."""
    return Walked(options, [Dealt(0, 0, deck), *events], list(faults), later(0))


def found(case: Walked) -> list[Fault]:
    """The faults that the walk finds."""
    game: Any = game_for(case.options)
    walk = HandWalk(game, case.options, "full", case.chain)
    events = case.events
    if isinstance(case.start, Table):
        walk.state = playing(game, case.options, case.start)
    else:
        events = hand_of(case.start, events)
    return [
        (step.index, fault.kind, fault.breach.rule.name)
        for step in map(walk.step, events)
        for fault in step.faults
    ]


def truly(options: Options, table: Table, facts: Iterable[Fact]) -> list[Event]:
    """The facts from a table on, each with the claims of a truthful server."""
    game = game_for(options)
    state: ClimbingState = playing(game, options, table)
    events: list[Event] = []
    for fact in facts:
        after = game.apply(state, fact, [])
        events += [fact, *game.due(state, fact, after)]
        state = after
    return events


def falsified(events: Iterable[Event], kind: type[Event], **fields: object) -> list[Event]:
    """The events with other values in the last one of that kind."""
    changed = list(events)
    at = place_of(changed, kind)
    changed[at] = replace(changed[at], **fields)
    return changed


def place_of(events: Iterable[Event], kind: type[Event]) -> int:
    """Where the last event of that kind stands."""
    (*_, at) = (index for index, event in enumerate(events) if isinstance(event, kind))
    return at
