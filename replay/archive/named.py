"""Named queries: what people ask an archive first, one .sql file each.

A file begins with its header, comment lines in this order, and then holds one SELECT:

    -- zh: 一句话。
    -- en: One sentence.
    -- group: players
    -- param: player text = | 玩家编号 | player id
    -- param: n integer = 20 | 行数 | number of rows
    -- param: game choice(dagong gunzi) = | 游戏 | game
    -- chart: x=seat y=win_rate colour=game kind=bar

Parameters stand as `:name` in the SQL. One without a default is NULL where it is left out, so
that every query runs with none given.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from msgspec import Struct

from replay.archive.derived import views
from replay.archive.question import QueryError
from replay.archive.tables import TABLES
from replay.messages import has, text

Kind = Literal["text", "integer", "number", "date", "choice"]
ChartKind = Literal["bar", "line", "scatter"]
Group = Literal["players", "matches", "hands", "plays", "called", "trumps", "gunzi", "findings"]
"""What a query is about, in the order in which they are shown."""
Value = str | int | float
_FOLDER = files("replay.archive") / "queries"
_LINE = re.compile(r"-- (\w+): (.+)")
_PARAM = re.compile(r"([a-z]\w*) (\w+)(?:\((\w+(?: \w+)*)\))? =(?: (\S+))? \| ([^|]+) \| ([^|]+)")
_CHART = re.compile(r"x=(\w+) y=(\w+)(?: colour=(\w+))? kind=(\w+)")


class Parameter(Struct, frozen=True):
    """A value that a query takes; a date is text, YYYY-MM-DD. No default: NULL if left out."""

    name: str
    kind: Kind
    default: Value | None
    zh: str
    en: str
    choices: tuple[str, ...] = ()
    """Of a `choice`, all that it may be."""


class Chart(Struct, frozen=True):
    """How the answer is drawn if nobody says otherwise: columns of it, and a kind of chart."""

    x: str
    y: str
    colour: str | None
    kind: ChartKind


class NamedQuery(Struct, frozen=True):
    """A query, what it answers in one sentence of each language, and what it takes."""

    name: str
    zh: str
    en: str
    group: Group
    sql: str
    parameters: tuple[Parameter, ...] = ()
    chart: Chart | None = None


class HeaderError(ValueError):
    """A .sql file whose header is not as it has to be: which file, line, and what is wrong."""


@cache
def named_queries() -> tuple[NamedQuery, ...]:
    """All of them, by name."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))
    return tuple(_read(name.removesuffix(".sql")) for name in sorted(names))


def named(name: str) -> NamedQuery:
    """The query of this name; QueryError says which may be meant."""
    known = {query.name: query for query in named_queries()}
    if name not in known:
        raise QueryError(f"no query is called {name!r}{_meant(name, known)}")
    return known[name]


def chosen(choices: Sequence[str], told: str) -> str:
    """The choice that is meant: also 打10 as 10, a game by its Chinese name; ValueError."""
    if told in choices:
        return told
    names = {"10": "T"} | {
        text("zh", f"game.{each}"): each for each in choices if has("zh", f"game.{each}")
    }
    return choices[choices.index(names.get(told, told))]


def parsed(name: str, written: str) -> NamedQuery:
    """A named query from the text of its file; HeaderError if the header is not well formed."""
    lines = written.split("\n")
    header: list[tuple[str, str]] = []
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None:
            break
        header.append((found[1], found[2].strip()))
    words = [word for word, _ in header]
    params = [told for word, told in header if word == "param"]
    charts = [told for word, told in header if word == "chart"]
    if words != ["zh", "en", "group", *["param"] * len(params), *["chart"] * len(charts[:1])]:
        raise HeaderError(
            f"{name}.sql: expected lines zh, en, group, any of param, at most one chart; "
            f"found {words}"
        )
    zh, en, about = (told for _, told in header[:3])
    group = next((group for group in get_args(Group) if group == about), None)
    if group is None:
        raise HeaderError(
            f"{name}.sql:3: expected one of {', '.join(get_args(Group))}; found {about!r}"
        )
    sql = "\n".join(lines[len(header) :]).strip().removesuffix(";")
    parameters = tuple(_parameter(f"{name}.sql:{4 + k}", told) for k, told in enumerate(params))
    names = [parameter.name for parameter in parameters]
    if len(set(names)) != len(names):
        raise HeaderError(f"{name}.sql: a parameter stands there twice: {names}")
    chart = _chart(f"{name}.sql:{len(header)}", charts[0]) if charts else None
    return NamedQuery(name, zh, en, group, sql, parameters, chart)


def _meant(name: str, known: Iterable[str]) -> str:
    """What may have been meant, to go behind "no query is called so"."""
    if name in TABLES or name in views():
        return f": it is a table; SELECT * FROM {name} LIMIT 10 shows what is in it"
    near = get_close_matches(name, known, n=3)
    return f"; is it {' or '.join(near)}?" if near else "; paipu query --list has them all"


def _read(name: str) -> NamedQuery:
    return parsed(name, (_FOLDER / f"{name}.sql").read_text(encoding="utf-8"))


def _parameter(where: str, told: str) -> Parameter:
    """A `param` line: `name kind = default | zh | en`, of a choice `choice(one two)`."""
    found = _PARAM.fullmatch(told)
    if found is None:
        raise HeaderError(f"{where}: expected `name kind = default | zh | en`, found {told!r}")
    name, word, listed, default, zh, en = found.groups()
    choices = tuple((listed or "").split())
    kind = next((kind for kind in get_args(Kind) if kind == word), None)
    if kind is None or bool(choices) != (kind == "choice"):
        raise HeaderError(
            f"{where}: expected one of {', '.join(get_args(Kind))}, choice with what it may be in "
            f"brackets; found {word!r} and {list(choices)}"
        )
    value = None if default is None else _default(where, kind, default, choices)
    return Parameter(name, kind, value, zh.strip(), en.strip(), choices)


def _default(where: str, kind: Kind, told: str, choices: tuple[str, ...]) -> Value:
    """The default value of a parameter of this kind."""
    try:
        match kind:
            case "integer":
                return int(told)
            case "number":
                return float(told)
            case "date":
                return date.fromisoformat(told).isoformat()
            case "choice":
                return choices[choices.index(told)]
            case "text":
                return told
    except ValueError:
        raise HeaderError(f"{where}: the default {told!r} is no {kind}") from None


def _chart(where: str, told: str) -> Chart:
    """A `chart` line: `x=column y=column kind=bar`, and a colour before the kind or none."""
    found = _CHART.fullmatch(told)
    kind = next((kind for kind in get_args(ChartKind) if found and kind == found[4]), None)
    if found is None or kind is None:
        raise HeaderError(
            f"{where}: expected `x=… y=… colour=… kind=…`, the kind one of "
            f"{', '.join(get_args(ChartKind))}; found {told!r}"
        )
    return Chart(found[1], found[2], found[3], kind)
