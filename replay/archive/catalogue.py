"""The catalogue: `logs` and `files`, held in memory by the writer and written anew at a commit."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from msgspec import Struct

from replay.archive import segments, tables
from replay.archive.manifest import Manifest, Segment
from replay.archive.paths import on_disk


class FileRow(Struct, frozen=True):
    """A row of `files`, but for the time; `in_progress` goes to the log if it was read here."""

    path: str
    log_id: int
    standing: str
    form: str | None
    bytes: int
    sha256: str
    in_progress: bool = False


def load(con: duckdb.DuckDBPyConnection, folder: Path, manifest: Manifest) -> None:
    """Fill the tables `logs` and `files` of `con` with what the archive holds."""
    for table in tables.CATALOGUE:
        con.execute(tables.create(table, "main"))
    stored = manifest.catalogue
    if stored is None:
        return
    segments.attach(con, folder, stored)
    for table in tables.CATALOGUE:
        con.execute(f"INSERT INTO {table} FROM {segments.alias(stored.name)}.{table}")
    con.execute(f"DETACH {segments.alias(stored.name)}")


def update(
    con: duckdb.DuckDBPyConnection,
    logs: Sequence[Mapping[str, Any]],
    files: Sequence[FileRow],
    replaced: Mapping[int, int],
    now: datetime,
) -> None:
    """Add rows; a path has one row of `files`, a log that was replaced none of `logs`."""
    for old in replaced:
        con.execute("DELETE FROM logs WHERE log_id = ?", [old])
        new = _latest(old, replaced)
        con.execute("UPDATE files SET log_id = ?, standing = 'part' WHERE log_id = ?", [new, old])
    _insert(con, "logs", [{**row, "indexed_at": now} for row in logs])
    latest = {row.path: _file_row(row, replaced, now) for row in files}
    con.register("arriving", pa.table({"path": pa.array(list(latest), pa.string())}))
    con.execute("DELETE FROM files WHERE path IN (SELECT path FROM arriving)")
    con.unregister("arriving")
    _insert(con, "files", list(latest.values()))
    con.execute("DELETE FROM files WHERE log_id NOT IN (SELECT log_id FROM logs)")
    con.execute(
        "DELETE FROM logs WHERE error IS NOT NULL AND log_id NOT IN (SELECT log_id FROM files)"
    )
    added = {row["log_id"] for row in logs}
    for row in files:
        if row.standing == "copy":
            _follow(con, row)
        elif row.standing == "indexed" and row.log_id not in added:
            _refresh(con, row)


def write(con: duckdb.DuckDBPyConnection, folder: Path, name: str) -> Segment:
    """Write both tables into a new file; logs that share a file id name one another."""
    segments.begin(con, folder, name, tables.CATALOGUE)
    con.execute(
        f"""
        INSERT INTO {segments.PENDING}.logs BY NAME
        WITH same AS (
            SELECT file_id, list(log_id) AS ids
            FROM logs WHERE file_id IS NOT NULL GROUP BY file_id HAVING count(*) > 1
        )
        SELECT logs.* REPLACE (
            list_sort(list_filter(coalesce(ids, []), lambda id: id <> log_id)) AS conflict
        )
        FROM logs LEFT JOIN same ON same.file_id = logs.file_id ORDER BY log_id
        """
    )
    con.execute(f"INSERT INTO {segments.PENDING}.files FROM files ORDER BY path")
    return segments.finish(con, folder, name, tables.CATALOGUE)


def _follow(con: duckdb.DuckDBPyConnection, row: FileRow) -> None:
    """A log whose own path is gone is taken to have moved to where a copy of it was seen."""
    found = con.execute("SELECT path FROM logs WHERE log_id = ?", [row.log_id]).fetchone()
    if found is not None and not os.path.exists(on_disk(found[0])):
        con.execute("UPDATE logs SET path = ? WHERE log_id = ?", [row.path, row.log_id])


def _refresh(con: duckdb.DuckDBPyConnection, row: FileRow) -> None:
    """The file a log was read from has other bytes, and the same hands."""
    con.execute(
        "UPDATE logs SET form = ?, bytes = ?, sha256 = ?, in_progress = ? WHERE log_id = ?",
        [row.form, row.bytes, row.sha256, row.in_progress, row.log_id],
    )


def _file_row(row: FileRow, replaced: Mapping[int, int], now: datetime) -> dict[str, Any]:
    log_id = _latest(row.log_id, replaced)
    return {
        "path": row.path,
        "log_id": log_id,
        "standing": row.standing if log_id == row.log_id else "part",
        "form": row.form,
        "bytes": row.bytes,
        "sha256": row.sha256,
        "seen_at": now,
    }


def _insert(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        arrow = pa.Table.from_pylist(list(rows), schema=tables.arrow_schema(table))
        con.register("arriving", arrow)
        con.execute(f"INSERT INTO {table} BY NAME FROM arriving")
        con.unregister("arriving")


def _latest(log_id: int, replaced: Mapping[int, int]) -> int:
    while log_id in replaced:
        log_id = replaced[log_id]
    return log_id
