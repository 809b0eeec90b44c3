"""Laws of every game, most of the climbing ones, for whatever cards, options and players."""

import io
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.inspect import IntType, LiteralType, StructType, type_info
from msgspec.structs import asdict, replace

from replay.engine.climbing.game import ClimbingGame
from replay.engine.climbing.states import Asking, ClimbingState, Over, Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.registry import game_named
from replay.engine.rule import Breach, RuleViolation
from replay.verify import verify
from schema.events import (
    AnyPlay,
    By,
    ClimbingCarry,
    ClimbingSettled,
    Dealt,
    Event,
    Fact,
    Played,
    Revealed,
    TrickWon,
    WentOut,
    WindTaken,
)
from schema.events import Called as CalledClaim
from schema.logfile import open_log
from schema.records import ClaimsLevel
from tests.builders import (
    DECK,
    FIRST,
    Told,
    any_options,
    any_style,
    game_for,
    head,
    live_log,
    match,
    told,
)
from tests.games import CLIMBING, GAMES, Subject

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=25)

games = pytest.mark.parametrize("subject", GAMES.values(), ids=GAMES)
climbing_games = pytest.mark.parametrize("subject", CLIMBING.values(), ids=CLIMBING)

# Whole hands


def _hand(subject: Subject, seed: int) -> tuple[ClimbingGame, list[Told], random.Random]:
    """A legal hand at a random table."""
    rng = random.Random(seed)
    options = any_options(rng, subject.default)
    game = game_for(options)
    dealer = rng.choice((None, 0, 1, 2, 3))
    carry = FIRST if dealer is None else ClimbingCarry(rng.randrange(2, 9), dealer, (7, -7, 3, -3))
    return game, list(told(game, options, carry, rng, any_style(rng))), rng


def _play_of(state: ClimbingState) -> Playing | None:
    if isinstance(state, Over):
        return state.play
    return state if isinstance(state, Playing) else None


@climbing_games
@given(seed=SEEDS)
@FEW
def test_everybody_is_dealt_27_cards(subject: Subject, seed: int) -> None:
    """The deal goes round card by card and leaves nothing over."""
    _, hand, _ = _hand(subject, seed)
    fact, after = hand[0].fact, hand[-1].after
    assert isinstance(fact, Dealt)
    assert isinstance(after, Over)
    for seat, cards in enumerate(after.deal.hands):
        assert cards == fact.cards[(seat - fact.start) % 4 :: 4]
        assert len(cards) == 27


@climbing_games
@given(seed=SEEDS)
@FEW
def test_cards_and_points_are_conserved(subject: Subject, seed: int) -> None:
    """At every moment held and laid cards are the deck, captured and open points 200.

    chibi_dagun-13.6: in a solo hand too, whatever its points are worth.
    """
    _, hand, _ = _hand(subject, seed)
    laid = b""
    for _, fact, after in hand:
        laid += fact.cards if isinstance(fact, AnyPlay) else b""
        play = _play_of(after)
        if play is None:
            continue
        held = b"".join(map(unpack, play.holdings))
        assert sorted(held + laid) == sorted(DECK)
        assert play.left == tuple(len(unpack(holding)) for holding in play.holdings)
        if play.is_scored:
            is_won = isinstance(after, Over) and play.won[0] >= 0
            assert sum(play.captured) + play.pile * (not is_won) + points(held) == 200
        else:
            assert play.captured == (0, 0, 0, 0)


@climbing_games
@given(seed=SEEDS)
@FEW
def test_who_holds_cards_is_active_and_in_turn(subject: Subject, seed: int) -> None:
    """The active seats are those with cards, the turn is one of them, the others have places."""
    _, hand, _ = _hand(subject, seed)
    for _, _, after in hand:
        play = _play_of(after)
        if play is None:
            continue
        with_cards_left = {seat for seat in range(4) if play.left[seat]}
        assert {seat for seat in range(4) if play.active >> seat & 1} == with_cards_left
        if isinstance(after, Playing):
            assert after.turn in with_cards_left
            assert after.turn != after.last
            if not after.decided:
                assert set(after.places) == {0, 1, 2, 3} - with_cards_left


