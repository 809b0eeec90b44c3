"""Laws of 四副滚子 that hold for whatever cards, options and players: hands drawn at random."""

import io
import random
from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import asdict

from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Over,
    Paying,
    Playing,
    Returning,
    play_of,
    setting_of,
    side,
)
from replay.engine.mechanics.points import points
from replay.engine.registry import game_named
from replay.engine.rule import Breach, RuleViolation
from replay.verify import verify
from replay.walk import Chain, Follower, steps
from schema.cards import ALL_CODES, BLACK_JOKER, RANKS, RED_JOKER
from schema.events import AbortReason, By, Dealt, Event, Fact, HandAborted, Played, TrickWon
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    GunziCarry,
    GunziSettled,
    JokersBuried,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.logfile import open_log
from schema.options import GunziOptions
from tests.builders import any_options, head, live_log
from tests.builders_gunzi import any_style, hand_events, held_in, some_carry, some_hand

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=20)
DECK = ALL_CODES * 3


# Cards and points


@given(seed=SEEDS)
@FEW
def test_cards_and_points_are_conserved(seed: int) -> None:
    """Held, buried and laid cards are the deck; captured, open and buried points are 300.

    gunzi-1.6: through tribute, burials and picks.
    """
    _, _, _, hand = some_hand(seed)
    laid: list[int] = []
    for _, fact, after in hand:
        if isinstance(fact, Played):
            laid += fact.cards
        seats, bottom = held_in(after)
        if seats:
            assert sorted((*b"".join(seats), *bottom, *laid)) == sorted(DECK)
        play = play_of(after)
        if play is not None:
            open_points = 0 if after.is_over else points(b"".join(play.plays))
            assert sum(play.captured) + open_points + points(b"".join(seats) + bottom) == 300


@given(seed=SEEDS)
@FEW
def test_every_seat_holds_what_its_phase_gives(seed: int) -> None:
    """39 cards a seat and 6 below, 45 with who takes the bottom; who pays has so many fewer.

    gunzi-1.1, 2.2, 2.3, 7.12: dealt one by one from the first seat on, and laid alike.
    """
    _, _, _, hand = some_hand(seed)
    for _, fact, after in hand:
        sizes, setting = [len(cards) for cards in held_in(after)[0]], setting_of(after)
        if isinstance(fact, Dealt):
            assert isinstance(after, Declaring)
            for seat, cards in enumerate(after.setting.deal.hands):
                assert cards == fact.cards[:156][(seat - fact.start) % 4 :: 4]
            assert after.setting.deal.bottom == fact.cards[156:]
        match after:
            case AwaitingDeal():
                assert sizes == []
            case Burying():
                dealer = after.setting.dealer
                assert sizes == [45 if seat == dealer else 39 for seat in range(4)]
            case Returning():
                assert setting is not None
                n, moved = len(setting.paid), {setting.dealer: 1, setting.payer: -1}
                assert sizes == [39 + n * moved.get(seat, 0) for seat in range(4)]
            case Playing() | Over():
                play = play_of(after)
                assert play is not None
                n = len(play.plays[0]) if play.plays and not after.is_over else 0
                acted = [(play.leader + place) % 4 for place in range(len(play.plays))]
                assert len({size + n * (seat in acted) for seat, size in enumerate(sizes)}) == 1
            case _:
                assert (sizes, len(held_in(after)[1])) == ([39] * 4, 6)


@given(seed=SEEDS)
@FEW
def test_a_show_moves_no_card(seed: int) -> None:
    """gunzi-2.4: declaring leaves all cards where they are, and ends before any is moved."""
    _, _, _, hand = some_hand(seed)
    for before, fact, after in hand:
        if isinstance(fact, Declared):
            assert held_in(before) == held_in(after)
            setting = setting_of(after)
            assert setting is not None
            assert setting.shows[-1].cards == fact.cards


