"""The types of 赤壁打滚 once more, slow and plain, from the source text: every joker is tried as
every card.

Cards are faces such as `5h`; nothing here is shared with the engine. A reading is its kind, the
number of cards, the rank (of 正五十K the suit, of 杂五十K and 天炸 nothing) and, if it is a 摇摆,
the size of the largest bomb in it.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from schema.options import ChibiDagunOptions

LADDER = "3456789TJQKA"
"""相邻: the ranks that can stand in a chain; 「2不能与任何牌组成连对」, nor a 飞机."""
RANKS = LADDER + "2"
SUITS = "dchs"
"""「黑桃>红桃>梅花>方片」, read from its right end."""
NATURALS = [rank + suit for rank in RANKS for suit in SUITS]
JOKERS = ("Bj", "Rj")

Reading = tuple[str, int, str, int]
Laid = tuple[Reading, bool]
"""A reading on the table, and whether jokers stand for other cards in it."""


def _listed() -> dict[str, Reading]:
    """出牌牌型: every type without a suit or a 喜, by the ranks of its cards, ascending."""
    listed: dict[str, Reading] = {}
    for rank in RANKS:
        for kind, n in (("single", 1), ("pair", 2), ("triple", 3)):
            listed[rank * n] = (kind, n, rank, 0)
        for n in range(4, 13):
            listed[rank * n] = ("bomb", n, rank, 0)
    for kind, width in (("pair_chain", 2), ("triple_chain", 3)):
        for low in range(len(LADDER)):
            for high in range(low + 1, len(LADDER)):
                ranks = "".join(rank * width for rank in LADDER[low : high + 1])
                listed[ranks] = (kind, len(ranks), LADDER[high], 0)
    return listed


LISTED = _listed()


def ascending(cards: Sequence[str]) -> str:
    """The ranks of the natural cards, ascending."""
    return "".join(sorted((card[0] for card in cards if card not in JOKERS), key=RANKS.index))


def readings(cards: Sequence[str], house: ChibiDagunOptions) -> list[Reading]:
    """Every reading in the book's order: bomb, 飞机, 连对, the higher before the lower."""
    ranks, n = ascending(cards), len(cards)
    if not cards or any(cards.count(card) > 2 for card in cards):
        return []  # 2副扑克牌
    if not ranks:
        return _jokers_alone(n, house)
    if n == len(ranks):
        found = _natural(cards, ranks, house)
        return [] if found is None else [found]
    return _in_order(_wild(cards, ranks, house))


def _in_order(found: set[Reading]) -> list[Reading]:
    order = ["bomb", "triple_chain", "pair_chain"]
    if len(found) == 1:
        return list(found)
    return sorted(found, key=lambda it: (order.index(it[0]), -RANKS.index(it[2])))


def _jokers_alone(n: int, house: ChibiDagunOptions) -> list[Reading]:
    """「单独出算最小的3」; 「四张大小王一起出，不带任何一张牌为天炸」."""
    if n == 4:
        return [("tianzha", 4, "", 0)]
    alone = n == 1 or house.jokers_alone == "as_three"
    return [LISTED["3" * n]] if alone else []


def _natural(cards: Sequence[str], ranks: str, house: ChibiDagunOptions) -> Reading | None:
    """The one type of cards without a joker."""
    if len(set(ranks)) == 1 and len(ranks) in (7, 8):
        return (f"xi{len(ranks)}", len(ranks), ranks[0], 0)
    return LISTED.get(ranks) or _wsk(cards) or _yaobai(ranks, house)


def _wsk(cards: Sequence[str]) -> Reading | None:
    """由分数组成的五十K炸弹: 「相同花色…正」, 「任意花色…杂」."""
    if ascending(cards) != "5TK":
        return None
    suits = {card[1] for card in cards}
    return ("wsk_pure", 3, suits.pop(), 0) if len(suits) == 1 else ("wsk_mixed", 3, "", 0)


def _yaobai(ranks: str, house: ChibiDagunOptions) -> Reading | None:
    """「相邻的4张或4张以上的炸弹为摇摆」."""
    bombs = Counter(ranks)
    chain = "".join(bombs)
    allowed = {"A": LADDER, "2": RANKS}[house.yaobai_top]
    if len(chain) < 2 or chain not in allowed or min(bombs.values()) < 4:
        return None
    if house.yaobai_max_ranks and len(chain) > house.yaobai_max_ranks:
        return None
    most = max(bombs.values())
    largest = [rank for rank in chain if bombs[rank] == most]
    return ("yaobai", len(ranks), largest[-1], most)


