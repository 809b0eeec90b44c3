"""牌型: which type a set of cards is (at most one), and how strong (dagong-4, dagong-5).

`Types` is the value that depends on the table's options; it remembers what it has classified.
"""

from msgspec import Struct

from replay.engine.climbing.deal import DECKS
from replay.engine.mechanics.holding import pack
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.points import points
from replay.engine.mechanics.ranks import RANK_OF, count_jokers
from schema.cards import RANKS, RED_JOKER
from schema.options import DagongOptions

ACE = RANKS.index("A")
JOKER_RANK = RANKS.index("2") + 1
_WSK = frozenset(RANKS.index(r) for r in "5TK")
_MEMORY = 1 << 15
"""Sets remembered per log before starting afresh: bounded whatever the log holds."""


class Shape(Struct, frozen=True):
    """A type without the cards: what `Play` says of kind, size, rank and power."""

    kind: str
    size: int
    rank: int
    power: tuple[int, ...]


# dagong-5.5, weakest to strongest: 3炸 4炸 杂五十K 5炸 正五十K(方梅红黑) 6炸 对王 7喜 摇摆 8喜 天炸
_BOMB_LEVEL = {3: 1, 4: 2, 5: 4, 6: 9, 7: 11, 8: 13}
_WSK_MIXED_LEVEL = 3
_WSK_PURE_LEVEL = 5
_JOKER_PAIR_LEVEL = 10
_YAOBAI_LEVEL = 12
_TIANZHA_LEVEL = 14


class Types:
    """The types of one table: `readings(cards)` is empty or holds the one type."""

    def __init__(self, options: DagongOptions) -> None:
        self._options = options
        self._memory: dict[bytes, tuple[Play, ...]] = {}

    def readings(self, cards: bytes) -> tuple[Play, ...]:
        """The type of the cards, in whatever order they were logged (dagong-4)."""
        known = self._memory.get(cards)
        if known is not None:
            return known
        if len(self._memory) >= _MEMORY:
            self._memory.clear()
        found = self._memory[cards] = self._classify(cards)
        return found

    def _classify(self, cards: bytes) -> tuple[Play, ...]:
        try:
            packed = pack(cards, DECKS)
        except ValueError:
            return ()
        shape = self._shape(cards)
        if shape is None:
            return ()
        return (
            Play(shape.kind, shape.size, shape.rank, shape.power, cards, packed, points(cards)),
        )

    def _shape(self, cards: bytes) -> Shape | None:
        jokers = count_jokers(cards)
        if jokers:
            return self._jokers(cards) if jokers == len(cards) else None
        if not cards:
            return None  # dagong-4.11: no cards are no type, and no pass
        ranks = cards.translate(RANK_OF)
        distinct = set(ranks)
        if len(distinct) == 1:
            return _one_rank(ranks[0], len(ranks))
        if len(ranks) == 3 and distinct == _WSK:
            return _wsk(cards)
        return _chain(sorted(ranks), sorted(distinct))

    def _jokers(self, cards: bytes) -> Shape | None:
        """dagong-4.1, 4.7, 4.8, 4.9: one is a single, two 对王, three 摇摆, four 天炸."""
        match len(cards):
            case 1:
                is_ranked = self._options.single_jokers == "ranked"
                high = JOKER_RANK + (cards[0] == RED_JOKER and is_ranked)
                return Shape("single", 1, high, ())
            case 2:
                return self._joker_pair(cards)
            case 3:
                return Shape("yaobai", 3, JOKER_RANK, (_YAOBAI_LEVEL,))
            case _:
                return Shape("tianzha", 4, JOKER_RANK, (_TIANZHA_LEVEL,))

    def _joker_pair(self, cards: bytes) -> Shape | None:
        """dagong-5.7: two 大王 > two 小王 > one of each, unless the table has them equal."""
        is_mixed = cards[0] != cards[1]
        if is_mixed and self._options.joker_pair == "same":
            return None
        order = 0 if is_mixed else 1 + (cards[0] == RED_JOKER)
        within = order if self._options.joker_pairs == "ranked" else 0
        return Shape("joker_pair", 2, JOKER_RANK, (_JOKER_PAIR_LEVEL, within))


def _one_rank(rank: int, n: int) -> Shape:
    """dagong-4.1, 4.2, 4.5: one card, a pair, three and more are a bomb (7喜 and 8喜 too)."""
    if n == 1:
        return Shape("single", 1, rank, ())
    if n == 2:
        return Shape("pair", 1, rank, ())
    return Shape({7: "xi7", 8: "xi8"}.get(n, "bomb"), n, rank, (_BOMB_LEVEL[n], rank))


def _wsk(cards: bytes) -> Shape:
    """dagong-4.6: 5 10 K of one suit are 正, else 杂; 杂 are all equal."""
    suits = {code & 3 for code in cards}
    if len(suits) > 1:
        return Shape("wsk_mixed", 3, 0, (_WSK_MIXED_LEVEL,))
    suit = suits.pop()
    return Shape("wsk_pure", 3, suit, (_WSK_PURE_LEVEL + suit,))


def _chain(ranks: list[int], distinct: list[int]) -> Shape | None:
    """dagong-4.3, 4.4: neighbouring ranks within 3…A, each once (3 up) or twice (2 up)."""
    top, length = distinct[-1], len(distinct)
    if top > ACE or top - distinct[0] != length - 1:
        return None
    if len(ranks) == length and length >= 3:
        return Shape("straight", length, top, ())
    if len(ranks) == 2 * length and ranks[::2] == ranks[1::2]:
        return Shape("pair_chain", length, top, ())
    return None
