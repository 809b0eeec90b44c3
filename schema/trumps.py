"""Trump suits, as the games with levels and trumps write them."""

from enum import IntEnum


class Trump(IntEnum):
    """A trump suit (主花色), or none (无主)."""

    DIAMONDS = 0
    CLUBS = 1
    HEARTS = 2
    SPADES = 3
    NO_TRUMP = 4


class Named(IntEnum):
    """What a seat says its cards make trump; NOTHING where it says nothing, or need not."""

    DIAMONDS = 0
    CLUBS = 1
    HEARTS = 2
    SPADES = 3
    NO_TRUMP = 4
    NOTHING = 5
