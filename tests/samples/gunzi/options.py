"""The clean samples of 四副滚子 that show a house rule: a hand goes as it does by that rule."""

from collections import Counter
from typing import Any

from schema.cards import cards_text
from schema.gunzi import Declared, GunziEnding, GunziResult, JokersBuried
from tests.samples.bends import faces
from tests.samples.gunzi.acts import (
    CLOSED,
    Act,
    bury,
    flips,
    jokers,
    lay,
    show,
    tribute,
    trick,
)
from tests.samples.gunzi.clean import AT_FOUR, FLIPPED
from tests.samples.gunzi.hands import (
    HELD_75,
    RISING_AT_TEN,
    TO_FIVE,
    TO_TEN,
    battle,
    begins_first,
    bury_to,
    overrun,
)
from tests.samples.gunzi.results import CAPTURED, TO_ATTACKERS, TO_DEALERS, paid
from tests.samples.gunzi.scenes import Holds, Scene, scene_way
from tests.samples.gunzi.shown import Shows, bottoms, every, n_of, pays, picks, sets, settles, wins
from tests.samples.gunzi.tricks import NO_CLUBS, laid
from tests.samples.sorts import House, Staged, but


def _option(words: str, says: str, *scenes: Scene, shows: Shows, **options: Any) -> Staged:
    """Hands at a table with these options."""
    return scene_way(f"option-{words}", says, *scenes, house=but(**options), shows=shows)


