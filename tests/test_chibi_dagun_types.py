"""The types of 赤壁打滚 and their order, held against slow ones written from the text."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.chibi_dagun.rules import R
from replay.engine.chibi_dagun.types import Types, choose, declared, no_type
from replay.engine.chibi_dagun.wilds import stands_for
from replay.engine.mechanics.plays import Play
from schema.cards import ALL_CODES, RANKS, SUITS
from schema.events import PlayKind, PlayRank
from schema.options import ChibiDagunOptions
from tests import wild_classifier as slow
from tests.wild_sets import (
    JOKER_SETS,
    cards_of,
    faces,
    house_of,
    likely,
    rank_sets,
    shown,
    suited,
    suited_at_random,
    words,
)

N_LARGE = 20_000
WSK_SUITS = list(product(SUITS, repeat=2))
OTHER = replace(DEFAULT, one_rank_sets="bomb_or_chain", jokers_alone="single_only", yaobai_top="2")


def _readings(types: Types, cards: bytes) -> list[slow.Reading]:
    """Every reading the engine finds in the cards, as the slow classifier writes it."""
    found = types.readings(cards)
    for play in found:
        width = {"pair_chain": 2, "triple_chain": 3}.get(play.kind, 1)
        whole = play.kind not in ("single", "pair", "triple")
        assert play.size == (len(cards) // width if whole else 1)
    return [words(play) for play in found]


# What the source says


@pytest.mark.parametrize(
    ("cards", "kinds"),
    [
        ("7", "single 7"),
        ("w", "single 3"),
        ("22", "pair 2"),
        ("8s 8s", "pair 8"),
        ("333", "triple 3"),
        ("AAKK", "pair_chain A"),
        ("3344", "pair_chain 4"),
        ("AAKKQQ", "pair_chain A"),
        ("554433", "pair_chain 5"),
        ("22AA", ""),
        ("2233", ""),
        ("AAAKKK", "triple_chain A"),
        ("444333", "triple_chain 4"),
        ("AAAKKKQQQ", "triple_chain A"),
        ("222AAA", ""),
        ("3333", "bomb 3"),
        ("333333", "bomb 3"),
        ("333 w", "bomb 3"),
        ("3333 w", "bomb 3"),
        ("5s Ts Ks", "wsk_pure s"),
        ("5s Ts Kh", "wsk_mixed "),
        ("5h Tc Bj", "wsk_mixed "),
        ("5h Th Bj", "wsk_pure h"),
        ("Td Bj Kd", "wsk_pure d"),
        ("Rj 5c Kd", "wsk_mixed "),
        ("K ww", "triple K"),
        ("5 ww", "triple 5"),
        ("44 3 w", "pair_chain 4"),
        ("wwww", "tianzha "),
        ("33333333", "xi8 3"),
        ("2222222", "xi7 2"),
        ("2222222 w", "bomb 2"),
        ("22222222 wwww", "bomb 2"),
        ("AAAAKKKK", "yaobai A"),
        ("444443333", "yaobai 4"),
        ("444433333", "yaobai 3"),
        ("AAAAKKK w", ""),
        ("AAAA2222", ""),
        ("AAAA3333", ""),
        ("345", ""),
        ("34", ""),
        ("333 4", ""),
        ("333 44", ""),
        ("A 2 ww", ""),
    ],
)
def test_what_the_source_names(cards: str, kinds: str) -> None:
    """The types that the source gives as examples, and what it excludes."""
    found = [f"{kind} {rank}" for kind, _, rank, _ in _readings(Types(DEFAULT), cards_of(cards))]
    assert found[:1] == ([kinds] if kinds else [])


def test_all_readings_of_cards_that_can_be_several_things() -> None:
    """飞机 before 连对, the higher window before the lower one."""
    found = _readings(Types(DEFAULT), cards_of("66 77 ww"))
    assert [it[0] + " " + it[2] for it in found] == [
        "triple_chain 7",
        "pair_chain 8",
        "pair_chain 7",
    ]


def test_one_rank_and_jokers_may_be_a_chain_where_the_table_says_so() -> None:
    """The bomb counts, the windows below it can be declared; without a bomb they alone are left."""
    house = replace(DEFAULT, one_rank_sets="bomb_or_chain")
    found = _readings(Types(house), cards_of("66 ww"))
    assert [it[0] + " " + it[2] for it in found] == ["bomb 6", "pair_chain 7", "pair_chain 6"]
    few = replace(house, min_naturals_in_bomb=3)
    assert [it[0] for it in _readings(Types(few), cards_of("66 ww"))] == ["pair_chain"] * 2
    assert _readings(Types(replace(few, one_rank_sets="bomb")), cards_of("66 ww")) == []


def test_what_is_no_set_of_two_decks_is_no_type() -> None:
    """No cards, three copies of a face, codes that are no card: no reading, and the rule's name."""
    for cards in (b"", cards_of("8s 8s 8s"), cards_of("Bj Bj Bj"), bytes([54]), bytes([0, 255])):
        assert Types(DEFAULT).readings(cards) == ()
        assert no_type(cards) is R.NO_TYPE


