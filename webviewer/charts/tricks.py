"""The points of a hand by trick."""

from collections.abc import Callable
from html import escape
from typing import TypeVar

from replay.reader import Board, Goal, HandPage
from webviewer.charts.common import PLAIN, SEAT_COLOURS, SEAT_DASHES, Figure
from webviewer.words import Words

Value = TypeVar("Value")


def by_trick(page: HandPage, words: Words) -> Figure | None:
    """Points captured per seat after each trick, a stair per seat; None where none are kept.

    Where points have to come to something, these and the line to be reached.
    """
    captured, goals = _captured(page), _goals(page)
    if not captured:
        return None
    tricks = list(range(len(captured)))
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            # Plotly reads markup in texts.
            "name": escape(page.row.players[seat].name),
            "x": tricks,
            "y": [points[seat] for points in captured],
            "line": {
                "shape": "hv",
                "width": 2.5,
                "color": SEAT_COLOURS[seat],
                "dash": SEAT_DASHES[seat],
            },
            "marker": {"size": 5, "symbol": seat},
        }
        for seat in range(4)
    ]
    traces += [_goal_trace(goals, words)] if goals else []
    layout = PLAIN | {
        "title": {"text": words("view.chart.points_by_trick"), "font": {"size": 14}},
        "shapes": [_target(goals[-1].target)] if goals else [],
        "xaxis": {"title": {"text": words("view.chart.trick")}, "dtick": max(1, len(tricks) // 12)},
        "yaxis": {"rangemode": "tozero"},
        "showlegend": True,
        "legend": {"orientation": "h", "y": -0.3},
        "hovermode": "x unified",
        "margin": {"l": 36, "r": 10, "t": 34, "b": 84},
        "height": 360,
    }
    return {"data": traces, "layout": layout}


def _goal_trace(goals: list[Goal], words: Words) -> Figure:
    """The points that have to come to something, thick, in the colour of the text."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "".join(str(piece) for piece in words.phrase(goals[-1].name)),
        "x": list(range(len(goals))),
        "y": [goal.value for goal in goals],
        "line": {"shape": "hv", "width": 4, "color": "#55705f"},
    }


def _target(points: int) -> Figure:
    """The line to be reached."""
    line = {"color": "#a5321d", "width": 1.5, "dash": "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": points, "y1": points} | {
        "line": line
    }


def _captured(page: HandPage) -> list[tuple[int, ...]]:
    """Points per seat when each trick began, and at the end; empty where the game keeps none."""

    def points(board: Board) -> tuple[int, ...] | None:
        found = tuple(seat.points for seat in board.seats if seat.points is not None)
        return found if len(found) == 4 else None

    return _by_trick(page, points)


def _goals(page: HandPage) -> list[Goal]:
    """The goal when each trick began, and at the end; empty in games without one."""
    return _by_trick(page, lambda board: board.goal)


def _by_trick(page: HandPage, value: Callable[[Board], Value | None]) -> list[Value]:
    """A value when each trick began, and at the end; boards without it are passed over."""
    found: list[Value] = []
    trick, last = 0, None
    for moment in page.moments:
        here = None if moment.board is None else value(moment.board)
        if moment.board is None or here is None:
            continue
        if moment.board.trick > trick:
            found.append(here)
            trick = moment.board.trick
        last = here
    return found if last is None or not found else [*found, last]
