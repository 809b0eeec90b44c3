"""A 打拱 holding laid out for play: bombs kept together, the rest in as few plays as will do.

A pure function of the holding: the table's options are asked only when a play is chosen.
"""

from functools import lru_cache

from msgspec import Struct

from replay.engine.mechanics.holding import unpack
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER

ACE = RANKS.index("A")
_FIVE, _TEN, _KING = (RANKS.index(r) for r in "5TK")
_JOKERS = bytes((BLACK_JOKER, RED_JOKER))
_MEMORY = 1 << 12


class Group(Struct, frozen=True, gc=False):
    """Cards to be laid as one play that is no bomb: `kind`, `size`, `rank` as in `Play`."""

    kind: str
    size: int
    rank: int
    cards: bytes


class Grouping(Struct, frozen=True):
    """The whole holding: `groups` with the first to lead first, `bombs` without the jokers."""

    groups: tuple[Group, ...]
    bombs: tuple[bytes, ...]
    jokers: bytes


@lru_cache(maxsize=_MEMORY)
def grouping(holding: int) -> Grouping:
    """The layout of a packed holding."""
    cards = unpack(holding)
    others = cards.rstrip(_JOKERS)
    jokers = cards[len(others) :]
    ranks: list[bytes] = [b""] * len(RANKS)
    for code in others:
        ranks[code >> 2] += bytes((code,))
    bombs = _take_bombs(ranks)
    groups = [*_take_pair_chains(ranks), *_take_straights(ranks)]
    for rank, held in enumerate(ranks):
        if held:
            groups.append(Group("single" if len(held) == 1 else "pair", 1, rank, held))
    groups.sort(key=_lead_order)
    return Grouping(tuple(groups), tuple(bombs), jokers)


def _lead_order(group: Group) -> tuple[int, int, bytes]:
    """Low first; each card more than one makes up for a rank and a half."""
    return 2 * group.rank - 3 * (len(group.cards) - 1), group.rank, group.cards


def _take_bombs(ranks: list[bytes]) -> list[bytes]:
    """正五十K, then three and more of a rank, then 杂五十K of what is left."""
    bombs = []
    while suits := _suits(ranks[_FIVE]) & _suits(ranks[_TEN]) & _suits(ranks[_KING]):
        pure = bytes(4 * rank + min(suits) for rank in (_FIVE, _TEN, _KING))
        bombs.append(pure)
        for code in pure:
            ranks[code >> 2] = ranks[code >> 2].replace(bytes((code,)), b"", 1)
    for rank, held in enumerate(ranks):
        if len(held) >= 3:
            bombs.append(held)
            ranks[rank] = b""
    while ranks[_FIVE] and ranks[_TEN] and ranks[_KING]:
        bombs.append(bytes(ranks[rank][0] for rank in (_FIVE, _TEN, _KING)))
        for rank in (_FIVE, _TEN, _KING):
            ranks[rank] = ranks[rank][1:]
    return bombs


def _suits(cards: bytes) -> set[int]:
    return {code & 3 for code in cards}


def _take_pair_chains(ranks: list[bytes]) -> list[Group]:
    """Neighbouring pairs, two and more, within 3…A."""
    chains, low = [], 0
    while low < ACE:
        high = low
        while high <= ACE and len(ranks[high]) == 2:
            high += 1
        if high - low >= 2:
            cards = b"".join(ranks[low:high])
            chains.append(Group("pair_chain", high - low, high - 1, cards))
            ranks[low:high] = [b""] * (high - low)
        low = high + 1
    return chains


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
