"""Taking out of an archive what has vanished: all of it, nothing else, and every step is said."""

from pathlib import Path

import pytest

from replay.archive import Archive, ArchiveError, Change, Manner, Summary, index
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from tests import archives
from tests.archives import hands, indexed, live, rows

COUNTS = "SELECT (SELECT count(*) FROM logs), count(*), count(DISTINCT hand_id) FROM hands"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder for logs."""
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Where the archive is to be."""
    return tmp_path / "archive"


def pruned(archive: Path, *paths: Path) -> Summary:
    """An index run that takes out what has vanished."""
    return index(archive, paths, manner=Manner(prune=True))


def kinds(summary: Summary) -> list[tuple[str, str]]:
    """What was said of which file."""
    return [(change.kind, Path(change.path).name) for change in summary.changes]


def test_what_has_vanished_is_forgotten_if_asked(logs: Path, archive: Path) -> None:
    """The archive is then as one made anew of what is left."""
    for number in range(3):
        live(logs / f"{number}.paipu", hands(2, seed=number), number)
    indexed(archive, logs)
    (logs / "1.paipu").unlink()
    live(logs / "2.paipu", hands(1, seed=9), 9)
    summary = pruned(archive, logs)
    assert kinds(summary) == [
        ("replaced", "2.paipu"),
        ("vanished", "1.paipu"),
        ("forgotten", "1.paipu"),
        ("forgotten", "2.paipu"),
    ]
    assert summary.forgotten == 2
    anew = archive.with_name("anew")
    indexed(anew, logs)
    sql = "SELECT hand_id, event, cards FROM plays ORDER BY ALL"
    assert rows(archive, sql) == rows(anew, sql)
    sql = "SELECT path, file_id, hands, conflict FROM logs ORDER BY path"
    assert rows(archive, sql) == rows(anew, sql)


def test_what_is_forgotten_is_gone_from_the_segments_too(logs: Path, archive: Path) -> None:
    """SQL can name a segment, and its file can be opened by anybody who is given it."""
    for number in range(5):
        live(logs / f"{number}.paipu", hands(2, seed=number), number)
    indexed(archive, logs)
    (logs / "1.paipu").unlink()
    pruned(archive, logs)
    with Archive.open(archive) as opened:
        raw = [
            row[0]
            for (database,) in opened.query(
                "SELECT DISTINCT database_name FROM duckdb_tables() WHERE table_name = 'plays'"
            )
            for row in opened.query(f"SELECT DISTINCT hand_id FROM {database}.plays")
        ]
        shown = [row[0] for row in opened.query("SELECT hand_id FROM hands")]
    assert sorted(raw) == sorted(shown)
    assert len(shown) == 8


def test_hands_that_another_log_holds_are_not_forgotten(logs: Path, archive: Path) -> None:
    """They stood under the log that is taken out: the other one is read again, at once."""
    first = live(logs / "a.paipu", hands(3))
    live(logs / "b.paipu", [*hands(3)[:2], archives.with_false_trick(hands(3)[2])])
    indexed(archive, logs)
    assert rows(archive, "SELECT count(*) FROM hands WHERE log_id = 2") == [(1,)]
    first.unlink()
    summary = pruned(archive, logs)
    assert kinds(summary) == [("vanished", "a.paipu"), ("forgotten", "a.paipu")]
    assert (summary.added, summary.hands) == (0, 0)
    assert rows(archive, COUNTS) == [(1, 3, 3)]
    assert rows(archive, "SELECT path[-7:], conflict FROM logs") == [("b.paipu", [])]
    assert indexed(archive, logs).unchanged == 1


def test_hands_that_cannot_be_read_again_are_kept_and_that_is_said(
    logs: Path, archive: Path, tmp_path: Path
) -> None:
    """The other log that holds them is gone from a folder that was not looked through."""
    first = live(logs / "a.paipu", hands(2))
    live(logs / "c.paipu", hands(1, seed=2), 2)
    with open(first, "rb") as stream:
        hand = open_log(stream).hand(0)
    writer = LiveWriter(archives.head(7))
    data = writer.start()
    writer.last_leaf = hand.prev
    data += b"".join(writer.event(event) for event in hand.events)
    other = tmp_path / "other.paipu"
    other.write_bytes(data)
    indexed(archive, logs)
    indexed(archive, other)
    first.unlink()
    other.unlink()
    summary = pruned(archive, logs)
    assert summary.changes == [
        Change("vanished", str(first)),
        Change("kept", str(first), str(other)),
    ]
    assert rows(archive, COUNTS) == [(3, 3, 3)]


def test_a_part_of_a_forgotten_log_that_is_left_becomes_a_log(logs: Path, archive: Path) -> None:
    """Its hands stood under the whole log; they are read again from what is left."""
    whole = live(logs / "whole.paipu", hands(3))
    live(logs / "part.paipu", hands(3)[:1])
    indexed(archive, logs)
    whole.unlink()
    pruned(archive, logs)
    assert rows(archive, COUNTS) == [(1, 1, 1)]
    assert rows(archive, "SELECT path[-10:], standing FROM files") == [("part.paipu", "indexed")]


def test_an_empty_folder_is_no_reason_to_forget_everything(logs: Path, archive: Path) -> None:
    """As a disk that is not mounted looks: an error, and the archive keeps what it has."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    log.unlink()
    with pytest.raises(ArchiveError, match="none of the 1 logs known there"):
        pruned(archive, logs)
    assert rows(archive, COUNTS) == [(1, 2, 2)]
