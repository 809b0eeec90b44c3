"""What all figures share: plain JSON values, the page's own colours, told apart by dash too."""

from typing import Any

Figure = dict[str, Any]

SEAT_COLOURS = ("#c2592e", "#2f6fa8", "#8a6a14", "#8d5ba6")
SEAT_DASHES = ("solid", "dash", "dot", "dashdot")
PLAIN: dict[str, Any] = {
    "margin": {"l": 44, "r": 12, "t": 34, "b": 36},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "font": {"family": "system-ui, 'Noto Sans CJK SC', sans-serif", "size": 12},
    "showlegend": False,
}
"""The layout that every figure starts from."""
