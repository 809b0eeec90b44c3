"""分: each 5 is worth 5, each 10 and each K is worth 10."""

from schema.cards import ALL_CODES, RANKS, rank

_BY_RANK = {RANKS.index("5"): 5, RANKS.index("T"): 10, RANKS.index("K"): 10}
_WORTH = bytes(_BY_RANK.get(rank(code), 0) for code in ALL_CODES) + bytes(256 - len(ALL_CODES))


def points(cards: bytes) -> int:
    """Points of the cards, in 分."""
    return sum(cards.translate(_WORTH))
