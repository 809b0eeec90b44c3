"""How a legal hand of 四副滚子 is changed: one change each, at one event, as a liar might."""

from collections import Counter
from collections.abc import Iterable
from types import UnionType

from msgspec.structs import replace

from schema.cards import ALL_CODES, BLACK_JOKER, N_FACES, RED_JOKER
from schema.events import By, Dealt, Event, Fact, Played, TrickWon
from schema.gunzi import (
    BottomFate,
    BottomShown,
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziEnding,
    GunziOpening,
    GunziResult,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.trumps import Named, Trump
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

Laid = Played | Buried | Declared | TributePaid | TributeReturned
Act = Laid | Flipped | JokersBuried | JokersPassed
IN_HAND = 156


def held(events: Events, index: int, seat: int) -> list[int]:
    """The cards that the seat holds before the event of that index, if all of it is true.

    Where the next event is a burial, the bottom is among those of the dealer.
    """
    cards, bottom, dealer = Counter[int](), b"", -1
    for event in events[:index]:
        match event:
            case Dealt():
                cards = Counter(event.cards[:IN_HAND][(seat - event.start) % 4 :: 4])
                bottom = event.cards[IN_HAND:]
            case TrumpSet():
                dealer = event.dealer
            case TributePaid() | TributeReturned():
                _move(cards, event, (event.seat, dealer, (dealer + 3) % 4), seat)
            case Buried() if event.seat == seat:
                cards.update(bottom)
                cards.subtract(event.cards)
            case JokersBuried() if event.seat == seat:
                cards.update(event.picked)
                cards.subtract(event.jokers)
            case Played() if event.seat == seat:
                cards.subtract(event.cards)
    if isinstance(events[index], Buried) and seat == dealer:
        cards.update(bottom)
    return sorted((+cards).elements())


def _move(
    cards: Counter[int], event: TributePaid | TributeReturned, who: tuple[int, int, int], seat: int
) -> None:
    source, dealer, payer = who
    target = payer if source == dealer else dealer
    if seat == source:
        cards.subtract(event.cards)
    elif seat == target:
        cards.update(event.cards)


def _pick(rng: Rng, events: Events, kinds: type | UnionType) -> int | None:
    found = where(events, kinds)
    return rng.choice(found) if found else None


_KINDS: tuple[type, ...] = (Played, Played, Buried, Declared, TributePaid, TributeReturned)


def _laid(rng: Rng, events: Events) -> tuple[int, Laid] | None:
    """Cards played, paid, returned, buried or shown; plays are most, so the kind comes first."""
    index = _pick(rng, events, rng.choice(_KINDS))
    event = None if index is None else events[index]
    return (index, event) if index is not None and isinstance(event, Laid) else None


# Acts


def other_seat(rng: Rng, events: Events) -> Mutant | None:
    """Another seat plays, pays, returns, buries, shows, flips or passes."""
    index = _pick(rng, events, rng.choice((*_KINDS[1:], Flipped, JokersBuried, JokersPassed)))
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
    """One card that is played, paid, buried or shown becomes another one that the seat holds."""
    found = _laid(rng, events)
    if found is None:
        return None
    index, event = found
    beside = Counter(held(events, index, event.seat)) - Counter(event.cards)
    return _one_card(rng, events, found, sorted(beside))


def card_any(rng: Rng, events: Events) -> Mutant | None:
    """One card that is played, paid, buried or shown becomes any other."""
    return _one_card(rng, events, _laid(rng, events), ALL_CODES)


def _one_card(
    rng: Rng, events: Events, found: tuple[int, Laid] | None, cards: Iterable[int]
) -> Mutant | None:
    if found is None:
        return None
    index, event = found
    if not event.cards:
        return None
    changed, others = bytearray(event.cards), list(cards)
    place = rng.randrange(len(changed))
    others = [card for card in others if card != changed[place]]
    if not others:
        return None
    changed[place] = rng.choice(others)
    return with_event(events, index, replace(event, cards=bytes(changed)))


def card_count(rng: Rng, events: Events) -> Mutant | None:
    """One card fewer is played, paid, buried or shown, or one more that the seat holds."""
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


def other_cards(rng: Rng, events: Events) -> Mutant | None:
    """A play, tribute or burial becomes as many other cards that the seat holds."""
    index = _pick(rng, events, rng.choice((Played, Played, Buried, TributePaid, TributeReturned)))
    event = None if index is None else events[index]
    if index is None or not isinstance(event, Laid):
        return None
    own = held(events, index, event.seat)
    cards = bytes(sorted(rng.sample(own, len(event.cards))))
    changed = replace(event, cards=cards)
    return None if cards == bytes(sorted(event.cards)) else with_event(events, index, changed)


def jokers_to_pass(rng: Rng, events: Events) -> Mutant | None:
    """A seat that buried jokers passes."""
    index = _pick(rng, events, JokersBuried)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, JokersBuried):
        return None
    return with_event(events, index, JokersPassed(event.dt, event.by, event.seat))


