"""Who does the work of an index run: this process, or several that send back Arrow bytes.

Only the process that called writes the archive; the others read logs.
"""

import gc
import multiprocessing
import signal
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

import pyarrow as pa
from msgspec import Struct

from replay.archive.columns import Batch
from replay.archive.ingest import Outcome, Task, glance, identify, take_in
from replay.archive.manifest import ArchiveError
from replay.archive.plan import Fingerprint

BATCH_ROWS = 1 << 18
"""Rows of plays after which a worker hands over what it has."""
Sink = Callable[[str, pa.Table], None]
"""Takes the rows of one table."""


class Rows(Struct, frozen=True):
    """Rows of one table as an Arrow stream."""

    table: str
    data: bytes


class Crash(Struct, frozen=True):
    """An error of ours in a worker process, with its traceback."""

    trace: str


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

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def glance(self, paths: Iterable[str]) -> list[Fingerprint]:
        """What stands at each path."""
        return [glance(path, self._known) for path in paths]

    def identify(self, files: Iterable[Fingerprint]) -> list[Fingerprint]:
        """Files with the ids of their hands."""
        return [identify(file) for file in files]

    def take_in(self, tasks: Iterable[Task], sink: Sink) -> Iterator[Outcome]:
        """Verify logs one after the other."""
        batch = Batch()
        for task in tasks:
            yield take_in(batch, task, partial(_hand_over, batch, sink, BATCH_ROWS))
        _hand_over(batch, sink, 0)


@contextmanager
def collecting_less() -> Iterator[None]:
    """Let the garbage collector run seldom: steps and rows are many and have no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _hand_over(batch: Batch, sink: Sink, least: int) -> None:
    if len(batch) >= least:
        for table, rows in batch.take().items():
            sink(table, rows)


class Several:
    """Work shared among processes; rows come back as Arrow bytes, a full pipe slows them down."""

    def __init__(self, jobs: int, known: frozenset[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self._processes = []
        self._links: list[Connection] = []
        for number in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_serve, args=(theirs, known), name=f"index-{number}", daemon=True
            )
            process.start()
            theirs.close()
            self._processes.append(process)
            self._links.append(ours)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let every process end: it does when its pipe is closed."""
        for link in self._links:
            link.close()
        for process in self._processes:
            process.terminate()
            process.join()

    def glance(self, paths: Iterable[str]) -> list[Fingerprint]:
        """What stands at each path."""
        wanted = list(paths)
        found = {reply.path: reply for reply in self._answers(wanted, _no_sink)}
        return [found[path] for path in wanted]

    def identify(self, files: Iterable[Fingerprint]) -> list[Fingerprint]:
        """Files with the ids of their hands."""
        wanted = list(files)
        found = {reply.path: reply for reply in self._answers(wanted, _no_sink)}
        return [found[file.path] for file in wanted]

    def take_in(self, tasks: Iterable[Task], sink: Sink) -> Iterator[Outcome]:
        """Verify logs, each in one process, in whatever order they are done."""
        yield from self._answers(tasks, sink)
        for link in self._links:
            link.send(None)
        yield from self._replies(set(self._links), sink, iter(()))

    def _answers(self, requests: Iterable[Any], sink: Sink) -> Iterator[Any]:
        """Give every process one request at a time; yields the answers as they come."""
        waiting = iter(requests)
        busy: set[Connection] = set()
        for link, request in zip(self._links, waiting, strict=False):
            link.send(request)
            busy.add(link)
        yield from self._replies(busy, sink, waiting)

    def _replies(self, busy: set[Connection], sink: Sink, waiting: Iterator[Any]) -> Iterator[Any]:
        while busy:
            for link in wait(list(busy)):
                assert isinstance(link, Connection), "we wait for pipes only"
                reply = self._receive(link)
                match reply:
                    case Rows():
                        sink(reply.table, pa.ipc.open_stream(reply.data).read_all())
                        continue
                    case Crash():
                        raise ArchiveError(f"a worker process failed:\n{reply.trace}")
                    case None:
                        pass
                    case _:
                        yield reply
                request = next(waiting, None)
                if request is None:
                    busy.discard(link)
                else:
                    link.send(request)

    def _receive(self, link: Connection) -> Any:
        try:
            return link.recv()
        except EOFError:
            process = self._processes[self._links.index(link)]
            process.join()
            raise ArchiveError(
                f"worker process {process.name} ended by itself (exit code {process.exitcode}); "
                "nothing of this run since the last commit was added"
            ) from None


def _no_sink(table: str, rows: pa.Table) -> None:
    raise AssertionError("a fingerprint has no rows")


def _serve(link: Connection, known: frozenset[str]) -> None:
    """A worker process: paths are glanced at, files identified, tasks taken in.

    None hands over what is left.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that called decides
    batch = Batch()

    def sink(table: str, rows: pa.Table) -> None:
        link.send(Rows(table, _stream(rows)))

    with collecting_less():
        _answer(link, known, batch, sink)


def _answer(link: Connection, known: frozenset[str], batch: Batch, sink: Sink) -> None:
    """Requests in the order in which they come, until there are no more."""
    while True:
        try:
            request = link.recv()
        except (EOFError, OSError):
            return
        try:
            match request:
                case str():
                    reply: Any = glance(request, known)
                case Fingerprint():
                    reply = identify(request)
                case Task():
                    flush = partial(_hand_over, batch, sink, BATCH_ROWS)
                    reply = take_in(batch, request, flush)
                case _:
                    _hand_over(batch, sink, 0)
                    reply = None
            link.send(reply)
        except BrokenPipeError:
            return
        except Exception:
            link.send(Crash(traceback.format_exc()))
            return


def _stream(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    data: bytes = sink.getvalue().to_pybytes()
    return data
