"""A second, slow reading of 四副滚子's cards and tricks, written from the source text alone.

Cards are faces such as "5h" in lists; a level is a rank, a trump suit one of "d c h s".
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from schema.cards import card_text, parse_cards
from schema.options import GunziOptions

Face = str
PLAIN = "3456789TJQKA"
"""A suit from its lowest card up; a 2 is no card of a suit but 常主."""
SUITS = "dchs"
JOKERS = ("Bj", "Rj")
LEVELS = "3456789T"
DECK = [rank + suit for rank in "2" + PLAIN for suit in SUITS] * 3 + [*JOKERS] * 3
WORTH = {"5": 5, "T": 10, "K": 10}


def codes(cards: Sequence[Face]) -> bytes:
    """Cards of the oracle's as the engine has them."""
    return parse_cards(" ".join(cards))


def faces(cards: bytes) -> list[Face]:
    """Cards of the engine's as the oracle has them."""
    return [card_text(code) for code in cards]


def worth(cards: Sequence[Face]) -> int:
    """分牌:5、10、K."""
    return sum(WORTH.get(card[0], 0) for card in cards)


def lacks(held: Sequence[Face], cards: Sequence[Face]) -> bool:
    """Whether some of the cards are not held."""
    return bool(Counter(cards) - Counter(held))


def is_pattern(cards: Sequence[Face]) -> bool:
    """单牌; 棒子: 两张牌点和花色相同的牌; 滚子: 三张牌点和花色相同的牌."""
    return len(cards) in (1, 2, 3) and len(set(cards)) == 1


class Table(NamedTuple):
    """One level and one trump suit."""

    level: str
    trump: str

    def suit(self, card: Face) -> str:
        """主牌:大王、小王、常主、级牌和主花色牌 are one suit, `t`."""
        if card in JOKERS or card[0] in ("2", self.level) or card[1] == self.trump:
            return "t"
        return card[1]

    def stair(self, card: Face) -> int:
        """大王>小王>主花色级牌>其他花色级牌>主花色2>其他花色2>主花色牌>副牌."""
        if card in JOKERS:
            return (7, 8)[card == "Rj"]
        is_trump_suit = card[1] == self.trump
        if card[0] == self.level:
            return (5, 6)[is_trump_suit]
        if card[0] == "2":
            return (3, 4)[is_trump_suit]
        return (1, 2)[is_trump_suit]

    def height(self, card: Face) -> tuple[int, int]:
        """Where a card stands among all others; side cards of different suits go by rank."""
        stair = self.stair(card)
        return stair, PLAIN.index(card[0]) if stair < 3 else 0

    def small(self, card: Face) -> tuple[int, int]:
        """先看是否是主牌，然后看点数: cards as small as each other may be chosen from."""
        stair, rank = self.height(card)
        return {3: 4, 5: 6}.get(stair, stair), rank

    def of_suit(self, cards: Sequence[Face], suit: str) -> list[Face]:
        """Those of one suit."""
        return [card for card in cards if self.suit(card) == suit]

    # 跟牌

    def broken(
        self, house: GunziOptions, lead: Sequence[Face], held: Sequence[Face], play: Sequence[Face]
    ) -> str | None:
        """The clause that an answer of the right size breaks."""
        suit = self.suit(lead[0])
        own, given = self.of_suit(held, suit), self.of_suit(play, suit)
        copies, shown = Counter(own), Counter(given)
        owed = min(len(lead), len(own))
        if house.follow_mode == "dead" and house.dead_triple == "shielded" and len(lead) == 2:
            lone_triple = 3 in copies.values() and len(own) <= 4
            owed = min(2, len(own) - 3) if lone_triple else owed
        if len(given) < owed:
            return "7.4"
        if house.follow_mode == "live":
            return None
        return None if self._is_like(len(lead), copies, shown) else "7.7"

    def _is_like(self, n: int, held: Counter[Face], shown: Counter[Face]) -> bool:
        """打棒必须出棒; 打滚子必须出滚子，若没有: 棒+单张，3张单牌."""
        if n == 2:
            # 没棒有滚子时可以不出滚子
            has_pair = any(copies == 2 for copies in held.values())
            return not has_pair or any(copies >= 2 for copies in shown.values())
        if n == 3:
            most = max(held.values(), default=0)
            return most < 2 or max(shown.values(), default=0) >= most
        return True

    # 一轮

    def winner(self, plays: Sequence[Sequence[Face]]) -> int:
        """The place of the winning play: 最大方得到该轮的所有分牌."""
        lead = plays[0]
        able = [
            place
            for place, cards in enumerate(plays)
            if len(set(cards)) == 1 and self.suit(cards[0]) in (self.suit(lead[0]), "t")
        ]
        top = max(self.height(plays[place][0]) for place in able)
        return next(place for place in able if self.height(plays[place][0]) == top)

    # 进贡, 扣王

    def is_payable(self, house: GunziOptions, card: Face) -> bool:
        """血牌不包括分牌，但打5、10的时候，5、10要进贡."""
        if card[0] in "5T" and self.level in "5T":
            return house.tribute_points == "both_levels" or card[0] == self.level
        return not worth([card])

    def are_smallest(self, house: GunziOptions, bottom: Sequence[Face], taken: list[Face]) -> bool:
        """从底牌中捡最小的牌，不能捡分牌."""
        small = self.small if house.pick_tie == "rank" else self.height
        order = sorted(map(small, pickable(bottom)))[: len(taken)]
        return pickable(taken) == taken and sorted(map(small, taken)) == order


def pickable(bottom: Sequence[Face]) -> list[Face]:
    """What another may take out of a bottom: no points, and no joker back."""
    return [card for card in bottom if card not in JOKERS and not worth([card])]
