"""The recorder: what it writes, when it syncs, what it refuses."""

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.recorder import (
    FileLocked,
    LogError,
    Recorder,
    RecorderBroken,
    RecorderClosed,
    Sync,
)
from replay.recorder.durable import try_lock
from replay.recorder.syncer import INTERVAL
from schema.events import AbortReason, By, HandAborted, HandEnded, Passed
from schema.livewriter import LiveWriter
from tests.builders import head
from tests.recorded import (
    events,
    expected,
    file_size_limit,
    unsyncable,
    write,
    written_until_broken,
)
from tests.recorder_child import EVENTS_A_HAND, event_number

SYNCS: tuple[Sync, ...] = ("event", "hand", "group")
BAD = Passed(dt=-1, by=By.PLAYER, seat=0)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Writing


@pytest.mark.parametrize("sync", SYNCS)
def test_a_recorded_match_is_what_the_writer_of_live_logs_makes(tmp_path: Path, sync: Sync) -> None:
    """The file holds the bytes of LiveWriter and nothing else, whatever the sync policy."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head(), sync=sync) as recorder:
        write(recorder, 0, 40)
        writer = LiveWriter(head())
        made = writer.start() + b"".join(map(writer.event, expected(40)))
        assert path.read_bytes() == made
        assert (recorder.hand_index, recorder.hand_open) == (3, True)
        assert recorder.last_leaf == writer.last_leaf
    assert path.read_bytes() == made


def test_files_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    """A live log holds the whole deck: log, set-aside bytes and sealed log have mode 0600."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        assert _mode(path) == 0o600
        write(recorder, 0, 5)
    os.truncate(path, path.stat().st_size - 1)
    with Recorder.reopen(path) as recorder:
        assert _mode(tmp_path / "a.paipu.torn-1") == 0o600
        recorder.seal()
    assert _mode(path) == 0o600


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    """`create` makes new files only."""
    path = tmp_path / "a.paipu"
    path.write_bytes(b"somebody's")
    with pytest.raises(FileExistsError, match=r"a\.paipu"):
        Recorder.create(path, head())
    assert path.read_bytes() == b"somebody's"


def test_a_bad_head_makes_no_file(tmp_path: Path) -> None:
    """What no log may begin with is refused before anything is created."""
    with pytest.raises(LogError, match="bad_head"):
        Recorder.create(tmp_path / "a.paipu", replace(head(), producer="a\nb"))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_policy_is_refused(tmp_path: Path) -> None:
    """A word that means nothing does not become the weakest policy."""
    path = tmp_path / "a.paipu"
    calls = (partial(Recorder.create, path, head()), partial(Recorder.reopen, path))
    for call in calls:
        with pytest.raises(ValueError, match="sync is one of event, hand, group, not 'always'"):
            call(sync="always")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", [BAD, HandEnded(dt=0), event_number(0)], ids=type)
def test_a_refused_event_leaves_the_recorder_at_work(tmp_path: Path, bad: object) -> None:
    """An invalid or misplaced event is not in the file, and the next one is."""
    place = 0 if isinstance(bad, HandEnded) else 3
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, place)
        with pytest.raises(LogError):
            recorder.write(bad)  # type: ignore[arg-type]
        write(recorder, place, 20)
    assert events(path) == expected(20)


@pytest.mark.parametrize("interrupted", [KeyboardInterrupt, MemoryError])
def test_an_exception_between_making_and_writing_an_event_breaks_the_recorder(
    tmp_path: Path, interrupted: type[BaseException]
) -> None:
    """An event that was made and did not get into the file is not skipped in silence."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head())
    write(recorder, 0, 3)

    def interrupt(frame: object, event: str, argument: object) -> None:
        code = getattr(frame, "f_code", None)
        if event == "call" and code is not None and code.co_name == "append":
            raise interrupted

    sys.setprofile(interrupt)
    try:
        with pytest.raises(interrupted):
            recorder.write(event_number(3))
    finally:
        sys.setprofile(None)
    for _ in range(2):
        with pytest.raises(RecorderBroken, match="interrupted the event before this one"):
            recorder.write(event_number(4))
    with pytest.raises(RecorderBroken):
        recorder.close()
    assert events(path) == expected(3)


# Closing


def test_nothing_goes_on_after_close(tmp_path: Path) -> None:
    """A closed recorder refuses every call but a second close, and names its file."""
    recorder = Recorder.create(tmp_path / "a.paipu", head())
    recorder.close()
    recorder.close()
    calls: tuple[Callable[[], None], ...] = (partial(write, recorder, 0, 1), recorder.seal)
    for call in calls:
        with pytest.raises(RecorderClosed, match=r"a\.paipu: the recorder is closed"):
            call()


def test_leaving_a_with_block_does_not_hide_what_went_wrong_in_it(tmp_path: Path) -> None:
    """The exception of the block comes out, and the file is let go."""
    path = tmp_path / "a.paipu"
    with pytest.raises(ZeroDivisionError), Recorder.create(path, head()):
        raise ZeroDivisionError
    Recorder.reopen(path).close()


# Syncing


def test_each_policy_syncs_when_it_says(tmp_path: Path) -> None:
    """With a file that takes writes but no sync, `event` fails at once, `hand` at a hand's end."""
    failed_at = {}
    for sync in ("event", "hand"):
        path = tmp_path / f"{sync}.paipu"
        recorder = Recorder.create(path, head(), sync=sync)
        with unsyncable(path):
            failed_at[sync], _ = written_until_broken(recorder, 0)
            with pytest.raises(RecorderBroken):
                recorder.close()
    assert failed_at == {"event": 0, "hand": EVENTS_A_HAND - 1}


