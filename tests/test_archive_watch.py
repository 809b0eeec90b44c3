"""Following a live folder: what is new comes in, half a file waits, and others may write too."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.archive import Archive, ArchiveError, Change, Manner, Summary, index
from replay.archive.indexing import crew
from replay.archive.locking import Busy
from replay.archive.stamps import stamp_of
from replay.archive.watch import Watcher, watch
from replay.archive.workers import Crew
from replay.archive.writer import Writer
from replay.reader import HandQuery
from replay.reader.archived import ArchiveReader
from replay.recorder import Recorder
from tests import archives, builders
from tests.archives import contents, hands, indexed, live, rows

ROOT = Path(__file__).parent.parent
QUIET = 3600.0
"""Seconds; longer than any test takes, so that only the clock of the test ends it."""
HANDS = "SELECT count(*), count(DISTINCT hand_id) FROM hands"
OF_LIVE = "FROM logs WHERE path LIKE '%/live.paipu'"


def hire_for(_: int) -> Crew:
    """This process works."""
    return crew(1)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        """Nanoseconds."""
        return self.now

    def wait(self) -> None:
        """So long that every file is quiet."""
        self.now += int(2e9 * QUIET)


@pytest.fixture
def clock() -> Clock:
    """The clock of the watcher."""
    return Clock()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one log."""
    folder = tmp_path / "logs"
    folder.mkdir()
    live(folder / "a.paipu", hands(2))
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Where the archive is to be."""
    return tmp_path / "archive"


@pytest.fixture
def watcher(archive: Path, logs: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Watcher:
    """One that has looked once, on a file system where no two changes fall on one tick."""
    monkeypatch.setattr("replay.archive.stamps.UNSURE_NS", -(10**18))
    made = Watcher(archive, [logs], QUIET, clock=clock)
    assert looked(made).added == 1
    return made


def looked(watcher: Watcher) -> Summary:
    """What a look that has something to do finds."""
    summary = watcher.look(hire_for)
    assert summary is not None
    return summary


def kinds(summary: Summary) -> list[tuple[str, str]]:
    """What was said of which file."""
    return [(change.kind, Path(change.path).name) for change in summary.changes]


# Looking


def test_where_nothing_changes_the_archive_is_left_alone(watcher: Watcher, archive: Path) -> None:
    """Neither read nor locked: somebody else may be writing it."""
    before = contents(archive)
    with Writer(archive):
        assert watcher.look(hire_for) is None
    assert contents(archive) == before


def test_a_live_log_is_followed_hand_by_hand(
    watcher: Watcher, logs: Path, archive: Path, clock: Clock
) -> None:
    """As the recorder writes it, its hand in progress and its sealing included."""
    path = logs / "live.paipu"
    head = replace(builders.head(), file_id=bytes(15) + b"\x09")
    recorder = Recorder.create(path, head)
    assert kinds(looked(watcher)) == []
    for number, hand in enumerate(hands(3, seed=9), 1):
        half = len(hand) // 2
        for event in hand[:half]:
            recorder.write(event)
        looked(watcher)
        assert rows(
            archive, "SELECT hands, in_progress FROM logs WHERE path LIKE '%/live.paipu'"
        ) == [(number - 1, True)]
        for event in hand[half:]:
            recorder.write(event)
        assert ("grown", "live.paipu") in kinds(looked(watcher))
        assert rows(archive, HANDS) == [(2 + number, 2 + number)]
    recorder.close()
    archives.sealed(path, hands(3, seed=9), 9)
    assert watcher.look(hire_for) is None
    clock.wait()
    assert kinds(looked(watcher)) == [("rewritten", "live.paipu")]
    assert rows(
        archive, "SELECT form, hands, damaged FROM logs WHERE path LIKE '%/live.paipu'"
    ) == [("sealed", 3, 0)]
    assert rows(archive, "SELECT count(*) FROM findings") == [(0,)]


def test_half_a_file_waits_until_it_is_whole(
    watcher: Watcher, logs: Path, archive: Path, tmp_path: Path, clock: Clock
) -> None:
    """A sealed log and a text that are being copied: never taken for damaged ones."""
    sealed = archives.sealed(tmp_path / "s", hands(2, seed=3), 3).read_bytes()
    text = archives.text(tmp_path / "t", hands(2, seed=4), 4).read_bytes()
    for part in (3, 2):
        (logs / "s.paipu").write_bytes(sealed[: len(sealed) // part])
        (logs / "t.paipu.jsonl").write_bytes(text[: len(text) // part])
        assert watcher.look(hire_for) is None
        assert rows(archive, "SELECT count(*), count(error) FROM logs") == [(1, 0)]
    (logs / "s.paipu").write_bytes(sealed)
    (logs / "t.paipu.jsonl").write_bytes(text)
    assert watcher.look(hire_for) is None
    clock.wait()
    assert looked(watcher).added == 2
    assert rows(archive, "SELECT count(*) FROM findings") == [(0,)]
    assert rows(archive, HANDS) == [(6, 6)]


def test_a_live_log_cut_in_an_event_waits(watcher: Watcher, logs: Path, archive: Path) -> None:
    """What a look in the middle of a write sees is no finding."""
    data = live(logs / "b.paipu", hands(2, seed=2), 2).read_bytes()
    (logs / "b.paipu").write_bytes(data[:-7])
    assert watcher.look(hire_for) is None
    (logs / "b.paipu").write_bytes(data)
    assert looked(watcher).added == 1
    assert rows(archive, HANDS) == [(4, 4)]
    assert rows(archive, "SELECT count(*) FROM findings") == [(0,)]


def test_what_stays_damaged_is_stored_with_its_findings(
    watcher: Watcher, logs: Path, archive: Path, clock: Clock
) -> None:
    """It waits for a while only."""
    data = live(logs / "b.paipu", hands(2, seed=2), 2).read_bytes()
    (logs / "b.paipu").write_bytes(data[:-7])
    (logs / "c.paipu").write_bytes(b"no log")
    assert watcher.look(hire_for) is None
    clock.wait()
    summary = looked(watcher)
    assert (summary.added, summary.unreadable) == (1, 1)
    assert rows(archive, "SELECT rule FROM findings") == [("format.torn_tail",)]


def test_renames_removals_and_files_that_come_back(
    watcher: Watcher, logs: Path, archive: Path
) -> None:
    """Each is said when it is seen, and the hands stay."""
    first = logs / "a.paipu"
    first.rename(logs / "b.paipu")
    assert kinds(looked(watcher)) == [("moved", "a.paipu")]
    data = (logs / "b.paipu").read_bytes()
    (logs / "b.paipu").unlink()
    assert kinds(looked(watcher)) == [("vanished", "b.paipu")]
    (logs / "b.paipu").write_bytes(data)
    assert kinds(looked(watcher)) == [("returned", "b.paipu")]
    assert rows(archive, HANDS) == [(2, 2)]


def test_a_log_that_waits_is_not_gone(
    watcher: Watcher, logs: Path, archive: Path, clock: Clock
) -> None:
    """While a known file is being replaced nothing is said of it."""
    whole = archives.sealed(logs / "x", hands(3), 0).read_bytes()
    (logs / "x").unlink()
    (logs / "a.paipu").write_bytes(whole[:500])
    assert watcher.look(hire_for) is None
    (logs / "a.paipu").write_bytes(whole)
    assert watcher.look(hire_for) is None
    live(logs / "b.paipu", hands(1, seed=2), 2)
    assert kinds(looked(watcher)) == []
    clock.wait()
    assert kinds(looked(watcher)) == [("grown", "a.paipu")]
    assert rows(archive, HANDS) == [(4, 4)]


def test_a_busy_archive_is_tried_again(watcher: Watcher, logs: Path, archive: Path) -> None:
    """What was found meanwhile comes in with the next look."""
    live(logs / "b.paipu", hands(1, seed=2), 2)
    with Writer(archive), pytest.raises(Busy):
        watcher.look(hire_for)
    assert looked(watcher).added == 1


def test_others_index_between_two_looks(
    watcher: Watcher, logs: Path, archive: Path, tmp_path: Path
) -> None:
    """The lock is free, and what they added is found there."""
    other = live(tmp_path / "other.paipu", hands(1, seed=2), 2)
    assert indexed(archive, other, logs).added == 1
    live(logs / "c.paipu", hands(1, seed=3), 3)
    assert looked(watcher).added == 1
    assert rows(archive, HANDS) == [(4, 4)]


# Waiting for the lock


def test_who_waits_gets_the_lock_when_it_is_free(archive: Path, logs: Path) -> None:
    """And is told once who has it."""
    heard: list[str] = []
    other = Writer(archive)
    threading.Timer(0.3, other.__exit__, (None, None, None)).start()
    summary = index(archive, [logs], manner=Manner(wait=60, waiting=heard.append))
    assert (summary.added, heard) == (1, [str(os.getpid())])


def test_who_has_waited_long_enough_is_refused(archive: Path, logs: Path) -> None:
    """With the number of the process that writes, and how to wait."""
    with Writer(archive), pytest.raises(Busy, match=rf"process \(number {os.getpid()}\).*--wait"):
        index(archive, [logs], manner=Manner(wait=0.2))


# Until it is ended


class Enough(Exception):
    """Ends a watch."""


def test_a_watch_outlives_a_folder_that_is_away(logs: Path, archive: Path, tmp_path: Path) -> None:
    """A disk that is taken away and comes back: said once; the log is not taken for gone."""
    away = tmp_path / "away"
    seen: list[Summary] = []
    troubles: list[str] = []

    def on_look(summary: Summary, _: float) -> None:
        if not seen:
            logs.rename(away)
            live(away / "b.paipu", hands(1, seed=2), 2)
        seen.append(summary)
        if summary.files == 2:
            raise Enough

    def back_again(trouble: ArchiveError) -> None:
        troubles.append(str(trouble))
        away.rename(logs)

    with pytest.raises(Enough):
        watch(Watcher(archive, [logs], 0.05), 0.05, hire_for, on_look, back_again)
    assert troubles == [f"{logs}: no such file or folder"]
    assert [change for summary in seen for change in summary.changes] == []
    assert rows(archive, HANDS) == [(3, 3)]


def test_a_watch_of_what_is_not_there_does_not_begin(archive: Path, tmp_path: Path) -> None:
    """A path that was never there is a mistake, not a disk that will come back."""
    with pytest.raises(ArchiveError, match="no such file or folder"):
        watch(Watcher(archive, [tmp_path / "nowhere"], 0.1), 0.1, hire_for, lambda *_: None)


@contextmanager
def watching(archive: Path, logs: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process of its own, ended by Ctrl-C."""
    words = ["index", str(archive), str(logs), "--watch", "--every", "0.1", *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "replay.cli", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_with(process: subprocess.Popen[str], words: str) -> str:
    """The next line of its output that holds these words."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line
    raise AssertionError(f"it ended without saying {words!r}")


@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_the_command_says_a_line_a_change_and_ends_when_asked(
    archive: Path, logs: Path, sent: signal.Signals, status: int
) -> None:
    """The archive is whole afterwards, and nothing lies about."""
    with watching(archive, logs) as process:
        line_with(process, "new in the archive: 2 hands")
        live(logs / "b.paipu", hands(2, seed=2)[:1], 2)
        told = line_with(process, "b.paipu")
        assert re.fullmatch(r"\d\d:\d\d:\d\d .*b\.paipu: added, 1 hands\n", told)
        live(logs / "b.paipu", hands(2, seed=2), 2)
        assert "grown by 1 hands" in line_with(process, "b.paipu")
        process.send_signal(sent)
        _, errors = process.communicate()
        assert process.returncode == status
        assert (
            errors == "paipu: stopped; the archive is whole, and the next run goes on from there\n"
        )
    assert rows(archive, HANDS) == [(4, 4)]
    with Writer(archive):
        pass


def test_the_command_waits_for_a_busy_archive_and_says_so(archive: Path, logs: Path) -> None:
    """Once, on stderr; then it goes on."""
    with Writer(archive), watching(archive, logs) as process:
        assert process.stderr is not None
        assert f"number {os.getpid()}" in process.stderr.readline()
        assert process.poll() is None
    with watching(archive, logs, "--json") as process:
        line_with(process, '"hands": 2')
        live(logs / "b.paipu", hands(1, seed=2), 2)
        line_with(process, '"added"')


def test_a_reader_sees_new_hands_at_its_next_page(
    watcher: Watcher, logs: Path, archive: Path
) -> None:
    """Who has the archive open turns to the new state by itself."""
    with Archive.open(archive) as opened:
        reader = ArchiveReader(archive)
        assert reader.hands(HandQuery()).total == 2
        live(logs / "b.paipu", hands(1, seed=2), 2)
        looked(watcher)
        assert reader.hands(HandQuery()).total == 3
        assert not opened.is_current()


def test_changes_are_heard_while_they_happen(logs: Path, archive: Path) -> None:
    """The manner's listener hears of every look's changes, new files too."""
    heard: list[Change] = []
    watcher = Watcher(archive, [logs], QUIET, Manner(told=heard.append))
    looked(watcher)
    assert heard == [Change("added", str(logs / "a.paipu"), hands=2)]


def test_times_that_are_unsure_are_looked_at_again(
    archive: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change on the same tick leaves size and times; the next look finds it by its bytes."""
    monkeypatch.setattr("replay.archive.stamps.UNSURE_NS", 10**13)
    watcher = Watcher(archive, [logs], QUIET)
    looked(watcher)
    log = logs / "a.paipu"
    stamp = stamp_of(log.stat())
    data = bytearray(log.read_bytes())
    data[-20] ^= 1
    log.write_bytes(data)
    monkeypatch.setattr("replay.archive.survey.stamp_of", lambda _: stamp)
    monkeypatch.setattr("replay.archive.watch.Watcher._is_ready", lambda *_: True)
    summary = looked(watcher)
    assert (summary.unchanged, kinds(summary)[0][1]) == (0, "a.paipu")
    assert ("damaged", "a.paipu") in kinds(summary)
    monkeypatch.setattr("replay.archive.stamps.UNSURE_NS", -(10**18))
    looked(watcher)
    assert watcher.look(hire_for) is None
