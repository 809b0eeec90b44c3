"""export(): an archive as a lake of Parquet files that any engine reads."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
from msgspec import Struct

from replay import __version__
from replay.archive import manifest as archives
from replay.archive import segments, tables
from replay.archive.errors import ArchiveError, Refused, of_system
from replay.archive.lake import manifest as lakes
from replay.archive.lake import source as sources
from replay.archive.lake.manifest import Column, Manifest, Part, Table
from replay.archive.lake.parts import Partition, Parts
from replay.archive.lake.place import SPILL, Place, demand_free
from replay.archive.lake.pseudonyms import Pseudonyms
from replay.archive.lake.source import Source

Progress = Callable[[int, int], None]
"""Is told how many rows are written, of how many."""
_EMPTY = (lakes.UNKNOWN, lakes.UNKNOWN)
"""The partition of a table without rows: its columns are to be seen all the same."""


class Exported(Struct, frozen=True):
    """What was written: rows by table, files and bytes."""

    folder: str
    rows: dict[str, int]
    files: int
    bytes: int


def export(
    archive: Path | str,
    target: Path | str,
    free: Callable[[Path, Path], None] = demand_free,
    pseudonyms: Pseudonyms | None = None,
    progress: Progress = lambda done, total: None,
) -> Exported:
    """Write the archive as it is now into the new folder `target`; ArchiveError.

    Either all of it stands there in the end or nothing has changed. `free` says what may stand
    there before: `demand_free` or, for a lake that is to be replaced, `demand_replaceable`.
    """
    folder, place = Path(archive), Path(target)
    archives.read(folder)
    try:
        segments.demand_utf8(place)
        free(place, folder)
        with Place(place) as where:
            manifest = _Export(folder, where.building, pseudonyms, progress).manifest()
            free(place, folder)
            _publish(where)
    except (duckdb.Error, pa.ArrowException, OSError) as error:
        told = of_system(error)
        damage = segments.damage(folder) if told is None else None
        if damage is not None:
            raise damage from error
        raise Refused("not_exported", path=place, reason=told or error) from error
    rows = {table.name: table.rows for table in manifest.tables}
    return Exported(str(place), rows, len(manifest.files()), manifest.bytes)


def _publish(where: Place) -> None:
    if lakes.is_lake(where.target):
        where.publish_instead()
    else:
        where.publish()


class _Export:
    """One export, into a folder that nobody else sees yet."""

    def __init__(
        self, archive: Path, building: Path, pseudonyms: Pseudonyms | None, progress: Progress
    ) -> None:
        self._archive = archive
        self._building = building
        self._pseudonyms = pseudonyms
        self._progress = progress
        self._written = 0
        self._total = 0

    def manifest(self) -> Manifest:
        """Write all files; MANIFEST.json last, and what it says."""
        spill = self._building / SPILL
        spill.mkdir()
        source = Source.open(self._archive, spill)
        try:
            counts = {table: source.count(table) for table in tables.TABLES}
            self._total = sum(counts.values())
            found = tuple(self._table(source, table, counts[table]) for table in tables.TABLES)
        finally:
            source.close()
        shutil.rmtree(spill)
        manifest = Manifest(
            kind="paipu lake",
            format=lakes.FORMAT,
            paipu=__version__,
            archive_format=source.manifest.format,
            archive_sha256=source.digest(),
            pseudonyms=None if self._pseudonyms is None else self._pseudonyms.mark,
            rows=self._total,
            bytes=sum(table.bytes for table in found),
            tables=found,
        )
        self._seal(manifest)
        return manifest

    def _table(self, source: Source, table: str, rows: int) -> Table:
        schema = sources.schema(table)
        parts = Parts(self._building, schema, _directory(table))
        try:
            for partition, piece in self._pieces(source, table):
                parts.add(partition, piece)
                self._written += piece.num_rows
                self._progress(self._written, self._total)
            files = parts.finish(_EMPTY)
        except BaseException:
            parts.abandon()
            raise
        written = sum(part.rows for part in files)
        if written != rows:
            raise ArchiveError(
                f"{self._archive} is damaged: {rows} rows of {table} counted, {written} read"
            )
        return _described(table, schema, files)

    def _pieces(self, source: Source, table: str) -> Iterator[sources.Piece]:
        for partition, rows in source.pieces(table):
            if self._pseudonyms is not None:
                rows = self._pseudonyms.applied(table, rows)
            yield partition, rows

    def _seal(self, manifest: Manifest) -> None:
        """SHA256SUMS, then MANIFEST.json: without it this is no lake."""
        data = lakes.encoded(manifest)
        digest = lakes.digest(data)
        for name, content in ((lakes.SUMS, lakes.sums(manifest, digest)), (lakes.NAME, data)):
            (self._building / name).write_bytes(content)
            segments.seal_file(self._building / name)


def _directory(table: str) -> Callable[[Partition], str]:
    """The folder of a partition; ArchiveError for a game or month that is none."""
    names = sources.partitions(table)

    def directory(partition: Partition) -> str:
        if not names:
            return table
        path = "/".join(f"{n}={v}" for n, v in zip(names, partition, strict=True))
        return lakes.checked_folder(f"{table}/{path}")

    return directory


def _described(table: str, schema: pa.Schema, files: tuple[Part, ...]) -> Table:
    return Table(
        name=table,
        rows=sum(part.rows for part in files),
        bytes=sum(part.bytes for part in files),
        columns=tuple(Column(field.name, lakes.type_name(field.type)) for field in schema),
        partitions=tuple(Column(name, "string") for name in sources.partitions(table)),
        files=files,
    )