def test_group_syncs_in_one_thread_and_tells_the_next_call(tmp_path: Path) -> None:
    """A write returns before the disk has it; what the syncer meets is raised by the next call."""
    paths = [tmp_path / f"{number}.paipu" for number in range(3)]
    recorders = [Recorder.create(path, head(), sync="group") for path in paths]
    with unsyncable(paths[1]):
        for recorder in recorders:
            write(recorder, 0, 2)
        _, error = written_until_broken(recorders[1], 2, pause=0.01)
        assert "1.paipu: writing failed" in str(error)
        assert isinstance(error.__cause__, OSError)
        with pytest.raises(RecorderBroken):
            recorders[1].close()
    assert [thread.name for thread in threading.enumerate()].count("paipu-syncer") == 1
    for number in (0, 2):
        write(recorders[number], 2, 20)
        recorders[number].close()
        assert events(paths[number]) == expected(20)


def test_group_syncs_again_after_it_has_synced(tmp_path: Path) -> None:
    """What is written after a sync is synced in its turn."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head(), sync="group")
    write(recorder, 0, 2)
    # Time for one sync; if it comes later it meets the pipe, and the outcome is the same.
    time.sleep(3 * INTERVAL)
    with unsyncable(path):
        written_until_broken(recorder, 2, pause=0.01)
        with pytest.raises(RecorderBroken):
            recorder.close()


def test_close_puts_everything_on_the_disk(tmp_path: Path) -> None:
    """Closing syncs, or says that it could not."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head(), sync="hand")
    write(recorder, 0, 2)
    with unsyncable(path), pytest.raises(RecorderBroken, match=os.strerror(errno.EINVAL)):
        recorder.close()


# The disk


@pytest.mark.parametrize("sync", SYNCS)
def test_a_full_disk_cuts_back_to_the_event_before(tmp_path: Path, sync: Sync) -> None:
    """A write that fits only in part leaves nothing of itself, and breaks the recorder for good."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head(), sync=sync)
    write(recorder, 0, 5)
    whole = path.read_bytes()
    with file_size_limit(len(whole) + 10):
        with pytest.raises(RecorderBroken, match=os.strerror(errno.EFBIG)) as first:
            recorder.write(event_number(5))
        assert path.read_bytes() == whole
    again = partial(write, recorder, 5, 6)
    calls: tuple[Callable[[], None], ...] = (again, recorder.seal, recorder.close, recorder.close)
    for call in calls:
        with pytest.raises(RecorderBroken) as later:
            call()
        assert later.value is first.value
    with Recorder.reopen(path) as recorder:
        pass
    assert events(path) == [*expected(5), HandAborted(dt=0, reason=AbortReason.RECOVERED)]


def test_a_full_file_system_is_met_as_it_is(tmp_path: Path) -> None:
    """A file system of 64 KiB fills up: the recorder breaks, every event before is there."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "paipu", str(tmp_path)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("mounting a file system needs root")
    try:
        path = tmp_path / "a.paipu"
        recorder = Recorder.create(path, head(), sync="group")
        written, error = written_until_broken(recorder, 0)
        assert os.strerror(errno.ENOSPC) in str(error)
        with pytest.raises(RecorderBroken):
            recorder.close()
        assert written > 1000
        assert events(path) == expected(written)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            Recorder.create(tmp_path / "b.paipu", head())
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_full_disk_at_creation_leaves_no_file(tmp_path: Path) -> None:
    """What could not be begun is not there, so it can be begun again."""
    path = tmp_path / "a.paipu"
    with file_size_limit(50), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        Recorder.create(path, head())
    assert list(tmp_path.iterdir()) == []
    Recorder.create(path, head()).close()


# One writer


def test_a_second_recorder_is_refused(tmp_path: Path) -> None:
    """Two recorders in one process do not share a file either."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()), pytest.raises(FileLocked, match=r"a\.paipu: another rec"):
        Recorder.reopen(path)
    Recorder.reopen(path).close()


def test_a_lock_on_a_file_that_was_sealed_meanwhile_is_worth_nothing(tmp_path: Path) -> None:
    """Who opened the live file just before it was sealed does not get to write into it."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head())
    write(recorder, 0, EVENTS_A_HAND)
    with path.open("rb") as late:
        recorder.seal()
        assert not try_lock(late.fileno(), path)
