"""How a match went, for plotly: the levels of both sides, or the coins of four players."""

from collections.abc import Sequence
from html import escape

from replay.reader.figures import Course, Mark
from webviewer.charts.common import Figure
from webviewer.figures import LAYOUT, LEGEND, Link, line
from webviewer.words import Words


def course_figure(course: Course, words: Words, link: Link) -> Figure | None:
    """A match hand by hand, each mark with the address of its hand; None where nothing counts."""
    names = [who.name for who in course.players]
    with_levels = [mark for mark in course.marks if mark.steps]
    there = with_levels or [mark for mark in course.marks if mark.coins]
    if not there:
        return None
    if with_levels:
        names = [f"{names[side]} + {names[side + 2]}" for side in range(2)]
    traces = [_trace(there, number, name, words, link) for number, name in enumerate(names)]
    yaxis: Figure = _ladder(there, words) if with_levels else {}
    layout = LAYOUT | LEGEND | {"yaxis": yaxis, "xaxis": {"rangemode": "tozero"}, "height": 340}
    return {"data": traces, "layout": layout | {"hovermode": "closest"}}


def _trace(there: Sequence[Mark], number: int, name: str, words: Words, link: Link) -> Figure:
    """The stair of one side or player; plotly reads markup in texts, so names are escaped."""
    values = [(mark.steps or mark.coins)[number] for mark in there]
    said = [words(f"level.{value}") for value in values] if there[0].steps else values
    results = [escape(words.result(mark.result)) for mark in there]
    trace = line(number, values) | {
        "name": escape(name),
        "x": [mark.index for mark in there],
        "customdata": [link("pages.hand", hand_id=mark.hand_id) for mark in there],
        "text": [f"{result}<br>{value}" for result, value in zip(results, said, strict=True)],
        "hovertemplate": "%{x} · %{text}",
    }
    trace["line"]["shape"] = "hv"
    return trace


def _ladder(there: Sequence[Mark], words: Words) -> Figure:
    """The levels on the axis, by their names."""
    steps = [step for mark in there for step in mark.steps]
    shown = list(range(min(steps), max(steps) + 1))
    return {"tickvals": shown, "ticktext": [words(f"level.{step}") for step in shown]}
