"""Laws of 打拱 that hold for whatever cards, options and players: hands drawn at random."""

import io
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import asdict, replace

from replay.engine.climbing.states import Asking, ClimbingState, Over, Playing
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.presets import DEFAULT
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
from replay.engine.mechanics.points import points
from replay.engine.rule import Breach, RuleViolation
from replay.verify import verify
from schema.cards import N_FACES
from schema.events import (
    By,
    ClimbingCarry,
    ClimbingSettled,
    Event,
    Fact,
    Played,
    Revealed,
    SoloAnswered,
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
    any_style,
    hand_events,
    head,
    live_log,
    match,
    random_options,
    told,
)

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=40)

# Holdings


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
@FEW
def test_packing_forgets_the_order_only(cards: bytes, cut: int) -> None:
    """Any part of the deck packs and unpacks to the same cards, sorted."""
    part = cards[:cut]
    assert unpack(with_cards(EMPTY, pack(part, 2))) == bytes(sorted(part))


@given(cards=_hostile())
def test_missing_names_every_card_too_many(cards: bytes) -> None:
    """Of an empty holding everything is missing, cards that do not exist included."""
    assert missing(EMPTY, cards) == bytes(sorted(cards))


# Whole hands


def _hand(seed: int) -> tuple[Dagong, list[Told], random.Random]:
    """A legal hand at a random table."""
    rng = random.Random(seed)
    game, options = Dagong(), random_options(rng)
    dealer = rng.choice((None, 0, 1, 2, 3))
    carry = FIRST if dealer is None else ClimbingCarry(rng.randrange(2, 9), dealer, (7, -7, 3, -3))
    return game, list(told(game, options, carry, rng, any_style(rng))), rng


def _play_of(state: ClimbingState) -> Playing | None:
    if isinstance(state, Over):
        return state.play
    return state if isinstance(state, Playing) else None


@given(seed=SEEDS)
@FEW
def test_cards_and_points_are_conserved(seed: int) -> None:
    """At every moment held and laid cards are the deck, captured and open points 200."""
    _, hand, _ = _hand(seed)
    laid = b""
    for _, fact, after in hand:
        laid += fact.cards if isinstance(fact, Played) else b""
        play = _play_of(after)
        if play is None:
            continue
        held = b"".join(map(unpack, play.holdings))
        assert sorted(held + laid) == sorted(DECK)
        assert play.left == tuple(len(unpack(holding)) for holding in play.holdings)
        if play.soloist < 0:
            pile = 0 if isinstance(after, Over) else play.pile
            assert sum(play.captured) + pile + points(held) == 200
        else:
            assert play.captured == (0, 0, 0, 0)


@given(seed=SEEDS)
@FEW
def test_who_holds_cards_is_active_and_in_turn(seed: int) -> None:
    """The active seats are those with cards, the turn is one of them, the others have places."""
    _, hand, _ = _hand(seed)
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


@given(seed=SEEDS)
@FEW
def test_a_settlement_adds_up(seed: int) -> None:
    """Coins sum to zero; at a normal end the points sum to 200, before the transfers and after."""
    game, hand, _ = _hand(seed)
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


@given(seed=SEEDS)
@FEW
def test_a_hand_that_is_not_over_leaves_its_own_opening(seed: int) -> None:
    """What the next hand opens with changes at the end of the hand and not before."""
    game, hand, _ = _hand(seed)
    for before, _, _ in hand:
        if not before.is_over:
            assert game.next_carry(before) == hand[0].before.carry


def _plain(value: object) -> object:
    """A state as plain values, but for the table's rules, which are always the same."""
    if isinstance(value, Struct):
        return {k: _plain(v) for k, v in asdict(value).items() if k != "flow"}
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


@given(seed=SEEDS)
@settings(max_examples=20)
def test_apply_changes_nothing_that_was(seed: int) -> None:
    """A state is the same after a fact, legal or not, and the same fact gives the same again."""
    game, hand, rng = _hand(seed)
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


@given(seed=SEEDS)
@FEW
def test_every_play_offered_is_legal_and_the_leader_has_one(seed: int) -> None:
    """What `plays` yields applies without a breach; a leader always can play, a follower pass."""
    game, hand, rng = _hand(seed)
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
            assert any(isinstance(fact, Played) for fact in facts) or before.table is not None


@given(seed=SEEDS)
@FEW
def test_claims_fall_due_once(seed: int) -> None:
    """One settlement, one call, a place for each seat that went out, a winner for each trick."""
    game, hand, _ = _hand(seed)
    due = [claim for told_ in hand for claim in game.due(*told_)]
    kinds = Counter(map(type, due))
    state = hand[-1].after
    assert isinstance(state, Over)
    assert kinds[ClimbingSettled] == kinds[CalledClaim] == 1
    assert kinds[TrickWon] == state.trick
    assert kinds[Revealed] == state.play.is_revealed
    places = [claim.place for claim in due if isinstance(claim, WentOut)]
    assert places == list(range(1, len(state.play.places) + 1))
    assert kinds[WindTaken] <= kinds[WentOut]


