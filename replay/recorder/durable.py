"""What makes bytes stay: locking, appending whole frames, syncing a folder, setting bytes aside.

Each function raises OSError as the system gave it; the recorder says what that means for the log.
"""

import fcntl
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

_BLOCK = 1 << 20
_PRIVATE = 0o600
"""Mode of every file made here: a log in progress holds the whole deck."""

sync_data: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Wait until a file's bytes and its size are on the disk."""


class Aside(Struct, frozen=True):
    """Bytes copied from a log into a file beside it."""

    path: Path
    n_bytes: int
    digest: bytes


def try_lock(fd: int, path: Path) -> bool:
    """Take the writer's lock of the file that `path` names; False if somebody else has it.

    Between opening and locking, another recorder may have put a sealed file in its place: then
    this lock guards a file without a name, and is worth nothing.
    """
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.path.samestat(os.fstat(fd), os.stat(path))


def create_private(path: Path) -> int:
    """A new file for appending and reading, readable by its owner alone; FileExistsError."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    return os.open(path, flags, _PRIVATE)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def append(fd: int, data: bytes, end: int) -> None:
    """Append all of `data` to a file of `end` bytes; when that fails it is cut back to `end`.

    A short write is no failure yet: what hinders it is learnt by writing the rest.
    """
    try:
        done = os.write(fd, data)
        while done < len(data):
            done += os.write(fd, data[done:])
    except OSError as error:
        try:
            os.ftruncate(fd, end)
        except OSError as second:
            error.add_note(f"cutting the file back to {end} bytes failed too: {second}")
        raise


def copy_aside(fd: int, start: int, log: Path) -> Aside:
    """Copy the bytes from `start` to the end into `<log>.torn-<n>`, n the first number free."""
    number = 1
    while True:
        path = log.with_name(f"{log.name}.torn-{number}")
        try:
            target = create_private(path)
            break
        except FileExistsError:
            number += 1
    try:
        with os.fdopen(target, "wb") as sink:
            n_bytes, digest = _copy(fd, start, sink)
            sink.flush()
            os.fsync(sink.fileno())
        sync_folder(log.parent)
    except BaseException:
        path.unlink()
        raise
    return Aside(path, n_bytes, digest)


def _copy(fd: int, start: int, sink: BinaryIO) -> tuple[int, bytes]:
    """Copy the bytes from `start` to the end: how many, and their SHA-256."""
    digest = sha256()
    n_bytes = 0
    while block := os.pread(fd, _BLOCK, start + n_bytes):
        sink.write(block)
        digest.update(block)
        n_bytes += len(block)
    return n_bytes, digest.digest()


def replace_tail(fd: int, start: int, data: bytes) -> None:
    """Make `data` all that follows `start`; `fd` must not append.

    The new bytes lie down over the old ones before the rest is cut off: a crash in between leaves
    a tail that still parses as torn, never a file from which something vanished without a word.
    When the disk is full the old bytes come back.
    """
    old_end = os.fstat(fd).st_size
    old = os.pread(fd, len(data), start)
    try:
        done = 0
        while done < len(data):
            done += os.pwrite(fd, data[done:], start + done)
        os.fsync(fd)
    except OSError:
        os.pwrite(fd, old, start)
        os.ftruncate(fd, old_end)
        raise
    os.ftruncate(fd, start + len(data))
    os.fsync(fd)


def append_from_now_on(fd: int) -> None:
    """Let every later write go to the end of the file."""
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)


def reader(fd: int) -> BinaryIO:
    """A buffered stream over an open file; closing it leaves the file open."""
    return open(fd, "rb", closefd=False)
