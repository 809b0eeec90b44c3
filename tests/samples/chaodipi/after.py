"""Hands of 炒地皮 that are settled falsely, field by field, and matches that go on falsely."""

from collections.abc import Callable
from typing import Any

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.chaodipi import ChaodipiCarry, ChaodipiEffect, ChaodipiResult, ChaodipiSettled
from tests.samples.bends import also, next_told, told, untold
from tests.samples.chaodipi.acts import Act, lay, ready
from tests.samples.chaodipi.hands import (
    AT_ACE,
    AT_FLAG,
    TWICE_FAILED,
    dug,
    flag_failed,
    flag_passed,
    scored,
    scored_at_ace,
    sweep,
)
from tests.samples.chaodipi.scenes import Scene, scene_way
from tests.samples.sorts import Staged

_HELD, _TAKEN = ChaodipiResult.HELD, ChaodipiResult.TAKEN
_POINTS = ChaodipiEffect.POINTS


def settled(
    words: str, says: str, *before: Scene, hand: Callable[..., Scene], **false: Any
) -> Staged:
    """A settlement with these fields false."""
    return scene_way(words, says, *before, hand(told(ChaodipiSettled, **false)))


def followed(
    words: str, says: str, *before: Scene, hand: Callable[..., Scene], **false: Any
) -> Staged:
    """A settlement that says falsely what comes next."""
    return scene_way(words, says, *before, hand(next_told(ChaodipiSettled, **false)))


def _sweep(*end: Act) -> Scene:
    return sweep("2", 0, *end)


def points(score: int) -> Callable[..., Scene]:
    """The attackers come to so many points at level 2; what follows is added at the end."""
    return lambda *end: scored(score, *end)


def _at_ace(score: int) -> Callable[..., Scene]:
    return lambda *end: scored_at_ace(score, *end)


def failing(*end: Act) -> Scene:
    """扛旗 fails with 100 points."""
    return flag_failed(0, *end)


def _flag_95(*end: Act) -> Scene:
    return flag_failed(0, *end, other="5d")


def _dug(last: str) -> Callable[..., Scene]:
    return lambda *end: dug(last, *end)


def _nothing_settled() -> ChaodipiSettled:
    """Out of nothing."""
    return ChaodipiSettled(
        tricks=0,
        bottom=0,
        factor=0,
        penalty=0,
        score=0,
        result=_HELD,
        effect=ChaodipiEffect.ALL,
        risen=12,
        deltas=(12, -12, 12, -12),
        next=ChaodipiCarry(2, 0, (12, 0), (0, 0), (12, -12, 12, -12), False),
    )


SCORING: dict[Rule, tuple[Staged, ...]] = {
    R.BOTTOM_POINTS: (
        settled(
            "bottom-not-counted",
            "抠底, and the bottom is not counted.",
            hand=_dug("single"),
            bottom=0,
        ),
        settled(
            "bottom-of-the-dealer",
            "The dealer wins the last trick, and 40 points of the bottom count.",
            hand=_sweep,
            bottom=40,
        ),
        settled(
            "score", "抠底 with a pair: the bottom is added once.", hand=_dug("pair"), score=60
        ),
    ),
    R.FACTOR: (
        settled(
            "single",
            "抠底 with a single: the bottom is counted once.",
            hand=_dug("single"),
            factor=1,
        ),
        settled(
            "tractor", "抠底 with a tractor of two pairs: by 4.", hand=_dug("tractor"), factor=4
        ),
    ),
    R.TRICK_POINTS: (
        settled("settlement-tricks", "Five points too many in tricks.", hand=points(75), tricks=80),
    ),
    R.THROW_FAILS: (
        settled(
            "settlement-penalty",
            "Ten points for failed throws where there is no fine.",
            hand=points(75),
            penalty=10,
        ),
    ),
    R.WINNER: (
        settled(
            "held-called-taken",
            "75 points, and the attackers are said to take over.",
            hand=points(75),
            result=_TAKEN,
        ),
        settled(
            "taken-called-held",
            "80 points, and the dealer is said to hold.",
            hand=points(80),
            result=_HELD,
        ),
        scene_way(
            "settlement-missing", "A hand ends without settlement.", _sweep(untold(ChaodipiSettled))
        ),
        scene_way(
            "settlement-undue",
            "A settlement in the first trick.",
            Scene((*ready(0, "2s"), lay(0, "Ac"), also(_nothing_settled()))),
        ),
    ),
    R.HELD_RISE: (
        settled(
            "five-points-count",
            "75 points, and the dealer rises a level.",
            hand=points(75),
            risen=1,
        ),
        followed(
            "levels", "40 points, and the dealer is at 7 after 2.", hand=points(40), levels=(5, 0)
        ),
        settled("effect", "40 points are called 大光.", hand=points(40), effect=ChaodipiEffect.ALL),
    ),
    R.ALL_POINTS: (
        settled(
            "eight-levels", "大光 lifts to A; it is counted as eight levels.", hand=_sweep, risen=8
        ),
        settled("effect", "大光 is called a win by points.", hand=_sweep, effect=_POINTS),
        followed("to-flag", "大光 at 2 leads to 扛旗.", hand=_sweep, levels=(13, 0)),
    ),
    R.TAKEN: (
        settled("risen", "80 points, and the attackers rise a level.", hand=points(80), risen=1),
        followed("levels", "80 points: the attackers are at 3.", hand=points(80), levels=(0, 1)),
    ),
    R.TAKEN_RISE: (
        settled(
            "five-points-count",
            "125 points are counted as five levels.",
            hand=points(125),
            risen=5,
        ),
        followed(
            "levels-of-the-dealer",
            "125 points, and the dealer falls.",
            hand=points(125),
            levels=(4, 0),
        ),
    ),
    R.ACE_PASSED: (
        followed(
            "passed-without-a-level",
            "Level A, 75 points: A is said to be passed.",
            *AT_ACE,
            hand=_at_ace(75),
            levels=(13, 0),
        ),
        followed(
            "not-passed",
            "Level A, 70 points: A is said not to be passed.",
            *AT_ACE,
            hand=_at_ace(70),
            levels=(12, 0),
        ),
    ),
    R.FLAG_PASSED: (
        settled(
            "taken-with-95",
            "扛旗, 95 points: the attackers are said to take over.",
            *AT_FLAG,
            hand=_flag_95,
            result=_TAKEN,
        ),
        followed(
            "not-over",
            "扛旗 is passed, and the match is said to go on.",
            *AT_FLAG,
            hand=lambda *end: flag_passed(0, *end),
            is_over=False,
        ),
    ),
    R.FLAG_TAKEN: (
        settled(
            "risen-from-100",
            "扛旗 fails with 100 points; the levels are counted from there.",
            *AT_FLAG,
            hand=failing,
            risen=0,
        ),
        followed(
            "dealer-falls-at-once",
            "扛旗 fails once, and the dealer side falls to A.",
            *AT_FLAG,
            hand=failing,
            levels=(12, 2),
        ),
    ),
    R.FLAG_FALL: (
        followed(
            "third-failure",
            "扛旗 fails a third time, and the dealer side stays.",
            *TWICE_FAILED,
            hand=failing,
            levels=(13, 6),
        ),
    ),
}
"""By rule."""