def _wild(cards: Sequence[str], ranks: str, house: ChibiDagunOptions) -> set[Reading]:
    """Natural cards and jokers: 「可以当做任何一张牌」, but not to every end."""
    n, n_jokers = len(cards), len(cards) - len(ranks)
    if n == 3 and n_jokers == 2:
        return {LISTED[ranks * 3]}  # 「任意一张单牌配两个王，只算做3条」
    found = set(_by_rank(ranks, n_jokers)) | _wild_wsk(cards)
    is_bomb = len(set(ranks)) == 1 and n >= 4
    if is_bomb and house.one_rank_sets == "bomb":
        found = {it for it in found if it[0] == "bomb"}
    if n > house.wild_bomb_max_cards or len(ranks) < house.min_naturals_in_bomb:
        found = {it for it in found if it[0] != "bomb"}
    return found


@cache
def _by_rank(ranks: str, n_jokers: int) -> frozenset[Reading]:
    """What the cards can be where suits do not matter: each joker as each of the 13 ranks."""
    tried = combinations_with_replacement(RANKS, n_jokers)
    wholes = ("".join(sorted([*ranks, *others], key=RANKS.index)) for others in tried)
    return frozenset(LISTED[whole] for whole in wholes if whole in LISTED)


def _wild_wsk(cards: Sequence[str]) -> set[Reading]:
    """「任意两张单5、10、K配癞子，算做510K，如果是同花，算正五十K」: the joker as each card."""
    naturals = [card for card in cards if card not in JOKERS]
    if len(cards) != 3 or len(naturals) != 2:
        return set()
    found = {it for other in NATURALS if (it := _wsk([*naturals, other]))}
    pure = {it for it in found if it[0] == "wsk_pure"}
    return pure or found


def counts_as(found: Sequence[Reading], table: Reading | None) -> Reading:
    """What a play counts as undeclared.

    A bomb; or as high as it can be of the table's type; or the first of its readings.
    """
    if found[0][0] != "bomb" and table is not None:
        for it in found:
            if it[:2] == table[:2]:
                return it
    return found[0]


# 牌和炸弹的大小

WEAKEST_FIRST = (
    *("wsk_mixed", "wsk_pure d", "wsk_pure c", "wsk_pure h", "wsk_pure s"),
    *(f"bomb {n}" for n in range(4, 13)),
    *("xi7", "yaobai", "xi8", "tianzha"),
)
"""不同炸弹大小, read from its right end."""


def _strength(it: Reading) -> int:
    """The place of a bomb in the list; -1 if it is none."""
    kind, n, rank, _ = it
    name = {"wsk_pure": f"{kind} {rank}", "bomb": f"{kind} {n}"}.get(kind, kind)
    return WEAKEST_FIRST.index(name) if name in WEAKEST_FIRST else -1


def beats(new: Laid, old: Laid, house: ChibiDagunOptions) -> bool:
    """Whether one play is greater than the other on the table."""
    (mine, wild), (theirs, old_wild) = new, old
    if _strength(mine) != _strength(theirs):
        return _strength(mine) > _strength(theirs)
    if mine[:2] != theirs[:2] and mine[0] != "yaobai":
        return False  # 除炸弹外，其他牌型之间不可比较大小
    match mine[0]:
        case "wsk_mixed" | "tianzha":
            return False  # 杂五十K之间不分大小，先出为大
        case "yaobai":
            return _greater_yaobai(mine, theirs, house.yaobai_order)
        case "bomb" | "wsk_pure" if mine == theirs and house.bomb_ties == "natural_first":
            return old_wild and not wild
        case "wsk_pure":
            return False
        case _:
            pass
    return RANKS.index(mine[2]) > RANKS.index(theirs[2])


def _greater_yaobai(new: Reading, old: Reading, order: str) -> bool:
    """8连炸 by rank; 9 over 8; from 10 on by the largest bomb, as the table plays it."""
    n, old_n = new[1], old[1]
    bomb, old_bomb = (new[3], RANKS.index(new[2])), (old[3], RANKS.index(old[2]))
    by_bomb = n >= 10 and old_n >= 10 and order != "total_cards"
    if not by_bomb and order != "largest_bomb_all" and n != old_n:
        return n > old_n
    if bomb != old_bomb:
        return bomb > old_bomb
    return n > old_n and order in ("largest_bomb", "largest_bomb_all")
