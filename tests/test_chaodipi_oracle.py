"""The engine against a second, slow 炒地皮 that was written from the source text alone."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.levels import Played
from replay.engine.chaodipi.levels import outcome as engine_outcome
from replay.engine.chaodipi.states import ChaodipiState, Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, RuleViolation
from schema.events import Fact, HandEnded
from tests.oracle_chaodipi import Hand
from tests.oracle_chaodipi_cards import codes
from tests.oracle_chaodipi_log import (
    carry_of,
    claim_of,
    heard,
    seen_by_engine,
    seen_by_oracle,
    tell,
)
from tests.oracle_chaodipi_moves import (
    attempt,
    last_cards,
    next_fact,
    some_carry,
    some_deck,
    some_house,
)
from tests.oracle_chaodipi_score import LADDER, End, outcome

CHUNKS = 5
HANDS = 120
"""Hands in each chunk: 600 in all."""
OFTEN = (
    *("Declared", "BottomTurned", "Stirred", "StirPassed", "throw failed", "throw stood"),
    *("HELD", "TAKEN", "POINTS", "RED_FIVE", "bottom captured", "4.1", "4.4", "5.4", "7.1", "8.2"),
)
SOMETIMES = ("MATCH_WON", "2.2", "4.5", "4.6", "4.12", "8.4")
"""What comes up in every chunk."""
REFUSED = ("0.1", "1.1", "1.7", "4.2", "4.3", "5.1", "5.3", "7.2", "7.6", "8.1", "")
TAKEN = ("2.2", "4.1", "4.4", "4.12", "5.4", "7.1", "8.2", "8.4")
"""What attempts block on, the wrong phase among it, and what they break."""


class Told(NamedTuple):
    """A fact, the states around it, its breaches, and the oracle's hand, not told of it yet."""

    before: ChaodipiState
    fact: Fact
    after: ChaodipiState
    breaches: list[Breach]
    hand: Hand


def _ids(breaches: list[Breach]) -> set[str]:
    return {breach.rule.id.removeprefix("chaodipi-") for breach in breaches}


def _told(rng: random.Random, game: Chaodipi, wild: float) -> Iterator[Told]:
    """A hand, fact by fact; the oracle must be told each one by the caller."""
    house, carry = some_house(rng), some_carry(rng)
    state: ChaodipiState = game.open(house, carry)
    hand = Hand(house, carry_of(carry))
    deck = some_deck(rng, rng.choice((0, 0.2, 0.4, 0.6)))
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = next_fact(rng, hand, deck, wild)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        yield Told(state, fact, after, breaches, hand)
        state = after


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_tell_the_same_hand(chunk: int) -> None:
    """Under any options, states, claims and breaches agree after every single fact."""
    rng = random.Random(f"agree {chunk}")
    seen: Counter[str] = Counter()
    for _ in range(HANDS):
        game = Chaodipi()
        wild = rng.choice((0, 0, 0.1, 0.2))
        for before, fact, after, breaches, hand in _told(rng, game, wild):
            where = (hand.house, hand.phase, fact)
            assert _ids(breaches) == tell(hand, fact), where
            assert _due(game, before, fact, after) == _oracle_due(hand), where
            assert seen_by_engine(after) == seen_by_oracle(hand), where
            seen.update([type(fact).__name__, *_ids(breaches), *_events(hand)])
        assert carry_of(game.next_carry(after)) == hand.carry
    assert min(seen[kind] for kind in OFTEN) >= 5, seen
    missed = [kind for kind in SOMETIMES if not seen[kind]]
    assert len(missed) <= 2, seen


def _due(game: Chaodipi, before: ChaodipiState, fact: Fact, after: ChaodipiState) -> list[str]:
    return sorted(str(claim_of(claim)) for claim in game.due(before, fact, after))


def _oracle_due(hand: Hand) -> list[str]:
    return sorted(map(str, hand.due))


def _events(hand: Hand) -> list[str]:
    """What is worth counting of what has just become due."""
    found: list[str] = []
    for word, *values in hand.due:
        if word == "throw":
            found.append("throw failed" if values[1] else "throw stood")
        if word == "settled":
            found += [str(values[5]), str(values[6])]
            found += ["bottom captured"] if values[1] else []
    return found


def _tried(
    game: Chaodipi, state: ChaodipiState, fact: Fact
) -> tuple[ChaodipiState | None, set[str]]:
    """The engine's state after a fact and what it breaks; None and the clause if it blocks."""
    breaches: list[Breach] = []
    try:
        return game.apply(state, fact, breaches), _ids(breaches)
    except RuleViolation as violation:
        return None, _ids([violation.breach])


