"""Hands and parts of hands of 四副滚子 put through the walk: which event has which fault."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.states import GunziState, Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.registry import game_named
from replay.engine.rule import Breach, RuleViolation
from replay.walk import Chain, HandWalk
from schema.cards import ALL_CODES, cards_text, parse_cards
from schema.events import By, Dealt, Event, Fact, HandStarted, Played
from schema.gunzi import (
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziCarry,
    GunziOpening,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
)
from schema.options import GunziOptions
from schema.trumps import Named, Trump
from tests.builders_gunzi import later

BOTTOM = "3s 7c 9d Kd 4h 2c"
"""A plain card of every suit: whatever is trump, it is not dry."""


def dealt_to(*beginnings: str, bottom: str = BOTTOM, start: int = 0) -> Dealt:
    """A deal that gives the seats these cards first, and this bottom; the rest shuffled once."""
    hands = [list(parse_cards(cards)) for cards in beginnings]
    below = list(parse_cards(bottom))
    rest = list(ALL_CODES * 3)
    for card in (*below, *(card for hand in hands for card in hand)):
        rest.remove(card)
    random.Random(1).shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(39 - len(hand))]
    around = bytes(hands[(start + k) % 4][k // 4] for k in range(156))
    return Dealt(0, start, around + bytes(below))


HELD = ("6h 6h 4c 4c 4c Ks", "6s 6c 6c", "Rj Rj Rj 6c", "6d 6d 6d Bj Bj Bj Kc")
DEALT = dealt_to(*HELD)
"""At level 6 every seat can show: 0 hearts, 1 spades or clubs, 2 any suit, 3 diamonds or any."""
LATER = later(0, (4, 1))
"""Hand 5: seat 0 deals at level 6, and is owed nothing."""
OWED = later(0, (4, 1), (2, 0))
"""The same, but that seat 3 owes him two cards."""


def shows(seat: int, cards: str, named: Named = Named.NOTHING, after: int = 156) -> Declared:
    """亮主."""
    return Declared(0, By.PLAYER, seat, parse_cards(cards), named, after)


def flips(seat: int, place: int) -> Flipped:
    """翻牌."""
    return Flipped(0, By.PLAYER, seat, place)


def draws(place: int) -> Drawn:
    """A bottom card is drawn for its suit."""
    return Drawn(0, By.SERVER, place)


def pays(seat: int, cards: str) -> TributePaid:
    """进贡."""
    return TributePaid(0, By.PLAYER, seat, parse_cards(cards))


def returns(seat: int, cards: str) -> TributeReturned:
    """还贡."""
    return TributeReturned(0, By.PLAYER, seat, parse_cards(cards))


def buries(seat: int, cards: str = BOTTOM) -> Buried:
    """扣底; the same cards as a rule."""
    return Buried(0, By.PLAYER, seat, parse_cards(cards))


def swaps(seat: int, jokers: str, picked: str) -> JokersBuried:
    """扣王, and what is picked for it."""
    return JokersBuried(0, By.PLAYER, seat, parse_cards(jokers), parse_cards(picked))


def passes(*seats: int) -> list[JokersPassed]:
    """Seats that bury no joker."""
    return [JokersPassed(0, By.PLAYER, seat) for seat in seats]


def plays(seat: int, cards: str) -> Played:
    """出牌."""
    return Played(0, By.PLAYER, seat, parse_cards(cards))


CLOSED = DeclaringClosed(0)
DECLARED: list[Fact] = [DEALT, shows(1, "6s"), CLOSED]
"""Seat 1 has made spades trump, and the dealer has taken the bottom."""
BURIED: list[Fact] = [*DECLARED, buries(0)]
BEGUN: list[Fact] = [*BURIED, *passes(1, 2, 3)]

Fault = tuple[int, str, str]
"""Index of the event, kind of fault, name of the rule."""
Details = tuple[Any, Any, Any]
"""Of a fault the seat, what was expected and what was found; cards as text."""


class Table(NamedTuple):
    """Cards left to the seats in play; what is trump, who leads, and what has been captured.

    Seat 0 deals. Levels are those of seats 0, 2 and of seats 1, 3.
    """

    hands: tuple[str, str, str, str]
    leader: int = 0
    trump: Trump = Trump.SPADES
    captured: tuple[int, int, int, int] = (0, 0, 0, 0)
    levels: tuple[int, int] = (4, 1)
    bottom: str = BOTTOM
    is_dry: bool = False


class Walked(NamedTuple):
    """Events and the faults that are in them: behind an opening, or from a table on."""

    events: Sequence[Event]
    faults: list[Fault]
    start: GunziCarry | Table = LATER
    options: GunziOptions = DEFAULT
    details: Details | None = None
    """Of the first fault."""
    chain: Chain | None = None


def playing(options: GunziOptions, table: Table) -> Playing:
    """The state in which `table.leader` leads, with these cards in the seats."""
    game = Gunzi()
    state: GunziState = game.open(replace(options, others_bury="allowed"), LATER)
    for fact in BEGUN:
        state = game.apply(state, fact, [])
    assert isinstance(state, Playing)
    setting = replace(
        state.table.setting,
        house=game.open(options, LATER).house,
        carry=later(0, table.levels),
        level=table.levels[0],
        trump=int(table.trump),
    )
    bottom = parse_cards(table.bottom)
    held = (with_cards(EMPTY, pack_dealt(parse_cards(cards))) for cards in table.hands)
    whole = replace(
        state.table,
        setting=setting,
        context=setting.context,
        buried=b"" if table.is_dry else bottom,
        bottom=bottom,
        is_dry=table.is_dry,
    )
    return replace(
        state,
        table=whole,
        holdings=per_seat(held),
        captured=table.captured,
        leader=table.leader,
        turn=table.leader,
    )


def after(
    facts: Sequence[Fact],
    start: GunziCarry | Table = LATER,
    options: GunziOptions = DEFAULT,
) -> GunziState:
    """The state behind these facts, none of which breaks a rule."""
    game = Gunzi()
    state: GunziState = (
        playing(options, start) if isinstance(start, Table) else game.open(options, start)
    )
    for fact in facts:
        breaches: list[Breach] = []
        state = game.apply(state, fact, breaches)
        assert breaches == []
    return state


def truly(
    facts: Iterable[Fact],
    start: GunziCarry | Table = LATER,
    options: GunziOptions = DEFAULT,
) -> list[Event]:
    """The facts, each with the claims of a truthful server; behind one that blocks there are none.

    From an opening on, that comes first.
    """
    game = Gunzi()
    state: GunziState | None
    events: list[Event] = []
    if isinstance(start, Table):
        state = playing(options, start)
    else:
        state = game.open(options, start)
        events = [HandStarted(bytes(32), 0), GunziOpening(start)]
    for fact in facts:
        events.append(fact)
        if state is None:
            continue
        try:
            after = game.apply(state, fact, [])
        except RuleViolation:
            state = None
        else:
            events += game.due(state, fact, after)
            state = after
    return events


def told(
    facts: Iterable[Fact],
    *faults: Fault,
    start: GunziCarry | Table = LATER,
    options: GunziOptions = DEFAULT,
    details: Details | None = None,
) -> Walked:
    """A hand with the claims of a truthful server, in which these faults are."""
    return Walked(truly(facts, start, options), list(faults), start, options, details)


def blocks(
    facts: Sequence[Fact],
    rule: str,
    *details: Any,
    start: GunziCarry | Table = LATER,
    options: GunziOptions = DEFAULT,
) -> Walked:
    """A hand whose last fact blocks, by this rule, and which is fine before.

    `details`, if given: seat, what was expected, what was found.
    """
    events, (seat, expected, found) = truly(facts, start, options), details or (None, None, None)
    said = (seat, expected, found) if details else None
    return Walked(events, [(len(events) - 1, "violation", rule)], start, options, said)


def breaks(
    facts: Sequence[Fact],
    rule: str,
    *details: Any,
    start: GunziCarry | Table = LATER,
    options: GunziOptions = DEFAULT,
    behind: Sequence[Fact] = (),
    also: Sequence[str] = (),
) -> Walked:
    """A hand whose last fact of `facts` breaks this rule of conduct, and which goes on `behind`.

    `details`, if given: seat, what was expected, what was found. `also`: further rules broken.
    """
    at = place_of(truly(facts, start, options), facts[-1])
    faults: list[Fault] = [(at, "breach", each) for each in (rule, *also)]
    seat, expected, found = details or (None, None, None)
    said = (seat, expected, found) if details else None
    return told([*facts, *behind], *faults, start=start, options=options, details=said)


def place_of(events: Sequence[Event], wanted: Event | type[Event]) -> int:
    """Where the last such event stands."""
    is_kind = isinstance(wanted, type)
    return max(
        index
        for index, event in enumerate(events)
        if (isinstance(event, wanted) if is_kind else event is wanted)  # type: ignore[arg-type]
    )


def falsified(case: Walked, kind: type[Event], rule: str, **fields: object) -> Walked:
    """The same with other values in the last claim of that kind, `next_…` in what comes next.

    That is its one fault.
    """
    events = list(case.events)
    at = place_of(events, kind)
    inner = {name.removeprefix("next_"): v for name, v in fields.items() if name[:5] == "next_"}
    outer = {name: value for name, value in fields.items() if name[:5] != "next_"}
    if inner:
        outer["next"] = replace(_next_of(events[at]), **inner)
    events[at] = replace(events[at], **outer)
    return case._replace(events=events, faults=[(at, "claim", rule)])


def _next_of(event: Event) -> GunziCarry:
    assert isinstance(event, GunziSettled)
    return event.next


def without(case: Walked, kind: type[Event], rule: str) -> Walked:
    """The same without the last claim of that kind: a fault at the next fact."""
    events = list(case.events)
    at = place_of(events, kind)
    del events[at]
    while not isinstance(events[at], Fact):
        at += 1
    return case._replace(events=events, faults=[(at, "claim", rule)])


def twice(case: Walked, kind: type[Event], rule: str) -> Walked:
    """The same with the last claim of that kind twice: the second one is not due."""
    events = list(case.events)
    at = place_of(events, kind)
    events.insert(at + 1, events[at])
    return case._replace(events=events, faults=[(at + 1, "claim", rule)])


def behind(case: Walked, claim: Event, rule: str) -> Walked:
    """The same with a claim that is not due behind its last event: the one fault."""
    return case._replace(events=[*case.events, claim], faults=[(len(case.events), "claim", rule)])


def found(case: Walked) -> tuple[list[Fault], Details | None]:
    """The faults that the walk finds, and what it says of the first one."""
    walk = HandWalk(game_named("gunzi"), case.options, "full", case.chain)
    if isinstance(case.start, Table):
        walk.state = playing(case.options, case.start)
    faults = [(step.index, fault) for step in map(walk.step, case.events) for fault in step.faults]
    names: list[Fault] = [(index, fault.kind, fault.breach.rule.name) for index, fault in faults]
    if not faults or case.details is None:
        return names, None
    breach = faults[0][1].breach
    return names, (breach.seat, _plain(breach.expected), _plain(breach.found))


def _plain(value: Any) -> Any:
    """Cards as text in the order of codes."""
    return cards_text(bytes(sorted(value))) if isinstance(value, bytes) else value
