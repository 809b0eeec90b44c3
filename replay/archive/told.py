"""How values become text, or go into Parquet, without becoming other values on the way.

Python has no infinite dates, nanoseconds or months, and Parquet has no offsets of a time of day:
columns of such types are made text by DuckDB itself, also inside of lists, maps and structs.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

import duckdb
from duckdb.sqltypes import DuckDBPyType
from msgspec import Struct

from replay.archive.question import Form, QueryError

_PLAIN = frozenset(
    {"tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint",
     "boolean", "float", "double", "decimal", "varchar", "uuid", "enum", "null", "time"}
)  # fmt: skip
_TO_PYTHON = _PLAIN | {"hugeint", "uhugeint"}
_TO_ARROW = _PLAIN | {
    "blob", "date", "time_ns", "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns",
    "timestamp with time zone",
}  # fmt: skip
"""Types whose every value is kept: by Python, and by Arrow on the way into Parquet."""
_DECIMAL = "DECIMAL(38,0)"
"""The widest whole number of Parquet; DuckDB refuses what is not in its range."""
_TIME = re.compile(r"(?:(\d{4,}-\d\d-\d\d) )?(\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d(?::\d\d){0,2})?")
Change = Callable[[Any], Any]


class Telling(Struct, frozen=True):
    """The SQL that tells an answer exactly; names and types as they were; what is left to do.

    `changes` has what makes the text of a column ISO 8601, None where nothing is to be done.
    """

    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    changes: tuple[Change | None, ...]


def bare(sql: str) -> str:
    """The statement without what ends it."""
    while (shorter := sql.rstrip().removesuffix(";")) != sql:
        sql = shorter
    return sql


def telling(
    sql: str, names: Sequence[str], types: Sequence[DuckDBPyType], form: Form
) -> Telling | None:
    """How the answer of `sql` is told in this form; None if that is exact as it is."""
    wanted = [_wanted(each, form) for each in types]
    if not any(wanted):
        return None
    columns = [f"c{at}" for at in range(len(types))]
    told = [
        column if cast_to is None else f"CAST({column} AS {cast_to})"
        for column, cast_to in zip(columns, wanted, strict=True)
    ]
    is_text = form != "parquet"
    return Telling(
        f"SELECT {', '.join(told)} FROM (\n{sql}\n) AS answer({', '.join(columns)})",
        tuple(names),
        tuple(map(str, types)),
        tuple(_change(each) if is_text else None for each in types),
    )


def demand_exact(names: Sequence[str], types: Sequence[DuckDBPyType], form: Form) -> None:
    """QueryError names the first column that would become something else."""
    for name, kind in zip(names, types, strict=True):
        if _wanted(kind, form) is not None:
            raise QueryError(
                f"column {name!r} is {kind}, which cannot be told exactly here: cast it to VARCHAR"
            )


def _wanted(kind: DuckDBPyType, form: Form) -> str | None:
    """The type that a column has to be cast to, None if it can stay what it is."""
    word = _word(kind)
    match word:
        case "list" | "array" | "map" | "struct" | "tuple":
            return _nested(kind, word, form)
        case "hugeint" | "uhugeint" if form == "parquet":
            return _DECIMAL
        case _ if word in (_TO_ARROW if form == "parquet" else _TO_PYTHON):
            return None
        case _:
            return "VARCHAR"


def _nested(kind: DuckDBPyType, word: str, form: Form) -> str | None:
    parts = _parts(kind)
    wanted = [_wanted(each, form) for _, each in parts]
    if not any(wanted):
        return None
    inner = [cast_to or str(each) for cast_to, (_, each) in zip(wanted, parts, strict=True)]
    match word:
        case "list":
            return f"{inner[0]}[]"
        case "array":
            return f"{inner[0]}[{dict(kind.children)['size']}]"
        case "map":
            return f"MAP({inner[0]}, {inner[1]})"
        case "struct":
            fields = zip((_quoted(name) for name, _ in parts), inner, strict=True)
            return f"STRUCT({', '.join(f'{name} {told}' for name, told in fields)})"
        case _:  # a tuple
            return "VARCHAR"


def _parts(kind: DuckDBPyType) -> list[tuple[str, DuckDBPyType]]:
    return [(name, cast(DuckDBPyType, each)) for name, each in kind.children if name != "size"
            or not isinstance(each, int)]  # fmt: skip


def _word(kind: DuckDBPyType) -> str:
    """The kind of a type; an alias such as JSON is what it is made of."""
    try:
        return kind.id.lower()
    except duckdb.Error:
        return ""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _change(kind: DuckDBPyType) -> Change | None:
    """What makes the text of a column ISO 8601, also inside of it."""
    word = _word(kind)
    if word.startswith("timestamp") or word.startswith("time with"):
        return _iso
    if word not in {"list", "array", "map", "struct"} or _wanted(kind, "json") is None:
        return None
    inner = [_change(each) for _, each in _parts(kind)]
    if not any(inner):
        return None
    return _inside(word, [change or _same for change in inner])


def _inside(word: str, inner: Sequence[Change]) -> Change:
    def change(value: Any) -> Any:
        match value:
            case None:
                return None
            case dict() if word == "map":
                return {inner[0](key): inner[1](each) for key, each in value.items()}
            case dict():
                pairs = zip(value.items(), inner, strict=True)
                return {key: told(each) for (key, each), told in pairs}
            case _:
                return [inner[0](each) for each in value]

    return change


def _same(value: Any) -> Any:
    return value


def _iso(told: str | None) -> str | None:
    """DuckDB's text of a time, as ISO 8601; infinity and years before Christ stay its words."""
    if told is None or (found := _TIME.fullmatch(told)) is None:
        return told
    day, time, fraction, offset = found.groups(default="")
    fraction = fraction and fraction.ljust(7, "0")
    offset = f"{offset}:00" if len(offset) == 3 else offset
    return f"{day}{'T' if day else ''}{time}{fraction}{offset}"
