"""The clean samples of 四副滚子 from the tribute on: the bottom, tricks, what a hand comes to."""

from schema.gunzi import BottomFate, BottomShown, GunziEnding, GunziResult, JokersPassed
from tests.samples.gunzi.acts import (
    CLOSED,
    Acts,
    bury,
    jokers,
    lay,
    no_jokers,
    show,
    tribute,
)
from tests.samples.gunzi.clean import AT_FOUR
from tests.samples.gunzi.hands import (
    HELD_5,
    HELD_75,
    LOSING_TEN,
    PASSING_TEN,
    RISING_AT_TEN,
    TAKEN_150,
    TAKEN_165,
    TO_FIVE,
    TO_TEN,
    battle,
    begins,
    begins_first,
    bury_to,
    overrun,
)
from tests.samples.gunzi.scenes import Holds, Scene, scene_way
from tests.samples.gunzi.shown import (
    Shows,
    bottoms,
    every,
    n_of,
    pays,
    picks,
    settles,
)
from tests.samples.sorts import PLAIN, House, Staged

HELD, CAPTURED = BottomFate.HELD, BottomFate.CAPTURED
TO_DEALERS, TO_ATTACKERS = GunziResult.MATCH_TO_DEALERS, GunziResult.MATCH_TO_ATTACKERS


def points_held(*more: str) -> str:
    """All 36 cards with points, and some more."""
    every_one = (f"{rank * 3}{suit}" for rank in "5TK" for suit in "cdhs")
    return " ".join((*every_one, *more))


def paid(
    words: str,
    says: str,
    *before: Scene,
    holds: Holds,
    acts: Acts,
    shows: Shows,
    bottom: str = "6s 66778c",
    house: House = PLAIN,
) -> Staged:
    """A later hand in which tribute is paid, up to the first lead."""
    scene = Scene(acts, holds, bottom)
    return scene_way(words, says, *before, scene, shows=shows, house=house)


