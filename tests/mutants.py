"""How a legal hand is changed: one change each, at one event, as a lying server might.

A change takes the events of a hand and gives them changed, with the index of the changed event;
None where the hand has nothing to change in that way.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from types import UnionType
from typing import NamedTuple

from msgspec.structs import replace

from schema.cards import N_FACES
from schema.events import (
    AnyPlay,
    CallDrawn,
    Called,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingOpening,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Event,
    Fact,
    Passed,
    Played,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)

Events = list[Event]
Rng = random.Random


class Mutant(NamedTuple):
    """A hand with one change, and where it is: the index of an event."""

    events: Events
    at: int


Change = Callable[[Rng, Events], Mutant | None]


def where(events: Events, kinds: type | UnionType | tuple[type, ...]) -> list[int]:
    """Where events of these kinds stand."""
    return [index for index, event in enumerate(events) if isinstance(event, kinds)]


def _inner(events: Events) -> list[int]:
    """All events but first and last: without those no file can hold the hand."""
    return list(range(1, len(events) - 1))


def with_event(events: Events, index: int, event: Event) -> Mutant:
    """The hand with another event there."""
    return Mutant([*events[:index], event, *events[index + 1 :]], index)


def held(events: Events, index: int, seat: int) -> Counter[int]:
    """The cards that the seat holds before the event of that index."""
    cards: Counter[int] = Counter()
    for event in events[:index]:
        if isinstance(event, Dealt):
            cards.update(event.cards[(seat - event.start) % 4 :: 4])
        elif isinstance(event, AnyPlay) and event.seat == seat:
            cards.subtract(event.cards)
    return +cards


# Whole events


def drop(rng: Rng, events: Events) -> Mutant | None:
    """An event is left out."""
    index = rng.choice(_inner(events))
    return Mutant(events[:index] + events[index + 1 :], index)


def duplicate(rng: Rng, events: Events) -> Mutant | None:
    """An event stands twice; the copy is the changed event."""
    index = rng.choice(_inner(events))
    return Mutant([*events[: index + 1], events[index], *events[index + 1 :]], index + 1)


def swap(rng: Rng, events: Events) -> Mutant | None:
    """Two neighbours, two facts or a fact and a claim, exchange their places."""
    pairs = [
        i
        for i in _inner(events)[:-1]
        if isinstance(events[i], Fact) or isinstance(events[i + 1], Fact)
    ]
    index = rng.choice(pairs)
    first, second = events[index : index + 2]
    return Mutant([*events[:index], second, first, *events[index + 2 :]], index)


def seat(rng: Rng, events: Events) -> Mutant | None:
    """Another seat plays or passes."""
    index = rng.choice(where(events, AnyPlay | Passed))
    event = events[index]
    assert isinstance(event, AnyPlay | Passed)
    others = [s for s in range(4) if s != event.seat]
    return with_event(events, index, replace(event, seat=rng.choice(others)))


def turn_order(rng: Rng, events: Events) -> Mutant | None:
    """Instead of the seat in turn another one that holds cards passes or plays one of its own."""
    index = rng.choice(where(events, AnyPlay | Passed))
    event = events[index]
    assert isinstance(event, AnyPlay | Passed)
    others = [s for s in range(4) if s != event.seat and held(events, index, s)]
    if not others:
        return None
    other = rng.choice(others)
    if rng.random() < 0.5:
        return with_event(events, index, Passed(event.dt, event.by, other))
    card = rng.choice(sorted(held(events, index, other)))
    return with_event(events, index, Played(event.dt, event.by, other, bytes([card])))


# Cards


def card_held(rng: Rng, events: Events) -> Mutant | None:
    """One card of a play becomes another one that the seat holds beside it."""
    index = rng.choice(where(events, AnyPlay))
    event = events[index]
    assert isinstance(event, AnyPlay)
    beside = held(events, index, event.seat) - Counter(event.cards)
    if not beside:
        return None
    return with_event(events, index, _one_card(rng, event, rng.choice(sorted(beside))))


def card_any(rng: Rng, events: Events) -> Mutant | None:
    """One card of a play becomes any other."""
    index = rng.choice(where(events, AnyPlay))
    event = events[index]
    assert isinstance(event, AnyPlay)
    return with_event(events, index, _one_card(rng, event, rng.randrange(N_FACES)))


def _one_card(rng: Rng, event: AnyPlay, card: int) -> AnyPlay:
    place = rng.randrange(len(event.cards))
    cards = bytearray(event.cards)
    cards[place] = card
    return replace(event, cards=bytes(cards))


def play_to_pass(rng: Rng, events: Events) -> Mutant | None:
    """A play becomes a pass."""
    index = rng.choice(where(events, AnyPlay))
    event = events[index]
    assert isinstance(event, AnyPlay)
    return with_event(events, index, Passed(event.dt, event.by, event.seat))


def deal_swap(rng: Rng, events: Events) -> Mutant | None:
    """Two cards of the deck exchange their places; where it is dealt anew, of the last one."""
    *_, index = where(events, Dealt)
    event = events[index]
    assert isinstance(event, Dealt)
    cards = bytearray(event.cards)
    a, b = rng.sample(range(len(cards)), 2)
    cards[a], cards[b] = cards[b], cards[a]
    return with_event(events, index, replace(event, cards=bytes(cards)))


# Single fields

Other = Callable[[Rng, object], object]
"""Another value for a field; the same value where there is none."""


def field(kind: type[Event], name: str, other: Other) -> Change:
    """Some event of this kind has another value in the field (`next.x`: in the carry in it)."""

    def change(rng: Rng, events: Events) -> Mutant | None:
        found = where(events, kind)
        if not found:
            return None
        index = rng.choice(found)
        changed = with_field(rng, events[index], name, other)
        return None if changed == events[index] else with_event(events, index, changed)

    return change


def with_field(rng: Rng, event: Event, name: str, other: Other) -> Event:
    """The event with another value in the field."""
    name, _, inner = name.partition(".")
    value = getattr(event, name)
    if inner:
        value = replace(value, **{inner: other(rng, getattr(value, inner))})
        return replace(event, **{name: value})
    return replace(event, **{name: other(rng, value)})


def another(values: Iterable[object]) -> Other:
    """Another one of these values."""
    return lambda rng, value: rng.choice([v for v in values if v != value])


def _nearby(rng: Rng, value: object) -> object:
    """A count a little too high or, if it can be, too low."""
    assert isinstance(value, int)
    return max(0, value + rng.choice((-10, -5, 5, 10))) if value else 5


def _result(rng: Rng, value: object) -> object:
    return rng.choice([result for result in ClimbingResult if result != value])


def _nudged(rng: Rng, value: object) -> object:
    """One of four numbers changed by five, below 0 never."""
    assert isinstance(value, tuple)
    values = list(value)
    values[rng.randrange(4)] += 5
    return tuple(values)


def _coins(rng: Rng, value: object) -> object:
    """One of four amounts of coins changed, or two so that the sum stays.

    By an amount that no other change hits upon, so that two lies do not make a truth.
    """
    assert isinstance(value, tuple)
    values = list(value)
    more, less = rng.sample(range(4), 2)
    amount = rng.randrange(1, 10**6)
    values[more] += amount
    values[less] -= amount * rng.randrange(2)
    return tuple(values)


def _seats(rng: Rng, value: object) -> object:
    """Other winners: ascending seats, from one to three."""
    assert isinstance(value, tuple)
    return tuple(sorted(rng.sample(range(4), rng.randrange(1, 4))))


def _order(rng: Rng, value: object) -> object:
    """Places in another order, or one place fewer or more."""
    assert isinstance(value, tuple)
    places = list(value)
    if len(places) == 1 or rng.random() < 0.3:
        rest = [s for s in range(4) if s not in places]
        return tuple([*places, rest[0]] if rest else places[:-1])
    a, b = rng.sample(range(len(places)), 2)
    places[a], places[b] = places[b], places[a]
    return tuple(places)


def _bonuses(rng: Rng, value: object) -> object:
    """A bonus invented, or one left out."""
    assert isinstance(value, tuple)
    if value and rng.random() < 0.5:
        gone = rng.randrange(len(value))
        return value[:gone] + value[gone + 1 :]
    return (*value, ClimbingBonus(rng.randrange(4), rng.choice(list(ClimbingBonusKind))))


def _dealer(rng: Rng, value: object) -> object:
    return rng.choice([dealer for dealer in (None, 0, 1, 2, 3) if dealer != value])


def _answer(_: Rng, value: object) -> object:
    return not value


def refused(rng: Rng, events: Events) -> Mutant | None:
    """The server says that it turned down the very play that then was laid."""
    index = rng.choice(where(events, AnyPlay))
    event = events[index]
    assert isinstance(event, AnyPlay)
    return Mutant(
        [*events[:index], Refused(event.seat, event.cards), *events[index:]],
        index,
    )


CLASSES: dict[str, Change] = {
    "drop": drop,
    "duplicate": duplicate,
    "swap": swap,
    "seat": seat,
    "turn order": turn_order,
    "card: another held": card_held,
    "card: any other": card_any,
    "play to pass": play_to_pass,
    "deal: two cards": deal_swap,
    "deal: start": field(Dealt, "start", another(range(4))),
    "turned up: index": field(TurnedUp, "index", another(range(108))),
    "drawn: card": field(CallDrawn, "card", another(range(N_FACES))),
    "answer: seat": field(SoloAnswered, "seat", another(range(4))),
    "answer: yes": field(SoloAnswered, "yes", _answer),
    "refused: a good play": refused,
    "called: card": field(Called, "card", another(range(N_FACES))),
    "revealed: seat": field(Revealed, "seat", another(range(4))),
    "out: seat": field(WentOut, "seat", another(range(4))),
    "out: place": field(WentOut, "place", another(range(1, 5))),
    "trick: seat": field(TrickWon, "seat", another(range(4))),
    "trick: points": field(TrickWon, "points", _nearby),
    "wind: seat": field(WindTaken, "seat", another(range(4))),
    "settled: result": field(ClimbingSettled, "result", _result),
    "settled: fan": field(ClimbingSettled, "fan", another(range(9))),
    "settled: winners": field(ClimbingSettled, "winners", _seats),
    "settled: places": field(ClimbingSettled, "places", _order),
    "settled: captured": field(ClimbingSettled, "captured", _nudged),
    "settled: left": field(ClimbingSettled, "left", _nearby),
    "settled: final": field(ClimbingSettled, "final", _nudged),
    "settled: bonuses": field(ClimbingSettled, "bonuses", _bonuses),
    "settled: deltas": field(ClimbingSettled, "deltas", _coins),
    "settled: next.hand_no": field(ClimbingSettled, "next.hand_no", another(range(1, 9))),
    "settled: next.dealer": field(ClimbingSettled, "next.dealer", _dealer),
    "settled: next.balances": field(ClimbingSettled, "next.balances", _coins),
    "opening: hand_no": field(ClimbingOpening, "carry.hand_no", another(range(1, 9))),
    "opening: dealer": field(ClimbingOpening, "carry.dealer", _dealer),
    "opening: balances": field(ClimbingOpening, "carry.balances", _coins),
    "first opening: balances": field(ClimbingOpening, "carry.balances", _coins),
}
"""Every way to change one event, by name."""

CLAIMS = frozenset(
    name
    for name in CLASSES
    if name.split(":")[0] in ("called", "revealed", "out", "trick", "wind", "settled")
)
AT_EVENT = CLAIMS | {
    *("drop", "duplicate", "swap", "seat", "turn order"),
    *("opening: hand_no", "opening: dealer", "opening: balances"),
}
"""What must be found at the changed event if the log is not a legal one: a drop, by the next
fact."""
ALONE = CLAIMS - {"called: card"} | {
    *("refused: a good play", "opening: hand_no", "opening: balances"),
}
"""What changes nothing else: one finding and no more. A false call stands, and sides with it."""
