"""Values of an answer as text and as JSON: exact, and never a key or number that JSON has not."""

import math
import re
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import msgspec

JSON = msgspec.json.Encoder(decimal_format="number", enc_hook=str)
EXACT = 1 << 53
"""Integers from here on are text on a page: JavaScript has no others exactly."""
_DIGITS = 15
"""Decimal digits that a float keeps."""


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
        case list() | tuple() | dict():
            return _nested(value, plain)
        case _:
            return str(value)


def exact(value: Any) -> Any:
    """A value for the encoder: integers of more than 64 bits, which it refuses, digit by digit."""
    match value:
        case int() if not -(1 << 63) <= value < 1 << 64:
            return msgspec.Raw(str(value))
        case list() | tuple() | dict():
            return _nested(value, exact)
        case _:
            return value


def _nested(value: Any, told: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {_key(key): told(each) for key, each in value.items()}
    return [told(each) for each in value]


def _key(key: Any) -> str:
    """A key of a MAP may be of any type, one of JSON is text."""
    return cell(key) if key is not None else "null"


def cell(value: Any) -> str:
    """A value on one line."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple() | dict() | bytes():
            return JSON.encode(exact(value)).decode()
        case _:
            return str(value)


def document(told: str | None) -> str:
    """A JSON value; what DuckDB takes beyond JSON is put right: NaN as null, no comma at an end."""
    if told is None:
        return "null"
    if _is_json(told):
        return told
    right = _BEYOND.sub(_put_right, told)
    return right if _is_json(right) else JSON.encode(told).decode()


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
