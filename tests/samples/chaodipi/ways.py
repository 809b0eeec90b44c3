"""Every rule of 炒地皮 that can be broken, and the ways in which samples break it."""

from collections.abc import Mapping

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from tests.samples.chaodipi.after import SCORING
from tests.samples.chaodipi.before import DEALING, DECLARING
from tests.samples.chaodipi.levels import MATCHES
from tests.samples.chaodipi.play import FOLLOWING, LEADING
from tests.samples.chaodipi.stirs import STIRRING
from tests.samples.chaodipi.tricks import WINNING
from tests.samples.sorts import Staged

_PARTS: tuple[Mapping[Rule, tuple[Staged, ...]], ...] = (
    *(DEALING, DECLARING, STIRRING, LEADING, FOLLOWING, WINNING, SCORING, MATCHES),
)
WAYS: dict[Rule, tuple[Staged, ...]] = {
    rule: tuple(way for part in _PARTS for way in part.get(rule, ()))
    for rule in R
    if any(rule in part for part in _PARTS)
}
"""By rule, in the book's order."""
