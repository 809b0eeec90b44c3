"""From one verified hand to its rows: the facts as logged, everything else as the engine derives.

No claim of the log ends up in a column of hands, seats, tricks or plays.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from replay.archive.columns import NO_TYPE, NONE, PASS, UNKNOWN_LEFT, Batch, Owner, Row, spell
from replay.engine.facts import (
    BurialFacts,
    HandFacts,
    Note,
    SeatFacts,
    ShowFacts,
    ThrowFacts,
    TributeFacts,
    TrumpFacts,
    TurnFacts,
)
from replay.engine.game import Game
from replay.engine.mechanics.points import points
from replay.verify import HandResult
from replay.walk import Step
from schema.cards import N_FACES, card_text
from schema.events import (
    Fact,
    HandAborted,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    Revealed,
    TrickWon,
)
from schema.records import Player


class Trick(Struct):
    """A trick and what is counted in it; None = nobody (yet)."""

    number: int
    first_event: int
    last_event: int = 0
    leader: int | None = None
    winner: int | None = None
    points: int | None = None
    plays: int = 0
    passes: int = 0
    bombs: int = 0


_NO_TRICK = Trick(0, 0)


class SeatActs(Struct):
    """What one seat did in a hand: the columns of `seats` from acts to thinking_ms."""

    acts: int = 0
    passes: int = 0
    bombs: int = 0
    acted_for: int = 0
    thinking_ms: int = 0


class HandRows:
    """The rows of one hand, collected from its steps; `n_plays` counts those of `plays`."""

    def __init__(self, batch: Batch, owner: Owner, game: Game) -> None:
        self._owner = batch.add_owner(owner)
        self._batch = batch
        self._game = game
        self._tricks: dict[int, Trick] = {}
        self._started_at: int | None = None
        self._duration = 0
        self.n_facts = 0
        self.n_unverified = 0
        self.n_plays = 0
        self._passes = 0
        self._acts = tuple(SeatActs() for _ in range(4))
        self._revealed_at: int | None = None
        self._aborted: str | None = None
        self._noted: dict[tuple[type[Note], int], tuple[int, int, Note]] = {}

    def add(self, result: HandResult, players: Sequence[Player]) -> None:
        """Add all rows of the hand, but for its findings."""
        steps = result.steps
        state = next((step.state for step in reversed(steps) if step.state is not None), None)
        summary = None if state is None else self._game.summary(state)
        acts, due = self._sorted(steps)
        self._add_plays(acts, _NO_HOLDINGS if summary is None else [s.left for s in summary.seats])
        self._add_notes()
        for step in due:
            self._due(step)
        batch, owner = self._batch, self._owner
        end = (self._aborted, result.is_verified, len(result.findings))
        counted = self._counted(len(steps), len(acts))
        batch.hands.append((owner, self._game.name, *self._told(summary), *counted, *end))
        for seat, player in enumerate(players):
            values = _seat_values(summary.seats[seat]) if summary else _NO_SEAT
            did = astuple(self._acts[seat])
            batch.seats.append((owner, seat, player.id, player.name, *did, *values))
        batch.tricks.extend((owner, *_trick_values(trick)) for trick in self._tricks.values())
        self.n_plays = len(acts)

    def _sorted(self, steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
        """Plays and passes, and the steps that make claims due; the other facts are noted."""
        acts, due = [], []
        announcements = self._game.announcements
        for step in steps:
            kind = type(step.event)
            if kind in _ACTS:
                acts.append(step)
                if step.due:
                    self._note(step)
            elif kind in announcements:
                self._note(step)
            elif isinstance(step.event, Fact):
                self._fact(step, step.event)
                self._note(step)
            if step.due:
                due.append(step)
        return acts, due

    def _fact(self, step: Step, fact: Any) -> None:
        """A fact that is no act."""
        self.n_facts += 1
        self.n_unverified += _is_behind(step)
        match fact:
            case HandStarted():
                self._started_at = fact.at
                return
            case HandAborted():
                self._aborted = fact.reason.name.lower()
            case _:
                pass
        self._duration += fact.dt

    def _note(self, step: Step) -> None:
        """What the game keeps of an event; a throw as announced takes the place of the derived."""
        if step.state is None:
            return
        for note in self._game.notes(step.before, step.event, step.state):
            is_throw = isinstance(note, ThrowFacts)
            key = type(note), step.trick if is_throw else step.index
            event = self._noted[key][0] if key in self._noted else step.index
            self._noted[key] = event, step.trick, note

    def _add_notes(self) -> None:
        """The rows of declarations, cards turned up, tributes, burials and throws."""
        batch, owner = self._batch, self._owner
        for event, trick, note in self._noted.values():
            match note:
                case ShowFacts(kind, seat, cards, rung, named, trump, after):
                    shown = (kind, seat, spell(cards), rung, named, trump, after)
                    batch.declarations.append((owner, event, *shown))
                case TurnFacts(kind, seat, place, card):
                    batch.turned_cards.append((owner, event, kind, seat, place, spell(card)))
                case TributeFacts(kind, seat, receiver, cards):
                    given = (kind, seat, receiver, spell(cards), len(cards))
                    batch.tributes.append((owner, event, *given))
                case BurialFacts(seat, taken, cards):
                    bottoms = (spell(taken), spell(cards), points(cards))
                    batch.burials.append((owner, event, seat, *bottoms))
                case ThrowFacts(seat, cards, led, beaten_by):
                    laid = (spell(cards), spell(led), not beaten_by, list(beaten_by))
                    batch.throws.append((owner, event, trick, seat, *laid))

    def _failed(self) -> dict[int, bytes]:
        """By event: what was led of the throws that failed."""
        return {
            event: note.led
            for event, _, note in self._noted.values()
            if isinstance(note, ThrowFacts) and note.beaten_by
        }

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

    def _add_plays(self, acts: Sequence[Step], left: Sequence[int]) -> None:
        """The rows of `plays`, whole columns at a time: this is where the time goes.

        `left` are the cards that the seats hold when the last judged act is done.
        """
        plays = self._batch.plays
        events: list[Any] = [step.event for step in acts]
        seats = [event.seat for event in events]
        times = [event.dt for event in events]
        plays.owner.extend([self._owner] * len(acts))
        plays.event.extend([step.index for step in acts])
        plays.trick.extend([step.trick for step in acts])
        plays.seat.extend(seats)
        made_by = [event.by for event in events]
        plays.made_by.extend(made_by)
        plays.dt.extend(times)
        self._add_seat_acts(seats, times, made_by)
        self._duration += sum(times)
        self.n_facts += len(acts)
        judged = len(acts)
        if acts and acts[-1].state is None:
            judged = next(k for k, step in enumerate(acts) if step.state is None)
            self.n_unverified += sum(map(_is_behind, acts[judged:]))
        sizes = self._add_judged(acts[:judged])
        plays.left.extend(_left_after(seats, sizes, left))
        for event in events[judged:]:
            self._add_unjudged(event)

    def _add_seat_acts(
        self, seats: Sequence[int], times: Sequence[int], made_by: Sequence[int]
    ) -> None:
        """How often each seat acted, and how long its player thought when he acted himself."""
        thought = [0, 0, 0, 0]
        for seat, millis in zip(seats, times, strict=True):
            thought[seat] += millis
        if any(made_by):  # rare: most acts are the players' own
            for seat, millis, by in zip(seats, times, made_by, strict=True):
                if by:
                    self._acts[seat].acted_for += 1
                    thought[seat] -= millis
        for seat, did in enumerate(self._acts):
            did.acts = seats.count(seat)
            did.thinking_ms = thought[seat]

    def _add_unjudged(self, fact: Any) -> None:
        """An act at or behind a blocking event: what was laid is known, nothing else."""
        plays, is_pass = self._batch.plays, type(fact) is Passed
        plays.cards.append(PASS if is_pass else plays.numbers_of_cards[fact.cards])
        plays.facts.append(PASS if is_pass else NO_TYPE)
        plays.to_beat.append(NONE)
        plays.left.append(UNKNOWN_LEFT)
        self._passes += is_pass
        self._acts[fact.seat].passes += is_pass

    def _add_judged(self, acts: Sequence[Step]) -> list[int]:
        """What each act was and lay on, and the tricks; gives how many cards left each hand."""
        plays = self._batch.plays
        number_of, numbers_of_cards = self._number_of, plays.numbers_of_cards
        cards, kinds, to_beat, sizes = [], [], [], []
        trick, current, table = _NO_TRICK, 0, NONE
        failed, bombs = self._failed(), plays.bombs
        for step in acts:
            event: Any = step.event
            if step.trick != current:
                current, table = step.trick, NONE
                trick = self._tricks[current] = Trick(current, step.index)
            trick.last_event = step.index
            to_beat.append(table)
            if type(event) is Passed:
                trick.passes += 1
                self._acts[event.seat].passes += 1
                cards.append(PASS)
                kinds.append(PASS)
                sizes.append(0)
                continue
            number = number_of(step.state, event)
            if table == NONE:
                trick.leader = event.seat
            table = step.index
            trick.plays += 1
            if number in bombs:
                trick.bombs += 1
                self._acts[event.seat].bombs += 1
            laid = event.cards
            cards.append(numbers_of_cards[laid])
            kinds.append(number)
            if step.index in failed:
                laid = failed[step.index]
                plays.led[len(plays.cards) + len(cards) - 1] = numbers_of_cards[laid]
            sizes.append(len(laid))
        plays.cards.extend(cards)
        plays.facts.extend(kinds)
        plays.to_beat.extend(to_beat)
        return sizes

    def _number_of(self, state: Any, fact: Any) -> int:
        """The number of a play's facts, which are asked for once for all plays of one key."""
        plays, game = self._batch.plays, self._game
        key = game.play_key(state, fact)
        number = plays.numbers_of_keys.get(key)
        if number is None:
            facts = game.played(state, fact)
            number = plays.numbers_of_keys[key] = plays.numbers_of_facts[facts]
            if facts.is_bomb:
                plays.bombs.add(number)
        return number

    def _told(self, summary: HandFacts | None) -> Row:
        """The columns of `hands` from hand_no to bottom_fate."""
        if summary is None:
            return (None, self._started_at, self._duration, *_NOT_TOLD, *_NO_TRUMP)
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
            *_trump_values(summary.trump),
        )

    def _counted(self, n_events: int, n_acts: int) -> Row:
        """The columns of `hands` from events to tricks."""
        self._passes += sum(trick.passes for trick in self._tricks.values())
        n_plays = n_acts - self._passes
        bombs = sum(trick.bombs for trick in self._tricks.values())
        return (n_events, self.n_facts, n_plays, self._passes, bombs, len(self._tricks))


_ACTS = frozenset((Played, Passed, PlayedAs))
_NO_HOLDINGS = (0, 0, 0, 0)
_NO_SEAT: Row = (None,) * 15
_NOT_TOLD: Row = (None,) * 9
_NO_TRUMP: Row = (None,) * len(TrumpFacts.__struct_fields__)


def _trump_values(facts: TrumpFacts | None) -> Row:
    """The columns of `hands` from level to bottom_fate."""
    return _NO_TRUMP if facts is None else astuple(facts)


def _is_behind(step: Step) -> bool:
    """Whether this event was not checked, because one before it blocks."""
    return step.state is None and step.before is None and step.index > 0 and not step.faults


def _left_after(seats: Sequence[int], sizes: Sequence[int], left: Sequence[int]) -> list[int]:
    """The cards that the seat of each act holds behind it, told from what it holds in the end."""
    gone = [0, 0, 0, 0]
    relative = []
    for seat, size in zip(seats, sizes, strict=False):
        gone[seat] -= size
        relative.append(gone[seat])
    first = [n - m for n, m in zip(left, gone, strict=True)]
    return [first[seat] + n for seat, n in zip(seats, relative, strict=False)]


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
        seat.level_before,
        seat.level_after,
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
