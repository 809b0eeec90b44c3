"""Hands as a game server would have logged them, honest or bent at one place, and their files."""

import io
from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from replay.engine.climbing.states import ClimbingState
from replay.engine.registry import game_named
from replay.engine.rule import RuleViolation
from replay.players.player import KITS, next_fact
from replay.players.simulate import head_of
from schema.events import (
    AbortReason,
    Called,
    Claim,
    ClimbingCarry,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
)
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.options import Options
from schema.records import ClaimsLevel, Head
from schema.seal import seal
from schema.textform import write_text

CREATED = 1_767_261_600_000
"""2026-01-01 10:00 UTC."""
FIRST = ClimbingCarry(1, None, (0, 0, 0, 0))
_END = HandEnded(3_000)
_ABORTED = HandAborted(5_000, AbortReason.OTHER)
_BETWEEN_HANDS = 15_000
_UNNAMED = "dagong"
"""The game whose samples' file ids are made of their names alone: the others name the game too."""


class Move(NamedTuple):
    """One fact of a hand, the states around it and the claims logged after it."""

    before: ClimbingState
    fact: Fact
    after: ClimbingState
    claims: tuple[Claim, ...]


class HandLog(NamedTuple):
    """A hand as logged: all its events, and those of its facts that moved the state."""

    events: list[Event]
    moves: list[Move]


Steer = Callable[[ClimbingState, Fact], Fact]
"""Given a state and the fact that chance or a player chose: the one that happens instead."""
Meddle = Callable[[ClimbingState, Fact], Fact | None]
"""Given a state and the fact that honestly comes next: another one to log, or None."""
Lie = Callable[[Move], tuple[Claim, ...] | None]
"""Given a move with the claims that are due: the claims to log instead, or None."""


Blocked = Literal["goes_on", "aborted"]
"""What becomes of a hand that a fact has blocked: it goes on as if that had not been, or stops."""


def no_steering(state: ClimbingState, fact: Fact) -> Fact:
    """Every fact as chance and the players choose it."""
    return fact


def no_meddling(state: ClimbingState, fact: Fact) -> Fact | None:
    """Every fact as it honestly comes."""
    return None


def no_lie(move: Move) -> tuple[Claim, ...] | None:
    """Every claim as it is due."""
    return None


class Table:
    """A table that plays hand after hand; the clock goes on, and what a hand leaves to the next.

    `carry` is what the first hand opens with; None = a match begins.
    """

    def __init__(
        self,
        game: str,
        seed: int,
        options: Options,
        player: str = "greedy",
        carry: Any = None,
        blocked: Blocked = "goes_on",
    ) -> None:
        self.options = options
        self._kit = KITS[game]
        self.player = self._kit.players[player]
        self.rng = Random(seed)
        self.game: Any = game_named(game)
        self.carry = self._kit.first_carry if carry is None else carry
        self.blocked = blocked
        self.now = CREATED

    def hand(
        self, meddle: Meddle = no_meddling, lie: Lie = no_lie, steer: Steer = no_steering
    ) -> HandLog:
        """Play a hand; the first fact that `meddle` and the first claims that `lie` bend are bent.

        A bent fact that blocks is logged and moves nothing.
        """
        bend = _Bend(meddle, lie)
        state: ClimbingState = self.game.open(self.options, self.carry)
        events: list[Event] = [HandStarted(bytes(32), self.now), self.game.opening(self.carry)]
        moves: list[Move] = []
        while not isinstance(events[-1], HandEnded | HandAborted):
            fact = steer(state, self._next(state))
            bad = bend.fact(state, fact)
            if bad is not None and not self._is_possible(state, bad):
                events += (bad, *self._stop(state, bad))
                continue
            fact = fact if bad is None else bad
            events.append(fact)
            if not isinstance(fact, HandEnded):
                moves.append(self._move(state, fact, bend))
                events += moves[-1].claims
                state = moves[-1].after
        self.carry = self.game.next_carry(state)
        self.now += sum(getattr(event, "dt", 0) for event in events) + _BETWEEN_HANDS
        return HandLog(events, moves)

    def _stop(self, state: ClimbingState, bad: Fact) -> tuple[Fact, ...]:
        """What ends a hand that is blocked, if it is not to go on."""
        if self.blocked == "goes_on" or state.is_over or isinstance(bad, HandEnded):
            return ()
        return (_ABORTED,)

    def _next(self, state: ClimbingState) -> Fact:
        if state.is_over:
            return _END
        return next_fact(self._kit, self.player, self.game, state, self.rng)

    def _is_possible(self, state: ClimbingState, fact: Fact) -> bool:
        try:
            self.game.apply(state, fact, [])
        except RuleViolation:
            return False
        return True

    def _move(self, state: ClimbingState, fact: Fact, bend: "_Bend") -> Move:
        after = self.game.apply(state, fact, [])
        due = self.game.due(state, fact, after)
        claims = bend.claims(Move(state, fact, after, due))
        is_call_due = any(isinstance(claim, Called) for claim in due)
        for claim in claims:
            if isinstance(claim, Called) and claim not in due and is_call_due:
                after = self._adopted(after, claim)
        return Move(state, fact, after, claims)

    def _adopted(self, state: ClimbingState, claim: Called) -> ClimbingState:
        """A false announcement stands where it can; where not, the hand goes on unverified."""
        try:
            adopted: ClimbingState = self.game.adopt(state, claim)
        except RuleViolation:
            return state
        return adopted


class _Bend:
    """What is bent in one hand: each of the two the first time that it has something to say."""

    def __init__(self, meddle: Meddle, lie: Lie) -> None:
        self._meddle = meddle
        self._lie = lie

    def fact(self, state: ClimbingState, fact: Fact) -> Fact | None:
        bad = self._meddle(state, fact)
        if bad is not None:
            self._meddle = no_meddling
        return bad

    def claims(self, move: Move) -> tuple[Claim, ...]:
        false = self._lie(move)
        if false is None:
            return move.claims
        self._lie = no_lie
        return false


def default_of(game: str) -> Options:
    """The house rules of a game's preset `default`."""
    return KITS[game].presets["default"]


def head(
    game: str,
    name: str,
    options: Options | None = None,
    claims: ClaimsLevel = "full",
    previous: bytes = b"",
) -> Head:
    """HEAD of a sample, by default with the default options: its file id is made of its name."""
    words = ("sample", name) if game == _UNNAMED else ("sample", game, name)
    file_id = sha256(" ".join(words).encode()).digest()[:16]
    made = head_of(game, default_of(game) if options is None else options, file_id, CREATED, claims)
    return replace(made, previous=previous)


def live(head: Head, hands: Sequence[Sequence[Event]]) -> bytes:
    """The live form, chained and framed by the writer that the recorder uses."""
    writer = LiveWriter(head)
    return writer.start() + b"".join(writer.event(event) for hand in hands for event in hand)


def text(live_form: bytes) -> bytes:
    """The text twin of a live log."""
    sink = io.BytesIO()
    write_text(open_log(io.BytesIO(live_form)), sink)
    return sink.getvalue()


def sealed(live_form: bytes) -> bytes:
    """The sealed form of a live log."""
    sink = io.BytesIO()
    seal(open_log(io.BytesIO(live_form)), sink)
    return sink.getvalue()
