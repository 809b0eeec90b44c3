"""结算: from the end of a hand to coins and the next dealer (chibi_dagun-13 to 17)."""

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
from schema.options import ChibiDagunOptions

TIANZHA, XI8, XI7 = ClimbingBonusKind.TIANZHA, ClimbingBonusKind.XI8, ClimbingBonusKind.XI7


class Outcome(Struct, frozen=True):
    """What decides the coins: the result, its 番, who won, points after the transfers."""

    result: ClimbingResult
    fan: int
    winners: tuple[int, ...]
    final: PerSeat


def settle(options: ChibiDagunOptions, ended: Ended) -> ClimbingSettled:
    """The settlement of a hand that is over (chibi_dagun-16.4, 17.1)."""
    play, places = ended.play, ended.places
    left = points(unpack(play.holdings[places[-1]])) if ended.end == "normal" else 0
    bonuses = bonuses_of(options, play.deal.hands)
    outcome = decide(options, ended.end, play.teams, places, play.captured, left)
    extra = bonus_coins(options, outcome, play.teams, bonuses)
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
    options: ChibiDagunOptions,
    end: str,
    teams: PerSeat,
    places: tuple[int, ...],
    captured: PerSeat,
    left: int,
) -> Outcome:
    """Result, 番 and winners; `teams` holds 0 or 1 a seat, `captured` is before transfers."""
    match end:
        case "solo":
            return _solo(options, teams, places[0], captured)
        case "bang":
            return _bang(options, teams, places[0], captured)
        case "early":
            # 二游's captured points are his for good, those of 一游's side stay with it
            safe = side_points(teams, captured)[teams[places[0]]], captured[places[1]]
            winner = places[0] if safe[0] > safe[1] else places[1]
            return _by_points(options, teams, teams[winner], captured)
        case _:
            # chibi_dagun-13.4, 13.5
            final = transferred(captured, places, left, places[2])
            return _by_points(options, teams, more_points(teams, places, final), final)


def _solo(options: ChibiDagunOptions, teams: PerSeat, first: int, captured: PerSeat) -> Outcome:
    """chibi_dagun-4.5, 14.6: the first place decides; the soloist is the one seat of team 0."""
    won = teams[first] == 0
    result = ClimbingResult.SOLO_WON if won else ClimbingResult.SOLO_LOST
    return Outcome(result, options.solo_fan, side(teams, teams[first]), captured)


def _bang(options: ChibiDagunOptions, teams: PerSeat, first: int, captured: PerSeat) -> Outcome:
    """chibi_dagun-14.1, 14.2: 光头 replaces 绑 where the others have captured nothing."""
    team = teams[first]
    sides = side_points(teams, captured)
    is_guangtou = sides[1 - team] == 0
    fan = {
        "exclusive": options.guangtou_fan if is_guangtou else options.bang_fan,
        "product": options.bang_fan
        * (options.guangtou_fan if is_guangtou else 1)
        * (options.qing_fan if sides[team] == ALL_POINTS else 1),
    }[options.fans]
    result = ClimbingResult.GUANGTOU if is_guangtou else ClimbingResult.BANG
    return Outcome(result, fan, side(teams, team), captured)


def _by_points(options: ChibiDagunOptions, teams: PerSeat, team: int, final: PerSeat) -> Outcome:
    """chibi_dagun-14.3 to 14.5: `team` has more points; all 200 are 清."""
    winners = side(teams, team)
    if side_points(teams, final)[team] == ALL_POINTS:
        return Outcome(ClimbingResult.QING, options.qing_fan, winners, final)
    return Outcome(ClimbingResult.POINTS, 1, winners, final)


def bonus_coins(
    options: ChibiDagunOptions,
    outcome: Outcome | ClimbingSettled,
    teams: PerSeat,
    bonuses: tuple[ClimbingBonus, ...],
) -> PerSeat:
    """Coins a seat from the bonuses alone: the others pay each of them (chibi_dagun-15.3)."""
    if not bonuses:
        return NO_COINS
    unit = {"base": options.base, "fan": options.base * outcome.fan}[options.bonus_unit]
    return paid(
        (
            bonus.seat,
            unit * bonus_each(options, bonus.kind),
            payers(options, teams, bonus.seat),
        )
        for bonus in bonuses
    )


def payers(options: ChibiDagunOptions, teams: PerSeat, holder: int) -> tuple[int, ...]:
    """Who pays a holder's bonus: the three others; at some tables not his partner.

    Against a soloist nobody has a partner.
    """
    others = tuple(seat for seat in range(N_SEATS) if seat != holder)
    if options.bonus_payers == "all" or sum(teams) == 3:
        return others
    return tuple(seat for seat in others if teams[seat] != teams[holder])


def bonus_each(options: ChibiDagunOptions, kind: ClimbingBonusKind) -> int:
    """What each payer pays for a bonus, in units (chibi_dagun-15.2)."""
    match kind:
        case ClimbingBonusKind.TIANZHA:
            return options.tianzha_each
        case ClimbingBonusKind.XI8:
            return options.xi8_each
        case ClimbingBonusKind.XI7:
            return options.xi7_each


def bonuses_of(options: ChibiDagunOptions, hands: tuple[bytes, ...]) -> tuple[ClimbingBonus, ...]:
    """chibi_dagun-15.1, 15.2: by seat, 天炸 first, then 8喜 and 7喜 from rank 3 up."""
    of_eight = {"alone": (XI8,), "with_xi7": (XI8, XI7)}[options.xi8_counts]
    return dealt_bonuses(hands, {7: (XI7,), 8: of_eight}.__getitem__)
