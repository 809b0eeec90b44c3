"""Frames: how every record of a binary log stands in the file; leaves: what ties hands together.

frame := u32 crc | u32 len | u8 kind | payload        little-endian, len = payload bytes > 0
crc   := crc32(len ‖ kind ‖ payload, start = file offset of the frame mod 2^32)
"""

import struct
from enum import IntEnum
from hashlib import sha256
from zlib import crc32

MAGIC = b"\x89PAIPU\r\n"
HEADER = struct.Struct("<IIB")
HEADER_SIZE = HEADER.size
_TAIL = struct.Struct("<IB")


class Kind(IntEnum):
    """Frame kinds; 08–0F are reserved; 0x80 and above may be skipped by a reader."""

    HEAD = 0x01
    EVENT = 0x02
    HAND = 0x03
    CHUNK = 0x04
    INDEX = 0x05
    RECOVERED = 0x06
    TRAILER = 0x07


ANCILLARY = 0x80

LIMITS: dict[int, int] = {
    Kind.HEAD: 1 << 16,
    Kind.EVENT: 1 << 12,
    Kind.HAND: 1 << 7,
    Kind.CHUNK: 1 << 23,
    Kind.INDEX: 1 << 24,
    Kind.RECOVERED: 1 << 12,
    Kind.TRAILER: 44,
}
"""Greatest payload per kind, in bytes: no reader allocates more for one frame."""
ANCILLARY_LIMIT = 1 << 20
HAND_LIMIT = 1 << 20
"""Greatest size of one hand's events, in bytes."""
HAND_EVENTS = 1 << 12
"""Greatest number of events of one hand."""
HAND_GAPS = 1 << 6
"""Greatest number of gaps stated inside one hand."""


def frame_crc(kind: int, payload: bytes, offset: int) -> int:
    """The checksum of a frame whose first byte stands at `offset` of the file."""
    return crc32(payload, crc32(_TAIL.pack(len(payload), kind), offset & 0xFFFFFFFF))


def frame(kind: int, payload: bytes, offset: int) -> bytes:
    """The bytes of a frame that is to stand at `offset`; ValueError if it breaks its limit."""
    limit = LIMITS.get(kind, ANCILLARY_LIMIT)
    if not 0 < len(payload) <= limit:
        raise ValueError(f"payload of {len(payload)} bytes; kind {kind:#04x} takes 1..{limit}")
    return HEADER.pack(frame_crc(kind, payload, offset), len(payload), kind) + payload


def leaf(payload: bytes) -> bytes:
    """SHA-256 with the leaf prefix: of the HEAD payload, or of a hand's event payloads."""
    return sha256(b"\x00" + payload).digest()
