"""Laws of 炒地皮 that hold for whatever cards, options and players: hands drawn at random."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import asdict

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.order import ACE, FLAG
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.states import (
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Stirring,
    side,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.rule import Breach, RuleViolation
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    ChaodipiCarry,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    Escaped,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import By, Dealt, Fact, HandEnded, Played, TrickWon
from schema.options import ChaodipiOptions
from tests.builders import DECK, any_options
from tests.builders_chaodipi import Told, any_style, some_carry, told

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=20)
Hand = tuple[Chaodipi, ChaodipiOptions, ChaodipiCarry, list[Told]]


def _hand(seed: int) -> Hand:
    """A legal hand at a random table, from any opening."""
    rng = random.Random(seed)
    game, options, carry = Chaodipi(), any_options(rng, DEFAULT), some_carry(rng)
    return game, options, carry, list(told(game, options, carry, rng, any_style(rng)))


def _held(state: ChaodipiState) -> tuple[list[bytes], bytes]:
    """The cards of each seat, and those of the bottom that nobody holds."""
    match state:
        case AwaitingDeal():
            return [], b""
        case Declaring():
            return [*state.setting.deal.hands], state.setting.deal.bottom
        case Burying():
            return list(map(unpack, state.holdings)), b""
        case Stirring() | Playing():
            return list(map(unpack, state.holdings)), state.bottom
        case Over():
            return _held(state.before)


def _play_of(state: ChaodipiState) -> Playing | None:
    if isinstance(state, Over):
        return _play_of(state.before)
    return state if isinstance(state, Playing) else None


# Cards and points


@given(seed=SEEDS)
@FEW
def test_cards_and_points_are_conserved(seed: int) -> None:
    """Held, buried and laid cards are the deck; captured, open and buried points are 200."""
    _, _, _, hand = _hand(seed)
    laid: list[int] = []
    for before, fact, after in hand:
        play = _play_of(after)
        if isinstance(fact, Played) and isinstance(before, Playing):
            lost = Counter(unpack(before.holdings[fact.seat]))
            now = play.holdings[fact.seat] if play else 0
            laid += (lost - Counter(unpack(now))).elements()
        seats, bottom = _held(after)
        if seats:
            assert sorted((*b"".join(seats), *bottom, *laid)) == sorted(DECK)
        if play is not None:
            is_counted = isinstance(after, Over) and not isinstance(fact, Escaped | HandEnded)
            is_won = is_counted or (after.is_over and len(play.plays) == 4)
            open_points = 0 if is_won else sum(map(points, play.plays))
            assert sum(play.captured) + open_points + points(b"".join(seats) + bottom) == 200


@given(seed=SEEDS)
@FEW
def test_every_seat_holds_what_its_phase_gives(seed: int) -> None:
    """25 cards a seat and 8 below, or in 扛旗 27 and none; 33 with who takes the bottom.

    chaodipi-1.5, 2.1, 2.3, 2.5, 5.1, 8.1: round by round from the first seat on; in a trick
    everybody lays as many as were led.
    """
    _, _, carry, hand = _hand(seed)
    for _, fact, after in hand:
        if isinstance(fact, Dealt) and isinstance(after, Declaring | Playing):
            dealt = fact.cards[: 108 - len(after.setting.deal.bottom)]
            for seat, cards in enumerate(after.setting.deal.hands):
                assert cards == dealt[(seat - fact.start) % 4 :: 4]
    is_flag = carry.dealer is not None and carry.levels[side(carry.dealer)] == FLAG
    for _, _, after in hand:
        sizes = [len(cards) for cards in _held(after)[0]]
        match after:
            case Declaring() | Stirring():
                assert (sizes, is_flag) == ([25] * 4, False)
                assert len(_held(after)[1]) == 8
            case Burying():
                assert sizes == [33 if seat == after.seat else 25 for seat in range(4)]
            case Playing():
                n = len(after.plays[0]) if after.plays else 0
                acted = [(after.leader + place) % 4 for place in range(len(after.plays))]
                left = {size + n * (seat in acted) for seat, size in enumerate(sizes)}
                assert len(left) == 1
                assert max(left) <= (27 if is_flag else 25)
                assert len(after.bottom) == (0 if is_flag else 8)
                assert (after.burier < 0) == is_flag
                assert after.turn == (after.leader + len(after.plays)) % 4
            case _:
                assert sizes == [] or after.is_over


@given(seed=SEEDS)
@FEW
def test_shown_cards_stay_where_they_are(seed: int) -> None:
    """chaodipi-4.10, 5.2, 5.9: a show moves no card, any are buried, the burier is not asked."""
    game, _, _, hand = _hand(seed)
    rng = random.Random(seed)
    for before, fact, after in hand:
        if isinstance(fact, Declared):
            assert _held(before) == _held(after)
        if isinstance(before, Burying):
            cards = bytes(rng.sample(unpack(before.holdings[before.seat]), 8))
            buried = game.apply(before, Buried(0, By.PLAYER, before.seat, cards), [])
            assert isinstance(buried, Stirring | Playing)
            assert sorted(buried.bottom) == sorted(cards)
        if isinstance(after, Stirring):
            assert after.burier not in after.asked
            assert len(set(after.asked)) == len(after.asked)


@given(seed=SEEDS)
@FEW
def test_cards_lie_face_down(seed: int) -> None:
    """chaodipi-2.4: a seat sees its own cards and no others; everybody sees how many there are."""
    game, _, _, hand = _hand(seed)
    for _, _, after in hand[:: max(1, len(hand) // 8)]:
        everything = game.view(after, None)
        for eye in range(4):
            for seen, true in zip(game.view(after, eye).seats, everything.seats, strict=True):
                assert seen.count == true.count
                assert seen.cards == (true.cards if seen.seat == eye else None)


# Acts


@given(seed=SEEDS)
@FEW
def test_whoever_is_asked_can_act(seed: int) -> None:
    """What `plays` yields applies without a breach, and a seat in turn always has something."""
    game, _, _, hand = _hand(seed)
    rng = random.Random(seed)
    for before, _, _ in hand:
        if isinstance(before, Playing) and rng.random() < 0.8:
            continue
        facts: list[Fact] = list(game.plays(before))
        assert facts or isinstance(before, AwaitingDeal | Declaring | Over)
        for fact in facts:
            breaches: list[Breach] = []
            game.apply(before, fact, breaches)
            assert not breaches


def _plain(value: object) -> object:
    """A state as plain values, but for the table's rules, which are always the same."""
    if isinstance(value, Struct):
        fixed = ("house", "context")
        return {k: _plain(v) for k, v in asdict(value).items() if k not in fixed}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


