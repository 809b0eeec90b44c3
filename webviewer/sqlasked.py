"""What an address of the SQL page asks: SQL or the name of a question, values, order, chart."""

from collections.abc import Mapping
from typing import Any, cast

from flask import Request
from msgspec import Struct

from replay.reader import CHART_KINDS, Asking, Drawing, Field, NotFound, ReadyQuestion

_OF_A_FIELD = "p."
_KNOWN = frozenset({"lang", "sort", "order", "down", "chart", "x", "y", "colour"})


class Asked(Struct, frozen=True):
    """One address: `question` where it names one that stands ready, else SQL of anybody.

    `typed` has the values by field; `is_run` is false while a field was not even left empty.
    """

    question: ReadyQuestion | None
    sql: str
    fields: tuple[Field, ...]
    typed: Mapping[str, str]
    is_run: bool
    sort: str
    is_descending: bool
    drawing: Drawing | None
    is_drawn: bool

    def address(self, **changed: str) -> dict[str, Any]:
        """The parameters of this address, some of them changed; empty ones are left out."""
        named = self.question is not None
        own = {
            "query": self.question.name if self.question else "",
            "sql": "" if named else self.sql,
            **{_OF_A_FIELD + name: value for name, value in self.typed.items()},
            "sort": self.sort,
            "order": "desc" if self.is_descending else "",
            **self.chart_address(),
        } | changed
        return {name: value for name, value in own.items() if value or name.startswith(_OF_A_FIELD)}

    def chart_address(self) -> dict[str, str]:
        """The parameters that say how the answer is drawn."""
        if self.drawing is None or not self.is_drawn:
            return {}
        return {
            "chart": self.drawing.kind,
            "x": self.drawing.x,
            "y": self.drawing.y,
            "colour": self.drawing.colour,
        }

    def as_sql(self) -> dict[str, Any]:
        """The address under which the SQL of a ready question can be changed."""
        return {**self.address(query="", sql=self.sql)}


def asked_in(request: Request, asking: Asking) -> Asked:
    """What an address asks; NotFound for the name of no question."""
    args = request.args
    question = _question(args.get("query", ""), asking)
    sql = question.sql if question else args.get("sql", "").replace("\r\n", "\n")
    fields = question.fields if question else asking.fields(sql)
    given = {field.name: args.get(_OF_A_FIELD + field.name) for field in fields}
    typed = {
        field.name: field.default if given[field.name] is None else str(given[field.name])
        for field in fields
    }
    drawing = _drawing(args)
    downwards = args.get("down", "")
    return Asked(
        question=question,
        sql=sql,
        fields=fields,
        typed=typed,
        is_run=bool(sql.strip()) and (question is not None or None not in given.values()),
        sort=downwards or args.get("sort", ""),
        is_descending=bool(downwards) or args.get("order") == "desc",
        drawing=drawing or (question.drawing if question else None),
        is_drawn=drawing is not None,
    )


def strangers(request: Request, asked: Asked) -> list[str]:
    """The parameters of an address that mean nothing there.

    Fields that SQL of anybody once had may stay: it is changed in the page that has them.
    """
    own = {_OF_A_FIELD + field.name for field in asked.fields}
    known = _KNOWN | own | ({"query"} if asked.question else {"query", "sql"})
    return [
        name
        for name in request.args
        if name not in known and (asked.question or not name.startswith(_OF_A_FIELD))
    ]


def _question(name: str, asking: Asking) -> ReadyQuestion | None:
    if not name:
        return None
    for question in asking.ready():
        if question.name == name:
            return question
    raise NotFound("query", name)


def _drawing(args: Mapping[str, str]) -> Drawing | None:
    kind = args.get("chart", "")
    if kind not in CHART_KINDS:
        return None
    return Drawing(cast(Any, kind), args.get("x", ""), args.get("y", ""), args.get("colour", ""))