def test_engine_and_oracle_take_the_same_attempts() -> None:
    """Whatever is tried whenever, both take it or both do not, for the same clause."""
    rng = random.Random("attempts")
    seen: Counter[str] = Counter()
    for _ in range(50):
        game, wild = Chaodipi(), rng.choice((0, 0, 0.2))
        deck = some_deck(rng, 0.4)
        for before, fact, _after, _breaches, hand in _told(rng, game, wild):
            for _ in range(rng.randrange(2) if hand.phase == "play" else 15):
                tried = attempt(rng, hand, deck)
                after, broken = _tried(game, before, tried)
                twin, clauses = heard(hand, tried)
                where = (hand.house, hand.phase, tried, broken, clauses)
                assert (after is None) == (twin is None), where
                if after is None or twin is None:
                    assert clauses in ({""}, broken), where
                    seen[f"blocked {min(clauses)}"] += 1
                    continue
                assert broken == clauses, where
                assert seen_by_engine(after) == seen_by_oracle(twin), where
                assert _due(game, before, tried, after) == _oracle_due(twin), where
                seen[f"breaks {min(clauses)}" if clauses else "fine"] += 1
            tell(hand, fact)
    assert seen["fine"] > 1_000
    assert min(seen[f"blocked {clause}"] for clause in REFUSED) > 10, seen
    assert all(seen[f"breaks {clause}"] for clause in TAKEN), seen


def _begun(rng: random.Random) -> tuple[Playing, Hand]:
    """A hand that is about to be played, for both."""
    for _before, fact, after, _breaches, hand in _told(rng, Chaodipi(), 0.1):
        tell(hand, fact)
        if isinstance(after, Playing):
            return after, hand
    raise AssertionError("a hand that was never played")


def _near_the_end(rng: random.Random) -> tuple[Playing, Hand]:
    """The same few cards and any points for both; many a seat has a 5.10.K."""
    state, hand = _begun(rng)
    n = rng.choice((1, 2, 3, 3, 3, 3, 3, 4, 6))
    hand.hands = last_cards(rng, hand.table, n)
    hand.captured = [5 * rng.randrange(rng.choice((2, 10))) for _ in range(4)]
    packed = (pack_dealt(codes(cards)) for cards in hand.hands)
    holdings = per_seat(with_cards(EMPTY, each) for each in packed)
    return replace(state, holdings=holdings, captured=per_seat(hand.captured)), hand


def test_engine_and_oracle_end_a_hand_alike() -> None:
    """Whatever the last tricks are: who wins them, the bottom, the last 5.10.K, the settlement."""
    rng = random.Random("ends")
    seen: Counter[str] = Counter()
    for _ in range(700):
        game = Chaodipi()
        before: ChaodipiState
        before, hand = _near_the_end(rng)
        while hand.phase == "play":
            fact = next_fact(rng, hand, b"", 0.1)
            after, broken = _tried(game, before, fact)
            assert after is not None
            where = (hand.house, hand.level, hand.trump, hand.dealer, hand.hands, hand.plays, fact)
            assert broken == tell(hand, fact), where
            assert _due(game, before, fact, after) == _oracle_due(hand), where
            assert seen_by_engine(after) == seen_by_oracle(hand), where
            before = after
        seen.update(_events(hand))
    assert min(seen["LAST_WSK"], seen["bottom captured"]) > 20
    assert min(seen["HELD"], seen["TAKEN"], seen["FLAG"], seen["ALL"]) > 10


def _some_end(rng: random.Random) -> End:
    """What a hand may have come to."""
    score = rng.choice((0, 75, 80, 100, rng.randrange(-20, 300, 5)))
    level, other = rng.choice(LADDER + "AAF"), rng.choice(LADDER + "AF")
    flags = rng.random() < 0.2, level != "F" and rng.random() < 0.3
    return End(level, other, rng.randrange(3) if level == "F" else 0, score, *flags)


def test_engine_and_oracle_settle_alike() -> None:
    """Any score at any levels does the same to levels, failures and game scores."""
    rng = random.Random("settle")
    effects: Counter[str] = Counter()
    for _ in range(4_000):
        house, end = some_house(rng), _some_end(rng)
        level, other = LADDER.index(end.level), LADDER.index(end.other)
        flags = end.last_wsk, end.red_fives
        ours = engine_outcome(house, Played(level, other, end.failures, end.score, *flags))
        theirs = outcome(house, end)
        found: tuple[object, ...] = (
            *(ours.result.name, ours.effect.name),
            *(LADDER[ours.dealer_level], LADDER[ours.attackers_level]),
            *(ours.failures, ours.risen, ours.dealer_score, ours.attackers_score),
        )
        assert found == theirs, (house, end)
        effects[f"{theirs.result} {theirs.effect}"] += 1
    assert len(effects) == 8
    assert min(effects.values()) > 40
