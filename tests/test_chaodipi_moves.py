"""Laws of plays of 炒地皮 at random tables: there is always an answer, and no circle of cards."""

import random
from collections import Counter
from itertools import combinations, product

import pytest

from replay.engine.chaodipi.following import broken
from replay.engine.chaodipi.moves import answers
from replay.engine.chaodipi.order import FLAG, NO_TRUMP, TRUMP, Context, context
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.shapes import shape
from replay.engine.chaodipi.winning import winner
from replay.engine.mechanics.order import of_suit
from schema.cards import ALL_CODES
from schema.options import ChaodipiOptions
from tests.builders import DECK, any_options


def _random_context(rng: random.Random) -> tuple[ChaodipiOptions, Context]:
    options = any_options(rng, DEFAULT)
    level = rng.randrange(FLAG + 1)
    trump = NO_TRUMP if level == FLAG else rng.randrange(NO_TRUMP + 1)
    return options, context(options, level, trump)


def _cards_of(rng: random.Random, table: Context, suit: int, n: int) -> bytes:
    """Cards of one suit out of two decks, those that stand together mostly."""
    own = sorted(of_suit(table.order, ALL_CODES, suit), key=lambda code: table.order.strength[code])
    if not own:
        return b""
    start = rng.randrange(len(own))
    near = [code for code in own[start : start + 4] for _ in "12"]
    stock = near if rng.random() < 0.7 else [*own, *own]
    return bytes(sorted(rng.sample(stock, min(n, len(stock)))))


@pytest.mark.parametrize("seed", range(60))
def test_there_is_always_a_legal_answer(seed: int) -> None:
    """Whatever is led to whatever holding, some answer leaves no duty undone, and one is listed."""
    rng = random.Random(f"answer {seed}")
    options, table = _random_context(rng)
    suit = rng.randrange(TRUMP + 1)
    led = _cards_of(rng, table, suit, rng.randrange(1, 5)) or _cards_of(rng, table, TRUMP, 2)
    lead = shape(table, led)
    assert lead is not None
    left = Counter(DECK)
    left.subtract(led)
    own = _cards_of(rng, table, lead.suit, rng.randrange(7))
    held = [code for code, n in (Counter(own) & left).items() for _ in range(n)]
    rest = sorted((left - Counter(held)).elements())
    held += rng.sample(rest, max(len(led), 8) - len(held)) if len(held) < 8 else []
    rule = options.second_trump_wsk
    holding = bytes(sorted(held))
    subsets = {bytes(cards) for cards in combinations(holding, len(led))}
    legal = {cards for cards in subsets if broken(table, rule, holding, lead, cards) is None}
    listed = {bytes(sorted(cards)) for cards in answers(options, table, holding, lead)}
    assert legal
    assert listed
    assert listed <= legal
    if len(led) == 1:
        assert listed == legal


@pytest.mark.parametrize("seed", range(12))
def test_what_beats_what_is_a_strict_weak_order(seed: int) -> None:
    """Of a side suit and the trumps a card beats another, or they are equal, without a circle."""
    rng = random.Random(f"order {seed}")
    options, table = _random_context(rng)
    suit = rng.choice([s for s in range(4) if of_suit(table.order, ALL_CODES, s)])
    faces = of_suit(table.order, ALL_CODES, suit) + of_suit(table.order, ALL_CODES, TRUMP)

    def beats(one: int, other: int) -> bool:
        lead = shape(table, bytes([other]))
        assert lead is not None
        plays = (bytes([other]), bytes([one]), bytes([other]), bytes([other]))
        return winner(table, options.over_ruff, lead, plays) == 1

    above = {(one, other): beats(one, other) for one, other in product(faces, faces)}
    for a, b, c in product(rng.sample(sorted(faces), min(len(faces), 16)), repeat=3):
        assert not (above[a, b] and above[b, a])
        assert above[a, c] or not (above[a, b] and above[b, c])
        assert above[a, b] or above[b, c] or not above[a, c]
    for one, other in product(faces, faces):
        if table.order.suit[one] == TRUMP != table.order.suit[other]:
            assert above[one, other]
    ties = {frozenset(pair) for pair, wins in above.items() if not wins and not above[pair[::-1]]}
    assert all(len({face >> 2 for face in tie}) == 1 for tie in ties)