# All small sets, many large ones


@pytest.mark.parametrize("house", [DEFAULT, OTHER], ids=["default", "other"])
def test_all_sets_of_up_to_four_cards(house: ChibiDagunOptions) -> None:
    """Engine and slow classifier agree on each of them, up to renaming the suits."""
    types, n_sets = Types(house), 0
    for size in range(1, 5):
        for ranks, n_jokers in rank_sets(size):
            for naturals, jokers in product(suited(ranks), JOKER_SETS[n_jokers]):
                cards = naturals + jokers
                expected = slow.readings(faces(cards), house)
                assert _readings(types, cards) == expected, shown(cards, house)
                n_sets += 1
    assert n_sets > 30_000


def test_all_sets_of_five() -> None:
    """And on every set of five cards that two decks allow; the slow one looks at ranks alone."""
    types, n_sets = Types(DEFAULT), 0
    for ranks, n_jokers in rank_sets(5):
        expected: list[slow.Reading] | None = None
        for naturals, jokers in product(suited(ranks), JOKER_SETS[n_jokers]):
            cards = naturals + jokers
            if max(map(cards.count, cards)) <= 2:
                if expected is None:
                    expected = slow.readings(faces(cards), DEFAULT)
                assert _readings(types, cards) == expected, shown(cards, DEFAULT)
                n_sets += 1
    assert n_sets > 290_000


def test_all_sets_of_six_by_rank() -> None:
    """And on every six ranks, four times suited at random: no type of six cards has a suit."""
    rng, types, n_legal = random.Random("six"), Types(DEFAULT), 0
    for ranks, n_jokers in rank_sets(6):
        for _ in range(4):
            cards = suited_at_random(rng, ranks) + bytes(rng.sample((52, 52, 53, 53), n_jokers))
            expected = slow.readings(faces(cards), DEFAULT)
            assert _readings(types, cards) == expected, shown(cards, DEFAULT)
            n_legal += bool(expected)
    assert n_legal > 1_000


def test_likely_sets_of_up_to_twelve_cards() -> None:
    """A sample of larger sets, at tables with any house rules."""
    rng, kinds, n_legal, n_several = random.Random("large"), set[str](), 0, 0
    tables = [Types(DEFAULT), *(Types(house_of(rng)) for _ in range(60))]
    for _ in range(N_LARGE):
        types, cards = rng.choice(tables), likely(rng, rng.randrange(5, 13))
        expected = slow.readings(faces(cards), types.options)
        assert _readings(types, cards) == expected, shown(cards, types.options)
        kinds.update(it[0] for it in expected)
        n_legal += bool(expected)
        n_several += len(expected) > 1
    assert kinds == {"pair_chain", "triple_chain", "bomb", "xi7", "xi8", "yaobai"}
    assert n_legal > N_LARGE / 3
    assert n_several > N_LARGE / 30


