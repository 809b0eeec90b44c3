"""Query results as bytes: a table for the terminal, CSV (RFC 4180), JSON, Parquet, or a page."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from replay.archive.query import Result
from replay.archive.question import Form, QueryError, Stopped
from replay.archive.values import JSON, cell, document, exact, plain

S = TypeVar("S", bound=Sized)
_MOST_HEAD = 1 << 18
"""Bytes of the names and types of all columns on a page, where they stand again and again."""
_DELICATE = re.compile(rb"\x7f|\xc2[\x80-\x9f]")
"""Control characters that JSON allows as they are, and a terminal obeys."""


def render(result: Result, form: Form) -> Iterator[bytes]:
    """The whole result in pieces; text is UTF-8, times in ISO 8601, UTC without a zone.

    Rows that would make the answer longer than its limit are cut off; a Parquet file, which has
    no part that could be used, is refused.
    """
    match form:
        case "csv":
            return _csv(result)
        case "json":
            return _json(result)
        case "table":
            return _table(result)
        case "page":
            return _page(result)
        case "parquet":
            return _parquet(result)


def _fitting(result: Result, rows: Iterable[S], size: Callable[[S], int] = len) -> Iterator[S]:
    """The rows that fit into the answer."""
    most = result.most_bytes
    given = 0
    for row in rows:
        given += size(row)
        if most is not None and given > most:
            result.cut_by = "answer"
            result.close()
            return
        yield row


def _demand_fit(result: Result, size: int) -> None:
    if result.most_bytes is not None and size > result.most_bytes:
        raise Stopped("answer", result.most_bytes)


def _csv(result: Result) -> Iterator[bytes]:
    """One record a line ended by CR LF; NULL is empty, lists are JSON."""
    head = _record(result.columns)
    _demand_fit(result, len(head))
    yield head
    cells = (["" if value is None else cell(value) for value in row] for row in result)
    yield from _fitting(result, map(_record, cells))


def _record(cells: Sequence[str]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().encode()


def _json(result: Result) -> Iterator[bytes]:
    """An array with one object a row; of columns of one name the later ones get a number."""
    lead = b"[\n"
    for piece in _fitting(result, _objects(result)):
        yield lead + piece
        lead = b",\n"
    yield b"[]\n" if lead == b"[\n" else b"\n]\n"


def _objects(result: Result) -> Iterator[bytes]:
    names = unique(result.columns)
    documents = [place for place, kind in enumerate(result.types) if kind == "JSON"]
    for row in result:
        values = [exact(value) for value in row]
        for place in documents:
            values[place] = msgspec.Raw(document(values[place]))
        told = JSON.encode(dict(zip(names, values, strict=True)))
        yield _DELICATE.sub(lambda found: b"\\u00%02x" % found[0][-1], told)


def _page(result: Result) -> Iterator[bytes]:
    """A line with the names and types of the columns, then one a row: JSON arrays."""
    head = JSON.encode([result.columns, result.types]) + b"\n"
    if len(head) > _MOST_HEAD:
        raise QueryError(
            f"the names and types of its columns are longer than {_MOST_HEAD} bytes: more than a "
            "page shows"
        )
    _demand_fit(result, len(head))
    yield head
    rows = (JSON.encode([plain(value) for value in row]) + b"\n" for row in result)
    yield from _fitting(result, rows)


def _parquet(result: Result) -> Iterator[bytes]:
    """A Parquet file, zstd, written forward: a row group is sent as soon as it is whole."""
    import pyarrow as pa
    from pyarrow import parquet

    sink = io.BytesIO()
    schema, batches = result.batches()
    sent = 0
    try:
        with parquet.ParquetWriter(sink, schema, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch)
                sent += sink.tell()
                _demand_fit(result, sent)
                yield _drained(sink)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowKeyError) as error:
        raise QueryError(
            f"the answer cannot be written as Parquet: {error}; casting to VARCHAR helps"
        ) from None
    _demand_fit(result, sent + sink.tell())
    yield _drained(sink)


def _drained(sink: io.BytesIO) -> bytes:
    data = sink.getvalue()
    sink.seek(0)
    sink.truncate()
    return data


def unique(names: Sequence[str]) -> list[str]:
    """The names, made different by `_1`, `_2` … where they repeat."""
    taken: set[str] = set()
    found = []
    for name in names:
        free = name
        number = 0
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free)
        found.append(free)
    return found


def _drawing(plan: str) -> bytes:
    return "".join(f"{_shown(line)}\n" for line in plan.splitlines()).encode()


def _table(result: Result) -> Iterator[bytes]:
    """Aligned columns under their names, numbers to the right; a wide character counts two.

    A plan is a drawing of many lines, and stands there as such.
    """
    if result.is_plan:
        yield from _fitting(result, (_drawing(row[-1]) for row in result))
        return
    rows, right = [], [True] * len(result.columns)
    names = [_shown(name) for name in result.columns]
    _demand_fit(result, _size(names))
    for row in _fitting(result, result, lambda row: _size(map(_shown, row))):
        rows.append([_shown(value) for value in row])
        right = [r and (v is None or _is_number(v)) for r, v in zip(right, row, strict=True)]
    lines = [names, *rows]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    yield _line(names, widths, right)
    yield ("  ".join("─" * n for n in widths) + "\n").encode()
    for line in rows:
        yield _line(line, widths, right)
    yield f"({len(rows)} row{'' if len(rows) == 1 else 's'})\n".encode()


def _size(cells: Iterable[str]) -> int:
    return sum(len(text) + 2 for text in cells)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> bytes:
    padded = []
    for text, whole, to_right in zip(cells, widths, right, strict=True):
        space = " " * (whole - width(text))
        padded.append(space + text if to_right else text + space)
    return ("  ".join(padded).rstrip() + "\n").encode()


def width(text: str) -> int:
    """Columns that a text takes in a terminal: wide characters (汉字) two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """A value in one cell of a table; what could move the cursor is escaped."""
    if value is None:
        return "NULL"
    text = cell(value)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()
