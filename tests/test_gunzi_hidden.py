"""What a seat sees of a hand of 四副滚子: nothing that depends on the cards it cannot see."""

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    GunziState,
    Over,
    Playing,
    Returning,
    play_of,
    setting_of,
)
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from schema.cards import BLACK_JOKER
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


def _may_see_below(state: GunziState, eye: int) -> bool:
    """gunzi-5.2, 5.3, 5.9: whether a seat may know the bottom as it is now."""
    setting, play = setting_of(state), play_of(state)
    assert setting is not None
    is_dealer = eye == setting.dealer
    match state:
        case Burying():
            return is_dealer or setting.shows != ()
        case Asking():
            return is_dealer or max(state.bottom) >= BLACK_JOKER
        case _:
            return play is not None and (
                is_dealer or play.table.is_dry or max(play.table.bottom) >= BLACK_JOKER
            )


def _dealt_otherwise(rng: random.Random, state: Any, eye: int) -> Any:
    """The state with all cards that an eye cannot see exchanged among their places.

    A new bottom that is hidden has no joker in it, which everybody knows.
    """
    hands, setting = held_in(state)[0], setting_of(state)
    assert setting is not None
    is_new = isinstance(state, Asking | Playing)
    bottom = bytearray(held_in(state)[1] or setting.deal.bottom)
    up = set() if is_new else {turn.place for turn in setting.turned}
    places = [] if _may_see_below(state, eye) else [k for k in range(6) if k not in up]
    others = [seat for seat in range(4) if seat != eye]
    taken = isinstance(state, Burying) and eye != setting.dealer
    if taken:
        left = Counter(hands[setting.dealer]) - Counter(bottom)
        hands[setting.dealer] = bytes(left.elements())
    pool = [code for seat in others for code in hands[seat]] + [bottom[k] for k in places]
    rng.shuffle(pool)
    if is_new:
        pool.sort(key=lambda code: code >= BLACK_JOKER, reverse=True)
    for place in places:
        bottom[place] = pool.pop()
    rng.shuffle(pool)
    for seat in others:
        n = len(hands[seat])
        hands[seat] = bytes(pool[:n])
        del pool[:n]
    if taken:
        hands[setting.dealer] += bottom
    return _with(state, hands, bytes(bottom), bool(places))


def _with(state: Any, hands: list[bytes], bottom: bytes, is_other: object) -> Any:
    """The state with other cards in the hands and below."""
    packed = tuple(with_cards(EMPTY, pack_dealt(cards)) for cards in hands)
    match state:
        case Playing():
            buried = bottom if is_other else state.table.buried
            table = replace(state.table, bottom=bottom, buried=buried)
            return replace(state, holdings=packed, table=table)
        case Asking():
            buried = bottom if is_other else state.buried
            return replace(state, holdings=packed, bottom=bottom, buried=buried)
        case _:
            deal = replace(state.setting.deal, hands=tuple(hands), holdings=packed, bottom=bottom)
            setting = replace(state.setting, deal=deal)
            changed = replace(state, setting=setting)
            is_held = isinstance(state, Returning | Burying)
            return replace(changed, holdings=packed) if is_held else changed


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
            other = _dealt_otherwise(rng, state, eye)
            assert game.view(other, eye) == game.view(state, eye)
