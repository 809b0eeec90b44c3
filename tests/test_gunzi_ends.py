"""How hands of 四副滚子 end: laws for whatever cards, options and players, then each way."""

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.states import (
    Over,
    setting_of,
    side,
)
from replay.verify import verify
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.events import Event
from schema.gunzi import (
    BottomFate,
    GunziCarry,
    GunziEnding,
    GunziResult,
    GunziSettled,
)
from schema.logfile import open_log
from schema.options import GunziOptions
from tests.builders import head, live_log
from tests.builders_gunzi import FIRST, hand_events, some_hand
from tests.walked_gunzi import (
    BOTTOM,
    Table,
    after,
    plays,
)

NEXT_SEATS = {"partner": 2, "same": 0, "next": 1, "previous": 3}
ANY = Table(("", "", "", ""))
"""At level 6 with spades as trump; seat 0 deals, seats 1 and 3 are at level 3."""

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


# Each way


def _over(
    last: int,
    points: int = 0,
    start: Table = ANY,
    options: GunziOptions = DEFAULT,
    n: int = 1,
) -> GunziSettled:
    """The settlement where `last` wins the last trick and the attackers have so many points."""
    hands = ["9d", "9h", "9d", "9h"]
    hands[0], hands[last] = "9c", "Ac" if last else "9c"
    south, east, north, west = (" ".join([card] * n) for card in hands)
    table = start._replace(hands=(south, east, north, west), captured=(0, points, 0, 0))
    state = after([plays(seat, table.hands[seat]) for seat in range(4)], table, options)
    assert isinstance(state, Over)
    return state.settled


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_captured_bottom_counts_twice_with_however_many_cards(n: int) -> None:
    """60 points lie below: 120 for the attackers, nothing where it is held."""
    rich = ANY._replace(bottom="Kd Td Kh Th Ks Ts")
    found = _over(1, 0, rich, n=n)
    assert (found.bottom, found.factor, found.score) == (60, 2, 120)
    assert _over(1, 0, rich, replace(DEFAULT, bottom_factor=5), n).score == 300
    assert _over(2, 90, rich, n=n).score == 90


@pytest.mark.parametrize(
    ("last", "points", "risen", "levels", "dealer", "due"),
    [
        (2, 115, 4, (8, 1), 2, (0, 3)),
        (2, 40, 4, (8, 1), 2, (4, 3)),
        (2, 75, 4, (8, 1), 2, (1, 3)),
        (1, 95, 0, (4, 1), 2, (0, 0)),
        (1, 10, 0, (4, 1), 2, (5, 0)),
        (2, 120, 0, (4, 1), 1, (0, 3)),
        (0, 175, 0, (4, 1), 1, (2, 3)),
        (3, 100, 4, (4, 5), 1, (0, 3)),
        (1, 140, 4, (4, 5), 1, (1, 3)),
    ],
)
def test_the_four_ways_a_hand_ends(
    last: int,
    points: int,
    risen: int,
    levels: tuple[int, int],
    dealer: int,
    due: tuple[int, int],
) -> None:
    """gunzi-8.3, 8.4: a 大王 and a 小王 lie below, and ten points that count twice if captured."""
    jokers = ANY._replace(bottom="Rj Bj 9d Kd 4h 2c")
    found, next_ = _over(last, points, jokers), _over(last, points, jokers).next
    assert (found.risen, next_.levels, next_.dealer) == (risen, levels, dealer)
    assert (next_.due_for_score, next_.due_for_jokers) == due
    dry = _over(last, points, jokers._replace(is_dry=True))
    assert (dry.risen, dry.next.due_for_jokers) == (min(risen, 1), 0)
    assert (dry.score, dry.next.due_for_score) == (found.score, due[0])


@pytest.mark.parametrize("word", ["partner", "same", "next", "previous"])
def test_who_deals_next(word: str) -> None:
    """Within the side that deals on, or in the one that takes over."""
    if word in ("partner", "same"):
        found = _over(2, 90, options=replace(DEFAULT, dealer_after_hold=word))
    else:
        found = _over(2, 130, options=replace(DEFAULT, dealer_after_swap=word))
    assert found.next.dealer == NEXT_SEATS[word]


