"""Asking an archive from outside: SQL that nobody has read, each query in a process of its own.

One door for the command line and for servers; it can be used from many threads.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, Self

import msgspec

from replay.archive import answering, manifest
from replay.archive.apart import Worker
from replay.archive.errors import Refused, Told
from replay.archive.question import (
    LONGEST_SQL,
    MIB,
    Limit,
    Limits,
    Page,
    QueryError,
    Question,
    Stopped,
    Value,
)
from replay.archive.statement import demand_text
from replay.messages.system import reason

__all__ = ["PAGE", "Answer", "Asker", "Limits", "Page", "Question", "page_in", "start"]

PAGE = Limits(rows=1000, answer=4 * MIB, columns=1000)
"""Limits of what one page shows."""
_START_SECONDS = 60.0
"""Within this a process has opened the archive, or it is given up."""
_ENDED = "the query was ended by who asked"
_MOST_WORKERS = 4
_MOST_WAITING = 16
"""Questions that may wait for one of the workers; more are refused."""
Stamp = tuple[int, int, int] | None


class Answer:
    """The bytes of an answer as they come: a context manager, to be iterated once.

    The clock runs from the question on, whether or not anybody reads.
    """

    def __init__(self, worker: Worker, limits: Limits, over: Callable[["Answer"], None]) -> None:
        """Use `Asker.ask`. `over` is called once, when the worker has ended."""
        self._worker = worker
        self._limits = limits
        self._over = over
        self._ending = threading.Lock()
        self._is_over = False
        self._is_late = False
        self.cut_by: Limit | None = None
        """The limit that cut the answer, `rows` or `answer`: known at the end."""
        self._timer = threading.Timer(limits.seconds, self._stop)
        self._timer.daemon = True

    def begin(self, question: bytes) -> None:
        """Start the clock and ask: once. QueryError if there can be no clock: nothing is asked."""
        start(self._timer)
        self._worker.say(question)

    @property
    def is_cut(self) -> bool:
        """Whether there was more than the limits allow."""
        return self.cut_by is not None

    @property
    def pid(self) -> int:
        """The number of the process that works for it."""
        return self._worker.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the query, whatever it does."""
        self.end()
        self._worker.close()

    def end(self) -> None:
        """End the query, from any thread: who reads it hears that it was ended."""
        self._timer.cancel()
        with self._ending:
            self._end()

    def _stop(self) -> None:
        with self._ending:
            # What was answered in time may be read later: the process has ended by itself.
            self._is_late = not self._is_over and self._end() != 0

    def _end(self) -> int:
        status = self._worker.kill()
        if not self._is_over:
            self._is_over = True
            self._over(self)
        return status

    def __iter__(self) -> Iterator[bytes]:
        """The pieces in order; QueryError or ArchiveError in the middle."""
        while True:
            kind, told = self._heard()
            if kind == answering.BYTES:
                yield told
            elif kind == answering.DONE:
                self.cut_by = msgspec.convert(told.decode() or None, Limit | None)
                self.end()
                return
            else:
                _fail(kind, told)

    def _heard(self) -> tuple[bytes, bytes]:
        try:
            message = self._worker.hear(None)
        except EOFError:
            raise self._lost() from None
        with self._ending:
            if self._is_late:
                raise Stopped("seconds", self._limits.seconds)
        assert message is not None, "hearing without a time limit"
        return message[:1], message[1:]

    def _lost(self) -> QueryError:
        how = self._worker.ended()
        with self._ending:
            is_late, is_over = self._is_late, self._is_over
        if is_late or how in ("SIGALRM", "SIGXCPU"):
            return Stopped("seconds", self._limits.seconds)
        if is_over:
            return QueryError(_ENDED)
        return QueryError(
            f"the query ended its process ({how}), most likely for lack of memory: "
            f"it may use {self._limits.megabytes:g} MiB"
        )


def _fail(kind: bytes, told: bytes) -> NoReturn:
    if kind == answering.REFUSED:
        raise QueryError(told.decode(errors="replace"))
    if kind == answering.STOPPED:
        stop = msgspec.json.decode(told, type=answering.Stop)
        raise Stopped(stop.limit, stop.value)
    if kind == answering.NO_ARCHIVE:
        lost = msgspec.json.decode(told, type=answering.Lost)
        raise Told(lost.zh, lost.en, lost.is_gone)
    raise RuntimeError(f"the process of the query failed:\n{told.decode(errors='replace')}")