@climbing_games
@given(seed=SEEDS)
@FEW
def test_a_settlement_adds_up(subject: Subject, seed: int) -> None:
    """Coins sum to zero; at a normal end the points sum to 200, before the transfers and after."""
    game, hand, _ = _hand(subject, seed)
    before, state = hand[0].before, hand[-1].after
    assert isinstance(state, Over)
    settled = state.settled
    assert isinstance(settled, ClimbingSettled)
    assert sum(settled.deltas) == 0
    assert len(set(settled.places)) == len(settled.places)
    if state.end == "normal":
        assert sum(settled.captured) + settled.left == 200
        assert sum(settled.final) == 200
        assert settled.final[settled.places[3]] == 0
    else:
        assert settled.final == settled.captured
        assert settled.left == 0
    carry = game.next_carry(state)
    assert carry == settled.next
    assert carry.hand_no == before.carry.hand_no + 1
    assert carry.dealer == settled.places[0]
    sums = zip(before.carry.balances, settled.deltas, strict=True)
    assert carry.balances == tuple(map(sum, sums))


@climbing_games
@given(seed=SEEDS)
@FEW
def test_a_hand_that_is_not_over_leaves_its_own_opening(subject: Subject, seed: int) -> None:
    """What the next hand opens with changes at the end of the hand and not before."""
    game, hand, _ = _hand(subject, seed)
    for before, _, _ in hand:
        if not before.is_over:
            assert game.next_carry(before) == hand[0].before.carry


def _plain(value: object) -> object:
    """A state as plain values, but for the table's rules, which are always the same."""
    if isinstance(value, Struct):
        return {k: _plain(v) for k, v in asdict(value).items() if k != "flow"}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


@climbing_games
@given(seed=SEEDS)
@settings(max_examples=20)
def test_apply_changes_nothing_that_was(subject: Subject, seed: int) -> None:
    """A state is the same after a fact, legal or not, and the same fact gives the same again."""
    game, hand, rng = _hand(subject, seed)
    for before, fact, after in hand:
        snapshot = _plain(before)
        wild = Played(0, By.PLAYER, rng.randrange(4), bytes(rng.choices(range(256), k=3)))
        breaches: list[Breach] = []
        try:
            game.apply(before, wild, breaches)
        except RuleViolation:
            breaches.clear()
        again = game.apply(before, fact, breaches)
        assert _plain(before) == snapshot
        assert _plain(again) == _plain(after)


@climbing_games
@given(seed=SEEDS)
@FEW
def test_every_play_offered_is_legal_and_the_leader_has_one(subject: Subject, seed: int) -> None:
    """What `plays` yields applies without a breach; a leader always can play, a follower pass."""
    game, hand, rng = _hand(subject, seed)
    for before, _, _ in hand:
        if not isinstance(before, Playing | Asking) or rng.random() < 0.9:
            continue
        facts: list[Fact] = list(game.plays(before))
        assert facts
        for fact in facts:
            breaches: list[Breach] = []
            game.apply(before, fact, breaches)
            assert not breaches
        if isinstance(before, Playing):
            assert any(isinstance(fact, AnyPlay) for fact in facts) or before.table is not None


@climbing_games
@given(seed=SEEDS)
@FEW
def test_claims_fall_due_once(subject: Subject, seed: int) -> None:
    """One settlement, one call, a place for each seat that went out, a winner for each trick."""
    game, hand, _ = _hand(subject, seed)
    due = [claim for told_ in hand for claim in game.due(*told_)]
    kinds = Counter(map(type, due))
    state = hand[-1].after
    assert isinstance(state, Over)
    assert kinds[ClimbingSettled] == 1
    is_uncalled = state.play.soloist >= 0 and state.flow.before_play[0] == "solo"
    assert kinds[CalledClaim] == (not is_uncalled)
    is_open = state.play.won[0] < 0
    assert kinds[TrickWon] == state.trick - is_open
    assert kinds[Revealed] == state.play.is_revealed
    places = [claim.place for claim in due if isinstance(claim, WentOut)]
    assert places == list(range(1, len(state.play.places) + 1))
    assert kinds[WindTaken] <= kinds[WentOut]


@climbing_games
@given(seed=SEEDS)
@FEW
def test_who_takes_the_wind_holds_cards(subject: Subject, seed: int) -> None:
    """Whoever leads in place of a winner who is out is active, the partner too.

    dagong-8.5, chibi_dagun-11.6.
    """
    game, hand, _ = _hand(subject, seed)
    for before, fact, after in hand:
        for claim in game.due(before, fact, after):
            if isinstance(claim, WindTaken):
                assert isinstance(after, Playing)
                assert after.turn == claim.seat
                assert after.left[claim.seat] > 0
                assert after.left[after.won[0]] == 0


