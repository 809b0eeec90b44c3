"""The order of the types of 赤壁打滚: the source's own examples, a slow second opinion, laws."""

import random
from itertools import pairwise, product

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.chibi_dagun.types import Types
from replay.engine.mechanics.plays import Play, beats
from schema.cards import RANKS
from schema.options import ChibiDagunOptions
from tests import wild_classifier as slow
from tests.wild_sets import cards_of, house_of, laid, likely, words

HOUSES = [
    replace(DEFAULT, yaobai_order="largest_bomb", bomb_ties="equal"),
    replace(DEFAULT, yaobai_order="largest_bomb", bomb_ties="natural_first", yaobai_top="2"),
    replace(DEFAULT, yaobai_order="total_cards", bomb_ties="equal"),
    replace(DEFAULT, yaobai_order="largest_bomb_no_tiebreak", bomb_ties="natural_first"),
    replace(DEFAULT, yaobai_order="largest_bomb_all", bomb_ties="equal"),
]


def _words(house: ChibiDagunOptions) -> str:
    """The options that the order depends on, for the name of a test."""
    return f"{house.yaobai_order}-{house.bomb_ties}-{house.yaobai_top}"


def _play(cards: str, house: ChibiDagunOptions = DEFAULT) -> Play:
    """What the cards are on lead."""
    return Types(house).readings(cards_of(cards))[0]


# What the source says


@pytest.mark.parametrize(
    "falling",
    [
        "2 > A > K > Q > J > T > 9 > 8 > 7 > 6 > 5 > 4 > 3",
        "22 > AA > KK > QQ > 55 > 44 > 33",
        "AAKK > KKQQ > QQJJ > 4455 > 3344",
        "AAKKQQ > KKQQJJ > QQJJTT > 554433",
        "222 > AAA > KKK > 555 > 444 > 333",
        "AAAKKK > KKKQQQ > 444333",
        "AAAKKKQQQ > KKKQQQJJJ > 555444333",
        "4444 > 3333",
        "3333w > AAAA",
        "wwww > 33333333 > 33334444 > 3333333 > 33333wwww > 33333www > 33333ww > 333333 > 33333",
        "33333 > 3333 > 5s Ts Ks > 5h Th Kh > 5c Tc Kc > 5d Td Kd > 5s Th Kh",
        "2222222 > 2222222w > 22222ww > 222222",
        "AAAAKKKK > KKKKQQQQ > 44443333",
        "444433333 > AAAAKKKK",
        "4444333333 > AAAAAKKKKK > 444433333",
        "33333333 > AAAAAAAAKKKKKKKK > 33334444 > AAAAAAA",
        "2222wwww > AAAAwwww > 2222www > AAAAwww",
        "5s Bj Ks > 5h Th Kh > 5d Td Rj > 5s Td Bj",
        "4 > w",
        "44 > 3w",
        "44 > ww",
        "444 > www",
    ],
)
def test_the_order_that_the_source_gives(falling: str) -> None:
    """Each beats every one after it, and is beaten by none of them."""
    plays = [_play(cards) for cards in falling.split(" > ")]
    for i, high in enumerate(plays):
        for low in plays[i + 1 :]:
            assert beats(high, low), (high, low)
            assert not beats(low, high), (high, low)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("333w", "3333"),
        ("5s Ts Bj", "5s Ts Ks"),
        ("5s Th Kh", "5d Tc Kc"),
        ("5s Th Bj", "5d Tc Kc"),
        ("AAAAKKKK", "AAAAKKKK"),
        ("Bj", "Rj"),
        ("w", "3"),
        ("www", "333"),
        ("2", "33"),
        ("333", "44"),
        ("AAKK", "334455"),
        ("AAAKKK", "334455"),
        ("AAAKKK", "333444555"),
        ("44 3 w", "3344"),
    ],
)
def test_what_does_not_beat_each_other(one: str, other: str) -> None:
    """Equal plays, and types that cannot be compared: what lies on the table stands."""
    assert not beats(_play(one), _play(other))
    assert not beats(_play(other), _play(one))


@pytest.mark.parametrize(
    ("one", "other"), [("3333", "333w"), ("444444", "4444ww"), ("5s Ts Ks", "5s Bj Ks")]
)
def test_natural_bombs_come_first_where_the_table_says_so(one: str, other: str) -> None:
    """Of equal bombs and 正五十K the one without wilds is greater; a higher rank still beats it."""
    house = replace(DEFAULT, bomb_ties="natural_first")
    assert beats(_play(one, house), _play(other, house))
    assert not beats(_play(other, house), _play(one, house))
    assert not beats(_play("5s Th Ks", house), _play("5s Th Bj", house))
    assert beats(_play("444w", house), _play("3333", house))


