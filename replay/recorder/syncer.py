"""The one thread of a process that puts what its recorders wrote on the disk, every 100 ms."""

import os
import threading
import time
from queue import SimpleQueue
from typing import Protocol

INTERVAL = 0.1
"""Seconds between the first write that is not yet on the disk and the syncing of all."""


class Syncable(Protocol):
    """Something that can put what it wrote on the disk; it keeps its own errors."""

    def sync_now(self) -> None:
        """Put everything written before this call on the disk."""


class Syncer:
    """Collects what is to be synced and does it in a thread, started at the first request."""

    def __init__(self) -> None:
        """No thread yet."""
        self._waiting: SimpleQueue[Syncable] = SimpleQueue()
        self._starting = threading.Lock()
        self._started = False

    def ask(self, what: Syncable) -> None:
        """Have `what` synced about `INTERVAL` from now; never waits for a disk."""
        if not self._started:
            self._start()
        self._waiting.put(what)

    def _start(self) -> None:
        with self._starting:
            if not self._started:
                threading.Thread(target=self._run, name="paipu-syncer", daemon=True).start()
                self._started = True

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            time.sleep(INTERVAL)
            batch += [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]
            for what in batch:
                what.sync_now()
            # A reference kept until the next request would keep a dropped recorder's file open.
            del batch, what


_the_syncer = Syncer()


def ask(what: Syncable) -> None:
    """Have `what` synced soon by this process's syncer."""
    _the_syncer.ask(what)


def _after_fork_in_child() -> None:
    """Threads do not survive a fork: the child starts its own syncer when it needs one."""
    global _the_syncer
    _the_syncer = Syncer()


os.register_at_fork(after_in_child=_after_fork_in_child)
