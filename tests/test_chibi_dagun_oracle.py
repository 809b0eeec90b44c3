"""The engine against a second, slow 赤壁打滚 that was written from the source text alone."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT, FIRST_CARRY, PUBLIC_SERVER
from replay.engine.chibi_dagun.types import Types, choose
from replay.engine.climbing.states import ClimbingState, Over, Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.plays import beats as engine_beats
from replay.engine.rule import Breach, RuleViolation
from schema.cards import SUITS, parse_cards
from schema.events import (
    By,
    CallDrawn,
    ClimbingCarry,
    Dealt,
    Fact,
    HandEnded,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
    TurnedUp,
)
from schema.options import ChibiDagunOptions
from tests.builders import DECK, shuffled
from tests.oracle_chibi_dagun import Hand, singles
from tests.oracle_chibi_log import is_allowed, tell
from tests.oracle_chibi_moves import move, some_cards
from tests.oracle_chibi_types import RANKS, Reading, beats, chosen, readings
from tests.oracle_log import carry_of, claim_of, faces

CHUNKS = 10
HANDS = 150
"""Hands in each chunk: 1,500 hands in all."""
FANS = [name for name in ChibiDagunOptions.__struct_fields__ if name.endswith(("_fan", "_each"))]
WORDS = {
    name: get_args(hint)
    for name, hint in get_type_hints(ChibiDagunOptions).items()
    if get_origin(hint) is Literal
}
"""The options that are one of several words."""


def _house(rng: random.Random) -> ChibiDagunOptions:
    """A table whose house rules are a preset's, but for some drawn at random."""
    share = rng.choice((0.2, 0.5, 1.0))
    drawn: dict[str, object] = {name: rng.randrange(6) for name in FANS}
    drawn |= {name: rng.choice(words) for name, words in WORDS.items()}
    drawn["base"] = rng.choice((1, 7, 100))
    drawn["min_naturals_in_bomb"] = rng.choice((1, 1, 2, 3, 8))
    drawn["wild_bomb_max_cards"] = rng.choice((12, 12, 9, 5, 3))
    drawn["yaobai_max_ranks"] = rng.choice((0, 0, 2, 3, 1))
    kept = {name: value for name, value in drawn.items() if rng.random() < share}
    return replace(rng.choice((DEFAULT, PUBLIC_SERVER)), **kept)


def _carry(rng: random.Random) -> ClimbingCarry:
    dealer = rng.choice((None, 0, 1, 2, 3))
    if dealer is None:
        return FIRST_CARRY
    return ClimbingCarry(rng.randrange(2, 9), dealer, (5, -5, 0, 0))


class Told(NamedTuple):
    """A fact, the state before and after it, and the oracle's hand, which has not heard it yet."""

    before: ClimbingState
    fact: Fact
    after: ClimbingState
    hand: Hand


def _told(rng: random.Random, game: ChibiDagun, house: ChibiDagunOptions) -> Iterator[Told]:
    """A legal hand, fact by fact; the oracle must be told each one by the caller."""
    carry = _carry(rng)
    state: ClimbingState = game.open(house, carry)
    hand = Hand(house, carry_of(carry))
    deck = shuffled(rng, rng.choice((0, 0.3, 0.6, 0.85)))
    meek = [rng.choice((0.0, 0.0, 0.3, 0.95)) for _ in range(4)]
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = _next_fact(rng, game, state, hand, deck, meek)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert not breaches, (house, hand.table, fact, breaches)
        yield Told(state, fact, after, hand)
        state = after


def _next_fact(
    rng: random.Random,
    game: ChibiDagun,
    state: ClimbingState,
    hand: Hand,
    deck: bytes,
    meek: list[float],
) -> Fact:
    """What may come next, as the oracle sees it; some plays are taken from the engine's list."""
    if hand.phase == "deal":
        return Dealt(0, rng.randrange(4) if hand.dealer is None else hand.dealer, deck)
    if hand.phase == "turn up":
        return TurnedUp(0, rng.randrange(len(DECK)))
    if hand.phase == "draw":
        assert hand.dealer is not None
        (card,) = parse_cards(rng.choice(singles(hand.dealt[hand.dealer])))
        return CallDrawn(0, card)
    if hand.phase == "ask":
        assert hand.dealer is not None
        seat = (hand.dealer + hand.answers) % 4
        return SoloAnswered(0, By.PLAYER, seat, rng.random() < 0.04)
    if hand.phase == "over":
        return HandEnded(0)
    if hand.table is not None and rng.random() < meek[hand.turn]:
        return Passed(0, By.PLAYER, hand.turn)
    return rng.choice(list(game.plays(state))) if rng.random() < 0.2 else move(rng, hand)


def _seated(state: ClimbingState, seat: int) -> object:
    """What both sides must agree on while tricks are played, the engine's view of it."""
    play = state.play if isinstance(state, Over) else state
    if not isinstance(play, Playing):
        return type(state).__name__
    places = state.places if isinstance(state, Over) else play.places
    held = sorted(faces(unpack(play.holdings[seat])))
    moving = None if isinstance(state, Over) else (play.turn, play.table and _named(play.table))
    return (moving, held, play.left, play.captured, places, play.is_revealed)


