"""Whole hands of a climbing game in short words, judged: which event breaks which rule.

An entry is one event: `0:3d 3c` plays, `0:3d Bj=pair 3` says what it is (kind, and rank if it has
one), `0:-` passes, `0:yes` and `0:no` answer for 硬牌; `dealt START`, `turned INDEX`, `drawn 5h`,
`called 5h`, `revealed SEAT`, `out SEAT PLACE`, `trick SEAT POINTS`, `wind SEAT`, `refused SEAT
CARDS`, `opening HAND_NO DEALER COINS×4` (no dealer: `-`), `ended`, `aborted`.

`python -m tests.judge GAME FILE ID` prints the numbered entries of a case.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.engine.game import Game, State
from replay.engine.registry import game_named
from replay.engine.rule import RuleViolation
from replay.walk import Chain, steps
from schema.cards import RANKS, card_text, cards_text, parse_card, parse_cards
from schema.events import (
    AbortReason,
    By,
    CallDrawn,
    Called,
    ClimbingCarry,
    ClimbingOpening,
    ClimbingResult,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)

Row = dict[str, Any]

_COINS = (0, 0, 0, 0)


def parse(entry: str, hands: list[str]) -> Event:
    """The event of an entry; the deck that `dealt` deals gives each seat its `hands`."""
    head, _, tail = entry.partition(":")
    if tail:
        return _act(int(head), tail)
    word, *values = entry.split()
    if word == "dealt":
        return Dealt(0, int(values[0]), deck(hands, int(values[0])))
    if word == "opening":
        return _opening(values)
    if word in ("drawn", "called"):
        card = parse_card(values[0])
        return Called(card) if word == "called" else CallDrawn(0, card)
    if word == "refused":
        return Refused(int(values[0]), parse_cards(" ".join(values[1:])))
    return _numbered(word, tuple(map(int, values)))


def _act(seat: int, what: str) -> Event:
    if what in ("yes", "no"):
        return SoloAnswered(0, By.PLAYER, seat, what == "yes")
    if what == "-":
        return Passed(0, By.PLAYER, seat)
    text, _, said = what.partition("=")
    cards = parse_cards(text.replace("nothing", ""))
    if not said:
        return Played(0, By.PLAYER, seat, cards)
    kind, _, rank = said.partition(" ")
    named = PlayRank(RANKS.index(rank)) if rank else PlayRank.NONE
    return PlayedAs(0, By.PLAYER, seat, cards, PlayKind[kind.upper()], named)


def _opening(values: list[str]) -> ClimbingOpening:
    hand_no, dealer, *coins = values
    a, b, c, d = map(int, coins or _COINS)
    return ClimbingOpening(
        ClimbingCarry(int(hand_no), None if dealer == "-" else int(dealer), (a, b, c, d))
    )


def _numbered(word: str, values: tuple[int, ...]) -> Event:
    match word, values:
        case "turned", (index,):
            return TurnedUp(0, index)
        case "revealed", (seat,):
            return Revealed(seat)
        case "out", (seat, place):
            return WentOut(seat, place)
        case "trick", (seat, points):
            return TrickWon(seat, points)
        case "wind", (seat,):
            return WindTaken(seat)
        case "ended", ():
            return HandEnded(0)
        case "aborted", ():
            return HandAborted(0, AbortReason.DISSOLVED)
        case "started", ():
            return HandStarted(bytes(32), 0)
        case _:
            raise ValueError(f"no event: {word} {values}")


def deck(hands: list[str], start: int) -> bytes:
    """The deck that deals each seat its cards in their order, beginning at seat `start`."""
    order = [parse_cards(hands[(start + k) % 4]) for k in range(4)]
    return bytes(card for cards in zip(*order, strict=True) for card in cards)


def told(game: Game, opening: ClimbingOpening, facts: Iterable[Event], options: Any) -> list[Event]:
    """The facts with the claims that a truthful server writes, as far as the rules reach."""
    events: list[Event] = [HandStarted(bytes(32), 0), opening]
    state: State = game.open(options, opening.carry)
    is_blocked = False
    for fact in facts:
        events.append(fact)
        if is_blocked or not isinstance(fact, Fact):
            continue
        try:
            after = game.apply(state, fact, [])
        except RuleViolation:
            is_blocked = True
            continue
        events += game.due(state, fact, after)
        state = after
    return events


def edited(events: list[Event], edit: list[Any], hands: list[str]) -> list[Event]:
    """The events after one edit: `[kind, index, value…]`.

    `set` and `insert` take an entry, `delete` nothing, `swap` exchanges with the next event,
    `cut` drops the event and all after it, `field` takes the name (or `next.dealer`) and value of
    a field, `card` a place in the deck and the face to stand there.
    """
    kind, index, *values = edit
    before, event, after = events[:index], events[index : index + 1], events[index + 1 :]
    match kind, values:
        case "set", [entry]:
            return [*before, parse(entry, hands), *after]
        case "insert", [entry]:
            return [*before, parse(entry, hands), *event, *after]
        case "delete", []:
            return before + after
        case "swap", []:
            return [*before, after[0], *event, *after[1:]]
        case "cut", []:
            return before
        case "field", [name, value]:
            return [*before, _with_field(event[0], name, value), *after]
        case "card", [place, face]:
            dealt = event[0]
            assert isinstance(dealt, Dealt)
            cards = bytearray(dealt.cards)
            cards[place] = parse_card(face)
            return [*before, replace(dealt, cards=bytes(cards)), *after]
        case _:
            raise ValueError(f"no edit: {edit}")


def _with_field(event: Event, name: str, value: Any) -> Event:
    """The event with one field changed; `next.x` is a field of the carry in it."""
    name, _, inner = name.partition(".")
    if inner:
        carry = getattr(event, name)
        return replace(event, **{name: replace(carry, **{inner: value})})
    if name == "result":
        value = ClimbingResult[value]
    values = msgspec.to_builtins(event)
    values[1 + event.__struct_fields__.index(name)] = value
    changed: Event = msgspec.convert(values, type(event))
    return changed


class Judge(Struct, frozen=True):
    """The judge of one game's hands: its name, and the options that a case's words come to."""

    game: str
    options: Callable[[Row | None, int], Any]

    def events(
        self,
        hands: list[str],
        script: str,
        opening: str = "2 0",
        start: int | None = None,
        edits: Iterable[list[Any]] = (),
        options: Row | None = None,
        base: int = 1,
    ) -> list[Event]:
        """The hand dealt from `start` (the dealer's seat if none is given), told, then edited."""
        opened = _opening(opening.split())
        first = start if start is not None else opened.carry.dealer or 0
        entries = [f"dealt {first}", *filter(None, script.split("|"))]
        facts = (parse(entry, hands) for entry in entries)
        events = told(game_named(self.game), opened, facts, self.options(options, base))
        for edit in edits:
            events = edited(events, edit, hands)
        return events

    def findings(
        self,
        hands: list[str],
        script: str,
        chain: str | None = None,
        level: str = "full",
        options: Row | None = None,
        base: int = 1,
        **hand: Any,
    ) -> list[list[Any]]:
        """Every finding in the hand: index of its event and id of the rule.

        `chain` is what the hand before leaves (as `opening`); without it the opening is taken.
        """
        events = self.events(hands, script, options=options, base=base, **hand)
        expected = None if chain is None else Chain(_opening(chain.split()).carry)
        ours = self.options(options, base)
        walked = steps(game_named(self.game), ours, level, events, expected)
        return [[step.index, fault.breach.rule.id] for step in walked for fault in step.faults]


def resolved(row: Row, rows: Mapping[str, Row]) -> Row:
    """The arguments of a row: what it does not say itself is that of the row it is an edit of."""
    args: Row = dict(row["args"])
    if "edit_of" not in args:
        return args
    return resolved(rows[args.pop("edit_of")], rows) | args


def entry_of(event: Event) -> str:
    """An event as an entry, or nearly so: the deck and the settlement are shown in full."""
    match event:
        case Played():
            return f"{event.seat}:{cards_text(event.cards)}"
        case PlayedAs():
            said = f"{event.kind.name.lower()} {event.rank.name.lower()}"
            return f"{event.seat}:{cards_text(event.cards)}={said}"
        case Passed():
            return f"{event.seat}:-"
        case SoloAnswered():
            return f"{event.seat}:{'yes' if event.yes else 'no'}"
        case Called() | CallDrawn():
            return f"{type(event).__name__.lower()} {card_text(event.card)}"
        case _:
            return str(event)


def main(game: str, path: str, case: str) -> None:
    """Print the numbered entries of a case."""
    from tests.casebook import GAMES, read

    rows = read(Path(path))
    args = resolved(rows[case], rows)
    names = {"opt": "options"}
    args = {names.get(k, k): v for k, v in args.items() if k not in ("chain", "level")}
    judge = GAMES[game].judge
    assert judge is not None, "the cases of this game judge no whole hands"
    for index, event in enumerate(judge.events(**args)):
        print(index, entry_of(event))


if __name__ == "__main__":
    main(*sys.argv[1:])
