"""What tests of the recorder share: reading a log back, cutting it, breaking its disk."""

import io
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from replay.recorder import Recorder, RecorderBroken
from schema.damage import Damage
from schema.events import Event, HandStarted
from schema.items import Hand, Item
from schema.logfile import open_log
from schema.records import Recovered
from tests.recorder_child import event_number


def items(path: Path) -> list[Item]:
    """All that is in a log."""
    return list(open_log(io.BytesIO(path.read_bytes())).items())


def hands(path: Path) -> list[Hand]:
    """The hands of a log in which nothing is damaged."""
    found = items(path)
    assert [item for item in found if isinstance(item, Damage)] == []
    return [item for item in found if isinstance(item, Hand)]


def gaps(path: Path) -> list[Recovered]:
    """The gaps that a log states."""
    return [item for item in items(path) if isinstance(item, Recovered)]


def events(path: Path) -> list[Event]:
    """The events of a log in which nothing is damaged, `prev` blanked: it is the writer's."""
    return [unchained(event) for hand in hands(path) for event in hand.events]


def unchained(event: Event) -> Event:
    """The event without what the writer fills in."""
    return replace(event, prev=bytes(32)) if isinstance(event, HandStarted) else event


def expected(number: int) -> list[Event]:
    """The first events of the endless match."""
    return [event_number(k) for k in range(number)]


def write(recorder: Recorder, start: int, stop: int) -> None:
    """Write these events of the endless match."""
    for number in range(start, stop):
        recorder.write(event_number(number))


def written_until_broken(
    recorder: Recorder, start: int, pause: float = 0.0
) -> tuple[int, RecorderBroken]:
    """Go on with the endless match until the recorder breaks: at which event, and how."""
    for number in range(start, 3000):
        try:
            recorder.write(event_number(number))
        except RecorderBroken as error:
            return number, error
        time.sleep(pause)
    raise AssertionError("the recorder never broke")


def descriptor(path: Path) -> int:
    """The number under which this process has the file open, as its kernel says."""
    folder = Path("/proc/self/fd")
    return next(int(fd.name) for fd in folder.iterdir() if os.path.realpath(fd) == str(path))


@contextmanager
def unsyncable(path: Path) -> Iterator[None]:
    """Put a pipe in the place of an open file: it takes writes, and the system refuses to sync."""
    fd = descriptor(path)
    kept = os.dup(fd)
    reading, writing = os.pipe()
    os.dup2(writing, fd, inheritable=False)
    try:
        yield
    finally:
        os.dup2(kept, fd, inheritable=False)
        for end in (kept, reading, writing):
            os.close(end)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size` bytes: a short write, then an error."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
