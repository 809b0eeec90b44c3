"""What becomes of files that are known: not read, replaced, cut, moved, gone, back again."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from replay import regular
from replay.archive import Change, Manner, Summary, index, ingest, workers
from replay.archive import writer as writer_module
from tests import archives
from tests.archives import contents, hands, indexed, live, rows

COUNTS = "SELECT (SELECT count(*) FROM logs), count(*), count(DISTINCT hand_id) FROM hands"
PRUNE = Manner(prune=True)
LONG_AGO = 1_700_000_000_000_000_000


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


@pytest.fixture
def no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system whose clock is so fine that no two changes fall on one tick."""
    monkeypatch.setattr("replay.archive.stamps.UNSURE_NS", -(10**18))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that are opened, as they are."""
    opened: list[str] = []
    really = regular._without_waiting

    def counted(path: str, flags: int) -> int:
        opened.append(Path(path).name)
        return really(path, flags)

    monkeypatch.setattr(regular, "_without_waiting", counted)
    return opened


def kinds(summary: Summary) -> list[tuple[str, str]]:
    """What was said of which file."""
    return [(change.kind, Path(change.path).name) for change in summary.changes]


# Unchanged


@pytest.mark.usefixtures("no_tick")
def test_an_unchanged_file_is_not_opened(logs: Path, archive: Path, read: list[str]) -> None:
    """Size and times as they were; the others are read, and `rehash` reads every one."""
    live(logs / "a.paipu", hands(1))
    live(logs / "b.paipu", hands(1, seed=2), 2)
    indexed(archive, logs)
    read.clear()
    live(logs / "b.paipu", hands(2, seed=2), 2)
    summary = indexed(archive, logs)
    assert (set(read), summary.unchanged, summary.grown) == ({"b.paipu"}, 1, 1)
    read.clear()
    before = contents(archive)
    assert index(archive, [logs], manner=Manner(rehash=True)).unchanged == 2
    assert set(read) == {"a.paipu", "b.paipu"}
    assert contents(archive) == before


def test_times_of_a_file_changed_just_now_are_not_trusted(
    logs: Path, archive: Path, read: list[str]
) -> None:
    """A further change on the same tick of the clock would leave the same times behind."""
    log = live(logs / "a.paipu", hands(1))
    indexed(archive, logs)
    assert rows(archive, "SELECT modified_ns, changed_ns FROM files") == [(None, None)]
    read.clear()
    assert indexed(archive, logs).unchanged == 1
    assert read == ["a.paipu"]
    os.utime(log, ns=(time.time_ns(), time.time_ns() + 10**12))
    assert indexed(archive, logs).unchanged == 1
    assert rows(archive, "SELECT modified_ns FROM files") == [(None,)]


@pytest.mark.usefixtures("no_tick")
def test_a_change_is_seen_though_its_times_were_set_back(logs: Path, archive: Path) -> None:
    """Who writes a file and sets its time back cannot set the system's own time back."""
    log = live(logs / "a.paipu", hands(1))
    os.utime(log, ns=(LONG_AGO, LONG_AGO))
    indexed(archive, logs)
    assert rows(archive, "SELECT modified_ns FROM files") == [(LONG_AGO,)]
    data = bytearray(log.read_bytes())
    data[-20] ^= 1
    log.write_bytes(data)
    os.utime(log, ns=(LONG_AGO, LONG_AGO))
    assert indexed(archive, logs).unchanged == 0


