"""Answers that counting alone shows to be legal: the quick look agrees with the whole rule."""

from random import Random
from typing import Any

import pytest

from replay.engine.chaodipi.following import broken, is_plain
from replay.engine.chaodipi.order import Context, context
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.shapes import Shape, shape
from replay.engine.mechanics.holding import EMPTY, pack_dealt
from replay.engine.mechanics.order import of_suit
from schema.cards import ALL_CODES, parse_cards
from tests.builders import any_options


def quick(table: Context, held: bytes, lead: Shape, cards: bytes) -> bool:
    """`is_plain` of cards in hand."""
    return is_plain(table, EMPTY + pack_dealt(held), lead, pack_dealt(cards))


def drawn(rng: Random) -> tuple[Context, Any, bytes, Shape, bytes]:
    """A context, its options, a holding, a lead that it can answer, and some answer."""
    while True:
        options = any_options(rng, DEFAULT)
        level, trump = rng.choice(((13, 4), (rng.randrange(13), rng.randrange(5))))
        table = context(options, level, trump)
        suit = rng.randrange(5)
        deck = list(ALL_CODES * 2)
        rng.shuffle(deck)
        # half of the cards of one suit lie on top, so that there is something to follow with
        deck.sort(key=lambda code: table.order.suit[code] != suit or rng.random() < 0.5)
        mine, rest = bytes(deck[:12]), deck[12:]
        pool = [code for code in rest if table.order.suit[code] == suit]
        pairs = sorted({code for code in pool if pool.count(code) == 2})
        led = rng.sample(pool, min(len(pool), rng.randint(1, 4)))
        if pairs and rng.random() < 0.7:
            led = 2 * rng.sample(pairs, min(len(pairs), rng.randint(1, 3)))
        lead = shape(table, bytes(led)) if led else None
        if lead is not None:
            held = of_suit(table.order, mine, suit)
            source = held if len(held) >= len(led) and rng.random() < 0.6 else mine
            return table, options, mine, lead, bytes(rng.sample(source, len(led)))


@pytest.mark.parametrize("seed", range(8))
def test_what_looks_plain_breaks_no_duty(seed: int) -> None:
    """Over all contexts and options; and nearly all that is legal looks plain."""
    rng = Random(seed)
    legal = plain = illegal = 0
    for _ in range(500):
        table, options, mine, lead, cards = drawn(rng)
        is_legal = broken(table, options.second_trump_wsk, mine, lead, cards) is None
        is_quick = quick(table, mine, lead, cards)
        assert is_legal or not is_quick
        legal, plain, illegal = legal + is_legal, plain + is_quick, illegal + (not is_legal)
    assert plain > 0.9 * legal
    assert illegal > 50


@pytest.mark.parametrize(
    ("held", "led", "cards", "is_quick"),
    [
        pytest.param("7c 8c 3d", "9c", "7c", True, id="a-single"),
        pytest.param("3d 4d", "9c", "4d", True, id="void"),
        pytest.param("7c 3d", "9c", "3d", False, id="a-single-not-followed"),
        pytest.param("7c 7c 8c", "9c 9c", "7c 7c", True, id="a-pair"),
        pytest.param("7c 7c 8c", "9c 9c", "7c 8c", False, id="a-pair-not-followed"),
        pytest.param("7c 8c 4c", "9c 9c", "7c 8c", True, id="no-pair"),
        pytest.param("7c 7c 8c 8c 4c", "9c 9c Tc Tc", "7c 7c 8c 8c", False, id="a-tractor"),
        pytest.param("7c 7c 8c 4c 3c", "9c 9c Tc Tc", "7c 7c 8c 3c", True, id="one-pair-to-it"),
        pytest.param("7c 8c 4c 3c", "5c Tc Kc", "7c 8c 4c", False, id="to-a-wsk"),
    ],
)
def test_what_looks_plain(held: str, led: str, cards: str, is_quick: bool) -> None:
    """At level 2 with spades trump; a tractor and a 5.10.K are for the whole rule to judge."""
    table = context(DEFAULT, 0, 3)
    lead = shape(table, parse_cards(led))
    assert lead is not None
    assert quick(table, parse_cards(held), lead, parse_cards(cards)) is is_quick
