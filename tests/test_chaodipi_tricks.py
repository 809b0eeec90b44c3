"""Cards and tricks of 炒地皮: the engine against a plain reading of the text, in every context."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.shapes import Component, components, is_throw, is_wsk, shape, wsks
from replay.engine.chaodipi.throws import judged
from replay.engine.chaodipi.winning import winner
from schema.cards import ALL_CODES, FACES
from tests.oracle_chaodipi_cards import (
    EVERY_TABLE,
    SLOTS,
    SUITS_AND_TRUMP,
    Both,
    any_suit,
    both,
    codes,
    faces,
    led_with,
    near,
    some,
    tables,
    wsk,
)
from tests.trick_oracle import DECK, JOKERS, SUITS, Face, Part, Table

NAMES = [f"{level}{trump}" for level, trump in EVERY_TABLE]


def _order(context: Context, one: int, other: int) -> int | None:
    """Two cards as the engine's tables order them."""
    suits, strength = context.order.suit, context.order.strength
    if suits[one] != suits[other]:
        return None if TRUMP not in (suits[one], suits[other]) else 1 if suits[one] == TRUMP else -1
    return (strength[one] > strength[other]) - (strength[one] < strength[other])


@pytest.mark.parametrize(("level", "trump"), EVERY_TABLE, ids=NAMES)
def test_any_two_cards_stand_in_the_order_of_the_text(level: str, trump: str) -> None:
    """The suit of every card, and which of two is the higher one, if any is."""
    engine, table, _ = both(level, trump)
    for one in ALL_CODES:
        assert SUITS_AND_TRUMP[engine.order.suit[one]] == table.suit(FACES[one])
        for other in ALL_CODES:
            expected = table.above(FACES[one], FACES[other])
            assert _order(engine, one, other) == expected, (FACES[one], FACES[other])


@pytest.mark.parametrize(("level", "trump"), EVERY_TABLE, ids=NAMES)
def test_any_two_pairs_are_neighbours_as_the_text_says(level: str, trump: str) -> None:
    """Two pairs of one suit are a tractor or they are not, under any house rules."""
    rng = random.Random(f"neighbours {level}{trump}")
    for _, (engine, table, house) in zip("1234", tables(rng, 1), strict=False):
        engine, table, house = both(level, trump, house)
        for one in FACES:
            for other in FACES:
                cards = codes([one, one, other, other])
                if one == other or table.suit(one) != table.suit(other):
                    continue
                is_tractor = table.are_neighbours(one, other) or table.are_neighbours(other, one)
                lead = shape(engine, cards)
                assert lead is not None
                assert (len(lead.parts) == 1) == is_tractor, (house, one, other)


def _same_parts(found: Sequence[Component], parts: Sequence[Part]) -> bool:
    ours = sorted((part.pairs, sorted(codes(part.cards))) for part in parts)
    return sorted((part.pairs, sorted(part.cards)) for part in found) == ours


def _cards(rng: random.Random, both: Both, pairs: int, singles: int) -> list[Face]:
    pool = near(rng, both.oracle, any_suit(rng, both.oracle))
    return some(rng, pool, rng.randrange(pairs), rng.randrange(singles)) or pool[:1]


def test_sets_of_cards_have_one_decomposition() -> None:
    """Parts and their lengths; what is a throw, what is a 5.10.K, what contains one."""
    rng = random.Random("decomposition")
    kinds: Counter[str] = Counter()
    for each in tables(rng, 30):
        engine, table, house = each
        cards = _cards(rng, each, 7, 6)
        where = (house, table.level, table.trump, cards)
        lead = shape(engine, codes(cards))
        assert lead is not None, where
        assert lead.is_wsk == table.is_wsk(cards), where
        if not lead.is_wsk:
            assert _same_parts(components(engine, codes(cards)), table.parts(cards)), where
            assert [part.pairs for part in lead.parts if part.pairs] == table.slots(cards), where
        assert is_throw(lead) == table.is_throw(cards), where
        kinds[",".join(str(part.pairs) for part in lead.parts)] += 1
    assert len(kinds) > 30
    assert min(kinds["2"], kinds["3"], kinds["2,0"], kinds["2,1"]) > 10


def test_any_cards_are_a_lead_or_none() -> None:
    """Cards of several suits are none; three cards are a 5.10.K or they are not."""
    rng = random.Random("leads")
    seen: Counter[tuple[bool, bool]] = Counter()
    for engine, table, house in tables(rng, 30):
        suits = rng.sample(SUITS, 2)
        pool = [card for card in DECK if card[0] in "5TK" and card[1] in suits]
        cards = rng.sample(rng.choice((DECK, pool)), rng.randrange(1, 7))
        cards = rng.choice((cards, cards, ["5h", "Th", "Kh"]))
        cards = rng.choice((cards, wsk(rng, table) or cards))
        where = (house, table.level, table.trump, cards)
        lead = shape(engine, codes(cards))
        assert (lead is None) == (table.one_suit(cards) is None), where
        assert is_wsk(engine, codes(cards)) == table.is_wsk(cards), where
        assert bool(wsks(engine, codes(cards))) == table.has_wsk(cards), where
        seen[lead is None, table.has_wsk(cards)] += 1
    assert len(seen) == 4
    assert min(seen.values()) >= 10


