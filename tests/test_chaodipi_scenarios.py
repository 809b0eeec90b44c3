"""Situations of 炒地皮 told fact by fact: who may do what, who deals, what a hand comes to."""

from collections import Counter
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.states import (
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Stirring,
    setting_of,
)
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, RuleViolation
from schema.cards import ALL_CODES, parse_cards
from schema.chaodipi import (
    BottomTurned,
    Buried,
    ChaodipiCarry,
    ChaodipiSettled,
    Declared,
    DeclaringClosed,
    StirPassed,
    Stirred,
    ThrowJudged,
)
from schema.events import By, Claim, Dealt, Fact, Played, TrickWon
from schema.options import ChaodipiOptions
from schema.trumps import Named
from tests.oracle_chaodipi_cards import TRUMPS
from tests.oracle_chaodipi_score import LADDER

DECK = ALL_CODES * 2
BOTTOM = "3c 9d 2h 6s Kd 4c 7d As"


class Told:
    """A hand as it is told: its state, and what became due and was broken last."""

    def __init__(self, carry: ChaodipiCarry, options: ChaodipiOptions = DEFAULT) -> None:
        self.game = Chaodipi()
        self.state: ChaodipiState = self.game.open(options, carry)
        self.due: tuple[Claim, ...] = ()
        self.broken: list[str] = []

    def tell(self, *facts: Fact) -> "Told":
        """Facts in order; RuleViolation if one blocks."""
        for fact in facts:
            breaches: list[Breach] = []
            before = self.state
            self.state = self.game.apply(before, fact, breaches)
            self.due = self.game.due(before, fact, self.state)
            self.broken = [breach.rule.id.removeprefix("chaodipi-") for breach in breaches]
        return self

    @property
    def trump(self) -> tuple[str, int, int]:
        """Trump suit, rung and dealer."""
        setting = setting_of(self.state)
        assert setting is not None
        return TRUMPS[setting.trump], setting.rung, setting.dealer


def first() -> ChaodipiCarry:
    """What the first hand of a match opens with."""
    return ChaodipiCarry(1, None, (0, 0), (0, 0), (0, 0, 0, 0), False)


def fifth(dealer: int = 0, levels: str = "62") -> ChaodipiCarry:
    """What a later hand opens with: the levels of seats 0, 2 and of seats 1, 3."""
    places = LADDER.index(levels[0]), LADDER.index(levels[1])
    return ChaodipiCarry(5, dealer, places, (0, 0), (0, 0, 0, 0), False)


def dealt(start: int, own: Sequence[str], bottom: str = "") -> Dealt:
    """A deal in which each seat has these cards among others, and the bottom is this one."""
    hands = [parse_cards(cards) for cards in own]
    below = parse_cards(bottom)
    left = Counter(DECK)
    left.subtract(b"".join((*hands, below)))
    others = list(left.elements())
    below += bytes(others.pop() for _ in range(8 - len(below)))
    full = [cards + bytes(others.pop() for _ in range(25 - len(cards))) for cards in hands]
    order = [full[(start + step) % 4] for step in range(4)]
    return Dealt(
        0, start, bytes(card for four in zip(*order, strict=True) for card in four) + below
    )


def shows(seat: int, cards: str, named: Named = Named.NOTHING, after: int = 100) -> Declared:
    """亮主."""
    return Declared(0, By.PLAYER, seat, parse_cards(cards), named, after)


def stirs(seat: int, cards: str, named: Named = Named.NOTHING) -> Stirred:
    """抄底牌."""
    return Stirred(0, By.PLAYER, seat, parse_cards(cards), named)


def passes(*seats: int) -> list[Fact]:
    """Seats that do not stir."""
    return [StirPassed(0, By.PLAYER, seat) for seat in seats]


def plays(seat: int, cards: str) -> Played:
    """出牌."""
    return Played(0, By.PLAYER, seat, parse_cards(cards))


def buries_again(told: Told) -> Told:
    """Who has taken the bottom buries the same cards."""
    assert isinstance(told.state, Burying)
    return told.tell(Buried(0, By.PLAYER, told.state.seat, told.state.taken))


