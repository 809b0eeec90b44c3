"""The sensible player of 炒地皮: what it makes of a table, and that it sees nothing hidden."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.playing import begin
from replay.engine.chaodipi.presets import DEFAULT, FIRST_CARRY
from replay.engine.chaodipi.states import (
    Burying,
    Carry,
    Deal,
    Declaring,
    Over,
    Playing,
    Setting,
    Stirring,
)
from replay.engine.mechanics.holding import EMPTY, pack_dealt, size, unpack, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.players.chaodipi import GreedyPlayer
from replay.players.chaodipi_trump import n_dealt, wish
from replay.players.player import KITS, next_fact
from schema.cards import ALL_CODES, cards_text, parse_cards
from schema.chaodipi import ChaodipiResult, Declared, Stirred
from schema.events import By, Fact, Played

KIT = KITS["chaodipi"]
GREEDY = GreedyPlayer()
LATER = replace(FIRST_CARRY, hand_no=2, dealer=0)
FLAG = replace(LATER, levels=(13, 12))
DECK = ALL_CODES * 2


def hand(seed: int, carry: Carry, who: str = "greedy") -> Iterator[tuple[Any, Fact, Any]]:
    """A hand by four of the same players: state, fact, state."""
    game: Any = Chaodipi()
    rng = Random(seed)
    state: Any = game.open(DEFAULT, carry)
    while not state.is_over:
        fact = next_fact(KIT, KIT.players[who], game, state, rng)
        after = game.apply(state, fact, [])
        yield state, fact, after
        state = after


def matches(n_hands: int, who: str = "greedy") -> Iterator[tuple[Any, Fact, Any]]:
    """Hands one after another, a new match whenever one is over."""
    carry = FIRST_CARRY
    for seed in range(n_hands):
        after: Any = None
        for step in hand(seed, carry, who):
            yield step
            after = step[2]
        carry = FIRST_CARRY if after.settled.next.is_over else after.settled.next


# What greed makes of a table


BOTTOM = parse_cards("3d 3d 3c 3c 3h 3h 4d 4d")


def table(hands: tuple[str, str, str, str], dealer: int) -> Playing:
    """Play is about to begin at level 2 with spades trump; the dealer has buried, and leads."""
    house = Chaodipi().open(DEFAULT, LATER).house
    cards = per_seat(map(parse_cards, hands))
    holdings = per_seat(with_cards(EMPTY, pack_dealt(held)) for held in cards)
    setting = Setting(
        house=house,
        carry=replace(LATER, dealer=dealer),
        deal=Deal(dealer, cards, holdings, BOTTOM),
        level=0,
        trump=3,
        rung=1,
        declarer=dealer,
        dealer=dealer,
        is_turned=False,
        has_red_fives=False,
    )
    return begin(setting, (), holdings, BOTTOM, dealer)


def choice(mine: str, *on_table: str) -> str:
    """What seat 0 lays; it leads, or seats 1, 2, 3 have laid what is `on_table`."""
    game: Any = Chaodipi()
    laid = on_table or ("", "", "")
    one, two, three = (f"{said} {cards}" for said, cards in zip(laid, OTHERS, strict=True))
    state: Any = table((mine, one, two, three), 1 if on_table else 0)
    for seat, cards in enumerate(on_table, 1):
        state = game.apply(state, Played(0, By.PLAYER, seat, parse_cards(cards)), [])
    fact = GREEDY.choose(game, state, Random(1))
    assert isinstance(fact, Played)
    return cards_text(fact.cards)


OTHERS = ("6c 7c 8c 6h 8d 3s 4s", "Tc Jc 7h 8h 9d 3s 7s", "9c Qc 4h 6h 6d Jd 8s")
"""Cards of seats 1, 2, 3 besides those that they have laid."""


@pytest.mark.parametrize(
    ("mine", "expected"),
    [
        pytest.param("3d 3h 4h 3c 4c Ad 6s", "Ad", id="a-winner"),
        pytest.param("3d 3h 9h Ac Ac Kc 6s", "Kc Ac Ac", id="a-throw-that-nothing-beats"),
        pytest.param("5d Td Kd 3h 9c 6s 7s", "5d Td Kd", id="a-wsk"),
        pytest.param("3h 9c 9d Ks Ks As As", "Ks Ks As As", id="draws-trumps"),
    ],
)
def test_leads(mine: str, expected: str) -> None:
    """What the dealer leads, against hands that can follow."""
    found = choice(mine)
    assert sorted(found.split()) == sorted(expected.split())


@pytest.mark.parametrize(
    ("mine", "on_table", "expected"),
    [
        pytest.param("3d 9d Td Ac 4h 6h 6s", "6d, Ad, 7d", "Td", id="points-to-the-partner"),
        pytest.param("3d 9d Td Ac 4h 6h 6s", "6d, 7d, Ad", "3d", id="none-to-a-foe"),
        pytest.param("9d Ad Ac 4h 6h 6s 7s", "6d, 7d, Kd", "Ad", id="takes-points"),
        pytest.param("3h 4h 9h 9c Jc 6s 9s", "6d, 7d, Kd", "6s", id="ruffs-points-low"),
        pytest.param("3h 4h 9h 6s 9s Js Qs", "Kd, 7d, 7s", "9s", id="over-ruffs"),
        pytest.param("3h 9h Jh 9c Jc 6s 9s", "6d, Ad, 7d", "3h", id="leaves-the-partner-to-win"),
        pytest.param("3h 4h 9h Th Th 9c 6s", "6d 6d, Ad Ad, 7d 8d", "Th Th", id="discards-tens"),
        pytest.param("3h 4h 9h 9c 6s 6s Ks", "6d 6d, 7d 8d, Kd Kd", "6s 6s", id="ruffs-a-pair"),
        pytest.param("9d 9d Td Jd 4h 6h 6s", "6d 6d, 7d 8d, Kd Kd", "9d 9d", id="owes-a-pair"),
        pytest.param("Ts 3h 4h 9h 9c Jc 6s", "6s, 2s, 7s", "Ts", id="ten-of-trumps-to-a-2"),
    ],
)
def test_answers(mine: str, on_table: str, expected: str) -> None:
    """What the last to play answers; seat 1 deals and leads."""
    assert choice(mine, *on_table.split(", ")) == expected


# Before play


def shows(seed: int) -> tuple[Any, list[Declared]]:
    """A deal and what is shown in it."""
    found: list[Declared] = []
    state: Any = None
    for before, fact, _ in hand(seed, LATER):
        if isinstance(before, Declaring):
            state = state or before
            if isinstance(fact, Declared):
                found.append(fact)
    return state, found


def test_shows_are_of_cards_that_a_seat_has_by_then() -> None:
    """Some come early in the deal, others over them; each of cards dealt so far."""
    told = Counter[str]()
    for seed in range(60):
        state, found = shows(seed)
        for n, fact in enumerate(found):
            cards = state.setting.deal.hands[fact.seat]
            had = cards[: n_dealt(state.setting, fact.seat, fact.after)]
            assert had.count(fact.cards[0]) >= len(fact.cards)
            told["early" if fact.after < 60 else "late"] += 1
            told["over another" if n else "first"] += 1
    assert told["early"] > 20
    assert min(told.values()) > 3


@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_do_not_matter_in_the_deal(seed: int) -> None:
    """Neither the others' cards nor those still to come change what a seat wants to show."""
    rng, n_wishes = Random(seed), 0
    for before, _, _ in hand(seed, LATER):
        if isinstance(before, Declaring):
            for seat, after in ((seat, after) for seat in range(4) for after in range(40, 101, 5)):
                wanted = wish(before, seat, after)
                n_wishes += wanted is not None
                assert wish(dealt_anew(before, seat, after, rng), seat, after) == wanted
    assert n_wishes > 0


