"""A second, slow 炒地皮, written from the source text alone: a hand as it goes on.

A method that is told a fact returns the numbers of the clauses that the fact breaks and that let it
stand all the same; it raises Blocked, and changes nothing, if no state follows from the fact. What
the server then has to announce stands in `due`.
"""

from collections import Counter
from typing import Any

from schema.options import ChaodipiOptions
from tests.follow_oracle import best, first_broken, fulfilled
from tests.oracle_chaodipi_score import End, outcome
from tests.oracle_chaodipi_shows import RED_FIVES, bottom_trump, lacks, rung, worth
from tests.trick_oracle import DECK, JOKERS, Face, Table

Claim = tuple[object, ...]
Carry = tuple[int, int | None, tuple[str, str], tuple[int, int], tuple[int, ...], bool]
"""Number of the hand, dealer, levels and failures of both sides, game scores, match over."""
DUTIES = {"suit": "8.2", "pairs": "8.4", "tractors": "8.5", "wsk": "8.7", "trump wsk": "8.8"}


class Blocked(Exception):
    """No state follows from this fact: the number of the clause, "" if it came in a wrong phase."""

    def __init__(self, clause: str = "") -> None:
        super().__init__(clause)
        self.clause = clause


class Hand:
    """One hand of a match."""

    def __init__(self, house: ChaodipiOptions, carry: Carry) -> None:
        self.house = house
        self.carry = carry
        _, dealer, levels, _, _, _ = carry
        self.dealer = dealer
        self.is_first = dealer is None
        self.level = "2" if dealer is None else levels[dealer % 2]
        self.phase = "deal"
        self.due: list[Claim] = []
        self.start = 0
        self.dealt: list[list[Face]] = [[], [], [], []]
        self.hands: list[list[Face]] = [[], [], [], []]
        self.bottom: list[Face] = []
        self.trump = "n" if self.level == "F" else ""
        self.rung = 0
        self.shown: list[tuple[int, list[Face]]] = []
        self.after = 0
        self.is_turned = False
        self.red_fives = False
        self.taker = 0
        self.buried_by: int | None = None
        self.asked: list[int] = []
        self.passed: set[int] = set()
        self.turn = 0
        self.leader = 0
        self.plays: list[list[Face]] = []
        self.captured = [0, 0, 0, 0]
        self.penalty = 0
        self.trick = 0

    def _need(self, is_so: object, clause: str = "") -> None:
        if not is_so:
            raise Blocked(clause)

    @property
    def table(self) -> Table:
        """Level and trump as they stand."""
        return Table(self.level, self.trump, self.house)

    # 发牌

    @property
    def redeals(self) -> bool:
        """Nobody has declared in a first hand, and this table then deals anew."""
        nobody = self.phase == "declare" and not self.shown
        return nobody and self.is_first and self.house.nobody_declares == "redeal"

    def deal(self, start: int, deck: list[Face]) -> set[str]:
        """每方得牌25张，剩余的8张牌为底牌; 扛旗不留底牌."""
        self._need(self.phase == "deal" or self.redeals)
        self._need(Counter(deck) == Counter(DECK), "1.1")
        first = self.start if self.redeals else self.dealer
        in_hand = 108 if self.level == "F" else 100
        self.dealt = [[], [], [], []]
        for place, card in enumerate(deck[:in_hand]):
            self.dealt[(start + place) % 4].append(card)
        self.hands = [list(cards) for cards in self.dealt]
        self.bottom = deck[in_hand:]
        self.start, self.phase, self.due = start, "declare", []
        if self.level == "F":
            self._begin()
        return set() if first in (None, start) else {"2.2"}

    # 亮主, 反主

    def declare(self, seat: int, cards: list[Face], named: str | None, after: int) -> set[str]:
        """A seat shows cards when so many are dealt."""
        late = self.phase == "bury" and self.buried_by is None
        self._need(self.phase == "declare" or late)
        height, trump, found = self._show(cards, named)
        held = self.hands[seat] if late else self.dealt[seat]
        self._need(not lacks(held, cards), "1.7")
        has_by_then = self.dealt[seat][: len(range((seat - self.start) % 4, after, 4))]
        is_dealers = height == RED_FIVES and seat == self.dealer
        untimely = (
            late,
            lacks(has_by_then, cards),
            after < self.after,
            after < 100 and self.house.declare_window == "after_only",
            self.is_turned and not is_dealers,
        )
        found |= {"4.1"} if any(untimely) else set()
        found |= self._over(seat, cards, height)
        if self.is_first and not late and not self.is_turned:
            self.dealer = seat
        self.after = max(after, self.after)
        self._stand(seat, cards, height, trump)
        self.due = [("trump", self.trump, self.rung)] if late or self.is_turned else []
        return found

    def _show(self, cards: list[Face], named: str | None) -> tuple[int, str, set[str]]:
        height = rung(cards, self.level)
        self._need(height is not None, "4.2")
        assert height is not None
        if height == RED_FIVES:
            self._need(named is not None, "4.3")
            assert named is not None
            return height, named, set()
        trump = "n" if cards[0] in JOKERS else cards[0][1]
        return height, trump, set() if named is None else {"4.12"}

    def _over(self, seat: int, cards: list[Face], height: int) -> set[str]:
        """任一方叫了主，其它各方都有权“反主”."""
        if self.red_fives:
            return {"4.6"}
        found = set() if height > self.rung else {"4.4"}
        if not self.shown or self.shown[-1][0] != seat:
            return found
        old = self.shown[-1][1]
        may = {
            "red_five_only": height == RED_FIVES,
            "same_suit": height == RED_FIVES or (len(old) == 1 and cards == old * 2),
            "any": True,
            "never": False,
        }[self.house.self_overturn]
        return found if may else found | {"4.5"}

    def _stand(self, seat: int, cards: list[Face], height: int, trump: str) -> None:
        self.trump, self.rung = trump, height
        self.shown = [*self.shown, (seat, cards)]
        self.red_fives = self.red_fives or height == RED_FIVES

    def turn_bottom(self) -> set[str]:
        """若一副牌抓完，尚无人“叫主”，则看“底牌”."""
        nobody = self.phase == "declare" and not self.shown and not self.is_turned
        self._need(nobody and not self.redeals)
        self.trump = bottom_trump(self.bottom, self.level, self.house.bottom_joker)
        self.dealer = self.start if self.dealer is None else self.dealer
        self.is_turned, self.after = True, 100
        self.due = [("bottom", tuple(self.bottom)), ("trump", self.trump, 0)]
        return set()

    def close(self) -> set[str]:
        """在亮主后由庄家取走底牌."""
        self._need(self.phase == "declare" and self.trump)
        assert self.dealer is not None
        self.due = [] if self.is_turned else [("trump", self.trump, self.rung)]
        self._take(self.dealer)
        return set()

    def _take(self, seat: int) -> None:
        self.phase, self.taker = "bury", seat
        self.hands[seat] += self.bottom
        self.due.append(("taken", seat, tuple(self.bottom)))

    # 扣底, 抄底牌

    def bury(self, seat: int, cards: list[Face]) -> set[str]:
        """替换成同样张数的牌作为新的底牌重新扣下."""
        self._need(self.phase == "bury")
        self._need(seat == self.taker and len(cards) == 8, "5.1")
        self._need(not lacks(self.hands[seat], cards), "1.7")
        for card in cards:
            self.hands[seat].remove(card)
        self.bottom, self.buried_by, self.phase, self.due = cards, seat, "stir", []
        others = [(seat + step) % 4 for step in (1, 2, 3)]
        self.asked = [other for other in others if other not in self.passed]
        unasked = self.rung == 0 and self.house.stir_after_bottom_trump == "not_asked"
        if self.red_fives or unasked or not self.asked:
            self._begin()
        return set()

    def pass_stir(self, seat: int) -> set[str]:
        """A seat that was asked does not stir."""
        self._need(self.phase == "stir")
        self._need(seat == self.asked[0], "5.3")
        if self.house.stir_pass == "final":
            self.passed = self.passed | {seat}
        self.asked, self.due = self.asked[1:], []
        if not self.asked:
            self._begin()
        return set()

    def stir(self, seat: int, cards: list[Face], named: str | None) -> set[str]:
        """亮出比当前级别高的牌，可以拿起底牌进行重新扣底，并且视同“反主”."""
        self._need(self.phase == "stir")
        self._need(seat == self.asked[0], "5.3")
        height, trump, found = self._show(cards, named)
        self._need(not lacks(self.hands[seat], cards), "1.7")
        found |= set() if height > max(self.rung, 1) else {"5.4"}
        if self.is_first and self.house.stir_moves_dealer == "first_hand":
            self.dealer = seat
        self._stand(seat, cards, height, trump)
        self.due = [("trump", self.trump, self.rung)]
        self._take(seat)
        return found

    # 出牌

    def _begin(self) -> None:
        assert self.dealer is not None
        self.phase, self.turn, self.leader, self.trick = "play", self.dealer, self.dealer, 1

    def play(self, seat: int, cards: list[Face]) -> set[str]:
        """A lead or an answer."""
        self._need(self.phase == "play")
        return self._answer(seat, cards) if self.plays else self._lead(seat, cards)

    def _lead(self, seat: int, cards: list[Face]) -> set[str]:
        table = self.table
        self._need(not lacks(self.hands[seat], cards), "1.7")
        self._need(table.one_suit(cards) is not None, "7.2")
        led, self.due = cards, []
        if table.is_throw(cards):
            others = [(other, self.hands[other]) for other in range(4) if other != seat]
            led, seats = table.judged(cards, others)
            self._need(not seats or self.house.failed_throw == "force_lowest", "7.6")
            if seats:
                is_ours = seat % 2 == self.side
                self.penalty += self.house.throw_penalty * (1 if is_ours else -1)
            self.due = [("throw", tuple(sorted(led)), tuple(seats))]
        found = set() if seat == self.turn else {"7.1"}
        self.leader = seat
        self._lay(seat, led)
        return found

    def _answer(self, seat: int, cards: list[Face]) -> set[str]:
        self._need(seat == self.turn, "0.1")
        held, lead = self.hands[seat], self.plays[0]
        self._need(not lacks(held, cards), "1.7")
        self._need(len(cards) == len(lead), "8.1")
        table = self.table
        broken = first_broken(fulfilled(table, held, lead, cards), best(table, held, lead))
        self.due = []
        self._lay(seat, cards)
        return {DUTIES[broken]} if broken else set()

    def _lay(self, seat: int, cards: list[Face]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        self.plays = [*self.plays, cards]
        self.turn = (seat + 1) % 4
        if len(self.plays) == 4:
            self._trick_over()

    def _trick_over(self) -> None:
        """各方都出牌后，计算获胜方，下一轮牌由获胜方首先出牌."""
        taker = (self.leader + self.table.winner(self.plays)) % 4
        points = sum(map(worth, self.plays))
        self.captured[taker] += points
        self.due = [("trick", taker, points)]
        if not any(self.hands):
            self._settle(taker)
            return
        self.turn = self.leader = taker
        self.plays, self.trick = [], self.trick + 1

    # 胜负的判定

    @property
    def side(self) -> int:
        """庄家方: 0 for seats 0 and 2, else 1."""
        assert self.dealer is not None
        return self.dealer % 2

    def _settle(self, taker: int) -> None:
        points, factor = self._bottom(taker)
        tricks = sum(self.captured[seat] for seat in range(4) if seat % 2 != self.side)
        score = tricks + points * factor + self.penalty
        hand_no, _, levels, failures, scores, _ = self.carry
        ours, theirs = self.side, 1 - self.side
        wsk = self._last_wsk(taker)
        end = End(self.level, levels[theirs], failures[ours], score, wsk, self.red_fives)
        done = outcome(self.house, end)
        each = [done.points if seat % 2 == ours else done.other_points for seat in range(4)]
        total = tuple(old + new for old, new in zip(scores, each, strict=True))
        kept = failures[theirs] if done.other == "F" == levels[theirs] else 0
        sides = {ours: (done.level, done.failures), theirs: (done.other, kept)}
        after = (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1])
        self.carry = (hand_no + 1, self._next_dealer(done.result), *after, total, False)
        if done.result == "MATCH_WON":
            self.carry = (hand_no + 1, None, ("2", "2"), (0, 0), total, True)
        self._over_with(
            *(tricks, points, factor, self.penalty, score),
            *(done.result, done.effect, done.risen, tuple(each), self.carry),
        )

    def _over_with(self, *settled: object) -> None:
        self.phase = "over"
        self.due.append(("settled", *settled))

    def _bottom(self, taker: int) -> tuple[int, int]:
        """抠底: points of the bottom, and what they are multiplied by."""
        stirred = self.buried_by is not None and self.buried_by % 2 != self.side
        is_void = stirred and self.house.stirred_bottom == "dealer_side_only"
        if taker % 2 == self.side or self.level == "F" or is_void:
            return 0, 0
        lead = self.plays[0]
        pairs = max(part.pairs for part in self.table.parts(lead))
        factor: dict[str, int] = {
            "doubling": 2 * 2**pairs,
            "two_per_card": 4 * pairs or 2,
            "cap8": (2, 4, 8)[min(pairs, 2)],
        }
        return worth(self.bottom), factor[self.house.bottom_factor]

    def _last_wsk(self, taker: int) -> bool:
        """抓分方的人出的牌里包含5.10.K，而对方没有办法压制."""
        rule = self.house.last_trick_wsk
        if rule == "off" or taker % 2 == self.side:
            return False
        seats = [(self.leader + place) % 4 for place in range(4)]
        return any(
            self.table.has_wsk(cards)
            for seat, cards in zip(seats, self.plays, strict=True)
            if seat % 2 != self.side and (rule == "side_wins" or seat == taker)
        )

    def _next_dealer(self, result: str) -> int:
        assert self.dealer is not None
        if result == "HELD":
            return self.dealer if self.house.dealer_after_hold == "same" else (self.dealer + 2) % 4
        return (self.dealer + (1 if self.house.dealer_after_swap == "next" else 3)) % 4

    # 逃跑, 结束

    def escape(self, seat: int) -> set[str]:
        """该玩家将被扣去15分。其他玩家不加分."""
        self._need(self.phase != "over")
        is_free = self.phase == "deal" and self.house.room == "single"
        fine = 0 if is_free else self.house.escape_penalty
        each = tuple(-fine if other == seat else 0 for other in range(4))
        hand_no, dealer, levels, failures, scores, _ = self.carry
        total = tuple(old + new for old, new in zip(scores, each, strict=True))
        self.carry = (hand_no, dealer, levels, failures, total, True)
        self.due = []
        self._over_with(0, 0, 0, 0, 0, "ESCAPED", "NONE", 0, each, self.carry)
        return set()

    def end(self) -> set[str]:
        """The hand is over."""
        self._need(self.phase == "over")
        self.due = []
        return set()


def copied(hand: Hand) -> Hand:
    """A hand that can be told something without the other knowing."""
    twin = Hand(hand.house, hand.carry)
    for name, value in vars(hand).items():
        kept: Any = value
        if name in ("hands", "dealt"):
            kept = [list(cards) for cards in value]
        elif isinstance(value, list | set):
            kept = type(value)(value)
        setattr(twin, name, kept)
    return twin