@given(seed=SEEDS)
@FEW
def test_apply_changes_nothing_that_was(seed: int) -> None:
    """A state is the same after a fact, legal or not, and the same fact gives the same again."""
    game, _, _, hand = _hand(seed)
    rng = random.Random(seed)
    for before, fact, after in hand:
        snapshot = _plain(before)
        wild = Played(0, By.PLAYER, rng.randrange(4), bytes(rng.choices(range(54), k=2)))
        breaches: list[Breach] = []
        try:
            game.apply(before, wild, breaches)
        except RuleViolation:
            breaches.clear()
        assert _plain(game.apply(before, fact, breaches)) == _plain(after)
        assert _plain(before) == snapshot


# Claims and settlement


@given(seed=SEEDS)
@FEW
def test_claims_fall_due_once(seed: int) -> None:
    """One settlement, a winner for each trick, a judgement for each throw, trump whenever set."""
    game, _, _, hand = _hand(seed)
    due = Counter(type(claim) for each in hand for claim in game.due(*each))
    facts = Counter(type(each.fact) for each in hand)
    last = hand[-1].after
    assert isinstance(last, Over)
    is_over = last.settled.result is not ChaodipiResult.ESCAPED
    open_trick = 0 if is_over else 1
    assert due[ChaodipiSettled] == 1
    assert due[TrickWon] == max(0, last.trick - open_trick)
    assert due[BottomShown] == facts[BottomTurned]
    taken = sum(isinstance(after, Burying) and after is not before for before, _, after in hand)
    assert due[BottomTaken] == taken
    late = sum(
        isinstance(fact, Declared) and isinstance(before, Declaring) and before.setting.is_turned
        for before, fact, _ in hand
    )
    closed = taken - facts[Stirred]
    assert due[TrumpSet] == facts[Stirred] + late + max(facts[BottomTurned], closed)
    thrown = [
        (before, fact, after)
        for before, fact, after in hand
        if isinstance(fact, Played) and isinstance(before, Playing) and before.lead is None
    ]
    judged = [claim for each in hand for claim in game.due(*each) if isinstance(claim, ThrowJudged)]
    tried = [after for _, _, after in thrown if isinstance(after, Playing) and after.attempted]
    assert len(judged) == len(tried)
    for claim, after in zip(judged, tried, strict=True):
        assert not Counter(claim.led) - Counter(after.attempted)
        assert (sorted(claim.led) == sorted(after.attempted)) == (not claim.beaten_by)