@pytest.mark.parametrize(
    ("order", "falling"),
    [
        ("largest_bomb", ["4444333333", "AAAAKKKKQQQQJJJJ", "AAAAKKKKQQQQ", "AAAAAKKKK"]),
        ("total_cards", ["AAAAKKKKQQQQJJJJ", "AAAAKKKKQQQQ", "4444333333", "AAAAAKKKK"]),
        ("largest_bomb_all", ["4444333333", "AAAAAKKKK", "AAAAKKKKQQQQJJJJ", "AAAAKKKKQQQQ"]),
        ("largest_bomb_no_tiebreak", ["4444333333", "AAAAKKKKQQQQ", "AAAAAKKKK", "44443333"]),
    ],
)
def test_yaobai_by_the_house_rule(order: str, falling: list[str]) -> None:
    """摇摆 of ten cards and more, and whether the largest bomb, or the number, comes first."""
    house = replace(DEFAULT, yaobai_order=order)
    plays = [_play(cards, house) for cards in falling]
    for high, low in pairwise(plays):
        assert beats(high, low), (high, low)
    long, short = _play("AAAAKKKKQQQQJJJJ", house), _play("AAAAKKKKQQQQ", house)
    assert beats(long, short) == (order != "largest_bomb_no_tiebreak")


# All bombs, and the rest


def _yaobai_cards() -> list[str]:
    """摇摆 of every length of each bomb, of two ranks and of three or four."""
    found = []
    for high, n_ranks in product((1, 2, 6, 10, 11, 12), (2, 3, 4)):
        lengths = range(4, 9) if n_ranks == 2 else (4, 5, 7)
        for counts in product(lengths, repeat=n_ranks):
            if high >= n_ranks - 1 and sum(counts) <= 27:
                run = RANKS[high - n_ranks + 1 : high + 1]
                found.append("".join(rank * n for rank, n in zip(run, counts, strict=True)))
    return found


def _all_cards() -> list[str]:
    """One set or more of every type, size and rank, with wilds and without."""
    naturals = [rank * n for rank in RANKS for n in range(1, 9)]
    wild = [f"{rank * n}{'w' * w}" for rank in RANKS for n in (2, 4, 7, 8) for w in (1, 3, 4)]
    chains = ["3344", "AAKK", "99 TT w J", "AAKKQQ", "333444", "AAAKKKQQ w", "334455"]
    wsk = [f"5{s} T{s} {last}" for s in "dchs" for last in (f"K{s}", "Bj", "Ks", "Kh")]
    return [*naturals, *wild, *chains, *wsk, "w", "ww", "www", "wwww"]


def _all_plays(house: ChibiDagunOptions) -> list[Play]:
    """Their readings; of 摇摆 one for each strength."""
    types = Types(house)
    plays = [play for cards in _all_cards() for play in types.readings(cards_of(cards))]
    yaobai = [play for cards in _yaobai_cards() for play in types.readings(cards_of(cards))]
    return [*plays, *{play.power: play for play in yaobai}.values(), *yaobai[:3]]


@pytest.mark.parametrize("house", HOUSES, ids=_words)
def test_the_order_is_that_of_the_text(house: ChibiDagunOptions) -> None:
    """On all pairs of types engine and slow comparison agree."""
    plays = _all_plays(house)
    named = [laid(play) for play in plays]
    n_beaten = 0
    for new, new_name in zip(plays, named, strict=True):
        for old, old_name in zip(plays, named, strict=True):
            is_greater = beats(new, old)
            assert is_greater == slow.beats(new_name, old_name, house), (new, old)
            n_beaten += is_greater
    assert n_beaten > len(plays) ** 2 / 3


@pytest.mark.parametrize("house", HOUSES, ids=_words)
def test_beats_is_a_strict_order(house: ChibiDagunOptions) -> None:
    """Nothing beats itself, no two each other; who beats the one who beats a third beats it too.

    On bombs the order is weak: two that do not beat each other beat, and fall to, the same.
    """
    plays = _all_plays(house)
    beaten = [sum(1 << i for i, old in enumerate(plays) if beats(new, old)) for new in plays]
    bombs = [i for i, play in enumerate(plays) if play.power]
    for i, mine in enumerate(beaten):
        assert not mine >> i & 1, plays[i]
        for j, theirs in enumerate(beaten):
            if mine >> j & 1:
                assert not theirs >> i & 1, (plays[i], plays[j])
                assert theirs & ~mine == 0, (plays[i], plays[j])
    for i, j in product(bombs, repeat=2):
        if not beaten[i] >> j & 1 and not beaten[j] >> i & 1:
            assert beaten[i] == beaten[j], (plays[i], plays[j])


def test_likely_plays_compare_as_the_slow_one_says() -> None:
    """Any reading of any cards, declared or not, on any other, at tables with any house rules."""
    rng, n_beaten = random.Random("order"), 0
    for _ in range(2_000):
        types = Types(house_of(rng))
        new, old = (types.readings(likely(rng, rng.randrange(1, 13))) for _ in "ab")
        for mine, theirs in [*product(new, old), *product(new, new)]:
            is_greater = beats(mine, theirs)
            assert is_greater == slow.beats(laid(mine), laid(theirs), types.options)
            n_beaten += is_greater
    assert n_beaten > 200


def test_rank_of_a_yaobai_is_that_of_its_largest_bomb() -> None:
    """Of equally large ones the highest counts."""
    assert [words(_play(cards)) for cards in ("3333344445555", "333334444455555")] == [
        ("yaobai", 13, "3", 5),
        ("yaobai", 15, "5", 5),
    ]
