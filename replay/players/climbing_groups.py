"""How a holding of either climbing game is laid out for play: cards by rank, runs, 五十K."""

from collections.abc import Sequence

from msgspec import Struct

from replay.engine.mechanics.holding import unpack
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER

ACE, TWO = RANKS.index("A"), RANKS.index("2")
WSK_RANKS = tuple(RANKS.index(r) for r in "5TK")
_JOKERS = bytes((BLACK_JOKER, RED_JOKER))
_OF_RANK = ("", "single", "pair", "triple")


class Group(Struct, frozen=True, gc=False):
    """Cards to be laid as one play that is no bomb: `kind`, `size`, `rank` as in `Play`."""

    kind: str
    size: int
    rank: int
    cards: bytes


class Grouping(Struct, frozen=True):
    """The whole holding: `groups` with the first to lead first, `bombs`, and the jokers apart."""

    groups: tuple[Group, ...]
    bombs: tuple[bytes, ...]
    jokers: bytes


def by_rank(holding: int) -> tuple[list[bytes], bytes]:
    """The cards of each rank, from 3 to 2, and the jokers."""
    cards = unpack(holding)
    others = cards.rstrip(_JOKERS)
    ranks: list[bytes] = [b""] * len(RANKS)
    for code in others:
        ranks[code >> 2] += bytes((code,))
    return ranks, cards[len(others) :]


def lead_order(group: Group) -> tuple[int, int, bytes]:
    """Low first; each card more than one makes up for a rank and a half."""
    return 2 * group.rank - 3 * (len(group.cards) - 1), group.rank, group.cards


def of_rank(rank: int, cards: bytes) -> Group:
    """One to three cards of a rank."""
    return Group(_OF_RANK[len(cards)], 1, rank, cards)


def take_pure_wsks(ranks: list[bytes]) -> list[bytes]:
    """Every 正五十K, out of `ranks`."""
    five, ten, king = WSK_RANKS
    found = []
    while suits := _suits(ranks[five]) & _suits(ranks[ten]) & _suits(ranks[king]):
        pure = bytes(4 * rank + min(suits) for rank in WSK_RANKS)
        found.append(pure)
        for code in pure:
            ranks[code >> 2] = ranks[code >> 2].replace(bytes((code,)), b"", 1)
    return found


def _suits(cards: bytes) -> set[int]:
    return {code & 3 for code in cards}


def take_mixed_wsks(ranks: list[bytes]) -> list[bytes]:
    """五十K of what is left, out of `ranks`."""
    found = []
    while all(ranks[rank] for rank in WSK_RANKS):
        found.append(bytes(ranks[rank][0] for rank in WSK_RANKS))
        for rank in WSK_RANKS:
            ranks[rank] = ranks[rank][1:]
    return found


def take_sets(ranks: list[bytes], least: int) -> list[bytes]:
    """The ranks with at least so many cards, whole, out of `ranks`."""
    found = []
    for rank, held in enumerate(ranks):
        if len(held) >= least:
            found.append(held)
            ranks[rank] = b""
    return found


def take_chains(ranks: list[bytes], kind: str, width: int) -> list[Group]:
    """Neighbours with `width` cards each, two ranks and more, within 3…A; out of `ranks`."""
    chains, low = [], 0
    while low < ACE:
        high = low
        while high <= ACE and len(ranks[high]) == width:
            high += 1
        if high - low >= 2:
            cards = b"".join(ranks[low:high])
            chains.append(Group(kind, high - low, high - 1, cards))
            ranks[low:high] = [b""] * (high - low)
        low = high + 1
    return chains


def rest_of(ranks: Sequence[bytes]) -> list[Group]:
    """What is left, rank by rank."""
    return [of_rank(rank, held) for rank, held in enumerate(ranks) if held]
