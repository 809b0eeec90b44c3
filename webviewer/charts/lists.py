"""Figures over many hands: how they ended, and whether each seat won as often."""

from replay.reader import Overview
from webviewer.charts.common import PLAIN, SEAT_COLOURS, Figure
from webviewer.words import Words

LEAST_HEIGHT, BAR_HEIGHT = 236, 21
"""Pixels of a chart, and of a bar that lies, its name beside it."""


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
    layout = PLAIN | {
        "title": {"text": words("view.chart.results"), "font": {"size": 14}},
        "margin": {"l": 12, "r": 16, "t": 34, "b": 24},
        # Every bar is named: left to itself, the axis names every other one.
        "yaxis": {"automargin": True, "type": "category", "dtick": 1},
        "height": max(LEAST_HEIGHT, BAR_HEIGHT * len(counts) + 64),
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
    layout = PLAIN | {
        "title": {"text": words("view.chart.seat_bias"), "font": {"size": 14}},
        "yaxis": {"rangemode": "tozero", "ticksuffix": " %"},
        "margin": {"l": 48, "r": 12, "t": 34, "b": 28},
    }
    return {"data": [trace], "layout": layout}
