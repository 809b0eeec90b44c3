"""癞子: what a joker may complete, and what it then stands for (chibi_dagun-5)."""

from replay.engine.chibi_dagun.bombs import WSK_RANKS, Shape
from replay.engine.mechanics.plays import Play
from schema.cards import BLACK_JOKER, RANKS

ACE = RANKS.index("A")
CHAINS = (("triple_chain", 3), ("pair_chain", 2))
"""飞机 and 连对, the canonical one first, with the cards that each of their ranks has."""
_WIDTH = dict(CHAINS)


def chains(low: int, high: int, most: int, n: int) -> list[Shape]:
    """Every chain that `n` cards, four or more, can be, higher windows first (chibi_dagun-5.9).

    Their naturals lie from `low` to `high`, no rank more than `most` times; jokers are the rest.
    """
    found: list[Shape] = []
    for kind, width in CHAINS:
        length = n // width
        if length * width == n and most <= width:
            # a window holds all naturals, starts at 3 or above and ends at A or below: a 2 has none
            highest, lowest = min(low + length - 1, ACE), max(high, length - 1)
            found += [(kind, length, top, ()) for top in range(highest, lowest - 1, -1)]
    return found


def stands_for(play: Play) -> tuple[tuple[int, str], ...]:
    """Each wild joker of a play: its index in `play.cards` and the rank that it stands for.

    In a chain the first joker takes the lowest place that is free, and so on upwards. The jokers
    of a 天炸 are no wilds.
    """
    jokers = [i for i, code in enumerate(play.cards) if code >= BLACK_JOKER]
    if not jokers or play.kind == "tianzha":
        return ()
    places = _ranks(play)
    for code in play.cards:
        if code < BLACK_JOKER:
            places.remove(code >> 2)
    return tuple((i, RANKS[rank]) for i, rank in zip(jokers, places, strict=True))


def _ranks(play: Play) -> list[int]:
    """The ranks of the cards that a play with wilds amounts to, ascending."""
    match play.kind:
        case "triple_chain" | "pair_chain" as kind:
            window = range(play.rank - play.size + 1, play.rank + 1)
            return [rank for rank in window for _ in range(_WIDTH[kind])]
        case "wsk_pure" | "wsk_mixed":
            return list(WSK_RANKS)
        case _:
            return [play.rank] * len(play.cards)
