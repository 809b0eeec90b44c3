"""Hands of 四副滚子 that are settled falsely, field by field, and matches that go on falsely."""

from typing import Any

from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from schema.gunzi import (
    BottomFate,
    GunziCarry,
    GunziEnding,
    GunziResult,
    GunziSettled,
)
from tests.samples.bends import also, next_told, told, untold
from tests.samples.gunzi.acts import jokers, lay
from tests.samples.gunzi.before import opens
from tests.samples.gunzi.bottoms import BURIED
from tests.samples.gunzi.clean import AT_FOUR
from tests.samples.gunzi.hands import (
    HELD_75,
    PASSING_TEN,
    RISING_AT_TEN,
    TAKEN_150,
    TAKEN_165,
    TO_TEN,
    battle,
    begins,
    begins_first,
    bent,
    bury_to,
    overrun,
)
from tests.samples.gunzi.scenes import Scene, scene_way
from tests.samples.sorts import PLAIN, House, Staged, but

_HELD, _TAKEN = GunziResult.HELD, GunziResult.TAKEN
_E = GunziEnding
_BURIES = (*begins_first(0), jokers(1, "Bj", "7h"))
_BURIES_THREE = (*begins_first(0), jokers(1, "Bj Bj Bj", "778h"))
_OUT = "Bj Bj Bj"
_BOTTOM_45 = "KKTT5s 8h"
HELD_115 = battle(lost=(60, 55))
HELD_120 = bury_to(lost=(60, 60))
"""A 大王 is buried."""
CAPTURED_60 = battle(lost=(60,), last="captured", begin=_BURIES, less=_OUT)
"""A 小王 is buried."""
CAPTURED_120 = battle(lost=(60, 60), last="captured", begin=_BURIES, less=_OUT)
DUG = battle(
    lost=(60,), last="captured", begin=begins_first(0, buried=_BOTTOM_45), bottom=_BOTTOM_45
)
"""60 points in tricks, 45 in the bottom."""
THREE = battle(lost=(75, 60), last="captured", begin=_BURIES_THREE, less=_OUT)
THREE_VOID = battle(lost=(60,), last="captured", begin=_BURIES_THREE, less=_OUT)
DRY = battle(
    lost=(75, 60),
    last="captured",
    begin=begins_first(0)[:2],
    bottom="Bj Bj 4s 5s 6s Ts",
    less=_OUT,
)
"""干锅: two jokers lie in the bottom by themselves."""


def settled(words: str, says: str, *hands: Scene, house: House = PLAIN, **false: Any) -> Staged:
    """The settlement of the last of these hands, with fields false."""
    *before, last = hands
    return scene_way(words, says, *before, bent(last, told(GunziSettled, **false)), house=house)


def followed(words: str, says: str, *hands: Scene, house: House = PLAIN, **false: Any) -> Staged:
    """A settlement that says falsely what comes next."""
    *before, last = hands
    bend = next_told(GunziSettled, **false)
    return scene_way(words, says, *before, bent(last, bend), house=house)


def _nothing_settled() -> GunziSettled:
    """Out of nothing."""
    return GunziSettled(
        tricks=0,
        fate=BottomFate.HELD,
        bottom=0,
        factor=0,
        score=0,
        result=GunziResult.MATCH_TO_DEALERS,
        ending=GunziEnding.ZERO,
        risen=1,
        next=GunziCarry(2, None, (1, 1), 0, 0, True),
    )


