"""Logs for tests of the text form: small ones of synthetic hands, in every form."""

import io
from collections.abc import Callable
from hashlib import sha256

from schema.damage import Damage
from schema.events import Event, HandAborted
from schema.items import Hand, Item, Log
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import Recovered
from schema.textlines import codec_named
from tests.builders import head
from tests.recorder_child import event_number

CODEC = codec_named("dagong/1")


def opened(data: bytes) -> Log:
    """A log of any form, open for reading."""
    return open_log(io.BytesIO(data))


def as_form(form: Callable[[Log, io.BytesIO], object], data: bytes) -> bytes:
    """A log in another form."""
    sink = io.BytesIO()
    form(opened(data), sink)
    return sink.getvalue()


def items(data: bytes) -> list[Item]:
    """All that is in a log."""
    return list(opened(data).items())


def damages(data: bytes) -> list[Damage]:
    """What is wrong with a log."""
    return [item for item in items(data) if isinstance(item, Damage)]


def hands(data: bytes) -> list[tuple[int, bytes, list[Event], bool]]:
    """Index, leaf, events and "is committed" of every hand of a log."""
    found = [item for item in items(data) if isinstance(item, Hand)]
    return [(hand.index, hand.leaf, hand.events, hand.committed) for hand in found]


def gap(hand: int, events: int, hands_lost: int = 0) -> Recovered:
    """A gap for a test."""
    return Recovered(hand, events, hands_lost, 9, sha256(b"lost").digest(), 5, "for a test")


def live_of(*steps: int | Recovered | HandAborted) -> bytes:
    """A live log: event number … of the endless match, or a gap, or an abort, in this order."""
    writer = LiveWriter(head())
    data = writer.start()
    for step in steps:
        match step:
            case Recovered():
                data += writer.recovered(step)
            case HandAborted():
                data += writer.event(step)
            case _:
                data += writer.event(event_number(step))
    return data
