"""From one verified hand to its rows: the facts as logged, everything else as the engine derives.

No claim of the log ends up in a column of hands, seats, tricks or plays.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from replay.archive.columns import NO_TYPE, NONE, PASS, UNKNOWN_LEFT, Batch, Owner, Row, spell
from replay.engine.facts import HandFacts, SeatFacts
from replay.engine.game import Game
from replay.verify import HandResult
from replay.walk import Step
from schema.cards import N_FACES, card_text
from schema.events import (
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandStarted,
    Passed,
    Played,
    Revealed,
    TrickWon,
)
from schema.records import Player

ACTS: frozenset[type[Event]] = frozenset((Played, Passed))
"""Events that are rows of `plays`."""


class Trick(Struct):
    """A trick while its plays are being collected; None = nobody (yet)."""

    number: int
    first_event: int
    leader: int | None = None
    winner: int | None = None
    points: int | None = None
    plays: int = 0
    passes: int = 0
    bombs: int = 0
    last_event: int = 0
    to_beat: int = NONE


class HandRows:
    """The rows of one hand, collected from its steps."""

    def __init__(self, batch: Batch, owner: Owner, game: Game) -> None:
        self._owner = batch.add_owner(owner)
        self._batch = batch
        self._game = game
        self._left = [0, 0, 0, 0]
        self._tricks: dict[int, Trick] = {}
        self._started_at: int | None = None
        self._duration = 0
        self._facts = 0
        self._plays = 0
        self._passes = 0
        self._revealed_at: int | None = None
        self._aborted: str | None = None

    def add(self, result: HandResult, players: Sequence[Player]) -> None:
        """Add all rows of the hand, but for its findings."""
        steps = result.steps
        for step in steps:
            if type(step.event) not in ACTS and isinstance(step.event, Fact):
                self._fact(step.event)
        self._add_plays([step for step in steps if type(step.event) in ACTS])
        for step in steps:
            if step.due:
                self._due(step)
        state = next((step.state for step in reversed(steps) if step.state is not None), None)
        summary = None if state is None else self._game.summary(state)
        batch, owner = self._batch, self._owner
        end = (self._aborted, result.is_verified, len(result.findings))
        row = (self._game.name, *self._told(summary), *self._counted(len(steps)), *end)
        batch.hands.append((owner, *row))
        for seat, player in enumerate(players):
            values = _seat_values(summary.seats[seat]) if summary else _NO_SEAT
            batch.seats.append((owner, seat, player.id, player.name, *values))
        batch.tricks.extend((owner, *_trick_values(trick)) for trick in self._tricks.values())

    def _fact(self, fact: Any) -> None:
        """A fact that is no act."""
        self._facts += 1
        match fact:
            case HandStarted():
                self._started_at = fact.at
                return
            case Dealt():
                self._left = [len(fact.cards[(seat - fact.start) % 4 :: 4]) for seat in range(4)]
            case HandAborted():
                self._aborted = fact.reason.name.lower()
            case _:
                pass
        self._duration += fact.dt

    def _due(self, step: Step) -> None:
        for claim in step.due:
            match claim:
                case TrickWon():
                    trick = self._tricks[step.trick]
                    trick.winner, trick.points = claim.seat, claim.points
                case Revealed():
                    self._revealed_at = step.index
                case _:
                    pass

    def _add_plays(self, acts: Sequence[Step]) -> None:
        """The rows of `plays`, whole columns at a time: this is where the time goes."""
        plays = self._batch.plays
        events: list[Any] = [step.event for step in acts]
        times = [event.dt for event in events]
        plays.owner.extend([self._owner] * len(acts))
        plays.event.extend([step.index for step in acts])
        plays.trick.extend([step.trick for step in acts])
        plays.seat.extend([event.seat for event in events])
        plays.made_by.extend([event.by for event in events])
        plays.dt.extend(times)
        self._duration += sum(times)
        self._facts += len(acts)
        judged = 0
        for step, event in zip(acts, events, strict=True):
            if step.state is None:
                break
            if type(event) is Passed:
                self._passed(step, event)
            else:
                self._played(step, event)
            judged += 1
        for event in events[judged:]:
            self._unjudged(event)

    def _passed(self, step: Step, fact: Passed) -> None:
        plays, trick = self._batch.plays, self._trick(step)
        trick.passes += 1
        plays.cards.append(PASS)
        plays.facts.append(PASS)
        plays.to_beat.append(trick.to_beat)
        plays.left.append(self._left[fact.seat])
        self._passes += 1

    def _played(self, step: Step, fact: Played) -> None:
        plays, trick, seat = self._batch.plays, self._trick(step), fact.seat
        assert step.state is not None, "acts without a state are not judged"
        facts = self._game.played(step.state, fact)
        if trick.leader is None:
            trick.leader = seat
        trick.plays += 1
        trick.bombs += facts.is_bomb
        left = self._left[seat] = self._left[seat] - len(fact.cards)
        plays.cards.append(plays.numbers_of_cards[fact.cards])
        plays.facts.append(plays.numbers_of_facts[facts])
        plays.to_beat.append(trick.to_beat)
        plays.left.append(left)
        trick.to_beat = step.index
        self._plays += 1

    def _unjudged(self, fact: Any) -> None:
        """An act at or behind a blocking fault: what was laid is known, nothing else."""
        plays, is_pass = self._batch.plays, type(fact) is Passed
        plays.cards.append(PASS if is_pass else plays.numbers_of_cards[fact.cards])
        plays.facts.append(PASS if is_pass else NO_TYPE)
        plays.to_beat.append(NONE)
        plays.left.append(UNKNOWN_LEFT)
        self._passes += is_pass
        self._plays += not is_pass

    def _trick(self, step: Step) -> Trick:
        trick = self._tricks.get(step.trick)
        if trick is None:
            trick = self._tricks[step.trick] = Trick(step.trick, step.index)
        trick.last_event = step.index
        return trick

    def _told(self, summary: HandFacts | None) -> Row:
        """The columns of `hands` from hand_no to winners."""
        if summary is None:
            return (None, self._started_at, self._duration, *[None] * 9)
        return (
            summary.hand_no,
            self._started_at,
            self._duration,
            summary.dealer,
            None if summary.called is None else card_text(summary.called),
            summary.partner,
            summary.mode,
            summary.soloist,
            self._revealed_at,
            summary.result,
            summary.fan,
            list(summary.winners) if summary.result else None,
        )

    def _counted(self, n_events: int) -> Row:
        """The columns of `hands` from events to tricks."""
        bombs = sum(trick.bombs for trick in self._tricks.values())
        return (n_events, self._facts, self._plays, self._passes, bombs, len(self._tricks))


_NO_SEAT: Row = (None,) * 13


def counts(cards: bytes) -> bytes:
    """How many of each of the 54 faces, in code order; `cards` are from a deck."""
    found = bytearray(N_FACES)
    for code in cards:
        found[code] += 1
    return bytes(found)


def _seat_values(seat: SeatFacts) -> Row:
    """The columns of `seats` from role on."""
    return (
        seat.role,
        seat.side,
        spell(seat.dealt),
        counts(seat.dealt),
        seat.left,
        seat.place,
        seat.captured,
        seat.final,
        seat.bonus,
        seat.delta,
        seat.balance_before,
        seat.balance_after,
        seat.won,
    )


def _trick_values(trick: Trick) -> Row:
    """The columns of `tricks` from trick on."""
    return (
        trick.number,
        trick.leader,
        trick.winner,
        trick.points,
        trick.plays,
        trick.passes,
        trick.bombs,
        trick.first_event,
        trick.last_event,
    )
