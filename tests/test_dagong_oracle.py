"""The engine against a second, slow 打拱 that was written from the source text alone."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from replay.engine.climbing.states import ClimbingState, Ended, Over, Playing
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.settlement import settle
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, RuleViolation
from schema.cards import parse_cards
from schema.events import (
    By,
    CallDrawn,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Fact,
    HandEnded,
    Passed,
    Played,
    SoloAnswered,
    TurnedUp,
)
from schema.options import DagongOptions
from tests.builders import DECK, FIRST, Table, any_style, playing, random_options, told
from tests.oracle_dagong import Hand
from tests.oracle_log import carry_of, claim_of, faces, heard, tell

CHUNKS = 10
HANDS = 160
"""Hands in each chunk: 1,600 hands, some 200,000 facts in all."""


def _seated(state: ClimbingState, seat: int) -> object:
    """What both sides must agree on while tricks are played, the engine's view of it."""
    play = state.play if isinstance(state, Over) else state
    if not isinstance(play, Playing):
        return type(state).__name__
    turn = None if isinstance(state, Over) else play.turn
    places = state.places if isinstance(state, Over) else play.places
    held = sorted(faces(unpack(play.holdings[seat])))
    return (turn, held, list(play.left), list(play.captured), list(places), play.is_revealed)


def _oracle_seated(hand: Hand, seat: int) -> object:
    if hand.phase not in ("play", "over"):
        words = {"draw": "AwaitingDraw", "turn up": "AwaitingTurnUp", "ask": "Asking"}
        return words.get(hand.phase, "AwaitingDeal")
    turn = None if hand.phase == "over" else hand.turn
    left = list(map(len, hand.hands))
    return (turn, sorted(hand.hands[seat]), left, hand.captured, hand.places, hand.revealed)


def _hands(
    rng: random.Random, n_hands: int
) -> Iterator[tuple[Dagong, DagongOptions, ClimbingCarry, random.Random]]:
    """Hands of many tables: options and openings all drawn at random."""
    for _ in range(n_hands):
        dealer = rng.choice((None, 0, 1, 2, 3))
        carry = (
            FIRST if dealer is None else ClimbingCarry(rng.randrange(2, 9), dealer, (5, -5, 0, 0))
        )
        yield Dagong(), random_options(rng), carry, rng


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_tell_the_same_hand(chunk: int) -> None:
    """Under any options, states and claims of a legal hand agree after every single fact."""
    rng = random.Random(f"agree {chunk}")
    results: Counter[ClimbingResult] = Counter()
    for game, options, carry, _ in _hands(rng, HANDS):
        hand = Hand(options, carry_of(carry))
        for before, fact, after in told(game, options, carry, rng, any_style(rng)):
            tell(hand, fact)
            due = game.due(before, fact, after)
            assert Counter(map(claim_of, due)) == Counter(hand.due), (options, fact)
            seat = getattr(fact, "seat", 0)
            assert _seated(after, seat) == _oracle_seated(hand, seat), (options, fact)
        assert carry_of(game.next_carry(after)) == hand.carry
        assert isinstance(after, Over)
        assert isinstance(after.settled, ClimbingSettled)
        results[after.settled.result] += 1
    assert results.keys() >= set(ClimbingResult) - {ClimbingResult.QING, ClimbingResult.GUANGTOU}


def _is_allowed(game: Dagong, state: ClimbingState, fact: Fact) -> bool:
    breaches: list[Breach] = []
    try:
        game.apply(state, fact, breaches)
    except RuleViolation:
        return False
    return not breaches


def _attempt(rng: random.Random, state: ClimbingState) -> Fact:
    """Any fact whatever; plays are mostly of cards that the seat holds and that look alike."""
    seat = rng.randrange(4)
    kind = rng.randrange(12)
    if kind == 0:
        return Dealt(0, seat, DECK)
    if kind == 1:
        return TurnedUp(0, rng.randrange(108))
    if kind == 2:
        return CallDrawn(0, rng.randrange(54))
    if kind == 3:
        return SoloAnswered(0, By.PLAYER, seat, rng.random() < 0.5)
    if kind == 4:
        return HandEnded(0)
    if isinstance(state, Playing) and rng.random() < 0.8:
        seat = state.turn
    if kind == 5:
        return Passed(0, By.PLAYER, seat)
    held = unpack(state.holdings[seat]) if isinstance(state, Playing) else DECK
    near = rng.choice(held) >> 2 if held else 0
    alike = [c for c in held if c >> 2 in range(near, near + rng.randrange(1, 6))]
    cards = rng.sample(alike, rng.randrange(min(len(alike), 8) + 1))
    if rng.random() < 0.05:
        cards.append(rng.randrange(54))
    return Played(0, By.PLAYER, seat, bytes(cards))


def test_engine_and_oracle_refuse_the_same_attempts() -> None:
    """Whatever is tried at whatever moment, engine and oracle find fault with the same facts."""
    rng = random.Random("attempts")
    allowed: Counter[bool] = Counter()
    for game, options, carry, _ in _hands(rng, 150):
        hand = Hand(options, carry_of(carry))
        for before, fact, _after in told(game, options, carry, rng, any_style(rng)):
            for _ in range(3):
                attempt = _attempt(rng, before)
                is_good = _is_allowed(game, before, attempt)
                assert is_good == (heard(hand, attempt) is not None), (options, before, attempt)
                allowed[is_good] += 1
            tell(hand, fact)
    assert allowed[True] > 2000
    assert allowed[False] > 2000


def _ended(rng: random.Random, options: DagongOptions) -> tuple[ClimbingSettled, Hand]:
    """The same end of a hand, with any points, for both; often 100–100 or 200–0."""
    order = rng.sample(range(4), 4)
    left = bytes(rng.sample([c for c in DECK if c >> 2 in (0, 2, 7, 10)], rng.randrange(5)))
    if not left:
        left = parse_cards("3d")
    dealer, partner = rng.sample(range(4), 2)
    held = [b"", b"", b"", b""]
    held[order[3]] = left
    rest = 200 - points(left)
    first = rng.choice((rng.randrange(0, rest + 1, 5), 100, 0, rest))
    ours = min(first, rest)
    a, b = rng.sample(range(4), 2)
    shares = [ours if seat == a else rest - ours if seat == b else 0 for seat in range(4)]
    table = Table(
        per_seat(held), dealer, partner, places=tuple(order[:3]), captured=per_seat(shares)
    )
    play = playing(Dagong(), options, table)
    settled = settle(options, Ended(play, "normal", tuple(order)))
    hand = Hand(options, carry_of(play.carry))
    hand.dealer, hand.partner, hand.decided = dealer, partner, "normal"
    hand.captured, hand.places = list(shares), order[:3]
    hand.hands[order[3]] = faces(left)
    hand.finish()
    return settled, hand


def test_engine_and_oracle_settle_alike() -> None:
    """Any captured points and any last cards give the same result, winners, points and coins."""
    rng = random.Random("settle")
    results: Counter[ClimbingResult] = Counter()
    ties = 0
    for _ in range(3_000):
        settled, hand = _ended(rng, random_options(rng))
        assert claim_of(settled) == hand.due[-1]
        results[settled.result] += 1
        ties += sum(settled.final[seat] for seat in settled.winners) == 100
    assert results[ClimbingResult.QING] > 100
    assert ties > 100
