"""The sensible player of 四副滚子: what it makes of a table, and that it sees nothing hidden."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.declaring import n_dealt
from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.playing import begin
from replay.engine.gunzi.presets import DEFAULT, FIRST_CARRY
from replay.engine.gunzi.states import (
    Asking,
    Burying,
    Deal,
    Declaring,
    Over,
    Playing,
    Returning,
    Setting,
    Table,
)
from replay.engine.mechanics.holding import EMPTY, pack_dealt, size, unpack, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.players.gunzi import GreedyPlayer
from replay.players.gunzi_trump import wish
from replay.players.player import KITS, next_fact
from schema.cards import ALL_CODES, cards_text, parse_cards
from schema.events import By, Fact, Played
from schema.gunzi import Declared, JokersBuried

KIT = KITS["gunzi"]
GREEDY = GreedyPlayer()
LATER = replace(FIRST_CARRY, hand_no=2, dealer=0, due_for_score=2)
DECK = ALL_CODES * 3


def hand(seed: int, carry: Any, who: str = "greedy") -> Iterator[tuple[Any, Fact, Any]]:
    """A hand by four of the same players: state, fact, state."""
    game: Any = Gunzi()
    rng = Random(seed)
    state: Any = game.open(DEFAULT, carry)
    while not state.is_over:
        fact = next_fact(KIT, KIT.players[who], game, state, rng)
        after = game.apply(state, fact, [])
        yield state, fact, after
        state = after


def matches(n_hands: int, who: str) -> Iterator[tuple[Any, Fact, Any]]:
    """Hands one after another, a new match whenever one is over."""
    carry = FIRST_CARRY
    for seed in range(n_hands):
        after: Any = None
        for step in hand(seed, carry, who):
            yield step
            after = step[2]
        carry = FIRST_CARRY if after.settled.next.is_over else after.settled.next


# What greed makes of a table


def choice(mine: str, *on_table: str) -> str:
    """What seat 0 lays at level 7 with spades trump, the dealer's partner being seat 2.

    It leads, or seats 1, 2, 3 have laid what is `on_table`.
    """
    game: Any = Gunzi()
    others = ("6c 7d 8c 6h 8d", "Tc Jc 8h 9d Jd", "9c Qc 4h 6d Td")
    laid = on_table or ("", "", "")
    said = (mine, *(f"{cards} {held}" for cards, held in zip(laid, others, strict=True)))
    hands = per_seat(map(parse_cards, said))
    holdings = per_seat(with_cards(EMPTY, pack_dealt(cards)) for cards in hands)
    bottom = parse_cards("3d 3d 3c 3c 3h 3h")
    dealer = 1 if on_table else 0
    setting = Setting(
        house=Gunzi().open(DEFAULT, LATER).house,
        carry=replace(LATER, dealer=dealer),
        deal=Deal(dealer, hands, holdings, bottom),
        level=5,
        trump=3,
        dealer=dealer,
        shows=(),
        turned=(),
        paid=b"",
        returned=b"",
        burials=(),
    )
    state: Any = begin(Table(setting, setting.context, bottom, bottom, False, False), holdings)
    for seat, cards in enumerate(on_table, 1):
        state = game.apply(state, Played(0, By.PLAYER, seat, parse_cards(cards)), [])
    fact = GREEDY.choose(game, state, Random(1))
    assert isinstance(fact, Played)
    return cards_text(fact.cards)


@pytest.mark.parametrize(
    ("mine", "on_table", "expected"),
    [
        pytest.param("3d 4d 5h Ks As Rj", ("5c", "Ac", "6c"), "5h", id="points-to-the-partner"),
        pytest.param("3d 4d Kd Ks As Rj", ("5c", "Kc", "Ac"), "Ks", id="ruffed-for-its-points"),
        pytest.param("3d Jd As Rj Rj", ("3c", "4c", "Ac"), "3d", id="nothing-to-win"),
        pytest.param("3c Jc Kc As Rj", ("5c", "6c", "Ac"), "3c", id="no-points-to-the-foes"),
    ],
)
def test_answers(mine: str, on_table: tuple[str, str, str], expected: str) -> None:
    """The last to play gives points to the partner, ruffs for points, and wastes nothing."""
    assert choice(mine, *on_table) == expected


def test_a_triple_of_aces_is_led_whole() -> None:
    """What nobody is likely to beat is led with all the cards that it has."""
    assert choice("3d 4h Ac Ac Ac 6h 8h") == "Ac Ac Ac"


# What nobody may see


@pytest.mark.parametrize("seed", range(6))
def test_hidden_cards_do_not_matter_in_the_deal(seed: int) -> None:
    """Neither the others' cards nor those still to come change what a seat wants to show."""
    rng, n_wishes = Random(seed), 0
    for before, _, _ in hand(seed, LATER):
        if isinstance(before, Declaring):
            for seat, after in ((seat, after) for seat in range(4) for after in range(40, 157, 9)):
                setting = before.setting
                wanted = wish(setting, seat, after, Random(1))
                n_wishes += wanted is not None
                anew = dealt_anew(before, seat, after, rng).setting
                assert wish(anew, seat, after, Random(1)) == wanted
    assert n_wishes > 0


