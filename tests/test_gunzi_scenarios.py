"""Situations of 四副滚子 told fact by fact: who deals, what is trump, what a hand comes to."""

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.states import (
    Asking,
    Burying,
    Drawing,
    Flipping,
    GunziState,
    Paying,
    Playing,
    Returning,
    holdings_of,
    setting_of,
)
from replay.engine.gunzi.titles import title
from replay.engine.mechanics.holding import unpack
from schema.cards import cards_text, parse_cards
from schema.events import Fact, TrickWon
from schema.trumps import Named
from tests.builders_gunzi import FIRST, some_hand
from tests.walked_gunzi import (
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    OWED,
    Table,
    after,
    dealt_to,
    draws,
    flips,
    passes,
    pays,
    playing,
    plays,
    returns,
    shows,
    swaps,
    truly,
)


def made(state: GunziState) -> tuple[str, int]:
    """The trump suit and who deals."""
    setting = setting_of(state)
    assert setting is not None
    return "dchs"[setting.trump], setting.dealer


def held(state: GunziState, seat: int) -> str:
    """What a seat holds."""
    holdings = holdings_of(state)
    assert holdings is not None
    return cards_text(unpack(holdings[seat]))


# Trump and dealer


@pytest.mark.parametrize(
    ("cards", "after_cards", "trump"),
    [
        ("Rj 4h 4s", 1, "h"),  # the very next card of the seat
        ("Rj 4h 4s", 5, "s"),  # what was dealt before the show says nothing
        ("Rj Bj Rj 2c 4s", 1, "c"),  # jokers are passed over, a 2 has a suit
        ("Rj 3d 4s", 1, "d"),  # the level card has one too
    ],
)
def test_who_shows_a_first_joker_deals(cards: str, after_cards: int, trump: str) -> None:
    """The first suited card that the seat is dealt behind its show makes trump."""
    deal = dealt_to("", cards, "", "", bottom="4d 4c 4h 4s Td 9c", start=1)
    state = after([deal, shows(1, "Rj", after=after_cards), CLOSED], FIRST)
    assert isinstance(state, Burying)
    assert made(state) == (trump, 1)


def test_behind_the_last_card_the_bottom_makes_trump() -> None:
    """It is turned up card by card, past jokers; the dealer takes all six of them."""
    deal = dealt_to("Rj", "", "", "", bottom="Bj 9d Kd 4h 2c 4c")
    shown = [deal, shows(0, "Rj"), CLOSED]
    assert isinstance(after([*shown, draws(0)], FIRST), Drawing)
    state = after([*shown, draws(0), draws(5)], FIRST)
    assert isinstance(state, Burying)
    assert made(state) == ("c", 0)
    assert len(unpack(state.holdings[0])) == 45


@pytest.mark.parametrize(
    ("bottom", "order", "wins", "trump", "dealer"),
    [
        ("4d 2c 3h As 9d 9c", "game", "largest", "h", 0),  # the level card, then the 2
        ("4d 2c 5h As 9d 9c", "game", "largest", "c", 3),
        ("4d 2c 3h As 9d 9c", "natural", "largest", "s", 1),
        ("4d 2c 3h As 9d 9c", "natural", "smallest", "c", 3),
        ("4d 2c 3h As 9d 9c", "game", "smallest", "d", 2),
        ("Kd Kc 5h Ks 9d 9c", "game", "largest", "d", 2),  # equal: who flipped first
        ("4d 4c 5h 4s 9d 9c", "game", "smallest", "d", 2),
    ],
)
def test_the_flip_that_wins(bottom: str, order: str, wins: str, trump: str, dealer: int) -> None:
    """gunzi-3.6: from the first seat on, here seat 2; of equal cards the earlier one."""
    options = replace(DEFAULT, flip_order=order, flip_winner=wins)
    deal = dealt_to("", "", "", "", bottom=bottom, start=2)
    flipped = [flips(seat, place) for place, seat in enumerate((2, 3, 0, 1))]
    assert made(after([deal, CLOSED, *flipped], FIRST, options)) == (trump, dealer)


def test_a_flipped_joker_is_passed_over() -> None:
    """gunzi-3.7: the same seat goes on; where no card is left the other seats have none."""
    deal = dealt_to("", "", "", "", bottom="Bj Bj Rj 4d Rj 2c")
    turned: list[Fact] = [deal, CLOSED, flips(0, 0), flips(0, 1), flips(0, 2)]
    state = after(turned, FIRST)
    assert isinstance(state, Flipping)
    assert state.seat == 0
    assert made(after([*turned, flips(0, 3), flips(1, 4), flips(1, 5)], FIRST)) == ("c", 1)
    deal = dealt_to("", "", "", "", bottom="Bj Bj Bj 4d Rj Rj")
    facts = [deal, CLOSED, *(flips(0, place) for place in (0, 1, 2, 3)), flips(1, 4), flips(1, 5)]
    assert made(after(facts, FIRST)) == ("d", 0)


def test_a_show_is_overturned_up_to_three_big_jokers() -> None:
    """The last one fixes trump, whoever shows; the dealer of a later hand stays."""
    steps = [
        (shows(1, "6s"), "s"),
        (shows(1, "6c 6c"), "c"),
        (shows(3, "6d 6d 6d"), "d"),
        (shows(3, "Bj Bj Bj", Named.HEARTS), "h"),
        (shows(2, "Rj Rj Rj", Named.SPADES), "s"),
    ]
    for n in range(1, len(steps) + 1):
        state = after([DEALT, *(show for show, _ in steps[:n]), CLOSED])
        assert made(state) == (steps[n - 1][1], 0)


