"""打拱 once more, slow and plain, written from the source text: the engine is held against it.

Cards are faces such as `5h`, holdings are lists of them; nothing here is shared with the engine.
`Hand` is told what happens and refuses what is not allowed; `due` lists what a truthful server
then says, as tuples.
"""

from collections import Counter
from collections.abc import Iterable

from schema.options import DagongOptions

LADDER = "3456789TJQKA"
"""The ranks that can stand in a run, ascending."""
RANKS = LADDER + "2"
JOKERS = ("Bj", "Rj")
FACES = [rank + suit for rank in RANKS for suit in "dchs"] + list(JOKERS)
WORTH = {"5": 5, "T": 10, "K": 10}
WEAKEST_FIRST = (
    *("bomb 3", "bomb 4", "wsk_mixed", "bomb 5"),
    *("wsk_pure d", "wsk_pure c", "wsk_pure h", "wsk_pure s"),
    *("bomb 6", "joker2", "bomb 7", "joker3", "bomb 8", "joker4"),
)
"""不同炸弹大小 of the source, read from its right end."""

Type = tuple[str | int, ...]
Claim = tuple[object, ...]
Carry = tuple[int, int | None, tuple[int, ...]]
"""Hand number, dealer (None: first hand), balances."""


class Illegal(Exception):
    """What was told is not allowed here."""


# 出牌牌型, 牌和炸弹的大小


def type_of(cards: list[str], house: DagongOptions) -> Type | None:
    """The type of the cards; each face is there twice at most, as there are two decks."""
    if not cards or any(cards.count(card) > 2 for card in cards):
        return None
    jokers = "".join(sorted(card[0] for card in cards if card in JOKERS))
    if jokers:
        return _jokers(jokers, house) if len(jokers) == len(cards) else None
    ranks = Counter(card[0] for card in cards)
    if len(ranks) == 1:
        return ({1: "single", 2: "pair"}.get(len(cards), "bomb"), len(cards), cards[0][0])
    if ranks == Counter("5TK"):
        suits = {card[1] for card in cards}
        return ("wsk_pure", *suits) if len(suits) == 1 else ("wsk_mixed",)
    run = "".join(sorted(ranks, key=RANKS.index))
    copies = set(ranks.values())
    if run in LADDER and copies == {1} and len(run) >= 3:
        return ("straight", len(run), run[-1])
    if run in LADDER and copies == {2}:
        return ("pair_chain", len(run), run[-1])
    return None


def _jokers(letters: str, house: DagongOptions) -> Type | None:
    if len(letters) == 1:
        return ("single", 1, letters + "j")
    if len(letters) == 2:
        return None if letters == "BR" and house.joker_pair == "same" else ("joker2", letters)
    return ("joker3",) if len(letters) == 3 else ("joker4",)


def beats(new: Type, old: Type, house: DagongOptions) -> bool:
    """Whether one type is greater than the other."""
    strength, table = _strength(new), _strength(old)
    if strength is None or table is None:
        if strength or table:
            return strength is not None
        return new[:2] == old[:2] and _height(new, house) > _height(old, house)
    if strength != table:
        return strength > table
    return _height(new, house) > _height(old, house)


def _strength(what: Type) -> int | None:
    """Place of a bomb in the order of bombs, from 1; None for what is no bomb."""
    name = str(what[0])
    if name in ("bomb", "wsk_pure"):
        name = f"{name} {what[1]}"
    return WEAKEST_FIRST.index(name) + 1 if name in WEAKEST_FIRST else None


def _height(what: Type, house: DagongOptions) -> int:
    """How high among those of its type and size."""
    if what[0] == "joker2":
        return ("BR", "BB", "RR").index(str(what[1])) if house.joker_pairs == "ranked" else 0
    if what[0] not in ("single", "pair", "straight", "pair_chain", "bomb"):
        return 0
    top = str(what[2])
    if top in JOKERS:
        return 20 + (JOKERS.index(top) if house.single_jokers == "ranked" else 0)
    return RANKS.index(top)


def worth(cards: Iterable[str]) -> int:
    """分 of the cards."""
    return sum(WORTH.get(card[0], 0) for card in cards)


# 发牌, 叫牌


