"""An archive as a lake of Parquet files: all that is in it, for whoever reads it."""

import re
import subprocess
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from replay.archive import manifest as manifests
from replay.archive import tables
from replay.archive.lake import (
    check,
    export,
    parts,
    source,
)
from replay.archive.lake import manifest as lakes
from tests.lakes import (
    LAST_START,
    archive_of_all,
    month,
    opened,
    rows_of_archive,
    rows_of_lake,
    small_archive,
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of four games, damaged and unreadable ones, one that has grown, one begun in 10889."""
    return archive_of_all(tmp_path_factory.mktemp("of-lakes"))


@pytest.fixture(scope="module")
def lake(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of it as a lake, which no test changes."""
    target = tmp_path_factory.mktemp("lakes") / "lake"
    export(archive, target)
    return target


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An archive of one log of two hands."""
    return small_archive(tmp_path)


# What is in it


@pytest.mark.parametrize("table", tables.TABLES)
def test_every_row_of_the_archive_is_in_the_lake(table: str, archive: Path, lake: Path) -> None:
    """Row by row, value by value, and no other: rows of a log that has grown since are not."""
    assert rows_of_lake(lake, table) == rows_of_archive(archive, table)


def test_the_tables_have_rows_to_tell(archive: Path) -> None:
    """What the test above compares is not empty, and some rows are retired."""
    assert [table for table in tables.TABLES if not rows_of_archive(archive, table)] == []
    retired = [segment.retired for segment in manifests.read(archive).segments]
    assert any(retired)


@pytest.mark.parametrize("table", tables.SEGMENT)
def test_a_row_lies_in_the_folder_of_its_hand(table: str, archive: Path, lake: Path) -> None:
    """By game and month of the hand's start in UTC; what belongs to no hand has no month."""
    names = list(dict(tables.HANDS))
    hands = [dict(zip(names, row, strict=True)) for row in rows_of_archive(archive, "hands")]
    folders = {(h["log_id"], h["hand"]): (h["game"], month(h["started_at"])) for h in hands}
    games = {row[0]: row[5] for row in rows_of_archive(archive, "logs")}
    found = opened(lake, table).to_table(columns=["log_id", "hand", "game", "month"])
    assert found.num_rows
    for row in found.to_pylist():
        wanted = folders.get((row["log_id"], row["hand"]), (games[row["log_id"]], "unknown"))
        assert (row["game"], row["month"]) == wanted


def test_a_start_beyond_the_calendar_has_no_month(lake: Path) -> None:
    """A log may say anything: the year 10889 makes no folder, and the time is as it says."""
    found = opened(lake, "hands").to_table()
    months = found.filter(pc.equal(found["started_at"].cast(pa.int64()), LAST_START))
    assert months["month"].to_pylist() == ["unknown"]


@pytest.mark.parametrize("table", tables.SEGMENT)
def test_the_rows_of_a_file_are_in_order(table: str, lake: Path) -> None:
    """By log, then by hand and what happened in it."""
    keys = {"hands": (), "seats": ("seat",), "tricks": ("trick",), "findings": ("finding",)}
    names = ["log_id", "hand", *keys.get(table, ("event",))]
    if table == "findings":
        names.remove("hand")
    for path in sorted((lake / table).rglob("*.parquet")):
        found = pq.ParquetFile(path).read(columns=names)
        rows = list(zip(*(found[name].to_pylist() for name in names), strict=True))
        assert rows == sorted(rows)


# Who can read it


@pytest.mark.parametrize("table", tables.TABLES)
def test_types_are_those_that_every_engine_has(table: str, lake: Path) -> None:
    """Lists, instants in UTC, text for JSON; zstd; nothing that Arrow alone reads."""
    path = next(iter(sorted((lake / table).rglob("*.parquet"))))
    file = pq.ParquetFile(path)
    logical = {file.schema.column(n).logical_type.type for n in range(len(file.schema.names))}
    assert logical <= {"STRING", "INT", "TIMESTAMP", "NONE"}
    assert b"ARROW:schema" not in (file.schema_arrow.metadata or {})
    assert {kind.id for kind in file.schema_arrow.types} <= {
        pa.bool_().id,
        *(pa.int32().id, pa.int64().id, pa.uint8().id, pa.uint16().id),
        *(pa.string().id, pa.list_(pa.int8()).id, pa.timestamp("ms").id),
    }
    for group in range(file.num_row_groups):
        assert file.metadata.row_group(group).column(0).compression == "ZSTD"


def test_duckdb_reads_it_with_the_answers_of_the_archive(archive: Path, lake: Path) -> None:
    """By one pattern of names, partitions included; sums over each table agree."""
    with duckdb.connect() as con:
        for table in tables.SEGMENT:
            pattern = f"{lake}/{table}/*/*/*.parquet"
            rows = con.execute(
                f"SELECT count(*), sum(log_id), min(month) FROM '{pattern}'"
            ).fetchall()
            found = rows_of_archive(archive, table)
            log_id = [name for name, _ in tables.TABLES[table]].index("log_id")
            assert rows[0][:2] == (len(found), sum(row[log_id] for row in found))
            assert re.fullmatch(r"\d{4}-\d\d|unknown", rows[0][2])
        counts = con.execute(f"SELECT dealt_counts FROM '{lake}/seats/*/*/*.parquet' LIMIT 1")
        assert len(counts.fetchall()[0][0]) == 54
        rule = f"SELECT options->>'call_rule' FROM '{lake}/logs/*.parquet' WHERE game = 'dagong'"
        assert "first_dealt" in {row[0] for row in con.execute(rule).fetchall()}


def test_a_table_without_rows_shows_its_columns(small: Path, tmp_path: Path) -> None:
    """A query over a pattern of names finds a file in every table."""
    export(small, tmp_path / "lake")
    assert opened(tmp_path / "lake", "throws").count_rows() == 0
    assert opened(tmp_path / "lake", "throws").schema.names == [
        *dict(tables.THROWS),
        "game",
        "month",
    ]


def test_the_same_archive_gives_the_same_bytes(archive: Path, lake: Path, tmp_path: Path) -> None:
    """The sums of two exports can be compared."""
    export(archive, tmp_path / "again")
    assert (tmp_path / "again" / "SHA256SUMS").read_bytes() == (lake / "SHA256SUMS").read_bytes()


def test_many_partitions_share_the_memory(
    archive: Path, lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small row groups, two files open at a time, files of a few groups: the rows are the same."""
    for module, name, value in (
        (parts, "GROUP_ROWS", 50),
        (parts, "PENDING_ROWS", 120),
        (parts, "PART_ROWS", 100),
        (parts, "OPEN_FILES", 2),
        (source, "HANDS_AT_ONCE", 200),
        (source, "BATCH_ROWS", 64),
    ):
        monkeypatch.setattr(module, name, value)
    done = export(archive, tmp_path / "lake")
    assert done.files > check(lake).files
    assert check(tmp_path / "lake").faults == ()
    for table in tables.TABLES:
        assert rows_of_lake(tmp_path / "lake", table) == rows_of_lake(lake, table)


# What says what is in it


def test_the_manifest_says_what_the_lake_is_made_of(archive: Path, lake: Path) -> None:
    """Tables, rows, bytes and columns as they are, and which state of the archive it shows."""
    found, _ = lakes.read(lake)
    assert found.archive_sha256 == lakes.digest((archive / manifests.NAME).read_bytes())
    assert found.archive_format == manifests.FORMAT
    assert [table.name for table in found.tables] == list(tables.TABLES)
    for table in found.tables:
        read = opened(lake, table.name)
        assert table.rows == read.count_rows()
        names = [column.name for column in (*table.columns, *table.partitions)]
        assert names == read.schema.names
        assert table.bytes == sum(
            path.stat().st_size for path in (lake / table.name).rglob("*.parquet")
        )


def test_a_common_tool_takes_the_sums(lake: Path) -> None:
    """`sha256sum -c` finds every file, MANIFEST.json included."""
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=lake,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    files = {line.removesuffix(": OK") for line in done.stdout.splitlines()}
    assert files == {str(p.relative_to(lake)) for p in lake.rglob("*.*") if p.is_file()}


def test_a_lake_is_its_owners_alone(lake: Path) -> None:
    """It holds whole decks, as logs do."""
    assert lake.stat().st_mode & 0o777 == 0o700
    modes = {path.stat().st_mode & 0o077 for path in lake.rglob("*")}
    assert modes == {0}
