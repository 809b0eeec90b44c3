"""The hands that are really played, and the archive's logs as a list of copies of their matches."""

from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from replay.players.player import KITS
from replay.players.simulate import Plan, simulate
from schema import FORMAT_MAJOR, FORMAT_MINOR
from schema.logfile import open_log
from tests.bench.million.store import Progress, Say, kept, key

VERSION = 1
"""Of what is made: another one is made anew."""
SHARES = {"dagong": 40, "chibi_dagun": 30, "chaodipi": 15, "gunzi": 15}
"""Hands of each game, in percent."""
DISTINCT = 2500
"""Hands of each game that are played, at most."""
LEAST_COPIES = 4
"""Of a small archive fewer are played."""
_CLIMBING = {"dagong", "chibi_dagun"}
_CLIMBING_HANDS = 8, 20
"""A match of a climbing game ends when the players like; those of the others by their rules."""
_TASK_HANDS = 100
_LIST = "matches.json"
_OTHER_OPTIONS = 4
"""One match in so many is played with the other preset of its game."""


class Original(Struct, frozen=True):
    """A match that was played: a sealed log in the folder of the originals."""

    game: str
    path: str
    hands: int


class Task(Struct, frozen=True):
    """Hands to be played into a folder."""

    plan: Plan
    folder: str


def play(hands: int, cache: Path, jobs: int, say: Say) -> tuple[Path, tuple[Original, ...]]:
    """The folder of the matches of which an archive of so many hands is made, and these."""
    distinct = max(1, min(DISTINCT, hands // (LEAST_COPIES * len(SHARES))))
    place = cache / f"played-{identity(distinct)}"

    def make(folder: Path) -> None:
        tasks = list(_tasks(distinct, folder))
        total = sum(task.plan.hands for task in tasks)
        say(f"playing {total:,} hands, which are kept in {place} …")
        progress, done = Progress(total, "hands", say), 0
        with get_context("spawn").Pool(jobs) as pool:
            for played in pool.imap_unordered(_play, tasks):
                done += played
                progress.reach(done)

        found = [_original(folder, path) for path in sorted(folder.rglob("*.paipu"))]
        (folder / _LIST).write_bytes(msgspec.json.encode(found))

    kept(place, make)
    found = msgspec.json.decode((place / _LIST).read_bytes(), type=tuple[Original, ...])
    return place, found


def identity(distinct: int) -> str:
    """What determines the matches."""
    rules = {game: (kit.rules_version, sorted(kit.presets)) for game, kit in KITS.items()}
    return key(VERSION, FORMAT_MAJOR, FORMAT_MINOR, distinct, rules)


def _tasks(distinct: int, folder: Path) -> Iterator[Task]:
    """Some hundred hands of a game that ends its matches, one match of any other."""
    for game in SHARES:
        rng = Random(f"{VERSION}/{game}")
        left, number = distinct, 0
        while left > 0:
            wanted = rng.randint(*_CLIMBING_HANDS) if game in _CLIMBING else _TASK_HANDS
            hands = min(wanted, left)
            first, *others = KITS[game].presets
            preset = others[0] if others and number % _OTHER_OPTIONS == 3 else first
            plan = Plan(game=game, hands=hands, seed=number, preset=preset)
            yield Task(plan, str(folder / game))
            left -= hands
            number += 1


def _play(task: Task) -> int:
    return simulate(task.plan, Path(task.folder)).hands


def _original(place: Path, path: Path) -> Original:
    with path.open("rb") as stream:
        hands = sum(1 for _ in open_log(stream).items())
    return Original(path.parent.name, str(path.relative_to(place)), hands)


class Copy(Struct, frozen=True):
    """One log of the archive: the match `original` as number `number`, its first `hands`."""

    number: int
    original: str
    hands: int


def copies(originals: Sequence[Original], hands: int) -> Iterator[Copy]:
    """So many hands: each game by its share, its matches by turns in an order of chance."""
    rng = Random(VERSION)
    of_game = {game: [each for each in originals if each.game == game] for game in SHARES}
    waiting: dict[str, list[Original]] = {game: [] for game in SHARES}
    given = dict.fromkeys(SHARES, 0)
    total = number = 0
    while total < hands:
        game = min(SHARES, key=lambda game: given[game] / SHARES[game])
        if not waiting[game]:
            waiting[game] = rng.sample(of_game[game], len(of_game[game]))
        match = waiting[game].pop()
        taken = min(match.hands, hands - total)
        yield Copy(number, match.path, taken)
        given[game] += taken
        total += taken
        number += 1
