"""Opening a file whose path may lead to anything: a pipe is no log, and is not waited for."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader


class NotRegular(OSError):
    """A pipe, a device or a socket stands where a file was wanted."""


def not_regular(path: str) -> NotRegular:
    """Says so of a path; `cli.os.NotRegular` are its words in either language."""
    return NotRegular(errno.ESPIPE, "no regular file", path)


@contextmanager
def opened(path: str) -> Iterator[BufferedReader]:
    """A regular file, to be read until the block ends; OSError for anything else."""
    with open(path, "rb", opener=opener) as stream:
        yield stream


def opener(path: str, flags: int) -> int:
    """For `open` and `FileIO`: opens nothing but a regular file; OSError for anything else."""
    try:
        fd = _without_waiting(path, flags)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket, or a device that nothing drives
            raise not_regular(path) from None
        raise
    mode = os.fstat(fd).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # who opens a folder is told so by Python
        os.close(fd)
        raise not_regular(path)
    return fd


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
