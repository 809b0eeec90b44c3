"""Tasks that are away: how many at once, and what becomes of those that do not come back.

Dask runs a task again whose worker died. What is away at once is bounded in number and in bytes,
so neither the memory of the scheduler nor ours grows with the number of logs.
"""

import pickle
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from replay.cluster.errors import ClusterError, Trouble, held, trouble
from replay.cluster.parcels import packed, weight
from replay.cluster.versions import own
from replay.cluster.work import Answer, Done, Order, Refused, Task, Unseen
from replay.cluster.workers import Workers

if TYPE_CHECKING:
    from distributed import Client, Future

_A_THREAD = 8
"""Tasks away for each thread of the cluster: small logs are verified sooner than they travel."""
_BYTES = 64 << 20
"""Bytes of logs that are away at once."""
_PERFORM = """
__import__("replay.cluster.work", fromlist=["perform"]).perform(wanted, order)
""".strip()
"""Tasks are text: what cannot be imported where it is unpacked ends a worker of Dask's, and the
scheduler need not have paipu."""
_LOOK = 2.0
"""Seconds after which the workers are looked at again."""


class _Flight(Struct, frozen=True):
    """A task that is sent; `weight` in bytes. `is_alone`: no other is away, so it is to blame."""

    number: int
    order: bytes
    weight: int
    is_alone: bool = False


class _Killed(Struct, frozen=True):
    """Every worker died that had the task; the last of them."""

    worker: str


class Flights:
    """The tasks of one run that are away; use as a context manager."""

    def __init__(self, client: "Client", workers: Workers, n_threads: int) -> None:
        """`n_threads` there are at first."""
        self._client = client
        self._workers = workers
        self._n_threads = n_threads
        self._looked = time.monotonic()
        self._versions = own()
        self._name = f"paipu-{uuid4().hex}"
        self._n_sent = 0
        self._weight = 0
        self._away: dict[Future, _Flight] = {}
        self._bound: dict[Future, frozenset[str]] = {}
        """Of tasks away that not every worker may have: those that may."""
        self._came: SimpleQueue[Future] = SimpleQueue()
        self._grounded: list[_Flight] = []
        """Tasks that no worker there is may have."""
        self._suspects: deque[_Flight] = deque()
        """Tasks whose workers died: whichever of several tasks of a worker it was."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Take back what is still away."""
        if self._away and self._client.status == "running":
            with suppress(OSError):
                self._client.cancel(list(self._away))
        self._away.clear()

    def answers(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Any | Trouble]]:
        """See Cluster.answers."""
        for number, task in enumerate(tasks):
            while not self._has_room():
                yield from self._landed()
            yield from self._begin(number, task)
        while self._away or self._grounded or self._suspects:
            if not (self._away or self._grounded):
                self._send(replace(self._suspects.popleft(), is_alone=True))
            yield from self._landed()

    def _has_room(self) -> bool:
        """Whether another task may be sent; one always may."""
        limit = _A_THREAD * self._n_threads
        n_away = len(self._away) + len(self._grounded)
        return not n_away or (n_away < limit and self._weight < _BYTES)

    def _begin(self, number: int, task: Task) -> Iterator[tuple[int, Any]]:
        """Send a task; one whose logs cannot be sent is done here, and says what is wrong."""
        try:
            parcels = packed(task.paths)
        except OSError:
            parcels = None
        if parcels is None:
            yield number, task.function(task.subject, task.paths)
            return
        order = pickle.dumps(Order(task.function, task.subject, parcels))
        self._send(_Flight(number, order, weight(parcels)))

    def _send(self, flight: _Flight, workers: list[str] | None = None) -> None:
        """Send a task, to these workers if any are named."""
        self._n_sent += 1
        with held():
            future = self._client.submit(
                eval,
                _PERFORM,
                {"wanted": self._versions, "order": flight.order},
                key=f"{self._name}-{self._n_sent}",
                workers=workers,
                pure=False,
            )
        self._away[future] = flight
        self._weight += flight.weight
        if workers is not None:
            self._bound[future] = frozenset(workers)
        future.add_done_callback(self._came.put)

    def _look(self) -> None:
        """See who works, and send anew what waits for workers that are not there."""
        self._looked = time.monotonic()
        self._n_threads = self._workers.now()
        if not (good := self._workers.good()):
            return
        for future, workers in list(self._bound.items()):
            if workers.isdisjoint(good):
                self._grounded.append(self._taken(future))
        for flight in self._grounded:
            self._send(flight, good)
        self._grounded.clear()

    def _taken(self, future: "Future") -> _Flight:
        """The task is away no more."""
        flight = self._away.pop(future)
        self._bound.pop(future, None)
        self._weight -= flight.weight
        future.release()
        return flight

    def _landed(self) -> Iterator[tuple[int, Any | Trouble]]:
        """What the next answer tells; nothing if none came for a while."""
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        try:
            future = self._came.get(timeout=_LOOK)
        except Empty:
            return
        if future not in self._away:
            return  # it was sent anew
        try:
            answer = self._answer(future)
        except TimeoutError:
            self._came.put(future)  # its worker died with the answer: it is done again
            return
        yield from self._told(self._taken(future), answer)

    def _answer(self, future: "Future") -> Answer | _Killed:
        """TimeoutError if it is not there any more; ClusterError if the scheduler is lost."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        try:
            answer: Answer = future.result(timeout=_LOOK)
        except KilledWorker as error:
            return _Killed(str(error.last_worker.address))
        except CancelledError:
            raise ClusterError("lost") from None
        except ImportError:  # a worker that came later, and has no paipu or another
            return Refused("", {})
        except OSError as error:
            if isinstance(error, TimeoutError) or future.status == "error":
                raise
            raise ClusterError("lost") from None
        return answer

    def _told(self, flight: _Flight, answer: Answer | _Killed) -> Iterator[tuple[int, Any]]:
        match answer:
            case Done():
                yield flight.number, answer.value
            case Unseen(worker=worker, path=path, reason=None):
                yield flight.number, trouble("another", worker=worker, path=path)
            case Unseen(worker=worker, path=path, reason=reason):
                yield flight.number, trouble("unseen", worker=worker, path=path, reason=reason)
            case Refused():
                self._grounded.append(flight)
                self._look()
            case _Killed() if flight.is_alone:
                yield flight.number, trouble("killed", worker=answer.worker)
            case _Killed():
                self._suspects.append(flight)
