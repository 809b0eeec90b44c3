"""The catalogue: `logs` and `files`, written anew at a commit from the one before and a delta.

It stays attached while it is asked, and is never held in memory whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from msgspec import Struct

from replay.archive import segments, tables
from replay.archive.manifest import Segment
from replay.archive.stamps import Stamp

NOTHING = "main"
"""Where two empty tables stand in place of the catalogue of an archive that has none yet."""


class FileRow(Struct, frozen=True):
    """A row of `files`, but for the times.

    `in_progress` goes to the log if this is where it is read; None leaves what was known of it.
    """

    path: str
    log_id: int
    standing: str
    form: str | None
    bytes: int
    sha256: str
    in_progress: bool | None = None
    stamp: Stamp | None = None


class Delta(Struct):
    """What the next commit changes. `logs` and `files` are rows to add, by number and by path.

    `replaced`: old numbers of logs, and who holds their hands now; None = nobody, they are out.
    `moved`: where a log stands now that was read elsewhere. `stamps` are those of files whose
    bytes are the same; `gone` files are marked, those `out` lose their row.
    """

    logs: dict[int, dict[str, Any]] = {}
    files: dict[str, FileRow] = {}
    replaced: dict[int, int | None] = {}
    moved: dict[int, str] = {}
    stamps: dict[str, Stamp] = {}
    gone: set[str] = set()
    out: set[str] = set()

    def is_empty(self) -> bool:
        """Whether there is nothing to commit; stamps alone are worth none."""
        rest = self.logs, self.files, self.replaced, self.moved, self.gone, self.out
        return not any(rest)

    def latest(self, log_id: int) -> int | None:
        """The number under which the hands of a log stand in the end."""
        found: int | None = log_id
        while found is not None and found in self.replaced:
            found = self.replaced[found]
        return found

    def add_file(self, row: FileRow) -> None:
        """A file as it is now, in place of what was known of its path."""
        self.files[row.path] = row
        for others in (self.gone, self.out):
            others.discard(row.path)


def begin(con: duckdb.DuckDBPyConnection) -> None:
    """Make `NOTHING`."""
    for table in tables.CATALOGUE:
        con.execute(tables.create(table, NOTHING))


def write(
    con: duckdb.DuckDBPyConnection, folder: Path, name: str, old: str, delta: Delta, now: datetime
) -> Segment:
    """A new file with what the catalogue in the database `old` and `delta` hold together.

    Logs that share a file id name one another; a row of a file that is no log goes with its file.
    """
    segments.begin(con, folder, name, tables.CATALOGUE)
    _register(con, delta, now)
    con.execute(_FILES.format(old=old, new=segments.PENDING), {"now": now})
    con.execute(_LOGS.format(old=old, new=segments.PENDING))
    for table in _ARRIVING:
        con.unregister(table)
    return segments.finish(con, folder, name, tables.CATALOGUE)


def _register(con: duckdb.DuckDBPyConnection, delta: Delta, now: datetime) -> None:
    """The delta as the tables that the two statements name."""
    logs = [{**row, "indexed_at": now} for row in delta.logs.values()]
    files = [_file_row(row, delta, now) for row in delta.files.values()]
    replaced = [(old, delta.latest(old)) for old in delta.replaced]
    stamps = [(path, stamp.modified, stamp.changed) for path, stamp in delta.stamps.items()]
    # The file a log was read from may have other bytes by now, and the same hands.
    refreshed = {
        row.log_id: (row.log_id, row.form, row.bytes, row.sha256, row.in_progress)
        for row in delta.files.values()
        if row.standing == "indexed" and row.log_id not in delta.logs
    }
    arriving = (
        pa.Table.from_pylist(logs, schema=tables.arrow_schema("logs")),
        pa.Table.from_pylist(files, schema=tables.arrow_schema("files")),
        _table(replaced, old=pa.int32(), new=pa.int32()),
        _table(delta.moved.items(), log_id=pa.int32(), path=pa.string()),
        _table(stamps, path=pa.string(), modified_ns=pa.int64(), changed_ns=pa.int64()),
        _table([(path,) for path in delta.gone], path=pa.string()),
        _table([(path,) for path in delta.out], path=pa.string()),
        _table(
            refreshed.values(),
            log_id=pa.int32(),
            form=pa.string(),
            bytes=pa.int64(),
            sha256=pa.string(),
            in_progress=pa.bool_(),
        ),
    )
    for name, table in zip(_ARRIVING, arriving, strict=True):
        con.register(name, table)


_ARRIVING = (
    "new_logs",
    "new_files",
    "replaced",
    "moved",
    "stamps",
    "gone",
    "gone_out",
    "refreshed",
)
_FILES = """
    INSERT INTO {new}.files BY NAME
    WITH kept AS (
        SELECT f.* REPLACE (
            coalesce(r.new, f.log_id) AS log_id,
            CASE
                WHEN r.new IS NOT NULL THEN 'part'
                WHEN m.path IS NOT NULL THEN 'indexed'
                WHEN f.standing = 'indexed' AND elsewhere.path IS NOT NULL THEN 'copy'
                ELSE f.standing
            END AS standing,
            coalesce(s.modified_ns, f.modified_ns) AS modified_ns,
            coalesce(s.changed_ns, f.changed_ns) AS changed_ns,
            CASE WHEN g.path IS NULL THEN f.gone_at ELSE $now::TIMESTAMP END AS gone_at
        )
        FROM {old}.files AS f
        LEFT JOIN replaced AS r ON r.old = f.log_id
        LEFT JOIN moved AS m ON m.log_id = f.log_id AND m.path = f.path
        LEFT JOIN moved AS elsewhere ON elsewhere.log_id = f.log_id AND elsewhere.path <> f.path
        LEFT JOIN stamps AS s ON s.path = f.path
        LEFT JOIN gone AS g ON g.path = f.path
        WHERE (r.old IS NULL OR r.new IS NOT NULL)
            AND f.path NOT IN (SELECT path FROM new_files)
            AND f.path NOT IN (SELECT path FROM gone_out)
    )
    FROM kept UNION ALL BY NAME FROM new_files ORDER BY path
