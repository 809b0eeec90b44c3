"""结算: from the end of a hand to coins and the next dealer (dagong-8.9 to 8.14, 9.5, 10, 11)."""

from msgspec import Struct

from replay.engine.climbing.states import Carry, Ended
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.ranks import RANK_OF
from replay.engine.mechanics.seats import N_SEATS, per_seat
from schema.cards import RANKS
from schema.events import ClimbingBonus, ClimbingBonusKind, ClimbingResult, ClimbingSettled
from schema.options import DagongOptions

ALL_POINTS = 200
N_RANKS = len(RANKS)
PerSeat = tuple[int, int, int, int]


class Outcome(Struct, frozen=True):
    """What decides the coins: the result, its 番, who won, points after the transfers."""

    result: ClimbingResult
    fan: int
    winners: tuple[int, ...]
    final: PerSeat


def settle(options: DagongOptions, ended: Ended) -> ClimbingSettled:
    """The settlement of a hand that is over."""
    play, places = ended.play, ended.places
    left = points(unpack(play.holdings[places[-1]])) if ended.end == "normal" else 0
    bonuses = dealt_bonuses(play.deal.hands)
    outcome = decide(options, ended.end, play.teams, places, play.captured, left)
    deltas = coins(options, outcome, bonuses)
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


def carried(carry: Carry, deltas: PerSeat, first: int) -> Carry:
    """dagong-11.3: 一游 deals next; coins add up."""
    balances = tuple(map(sum, zip(carry.balances, deltas, strict=True)))
    return Carry(carry.hand_no + 1, first, per_seat(balances))


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
    if end == "solo":
        # dagong-9.4: the soloist is the one seat of team 0
        won = teams[first] == 0
        result = ClimbingResult.SOLO_WON if won else ClimbingResult.SOLO_LOST
        return Outcome(result, options.solo_fan, _side(teams, teams[first]), captured)
    if end == "bang":
        # dagong-8.13, 8.14: 光头 replaces 绑 when the others captured nothing
        others = sum(captured[s] for s in range(N_SEATS) if teams[s] != teams[first])
        result = ClimbingResult.BANG if others else ClimbingResult.GUANGTOU
        fan = options.bang_fan if others else options.guangtou_fan
        return Outcome(result, fan, _side(teams, teams[first]), captured)
    final = transfers(options, places, captured, left)
    return _by_points(options, teams, places, final)


def transfers(
    options: DagongOptions, places: tuple[int, ...], captured: PerSeat, left: int
) -> PerSeat:
    """dagong-8.9: what 末游 captured goes to 一游, what he still holds to 三游."""
    first, third, last = places[0], places[2], places[3]
    final = list(captured)
    final[first] += final[last]
    final[last] = 0
    final[{"third": third, "first": first}[options.last_hand_points_to]] += left
    return per_seat(final)


def _by_points(
    options: DagongOptions, teams: PerSeat, places: tuple[int, ...], final: PerSeat
) -> Outcome:
    """dagong-8.11, 8.12: more points win, at 100–100 the side of 末游 loses; all 200 is 清."""
    sides = [sum(final[s] for s in range(N_SEATS) if teams[s] == team) for team in (0, 1)]
    last_team = teams[places[-1]]
    winner = 1 - last_team if sides[0] == sides[1] else sides.index(max(sides))
    is_qing = ALL_POINTS in sides
    result = ClimbingResult.QING if is_qing else ClimbingResult.POINTS
    return Outcome(result, options.qing_fan if is_qing else 1, _side(teams, winner), final)


def _side(teams: PerSeat, team: int) -> tuple[int, ...]:
    return tuple(s for s in range(N_SEATS) if teams[s] == team)


def stakes(base: int, fan: int, n_winners: int) -> tuple[int, int]:
    """What each winner gains and each loser pays, bonuses aside (dagong-9.5, 11.2).

    Two against two is one for one; a lone soloist plays for the stake with each of three.
    """
    stake = base * fan
    return stake * (3 if n_winners == 1 else 1), stake * (3 if n_winners == 3 else 1)


def bonus_coins(options: DagongOptions, fan: int, bonuses: tuple[ClimbingBonus, ...]) -> PerSeat:
    """Coins a seat from the bonuses alone: the three others pay each (dagong-10.3)."""
    if not bonuses:
        return 0, 0, 0, 0
    unit = {"base": options.base, "fan": options.base * fan}[options.bonus_unit]
    totals = [0] * N_SEATS
    for bonus in bonuses:
        each = unit * bonus_each(options, bonus.kind)
        for seat in range(N_SEATS):
            totals[seat] += each * (N_SEATS - 1) if seat == bonus.seat else -each
    return per_seat(totals)


def coins(options: DagongOptions, outcome: Outcome, bonuses: tuple[ClimbingBonus, ...]) -> PerSeat:
    """dagong-11.1: the hand's coins a seat, the bonuses added."""
    gain, loss = stakes(options.base, outcome.fan, len(outcome.winners))
    extra = bonus_coins(options, outcome.fan, bonuses)
    return per_seat((gain if s in outcome.winners else -loss) + extra[s] for s in range(N_SEATS))


def bonus_each(options: DagongOptions, kind: ClimbingBonusKind) -> int:
    """What each of the three other seats pays for a bonus, in units."""
    match kind:
        case ClimbingBonusKind.TIANZHA:
            return options.tianzha_each
        case ClimbingBonusKind.XI8:
            return options.xi8_each
        case ClimbingBonusKind.XI7:
            return options.xi7_each


def dealt_bonuses(hands: tuple[bytes, ...]) -> tuple[ClimbingBonus, ...]:
    """dagong-10.1, 10.2: by seat, 天炸 first, then 8喜 and 7喜 from rank 3 up."""
    return tuple(
        ClimbingBonus(seat, kind) for seat, cards in enumerate(hands) for kind in _kinds(cards)
    )


def _kinds(cards: bytes) -> list[ClimbingBonusKind]:
    counts = [0] * (N_RANKS + 1)
    for rank in cards.translate(RANK_OF):
        counts[rank] += 1
    kinds = [ClimbingBonusKind.TIANZHA] if counts[-1] == 4 else []
    if max(counts) >= 7:
        xi = {8: ClimbingBonusKind.XI8, 7: ClimbingBonusKind.XI7}
        kinds += [xi[n] for n in counts if n in xi]
    return kinds
