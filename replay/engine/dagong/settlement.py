"""结算: from the end of a hand to coins and the next dealer (dagong-8.9 to 8.14, 9.5, 10, 11)."""

from msgspec import Struct

from replay.engine.climbing.settlement import (
    ALL_POINTS,
    NO_COINS,
    carried,
    coins,
    dealt_bonuses,
    more_points,
    paid,
    side,
    side_points,
    transferred,
)
from replay.engine.climbing.states import Ended, PerSeat
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from schema.events import ClimbingBonus, ClimbingBonusKind, ClimbingResult, ClimbingSettled
from schema.options import DagongOptions


class Outcome(Struct, frozen=True):
    """What decides the coins: the result, its 番, who won, points after the transfers."""

    result: ClimbingResult
    fan: int
    winners: tuple[int, ...]
    final: PerSeat


def settle(options: DagongOptions, ended: Ended) -> ClimbingSettled:
    """The settlement of a hand that is over (dagong-11.1, 11.3)."""
    play, places = ended.play, ended.places
    left = points(unpack(play.holdings[places[-1]])) if ended.end == "normal" else 0
    bonuses = bonuses_of(play.deal.hands)
    outcome = decide(options, ended.end, play.teams, places, play.captured, left)
    extra = bonus_coins(options, outcome.fan, bonuses)
    deltas = coins(options.base, outcome.fan, outcome.winners, extra)
    return ClimbingSettled(
        result=outcome.result,
        fan=outcome.fan,
        winners=outcome.winners,
        places=places,
        captured=play.captured,
        left=left,
        final=outcome.final,
        bonuses=bonuses,
        deltas=deltas,
        next=carried(play.carry, deltas, places[0]),
    )


def decide(
    options: DagongOptions,
    end: str,
    teams: PerSeat,
    places: tuple[int, ...],
    captured: PerSeat,
    left: int,
) -> Outcome:
    """Result, 番 and winners; `teams` holds 0 or 1 a seat, `captured` is before transfers."""
    first = places[0]
    winners = side(teams, teams[first])
    if end == "solo":
        # dagong-9.4: the soloist is the one seat of team 0
        won = teams[first] == 0
        result = ClimbingResult.SOLO_WON if won else ClimbingResult.SOLO_LOST
        return Outcome(result, options.solo_fan, winners, captured)
    if end == "bang":
        # dagong-8.13, 8.14: 光头 replaces 绑 when the others captured nothing
        others = side_points(teams, captured)[1 - teams[first]]
        result = ClimbingResult.BANG if others else ClimbingResult.GUANGTOU
        fan = options.bang_fan if others else options.guangtou_fan
        return Outcome(result, fan, winners, captured)
    final = transfers(options, places, captured, left)
    return _by_points(options, teams, places, final)


def transfers(
    options: DagongOptions, places: tuple[int, ...], captured: PerSeat, left: int
) -> PerSeat:
    """dagong-8.9: what 末游 captured goes to 一游, what he still holds to 三游."""
    left_to = {"third": places[2], "first": places[0]}[options.last_hand_points_to]
    return transferred(captured, places, left, left_to)


def _by_points(
    options: DagongOptions, teams: PerSeat, places: tuple[int, ...], final: PerSeat
) -> Outcome:
    """dagong-8.11, 8.12: more points win, at 100–100 the side of 末游 loses; all 200 is 清."""
    winners = side(teams, more_points(teams, places, final))
    if ALL_POINTS in side_points(teams, final):
        return Outcome(ClimbingResult.QING, options.qing_fan, winners, final)
    return Outcome(ClimbingResult.POINTS, 1, winners, final)


def bonus_coins(options: DagongOptions, fan: int, bonuses: tuple[ClimbingBonus, ...]) -> PerSeat:
    """Coins a seat from the bonuses alone: the three others pay each (dagong-10.3)."""
    if not bonuses:
        return NO_COINS
    unit = {"base": options.base, "fan": options.base * fan}[options.bonus_unit]
    everybody = range(N_SEATS)
    return paid(
        (
            bonus.seat,
            unit * bonus_each(options, bonus.kind),
            tuple(seat for seat in everybody if seat != bonus.seat),
        )
        for bonus in bonuses
    )


def bonus_each(options: DagongOptions, kind: ClimbingBonusKind) -> int:
    """What each of the three other seats pays for a bonus, in units."""
    match kind:
        case ClimbingBonusKind.TIANZHA:
            return options.tianzha_each
        case ClimbingBonusKind.XI8:
            return options.xi8_each
        case ClimbingBonusKind.XI7:
            return options.xi7_each


def bonuses_of(hands: tuple[bytes, ...]) -> tuple[ClimbingBonus, ...]:
    """dagong-10.1, 10.2: by seat, 天炸 first, then 8喜 and 7喜 from rank 3 up."""
    return dealt_bonuses(hands, _XI.__getitem__)


_XI = {7: (ClimbingBonusKind.XI7,), 8: (ClimbingBonusKind.XI8,)}
