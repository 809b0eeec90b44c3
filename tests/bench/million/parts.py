"""The parts of the bench that need the archive, in the order in which they are measured."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.bench.million import ask, fill, logs, sqlite, viewer
from tests.bench.million.fill import Filled
from tests.bench.million.latency import Latency
from tests.bench.million.logs import Made
from tests.bench.million.originals import play
from tests.bench.million.store import Say, alone, digest_of, kept, remove
from tests.bench.rows import Row

SECTIONS = (fill.SECTION, ask.SECTION, viewer.SECTION, sqlite.SECTION)
HANDS, RUNS = 1_000_000, 20
_ROOT = Path(__file__).parents[3]
_CODE = (_ROOT / "replay" / "archive", _ROOT / "replay" / "engine", _ROOT / "schema")
"""Programs that make the archive: if they change, it is made anew …"""
_ASKING = {
    *("apart.py", "asking.py", "check.py", "named.py", "query.py", "question.py", "render.py"),
    *("statement.py",),
}
"""… but for those that only read it."""


class Million(Struct, frozen=True):
    """How many hands, how often each thing is asked, where all is kept, and what to measure.

    `pause`: seconds before a worker is asked, in which the next one gets ready.
    """

    hands: int
    runs: int
    cache: Path
    sections: tuple[str, ...]
    pause: float = 0.3


class Archived(Struct, frozen=True):
    """What the archive is made of, how it was filled, where it stands, and how it answers."""

    made: Made
    filled: Filled
    place: str
    latencies: tuple[Latency, ...]


class Places(Struct, frozen=True):
    """Where the logs stand, the archive of them, what is known of both, and SQLite's file."""

    folder: Path

    @property
    def logs(self) -> Path:
        """A folder of folders of logs."""
        return self.folder / "logs"

    @property
    def made(self) -> Path:
        """What the logs hold."""
        return self.folder / "made.json"

    @property
    def archive(self) -> Path:
        """The archive."""
        return self.folder / "archive"

    @property
    def filled(self) -> Path:
        """How the archive was filled."""
        return self.folder / "filled.json"

    @property
    def sqlite(self) -> Path:
        """The same tables for SQLite."""
        return self.folder / "archive.sqlite"


def measure(wanted: Million, say: Say) -> tuple[Archived, list[Row]]:
    """Everything that is wanted, the answers and the other figures; makes what is not there."""
    with alone(wanted.cache, say):
        places = _with_logs(wanted, say)
        made = msgspec.json.decode(places.made.read_bytes(), type=Made)
        filled = _filled(places, made, say)
        rows = list(_rows(wanted, places, filled, say))
        latencies = list(_latencies(wanted, places, rows, say))
    return Archived(made, filled, str(places.folder), tuple(latencies)), rows


def _with_logs(wanted: Million, say: Say) -> Places:
    originals, matches = play(wanted.hands, wanted.cache, fill.JOBS, say)
    name = f"{wanted.hands}-{logs.logs_key(wanted.hands, originals.name)}"

    def make(folder: Path) -> None:
        say(f"writing {wanted.hands:,} hands as logs, which are kept in {wanted.cache / name} …")
        made = logs.write(originals, matches, wanted.hands, folder / "logs", fill.JOBS, say)
        Places(folder).made.write_bytes(msgspec.json.encode(made))

    return Places(kept(wanted.cache / name, make))


def _filled(places: Places, made: Made, say: Say) -> Filled:
    """How the archive was filled by programs that are still the same; else it is made anew."""
    code = digest_of(_CODE, _ASKING)
    if places.filled.exists() and places.archive.exists():
        filled = msgspec.json.decode(places.filled.read_bytes(), type=Filled)
        if filled.code == code:
            return filled
        say("the archive was made by another version: making it anew …")
    for old in (places.filled, places.archive, places.sqlite):
        remove(old)
    filled = fill.fill(places.archive, places.logs, made, code, say)
    places.filled.write_bytes(msgspec.json.encode(filled))
    return filled


def _rows(wanted: Million, places: Places, filled: Filled, say: Say) -> Iterator[Row]:
    if fill.SECTION in wanted.sections:
        say("indexing again what has not changed …")
        again = fill.index(places.archive, places.logs)
        yield from fill.rows(filled, again, places.archive)
    if sqlite.SECTION in wanted.sections:
        say("six questions to the archive and to SQLite …")
        yield from sqlite.rows(places.archive, places.sqlite, wanted.runs, say)


def _latencies(wanted: Million, places: Places, rows: list[Row], say: Say) -> Iterator[Latency]:
    if ask.SECTION in wanted.sections:
        say(f"asking {wanted.runs} times each …")
        yield from ask.latencies(places.archive, wanted.runs, wanted.pause, say)
    if viewer.SECTION in wanted.sections:
        say("pages of the viewer …")
        pages = viewer.measured(places.archive, wanted.runs, wanted.pause)
        rows += viewer.rows(pages)
        yield from viewer.latencies(pages)
