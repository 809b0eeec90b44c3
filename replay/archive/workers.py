"""Who does the work of an index run: this process alone, or (processes.py) several."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Protocol, Self

import pyarrow as pa

from replay.archive.columns import Batch
from replay.archive.ingest import Outcome, Task, glance, identify, take_in
from replay.archive.plan import Fingerprint

BATCH_ROWS = 1 << 18
"""Rows of plays after which a worker hands over what it has."""
Sink = Callable[[str, pa.Table], None]
"""Takes the rows of one table."""


class Crew(Protocol):
    """Workers: use as a context manager."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def glance(self, paths: Iterable[str]) -> list[Fingerprint]:
        """What stands at each path, in the order of the paths, without the ids of hands."""
        ...

    def identify(self, files: Iterable[Fingerprint]) -> list[Fingerprint]:
        """These files in their order, with the ids of their hands."""
        ...

    def take_in(self, tasks: Iterable[Task], sink: Sink) -> Iterator[Outcome]:
        """Verify logs; all their rows have gone to `sink` when the iterator ends."""
        ...


class Alone:
    """All work in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def glance(self, paths: Iterable[str]) -> list[Fingerprint]:
        """What stands at each path."""
        return [glance(path) for path in paths]

    def identify(self, files: Iterable[Fingerprint]) -> list[Fingerprint]:
        """Files with the ids of their hands."""
        return [identify(file) for file in files]

    def take_in(self, tasks: Iterable[Task], sink: Sink) -> Iterator[Outcome]:
        """Verify logs one after the other."""
        batch = Batch()
        for task in tasks:
            yield take_in(batch, task, partial(hand_over, batch, sink, BATCH_ROWS))
        hand_over(batch, sink, 0)


@contextmanager
def collecting_less() -> Iterator[None]:
    """Let the garbage collector run seldom: steps and rows are many and have no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def streamed(rows: pa.Table, compression: str | None = None) -> bytes:
    """Rows as an Arrow stream: how they travel between processes."""
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(sink, rows.schema, options=options) as writer:
        writer.write_table(rows)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def hand_over(batch: Batch, sink: Sink, least: int) -> None:
    """Give all rows of a batch to `sink` if it holds at least so many rows of plays."""
    if len(batch) >= least:
        for table, rows in batch.take().items():
            sink(table, rows)