SCORING: dict[Rule, tuple[Staged, ...]] = {
    R.TRICK_POINTS: (
        settled("settlement-tricks", "Five points too many in tricks.", HELD_115, tricks=120),
    ),
    R.FATE: (
        settled(
            "held-called-captured",
            "The dealer wins the last trick, and the bottom is said to be captured.",
            HELD_115,
            fate=BottomFate.CAPTURED,
        ),
        settled(
            "captured-called-held",
            "An attacker wins the last trick, and the bottom is said to be held.",
            CAPTURED_120,
            fate=BottomFate.HELD,
        ),
    ),
    R.SCORE: (
        settled("bottom-not-counted", "抠底, and the bottom is not counted.", DUG, bottom=0),
        settled("bottom-counted-once", "抠底, and the bottom is counted once.", DUG, factor=1),
        settled("score", "抠底: the bottom is added once.", DUG, score=105),
        settled(
            "bottom-of-the-dealer",
            "保底, and the points of the bottom are counted.",
            battle(lost=(60, 40), begin=begins_first(0, buried=_BOTTOM_45), bottom=_BOTTOM_45),
            bottom=45,
        ),
        scene_way(
            "settlement-missing",
            "A hand ends without settlement.",
            bent(HELD_115, untold(GunziSettled)),
        ),
        scene_way(
            "settlement-undue",
            "A settlement in the first trick.",
            Scene((*BURIED, lay(0, "Ac"), also(_nothing_settled())), ("Rj 4s", "", "", "")),
        ),
    ),
    R.HELD_BELOW: (
        settled(
            "held-called-taken",
            "115 points and 保底, and the attackers are said to take over.",
            HELD_115,
            result=_TAKEN,
        ),
        settled("jokers-count-nothing", "A 大王 was buried, for no levels.", bury_to(), risen=1),
        settled("not-promoted", "115 points and 保底, and nobody rises.", HELD_115, risen=0),
    ),
    R.CAPTURED_BELOW: (
        settled(
            "captured-called-taken",
            "60 points and 抠底, and the attackers are said to take over.",
            CAPTURED_60,
            result=_TAKEN,
        ),
        settled("promoted", "60 points and 抠底, and a rise of two levels.", CAPTURED_60, risen=2),
        followed(
            "levels",
            "60 points and 抠底, and the attackers are at 4.",
            CAPTURED_60,
            levels=(1, 2),
        ),
    ),
    R.HELD_ABOVE: (
        settled(
            "taken-called-held",
            "120 points and 保底, and the dealer side is said to deal on.",
            HELD_120,
            result=_HELD,
        ),
        settled("promoted", "120 points and 保底, and a rise of a level.", HELD_120, risen=1),
        followed(
            "levels", "120 points and 保底, and the attackers are at 4.", HELD_120, levels=(1, 2)
        ),
    ),
    R.CAPTURED_ABOVE: (
        settled(
            "taken-called-held",
            "120 points and 抠底, and the dealer side is said to deal on.",
            CAPTURED_120,
            result=_HELD,
        ),
        settled("one-level", "A 小王 was buried, for no level.", CAPTURED_120, risen=1),
        settled(
            "jokers-of-a-dry-bottom",
            "干锅: the jokers in the bottom are counted as levels.",
            DRY,
            risen=3,
        ),
    ),
    R.LADDER: (
        followed(
            "stopped-at-nine", "Seven levels lead from 3 to 10; it is 9.", TO_TEN, levels=(7, 1)
        ),
        followed(
            "other-side",
            "The dealer side rises, and the attackers do too.",
            HELD_115,
            levels=(2, 2),
        ),
        followed(
            "level-of-the-dealer",
            "The attackers rise two levels, from the level of the hand: they are at 6.",
            *AT_FOUR,
            battle(
                lost=(60, 60),
                last="captured",
                dealer=2,
                level="4",
                begin=begins(2, "4s", jokers(3, "Bj", "7h")),
                less=_OUT,
            ),
            levels=(2, 4),
        ),
    ),
    R.PASSING: (
        followed(
            "three-passed-by-attackers",
            "Where 3 must be dealt, attackers at 3 are promoted.",
            battle(lost=(75, 60), last="captured"),
            house=but(must_deal="three_and_ten"),
            levels=(1, 2),
        ),
    ),
    R.NEXT_DEALER: (
        followed("held", "The dealer side deals on: the same dealer.", HELD_115, dealer=0),
        followed(
            "taken",
            "The attackers take over, and the seat before the dealer is to deal.",
            TAKEN_150,
            dealer=3,
        ),
        opens("opening-dealer", "The second hand names another dealer.", *AT_FOUR, dealer=0),
    ),
    R.FIRST_HAND: (
        followed("next-hand-no", "The next hand's number is wrong.", HELD_115, hand_no=7),
    ),
}
ENDS: dict[Rule, tuple[Staged, ...]] = {
    R.DUE_BELOW: (
        followed(
            "five-points-dropped",
            "75 points, and no card is owed: the 5 counts as ten.",
            HELD_75,
            due_for_score=0,
        ),
        followed(
            "void-with-the-bottom",
            "60 points and 抠底, and nothing is owed for them.",
            CAPTURED_60,
            due_for_score=0,
        ),
    ),
    R.DUE_ABOVE: (
        followed(
            "five-points-count",
            "165 points, and two cards are owed: the 5 is dropped.",
            TAKEN_165,
            due_for_score=2,
        ),
        followed("at-150", "150 points, and a card is owed.", TAKEN_150, due_for_score=1),
    ),
    R.DUE_FOR_JOKERS: (
        followed(
            "one-for-a-red-joker",
            "A 大王 was buried, and a card is owed for it.",
            bury_to(),
            due_for_jokers=1,
        ),
        followed(
            "void-jokers",
            "60 points and 抠底, and a card is owed for a 小王.",
            CAPTURED_60,
            due_for_jokers=1,
        ),
        followed(
            "dry-jokers",
            "干锅: two cards are owed for the jokers in the bottom.",
            DRY,
            due_for_jokers=2,
        ),
    ),
    R.TEN: (
        settled(
            "not-passed",
            "Level 10 is won, and the match is said not to be over.",
            *PASSING_TEN,
            ending=_E.NONE,
        ),
        settled(
            "passed-by-a-jump",
            "Seven levels from 3: 10 is said to be passed.",
            TO_TEN,
            ending=_E.TEN_PASSED,
        ),
        settled(
            "passed-by-attackers",
            "Attackers at 10 are promoted, and 10 is said to be passed.",
            *RISING_AT_TEN,
            ending=_E.TEN_PASSED,
        ),
    ),
    R.ZERO: (
        settled("not-over", "No point, and the match is said to go on.", battle(), ending=_E.NONE),
        settled(
            "result",
            "No point, and the match is said to go to the attackers.",
            battle(),
            result=GunziResult.MATCH_TO_ATTACKERS,
        ),
        settled(
            "five-points",
            "5 points, and the match is said to be over without any.",
            battle(lost=(5,)),
            ending=_E.ZERO,
        ),
    ),
    R.FULL: (
        settled(
            "not-over", "300 points, and the match is said to go on.", overrun(), ending=_E.NONE
        ),
        settled(
            "result",
            "300 points, and the match is said to go to the dealer side.",
            overrun(),
            result=GunziResult.MATCH_TO_DEALERS,
        ),
    ),
    R.THREE_JOKERS: (
        settled(
            "not-over",
            "Three 小王 and 135 points captured, and the match is said to go on.",
            THREE,
            ending=_E.NONE,
        ),
        settled(
            "void-jokers",
            "Three 小王 and 60 points with 抠底: said to win the match.",
            THREE_VOID,
            ending=_E.THREE_JOKERS,
        ),
        settled(
            "two-jokers",
            "One 小王 is buried: said to win the match.",
            CAPTURED_120,
            ending=_E.THREE_JOKERS,
        ),
    ),
    R.NEW_MATCH: (
        followed(
            "not-over", "The match is won, and the next hand is one of it.", battle(), is_over=False
        ),
        followed("levels", "The match is won, and a level is carried on.", battle(), levels=(2, 1)),
        followed("over", "The match goes on, and is said to be over.", HELD_115, is_over=True),
        opens(
            "opening-over", "The match is won, and a hand opens as if not.", battle(), is_over=False
        ),
    ),
    R.MATCH_OVER: (
        scene_way(
            "hand-after-the-match", "The match is won, and a hand follows.", battle(), Scene()
        ),
    ),
}
