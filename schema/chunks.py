"""Chunks: whole hands behind one another, compressed; the INDEX of chunks, and the TRAILER."""

import struct
import zlib
from collections.abc import Iterator

from msgspec import Struct

from schema.damage import Fault, hex_of
from schema.events import Event
from schema.frames import HAND_EVENTS, HAND_LIMIT, HEADER, HEADER_SIZE, LIMITS, Kind
from schema.records import INDEX_DECODER, MOST_HANDS, ChunkRecord, IndexEntry
from schema.scan import Frame, Source, frame_at, written_at
from schema.strict import ENCODER, Misfit, decode_record

CHUNK_HANDS = 64
"""A writer closes a chunk at this many hands …"""
CHUNK_RAW = 1 << 20
"""… or before its raw bytes exceed this, unless one hand alone does."""
RAW_LIMIT = 1 << 23
"""Greatest raw size of a chunk: no reader inflates more."""
_ZLIB_LEVEL = 6
_SIZE = struct.Struct("<I")
_TRAILER = struct.Struct("<QI32s")
TRAILER_FRAME = HEADER_SIZE + LIMITS[Kind.TRAILER]
"""Bytes of the TRAILER frame: a sealed file's last ones."""


# Writing


def packed_hand(events: list[Event]) -> bytes:
    """One hand as it stands in a chunk's raw bytes."""
    array = ENCODER.encode(events)
    return _SIZE.pack(len(array)) + array


def chunk_record(first_index: int, hands: list[bytes]) -> ChunkRecord:
    """The chunk of these packed hands; codec 0 where zlib does not help."""
    raw = b"".join(hands)
    data = zlib.compress(raw, _ZLIB_LEVEL)
    if len(data) < len(raw):
        return ChunkRecord(first_index, len(hands), len(raw), 1, data)
    return ChunkRecord(first_index, len(hands), len(raw), 0, raw)


# Reading


def inflated(chunk: ChunkRecord) -> bytes:
    """The raw bytes of a chunk, exactly as many as it states; Misfit."""
    if chunk.raw_len > RAW_LIMIT:
        raise _bad(f"at most {RAW_LIMIT} raw bytes", f"raw_len {chunk.raw_len}")
    if not chunk.n_hands:
        raise _bad("at least one hand", "n_hands 0")
    if chunk.codec == 0:
        if len(chunk.data) != chunk.raw_len:
            raise _bad(f"{chunk.raw_len} bytes of data", f"{len(chunk.data)}")
        return chunk.data
    stream = zlib.decompressobj()
    try:
        # One byte more than stated: enough to see that there are more, and no bomb.
        raw = stream.decompress(chunk.data, chunk.raw_len + 1)
    except zlib.error as error:
        raise _bad(f"zlib data ({error})", hex_of(chunk.data)) from None
    if len(raw) != chunk.raw_len:
        more = "more than that" if len(raw) > chunk.raw_len else f"{len(raw)}"
        raise _bad(f"{chunk.raw_len} raw bytes", more)
    if not stream.eof or stream.unused_data or stream.unconsumed_tail:
        rest = len(stream.unused_data) + len(stream.unconsumed_tail)
        found = f"{rest} bytes after it" if stream.eof else "a stream that is cut"
        raise _bad("one zlib stream and nothing else", found)
    return raw


def packed_arrays(raw: bytes, n_hands: int) -> Iterator[bytes]:
    """The MessagePack array of each hand in a chunk's raw bytes; Misfit with `at` in the raw."""
    at = 0
    for number in range(n_hands):
        if at + _SIZE.size > len(raw):
            raise _bad(f"{n_hands} hands", f"{number}, then the raw bytes end", at)
        size = _SIZE.unpack_from(raw, at)[0]
        if not 0 < size <= HAND_LIMIT + 3 or at + _SIZE.size + size > len(raw):
            left = len(raw) - at - _SIZE.size
            raise _bad(f"a hand of 1..{min(left, HAND_LIMIT + 3)} bytes", f"n_bytes {size}", at)
        yield raw[at + _SIZE.size : at + _SIZE.size + size]
        at += _SIZE.size + size
    if at != len(raw):
        raise _bad(f"nothing after {n_hands} hands", f"{len(raw) - at} raw bytes", at)


