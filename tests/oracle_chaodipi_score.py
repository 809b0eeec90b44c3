"""胜负的判定 and 游戏得分 of 炒地皮, written from the source text alone."""

from typing import NamedTuple

from schema.options import ChaodipiOptions

LADDER = "23456789TJQKAF"
"""Levels from 2 to A and 扛旗."""


class End(NamedTuple):
    """What a hand came to; levels and failures of the dealer side, level of the attackers."""

    level: str
    other: str
    failures: int
    score: int
    last_wsk: bool
    red_fives: bool


class Outcome(NamedTuple):
    """What that does: result and effect, new levels, failures, levels risen, points each."""

    result: str
    effect: str
    level: str
    other: str
    failures: int
    risen: int
    points: int
    other_points: int


def outcome(house: ChaodipiOptions, end: End) -> Outcome:
    """First who has won, then what sets the levels."""
    if end.last_wsk:
        # 庄家降为打2，抓分方直接升级打A
        return _taken(end, "LAST_WSK", "2", _at_least(end.other, "A"), 0, None)
    if end.level == "F":
        return _flag(house, end)
    if end.red_fives and house.red_five_effect == "on":
        return _red_fives(house, end)
    tens = _tens(house, end, 80)
    if end.score >= 80:
        return _taken(end, "POINTS", end.level, _up(end.other, (end.score - 80) // 10), 0, tens)
    all_points = end.score <= 0
    level = _held_level(house, end)
    # 如果得分为0，称为“大光”
    effect = "ALL" if all_points else "POINTS"
    return _held(end, effect, level, end.other, None if all_points else tens)


def _flag(house: ChaodipiOptions, end: End) -> Outcome:
    """扛旗: 抓分方必须拿满100分才可以上台; 如果庄家扛旗三次，还没有通过，则降级打2."""
    if end.score < 100:
        bonus = 3 if house.room == "single" else 6
        paid = bonus if house.flag_bonus == "zero_sum" else 0
        return Outcome("MATCH_WON", "FLAG", "2", "2", 0, 0, bonus, -paid)
    failures = end.failures + 1
    level = "F"
    if failures >= house.flag_failures_max:
        level, failures = "2", 0
    other = _up(end.other, (end.score - house.flag_level_base) // 10)
    return _taken(end, "FLAG", level, other, failures, _tens(house, end, 80))


def _red_fives(house: ChaodipiOptions, end: End) -> Outcome:
    """胜利则直接打A，对方退回打2; 在“扛棋”阶段时，失败方退回打A."""
    if end.score >= 80:
        return _taken(end, "RED_FIVE", "2", _at_least(end.other, "A"), 0, None)
    level = _at_least(_held_level(house, end), "A")
    return _held(end, "RED_FIVE", level, "A" if end.other == "F" else "2", None)


def _held_level(house: ChaodipiOptions, end: End) -> str:
    """每少得10分，庄家升一级，5分不算; 打A级别不可以跳过，必须打."""
    steps = (80 - end.score) // 10
    if end.level == "A":
        passes = steps > 0 or house.passing_ace == "any_win"
        return "F" if passes else "A"
    if end.score <= 0:
        return "A"
    skips = LADDER.index(end.level) + steps > LADDER.index("A")
    return "F" if skips and house.skipping_ace == "dealer_side" else _up(end.level, steps)


def _up(level: str, steps: int) -> str:
    """So many levels higher, but not past A."""
    for _ in range(steps):
        if level not in "AF":
            level = LADDER[LADDER.index(level) + 1]
    return level


def _at_least(level: str, least: str) -> str:
    return max(level, least, key=LADDER.index)


def _tens(house: ChaodipiOptions, end: End, base: int) -> int | None:
    """Points of game score by the formula alone, where the table counts so."""
    if house.score_levels == "actual":
        return None
    return (end.score - base) // 10 if end.score >= base else (base - end.score) // 10


def _risen(old: str, new: str) -> int:
    return LADDER.index(new) - LADDER.index(old)


def _taken(
    end: End, effect: str, level: str, other: str, failures: int, scored: int | None
) -> Outcome:
    """抓分方上台."""
    risen = _risen(end.other, other)
    points = risen if scored is None else scored
    return Outcome("TAKEN", effect, level, other, failures, risen, -points, points)


def _held(end: End, effect: str, level: str, other: str, scored: int | None) -> Outcome:
    """庄家继续坐庄."""
    risen = _risen(end.level, level)
    points = risen if scored is None else scored
    return Outcome("HELD", effect, level, other, 0, risen, points, -points)