# What a seat sees


@climbing_games
@given(seed=SEEDS)
@FEW
def test_cards_lie_face_down(subject: Subject, seed: int) -> None:
    """dagong-2.5: a seat sees its own cards and no others; everybody sees how many there are."""
    game, hand, _ = _hand(subject, seed)
    for _, _, after in hand[:: max(1, len(hand) // 8)]:
        everything = game.view(after, None)
        for eye in range(4):
            for seen, true in zip(game.view(after, eye).seats, everything.seats, strict=True):
                assert seen.count == true.count
                assert seen.cards == (true.cards if seen.seat == eye else None)


@climbing_games
@given(seed=SEEDS)
@FEW
def test_the_partner_is_unknown_before_he_is_revealed(subject: Subject, seed: int) -> None:
    """dagong-3.8: until 明鸡 nobody but the partner sees who it is, nor which seats are a side."""
    game, hand, _ = _hand(subject, seed)
    for _, _, after in hand[:: max(1, len(hand) // 8)]:
        if not isinstance(after, Playing) or after.soloist >= 0:
            continue
        for eye in range(4):
            seats = game.view(after, eye).seats
            shown = [seat.seat for seat in seats if "role.partner" in seat.roles]
            knows = after.is_revealed or eye == after.partner
            assert shown == ([after.partner] if knows else [])
            assert all((seat.team is not None) == knows for seat in seats)


# Logs


def _findings(log: bytes) -> list[str]:
    return [f"{f.hand}:{f.event} {f.rule}" for f in verify(open_log(io.BytesIO(log))).findings]


@games
@given(seed=SEEDS)
@settings(max_examples=15)
def test_what_was_played_by_the_rules_verifies(subject: Subject, seed: int) -> None:
    """A match of legal hands, written and read back, gives no finding."""
    rng = random.Random(seed)
    options = any_options(rng, subject.default)
    hands = subject.match(options, 3, rng)
    assert _findings(live_log(hands, head(options))) == []


LEVELS: tuple[ClaimsLevel, ...] = ("settlement", "none")


@games
@pytest.mark.parametrize("level", LEVELS)
def test_a_lower_level_of_claims_verifies(subject: Subject, level: ClaimsLevel) -> None:
    """Without the claims that a level does not promise a legal match gives no finding."""
    rng, game = random.Random(level), game_named(subject.name)

    def is_kept(event: Event) -> bool:
        return isinstance(event, Fact) or game.claim_at_level(type(event), level)

    hands = [list(filter(is_kept, events)) for events in subject.match(subject.default, 3, rng)]
    assert _findings(live_log(hands, head(subject.default, claims=level))) == []
    full = head(subject.default, claims="full")
    assert _findings(live_log(hands, full)) != []


@climbing_games
def test_a_match_ends_when_its_hands_are_played(subject: Subject) -> None:
    """The hand after the last one is one finding, at its opening."""
    rng, game = random.Random(7), game_for(subject.default)
    options = replace(subject.default, hands_per_match=2)
    hands = match(options, 3, rng)
    (rule,) = subject.ids("MATCH_LENGTH")
    assert _findings(live_log(hands, head(options))) == [f"2:1 {rule}"]
    assert not game.match_is_over(options, ClimbingCarry(2, 0, (0, 0, 0, 0)))
    assert game.match_is_over(options, ClimbingCarry(3, 0, (0, 0, 0, 0)))
    assert not game.match_is_over(subject.default, ClimbingCarry(10**6, 0, (0, 0, 0, 0)))


# Options


@games
def test_every_house_rule_is_drawn(subject: Subject) -> None:
    """The tables of these laws have every word and every small number of every option."""
    rng = random.Random("drawn")
    drawn = [any_options(rng, subject.default) for _ in range(500)]
    fields = type_info(type(subject.default))
    assert isinstance(fields, StructType)
    for field in fields.fields:
        values = {getattr(options, field.name) for options in drawn}
        if field.name == "hands_per_match":
            assert values == {0}
        elif isinstance(field.type, LiteralType):
            assert values == set(field.type.values)
        else:
            assert isinstance(field.type, IntType)
            assert field.type.ge is not None
            assert field.type.le is not None
            small = range(field.type.ge, min(field.type.le, field.type.ge + 12) + 1)
            assert values >= set(small)
