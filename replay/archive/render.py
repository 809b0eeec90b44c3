"""Query results as text: a table for the terminal, CSV (RFC 4180), JSON, or lines for a page."""

import csv
import io
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal

import msgspec

from replay.archive.query import Result

Form = Literal["table", "csv", "json", "page"]
_JSON = msgspec.json.Encoder(decimal_format="number", enc_hook=str)


def render(result: Result, form: Form) -> Iterator[str]:
    """The whole result in pieces of text; times in ISO 8601, UTC without a zone."""
    match form:
        case "csv":
            return _csv(result)
        case "json":
            return _json(result)
        case "table":
            return _table(result)
        case "page":
            return _page(result)


def _csv(result: Result) -> Iterator[str]:
    """One record a line ended by CR LF; NULL is empty, lists are JSON."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(result.columns)
    for row in result:
        writer.writerow(["" if value is None else _cell(value) for value in row])
        yield _drain(buffer)
    yield _drain(buffer)


def _drain(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _json(result: Result) -> Iterator[str]:
    """An array with one object a row; of columns of one name the later ones get a number."""
    names = unique(result.columns)
    documents = [place for place, kind in enumerate(result.types) if kind == "JSON"]
    lead = "[\n"
    for row in result:
        values = [_exact(value) for value in row]
        for place in documents:
            values[place] = msgspec.Raw(_document(values[place]))
        yield lead + _JSON.encode(dict(zip(names, values, strict=True))).decode()
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


EXACT = 1 << 53
"""Integers from here on are text on a page: JavaScript has no others exactly."""


def _page(result: Result) -> Iterator[str]:
    """A line with the names and types of the columns, then one a row: JSON arrays."""
    yield _JSON.encode([result.columns, result.types]).decode() + "\n"
    for row in result:
        yield _JSON.encode([plain(value) for value in row]).decode() + "\n"


def plain(value: Any) -> Any:
    """A value as JSON has it, within what JavaScript can count; what it has not is text."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if -EXACT < value < EXACT else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Decimal():
            return float(value) if len(value.as_tuple().digits) <= _DIGITS else str(value)
        case datetime() | date() | time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case list() | tuple():
            return [plain(each) for each in value]
        case dict():
            return {_key(key): plain(each) for key, each in value.items()}
        case _:
            return str(value)


_DIGITS = 15
"""Decimal digits that a float keeps."""


def _key(key: Any) -> str:
    return key if isinstance(key, str) else _JSON.encode(plain(key)).decode()


def _document(told: str | None) -> str:
    """A JSON value; what DuckDB takes beyond JSON is put right: NaN as null, no comma at an end."""
    if told is None:
        return "null"
    if _is_json(told):
        return told
    right = _BEYOND.sub(_put_right, told)
    return right if _is_json(right) else _JSON.encode(told).decode()


_BEYOND = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*")|,(?=\s*[\]}])|(?P<number>[-+]?(?:nan|inf(?:inity)?))""",
    re.IGNORECASE | re.DOTALL,
)


def _put_right(found: re.Match[str]) -> str:
    if found["string"]:
        return found["string"]
    return "null" if found["number"] else ""


def _is_json(told: str) -> bool:
    try:
        msgspec.json.decode(told, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return True


def _exact(value: Any) -> Any:
    """Integers of more than 64 bits, which the encoder refuses, digit by digit."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return msgspec.Raw(str(value))
    return value


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


def _table(result: Result) -> Iterator[str]:
    """Aligned columns under their names, numbers to the right; a wide character counts two."""
    rows, right = [], [True] * len(result.columns)
    for row in result:
        rows.append([_shown(value) for value in row])
        right = [r and (v is None or _is_number(v)) for r, v in zip(right, row, strict=True)]
    lines = [[_shown(name) for name in result.columns], *rows]
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    yield _line(lines[0], widths, right)
    yield "  ".join("─" * n for n in widths) + "\n"
    for line in rows:
        yield _line(line, widths, right)
    yield f"({len(rows)} row{'' if len(rows) == 1 else 's'})\n"


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, whole, to_right in zip(cells, widths, right, strict=True):
        space = " " * (whole - width(cell))
        padded.append(space + cell if to_right else cell + space)
    return "  ".join(padded).rstrip() + "\n"


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
    text = _cell(value)
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def _cell(value: Any) -> str:
    """A value on one line."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple() | dict() | bytes():
            return _JSON.encode(value).decode()
        case _:
            return str(value)
