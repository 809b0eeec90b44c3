"""Where a lake's rows come from: an archive of our own, read in pieces that fit into memory.

The SQL is ours alone, so nothing is shut off: the segments are attached READ_ONLY, and DuckDB may
put what it sorts into the folder that the export is building.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from replay.archive import manifest as manifests
from replay.archive import segments, tables
from replay.archive.lake.manifest import UNKNOWN
from replay.archive.manifest import Manifest, Segment

PARTITIONS = ("game", "month")
MEMORY = 256 << 20
"""Bytes that DuckDB may use before it sorts on the disk."""
HANDS_AT_ONCE = 4000
"""About as many hands are read and sorted in one piece."""
BATCH_ROWS = 122_880
_PLAIN = {"JSON": "VARCHAR", "UTINYINT[54]": "UTINYINT[]"}
"""What DuckDB alone knows, as what every engine knows."""
_ORDER = {
    "hands": ("hand",),
    "seats": ("hand", "seat"),
    "tricks": ("hand", "trick"),
    "findings": ("finding",),
}
"""What puts the rows of a log in order, where it is not hand and event."""
_GAME, _MONTH = "lake_game", "lake_month"
"""Columns of a query that say where a row goes; no table has any of that name."""
_MONTH_OF = (
    "CASE WHEN started_at >= TIMESTAMP '0001-01-01' AND started_at < TIMESTAMP '10000-01-01'"
    f" THEN strftime(started_at, '%Y-%m') ELSE '{UNKNOWN}' END"
)
Piece = tuple[tuple[str, str], pa.RecordBatch]
"""Rows of one partition, which is a game and a month; two empty words without partitions."""


def schema(table: str) -> pa.Schema:
    """The columns of a table's files: lists of any length, times in UTC milliseconds."""
    fields = [(field.name, _standard(field.type)) for field in tables.arrow_schema(table)]
    return pa.schema([(name, kind) for name, kind in fields if name not in partitions(table)])


def partitions(table: str) -> tuple[str, ...]:
    """The columns of a table that stand in the names of folders."""
    return PARTITIONS if table in tables.SEGMENT else ()


