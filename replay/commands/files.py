"""Writing files whole or not at all: beside the target under a hidden name, then renamed."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from replay.folder import Problem

_PRIVATE = 0o600
"""Mode of what is made from standard input: a log holds the whole deck."""


def demand_free(path: str, force: bool) -> None:
    """Problem if the file is there and `--force` was not given."""
    if os.path.isdir(path):
        raise Problem("folder_there", path=path)
    if not force and os.path.lexists(path):
        raise Problem("exists", path=path)


@contextmanager
def whole(path: str, like: str | None, force: bool) -> Iterator[BinaryIO]:
    """A sink whose content gets the name `path` when the block ends well, and never before.

    The file is as private as `like`. What stands at `path` is replaced only with `force`.
    """
    demand_free(path, force)
    folder, name = os.path.split(path)
    fd, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder or ".")
    try:
        with os.fdopen(fd, "w+b") as sink:
            os.fchmod(fd, _PRIVATE if like is None else stat.S_IMODE(os.stat(like).st_mode))
            yield sink
            sink.flush()
            os.fsync(fd)
        _name(temporary, path, force)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
    _sync_folder(folder or ".")


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
