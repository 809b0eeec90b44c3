"""Types, their order and the legal plays of 打拱, held against slow ones written from the text."""

import random
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

import pytest
from msgspec.structs import replace

from replay.engine.dagong.game import Dagong
from replay.engine.dagong.presets import DEFAULT
from replay.engine.dagong.types import Types
from replay.engine.mechanics.plays import Play, beats
from schema.cards import RANKS, SUITS, cards_text, parse_cards
from schema.events import Passed, Played
from schema.options import DagongOptions
from tests import oracle_dagong as oracle
from tests.builders import Table, playing, random_options
from tests.casebook_dagong_words import type_words
from tests.oracle_log import faces

JOKER_OPTIONS = [
    replace(DEFAULT, single_jokers=singles, joker_pair=pair, joker_pairs=pairs)
    for singles, pair, pairs in product(("ranked", "equal"), ("any", "same"), ("ranked", "equal"))
]


def _words(options: DagongOptions) -> str:
    """The options that the types depend on, for the name of a test."""
    return f"{options.single_jokers}-{options.joker_pair}-{options.joker_pairs}"


def _types(options: DagongOptions, cards: bytes) -> list[list[object]]:
    """Every type the engine finds in the cards, as the cases write it."""
    return [type_words(play) for play in Types(options).readings(cards)]


def _oracle_types(options: DagongOptions, cards: bytes) -> list[list[object]]:
    """The type the oracle finds, written likewise."""
    found = oracle.type_of(faces(cards), options)
    if found is None:
        return []
    name, *rest = found
    return [[name, 1, rest[1]] if name == "pair" else list(found)]


# Types


def _suited(ranks: tuple[str, ...]) -> Iterator[str]:
    """The suit patterns of the ranks up to renaming the suits: a new suit is the next unused."""
    patterns = [""]
    for rank, before in zip(ranks, (None, *ranks), strict=False):
        patterns = [
            pattern + suit
            for pattern in patterns
            for suit in SUITS[: len(set(pattern)) + 1]
            if rank != before or SUITS.index(suit) >= SUITS.index(pattern[-1])
        ]
    for pattern in patterns:
        yield " ".join(rank + suit for rank, suit in zip(ranks, pattern, strict=True))


def _multisets(size: int) -> Iterator[bytes]:
    """All sets of `size` cards up to renaming the suits, more than two copies of a face too."""
    for n_jokers in range(size + 1):
        for jokers in combinations_with_replacement(("Bj", "Rj"), n_jokers):
            for ranks in combinations_with_replacement(RANKS, size - n_jokers):
                for text in _suited(ranks):
                    yield parse_cards(" ".join((text, *jokers)))


@pytest.mark.parametrize("size", range(5))
def test_types_of_all_small_sets(size: int) -> None:
    """Engine and oracle agree on every set of up to four cards."""
    for cards in _multisets(size):
        assert _types(DEFAULT, cards) == _oracle_types(DEFAULT, cards), cards_text(cards)


def test_types_of_all_sets_of_five() -> None:
    """And on every set of five, the suits renamed."""
    types, count = Types(DEFAULT), 0
    for cards in _multisets(5):
        found = [type_words(play) for play in types.readings(cards)]
        assert found == _oracle_types(DEFAULT, cards), cards_text(cards)
        count += 1
    assert count > 50_000


def test_types_of_every_wsk() -> None:
    """All 64 ways to suit a 5, a 10 and a K: four of them are 正."""
    pure = 0
    for suits in product(SUITS, repeat=3):
        cards = parse_cards(" ".join(r + s for r, s in zip("5TK", suits, strict=True)))
        assert _types(DEFAULT, cards) == _oracle_types(DEFAULT, cards)
        pure += _types(DEFAULT, cards)[0][0] == "wsk_pure"
    assert pure == 4


