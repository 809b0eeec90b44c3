"""index(): what becomes of new, unchanged, grown, copied, conflicting and unreadable files."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.archive import ArchiveError, Change, Progress, index
from schema.events import HandStarted
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import Recovered
from tests import archives, builders
from tests.archives import contents, hands, indexed, live, rows

COUNTS = """
    SELECT (SELECT count(*) FROM logs), (SELECT count(*) FROM hands), (SELECT count(*) FROM seats),
        (SELECT count(DISTINCT hand_id) FROM plays), (SELECT count(DISTINCT hand_id) FROM tricks)
"""


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


def first_hands(n_hands: int) -> bytes:
    """A live log's bytes up to the end of its first hands."""
    return builders.live_log(hands(3)[:n_hands], archives.head())


def test_a_new_log_is_stored_with_all_its_hands(logs: Path, archive: Path) -> None:
    """Every hand has its row, four seats, tricks and plays, under the log's identity."""
    live(logs / "a.paipu", hands(3))
    summary = indexed(archive, logs)
    assert (summary.files, summary.added, summary.hands) == (1, 1, 3)
    assert rows(archive, COUNTS) == [(1, 3, 12, 3, 3)]
    ((path, file_id, last_leaf, ids, conflict),) = rows(
        archive, "SELECT path, file_id, last_leaf, hand_ids, conflict FROM logs"
    )
    assert (path, file_id, conflict) == (str(logs / "a.paipu"), archives.head().file_id.hex(), [])
    assert [
        hand_id for (hand_id,) in rows(archive, "SELECT hand_id FROM hands ORDER BY hand")
    ] == ids
    assert last_leaf.startswith(ids[-1])


def test_indexing_again_changes_nothing(logs: Path, archive: Path) -> None:
    """A second run finds every file unchanged and leaves every byte of the archive alone."""
    live(logs / "a.paipu", hands(2))
    (logs / "b.paipu").write_bytes(b"no log at all")
    indexed(archive, logs)
    before = contents(archive)
    summary = indexed(archive, logs)
    assert (summary.unchanged, summary.added, summary.unreadable) == (1, 0, 1)
    assert contents(archive) == before


def test_touching_or_rewriting_the_same_bytes_is_no_change(logs: Path, archive: Path) -> None:
    """What counts is the digest of the bytes, not the time of the file."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    before = contents(archive)
    data = log.read_bytes()
    log.unlink()
    log.write_bytes(data)
    indexed(archive, logs)
    assert contents(archive) == before


def test_same_size_and_time_do_not_hide_a_change(logs: Path, archive: Path) -> None:
    """A byte changed in place, with size and time restored, is seen."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    stat = log.stat()
    data = bytearray(log.read_bytes())
    data[20] ^= 1
    log.write_bytes(data)
    os.utime(log, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert indexed(archive, logs).unchanged == 0


def test_a_grown_log_replaces_what_it_was(logs: Path, archive: Path) -> None:
    """More hands in the same file: one log, each hand once, the old number gone."""
    live(logs / "a.paipu", hands(4)[:2])
    indexed(archive, logs)
    live(logs / "a.paipu", hands(4))
    summary = indexed(archive, logs)
    assert (summary.grown, summary.added, summary.conflicts) == (1, 0, 0)
    assert rows(archive, COUNTS) == [(1, 4, 16, 4, 4)]
    assert rows(archive, "SELECT hands, len(hand_ids), conflict FROM logs") == [(4, 4, [])]
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(4, 4)]


def test_a_log_that_grows_within_one_run_is_stored_once(logs: Path, archive: Path) -> None:
    """An early copy and the finished log, found together, are one log in whatever order."""
    live(logs / "a.paipu", hands(3)[:1])
    live(logs / "b.paipu", hands(3))
    live(logs / "c.paipu", hands(3)[:2])
    indexed(archive, logs)
    assert rows(archive, COUNTS) == [(1, 3, 12, 3, 3)]
    found = rows(archive, "SELECT path[-7:], standing FROM files ORDER BY path")
    assert found == [("a.paipu", "part"), ("b.paipu", "indexed"), ("c.paipu", "part")]