def tried(cards: list[str]) -> list[str]:
    """The dealer's cards shown as calls, one after the other, in a hand that is not the first.

    The last one is the call if he holds it once; else the chain has run off his cards.
    """
    shown, place = [], 0
    while place < len(cards):
        card = cards[place]
        shown.append(card)
        copies = [i for i, other in enumerate(cards) if other == card]
        if len(copies) == 1:
            return shown
        # 发到第二张同样牌后的第一张为第二次叫牌; a copy dealt earlier: the card after this one
        place = max(place, copies[1]) + 1
    return shown


class Hand:
    """One hand as it goes on. Every method raises Illegal and then changes nothing."""

    def __init__(self, house: DagongOptions, carry: Carry) -> None:
        self.house = house
        self.hand_no, self.dealer, self.balances = carry
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
        self.table: Type | None = None
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
            self._call_from_deal(self.dealer)

    def _call_from_deal(self, dealer: int) -> None:
        cards = self.dealt[dealer]
        once = [card for card in cards if cards.count(card) == 1]
        candidate = None
        if self.house.call_rule == "first_dealt":
            candidate = tried(cards)[-1]
        elif self.house.call_rule == "first_single":
            candidate = once[0]
        if candidate in once:
            self._called(candidate)
        else:
            self.phase = "draw"

    def turn_up(self, index: int) -> None:
        """第一局随机翻一张明牌，由得明牌的玩家为庄家."""
        self._need(self.phase == "turn up", "nothing to turn up")
        self.due = []
        self.dealer = (self.start + index) % 4
        self.phase = "draw"

    def draw(self, card: str) -> None:
        """系统随机抽取庄家任意单张牌."""
        self._need(self.phase == "draw" and self.dealer is not None, "nothing to draw")
        assert self.dealer is not None
        self._need(self.dealt[self.dealer].count(card) == 1, "not a single card of the dealer's")
        self.due = []
        self._called(card)

    def _called(self, card: str | None) -> None:
        assert card is not None
        self.called = card
        (self.partner,) = (s for s in range(4) if s != self.dealer and card in self.dealt[s])
        self.phase = "ask"
        self.due.append(("called", card))

    # 硬牌

    def answer(self, seat: int, yes: bool) -> None:
        """A seat says whether it takes 硬牌."""
        self._need(self.phase == "ask" and self.dealer is not None, "nobody is asked")
        assert self.dealer is not None
        if self.house.solo_order == "free":
            self._need(yes, "only a yes is logged")
        else:
            self._need(seat == (self.dealer + self.answers) % 4, "another seat is asked")
        self.due = []
        self.answers += 1
        if yes:
            self.soloist, self.called, self.partner = seat, None, None
            self.turn = seat if self.house.solo_leader == "soloist" else self.dealer
            self.phase = "play"
        elif self.answers == 4:
            self._begin_friends()

    def _begin_friends(self) -> None:
        assert self.dealer is not None
        self.turn, self.phase = self.dealer, "play"

    def side(self, seat: int) -> set[int]:
        """The seats that win and lose with this one."""
        ours = {self.soloist} if self.soloist is not None else {self.dealer, self.partner}
        return {other for other in range(4) if (other in ours) == (seat in ours)}

    # 轮流出牌

    def _act(self, seat: int) -> None:
        if self.phase == "ask" and self.house.solo_order == "free":
            self._need(seat == self.dealer, "the dealer leads")
        else:
            self._need(self.phase == "play", "nobody plays now")
            self._need(seat == self.turn, "another seat's turn")

    def play(self, seat: int, cards: list[str]) -> None:
        """A seat lays cards."""
        self._act(seat)
        self._need(not Counter(cards) - Counter(self.hands[seat]), "cards not held")
        what = type_of(cards, self.house)
        self._need(what, "no type")
        assert what is not None
        self._need(self.table is None or beats(what, self.table, self.house), "not greater")
        if self.phase == "ask":
            self._begin_friends()
        self.due = []
        for card in cards:
            self.hands[seat].remove(card)
        self.table, self.last = what, seat
        self.pot += 0 if self.soloist is not None else worth(cards)
        if self.house.pass_binds == "turn":
            self.passed = set()
        if seat == self.partner and self.called in cards and not self.revealed:
            self.revealed = True
            self.due.append(("revealed", seat))
        if not self.hands[seat] and not self.decided:
            self._place(seat)
        if self.phase == "play":
            self._next(seat)

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
        elif len(self.places) == 2 and self.places[1] in self.side(self.places[0]):
            self.decided = "bang"
        elif len(self.places) == 3:
            self.decided = "normal"
        if self.decided == "solo" or (self.decided and self.house.final_trick == "stop"):
            self.finish()

    def _next(self, seat: int) -> None:
        """The next seat that still may answer; if there is none the trick is over."""
        for step in (1, 2, 3):
            other = (seat + step) % 4
            if self.hands[other] and other != self.last and other not in self.passed:
                self.turn = other
                return
        if self.decided:
            self.finish()
            return
        leader = self.last if self.hands[self.last] else self._wind()
        taker = leader if self.house.wind_points_to == "leader" else self.last
        self.captured[taker] += self.pot
        self.due.append(("trick", self.last, self.pot))
        if leader != self.last:
            self.due.append(("wind", leader))
        self.turn, self.table, self.pot, self.passed = leader, None, 0, set()

    def _wind(self) -> int:
        """接风."""
        if self.revealed:
            (mate,) = self.side(self.last) - {self.last}
            assert self.hands[mate]
            return mate
        after = [(self.last + step) % 4 for step in (1, 2, 3)]
        return next(seat for seat in after if self.hands[seat])

    # 胜负, 番数

    def finish(self) -> None:
        """The hand is decided and its last trick closed: places, points, coins."""
        self.captured[self.last] += self.pot
        self.due.append(("trick", self.last, self.pot))
        self.phase = "over"
        left, final = 0, list(self.captured)
        if self.decided == "normal":
            (last,) = (seat for seat in range(4) if seat not in self.places)
            self.places.append(last)
            left = worth(self.hands[last])
            final[self.places[0]] += final[last]
            final[last] = 0
            third = self.house.last_hand_points_to == "third"
            final[self.places[2 if third else 0]] += left
        result, fan, winners = self._result(final)
        bonuses = self._bonuses()
        deltas = self._coins(fan, winners, bonuses)
        self.balances = tuple(self.balances[s] + deltas[s] for s in range(4))
        self.carry = (self.hand_no + 1, self.places[0], self.balances)
        self.due.append(
            (
                "settled",
                *(result, fan, tuple(sorted(winners)), tuple(self.places)),
                *(tuple(self.captured), left, tuple(final)),
                *(tuple(bonuses), tuple(deltas), self.carry),
            )
        )

    def _result(self, final: list[int]) -> tuple[str, int, set[int]]:
        house, first = self.house, self.places[0]
        others = {0, 1, 2, 3} - self.side(first)
        if self.decided == "solo":
            name = "SOLO_WON" if first == self.soloist else "SOLO_LOST"
            return name, house.solo_fan, self.side(first)
        if self.decided == "bang":
            if sum(self.captured[s] for s in others) == 0:
                return "GUANGTOU", house.guangtou_fan, self.side(first)
            return "BANG", house.bang_fan, self.side(first)
        ours = sum(final[s] for s in self.side(first))
        if ours == 100:
            # 则得末游的那方输
            winners = {0, 1, 2, 3} - self.side(self.places[3])
        else:
            winners = self.side(first) if ours > 100 else others
        return ("QING", house.qing_fan, winners) if ours in (0, 200) else ("POINTS", 1, winners)

    def _bonuses(self) -> list[tuple[int, str]]:
        found = []
        for seat in range(4):
            ranks = Counter(card[0] for card in self.dealt[seat] if card not in JOKERS)
            if sum(card in JOKERS for card in self.dealt[seat]) == 4:
                found.append((seat, "TIANZHA"))
            names = {7: "XI7", 8: "XI8"}
            found += [(seat, names[ranks[r]]) for r in RANKS if ranks[r] in names]
        return found

    def _coins(self, fan: int, winners: set[int], bonuses: list[tuple[int, str]]) -> list[int]:
        house = self.house
        coins = [0, 0, 0, 0]
        if self.soloist is None:
            for seat in range(4):
                coins[seat] = house.base * fan * (1 if seat in winners else -1)
        else:
            sign = 1 if self.soloist in winners else -1
            for seat in {0, 1, 2, 3} - {self.soloist}:
                coins[seat] -= sign * house.base * fan
                coins[self.soloist] += sign * house.base * fan
        each = {"TIANZHA": house.tianzha_each, "XI8": house.xi8_each, "XI7": house.xi7_each}
        for seat, name in bonuses:
            for other in {0, 1, 2, 3} - {seat}:
                paid = house.base * each[name] * (fan if house.bonus_unit == "fan" else 1)
                coins[other] -= paid
                coins[seat] += paid
        return coins
