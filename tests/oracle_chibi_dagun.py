"""赤壁打滚 once more, slow and plain, written from the source text: the engine is held against it.

Cards are faces such as `5h`, holdings are lists of them; nothing here is shared with the engine.
`Hand` is told what happens and refuses what is not allowed; `due` lists what a truthful server
then says, as tuples.
"""

from collections import Counter

from schema.options import ChibiDagunOptions
from tests.oracle_chibi_score import End, bonuses, coins, judged, safe_points, transferred
from tests.oracle_chibi_types import (
    FACES,
    Declared,
    Reading,
    beats,
    chosen,
    declared_one,
    readings,
    worth,
)

Claim = tuple[object, ...]
Carry = tuple[int, int | None, tuple[int, ...]]
"""Hand number, dealer (None: first hand), balances."""


class Illegal(Exception):
    """What was told is not allowed here."""


def singles(cards: list[str]) -> list[str]:
    """The cards of which there is one, in their order."""
    return [card for card in cards if cards.count(card) == 1]


def dealt_call(cards: list[str]) -> str | None:
    """亮出发到的第一张牌, again after its second copy; None if that runs off the cards."""
    place = 0
    while place < len(cards):
        first, *more = (i for i, card in enumerate(cards) if card == cards[place])
        if not more:
            return cards[first]
        # 发到第二张同样牌后的第一张为第二次叫牌
        place = more[0] + 1
    return None