@given(seed=SEEDS)
@FEW
def test_who_takes_the_wind_holds_cards(seed: int) -> None:
    """dagong-8.5: whoever leads in place of a winner who is out is active, the partner too."""
    game, hand, _ = _hand(seed)
    for before, fact, after in hand:
        for claim in game.due(before, fact, after):
            if isinstance(claim, WindTaken):
                assert isinstance(after, Playing)
                assert after.turn == claim.seat
                assert after.left[claim.seat] > 0
                assert after.left[after.won[0]] == 0


# What a seat sees


@given(seed=SEEDS)
@FEW
def test_cards_lie_face_down(seed: int) -> None:
    """dagong-2.5: a seat sees its own cards and no others; everybody sees how many there are."""
    game, hand, _ = _hand(seed)
    for _, _, after in hand[:: max(1, len(hand) // 8)]:
        everything = game.view(after, None)
        for eye in range(4):
            for seen, true in zip(game.view(after, eye).seats, everything.seats, strict=True):
                assert seen.count == true.count
                assert seen.cards == (true.cards if seen.seat == eye else None)


@given(seed=SEEDS)
@FEW
def test_the_partner_is_unknown_before_he_is_revealed(seed: int) -> None:
    """dagong-3.8: until 明鸡 nobody but the partner sees who it is, nor which seats are a side."""
    game, hand, _ = _hand(seed)
    for _, _, after in hand[:: max(1, len(hand) // 8)]:
        if not isinstance(after, Playing) or after.soloist >= 0:
            continue
        for eye in range(4):
            seats = game.view(after, eye).seats
            shown = [seat.seat for seat in seats if "role.partner" in seat.roles]
            knows = after.is_revealed or eye == after.partner
            assert shown == ([after.partner] if knows else [])
            assert all((seat.team is not None) == knows for seat in seats)


# Arithmetic of the deck


def test_four_jokers_make_one_yaobai_at_most() -> None:
    """dagong-5.8: two sets of three jokers, or three and two, are more than the deck holds."""
    jokers = DECK.count(52) + DECK.count(53)
    assert jokers < 3 + 2


# Logs


def _findings(log: bytes) -> list[str]:
    return [f"{f.hand}:{f.event} {f.rule}" for f in verify(open_log(io.BytesIO(log))).findings]


@given(seed=SEEDS)
@settings(max_examples=15)
def test_what_was_played_by_the_rules_verifies(seed: int) -> None:
    """A match of legal hands, written and read back, gives no finding."""
    rng = random.Random(seed)
    options = random_options(rng)
    hands = match(options, 3, rng, any_style(rng))
    assert _findings(live_log(hands, head(options))) == []


LEVELS: tuple[ClaimsLevel, ...] = ("settlement", "none")


@pytest.mark.parametrize("level", LEVELS)
def test_a_lower_level_of_claims_verifies(level: ClaimsLevel) -> None:
    """Without the claims that a level does not promise a legal match gives no finding."""
    rng, game = random.Random(level), Dagong()

    def is_kept(event: Event) -> bool:
        return isinstance(event, Fact) or game.claim_at_level(type(event), level)

    hands = [list(filter(is_kept, events)) for events in match(DEFAULT, 3, rng)]
    assert _findings(live_log(hands, head(claims=level))) == []
    full = head(claims="full")
    assert _findings(live_log(hands, full)) != []


def test_a_match_ends_when_its_hands_are_played() -> None:
    """The hand after the last one is one finding, at its opening."""
    rng, game = random.Random(7), Dagong()
    options = replace(DEFAULT, hands_per_match=2)
    hands = match(options, 3, rng)
    assert _findings(live_log(hands, head(options))) == ["2:1 dagong-11.5"]
    assert not game.match_is_over(options, ClimbingCarry(2, 0, (0, 0, 0, 0)))
    assert game.match_is_over(options, ClimbingCarry(3, 0, (0, 0, 0, 0)))
    assert not game.match_is_over(DEFAULT, ClimbingCarry(10**6, 0, (0, 0, 0, 0)))


def test_a_solo_answer_is_offered_both_ways() -> None:
    """The seat that is asked may say yes and no; where anybody may declare, each seat may."""
    rng = random.Random(3)
    for order, n_answers in (("in_turn", 2), ("free", 4)):
        options = replace(DEFAULT, solo_order=order)
        events, _ = hand_events(game := Dagong(), options, FIRST, rng)
        state: ClimbingState = game.open(options, FIRST)
        for event in events[2:]:
            if isinstance(state, Asking):
                break
            if isinstance(event, Fact):
                state = game.apply(state, event, [])
        answers = [fact for fact in game.plays(state) if isinstance(fact, SoloAnswered)]
        assert len(answers) == n_answers