@given(seed=SEEDS)
@settings(max_examples=40)
def test_tribute_is_of_the_largest_and_comes_back_in_number(seed: int) -> None:
    """gunzi-9.6, 9.7, 9.8: never more than is due, fewer where there are no more payable cards.

    What is paid is payable and nothing payable that is kept is higher; point cards are paid at
    their own level, or by option at both. In a first hand, and where nothing is due, none is paid.
    """
    _, options, carry, hand = some_hand(seed)
    paid = [each for each in hand if isinstance(each.fact, TributePaid)]
    back = [each.fact.cards for each in hand if isinstance(each.fact, TributeReturned)]
    due = 0 if carry.dealer is None else carry.due_for_score + carry.due_for_jokers
    assert len(paid) == len(back) == (due > 0)
    for before, fact, _ in paid:
        assert isinstance(before, Paying)
        assert isinstance(fact, TributePaid)
        setting = before.setting
        rank = "3456789T"[setting.level - 1]
        free = {"5": "5", "T": "T"}.get(rank, "")
        if options.tribute_points == "both_levels" and free:
            free = "5T"
        hand_of = setting.deal.hands[fact.seat]
        payable = [c for c in hand_of if not points(bytes([c])) or RANKS[c >> 2] in free]
        assert fact.seat == (setting.dealer + 3) % 4
        assert len(fact.cards) == len(back[0]) == min(due, len(payable))
        kept = Counter(payable) - Counter(fact.cards)
        assert sum(kept.values()) == len(payable) - len(fact.cards)
        height = setting.context.height
        least = min((height[code] for code in fact.cards), default=0)
        assert all(height[code] <= least for code in kept)


@given(seed=SEEDS)
@settings(max_examples=40)
def test_a_bottom_is_six_cards_whatever_is_buried(seed: int) -> None:
    """gunzi-5.7: any six may be buried; jokers go down for cards that are neither joker nor point.

    The bottom is shown if and only if a joker is in it, or, the dealt one, if somebody showed.
    """
    game, _, _, hand = some_hand(seed)
    for before, fact, after in hand:
        shown = [claim for claim in game.due(before, fact, after) if isinstance(claim, BottomShown)]
        if isinstance(fact, JokersBuried):
            assert len(fact.jokers) == len(fact.picked)
            assert all(code >= BLACK_JOKER for code in fact.jokers)
            assert not points(fact.picked)
            assert max(fact.picked, default=0) < BLACK_JOKER
        if isinstance(fact, Buried | JokersBuried):
            _, bottom = held_in(after)
            seat = fact.seat
            assert len(bottom) == 6
            assert bool(shown) == any(code >= BLACK_JOKER for code in bottom)
            jokers = fact.cards if isinstance(fact, Buried) else fact.jokers
            assert BLACK_JOKER not in jokers or RED_JOKER not in held_in(after)[0][seat]
        elif shown:
            setting = setting_of(after)
            assert setting is not None
            assert setting.shows
            assert shown == [BottomShown(setting.deal.bottom, isinstance(after, Playing))]


# Acts


@given(seed=SEEDS)
@FEW
def test_whoever_is_asked_can_act(seed: int) -> None:
    """What `plays` yields applies without a breach, and a seat in turn always has something.

    gunzi-7.5, 7.6: of a suit that it does not hold anything, in 活棒 with any types.
    """
    game, _, _, hand = some_hand(seed)
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
@settings(max_examples=12)
def test_apply_changes_nothing_that_was(seed: int) -> None:
    """A state is the same after a fact, legal or not, and the same fact gives the same again."""
    game, _, _, hand = some_hand(seed)
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


@given(seed=SEEDS)
@FEW
def test_who_wins_leads_and_the_dealer_first(seed: int) -> None:
    """gunzi-7.8, 7.10: the winner laid the type led, in its suit or trumps, and nobody more.

    By option the dealer leads every trick.
    """
    _, options, _, hand = some_hand(seed)
    tricks = [e for e in hand if isinstance(e.before, Playing | Asking)]
    for before, fact, after in tricks:
        assert isinstance(before, Asking) or isinstance(fact, Played)
        play, done = play_of(before), play_of(after)
        if play is None or done is None or not isinstance(fact, Played) or len(play.plays) < 3:
            continue
        context, laid = play.table.context, (*play.plays, fact.cards)
        suit, height = context.order.suit, context.height
        winner = laid[(done.won[0] - play.leader) % 4]
        assert len(set(winner)) == 1
        assert suit[winner[0]] in (suit[laid[0][0]], 4)
        for place, cards in enumerate(laid):
            competes = len(set(cards)) == 1 and suit[cards[0]] in (suit[laid[0][0]], 4)
            is_later = place > (done.won[0] - play.leader) % 4
            if competes and cards is not winner:
                gap = height[winner[0]] - height[cards[0]]
                assert gap >= 0 if is_later else gap > 0
        if isinstance(after, Playing):
            expected = done.won[0] if options.leader == "winner" else done.table.setting.dealer
            assert after.turn == expected