def _likely(rng: random.Random, size: int) -> bytes:
    """Cards likely to be a type: from few neighbouring ranks, sometimes with jokers or 5 10 K."""
    low = rng.randrange(len(RANKS))
    ranks = RANKS[low : low + rng.randrange(1, 13)]
    pool = [rank + suit for rank in ranks for suit in SUITS] * 2
    if rng.random() < 0.2:
        pool = [*rng.choice((pool, [])), *["Bj", "Rj"] * 2]
    if rng.random() < 0.2:
        pool = [rank + suit for rank in "5TK" for suit in SUITS] * 2
    even = rng.choice((1, 2))
    if rng.random() < 0.5 and len(ranks) > 1:
        run = ranks[: max(1, size // even)]
        return parse_cards(" ".join(r + rng.choice(SUITS) for r in run for _ in range(even)))
    return parse_cards(" ".join(rng.sample(pool, min(size, len(pool)))))


def test_types_of_many_larger_sets() -> None:
    """A sample of sets of up to twelve cards, under every reading of the jokers."""
    rng = random.Random("larger")
    kinds: set[object] = set()
    for _ in range(25_000):
        options, cards = rng.choice(JOKER_OPTIONS), _likely(rng, rng.randrange(1, 13))
        found = _types(options, cards)
        assert found == _oracle_types(options, cards), cards_text(cards)
        kinds.update(kind for kind, *_ in found)
    assert kinds == {
        *("single", "pair", "pair_chain", "straight", "bomb", "wsk_pure", "wsk_mixed"),
        *("joker2", "joker3", "joker4"),
    }


# The order


def _all_types() -> list[bytes]:
    """One set of cards or more of every type, size and rank."""
    eight = [suit for suit in SUITS for _ in range(2)]
    texts = [" ".join(r + s for s in eight[:n]) for r in RANKS for n in range(1, 9)]
    ladder = RANKS[:-1]
    for copies, shortest in ((1, 3), (2, 2)):
        for low, high in combinations(range(len(ladder) + 1), 2):
            if high - low >= shortest:
                run = [rank + suit for rank in ladder[low:high] for suit in "sh"[:copies]]
                texts.append(" ".join(run))
    texts += [f"5{s} T{s} K{s}" for s in SUITS] + [
        "5s Ts Kd",
        "5d Tc Kh",
        "3d",
        "3h",
        "2s",
        "2d 2c",
    ]
    texts += ["Bj", "Rj", "Bj Bj", "Bj Rj", "Rj Rj", "Bj Bj Rj", "Bj Rj Rj", "Bj Bj Rj Rj"]
    return [parse_cards(text) for text in texts]


ALL_TYPES = _all_types()


@pytest.mark.parametrize("options", JOKER_OPTIONS, ids=_words)
def test_the_order_is_that_of_the_text(options: DagongOptions) -> None:
    """On all pairs of types engine and slow comparison agree."""
    types = Types(options)
    plays = [play for cards in ALL_TYPES for play in types.readings(cards)]
    named = [oracle.type_of(faces(play.cards), options) for play in plays]
    n_beaten = 0
    for new, new_name in zip(plays, named, strict=True):
        for old, old_name in zip(plays, named, strict=True):
            assert new_name is not None
            assert old_name is not None
            is_greater = beats(new, old)
            assert is_greater == oracle.beats(new_name, old_name, options), (new, old)
            n_beaten += is_greater
    assert n_beaten > 10_000


def _beaten(plays: list[Play]) -> list[int]:
    """For each play the set of those that it beats, as a mask."""
    return [sum(1 << i for i, old in enumerate(plays) if beats(new, old)) for new in plays]


@pytest.mark.parametrize("options", JOKER_OPTIONS, ids=_words)
def test_beats_is_a_strict_order(options: DagongOptions) -> None:
    """Nothing beats itself, no two beat each other, and what is beaten by the beaten is beaten."""
    types = Types(options)
    plays = [play for cards in ALL_TYPES for play in types.readings(cards)]
    beaten = _beaten(plays)
    for i, mine in enumerate(beaten):
        assert not mine >> i & 1, plays[i]
        for j, theirs in enumerate(beaten):
            if mine >> j & 1:
                assert not theirs >> i & 1, (plays[i], plays[j])
                assert theirs & ~mine == 0, (plays[i], plays[j])


@pytest.mark.parametrize("options", JOKER_OPTIONS, ids=_words)
def test_bombs_stand_in_ranks(options: DagongOptions) -> None:
    """On bombs the order is weak: which of two is the greater decides against any third."""
    types = Types(options)
    bombs = [play for cards in ALL_TYPES for play in types.readings(cards) if play.power]
    beaten = _beaten(bombs)
    for i, mine in enumerate(beaten):
        for j, theirs in enumerate(beaten):
            if not mine >> j & 1 and not theirs >> i & 1:
                assert mine == theirs, (bombs[i], bombs[j])


# Legal plays


def _key(options: DagongOptions, cards: list[str]) -> tuple[object, ...] | None:
    """What the play is up to the choice among equal suits: its type and the ranks in it."""
    found = oracle.type_of(cards, options)
    return None if found is None else (*found, *sorted(card[0] for card in cards))


def _by_brute_force(
    options: DagongOptions, held: bytes, table: bytes | None
) -> set[tuple[object, ...]]:
    """Every subset of the cards that is a type and beats the table."""
    on_table = None if table is None else oracle.type_of(faces(table), options)
    found = set()
    for size in range(1, len(held) + 1):
        for chosen in set(combinations(sorted(faces(held)), size)):
            what = oracle.type_of(list(chosen), options)
            if what and (on_table is None or oracle.beats(what, on_table, options)):
                found.add(_key(options, list(chosen)))
    return {key for key in found if key is not None}


def _table(rng: random.Random, options: DagongOptions) -> bytes | None:
    """Nothing on the table, or one of the weaker plays of any type."""
    if rng.random() < 0.5:
        return None
    plays = [cards for cards in ALL_TYPES if len(cards) < 9 and _types(options, cards)]
    return rng.choice(plays)


def test_legal_plays_are_those_of_brute_force() -> None:
    """For small holdings `plays` yields each playable type and rank once, and nothing else."""
    rng = random.Random("brute force")
    n_plays = 0
    for _ in range(400):
        options, game = random_options(rng), Dagong()
        held = _likely(rng, rng.randrange(1, 10))
        held = bytes(c for i, c in enumerate(held) if held[:i].count(c) < 2)
        state = playing(game, options, Table((b"\0", held, b"\0", b"\0"), leader=1))
        table = _table(rng, options)
        if table is not None:
            state = replace(state, table=state.flow.readings(table)[0], last=0)
        yielded = [fact for fact in game.plays(state) if isinstance(fact, Played)]
        keys = [_key(options, faces(fact.cards)) for fact in yielded]
        assert len(keys) == len(set(keys)), (held, table)
        assert set(keys) == _by_brute_force(options, held, table), (held, table)
        passes = [fact for fact in game.plays(state) if isinstance(fact, Passed)]
        assert len(passes) == (table is not None)
        n_plays += len(keys)
    assert n_plays > 1_000
