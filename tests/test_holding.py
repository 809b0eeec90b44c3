"""Laws of holdings: multisets of cards as one number, whatever a log says that they are."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.engine.mechanics.holding import (
    EMPTY,
    count,
    missing,
    pack,
    size,
    unpack,
    with_cards,
    without,
)
from schema.cards import N_FACES
from tests.builders import DECK


def _hostile() -> st.SearchStrategy[bytes]:
    """Cards as a hostile log may hold them: codes that are none, far too many copies of a face."""
    code = st.one_of(st.integers(0, N_FACES - 1), st.integers(0, 255), st.sampled_from((0, 52, 53)))
    repeated = st.tuples(code, st.integers(1, 8)).map(lambda pair: bytes([pair[0]]) * pair[1])
    return st.lists(repeated, max_size=12).map(b"".join)


def _is_deck_like(cards: bytes, copies: int) -> bool:
    return all(code < N_FACES and n <= copies for code, n in Counter(cards).items())


@given(held=_hostile(), wanted=_hostile(), copies=st.integers(1, 3))
@settings(max_examples=400)
def test_a_holding_is_a_counter(held: bytes, wanted: bytes, copies: int) -> None:
    """What cannot be in the deck is refused; else taking away is Counter's subtraction."""
    for cards in (held, wanted):
        if not _is_deck_like(cards, copies):
            with pytest.raises(ValueError, match=r"card code"):
                pack(cards, copies)
            return
    holding = with_cards(EMPTY, pack(held, copies))
    assert unpack(holding) == bytes(sorted(held))
    assert size(holding) == len(held)
    assert all(count(holding, code) == held.count(code) for code in range(N_FACES))
    lacking = Counter(wanted) - Counter(held)
    rest = without(holding, pack(wanted, copies))
    assert missing(holding, wanted) == bytes(sorted(lacking.elements()))
    assert (rest < 0) == bool(lacking)
    if rest >= 0:
        assert unpack(rest) == bytes(sorted((Counter(held) - Counter(wanted)).elements()))
        assert with_cards(rest, pack(wanted, copies)) == holding


@given(cards=st.permutations(DECK).map(bytes), cut=st.integers(0, 108))
@settings(max_examples=40)
def test_packing_forgets_the_order_only(cards: bytes, cut: int) -> None:
    """Any part of the deck packs and unpacks to the same cards, sorted."""
    part = cards[:cut]
    assert unpack(with_cards(EMPTY, pack(part, 2))) == bytes(sorted(part))


@given(cards=_hostile())
def test_missing_names_every_card_too_many(cards: bytes) -> None:
    """Of an empty holding everything is missing, cards that do not exist included."""
    assert missing(EMPTY, cards) == bytes(sorted(cards))
