"""升级 and the end of a match: what a hand is worth, where the ladder stops (gunzi-8, 10)."""

from typing import Literal

from msgspec import Struct

from replay.engine.gunzi.order import TEN, THREE
from replay.engine.mechanics.ladder import climbed
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.gunzi import BottomFate, GunziEnding
from schema.options import GunziOptions

TO_TAKE, ALL_POINTS = 120, 300
_BOTTOM_STEP = 10
NOTHING_DUE_FROM, _NOTHING_DUE_TO = 80, 150
"""From and up to which score no tribute is due for it."""
_CARDS_FOR = {RED_JOKER: 2, BLACK_JOKER: 1}
"""gunzi-9.4: cards of tribute for each buried joker."""
_MUST_DEAL: dict[str, tuple[int, ...]] = {
    "ten": (TEN,),
    "none": (),
    "three_and_ten": (THREE, TEN),
}
HELD, CAPTURED = BottomFate.HELD, BottomFate.CAPTURED
Sides = Literal["dealers", "attackers"]


class Ended(Struct, frozen=True):
    """What decides a hand: the attackers' score, and for 全得 their points counted once; who won
    the last trick; the jokers in the final bottom (`dry` as they lay there by themselves).
    """

    score: int
    plain: int
    fate: BottomFate
    jokers: bytes
    is_dry: bool


def promoted(hand: Ended) -> Sides | None:
    """gunzi-8.3, 8.4: the side that is promoted; None if neither is."""
    if hand.fate is HELD:
        return "dealers" if hand.score < TO_TAKE else None
    return "attackers" if hand.score >= TO_TAKE else None


def risen(options: GunziOptions, hand: Ended) -> int:
    """gunzi-8.5 to 8.8: the levels that the hand is worth to the side promoted, else 0."""
    if promoted(hand) is None:
        return 0
    levels = {RED_JOKER: options.red_joker_levels, BLACK_JOKER: options.black_joker_levels}
    return 1 + (0 if hand.is_dry else sum(levels[joker] for joker in hand.jokers))


def due_for_score(score: int) -> int:
    """gunzi-9.2, 9.3: cards of tribute for a score; a left-over 5 counts below, not above."""
    if score < NOTHING_DUE_FROM:
        return -((score - NOTHING_DUE_FROM) // _BOTTOM_STEP)
    return max(0, (score - _NOTHING_DUE_TO) // _BOTTOM_STEP)


def due_for_jokers(hand: Ended) -> int:
    """gunzi-9.4: cards of tribute for the jokers; void in 干锅 and captured below 120."""
    if hand.is_dry or (hand.fate is CAPTURED and hand.score < TO_TAKE):
        return 0
    return sum(_CARDS_FOR[joker] for joker in hand.jokers)


def rise(options: GunziOptions, level: int, by: int, promoted: Sides) -> int | None:
    """gunzi-8.9 to 8.11, 10.1: a side's level after a promotion; None if it wins the match."""
    is_dealer = promoted == "dealers"
    must_deal = _MUST_DEAL[options.must_deal]
    if level in must_deal and not is_dealer:
        return level
    if level >= TEN:
        return None
    if options.match_end == "ten_reached":
        return level + by if level + by < TEN else None
    may_skip = options.skipping_ten == "allowed" and (is_dealer or TEN not in must_deal)
    if may_skip and level + by > TEN:
        return None
    return climbed(level, by, TEN)


def ending(options: GunziOptions, hand: Ended, is_past_ten: bool) -> GunziEnding:
    """gunzi-10.5: the first reason for which the match is over."""
    if hand.score == 0:
        return GunziEnding.ZERO
    if _is_full(options, hand):
        return GunziEnding.FULL
    if _has_three_jokers(options, hand) and promoted(hand) is not None:
        return GunziEnding.THREE_JOKERS
    return _TEN[options.match_end] if is_past_ten else GunziEnding.NONE


_TEN = {"ten_passed": GunziEnding.TEN_PASSED, "ten_reached": GunziEnding.TEN_REACHED}


def winners(hand: Ended, why: GunziEnding) -> Sides | None:
    """gunzi-10.1 to 10.4: the side that has won the match for this reason."""
    match why:
        case GunziEnding.NONE:
            return None
        case GunziEnding.ZERO:
            return "dealers"
        case GunziEnding.FULL:
            return "attackers"
        case _:
            return promoted(hand)


def _is_full(options: GunziOptions, hand: Ended) -> bool:
    """gunzi-10.3: 300 points, by option all of them, each counted once."""
    reached = {"from_300": hand.score, "all_points": hand.plain}[options.full_score]
    return reached >= ALL_POINTS


def _has_three_jokers(options: GunziOptions, hand: Ended) -> bool:
    """gunzi-10.4: three 大王, or three 小王, in the final bottom."""
    if hand.is_dry and options.dry_three_jokers == "nothing":
        return False
    kinds = (RED_JOKER, BLACK_JOKER) if options.three_jokers == "either" else (RED_JOKER,)
    return any(hand.jokers.count(kind) == 3 for kind in kinds)
