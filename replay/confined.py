"""What a process gives up for good before it touches what strangers sent.

Each step is the system's: whatever the code that follows does, it cannot take it back.
"""

import fcntl
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

_PAGE = resource.getpagesize()
_NICENESS = 5
"""Whoever serves goes before whoever is asked."""
_FIRST_TO_GO = "1000"
"""If the whole machine has no memory left, this process ends and no other."""


def end_with(lifeline: int) -> None:
    """Have the system end this process when the other end of that pipe is closed.

    Also in the middle of code that never looks: a signal, whose default is to end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asked, and that one decides
    if not hasattr(os, "O_ASYNC"):
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):  # it is still open
        if not os.read(lifeline, 1):  # it was closed before there was a signal for it
            os._exit(1)


def yield_to_others() -> None:
    """Run after whoever else wants to run, and be the first to go when memory is short."""
    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO)


def address_space(memory: int) -> int:
    """RLIMIT_AS for `memory` bytes in use: what is mapped and never touched is added to it."""
    mapped, resident = map(int, Path("/proc/self/statm").read_text().split()[:2])
    return mapped * _PAGE + max(memory - resident * _PAGE, 0)


def lower(which: int, most: int) -> None:
    """Lower a limit of this process for good; none is ever raised."""
    _, hard = resource.getrlimit(which)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (least, least))
