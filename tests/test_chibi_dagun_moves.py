"""The legal plays of a 赤壁打滚 holding, held against every subset of it."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun.moves import plays
from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.chibi_dagun.types import Types
from replay.engine.mechanics.plays import Play, beats
from schema.cards import SUITS
from schema.options import ChibiDagunOptions
from tests import wild_classifier as slow
from tests.wild_sets import cards_of, faces, house_of, laid, likely, shown, words

N_HOLDINGS = 1_500
Key = tuple[slow.Reading, int, str]
"""A play up to what is left open: its reading, how many jokers, and of a 摇摆 its ranks."""


def _key(cards: Sequence[str], reading: slow.Reading) -> Key:
    n_jokers = sum(card in slow.JOKERS for card in cards)
    return reading, n_jokers, slow.ascending(cards) if reading[0] == "yaobai" else ""


def _by_brute_force(house: ChibiDagunOptions, held: bytes, table: Play | None) -> set[Key]:
    """Every subset of the cards, as everything that it can be, if it beats the table."""
    on_table = None if table is None else laid(table)
    found: set[Key] = set()
    for size in range(1, len(held) + 1):
        for chosen in set(combinations(sorted(faces(held)), size)):
            readings = slow.readings(chosen, house)
            if readings and house.wild_reading == "max_only":
                readings = [slow.counts_as(readings, on_table and on_table[0])]
            for reading in readings:
                key = _key(chosen, reading)
                if on_table is None or slow.beats((reading, key[1] > 0), on_table, house):
                    found.add(key)
    return found


def _table(rng: random.Random, types: Types, held: bytes) -> Play | None:
    """Nothing on the table, or one of the weaker plays of any type, of the holder's length too."""
    if rng.random() < 0.4:
        return None
    while True:
        found = types.readings(likely(rng, rng.randrange(1, len(held) + 1)))
        if found and found[0].kind not in ("xi8", "yaobai", "tianzha"):
            return rng.choice(found)


def _check(types: Types, held: bytes, table: Play | None) -> int:
    """Each play once, fewest jokers first, and no other; how many there are."""
    house = types.options
    yielded = list(plays(types, held, table))
    keys = [_key(faces(play.cards), words(play)) for play in yielded]
    message = f"{shown(held, house)} on {table}"
    assert len(keys) == len(set(keys)), message
    assert set(keys) == _by_brute_force(house, held, table), message
    fewest: dict[slow.Reading, int] = {}
    for (reading, n_jokers, _), play in zip(keys, yielded, strict=True):
        assert all(play.cards.count(code) <= held.count(code) for code in play.cards), message
        assert play in types.readings(play.cards), message
        assert table is None or beats(play, table), message
        assert fewest.get(reading, 0) <= n_jokers, message
        fewest[reading] = n_jokers
    return len(keys)


def test_legal_plays_are_those_of_brute_force() -> None:
    """Small holdings with up to four jokers, leads and follows, at tables with any house rules."""
    rng, n_plays, n_follows = random.Random("brute force"), 0, 0
    for _ in range(N_HOLDINGS):
        types = Types(house_of(rng))
        held = likely(rng, rng.randrange(1, 10))
        table = _table(rng, types, held)
        n = _check(types, held, table)
        n_plays += n
        n_follows += n if table is not None else 0
    assert n_plays > 8_000
    assert n_follows > 1_000


@pytest.mark.parametrize("reading", ["declared_or_max", "max_only"])
@pytest.mark.parametrize("sets", ["bomb", "bomb_or_chain"])
@pytest.mark.parametrize(
    "held",
    [
        "3 4 5 wwww",
        "3 K A wwww",
        "3 5 77 wwww",
        "55 T K wwww",
        "5s 5h Tc Ks Kd Bj Rj",
        "666 777 www",
        "3 4 6 8 9 wwww",
        "22 AA K wwww",
        "33334444 w",
        "wwww",
    ],
)
def test_legal_leads_of_holdings_with_many_wilds(held: str, sets: str, reading: str) -> None:
    """Every window that jokers can complete, also where the players have no say."""
    house = replace(DEFAULT, one_rank_sets=sets, wild_reading=reading, min_naturals_in_bomb=2)
    assert _check(Types(house), cards_of(held), None)


@pytest.mark.parametrize("table", ["33 w", "3344", "34 ww", "333444", "33 w 44 w", "5s Td Ks", "7"])
def test_legal_follows_of_holdings_with_many_wilds(table: str) -> None:
    """What beats a play of each type that jokers can answer, bombs included."""
    types = Types(DEFAULT)
    for held in ("3 4 5 wwww", "66 77 8 www", "5s Td Ks 9h Bj Bj Rj Rj", "AA KK QQ ww"):
        assert _check(types, cards_of(held), types.readings(cards_of(table))[0])


def test_every_suit_of_wsk_is_a_play() -> None:
    """正五十K of each suit without a joker and with one; of 杂五十K one of either sort."""
    held = cards_of(" ".join(f"5{s} T{s} K{s}" for s in SUITS) + " Bj")
    found = [words(play) for play in plays(Types(DEFAULT), held, None)]
    wsk = [reading for reading in found if reading[0].startswith("wsk")]
    pure = [("wsk_pure", 3, suit, 0) for suit in SUITS for _ in range(2)]
    assert wsk == [("wsk_mixed", 3, "", 0)] * 2 + pure


def test_every_choice_of_ranks_and_lengths_is_a_yaobai() -> None:
    """Bombs of 5, 6 and 4 cards: 6 of the first two, 3 of the last two, 6 of all three."""
    held = cards_of("77777 888888 9999")
    found = [play for play in plays(Types(DEFAULT), held, None) if play.kind == "yaobai"]
    assert len(found) == len({play.cards for play in found}) == 6 + 3 + 6


def test_a_full_holding() -> None:
    """27 cards with all jokers: every chain of pairs of 3 to A is among the leads."""
    held = cards_of("3344556677889TTJQQKA222 wwww")
    found = list(plays(Types(DEFAULT), held, None))
    chains = {(play.rank, play.size) for play in found if play.kind == "pair_chain"}
    assert (11, 12) in chains
    assert {size for _, size in chains} == set(range(2, 13))
    assert {len(play.cards) for play in found if play.kind == "tianzha"} == {4}