def _standard(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(kind):
        return pa.timestamp("ms", "UTC")
    return pa.list_(kind.value_type) if pa.types.is_fixed_size_list(kind) else kind


class _Run(Struct, frozen=True):
    """Logs that are read in one piece, and the partition of all their hands if it is one."""

    first: int
    last: int
    partition: tuple[str, str] | None


class Source:
    """One state of an archive; what a writer adds meanwhile is not seen. Use `Source.open`."""

    def __init__(self, folder: Path, manifest: Manifest, con: duckdb.DuckDBPyConnection) -> None:
        """Use `Source.open`."""
        self.manifest = manifest
        self._folder = folder
        self._con = con
        self._runs_of: dict[str, list[_Run]] = {}

    @classmethod
    def open(cls, folder: Path, spill: Path) -> Self:
        """Attach the archive `folder`; `spill` is for what does not fit. ArchiveError."""
        return segments.opened(
            folder, lambda manifest: cls(folder, manifest, _connected(folder, manifest, spill))
        )

    def close(self) -> None:
        """Give up the files."""
        self._con.close()

    def digest(self) -> str:
        """The SHA-256 of MANIFEST, which tells this state of the archive from another."""
        return hashlib.sha256(manifests.encoded(self.manifest)).hexdigest()

    def count(self, table: str) -> int:
        """How many rows a table has, those of retired logs aside."""
        total = 0
        for segment in self._holding(table):
            where = segments.not_retired(segment)
            rows = self._rows(f"SELECT count(*) FROM {_name(segment, table)}{where}")
            total += rows[0][0]
        return total

    def pieces(self, table: str) -> Iterator[Piece]:
        """All rows: in each partition by log, as far as a segment goes, then by hand and event."""
        for segment in self._holding(table):
            for sql in self._queries(segment, table):
                yield from self._read(table, sql)

    def _queries(self, segment: Segment, table: str) -> Iterator[str]:
        catalogue = self.manifest.catalogue
        assert catalogue is not None, "whoever holds rows has a catalogue"
        if table in tables.CATALOGUE:
            yield _whole(segment, table)
            return
        for run in self._runs(segment):
            if run.partition is None or table == "findings":
                yield _of_many(segment, table, run, catalogue)
            else:
                yield _of_one(segment, table, run, run.partition)

    def _holding(self, table: str) -> list[Segment]:
        return [segment for segment in self.manifest.files() if table in segment.rows]

    def _runs(self, segment: Segment) -> list[_Run]:
        """The logs of a segment in runs; those of the segment asked for last are remembered."""
        if segment.name not in self._runs_of:
            rows = self._rows(
                f"SELECT log_id, count(*), min(game), max(game), min(month), max(month) FROM"
                f" ({_hands(segment, 'true')}) GROUP BY log_id"
            )
            self._runs_of = {segment.name: list(_runs(segment.shown(), _logs(rows)))}
        return self._runs_of[segment.name]

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self._con.execute(sql).fetchall()

    def _read(self, table: str, sql: str) -> Iterator[Piece]:
        wanted = schema(table)
        reader = self._con.sql(sql).to_arrow_reader(BATCH_ROWS)
        try:
            for batch in reader:
                rows = batch.select(wanted.names).cast(wanted)
                yield from _split(rows, batch.column(_GAME), batch.column(_MONTH))
        finally:
            reader.close()


def _split(rows: pa.RecordBatch, games: pa.Array, months: pa.Array) -> Iterator[Piece]:
    """The rows cut where the partition changes: they are sorted by it."""
    places = pc.run_end_encode(pc.binary_join_element_wise(games, months, "/"))
    first = 0
    for value, end in zip(places.values.to_pylist(), places.run_ends.to_pylist(), strict=True):
        game, _, month = value.rpartition("/")
        piece = rows.slice(first, end - first)
        # A slice keeps alive all that it is cut from, and may wait for long.
        small = 2 * piece.num_rows < rows.num_rows
        yield (game, month), piece.take(pa.arange(0, piece.num_rows)) if small else piece
        first = end


def _connected(folder: Path, manifest: Manifest, spill: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    try:
        con.execute(f"SET memory_limit = '{MEMORY}B'")
        con.execute(f"SET temp_directory = {segments.quoted(str(spill))}")
        con.execute("SET preserve_insertion_order = true")
        for segment in manifest.files():
            segments.attach(con, folder, segment)
    except BaseException:
        con.close()
        raise
    return con


def _name(segment: Segment, table: str) -> str:
    return f"{segments.alias(segment.name)}.{table}"


def _columns(table: str) -> str:
    left_out = partitions(table)
    return ", ".join(
        f"t.{name}::{_PLAIN[kind]} AS {name}" if kind in _PLAIN else f"t.{name}"
        for name, kind in tables.TABLES[table]
        if name not in left_out
    )


def _whole(segment: Segment, table: str) -> str:
    """A table of the catalogue as it is: it has no partitions."""
    return f"SELECT {_columns(table)}, '' AS {_GAME}, '' AS {_MONTH} FROM {_name(segment, table)} t"


def _of_one(segment: Segment, table: str, run: _Run, partition: tuple[str, str]) -> str:
    """The rows of logs whose hands lie in one partition."""
    game, month = map(segments.quoted, partition)
    return f"""
        SELECT {_columns(table)}, {game} AS {_GAME}, {month} AS {_MONTH}
        FROM {_name(segment, table)} t WHERE {_of(run, segment)}
        ORDER BY {_order(table)}, t.rowid
    """


def _of_many(segment: Segment, table: str, run: _Run, catalogue: Segment) -> str:
    """The rows of these logs, by partition.

    The game and month of a row are those of its hand; what belongs to no hand has the log's game.
    """
    return f"""
        SELECT {_columns(table)},
            coalesce(h.game, l.game, '{UNKNOWN}') AS {_GAME},
            coalesce(h.month, '{UNKNOWN}') AS {_MONTH}
        FROM (SELECT *, rowid AS stored FROM {_name(segment, table)} WHERE {_of(run, segment)}) t
        LEFT JOIN ({_hands(segment, _of(run, segment))}) h
            ON h.log_id = t.log_id AND h.hand = t.hand
        LEFT JOIN {_name(catalogue, "logs")} l ON l.log_id = t.log_id
        ORDER BY {_GAME}, {_MONTH}, {_order(table)}, t.stored
    """


def _order(table: str) -> str:
    """By log, hand and event. In an archive the logs that were taken in together are mixed."""
    return ", ".join(f"t.{name}" for name in ("log_id", *_ORDER.get(table, ("hand", "event"))))


def _hands(segment: Segment, where: str) -> str:
    """Game and month of hands."""
    source = _name(segment, "hands")
    return f"SELECT log_id, hand, game, {_MONTH_OF} AS month FROM {source} WHERE {where}"


def _of(run: _Run, segment: Segment) -> str:
    """The condition for the rows of these logs, those aside that are retired."""
    retired = [log_id for log_id in segment.retired if run.first <= log_id <= run.last]
    gone = f" AND log_id NOT IN ({', '.join(map(str, retired))})" if retired else ""
    return f"log_id BETWEEN {run.first} AND {run.last}{gone}"


def _logs(rows: Sequence[tuple[Any, ...]]) -> dict[int, tuple[int, tuple[str, str] | None]]:
    """By log: how many hands it has, and their partition if it is one."""
    return {
        log_id: (hands, (first_game, first) if (first_game, first) == (last_game, last) else None)
        for log_id, hands, first_game, last_game, first, last in rows
    }


def _runs(
    shown: Sequence[int], logs: Mapping[int, tuple[int, tuple[str, str] | None]]
) -> Iterator[_Run]:
    """Logs in runs of about HANDS_AT_ONCE hands, cut where the partition changes if it pays."""
    first, last, held = 0, 0, 0
    places: set[tuple[str, str] | None] = set()
    for log_id in shown:
        hands, place = logs.get(log_id, (0, None))
        changes = hands and place not in places
        if held >= HANDS_AT_ONCE or (changes and held >= HANDS_AT_ONCE // 4):
            yield _Run(first, last, _only(places))
            held, places = 0, set()
        first = log_id if not held else first
        last = log_id
        held += hands + 1
        if hands:
            places.add(place)
    if held:
        yield _Run(first, last, _only(places))


def _only(places: Collection[tuple[str, str] | None]) -> tuple[str, str] | None:
    return next(iter(places)) if len(places) == 1 else None