def test_throws_stand_or_fall_as_the_text_says() -> None:
    """Whether anybody has something higher, who, and what is led after all."""
    rng = random.Random("throws")
    seen: Counter[int] = Counter()
    for each in tables(rng, 30):
        engine, table, house = each
        suit = any_suit(rng, table)
        pool = near(rng, table, suit)
        lead = some(rng, pool, rng.randrange(4), rng.randrange(4))
        if len(lead) < 2 or not table.is_throw(lead):
            continue
        held = [
            (seat, some(rng, pool, rng.randrange(4), rng.randrange(2)) + rng.sample(DECK, 1))
            for seat in rng.sample((1, 2, 3), rng.randrange(1, 4))
        ]
        led = shape(engine, codes(lead))
        assert led is not None
        found = judged(engine, led, [(seat, codes(cards)) for seat, cards in held])
        cards, seats = table.judged(lead, held)
        where = (house, table.level, table.trump, lead, held)
        assert found.beaten_by == tuple(seats), where
        assert sorted(faces(found.led)) == sorted(cards), where
        seen[len(cards) if seats else 0] += 1
    assert min(seen[0], seen[1], seen[2], seen[4]) > 10


def _answer(rng: random.Random, table: Table, pools: dict[str, list[Face]], n: int) -> list[Face]:
    """N cards, mostly of one suit, from what is left of each suit."""
    suit = rng.choice(sorted(pools))
    pairs = rng.randrange(n // 2 + 1) if rng.random() < 0.3 else n // 2
    cards = some(rng, pools[suit], pairs, 0)
    cards += some(rng, pools[suit], 0, n - len(cards))
    left = [card for card in DECK if card not in cards]
    return cards + rng.sample(left, n - len(cards))


def _trick(rng: random.Random, table: Table) -> list[list[Face]]:
    """A lead and three answers, as like it as the cards allow."""
    suit = any_suit(rng, table)
    pools = {suit: near(rng, table, suit), "t": near(rng, table, "t")}
    lead = some(rng, pools[suit], rng.choice((0, 1, 1, 2, 2, 3)), rng.randrange(3))
    lead = lead or pools[suit][:1]
    if rng.random() < 0.15:
        lead = wsk(rng, table) or lead
    plays = [lead, *(_answer(rng, table, pools, len(lead)) for _ in range(3))]
    if table.is_wsk(lead):
        for place in (1, 2, 3):
            if rng.random() < 0.4:
                plays[place] = wsk(rng, table)
    return plays


@pytest.mark.parametrize("chunk", range(3))
def test_tricks_are_won_as_the_text_says(chunk: int) -> None:
    """The place of the winning play, whatever is laid."""
    rng = random.Random(f"tricks {chunk}")
    seen: Counter[tuple[bool, int]] = Counter()
    for engine, table, house in tables(rng, 30):
        plays = _trick(rng, table)
        lead = shape(engine, codes(plays[0]))
        assert lead is not None
        found = winner(engine, house.over_ruff, lead, tuple(map(codes, plays)))
        where = (house, table.level, table.trump, plays)
        assert found == table.winner(plays), where
        if table.is_throw(plays[0]):
            seen[True, found] += 1
        else:
            seen[False, found] += 1
    assert min(seen[True, place] for place in range(4)) > 30
    assert min(seen[False, place] for place in range(4)) > 100


def test_ruffs_are_compared_by_their_best_parts() -> None:
    """However a long run around the level card or 红桃5 is cut, in every table with a suit."""
    rng = random.Random("ruffs")
    seen: Counter[tuple[str, int]] = Counter()
    for engine, table, house in tables(rng, 15):
        if table.trump == "n":
            continue
        suit = rng.choice([suit for suit in SUITS if suit != table.trump])
        lead = led_with(rng, table, suit, rng.choice(SLOTS))
        pool = [card for card in DECK if card[1] == table.trump and card not in JOKERS]
        ruffs = [some(rng, pool, len(lead) // 2, 0) for _ in "12"]
        if any(len(cards) < len(lead) for cards in ruffs):
            continue
        plays = [lead, *ruffs, rng.sample(DECK, len(lead))]
        led = shape(engine, codes(lead))
        assert led is not None
        found = winner(engine, house.over_ruff, led, tuple(map(codes, plays)))
        assert found == table.winner(plays), (house, table.level, table.trump, plays)
        seen[house.over_ruff, found] += 1
    assert min(seen[rule, 2] for rule in ("largest_component", "all_components")) > 10
