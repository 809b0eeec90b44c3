"""Going on with a live log after a crash: what is torn is set aside and said, nothing repaired."""

import time
from pathlib import Path

from replay.recorder import durable
from replay.recorder.errors import NotResumable
from schema.damage import LogError
from schema.events import AbortReason, HandAborted
from schema.head import text_flaw
from schema.livelog import LiveLog, Tail
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import Head, Recovered

_REASON = "the recorder went on after a crash; the torn end stands in {name}"
_NAME_CHARACTERS = 100
"""So much of a file's name fits into the reason that RECOVERED gives."""


def resumed(fd: int, path: Path) -> LiveWriter:
    """A writer for the end of the live log `fd`, mended so that it can go on; NotResumable.

    `fd` must not append. The torn tail is copied into a file beside the log before it is touched.
    """
    head, tail = _read(fd, path)
    writer = LiveWriter.resume(
        head, tail.end, tail.hand_index, tail.leaf, tail.open_events, tail.open_gaps
    )
    data = b""
    if tail.torn is not None:
        data += writer.recovered(_gap(durable.copy_aside(fd, tail.end, path), writer))
    if writer.hand_ended:
        data += writer.commit()
    elif writer.hand_open:
        data += writer.event(HandAborted(dt=0, reason=AbortReason.RECOVERED))
    if data:
        durable.replace_tail(fd, tail.end, data)
    return writer


def _read(fd: int, path: Path) -> tuple[Head, Tail]:
    """HEAD and the end of a live log whose tail alone may be damaged."""
    try:
        with durable.reader(fd) as stream:
            log = open_log(stream)
            if isinstance(log, LiveLog):
                return log.head, log.tail()
    except LogError as error:
        raise NotResumable(path, f"damaged before its end: {error}") from error
    raise NotResumable(path, f"a live log is written on, this is a {log.form} one")


def _gap(aside: durable.Aside, writer: LiveWriter) -> Recovered:
    return Recovered(
        hand=writer.hand_index,
        events=writer.hand_events,
        hands_lost=0,
        bytes_lost=aside.n_bytes,
        digest=aside.digest,
        at=time.time_ns() // 1_000_000,
        reason=_REASON.format(name=_printable(aside.path.name)[-_NAME_CHARACTERS:]),
    )


def _printable(name: str) -> str:
    """A file's name as a log can hold it: escaped if any of its characters may not stand there."""
    return ascii(name)[1:-1] if text_flaw(name) else name