@given(st.randoms(use_true_random=False), st.integers(1, 27))
@settings(deadline=None)
def test_the_order_of_the_cards_does_not_matter(rng: random.Random, size: int) -> None:
    """Shuffled cards have the same readings, each with the cards as they were logged."""
    types, cards = Types(house_of(rng)), likely(rng, size)
    shuffled = bytes(rng.sample(cards, len(cards)))
    assert _readings(types, shuffled) == _readings(types, cards)
    assert all(play.cards == shuffled for play in types.readings(shuffled))


# Which reading counts


def _several(rng: random.Random) -> tuple[Types, tuple[Play, ...]]:
    """Cards with more than one reading, and their table."""
    while True:
        types = Types(house_of(rng))
        found = types.readings(likely(rng, rng.randrange(4, 13)))
        if len(found) > 1:
            return types, found


def test_what_counts_undeclared() -> None:
    """The canonical reading, or the highest that answers the table."""
    types = Types(DEFAULT)
    found = types.readings(cards_of("44 5 www"))
    assert words(choose(found, None)) == ("triple_chain", 6, "5", 0)
    for table, expected in {
        "334455": ("pair_chain", 6, "6", 0),
        "AAKKQQ": ("pair_chain", 6, "6", 0),
        "333444": ("triple_chain", 6, "5", 0),
        "3344": ("triple_chain", 6, "5", 0),
        "8888": ("triple_chain", 6, "5", 0),
    }.items():
        assert words(choose(found, types.readings(cards_of(table))[0])) == expected


def test_what_counts_undeclared_is_what_the_slow_classifier_says() -> None:
    """On any cards with several readings, before a table of each of them and of other types."""
    rng = random.Random("choose")
    for _ in range(300):
        types, found = _several(rng)
        others = types.readings(likely(rng, rng.randrange(4, 13)))
        for table in (None, *found, *others):
            on_table = None if table is None else words(table)
            expected = slow.counts_as([words(it) for it in found], on_table)
            assert words(choose(found, table)) == expected


def test_a_bomb_is_no_answer_to_a_chain_by_being_one() -> None:
    """One rank and jokers stay a bomb before a chain of that length, if nothing is declared."""
    types = Types(replace(DEFAULT, one_rank_sets="bomb_or_chain"))
    found, table = types.readings(cards_of("66 ww")), types.readings(cards_of("3344"))[0]
    assert choose(found, table).kind == "bomb"
    chain = declared(found, table, PlayKind.PAIR_CHAIN, PlayRank.SEVEN, types.options)
    assert chain is not None
    assert chain.kind == "pair_chain"


def test_a_declared_reading_must_be_one_of_the_readings() -> None:
    """Of all kinds and ranks those that the cards have are taken, and give that reading."""
    rng = random.Random("declared")
    for _ in range(60):
        types, found = _several(rng)
        house = replace(types.options, wild_reading="declared_or_max")
        named = {(it.kind, it.rank): it for it in found}
        for kind, rank in product(PlayKind, PlayRank):
            expected = named.get((kind.name.lower(), int(rank)))
            assert declared(found, None, kind, rank, house) is expected


def test_types_without_a_rank_are_declared_without() -> None:
    """五十K and 天炸 say NONE, whatever their suit; a rank there, or none elsewhere, is wrong."""
    types = Types(DEFAULT)
    for text, kind in {
        "5s Ts Ks": PlayKind.WSK_PURE,
        "5s Th Ks": PlayKind.WSK_MIXED,
        "wwww": PlayKind.TIANZHA,
    }.items():
        found = types.readings(cards_of(text))
        for rank in PlayRank:
            expected = found[0] if rank == PlayRank.NONE else None
            assert declared(found, None, kind, rank, DEFAULT) is expected
    single = types.readings(cards_of("w"))
    assert declared(single, None, PlayKind.SINGLE, PlayRank.THREE, DEFAULT) is single[0]
    assert declared(single, None, PlayKind.SINGLE, PlayRank.NONE, DEFAULT) is None


