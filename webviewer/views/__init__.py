"""The pages: plain GETs whose addresses say everything. Importing a module adds its pages."""

from webviewer.views import (
    codes,
    dropped,
    hand,
    hands,
    logs,
    matches,
    notes,
    players,
    printed,
    rules,
    scripts,
    short,
    statistics,
)
from webviewer.views.here import pages

__all__ = [
    "codes",
    "dropped",
    "hand",
    "hands",
    "logs",
    "matches",
    "notes",
    "pages",
    "players",
    "printed",
    "rules",
    "scripts",
    "short",
    "statistics",
]
