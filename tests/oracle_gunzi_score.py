"""升级, 喝血 and the end of a match of 四副滚子, written from the source text alone."""

from collections.abc import Sequence
from typing import NamedTuple

from schema.options import GunziOptions
from tests.oracle_gunzi_cards import LEVELS, Face, worth

Carry = tuple[int, int | None, tuple[str, str], int, int, bool]
"""Number of the hand, dealer, levels of both sides, owed for score and jokers, match over."""


class End(NamedTuple):
    """What a hand has come to.

    Its carry, who dealt, points of the attackers in tricks, the bottom as it lies in the end, who
    won the last trick, 干锅.
    """

    carry: Carry
    dealer: int
    tricks: int
    bottom: Sequence[Face]
    last: int
    dry: bool

    @property
    def captured(self) -> bool:
        """抠底; else 保底."""
        return self.last % 2 != self.dealer % 2

    def score(self, house: GunziOptions) -> int:
        """不论用几张牌抠底，底牌的分数都只翻两倍."""
        times = house.bottom_factor if self.captured else 0
        return self.tricks + times * worth(self.bottom)


def promoted(house: GunziOptions, end: End) -> int | None:
    """The side that rises: both conditions, 缺一不可."""
    taken = end.score(house) >= 120
    if taken != end.captured:
        return None
    return (end.dealer + taken) % 2


def gained(house: GunziOptions, end: End) -> int:
    """Levels that the hand is worth."""
    if promoted(house, end) is None:
        return 0
    reds, blacks = (0, 0) if end.dry else (end.bottom.count("Rj"), end.bottom.count("Bj"))
    return 1 + reds * house.red_joker_levels + blacks * house.black_joker_levels


def climbed(house: GunziOptions, level: str, by: int, deals: bool) -> str:
    """The level after a promotion, `over` if that ends the match (打过10就结束一轮)."""
    listed = {"ten": "T", "none": "", "three_and_ten": "3T"}[house.must_deal]
    if level in listed and not deals:
        return level
    if level == "T":
        return "over"
    height = LEVELS.index(level) + by
    if height < len(LEVELS) - 1:
        return LEVELS[height]
    if house.match_end == "ten_reached":
        return "over"
    may_pass = house.skipping_ten == "allowed" and (deals or house.must_deal == "none")
    return "over" if may_pass and height >= len(LEVELS) else "T"


def why_over(house: GunziOptions, end: End) -> tuple[str, int] | None:
    """Why the match is over and which side has won it; None if it goes on."""
    dealers, attackers = end.dealer % 2, 1 - end.dealer % 2
    score, up = end.score(house), promoted(house, end)
    if score == 0:
        return "ZERO", dealers
    each_once = end.tricks + (worth(end.bottom) if end.captured else 0)
    if (score if house.full_score == "from_300" else each_once) >= 300:
        return "FULL", attackers
    if up is None:
        return None
    three = ["Rj", "Bj"] if house.three_jokers == "either" else ["Rj"]
    counts = not end.dry or house.dry_three_jokers == "match"
    if counts and any(end.bottom.count(joker) == 3 for joker in three):
        return "THREE_JOKERS", up
    if climbed(house, end.carry[2][up], gained(house, end), up == dealers) != "over":
        return None
    return {"ten_passed": "TEN_PASSED", "ten_reached": "TEN_REACHED"}[house.match_end], up


def owed(house: GunziOptions, end: End) -> tuple[int, int]:
    """血牌 for the score and for the jokers."""
    score = end.score(house)
    for_score = 0
    while score + 10 * for_score < 80:
        for_score += 1
    while score - 10 * (for_score + 1) >= 150:
        for_score += 1
    void = end.dry or (end.captured and score < 120)
    return for_score, 0 if void else 2 * end.bottom.count("Rj") + end.bottom.count("Bj")


def next_carry(house: GunziOptions, end: End) -> Carry:
    """What the next hand opens with."""
    number, _, levels, _, _, _ = end.carry
    if why_over(house, end) is not None:
        return number + 1, None, ("3", "3"), 0, 0, True
    up = promoted(house, end)
    after = [
        climbed(house, level, gained(house, end), side == end.dealer % 2) if side == up else level
        for side, level in enumerate(levels)
    ]
    if end.score(house) >= 120:
        step = {"next": 1, "previous": 3}[house.dealer_after_swap]
    else:
        step = {"partner": 2, "same": 0}[house.dealer_after_hold]
    return number + 1, (end.dealer + step) % 4, (after[0], after[1]), *owed(house, end), False


def settled(house: GunziOptions, end: End) -> tuple[object, ...]:
    """All that a settlement says."""
    why = why_over(house, end)
    score = end.score(house)
    if why is None:
        result = "TAKEN" if score >= 120 else "HELD"
    else:
        result = f"MATCH_TO_{'DEALERS' if why[1] == end.dealer % 2 else 'ATTACKERS'}"
    return (
        end.tricks,
        "CAPTURED" if end.captured else "HELD",
        worth(end.bottom) if end.captured else 0,
        house.bottom_factor if end.captured else 0,
        score,
        result,
        "NONE" if why is None else why[0],
        gained(house, end),
        next_carry(house, end),
    )