def dealt_anew(state: Declaring, seat: int, after: int, rng: Random) -> Declaring:
    """The same deal to a seat that has seen so much of it; all that it has not is shuffled."""
    deal = state.setting.deal
    known = deal.hands[seat][: n_dealt(state.setting, seat, after)]
    hidden = list(DECK)
    for code in known:
        hidden.remove(code)
    rng.shuffle(hidden)
    sizes = [25 - len(known) if s == seat else 25 for s in range(4)]
    hands = [bytes(hidden.pop() for _ in range(n)) for n in sizes]
    hands[seat] = known + hands[seat]
    holdings = per_seat(with_cards(EMPTY, pack_dealt(held)) for held in hands)
    new = Deal(deal.start, per_seat(hands), holdings, bytes(hidden))
    return replace(state, setting=replace(state.setting, deal=new))


# What nobody may see


def reshuffled(state: Any, seat: int, rng: Random) -> Any:
    """The same table to a seat: what it cannot see is dealt anew among the others."""
    others = [s for s in range(4) if s != seat]
    bottom = b"" if isinstance(state, Burying) else state.bottom
    is_known = isinstance(state, Burying) or state.burier == seat
    hidden = [code for s in others for code in unpack(state.holdings[s])]
    hidden += b"" if is_known else bottom
    rng.shuffle(hidden)
    holdings = list(state.holdings)
    for s in others:
        n = size(holdings[s])
        taken, hidden = bytes(hidden[:n]), hidden[n:]
        holdings[s] = with_cards(EMPTY, pack_dealt(taken))
    anew = replace(state, holdings=per_seat(holdings))
    return anew if is_known else replace(anew, bottom=bytes(hidden))


