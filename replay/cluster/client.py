"""A cluster that work can be handed to: one task a log, the answers as they come."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from replay.cluster.errors import Trouble
from replay.cluster.flight import Flights
from replay.cluster.link import linked
from replay.cluster.work import Task
from replay.cluster.workers import Tell, Workers

if TYPE_CHECKING:
    from distributed import Client


class Cluster:
    """A cluster that is as this process is."""

    def __init__(self, client: "Client", workers: Workers, n_threads: int) -> None:
        """`n_threads` there are now."""
        self._client = client
        self._workers = workers
        self._n_threads = n_threads

    def answers(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Any | Trouble]]:
        """For every task its number and what its function gave, in whatever order they are done.

        ClusterError if the cluster is lost. However it ends, no task of it is left there.
        """
        with Flights(self._client, self._workers, self._n_threads) as flights:
            yield from flights.answers(tasks)


@contextmanager
def joined(address: str, modules: tuple[str, ...], tell: Tell) -> Iterator[Cluster]:
    """The cluster of a scheduler, its workers checked; ClusterError."""
    with linked(address) as client:
        workers = Workers(client, modules, tell)
        yield Cluster(client, workers, workers.first())
