"""How a legal hand of 炒地皮 is changed: one change each, at one event, as a lying server might."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from types import UnionType

from msgspec.structs import replace

from schema.cards import ALL_CODES, N_FACES
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    ChaodipiEffect,
    ChaodipiOpening,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import By, Dealt, Event, Fact, Played, TrickWon
from schema.trumps import Named, Trump
from tests.builders_chaodipi import level_of
from tests.mutants import (
    Change,
    Events,
    Mutant,
    Other,
    Rng,
    another,
    deal_swap,
    drop,
    duplicate,
    field,
    refused,
    swap,
    where,
    with_event,
)

Laid = Played | Buried | Declared | Stirred
Act = Laid | StirPassed
FLAG = 13


def held(events: Events, index: int, seat: int) -> list[int]:
    """The cards that the seat holds before the event of that index, if all of it is true."""
    cards: Counter[int] = Counter()
    is_flag = isinstance(events[1], ChaodipiOpening) and level_of(events[1].carry) == FLAG
    for event, after in pairwise(events[: index + 1]):
        if isinstance(event, Dealt):
            dealt = event.cards if is_flag else event.cards[:100]
            cards = Counter(dealt[(seat - event.start) % 4 :: 4])
        elif isinstance(event, BottomTaken) and event.seat == seat:
            cards.update(event.cards)
        elif isinstance(event, Played | Buried) and event.seat == seat:
            cards.subtract(after.led if isinstance(after, ThrowJudged) else event.cards)
    return sorted((+cards).elements())


def _pick(rng: Rng, events: Events, kinds: type | UnionType) -> int | None:
    found = where(events, kinds)
    return rng.choice(found) if found else None


def _laid(rng: Rng, events: Events) -> tuple[int, Laid] | None:
    """Cards played, buried or shown, and where; plays are most, so the others come first."""
    kinds = rng.choice((Played, Played, Buried, Declared, Stirred))
    index = _pick(rng, events, kinds)
    event = None if index is None else events[index]
    return (index, event) if index is not None and isinstance(event, Laid) else None


# Acts


def other_seat(rng: Rng, events: Events) -> Mutant | None:
    """Another seat plays, buries, shows or passes."""
    index = _pick(rng, events, rng.choice((Played, Buried, Declared, Stirred, StirPassed)))
    event = None if index is None else events[index]
    if index is None or not isinstance(event, Act):
        return None
    return with_event(events, index, replace(event, seat=another(range(4))(rng, event.seat)))


def turn_order(rng: Rng, events: Events) -> Mutant | None:
    """Instead of the seat in turn another one plays a card of its own."""
    index = _pick(rng, events, Played)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, Played):
        return None
    other = rng.choice([seat for seat in range(4) if seat != event.seat])
    own = held(events, index, other)
    if not own:
        return None
    cards = bytes([rng.choice(own)])
    return with_event(events, index, replace(event, seat=other, cards=cards))


def card_held(rng: Rng, events: Events) -> Mutant | None:
    """One card that is played, buried or shown becomes another one that the seat holds."""
    found = _laid(rng, events)
    if found is None:
        return None
    index, event = found
    beside = Counter(held(events, index, event.seat)) - Counter(event.cards)
    return _one_card(rng, events, found, sorted(beside))


def card_any(rng: Rng, events: Events) -> Mutant | None:
    """One card that is played, buried or shown becomes any other."""
    return _one_card(rng, events, _laid(rng, events), ALL_CODES)


def _one_card(
    rng: Rng, events: Events, found: tuple[int, Laid] | None, cards: Iterable[int]
) -> Mutant | None:
    if found is None:
        return None
    index, event = found
    changed, others = bytearray(event.cards), list(cards)
    place = rng.randrange(len(changed))
    others = [card for card in others if card != changed[place]]
    if not others:
        return None
    changed[place] = rng.choice(others)
    return with_event(events, index, replace(event, cards=bytes(changed)))


def card_count(rng: Rng, events: Events) -> Mutant | None:
    """One card fewer is played, buried or shown, or one more that the seat holds."""
    found = _laid(rng, events)
    if found is None:
        return None
    index, event = found
    beside = sorted(Counter(held(events, index, event.seat)) - Counter(event.cards))
    if len(event.cards) > 1 and (rng.random() < 0.5 or not beside):
        place = rng.randrange(len(event.cards))
        cards = event.cards[:place] + event.cards[place + 1 :]
    elif beside:
        cards = event.cards + bytes([rng.choice(beside)])
    else:
        return None
    return with_event(events, index, replace(event, cards=cards))


def other_answer(rng: Rng, events: Events) -> Mutant | None:
    """A play becomes as many other cards that the seat holds."""
    index = _pick(rng, events, Played)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, Played):
        return None
    own = held(events, index, event.seat)
    cards = bytes(sorted(rng.sample(own, len(event.cards))))
    changed = replace(event, cards=cards)
    return None if cards == bytes(sorted(event.cards)) else with_event(events, index, changed)


def stirred_to_pass(rng: Rng, events: Events) -> Mutant | None:
    """A seat that stirred passes."""
    index = _pick(rng, events, Stirred)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, Stirred):
        return None
    return with_event(events, index, StirPassed(event.dt, event.by, event.seat))


def pass_to_stir(rng: Rng, events: Events) -> Mutant | None:
    """A seat that passed stirs, with a pair that it holds if it has any."""
    index = _pick(rng, events, StirPassed)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, StirPassed):
        return None
    cards = _pair(rng, held(events, index, event.seat))
    named = Named(rng.randrange(5)) if cards == bytes([10, 10]) else Named.NOTHING
    return with_event(events, index, Stirred(event.dt, event.by, event.seat, cards, named))


def _pair(rng: Rng, own: list[int]) -> bytes:
    pairs = [card for card, n in Counter(own).items() if n == 2]
    return bytes([rng.choice(pairs or own)] * 2)


def moved(rng: Rng, events: Events) -> Mutant | None:
    """A fact of the hand stands a second time somewhere else."""
    places = [index for index, event in enumerate(events[:-1]) if isinstance(event, Fact) and index]
    source, target = rng.choice(places), rng.randrange(2, len(events))
    if target == source:
        return None
    return Mutant([*events[:target], events[source], *events[target:]], target)


def inserted(rng: Rng, events: Events) -> Mutant | None:
    """Somebody shows, passes, buries, turns or closes where nobody did."""
    target = rng.randrange(3, len(events))
    seat = rng.randrange(4)
    own = held(events, target, seat) or [rng.randrange(N_FACES)]
    pair = _pair(rng, own)
    cards = rng.choice((pair, pair[:1]))
    n_named = Named(rng.randrange(6)) if rng.random() < 0.3 else Named.NOTHING
    facts: tuple[Event, ...] = (
        Declared(0, By.PLAYER, seat, cards, n_named, rng.choice((100, rng.randrange(101)))),
        BottomTurned(0),
        DeclaringClosed(0),
        Buried(0, By.PLAYER, seat, bytes(sorted(own)[:8])),
        StirPassed(0, By.PLAYER, seat),
        Stirred(0, By.PLAYER, seat, pair, n_named),
        Escaped(0, seat),
        Played(0, By.PLAYER, seat, cards),
    )
    return Mutant([*events[:target], rng.choice(facts), *events[target:]], target)


# Values


def _cards(rng: Rng, value: object) -> object:
    """Two of the cards exchanged, or one of them another."""
    assert isinstance(value, bytes)
    cards = bytearray(value)
    if not cards:
        return bytes([rng.randrange(N_FACES)])
    a, b = rng.randrange(len(cards)), rng.randrange(len(cards))
    if rng.random() < 0.5:
        cards[a], cards[b] = cards[b], cards[a]
    else:
        cards[a] = rng.randrange(N_FACES)
    return bytes(cards)


def _shown(rng: Rng, value: object) -> object:
    """One card of a pair, two of a single, or a card of another suit."""
    assert isinstance(value, bytes)
    other = bytes([rng.randrange(N_FACES)])
    return rng.choice((value[:1], value[:1] * 2, other, other * 2, value[:1] * 3))


def _led(rng: Rng, value: object) -> object:
    """Some of the cards, or one more."""
    assert isinstance(value, bytes)
    cards = list(value)
    if len(cards) > 1 and rng.random() < 0.7:
        return bytes(sorted(rng.sample(cards, rng.randrange(1, len(cards)))))
    return bytes(sorted([*cards, rng.randrange(N_FACES)]))


def _beaten(rng: Rng, value: object) -> object:
    return tuple(sorted(rng.sample(range(4), rng.randrange(4))))


def _points(rng: Rng, value: object) -> object:
    assert isinstance(value, int)
    return max(0, value + rng.choice((-10, -5, 5, 10))) if value else 5


def _amount(rng: Rng, value: object) -> object:
    assert isinstance(value, int)
    return value + rng.choice((-80, -10, -5, 5, 10, 80))


def _scores(rng: Rng, value: object) -> object:
    """One of four scores changed, or two so that the sum stays; so that lies do not meet."""
    assert isinstance(value, tuple)
    values = list(value)
    more, less = rng.sample(range(4), 2)
    amount = rng.randrange(1, 10**6)
    values[more] += amount
    values[less] -= amount * rng.randrange(2)
    return tuple(values)


def _one_of_two(values: Iterable[int]) -> Other:
    def other(rng: Rng, value: object) -> object:
        assert isinstance(value, tuple)
        place = rng.randrange(2)
        changed = another(values)(rng, value[place])
        return (changed, value[1]) if place == 0 else (value[0], changed)

    return other


_dealer = another((None, 0, 1, 2, 3))
_levels, _failures = _one_of_two(range(14)), _one_of_two(range(3))
_flip = another((False, True))


def _carried(kind: type[Event], word: str, inner: str) -> dict[str, Change]:
    """Every field of what the next hand opens with, or of what this one does."""
    others = {
        "hand_no": another(range(1, 9)),
        "dealer": _dealer,
        "levels": _levels,
        "failures": _failures,
        "scores": _scores,
        "is_over": _flip,
    }
    return {word + part: field(kind, inner + part, other) for part, other in others.items()}


def _fields(kind: type[Event], word: str, **others: Other) -> dict[str, Change]:
    return {f"{word}: {name}": field(kind, name, other) for name, other in others.items()}


_ACTS: dict[str, Change] = {
    "drop": drop,
    "duplicate": duplicate,
    "swap": swap,
    "copied elsewhere": moved,
    "inserted": inserted,
    "seat": other_seat,
    "turn order": turn_order,
    "card: another held": card_held,
    "card: any other": card_any,
    "card: one fewer or more": card_count,
    "other cards": other_answer,
    "refused: a good play": refused,
    "deal: two cards": deal_swap,
    "deal: start": field(Dealt, "start", another(range(4))),
    "stirred to pass": stirred_to_pass,
    "pass to stir": pass_to_stir,
    "escaped: seat": field(Escaped, "seat", another(range(4))),
    **_fields(Buried, "buried", cards=_cards),
    **_fields(Declared, "declared", cards=_shown, named=another(Named), after=another(range(101))),
    **_fields(Stirred, "stirred", cards=_shown, named=another(Named)),
}
_TOLD: dict[str, Change] = {
    **_fields(TrumpSet, "trump", trump=another(Trump), rung=another(range(9))),
    **_fields(ThrowJudged, "throw", led=_led, beaten_by=_beaten),
    **_fields(BottomShown, "shown", cards=_cards),
    **_fields(BottomTaken, "taken", seat=another(range(4)), cards=_cards),
    **_fields(TrickWon, "trick", seat=another(range(4)), points=_points),
}
_ENDS: dict[str, Change] = {
    **_fields(
        ChaodipiSettled,
        "settled",
        tricks=_points,
        bottom=_points,
        factor=another(range(9)),
        penalty=_amount,
        score=_amount,
        result=another(ChaodipiResult),
        effect=another(ChaodipiEffect),
        risen=another(range(13)),
        deltas=_scores,
    ),
    **_carried(ChaodipiSettled, "settled: next.", "next."),
    **_carried(ChaodipiOpening, "opening: ", "carry."),
    "first opening: scores": field(ChaodipiOpening, "carry.scores", _scores),
}
CHANGES = _ACTS | _TOLD | _ENDS
"""Every way to change one event, by name."""
_CLAIMS = frozenset(
    name for name in _TOLD | _ENDS if not name.startswith(("opening", "first opening"))
)
_STANDING = frozenset(name for name in _TOLD if name.startswith(("trump", "throw")))
"""A false announcement stands, and what follows with it."""
AT_EVENT = _CLAIMS | {
    *("turn order", "opening: hand_no", "opening: dealer", "opening: levels"),
    *("opening: failures", "opening: scores", "opening: is_over"),
}
"""What must be found at the changed event if the log is not a legal one."""
ALONE = (_CLAIMS - _STANDING) | {
    *("refused: a good play", "opening: hand_no", "opening: scores"),
}
"""What changes nothing else: one finding and no more."""
