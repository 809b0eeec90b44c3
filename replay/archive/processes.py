"""An index run shared among processes, which read logs and send back rows as Arrow bytes.

Only the process that called writes the archive. The others are started by this module's name and
run none of the caller's own program, which may be anything: a script, a shell, a notebook.
"""

import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, Self

import pyarrow as pa
from msgspec import Struct

from replay.archive.columns import Batch
from replay.archive.errors import ArchiveError
from replay.archive.ingest import Outcome, Task, glance, identify, take_in
from replay.archive.plan import Fingerprint
from replay.archive.workers import BATCH_ROWS, Sink, collecting_less, hand_over, streamed

_START = """
import sys
sys.path[:] = {path!r}
from replay.archive.processes import serve
serve({handle})
"""


class Rows(Struct, frozen=True):
    """Rows of one table as an Arrow stream."""

    table: str
    data: bytes


class Crash(Struct, frozen=True):
    """An error of ours in a worker process, with its traceback."""

    trace: str


class Several:
    """Work shared among processes; a full pipe makes them wait. Use as a context manager."""

    def __init__(self, jobs: int) -> None:
        """Start `jobs` processes."""
        self._processes: dict[Connection, subprocess.Popen[bytes]] = {}
        try:
            for _ in range(jobs):
                self._start()
        except BaseException:
            self.__exit__()
            raise

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", _START.format(path=sys.path, handle=theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,  # Ctrl-C reaches the process that called, and that one decides
            )
        self._processes[Connection(ours.detach())] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End every process."""
        for link, process in self._processes.items():
            link.close()
            process.kill()
            process.wait()

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
        for link in self._processes:
            self._send(link, None)
        yield from self._replies(set(self._processes), sink, iter(()))

    def _answers(self, requests: Iterable[Any], sink: Sink) -> Iterator[Any]:
        """Give every process one request at a time; yields the answers as they come."""
        waiting = iter(requests)
        busy: set[Connection] = set()
        for link, request in zip(self._processes, waiting, strict=False):
            self._send(link, request)
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
                    self._send(link, request)

    def _send(self, link: Connection, request: Any) -> None:
        try:
            link.send(request)
        except OSError:
            raise self._lost(link) from None

    def _receive(self, link: Connection) -> Any:
        try:
            return link.recv()
        except (EOFError, OSError):
            raise self._lost(link) from None

    def _lost(self, link: Connection) -> ArchiveError:
        status = self._processes[link].wait()
        return ArchiveError(
            f"a worker process ended by itself (exit status {status}); "
            "nothing since the last commit was added"
        )


def _no_sink(table: str, rows: pa.Table) -> None:
    raise AssertionError("only what is taken in has rows")


def serve(handle: int) -> None:
    """A worker process: paths are glanced at, files identified, tasks taken in.

    None hands over the rows that are left.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link, batch = Connection(handle), Batch()

    def sink(table: str, rows: pa.Table) -> None:
        link.send(Rows(table, streamed(rows)))

    with collecting_less():
        try:
            while True:
                link.send(_answer(link.recv(), batch, sink))
        except (EOFError, OSError):
            return  # who called is gone, or has no more to ask


def _answer(request: Any, batch: Batch, sink: Sink) -> Any:
    try:
        match request:
            case str():
                return glance(request)
            case Fingerprint():
                return identify(request)
            case Task():
                return take_in(batch, request, partial(hand_over, batch, sink, BATCH_ROWS))
            case _:
                hand_over(batch, sink, 0)
                return None
    except OSError:
        raise
    except Exception:
        return Crash(traceback.format_exc())
