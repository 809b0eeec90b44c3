"""The process of one query: it opens the archive, waits for its question, answers it and ends.

What it says to who asked are messages of bytes; it is not believed, so nothing of it is run.
"""

import os
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection

import msgspec

from replay.archive.confine import confine
from replay.archive.errors import ArchiveError, is_gone
from replay.archive.query import Archive
from replay.archive.question import Form, Limit, QueryError, Question, Stopped
from replay.archive.render import render
from replay.confined import end_with
from replay.messages import LANGS

PIECE = 1 << 18
"""The most bytes of an answer in one message."""
_ENOUGH = 1 << 15
"""Bytes that are worth a message."""
READY, BYTES, DONE, REFUSED, STOPPED, NO_ARCHIVE, CRASH = (bytes([k]) for k in range(7))
"""The first byte of a message says what it is."""
_LIFELINE = 0
"""Standard input: a pipe that who asked holds open, and never writes to."""
_EVERY_KIND = """
SELECT 1, 1::HUGEINT, 1.5, 1.5::DOUBLE, 'x' || chr(10), 'x'::BLOB, true, DATE '2020-01-01',
    TIME '01:00:00', TIMESTAMP '2020-01-01', TIMESTAMPTZ '2020-01-01 00:00+00', INTERVAL 1 DAY,
    uuid(), [1], {'a': 1}, MAP {1: 2}, '{"a": 1}'::JSON, NULL
"""


class Stop(msgspec.Struct, frozen=True):
    """Which limit has stopped a query, and how much that is."""

    limit: Limit
    value: float


class Lost(msgspec.Struct, frozen=True):
    """Why there is no archive to ask, in both languages; whether it is gone."""

    zh: str
    en: str
    is_gone: bool


def serve(handle: int, folder: str) -> None:
    """Answer one question about the archive in `folder`, over the socket `handle`."""
    end_with(_LIFELINE)
    link = Connection(handle)
    _send(link, _reply(link, folder))
    os._exit(0)  # there is nothing to put away


def _send(link: Connection, message: bytes) -> None:
    try:
        link.send_bytes(message)
    except OSError:
        os._exit(1)  # who asked is gone


def _question(link: Connection) -> Question:
    try:
        return msgspec.msgpack.decode(link.recv_bytes(), type=Question)
    except (EOFError, OSError):
        os._exit(1)


def _reply(link: Connection, folder: str) -> bytes:
    """Send all but the message that ends the answer; return that."""
    limits = None
    try:
        with Archive.prepared(folder) as archive:
            _load(archive)
            _send(link, READY)
            question = _question(link)
            limits = question.limits
            if question.form == "parquet":
                import pyarrow.parquet  # noqa: F401  (it could not be loaded any more)
            archive.shut(limits)
            confine(limits)
            return _answer(link, archive, question)
    except Stopped as error:
        return STOPPED + msgspec.json.encode(Stop(error.limit, error.value))
    except QueryError as error:
        return REFUSED + str(error).encode(errors="replace")[:PIECE]
    except ArchiveError as error:
        return NO_ARCHIVE + _no_archive(error)
    except MemoryError:
        value = 0 if limits is None else limits.megabytes
        return STOPPED + msgspec.json.encode(Stop("memory", value))
    except RecursionError:
        return REFUSED + b"a value of the answer is nested too deeply to be shown"
    except Exception:
        return CRASH + traceback.format_exc().encode(errors="replace")[:PIECE]


def _no_archive(error: ArchiveError) -> bytes:
    zh, en = (_encodable(error.said(lang)) for lang in LANGS)
    return msgspec.json.encode(Lost(zh, en, is_gone(error)))


def _encodable(sentence: str) -> str:
    """A path may have bytes that are no UTF-8."""
    return sentence.encode(errors="replace").decode()


def _answer(link: Connection, archive: Archive, question: Question) -> bytes:
    result = archive.query(question.sql, question.parameters, question.limits, question.form)
    for piece in _gathered(render(result, question.form)):
        for start in range(0, len(piece), PIECE):
            _send(link, BYTES + piece[start : start + PIECE])
    return DONE + (result.cut_by or "").encode()


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Small pieces together."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _ENOUGH:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def _load(archive: Archive) -> None:
    """Load whatever is loaded when it is first needed: later no file can be opened."""
    forms: tuple[Form, ...] = ("table", "csv", "json", "page")
    for form in forms:
        b"".join(render(archive.query(_EVERY_KIND, form=form), form))
