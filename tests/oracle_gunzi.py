"""A second, slow 四副滚子, written from the source text alone: a hand as it goes on.

A method that is told a fact returns the numbers of the clauses that the fact breaks and that let it
stand all the same; it raises Blocked, and changes nothing, if no state follows from the fact. What
the server then has to announce stands in `due`.
"""

from collections.abc import Sequence
from typing import Any

from tests.oracle_gunzi_cards import JOKERS, Face, codes, is_pattern, lacks, pickable, worth
from tests.oracle_gunzi_score import End, settled
from tests.oracle_gunzi_trump import Dealing


class Hand(Dealing):
    """One hand of a match."""

    # 进贡

    @property
    def payer(self) -> int:
        """庄家的上家."""
        return (self.dealing - 1) % 4

    @property
    def payable(self) -> list[Face]:
        """What the payer may pay."""
        held = self.hands[self.payer]
        return [card for card in held if self.table.is_payable(self.house, card)]

    def pay(self, seat: int, cards: list[Face]) -> set[str]:
        """庄家的上家应向庄家进贡，所进贡的牌为进贡者手中的最大牌（分牌除外）."""
        self._need(self.phase == "pay")
        self._need(seat == self.payer, "9.1")
        able = self.payable
        self._need(len(cards) == min(self.owed, len(able)), "9.8")
        self._need(not lacks(self.hands[seat], cards), "7.2")
        height = self.table.height
        best = sorted(map(height, able), reverse=True)[: len(cards)]
        is_largest = sorted(map(height, cards), reverse=True) == best and not lacks(able, cards)
        self._move(cards, self.hands[seat], self.hands[self.dealing])
        self.paid, self.phase, self.due = cards, "return", []
        return set() if is_largest else {"9.5"}

    def give_back(self, seat: int, cards: list[Face]) -> set[str]:
        """The dealer returns as many cards as were paid."""
        self._need(self.phase == "return")
        self._need(seat == self.dealer, "9.1")
        held = self.hands[seat]
        self._need(len(cards) == len(self.paid), "9.11")
        self._need(not lacks(held, cards), "7.2")
        height = self.table.height
        is_right = {
            "any": True,
            "non_point": not worth(cards),
            "smallest": sorted(map(height, cards)) == sorted(map(height, held))[: len(cards)],
        }[self.house.tribute_return]
        self._move(cards, held, self.hands[self.payer])
        self.due = []
        self._bottom_comes()
        return set() if is_right else {"9.9"}

    def _move(self, cards: Sequence[Face], giver: list[Face], taker: list[Face]) -> None:
        for card in cards:
            giver.remove(card)
            taker.append(card)

    # 底牌

    def _bottom_comes(self) -> None:
        """发牌或反主结束后将底牌公开（若没人亮主，底牌不公开）."""
        self.dry = bool(self.shows) and self._is_dry()
        if self.shows:
            self.due.append(("bottom", tuple(self.bottom), self.dry))
        if self.dry:
            self._begin()
            return
        self.phase = "bury"
        self._move(list(self.bottom), self.bottom, self.hands[self.dealing])

    def _is_dry(self) -> bool:
        """底牌没有主花色牌（级牌除外）或全是主，称为干锅."""
        if self.is_first and self.house.dry_first_hand == "off":
            return False
        never = self.level + ("2" if self.house.dry_trump_two == "constant" else "")
        own = [c for c in self.bottom if c not in JOKERS and c[1] == self.trump]
        plain = [card for card in own if card[0] not in never]
        return not plain or all(self.table.suit(card) == "t" for card in self.bottom)

    def bury(self, seat: int, cards: list[Face]) -> set[str]:
        """由庄家取走底牌，并将底牌替换成同样张数的牌; 有大王必须先扣大王."""
        self._need(self.phase == "bury")
        self._need(seat == self.dealer and len(cards) == 6, "5.6")
        held = self.hands[seat]
        self._need(not lacks(held, cards), "7.2")
        self._move(cards, held, self.bottom)
        self.is_buried, self.due = True, []
        self.banned = self.house.others_bury_ban == "any_point" and worth(cards) > 0
        self._show_jokers()
        self.phase, self.asked = "ask", [(seat + step) % 4 for step in (1, 2, 3)]
        if self.house.others_bury == "never":
            self._begin()
        return {"5.8"} if "Bj" in cards and "Rj" in held else set()

    def _show_jokers(self) -> None:
        """扣王时底牌必须亮给大家看，不扣王时底牌不公开; once public it stays so."""
        self.is_public = self.is_public or any(card in JOKERS for card in self.bottom)
        if self.is_public:
            self.due = [("bottom", tuple(sorted(self.bottom, key=codes_of)), False)]

    def bury_jokers(self, seat: int, jokers: list[Face], picked: list[Face]) -> set[str]:
        """其他用户也可在底牌中扣王; 还需从底牌中捡最小的牌，扣几张捡几张."""
        self._need(self.phase == "ask")
        self._need(seat in self.asked, "5.10")
        held = self.hands[seat]
        self._need(not lacks(held, jokers), "7.2")
        self._need(len(jokers) == len(picked) and not lacks(self.bottom, picked), "5.13")
        self.due, found = [], set[str]()
        if jokers:
            found = self._buried_wrongly(jokers, picked)
            self._move(jokers, held, self.bottom)
            found |= {"5.8"} if "Bj" in jokers and "Rj" in held else set()
            self._move(picked, self.bottom, held)
            self._show_jokers()
        self.asked = self.asked[self.asked.index(seat) + 1 :]
        if not self.asked:
            self._begin()
        return found

    def _buried_wrongly(self, jokers: list[Face], picked: list[Face]) -> set[str]:
        found = set[str]()
        if any(card not in JOKERS for card in jokers):
            found.add("5.14")
        too_many = len(jokers) > len(pickable(self.bottom))
        if self.banned or too_many:
            found.add("5.12")
        if not too_many and not self.table.are_smallest(self.house, self.bottom, picked):
            found.add("5.11")
        return found

    # 出牌

    def _begin(self) -> None:
        self.phase, self.turn, self.leader, self.trick = "play", self.dealing, self.dealing, 1

    def play(self, seat: int, cards: list[Face]) -> set[str]:
        """A lead or an answer."""
        self._need(self.phase in ("ask", "play"))
        if self.plays:
            return self._answer(seat, cards)
        self._need(not lacks(self.hands[seat], cards), "7.2")
        self._need(is_pattern(cards), "6.2")
        if self.phase == "ask":
            self._begin()
        found = set() if seat == self.turn else {"7.1"}
        self.leader, self.due = seat, []
        self._lay(seat, cards)
        return found

    def _answer(self, seat: int, cards: list[Face]) -> set[str]:
        self._need(seat == self.turn, "1.2")
        held, lead = self.hands[seat], self.plays[0]
        self._need(not lacks(held, cards), "7.2")
        self._need(len(cards) == len(lead), "7.3")
        clause = self.table.broken(self.house, lead, held, cards)
        self.due = []
        self._lay(seat, cards)
        return {clause} if clause else set()

    def _lay(self, seat: int, cards: list[Face]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        self.plays = [*self.plays, cards]
        self.turn = (seat + 1) % 4
        if len(self.plays) == 4:
            self._trick_over()

    def _trick_over(self) -> None:
        """一轮结束后，最大方得到该轮的所有分牌."""
        taker = (self.leader + self.table.winner(self.plays)) % 4
        points = sum(map(worth, self.plays))
        self.captured[taker] += points
        self.due = [("trick", taker, points)]
        if not any(self.hands):
            self._settle(taker)
            return
        self.turn = self.leader = taker if self.house.leader == "winner" else self.dealing
        self.plays, self.trick = [], self.trick + 1

    def _settle(self, taker: int) -> None:
        side = self.dealing % 2
        tricks = sum(self.captured[seat] for seat in range(4) if seat % 2 != side)
        end = End(self.carry, self.dealing, tricks, self.bottom, taker, self.dry)
        claim = settled(self.house, end)
        self.due.append(("settled", *claim))
        after: Any = claim[-1]
        self.carry, self.phase = after, "over"

    def end(self) -> set[str]:
        """The hand is over."""
        self._need(self.phase == "over")
        self.due = []
        return set()


def codes_of(card: Face) -> bytes:
    """Where a card stands in a bottom that was buried."""
    return codes([card])


def copied(hand: Hand) -> Hand:
    """A hand that can be told something without the other knowing."""
    twin = Hand(hand.house, hand.carry)
    for name, value in vars(hand).items():
        kept: Any = value
        if name in ("hands", "dealt"):
            kept = [list(cards) for cards in value]
        elif isinstance(value, list):
            kept = list(value)
        setattr(twin, name, kept)
    return twin