def at_the_end(
    hands: Sequence[str],
    leader: int,
    carry: ChaodipiCarry,
    show: str = "6s",
    bottom: str = "",
    points: tuple[int, int, int, int] = (0, 0, 0, 0),
    options: ChaodipiOptions = DEFAULT,
) -> Told:
    """Seat 1 has declared, nobody has stirred, and these cards are left."""
    told = Told(carry, options)
    told.tell(dealt(carry.dealer or 0, ("", show, "", ""), bottom), shows(1, show))
    buries_again(told.tell(DeclaringClosed(0)))
    assert isinstance(told.state, Stirring)
    told.tell(*passes(*told.state.asked))
    assert isinstance(told.state, Playing)
    holdings = per_seat(with_cards(EMPTY, pack_dealt(parse_cards(cards))) for cards in hands)
    told.state = replace(told.state, holdings=holdings, leader=leader, turn=leader, captured=points)
    return told


def settled(told: Told) -> ChaodipiSettled:
    """The settlement of a hand that is over."""
    assert isinstance(told.state, Over)
    return told.state.settled


# The deal


@pytest.mark.parametrize(("index", "seat"), [(0, 2), (5, 3), (99, 1)])
def test_cards_are_dealt_one_at_a_time(index: int, seat: int) -> None:
    """Seat 2 is dealt to first: deck cards by their places."""
    told = Told(first()).tell(Dealt(0, 2, DECK))
    assert isinstance(told.state, Declaring)
    hands = told.state.setting.deal.hands
    assert hands[seat][index // 4] == DECK[index]
    assert told.state.setting.deal.bottom == DECK[100:]


def test_a_flag_hand_has_no_bottom() -> None:
    """All cards are dealt, and the dealer leads at once."""
    told = Told(fifth(1, "2F")).tell(Dealt(0, 1, DECK))
    assert isinstance(told.state, Playing)
    deal = told.state.setting.deal
    assert deal.hands[0][-1] == DECK[107]
    assert (deal.bottom, told.state.turn, told.trump) == (b"", 1, ("n", 0, 1))


# Declaring and stirring


def test_the_deal_moves_in_the_first_hand() -> None:
    """Who shows last deals, a stirrer too; a pair of 红桃5 ends it."""
    own = ("", "2d Bj Bj", "5h 5h", "2c 2c")
    told = Told(first()).tell(dealt(0, own), shows(1, "2d"), shows(3, "2c 2c"))
    buries_again(told.tell(DeclaringClosed(0)))
    assert told.trump == ("c", 3, 3)
    assert isinstance(told.state, Stirring)
    assert told.state.asked == (0, 1, 2)
    buries_again(told.tell(*passes(0), stirs(1, "Bj Bj")))
    assert told.trump == ("n", 6, 1)
    assert isinstance(told.state, Stirring)
    assert told.state.asked == (2, 3, 0)
    buries_again(told.tell(stirs(2, "5h 5h", Named.DIAMONDS)))
    assert told.trump == ("d", 8, 2)
    assert isinstance(told.state, Playing)
    assert told.state.turn == 2
    assert told.state.setting.has_red_fives


def test_the_deal_stays_in_a_later_hand() -> None:
    """The dealer stirs back after another seat has stirred, and leads."""
    told = Told(fifth()).tell(dealt(0, ("Bj Bj", "6s 6s", "", "6c")), shows(3, "6c"))
    buries_again(told.tell(DeclaringClosed(0)))
    buries_again(told.tell(stirs(1, "6s 6s")))
    buries_again(told.tell(*passes(2, 3), stirs(0, "Bj Bj")))
    assert isinstance(told.state, Stirring)
    told.tell(*passes(*told.state.asked))
    assert isinstance(told.state, Playing)
    assert told.trump == ("n", 6, 0)
    assert (told.state.burier, told.state.turn) == (0, 0)


def test_the_dealer_alone_cannot_stir() -> None:
    """With both 红桃5 in hand the dealer is not asked: after three passes play begins."""
    told = Told(fifth()).tell(dealt(0, ("5h", "6c", "", ""), "5h"), shows(1, "6c"))
    state = told.tell(DeclaringClosed(0)).state
    assert isinstance(state, Burying)
    told.tell(Buried(0, By.PLAYER, 0, state.setting.deal.hands[0][1:9]))
    with pytest.raises(RuleViolation):
        told.tell(stirs(0, "5h 5h", Named.SPADES))
    assert isinstance(told.tell(*passes(1, 2, 3)).state, Playing)
    assert told.trump == ("c", 1, 0)


def test_a_declarer_shows_again_only_red_fives() -> None:
    """A pair of the suit declared is a fault and stands; a pair of 红桃5 is none."""
    told = Told(fifth()).tell(dealt(0, ("", "6h 6h 5h 5h", "", "")), shows(1, "6h"))
    told.tell(shows(1, "6h 6h"))
    assert (told.broken, told.trump) == (["4.5"], ("h", 4, 0))
    told = Told(fifth()).tell(dealt(0, ("", "6h 6h 5h 5h", "", "")), shows(1, "6h"))
    told.tell(shows(1, "5h 5h", Named.SPADES))
    assert (told.broken, told.trump) == ([], ("s", 8, 0))
    assert isinstance(buries_again(told.tell(DeclaringClosed(0))).state, Playing)


def test_nobody_declares() -> None:
    """The turned-up bottom makes trump; in a first hand the first seat deals; any pair stirs."""
    told = Told(first()).tell(dealt(2, ("2d 2d", "", "", ""), BOTTOM), BottomTurned(0))
    assert told.trump == ("h", 0, 2)
    buries_again(told.tell(DeclaringClosed(0)))
    assert isinstance(told.tell(*passes(3), stirs(0, "2d 2d")).state, Burying)
    assert (told.broken, told.trump) == ([], ("d", 2, 0))


def test_behind_the_turned_up_bottom_the_dealer_alone_shows_red_fives() -> None:
    """Anything else is too late and stands, but moves no dealer."""
    deal = dealt(2, ("", "2c 2c", "5h 5h", ""), BOTTOM)
    told = Told(first()).tell(deal, BottomTurned(0), shows(1, "2c 2c"))
    assert (told.broken, told.trump) == (["4.1"], ("c", 3, 2))
    told = Told(first()).tell(deal, BottomTurned(0), shows(2, "5h 5h", Named.DIAMONDS))
    assert (told.broken, told.trump) == ([], ("d", 8, 2))
    assert isinstance(buries_again(told.tell(DeclaringClosed(0))).state, Playing)


def test_the_bottom_is_turned_up_when_all_are_dealt() -> None:
    """A show behind it that says fewer cards were dealt has the wrong time."""
    deal = dealt(2, ("", "", "5h 5h", ""), BOTTOM)
    told = Told(first()).tell(deal, BottomTurned(0), shows(2, "5h 5h", Named.DIAMONDS, 60))
    assert told.broken == ["4.1"]


def test_a_late_show_may_be_too_low_as_well() -> None:
    """Every fault of a show behind the close is reported; it stands, the dealer does not move."""
    deal = dealt(0, ("", "2d 2d", "", "2c"))
    told = Told(first()).tell(deal, shows(1, "2d 2d"), DeclaringClosed(0), shows(3, "2c"))
    assert (told.broken, told.trump) == (["4.1", "4.4"], ("c", 1, 1))


def test_nobody_declares_behind_a_burial() -> None:
    """Once the dealer has buried, cards are shown only to stir (chaodipi-5.7)."""
    told = Told(fifth()).tell(dealt(0, ("", "6s 6s", "6c", "6d")), shows(3, "6d"))
    buries_again(told.tell(DeclaringClosed(0)))
    assert isinstance(told.tell(stirs(1, "6s 6s")).state, Burying)
    with pytest.raises(RuleViolation):
        told.tell(shows(2, "6c"))


# The end of a hand


def test_an_attacker_may_win_what_he_has_buried() -> None:
    """70 points in the bottom count fourfold after a pair."""
    told = at_the_end(("4d 7d", "3c 3c", "8d 9d", "4h 7h"), 1, fifth(), bottom=BOTTOM)
    assert isinstance(told.state, Playing)
    bottom = parse_cards("Ks Ts 5s Kd Td 5d Kc Tc")
    told.state = replace(told.state, bottom=bottom, burier=1)
    told.tell(plays(1, "3c 3c"), plays(2, "8d 9d"), plays(3, "4h 7h"), plays(0, "4d 7d"))
    found = settled(told)
    assert (found.bottom, found.factor, found.score) == (70, 4, 280)


def test_points_lift_the_attackers_from_their_own_level() -> None:
    """55 in tricks and 25 in the bottom, captured with a pair: 155, seven levels."""
    carry = fifth(0, "42")
    hands = ("3d 7d", "3c 3c", "8d 9d", "4h 7h")
    told = at_the_end(hands, 1, carry, "4s", "Ks Td 5d 3s 6s 7s 8s 9s", (10, 55, 110, 0))
    told.tell(plays(1, "3c 3c"), plays(2, "8d 9d"), plays(3, "4h 7h"), plays(0, "3d 7d"))
    found = settled(told)
    assert (found.score, found.risen, found.deltas) == (155, 7, (-7, 7, -7, 7))
    assert (found.next.levels, found.next.dealer) == ((2, 7), 1)


LAST = "6s"
"""The level and trump of the last tricks below: level 6, spades."""


def _after_last(hands: Sequence[str], leader: int, options: ChaodipiOptions = DEFAULT) -> Told:
    told = at_the_end(hands, leader, fifth(0, "63"), LAST, options=options)
    for step in range(4):
        seat = (leader + step) % 4
        told.tell(plays(seat, hands[seat]))
    return told


def test_a_last_wsk_of_an_attacker_sends_the_dealer_side_to_2() -> None:
    """Nobody suppresses it: the attackers rise to A and deal."""
    found = settled(_after_last(("3d 4d 7d", "5c Tc Kc", "2c 3c 4c", "8d 9d Jd"), 1))
    assert (found.effect.name, found.next.levels, found.next.dealer) == ("LAST_WSK", (0, 12), 1)
    assert found.deltas == (-11, 11, -11, 11)


def test_an_attacker_suppresses_the_last_wsk_of_the_dealer_side() -> None:
    """The trump 5.10.K wins, the bottom counts twice, and the levels fall to it."""
    told = _after_last(("3d 4d 7d", "5s Ts Ks", "5c Tc Kc", "2c 3c 4c"), 2)
    assert told.due[0] == TrickWon(1, 50)
    assert (settled(told).factor, settled(told).effect.name) == (2, "LAST_WSK")


def test_an_attacker_who_must_follow_with_the_other_wsk_wins_nothing() -> None:
    """The dealer led it, and equal cards come too late."""
    told = _after_last(("5c Tc Kc", "5c Tc Kc", "2c 3c 4c", "3d 4d 7d"), 0)
    assert told.broken == []
    assert told.due[0] == TrickWon(0, 50)
    assert (settled(told).effect.name, settled(told).factor) == ("ALL", 0)


def test_the_partner_may_over_ruff_a_last_wsk() -> None:
    """Which of the attackers wins the trick does not matter, unless the table says so."""
    hands = ("3c 4c 9d Jd", "5c Tc Kc Ac", "2c 2c 3c 4c", "2s 3s 4s 7s")
    told = _after_last(hands, 1)
    assert told.due[0] == TrickWon(3, 25)
    assert (settled(told).effect.name, settled(told).factor) == ("LAST_WSK", 2)
    winning = replace(DEFAULT, last_trick_wsk="winning_play")
    assert settled(_after_last(hands, 1, winning)).effect.name == "POINTS"


def test_a_throw_that_fails_is_not_the_last_trick() -> None:
    """A part of it is led, the pairs stay in hand, and a further lead sets the factor."""
    hands = ("Jc 2d 3d 4d 8d", "9c 8c 8c 4c 4c", "3h 4h 7h 8h 9h", "2h Th Jh Qh Kh")
    told = at_the_end(hands, 1, fifth()).tell(plays(1, "9c 8c 8c 4c 4c"))
    assert list(told.due) == [ThrowJudged(parse_cards("9c"), (0,))]
    told.tell(plays(2, "3h"), plays(3, "2h"), plays(0, "Jc"))
    assert isinstance(told.state, Playing)
    assert list(told.due) == [TrickWon(0, 0)]
    assert told.state.trick == 2


def test_points_go_to_the_side_that_wins_the_trick() -> None:
    """Only those of the attackers are the score, cards of the dealer side in them included."""
    hands = ("3c Td 7h", "Tc 5d 8h", "Kc Qd 9h", "5c Kd Jh")
    told = at_the_end(hands, 1, fifth())
    told.tell(plays(1, "Tc"), plays(2, "Kc"), plays(3, "5c"), plays(0, "3c"))
    assert told.due == (TrickWon(2, 25),)
    told.tell(plays(2, "Qd"), plays(3, "Kd"), plays(0, "Td"), plays(1, "5d"))
    assert told.due == (TrickWon(3, 25),)
    told.tell(plays(3, "Jh"), plays(0, "7h"), plays(1, "8h"), plays(2, "9h"))
    assert settled(told).tricks == 25
