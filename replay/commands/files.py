"""Writing files whole or not at all: beside the target under a hidden name, then renamed.

A process that is killed leaves its hidden file behind; the next one that writes the same target
removes it. Whoever is still writing one holds its lock, so the living lose nothing.
"""

import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from replay.folder import Problem

_PRIVATE = 0o600
"""Mode of what is being made, and of what comes from standard input: a log holds whole decks."""


def demand_free(path: str, force: bool) -> None:
    """Problem if the file is there and `--force` was not given, or is none to be replaced."""
    if os.path.isdir(path):
        raise Problem("folder_there", path=path)
    if not os.path.lexists(path):
        return
    if not force:
        raise Problem("exists", path=path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise Problem("not_regular", path=path)


def demand_other(source: str, out: str, name: str) -> None:
    """Problem if both paths are one file: what is written must not replace the evidence."""
    if os.path.exists(out) and os.path.samefile(source, out):
        raise Problem("same_file", path=out, source=name)


@contextmanager
def whole(path: str, like: str | None, force: bool) -> Iterator[BinaryIO]:
    """A sink whose content gets the name `path` when the block ends well, and never before.

    The file is as private as `like`. What stands at `path` is replaced only with `force`, and
    never while a recorder is writing it.
    """
    demand_free(path, force)
    kept = _unwritten(path) if os.path.exists(path) else nullcontext()
    with kept, replacement(path, like, force) as sink:
        yield sink


@contextmanager
def replacement(path: str, like: str | None, force: bool) -> Iterator[BinaryIO]:
    """The same, where the writer's lock of what stands at `path` is held already."""
    folder, name = os.path.split(path)
    folder = folder or "."
    _sweep(folder, name)
    with _hidden(folder, name) as (temporary, sink):
        try:
            yield sink
            sink.flush()
            os.fchmod(sink.fileno(), _PRIVATE if like is None else _mode(like))
            os.fsync(sink.fileno())
            _name(temporary, path, force)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
    _sync_folder(folder)


def _mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


@contextmanager
def _unwritten(path: str) -> Iterator[None]:
    """The writer's lock of a file that is to be replaced; Problem if a recorder has it."""
    from replay.recorder import durable

    with open(path, "rb") as stream:
        if not durable.try_lock(stream.fileno(), Path(path)):
            raise Problem("being_written", path=path)
        yield


def _prefix(name: str) -> str:
    """Of the hidden files of one target: short, for a target may have the longest name there is."""
    return f".{sha256(os.fsencode(name)).hexdigest()[:16]}."


_SUFFIX = ".part"


@contextmanager
def _hidden(folder: str, name: str) -> Iterator[tuple[str, BinaryIO]]:
    """A new file that its writer has locked, until it has its name."""
    while True:
        fd, temporary = tempfile.mkstemp(prefix=_prefix(name), suffix=_SUFFIX, dir=folder)
        with os.fdopen(fd, "w+b") as sink:
            if _is_locked(fd, temporary):
                yield temporary, sink
                return


def _is_locked(fd: int, temporary: str) -> bool:
    """Take the lock; between its making and this another writer may have swept the file away."""
    from replay.recorder import durable

    try:
        return durable.try_lock(fd, Path(temporary))
    except FileNotFoundError:
        return False


def _sweep(folder: str, name: str) -> None:
    """Remove what writers of this target left behind that were killed: nobody holds its lock."""
    ours = re.compile(re.escape(_prefix(name)) + r"\w+" + re.escape(_SUFFIX))
    for entry in os.scandir(folder):
        if not ours.fullmatch(entry.name) or not entry.is_file(follow_symlinks=False):
            continue
        with suppress(OSError), open(entry.path, "rb") as stream:  # another user's, or just gone
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(entry.path)


def _name(temporary: str, path: str, force: bool) -> None:
    if force:
        os.replace(temporary, path)
        return
    try:
        os.link(temporary, path)  # unlike a rename, this never takes the place of another file
    except FileExistsError:
        raise Problem("exists", path=path) from None
    except OSError:  # a file system without hard links
        demand_free(path, force)
        os.replace(temporary, path)
        return
    os.unlink(temporary)


def _sync_folder(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
