"""A game server in one file: tables of one game in one asyncio process, each with a recorder.

`python -m replay.example_server --tables 200` plays them all at once, seals a log for each and
prints how long `Recorder.write` took. Read it for how to embed the recorder and the rules.
"""

import argparse
import asyncio
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from msgspec.structs import replace

from replay import __version__
from replay.engine.game import Game
from replay.engine.registry import game_named
from replay.players.player import KITS, next_fact
from replay.recorder import Recorder, Sync
from replay.walk import Follower
from schema import FORMAT_MAJOR, FORMAT_MINOR
from schema.events import Event, Fact, HandEnded, HandStarted
from schema.records import Head, Player


def now() -> int:
    """Wall time in ms, UTC: for HEAD and HandStarted alone."""
    return time.time_ns() // 1_000_000


def new_head(game: Game, players: Sequence[Player]) -> Head:
    """HEAD of a new match: it says all that its hands have in common, and is never changed."""
    first, second, third, fourth = players
    kit = KITS[game.name]
    return Head(
        format_major=FORMAT_MAJOR,
        format_minor=FORMAT_MINOR,
        schema_id=game.schema_id,
        file_id=secrets.token_bytes(16),
        created=now(),
        rules_version=kit.rules_version,
        options=kit.presets["default"],
        players=(first, second, third, fourth),
        claims="full",
        producer=f"paipu example server {__version__}",
        previous=b"",
    )


class Table:
    """One table: the recorder keeps what happened, the follower says what follows from it."""

    def __init__(self, game: str, number: int, folder: Path, sync: Sync, spent: list[int]) -> None:
        """`spent` collects the nanoseconds that each `write` takes."""
        self._path = folder / f"table-{number:03}.paipu"
        self._players = [Player(f"{number}-{seat}", name) for seat, name in enumerate("甲乙丙丁")]
        self._sync = sync
        self._spent = spent
        self._kit = KITS[game]
        self._game = game_named(game)
        self._follower = Follower(self._game, self._kit.presets["default"])
        self._carry = self._kit.first_carry
        # Cards are dealt with the system's chance: nobody can work out the seed.
        self._rng = secrets.SystemRandom()
        self._last = 0

    async def play(self, hands: int) -> None:
        """Play a match of so many hands and seal its log."""
        head = new_head(self._game, self._players)
        # Creating and sealing wait for the disk, so they leave the event loop; writing does not.
        recorder = await asyncio.to_thread(Recorder.create, self._path, head, self._sync)
        with recorder:
            for _ in range(hands):
                await self._hand(recorder)
            await asyncio.to_thread(recorder.seal)

    async def _hand(self, recorder: Recorder) -> None:
        self._last = time.monotonic_ns()
        # The recorder fills in `prev`, the leaf of the hand before.
        self._write(recorder, HandStarted(prev=bytes(32), at=now()))
        for claim in self._follower.open(self._carry):
            self._write(recorder, claim)
        while not self._follower.state.is_over:
            fact = self._timed(await self._next_fact())
            # A RuleViolation here is a move to turn down: nothing has changed.
            claims = self._follower.fact(fact)
            self._write(recorder, fact)
            for claim in claims:
                self._write(recorder, claim)
        self._write(recorder, self._timed(HandEnded(dt=0)))
        self._carry = self._follower.next_carry

    async def _next_fact(self) -> Fact:
        """What chance or a player does next; a real server waits for its clients here."""
        await asyncio.sleep(0)
        player = self._kit.players["greedy"]
        return next_fact(self._kit, player, self._game, self._follower.state, self._rng)

    def _timed(self, fact: Fact) -> Fact:
        """The fact with the time since the one before, on a clock that nobody sets."""
        before, self._last = self._last, time.monotonic_ns()
        return replace(fact, dt=(self._last - before) // 1_000_000)

    def _write(self, recorder: Recorder, event: Event) -> None:
        start = time.perf_counter_ns()
        recorder.write(event)
        self._spent.append(time.perf_counter_ns() - start)


async def serve(game: str, tables: int, hands: int, folder: Path, sync: Sync) -> list[int]:
    """Play all tables at once; the nanoseconds that each `write` took."""
    spent: list[int] = []
    async with asyncio.TaskGroup() as group:
        for number in range(tables):
            group.create_task(Table(game, number, folder, sync, spent).play(hands))
    return spent


def summary(spent: list[int], seconds: float) -> str:
    """How many events were written how fast: median, 99 %, longest `write` in microseconds."""
    ordered = sorted(spent)
    p50, p99 = (ordered[int(share * (len(ordered) - 1))] / 1000 for share in (0.5, 0.99))
    return (
        f"{len(spent)} events in {seconds:.1f} s, {len(spent) / seconds:.0f} a second; "
        f"write: p50 {p50:.1f} µs, p99 {p99:.1f} µs, max {ordered[-1] / 1000:.1f} µs"
    )


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    """The folder for the logs; without one, a temporary folder that goes away again."""
    if given is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
    else:
        given.mkdir(parents=True, exist_ok=True)
        yield given


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve, and print what it cost."""
    parser = argparse.ArgumentParser(prog="python -m replay.example_server", description=__doc__)
    parser.add_argument("--game", choices=tuple(KITS), default="dagong", help="what they play")
    parser.add_argument("--tables", type=int, default=200, help="how many play at once")
    parser.add_argument("--hands", type=int, default=2, help="hands a table")
    parser.add_argument("--out", type=Path, help="folder for the logs; without it none are kept")
    parser.add_argument("--sync", choices=get_args(Sync), default="group")
    chosen = parser.parse_args(arguments)
    with _folder(chosen.out) as folder:
        start = time.perf_counter()
        playing = serve(chosen.game, chosen.tables, chosen.hands, folder, chosen.sync)
        spent = asyncio.run(playing)
        print(summary(spent, time.perf_counter() - start))


if __name__ == "__main__":
    main()