def header_size(array: bytes) -> int:
    """Bytes of the header of a hand's array, which its leaf leaves out; Misfit for no array."""
    first = array[0]
    if 0x90 <= first <= 0x9F:
        return 1
    if first != 0xDC or len(array) < 3:
        raise _bad("a hand as an array of 1..65535 events", hex_of(array, 5))
    count = int.from_bytes(array[1:3], "big")
    if count > HAND_EVENTS:
        expected = f"at most {HAND_EVENTS} events in a hand"
        raise Misfit(Fault.HAND_TOO_LARGE, expected, f"{count}")
    return 3


def _bad(expected: str, found: str, at: int = 0) -> Misfit:
    return Misfit(Fault.BAD_CHUNK, expected, found, at)


# INDEX and TRAILER


class Trailer(Struct, frozen=True):
    """What the TRAILER frame holds: where INDEX stands, how many hands, the last leaf."""

    index_offset: int
    n_hands: int
    last_leaf: bytes

    def packed(self) -> bytes:
        """The payload of the frame."""
        return _TRAILER.pack(self.index_offset, self.n_hands, self.last_leaf)


def unpacked_trailer(payload: bytes) -> Trailer:
    """The TRAILER in a payload of its one size; Misfit for another."""
    if len(payload) != _TRAILER.size:
        raise Misfit(
            Fault.WRONG_TRAILER, f"{_TRAILER.size} bytes of TRAILER", f"{len(payload)} bytes"
        )
    return Trailer(*_TRAILER.unpack(payload))


def trailer_of(source: Source) -> Trailer | None:
    """The TRAILER in the last bytes of a file: there if and only if it is a sealed one."""
    if source.size <= TRAILER_FRAME:
        return None
    try:
        frame = frame_at(source, source.size - TRAILER_FRAME)
        return unpacked_trailer(frame.payload) if frame.kind == Kind.TRAILER else None
    except Misfit:
        return None


def trailer_in(source: Source, offset: int) -> Trailer | None:
    """The TRAILER in the frame at `offset`, even if it was written to stand elsewhere, or None.

    Where its checksum says that it was written must then fit where it says that INDEX was.
    """
    data = source.bytes_at(offset, TRAILER_FRAME)
    if len(data) < TRAILER_FRAME:
        return None
    crc, length, kind = HEADER.unpack_from(data)
    if (length, kind) != (LIMITS[Kind.TRAILER], Kind.TRAILER):
        return None
    trailer = unpacked_trailer(data[HEADER_SIZE:])
    written = written_at(data[4:], crc)
    size = written - trailer.index_offset - HEADER_SIZE
    return trailer if written == offset or 0 < size <= LIMITS[Kind.INDEX] else None


def index_of(source: Source, trailer: Trailer) -> tuple[IndexEntry, ...] | None:
    """The INDEX that a trailer points at; None if it is damaged."""
    try:
        frame = frame_at(source, trailer.index_offset)
        return read_index(frame) if frame.kind == Kind.INDEX else None
    except Misfit:
        return None


def read_index(frame: Frame) -> tuple[IndexEntry, ...]:
    """The entries of an INDEX frame; Misfit."""
    entries = decode_record(INDEX_DECODER, frame.payload, "INDEX")
    for entry in entries:
        check_hands(entry)
    return entries


def check_hands(entry: IndexEntry | ChunkRecord) -> None:
    """Misfit if hands of this chunk have indexes that no hand can have."""
    if entry.first_index + entry.n_hands > MOST_HANDS:
        found = f"{entry.n_hands} hands from {entry.first_index} on"
        raise Misfit(Fault.WRONG_INDEX, f"hands below {MOST_HANDS}", found)