@pytest.mark.usefixtures("no_tick")
def test_times_alone_are_written_down_when_much_was_read_in_vain(
    logs: Path, archive: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A touched file is read; a small one is no reason to write the catalogue anew."""
    log = live(logs / "a.paipu", hands(1))
    indexed(archive, logs)
    before = contents(archive)
    os.utime(log, ns=(LONG_AGO, LONG_AGO))
    assert indexed(archive, logs).unchanged == 1
    assert contents(archive) == before
    monkeypatch.setattr(writer_module, "STAMPS_WORTH", 1)
    indexed(archive, logs)
    assert rows(archive, "SELECT modified_ns FROM files") == [(LONG_AGO,)]
    read.clear()
    assert indexed(archive, logs).unchanged == 1
    assert read == []


# Changed


def test_a_path_with_another_log_leaves_the_first_in_place(logs: Path, archive: Path) -> None:
    """A path reused for another match: both matches stand, the path belongs to the second."""
    log = live(logs / "a.paipu", hands(1))
    indexed(archive, logs)
    live(log, hands(1, seed=2), 2)
    summary = indexed(archive, logs)
    assert (kinds(summary), summary.added) == ([("replaced", "a.paipu")], 1)
    assert rows(archive, COUNTS) == [(2, 2, 2)]
    assert rows(archive, "SELECT log_id FROM files") == [(2,)]


def test_a_log_that_was_cut_loses_nothing(logs: Path, archive: Path) -> None:
    """Fewer hands than before at the same path: said, and the archive keeps every hand."""
    log = live(logs / "a.paipu", hands(3))
    indexed(archive, logs)
    live(log, hands(3)[:1])
    assert kinds(indexed(archive, logs)) == [("shrunk", "a.paipu")]
    assert rows(archive, COUNTS) == [(1, 3, 3)]
    assert kinds(index(archive, [logs], manner=PRUNE)) == []
    assert rows(archive, COUNTS) == [(1, 3, 3)]


def test_a_log_that_was_spoilt_loses_nothing(logs: Path, archive: Path) -> None:
    """Bytes that are no log where one was: said with the reason; its hands are not forgotten."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    log.write_bytes(b"spoilt")
    summary = indexed(archive, logs)
    assert kinds(summary) == [("unreadable", "a.paipu")]
    assert summary.changes[0].damage is not None
    assert kinds(index(archive, [logs], manner=PRUNE)) == [("still_unreadable", "a.paipu")]
    assert rows(archive, "SELECT count(*) FROM hands") == [(2,)]


def test_grown_logs_are_named_with_their_new_hands(logs: Path, archive: Path) -> None:
    """The change says how many hands came in, not how many the log has; so do the sums."""
    log = live(logs / "a.paipu", hands(3)[:1])
    indexed(archive, logs)
    live(log, hands(3))
    assert indexed(archive, logs).changes == [Change("grown", str(log), hands=2)]


def test_changes_are_told_at_once_and_news_only_so(logs: Path, archive: Path) -> None:
    """Who listens hears of new files and copies too, which the summary only counts."""
    live(logs / "a.paipu", hands(2))
    archives.sealed(logs / "b.paipu", hands(2))
    live(logs / "c.paipu", hands(2)[:1])
    heard: list[Change] = []
    summary = index(archive, [logs], manner=Manner(told=heard.append))
    assert [(change.kind, Path(change.path).name) for change in heard] == [
        ("added", "a.paipu"),
        ("copy", "b.paipu"),
        ("part", "c.paipu"),
    ]
    assert summary.changes == []


# Moved, gone, and back


def test_a_moved_log_is_found_again(logs: Path, archive: Path) -> None:
    """At a new path, the old one gone: the same log, which is now said to be there."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    log.rename(logs / "moved.paipu")
    summary = indexed(archive, logs)
    assert summary.changes == [Change("moved", str(log), str(logs / "moved.paipu"))]
    assert (summary.moved, summary.copies, summary.added, summary.vanished) == (1, 0, 0, 0)
    assert rows(archive, "SELECT path FROM logs") == [(str(logs / "moved.paipu"),)]
    assert rows(archive, "SELECT path[-11:], standing FROM files") == [("moved.paipu", "indexed")]
    assert rows(archive, COUNTS) == [(1, 2, 2)]


def test_a_log_that_was_renamed_and_has_grown_is_both(logs: Path, archive: Path) -> None:
    """As when a recorder gives the finished file its name."""
    log = live(logs / "a.paipu", hands(3)[:1])
    indexed(archive, logs)
    log.unlink()
    live(logs / "b.paipu", hands(3))
    assert kinds(indexed(archive, logs)) == [("grown", "b.paipu"), ("moved", "a.paipu")]
    assert rows(archive, "SELECT path[-7:], standing FROM files") == [("b.paipu", "indexed")]
    assert rows(archive, COUNTS) == [(1, 3, 3)]


def test_a_log_that_is_gone_keeps_its_hands_and_is_said_once(logs: Path, archive: Path) -> None:
    """The archive marks it; a run over other folders says nothing of it."""
    log = live(logs / "a.paipu", hands(2))
    live(logs / "b.paipu", hands(1, seed=2), 2)
    indexed(archive, logs)
    log.unlink()
    assert kinds(indexed(archive, logs / "b.paipu")) == []
    summary = indexed(archive, logs)
    assert (summary.changes, summary.vanished) == ([Change("vanished", str(log))], 1)
    assert rows(archive, "SELECT path FROM files WHERE gone_at IS NOT NULL") == [(str(log),)]
    assert rows(archive, "SELECT path FROM logs ORDER BY log_id LIMIT 1") == [(str(log),)]
    assert rows(archive, COUNTS) == [(2, 3, 3)]
    before = contents(archive)
    assert indexed(archive, logs).changes == []
    assert contents(archive) == before


def test_a_log_that_is_back_is_said_to_be(logs: Path, archive: Path) -> None:
    """The same bytes at the same path: nothing is verified again, the mark is taken away."""
    log = live(logs / "a.paipu", hands(2))
    data = log.read_bytes()
    indexed(archive, logs)
    log.unlink()
    indexed(archive, logs)
    log.write_bytes(data)
    summary = indexed(archive, logs)
    assert (kinds(summary), summary.hands) == ([("returned", "a.paipu")], 0)
    assert rows(archive, "SELECT standing, gone_at FROM files") == [("indexed", None)]


def test_a_copy_takes_the_place_of_a_log_that_is_gone(logs: Path, archive: Path) -> None:
    """Boards are opened from the copy; said with its path."""
    log = live(logs / "a.paipu", hands(2))
    copy = archives.sealed(logs / "b.paipu", hands(2))
    indexed(archive, logs)
    log.unlink()
    assert indexed(archive, logs).changes == [Change("vanished", str(log), str(copy))]
    assert rows(archive, "SELECT path FROM logs") == [(str(copy),)]
    assert rows(archive, "SELECT path, standing FROM files") == [(str(copy), "indexed")]


def test_what_is_no_log_goes_with_its_file(logs: Path, archive: Path) -> None:
    """An unreadable file that was removed leaves nothing behind, and that is said."""
    bad = logs / "bad.paipu"
    bad.write_bytes(b"?")
    live(logs / "a.paipu", hands(1))
    indexed(archive, logs)
    bad.unlink()
    assert kinds(indexed(archive, logs)) == [("forgotten", "bad.paipu")]
    assert rows(archive, "SELECT count(*), count(error) FROM logs") == [(1, 0)]


def test_a_file_that_was_named_and_still_stands_is_not_gone(logs: Path, archive: Path) -> None:
    """Folders are searched by file name; what has another name is looked for itself."""
    odd = live(logs / "log.bin", hands(1))
    indexed(archive, odd)
    live(logs / "a.paipu", hands(1, seed=2), 2)
    assert indexed(archive, logs).changes == []


def test_logs_in_a_folder_that_cannot_be_read_are_not_gone(
    logs: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is named, with the reason; nothing is said of what stands there."""
    inner = logs / "inner"
    inner.mkdir()
    live(inner / "a.paipu", hands(1))
    indexed(archive, logs)
    really = os.scandir

    def refused(path: str) -> object:
        if str(path) == str(inner):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    monkeypatch.setattr(os, "scandir", refused)
    summary = indexed(archive, logs)
    assert summary.changes == [Change("unlisted", str(inner), "Permission denied")]
    assert str(inner) in summary.problems[0]


# Files that change under the reader


def test_a_file_that_is_taken_away_in_mid_run_was_not_found(
    logs: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between finding and reading: it leaves no row, and nothing is wrong."""
    live(logs / "a.paipu", hands(1))
    log = live(logs / "b.paipu", hands(1, seed=2), 2)
    look: Callable[..., object] = ingest.glance

    def gone(path: str) -> object:
        log.unlink(missing_ok=True)
        return look(path)

    monkeypatch.setattr(workers, "glance", gone)
    summary = indexed(archive, logs)
    assert (summary.files, summary.added, summary.unreadable) == (1, 1, 0)
    assert rows(archive, "SELECT count(*) FROM logs") == [(1,)]