def dealt_anew(state: Declaring, seat: int, after: int, rng: Random) -> Declaring:
    """The same deal to a seat that has seen so much of it; all that it has not is shuffled."""
    deal = state.setting.deal
    known = deal.hands[seat][: n_dealt(deal, seat, after)]
    hidden = list(DECK)
    for code in known:
        hidden.remove(code)
    rng.shuffle(hidden)
    sizes = [39 - len(known) if s == seat else 39 for s in range(4)]
    hands = [bytes(hidden.pop() for _ in range(n)) for n in sizes]
    hands[seat] = known + hands[seat]
    holdings = per_seat(with_cards(EMPTY, pack_dealt(held)) for held in hands)
    new = replace(deal, hands=per_seat(hands), holdings=holdings, bottom=bytes(hidden))
    return replace(state, setting=replace(state.setting, deal=new))


def reshuffled(state: Any, seat: int, rng: Random) -> Any:
    """The same table to a seat: what it cannot see is dealt anew among the others."""
    others = [s for s in range(4) if s != seat]
    is_hidden = (
        isinstance(state, Playing)
        and not state.table.is_public
        and seat != state.table.setting.dealer
    )
    hidden = [code for s in others for code in unpack(state.holdings[s])]
    hidden += state.table.bottom if is_hidden else b""
    rng.shuffle(hidden)
    holdings = list(state.holdings)
    for s in others:
        n = size(holdings[s])
        taken, hidden = bytes(hidden[:n]), hidden[n:]
        holdings[s] = with_cards(EMPTY, pack_dealt(taken))
    anew = replace(state, holdings=per_seat(holdings))
    if not is_hidden:
        return anew
    return replace(anew, table=replace(state.table, bottom=bytes(hidden)))


@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_do_not_matter(seed: int) -> None:
    """A return, a burial, a play stays the same if all that the seat cannot see is dealt anew."""
    game: Any = Gunzi()
    n_changed = 0
    for state, _, _ in hand(seed, LATER):
        seat = game.turn(state).seat
        if isinstance(state, Playing | Asking | Burying | Returning):
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
    """10 is passed after some hands, neither at once nor never."""
    lengths, n_hands = [], 0
    for _, _, after in played["greedy"]:
        if isinstance(after, Over):
            n_hands += 1
            if after.settled.next.is_over:
                lengths.append(n_hands)
                n_hands = 0
    assert len(lengths) >= 4
    assert 3 <= sum(lengths) / len(lengths) <= 30


@pytest.mark.parametrize("who", KIT.players)
def test_the_game_is_seen_from_all_sides(
    who: str, played: dict[str, list[tuple[Any, Fact, Any]]]
) -> None:
    """Shows, tribute, dry hands, jokers buried by anybody, bottoms held and captured."""
    told = Counter[str]()
    for before, fact, after in played[who]:
        told.update(_said(before, fact, after))
    wanted = {"Declared", "TributePaid", "TributeReturned", "Buried", "JokersBuried"}
    wanted |= {"HELD", "TAKEN", "captured", "held", "dry", "over another", "joker in the bottom"}
    assert wanted <= set(told)


def test_a_first_hand_is_grabbed_or_flipped() -> None:
    """Most 大王 are shown, not all of them: now and then the bottom says who deals."""
    told = Counter[str]()
    for seed in range(60):
        told.update(type(fact).__name__ for _, fact, _ in hand(seed, FIRST_CARRY))
    assert told["Declared"] > 30
    assert told["Flipped"] > 0


def _said(before: Any, fact: Fact, after: Any) -> Iterator[str]:
    """Words for what happened."""
    yield type(fact).__name__
    if isinstance(fact, Declared) and before.setting.shows:
        yield "over another"
    if isinstance(fact, JokersBuried) and fact.jokers:
        yield "joker in the bottom"
    if isinstance(after, Over):
        yield after.settled.result.name
        yield after.settled.fate.name.lower()
        if after.before.table.is_dry:
            yield "dry"
