"""Hands and parts of hands of 炒地皮 put through the walk: which event has which fault."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.states import ChaodipiState, Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import RuleViolation
from replay.walk import Chain, HandWalk
from schema.cards import cards_text, parse_cards
from schema.chaodipi import (
    BottomTurned,
    Buried,
    ChaodipiCarry,
    ChaodipiOpening,
    ChaodipiSettled,
    Declared,
    DeclaringClosed,
    StirPassed,
    Stirred,
)
from schema.events import By, Dealt, Event, Fact, HandStarted, Played
from schema.options import ChaodipiOptions
from schema.trumps import Named, Trump
from tests.builders import DECK
from tests.builders_chaodipi import later

BOTTOM = "2c 2h 7s 8s Jc 9h 4s Kd"


def dealt_to(*beginnings: str, bottom: str = BOTTOM, start: int = 0) -> Dealt:
    """A deal that gives the seats these cards first, and this bottom; the rest shuffled once."""
    hands = [list(parse_cards(cards)) for cards in beginnings]
    below = list(parse_cards(bottom))
    rest = list(DECK)
    for card in (*below, *(card for hand in hands for card in hand)):
        rest.remove(card)
    random.Random(1).shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(25 - len(hand))]
    around = bytes(hands[(start + k) % 4][k // 4] for k in range(100))
    return Dealt(0, start, around + bytes(below))


DEALT = dealt_to("6h Bj Bj", "6s 6c 6c", "5h 5h", "6d 6d Rj Rj")
"""At level 6 every seat can show: 0 a single and small jokers, 1 clubs, 2 红桃5, 3 diamonds."""
FLAG_DEALT = Dealt(0, 0, DEALT.cards)
LATER = later(0)
"""Hand 5: seat 0 deals at level 6."""
FLAG = later(0, (13, 2))


def shows(seat: int, cards: str, named: Named = Named.NOTHING, after: int = 100) -> Declared:
    """亮主."""
    return Declared(0, By.PLAYER, seat, parse_cards(cards), named, after)


def stirs(seat: int, cards: str, named: Named = Named.NOTHING) -> Stirred:
    """抄底."""
    return Stirred(0, By.PLAYER, seat, parse_cards(cards), named)


def buries(seat: int, cards: str = BOTTOM) -> Buried:
    """扣底; the same cards as a rule."""
    return Buried(0, By.PLAYER, seat, parse_cards(cards))


def passes(*seats: int) -> list[StirPassed]:
    """Seats that do not stir."""
    return [StirPassed(0, By.PLAYER, seat) for seat in seats]


def plays(seat: int, cards: str) -> Played:
    """出牌."""
    return Played(0, By.PLAYER, seat, parse_cards(cards))


TURNED, CLOSED = BottomTurned(0), DeclaringClosed(0)
DECLARED: list[Fact] = [DEALT, shows(1, "6s"), CLOSED]
"""Seat 1 has made spades trump, and the dealer has taken the bottom."""
BURIED: list[Fact] = [*DECLARED, buries(0)]
BEGUN: list[Fact] = [*BURIED, *passes(1, 2, 3)]

Fault = tuple[int, str, str]
"""Index of the event, kind of fault, name of the rule."""


class Table(NamedTuple):
    """Cards left to the seats in play; what is trump, who leads, and what has been captured.

    Seat 0 deals. Levels and failures are those of seats 0, 2 and of seats 1, 3.
    """

    hands: tuple[str, str, str, str]
    leader: int = 0
    trump: Trump = Trump.SPADES
    captured: tuple[int, int, int, int] = (0, 0, 0, 0)
    levels: tuple[int, int] = (4, 2)
    failures: tuple[int, int] = (0, 0)
    has_red_fives: bool = False


class Walked(NamedTuple):
    """Events and the faults that are in them: behind an opening, or from a table on."""

    events: Sequence[Event]
    faults: list[Fault]
    start: ChaodipiCarry | Table = LATER
    options: ChaodipiOptions = DEFAULT
    expected: str | None = None
    """The cards that had to be played, of the first fault."""
    chain: Chain | None = None


def playing(options: ChaodipiOptions, table: Table) -> Playing:
    """The state in which `table.leader` leads, with these cards in the seats."""
    game = Chaodipi()
    state: ChaodipiState = game.open(options, LATER)
    for fact in BEGUN:
        state = game.apply(state, fact, [])
    assert isinstance(state, Playing)
    level = table.levels[0]
    is_flag = level == FLAG.levels[0]
    setting = replace(
        state.setting,
        carry=later(0, table.levels, table.failures),
        level=level,
        trump=int(Trump.NO_TRUMP if is_flag else table.trump),
        has_red_fives=table.has_red_fives,
    )
    held = (with_cards(EMPTY, pack_dealt(parse_cards(cards))) for cards in table.hands)
    return replace(
        state,
        setting=setting,
        context=setting.house.context(setting.level, setting.trump),
        holdings=per_seat(held),
        bottom=b"" if is_flag else state.bottom,
        burier=-1 if is_flag else state.burier,
        captured=table.captured,
        leader=table.leader,
        turn=table.leader,
    )


def truly(
    facts: Iterable[Fact],
    start: ChaodipiCarry | Table = LATER,
    options: ChaodipiOptions = DEFAULT,
) -> list[Event]:
    """The facts, each with the claims of a truthful server; behind one that blocks there are none.

    From an opening on, that comes first.
    """
    game = Chaodipi()
    state: ChaodipiState | None
    events: list[Event] = []
    if isinstance(start, Table):
        state = playing(options, start)
    else:
        state = game.open(options, start)
        events = [HandStarted(bytes(32), 0), ChaodipiOpening(start)]
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
    start: ChaodipiCarry | Table = LATER,
    options: ChaodipiOptions = DEFAULT,
    expected: str | None = None,
) -> Walked:
    """A hand with the claims of a truthful server, in which these faults are."""
    return Walked(truly(facts, start, options), list(faults), start, options, expected)


def blocks(
    facts: Sequence[Fact],
    rule: str,
    start: ChaodipiCarry | Table = LATER,
    options: ChaodipiOptions = DEFAULT,
) -> Walked:
    """A hand whose last fact blocks, by this rule, and which is fine before."""
    events = truly(facts, start, options)
    return Walked(events, [(len(events) - 1, "violation", rule)], start, options)


def breaks(
    facts: Sequence[Fact],
    *rules: str,
    start: ChaodipiCarry | Table = LATER,
    options: ChaodipiOptions = DEFAULT,
    expected: str | None = None,
    behind: Sequence[Fact] = (),
) -> Walked:
    """A hand whose last fact of `facts` breaks these rules of conduct, and which goes on."""
    at = place_of(truly(facts, start, options), facts[-1])
    faults: list[Fault] = [(at, "breach", rule) for rule in rules]
    return told([*facts, *behind], *faults, start=start, options=options, expected=expected)


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


def _next_of(event: Event) -> ChaodipiCarry:
    assert isinstance(event, ChaodipiSettled)
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


def found(case: Walked) -> tuple[list[Fault], str | None]:
    """The faults that the walk finds, and the cards that the first one expects."""
    game: Any = Chaodipi()
    walk = HandWalk(game, case.options, "full", case.chain)
    if isinstance(case.start, Table):
        walk.state = playing(case.options, case.start)
    faults = [(step.index, fault) for step in map(walk.step, case.events) for fault in step.faults]
    names: list[Fault] = [(index, fault.kind, fault.breach.rule.name) for index, fault in faults]
    cards = faults[0][1].breach.expected if faults and case.expected is not None else None
    return names, cards_text(cards) if isinstance(cards, bytes) else None