class Asker:
    """The archive in `folder`, to be asked; `warm` workers are kept ready for the next queries.

    At most `most` queries run at once, and a few wait for them. Close it: its workers end.
    """

    def __init__(self, folder: Path | str, warm: int = 0, most: int = _MOST_WORKERS) -> None:
        self._folder = Path(folder).absolute()
        self._most = most
        self._warm = warm
        self._free = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._waiting = 0
        self._ready: deque[tuple[Worker, Stamp]] = deque()
        self._running: set[Answer] = set()
        self._is_closed = False
        self._keep_warm(warm)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: Question) -> Answer:
        """Ask; ArchiveError or QueryError, now or while the answer is read.

        Waits for a free worker at most as long as the question itself may take.
        """
        demand_text(question.sql)
        if len(question.sql.encode()) > LONGEST_SQL:
            raise Stopped("sql", LONGEST_SQL)
        try:
            told = msgspec.msgpack.encode(question)
        except (TypeError, ValueError, OverflowError) as error:
            raise QueryError(f"a parameter cannot be handed over: {error}") from None
        self._wait(question.limits.seconds)
        try:
            self._demand_open()  # who has waited meanwhile needs no worker any more
            worker = self._worker()
        except BaseException:
            self._free.release()
            raise
        answer = Answer(worker, question.limits, self._over)
        try:
            with self._lock:
                self._running.add(answer)
            self._demand_open()
            answer.begin(told)
        except BaseException:
            answer.end()
            worker.close()
            raise
        self._keep_warm(min(self._warm, 1))
        return answer

    def _demand_open(self) -> None:
        if self._is_closed:
            raise QueryError(_ENDED)

    def page(
        self, sql: str, parameters: Mapping[str, Value] | None = None, limits: Limits = PAGE
    ) -> Page:
        """The whole answer of one query."""
        began = time.monotonic()
        with self.ask(Question(sql, parameters or {}, "page", limits)) as answer:
            columns, types, rows = page_in(answer)
        return Page(columns, types, rows, answer.cut_by, time.monotonic() - began)

    def close(self) -> None:
        """End all that works for it; whoever still reads an answer hears that it was ended."""
        with self._lock:
            self._is_closed = True
            ready, running = list(self._ready), list(self._running)
            self._ready.clear()
        for worker, _ in ready:
            worker.close()
        for answer in running:
            answer.end()

    def _wait(self, seconds: float) -> None:
        """Take one of the places; Stopped if there is none in time, or too many wait already."""
        if self._free.acquire(blocking=False):
            return
        with self._lock:
            if self._waiting >= _MOST_WAITING:
                raise Stopped("workers", self._most)
            self._waiting += 1
        try:
            if not self._free.acquire(timeout=min(seconds, threading.TIMEOUT_MAX)):
                raise Stopped("workers", self._most)
        finally:
            with self._lock:
                self._waiting -= 1

    def _over(self, answer: Answer) -> None:
        with self._lock:
            self._running.discard(answer)
        self._free.release()
        self._keep_warm(self._warm)

    def _worker(self) -> Worker:
        """One that is ready, and has opened the archive as it is now."""
        while (worker := self._taken()) is not None:
            if _is_ready(worker):
                return worker
            worker.close()  # something has ended it while it waited
        try:
            worker = Worker(str(self._folder))
        except OSError as error:
            told = reason(error, "en")
            raise QueryError(f"no process can be started for the query: {told}") from None
        try:
            message = worker.hear(_START_SECONDS)
            if message is None:
                raise Refused("slow", path=self._folder, n=f"{_START_SECONDS:g}")
            if message[:1] != answering.READY:
                _fail(message[:1], message[1:])
        except EOFError:
            how = worker.ended()
            raise RuntimeError(f"the process of the query did not start: {how}") from None
        except BaseException:
            worker.close()
            raise
        return worker

    def _taken(self) -> Worker | None:
        """A worker that was kept warm; those of an archive that has changed are ended."""
        now = stamp(self._folder)
        while True:
            with self._lock:
                if not self._ready:
                    return None
                worker, opened = self._ready.popleft()
            if opened == now:
                return worker
            worker.close()

    def _keep_warm(self, least: int) -> None:
        """Start as many as are missing.

        One is enough while a query runs: starting takes a core that the query could use.
        """
        while True:
            with self._lock:
                if self._is_closed or len(self._ready) >= least:
                    return
                now = stamp(self._folder)
                with suppress(OSError):  # then the next query starts its own
                    self._ready.append((Worker(str(self._folder)), now))
                    continue
                return


def start(thread: threading.Thread) -> None:
    """Start a thread that watches a query; QueryError if the system gives no more of them."""
    try:
        thread.start()
    except RuntimeError as error:
        raise QueryError(f"no thread can be started for the query: {error}") from None


def page_in(
    pieces: Iterable[bytes],
) -> tuple[tuple[str, ...], tuple[str, ...], list[list[object]]]:
    """Columns, types and rows of an answer in the form `page`.

    QueryError for a value that is nested too deeply.
    """
    first, *lines = b"".join(pieces).splitlines()
    try:
        columns, types = msgspec.json.decode(first, type=tuple[tuple[str, ...], tuple[str, ...]])
        return columns, types, [msgspec.json.decode(line, type=list[object]) for line in lines]
    except (msgspec.DecodeError, RecursionError) as error:
        raise QueryError(f"the answer cannot be shown: {error}") from None


def _is_ready(worker: Worker) -> bool:
    try:
        message = worker.hear(_START_SECONDS)
    except EOFError:
        return False
    return message is not None and message[:1] == answering.READY


def stamp(folder: Path) -> Stamp:
    """What tells one MANIFEST from the next: each is a new file. None if there is none."""
    try:
        found = (folder / manifest.NAME).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
