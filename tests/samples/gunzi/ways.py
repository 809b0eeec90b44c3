"""Every rule of 四副滚子 that can be broken, and the ways in which samples break it."""

from collections.abc import Mapping

from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from tests.samples.gunzi.before import DEALING, SHOWING
from tests.samples.gunzi.bottoms import BURIALS, SHOWN_BOTTOMS, TRIBUTES
from tests.samples.gunzi.play import FOLLOWING, LEADING, WINNING
from tests.samples.gunzi.scoring import ENDS, SCORING
from tests.samples.gunzi.turning import TURNING
from tests.samples.sorts import Staged

_PARTS: tuple[Mapping[Rule, tuple[Staged, ...]], ...] = (
    *(DEALING, SHOWING, TURNING, TRIBUTES, SHOWN_BOTTOMS, BURIALS),
    *(LEADING, FOLLOWING, WINNING, SCORING, ENDS),
)
WAYS: dict[Rule, tuple[Staged, ...]] = {
    rule: tuple(way for part in _PARTS for way in part.get(rule, ()))
    for rule in R
    if any(rule in part for part in _PARTS)
}
"""By rule, in the book's order."""