@given(seed=SEEDS)
@settings(max_examples=60)
def test_a_settlement_adds_up(seed: int) -> None:
    """Levels stay on the ladder, A is never skipped, game scores are zero-sum but for two cases.

    chaodipi-0.2, 0.3, 10.5, 11.6, 11.15, 12.3, 12.5: partners share, 扛旗 has no bottom and pays
    its winners alone, an escape costs one seat and settles nothing else; chaodipi-1.6: by the room.
    """
    game, options, carry, hand = _hand(seed)
    state = hand[-1].after
    assert isinstance(state, Over)
    settled, after = state.settled, game.next_carry(state)
    assert after == settled.next
    sums = zip(carry.scores, settled.deltas, strict=True)
    assert after.scores == tuple(map(sum, sums))
    result = settled.result
    assert after.is_over == (result in (ChaodipiResult.MATCH_WON, ChaodipiResult.ESCAPED))
    if result is ChaodipiResult.ESCAPED:
        assert sorted(settled.deltas)[1:] == [0, 0, 0]
        assert -options.escape_penalty <= min(settled.deltas) <= 0
        assert (after.levels, after.hand_no) == (carry.levels, carry.hand_no)
        return
    assert after.hand_no == carry.hand_no + 1
    assert settled.deltas[:2] == settled.deltas[2:]
    if carry.dealer is not None and carry.levels[side(carry.dealer)] == FLAG:
        assert (settled.bottom, settled.factor) == (0, 0)
    if result is ChaodipiResult.MATCH_WON and options.flag_bonus == "winners_only":
        bonus = {"single": 3, "match": 6}[options.room]
        assert sorted(settled.deltas) == [0, 0, bonus, bonus]
    else:
        assert sum(settled.deltas) == 0
    assert settled.score == settled.tricks + settled.bottom * settled.factor + settled.penalty
    _check_levels(options, carry, state)
    _check_bottom(options, state)


def _check_bottom(options: ChaodipiOptions, state: Over) -> None:
    """chaodipi-10.4: it counts for who wins the last trick, whoever buried it."""
    play = _play_of(state)
    assert play is not None
    if options.stirred_bottom == "counts" and not play.setting.is_flag:
        is_lost = side(play.won[0]) != side(play.setting.dealer)
        assert (state.settled.factor > 0) == is_lost


def _check_levels(options: ChaodipiOptions, carry: ChaodipiCarry, state: Over) -> None:
    play, after = _play_of(state), state.settled.next
    assert play is not None
    dealer = play.setting.dealer
    for team, (old, new) in enumerate(zip(carry.levels, after.levels, strict=True)):
        assert 0 <= new <= FLAG
        failures = after.failures[team]
        assert failures < options.flag_failures_max or failures == carry.failures[team]
        assert new == FLAG or after.failures[team] == 0
        is_skipping = options.skipping_ace == "dealer_side" and team == side(dealer)
        assert new <= ACE or old >= ACE or is_skipping
    match state.settled.result:
        case ChaodipiResult.HELD:
            steps = {"same": 0, "partner": 2}
            assert after.dealer == (dealer + steps[options.dealer_after_hold]) % 4
        case ChaodipiResult.TAKEN:
            steps = {"next": 1, "previous": 3}
            assert after.dealer == (dealer + steps[options.dealer_after_swap]) % 4
        case _:
            assert (after.dealer, after.levels) == (None, (0, 0))


@given(seed=SEEDS)
@FEW
def test_a_hand_that_is_not_over_leaves_its_own_opening(seed: int) -> None:
    """What the next hand opens with changes at the end of the hand and not before."""
    game, _, carry, hand = _hand(seed)
    assert all(game.next_carry(before) == carry for before, _, _ in hand if not before.is_over)


@given(seed=SEEDS)
@FEW
def test_trump_and_dealer_stand_once_the_last_burial_is_done(seed: int) -> None:
    """chaodipi-4.8, 5.8: the dealer of a later hand is who the opening says, whoever shows.

    In play nothing of it changes any more, and the dealer has led.
    """
    _, options, carry, hand = _hand(seed)
    settings_ = [after.setting for _, _, after in hand if isinstance(after, Playing)]
    if not settings_:
        return
    assert len({(setting.trump, setting.dealer, setting.rung) for setting in settings_}) == 1
    dealer = settings_[0].dealer
    if carry.dealer is not None:
        assert dealer == carry.dealer
    shown = [fact.seat for _, fact, _ in hand if isinstance(fact, Declared | Stirred)]
    if carry.dealer is None and options.stir_moves_dealer == "first_hand" and shown:
        turned = any(isinstance(fact, BottomTurned) for _, fact, _ in hand)
        stirrers = [fact.seat for _, fact, _ in hand if isinstance(fact, Stirred)]
        assert dealer == (stirrers or shown)[-1] or (turned and not stirrers)
    # a hand can be aborted before anybody has led
    leads = [fact.seat for _, fact, _ in hand if isinstance(fact, Played)][:1]
    assert leads in ([], [dealer])
