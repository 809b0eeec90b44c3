"""结算: what both climbing games reckon alike: transfers, who has more points, stakes, bonuses."""

from collections.abc import Callable, Iterable

from replay.engine.climbing.states import Carry, PerSeat
from replay.engine.mechanics.ranks import RANK_OF
from replay.engine.mechanics.seats import N_SEATS, per_seat
from schema.cards import RANKS
from schema.events import ClimbingBonus, ClimbingBonusKind

ALL_POINTS = 200
_N_RANKS = len(RANKS)
NO_COINS: PerSeat = (0, 0, 0, 0)


def carried(carry: Carry, deltas: PerSeat, first: int) -> Carry:
    """What the next hand opens with: 一游 deals, coins add up."""
    balances = tuple(map(sum, zip(carry.balances, deltas, strict=True)))
    return Carry(carry.hand_no + 1, first, per_seat(balances))


def transferred(captured: PerSeat, places: tuple[int, ...], left: int, left_to: int) -> PerSeat:
    """Points after 末游's captured ones went to 一游, and those in his hand to `left_to`."""
    first, last = places[0], places[-1]
    final = list(captured)
    final[first] += final[last]
    final[last] = 0
    final[left_to] += left
    return per_seat(final)


def side(teams: PerSeat, team: int) -> tuple[int, ...]:
    """The seats of one team, ascending."""
    return tuple(s for s in range(N_SEATS) if teams[s] == team)


def side_points(teams: PerSeat, points: PerSeat) -> tuple[int, int]:
    """The points of team 0 and of team 1."""
    of_first = sum(points[s] for s in side(teams, 0))
    return of_first, sum(points) - of_first


def more_points(teams: PerSeat, places: tuple[int, ...], final: PerSeat) -> int:
    """The team with more points; at 100 to 100 the one that has not 末游."""
    first, second = side_points(teams, final)
    if first == second:
        return 1 - teams[places[-1]]
    return 0 if first > second else 1


def stakes(base: int, fan: int, n_winners: int) -> tuple[int, int]:
    """What each winner gains and each loser pays, bonuses aside.

    Two against two is one for one; a lone soloist plays for the stake with each of three.
    """
    stake = base * fan
    return stake * (3 if n_winners == 1 else 1), stake * (3 if n_winners == 3 else 1)


def paid(amounts: Iterable[tuple[int, int, tuple[int, ...]]]) -> PerSeat:
    """Coins a seat from (holder, coins from each payer, payers)."""
    totals = [0] * N_SEATS
    for holder, each, payers in amounts:
        for payer in payers:
            totals[payer] -= each
        totals[holder] += each * len(payers)
    return per_seat(totals)


def coins(base: int, fan: int, winners: tuple[int, ...], extra: PerSeat) -> PerSeat:
    """The hand's coins a seat, `extra` (its bonuses) added."""
    gain, loss = stakes(base, fan, len(winners))
    return per_seat((gain if s in winners else -loss) + extra[s] for s in range(N_SEATS))


def dealt_bonuses(
    hands: tuple[bytes, ...], kinds_of: Callable[[int], tuple[ClimbingBonusKind, ...]]
) -> tuple[ClimbingBonus, ...]:
    """Bonuses by seat, 天炸 first, then rank by rank from 3 up what `kinds_of(copies)` names."""
    return tuple(
        ClimbingBonus(seat, kind)
        for seat, cards in enumerate(hands)
        for kind in _kinds(cards, kinds_of)
    )


def _kinds(
    cards: bytes, kinds_of: Callable[[int], tuple[ClimbingBonusKind, ...]]
) -> list[ClimbingBonusKind]:
    counts = [0] * (_N_RANKS + 1)
    for rank in cards.translate(RANK_OF):
        counts[rank] += 1
    kinds = [ClimbingBonusKind.TIANZHA] if counts[_N_RANKS] == 4 else []
    if max(counts) >= 7:
        kinds += [kind for n in counts[:_N_RANKS] if n >= 7 for kind in kinds_of(n)]
    return kinds
