"""Settlements of 四副滚子 that are false in one field each, and openings that are."""

from msgspec.structs import replace

from replay.engine.gunzi.presets import DEFAULT
from replay.walk import Chain
from schema.events import Event, Fact, HandEnded, HandStarted
from schema.gunzi import (
    BottomFate,
    GunziCarry,
    GunziEnding,
    GunziOpening,
    GunziResult,
    GunziSettled,
)
from schema.options import GunziOptions
from tests.builders_gunzi import FIRST, later
from tests.walked_gunzi import Table, Walked, falsified, plays, told

_BY_2: list[Fact] = [
    *(plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")),
    HandEnded(0),
]
HELD = Table(("3c", "Jc", "Kc", "8d"))
"""The partner of the dealer wins the last trick: the bottom is held."""
_BY_1: list[Fact] = [
    *(plays(0, "3c"), plays(1, "Kc"), plays(2, "Jc"), plays(3, "8d")),
    HandEnded(0),
]
CAPTURED = Table(("3c", "Kc", "Jc", "8d"))
"""An attacker wins it and ten points: the bottom, with another ten, counts twice: 30 in all."""
_JOKERS, _THREE = "Rj Bj 9d Kd 4h 2c", "Bj Bj Bj Kd 4h 2c"
"""Three levels and three cards of tribute; three jokers of a kind."""


def _held(points: int, levels: tuple[int, int] = (4, 1), bottom: str = HELD.bottom) -> Table:
    """The attackers have so many points when the last trick is led, and get no more."""
    return HELD._replace(captured=(0, points, 0, 0), levels=levels, bottom=bottom)


def _captured(points: int, levels: tuple[int, int] = (4, 1), bottom: str = HELD.bottom) -> Table:
    """The attackers have so many points when the hand is over, the bottom included."""
    return CAPTURED._replace(captured=(0, points - 30, 0, 0), levels=levels, bottom=bottom)


def _false(table: Table, rule: str, options: GunziOptions = DEFAULT, **fields: object) -> Walked:
    facts = _BY_1 if table.hands == CAPTURED.hands else _BY_2
    case = told(facts, start=table, options=options)
    return falsified(case, GunziSettled, rule, **fields)


_TAKEN, _DEALS_ON = GunziResult.TAKEN, GunziResult.HELD
_DEALERS, _ATTACKERS = GunziResult.MATCH_TO_DEALERS, GunziResult.MATCH_TO_ATTACKERS
_NONE = GunziEnding.NONE
_AT_10, _FACING_10 = (8, 1), (4, 8)
_RED_ONLY = replace(DEFAULT, three_jokers="red_only")
_REACHED = replace(DEFAULT, match_end="ten_reached")
SETTLEMENTS: dict[str, Walked] = {
    "points of the tricks": _false(_held(40), "TRICK_POINTS", tricks=45),
    "who won the last trick, held": _false(_held(40), "FATE", fate=BottomFate.CAPTURED),
    "who won the last trick, captured": _false(_captured(100), "FATE", fate=BottomFate.HELD),
    "points of a bottom that is held": _false(_held(40), "SCORE", bottom=10),
    "points of a bottom that is captured": _false(_captured(100), "SCORE", bottom=0),
    "its factor": _false(_captured(100), "SCORE", factor=4),
    "the sum": _false(_captured(100), "SCORE", score=90),
    "who deals on, held with 115": _false(_held(115), "HELD_BELOW", result=_TAKEN),
    "who deals on, captured with 115": _false(_captured(115), "CAPTURED_BELOW", result=_TAKEN),
    "who deals on, held with 120": _false(_held(120), "HELD_ABOVE", result=_DEALS_ON),
    "who deals on, captured with 120": _false(_captured(120), "CAPTURED_ABOVE", result=_DEALS_ON),
    "levels of who holds": _false(_held(40, bottom=_JOKERS), "HELD_BELOW", risen=1),
    "levels of who captures": _false(_captured(120, bottom=_JOKERS), "CAPTURED_ABOVE", risen=3),
    "levels of who captures too little": _false(_captured(115), "CAPTURED_BELOW", risen=1),
    "levels of who gets 120 and no bottom": _false(_held(120), "HELD_ABOVE", risen=1),
    "a level for capturing too little": _false(
        _captured(115), "CAPTURED_BELOW", next_levels=(4, 2)
    ),
    "a level for 120 without the bottom": _false(_held(120), "HELD_ABOVE", next_levels=(4, 2)),
    "the level of who holds": _false(_held(40), "LADDER", next_levels=(6, 1)),
    "the level of the other side": _false(_held(40), "LADDER", next_levels=(4, 2)),
    "the level stops at 10": _false(_held(40, (7, 1), _JOKERS), "LADDER", next_levels=(7, 1)),
    "10 is passed by who deals": _false(_held(40, _AT_10), "TEN", ending=_NONE),
    "whose match it is, with 10 passed": _false(_held(40, _AT_10), "TEN", result=_ATTACKERS),
    "10 is passed with none": _false(_held(40), "TEN", ending=GunziEnding.TEN_PASSED),
    "10 is not passed by who attacks": _false(
        _captured(120, _FACING_10), "PASSING", next_levels=(4, 7)
    ),
    "10 is reached, where that is enough": _false(
        _held(40, (7, 1)), "TEN", options=_REACHED, ending=GunziEnding.TEN_PASSED
    ),
    "no point": _false(_held(0), "ZERO", ending=_NONE),
    "no point is not 5": _false(_held(5), "ZERO", ending=GunziEnding.ZERO),
    "whose match it is, with no point": _false(_held(0), "ZERO", result=_ATTACKERS),
    "all points": _false(_captured(300), "FULL", ending=_NONE),
    "all points are not 295": _false(_captured(295), "FULL", ending=GunziEnding.FULL),
    "three jokers held": _false(_held(40, bottom=_THREE), "THREE_JOKERS", ending=_NONE),
    "three jokers captured": _false(_captured(120, bottom=_THREE), "THREE_JOKERS", result=_DEALERS),
    "three jokers of both kinds": _false(
        _held(40, bottom="Rj Bj Bj Kd 4h 2c"), "THREE_JOKERS", ending=GunziEnding.THREE_JOKERS
    ),
    "three small ones, where big ones are wanted": _false(
        _held(40, bottom=_THREE), "THREE_JOKERS", options=_RED_ONLY, ending=GunziEnding.THREE_JOKERS
    ),
    "three jokers captured with too little": _false(
        _captured(115, bottom=_THREE), "THREE_JOKERS", ending=GunziEnding.THREE_JOKERS
    ),
    "three jokers in a dry bottom": _false(
        _held(40, bottom=_THREE)._replace(is_dry=True),
        "THREE_JOKERS",
        ending=GunziEnding.THREE_JOKERS,
    ),
    "levels for jokers in a dry bottom": _false(
        _held(40, bottom=_JOKERS)._replace(is_dry=True), "HELD_BELOW", risen=4
    ),
    "the match goes on": _false(_held(0), "NEW_MATCH", next_is_over=False),
    "levels of a match that is over": _false(_held(0), "NEW_MATCH", next_levels=(4, 1)),
    "a match that is not over": _false(_held(40), "NEW_MATCH", next_is_over=True),
    "who deals next": _false(_held(40), "NEXT_DEALER", next_dealer=0),
    "who deals next, taken": _false(_held(120), "NEXT_DEALER", next_dealer=3),
    "a 5 that is left over below 80": _false(_held(75), "DUE_BELOW", next_due_for_score=0),
    "tribute for 80": _false(_held(80), "DUE_ABOVE", next_due_for_score=1),
    "tribute for 150": _false(_held(150), "DUE_ABOVE", next_due_for_score=1),
    "a 5 that is left over above 150": _false(_held(165), "DUE_ABOVE", next_due_for_score=2),
    "tribute for jokers": _false(
        _held(40, bottom=_JOKERS), "DUE_FOR_JOKERS", next_due_for_jokers=0
    ),
    "tribute for jokers that are void": _false(
        _captured(115, bottom=_JOKERS), "DUE_FOR_JOKERS", next_due_for_jokers=3
    ),
    "tribute for jokers in a dry bottom": _false(
        _held(40, bottom=_JOKERS)._replace(is_dry=True), "DUE_FOR_JOKERS", next_due_for_jokers=3
    ),
    "the number of the next hand": _false(_held(40), "FIRST_HAND", next_hand_no=7),
}
"""One field each."""


def _opened(stated: GunziCarry, expected: GunziCarry, kind: str, rule: str) -> Walked:
    """A hand that states this where that is expected."""
    events: list[Event] = [HandStarted(bytes(32), 0), GunziOpening(stated)]
    return Walked(events, [(1, kind, rule)], stated, chain=Chain(expected))


_TRUE = later(0, (4, 1), (2, 1))
_OVER = replace(FIRST, hand_no=5, is_over=True)
OPENINGS: dict[str, Walked] = {
    "dealer": _opened(replace(_TRUE, dealer=1), _TRUE, "claim", "NEXT_DEALER"),
    "no dealer": _opened(replace(_TRUE, dealer=None), _TRUE, "claim", "NEXT_DEALER"),
    "a dealer in a first hand": _opened(replace(FIRST, dealer=1), FIRST, "claim", "FIRST_HAND"),
    "levels": _opened(replace(_TRUE, levels=(5, 1)), _TRUE, "claim", "LEVELS"),
    "levels of a first hand": _opened(replace(FIRST, levels=(2, 1)), FIRST, "claim", "LEVELS"),
    "tribute for the score": _opened(replace(_TRUE, due_for_score=1), _TRUE, "claim", "LEVELS"),
    "tribute for jokers": _opened(replace(_TRUE, due_for_jokers=0), _TRUE, "claim", "LEVELS"),
    "tribute in a first hand": _opened(
        replace(FIRST, due_for_score=3), FIRST, "claim", "FIRST_HAND"
    ),
    "the number of a first hand": _opened(replace(FIRST, hand_no=2), FIRST, "claim", "FIRST_HAND"),
    "that the match is over": _opened(replace(_TRUE, is_over=True), _TRUE, "claim", "NEW_MATCH"),
    "a match that is over": _opened(_OVER, _OVER, "breach", "MATCH_OVER"),
}
"""One field each."""