_LEVEL_TEN = "Td Tc 2s 2c AAc KKh 55c 333444666777888999JJJQQQc 33344h"
TRIBUTES: tuple[Staged, ...] = (
    scene_way(
        "tribute",
        "60 points: two cards are owed; the payer gives his largest, and they come back.",
        battle(lost=(60,)),
        battle(lost=(60, 40), dealer=2, level="4", begin=begins(2, "4s", due=2)),
        shows=every(n_of(BottomShown, 1), settles(score=100)),
    ),
    paid(
        "tribute-of-equal-cards",
        "75 points, five of which count as ten: a card; of two equal 2s the payer chooses one.",
        HELD_75,
        holds=("", "2d 2h AAAc KKKc", "", "4s"),
        acts=(show(3, "4s"), CLOSED, *tribute(2, "2h", "3c"), bury(2), lay(2, "3d")),
        shows=pays("2h", "3c"),
    ),
    paid(
        "tribute-of-fewer-cards",
        "5 points: eight cards are owed; the payer has three without points, and the rest lapses.",
        HELD_5,
        holds=("", points_held("9c 9d 9h"), "", "4s"),
        acts=(show(3, "4s"), CLOSED, *tribute(2, "9c 9d 9h", "333d"), bury(2), lay(2, "3c")),
        shows=pays("9c 9d 9h", "333d"),
    ),
    paid(
        "tribute-of-jokers",
        "165 points, five of which do not count: the attackers deal, and are owed a joker.",
        TAKEN_165,
        holds=("Rj Bj", "", "", "3s"),
        acts=(show(3, "3s"), CLOSED, *tribute(1, "Rj", "4d"), bury(1), lay(1, "5d")),
        shows=pays("Rj", "4d"),
    ),
    paid(
        "tribute-at-level-5",
        "A 小王 was buried: a card is owed; at level 5 it is a 5.",
        TO_FIVE,
        holds=("", "5d 2s AAAc KKKh", "", "5s"),
        acts=(show(3, "5s"), CLOSED, *tribute(2, "5d", "3c"), bury(2), lay(2, "3d")),
        shows=pays("5d", "3c"),
    ),
    paid(
        "tribute-at-level-10",
        "Two 大王 and two 小王 were buried: six cards are owed, among them tens at level 10.",
        TO_TEN,
        holds=("", _LEVEL_TEN, "", "Ts"),
        acts=(
            *(show(3, "Ts"), CLOSED, *tribute(2, "Td Tc 2s 2c AAc", "333d 444d")),
            *(bury(2), lay(2, "5d")),
        ),
        shows=pays("Td Tc 2s 2c AAc"),
        bottom="6s 66778h",
    ),
)
_BJ_OUT = "Bj Bj Bj"
BOTTOMS: tuple[Staged, ...] = (
    scene_way(
        "dry-without-plain-trump",
        "干锅: no plain trump in the bottom, a 2 of spades is none. Nobody buries.",
        battle(lost=(60, 40), begin=begins_first(0)[:2], bottom="2s 77888h", less="2s 2s 2s"),
        shows=every(bottoms(True), settles(score=100, risen=1)),
    ),
    scene_way(
        "dry-of-trumps",
        "干锅: nothing but trumps in the bottom. The attackers capture it, its jokers are void.",
        battle(
            lost=(75, 60),
            last="captured",
            begin=begins_first(0)[:2],
            bottom="Bj Bj 4s 5s 6s Ts",
            less=_BJ_OUT,
        ),
        shows=every(bottoms(True), settles(bottom=15, score=165, risen=1, due_for_jokers=0)),
    ),
    scene_way(
        "dry-with-three-jokers",
        "干锅 with three 大王: they bring neither levels nor tribute, and no match.",
        *AT_FOUR,
        battle(
            lost=(60, 40),
            dealer=2,
            level="4",
            begin=(show(2, "4s"), CLOSED),
            bottom="Rj Rj Rj 5s 6s 7s",
            less="Rj Rj Rj",
        ),
        shows=settles(risen=1, due_for_jokers=0, ending=GunziEnding.NONE),
    ),
    scene_way(
        "buried-jokers",
        "The dealer buries a 大王: three levels, and two cards of tribute.",
        bury_to(),
        shows=every(bottoms(False, False), settles(risen=3, due_for_jokers=2, levels=(4, 1))),
    ),
    scene_way(
        "buried-points",
        "The dealer buries nothing but points: nobody else may bury a joker.",
        battle(
            lost=(60, 40),
            begin=(*begins_first(0, buried="KT5s TT5h"), *no_jokers(1, 2, 3)),
            bottom="KT5s TT5h",
        ),
        shows=every(n_of(JokersPassed, 3), bottoms(False), settles(bottom=0)),
    ),
    scene_way(
        "jokers-of-others",
        "Behind the dealer's burial two seats bury jokers, a 大王 before a 小王, and pick.",
        battle(
            lost=(60, 40),
            begin=(
                *begins_first(0, buried="Rj 77888h"),
                *(jokers(1, "Rj Bj", "77h"), jokers(2, "Bj", "8h")),
            ),
            bottom="As 77888h",
            less=f"Rj Rj Rj {_BJ_OUT}",
        ),
        shows=every(picks("77h", "8h"), settles(risen=7, due_for_jokers=6, levels=(8, 1))),
    ),
    scene_way(
        "picks-of-equal-cards",
        "Two cards of one rank are the smallest: whoever buries chooses between them.",
        Scene(
            (*begins_first(0), jokers(2, "Bj", "7h"), jokers(3, "Bj", "7d"), lay(0, "Ac")),
            ("Rj 4s", "Rj Rj", "", ""),
            "4s 7h 7d 8d 8h 9c",
        ),
        shows=picks("7h", "7d"),
    ),
    scene_way(
        "picks-of-trumps",
        "Only trumps can be picked: a level card of hearts is no higher than one of spades.",
        Scene(
            (
                *begins_first(0, buried="2s 3s 3h KKs 5h"),
                *(jokers(1, "Bj", "2s"), jokers(2, "Bj Bj", "3s 3h")),
                lay(0, "Ac"),
            ),
            ("Rj 4s", "", "", ""),
            "4s 77889h",
        ),
        shows=picks("2s", "3s 3h"),
    ),
)
RESULTS: tuple[Staged, ...] = (
    scene_way(
        "score-0",
        "The attackers win no point: the dealer side wins the match.",
        battle(),
        shows=settles(score=0, ending=GunziEnding.ZERO, result=TO_DEALERS),
    ),
    scene_way(
        "score-0-captured",
        "The attackers win the last trick, no point in it or in the bottom: the match is lost.",
        battle(last="captured"),
        shows=settles(score=0, fate=CAPTURED, ending=GunziEnding.ZERO, result=TO_DEALERS),
    ),
    scene_way(
        "score-300",
        "The attackers win every trick and all points: the match.",
        overrun(),
        shows=settles(score=300, ending=GunziEnding.FULL, result=TO_ATTACKERS),
    ),
    scene_way(
        "score-315",
        "225 points in tricks, and 45 in the captured bottom, counted twice: the match.",
        battle(
            lost=(75, 75, 75),
            last="captured",
            begin=begins_first(0, buried="KKTT5s 8h"),
            bottom="KKTT5s 8h",
        ),
        shows=settles(tricks=225, bottom=45, score=315, ending=GunziEnding.FULL),
    ),
    scene_way(
        "held-below-120",
        "保底 and 115 points: the dealer side rises a level, the dealer's partner deals.",
        battle(lost=(60, 55)),
        shows=settles(score=115, fate=HELD, risen=1, dealer=2, levels=(2, 1), due_for_score=0),
    ),
    scene_way(
        "held-at-120",
        "保底 and 120 points: nobody rises; the attackers deal, and are paid for a buried 大王.",
        bury_to(lost=(60, 60)),
        shows=settles(score=120, fate=HELD, risen=0, dealer=1, due_for_jokers=2, levels=(1, 1)),
    ),
    scene_way(
        "captured-below-120",
        "抠底 and 60 points: nobody rises, the dealer side deals on, a buried 小王 is void.",
        battle(
            lost=(60,),
            last="captured",
            begin=begins_first(0, jokers(1, "Bj", "7h")),
            less=_BJ_OUT,
        ),
        shows=settles(
            score=60, fate=CAPTURED, risen=0, dealer=2, due_for_score=2, due_for_jokers=0
        ),
    ),
    scene_way(
        "captured-at-120",
        "抠底 and 120 points, a 小王 was buried: the attackers rise two levels, and deal.",
        battle(
            lost=(60, 60),
            last="captured",
            begin=begins_first(0, jokers(1, "Bj", "7h")),
            less=_BJ_OUT,
        ),
        shows=settles(score=120, fate=CAPTURED, risen=2, dealer=1, levels=(1, 3), due_for_jokers=1),
    ),
    scene_way(
        "score-150",
        "150 points: no tribute is due for them.",
        TAKEN_150,
        shows=settles(score=150, due_for_score=0),
    ),
    scene_way(
        "score-165",
        "165 points: a card, the 5 over is dropped.",
        TAKEN_165,
        shows=settles(score=165, due_for_score=1, dealer=1),
    ),
    scene_way(
        "three-jokers-held",
        "Three 大王 are buried, by three seats; 100 points and 保底: the match.",
        battle(
            lost=(60, 40),
            begin=(
                *begins_first(0, buried="Rj 77888h"),
                *(jokers(1, "Rj", "7h"), jokers(3, "Rj", "7h")),
            ),
            bottom="As 77888h",
            less="Rj Rj Rj",
        ),
        shows=settles(ending=GunziEnding.THREE_JOKERS, result=TO_DEALERS),
    ),
    scene_way(
        "three-jokers-captured",
        "Three 小王 are buried; 抠底 and 135 points: the match goes to the attackers.",
        battle(
            lost=(75, 60),
            last="captured",
            begin=begins_first(0, jokers(1, "Bj Bj Bj", "778h")),
            less=_BJ_OUT,
        ),
        shows=settles(ending=GunziEnding.THREE_JOKERS, result=TO_ATTACKERS),
    ),
    scene_way(
        "three-jokers-void",
        "Three 小王 are buried; 抠底 and 60 points: nothing comes of them.",
        battle(
            lost=(60,),
            last="captured",
            begin=begins_first(0, jokers(1, "Bj Bj Bj", "778h")),
            less=_BJ_OUT,
        ),
        shows=settles(ending=GunziEnding.NONE, due_for_jokers=0, dealer=2),
    ),
    scene_way(
        "seven-levels",
        "Two 大王 and two 小王 are buried: seven levels, from 3 to 10.",
        TO_TEN,
        shows=settles(levels=(8, 1), risen=7, ending=GunziEnding.NONE),
    ),
    scene_way(
        "ten-not-skipped",
        "Level 4, two 大王 and two 小王: seven levels, and the dealer side stops at 10.",
        *AT_FOUR,
        bury_to(dealer=2, level="4", buried="Rj Rj Bj Bj 77h"),
        shows=settles(levels=(8, 1), risen=7, ending=GunziEnding.NONE, dealer=0),
    ),
    scene_way(
        "ten-passed",
        "Level 10, 90 points and 保底: 10 is passed, the match is won.",
        *PASSING_TEN,
        shows=settles(ending=GunziEnding.TEN_PASSED, result=TO_DEALERS, is_over=True),
    ),
    scene_way(
        "ten-lost",
        "Level 10, 135 points: the attackers deal, at their own level; the others stay at 10.",
        *LOSING_TEN,
        shows=settles(ending=GunziEnding.NONE, levels=(8, 1), dealer=3, score=135),
    ),
    scene_way(
        "attackers-at-ten",
        "Attackers at 10 capture the bottom with 135 points: they deal, and stay at 10.",
        *RISING_AT_TEN,
        shows=settles(ending=GunziEnding.NONE, risen=1, levels=(8, 1), dealer=0),
    ),
)
