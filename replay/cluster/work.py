"""What a worker of the cluster does: one task, and only if it is what the client takes it for."""

import pickle
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from replay.cluster.parcels import Absent, Parcel, unpacked
from replay.cluster.versions import own

Function = Callable[[Any, tuple[str, ...]], Any]
"""Is given a subject and the paths of its logs; it must be importable by its name."""


class Task(Struct, frozen=True):
    """What a client asks for; `paths` are those of the logs on its machine."""

    function: Function
    subject: Any
    paths: tuple[str, ...]


class Order(Struct, frozen=True):
    """A task as it travels: call `function` with `subject` and the logs in `parcels`."""

    function: Function
    subject: Any
    parcels: tuple[Parcel, ...]


class Done(Struct, frozen=True):
    """What the function gave."""

    value: Any


class Unseen(Struct, frozen=True):
    """A worker does not have, at `path`, the file that the client has there; why, if it knows."""

    worker: str
    path: str
    reason: str | None


class Refused(Struct, frozen=True):
    """A worker of other versions than the client's: it has not looked at the task."""

    worker: str
    versions: dict[str, str]


Answer = Done | Unseen | Refused


def perform(wanted: dict[str, str], order: bytes) -> Answer:
    """Carry out a pickled Order, if `wanted` are the versions of this process."""
    if own() != wanted:
        return Refused(_worker(), own())
    task: Order = pickle.loads(order)
    try:
        with unpacked(task.parcels) as paths:
            return Done(task.function(task.subject, paths))
    except Absent as absent:
        return Unseen(_worker(), absent.path, absent.reason)
    except OSError as error:  # no room for what came with the task
        return Unseen(_worker(), task.parcels[0].path, error.strerror or str(error))


def _worker() -> str:
    """How the cluster calls this worker: its address, and its name if it was given one."""
    from distributed import get_worker

    worker = get_worker()
    return named(str(worker.address), str(worker.name))


def named(address: str, name: str) -> str:
    """An address with the name of who is there, if that is another word."""
    return address if name == address else f"{name} ({address})"
