"""What a process gives up for good before it runs SQL that nobody has read.

Whatever DuckDB's own limits let pass ends here: the system itself refuses memory, files and time.
"""

import math
import os
import resource
import signal
import sys
from contextlib import suppress

from replay.archive.question import Limits
from replay.confined import address_space, lower, yield_to_others

_GRACE = 2
"""Seconds for which a process whose caller does not end it lives on."""


def confine(limits: Limits) -> None:
    """Give up memory beyond the limit, writing, opening anything more, and time.

    No limit is ever raised. What is loaded lazily must be loaded before.
    """
    yield_to_others()
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime + limits.seconds * limits.threads + _GRACE
    lower(resource.RLIMIT_CPU, math.ceil(seconds))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds + _GRACE)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 0)
    if sys.platform == "linux":
        lower(resource.RLIMIT_AS, address_space(limits.memory))
    lower(resource.RLIMIT_NOFILE, _next_file())


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
