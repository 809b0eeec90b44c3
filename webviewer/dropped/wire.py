"""What server and log process say to one another: frames of MessagePack, bounded and typed.

Nothing that a process says is believed: a frame that is too long, late or of no known kind ends it.
"""

import socket
import struct
import time

import msgspec
from msgspec import Struct

MOST_ASKED = 1 << 16
"""Bytes of a frame to the process."""
_LENGTH = struct.Struct("<I")
_PIECE = 1 << 18


class Begin(Struct, frozen=True, tag="begin"):
    """The first frame to a process: the open file, its name, and under which path it is shown."""

    file: int
    name: str
    prefix: str


class Ask(Struct, frozen=True, tag="ask"):
    """A GET: the path below the prefix, and the query, as WSGI has them; Accept-Language."""

    path: str
    query: str
    languages: str


class Progress(Struct, frozen=True, tag="progress"):
    """So many hands are verified."""

    hands: int


class Ready(Struct, frozen=True, tag="ready"):
    """The log is verified, and its report is shown under this id."""

    log_id: str


class Bad(Struct, frozen=True, tag="bad"):
    """No verdict about the file is possible, and why, in both languages."""

    zh: str
    en: str


class Answer(Struct, frozen=True, tag="answer"):
    """The answer to a GET."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class NoMemory(Struct, frozen=True, tag="no_memory"):
    """The limit on memory was hit; the process ends."""


class TooLong(Struct, frozen=True, tag="too_long"):
    """The answer is longer than any may be."""


class Failed(Struct, frozen=True, tag="failed"):
    """An error of ours while a page was made."""


Said = Progress | Ready | Bad | Answer | NoMemory | TooLong | Failed
_SAID = msgspec.msgpack.Decoder(Said)
_ASKED = msgspec.msgpack.Decoder(Ask)
_BEGUN = msgspec.msgpack.Decoder(Begin)
_ENCODER = msgspec.msgpack.Encoder()


class Wire:
    """One end of the socket between server and process.

    EOFError for whatever ends the conversation, TimeoutError if nothing whole comes in time.
    """

    def __init__(self, link: socket.socket, most: int) -> None:
        """`most`: bytes of the longest frame that is taken in."""
        self._link = link
        self._most = most
        self._come = bytearray()

    def say(self, message: Struct, until: float | None = None) -> None:
        """Send a frame, before `until` by the monotonic clock."""
        data = _ENCODER.encode(message)
        try:
            self._link.settimeout(_left(until))
            self._link.sendall(_LENGTH.pack(len(data)) + data)
        except TimeoutError:
            raise
        except OSError:
            raise EOFError from None

    def said(self, until: float | None = None) -> Said:
        """The next frame of a process; EOFError too if it is none."""
        try:
            return _SAID.decode(self._frame(until))
        except msgspec.MsgspecError:
            raise EOFError from None

    def begun(self) -> Begin:
        """The first frame to a process."""
        return _BEGUN.decode(self._frame(None))

    def asked(self) -> Ask:
        """The next request to a process."""
        return _ASKED.decode(self._frame(None))

    def close(self) -> None:
        """Give up the socket."""
        self._link.close()

    def _frame(self, until: float | None) -> bytes:
        self._fill(_LENGTH.size, until)
        (length,) = _LENGTH.unpack_from(self._come)
        if length > self._most:
            raise EOFError
        end = _LENGTH.size + length
        self._fill(end, until)
        frame = bytes(self._come[_LENGTH.size : end])
        del self._come[:end]
        return frame

    def _fill(self, count: int, until: float | None) -> None:
        """Have so many bytes; what has come before the time is over stays for the next call."""
        while len(self._come) < count:
            try:
                self._link.settimeout(_left(until))
                piece = self._link.recv(min(count - len(self._come), _PIECE))
            except TimeoutError:
                raise
            except OSError:
                raise EOFError from None
            if not piece:
                raise EOFError
            self._come += piece


def _left(until: float | None) -> float | None:
    """Seconds until then; TimeoutError if there are none."""
    if until is None:
        return None
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