_FLIPS = (CLOSED, *flips((0, 1), (1, 0), (2, 5), (3, 3)))
BEFORE_PLAY: tuple[Staged, ...] = (
    _option(
        "smallest-flip",
        "Nobody declares: the smallest card that is turned up gives dealer and trump.",
        Scene((*_FLIPS, bury(2), lay(2, "9c")), bottom=FLIPPED),
        shows=sets("d", 2),
        flip_winner="smallest",
    ),
    _option(
        "natural-flip-order",
        "Nobody declares: an ace is higher than a 2 and a 3.",
        Scene((*_FLIPS, bury(1), lay(1, "9c")), bottom=FLIPPED),
        shows=sets("c", 1),
        flip_order="natural",
    ),
    _option(
        "no-late-first-show",
        "抢亮大王 with a suited card to come; later it would be forbidden.",
        Scene(
            (show(0, "Rj", after=149), CLOSED, bury(0), lay(0, "Ac")),
            ("3344455566677788899TTTJJJQQQKKKAAA22c Ad Rj 9d", "", "", ""),
            "8d 67d 66h 7h",
        ),
        shows=sets("d", 0),
        late_first_show="forbidden",
    ),
    _option(
        "jokers-open",
        "Three 小王 are the first to be shown, and name diamonds.",
        *AT_FOUR,
        Scene((show(1, "Bj Bj Bj", "d"), CLOSED, bury(2), lay(2, "Ac")), bottom="7d 66778h"),
        shows=sets("d", 2),
        joker_triple_opens="allowed",
    ),
    _option(
        "jokers-no-higher-than-three",
        "Two level cards are overturned by three 小王, these by three 大王: three would stand.",
        *AT_FOUR,
        Scene(
            (
                *(show(1, "44d"), show(3, "Bj Bj Bj", "h"), show(0, "Rj Rj Rj", "c")),
                *(CLOSED, bury(2), lay(2, "Ac")),
            ),
            bottom="7c 66778h",
        ),
        shows=every(sets("c", 2), n_of(Declared, 3)),
        joker_triple="equals_level_triple",
    ),
    _option(
        "own-suit-reinforced",
        "A declarer may only show more of the same card; his partner may show another suit.",
        *AT_FOUR,
        Scene(
            (
                *(show(1, "4d"), show(1, "44d"), show(3, "444h")),
                *(CLOSED, bury(2), lay(2, "Ac")),
            ),
            bottom="7h 66778c",
        ),
        shows=sets("h", 2),
        self_overturn_suit="same",
    ),
)
_OWED: Holds = ("", "2d AAAc KKKc", "", "4s")
_LOW = "TTTd 999888777666444333d 999888777666c 444c 9h 8h 7h"
TRIBUTES: tuple[Staged, ...] = (
    paid(
        "option-no-points-returned",
        "The dealer returns a card without points.",
        HELD_75,
        holds=_OWED,
        acts=(show(3, "4s"), CLOSED, *tribute(2, "2d", "9d"), bury(2), lay(2, "3c")),
        shows=pays("2d", "9d"),
        house=but(tribute_return="non_point"),
    ),
    paid(
        "option-smallest-returned",
        "The dealer returns a smallest card: of two 3s one that he chooses.",
        HELD_75,
        holds=_OWED,
        acts=(show(3, "4s"), CLOSED, *tribute(2, "2d", "3d"), bury(2), lay(2, "3c")),
        shows=pays("2d", "3d"),
        house=but(tribute_return="smallest"),
    ),
    paid(
        "option-tens-paid-at-level-5",
        "Level 5: a 10 is paid where there is nothing higher.",
        TO_FIVE,
        holds=("", _LOW, "", "5s"),
        acts=(show(3, "5s"), CLOSED, *tribute(2, "Td", "3c"), bury(2), lay(2, "Jc")),
        shows=pays("Td", "3c"),
        bottom="6s 66778h",
        house=but(tribute_points="both_levels"),
    ),
)
BOTTOMS: tuple[Staged, ...] = (
    _option(
        "two-is-a-plain-trump",
        "A 2 of spades in the bottom is a plain trump: no 干锅.",
        Scene((*begins_first(0), lay(0, "Ac")), ("Rj 4s", "", "", ""), "2s 77888h"),
        shows=bottoms(False),
        dry_trump_two="plain",
    ),
    _option(
        "no-dry-bottom-in-a-first-hand",
        "A first hand, no plain trump in the bottom: the dealer buries all the same.",
        Scene((*begins_first(0), lay(0, "Ac")), ("Rj 4s", "", "", ""), "9c 77888h"),
        shows=bottoms(False),
        dry_first_hand="off",
    ),
    _option(
        "three-jokers-of-a-dry-bottom",
        "干锅 with three 大王, 100 points and 保底: they win the match.",
        *AT_FOUR,
        battle(
            lost=(60, 40),
            dealer=2,
            level="4",
            begin=(show(2, "4s"), CLOSED),
            bottom="Rj Rj Rj 5s 6s 7s",
            less="Rj Rj Rj",
        ),
        shows=settles(ending=GunziEnding.THREE_JOKERS, result=TO_DEALERS),
        dry_three_jokers="match",
    ),
    _option(
        "others-bury-nothing",
        "Nobody but the dealer may bury: he leads at once.",
        Scene((*begins_first(0), lay(0, "Ac")), ("Rj 4s", "", "", "")),
        shows=n_of(JokersBuried, 0),
        others_bury="never",
    ),
    _option(
        "any-point-forbids-jokers",
        "The dealer has buried no card with points: others may bury jokers, else they could not.",
        Scene((*begins_first(0), jokers(1, "Bj", "6c"), lay(0, "Ac")), ("Rj 4s", "", "", "")),
        shows=picks("6c"),
        others_bury_ban="any_point",
    ),
    _option(
        "picks-by-strength",
        "Only trumps can be picked: a level card of hearts is lower than one of spades.",
        Scene(
            (*begins_first(0, buried="3s 3h KKs 55h"), jokers(1, "Bj", "3h"), lay(0, "Ac")),
            ("Rj 4s", "", "", ""),
            "4s 77889h",
        ),
        shows=picks("3h"),
        pick_tie="strength",
    ),
)


ALL_CLUBS = "AAAKKKQQQJJJTTT999888777666555444c"


def _dead(words: str, says: str, holds: Holds, *plays: Act, shows: Shows, **options: Any) -> Staged:
    """A table of 死棒; the clubs that no other seat holds are the dealer's."""
    house = House("dead", options)
    left = Counter(faces(ALL_CLUBS)) - Counter(faces(" ".join(holds)))
    held = (cards_text(bytes(left.elements())), *holds[1:])
    return laid(f"option-{words}", says, held, *plays, shows=shows, house=house)


