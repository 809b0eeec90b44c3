"""From one binary form to the other: sealing a finished log, and writing any log as a live one."""

from typing import Any, BinaryIO

from msgspec.msgpack import Decoder

from schema.chunks import (
    CHUNK_HANDS,
    CHUNK_RAW,
    Trailer,
    chunk_record,
    packed_hand,
)
from schema.damage import Damage, Fault, LogError
from schema.events import HandAborted, HandEnded
from schema.frames import HEADER_SIZE, MAGIC, Kind, frame, leaf
from schema.head import encode_head
from schema.items import Hand, Log, Skipped
from schema.records import HAND_DECODER, RECOVERED_DECODER, HandRecord, IndexEntry, Recovered
from schema.strict import ENCODER, Misfit, decode_record

_DECODERS: dict[Kind, Decoder[Any]] = {
    Kind.HAND: HAND_DECODER,
    Kind.RECOVERED: RECOVERED_DECODER,
}
"""Records made of counts that come from elsewhere: read back, for an encoder checks no bounds."""


class FrameSink:
    """Frames written one behind the other, each checksum seeded with its place in the file."""

    def __init__(self, sink: BinaryIO) -> None:
        """`sink` stands at the first byte of the file to be."""
        self._sink = sink
        self.offset = 0

    def begin(self, head_payload: bytes) -> None:
        """MAGIC and HEAD."""
        self._sink.write(MAGIC)
        self.offset = len(MAGIC)
        self.put(Kind.HEAD, head_payload)

    def put(self, kind: Kind, payload: bytes) -> int:
        """Write a frame; its length in bytes. LogError for a record that no reader takes."""
        try:
            if kind in _DECODERS:
                decode_record(_DECODERS[kind], payload, kind.name)
            data = frame(kind, payload, self.offset)
        except Misfit as misfit:
            raise misfit.error(0, self.offset + HEADER_SIZE) from None
        except ValueError as error:
            damage = Damage(Fault.BAD_LENGTH, 0, self.offset, f"{kind.name} ({error})", "more")
            raise LogError(damage) from None
        self._sink.write(data)
        self.offset += len(data)
        return len(data)


def seal(log: Log, sink: BinaryIO) -> int:
    """Write the sealed form of a finished, undamaged log; how many hands it has.

    LogError names the first damage, the hand that is not finished, or the unknown frame. What was
    written until then is no log: the caller writes to a file that gets its name afterwards.
    """
    writer = _SealedWriter(sink, log)
    for item in log.items():
        match item:
            case Hand():
                writer.hand(_finished(item))
            case Recovered():
                writer.gap(item)
            case Damage():
                raise LogError(item)
            case Skipped():
                raise LogError(unknown_frame(item))
    return writer.close()


def write_live(log: Log, sink: BinaryIO) -> int:
    """Write the live form of an undamaged log, a hand in progress included; how many hands.

    LogError names the first damage or unknown frame.
    """
    out = FrameSink(sink)
    out.begin(encode_head(log.head))
    gaps: list[Recovered] = []
    hands = 0
    for item in log.items():
        match item:
            case Hand():
                put_hand(out, item, gaps)
                gaps = []
                hands += 1
            case Recovered(events=0):
                out.put(Kind.RECOVERED, ENCODER.encode(item))
            case Recovered():
                gaps.append(item)
            case Damage():
                raise LogError(item)
            case Skipped():
                raise LogError(unknown_frame(item))
    assert not gaps, "a gap inside a hand comes with its hand"
    return hands


def put_hand(out: FrameSink, hand: Hand, gaps: list[Recovered]) -> None:
    """The frames of one hand, each gap where it says it is; HAND if the hand is committed."""
    payloads = [ENCODER.encode(event) for event in hand.events]
    waiting = list(gaps)
    for number, payload in enumerate(payloads):
        _put_gaps(out, waiting, number)
        out.put(Kind.EVENT, payload)
    _put_gaps(out, waiting, len(payloads))
    if hand.committed:
        body = b"".join(payloads)
        record = HandRecord(hand.index, len(payloads), len(body), leaf(body))
        out.put(Kind.HAND, ENCODER.encode(record))


def _put_gaps(out: FrameSink, waiting: list[Recovered], events: int) -> None:
    while waiting and waiting[0].events <= events:
        out.put(Kind.RECOVERED, ENCODER.encode(waiting.pop(0)))


def _finished(hand: Hand) -> Hand:
    last = hand.events[-1]
    if hand.committed and isinstance(last, HandEnded | HandAborted):
        return hand
    number = len(hand.events) - 1
    found = f"{type(last).__name__} as its last event so far"
    expected = "a finished hand: sealing adds nothing"
    place = hand.offset(number)
    raise LogError(Damage(Fault.HAND_NOT_ENDED, 0, place, expected, found, hand.index, number))


def unknown_frame(frame: Skipped) -> Damage:
    """Why a log with an ancillary frame of unknown kind is not rewritten: it would be lost."""
    expected = "frames this version knows: another form would lose this one"
    found = f"kind {frame.kind:#04x}"
    return Damage(Fault.UNKNOWN_FRAME_KEPT_OUT, 0, frame.offset, expected, found)


class _SealedWriter:
    """Hands gathered into chunks, the INDEX of them, and the TRAILER."""

    def __init__(self, sink: BinaryIO, log: Log) -> None:
        self._out = FrameSink(sink)
        payload = encode_head(log.head)
        self._out.begin(payload)
        self._last_leaf = leaf(payload)
        self._first = 0
        self._packed: list[bytes] = []
        self._raw = 0
        self._entries: list[IndexEntry] = []
        self._n_hands = 0

    def hand(self, hand: Hand) -> None:
        packed = packed_hand(hand.events)
        if self._packed and (
            len(self._packed) == CHUNK_HANDS
            or self._raw + len(packed) > CHUNK_RAW
            or hand.index != self._first + len(self._packed)
        ):
            self._close_chunk()
        if not self._packed:
            self._first = hand.index
        self._packed.append(packed)
        self._raw += len(packed)
        self._n_hands += 1
        self._last_leaf = hand.leaf

    def gap(self, gap: Recovered) -> None:
        """A chunk never spans a gap: its leaves would hang together across it."""
        self._close_chunk()
        self._out.put(Kind.RECOVERED, ENCODER.encode(gap))

    def close(self) -> int:
        self._close_chunk()
        at = self._out.offset
        self._out.put(Kind.INDEX, ENCODER.encode(self._entries))
        self._out.put(Kind.TRAILER, Trailer(at, self._n_hands, self._last_leaf).packed())
        return self._n_hands

    def _close_chunk(self) -> None:
        if not self._packed:
            return
        offset = self._out.offset
        record = chunk_record(self._first, self._packed)
        length = self._out.put(Kind.CHUNK, ENCODER.encode(record))
        self._entries.append(IndexEntry(self._first, len(self._packed), offset, length))
        self._packed = []
        self._raw = 0
