"""How long `Recorder.write` takes under each sync policy."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

from replay.recorder import Recorder, Sync
from schema.items import Hand
from tests.bench.games import Material
from tests.bench.rows import Row

SECTION = "recorder"
HANDS = 20
"""Hands written at most: under sync "event" the disk is asked after each of their events."""
_POLICIES: tuple[Sync, ...] = get_args(Sync)


def rows(of: Material, folder: Path) -> Iterator[Row]:
    """Median and 99th percentile of one write under each policy, by the clock."""
    for sync, took in _written(of, folder).items():
        took.sort()
        for name, share in (("p50", 0.50), ("p99", 0.99)):
            yield Row(
                section=SECTION,
                name=f"{of.subject.game}: write, sync {sync}, {name}",
                value=took[int(share * len(took))] * 1e6,
                unit="µs",
                amount=len(took),
            )


def _written(of: Material, folder: Path) -> dict[Sync, list[float]]:
    """Seconds of each write: the same hands under each policy, hand by hand in turn."""
    folder.mkdir()
    took: dict[Sync, list[float]] = {sync: [] for sync in _POLICIES}
    with ExitStack() as stack:
        recorders = {
            sync: stack.enter_context(Recorder.create(folder / f"{sync}.paipu", of.head, sync))
            for sync in _POLICIES
        }
        for hand in of.hands[:HANDS]:
            for sync, recorder in recorders.items():
                took[sync] += _times(recorder, hand)
    return took


def _times(recorder: Recorder, hand: Hand) -> Sequence[float]:
    clock, write = time.perf_counter, recorder.write
    took = []
    for event in hand.events:
        start = clock()
        write(event)
        took.append(clock() - start)
    return took