def test_a_hand_without_shows_hides_its_bottom() -> None:
    """A card is drawn for trump; nothing is shown, and it is never dry."""
    deal = dealt_to("6h", "", "", "", bottom="2d 2c 2h 2s 2d 2c")
    events = truly([deal, CLOSED, draws(3)])
    assert [type(event).__name__ for event in events[-2:]] == ["Drawn", "TrumpSet"]
    assert isinstance(after([deal, CLOSED, draws(3)]), Burying)


# 进贡, 底牌


def test_tribute_moves_cards_and_comes_back_before_the_bottom_is_shown() -> None:
    """The payer has fewer in between, the dealer more; then both have 39, and the dealer 45."""
    state = after(DECLARED, OWED)
    assert isinstance(state, Paying)
    assert (state.n, state.setting.payer) == (2, 3)
    state = after([*DECLARED, pays(3, "Bj Bj")], OWED)
    assert isinstance(state, Returning)
    assert [len(unpack(holding)) for holding in state.holdings] == [41, 39, 39, 37]
    state = after([*DECLARED, pays(3, "Bj Bj"), returns(0, "Bj 6h")], OWED)
    assert [len(held(state, seat)) + 1 for seat in range(4)] == [135, 117, 117, 117]
    assert "6h" in held(state, 3)
    assert held(state, 0).endswith("Bj")


@pytest.mark.parametrize(
    ("bottom", "is_dry"),
    [
        ("7c 9d Kd 4h 2c 2h", True),  # no plain spade
        ("7c 9d Kd 4h 2s 6s", True),  # the level card and the 2 of spades are none
        ("3s 9d Kd 4h 2s 6s", False),
        ("3s 4s 2c 6h Bj Rj", True),  # nothing but trumps
        ("3s 4s 2c 6h Bj 3d", False),
    ],
)
def test_a_dry_bottom(bottom: str, is_dry: bool) -> None:
    """It stays where it is, and the dealer leads."""
    deal = dealt_to("4c", "6s", "", "", bottom=bottom)
    state = after([deal, shows(1, "6s"), CLOSED])
    assert isinstance(state, Playing if is_dry else Burying)
    assert made(state) == ("s", 0)
    if isinstance(state, Playing):
        assert (state.table.bottom, state.turn) == (parse_cards(bottom), 0)


def test_jokers_are_buried_by_whoever_has_them() -> None:
    """Each picks what is smallest by then; the bottom is public from the first joker on."""
    state = after([*BURIED, *passes(1)])
    assert isinstance(state, Asking)
    assert not state.is_public
    state = after([*BURIED, swaps(2, "Rj Rj", "4h 7c")])
    assert isinstance(state, Asking)
    assert state.is_public
    assert state.asked == (3,)
    state = after([*BURIED, swaps(2, "Rj Rj", "4h 7c"), swaps(3, "Bj", "9d")])
    assert isinstance(state, Playing)
    assert sorted(state.table.bottom) == sorted(parse_cards("3s Kd 2c Rj Rj Bj"))
    assert [len(unpack(holding)) for holding in state.holdings] == [39] * 4
    assert "4h" in held(state, 2)
    assert "9d" in held(state, 3)


# Tricks, at level 6 with spades as trump


@pytest.mark.parametrize(
    ("laid", "winner"),
    [
        (("3c", "9c", "Kc", "Ad"), 2),
        (("3c", "9c", "Kc", "3s"), 3),  # any trump
        (("2d", "2c", "2h", "Qs"), 0),  # 2s of other suits are equal, the trump suit is below
        (("2d", "2s", "6h", "6c"), 2),  # level cards of other suits are equal, and above
        (("6h", "6s", "Bj", "Rj"), 3),
        (("9c", "9c", "9c", "4d"), 0),  # an equal card comes too late
        (("3c 3c", "9c Ac", "4c 4c", "Kd Kd"), 2),  # only pairs compete with a pair
        (("3c 3c", "9c Ac", "3s 3s", "2s 6s"), 2),
        (("3c 3c", "9c 9c", "2d 2h", "Rj Bj"), 1),  # a 2 and another 2 are no pair
        (("3c 3c 3c", "4c 4c 9c", "Kd Kd Kd", "3s 3s 3s"), 3),
        (("3c 3c 3c", "4c 4c 9c", "Kd Kd Kd", "Rj Rj 3s"), 0),
    ],
)
def test_who_wins_a_trick(laid: tuple[str, str, str, str], winner: int) -> None:
    """gunzi-4.2, 4.3, 4.4, 6.1, 7.8, 7.10: the type of the lead, in its suit or in trumps."""
    spare = " 4d 7d 8d"
    table = Table((laid[0] + spare, laid[1] + spare, laid[2] + spare, laid[3] + spare))
    game, state = Gunzi(), playing(DEFAULT, table)
    for seat in range(4):
        fact, before = plays(seat, laid[seat]), state
        state = game.apply(state, fact, [])  # type: ignore[assignment]
    (claim,) = game.due(before, fact, state)
    assert isinstance(claim, TrickWon)
    assert claim.seat == winner
    assert state.turn == winner


# Accounts


@pytest.mark.parametrize(
    ("account", "word"),
    [
        (0, None),
        (399, None),
        (400, "穷光蛋"),
        (799, "穷光蛋"),
        (6200, "打工"),
        (10**10, "财神现世"),
    ],
)
def test_an_account_has_the_highest_title_it_has_reached(account: int, word: str | None) -> None:
    """gunzi-11.1: below the first number there is none, above the last one the last."""
    assert title(account) == word


def test_no_hand_changes_an_account() -> None:
    """gunzi-11.2: a hand that is over has levels, tribute and points, and no balances."""
    game, _, _, hand = some_hand(1)
    facts = game.summary(hand[-1].after)
    assert [seat.balance_before for seat in facts.seats] == [None] * 4
    assert [seat.delta for seat in facts.seats] == [None] * 4
