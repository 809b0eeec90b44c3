"""Measuring in turn: the same work again and again, interleaved, in processor and wall time."""

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median

from msgspec import Struct


class Probe(Struct, frozen=True, eq=False):
    """Something to be measured: `run` does the work once and says how much it was, in `unit`.

    `budget`: the units a second that it is to reach.
    """

    section: str
    name: str
    unit: str
    run: Callable[[], int]
    budget: float | None = None


class Turn(Struct, frozen=True):
    """One run of a probe: how much was done, in seconds of processor and of wall time."""

    amount: int
    cpu: float
    wall: float


class Timed(Struct, frozen=True):
    """All turns of one probe."""

    probe: Probe
    turns: tuple[Turn, ...]

    @property
    def amount(self) -> int:
        """The work of one turn, the same in all of them."""
        return self.turns[0].amount

    @property
    def cpu_rate(self) -> float:
        """Units a second of processor time."""
        return self.amount / median(turn.cpu for turn in self.turns)

    @property
    def wall_rate(self) -> float:
        """Units a second of wall time."""
        return self.amount / median(turn.wall for turn in self.turns)

    def ratio_to(self, other: "Timed") -> float:
        """How many times the units of `other`, turn by turn."""
        pairs = zip(self.turns, other.turns, strict=True)
        scale = self.amount / other.amount
        return scale * median(theirs.cpu / ours.cpu for ours, theirs in pairs)


def interleaved(probes: Sequence[Probe], runs: int) -> dict[str, Timed]:
    """Every probe once a turn, forwards and backwards by turns; by name.

    One run of each comes before that and is not counted.
    """
    order = list(probes)
    turns: dict[str, list[Turn]] = {probe.name: [_turn(probe)] for probe in order}
    for _ in range(runs):
        for probe in order:
            turns[probe.name].append(_turn(probe))
        order.reverse()
    for name, done in turns.items():
        assert len({turn.amount for turn in done}) == 1, f"{name} did not do the same every time"
    return {probe.name: Timed(probe, tuple(turns[probe.name][1:])) for probe in probes}


def _turn(probe: Probe) -> Turn:
    # What was made to be measured with is no garbage of the run: the collector need not look at it.
    gc.collect()
    gc.freeze()
    wall, cpu = time.perf_counter(), time.process_time()
    amount = probe.run()
    return Turn(amount, time.process_time() - cpu, time.perf_counter() - wall)
