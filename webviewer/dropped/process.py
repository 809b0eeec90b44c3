"""The process of a dropped log, seen from the server: started, asked, ended."""

import os
import signal
import socket
import subprocess
import sys
import threading

from msgspec import Struct

from webviewer.dropped.limits import Limits
from webviewer.dropped.wire import Begin, Said, Wire

_START = """
import sys
sys.path[:] = {path!r}
from webviewer.dropped.limits import Limits
from webviewer.dropped.showing import serve
serve({handle}, {limits})
"""
_KEPT = ("LD_LIBRARY_PATH", "PYTHONHOME")
"""Of the environment, what Python may need to find itself."""
_ADDED = {"MALLOC_ARENA_MAX": "1"}
"""Memory is asked for as it is used, or the limit would count what never will be."""
_ENVELOPE = 1 << 16
"""Bytes of an answer's frame beside its body."""


class Process:
    """A process that shows the log in the open file `begin.file`.

    `end` may be called from any thread, and again; whoever makes one has to.
    """

    def __init__(self, begin: Begin, limits: Limits) -> None:
        """Start it; the open file stays the caller's."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _process(theirs.fileno(), begin.file, limits)
        except BaseException:
            ours.close()
            raise
        self._wire = Wire(ours, limits.answer + _ENVELOPE)
        self._ending = threading.Lock()
        self._wire.say(begin)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def say(self, message: Struct, until: float) -> None:
        """Send a frame; EOFError if it is gone, TimeoutError if it does not take it."""
        self._wire.say(message, until)

    def said(self, until: float) -> Said:
        """Its next frame; EOFError if it is gone, TimeoutError if none comes before `until`."""
        return self._wire.said(until)

    def end(self) -> int:
        """End it at once, and return how it ended: no process is left behind."""
        with self._ending:
            self._process.kill()
            if self._process.stdin is not None:
                self._process.stdin.close()
            return self._process.wait()

    def ended(self) -> str:
        """Why it ended by itself: `cpu`, `idle` or `died`; it is waited for."""
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.end()
            return "died"  # it said what it may not say
        match -self.end():
            case signal.SIGXCPU:
                return "cpu"
            case signal.SIGALRM:
                return "idle"
            case _:
                return "died"

    def close(self) -> None:
        """End it and give up the socket: for the thread that listens."""
        self.end()
        self._wire.close()


def _process(handle: int, file: int, limits: Limits) -> "subprocess.Popen[bytes]":
    path = [os.path.abspath(entry) for entry in sys.path]
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return subprocess.Popen(
        [
            *(sys.executable, "-B", "-s", "-S", "-X", "utf8", "-c"),
            _START.format(path=path, handle=handle, limits=limits),
        ],
        stdin=subprocess.PIPE,  # its other end: the process ends when we do
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=kept | _ADDED,
        cwd="/",
        pass_fds=[handle, file],
        process_group=0,  # Ctrl-C reaches the server, and that one decides
    )
