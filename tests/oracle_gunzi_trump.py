"""亮主, 翻牌, 抽牌: how a hand of 四副滚子 comes to its trump suit, from the source text alone."""

from abc import ABC, abstractmethod
from collections import Counter
from typing import NamedTuple

from schema.options import GunziOptions
from tests.oracle_gunzi_cards import DECK, JOKERS, PLAIN, SUITS, Face, Table, is_pattern, lacks
from tests.oracle_gunzi_score import Carry

Claim = tuple[object, ...]


class Blocked(Exception):
    """No state follows from this fact: the number of the clause, "" if it came in a wrong phase."""

    def __init__(self, clause: str = "") -> None:
        super().__init__(clause)
        self.clause = clause


class Show(NamedTuple):
    """Cards that a seat has shown, the suit they make trump, "" of a first 大王, and when."""

    seat: int
    cards: tuple[Face, ...]
    trump: str
    after: int

    @property
    def strength(self) -> tuple[int, int]:
        """2个相同的反1个的, 3个相同的反2个或1个的, 大王的叫牌权优于小王."""
        joker = JOKERS.index(self.cards[0]) + 1 if self.cards[0] in JOKERS else 0
        return len(self.cards), joker


class Dealing(ABC):
    """One hand of a match, as far as its trump suit."""

    def __init__(self, house: GunziOptions, carry: Carry) -> None:
        self.house = house
        self.carry = carry
        _, self.dealer, levels, for_score, for_jokers, _ = carry
        self.is_first = self.dealer is None
        self.level = "3" if self.dealer is None else levels[self.dealer % 2]
        self.owed = 0 if self.is_first else for_score + for_jokers
        self.phase = "deal"
        self.due: list[Claim] = []
        self.start = 0
        self.dealt: list[list[Face]] = [[], [], [], []]
        self.hands: list[list[Face]] = [[], [], [], []]
        self.bottom: list[Face] = []
        self.trump = ""
        self.shows: list[Show] = []
        self.turned: list[tuple[int, int]] = []
        self.paid: list[Face] = []
        self.dry = False
        self.is_buried = False
        self.is_public = False
        self.banned = False
        self.asked: list[int] = []
        self.turn = 0
        self.leader = 0
        self.plays: list[list[Face]] = []
        self.captured = [0, 0, 0, 0]
        self.trick = 0

    def _need(self, is_so: object, clause: str = "") -> None:
        if not is_so:
            raise Blocked(clause)

    @property
    def table(self) -> Table:
        """Level and trump as they stand."""
        return Table(self.level, self.trump)

    @property
    def dealing(self) -> int:
        """The dealer, who is known."""
        assert self.dealer is not None
        return self.dealer

    # 发牌

    def deal(self, start: int, deck: list[Face]) -> set[str]:
        """3副牌，每人得39张，剩余的6张牌为底牌."""
        self._need(self.phase == "deal")
        self._need(Counter(deck) == Counter(DECK), "1.3")
        self.dealt = [deck[(seat - start) % 4 : 156 : 4] for seat in range(4)]
        self.hands = [list(cards) for cards in self.dealt]
        self.bottom = deck[156:]
        self.start, self.phase, self.due = start, "declare", []
        self.shows, self.turned = [], []
        # 第二局从庄家开始逆时针发牌
        return set() if self.is_first or start == self.dealer else {"2.1"}

    # 亮主

    def declare(self, seat: int, cards: list[Face], named: str | None, after: int) -> set[str]:
        """A seat shows cards when so many are dealt."""
        late = self.phase != "declare"
        self._need(self.phase in ("declare", "flip", "draw", "pay", "return"))
        self._need(not (self.is_first and self.turned))
        show, found = self._show(seat, cards, named, after)
        by_then = self.dealt[seat][: len(range((seat - self.start) % 4, after, 4))]
        before = self.shows[-1].after if self.shows else 0
        if late or lacks(by_then, cards) or after < before:
            found.add("2.4")
        found |= self._over(show)
        self.shows, self.due = [*self.shows, show], []
        if late:
            self._trump_from_shows()
        return found

    def _show(
        self, seat: int, cards: list[Face], named: str | None, after: int
    ) -> tuple[Show, set[str]]:
        face = cards[0] if cards else ""
        if self.is_first:
            # 第一把从3打起，亮牌是抢亮大王(一张即可，别人反不了)
            self._need(set(cards) == {"Rj"} and len(cards) <= 3, "3.1")
            self._need(not lacks(self.hands[seat], cards), "7.2")
            found = {"3.16"} if len(cards) > 1 else set()
            found |= set() if named is None else {"3.21"}
            return Show(seat, tuple(cards), "", after), found
        # 从第二把起亮牌必须用级牌; 3个小王或3个大王可以叫任意花色为主花色
        are_level = face[:1] == self.level
        self._need(is_pattern(cards), "3.10")
        self._need(are_level or (face in JOKERS and len(cards) == 3), "3.10")
        self._need(not lacks(self.hands[seat], cards), "7.2")
        if not are_level:
            self._need(named is not None and named in SUITS, "3.12")
            assert named is not None
            return Show(seat, tuple(cards), named, after), set()
        found = set() if named in (None, face[1]) else {"3.21"}
        return Show(seat, tuple(cards), face[1], after), found

    def _over(self, show: Show) -> set[str]:
        """亮牌后自己和其他人都可以反，自己可以加固自己的亮牌."""
        if self.is_first:
            return self._first_over(show)
        if not self.shows:
            never = self.house.joker_triple_opens == "never"
            return {"3.19"} if show.cards[0] in JOKERS and never else set()
        old, found = self.shows[-1], set[str]()
        tops = old.strength == (3, 0) and self.house.joker_triple == "equals_level_triple"
        if tops or show.strength <= old.strength:
            found.add("3.11")
        is_own = show.seat == old.seat and self.house.self_overturn_suit == "same"
        if is_own and show.cards[0] != old.cards[0]:
            found.add("3.20")
        return found

    def _first_over(self, show: Show) -> set[str]:
        found = {"3.17"} if self.shows else set()
        none_follows = self._next_suited(show) is None
        if none_follows and self.house.late_first_show == "forbidden":
            found.add("3.18")
        return found

    def _next_suited(self, show: Show) -> str | None:
        """亮牌后摸的第一张花色牌的花色."""
        seat = show.seat
        places = range((seat - self.start) % 4, 156, 4)
        own = zip(places, self.dealt[seat], strict=True)
        later = [card for place, card in own if place >= show.after and card not in JOKERS]
        return later[0][1] if later else None

    def close(self) -> set[str]:
        """Declaring is over."""
        self._need(self.phase == "declare")
        self.due = []
        if self.shows:
            self._trump_from_shows()
            return set()
        self.phase, self.turn = ("flip" if self.is_first else "draw"), self.start
        return set()

    def _trump_from_shows(self) -> None:
        """最后翻出的级牌花色即为主花色; 亮牌人为庄家."""
        show, at = self.shows[-1], self.phase
        trump: str | None = show.trump
        if self.is_first:
            self.dealer = show.seat
            trump = self._next_suited(show)
        if trump is None:
            self.phase = "draw"
            return
        self.trump = trump
        if at in ("pay", "return"):
            self.due = [("trump", trump, self.dealer)]
            return
        self._trump_known()

    # 翻牌, 抽牌

    def flip(self, seat: int, place: int) -> set[str]:
        """4家都从底牌中翻牌，以翻出最大牌的一家为庄家，并以该牌的花色为主花色."""
        self._need(self.phase == "flip")
        self._need(seat == self.turn and self._is_down(place), "3.22")
        self.turned = [*self.turned, (seat, place)]
        self.due = []
        if self.bottom[place] not in JOKERS:
            self.turn = (self.turn + 1) % 4
        suited = [(who, self.bottom[at]) for who, at in self.turned]
        suited = [(who, card) for who, card in suited if card not in JOKERS]
        if len(suited) < 4 and len(self.turned) < 6:
            return set()
        if not suited:
            self._redeal()
            return set()
        ranks = [self._flip_rank(card) for _, card in suited]
        best = max(ranks) if self.house.flip_winner == "largest" else min(ranks)
        self.dealer, card = suited[ranks.index(best)]
        self.trump = card[1]
        self._trump_known()
        return set()

    def _flip_rank(self, card: Face) -> int:
        order = {"game": PLAIN[1:] + "23", "natural": "2" + PLAIN}[self.house.flip_order]
        return order.index(card[0])

    def _is_down(self, place: int) -> bool:
        return place < 6 and place not in [at for _, at in self.turned]

    def draw(self, place: int) -> set[str]:
        """从底牌中任意抽取一张牌，并以此牌的花色为主花色. 若抽到王需继续抽."""
        self._need(self.phase == "draw")
        self._need(self._is_down(place), "3.22")
        self.turned = [*self.turned, (-1, place)]
        self.due = []
        if self.bottom[place] not in JOKERS:
            self.trump = self.bottom[place][1]
            self._trump_known()
        elif len(self.turned) == 6:
            self._redeal()
        return set()

    def _redeal(self) -> None:
        """若底牌全是王，则重新洗牌."""
        self.phase, self.due = "deal", [("redealt",)]

    def _trump_known(self) -> None:
        self.due = [("trump", self.trump, self.dealer)]
        if self.owed:
            self.phase = "pay"
        else:
            self._bottom_comes()

    @abstractmethod
    def _bottom_comes(self) -> None:
        """What follows when trump is known and nothing is owed."""
