"""The types of 赤壁打滚 once more, slow and plain, written from the source text.

What a joker stands for is found by putting every card in its place: the set that results is then
looked at as if it had no joker. Cards are faces such as `5h`; nothing is shared with the engine.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from schema.options import ChibiDagunOptions

LADDER = "3456789TJQKA"
"""The ranks that can stand in 连对 and 飞机, ascending."""
RANKS = LADDER + "2"
JOKERS = ("Bj", "Rj")
FACES = [rank + suit for rank in RANKS for suit in "dchs"] + list(JOKERS)
WORTH = {"5": 5, "T": 10, "K": 10}
WEAKEST_FIRST = (
    *("wsk_mixed", "wsk_pure d", "wsk_pure c", "wsk_pure h", "wsk_pure s"),
    *("bomb 4", "bomb 5", "bomb 6"),
    *("bomb 7", "bomb 8", "bomb 9", "bomb 10", "bomb 11", "bomb 12"),
    *("xi7", "yaobai", "xi8", "tianzha"),
)
"""不同炸弹大小 of the source, read from its right end."""


class Reading(NamedTuple):
    """One type that cards can be: `n` cards; `most` is the size of the largest bomb of a 摇摆."""

    kind: str
    n: int
    rank: str = ""
    suit: str = ""
    most: int = 0
    is_wild: bool = False


Declared = tuple[str, str]
"""Kind and rank that a player says his cards are; no rank: ``""``."""


def worth(cards: Iterable[str]) -> int:
    """分 of the cards; a joker has none, whatever it stands for."""
    return sum(WORTH.get(card[0], 0) for card in cards)


def readings(cards: list[str], house: ChibiDagunOptions) -> list[Reading]:
    """Every type the cards can be, first the one that counts if nothing is said; [] if none."""
    if not cards or any(cards.count(card) > 2 for card in cards):
        return []
    naturals = [card for card in cards if card not in JOKERS]
    jokers = len(cards) - len(naturals)
    if not naturals:
        return _only_jokers(jokers, house)
    if jokers == 0:
        return _natural(naturals, house)
    return _with_jokers(naturals, jokers, house)


def _only_jokers(jokers: int, house: ChibiDagunOptions) -> list[Reading]:
    """单独出算最小的3; 四张大小王一起出 is 天炸."""
    if jokers == 4:
        return [Reading("tianzha", 4)]
    if jokers > 1 and house.jokers_alone == "single_only":
        return []
    return [Reading(("single", "pair", "triple")[jokers - 1], jokers, "3", is_wild=True)]


def _natural(cards: list[str], house: ChibiDagunOptions) -> list[Reading]:
    """Without jokers cards have one type at most."""
    ranks = Counter(card[0] for card in cards)
    if len(cards) == 3 and ranks == Counter("5TK"):
        suits = "".join(sorted({card[1] for card in cards}))
        return [_wsk(suits, is_wild=False)]
    plain = _plain("".join(sorted(card[0] for card in cards)))
    if plain:
        kind, rank = plain
        name = {7: "xi7", 8: "xi8"}.get(len(cards), kind) if kind == "bomb" else kind
        return [Reading(name, len(cards), rank)]
    return _yaobai(ranks, house)


def _wsk(suits: str, is_wild: bool) -> Reading:
    if len(suits) == 1:
        return Reading("wsk_pure", 3, suit=suits, is_wild=is_wild)
    return Reading("wsk_mixed", 3, is_wild=is_wild)


def _yaobai(ranks: Counter[str], house: ChibiDagunOptions) -> list[Reading]:
    """连炸: 相邻的4张或4张以上的炸弹."""
    order = RANKS if house.yaobai_top == "2" else LADDER
    run = "".join(sorted(ranks, key=RANKS.index))
    if len(run) < 2 or run not in order or min(ranks.values()) < 4:
        return []
    if 0 < house.yaobai_max_ranks < len(run):
        return []
    most = max(ranks.values())
    top = [rank for rank in run if ranks[rank] == most][-1]
    return [Reading("yaobai", sum(ranks.values()), top, most=most)]


@cache
def _plain(letters: str) -> tuple[str, str] | None:
    """Type and rank of cards of these ranks, as if all were natural; 五十K and 摇摆 left out."""
    copies = Counter(letters)
    if len(copies) == 1:
        return {1: "single", 2: "pair", 3: "triple"}.get(len(letters), "bomb"), letters[0]
    run = "".join(sorted(copies, key=RANKS.index))
    if run in LADDER and set(copies.values()) == {2}:
        return "pair_chain", run[-1]
    if run in LADDER and set(copies.values()) == {3}:
        return "triple_chain", run[-1]
    return None


@cache
def _meanings(letters: str, jokers: int) -> frozenset[tuple[str, str]]:
    """癞子可以当做任何一张牌: all that comes out, whatever cards the jokers are."""
    found = set()
    for extra in combinations_with_replacement(RANKS, jokers):
        plain = _plain("".join(sorted(letters + "".join(extra))))
        if plain:
            found.add(plain)
    return frozenset(found)


def _with_jokers(naturals: list[str], jokers: int, house: ChibiDagunOptions) -> list[Reading]:
    n = len(naturals) + jokers
    ranks = {card[0] for card in naturals}
    if n == 3 and len(ranks) == 2 and ranks <= set("5TK"):
        # 任意两张单5、10、K配癞子，算做510K，如果是同花，算正五十K
        return [_wsk("".join(sorted({card[1] for card in naturals})), is_wild=True)]
    letters = "".join(sorted(card[0] for card in naturals))
    found = [Reading(kind, n, rank, is_wild=True) for kind, rank in _meanings(letters, jokers)]
    if len(ranks) == 1 and house.one_rank_sets == "bomb":
        found = [reading for reading in found if not reading.kind.endswith("_chain")]
    if len(naturals) < house.min_naturals_in_bomb or n > house.wild_bomb_max_cards:
        found = [reading for reading in found if reading.kind != "bomb"]
    # 如3条3加癞子，算作3333: the bomb comes first, then 飞机, 连对, each from the highest
    order = ("bomb", "triple_chain", "pair_chain", "triple", "pair")
    return sorted(found, key=lambda what: (order.index(what.kind), -RANKS.index(what.rank)))


def declared_one(found: list[Reading], declared: Declared) -> Reading | None:
    """The reading that was declared, if the cards have it."""
    kind, rank = declared
    return next((what for what in found if (what.kind, what.rank) == (kind, rank)), None)


def chosen(found: list[Reading], table: Reading | None) -> Reading:
    """The reading that counts where none is declared: the highest one of the table's type.

    What can be a bomb is one.
    """
    if table is not None and found[0].kind != "bomb":
        for what in found:
            if (what.kind, what.n) == (table.kind, table.n):
                return what
    return found[0]


def beats(new: Reading, old: Reading, house: ChibiDagunOptions) -> bool:
    """必须比上一出牌者大: whether one is greater than the other."""
    strength, table = _strength(new), _strength(old)
    if strength is None or table is None:
        if strength or table:
            return strength is not None
        return (new.kind, new.n) == (old.kind, old.n) and _height(new) > _height(old)
    if strength != table:
        return strength > table
    if new.kind == "yaobai":
        return _greater_yaobai(new, old, house)
    if new.kind in ("bomb", "wsk_pure") and house.bomb_ties == "natural_first":
        return (_height(new), not new.is_wild) > (_height(old), not old.is_wild)
    return _height(new) > _height(old)


def _strength(what: Reading) -> int | None:
    """Place in the order of bombs, from 1; None for what is no bomb."""
    name = what.kind
    if name == "bomb":
        name = f"bomb {what.n}"
    elif name == "wsk_pure":
        name = f"wsk_pure {what.suit}"
    return WEAKEST_FIRST.index(name) + 1 if name in WEAKEST_FIRST else None


def _height(what: Reading) -> int:
    return RANKS.index(what.rank) if what.rank else 0


def _greater_yaobai(new: Reading, old: Reading, house: ChibiDagunOptions) -> bool:
    """相同张数, 不同张数摇摆大小."""
    (a, b), order = ((what.most, _height(what)) for what in (new, old)), house.yaobai_order
    if order == "largest_bomb_all":
        return (a, new.n) > (b, old.n)
    if new.n < 10 or old.n < 10 or order == "total_cards":
        # 9连炸>8连炸, and what has 10 or more is beyond both
        return (new.n, a) > (old.n, b)
    if order == "largest_bomb":
        # 10连炸或10连炸以上的摇摆，比摇摆中最大的炸弹
        return (a, new.n) > (b, old.n)
    return a > b
