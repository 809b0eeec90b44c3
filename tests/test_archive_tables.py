"""TABLES.md describes every table and column that an archive has, in order, and no other."""

import re
from pathlib import Path

import duckdb
import pytest

import replay.archive
from replay.archive import tables
from replay.archive.compaction import FAN_IN, LARGEST, to_merge
from replay.archive.manifest import Segment

BOOK = (Path(replay.archive.__file__).parent / "TABLES.md").read_text(encoding="utf-8")
SECTIONS = {
    part.partition("\n")[0].strip(): part for part in re.split(r"^## ", BOOK, flags=re.M)[1:]
}
ROW = re.compile(r"^\| (\w+) \| ([A-Z\[\]0-9]+) \| (.+) \|$", re.M)


def test_the_book_has_a_section_for_each_table() -> None:
    """Tables and sections are the same, in the same order."""
    assert list(SECTIONS) == list(tables.TABLES)


@pytest.mark.parametrize("table", tables.TABLES)
def test_the_book_has_a_line_for_each_column(table: str) -> None:
    """Names, types and order are those of the schema, and each has a meaning."""
    lines = ROW.findall(SECTIONS[table])
    assert tuple((name, kind) for name, kind, _ in lines) == tables.TABLES[table]


@pytest.mark.parametrize("table", tables.TABLES)
def test_columns_need_no_quotes_and_take_their_arrow_types(table: str) -> None:
    """Every name stands in SQL as it is, and an Arrow table of the schema goes in unchanged."""
    with duckdb.connect() as con:
        con.execute(tables.create(table, "main"))
        con.register("arriving", tables.arrow_schema(table).empty_table())
        con.execute(f"INSERT INTO {table} BY NAME FROM arriving")
        names = ", ".join(name for name, _ in tables.TABLES[table])
        result = con.execute(f"SELECT {names} FROM {table}")
        described = [(column[0], str(column[1])) for column in result.description or ()]
        assert described == list(tables.TABLES[table])


def segment(number: int, size: int, retired: int = 0) -> Segment:
    """A segment of this size with ten logs, some of them retired."""
    return Segment(
        name=f"data-{number:06d}.duckdb",
        sha256="0" * 64,
        bytes=size,
        rows={},
        logs=[(10 * number, 10 * number + 9)],
        retired=list(range(10 * number, 10 * number + retired)),
    )


def test_small_segments_are_merged_when_there_are_enough() -> None:
    """Seven of one size stand, eight become one, in their order."""
    small = [segment(number, 300_000) for number in range(FAN_IN)]
    assert to_merge(small[:-1]) == []
    assert to_merge(small) == small


def test_sizes_far_apart_are_not_merged() -> None:
    """A big segment is not written anew for the sake of small ones."""
    small = [segment(number, 300_000) for number in range(FAN_IN)]
    assert to_merge([segment(20, 100_000_000), *small]) == small
    assert to_merge([segment(20, 100_000_000), *small[:-1]]) == []


def test_full_segments_are_left_alone() -> None:
    """However many there are, segments of the largest size are final."""
    assert to_merge([segment(number, LARGEST) for number in range(30)]) == []


def test_mostly_retired_segments_are_written_anew() -> None:
    """More retired than shown: the rest is worth copying, whatever the size."""
    assert to_merge([segment(1, LARGEST, retired=5)]) == []
    worn = segment(2, LARGEST, retired=6)
    assert to_merge([segment(1, LARGEST), worn]) == [worn]
