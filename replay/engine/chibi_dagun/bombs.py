"""炸弹: which sets of cards are a bomb, and how strong (chibi_dagun-6.6 to 6.14, 8).

Bombs compare by their `power`, lexicographically: its first number is the kind of bomb, weakest
first: 杂五十K, 正五十K, 炸弹 of 4 to 12 cards, 7喜, 摇摆, 8喜, 天炸.
"""

from collections.abc import Callable

from replay.engine.mechanics.ranks import RANK_OF
from schema.cards import BLACK_JOKER, RANKS
from schema.options import ChibiDagunOptions

Shape = tuple[str, int, int, tuple[int, ...]]
"""A type without the cards: kind, size, rank and power of its `Play`."""

WSK_RANKS = tuple(RANKS.index(r) for r in "5TK")
_WSK = frozenset(WSK_RANKS)
_WSK_MIXED, _WSK_PURE, _BOMB, _XI7, _YAOBAI, _XI8, _TIANZHA = range(7)
TIANZHA: Shape = ("tianzha", 4, RANKS.index("2") + 1, (_TIANZHA,))
"""chibi_dagun-6.14: the four jokers and nothing else."""

_LARGE_YAOBAI = 10
"""From so many cards on, the largest bomb in a 摇摆 decides (chibi_dagun-8.3)."""
_YAOBAI_POWERS: dict[str, Callable[[int, int, int], tuple[int, ...]]] = {
    "largest_bomb": lambda n, most, rank: (_YAOBAI, min(n, _LARGE_YAOBAI), most, rank, n),
    "total_cards": lambda n, most, rank: (_YAOBAI, n, most, rank),
    "largest_bomb_no_tiebreak": lambda n, most, rank: (
        *(_YAOBAI, min(n, _LARGE_YAOBAI), most, rank),
    ),
    "largest_bomb_all": lambda n, most, rank: (_YAOBAI, most, rank, n),
}
"""Power of a 摇摆 of `n` cards whose largest bomb has `most` cards of `rank`, by the house rule."""


class Bombs:
    """The bombs of one table: what its house rules allow, and their order."""

    def __init__(self, options: ChibiDagunOptions) -> None:
        self._min_naturals = options.min_naturals_in_bomb
        self._max_cards = options.wild_bomb_max_cards
        self._max_ranks = options.yaobai_max_ranks or len(RANKS)
        self._yaobai_top = RANKS.index(options.yaobai_top)
        self._yaobai_power = _YAOBAI_POWERS[options.yaobai_order]
        # what is added to the power of a bomb without wilds, and of one with
        ties: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
        ties = {"equal": ((), ()), "natural_first": ((1,), (0,))}
        self._natural, self._wild = ties[options.bomb_ties]

    def of_one_rank(self, rank: int, n: int, n_jokers: int) -> Shape | None:
        """Four cards or more, all naturals of one rank (chibi_dagun-6.6, 6.7, 6.11, 6.12)."""
        if n_jokers:
            if n > self._max_cards or n - n_jokers < self._min_naturals:
                return None
            return ("bomb", n, rank, (_BOMB, n, rank, *self._wild))
        if n == 7:
            return ("xi7", n, rank, (_XI7, rank))
        if n == 8:
            return ("xi8", n, rank, (_XI8, rank))
        return ("bomb", n, rank, (_BOMB, n, rank, *self._natural))

    def wsk(self, cards: bytes, n_jokers: int) -> Shape | None:
        """五十K of three cards, a joker for one of them or none (chibi_dagun-5.5, 6.8, 6.9)."""
        naturals = [code for code in cards if code < BLACK_JOKER]
        ranks = {code >> 2 for code in naturals}
        if len(ranks) < len(naturals) or not ranks <= _WSK:
            return None
        suits = {code & 3 for code in naturals}
        if len(suits) > 1:
            return ("wsk_mixed", 3, 0, (_WSK_MIXED,))
        suit = suits.pop()
        tie = self._wild if n_jokers else self._natural
        return ("wsk_pure", 3, suit, (_WSK_PURE, suit + 1, *tie))

    def yaobai(self, cards: bytes) -> Shape | None:
        """摇摆 of naturals: four or more of each of two or more neighbours (chibi_dagun-6.13).

        Its rank is that of its largest group, of equally large ones the highest.
        """
        ranks = cards.translate(RANK_OF)
        groups = {rank: ranks.count(rank) for rank in set(ranks)}
        n_ranks, top = len(groups), max(groups)
        if min(groups.values()) < 4 or top > self._yaobai_top or n_ranks > self._max_ranks:
            return None
        if n_ranks < 2 or top - min(groups) != n_ranks - 1:
            return None
        most, rank = max((count, rank) for rank, count in groups.items())
        return ("yaobai", len(ranks), rank, self._yaobai_power(len(ranks), most, rank))
