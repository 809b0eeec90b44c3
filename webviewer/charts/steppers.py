"""What changes in a hand from event to event: small charts below one another with one axis.

A chart is there where the boards have what it is about. With an eye they are what that eye sees,
so that nothing is drawn that it could not know.
"""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from msgspec import Struct

from replay.reader import Board, HandPage, Moment, trump_faces
from webviewer.charts.common import PLAIN, SEAT_COLOURS, SEAT_DASHES, Figure
from webviewer.words import Words

N_SEATS = 4
HEIGHT, BELOW = 150, 100
"""Of each chart, and of the axis and the legend below them all."""
GAP = 34
Values = tuple[int | None, ...]
Value = Callable[[Moment, Board], Values | None]


class Panel(Struct, frozen=True):
    """One chart: a line for each name, a value for each step; None where there is none yet."""

    word: str
    names: tuple[str, ...]
    steps: tuple[Values | None, ...]

    @property
    def is_there(self) -> bool:
        """Whether there is anything to draw."""
        return any(any(values) for values in self.steps if values is not None)


def steppers(page: HandPage, words: Words) -> dict[str, Any] | None:
    """The charts of a hand as one figure, and as tables; None where no event has a board."""
    panels = [panel for panel in _panels(page, words) if panel.is_there]
    if not panels:
        return None
    return {
        "figure": _figure(panels, len(page.moments), words),
        "tables": [_table(panel, page, words) for panel in panels],
    }


def _panels(page: HandPage, words: Words) -> Iterator[Panel]:
    names = tuple(person.name for person in page.row.players)
    yield Panel("points", names, _each(page, _points))
    yield Panel("cards_left", names, _each(page, _cards_left))
    yield Panel("bombs", names, _bombs(page))
    if page.eye is None:
        yield Panel("trumps_left", names, _each(page, _trumps_held))
    else:
        others = words("view.chart.trumps_out")
        own_and_out = _each(page, _trumps_known)
        yield Panel("trumps_left", (names[page.eye], others), own_and_out)


def _each(page: HandPage, value: Value) -> tuple[Values | None, ...]:
    """A value at every step; where the state is not defined any more, none."""
    return tuple(
        None if moment.board is None else value(moment, moment.board) for moment in page.moments
    )


def _points(_: Moment, board: Board) -> Values | None:
    if any(view.points is None for view in board.seats):
        return None
    return tuple(view.points for view in board.seats)


def _cards_left(_: Moment, board: Board) -> Values:
    return tuple(view.count for view in board.seats)


def _bombs(page: HandPage) -> tuple[Values | None, ...]:
    """How many bombs each seat has laid so far."""
    counts = [0] * N_SEATS
    found: list[Values | None] = []
    for moment in page.moments:
        if moment.is_bomb and moment.seat is not None:
            counts[moment.seat] += 1
        found.append(None if moment.board is None else tuple(counts))
    return tuple(found)


def _trumps(board: Board) -> frozenset[int] | None:
    """The trumps, once it is known what is trump; None before, and in games without."""
    if board.trump is None or board.order is None:
        return None
    return frozenset(trump_faces(board.order, board.trump))


def _trumps_held(_: Moment, board: Board) -> Values | None:
    trumps = _trumps(board)
    if trumps is None:
        return None
    return tuple(sum(code in trumps for code in view.cards or b"") for view in board.seats)


def _trumps_known(moment: Moment, board: Board) -> Values | None:
    """Those in the own hand, and those that are out as far as this seat can know."""
    trumps = _trumps(board)
    if trumps is None or moment.out is None or board.eye is None:
        return None
    own = sum(code in trumps for code in board.seats[board.eye].cards or b"")
    return own, sum(moment.out[code] for code in trumps)


def _figure(panels: list[Panel], n_steps: int, words: Words) -> Figure:
    height = HEIGHT * len(panels) + BELOW
    inner = HEIGHT * len(panels)
    layout: dict[str, Any] = PLAIN | {
        "height": height,
        "margin": {"l": 40, "r": 10, "t": 26, "b": BELOW - 26},
        "showlegend": True,
        "legend": {"orientation": "h", "y": -12 / inner, "yanchor": "top"},
        "hovermode": "x",
        "xaxis": {
            "title": {"text": words("view.chart.event"), "standoff": 4},
            "range": [1, max(2, n_steps)],
            "anchor": _axis("y", len(panels) - 1),
        },
        "annotations": [],
        "shapes": [],
    }
    traces: list[Figure] = []
    for number, panel in enumerate(panels):
        top = 1 - number * HEIGHT / inner
        name = _axis("yaxis", number)
        layout[name] = {"domain": [top - (HEIGHT - GAP) / inner, top], "rangemode": "tozero"}
        title = {"text": words(f"view.chart.{panel.word}"), "x": 0, "xanchor": "left", "y": top}
        place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "showarrow": False}
        layout["annotations"].append(title | place)
        traces += _traces(panel, number)
    layout["shapes"].append(_here(GAP / inner))
    return {"data": traces, "layout": layout}


def _axis(name: str, number: int) -> str:
    """Plotly's name of an axis: the first has no number."""
    return name if number == 0 else f"{name}{number + 1}"


def _traces(panel: Panel, number: int) -> Iterator[Figure]:
    is_by_seat = len(panel.names) == N_SEATS
    steps = list(range(1, len(panel.steps) + 1))
    for line, name in enumerate(panel.names):
        yield {
            "type": "scatter",
            "mode": "lines",
            # Plotly reads markup in texts.
            "name": escape(name),
            "x": steps,
            "y": [None if values is None else values[line] for values in panel.steps],
            "yaxis": _axis("y", number),
            "line": {
                "shape": "hv",
                "width": 2,
                "color": SEAT_COLOURS[line] if is_by_seat else ("#2d7a5f", "#55705f")[line],
                "dash": SEAT_DASHES[line],
            },
            "legendgroup": f"seat{line}" if is_by_seat else f"known{line}",
            "showlegend": number == 0 or not is_by_seat,
        }


def _here(bottom: float) -> Figure:
    """The thin line that marks the event which the table shows; the page's script moves it."""
    line = {"color": "#c77d0a", "width": 1.5}
    where = {"xref": "x", "yref": "paper", "x0": 1, "x1": 1, "y0": bottom, "y1": 1}
    return {"type": "line", "line": line} | where


def _table(panel: Panel, page: HandPage, words: Words) -> dict[str, Any]:
    """The same by trick: the values when each trick was over, and the step at which that was."""
    last: dict[int, tuple[int, Values]] = {}
    for moment, values in zip(page.moments, panel.steps, strict=True):
        if values is not None:
            last[moment.trick] = (moment.index + 1, values)
    return {
        "title": words(f"view.chart.{panel.word}"),
        "trick": words("view.chart.trick"),
        "names": list(panel.names),
        "rows": [[trick, step, list(values)] for trick, (step, values) in sorted(last.items())],
    }
