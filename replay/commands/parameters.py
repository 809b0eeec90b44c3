"""`--param name=value`: what the parameters of a query stand for."""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import TYPE_CHECKING

from replay.folder import Problem

if TYPE_CHECKING:
    from replay.archive.named import NamedQuery, Parameter
    from replay.archive.question import Value

_INTEGER = re.compile(r"\+?\d{1,18}")


def given(query: "NamedQuery", params: Sequence[str]) -> "dict[str, Value]":
    """Every parameter of a named query: as given, else its default, else None."""
    known = {parameter.name: parameter for parameter in query.parameters}
    told = _told(known.keys(), params)
    values: dict[str, Value] = {name: each.default for name, each in known.items()}
    return values | {name: _value(known[name], text) for name, text in told.items()}


def as_told(names: Collection[str], params: Sequence[str]) -> "dict[str, Value]":
    """Parameters of SQL, which says no kinds: text, as on the page for SQL; 007 is an id.

    DuckDB reads a number or a date in it where one is needed.
    """
    return dict(_told(names, params))


def _told(names: Collection[str], params: Sequence[str]) -> dict[str, str]:
    told: dict[str, str] = {}
    for param in params:
        name, sign, text = param.partition("=")
        name = name.removeprefix(":")
        if not sign:
            raise Problem("param_form", found=param)
        if name in told:
            raise Problem("param_twice", name=name)
        if name not in names:
            problem = "param_unknown" if names else "param_none"
            raise Problem(problem, name=name, names=", ".join(sorted(names)))
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Problem("param_text", name=name) from None
        told[name] = text
    return told


def _value(parameter: "Parameter", text: str) -> "Value":
    """The value of this kind; Problem says which kind is wanted."""
    from replay.archive.named import chosen

    try:
        match parameter.kind:
            case "integer":
                return _whole(text)
            case "number":
                return float(text)
            case "date":
                return date.fromisoformat(text).isoformat()
            case "choice":
                return chosen(parameter.choices, text)
            case "text":
                return text
    except ValueError:
        pass
    wanted = ", ".join(parameter.choices)
    raise Problem(f"param_{parameter.kind}", name=parameter.name, found=text, choices=wanted)


def _whole(text: str) -> int:
    """A count or a number of something: none is below 0."""
    if not _INTEGER.fullmatch(text):
        raise ValueError
    return int(text)
