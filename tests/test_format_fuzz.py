"""Files of good frames in any order: the reader has a word for all, and invents no hand."""

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.chunks import chunk_record, packed_hand
from schema.damage import Fault, LogError
from schema.events import By, Event, HandEnded, HandStarted, Played
from schema.frames import Kind, leaf
from schema.items import Skipped
from schema.logfile import open_log
from schema.records import HandRecord, Head
from schema.salvage import salvage
from schema.strict import ENCODER
from tests.format_chaodipi import DECLARED
from tests.format_gunzi import JOKERS_BURIED
from tests.format_logs import (
    HEADS,
    PLAYED_AS,
    START,
    Forge,
    damage,
    faults,
    hands,
    items,
    sealed,
    unsealed,
)

Step = Callable[[Forge], object]

PLAY = Played(1, By.PLAYER, 0, b"\x05")
PAYLOADS = st.sampled_from(
    [
        ENCODER.encode(PLAY),
        ENCODER.encode(PLAYED_AS),
        ENCODER.encode(HandEnded(1)),
        ENCODER.encode(START),
        b"\x90",
        b"\x95\x05\x00\x00\x01\xc4\x01\x36",
        b"",
    ]
)
SMALL = st.integers(0, 4)


def chained(*events: Event) -> Step:
    """A good hand under the next index."""
    return lambda forge: forge.hand(*events)


def committed(index: int, count: int, payloads: list[bytes]) -> Step:
    """A hand of any payloads, its record perhaps of another index and count."""
    body = b"".join(payloads)
    record = HandRecord(index, count, len(body), leaf(body))
    return lambda forge: forge.events(*payloads).put(Kind.HAND, ENCODER.encode(record))


def started(forge: Forge) -> None:
    """A hand begins, chained to the last that was good."""
    forge.events(HandStarted(forge.last_leaf, 1))


def noise(data: bytes) -> Step:
    """Bytes that are no frame."""

    def add(forge: Forge) -> None:
        forge.data += data

    return add


def chunk(first: int, chunk_hands: list[list[Event]]) -> Step:
    """A chunk of any hands."""
    record = ENCODER.encode(chunk_record(first, list(map(packed_hand, chunk_hands))))
    return lambda forge: forge.put(Kind.CHUNK, record)


GOOD_HAND = st.just(chained(START, PLAY, HandEnded(1)))
COMMON = [
    st.builds(lambda h, e, n: lambda forge: forge.gap(h, e, n), SMALL, SMALL, SMALL),
    st.binary(max_size=12).map(noise),
    st.just(lambda forge: forge.put(0x80, b"x")),
    st.sampled_from(list(Kind)).map(lambda kind: lambda forge: forge.put(kind, b"\x90")),
]
LIVE_STEPS = st.one_of(
    GOOD_HAND,
    st.just(started),
    PAYLOADS.map(lambda payload: lambda forge: forge.events(payload)),
    st.builds(committed, SMALL, SMALL, st.lists(PAYLOADS, max_size=4)),
    *COMMON,
)
OF_ONE_GAME = (PLAYED_AS, DECLARED, JOKERS_BURIED)
EVENTS = st.lists(st.sampled_from([START, PLAY, *OF_ONE_GAME, HandEnded(1)]), max_size=4)
SEALED_STEPS = st.one_of(st.builds(chunk, SMALL, st.lists(EVENTS, max_size=3)), *COMMON)


ANY_HEAD = st.sampled_from(list(HEADS.values()))
"""Of any schema: an event of one game alone is good in some of the files."""


def forged(head: Head, steps: list[Step]) -> bytes:
    """The file of these steps."""
    forge = Forge(head)
    for step in steps:
        step(forge)
    return forge.data


def check(log: bytes) -> None:
    """Every hand has its own leaf and one index; what reads without damage can be rewritten."""
    found = hands(log)
    for hand in found:
        assert hand.leaf == leaf(b"".join(map(ENCODER.encode, hand.events)))
        assert type(hand.events[0]) is HandStarted
    indexes = [hand.index for hand in found]
    assert indexes == sorted(set(indexes))
    assert all(item.expected and item.found for item in damage(log))
    sink = io.BytesIO()
    salvage(io.BytesIO(log), sink, 0)
    assert set(faults(sink.getvalue())) <= {Fault.CHAIN_BROKEN}
    if not damage(log):
        check_rewriting(log)


def check_rewriting(log: bytes) -> None:
    """Live to live is the same bytes; sealed and unsealed again, too."""
    if any(isinstance(item, Skipped) for item in items(log)):
        with pytest.raises(LogError) as caught:
            unsealed(log)
        assert caught.value.damage.fault is Fault.UNKNOWN_FRAME_KEPT_OUT
        return
    live = unsealed(log)
    if open_log(io.BytesIO(log)).form == "live":
        assert live == log
    if all(hand.committed for hand in hands(log)):
        assert unsealed(sealed(log)) == live


@given(ANY_HEAD, st.lists(LIVE_STEPS, max_size=14))
def test_any_order_of_live_frames_is_read(head: Head, steps: list[Step]) -> None:
    """With a word for each that is out of place."""
    check(forged(head, steps))


@given(ANY_HEAD, st.lists(SEALED_STEPS, max_size=8))
def test_any_order_of_sealed_frames_is_read(head: Head, steps: list[Step]) -> None:
    """Chunks of anything that can be encoded, in any order."""
    check(forged(head, steps))
