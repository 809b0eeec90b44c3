"""Which workers a cluster has, and whether each of them is as this process is."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from replay.cluster.errors import ClusterError, held
from replay.cluster.versions import differing, own, told
from replay.cluster.work import named

if TYPE_CHECKING:
    from distributed import Client

Tell = Callable[[ClusterError], None]
"""Is told what does not end the work."""
_PATIENCE = 30.0
"""Seconds without any worker after which nothing is waited for: a restarted one needs a few."""
_FIRST_PATIENCE = 8.0
"""The same before anything was begun."""
_BETWEEN = 0.25
_PROBE = """[
    __import__("replay.cluster.versions", fromlist=["own"]).own(),
    [__import__(name) for name in {modules!r}],
][0]"""
"""Asked as text: it is the same in every version of Python, and needs nothing of ours to be read.
All modules are loaded at once, so that what a worker calls its code is what it runs."""


class Workers:
    """Which workers there are, and which of them are as this process is."""

    def __init__(self, client: "Client", modules: tuple[str, ...], tell: Tell) -> None:
        """`modules` are those that tasks will need."""
        self._client = client
        self._probe = _PROBE.format(modules=modules)
        self._tell = tell
        self._good: set[str] = set()
        self._bad: set[str] = set()
        self._seen = time.monotonic()

    def first(self) -> int:
        """How many threads there are to begin with; ClusterError for a worker of other versions."""
        until = time.monotonic() + _FIRST_PATIENCE
        while not (threads := self._threads()):
            if time.monotonic() > until:
                raise ClusterError("no_workers")
            time.sleep(_BETWEEN)
        for error in self._ask(set(threads)):
            raise error
        return self._counted(threads)

    def now(self) -> int:
        """How many threads there are; ClusterError if there have been none for long.

        Workers that have come are asked for their versions, and those that do not fit are told.
        """
        threads = self._threads()
        for error in self._ask(set(threads) - self._good - self._bad):
            self._tell(error)
        n_threads = self._counted(threads)
        if n_threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _PATIENCE:
            raise ClusterError("workers_gone")
        return n_threads

    def good(self) -> list[str]:
        """The workers that may be given tasks, as of the last look."""
        return sorted(self._good)

    def _counted(self, threads: dict[str, int]) -> int:
        self._good &= threads.keys()
        return sum(threads[worker] for worker in self._good)

    def _threads(self) -> dict[str, int]:
        """Of every worker."""
        if self._client.status != "running":
            raise ClusterError("lost")
        with held():
            found: dict[str, int] = self._client.nthreads()
        return found

    def _ask(self, workers: set[str]) -> Iterator[ClusterError]:
        """Sort workers into good and bad; what there is to say of the bad ones."""
        if not workers:
            return
        ours = own()
        with held():
            found = self._client.run(eval, self._probe, workers=sorted(workers), on_error="return")
        for worker, theirs in found.items():
            if isinstance(theirs, OSError):
                continue  # it is gone again
            if isinstance(theirs, dict) and not differing(theirs, ours):
                self._good.add(worker)
                continue
            self._bad.add(worker)
            yield self._unfit(worker, theirs, ours)

    def _unfit(self, worker: str, theirs: Any, ours: dict[str, str]) -> ClusterError:
        with held():
            infos = self._client.scheduler_info()["workers"]
        name = named(worker, str(infos.get(worker, {}).get("name", worker)))
        if not isinstance(theirs, dict):
            said = f"{type(theirs).__name__}: {theirs}"
            return ClusterError("no_paipu", worker=name, reason=said)
        names = differing(theirs, ours)
        found, expected = told(theirs, names), told(ours, names)
        return ClusterError("versions", worker=name, found=found, expected=expected)
