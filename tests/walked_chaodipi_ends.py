"""Settlements of 炒地皮 that are false in one field each, and openings that are."""

from msgspec.structs import replace

from replay.engine.chaodipi.presets import DEFAULT
from replay.walk import Chain
from schema.chaodipi import (
    ChaodipiCarry,
    ChaodipiEffect,
    ChaodipiOpening,
    ChaodipiResult,
    ChaodipiSettled,
)
from schema.events import Event, Fact, HandEnded, HandStarted
from schema.options import ChaodipiOptions
from tests.builders_chaodipi import FIRST, later
from tests.walked_chaodipi import Table, Walked, falsified, plays, told

_TRICK: list[Fact] = [
    *(plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")),
    HandEnded(0),
]
LAST = Table(("3c", "Jc", "Kc", "8d"))
"""The partner of the dealer wins the last trick, and ten points."""
_LOST: list[Fact] = [
    *(plays(0, "3c 3c"), plays(1, "Jc Jc"), plays(2, "Kc Qc"), plays(3, "8d 9d")),
    HandEnded(0),
]
BOTTOM_LOST = Table(("3c 3c", "Jc Jc", "Kc Qc", "8d 9d"))
"""An attacker wins it with a pair: the bottom, with ten points, counts four times."""
_BY_WSK: list[Fact] = [
    *(plays(1, "5c Tc Kc"), plays(2, "2c 3c 4c"), plays(3, "2d 3d 4d"), plays(0, "7c 8c 9c")),
    HandEnded(0),
]
WSK = Table(("7c 8c 9c", "5c Tc Kc", "2c 3c 4c", "2d 3d 4d"), leader=1)


def _score(points: int, levels: tuple[int, int] = (4, 2), failures: int = 0) -> Table:
    """Before that trick the attackers have so many points."""
    return LAST._replace(captured=(0, points, 0, 0), levels=levels, failures=(failures, 0))


def _false(
    table: Table,
    rule: str,
    facts: list[Fact] = _TRICK,
    options: ChaodipiOptions = DEFAULT,
    **fields: object,
) -> Walked:
    case = told(facts, start=table, options=options)
    return falsified(case, ChaodipiSettled, rule, **fields)


_FLAG = (13, 2)
_HELD, _TAKEN, _POINTS = ChaodipiResult.HELD, ChaodipiResult.TAKEN, ChaodipiEffect.POINTS
SETTLEMENTS: dict[str, Walked] = {
    "points of the tricks": _false(_score(40), "TRICK_POINTS", tricks=45),
    "points of a bottom that is held": _false(_score(40), "BOTTOM_POINTS", bottom=10),
    "points of a bottom that is lost": _false(BOTTOM_LOST, "BOTTOM_POINTS", _LOST, bottom=0),
    "its factor": _false(BOTTOM_LOST, "FACTOR", _LOST, factor=2),
    "a penalty": _false(_score(40), "THROW_FAILS", penalty=5),
    "the sum": _false(_score(40), "BOTTOM_POINTS", score=45),
    "who wins, with 75": _false(_score(75), "WINNER", result=_TAKEN),
    "who wins, with 80": _false(_score(80), "WINNER", result=_HELD),
    "levels of who holds": _false(_score(40), "HELD_RISE", risen=3),
    "the level of who holds": _false(_score(40), "HELD_RISE", next_levels=(7, 2)),
    "大光": _false(_score(0), "ALL_POINTS", effect=_POINTS),
    "levels with 80": _false(_score(80), "TAKEN", risen=1),
    "levels with 100": _false(_score(100), "TAKEN_RISE", risen=3),
    "who takes over rises from the others' level": _false(
        _score(100), "TAKEN_RISE", next_levels=(4, 6)
    ),
    "A is passed": _false(_score(40, (12, 2)), "ACE_PASSED", risen=0),
    "扛旗 is passed": _false(_score(95, _FLAG), "FLAG_PASSED", result=_TAKEN),
    "the match is over": _false(_score(95, _FLAG), "FLAG_PASSED", next_is_over=False),
    "扛旗 is lost with 100": _false(_score(100, _FLAG), "WINNER", result=_HELD),
    "levels in 扛旗": _false(_score(120, _FLAG), "FLAG_TAKEN", risen=2),
    "the third failure": _false(_score(100, _FLAG, 2), "FLAG_FALL", next_levels=(13, 4)),
    "failures": _false(_score(100, _FLAG, 1), "FAILURES", next_failures=(1, 0)),
    "the last 5.10.K": _false(WSK, "LAST_WSK", _BY_WSK, result=_HELD),
    "what the last 5.10.K does": _false(WSK, "LAST_WSK", _BY_WSK, next_levels=(4, 12)),
    "a pair of 红桃5": _false(
        _score(40)._replace(has_red_fives=True), "RED_FIVE_EFFECT", effect=_POINTS
    ),
    "game scores": _false(_score(40), "SCORE", deltas=(4, 0, 4, 0)),
    "game scores in sum": _false(_score(40), "SCORE", next_scores=(4, -4, 4, 4)),
    "what 扛旗 pays": _false(_score(95, _FLAG), "FLAG_BONUS", deltas=(6, 0, 6, 0)),
    "who deals next": _false(_score(40), "NEXT_DEALER", next_dealer=1),
    "who deals next, taken": _false(_score(80), "NEXT_DEALER", next_dealer=3),
}
"""One field each."""


def _opened(stated: ChaodipiCarry, expected: ChaodipiCarry | None, kind: str, rule: str) -> Walked:
    """A hand that states this where that is expected."""
    events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(stated)]
    chain = None if expected is None else Chain(expected)
    return Walked(events, [(1, kind, rule)], stated, chain=chain)


_TRUE = later(0)
OPENINGS: dict[str, Walked] = {
    "levels": _opened(replace(_TRUE, levels=(5, 2)), _TRUE, "claim", "LADDER"),
    "dealer": _opened(replace(_TRUE, dealer=1), _TRUE, "claim", "NEXT_DEALER"),
    "dealer of a first hand": _opened(replace(FIRST, dealer=1), FIRST, "claim", "DEALER"),
    "failures": _opened(replace(_TRUE, failures=(1, 0)), _TRUE, "claim", "FAILURES"),
    "scores": _opened(replace(_TRUE, scores=(1, 0, 0, 0)), _TRUE, "claim", "SCORE"),
    "a match that is over": _opened(
        replace(_TRUE, is_over=True), replace(_TRUE, is_over=True), "breach", "MATCH_OVER"
    ),
}
"""One field each."""
