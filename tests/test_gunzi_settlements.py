"""Laws of how a hand of 四副滚子 ends, for whatever cards, options and players."""

from hypothesis import given, settings
from hypothesis import strategies as st

from replay.engine.gunzi.states import (
    Over,
    setting_of,
    side,
)
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.gunzi import (
    BottomFate,
    GunziCarry,
    GunziEnding,
    GunziResult,
    GunziSettled,
)
from tests.builders_gunzi import some_hand

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=20)


@given(seed=SEEDS)
@settings(max_examples=60)
def test_a_settlement_adds_up(seed: int) -> None:
    """One side rises at most, by its own levels, up to 10; none falls; a match leaves nothing.

    gunzi-8.3, 8.4, 8.9, 8.12, 8.14, 10.5: who is promoted has won the last trick, and its side of
    the 120 points.
    """
    game, options, carry, hand = some_hand(seed)
    state = hand[-1].after
    assert isinstance(state, Over)
    settled, setting = state.settled, setting_of(state)
    assert setting is not None
    next_ = settled.next
    assert game.next_carry(state) == next_
    assert next_.hand_no == carry.hand_no + 1
    assert settled.score == settled.tricks + settled.bottom * settled.factor
    is_captured = settled.fate is BottomFate.CAPTURED
    assert settled.factor == (options.bottom_factor if is_captured else 0)
    is_taken = settled.score >= 120
    assert (settled.risen > 0) == (is_captured == is_taken)
    assert next_.is_over == (settled.ending is not GunziEnding.NONE)
    assert next_.is_over == settled.result.name.startswith("MATCH")
    if next_.is_over:
        assert next_ == GunziCarry(carry.hand_no + 1, None, (1, 1), 0, 0, True)
        if settled.ending is GunziEnding.ZERO:
            assert (settled.score, settled.result) == (0, GunziResult.MATCH_TO_DEALERS)
        return
    assert settled.result is (GunziResult.TAKEN if is_taken else GunziResult.HELD)
    team = side(setting.dealer) if settled.fate is BottomFate.HELD else 1 - side(setting.dealer)
    for each in (0, 1):
        old, new = carry.levels[each], next_.levels[each]
        assert 1 <= old <= new <= 8
        assert new in (old, min(8, old + settled.risen)) if each == team else new == old
    steps_ = {"partner": 2, "same": 0, "next": 1, "previous": 3}
    way = options.dealer_after_swap if is_taken else options.dealer_after_hold
    assert next_.dealer == (setting.dealer + steps_[way]) % 4
    _check_due(state, settled)


def _check_due(state: Over, settled: GunziSettled) -> None:
    """Tribute is due below 80 and from 160, and for jokers that count."""
    score, table = settled.score, state.before.table
    low, high = -(-(80 - score) // 10), (score - 150) // 10
    assert settled.next.due_for_score == max(0, low, high)
    jokers = sum(2 if code == RED_JOKER else 1 for code in table.bottom if code >= BLACK_JOKER)
    is_void = table.is_dry or (settled.fate is BottomFate.CAPTURED and score < 120)
    assert settled.next.due_for_jokers == (0 if is_void else jokers)


@given(seed=SEEDS)
@FEW
def test_a_hand_that_is_not_over_leaves_its_own_opening(seed: int) -> None:
    """What the next hand opens with changes at the end of the hand and not before."""
    game, _, carry, hand = some_hand(seed)
    assert all(game.next_carry(before) == carry for before, _, _ in hand if not before.is_over)