def pass_to_jokers(rng: Rng, events: Events) -> Mutant | None:
    """A seat that passed buries a joker, of its own if it has any, for some card of the bottom."""
    index = _pick(rng, events, JokersPassed)
    event = None if index is None else events[index]
    if index is None or not isinstance(event, JokersPassed):
        return None
    own = [code for code in held(events, index, event.seat) if code >= BLACK_JOKER]
    n = rng.randrange(min(len(own), 2) + 1) or rng.randrange(2)
    jokers = bytes(own[-n:] or [BLACK_JOKER] * n) if n else b""
    *_, last = where(events[:index], Buried)
    buried = events[last]
    assert isinstance(buried, Buried)
    picked = bytes(sorted(buried.cards)[:n])
    fact = JokersBuried(event.dt, event.by, event.seat, jokers, picked)
    return with_event(events, index, fact)


def moved(rng: Rng, events: Events) -> Mutant | None:
    """A fact of the hand stands a second time somewhere else."""
    places = [index for index, event in enumerate(events[:-1]) if isinstance(event, Fact) and index]
    early = [index for index in places if not isinstance(events[index], Played)]
    source = rng.choice(rng.choice((places, early)))
    target = rng.choice((rng.randrange(2, len(events)), rng.randrange(2, min(16, len(events)))))
    if target == source:
        return None
    return Mutant([*events[:target], events[source], *events[target:]], target)


def inserted(rng: Rng, events: Events) -> Mutant | None:
    """Somebody shows, flips, pays, buries, passes or closes, or is told to, where nobody did."""
    target = rng.choice((rng.randrange(3, len(events)), rng.randrange(3, min(16, len(events)))))
    seat = rng.randrange(4)
    own = held(events, target, seat) or [rng.randrange(N_FACES)]
    cards = bytes([rng.choice(own)] * rng.choice((1, 1, 2, 3)))
    named = Named(rng.randrange(6)) if rng.random() < 0.3 else Named.NOTHING
    after = rng.choice((IN_HAND, rng.randrange(IN_HAND + 1)))
    events_: tuple[Event, ...] = (
        Declared(0, By.PLAYER, seat, cards, named, after),
        Declared(0, By.PLAYER, seat, bytes([RED_JOKER]), Named.NOTHING, after),
        DeclaringClosed(0),
        Flipped(0, By.PLAYER, seat, rng.randrange(7)),
        Drawn(0, By.SERVER, rng.randrange(7)),
        TributePaid(0, By.PLAYER, seat, bytes(own[:1])),
        TributeReturned(0, By.PLAYER, seat, bytes(own[:1])),
        Buried(0, By.PLAYER, seat, bytes(own[:6])),
        JokersBuried(0, By.PLAYER, seat, b"", b""),
        JokersBuried(0, By.PLAYER, seat, bytes([RED_JOKER]), bytes(own[:1])),
        JokersPassed(0, By.PLAYER, seat),
        Played(0, By.PLAYER, seat, cards),
        Redealt(),
        BottomShown(bytes(sorted(own)[:6]), rng.random() < 0.5),
        TrumpSet(Trump(rng.randrange(4)), seat),
    )
    return Mutant([*events[:target], rng.choice(events_), *events[target:]], target)


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
    """One card of a pair, two or three of a single, four, or a card of another suit."""
    assert isinstance(value, bytes)
    other = bytes([rng.randrange(N_FACES)])
    return value[:1] * rng.randrange(1, 5) if rng.random() < 0.6 else other * rng.randrange(1, 4)


