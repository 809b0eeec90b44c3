"""The events of a walked hand as people see them: one Moment each, with the table after it."""

from enum import Enum
from typing import Any

from msgspec.structs import fields

from replay.engine.board import Board, Bottom, Phrase
from replay.engine.game import Game, State
from replay.findings import Finding
from replay.reader.out import knowers, out_of
from replay.reader.pages import Moment
from replay.verify import HandResult
from replay.walk import Step, event_word, told_in
from replay.wilds import wilds_in
from schema.cards import RANKS
from schema.events import (
    AbortReason,
    AnyPlay,
    Dealt,
    Event,
    Fact,
    Passed,
    PlayKind,
    PlayRank,
    WentOut,
)

SlotValue = int | str | bytes
CARD_FIELDS = frozenset({"cards", "led", "jokers", "picked"})
"""The fields of events that are cards."""


def moments(
    result: HandResult, findings: tuple[Finding, ...], eye: int | None
) -> tuple[Moment, ...]:
    """Every event of the hand, the table as `eye` sees it; `findings` are those of this hand."""
    at: dict[int, list[int]] = {}
    for number, finding in enumerate(findings):
        if finding.event is not None:
            at.setdefault(finding.event, []).append(number)
    look = _Look(result.game, eye)
    return tuple(_moment(look, step, tuple(at.get(step.index, ()))) for step in result.steps)


class _Look:
    """Looks at states with one eye; a claim leaves the state, and so the board, the same."""

    def __init__(self, game: Game, eye: int | None) -> None:
        self.game = game
        self.eye = eye
        self._state: State | None = None
        self._board: Board | None = None
        self._out: bytes | None = None
        self._below: tuple[Bottom | None, str] | None = None
        self._knowers: tuple[int, ...] = ()

    def board(self, state: State | None) -> Board | None:
        """The board of a state; None has none."""
        if state is not self._state:
            self._state = state
            self._board = None if state is None else self.game.view(state, self.eye)
            self._out = self._counted()
        return self._board

    def out(self, state: State | None) -> bytes | None:
        """What is out for the eye in a state, 54 counts; who sees everything counts himself."""
        self.board(state)
        return self._out

    def _counted(self) -> bytes | None:
        if self._state is None or self._board is None or self.eye is None:
            return None
        return out_of(self.game.view(self._state, None), self._board, self.eye)

    def knowers(self, state: State | None) -> tuple[int, ...]:
        """Who sees the bottom: asked by who sees everything, and anew only when it is another."""
        board = self.board(state)
        if self.eye is not None or state is None or board is None:
            return ()
        if (board.bottom, board.phase) != self._below:
            self._below = (board.bottom, board.phase)
            self._knowers = knowers(board, lambda seat: self.game.view(state, seat))
        return self._knowers


def _moment(look: _Look, step: Step, findings: tuple[int, ...]) -> Moment:
    event: Any = step.event
    by = getattr(event, "by", None)
    return Moment(
        index=step.index,
        kind=event_word(event),
        standing="fact" if isinstance(event, Fact) else "claim",
        seat=getattr(event, "seat", None),
        by=None if by is None else by.name.lower(),
        cards=event.cards if isinstance(event, AnyPlay) else b"",
        wilds=wilds_in(look.game, step),
        trick=_trick(step),
        label=label(look, step),
        dt=getattr(event, "dt", None),
        board=look.board(step.state),
        findings=findings,
        out=look.out(step.state),
        knowers=look.knowers(step.state),
        is_bomb=_is_bomb(look.game, step),
    )


def _is_bomb(game: Game, step: Step) -> bool:
    """Whether a play is a bomb, as it stands in the state after it."""
    event = step.event
    if not isinstance(event, AnyPlay) or not event.cards or step.state is None:
        return False
    return game.played(step.state, event).is_bomb


def _trick(step: Step) -> int:
    """What comes before the first play belongs to no trick, the last answer included."""
    if step.before is None or step.before.trick:
        return step.trick
    return step.trick if isinstance(step.event, AnyPlay | Passed) else 0


def label(look: _Look, step: Step) -> Phrase:
    """What the event was: the type of a play, or the catalogue's sentence for the event.

    Cards that lie on no table are told only to their own seat, and to who sees everything.
    """
    event = step.event
    state = told_in(look.game, step)
    if isinstance(event, AnyPlay | Passed) and state is not None:
        return look.game.label(state, event)
    if state is not None and (said := look.game.label(state, event)).table == "event":
        return said
    if look.eye is not None and look.game.hidden(state, event, look.eye):
        return _half_told(look, step)
    return Phrase(f"event.{event_word(event)}", slots(event))


def _half_told(look: _Look, step: Step) -> Phrase:
    """An event without the cards that an eye has not seen; those that it saw moving it is told."""
    event = step.event
    board = look.board(step.state)
    moved = () if board is None else tuple(move.cards for move in board.moves)
    found = slots(event)
    told = tuple(slot for slot in found if not isinstance(slot[1], bytes) or slot[1] in moved)
    word = event_word(event)
    if any(isinstance(value, bytes) for _, value in told):
        unseen = next(len(v) for _, v in found if isinstance(v, bytes) and v not in moved)
        return Phrase(f"event.{word}_half_hidden", (*told, ("n", unseen)))
    return Phrase(f"event.{word}_hidden", told)


def slots(event: Event) -> tuple[tuple[str, SlotValue], ...]:
    """The fields of an event as slots of its sentence: cards as bytes, words as their keys.

    The deck is left out: whoever sees one seat's cards must not find it in a sentence.
    """
    left_out = {"dt", "by", "cards"} if isinstance(event, Dealt) else {"dt", "by"}
    names = [field.name for field in fields(event) if field.name not in left_out]
    found = ((name, _slot(event, name, getattr(event, name))) for name in names)
    return tuple((name, slot) for name, slot in found if slot is not None)


def _slot(event: Event, name: str, value: object) -> SlotValue | None:
    match value:
        case bool():
            return "value.yes" if value else "value.no"
        case AbortReason():
            return f"abort.{value.name.lower()}"
        case PlayKind():
            return f"type.{value.name.lower()}"
        case PlayRank():
            return "" if value is PlayRank.NONE else RANKS[value]
        case Enum():
            return f"{name}.{value.name.lower()}"
        case int() if name == "place" and isinstance(event, WentOut):
            return f"place.{value}"
        case int() if name == "card":
            return bytes([value])
        case int() | str():
            return value
        case bytes() if name in CARD_FIELDS:
            return value
        case _:
            return None


def unverified_from(result: HandResult) -> int | None:
    """The event from which on the state is not defined; None if it always is."""
    if result.is_verified:
        return None
    blocked = (
        step.index for step in result.steps if any(f.kind == "violation" for f in step.faults)
    )
    return next(blocked, 0)
