"""Lakes for tests: exported from archives of real logs, and read with pyarrow as anybody would."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
from msgspec.structs import replace

from replay.archive import Archive, tables
from schema.events import HandStarted
from tests.archives import gunzi_matches, hands, indexed, live
from tests.shelled import ROOT, environment

Row = tuple[Any, ...]
LAST_START = 2**48
"""The latest start that a hand may have, in the year 10889."""
_YEAR_10000 = 253_402_300_800_000
EXPORT = """
import sys
from replay.archive.lake import demand_free, demand_replaceable, export
archive, target, word = sys.argv[1:]

class Pause:
    is_over = False

    def __call__(self, done, total):
        if not self.is_over:
            self.is_over = True
            print("begun", flush=True)
            sys.stdin.readline()

free = demand_replaceable if word == "force" else demand_free
try:
    print(export(archive, target, free, progress=Pause()).files)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""


def archive_of_all(base: Path) -> Path:
    """Logs of four games, damaged and unreadable ones, one that has grown, one begun in 10889."""
    first = [live(base / f"{number}.paipu", hands(1, number), number) for number in range(3)]
    indexed(base / "archive", *first)
    live(first[1], hands(3, 1), 1)
    start, *events = hands(1, 9)[0]
    assert isinstance(start, HandStarted)
    late = live(base / "late.paipu", [[replace(start, at=LAST_START), *events]], 9)
    gunzi_matches(base / "gunzi", 2, hands=4)
    samples = ("dagong", "chibi_dagun/clean", "chaodipi/clean")
    paths = [ROOT / "sample_logs" / sample for sample in samples]
    indexed(base / "archive", *first, late, base / "gunzi", *paths)
    return base / "archive"


def small_archive(base: Path) -> Path:
    """An archive of one log of two hands."""
    indexed(base / "small", live(base / "one.paipu", hands(2), 1))
    return base / "small"


@contextmanager
def begun(archive: Path, target: Path, word: str = "") -> Iterator[subprocess.Popen[str]]:
    """A process that is in the middle of an export, and waits for a line to go on."""
    process = subprocess.Popen(
        [sys.executable, "-c", EXPORT, str(archive), str(target), word],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str]) -> str:
    """Let it go on; the last thing it says."""
    out, errors = process.communicate("\n")
    assert errors == ""
    return out.strip()


def opened(lake: Path, table: str) -> ds.Dataset:
    """A table as pyarrow finds it by the names of the folders."""
    return ds.dataset(lake / table, format="parquet", partitioning="hive")


def rows_of_lake(lake: Path, table: str) -> list[Row]:
    """The rows of a table, with the columns of the archive, times as milliseconds, sorted."""
    return _rows(opened(lake, table).to_table().select(list(dict(tables.TABLES[table]))))


def rows_of_archive(archive: Path, table: str) -> list[Row]:
    """The same rows as the archive's view gives them."""
    with Archive.open(archive) as source:
        return _rows(source.cursor().sql(f"SELECT * FROM {table}").to_arrow_table())


def _rows(table: pa.Table) -> list[Row]:
    columns = [_plain(column) for column in table.columns]
    return sorted(zip(*columns, strict=True), key=repr)


def _plain(column: pa.ChunkedArray) -> list[Any]:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("ms", column.type.tz)).cast(pa.int64())
    return [tuple(v) if isinstance(v, list) else v for v in column.to_pylist()]


def month(start: int | None) -> str:
    """The folder of a hand that began then, in milliseconds; Python knows no year 10000."""
    if start is None or start >= _YEAR_10000:
        return "unknown"
    return f"{datetime.fromtimestamp(start / 1000, UTC):%Y-%m}"


def texts(lake: Path, table: str) -> Iterator[str]:
    """Every text in a table."""
    for column in opened(lake, table).to_table().columns:
        if pa.types.is_list(column.type):
            column = column.combine_chunks().flatten()
        if pa.types.is_string(column.type):
            yield from (text for text in column.to_pylist() if text is not None)


def below(folder: Path) -> list[str]:
    """Everything below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