@pytest.mark.parametrize("carry", [LATER, FLAG], ids=["level", "flag"])
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_do_not_matter(seed: int, carry: Carry) -> None:
    """A stir, a burial, a play stays the same if all that the seat cannot see is dealt anew."""
    game: Any = Chaodipi()
    n_changed = 0
    for state, _, _ in hand(seed, carry):
        seat = game.turn(state).seat
        if isinstance(state, Playing | Stirring | Burying):
            chosen = GREEDY.choose(game, state, Random(7))
            for other in (reshuffled(state, seat, Random(n)) for n in range(3)):
                n_changed += other.holdings != state.holdings
                assert GREEDY.choose(game, other, Random(7)) == chosen
    assert n_changed > 100


# Sense


@pytest.fixture(scope="module")
def played() -> dict[str, list[tuple[Any, Fact, Any]]]:
    """What happens in 120 hands of each player."""
    return {who: list(matches(120, who)) for who in KIT.players}


def test_whole_matches_come_to_their_end(
    played: dict[str, list[tuple[Any, Fact, Any]]],
) -> None:
    """扛旗 is passed after some hands, neither at once nor never."""
    lengths, n_hands = [], 0
    for _, _, after in played["greedy"]:
        if isinstance(after, Over):
            n_hands += 1
            if after.settled.next.is_over:
                assert after.settled.result is ChaodipiResult.MATCH_WON
                lengths.append(n_hands)
                n_hands = 0
    assert len(lengths) >= 4
    assert min(lengths) >= 3
    assert max(lengths) <= 60


@pytest.mark.parametrize("who", KIT.players)
def test_the_game_is_seen_from_all_sides(
    who: str, played: dict[str, list[tuple[Any, Fact, Any]]]
) -> None:
    """Shows of all kinds, stirs, throws good and bad, hands held and taken, 扛旗."""
    told = Counter[str]()
    for before, fact, after in played[who]:
        told.update(_said(before, fact, after))
    wanted = {"Declared", "BottomTurned", "Stirred", "StirPassed", "throw stands", "throw fails"}
    wanted |= {"POINTS", "RED_FIVE", "FLAG", "HELD", "TAKEN", "a pair", "no trump"}
    assert wanted <= set(told)


def _said(before: Any, fact: Fact, after: Any) -> Iterator[str]:
    """Words for what happened."""
    yield type(fact).__name__
    if isinstance(fact, Declared | Stirred):
        yield "a pair" if len(fact.cards) == 2 else "a single"
    if isinstance(before, Burying) and before.setting.trump == 4:
        yield "no trump"
    if isinstance(after, Over):
        yield from (after.settled.result.name, after.settled.effect.name)
    elif isinstance(after, Playing) and after.attempted and not before.attempted:
        yield "throw fails" if after.beaten_by else "throw stands"
