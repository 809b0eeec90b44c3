"""Segments: immutable DuckDB files, made under a temporary name and attached read-only.

A writer builds one at a time in the attached database `pending`; `finish` makes it final.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import duckdb

from replay.archive import manifest as manifests
from replay.archive import tables
from replay.archive.errors import Refused
from replay.archive.manifest import Manifest, Segment

PENDING = "pending"
"""Name of the database in which a segment is being built."""
HAND_INDEX = "hand_index"
"""Table of a segment with hands: where each stands, by its id, so that one is found in few blocks.

Ids are digests: in rows that are ordered by log every block holds ids from end to end.
"""
_TEMPORARY = ".tmp"
_ATTEMPTS = 5
T = TypeVar("T")


def alias(name: str) -> str:
    """The database name under which a segment is attached."""
    return name.removesuffix(".duckdb").replace("-", "_")


def quoted(text: str) -> str:
    """`text` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def opened(folder: Path, open_with: Callable[[Manifest], T]) -> T:
    """What `open_with` makes of the archive's MANIFEST; ArchiveError.

    If a segment was merged away between reading MANIFEST and attaching (FileNotFoundError) there is
    a newer MANIFEST, which is tried in place of the first.
    """
    demand_utf8(folder)
    manifest = manifests.read(folder)
    for _ in range(_ATTEMPTS):
        try:
            return open_with(manifest)
        except FileNotFoundError as error:
            missing, newer = error, manifests.read(folder)
            if newer == manifest:
                break
            manifest = newer
    raise Refused("missing", path=folder, name=missing)


def demand_utf8(folder: Path) -> None:
    """ArchiveError for a folder whose path DuckDB cannot be told: it takes UTF-8 alone."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise Refused("utf8", path=ascii(str(folder))) from None


def begin(con: duckdb.DuckDBPyConnection, folder: Path, name: str, kinds: Iterable[str]) -> None:
    """Attach a new, empty segment with these tables as `pending`."""
    con.execute(f"ATTACH {quoted(str(folder / name) + _TEMPORARY)} AS {PENDING}")
    for table in kinds:
        con.execute(tables.create(table, PENDING))


def row_counts(con: duckdb.DuckDBPyConnection, kinds: Iterable[str]) -> dict[str, int]:
    """Rows in each of these tables of `pending`."""
    found = {}
    for table in kinds:
        row = con.execute(f"SELECT count(*) FROM {PENDING}.{table}").fetchone()
        assert row is not None, "count(*) has one row"
        found[table] = int(row[0])
    return found


def finish(
    con: duckdb.DuckDBPyConnection, folder: Path, name: str, kinds: Iterable[str]
) -> Segment:
    """Write `pending` out whole, close it, make it read-only and durable, give it its name."""
    rows = row_counts(con, kinds)
    if "hands" in rows:
        con.execute(
            f"CREATE TABLE {PENDING}.{HAND_INDEX} AS"
            f" SELECT hand_id, log_id, hand FROM {PENDING}.hands ORDER BY hand_id"
        )
    con.execute(f"CHECKPOINT {PENDING}")
    con.execute(f"DETACH {PENDING}")
    temporary = folder / (name + _TEMPORARY)
    if (folder / (name + _TEMPORARY + ".wal")).exists():
        raise Refused("wal", path=temporary)
    size, digest = seal_file(temporary)
    os.rename(temporary, folder / name)
    return Segment(name=name, sha256=digest, bytes=size, rows=rows)


def seal_file(path: Path) -> tuple[int, str]:
    """Leave the owner's read permission alone, sync, and read back: size and SHA-256."""
    with open(path, "rb") as file:
        os.fchmod(file.fileno(), stat.S_IRUSR)
        os.fsync(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def remove_pending(folder: Path, name: str) -> None:
    """Remove the files of a segment that will not be finished; its connection is closed."""
    for path in (folder / (name + _TEMPORARY), folder / (name + _TEMPORARY + ".wal")):
        path.unlink(missing_ok=True)


def clean(folder: Path, manifest: Manifest) -> None:
    """Remove what a writer that died, or a compaction, has left behind. Only under the lock."""
    listed = {segment.name for segment in manifest.files()}
    for path in folder.iterdir():
        stem, dot, rest = path.name.partition(".duckdb")
        ours = dot and stem.startswith(("data-", "logs-")) and path.name not in listed
        if ours and rest in ("", _TEMPORARY, _TEMPORARY + ".wal"):
            path.unlink(missing_ok=True)


def attach(con: duckdb.DuckDBPyConnection, folder: Path, segment: Segment) -> None:
    """Attach a finished segment read-only; FileNotFoundError if gone, ArchiveError if damaged."""
    path = folder / segment.name
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise FileNotFoundError(str(path)) from None
    if size != segment.bytes:
        raise Refused("size", path=path, found=size, expected=segment.bytes)
    try:
        con.execute(f"ATTACH {quoted(str(path))} AS {alias(segment.name)} (READ_ONLY)")
    except duckdb.Error as error:
        if not path.exists():
            raise FileNotFoundError(str(path)) from None
        raise fault(folder, segment) or Refused("unopened", path=path, reason=error) from None


def fault(folder: Path, segment: Segment) -> Refused | None:
    """What is wrong with a segment's file: it is read whole and compared with MANIFEST."""
    path = folder / segment.name
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except FileNotFoundError:
        return Refused("missing", path=folder, name=path)
    except OSError as error:
        return Refused("unreadable", path=path, reason=error)
    if size != segment.bytes:
        return Refused("size", path=path, found=size, expected=segment.bytes)
    if digest != segment.sha256:
        return Refused("sum", path=path, found=digest, expected=segment.sha256)
    return None


def damage(folder: Path) -> Refused | None:
    """The first thing that is wrong with the files of an archive: what DuckDB may have met."""
    try:
        listed = manifests.read(folder).files()
    except Refused as error:
        return error
    return next((found for segment in listed if (found := fault(folder, segment))), None)


def create_views(con: duckdb.DuckDBPyConnection, manifest: Manifest, kinds: Iterable[str]) -> None:
    """One view per table over all segments, without the rows of retired logs.

    And `plays_of(id)` with its kin: the rows of one hand, found without going through all.
    """
    for table in kinds:
        parts = [_part(table, segment) for segment in manifest.files() if table in segment.rows]
        if parts:
            con.execute(f"CREATE OR REPLACE VIEW {table} AS {' UNION ALL '.join(parts)}")
        else:
            con.execute(tables.create(table, "main"))
    places = [_part(HAND_INDEX, segment) for segment in manifest.segments]
    nowhere = "SELECT '' AS hand_id, 0 AS log_id, 0::BIGINT AS hand WHERE false"
    con.execute(f"CREATE VIEW {HAND_INDEX} AS {' UNION ALL '.join(places) or nowhere}")
    for table in tables.SEGMENT:
        con.execute(
            f"CREATE MACRO {table}_of(id) AS TABLE SELECT * FROM {table}"
            f" WHERE log_id = (SELECT log_id FROM {HAND_INDEX} WHERE hand_id = id)"
            f" AND hand = (SELECT hand FROM {HAND_INDEX} WHERE hand_id = id)"
        )


def not_retired(segment: Segment) -> str:
    """The condition on `log_id` that leaves out retired logs, as a WHERE clause or nothing."""
    if not segment.retired:
        return ""
    return f" WHERE log_id NOT IN ({', '.join(map(str, segment.retired))})"


def _part(table: str, segment: Segment) -> str:
    return f"SELECT * FROM {alias(segment.name)}.{table}{not_retired(segment)}"
