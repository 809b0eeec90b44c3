"""Any table as a file: CSV (RFC 4180) or JSON, streamed row by row, whatever players are called."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Protocol, TypeVar

import msgspec
from flask import Response
from werkzeug.exceptions import NotFound as NoPage

FORMS = ("csv", "json")
LEFT_OUT = "X-Rows-Left-Out"
"""The header that says how many rows of the table are not in the file; JSON says it first."""

_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")
"""What a text may begin with that a spreadsheet takes for a formula, and the mark against it."""
_EXACT = 1 << 53
"""Integers from here on are text in JSON: JavaScript has no others exactly."""
_PIECE = 1 << 15
"""Bytes that are sent at once, at least."""

Row = Sequence[object]


def csv_of(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[bytes]:
    """A header and a record a row, ended by CR LF, UTF-8; None is empty, lists are JSON.

    A text that a spreadsheet would take for a formula has one `'` before it, and so has one that
    begins with `'`: to take one away gives every text back.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
        if buffer.tell() >= _PIECE:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def json_of(columns: Sequence[str], rows: Iterable[Row], left_out: int = 0) -> Iterator[bytes]:
    """`{"left_out": 0, "rows": […]}`, an object a row; integers from 2^53 on are text."""
    piece = bytearray(b'{"left_out":%d,"rows":[' % left_out)
    lead = b"\n"
    for row in rows:
        told = dict(zip(columns, map(_plain, row), strict=True))
        piece += lead + msgspec.json.encode(told)
        lead = b",\n"
        if len(piece) >= _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + b"\n]}\n")


def download(
    form: str, name: str, columns: Sequence[str], rows: Iterable[Row], left_out: int = 0
) -> Response:
    """The table as a file `name-2025-03-01.csv`; NotFound for a form that there is not.

    The first row is made before the answer begins: what goes wrong until then has its own page.
    """
    if form not in FORMS:
        raise NoPage
    there = iter(rows)
    begun: Iterable[Row] = chain([first], there) if (first := next(there, None)) else ()
    pieces = csv_of(columns, begun) if form == "csv" else json_of(columns, begun, left_out)
    answer = Response(pieces, content_type=_TYPES[form])
    if hasattr(there, "close"):
        answer.call_on_close(there.close)
    answer.headers[LEFT_OUT] = str(left_out)
    file = f"{name}-{datetime.now(UTC):%Y-%m-%d}.{form}"
    answer.headers.set("Content-Disposition", "attachment", filename=file)
    return answer


class Paged(Protocol):
    """One page of a list, and how many there are."""

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        ...


P = TypeVar("P", bound=Paged)


def every_page(asked: Callable[[int], P]) -> Iterator[P]:
    """Every page of a list, from 1 on, each asked for when the one before was taken."""
    number = 1
    while True:
        page = asked(number)
        yield page
        if number >= page.pages:
            return
        number += 1


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return f"'{value}" if value.startswith(_FORMULA) else value
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return msgspec.json.encode(value).decode()
        case _:
            return str(value)


def _plain(value: object) -> Any:
    match value:
        case bool():
            return value
        case int():
            return value if -_EXACT < value < _EXACT else str(value)
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value
