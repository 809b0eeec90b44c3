"""Tables and cards of 炒地皮 to compare engine and oracle on: what is said to both of them."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi.order import LEVELS, Context, context
from replay.engine.chaodipi.presets import DEFAULT
from schema.cards import card_text, parse_cards
from schema.options import ChaodipiOptions
from tests.trick_oracle import DECK, RANKS, SUITS, Face, Table

TRUMPS = "dchsn"
SUITS_AND_TRUMP = "dchst"
"""Suits to follow, as the engine numbers them."""
EVERY_TABLE = [(level, trump) for level in RANKS for trump in TRUMPS] + [("F", "n")]
"""All levels with all trump suits and none; 扛旗 has none."""


class Both(NamedTuple):
    """The same table for the engine and for the oracle."""

    engine: Context
    oracle: Table
    house: ChaodipiOptions


def card_options(rng: random.Random) -> ChaodipiOptions:
    """House rules of what is a tractor and how tricks are decided; half are as the book says."""
    drawn: dict[str, object] = {
        "heart_gap": rng.choice(("closed", "open")),
        "red_five_in_tractor": rng.choice(("printed", "never")),
        "joker_tractor": rng.choice(("none", "pairs")),
        "level_tractor": rng.choice(("strongest", "printed")),
        "over_ruff": rng.choice(("largest_component", "highest_card", "all_components")),
        "second_trump_wsk": rng.choice(("forced", "top_three")),
    }
    return replace(DEFAULT, **drawn) if rng.random() < 0.5 else DEFAULT


def both(level: str, trump: str, house: ChaodipiOptions = DEFAULT) -> Both:
    """A table for both."""
    engine = context(house, LEVELS.index(level), TRUMPS.index(trump))
    return Both(engine, Table(level, trump, house), house)


def tables(rng: random.Random, times: int) -> Iterator[Both]:
    """Every level with every trump, so many times, with house rules drawn anew."""
    for _ in range(times):
        for level, trump in EVERY_TABLE:
            yield both(level, trump, card_options(rng))


def codes(cards: Sequence[Face]) -> bytes:
    """Cards of the oracle's as the engine has them."""
    return parse_cards(" ".join(cards))


def faces(cards: bytes) -> list[Face]:
    """Cards of the engine's as the oracle has them."""
    return [card_text(code) for code in cards]


def near(rng: random.Random, table: Table, suit: str) -> list[Face]:
    """Cards of a suit, both copies, that stand near one another; of trump any high ones too."""
    cards = table.of_suit(DECK, suit)
    if not cards:
        return []
    printed = table.trump if suit == "t" and table.trump != "n" else suit
    low = rng.randrange(len(RANKS) - 4)
    window = RANKS[low : low + rng.randrange(5, 9)]
    found = [card for card in cards if card[1] == printed and card[0] in window]
    if suit == "t":
        high = [card for card in cards if card not in found and table.height(card)[0] > 2]
        faces = sorted(set(high))
        keep = rng.sample(faces, min(len(faces), rng.randrange(1, 5)))
        found += [card for card in high if card in keep]
    return found or cards


def some(rng: random.Random, pool: list[Face], pairs: int, singles: int) -> list[Face]:
    """So many pairs and other cards, as far as there are any, taken out of the pool."""
    taken: list[Face] = []
    double = sorted({card for card in pool if pool.count(card) == 2})
    start = rng.randrange(len(double)) if double else 0
    side_by_side = (double[start:] + double[:start])[:pairs]
    chosen = side_by_side if rng.random() < 0.6 else rng.sample(double, min(pairs, len(double)))
    for card in chosen:
        taken += [card, card]
        pool.remove(card)
        pool.remove(card)
    for card in rng.sample(pool, min(singles, len(pool))):
        taken.append(card)
        pool.remove(card)
    return taken


def led_with(rng: random.Random, table: Table, suit: str, slots: list[int]) -> list[Face]:
    """A lead of a printed suit that has tractors and pairs of these lengths, and no more."""
    own = "t" if suit == table.trump else suit
    faces = [rank + suit for rank in RANKS if table.suit(rank + suit) == own]
    for _ in range(1_000):
        starts = [rng.randrange(len(faces) - length + 1) for length in slots]
        places = zip(starts, slots, strict=True)
        chosen = [face for start, length in places for face in faces[start : start + length]]
        if len(set(chosen)) == len(chosen) and table.slots(chosen * 2) == slots:
            return chosen * 2
    raise AssertionError(f"no lead with {slots}")


def wsk(rng: random.Random, table: Table) -> list[Face]:
    """Some 5.10.K that may be led."""
    sets = [["5" + suit, "T" + suit, "K" + suit] for suit in SUITS]
    good = [cards for cards in sets if table.is_wsk(cards)]
    return rng.choice(good) if good else []


SLOTS = [[2, 2], [2, 1], [2, 1, 1], [3], [4], [3, 1], [3, 2], [2, 2, 1], [1, 1, 1]]
"""Lengths in pairs of what is led together."""


def any_suit(rng: random.Random, table: Table) -> str:
    """A suit that has cards; trump as often as not."""
    suits = [suit for suit in SUITS if suit != table.trump]
    return "t" if rng.random() < 0.5 else rng.choice(suits)
