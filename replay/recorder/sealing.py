"""Sealing at the end of a match: the sealed file takes the live one's name, whole or not at all."""

import os
from pathlib import Path

from replay.recorder import durable
from replay.recorder.errors import RecorderError
from schema.items import Hand
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.seal import seal


def replace_by_sealed(fd: int, path: Path, writer: LiveWriter) -> None:
    """Write the sealed form beside the live log `fd`, read it again, and give it the name `path`.

    LogError, OSError, RecorderError: nothing has happened to `path`. The folder is not yet synced.
    """
    sealing = path.with_name(f".{path.name}.sealing")
    # What an earlier attempt left behind is overwritten: the lock on the live file covers both.
    flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(sealing, flags, 0o600), "w+b") as sink:
            with durable.reader(fd) as source:
                seal(open_log(source), sink)
            sink.flush()
            os.fsync(sink.fileno())
        _demand_all_hands(sealing, path, writer)
        os.replace(sealing, path)
    except BaseException:
        sealing.unlink(missing_ok=True)
        raise


def _demand_all_hands(sealing: Path, path: Path, writer: LiveWriter) -> None:
    """The sealed file holds every hand up to the last leaf: it is to replace the evidence."""
    last = writer.head_leaf
    with sealing.open("rb") as stream:
        for item in open_log(stream).items():
            last = item.leaf if isinstance(item, Hand) else last
    if last != writer.last_leaf:
        expected, found = writer.last_leaf.hex(), last.hex()
        what = f"the sealed form ends with leaf {found}, expected {expected}: not put in place"
        raise RecorderError(path, what)