def test_an_older_copy_brings_nothing(logs: Path, archive: Path) -> None:
    """A file that holds only the first hands of a known log is noted as a part of it."""
    live(logs / "whole.paipu", hands(3))
    indexed(archive, logs)
    live(logs / "older.paipu", hands(3)[:2])
    summary = indexed(archive, logs)
    assert (summary.copies, summary.added) == (1, 0)
    assert rows(archive, COUNTS) == [(1, 3, 12, 3, 3)]
    assert rows(archive, "SELECT standing FROM files ORDER BY path") == [("part",), ("indexed",)]


def test_other_forms_of_a_log_are_the_same_log(logs: Path, archive: Path) -> None:
    """Live, sealed and text hold the same leaves: one log, three files."""
    live(logs / "a.paipu", hands(2))
    archives.sealed(logs / "b.paipu", hands(2))
    archives.text(logs / "c.paipu.jsonl", hands(2))
    indexed(archive, logs)
    assert rows(archive, COUNTS) == [(1, 2, 8, 2, 2)]
    found = rows(archive, "SELECT form, standing FROM files ORDER BY path")
    assert found == [("live", "indexed"), ("sealed", "copy"), ("text", "copy")]


def test_conflicting_copies_are_both_kept_and_named(logs: Path, archive: Path) -> None:
    """Two files of one match that part ways: shared hands once, each log names the other."""
    common = hands(4)[:2]
    live(logs / "a.paipu", [*common, *hands(4)[2:]])
    live(logs / "b.paipu", [*common, archives.with_false_trick(hands(4)[2])])
    summary = indexed(archive, logs)
    assert summary.conflicts == 1
    assert "b.paipu" in summary.problems[0]
    found = rows(archive, "SELECT log_id, conflict, hands FROM logs ORDER BY log_id")
    assert found == [(1, [2], 4), (2, [1], 3)]
    stored = rows(
        archive, "SELECT log_id, list(hand ORDER BY hand) FROM hands GROUP BY 1 ORDER BY 1"
    )
    assert stored == [(1, [0, 1, 2, 3]), (2, [2])]
    assert rows(archive, "SELECT count(*) - count(DISTINCT hand_id) FROM hands") == [(0,)]


def test_conflicts_survive_growth(logs: Path, archive: Path) -> None:
    """When one of two conflicting copies grows, both still stand, and every hand once."""
    live(logs / "a.paipu", hands(4)[:3])
    live(logs / "b.paipu", [*hands(4)[:2], archives.with_false_trick(hands(4)[2])])
    indexed(archive, logs)
    live(logs / "a.paipu", hands(4))
    indexed(archive, logs)
    assert rows(archive, "SELECT hands, len(conflict) FROM logs ORDER BY hands") == [(3, 1), (4, 1)]
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(5, 5)]


def test_a_hand_pasted_into_another_match_is_stored_once(logs: Path, archive: Path) -> None:
    """The same hand, byte for byte, in a log of another match stays with the first log."""
    first = live(logs / "a.paipu", hands(2))
    with open(first, "rb") as stream:
        hand = open_log(stream).hand(0)
    writer = LiveWriter(archives.head(7))
    data = writer.start()
    writer.last_leaf = hand.prev  # what a forger does
    data += b"".join(writer.event(event) for event in hand.events)
    (logs / "b.paipu").write_bytes(data)
    indexed(archive, logs)
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(2, 2)]
    assert rows(archive, "SELECT len(hand_ids) FROM logs ORDER BY log_id") == [(2,), (1,)]
    found = rows(archive, "SELECT path[-7:], rule FROM findings JOIN logs USING (log_id)")
    assert found == [("b.paipu", "format.chain_broken")]


def test_a_hand_in_progress_waits(logs: Path, archive: Path) -> None:
    """Of a live file only committed hands are stored; the log says that one is being played."""
    begun = hands(2)[1][:10]
    live(logs / "a.paipu", [hands(2)[0], begun])
    indexed(archive, logs)
    assert rows(archive, "SELECT hands, in_progress FROM logs") == [(1, True)]
    assert rows(archive, "SELECT count(*) FROM hands") == [(1,)]
    live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    assert rows(archive, "SELECT hands, in_progress, damaged FROM logs") == [(2, False, 0)]
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(2, 2)]


