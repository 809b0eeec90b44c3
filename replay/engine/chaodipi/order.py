"""牌的大小: the order of the cards in every context of level and trump (chaodipi-3, 6.4 to 6.6)."""

from msgspec import Struct

from replay.engine.mechanics.holding import masks
from replay.engine.mechanics.order import CardOrder, order_of
from schema.cards import BLACK_JOKER, N_FACES, RANKS, RED_JOKER
from schema.options import ChaodipiOptions

LEVELS = "23456789TJQKAF"
"""The ladder of levels; F is 扛旗."""
ACE, FLAG = LEVELS.index("A"), LEVELS.index("F")
TRUMP = 4
"""The effective suit of trumps; side suits are 0 d … 3 s."""
NO_TRUMP = 4
"""The trump suit of a hand without one."""
HEARTS = 2
RED_FIVE = RANKS.index("5") * 4 + HEARTS
NO_PLACE = 255
_SUITS = tuple(bytes(RANKS.index(rank) * 4 + suit for rank in "AKQJT98765432") for suit in range(4))
"""The printed suits, from A down to 2."""
_RANK = tuple(RANKS.find(level) for level in LEVELS)
"""By level the rank of its cards; -1 for 扛旗."""
_SIDE_LINE, _TRUMP_LINE, _JOKER_LINE = 20, 100, 140
"""Where the lines of neighbours begin: no face of one line is next to one of another."""


class Context(Struct, frozen=True, eq=False):
    """A level and a trump suit, and all that follows from them at one table.

    `place` numbers the faces whose pairs can stand in a tractor, neighbours following one another;
    `height` is what two tractors are compared by. `masks` pick an effective suit out of a holding.
    """

    level: int
    trump: int
    order: CardOrder
    place: bytes
    height: bytes
    masks: tuple[int, ...]


def context(options: ChaodipiOptions, level: int, trump: int) -> Context:
    """The context of a hand at `level` (13 = 扛旗) with this trump suit (4 = none)."""
    order = order_of([*(_side(level, trump, suit) for suit in range(4)), _trumps(level, trump)])
    place = _places(options, level, trump)
    height = {"strongest": order.strength, "printed": place}[options.level_tractor]
    return Context(level, trump, order, place, height, masks(order.suit, TRUMP + 1))


def level_faces(level: int) -> bytes:
    """The level cards but for the 红桃5, which is more than that (chaodipi-3.8); none in 扛旗."""
    if level == FLAG:
        return b""
    first = _RANK[level] * 4
    return bytes(face for face in range(first, first + 4) if face != RED_FIVE)


def _plain(level: int, suit: int) -> list[bytes]:
    """A printed suit from A to 2, without level cards and 红桃5: each a tier of its own."""
    cards = [code for code in _SUITS[suit] if code >> 2 != _RANK[level]]
    return [bytes((code,)) for code in cards if code != RED_FIVE]


def _side(level: int, trump: int, suit: int) -> list[bytes]:
    return [] if suit == trump else _plain(level, suit)


def _trumps(level: int, trump: int) -> list[bytes]:
    """chaodipi-3.5: 红桃5, 大王, 小王, level cards, the trump suit."""
    top = [bytes([RED_FIVE]), bytes([RED_JOKER]), bytes([BLACK_JOKER])]
    levels = level_faces(level)
    of_trump = bytes(face for face in levels if face & 3 == trump)
    others = bytes(face for face in levels if face & 3 != trump)
    plain = [] if trump == NO_TRUMP else _plain(level, trump)
    return [*top, *(tier for tier in (of_trump, others) if tier), *plain]


def _places(options: ChaodipiOptions, level: int, trump: int) -> bytes:
    place = bytearray([NO_PLACE] * N_FACES)
    for suit in range(4):
        if suit == trump:
            _number(place, _printed(options, suit), _TRUMP_LINE)
        else:
            _number(place, _gapped(options, level, suit), _SIDE_LINE * suit)
    if options.joker_tractor == "pairs":
        _number(place, [BLACK_JOKER, RED_JOKER], _JOKER_LINE)
    return bytes(place) + bytes(range(N_FACES, 256))


def _number(place: bytearray, faces: list[int | None], start: int) -> None:
    for number, face in enumerate(faces, start):
        if face is not None:
            place[face] = number


def _printed(options: ChaodipiOptions, suit: int) -> list[int | None]:
    """chaodipi-6.5: trumps stand next to each other by printed rank, the level card too."""
    faces: list[int | None] = list(reversed(_SUITS[suit]))
    if options.red_five_in_tractor == "never":
        return [None if face == RED_FIVE else face for face in faces]
    return faces


def _gapped(options: ChaodipiOptions, level: int, suit: int) -> list[int | None]:
    """chaodipi-6.4: in a side suit what is missing closes the gap."""
    faces: list[int | None] = [code for code in reversed(_SUITS[suit]) if code >> 2 != _RANK[level]]
    if options.heart_gap == "open":
        return [None if face == RED_FIVE else face for face in faces]
    return [face for face in faces if face != RED_FIVE]
