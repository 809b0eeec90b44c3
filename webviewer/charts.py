"""Figures for plotly as plain JSON values; colours are the page's own, told apart by dash too."""

from html import escape
from typing import Any

from replay.reader import HandPage, Overview
from webviewer.words import Words

Figure = dict[str, Any]

SEAT_COLOURS = ("#c2592e", "#2f6fa8", "#8a6a14", "#7a4b94")
SEAT_DASHES = ("solid", "dash", "dot", "dashdot")
_PLAIN: dict[str, Any] = {
    "margin": {"l": 44, "r": 12, "t": 34, "b": 36},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "font": {"family": "system-ui, 'Noto Sans CJK SC', sans-serif", "size": 12},
    "showlegend": False,
}


def by_trick(page: HandPage, words: Words) -> Figure | None:
    """Points captured per seat after each trick, a stair per seat; None where none are kept."""
    captured = _captured(page)
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
    layout = _PLAIN | {
        "title": {"text": words("view.chart.points_by_trick"), "font": {"size": 14}},
        "xaxis": {"title": {"text": words("view.chart.trick")}, "dtick": max(1, len(tricks) // 12)},
        "yaxis": {"rangemode": "tozero"},
        "showlegend": True,
        "legend": {"orientation": "h", "y": -0.3},
        "hovermode": "x unified",
        "margin": {"l": 36, "r": 10, "t": 34, "b": 84},
        "height": 360,
    }
    return {"data": traces, "layout": layout}


def _captured(page: HandPage) -> list[tuple[int, ...]]:
    """Points per seat when each trick began, and at the end; empty where the game keeps none."""
    rows: list[tuple[int, ...]] = []
    trick = 0
    last: tuple[int, ...] = ()
    for moment in page.moments:
        if moment.board is None:
            continue
        points = tuple(seat.points for seat in moment.board.seats if seat.points is not None)
        if len(points) != 4:
            continue
        if moment.board.trick > trick:
            rows.append(points)
            trick = moment.board.trick
        last = points
    return [*rows, last] if rows else []


def result_shares(overview: Overview, words: Words) -> Figure:
    """How hands ended: a bar per result."""
    counts = sorted(overview.results, key=lambda count: count.n)
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": [count.n for count in counts],
        "y": [words.result(count.value) for count in counts],
        "text": [f"{count.n:,}" for count in counts],
        "textposition": "auto",
        "textangle": 0,
        "marker": {"color": "#2d7a5f"},
        "hoverinfo": "y+x",
    }
    layout = _PLAIN | {
        "title": {"text": words("view.chart.results"), "font": {"size": 14}},
        "margin": {"l": 12, "r": 16, "t": 34, "b": 24},
        "yaxis": {"automargin": True},
    }
    return {"data": [trace], "layout": layout}


def seat_bias(overview: Overview, words: Words) -> Figure:
    """Share of hands won by each seat: how fair the deal was, by seat."""
    seats = [words("view.chart.seat", seat=seat) for seat in range(4)]
    shares = [100 * tally.won / tally.hands if tally.hands else 0.0 for tally in overview.seats]
    trace = {
        "type": "bar",
        "x": seats,
        "y": [round(share, 2) for share in shares],
        "text": [f"{share:.1f} %" for share in shares],
        "textposition": "auto",
        "marker": {"color": list(SEAT_COLOURS)},
        "customdata": [[tally.hands, tally.won, tally.coins] for tally in overview.seats],
        "hovertemplate": words("view.chart.seat_hover"),
    }
    layout = _PLAIN | {
        "title": {"text": words("view.chart.seat_bias"), "font": {"size": 14}},
        "yaxis": {"rangemode": "tozero", "ticksuffix": " %"},
        "margin": {"l": 48, "r": 12, "t": 34, "b": 28},
    }
    return {"data": [trace], "layout": layout}
