"""A 打拱 holding laid out for play: bombs kept together, the rest in as few plays as will do.

A pure function of the holding: the table's options are asked only when a play is chosen.
"""

from functools import lru_cache

from replay.players.climbing_groups import (
    ACE,
    Group,
    Grouping,
    by_rank,
    lead_order,
    rest_of,
    take_chains,
    take_mixed_wsks,
    take_pure_wsks,
    take_sets,
)

_MEMORY = 1 << 12
_SMALLEST_BOMB = 3


@lru_cache(maxsize=_MEMORY)
def grouping(holding: int) -> Grouping:
    """The layout of a packed holding; the jokers are not among its bombs."""
    ranks, jokers = by_rank(holding)
    bombs = [*take_pure_wsks(ranks), *take_sets(ranks, _SMALLEST_BOMB), *take_mixed_wsks(ranks)]
    groups = [
        *take_chains(ranks, "pair_chain", 2),
        *_take_straights(ranks),
        *rest_of(ranks),
    ]
    groups.sort(key=lead_order)
    return Grouping(tuple(groups), tuple(bombs), jokers)


def _take_straights(ranks: list[bytes]) -> list[Group]:
    """Runs of three and more within 3…A, one card a rank, where that saves plays."""
    straights, low = [], 0
    while low <= ACE - 2:
        high = low
        while high <= ACE and ranks[high]:
            high += 1
        following = high + 1
        while high > low and len(ranks[low]) == 2:
            low += 1
        while high > low and len(ranks[high - 1]) == 2:
            high -= 1
        length = high - low
        pairs = sum(len(held) == 2 for held in ranks[low:high])
        # Without the straight each rank is one play; with it each pair leaves a single behind.
        if length >= 3 and pairs <= length - 2:
            cards = bytes(held[0] for held in ranks[low:high])
            straights.append(Group("straight", length, high - 1, cards))
            for rank in range(low, high):
                ranks[rank] = ranks[rank][1:]
        low = following
    return straights
