"""Finding frames in a stream: where they should be and, behind damage, at a bounded cost."""

import re
from collections.abc import Iterable
from typing import BinaryIO
from zlib import crc32

from msgspec import Struct

from schema.damage import Fault, hex_of
from schema.frames import ANCILLARY_LIMIT, HAND_EVENTS, HEADER, HEADER_SIZE, LIMITS, Kind
from schema.strict import Misfit

_BLOCK = 1 << 18
_MASK = 0xFFFFFFFF
SEARCH_FACTOR = 4
"""A search checks at most this many times the file's size in bytes of CRC."""


class Source:
    """A seekable stream read through one block; `size` is that of the moment it was opened."""

    def __init__(self, stream: BinaryIO) -> None:
        """Nothing is read yet."""
        self._stream = stream
        self.size = stream.seek(0, 2)
        self._base = 0
        self._block = b""
        self.guesses = 1000
        """How many more bad frames are asked where else they may have stood: it is slow."""

    def bytes_at(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`, fewer only at the end of the file."""
        at = offset - self._base
        if at < 0 or at + length > len(self._block):
            self._fill(offset, length)
            at = 0
        return self._block[at : at + length]

    def window(self, offset: int, least: int) -> tuple[bytes, int]:
        """A block that holds `least` bytes from `offset` on, or all there are, and where."""
        at = offset - self._base
        if at < 0 or at + min(least, self.size - offset) > len(self._block):
            self._fill(offset, least)
            at = 0
        return self._block, at

    def _fill(self, offset: int, length: int) -> None:
        want = max(0, min(max(length, _BLOCK), self.size - offset))
        self._stream.seek(offset)
        parts = []
        while want:
            part = self._stream.read(want)
            if not part:
                break
            parts.append(part)
            want -= len(part)
        self._base = offset
        self._block = b"".join(parts)


class Frame(Struct, frozen=True):
    """One frame whose checksum is good."""

    kind: int
    offset: int
    payload: bytes

    @property
    def end(self) -> int:
        """Offset of the first byte after the frame."""
        return self.offset + HEADER_SIZE + len(self.payload)

    @property
    def body(self) -> int:
        """Offset of the payload."""
        return self.offset + HEADER_SIZE


def frame_at(source: Source, offset: int) -> Frame:
    """The frame that begins at `offset`; Misfit with `at` relative to it says why there is none."""
    header = source.bytes_at(offset, HEADER_SIZE)
    if len(header) < HEADER_SIZE:
        found = f"{hex_of(header)}, then the file ends"
        raise Misfit(Fault.TORN_TAIL, f"a frame header of {HEADER_SIZE} bytes", found)
    crc, length, kind = HEADER.unpack(header)
    limit = LIMITS.get(kind, ANCILLARY_LIMIT)
    if not 0 < length <= limit:
        expected = f"a length of 1..{limit} bytes for kind {kind:#04x}"
        raise Misfit(Fault.BAD_LENGTH, expected, f"length {length}", 4)
    if offset + HEADER_SIZE + length > source.size:
        there = source.size - offset - HEADER_SIZE
        found = f"{there} bytes, then the file ends"
        raise Misfit(Fault.TORN_TAIL, f"{length} bytes of kind {kind:#04x}", found)
    data = source.bytes_at(offset, HEADER_SIZE + length)
    actual = crc32(data[4:], offset & _MASK)
    if actual != crc:
        raise _bad_checksum(source, offset, data, actual)
    return Frame(kind, offset, data[HEADER_SIZE:])


def read_events(
    source: Source, offset: int, payloads: list[bytes], offsets: list[int], most: int = HAND_EVENTS
) -> int:
    """Append consecutive good EVENT frames from `offset` on; where the first other thing stands.

    Stops at the end of a block once there are more than `most` of them. The hot loop of live
    files: an empty payload passes here, and is no event afterwards.
    """
    unpack = HEADER.unpack_from
    limit = LIMITS[Kind.EVENT]
    add_payload, add_offset = payloads.append, offsets.append
    while len(payloads) <= most:
        block, at = source.window(offset, HEADER_SIZE + limit)
        base = offset - at
        begin, end = at, min(len(block), at + _BLOCK)
        last = end - HEADER_SIZE
        while at <= last:
            crc, length, kind = unpack(block, at)
            stop = at + HEADER_SIZE + length
            if kind != 2 or stop > end or length > limit:
                break
            summed = block[at + 4 : stop]
            # crc32 takes its start value mod 2^32 by itself.
            if crc32(summed, base + at) != crc:
                break
            add_payload(summed[5:])
            add_offset(base + at)
            at = stop
        offset = base + at
        if at == begin or len(block) - at >= HEADER_SIZE + limit or offset >= source.size:
            break
    return offset


# The search behind damage


class Search:
    """Looks for the next good frame; all searches of one pass share one budget of CRC work."""

    def __init__(self, source: Source, kinds: Iterable[Kind], hints: Iterable[int] = ()) -> None:
        """`kinds` to look for; `hints`: offsets to try first, such as those that INDEX names."""
        self._source = source
        self.size = source.size
        self._kinds = frozenset(kinds)
        self._hints = sorted(hints, reverse=True)
        self._good_hint = -1
        self._left = SEARCH_FACTOR * source.size
        self.given_up = False
        """The budget is spent: a good frame may stand behind, unfound."""

    def next_good(self, start: int) -> int | None:
        """Offset of the first good frame found at or after `start`; None if none was found."""
        hint = self._next_hint(start)
        if hint is None:
            found = self._sweep(start, self.size, self._kinds)
            self.given_up = found is None and self._left < 0
            return found
        # INDEX names every chunk, and no gap: one may be stated before the next chunk.
        found = self._sweep(start, hint, frozenset((Kind.RECOVERED,)))
        return hint if found is None else found

    def _next_hint(self, start: int) -> int | None:
        """The first hint that is a good frame; all searches together try each one once."""
        while self._hints:
            hint = self._hints[-1]
            if hint >= start and (hint == self._good_hint or self._is_good(hint, self._kinds)):
                self._good_hint = hint
                return hint
            self._hints.pop()
        return None

    def _sweep(self, start: int, end: int, kinds: frozenset[Kind]) -> int | None:
        """The first good frame of these kinds that begins in this stretch."""
        # All a header shows without its neighbours: the high byte of len, which the limits
        # keep 0 (or 1, exactly at INDEX's limit), and the kind.
        pattern = re.compile(rb"[\x00\x01][" + b"".join(b"\\x%02x" % k for k in kinds) + b"]")
        base = start
        while base < end and base + HEADER_SIZE <= self.size and self._left >= 0:
            # The rest of the block at hand, however short: searches between near frames must
            # not read a whole block each.
            block, at = self._source.window(base, HEADER_SIZE + 1)
            for match in pattern.finditer(block, at + 7):
                offset = base + match.start() - 7 - at
                if offset >= end or self._left < 0:
                    return None
                if self._is_good(offset, kinds):
                    return offset
            # The last bytes may begin a header that the next block completes.
            base += max(1, len(block) - at - HEADER_SIZE + 1)
        return None

    def _is_good(self, offset: int, kinds: frozenset[Kind]) -> bool:
        header = self._source.bytes_at(offset, HEADER_SIZE + 1)
        if len(header) <= HEADER_SIZE:
            return False
        crc, length, kind = HEADER.unpack_from(header)
        if kind not in kinds or not 0 < length <= LIMITS[kind]:
            return False
        if offset + HEADER_SIZE + length > self.size:
            return False
        # Every record but TRAILER is an array; TRAILER has one size.
        is_array = 0x90 <= header[HEADER_SIZE] <= 0x9F or header[HEADER_SIZE] in (0xDC, 0xDD)
        if (length != LIMITS[kind]) if kind == Kind.TRAILER else not is_array:
            return False
        self._left -= length
        if self._left < 0:
            return False
        data = self._source.bytes_at(offset, HEADER_SIZE + length)
        actual: int = crc
        return crc32(data[4:], offset & _MASK) == actual


# Frames that were written to stand elsewhere

_POLY = 0xEDB88320
_ORDER = 0xFFFFFFFF
"""x has this order modulo the CRC polynomial, which is primitive."""


def written_at(data: bytes, crc: int) -> int:
    """The start value (file offset mod 2^32) with which `data` has this CRC-32.

    A CRC is linear in its start value: crc32(d, s) = crc32(d, 0) xor s * x^(8 len(d)) modulo the
    polynomial, so the offset that a good frame was written for can be computed.
    """
    return _times(_power(_ORDER - 8 * len(data) % _ORDER), crc ^ crc32(data))


def _times(a: int, b: int) -> int:
    """Product of two polynomials over GF(2), bits reflected, modulo the CRC polynomial."""
    product = 0
    for bit in range(31, -1, -1):
        if a >> bit & 1:
            product ^= b
        b = (b >> 1) ^ _POLY if b & 1 else b >> 1
    return product


def _power(exponent: int) -> int:
    """x to that power."""
    result, square = 1 << 31, 1 << 30
    while exponent:
        if exponent & 1:
            result = _times(result, square)
        square = _times(square, square)
        exponent >>= 1
    return result


def _bad_checksum(source: Source, offset: int, data: bytes, actual: int) -> Misfit:
    crc = int.from_bytes(data[:4], "little")
    plain = Misfit(Fault.BAD_CHECKSUM, f"checksum {actual:08x} of the bytes", f"{crc:08x}")
    source.guesses -= 1
    if source.guesses < 0:
        return plain
    seed = written_at(data[4:], crc)
    # A damaged frame gives a random start value. One that lies within a small file is no
    # accident; in a large one the next frame has to tell the same story.
    if HEADER_SIZE <= seed <= 2 * source.size and (
        source.size < 1 << 24 or _is_displaced(source, offset + len(data), seed - offset)
    ):
        found = f"a good frame that was written to stand at offset {seed}"
        return Misfit(Fault.MOVED_FRAME, f"the frame of offset {offset}", found)
    return plain


def _is_displaced(source: Source, offset: int, by: int) -> bool:
    """The frame at `offset` was written to stand `by` bytes further on, or the file ends here."""
    header = source.bytes_at(offset, HEADER_SIZE)
    if len(header) < HEADER_SIZE:
        return True
    crc, length, kind = HEADER.unpack(header)
    if not 0 < length <= LIMITS.get(kind, ANCILLARY_LIMIT):
        return False
    data = source.bytes_at(offset, HEADER_SIZE + length)
    return written_at(data[4:], crc) == (offset + by) & _MASK