class Hand:
    """One hand as it goes on. Every method raises Illegal and then changes nothing."""

    def __init__(self, house: ChibiDagunOptions, carry: Carry) -> None:
        self.house = house
        self.hand_no, self.dealer, self.balances = carry
        self.is_first = self.dealer is None
        self.phase = "deal"
        self.due: list[Claim] = []
        self.dealt: list[list[str]] = [[], [], [], []]
        self.hands: list[list[str]] = [[], [], [], []]
        self.start = 0
        self.called: str | None = None
        self.partner: int | None = None
        self.soloist: int | None = None
        self.answers = 0
        self.turn = 0
        self.table: Reading | None = None
        self.last = 0
        self.passed: set[int] = set()
        self.pot = 0
        self.captured = [0, 0, 0, 0]
        self.places: list[int] = []
        self.revealed = False
        self.decided = ""
        self.carry = carry

    def _need(self, is_so: object, what: str) -> None:
        if not is_so:
            raise Illegal(what)

    # 发牌, 叫牌

    def deal(self, start: int, deck: list[str]) -> None:
        """发牌, card by card."""
        self._need(self.phase == "deal", "dealt already")
        self._need(Counter(deck) == Counter(FACES * 2), "not two decks")
        self._need(self.dealer is None or start == self.dealer, "庄家首先发牌")
        self.due = []
        self.start, seat = start, start
        for card in deck:
            self.dealt[seat].append(card)
            self.hands[seat].append(card)
            seat = (seat + 1) % 4
        if self.dealer is None:
            self.phase = "turn up"
        else:
            self._dealer_known()

    def turn_up(self, index: int) -> None:
        """第一局随机翻一张明牌，由得明牌的玩家为庄家."""
        self._need(self.phase == "turn up", "nothing to turn up")
        self.due = []
        self.dealer = (self.start + index) % 4
        self._dealer_known()

    def _dealer_known(self) -> None:
        if self.house.solo_asked == "before_call":
            self.phase = "ask"
        else:
            self._call()

    def _call(self) -> None:
        """叫牌, if the deal says which card; else the system is to draw one."""
        assert self.dealer is not None
        cards, candidate = self.dealt[self.dealer], None
        if not self.is_first and self.house.later_call == "first_dealt":
            candidate = dealt_call(cards)
            if candidate is None and self.house.recall_fallback == "first_single":
                candidate = singles(cards)[0]
        if candidate is None:
            self.phase = "draw"
        else:
            self._called(candidate)

    def draw(self, card: str) -> None:
        """系统随机抽取庄家任意单张牌."""
        self._need(self.phase == "draw" and self.dealer is not None, "nothing to draw")
        assert self.dealer is not None
        self._need(card in singles(self.dealt[self.dealer]), "not a single card of the dealer's")
        self.due = []
        self._called(card)

    def _called(self, card: str) -> None:
        self.called = card
        (self.partner,) = (s for s in range(4) if s != self.dealer and card in self.dealt[s])
        self.due.append(("called", card))
        if self.house.solo_asked == "after_call":
            self.phase = "ask"
        else:
            self._lead(self.dealer)

    def _lead(self, seat: int | None) -> None:
        assert seat is not None
        self.turn, self.phase = seat, "play"

    # 硬牌

    def answer(self, seat: int, yes: bool) -> None:
        """A seat says whether it takes 硬牌."""
        self._need(self.phase == "ask" and self.dealer is not None, "nobody is asked")
        assert self.dealer is not None
        self._need(seat == (self.dealer + self.answers) % 4, "another seat is asked")
        self.due = []
        self.answers += 1
        if yes:
            self.soloist, self.called, self.partner = seat, None, None
            self._lead(seat if self.house.solo_leader == "soloist" else self.dealer)
        elif self.answers == 4 and self.house.solo_asked == "before_call":
            self._call()
        elif self.answers == 4:
            self._lead(self.dealer)

    # 轮流出牌

    def _act(self, seat: int) -> None:
        self._need(self.phase != "over", "the hand is over")
        self._need(self.phase == "play", "nobody plays now")
        self._need(seat == self.turn, "another seat's turn")

    def play(self, seat: int, cards: list[str], declared: Declared | None = None) -> None:
        """A seat lays cards, and may say what they are."""
        what = self.read(seat, cards, declared)
        self.due = []
        for card in cards:
            self.hands[seat].remove(card)
        self.table, self.last = what, seat
        self.pot += worth(cards)
        if self.house.pass_binds == "turn":
            self.passed = set()
        if seat == self.partner and self.called in cards and not self.revealed:
            self.revealed = True
            self.due.append(("revealed", seat))
        if not self.hands[seat] and not self.decided:
            self._place(seat)
        if self.phase == "play":
            self._next(seat)

    def read(self, seat: int, cards: list[str], declared: Declared | None) -> Reading:
        """What the cards are on this table, if the seat may lay them."""
        self._act(seat)
        self._need(not Counter(cards) - Counter(self.hands[seat]), "cards not held")
        found = readings(cards, self.house)
        self._need(found, "no type")
        what: Reading | None = chosen(found, self.table)
        if declared is not None:
            if self.house.wild_reading == "max_only":
                found = [chosen(found, self.table)]
            what = declared_one(found, declared)
        self._need(what, "the cards are not what was said")
        assert what is not None
        self._need(self.table is None or beats(what, self.table, self.house), "not greater")
        return what

    def skip(self, seat: int) -> None:
        """弃权."""
        self._act(seat)
        self._need(self.table, "the leader must play")
        self.due = []
        self.passed.add(seat)
        self._next(seat)

    def _place(self, seat: int) -> None:
        """名次; the hand may be decided by it."""
        self.places.append(seat)
        self.due.append(("out", seat, len(self.places)))
        if self.soloist is not None:
            self.decided = "solo"
        elif len(self.places) == 2 and self.places[1] in self._end("").side(self.places[0]):
            self.decided = "bang"
        elif len(self.places) == 3:
            self.decided = "normal"
        elif self._is_early():
            self.decided = "early"
        if self.decided == "normal" and self.house.final_trick == "stop":
            # nobody is left to answer: it is the third's
            self._close(seat)
        if self.decided in ("solo", "early") or (self.decided and self.house.final_trick == "stop"):
            self.finish()

    def _is_early(self) -> bool:
        if self.house.early_stop == "none" or self.soloist is not None or self.decided:
            return False
        return len(self.places) == 2 and self.is_safe()

    def is_safe(self) -> bool:
        """Whether it is sure who wins on points, with 一游 and 二游 out."""
        return safe_points(self._end("early")) is not None

    def _close(self, taker: int) -> None:
        """当一轮中有分数时，则最后得到任意出牌权的玩家获得这些分数."""
        self.captured[taker] += self.pot
        self.due.append(("trick", self.last, self.pot))

    def _next(self, seat: int) -> None:
        """The next seat that still may answer; if there is none the trick is over."""
        for step in (1, 2, 3):
            other = (seat + step) % 4
            if self.hands[other] and other != self.last and other not in self.passed:
                self.turn = other
                return
        if self.decided:
            self._close(self.last)
            self.finish()
            return
        leader = self.last if self.hands[self.last] else self._wind()
        self._close(leader if self.house.wind_points_to == "leader" else self.last)
        if self._is_early():
            self.decided = "early"
            self.finish()
            return
        if leader != self.last:
            self.due.append(("wind", leader))
        self.turn, self.table, self.pot, self.passed = leader, None, 0, set()

    def _wind(self) -> int:
        """接风."""
        if self.revealed:
            (mate,) = self._end("").side(self.last) - {self.last}
            assert self.hands[mate]
            return mate
        after = [(self.last + step) % 4 for step in (1, 2, 3)]
        return next(seat for seat in after if self.hands[seat])

    # 胜负, 番数

    def _end(self, word: str, final: list[int] | None = None) -> End:
        ours = (self.dealer, self.partner) if self.soloist is None else (self.soloist,)
        seats = frozenset(seat for seat in ours if seat is not None)
        return End(word, seats, self.places, self.captured, final or self.captured)

    def finish(self) -> None:
        """The hand is decided and its last trick closed or nobody's: places, points, coins."""
        self.phase = "over"
        left, final = 0, list(self.captured)
        if self.decided == "normal":
            (last,) = (seat for seat in range(4) if seat not in self.places)
            self.places.append(last)
            left = worth(self.hands[last])
            final = transferred(self.places, self.captured, left)
        end = self._end(self.decided, final)
        result, fan, winners = judged(self.house, end)
        given = bonuses(self.house, self.dealt)
        deltas = coins(self.house, fan, winners, end, given)
        self.balances = tuple(self.balances[s] + deltas[s] for s in range(4))
        self.carry = (self.hand_no + 1, self.places[0], self.balances)
        self.due.append(
            (
                "settled",
                *(result, fan, tuple(sorted(winners)), tuple(self.places)),
                *(tuple(self.captured), left, tuple(final)),
                *(tuple(given), tuple(deltas), self.carry),
            )
        )
