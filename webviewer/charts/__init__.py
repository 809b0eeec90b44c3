"""Figures for plotly as plain JSON values."""

from webviewer.charts.common import SEAT_COLOURS, SEAT_DASHES, Figure
from webviewer.charts.lists import result_shares, seat_bias
from webviewer.charts.steppers import steppers
from webviewer.charts.tricks import by_trick

__all__ = [
    "SEAT_COLOURS",
    "SEAT_DASHES",
    "Figure",
    "by_trick",
    "result_shares",
    "seat_bias",
    "steppers",
]