def test_where_players_have_no_say_only_what_counts_can_be_declared() -> None:
    """The public servers' rule: the declared reading is the one that counts anyway, or none."""
    rng = random.Random("max only")
    for _ in range(100):
        types, found = _several(rng)
        house = replace(types.options, wild_reading="max_only")
        for table, play in product((None, *found), found):
            kind, rank = PlayKind[play.kind.upper()], PlayRank(play.rank)
            expected = play if play is choose(found, table) else None
            assert declared(found, table, kind, rank, house) is expected


# What the jokers stand for


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("Bj", [(0, "3")]),
        ("Rj Bj Bj", [(0, "3"), (1, "3"), (2, "3")]),
        ("Bj Bj Rj Rj", []),
        ("7s", []),
        ("7s Bj 7s 7d Rj", [(1, "7"), (4, "7")]),
        ("5s Rj Ks", [(1, "T")]),
        ("Bj Ts Kd", [(0, "5")]),
        ("Rj 4s 4d 3s", [(0, "3")]),
        ("As Rj Ks Bj", [(1, "K"), (3, "A")]),
        ("6s 6h Bj 7h 7s Rj", [(2, "6"), (5, "7")]),
    ],
)
def test_what_jokers_stand_for(cards: str, expected: list[tuple[int, str]]) -> None:
    """Each wild joker is named by its place among the cards; chains fill from below."""
    play = Types(DEFAULT).readings(cards_of(cards))[0]
    assert stands_for(play) == tuple(expected)


def test_jokers_replaced_by_what_they_stand_for_make_the_same_type() -> None:
    """In every reading of many sets: the whole is the type, the jokers take it from below."""
    rng, n_wild = random.Random("stands for"), 0
    for _ in range(1_500):
        types, cards = Types(house_of(rng)), likely(rng, rng.randrange(1, 13))
        for play in types.readings(cards):
            if play.kind == "tianzha":
                assert stands_for(play) == ()
                continue
            given_places = stands_for(play)
            letters = dict(given_places)
            jokers = [i for i, face in enumerate(faces(cards)) if face in slow.JOKERS]
            assert [i for i, _ in given_places] == jokers
            assert list(letters.values()) == sorted(letters.values(), key=RANKS.index)
            whole = [letters.get(i, face[0]) + "s" for i, face in enumerate(faces(cards))]
            ranks = slow.ascending(whole)
            if not play.kind.startswith(("wsk", "xi", "yaobai")):
                assert slow.LISTED[ranks] == words(play)
            n_wild += bool(jokers)
    assert n_wild > 400


def test_jokers_in_every_wsk() -> None:
    """A joker in 五十K stands for the rank that is missing, whatever the suits."""
    types = Types(DEFAULT)
    for (one, two), suits in product((("5", "T"), ("5", "K"), ("T", "K")), WSK_SUITS):
        missing = next(rank for rank in "5TK" if rank not in one + two)
        play = types.readings(cards_of(f"{one}{suits[0]} Rj {two}{suits[1]}"))[0]
        assert stands_for(play) == ((1, missing),)
        assert words(play)[:1] == ("wsk_pure" if suits[0] == suits[1] else "wsk_mixed",)


def test_a_log_of_many_sets_is_not_all_remembered() -> None:
    """What was classified is forgotten before it fills the memory, and then found anew."""
    types, first = Types(DEFAULT), bytes([0, 0])
    before = types.readings(first)
    assert types.readings(first) is before
    for cards in product(ALL_CODES, repeat=3):
        types.readings(bytes(cards))
    assert types.readings(first) == before
    assert types.readings(first) is not before
