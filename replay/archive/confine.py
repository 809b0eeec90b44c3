"""What a process gives up for good before it runs SQL that nobody has read.

Whatever DuckDB's own limits let pass ends here: the system itself refuses memory, files and time.
"""

import fcntl
import math
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path

from replay.archive.question import Limits

_GRACE = 2
"""Seconds for which a process whose caller does not end it lives on."""
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


def confine(limits: Limits) -> None:
    """Give up memory beyond the limit, writing, opening anything more, and time.

    No limit is ever raised. What is loaded lazily must be loaded before.
    """
    _yield_to_others()
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime + limits.seconds * limits.threads + _GRACE
    _lower(resource.RLIMIT_CPU, math.ceil(seconds))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds + _GRACE)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, 0)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, _address_space(limits.memory))
    _lower(resource.RLIMIT_NOFILE, _next_file())


def _yield_to_others() -> None:
    with suppress(OSError):
        os.nice(_NICENESS)
    with suppress(OSError):  # not Linux
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO)


def _address_space(memory: int) -> int:
    """Of what is mapped already much is never touched: what is left of `memory` is added to it."""
    mapped, resident = map(int, Path("/proc/self/statm").read_text().split()[:2])
    return mapped * _PAGE + max(memory - resident * _PAGE, 0)


def _next_file() -> int:
    """One more than the highest open file: there is no number for another one.

    Numbers that are free below are taken, or something could be opened under them.
    """
    probe = os.open(os.devnull, os.O_RDONLY)
    held = [probe]
    highest = max(_open_files())
    while held[-1] < highest:
        held.append(os.dup(probe))
    return max(highest, *held) + 1


def _open_files() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return [int(name) for name in os.listdir(folder) if name.isdecimal()]
    return [2]


def _lower(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (least, least))
