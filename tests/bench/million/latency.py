"""How long answers take, by the clock: the median and how few take longer, in milliseconds."""

import time
from collections.abc import Callable, Sequence
from math import ceil

from msgspec import Struct

from tests.bench.rows import Budget, number, verdict

LEAST_RUNS = 3
PATIENCE = 60.0
"""Seconds after which a slow thing is asked no more, if it was asked often enough to say."""


class Took(Struct, frozen=True):
    """So many answers: the median and the 95th percentile, in ms."""

    runs: int
    p50: float
    p95: float


class Latency(Struct, frozen=True, kw_only=True):
    """One line: the same asked `here`, in a process that has it open, and of a worker `apart`.

    `budget` holds for the greater of the two p95. `stopped` says at which limit a worker gave up.
    """

    section: str
    name: str
    here: Took
    apart: Took | None = None
    budget: Budget | None = None
    stopped: str = ""

    @property
    def p95(self) -> float:
        """What is held against the budget."""
        return max(each.p95 for each in (self.here, self.apart) if each is not None)


def took(seconds: Sequence[float]) -> Took:
    """What these times say: p95 is the least that 95 in a hundred do not exceed."""
    ordered = sorted(1000 * each for each in seconds)
    return Took(len(ordered), _least(ordered, 0.5), _least(ordered, 0.95))


def _least(ordered: Sequence[float], share: float) -> float:
    return ordered[ceil(share * len(ordered)) - 1]


def timed(run: Callable[[], object], runs: int, before: Callable[[], None] = lambda: None) -> Took:
    """So many runs, fewer of what is slow; what is done `before` each of them is not counted."""
    seconds: list[float] = []
    while len(seconds) < runs and (len(seconds) < LEAST_RUNS or sum(seconds) < PATIENCE):
        before()
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return took(seconds)


def lines(latencies: Sequence[Latency]) -> list[str]:
    """The table, a heading for each section."""
    width = max([len(each.name) for each in latencies], default=0) + 2
    found = []
    section = ""
    for each in latencies:
        if each.section != section:
            section = each.section
            found += ["", f"{section:<{width}}  {_HEADINGS}".rstrip()]
        found.append(f"{'  ' + each.name:<{width}}  {_figures(each)}".rstrip())
    return found


_HEADINGS = f"{'runs':>5} {'p50 ms':>9} {'p95 ms':>9}  {'apart: p50':>10} {'p95 ms':>9}  budget p95"


def _figures(each: Latency) -> str:
    apart = each.apart
    figures = f"{each.here.runs:>5} {number(each.here.p50):>9} {number(each.here.p95):>9}"
    figures += f"  {number(apart.p50) if apart else '':>10} {number(apart.p95) if apart else '':>9}"
    return f"{figures}  {each.stopped or verdict(each.budget, each.p95)}"
