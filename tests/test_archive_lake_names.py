"""A lake without names: pseudonyms in place of whatever tells who played."""

from pathlib import Path

import duckdb
import pytest

from replay.archive import Archive, tables
from replay.archive.lake import (
    Pseudonyms,
    export,
)
from replay.archive.lake import manifest as lakes
from tests.lakes import (
    archive_of_all,
    rows_of_archive,
    small_archive,
    texts,
)
from tests.shelled import paipu

KEY = b"sixteen bytes at least"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of four games, damaged and unreadable ones, one that has grown, one begun in 10889."""
    return archive_of_all(tmp_path_factory.mktemp("of-lakes"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An archive of one log of two hands."""
    return small_archive(tmp_path)


def test_nobody_is_named_in_an_anonymous_lake(archive: Path, tmp_path: Path) -> None:
    """No id or name of a player, no path and no digest of a log stands in any text of any table."""
    export(archive, tmp_path / "lake", pseudonyms=Pseudonyms(KEY))
    logs = [
        dict(zip(dict(tables.LOGS), row, strict=True)) for row in rows_of_archive(archive, "logs")
    ]
    told = {
        name for row in logs for name in (*(row["player_ids"] or ()), *(row["player_names"] or ()))
    }
    told |= {row["path"] for row in logs} | {row["sha256"] for row in logs}
    told |= {hand for row in logs for hand in row["hand_ids"]}
    told |= {row[key] for row in logs for key in ("file_id", "head_leaf", "last_leaf") if row[key]}
    told |= {row[key] for row in logs for key in ("producer", "rules_version") if row[key]}
    assert told
    for table in tables.TABLES:
        for text in texts(tmp_path / "lake", table):
            assert text not in told, table
            assert not any(name in text for name in "甲乙丙丁"), table


def test_pseudonyms_keep_apart_and_together_what_was(archive: Path, tmp_path: Path) -> None:
    """As many players and hands as before, and every join gives as many rows."""
    export(archive, tmp_path / "lake", pseudonyms=Pseudonyms(KEY))
    sql = """
        SELECT count(DISTINCT player_id), count(DISTINCT player_name), count(DISTINCT hand_id),
            (SELECT count(*) FROM {plays} JOIN {hands} USING (hand_id)),
            (SELECT count(*) FROM {logs} JOIN {files} USING (path)),
            (SELECT count(*) FROM {logs}, unnest(player_ids) AS p(id) WHERE id IN
                (SELECT player_id FROM {seats}))
        FROM {seats}
    """
    there = {name: f"'{tmp_path}/lake/{name}/**/*.parquet'" for name in tables.TABLES}
    with duckdb.connect() as con, Archive.open(archive) as source:
        asked = sql.format(**{name: name for name in tables.TABLES})
        assert (
            con.execute(sql.format(**there)).fetchall() == source.cursor().execute(asked).fetchall()
        )


def test_one_key_gives_one_pseudonym(small: Path, tmp_path: Path) -> None:
    """Two exports by one key agree, by another they do not; without a key each has its own."""
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "other").write_bytes(KEY[::-1])
    sums = []
    for number, words in enumerate((["--key", tmp_path / "key"], ["--key", tmp_path / "key"])):
        target = tmp_path / f"lake{number}"
        assert paipu("export", small, target, "--anonymous", *words).status == 0
        sums.append((target / "SHA256SUMS").read_bytes())
    assert sums[0] == sums[1]
    marks = {lakes.read(tmp_path / "lake0")[0].pseudonyms}
    for number, words in enumerate((["--key", tmp_path / "other"], [], [])):
        target = tmp_path / f"more{number}"
        assert paipu("export", small, target, "--anonymous", *words).status == 0
        marks.add(lakes.read(target)[0].pseudonyms)
    assert len(marks) == 4
