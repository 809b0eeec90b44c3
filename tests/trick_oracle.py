"""A second, slow reading of 炒地皮's cards and tricks, written from the source text alone.

Cards are faces such as "5h" in lists; a level is a rank or "F" (扛旗), a trump suit one of
"d c h s" or "n" for none. Whatever has to be found is found by trying everything.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from schema.options import ChaodipiOptions

RANKS = "23456789TJQKA"
"""A最大，K次之，...2最小."""
SUITS = "dchs"
JOKERS = ("Bj", "Rj")
DECK = [rank + suit for rank in RANKS for suit in SUITS] * 2 + [*JOKERS] * 2

Face = str
Height = tuple[int, int]
Run = tuple[Face, ...]
"""Pairs that are a tractor, or one pair, as faces from the lowest rank up."""


class Part:
    """A component: `run` is () of a single; `cards` are its cards."""

    def __init__(self, run: Run, cards: Sequence[Face]) -> None:
        self.run = run
        self.cards = list(cards)

    @property
    def pairs(self) -> int:
        """How many pairs it has."""
        return len(self.run)


class Table:
    """One level and one trump suit at a table with these house rules."""

    def __init__(self, level: str, trump: str, house: ChaodipiOptions) -> None:
        self.level = level
        self.trump = trump
        self.house = house

    # 主牌, 副牌, 牌的大小

    def is_level_card(self, card: Face) -> bool:
        """级牌; the 红桃5 is more than that."""
        return card[0] == self.level and card != "5h"

    def suit(self, card: Face) -> str:
        """The suit it follows: `t` for trump."""
        is_trump = card == "5h" or card in JOKERS or self.is_level_card(card)
        return "t" if is_trump or card[1] == self.trump else card[1]

    def height(self, card: Face) -> Height:
        """红桃5>大王>小王>主花色级牌>其它花色级牌>主花色牌>副牌; comparable within a suit."""
        if card == "5h":
            return 7, 0
        if card in JOKERS:
            return 5 + JOKERS.index(card), 0
        if self.is_level_card(card):
            return (4 if card[1] == self.trump else 3), 0
        return (2 if card[1] == self.trump else 1), RANKS.index(card[0])

    def above(self, one: Face, other: Face) -> int | None:
        """1 if the first is the higher card, -1 if the other, 0 if equal, None: two side suits."""
        if self.suit(one) != self.suit(other):
            if "t" not in (self.suit(one), self.suit(other)):
                return None
            return 1 if self.suit(one) == "t" else -1
        high, low = self.height(one), self.height(other)
        return (high > low) - (high < low)

    def one_suit(self, cards: Sequence[Face]) -> str | None:
        """The suit that all follow, None if there are several or no cards."""
        suits = {self.suit(card) for card in cards}
        return suits.pop() if len(suits) == 1 else None

    def of_suit(self, cards: Sequence[Face], suit: str) -> list[Face]:
        """Those of one suit."""
        return [card for card in cards if self.suit(card) == suit]

    # 牌型

    def are_neighbours(self, low: Face, high: Face) -> bool:
        """Whether pairs of these make a tractor, `high` being next above `low`."""
        if low in JOKERS or high in JOKERS:
            return self.house.joker_tractor == "pairs" and (low, high) == JOKERS
        if low[1] != high[1] or RANKS.index(low[0]) >= RANKS.index(high[0]):
            return False
        between = RANKS[RANKS.index(low[0]) + 1 : RANKS.index(high[0])]
        if low[1] == self.trump:
            # 主牌中5577不算拖拉机，6677才算
            never = self.house.red_five_in_tractor == "never" and "5h" in (low, high)
            return between == "" and not never
        if "t" in (self.suit(low), self.suit(high)):
            return False
        return all(self._closes(rank + low[1]) for rank in between)

    def _closes(self, card: Face) -> bool:
        """Whether a side suit closes over a card that is not in it (副牌的5577也为拖拉机)."""
        if card[0] == self.level:
            return True
        return card == "5h" and self.house.heart_gap == "closed"

    def is_run(self, faces: Sequence[Face]) -> bool:
        """Whether pairs of these faces, in this order, stand side by side."""
        return all(self.are_neighbours(low, high) for low, high in pairwise(faces))

    def runs(self, cards: Sequence[Face]) -> list[Run]:
        """All tractors that stand for themselves, and all other pairs, of cards of one suit."""
        pairs = sorted({card for card in cards if cards.count(card) == 2}, key=_printed)
        found: list[Run] = []
        while pairs:
            run = [pairs.pop(0)]
            for face in list(pairs):
                if self.are_neighbours(run[-1], face):
                    run.append(face)
                    pairs.remove(face)
            found.append(tuple(run))
        return found

    def parts(self, cards: Sequence[Face]) -> list[Part]:
        """What a set of cards of one suit consists of, the longest first."""
        runs = self.runs(cards)
        found = [Part(run, [face for face in run for _ in "12"]) for run in runs]
        found += [Part((), [card]) for card in cards if cards.count(card) == 1]
        return sorted(found, key=lambda part: -part.pairs)

    def strength(self, part: Part) -> Height:
        """What parts of one suit and length are compared by."""
        if part.pairs > 1 and self.house.level_tractor == "printed":
            return 0, max(map(_printed, part.run))
        return max(map(self.height, part.cards))

    def is_wsk(self, cards: Sequence[Face]) -> bool:
        """同一花色的5.10.K, and of one suit to follow."""
        has_all = sorted(card[0] for card in cards) == ["5", "K", "T"]
        return has_all and len({card[1] for card in cards}) == 1 and bool(self.one_suit(cards))

    def has_wsk(self, cards: Sequence[Face]) -> bool:
        """Whether a 5.10.K is among the cards."""
        return any(self.is_wsk(three) for three in combinations(cards, 3))

    def is_throw(self, cards: Sequence[Face]) -> bool:
        """甩: several parts of one suit; three cards 5.10.K are none."""
        return not self.is_wsk(cards) and len(self.parts(cards)) > 1

    # 甩牌的规则

    def judged(
        self, lead: Sequence[Face], others: Sequence[tuple[int, Sequence[Face]]]
    ) -> tuple[list[Face], list[int]]:
        """What a throw leads after all, and the seats that have something higher."""
        suit = self.suit(lead[0])
        beaten: list[Part] = []
        seats: list[int] = []
        for seat, cards in others:
            held = self.of_suit(cards, suit)
            lost = [part for part in self.parts(lead) if self._has_higher(held, part)]
            beaten += lost
            seats += [seat] if lost else []
        if not beaten:
            return list(lead), []
        return min(beaten, key=self._weakness).cards, seats

    def _has_higher(self, held: Sequence[Face], part: Part) -> bool:
        """手中的单牌, 对, 拖拉机 that is greater, whatever else its cards are part of."""
        mine = self.strength(part)
        if part.pairs == 0:
            return any(self.height(card) > mine for card in held)
        pairs = sorted({card for card in held if held.count(card) == 2}, key=_printed)
        return any(
            self.is_run(run) and self.strength(Part(run, run)) > mine
            for run in combinations(pairs, part.pairs)
        )

    def _weakness(self, part: Part) -> tuple[Height, int, int]:
        (suit,) = {card[1] for card in part.cards if card not in JOKERS} or {"j"}
        return min(map(self.height, part.cards)), len(part.cards), "dchsj".index(suit)

    # 计算获胜方

    def winner(self, plays: Sequence[Sequence[Face]]) -> int:
        """The place of the play that wins; 先出者为大 among equals."""
        lead = plays[0]
        best = 0
        for place in range(1, len(plays)):
            if self._beats(plays[place], plays[best], lead):
                best = place
        return best

    def _beats(self, new: Sequence[Face], old: Sequence[Face], lead: Sequence[Face]) -> bool:
        led = self.suit(lead[0])
        if self.is_wsk(lead):
            # only 压制 beats it: 5.10.K of trump that of a side suit, and nothing beats that
            is_suppressed = self.is_wsk(new) and self.suit(new[0]) == "t"
            return is_suppressed and led != "t" and self.suit(old[0]) != "t"
        if not list(self.fills(new, lead)):
            return False
        ruffs, is_ruff = self.suit(new[0]) == "t" != led, self.suit(old[0]) == "t" != led
        if ruffs != is_ruff:
            return ruffs
        if self.is_throw(lead):
            return ruffs and self._over_ruffs(new, old, lead)
        return self._best(new, lead)[0] > self._best(old, lead)[0]

    def slots(self, lead: Sequence[Face]) -> list[int]:
        """The lengths in pairs of a lead's tractors and pairs, the longest first."""
        return [part.pairs for part in self.parts(lead) if part.pairs]

    def fills(self, cards: Sequence[Face], lead: Sequence[Face]) -> Iterator[list[Run]]:
        """Every way to find the lead's tractors and pairs among cards of its suit or of trump."""
        if self.one_suit(cards) in (self.suit(lead[0]), "t"):
            pairs = sorted({card for card in cards if cards.count(card) == 2}, key=_printed)
            yield from self._filled(pairs, self.slots(lead))

    def _filled(self, pairs: list[Face], slots: list[int]) -> Iterator[list[Run]]:
        if not slots:
            yield []
            return
        for run in combinations(pairs, slots[0]):
            if self.is_run(run):
                left = [face for face in pairs if face not in run]
                for rest in self._filled(left, slots[1:]):
                    yield [run, *rest]

    def _best(self, cards: Sequence[Face], lead: Sequence[Face]) -> list[Height]:
        """The heights of the lead's parts among the cards: the greatest that can be found."""
        found: list[list[Height]] = []
        for runs in self.fills(cards, lead):
            loose = list(cards)
            for face in [face for run in runs for face in run * 2]:
                loose.remove(face)
            alone = sorted(map(self.height, loose), reverse=True)
            found.append([self.strength(Part(run, run)) for run in runs] + alone)
        return max(found)

    def _over_ruffs(self, new: Sequence[Face], old: Sequence[Face], lead: Sequence[Face]) -> bool:
        match self.house.over_ruff:
            case "largest_component":
                return self._best(new, lead)[0] > self._best(old, lead)[0]
            case "highest_card":
                return max(map(self.height, new)) > max(map(self.height, old))
            case "all_components":
                pairs = zip(self._best(new, lead), self._best(old, lead), strict=True)
                return all(one > other for one, other in pairs)


def _printed(face: Face) -> int:
    """Where a face stands in its suit; jokers above all."""
    return 20 + JOKERS.index(face) if face in JOKERS else RANKS.index(face[0])
