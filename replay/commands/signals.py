"""Signals that ask a process to end: it cleans up, and its exit status says which it was."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
"""What a shell reports of a process that Ctrl-C ended."""
_HEEDED = (signal.SIGTERM, signal.SIGHUP)
_came: list[int] = []


@contextmanager
def heeded() -> Iterator[None]:
    """SIGTERM and SIGHUP end the block as an exception does; one that is ignored stays so."""
    _came.clear()
    if threading.current_thread() is not threading.main_thread():
        yield  # Python has signals in its main thread alone
        return
    ours = [number for number in _HEEDED if signal.getsignal(number) is signal.SIG_DFL]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        ours.append(signal.SIGINT)
    before = [(number, signal.signal(number, _end)) for number in ours]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def status() -> int | None:
    """The exit status that goes with the signal that came; None if none did."""
    return 128 + _came[0] if _came else None


def leave_to_the_caller() -> None:
    """In a worker process: Ctrl-C reaches its caller too, which ends it with SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _HEEDED:
        signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> None:
    _came.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)
