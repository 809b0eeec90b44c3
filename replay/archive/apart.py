"""A process of its own for one query, seen from who asks: started, heard and ended.

Inside one process a time limit is heeded only between rows, and a single cell can be larger than
all memory: DuckDB makes it whole, and so does Python. Another process can be ended at any moment.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

_START = """
import sys
sys.path[:] = {path!r}
from importlib import util
# The package as such, without what it exports: a query needs neither engine nor indexing.
sys.modules["replay.archive"] = util.module_from_spec(util.find_spec("replay.archive"))
from replay.archive.answering import serve
serve({handle}, {folder!r})
"""
_KEPT = ("LD_LIBRARY_PATH", "PYTHONHOME")
"""Of the environment, what Python may need to find itself."""
_ADDED = {"MALLOC_ARENA_MAX": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Memory is asked for as it is used, or the limit would count what never will be."""
MOST_MESSAGE = 1 << 20
"""Bytes: no message is longer, whatever a process that has been taken over may send."""


class Worker:
    """A process that opens the archive in `folder` and waits for one question.

    `kill` may be called from any thread, and again. Whoever makes one has to.
    """

    def __init__(self, folder: str) -> None:
        """Start it; it is not ready yet."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _process(folder, theirs.fileno())
        except BaseException:
            ours.close()
            raise
        self._link = Connection(ours.detach())
        self._killing = threading.Lock()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def say(self, message: bytes) -> None:
        """Send a message; one that nobody reads any more is lost."""
        with suppress(OSError):
            self._link.send_bytes(message)

    def hear(self, seconds: float | None) -> bytes | None:
        """The next message, None if none comes in time; EOFError if none will."""
        try:
            if seconds is not None and not self._link.poll(max(seconds, 0)):
                return None
            return self._link.recv_bytes(MOST_MESSAGE)
        except OSError:  # reset, or longer than any message
            raise EOFError from None

    def kill(self) -> int:
        """End it at once, and return how it ended: no process is left behind."""
        with self._killing:
            self._process.kill()
            if self._process.stdin is not None:
                self._process.stdin.close()
            return self._process.wait()

    def ended(self) -> str:
        """How it ended by itself, in words; it is waited for."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        status = self.kill()
        if status >= 0:
            return f"exit status {status}"
        with suppress(ValueError):
            return signal.Signals(-status).name
        return f"signal {-status}"

    def close(self) -> None:
        """End it and give up the connection: for the thread that hears."""
        self.kill()
        self._link.close()


def _process(folder: str, handle: int) -> "subprocess.Popen[bytes]":
    path = [os.path.abspath(entry) for entry in sys.path]
    start = _START.format(path=path, handle=handle, folder=str(Path(folder).absolute()))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-s", "-S", "-X", "utf8", "-c", start],
        stdin=subprocess.PIPE,  # its other end: the process ends when we do
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # what a library says when it has no memory left
        env=kept | _ADDED,
        cwd="/",
        pass_fds=[handle],
        process_group=0,  # Ctrl-C reaches the process that called, and that one decides
    )
