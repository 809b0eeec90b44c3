"""胜负 and 番数设置 of 赤壁打滚 once more, plain, from the source text: points, result, coins."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from schema.options import ChibiDagunOptions
from tests.oracle_chibi_types import JOKERS, RANKS

SEATS = frozenset(range(4))
Bonus = tuple[int, str]
"""Seat, and what it was dealt."""


class End(NamedTuple):
    """How a hand ended: `word` is normal, bang, solo or early; `ours` one of the two sides."""

    word: str
    ours: frozenset[int]
    places: Sequence[int]
    captured: Sequence[int]
    final: Sequence[int]

    def side(self, seat: int) -> frozenset[int]:
        """The seats that win and lose with this one."""
        return self.ours if seat in self.ours else SEATS - self.ours


def transferred(places: Sequence[int], captured: Sequence[int], left: int) -> list[int]:
    """末游玩家所得到的分数归一游玩家所有，手中未出的分数归三游所有."""
    first, _, third, last = places
    final = list(captured)
    final[first] += final[last]
    final[last] = 0
    final[third] += left
    return final


def safe_points(end: End) -> tuple[int, int] | None:
    """The points of both sides if they have decided, with 一游 and 二游 out, who wins.

    Of the side of 二游 only his own count: what his partner has may still go to 一游.
    """
    first, second = end.places
    one = sum(end.captured[seat] for seat in end.side(first))
    two = end.captured[second]
    less, more = sorted((one, two))
    return (one, two) if more == 200 or (more >= 105 and less >= 5) else None


def judged(house: ChibiDagunOptions, end: End) -> tuple[str, int, frozenset[int]]:
    """Result, 番 and winners."""
    first = end.places[0]
    winners = end.side(first)
    if end.word == "solo":
        soloist_won = end.ours == {first}
        return "SOLO_WON" if soloist_won else "SOLO_LOST", house.solo_fan, winners
    if end.word == "bang":
        return _bang(house, end, winners)
    if end.word == "early":
        safe = safe_points(end)
        assert safe is not None
        one, two = safe
        return _by_points(house, max(safe), winners if one > two else SEATS - winners)
    points = sum(end.final[seat] for seat in winners)
    if points == 100:
        # 则得末游的那方输
        winners = SEATS - end.side(end.places[3])
    elif points < 100:
        winners = SEATS - winners
    return _by_points(house, sum(end.final[seat] for seat in winners), winners)


def _by_points(
    house: ChibiDagunOptions, points: int, winners: frozenset[int]
) -> tuple[str, int, frozenset[int]]:
    if points == 200:
        return "QING", house.qing_fan, winners
    return "POINTS", 1, winners


def _bang(
    house: ChibiDagunOptions, end: End, winners: frozenset[int]
) -> tuple[str, int, frozenset[int]]:
    """绑; 若对方还没有得分: 光头."""
    is_bald = sum(end.captured[seat] for seat in SEATS - winners) == 0
    has_all = sum(end.captured[seat] for seat in winners) == 200
    name = "GUANGTOU" if is_bald else "BANG"
    if house.fans == "exclusive":
        return name, house.guangtou_fan if is_bald else house.bang_fan, winners
    fan = house.bang_fan
    if is_bald:
        fan *= house.guangtou_fan
    if has_all:
        fan *= house.qing_fan
    return name, fan, winners


def bonuses(house: ChibiDagunOptions, dealt: Iterable[list[str]]) -> list[Bonus]:
    """取到, played or not, of natural cards only: 天炸, then 8喜 and 7喜 from the 3 up."""
    found = []
    for seat, cards in enumerate(dealt):
        if sum(card in JOKERS for card in cards) == 4:
            found.append((seat, "TIANZHA"))
        ranks = Counter(card[0] for card in cards if card not in JOKERS)
        for rank in RANKS:
            if ranks[rank] == 8:
                found.append((seat, "XI8"))
            if ranks[rank] == 7 or (ranks[rank] == 8 and house.xi8_counts == "with_xi7"):
                found.append((seat, "XI7"))
    return found


def coins(
    house: ChibiDagunOptions, fan: int, winners: frozenset[int], end: End, given: Iterable[Bonus]
) -> list[int]:
    """最终金币数＝房间底金×番数, and the bonuses: 其余三家各出, 不管输赢."""
    purse = [0, 0, 0, 0]
    losers = SEATS - winners
    if len(losers) == len(winners):
        pairs = list(zip(losers, winners, strict=True))
    else:
        # the soloist pays all three, or all three pay him
        pairs = [(loser, winner) for loser in losers for winner in winners]
    for loser, winner in pairs:
        _pay(purse, loser, winner, house.base * fan)
    each = {"TIANZHA": house.tianzha_each, "XI8": house.xi8_each, "XI7": house.xi7_each}
    for holder, name in given:
        amount = house.base * each[name] * (fan if house.bonus_unit == "fan" else 1)
        for payer in SEATS - {holder}:
            is_exempt = house.bonus_payers == "opponents" and end.word != "solo"
            if not (is_exempt and payer in end.side(holder)):
                _pay(purse, payer, holder, amount)
    return purse


def _pay(purse: list[int], payer: int, taker: int, amount: int) -> None:
    purse[payer] -= amount
    purse[taker] += amount
