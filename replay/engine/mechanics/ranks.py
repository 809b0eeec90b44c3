"""Ranks and jokers of many cards at once."""

from schema.cards import ALL_CODES, BLACK_JOKER, RED_JOKER, rank

RANK_OF = bytes(map(rank, ALL_CODES)) + bytes(range(len(ALL_CODES), 256))
"""Translates card codes to ranks: 0 for a 3 … 12 for a 2, 13 for either joker."""


def count_jokers(cards: bytes) -> int:
    """How many of the cards are jokers."""
    return cards.count(BLACK_JOKER) + cards.count(RED_JOKER)