PLAY: tuple[Staged, ...] = (
    laid(
        "option-dealer-leads",
        "The dealer leads every trick, whoever has won the one before.",
        ("", "", "", ""),
        *trick(0, "Kc", "Ac", "9c", "8c"),
        *trick(0, "Kd", "Qd", "Ad", "8d"),
        shows=wins(1, 2),
        house=but(leader="dealer"),
    ),
    _dead(
        "dead-pair",
        "死棒: a pair is answered with a pair; who holds a triple and no pair need not cut it.",
        ("", "9986c", "TTT4c", "8877744c"),
        *trick(0, "55c", "99c", "T4c", "77c"),
        shows=wins(1),
    ),
    _dead(
        "dead-triple",
        "死棒: a triple is answered with a triple; without one with a pair and a single.",
        ("", "99987c", "TT84c", "J864c"),
        *trick(0, "555c", "999c", "TT4c", "864c"),
        shows=wins(1),
    ),
    _dead(
        "dead-triple-shielded",
        "死棒: of a triple and a single of the suit the single is laid, the rest is discarded.",
        ("", f"{NO_CLUBS} 777c 4c 4s 5s", "98c", "QJc"),
        *trick(0, "55c", "4c Td", "98c", "QJc"),
        shows=wins(0),
        dead_triple="shielded",
    ),
)
RESULTS: tuple[Staged, ...] = (
    _option(
        "ten-reached",
        "Seven levels from 3: 10 is reached, and the match is won.",
        TO_TEN,
        shows=settles(ending=GunziEnding.TEN_REACHED, result=TO_DEALERS),
        match_end="ten_reached",
    ),
    _option(
        "ten-skipped",
        "大王 count three levels: nine levels from 3 skip 10, and the match is won.",
        TO_TEN,
        shows=settles(ending=GunziEnding.TEN_PASSED, risen=9),
        skipping_ten="allowed",
        red_joker_levels=3,
    ),
    _option(
        "three-is-dealt",
        "抠底 and 135 points: attackers at 3 are promoted as dealers only, and stay there.",
        battle(lost=(75, 60), last="captured"),
        shows=settles(risen=1, levels=(1, 1), dealer=1),
        must_deal="three_and_ten",
    ),
    _option(
        "ten-passed-by-attackers",
        "Attackers at 10 capture the bottom with 135 points: 10 is passed.",
        *RISING_AT_TEN,
        shows=settles(ending=GunziEnding.TEN_PASSED, result=TO_ATTACKERS),
        must_deal="none",
    ),
    _option(
        "bottom-counts-three-times",
        "抠底: 45 points of the bottom count three times.",
        battle(
            lost=(60,),
            last="captured",
            begin=begins_first(0, buried="KKTT5s 8h"),
            bottom="KKTT5s 8h",
        ),
        shows=settles(bottom=45, factor=3, score=195),
        bottom_factor=3,
    ),
    _option(
        "black-jokers-two-levels",
        "A 大王 and a 小王 are buried, each for two levels.",
        bury_to(buried="Rj Bj 7788h"),
        shows=settles(risen=5, due_for_jokers=3),
        black_joker_levels=2,
    ),
    _option(
        "every-point",
        "315 points with the bottom counted twice, not all 300: the match goes on.",
        battle(
            lost=(75, 75, 75),
            last="captured",
            begin=begins_first(0, buried="KKTT5s 8h"),
            bottom="KKTT5s 8h",
        ),
        shows=settles(score=315, ending=GunziEnding.NONE, result=GunziResult.TAKEN),
        full_score="all_points",
    ),
    _option(
        "every-point-won",
        "All points are the attackers', those of the bottom too: the match.",
        overrun(bottom="5s 67788h"),
        shows=settles(score=305, ending=GunziEnding.FULL, fate=CAPTURED),
        full_score="all_points",
    ),
    _option(
        "three-black-jokers",
        "Three 小王 are buried; 抠底 and 135 points: they win no match.",
        battle(
            lost=(75, 60),
            last="captured",
            begin=begins_first(0, jokers(1, "Bj Bj Bj", "778h")),
            less="Bj Bj Bj",
        ),
        shows=settles(ending=GunziEnding.NONE, risen=4, due_for_jokers=3),
        three_jokers="red_only",
    ),
    _option(
        "dealer-stays",
        "The dealer side deals on: the same dealer.",
        battle(lost=(60, 40)),
        shows=settles(dealer=0),
        dealer_after_hold="same",
    ),
    _option(
        "previous-seat-deals",
        "The attackers take over: the seat before the dealer is to deal.",
        battle(lost=(75, 60)),
        shows=settles(dealer=3, score=135),
        dealer_after_swap="previous",
    ),
)
OPTIONS: tuple[Staged, ...] = (*BEFORE_PLAY, *TRIBUTES, *BOTTOMS, *PLAY, *RESULTS)
"""One or more for each word of each option that is not the default."""
