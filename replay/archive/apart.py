"""A query in a process of its own, which can be ended at any moment and has an end to its memory.

Inside one process a time limit is heeded only between rows, and a single cell can be larger than
all memory: DuckDB makes it whole, and so does Python.
"""

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn, Self

from msgspec import Struct

from replay.archive.manifest import ArchiveError
from replay.archive.query import LATE, NO_MEMORY, Archive, Limits, QueryError
from replay.archive.render import Form, render

_START = """
import sys
sys.path[:] = {path!r}
from replay.archive.apart import serve
serve({handle})
"""
_PIECE = 1 << 18
"""Characters of an answer that are sent at once."""
_READY, _TEXT, _CUT, _DONE, _REFUSED, _NO_ARCHIVE, _CRASH = (bytes([k]) for k in range(7))
"""The first byte of a message says what it is."""


class Question(Struct, frozen=True):
    """What is asked of which archive; `memory` is the most bytes that the process may use."""

    folder: str
    sql: str
    form: Form
    limits: Limits
    memory: int


def memory_for_one() -> int:
    """Half of the memory that there is for us."""
    most = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        allowed = Path("/sys/fs/cgroup/memory.max").read_text()
        most = min(most, int(allowed))
    except (OSError, ValueError):  # not Linux, or "max"
        pass
    return most // 2


class Answer:
    """The text of an answer as it comes; use as a context manager, and iterate once."""

    def __init__(self, question: Question) -> None:
        """Ask: the clock starts when the archive is open and runs until the last piece is read."""
        self._question = question
        self._deadline: float | None = None
        self.is_cut = False
        """Whether there were more rows than the limit: known at the end."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START.format(path=sys.path, handle=theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # what a library says when it has no memory left
                pass_fds=[theirs.fileno()],
                process_group=0,  # Ctrl-C reaches the process that called, and that one decides
            )
        self._link = Connection(ours.detach())
        with suppress(OSError):  # it ended at once: reading the answer says so
            self._link.send(question)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, whatever it does."""
        self._link.close()
        self._process.kill()
        self._process.wait()

    def __iter__(self) -> Iterator[str]:
        """The pieces in order; QueryError or ArchiveError in the middle."""
        while (message := self._message()) not in (_DONE, _CUT):
            kind, told = message[:1], message[1:].decode()
            if kind == _TEXT:
                yield told
            elif kind != _READY:
                _fail(kind, told)
            elif (seconds := self._question.limits.seconds) is not None:
                self._deadline = time.monotonic() + seconds
        self.is_cut = message == _CUT

    def _message(self) -> bytes:
        seconds = self._question.limits.seconds
        left = None if self._deadline is None else self._deadline - time.monotonic()
        try:
            if left is not None and (left <= 0 or not self._link.poll(left)):
                raise QueryError(LATE.format(seconds=seconds))
            return self._link.recv_bytes()
        except (EOFError, OSError):
            raise self._lost() from None

    def _lost(self) -> QueryError:
        status = self._process.wait()
        megabytes = self._question.memory >> 20
        return QueryError(
            f"the query ended its process (exit status {status}), "
            f"most likely for lack of memory: it may use {megabytes} MiB"
        )


def _fail(kind: bytes, told: str) -> NoReturn:
    if kind == _REFUSED:
        raise QueryError(told)
    if kind == _NO_ARCHIVE:
        raise ArchiveError(told)
    raise RuntimeError(f"the process of the query failed:\n{told}")


def serve(handle: int) -> None:
    """The process of one query: reads the question, sends the answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = Connection(handle)
    try:
        question = link.recv()
        threading.Thread(target=_end_with_caller, args=[link], daemon=True).start()
        link.send_bytes(_reply(link, question))
    except (EOFError, OSError):
        return  # who called is gone


def _end_with_caller(link: Connection) -> None:
    """Nothing more comes from the caller but its end."""
    link.poll(None)
    os._exit(2)


def _reply(link: Connection, question: Question) -> bytes:
    """Send the text; the message that ends it."""
    try:
        _bound_memory(question.memory)
        with Archive.open(question.folder, f"{question.memory >> 21}MiB") as archive:
            link.send_bytes(_READY)
            result = archive.query(question.sql, limits=Limits(rows=question.limits.rows))
            for text in render(result, question.form):
                for start in range(0, len(text), _PIECE):
                    link.send_bytes(_TEXT + text[start : start + _PIECE].encode())
            return _CUT if result.is_cut else _DONE
    except QueryError as error:
        return _REFUSED + str(error).encode()
    except ArchiveError as error:
        return _NO_ARCHIVE + str(error).encode()
    except MemoryError:
        return _REFUSED + NO_MEMORY.encode()
    except OSError:
        raise
    except Exception:
        return _CRASH + traceback.format_exc().encode()


def _bound_memory(most: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (least, hard))