# Claims


@given(seed=SEEDS)
@FEW
def test_claims_fall_due_once(seed: int) -> None:
    """One settlement, trump set once, a winner for each trick, a new deal for six jokers."""
    game, _, _, hand = some_hand(seed)
    due = Counter(type(claim) for each in hand for claim in game.due(*each))
    facts = Counter(type(each.fact) for each in hand)
    last = hand[-1].after
    assert isinstance(last, Over)
    assert due[GunziSettled] == due[TrumpSet] == 1
    assert due[TrickWon] == last.trick
    assert due[Redealt] == facts[Dealt] - 1
    dealt = [each.fact.cards for each in hand if isinstance(each.fact, Dealt)]
    assert all(min(cards[156:]) >= BLACK_JOKER for cards in dealt[:-1])
    assert due[BottomShown] <= 1 + facts[Buried] + facts[JokersBuried]


@given(seed=SEEDS)
@FEW
def test_trump_and_dealer_stand_once_they_are_set(seed: int) -> None:
    """gunzi-1.7, 4.1: nothing of it changes any more, and the dealer leads the first trick.

    Of a later hand he is who the opening says, whoever shows; its level is that of his side.
    """
    _, _, carry, hand = some_hand(seed)
    known = [setting_of(after) for _, _, after in hand]
    settings_ = [setting for setting in known if setting is not None and setting.trump >= 0]
    for before, after in pairwise([s for s in settings_ if s.deal is settings_[-1].deal]):
        if before.shows == after.shows and len(before.turned) == len(after.turned):
            assert (before.trump, before.dealer) == (after.trump, after.dealer)
    setting = settings_[-1]
    if carry.dealer is not None:
        assert setting.dealer == carry.dealer
        assert setting.level == carry.levels[side(carry.dealer)]
    else:
        assert setting.level == 1
    assert next(fact.seat for _, fact, _ in hand if isinstance(fact, Played)) == setting.dealer


# Logs


def _events(seed: int) -> tuple[GunziOptions, GunziCarry, list[Event]]:
    rng = random.Random(seed)
    options, carry = any_options(rng, DEFAULT), some_carry(rng)
    return options, carry, hand_events(options, carry, rng, any_style(rng))[0]


@given(seed=SEEDS)
@FEW
def test_a_follower_writes_what_the_verifier_expects(seed: int) -> None:
    """A server that follows the facts with an engine of its own writes this very log."""
    options, carry, events = _events(seed)
    follower = Follower(game_named("gunzi"), options)
    written: list[Event] = [events[0], *follower.open(carry)]
    for fact in events:
        if isinstance(fact, Fact) and fact is not events[0]:
            written += [fact, *follower.fact(fact)]
    assert written == events
    walked = list(steps(game_named("gunzi"), options, "full", events, Chain(carry)))
    assert [step.faults for step in walked] == [()] * len(events)


@given(seed=SEEDS)
@FEW
def test_a_hand_verifies_alone(seed: int) -> None:
    """From its own opening, whatever came before is not known; whole, or broken off anywhere."""
    options, _, events = _events(seed)
    rng = random.Random(seed)
    cut = [*events[: rng.randrange(2, len(events) - 2)], HandAborted(0, AbortReason.RECOVERED)]
    for hand in (events, cut):
        walked = list(steps(game_named("gunzi"), options, "full", hand))
        assert [step.faults for step in walked] == [()] * len(hand)


@given(seed=SEEDS)
@settings(max_examples=10)
def test_equal_logs_are_judged_alike(seed: int) -> None:
    """gunzi-1.4: two verifiers tell the same, of one log and of its twin."""
    options, _, events = _events(seed)
    log = live_log([events], head(options))
    assert log == live_log([_events(seed)[2]], head(options))
    first, second = (verify(open_log(io.BytesIO(log))) for _ in "12")
    assert first == second
