"""Parquet files of one table: rows in, files of the lake out, memory bounded.

Rows of a partition are collected to row groups of a size that engines like; where there are many
partitions at a time, the fullest is written before more than PENDING_ROWS wait.
"""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from replay.archive import segments
from replay.archive.lake.manifest import Part

GROUP_ROWS = 122_880
"""Rows of a row group; DuckDB reads so many at once, others are as content."""
PART_ROWS = 64 * GROUP_ROWS
"""Rows after which a file is closed and the next one begun."""
PENDING_ROWS = 4 * GROUP_ROWS
OPEN_FILES = 64
Partition = tuple[str, str]


class _File:
    """A Parquet file that is being written."""

    def __init__(self, folder: Path, path: str, schema: pa.Schema) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.rows = 0
        self._place = folder / path
        self._writer = pq.ParquetWriter(
            str(self._place),
            schema,
            compression="zstd",
            compression_level=3,
            store_schema=False,  # types as Parquet says them, and no other way
            write_page_checksum=True,
        )

    def write(self, rows: pa.Table) -> None:
        self._writer.write_table(rows, row_group_size=GROUP_ROWS)
        self.rows += rows.num_rows

    def close(self) -> Part:
        """Finish, sync, and read back."""
        self._writer.close()
        size, digest = segments.seal_file(self._place)
        return Part(self.path, self.rows, size, digest)

    def abandon(self) -> None:
        """Let go of it as it is."""
        self._writer.close()


class Parts:
    """The files of one table below `folder`; `directory` names the folder of a partition."""

    def __init__(
        self, folder: Path, schema: pa.Schema, directory: Callable[[Partition], str]
    ) -> None:
        """Nothing is written before the first rows come."""
        self._folder = folder
        self._schema = schema
        self._directory = directory
        self._pending: dict[Partition, list[pa.RecordBatch]] = {}
        self._held: dict[Partition, int] = {}
        self._open: dict[Partition, _File] = {}
        self._numbers: dict[Partition, int] = {}
        self._done: list[Part] = []

    def add(self, partition: Partition, rows: pa.RecordBatch) -> None:
        """Rows of a partition, behind those that it has."""
        self._pending.setdefault(partition, []).append(rows)
        self._held[partition] = self._held.get(partition, 0) + rows.num_rows
        if self._held[partition] >= GROUP_ROWS:
            self._write(partition, self._held[partition] // GROUP_ROWS * GROUP_ROWS)
        while sum(self._held.values()) >= PENDING_ROWS:
            fullest = max(self._held, key=lambda one: self._held[one])
            self._write(fullest, self._held[fullest])

    def finish(self, if_empty: Partition) -> tuple[Part, ...]:
        """Write what waits; the files in the order of their paths, one without rows if need be."""
        if not (self._done or self._open or self._pending):
            self._file(if_empty)
        for partition in list(self._pending):
            self._write(partition, self._held[partition])
        for partition in list(self._open):
            self._close(partition)
        return tuple(sorted(self._done, key=lambda part: part.path))

    def abandon(self) -> None:
        """Close the files; they are not wanted."""
        for file in self._open.values():
            file.abandon()

    def _write(self, partition: Partition, count: int) -> None:
        """Write the first rows that wait for a partition; what is left waits on."""
        rows = pa.Table.from_batches(self._pending.pop(partition), self._schema)
        if left := self._held.pop(partition) - count:
            self._pending[partition] = rows.slice(count).to_batches()
            self._held[partition] = left
        file = self._file(partition)
        file.write(rows.slice(0, count))
        if file.rows >= PART_ROWS:
            self._close(partition)

    def _file(self, partition: Partition) -> _File:
        """The open file of a partition, the one used last at the end of `_open`."""
        file = self._open.pop(partition, None)
        if file is None:
            if len(self._open) >= OPEN_FILES:
                self._close(next(iter(self._open)))
            number = self._numbers.get(partition, 0)
            self._numbers[partition] = number + 1
            path = f"{self._directory(partition)}/part-{number:05}.parquet"
            file = _File(self._folder, path, self._schema)
        self._open[partition] = file
        return file

    def _close(self, partition: Partition) -> None:
        self._done.append(self._open.pop(partition).close())