def _oracle_seated(hand: Hand, seat: int) -> object:
    if hand.phase not in ("play", "over"):
        words = {"draw": "AwaitingDraw", "turn up": "AwaitingTurnUp", "ask": "Asking"}
        return words.get(hand.phase, "AwaitingDeal")
    left = tuple(map(len, hand.hands))
    moving = None if hand.phase == "over" else (hand.turn, hand.table and _as_named(hand.table))
    shown = (tuple(hand.captured), tuple(hand.places), hand.revealed)
    return (moving, sorted(hand.hands[seat]), left, *shown)


def _named(play: Play) -> tuple[str, int, int]:
    return play.kind, play.size, play.rank


def _as_named(what: Reading) -> tuple[str, int, int]:
    """A reading of the oracle's as the engine names it."""
    width = {"pair_chain": 2, "triple_chain": 3, "single": 1, "pair": 2, "triple": 3}
    size = what.n // width.get(what.kind, 1)
    if what.kind == "tianzha":
        return "tianzha", size, len(RANKS)
    if what.kind.startswith("wsk"):
        return what.kind, size, SUITS.index(what.suit) if what.suit else 0
    return what.kind, size, RANKS.index(what.rank)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_tell_the_same_hand(chunk: int) -> None:
    """Under any options, states and claims of a legal hand agree after every single fact."""
    rng = random.Random(f"agree {chunk}")
    ends: Counter[str] = Counter()
    for _ in range(HANDS):
        game, house = ChibiDagun(), _house(rng)
        for before, fact, after, hand in _told(rng, game, house):
            tell(hand, fact)
            assert [*map(claim_of, game.due(before, fact, after))] == hand.due, (house, fact)
            seat = getattr(fact, "seat", 0)
            assert _seated(after, seat) == _oracle_seated(hand, seat), (house, fact)
        assert carry_of(game.next_carry(after)) == hand.carry
        assert isinstance(after, Over)
        assert after.end == hand.decided
        ends[after.end] += 1
    assert ends.keys() == {"normal", "bang", "solo", "early"}


def _engine_allows(game: ChibiDagun, state: ClimbingState, fact: Fact) -> bool:
    breaches: list[Breach] = []
    try:
        game.apply(state, fact, breaches)
    except RuleViolation:
        return False
    return not breaches


def _attempt(rng: random.Random, hand: Hand) -> Fact:
    """Any fact whatever; plays are mostly of cards that the seat holds and that look alike."""
    seat = hand.turn if hand.phase == "play" and rng.random() < 0.9 else rng.randrange(4)
    others: tuple[Fact, ...] = (
        Dealt(0, seat, DECK),
        TurnedUp(0, rng.randrange(len(DECK))),
        CallDrawn(0, rng.randrange(54)),
        SoloAnswered(0, By.PLAYER, rng.randrange(4), rng.random() < 0.5),
        HandEnded(0),
        Passed(0, By.PLAYER, seat),
    )
    if rng.random() < 0.3:
        return rng.choice(others)
    held = hand.hands[seat] or faces(DECK)
    cards = parse_cards(" ".join(some_cards(rng, held)))
    if rng.random() < 0.05:
        cards += bytes([rng.randrange(54)])
    if rng.random() < 0.5:
        return Played(0, By.PLAYER, seat, cards)
    kind, rank = rng.choice(list(PlayKind)), rng.choice(list(PlayRank))
    found = readings(faces(cards), hand.house)
    if found and rng.random() < 0.8:
        what = rng.choice(found)
        kind = PlayKind[what.kind.upper()]
        rank = PlayRank(RANKS.index(what.rank)) if what.rank else PlayRank.NONE
        if rng.random() < 0.3:
            rank = rng.choice(list(PlayRank))
    return PlayedAs(0, By.PLAYER, seat, cards, kind, rank)


def test_engine_and_oracle_refuse_the_same_attempts() -> None:
    """Whatever is tried at whatever moment, engine and oracle find fault with the same facts."""
    rng = random.Random("attempts")
    allowed: Counter[bool] = Counter()
    for _ in range(100):
        game, house = ChibiDagun(), _house(rng)
        for before, fact, _after, hand in _told(rng, game, house):
            for _ in range(3):
                attempt = _attempt(rng, hand)
                is_good = _engine_allows(game, before, attempt)
                assert is_good == is_allowed(hand, attempt), (house, hand.table, attempt)
                allowed[is_good] += 1
            tell(hand, fact)
    assert allowed[True] > 2000
    assert allowed[False] > 2000


def test_engine_and_oracle_read_the_same_cards() -> None:
    """Any cards have the same types for both, in the same order, alone and on any table."""
    rng = random.Random("readings")
    kinds: Counter[str] = Counter()
    for _ in range(200):
        house = _house(rng)
        types = Types(house)
        table: tuple[Play, Reading] | None = None
        held = [*faces(shuffled(rng, 0.85)[::4]), "Bj", "Rj", "Bj", "Rj"]
        for _ in range(60):
            cards = some_cards(rng, held)
            plays, found = types.readings(parse_cards(" ".join(cards))), readings(cards, house)
            assert [*map(_named, plays)] == [*map(_as_named, found)], (house, cards)
            if not found:
                continue
            if table is not None:
                counts = choose(plays, table[0]), chosen(found, table[1])
                assert _named(counts[0]) == _as_named(counts[1]), (house, table, cards)
                for play, what in zip(plays, found, strict=True):
                    does = beats(what, table[1], house)
                    assert engine_beats(play, table[0]) == does, (house, table, cards)
            table = rng.choice([*zip(plays, found, strict=True)])
            kinds[f"{table[1].kind} {len(found)}"] += 1
    assert len({name.split()[0] for name in kinds}) == len(PlayKind)
