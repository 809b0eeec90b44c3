"""An index run shared with a Dask cluster: its workers verify and send back rows as Arrow bytes.

This process looks at the files and writes the archive; hashing a file is far less work than
verifying it. What a log comes to does not depend on who verified it, nor in which order.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Self

import pyarrow as pa
from msgspec import Struct
from msgspec.structs import replace

from replay.archive.columns import Batch
from replay.archive.ingest import Outcome, Task, take_in
from replay.archive.paths import kept, on_disk
from replay.archive.plan import Fingerprint
from replay.archive.workers import BATCH_ROWS, Alone, Sink, collecting_less, hand_over, streamed
from replay.cluster import work
from replay.cluster.client import Cluster
from replay.cluster.errors import Trouble

MODULE = "replay.archive.scheduled"
"""What a worker of the cluster loads to take part."""


class Taken(Struct, frozen=True):
    """A log that was taken in: what became of it, and its rows, by table, as Arrow streams."""

    outcome: Outcome
    rows: tuple[tuple[str, bytes], ...]


class Scheduled:
    """A Crew of a cluster's workers."""

    def __init__(self, cluster: Cluster, killers: dict[str, Trouble]) -> None:
        """`killers` are digests of logs that cost workers their lives, and are not given again."""
        self._cluster = cluster
        self._killers = killers
        self._here = Alone()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def glance(self, paths: Iterable[str]) -> list[Fingerprint]:
        """What stands at each path."""
        return self._here.glance(paths)

    def identify(self, files: Iterable[Fingerprint]) -> list[Fingerprint]:
        """Files with the ids of their hands."""
        return self._here.identify(files)

    def take_in(self, tasks: Iterable[Task], sink: Sink) -> Iterator[Outcome]:
        """Verify logs, each on one worker, in whatever order they are done."""
        given = []
        for task in tasks:
            if (trouble := self._killers.get(task.file.sha256)) is None:
                given.append(task)
            else:
                yield _undone(task, trouble)
        wanted = (work.Task(taken, task, (on_disk(task.file.path),)) for task in given)
        rows = _Rows(sink)
        for number, answer in self._cluster.answers(wanted):
            if isinstance(answer, Trouble):
                if answer.word == "killed":
                    self._killers[given[number].file.sha256] = answer
                yield _undone(given[number], answer)
                continue
            rows.add(answer.rows)
            yield answer.outcome
        rows.flush()


def hiring(cluster: Cluster) -> Callable[[int], Scheduled]:
    """Makes the workers of each run of a process, however much there is to read."""
    killers: dict[str, Trouble] = {}
    return lambda _: Scheduled(cluster, killers)


class _Rows:
    """Rows of many logs, handed over together: the writer takes few large pieces best."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._tables: dict[str, list[pa.Table]] = {}
        self._plays = 0

    def add(self, rows: Iterable[tuple[str, bytes]]) -> None:
        """The rows of one log."""
        for table, data in rows:
            found = pa.ipc.open_stream(data).read_all()
            self._tables.setdefault(table, []).append(found)
            if table == "plays":
                self._plays += found.num_rows
        if self._plays >= BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Hand over what there is."""
        for table, parts in self._tables.items():
            self._sink(table, pa.concat_tables(parts))
        self._tables.clear()
        self._plays = 0


def taken(task: Task, paths: tuple[str, ...]) -> Taken:
    """What a worker does: take in the log that stands at the path, whatever its name here."""
    batch = Batch()
    rows: list[tuple[str, bytes]] = []

    def keep(table: str, found: pa.Table) -> None:
        rows.append((table, streamed(found, "lz4")))

    there = replace(task, file=replace(task.file, path=kept(paths[0])))
    with collecting_less():
        outcome = take_in(batch, there, lambda: hand_over(batch, keep, BATCH_ROWS))
        hand_over(batch, keep, 0)
    return Taken(_as_named(outcome, task, paths[0]), () if outcome.error else tuple(rows))


def _as_named(outcome: Outcome, task: Task, path: str) -> Outcome:
    """The outcome under the path that the log has where the archive is."""
    name = task.file.path
    file = replace(outcome.file, path=name)
    if outcome.error is not None:
        return replace(outcome, file=file, error=outcome.error.replace(kept(path), name))
    return replace(outcome, file=file, row=outcome.row | {"path": name})


def _undone(task: Task, trouble: Trouble) -> Outcome:
    error = f"{task.file.path}: {trouble.en}"
    return Outcome(task.log_id, task.file, {}, error=error, trouble=trouble)
