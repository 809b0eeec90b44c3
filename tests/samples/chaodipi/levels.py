"""Hands of 炒地皮 whose levels, scores or next hand are settled falsely, and matches that go on."""

from typing import Any

from msgspec.structs import replace

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.chaodipi import ChaodipiEffect, ChaodipiResult, ChaodipiSettled
from tests.samples.bends import next_told, told
from tests.samples.chaodipi.acts import Act, escape, lay, ready
from tests.samples.chaodipi.after import failing, followed, points, settled
from tests.samples.chaodipi.hands import (
    AT_ACE,
    AT_FLAG,
    TWICE_FAILED,
    dug,
    flag_passed,
    last_wsk,
    sweep,
)
from tests.samples.chaodipi.scenes import Scene, scene_way
from tests.samples.sorts import Staged

_HELD = ChaodipiResult.HELD
_POINTS = ChaodipiEffect.POINTS


def _red_five_won(*end: Act) -> Scene:
    return sweep("2", 0, *end, shows="55h", named="s")


def _red_five_lost(*end: Act) -> Scene:
    return dug("single", *end, shows="55h", named="s")


def _opens(words: str, says: str, *before: Scene, **false: Any) -> Staged:
    """A hand that opens with something else than the one before left."""
    level = "A" if len(before) == 1 else "2"
    hand = Scene(ready(0, f"{level}s")[:1], carries=lambda carry: replace(carry, **false))
    return scene_way(words, says, *before, hand)


MATCHES: dict[Rule, tuple[Staged, ...]] = {
    R.LAST_WSK: (
        settled(
            "effect",
            "5.10.K in the last trick is not seen.",
            *AT_ACE,
            hand=last_wsk,
            effect=_POINTS,
        ),
        settled(
            "result",
            "5.10.K in the last trick, and the dealer is said to hold.",
            *AT_ACE,
            hand=last_wsk,
            result=_HELD,
        ),
        followed(
            "levels",
            "5.10.K in the last trick, and the dealer side stays at A.",
            *AT_ACE,
            hand=last_wsk,
            levels=(12, 12),
        ),
    ),
    R.RED_FIVE_EFFECT: (
        settled(
            "won",
            "红桃5 were shown, the dealer holds: it is not seen.",
            hand=_red_five_won,
            effect=ChaodipiEffect.ALL,
        ),
        settled(
            "lost",
            "红桃5 were shown, and the attackers rise a level only.",
            hand=_red_five_lost,
            risen=1,
        ),
        followed(
            "levels",
            "红桃5 were shown and lost, and the attackers do not rise to A.",
            hand=_red_five_lost,
            levels=(0, 1),
        ),
    ),
    R.NEXT_DEALER: (
        followed("held", "The dealer holds; his partner is to deal.", hand=points(40), dealer=2),
        followed(
            "taken",
            "The attackers take over, and the seat before the dealer is to deal.",
            hand=points(80),
            dealer=3,
        ),
        _opens("opening-dealer", "The second hand names another dealer.", *AT_ACE, dealer=2),
    ),
    R.FAILURES: (
        followed(
            "not-counted",
            "扛旗 fails, and it is not counted.",
            *AT_FLAG,
            hand=failing,
            failures=(0, 0),
        ),
        followed(
            "not-cleared",
            "扛旗 fails a third time, and the failures stay.",
            *TWICE_FAILED,
            hand=failing,
            failures=(3, 0),
        ),
        _opens(
            "opening-failures", "The second hand opens with a failure.", *AT_ACE, failures=(1, 0)
        ),
    ),
    R.SCORE: (
        settled("deltas", "Only one of two losers pays.", hand=points(40), deltas=(4, -4, 4, 0)),
        followed(
            "scores",
            "The new game scores are not the old ones and the gains.",
            hand=points(40),
            scores=(4, -4, 4, -8),
        ),
        followed("hand-no", "The next hand's number is wrong.", hand=points(40), hand_no=7),
        _opens(
            "opening-scores",
            "The second hand opens with other game scores.",
            *AT_ACE,
            scores=(12, -12, 12, -13),
        ),
    ),
    R.FLAG_BONUS: (
        settled(
            "bonus-of-six",
            "扛旗 is passed in a room for single hands, and pays 6.",
            *AT_FLAG,
            hand=lambda *end: flag_passed(0, *end),
            deltas=(6, 0, 6, 0),
        ),
        settled(
            "losers-pay",
            "扛旗 is passed, and the losers pay.",
            *AT_FLAG,
            hand=lambda *end: flag_passed(0, *end),
            deltas=(3, -3, 3, -3),
        ),
    ),
    R.ESCAPE: (
        scene_way(
            "others-gain",
            "A player escapes, and the others share what he pays.",
            Scene(
                (
                    *ready(0, "2s"),
                    lay(0, "Ac"),
                    escape(1),
                    told(ChaodipiSettled, deltas=(5, -15, 5, 5)),
                )
            ),
        ),
        scene_way(
            "partner-pays",
            "A player escapes, and his partner pays.",
            Scene(
                (
                    *ready(0, "2s"),
                    lay(0, "Ac"),
                    escape(1),
                    told(ChaodipiSettled, deltas=(0, 0, 0, -15)),
                )
            ),
        ),
        scene_way(
            "match-goes-on",
            "A player has escaped, and the match is said to go on.",
            Scene(
                (
                    *ready(0, "2s"),
                    lay(0, "Ac"),
                    escape(1),
                    next_told(ChaodipiSettled, is_over=False),
                )
            ),
        ),
        scene_way(
            "fined-between-hands",
            "A room for single hands: a player who leaves between two hands is fined.",
            *AT_ACE,
            Scene((escape(1), told(ChaodipiSettled, deltas=(0, -15, 0, 0))), deal="none"),
        ),
    ),
    R.MATCH_OVER: (
        scene_way(
            "hand-after-flag",
            "扛旗 is passed, and another hand follows.",
            *AT_FLAG,
            flag_passed(0),
            Scene((), start=0),
        ),
        scene_way(
            "hand-after-an-escape",
            "A player has escaped, and another hand follows.",
            Scene((escape(1),)),
            Scene(()),
        ),
        _opens("opening-hand-no", "The second hand is numbered as the fifth.", *AT_ACE, hand_no=5),
    ),
}
"""By rule."""
