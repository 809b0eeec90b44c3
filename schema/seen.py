"""The hands of a file whose HEAD is bad: framed, hashed and listed, not read."""

from collections.abc import Iterator
from hashlib import sha256

from schema.chunks import header_size, inflated, packed_arrays
from schema.damage import HandSeen
from schema.frames import Kind, leaf
from schema.hands import STARTS, tag_of
from schema.head import HEAD_OFFSET
from schema.records import CHUNK_DECODER, HAND_DECODER
from schema.scan import Frame, Search, Source, frame_at
from schema.strict import Misfit, decode_record, split_array

SEEN_LIMIT = 1 << 16
"""No more hands than this are listed."""


def hands_seen(source: Source) -> tuple[HandSeen, ...]:
    """The hands that frames and checksums show, without knowing options, players or schema."""
    seen: list[HandSeen] = []
    events = _Events()
    for frame in _good_frames(source):
        if len(seen) >= SEEN_LIMIT:
            break
        match frame.kind:
            case Kind.EVENT:
                if tag_of(frame.payload) == STARTS:
                    events = _Events()
                events.add(frame)
            case Kind.HAND:
                seen.extend(events.close(frame))
                events = _Events()
            case Kind.CHUNK:
                seen.extend(_in_chunk(frame))
            case _:
                pass
    return tuple(seen)


def _good_frames(source: Source) -> Iterator[Frame]:
    search = Search(source, [kind for kind in Kind if kind is not Kind.HEAD])
    at: int | None = HEAD_OFFSET + 1
    while at is not None:
        at = search.next_good(at)
        while at is not None and at < source.size:
            try:
                frame = frame_at(source, at)
            except Misfit:
                at += 1
                break
            yield frame
            at = frame.end


class _Events:
    """The event payloads since the last HAND record: where they begin, and their leaf so far."""

    def __init__(self) -> None:
        self._hash = sha256(b"\x00")
        self._offset: int | None = None

    def add(self, frame: Frame) -> None:
        self._offset = frame.offset if self._offset is None else self._offset
        self._hash.update(frame.payload)

    def close(self, frame: Frame) -> list[HandSeen]:
        """The hand that the HAND record in this frame commits."""
        try:
            record = decode_record(HAND_DECODER, frame.payload, "HAND")
        except Misfit:
            return []
        offset = frame.offset if self._offset is None else self._offset
        whole = self._hash.digest() == record.leaf
        return [HandSeen(record.index, offset, record.n_events, record.n_bytes, record.leaf, whole)]


def _in_chunk(frame: Frame) -> list[HandSeen]:
    """The hands of a chunk, as far as it can be taken apart."""
    seen: list[HandSeen] = []
    try:
        chunk = decode_record(CHUNK_DECODER, frame.payload, "CHUNK")
        for array in packed_arrays(inflated(chunk), chunk.n_hands):
            body = array[header_size(array) :]
            n_events = len(split_array(array))
            index = chunk.first_index + len(seen)
            seen.append(HandSeen(index, frame.offset, n_events, len(body), leaf(body), True))
    except Misfit:
        pass
    return seen