@pytest.mark.parametrize(
    ("options", "levels", "last", "points", "expected"),
    [
        ({}, (7, 1), 2, 90, (8, 1)),
        ({}, (8, 1), 2, 90, None),  # 10 is passed
        ({}, (8, 1), 2, 120, (8, 1)),  # not with 120
        ({}, (4, 8), 1, 120, (4, 8)),  # not by attackers
        ({"must_deal": "none"}, (4, 8), 1, 120, None),
        ({"must_deal": "three_and_ten"}, (4, 1), 1, 120, (4, 1)),
        ({"must_deal": "three_and_ten"}, (4, 2), 1, 120, (4, 3)),
        ({"match_end": "ten_reached"}, (7, 1), 2, 90, None),
        ({"match_end": "ten_reached"}, (4, 7), 1, 120, None),
        ({"skipping_ten": "allowed"}, (7, 1), 2, 90, (8, 1)),
    ],
)
def test_the_ladder(
    options: dict[str, str],
    levels: tuple[int, int],
    last: int,
    points: int,
    expected: tuple[int, int] | None,
) -> None:
    """gunzi-8.9, 8.14: levels of both sides behind a rise of one; None: the match is won."""
    house = replace(DEFAULT, **options)
    found = _over(last, points, ANY._replace(levels=levels), house)
    assert found.next.is_over == (expected is None)
    assert found.next.levels == (expected or (1, 1))
    if found.ending:
        side = GunziResult.MATCH_TO_DEALERS if last == 2 else GunziResult.MATCH_TO_ATTACKERS
        assert found.result is side


def test_a_surplus_that_may_skip_ten_passes_it() -> None:
    """From 9 with four levels: by option the match is won, else the rise stops at 10."""
    jokers = ANY._replace(levels=(7, 1), bottom="Rj Bj 9d Kd 4h 2c")
    skipping = replace(DEFAULT, skipping_ten="allowed")
    assert _over(2, 90, jokers, skipping).ending is GunziEnding.TEN_PASSED
    assert _over(2, 90, jokers).next.levels == (8, 1)


@pytest.mark.parametrize(
    ("last", "points", "bottom", "ending", "result"),
    [
        (2, 0, BOTTOM, GunziEnding.ZERO, GunziResult.MATCH_TO_DEALERS),
        (1, 0, "3s 7c 9d 4d 4h 2c", GunziEnding.ZERO, GunziResult.MATCH_TO_DEALERS),
        (2, 300, "3s 7c 9d 4d 4h 2c", GunziEnding.FULL, GunziResult.MATCH_TO_ATTACKERS),
        (1, 280, BOTTOM, GunziEnding.FULL, GunziResult.MATCH_TO_ATTACKERS),
        (2, 90, "Bj Bj Bj Kd 4h 2c", GunziEnding.THREE_JOKERS, GunziResult.MATCH_TO_DEALERS),
        (1, 100, "Rj Rj Rj Kd 4h 2c", GunziEnding.THREE_JOKERS, GunziResult.MATCH_TO_ATTACKERS),
        (1, 90, "Rj Rj Rj Kd 4h 2c", GunziEnding.NONE, GunziResult.HELD),
        (2, 120, "Rj Rj Rj Kd 4h 2c", GunziEnding.NONE, GunziResult.TAKEN),
        (2, 0, "Rj Rj Rj Kd 4h 2c", GunziEnding.ZERO, GunziResult.MATCH_TO_DEALERS),
        (1, 280, "Rj Rj Rj Kd 4h 2c", GunziEnding.FULL, GunziResult.MATCH_TO_ATTACKERS),
    ],
)
def test_how_a_match_ends(
    last: int, points: int, bottom: str, ending: GunziEnding, result: GunziResult
) -> None:
    """gunzi-10.5: of several reasons the first one is told."""
    found = _over(last, points, ANY._replace(bottom=bottom))
    assert (found.ending, found.result) == (ending, result)
    assert found.next.is_over == (ending is not GunziEnding.NONE)


def test_all_points_may_be_wanted_undoubled() -> None:
    """By option 300 with a bottom that counts twice are no 全得."""
    house = replace(DEFAULT, full_score="all_points")
    found = _over(1, 280, options=house)
    assert (found.score, found.ending) == (300, GunziEnding.NONE)
    assert _over(1, 290, options=house).ending is GunziEnding.FULL


def test_a_hand_behind_the_match_is_one_finding() -> None:
    """A new match is a new file."""
    rng, carry, hands = random.Random(3), FIRST, list[list[Event]]()
    while not carry.is_over:
        events, carry = hand_events(DEFAULT, carry, rng)
        hands.append(events)
    assert len(hands) > 2
    hands.append(hand_events(DEFAULT, carry, rng)[0])
    report = verify(open_log(io.BytesIO(live_log(hands, head(DEFAULT)))))
    found = [(finding.hand, finding.event, finding.rule) for finding in report.findings]
    assert found == [(len(hands) - 1, 1, "gunzi-10.7")]
