"""The lock of an archive: one process writes at a time, and the others know which one it is."""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

from replay.archive import manifest as manifests
from replay.archive.errors import Refused

LOCK = "LOCK"
_BETWEEN = 0.1
"""Seconds between two tries: waiting in the system itself would have no end that we set."""
Waiting = Callable[[str], None]
"""Is told once who has the lock: the number of the process."""


class Busy(Refused):
    """Another process is writing the archive."""

    def __init__(self, folder: Path, holder: str) -> None:
        """`holder` is the number of that process."""
        super().__init__("busy", path=folder, n=holder)


def in_silence(_: str) -> None:
    """Wait and say nothing."""


def locked(folder: Path, seconds: float, waiting: Waiting) -> int:
    """The archive's lock, held until closed or until this process ends.

    Waits for it so long at most, then Busy. ArchiveError for a folder that is no archive and not
    free to become one.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _demand_ours(folder)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Refused("unwritable", path=folder, reason=error) from None
    try:
        _take(lock, folder, seconds, waiting)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _take(lock: int, folder: Path, seconds: float, waiting: Waiting) -> None:
    end = time.monotonic() + seconds
    told = False
    while not _taken(lock):
        holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
        if time.monotonic() >= end:
            raise Busy(folder, holder)
        if not told:
            waiting(holder)
            told = True
        time.sleep(min(_BETWEEN, max(end - time.monotonic(), 0.0)))


def _taken(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _demand_ours(folder: Path) -> None:
    """An archive is made in a folder that is empty, or was given up before its first MANIFEST."""
    ours = (LOCK, f"{manifests.NAME}.tmp")
    free = manifests.is_archive(folder) or all(path.name in ours for path in folder.iterdir())
    if not free and not manifests.is_archive(folder):  # it may just have become one
        raise Refused("not_empty", path=folder)
