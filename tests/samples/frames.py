"""The frames of a binary log taken apart and put together again, for whoever damages them."""

from schema.frames import HEADER, HEADER_SIZE, MAGIC, frame

Frames = list[tuple[int, bytes]]
"""Kind and payload of each frame."""


def frames_of(data: bytes) -> Frames:
    """Kind and payload of every frame of a binary log."""
    frames, at = [], len(MAGIC)
    while at < len(data):
        _, length, kind = HEADER.unpack_from(data, at)
        frames.append((kind, data[at + HEADER_SIZE : at + HEADER_SIZE + length]))
        at += HEADER_SIZE + length
    return frames


def file_of(frames: Frames) -> bytes:
    """The frames with checksums that are right for where they now stand."""
    data = MAGIC
    for kind, payload in frames:
        data += frame(kind, payload, len(data))
    return data


def flipped(data: bytes, at: int) -> bytes:
    """The bytes with one bit of the byte at `at` flipped."""
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def offset_of(frames: Frames, number: int) -> int:
    """Where frame `number` of a binary log stands."""
    return len(MAGIC) + sum(HEADER_SIZE + len(payload) for _, payload in frames[:number])


def number_of(frames: Frames, kind: int, nth: int = 0) -> int:
    """The number of the nth frame of a kind."""
    return [number for number, (k, _) in enumerate(frames) if k == kind][nth]


def with_payload(frames: Frames, number: int, payload: bytes) -> Frames:
    """The frames with the payload of one of them replaced."""
    return [*frames[:number], (frames[number][0], payload), *frames[number + 1 :]]
