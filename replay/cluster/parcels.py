"""How a log reaches a worker: with the task, or, where it is large, by a folder that both see."""

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from msgspec import Struct

from replay.regular import opened

LARGEST = 8 << 20
"""Bytes of logs that travel with one task at most. Nearly every log is smaller, so no folder needs
to be shared; a larger one would lie in the memory of the scheduler too, and Dask complains of tasks
over 10 MB."""
_BLOCK = 1 << 20


class Parcel(Struct, frozen=True):
    """One log: its bytes, or where it stands and the size and SHA-256 of what must stand there."""

    path: str
    data: bytes | None
    size: int
    digest: bytes


class Absent(Exception):
    """This machine does not have at `path` what was packed; `reason` is None if it is another."""

    def __init__(self, path: str, reason: str | None) -> None:
        """`reason` in the system's words."""
        super().__init__(path, reason)
        self.path = path
        self.reason = reason


def packed(paths: Sequence[str]) -> tuple[Parcel, ...] | None:
    """Logs that go with one task; None if they are large and one has no name to be found by.

    OSError if one cannot be read here.
    """
    with_data = sum(os.stat(path).st_size for path in paths) <= LARGEST
    found = []
    for path in paths:
        with opened(path) as stream:
            if with_data:
                data = stream.read(os.fstat(stream.fileno()).st_size)
                found.append(Parcel(path, data, len(data), b""))
            elif os.fstat(stream.fileno()).st_nlink == 0:
                return None
            else:
                size = os.fstat(stream.fileno()).st_size
                where = os.path.abspath(path)
                found.append(Parcel(where, None, size, _digest(stream, size)))
    return tuple(found)


def weight(parcels: Sequence[Parcel]) -> int:
    """How many bytes travel with a task."""
    return sum(len(parcel.data or b"") for parcel in parcels)


@contextmanager
def unpacked(parcels: Sequence[Parcel]) -> Iterator[tuple[str, ...]]:
    """Where the logs stand on this machine until the block ends; Absent."""
    with tempfile.TemporaryDirectory(prefix="paipu-") as folder:
        yield tuple(
            _here(parcel, Path(folder, str(number))) for number, parcel in enumerate(parcels)
        )


def _here(parcel: Parcel, place: Path) -> str:
    if parcel.data is not None:
        place.write_bytes(parcel.data)
        return str(place)
    try:
        with opened(parcel.path) as stream:
            found = _digest(stream, parcel.size)
    except OSError as error:
        raise Absent(parcel.path, error.strerror or str(error)) from None
    if found != parcel.digest:
        raise Absent(parcel.path, None)
    return parcel.path


def _digest(stream: BufferedReader, size: int) -> bytes:
    """SHA-256 of the first `size` bytes: a log that has grown since is still the same."""
    digest = hashlib.sha256()
    while block := stream.read(min(_BLOCK, size)):
        digest.update(block)
        size -= len(block)
    return digest.digest()
