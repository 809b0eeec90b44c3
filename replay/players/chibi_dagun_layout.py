"""A 赤壁打滚 holding laid out for play: bombs kept together, jokers where they do most.

A pure function of the holding: a bomb that the table does not have is taken apart again when a
play is chosen (`chibi_dagun`).
"""

from functools import lru_cache

from replay.players.chibi_dagun_wilds import with_jokers
from replay.players.climbing_groups import (
    Grouping,
    by_rank,
    lead_order,
    rest_of,
    take_chains,
    take_mixed_wsks,
    take_pure_wsks,
    take_sets,
)

_MEMORY = 1 << 13
_SMALLEST_BOMB = 4


@lru_cache(maxsize=_MEMORY)
def layout(holding: int) -> Grouping:
    """The layout of a packed holding: jokers in groups and bombs, those in reserve apart.

    All four jokers are one of the bombs.
    """
    ranks, jokers = by_rank(holding)
    bombs = take_sets(ranks, _SMALLEST_BOMB)
    planes = take_chains(ranks, "triple_chain", 3)
    bombs += [*take_pure_wsks(ranks), *take_mixed_wsks(ranks)]
    groups = [*planes, *take_chains(ranks, "pair_chain", 2), *rest_of(ranks)]
    if len(jokers) == 4:
        bombs.append(jokers)
        jokers = b""
    if jokers:
        groups, bombs, jokers = with_jokers(groups, bombs, jokers)
    groups.sort(key=lead_order)
    return Grouping(tuple(groups), tuple(bombs), jokers)
