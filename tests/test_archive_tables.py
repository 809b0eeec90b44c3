"""TABLES.md describes every table and column that an archive has, in order, and no other."""

import re
from pathlib import Path

import duckdb
import pytest

import replay.archive
from replay.archive import Archive, tables
from replay.archive.compaction import FAN_IN, LARGEST, to_merge
from replay.archive.manifest import Segment
from tests.archives import hands, indexed, live

BOOK = (Path(replay.archive.__file__).parent / "TABLES.md").read_text(encoding="utf-8")
SECTIONS = {
    part.partition("\n")[0].strip(): part
    for part in re.split(r"^## ", BOOK.partition("\n## Views\n")[0], flags=re.M)[1:]
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


def test_the_rows_of_one_hand_are_found_by_its_id(tmp_path: Path) -> None:
    """`plays_of` and its kin give what the tables give of a hand, also of a log that has grown."""
    log = live(tmp_path / "log.paipu", hands(2))
    indexed(tmp_path / "archive", log)
    indexed(tmp_path / "archive", live(log, hands(4)))
    with Archive.open(tmp_path / "archive") as archive:
        ids = [row[0] for row in archive.query("SELECT hand_id FROM hands")]
        assert sorted(ids) == [row[0] for row in archive.query("SELECT hand_id FROM hand_index")]
        for table in tables.SEGMENT:
            for hand_id in (*ids, "0123456789abcdef"):
                of_it = f"(SELECT * FROM {table} WHERE hand_id = '{hand_id}')"
                found = f"(FROM {table}_of('{hand_id}'))"
                assert [*archive.query(f"{of_it} EXCEPT ALL {found}")] == []
                assert [*archive.query(f"{found} EXCEPT ALL {of_it}")] == []
        assert len([*archive.query(f"FROM plays_of('{ids[0]}')")]) > 30
