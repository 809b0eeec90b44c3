"""After a crash: what was acknowledged is there, what was torn is set aside and said."""

import contextlib
import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from replay.recorder import FileLocked, NotResumable, Recorder
from schema.damage import Damage
from schema.events import AbortReason, Event, HandAborted
from schema.frames import HEADER, HEADER_SIZE, MAGIC, Kind
from schema.items import Hand
from tests.builders import head
from tests.recorded import events, expected, file_size_limit, gaps, hands, items, unchained, write
from tests.recorder_child import EVENTS_A_HAND, event_number

ROOT = Path(__file__).parent.parent
ABORTED = HandAborted(dt=0, reason=AbortReason.RECOVERED)


@contextlib.contextmanager
def _child(path: Path, sync: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is recording into `path`, its first event acknowledged."""
    command = [sys.executable, "-m", "tests.recorder_child", str(path), sync]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        assert child.stdout.read(1) == b"."
        yield child
    finally:
        child.kill()
        child.wait()
        assert child.stdout is not None
        child.stdout.close()


def _killed(path: Path, sync: str, after: float) -> int:
    """Kill such a process with SIGKILL after some seconds; how many events it acknowledged."""
    with _child(path, sync) as child:
        time.sleep(after)
        child.send_signal(signal.SIGKILL)
        rest, _ = child.communicate()
        assert child.returncode == -signal.SIGKILL
    return 1 + len(rest)


# kill -9


@pytest.mark.parametrize("sync", ["event", "hand", "group"])
@pytest.mark.parametrize("seed", range(9))
def test_a_killed_process_loses_nothing_it_was_told_was_written(
    tmp_path: Path, sync: str, seed: int
) -> None:
    """Every acknowledged event is in the file, at most one more, and recording goes on."""
    path = tmp_path / "a.paipu"
    acknowledged = _killed(path, sync, random.Random(f"{sync} {seed}").uniform(0, 0.05))
    with Recorder.reopen(path) as recorder:
        assert not recorder.hand_open
        written = [event for event in events(path) if event != ABORTED]
        assert written == expected(len(written))
        assert len(written) in (acknowledged, acknowledged + 1)
        assert len(hands(path)) == -(-len(written) // EVENTS_A_HAND)
        write(recorder, 0, EVENTS_A_HAND)
        recorder.seal()
    assert events(path)[-EVENTS_A_HAND:] == expected(EVENTS_A_HAND)


# Torn tails


def _log(path: Path, n_events: int) -> list[int]:
    """A live log of that many events; how long the file was after each."""
    with Recorder.create(path, head()) as recorder:
        sizes = [path.stat().st_size]
        for number in range(n_events):
            recorder.write(event_number(number))
            sizes.append(path.stat().st_size)
    return sizes


def _demand_mended(path: Path, whole: int, torn: bytes, lost_commit: bool = False) -> None:
    """The log has `whole` events, states the torn bytes if there are any, and ends its hand.

    `lost_commit`: what tore was the HAND record of the last hand.
    """
    found = items(path)
    assert [item for item in found if isinstance(item, Damage)] == []
    ended = whole % EVENTS_A_HAND == 0
    assert events(path) == [*expected(whole), *([] if ended else [ABORTED])]
    assert all(hand.committed for hand in hands(path))
    if torn:
        (gap,) = gaps(path)
        place = (whole // EVENTS_A_HAND - 1, EVENTS_A_HAND)
        assert (gap.hand, gap.events) == (place if lost_commit else divmod(whole, EVENTS_A_HAND))
        assert (gap.hands_lost, gap.bytes_lost) == (0, len(torn))
        assert gap.digest == sha256(torn).digest()
        assert path.with_name("a.paipu.torn-1").read_bytes() == torn
    else:
        assert gaps(path) == []
        assert [entry.name for entry in path.parent.iterdir()] == ["a.paipu"]


def test_a_file_cut_at_any_byte_goes_on(tmp_path: Path) -> None:
    """Wherever the last two events tear, the events before are kept and the rest is set aside."""
    sizes = _log(tmp_path / "whole.paipu", EVENTS_A_HAND + 2)
    whole = (tmp_path / "whole.paipu").read_bytes()
    for cut in range(sizes[EVENTS_A_HAND - 1], len(whole) + 1):
        folder = tmp_path / str(cut)
        folder.mkdir()
        path = folder / "a.paipu"
        path.write_bytes(whole[:cut])
        kept = max(number for number, size in enumerate(sizes) if size <= cut)
        torn = whole[sizes[kept] : cut]
        # The hand's last event is whole before its HAND frame is.
        hand_frame = _first_hand_frame(whole)
        lost_commit = hand_frame <= cut < sizes[EVENTS_A_HAND]
        if lost_commit:
            kept, torn = EVENTS_A_HAND, whole[hand_frame:cut]
        Recorder.reopen(path).close()
        _demand_mended(path, kept, torn, lost_commit)


def _first_hand_frame(log: bytes) -> int:
    """Where the first HAND frame of a live log stands."""
    offset = len(MAGIC)
    while log[offset + HEADER_SIZE - 1] != Kind.HAND:
        offset += HEADER_SIZE + HEADER.unpack_from(log, offset)[1]
    return offset


def test_a_crash_between_the_last_event_and_its_hand_record(tmp_path: Path) -> None:
    """A hand that had ended is committed, not aborted: its leaf is the one it would have had."""
    path = tmp_path / "a.paipu"
    _log(path, EVENTS_A_HAND)
    leaf = hands(path)[0].leaf
    os.truncate(path, _first_hand_frame(path.read_bytes()))
    assert not hands(path)[0].committed
    with Recorder.reopen(path) as recorder:
        assert (recorder.hand_index, recorder.last_leaf) == (1, leaf)
        write(recorder, EVENTS_A_HAND, 2 * EVENTS_A_HAND)
    _demand_mended(path, 2 * EVENTS_A_HAND, b"")


@pytest.mark.parametrize(
    "tail", [b"\0" * 5000, b"\xff" * 20, b"\0" * 8], ids=["zeros", "ff", "few"]
)
def test_a_tail_that_never_was_a_frame_is_set_aside(tmp_path: Path, tail: bytes) -> None:
    """A power loss can leave a file grown by zeros."""
    path = tmp_path / "a.paipu"
    _log(path, 20)
    with path.open("ab") as file:
        file.write(tail)
    Recorder.reopen(path).close()
    _demand_mended(path, 20, tail)


def test_a_crash_while_mending_is_mended_in_turn(tmp_path: Path) -> None:
    """However much of the mending got into the file, nothing vanishes without being stated."""
    path = tmp_path / "whole.paipu"
    sizes = _log(path, 18)
    os.truncate(path, sizes[18] - 3)
    torn = path.read_bytes()[sizes[17] :]
    Recorder.reopen(path).close()
    mended = path.read_bytes()
    for done in range(len(mended) - sizes[17] + 1):
        folder = tmp_path / str(done)
        folder.mkdir()
        path = folder / "a.paipu"
        # The mending lies down over the torn bytes: what it has not reached is still there.
        path.write_bytes(mended[: sizes[17] + done] + torn[done:])
        (folder / "a.paipu.torn-1").write_bytes(torn)
        with Recorder.reopen(path) as recorder:
            write(recorder, 24, 30)
        found = [event for event in events(path) if event != ABORTED]
        assert found == [*expected(17), *expected(30)[24:]]
        assert gaps(path) != []


def test_a_disk_too_full_for_mending_changes_nothing(tmp_path: Path) -> None:
    """The torn tail stays as it was, and is mended once there is room."""
    path = tmp_path / "a.paipu"
    sizes = _log(path, 18)
    os.truncate(path, sizes[18] - 3)
    before = path.read_bytes()
    with (
        file_size_limit(len(before) + 5),
        pytest.raises(OSError, match=os.strerror(errno.EFBIG)),
    ):
        Recorder.reopen(path)
    assert path.read_bytes() == before
    Recorder.reopen(path).close()
    _demand_mended(path, 17, before[sizes[17] :])


def test_a_disk_too_full_to_set_bytes_aside_changes_nothing(tmp_path: Path) -> None:
    """Half a copy of the torn bytes would be worse than none."""
    path = tmp_path / "a.paipu"
    _log(path, 3)
    with path.open("ab") as file:
        file.write(bytes(5000))
    before = path.read_bytes()
    with file_size_limit(1000), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        Recorder.reopen(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]


def test_any_file_name_can_be_stated(tmp_path: Path) -> None:
    """A name that a log may not hold is escaped in the reason that RECOVERED gives."""
    for name, said in (("局.paipu", "局.paipu"), ("a\nb", "a\\nb"), ("e\u0301", "e\\u0301")):
        path = tmp_path / name
        _log(path, 3)
        with path.open("ab") as file:
            file.write(b"torn")
        Recorder.reopen(path).close()
        (found,) = gaps(path)
        assert found.reason.endswith(f"stands in {said}.torn-1")


def test_each_crash_gets_its_own_file(tmp_path: Path) -> None:
    """Set-aside bytes never overwrite those of an earlier crash."""
    path = tmp_path / "a.paipu"
    _log(path, 5)
    for number in (1, 2, 3):
        with path.open("ab") as file:
            file.write(b"torn" * number)
        with Recorder.reopen(path) as recorder:
            write(recorder, 0, 3)
        assert path.with_name(f"a.paipu.torn-{number}").read_bytes() == b"torn" * number
    found = gaps(path)
    assert [gap.bytes_lost for gap in found] == [4, 8, 12]
    assert [gap.reason.rpartition(" ")[2] for gap in found] == [
        f"a.paipu.torn-{number}" for number in (1, 2, 3)
    ]


def test_a_hand_left_open_by_close_is_aborted(tmp_path: Path) -> None:
    """Nothing was torn, so no gap is stated; the players are gone all the same."""
    path = tmp_path / "a.paipu"
    _log(path, 15)
    Recorder.reopen(path).close()
    _demand_mended(path, 15, b"")


def test_random_crashes_in_a_row_lose_the_torn_events_and_no_other(tmp_path: Path) -> None:
    """Whatever is cut off and however often, the log keeps the rest and is without damage."""
    rng = random.Random(20)
    for run in range(20):
        path = tmp_path / f"{run}.paipu"
        sizes = _log(path, rng.randrange(1, 40))
        for _ in range(4):
            os.truncate(path, max(sizes[0], path.stat().st_size - rng.randrange(60)))
            before = _whole_events(path)
            with Recorder.reopen(path) as recorder:
                mended = events(path)
                assert mended in (before, [*before, ABORTED])
                start = EVENTS_A_HAND * rng.randrange(5)
                stop = start + rng.randrange(30)
                write(recorder, start, stop)
            assert events(path) == [*mended, *expected(stop)[start:]]


def _whole_events(path: Path) -> list[Event]:
    """The events of a log whose tail may be torn, `prev` blanked."""
    hands = (item for item in items(path) if isinstance(item, Hand))
    return [unchained(event) for hand in hands for event in hand.events]


# What is not mended


def test_damage_before_the_end_is_not_written_on(tmp_path: Path) -> None:
    """A flipped bit in the middle is evidence: the file stays as it is, the error says where."""
    path = tmp_path / "a.paipu"
    sizes = _log(path, 30)
    data = bytearray(path.read_bytes())
    data[sizes[4] + 12] ^= 1
    path.write_bytes(data)
    with pytest.raises(NotResumable, match=rf"a\.paipu: .*bad_checksum at .*byte {sizes[4]}"):
        Recorder.reopen(path)
    assert path.read_bytes() == bytes(data)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "an empty file"),
        (b'{"type":"head"}', "bad_head"),
        (b"\x89PAIPU\r\n", "bad_head"),
        (b"PK\x03\x04", "a zip archive"),
    ],
    ids=["empty", "text", "torn HEAD", "zip"],
)
def test_what_is_no_live_log_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """Nothing is appended to another file."""
    path = tmp_path / "a.paipu"
    path.write_bytes(data)
    with pytest.raises(NotResumable, match=why):
        Recorder.reopen(path)
    assert path.read_bytes() == data


def test_there_must_be_a_file_to_reopen(tmp_path: Path) -> None:
    """Reopening never creates."""
    with pytest.raises(FileNotFoundError):
        Recorder.reopen(tmp_path / "a.paipu")
    assert list(tmp_path.iterdir()) == []


# Two processes


def test_another_process_keeps_the_file_until_it_dies(tmp_path: Path) -> None:
    """The lock holds between processes, names the file, and does not outlive its holder."""
    path = tmp_path / "a.paipu"
    with _child(path, "group"):
        for _ in range(3):
            with pytest.raises(FileLocked, match=r"a\.paipu: another recorder is writing"):
                Recorder.reopen(path)
    assert len(events(path)) > 0
    Recorder.reopen(path).close()


def test_this_process_keeps_the_file_from_others(tmp_path: Path) -> None:
    """A second process is refused too, and does not touch the file."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, 3)
        code = "import sys; from replay.recorder import Recorder; Recorder.reopen(sys.argv[1])"
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 1
        assert b"FileLocked" in done.stderr
        write(recorder, 3, 6)
    assert events(path) == expected(6)


FORKS = """
import os, sys
from replay.recorder import Recorder, RecorderClosed
from tests.builders import head
from tests.recorded import unsyncable, write, written_until_broken

recorder = Recorder.create(sys.argv[1], head(), sync="group")
write(recorder, 0, 3)
if os.fork() == 0:
    try:
        write(recorder, 3, 4)
    except RecorderClosed as error:
        recorder.close()
        other = Recorder.create(sys.argv[1] + "2", head(), sync="group")
        write(other, 0, 2)
        other.close()
        third = Recorder.create(sys.argv[1] + "3", head(), sync="group")
        with unsyncable(third.path):
            written_until_broken(third, 0, pause=0.01)
        os._exit(7 if "belongs to the parent process" in str(error) else 8)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 7
write(recorder, 3, 6)
recorder.close()
"""


def test_a_fork_takes_no_recorder_along(tmp_path: Path) -> None:
    """A child cannot write into its parent's log; it has recorders, and a syncer, of its own."""
    path = tmp_path / "a.paipu"
    subprocess.run([sys.executable, "-c", FORKS, str(path)], cwd=ROOT, check=True)
    assert events(path) == expected(6)
    assert events(tmp_path / "a.paipu2") == expected(2)
