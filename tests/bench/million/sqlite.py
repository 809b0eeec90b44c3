"""Six questions to the archive and to SQLite, which has the columns that they need and indexes.

SQLite's tables are filled from the archive's. A hand is a number there, plays lie in the order of
hands and events, and what is looked up has an index. Both have to answer the same.
"""

import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import duckdb
from msgspec import Struct

from replay.archive import Archive
from tests.bench.million.draw import Drawer, Parameters, sample
from tests.bench.million.latency import timed
from tests.bench.million.store import Progress, Say, kept
from tests.bench.rows import Row

SECTION = "sqlite-million"
_SEED = 13
_LOGS = 500
"""Logs whose rows are handed over at once."""
_MB = 1e6

Rows = list[tuple[Any, ...]]


class Question(Struct, frozen=True):
    """What is asked, about whom (`drawn`, a parameter), and how SQLite says it if otherwise."""

    name: str
    sql: str
    drawn: str = ""
    sqlite: str = ""


QUESTIONS = (
    Question(
        "one hand's plays",
        """SELECT event, seat, kind, size, cards, dt FROM plays
        WHERE hand_id = :hand_id ORDER BY event""",
        drawn="hand_id",
        sqlite="""SELECT event, seat, kind, size, cards, dt FROM plays
        WHERE hand_id = (SELECT hand_id FROM hands WHERE name = :hand_id) ORDER BY event""",
    ),
    Question(
        "one player's results",
        """SELECT h.game, count(*), count(*) FILTER (WHERE s.won), sum(s.delta)
        FROM seats s JOIN hands h USING (hand_id)
        WHERE s.player_id = :player AND s.won IS NOT NULL GROUP BY 1 ORDER BY 1""",
        drawn="player",
    ),
    Question(
        "players by what they won",
        """SELECT player_id, count(*), count(*) FILTER (WHERE won), sum(delta) FROM seats
        WHERE delta IS NOT NULL GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT 20""",
    ),
    Question(
        "hands by month",
        """SELECT strftime(started_at, '%Y-%m'), game, count(*), avg(duration_ms) FROM hands
        GROUP BY 1, 2 ORDER BY 1, 2""",
        sqlite="""SELECT strftime('%Y-%m', started_at / 1000, 'unixepoch'), game, count(*),
        avg(duration_ms) FROM hands GROUP BY 1, 2 ORDER BY 1, 2""",
    ),
    Question(
        "bombs by kind",
        """SELECT h.game, p.kind, p.size, count(*), avg(p.dt)
        FROM plays p JOIN hands h USING (hand_id)
        WHERE p.is_bomb GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
    ),
    Question(
        "players by time to think",
        """SELECT s.player_id, count(*), avg(p.dt)
        FROM plays p JOIN seats s ON s.hand_id = p.hand_id AND s.seat = p.seat
        GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT 20""",
    ),
)
_TABLES = """
CREATE TABLE hands (hand_id INTEGER PRIMARY KEY, name TEXT, game TEXT, started_at INTEGER,
    duration_ms INTEGER);
CREATE TABLE seats (hand_id INTEGER, seat INTEGER, player_id TEXT, won INTEGER, delta INTEGER,
    PRIMARY KEY (hand_id, seat)) WITHOUT ROWID;
CREATE TABLE plays (hand_id INTEGER, event INTEGER, seat INTEGER, kind TEXT, size INTEGER,
    cards TEXT, dt INTEGER, is_bomb INTEGER, PRIMARY KEY (hand_id, event)) WITHOUT ROWID;
"""
_INDEXES = """
CREATE UNIQUE INDEX hands_by_name ON hands (name);
CREATE INDEX seats_by_player ON seats (player_id);
CREATE INDEX bombs ON plays (hand_id, kind, size, dt) WHERE is_bomb;
ANALYZE;
"""
_NUMBERED = """(SELECT hand_id AS name, ? + row_number() OVER (ORDER BY log_id, hand) AS n,
    game, started_at, duration_ms FROM hands WHERE log_id BETWEEN ? AND ?)"""
_FILLED = {
    "hands": f"SELECT n, name, game, epoch_ms(started_at), duration_ms FROM {_NUMBERED} ORDER BY n",
    "seats": f"""SELECT n, seat, player_id, won, delta FROM seats s JOIN {_NUMBERED} h
    ON h.name = s.hand_id WHERE s.log_id BETWEEN ? AND ? ORDER BY n, seat""",
    "plays": f"""SELECT n, event, seat, kind, size, cards, dt, is_bomb FROM plays p
    JOIN {_NUMBERED} h ON h.name = p.hand_id WHERE p.log_id BETWEEN ? AND ? ORDER BY n, event""",
}


def rows(archive: Path, beside: Path, runs: int, say: Say) -> Iterator[Row]:
    """The medians of both, how many times as long SQLite takes, and what its file takes."""
    with Archive.open(archive) as opened:
        kept(beside, lambda place: _fill(place, opened, say))
        yield _row("SQLite, its file", beside.stat().st_size / _MB, "MB")
        found = sample(opened, Random(_SEED))
        with closing(sqlite3.connect(f"file:{beside}?mode=ro", uri=True)) as other:
            for question in QUESTIONS:
                say(f"  {question.name} …")
                drawer = Drawer(found, Random(f"{_SEED}/{question.name}"))
                given = [_drawn(question, drawer) for _ in range(runs)]
                yield from _compared(question, given, opened, other)


def _drawn(question: Question, drawer: Drawer) -> Parameters:
    match question.drawn:
        case "hand_id":
            return drawer.hand()
        case "player":
            return {"player": drawer.player()}
        case _:
            return {}


def _compared(
    question: Question,
    given: Sequence[Parameters],
    ours: Archive,
    theirs: sqlite3.Connection,
) -> Iterator[Row]:
    other = question.sqlite or question.sql

    def here(parameters: Parameters) -> Rows:
        return list(ours.query(question.sql, parameters))

    def there(parameters: Parameters) -> Rows:
        return theirs.execute(other, parameters).fetchall()

    demand_same(here(given[0]), there(given[0]), question.name)
    first, second = iter(given), iter(given)
    mine = timed(lambda: here(next(first)), len(given)).p50
    its = timed(lambda: there(next(second)), len(given)).p50
    yield _row(f"{question.name}: archive, p50", mine, "ms")
    yield _row(f"{question.name}: SQLite, p50", its, "ms")
    yield _row(f"{question.name}: SQLite : archive", its / mine, "times")


def demand_same(ours: Rows, theirs: Rows, name: str) -> None:
    """AssertionError unless both answers are the same, means to the ninth digit."""
    assert len(ours) == len(theirs), f"{name}: {len(ours)} rows, of SQLite {len(theirs)}"
    for mine, its in zip(ours, theirs, strict=True):
        assert all(map(_same, mine, its)), f"{name}: {mine}, of SQLite {its}"


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)


def _fill(place: Path, archive: Archive, say: Say) -> None:
    """Hands, seats and plays, some logs at a time, then the indexes."""
    con = archive.cursor()
    (last, plays) = con.execute(
        "SELECT max(log_id), (SELECT count(*) FROM plays) FROM logs"
    ).fetchall()[0]
    say(f"filling SQLite with {plays:,} plays, once …")
    progress, done, hands = Progress(plays, "plays", say), 0, 0
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = off")
        other.execute("PRAGMA synchronous = off")
        other.executescript(_TABLES)
        for first in range(1, last + 1, _LOGS):
            chosen = [hands, first, first + _LOGS - 1]
            added = {name: _add(con, other, name, chosen) for name in _FILLED}
            hands += added["hands"]
            done += added["plays"]
            progress.reach(done)
        say("  its indexes …")
        other.executescript(_INDEXES)


def _add(
    con: duckdb.DuckDBPyConnection, other: sqlite3.Connection, table: str, chosen: list[int]
) -> int:
    """The rows of some logs; how many."""
    values = chosen if table == "hands" else [*chosen, *chosen[1:]]
    found: Rows = con.execute(_FILLED[table], values).fetchall()
    if found:
        marks = ", ".join("?" * len(found[0]))
        other.execute("BEGIN")
        other.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
        other.execute("COMMIT")
    return len(found)


def _row(name: str, value: float, unit: str) -> Row:
    return Row(section=SECTION, name=name, value=value, unit=unit)
