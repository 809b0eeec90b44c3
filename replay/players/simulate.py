"""Whole matches, played and recorded the way a game server does it; equal plans, equal bytes.

Nothing is taken from the clock or from the system's chance: names, file ids and times are
derived from the plan.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec
from msgspec import Struct

from replay.engine.registry import game_named
from replay.players.player import KITS, next_fact
from replay.recorder import Recorder
from replay.walk import Follower
from schema import FORMAT_MAJOR, FORMAT_MINOR
from schema.events import Event, Fact, HandEnded, HandStarted
from schema.options import Options
from schema.records import ClaimsLevel, Head, Player

PRODUCER = "paipu simulate"
MOST_HANDS, MOST_FILES = 10_000_000, 100_000
"""What one plan may ask for: the times of its hands stay within what a log can hold."""
_SEED_DIGITS = 40
"""A longer seed does not go into the names of files, which have an end."""
SEATED = tuple(
    Player(id, name) for id, name in zip(("jia", "yi", "bing", "ding"), "甲乙丙丁", strict=True)
)
"""Who sits at seats 0–3 of a simulated table."""
_EPOCH = 1_767_225_600_000
_YEAR = 365 * 24 * 3600 * 1000
_END_PAUSE = 3_000
_BETWEEN_HANDS = 15_000
_HAND_TIME = 15 * 60 * 1000
"""More than a hand takes: from one match to the next in the same plan, for each hand, ms."""


class Plan(Struct, frozen=True, kw_only=True):
    """What to play; the same plan gives the same bytes. `options` None = those of `preset`.

    A file is one match. It has at most `hands_per_file` hands, and ends where the game or the
    options end the match; the hands that are left are played in further matches.
    `form` does not enter the file ids: a live file and the sealed one are the same log.
    """

    game: str
    hands: int
    seed: int
    preset: str = "default"
    options: Options | None = None
    player: str = "greedy"
    hands_per_file: int | None = None
    claims: ClaimsLevel = "full"
    form: Literal["sealed", "live"] = "sealed"


class Simulated(Struct, frozen=True):
    """What was written: the files in order, and how many hands and events they hold."""

    paths: tuple[Path, ...]
    hands: int
    events: int


def simulate(plan: Plan, folder: Path, progress: Callable[[], None] | None = None) -> Simulated:
    """Play the plan's hands and record them in `folder`; `progress` is called after each hand.

    ValueError for a plan that cannot be played; FileExistsError if a file would be overwritten.
    """
    _check(plan)
    demand_free(plan, folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    hands = events = 0
    while hands < plan.hands:
        table = _Table(plan, len(paths), hands)
        path = folder / f"{_stem(plan)}-{len(paths) + 1:04}.paipu"
        paths.append(path)
        # What a power loss took, the same plan would make again: the cheapest sync will do.
        with Recorder.create(path, table.head, sync="group") as recorder:
            for _ in range(_hands_wanted(plan, hands)):
                events += _record(recorder, table.hand())
                hands += 1
                if progress is not None:
                    progress()
                if table.is_match_over:
                    break
            if plan.form == "sealed":
                recorder.seal()
    return Simulated(tuple(paths), hands, events)


def _hands_wanted(plan: Plan, played: int) -> int:
    """How many hands the next file may have, after so many."""
    left = plan.hands - played
    return left if plan.hands_per_file is None else min(plan.hands_per_file, left)


def demand_free(plan: Plan, folder: Path) -> None:
    """FileExistsError if there is a file of this game and seed: any number may be needed."""
    stem = _stem(plan)
    for path in sorted(folder.glob(f"{stem}-*.paipu")):
        if path.stem.removeprefix(f"{stem}-").isdecimal():
            raise FileExistsError(f"{path} exists already: nothing is overwritten")


def _record(recorder: Recorder, events: Iterator[Event]) -> int:
    n_events = 0
    for event in events:
        recorder.write(event)
        n_events += 1
    return n_events


def _stem(plan: Plan) -> str:
    """What the names of the plan's files begin with: `dagong-7` for `dagong-7-0001.paipu`.

    Of a long seed it has the first digits of its SHA-256.
    """
    seed = _digits(plan.seed)
    if len(seed) > _SEED_DIGITS:
        seed = sha256(seed.encode()).hexdigest()[:16]
    return f"{plan.game}-{seed}"


def _digits(seed: int) -> str:
    """Decimal; of numbers that Python refuses to write so, hexadecimal."""
    return str(seed) if abs(seed) < 1 << 4096 else hex(seed)


def _check(plan: Plan) -> None:
    """ValueError says which part of the plan cannot be played, and what would do."""
    kit = KITS.get(plan.game)
    if kit is None:
        raise ValueError(f"no players for the game {plan.game!r}; there are: {', '.join(KITS)}")
    if plan.player not in kit.players:
        raise ValueError(f"no player {plan.player!r}; there are: {', '.join(kit.players)}")
    if plan.options is None and plan.preset not in kit.presets:
        raise ValueError(f"no preset {plan.preset!r}; there are: {', '.join(kit.presets)}")
    if plan.hands < 1 or (plan.hands_per_file is not None and plan.hands_per_file < 1):
        raise ValueError("at least one hand, and at least one hand a file")
    if plan.hands > MOST_HANDS:
        raise ValueError(f"at most {MOST_HANDS} hands, not {plan.hands}")
    n_files = -(-plan.hands // (plan.hands_per_file or plan.hands))
    if n_files > MOST_FILES:
        raise ValueError(f"at most {MOST_FILES} files, not {n_files}")


def _options(plan: Plan) -> Options:
    return KITS[plan.game].presets[plan.preset] if plan.options is None else plan.options


class _Table:
    """The table of one match: players, chance, the clock, and what goes from hand to hand."""

    def __init__(self, plan: Plan, number: int, played: int) -> None:
        """`number` of the match in the plan, and how many hands were `played` before it."""
        options = _options(plan)
        self._options = options
        self._kit = KITS[plan.game]
        self._game = game_named(plan.game)
        self._follower = Follower(self._game, options, plan.claims)
        self._player = self._kit.players[plan.player]
        self._rng = Random(f"{_digits(plan.seed)}/{number}")
        self._carry = self._kit.first_carry
        first = _EPOCH + int.from_bytes(_digest(plan, "created")[:8], "big") % _YEAR
        self._now = first + played * _HAND_TIME
        file_id = _digest(plan, f"file {number}")[:16]
        self.head = head_of(plan.game, options, file_id, self._now, plan.claims)

    @property
    def is_match_over(self) -> bool:
        """Whether no further hand may follow."""
        return self._game.match_is_over(self._options, self._carry)

    def hand(self) -> Iterator[Event]:
        """The events of the next hand."""

        def next_of(state: Any) -> Fact:
            return next_fact(self._kit, self._player, self._game, state, self._rng)

        started = self._now
        for event in hand_events(self._follower, self._carry, started, next_of):
            self._now += getattr(event, "dt", 0)
            yield event
        self._now += _BETWEEN_HANDS
        self._carry = self._follower.next_carry


def hand_events(
    follower: Follower, carry: Any, at: int, next_of: Callable[[Any], Fact]
) -> Iterator[Event]:
    """The events of one hand, facts as `next_of(state)` gives them, each with its claims."""
    yield HandStarted(b"\0" * 32, at)
    yield from follower.open(carry)
    while not follower.state.is_over:
        fact = next_of(follower.state)
        claims = follower.fact(fact)
        yield fact
        yield from claims
    yield HandEnded(_END_PAUSE)


def head_of(game: str, options: Options, file_id: bytes, created: int, claims: ClaimsLevel) -> Head:
    """HEAD of a file with simulated players."""
    jia, yi, bing, ding = SEATED
    return Head(
        format_major=FORMAT_MAJOR,
        format_minor=FORMAT_MINOR,
        schema_id=game_named(game).schema_id,
        file_id=file_id,
        created=created,
        rules_version=KITS[game].rules_version,
        options=options,
        players=(jia, yi, bing, ding),
        claims=claims,
        producer=PRODUCER,
        previous=b"",
    )


def _digest(plan: Plan, use: str) -> bytes:
    """A hash of all that the plan says about the log, one for each use."""
    said = msgspec.structs.replace(plan, preset="", options=_options(plan), form="sealed")
    return sha256(msgspec.msgpack.encode((use, _short(said)))).digest()


def _short(plan: Plan) -> dict[str, Any] | Plan:
    """MessagePack has integers of 64 bits: a longer seed goes in as its digits."""
    if -(1 << 63) <= plan.seed < 1 << 64:
        return plan
    return msgspec.structs.asdict(plan) | {"seed": _digits(plan.seed)}
