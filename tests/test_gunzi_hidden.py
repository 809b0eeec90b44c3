"""What a seat sees of a hand of 四副滚子: nothing that depends on the cards it cannot see."""

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.engine.board import Board
from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    GunziState,
    Over,
    Playing,
    Returning,
    setting_of,
)
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from tests.builders_gunzi import held_in, some_hand

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=20)


@given(seed=SEEDS)
@FEW
def test_cards_lie_face_down(seed: int) -> None:
    """A seat sees its own cards and no others; everybody sees how many there are."""
    game, _, _, hand = some_hand(seed)
    for _, _, after in hand[:12] + hand[12 :: max(1, len(hand) // 8)]:
        everything = game.view(after, None)
        for eye in range(4):
            for seen, true in zip(game.view(after, eye).seats, everything.seats, strict=True):
                assert seen.count == true.count
                assert seen.cards == (true.cards if seen.seat == eye else None)


def _dealt_otherwise(rng: random.Random, game: Gunzi, state: GunziState, eye: int) -> Any:
    """The state with all cards that an eye cannot see exchanged among their places."""
    hands, bottom = held_in(state)
    shown = game.view(state, eye).bottom
    assert shown is not None
    is_open = shown.cards is not None or isinstance(state, Burying)
    others = [seat for seat in range(4) if seat != eye]
    below = [] if is_open else _face_down(state, bottom)
    pool = [code for seat in others for code in hands[seat]] + below
    rng.shuffle(pool)
    for seat in others:
        n = len(hands[seat])
        hands[seat] = bytes(pool[:n])
        del pool[:n]
    if not is_open:
        kept = Counter(bottom) - Counter(below)
        bottom = _in_places(state, bottom, kept, pool)
    return _with(state, hands, bottom)


def _face_down(state: GunziState, bottom: bytes) -> list[int]:
    """The cards of a bottom that nobody has turned up."""
    setting = setting_of(state)
    assert setting is not None
    if isinstance(state, Asking | Playing):
        return list(bottom)
    up = {turn.place for turn in setting.turned}
    return [code for place, code in enumerate(bottom) if place not in up]


def _in_places(state: GunziState, bottom: bytes, kept: Counter[int], pool: list[int]) -> bytes:
    """The bottom with other cards where it lies face down."""
    if not kept:
        return bytes(pool)
    setting = setting_of(state)
    assert setting is not None
    up = {turn.place for turn in setting.turned}
    return bytes(code if place in up else pool.pop() for place, code in enumerate(bottom))


def _with(state: Any, hands: list[bytes], bottom: bytes) -> Any:
    """The state with other cards in the hands and below."""
    packed = tuple(with_cards(EMPTY, pack_dealt(cards)) for cards in hands)
    match state:
        case Playing():
            return replace(state, holdings=packed, table=replace(state.table, bottom=bottom))
        case Asking():
            buried = state.buried if bottom == state.bottom else bottom
            return replace(state, holdings=packed, bottom=bottom, buried=buried)
        case Returning() | Burying():
            return replace(state, holdings=packed)
        case _:
            deal = replace(state.setting.deal, hands=tuple(hands), holdings=packed, bottom=bottom)
            return replace(state, setting=replace(state.setting, deal=deal))


def _public(state: GunziState, board: Board, eye: int) -> Board:
    """A board without the number of jokers that a seat is told it may bury."""
    if isinstance(state, Asking) and eye == state.asked[0]:
        return replace(board, prompt=replace(board.prompt, obligations=()))
    return board


@given(seed=SEEDS)
@settings(max_examples=30)
def test_what_a_seat_sees_does_not_depend_on_hidden_cards(seed: int) -> None:
    """Were all cards that it cannot see exchanged, its board would be the same."""
    game, _, _, hand = some_hand(seed)
    rng = random.Random(seed)
    early = [each.after for each in hand if not isinstance(each.after, Playing | Over)]
    states = early + [each.after for each in hand if rng.random() < 0.08]
    for state in states:
        if isinstance(state, AwaitingDeal | Over):
            continue
        for eye in range(4):
            other = _dealt_otherwise(rng, game, state, eye)
            seen = [_public(state, game.view(each, eye), eye) for each in (state, other)]
            assert seen[0] == seen[1]
