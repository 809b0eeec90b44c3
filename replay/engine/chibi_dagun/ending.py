"""How a table says that the hand is over (chibi_dagun-12.2 to 12.4)."""

from collections.abc import Callable
from typing import Literal

from replay.engine.climbing.play import by_places
from replay.engine.climbing.settlement import ALL_POINTS, side_points
from replay.engine.climbing.states import PerSeat, Playing

_ENOUGH, _NOT_ALL = 105, 5


def decides(stop: Literal["none", "public_105"]) -> Callable[[Playing, PerSeat], str]:
    """The ends of a table: by places, and early once the result cannot change, if it plays so."""
    return {"none": by_places, "public_105": _early}[stop]


def _early(state: Playing, captured: PerSeat) -> str:
    """One seat of each side is out, and what is safe decides: the end is `early`.

    Safe are the points of 一游's side, where 末游's would go as well, and those of 二游 himself.
    """
    end = by_places(state, captured)
    places, teams = state.places, state.teams
    if end or state.soloist >= 0 or state.decided or len(places) != 2:
        return end
    first, second = side_points(teams, captured)[teams[places[0]]], captured[places[1]]
    more, fewer = max(first, second), min(first, second)
    if more == ALL_POINTS or (more >= _ENOUGH and fewer >= _NOT_ALL):
        return "early"
    return ""