"""
_LOGS = """
    INSERT INTO {new}.logs BY NAME
    WITH kept AS (
        FROM {old}.logs WHERE log_id NOT IN (SELECT old FROM replaced)
        UNION ALL BY NAME FROM new_logs
    ),
    shown AS (
        FROM kept WHERE error IS NULL OR log_id IN (SELECT log_id FROM {new}.files)
    ),
    same AS (
        SELECT file_id, list(log_id) AS ids
        FROM shown WHERE file_id IS NOT NULL GROUP BY file_id HAVING count(*) > 1
    )
    SELECT l.* REPLACE (
        list_sort(list_filter(coalesce(ids, []), lambda id: id <> l.log_id)) AS conflict,
        coalesce(m.path, l.path) AS path,
        coalesce(r.form, l.form) AS form,
        coalesce(r.bytes, l.bytes) AS bytes,
        coalesce(r.sha256, l.sha256) AS sha256,
        coalesce(r.in_progress, l.in_progress) AS in_progress
    )
    FROM shown AS l
    LEFT JOIN same ON same.file_id = l.file_id
    LEFT JOIN moved AS m ON m.log_id = l.log_id
    LEFT JOIN refreshed AS r ON r.log_id = l.log_id
    ORDER BY l.log_id
"""


def _file_row(row: FileRow, delta: Delta, now: datetime) -> dict[str, Any]:
    log_id = delta.latest(row.log_id)
    return {
        "path": row.path,
        "log_id": log_id,
        "standing": row.standing if log_id == row.log_id else "part",
        "form": row.form,
        "bytes": row.bytes,
        "sha256": row.sha256,
        "modified_ns": row.stamp and row.stamp.modified,
        "changed_ns": row.stamp and row.stamp.changed,
        "seen_at": now,
    }


def _table(rows: Iterable[Sequence[Any]], **columns: pa.DataType) -> pa.Table:
    """Rows as an Arrow table with these columns."""
    found = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = [pa.array(values, kind) for values, kind in zip(found, columns.values(), strict=True)]
    return pa.Table.from_arrays(arrays, names=list(columns))


def found(
    con: duckdb.DuckDBPyConnection, sql: str, arriving: Mapping[str, pa.Table]
) -> list[tuple[Any, ...]]:
    """The rows of a query that may name Arrow tables."""
    for name, table in arriving.items():
        con.register(name, table)
    try:
        rows: list[tuple[Any, ...]] = con.execute(sql).fetchall()
        return rows
    finally:
        for name in arriving:
            con.unregister(name)
