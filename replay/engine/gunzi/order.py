"""牌的大小: the order of the cards in every context of level and trump suit (gunzi-4)."""

from msgspec import Struct

from replay.engine.mechanics.holding import masks
from replay.engine.mechanics.order import CardOrder, order_of
from schema.cards import BLACK_JOKER, N_FACES, RANKS, RED_JOKER, SUITS

LEVELS = "23456789T"
"""The ladder of levels; nobody plays at 2."""
THREE, TEN = LEVELS.index("3"), LEVELS.index("T")
TRUMP = len(SUITS)
"""The effective suit of trumps; side suits are 0 d … 3 s."""
NO_TRUMP = len(SUITS)
"""For cards that are looked at before there is a trump suit."""
_TWO = RANKS.index("2")
_SIDE_RANKS = tuple(RANKS.index(rank) for rank in "AKQJT9876543")
"""Ranks of side cards, from the top down; a 2 is always trump."""
_TRUMPS_FROM = 20
_TWOS, _LEVELS, _JOKERS = 40, 41, 42


class Context(Struct, frozen=True, eq=False):
    """A level and a trump suit, and all that follows from them.

    By card code: `height` compares cards of all suits, side suits by rank and trumps above them;
    `step` is the height without telling the suits of 2s and of level cards apart. `masks` pick an
    effective suit out of a holding.
    """

    level: int
    trump: int
    order: CardOrder
    height: bytes
    step: bytes
    masks: tuple[int, ...]


def context(level: int, trump: int) -> Context:
    """The context of a hand at `level` (1 for 3 … 8 for 10) with this trump suit."""
    rank = level_rank(level)
    order = order_of([*(_side(rank, trump, suit) for suit in range(4)), _trumps(rank, trump)])
    height, step = bytearray(range(256)), bytearray(range(256))
    for code in range(N_FACES):
        is_trump = order.suit[code] == TRUMP
        height[code] = _TRUMPS_FROM + order.strength[code] if is_trump else code >> 2
        step[code] = _trump_step(code, rank) if is_trump else code >> 2
    return Context(level, trump, order, bytes(height), bytes(step), masks(order.suit, TRUMP + 1))


def level_rank(level: int) -> int:
    """The rank of a level's cards, as cards number ranks."""
    return RANKS.index(LEVELS[level])


def _plain(rank: int, suit: int) -> list[bytes]:
    """A printed suit from A to 3 without its level card: each a tier of its own."""
    return [bytes([other * 4 + suit]) for other in _SIDE_RANKS if other != rank]


def _side(rank: int, trump: int, suit: int) -> list[bytes]:
    return [] if suit == trump else _plain(rank, suit)


def _trumps(rank: int, trump: int) -> list[bytes]:
    """gunzi-4.2: 大王, 小王, level cards, 2s, of both first that of the trump suit, the suit."""
    twos_and_levels = [
        bytes(number * 4 + suit for suit in range(4) if (suit == trump) == is_trump)
        for number in (rank, _TWO)
        for is_trump in (True, False)
    ]
    plain = [] if trump == NO_TRUMP else _plain(rank, trump)
    return [bytes([RED_JOKER]), bytes([BLACK_JOKER]), *filter(None, twos_and_levels), *plain]


def _trump_step(code: int, rank: int) -> int:
    if code >= BLACK_JOKER:
        return _JOKERS + (code == RED_JOKER)
    if code >> 2 == rank:
        return _LEVELS
    return _TWOS if code >> 2 == _TWO else _TRUMPS_FROM + (code >> 2)


def largest(context: Context, cards: bytes, n: int) -> bytes:
    """The `n` largest of the cards, largest first; of equal ones any."""
    return bytes(sorted(cards, key=lambda code: (-context.height[code], code))[:n])


def smallest(context: Context, cards: bytes, n: int) -> bytes:
    """The `n` smallest of the cards, smallest first; of equal ones any."""
    return bytes(sorted(cards, key=lambda code: (context.height[code], code))[:n])


def are_as_high(table: bytes, some: bytes, others: bytes) -> bool:
    """Whether two sets of cards are equal but for the choice among equal cards."""
    return sorted(some.translate(table)) == sorted(others.translate(table))
