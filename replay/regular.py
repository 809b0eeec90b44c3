"""Opening a file whose path may lead to anything: a pipe is no log, and is not waited for."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader


@contextmanager
def opened(path: str) -> Iterator[BufferedReader]:
    """A regular file, to be read until the block ends; OSError for anything else."""
    with open(path, "rb", opener=_without_waiting) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError("no regular file")
        yield stream


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
