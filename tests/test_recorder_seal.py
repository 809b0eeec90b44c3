"""Sealing at the end of a match: all or nothing, under the name of the live log."""

import errno
import os
from pathlib import Path

import pytest

from replay.recorder import (
    HandOpen,
    NotResumable,
    Recorder,
    RecorderClosed,
    RecorderError,
)
from schema.logfile import open_log
from tests.builders import head
from tests.recorded import (
    descriptor,
    events,
    expected,
    file_size_limit,
    gaps,
    hands,
    write,
)
from tests.recorder_child import EVENTS_A_HAND, event_number


def test_sealing_takes_the_name_of_the_live_log(tmp_path: Path) -> None:
    """The sealed log stands under the same name with the same hands; nothing else is left."""
    path = tmp_path / "a.paipu"
    (tmp_path / ".a.paipu.sealing").write_bytes(b"what a crash left behind" * 1000)
    recorder = Recorder.create(path, head())
    write(recorder, 0, 5 * EVENTS_A_HAND)
    live = hands(path)
    with path.open("rb") as before:
        recorder.seal()
        assert [item.leaf for item in open_log(before).items() if hasattr(item, "leaf")] == [
            hand.leaf for hand in live
        ]
    with path.open("rb") as stream:
        assert open_log(stream).form == "sealed"
    assert [(h.index, h.leaf, h.events) for h in hands(path)] == [
        (h.index, h.leaf, h.events) for h in live
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]
    with pytest.raises(RecorderClosed, match="the file is sealed"):
        recorder.write(event_number(0))
    recorder.close()
    with pytest.raises(NotResumable, match=r"a\.paipu: a live log is written on, this is a sealed"):
        Recorder.reopen(path)


def test_a_gap_is_still_stated_in_the_sealed_log(tmp_path: Path) -> None:
    """What was lost in a crash is not sealed away."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, 30)
    os.truncate(path, path.stat().st_size - 1)
    with Recorder.reopen(path) as recorder:
        live = gaps(path)
        recorder.seal()
    assert len(live) == 1
    assert gaps(path) == live


def test_an_open_hand_is_not_sealed(tmp_path: Path) -> None:
    """Sealing waits for the end of the hand, and the recorder goes on."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, 5)
        with pytest.raises(HandOpen, match="hand 0 has no end"):
            recorder.seal()
        write(recorder, 5, EVENTS_A_HAND)
        recorder.seal()
    assert events(path) == expected(EVENTS_A_HAND)


def test_a_disk_too_full_for_the_sealed_log_costs_nothing(tmp_path: Path) -> None:
    """Sealing is all or nothing: the live log is untouched and the recorder goes on."""
    path = tmp_path / "a.paipu"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, 4 * EVENTS_A_HAND)
        live = path.read_bytes()
        with file_size_limit(300), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            recorder.seal()
        assert path.read_bytes() == live
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]
        write(recorder, 4 * EVENTS_A_HAND, 5 * EVENTS_A_HAND)
        recorder.seal()
    assert events(path) == expected(5 * EVENTS_A_HAND)


def test_a_log_that_somebody_cut_is_not_sealed(tmp_path: Path) -> None:
    """The sealed log must hold every hand that was recorded before it replaces the evidence."""
    path = tmp_path / "a.paipu"
    recorder = Recorder.create(path, head())
    write(recorder, 0, EVENTS_A_HAND)
    size = path.stat().st_size
    write(recorder, EVENTS_A_HAND, 2 * EVENTS_A_HAND)
    os.truncate(path, size)
    with pytest.raises(RecorderError, match=r"a\.paipu: the sealed form ends with leaf"):
        recorder.seal()
    recorder.close()
    assert path.stat().st_size == size
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.paipu"]


def test_a_relative_path_means_the_same_file_after_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorder seals where it created, wherever the server has gone meanwhile."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    recorder = Recorder.create("a.paipu", head())
    assert recorder.path == tmp_path / "a.paipu"
    write(recorder, 0, EVENTS_A_HAND)
    monkeypatch.chdir(tmp_path / "elsewhere")
    recorder.seal()
    assert events(tmp_path / "a.paipu") == expected(EVENTS_A_HAND)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_log_reopened_by_another_name_is_sealed_in_its_place(tmp_path: Path) -> None:
    """A symbolic link stays one: the file it leads to is sealed."""
    path, link = tmp_path / "a.paipu", tmp_path / "latest"
    with Recorder.create(path, head()) as recorder:
        write(recorder, 0, EVENTS_A_HAND)
    link.symlink_to(path)
    Recorder.reopen(link).seal()
    assert link.is_symlink()
    assert not path.is_symlink()
    with path.open("rb") as stream:
        assert open_log(stream).form == "sealed"


def test_a_closed_recorder_leaves_no_descriptor(tmp_path: Path) -> None:
    """Neither closing nor sealing leaks an open file."""
    for name in ("a", "b"):
        path = tmp_path / f"{name}.paipu"
        recorder = Recorder.create(path, head())
        fd = descriptor(path)
        recorder.close() if name == "a" else recorder.seal()
        with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
            os.fstat(fd)