def _jokers(rng: Rng, value: object) -> object:
    """One joker fewer, one more, the other kind, or what is none."""
    assert isinstance(value, bytes)
    others = bytes(RED_JOKER + BLACK_JOKER - code for code in value[:1])
    return rng.choice((value[1:], value + value[:1], others + value[1:], b"\x05" + value[1:]))


def _points(rng: Rng, value: object) -> object:
    assert isinstance(value, int)
    return max(0, value + rng.choice((-10, -5, 5, 10))) if value else 5


def _number(rng: Rng, value: object) -> object:
    """Another number, so far off that two lies do not meet."""
    assert isinstance(value, int)
    return value + rng.randrange(1, 10**5)


def _due(rng: Rng, value: object) -> object:
    assert isinstance(value, int)
    return max(0, value + rng.choice((-2, -1, 1, 2))) if value else rng.randrange(1, 4)


def _levels(rng: Rng, value: object) -> object:
    assert isinstance(value, tuple)
    place = rng.randrange(2)
    changed = another(range(1, 9))(rng, value[place])
    return (changed, value[1]) if place == 0 else (value[0], changed)


_dealer = another((None, 0, 1, 2, 3))
_flip = another((False, True))
_CARRIED: dict[str, Other] = {
    "hand_no": _number,
    "dealer": _dealer,
    "levels": _levels,
    "due_for_score": _due,
    "due_for_jokers": _due,
    "is_over": _flip,
}


def _carried(kind: type[Event], word: str, inner: str) -> dict[str, Change]:
    """Every field of what the next hand opens with, or of what this one does."""
    return {word + part: field(kind, inner + part, other) for part, other in _CARRIED.items()}


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
    "other cards": other_cards,
    "refused: a good play": refused,
    "deal: two cards": deal_swap,
    "deal: start": field(Dealt, "start", another(range(4))),
    "jokers to pass": jokers_to_pass,
    "pass to jokers": pass_to_jokers,
    **_fields(Flipped, "flipped", seat=another(range(4)), place=another(range(7))),
    **_fields(Drawn, "drawn", place=another(range(7))),
    **_fields(TributePaid, "paid", cards=_cards),
    **_fields(TributeReturned, "returned", cards=_cards),
    **_fields(Buried, "buried", cards=_cards),
    **_fields(JokersBuried, "jokers", jokers=_jokers, picked=_cards),
    **_fields(Declared, "declared", cards=_shown, named=another(Named), after=another(range(157))),
}
_TOLD: dict[str, Change] = {
    **_fields(TrumpSet, "trump", trump=another(Trump), dealer=another(range(4))),
    **_fields(BottomShown, "shown", cards=_cards, dry=_flip),
    **_fields(TrickWon, "trick", seat=another(range(4)), points=_points),
}
_ENDS: dict[str, Change] = {
    **_fields(
        GunziSettled,
        "settled",
        tricks=_points,
        fate=another(BottomFate),
        bottom=_points,
        factor=another(range(9)),
        score=_points,
        result=another(GunziResult),
        ending=another(GunziEnding),
        risen=another(range(9)),
    ),
    **_carried(GunziSettled, "settled: next.", "next."),
    **_carried(GunziOpening, "opening: ", "carry."),
    **_carried(GunziOpening, "first opening: ", "carry."),
}
CHANGES = _ACTS | _TOLD | _ENDS
"""Every way to change one event, by name."""
_OPENINGS = frozenset(name for name in _ENDS if name.startswith(("opening", "first opening")))
_CLAIMS = frozenset(_TOLD | _ENDS) - _OPENINGS
_STANDING = frozenset(("trump: trump", "trump: dealer", "shown: dry"))
"""A false announcement stands, and what follows with it."""
AT_EVENT = _CLAIMS | _OPENINGS | {"turn order", "refused: a good play"}
"""What must be found at the changed event if the log is not a legal one."""
ALONE = (_CLAIMS - _STANDING) | {
    *("refused: a good play", "opening: hand_no", "opening: is_over"),
    *("first opening: hand_no", "first opening: is_over"),
}
"""What changes nothing else: one finding and no more."""