def test_events_of_a_hand_in_progress_change_nothing_but_what_is_said_of_the_file(
    logs: Path, archive: Path
) -> None:
    """The file a log was read from grows within a hand: same rows, newest bytes and digest."""
    log = live(logs / "a.paipu", hands(2)[:1])
    indexed(archive, logs)
    live(log, [hands(2)[0], hands(2)[1][:10]])
    summary = indexed(archive, logs)
    assert (summary.rewritten, summary.changes) == (1, [Change("rewritten", str(log), str(log))])
    found = rows(archive, "SELECT log_id, hands, in_progress, bytes FROM logs")
    assert found == [(1, 1, True, log.stat().st_size)]
    assert rows(archive, "SELECT log_id, standing FROM files") == [(1, "indexed")]


def test_a_file_sealed_in_its_place_is_the_same_log(logs: Path, archive: Path) -> None:
    """At the end of a match the recorder seals the file: no hand is read anew, the form is told."""
    live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    archives.sealed(logs / "a.paipu", hands(2))
    assert indexed(archive, logs).rewritten == 1
    assert rows(archive, "SELECT log_id, form, hands FROM logs") == [(1, "sealed", 2)]


def test_damage_that_comes_later_is_found(logs: Path, archive: Path) -> None:
    """All hands are still there, but the end of the file is spoilt: the finding is added."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    log.write_bytes(log.read_bytes() + b"\x07spoilt by something")
    indexed(archive, logs)
    assert rows(archive, "SELECT hands, damaged FROM logs") == [(2, 1)]
    assert rows(archive, "SELECT kind FROM findings") == [("integrity",)]
    assert rows(archive, COUNTS) == [(1, 2, 8, 2, 2)]


def test_unreadable_files_stay_with_their_error(logs: Path, archive: Path) -> None:
    """What is no log has a row that says so and where; mended, it becomes a log."""
    live(logs / "good.paipu", hands(1))
    bad = logs / "bad.paipu"
    bad.write_bytes(b"not a log, just text\n")
    summary = indexed(archive, logs)
    assert (summary.added, summary.unreadable) == (1, 1)
    assert "bad.paipu" in summary.problems[0]
    ((path, fault, offset, error),) = rows(
        archive, "SELECT path, fault, fault_offset, error FROM logs WHERE error IS NOT NULL"
    )
    assert (path, fault, offset) == (str(bad), "not_a_log", 0)
    assert "expected" in error
    live(bad, hands(1, seed=2), 2)
    assert indexed(archive, logs).added == 1
    assert rows(archive, "SELECT count(*), count(error) FROM logs") == [(2, 0)]


def test_a_damaged_log_keeps_its_readable_hands_and_names_the_damage(
    logs: Path, archive: Path
) -> None:
    """A flipped bit in the second of three hands: two hands stored, the damage among findings."""
    log = live(logs / "a.paipu", hands(3))
    first = len(first_hands(1))
    data = bytearray(log.read_bytes())
    data[first + 300] ^= 0x10
    log.write_bytes(data)
    indexed(archive, logs)
    assert rows(archive, "SELECT hand FROM hands ORDER BY hand") == [(0,), (2,)]
    found = rows(archive, "SELECT hand_id, kind, rule, byte_offset >= 0 FROM findings")
    assert (None, "integrity", "format.bad_checksum", True) in found


def test_an_intact_copy_takes_the_place_of_a_damaged_one(logs: Path, archive: Path) -> None:
    """The damaged file was first; the whole one holds all its hands and one more."""
    data = bytearray(live(logs / "b.paipu", hands(3)).read_bytes())
    data[len(first_hands(1)) + 300] ^= 0x10
    (logs / "a.paipu").write_bytes(data)
    indexed(archive, logs / "a.paipu")
    indexed(archive, logs)
    assert rows(archive, "SELECT hands, conflict FROM logs") == [(3, [])]
    assert rows(archive, "SELECT hand FROM hands ORDER BY hand") == [(0,), (1,), (2,)]
    assert rows(archive, "SELECT count(*) FROM findings") == [(0,)]


def test_an_empty_log_is_a_log(logs: Path, archive: Path) -> None:
    """A match that has just begun has no hands yet, and grows when it has."""
    live(logs / "a.paipu", [])
    assert indexed(archive, logs).added == 1
    assert rows(archive, "SELECT hands, hand_ids FROM logs") == [(0, [])]
    live(logs / "a.paipu", hands(1))
    assert indexed(archive, logs).grown == 1
    assert rows(archive, COUNTS) == [(1, 1, 4, 1, 1)]


@pytest.mark.parametrize("jobs", [2, 3])
def test_several_processes_store_the_same(logs: Path, tmp_path: Path, jobs: int) -> None:
    """However many processes work, the archive holds the same rows under the same numbers."""
    for number in range(7):
        live(logs / f"{number}.paipu", hands(2, seed=number), number)
    live(logs / "8.paipu", hands(2, seed=1)[:1], 1)
    (logs / "9.paipu").write_bytes(b"?")
    one, many = tmp_path / "one", tmp_path / "many"
    assert indexed(one, logs) == indexed(many, logs, jobs=jobs)
    for table in ("hands", "seats", "tricks", "plays", "findings"):
        sql = f"SELECT * FROM {table} ORDER BY ALL"
        assert rows(one, sql) == rows(many, sql)
    sql = "SELECT * EXCLUDE indexed_at FROM logs ORDER BY log_id"
    assert rows(one, sql) == rows(many, sql)


def test_progress_counts_every_file_once(logs: Path, archive: Path) -> None:
    """Progress is reported for each file, whatever becomes of it, up to all of them."""
    live(logs / "a.paipu", hands(1))
    live(logs / "b.paipu", hands(1))
    (logs / "c.paipu").write_bytes(b"?")
    seen: list[Progress] = []
    index(archive, [logs], progress=seen.append)
    done = [told for told in seen if told.path]
    assert [told.files for told in done] == [1, 2, 3]
    assert {Path(told.path).name for told in done} == {"a.paipu", "b.paipu", "c.paipu"}
    size = sum(path.stat().st_size for path in logs.iterdir())
    assert {(told.n_files, told.n_bytes) for told in seen} == {(3, size)}
    last = seen[-1]
    assert (last.bytes, last.hands) == (size, 1)
    assert rows(archive, "SELECT count(*) FROM plays") == [(last.plays,)]


def test_only_logs_are_looked_for_in_folders(logs: Path, archive: Path) -> None:
    """In folders the name decides and archives are left alone; a file named is always taken."""
    live(logs / "a.paipu", hands(1))
    (logs / "notes.txt").write_text("notes")
    deep = logs / "deep" / "er"
    deep.mkdir(parents=True)
    live(deep / "b.paipu", hands(1, seed=2), 2)
    other = live(logs / "log.bin", hands(1, seed=3), 3)
    indexed(logs / "inner", logs)
    assert indexed(archive, logs).files == 2
    assert indexed(archive, logs, other).added == 1


def test_what_is_not_there_is_said(archive: Path, tmp_path: Path) -> None:
    """A path that does not exist is an error before anything is written."""
    with pytest.raises(ArchiveError, match="nowhere: no such file or folder"):
        indexed(archive, tmp_path / "nowhere")
    assert not archive.exists()


def test_a_folder_with_other_things_is_not_made_an_archive(logs: Path, tmp_path: Path) -> None:
    """Somebody's folder without a MANIFEST is refused and left as it is."""
    live(logs / "a.paipu", hands(1))
    with pytest.raises(ArchiveError, match="neither an archive"):
        indexed(logs, logs)
    assert [path.name for path in logs.iterdir()] == ["a.paipu"]


def test_numbers_that_no_match_reaches_are_kept_as_they_are(logs: Path, archive: Path) -> None:
    """The highest index and times that the format allows have their rows like any other."""
    last = 2**48
    hand = [HandStarted(bytes(32), last), *hands(1)[0][1:]]
    writer = LiveWriter(replace(archives.head(), created=last))
    data = writer.start()
    gap = Recovered(0, 0, last - 1, 0, bytes(32), last, "all lost")
    data += writer.recovered(gap) + b"".join(writer.event(event) for event in hand)
    (logs / "a.paipu").write_bytes(data)
    indexed(archive, logs)
    assert rows(archive, "SELECT epoch_ms(created), damaged FROM logs") == [(last, 1)]
    assert rows(archive, "SELECT hand, epoch_ms(started_at) FROM hands") == [(last - 1, last)]
    assert rows(archive, "SELECT rule FROM findings WHERE hand IS NOT NULL") != []
