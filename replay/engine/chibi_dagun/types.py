"""牌型: what a set of cards can be, jokers being wild, and which of it counts (chibi_dagun-5, 6).

`Types` is the value that depends on the table's options; it remembers what it has classified.
"""

from replay.engine.chibi_dagun.bombs import TIANZHA, Bombs, Shape
from replay.engine.chibi_dagun.rules import R
from replay.engine.chibi_dagun.wilds import chains
from replay.engine.climbing.deal import DECKS
from replay.engine.mechanics.holding import pack
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.points import points
from replay.engine.mechanics.ranks import RANK_OF, count_jokers
from schema.cards import RANKS
from schema.events import PlayKind, PlayRank
from schema.options import ChibiDagunOptions

_MEMORY = 1 << 15
"""Sets remembered per log before starting afresh: bounded whatever the log holds."""
_SMALL = ("", "single", "pair", "triple")
"""The type of one, two and three cards of a rank."""
_THREE = RANKS.index("3")
_UNRANKED = {PlayKind.WSK_MIXED, PlayKind.WSK_PURE, PlayKind.TIANZHA}
"""Types that are declared without a rank."""


class Types:
    """The types of one table: `readings(cards)` is empty, or holds all that they can be."""

    def __init__(self, options: ChibiDagunOptions) -> None:
        self.options = options
        self._bombs = Bombs(options)
        self._memory: dict[bytes, tuple[Play, ...]] = {}

    def readings(self, cards: bytes) -> tuple[Play, ...]:
        """All that the cards can be, in whatever order they were logged; the canonical one first.

        A bomb comes before 飞机, 飞机 before 连对, a higher window before a lower one
        (chibi_dagun-5.9, 5.10).
        """
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
        shapes = self._shapes(cards)
        if not shapes:
            return ()
        worth = points(cards)
        return tuple([Play(*shape, cards, packed, worth) for shape in shapes])

    def _shapes(self, cards: bytes) -> list[Shape]:
        if not cards:
            return []  # chibi_dagun-6.15: no cards are no type, and no pass
        n, n_jokers = len(cards), count_jokers(cards)
        if n == n_jokers:
            return self._jokers_alone(n)
        ranks = sorted(cards.translate(RANK_OF))
        low, high = ranks[0], ranks[-1 - n_jokers]
        if low == high:
            return self._one_rank(low, n, n_jokers)
        if n <= 3:
            return _one_or_none(self._bombs.wsk(cards, n_jokers) if n == 3 else None)
        if not n_jokers and ranks[0] == ranks[3]:
            return _one_or_none(self._bombs.yaobai(cards))
        most = max(map(ranks.count, set(ranks[: n - n_jokers])))
        return chains(low, high, most, n)

    def _jokers_alone(self, n: int) -> list[Shape]:
        """chibi_dagun-5.4: without a natural they count as 3, all four are 天炸."""
        if n == 4:
            return [TIANZHA]
        if n > 1 and self.options.jokers_alone == "single_only":
            return []
        return [(_SMALL[n], 1, _THREE, ())]

    def _one_rank(self, rank: int, n: int, n_jokers: int) -> list[Shape]:
        """Naturals of one rank: 单张, 对, 三条, or a bomb and nothing else (chibi_dagun-5.7).

        At some tables they may also be declared a chain that the jokers complete.
        """
        if n <= 3:
            return [(_SMALL[n], 1, rank, ())]
        found = _one_or_none(self._bombs.of_one_rank(rank, n, n_jokers))
        if n_jokers and self.options.one_rank_sets == "bomb_or_chain":
            found += chains(rank, rank, n - n_jokers, n)
        return found


def _one_or_none(shape: Shape | None) -> list[Shape]:
    return [] if shape is None else [shape]


def choose(readings: tuple[Play, ...], table: Play | None) -> Play:
    """What the cards count as if nothing is declared (chibi_dagun-5.10).

    A bomb is a bomb; a chain answers one of its type and length as high as it can; else the
    canonical reading counts.
    """
    canonical = readings[0]
    if len(readings) == 1 or table is None or canonical.power:
        return canonical
    for play in readings:
        if play.kind == table.kind and play.size == table.size:
            return play
    return canonical


def declared(
    readings: tuple[Play, ...],
    table: Play | None,
    kind: PlayKind,
    rank: PlayRank,
    options: ChibiDagunOptions,
) -> Play | None:
    """The reading that a player declares; None if the cards cannot be that (chibi_dagun-5.10).

    None too where players have no say, unless it is what counts anyway.
    """
    for play in readings:
        if is_as_declared(play, kind, rank):
            has_say = options.wild_reading == "declared_or_max"
            return play if has_say or play is choose(readings, table) else None
    return None


def is_as_declared(play: Play, kind: PlayKind, rank: PlayRank) -> bool:
    """Whether a reading is the declared one; 五十K and 天炸 are declared without a rank."""
    named = play.rank if has_rank(kind) else PlayRank.NONE
    return play.kind == kind.name.lower() and rank == named


def has_rank(kind: PlayKind) -> bool:
    """Whether a type is declared with a rank."""
    return kind not in _UNRANKED


def as_declared(play: Play) -> tuple[PlayKind, PlayRank]:
    """How a reading is declared."""
    kind = PlayKind[play.kind.upper()]
    return kind, PlayRank.NONE if kind in _UNRANKED else PlayRank(play.rank)


def no_type(cards: bytes) -> R:
    """The rule that cards without a reading break."""
    return R.NO_TYPE
