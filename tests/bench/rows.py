"""The lines of the table: a figure, its unit, and the budget it is held against."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tests.bench.measure import Timed


class Budget(Struct, frozen=True):
    """What a figure is to be at least, or at most."""

    kind: Literal["least", "most"]
    limit: float

    def is_reached(self, value: float) -> bool:
        """Whether the figure keeps the budget."""
        return value >= self.limit if self.kind == "least" else value <= self.limit


class Row(Struct, frozen=True, kw_only=True):
    """One line.

    A `value` that is a rate is per second of processor time; `wall` is the same by the clock,
    `amount` the work of one turn.
    """

    section: str
    name: str
    value: float
    unit: str
    wall: float | None = None
    amount: int | None = None
    budget: Budget | None = None


def rate(timed: Timed) -> Row:
    """The line of a probe."""
    probe = timed.probe
    return Row(
        section=probe.section,
        name=probe.name,
        value=timed.cpu_rate,
        unit=f"{probe.unit}/s",
        wall=timed.wall_rate,
        amount=timed.amount,
        budget=None if probe.budget is None else Budget("least", probe.budget),
    )


def ratio(section: str, ours: Timed, theirs: Timed) -> Row:
    """How many times as fast, each in its own units."""
    name = f"{ours.probe.name} : {theirs.probe.name}"
    return Row(section=section, name=name, value=ours.ratio_to(theirs), unit="times")


def lines(rows: Sequence[Row]) -> list[str]:
    """The table, a heading for each section."""
    cells = [_HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    found = [_line(_HEADINGS, widths)]
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            found += ["", section]
        found.append(_line(_cells(row), widths))
    return found


_HEADINGS = ("", "figure", "unit", "by the clock", "budget")


def _cells(row: Row) -> tuple[str, ...]:
    wall = "" if row.wall is None else number(row.wall)
    return f"  {row.name}", number(row.value), row.unit, wall, verdict(row.budget, row.value)


def verdict(budget: Budget | None, value: float) -> str:
    """What a budget is, and whether the figure keeps it."""
    if budget is None:
        return ""
    sign = {"least": "≥", "most": "≤"}[budget.kind]
    word = "reached" if budget.is_reached(value) else "not reached"
    return f"{sign} {number(budget.limit)} {word}"


def number(value: float) -> str:
    """Three digits that count, at least."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}" if value >= 10 else f"{value:,.2f}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, value, unit, wall, budget = cells
    figures = f"{value:>{widths[1]}} {unit:<{widths[2]}}  {wall:>{widths[3]}}"
    return f"{name:<{widths[0]}}  {figures}  {budget}".rstrip()
