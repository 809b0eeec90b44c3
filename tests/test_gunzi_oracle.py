"""The engine against a second, slow 四副滚子 that was written from the source text alone."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.states import GunziState, Over, Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, RuleViolation
from schema.events import Dealt, Event, Fact
from schema.gunzi import GunziSettled
from tests.builders import any_options
from tests.builders_gunzi import (
    any_style,
    choice,
    hand_events,
    match,
    some_carry,
    told,
    whole_style,
)
from tests.oracle_gunzi import Hand, copied
from tests.oracle_gunzi_cards import DECK, Face, codes
from tests.oracle_gunzi_log import (
    ORACLE,
    carry_of,
    claim_of,
    heard,
    seen_by_engine,
    seen_by_oracle,
    tell,
)
from tests.oracle_gunzi_moves import attempt, play
from tests.oracle_log import Verdict

CHUNKS = 3
HANDS = 22
"""Legal hands in each chunk."""
WILD_HANDS = 20
"""Hands in each chunk at which everything is tried."""
OFTEN = (
    *("Declared", "DeclaringClosed", "Flipped", "Drawn", "TributePaid", "TributeReturned"),
    *("Buried", "JokersBuried", "JokersPassed", "HELD", "TAKEN", "CAPTURED", "dry", "redealt"),
)
"""What comes up in every chunk of legal hands, but for one at most."""
REFUSED = (
    *("1.2", "1.3", "3.1", "3.10", "3.22", "5.6", "5.10", "5.13", "6.2"),
    *("7.2", "7.3", "9.1", "9.8", "9.11", ""),
)
"""What attempts block on, the wrong phase among it."""
STANDING = (
    *("2.1", "2.4", "3.11", "3.16", "3.17", "3.18", "3.21"),
    *("5.8", "5.11", "5.12", "5.14", "7.1", "7.4", "7.7", "9.5", "9.9"),
)
"""What attempts break that stand."""


class Judged(NamedTuple):
    """A fact, the state before it, what it leads to by the engine, and what it breaks."""

    before: GunziState
    fact: Fact
    after: GunziState | None
    clauses: set[str]


def _judged(game: Gunzi, state: GunziState, fact: Fact) -> Judged:
    """The engine's word on a fact: no state, and the clause, if it blocks."""
    breaches: list[Breach] = []
    try:
        after = game.apply(state, fact, breaches)
    except RuleViolation as violation:
        return Judged(state, fact, None, _ids([violation.breach]))
    return Judged(state, fact, after, _ids(breaches))


def _ids(breaches: list[Breach]) -> set[str]:
    return {breach.rule.id.removeprefix("gunzi-") for breach in breaches}


def _agree(game: Gunzi, hand: Hand, judged: Judged) -> Hand | None:
    """The oracle's hand after the fact; both must see the same, claims and clauses included."""
    twin, clauses = heard(hand, judged.fact)
    where = (hand.house, hand.carry, hand.phase, judged.fact, judged.clauses, clauses)
    assert (judged.after is None) == (twin is None), where
    if judged.after is None or twin is None:
        assert clauses in ({""}, judged.clauses), where
        return None
    assert judged.clauses == clauses, where
    due = game.due(judged.before, judged.fact, judged.after)
    assert sorted(str(claim_of(claim)) for claim in due) == sorted(map(str, twin.due)), where
    assert seen_by_engine(judged.after) == seen_by_oracle(twin), where
    return twin


def _events(hand: Hand) -> Iterator[str]:
    """What is worth counting of what has just become due."""
    for word, *values in hand.due:
        if word == "redealt":
            yield "redealt"
        if word == "bottom" and values[1]:
            yield "dry"
        if word == "settled":
            yield from map(str, (values[1], values[5], values[6]))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_tell_the_same_hand(chunk: int) -> None:
    """At any table and from any opening, states and claims agree after every fact of a hand."""
    rng, seen = random.Random(f"agree {chunk}"), Counter[str]()
    for _ in range(HANDS):
        game, house, carry = Gunzi(), any_options(rng, DEFAULT), some_carry(rng)
        hand = Hand(house, carry_of(carry))
        for before, fact, after in told(game, house, carry, rng, any_style(rng)):
            twin = _agree(game, hand, Judged(before, fact, after, set()))
            assert twin is not None
            hand = twin
            seen.update([type(fact).__name__, *_events(hand)])
        assert carry_of(game.next_carry(after)) == hand.carry
    missed = [kind for kind in OFTEN if not seen[kind]]
    assert len(missed) <= 1, (missed, seen)


def _attempts(
    rng: random.Random, game: Gunzi, hand: Hand, state: GunziState
) -> Iterator[tuple[Judged, Hand | None]]:
    """Anything that is tried here, with the oracle's hand after it."""
    for _ in range(12 if hand.phase != "play" else rng.randrange(2)):
        judged = _judged(game, state, attempt(rng, hand))
        yield judged, _agree(game, hand, judged)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_take_the_same_attempts(chunk: int) -> None:
    """Whatever is tried whenever, both take it or both do not, for the same clause.

    Now and then the hand goes on from what has been tried.
    """
    rng, seen = random.Random(f"attempts {chunk}"), Counter[str]()
    for _ in range(WILD_HANDS):
        game, house, carry = Gunzi(), any_options(rng, DEFAULT), some_carry(rng)
        hand, style, wild = Hand(house, carry_of(carry)), any_style(rng), rng.choice((0, 0.1, 0.25))
        state: GunziState = game.open(house, carry)
        while not isinstance(state, Over):
            for judged, twin in _attempts(rng, game, hand, state):
                word = "stands" if twin else "blocks"
                _, clauses = heard(hand, judged.fact)
                seen.update(f"{word} {clause}" for clause in clauses or {"fine"})
                goes_on = rng.random() < wild and not isinstance(judged.fact, Dealt)
                if judged.after is not None and twin is not None and goes_on:
                    state, hand = judged.after, twin
                    break
            else:
                fact = choice(game, state, rng, style)
                judged = _judged(game, state, fact)
                assert judged.after is not None
                tell(hand, fact)
                state = judged.after
    assert seen["stands fine"] > 500
    missed = [clause for clause in REFUSED if not seen[f"blocks {clause}"]]
    missed += [clause for clause in STANDING if not seen[f"stands {clause}"]]
    assert len(missed) <= 3, (missed, seen)


def _begun(rng: random.Random) -> tuple[Gunzi, Playing, Hand]:
    """A hand that is about to be played, for both."""
    game, house, carry = Gunzi(), any_options(rng, DEFAULT), some_carry(rng)
    hand = Hand(house, carry_of(carry))
    for _before, fact, after in told(game, house, carry, rng, any_style(rng)):
        tell(hand, fact)
        if isinstance(after, Playing):
            return game, after, hand
    raise AssertionError("a hand that was never played")


def _last_cards(rng: random.Random, n: int) -> list[list[Face]]:
    """N cards a seat, from a few faces as a rule."""
    few = rng.sample(sorted(set(DECK)), 8) * 3
    pool = rng.sample(few if rng.random() < 0.7 and 4 * n <= 24 else DECK, 4 * n)
    return [pool[seat * n : seat * n + n] for seat in range(4)]


def test_engine_and_oracle_end_a_hand_alike() -> None:
    """Whatever the last tricks are, legal or not: who wins them and the bottom, the settlement."""
    rng, seen = random.Random("ends"), Counter[str]()
    for _ in range(10):
        game, begun, before = _begun(rng)
        for _ in range(15):
            hand, state = copied(before), begun
            hands = _last_cards(rng, rng.randrange(1, 5))
            captured = [5 * rng.randrange(rng.choice((1, 3, 20))) for _ in range(4)]
            hand.hands, hand.captured = [list(cards) for cards in hands], list(captured)
            packed = per_seat(with_cards(EMPTY, pack_dealt(codes(cards))) for cards in hands)
            here: GunziState = replace(state, holdings=packed, captured=per_seat(captured))
            while not isinstance(here, Over):
                judged = _judged(game, here, play(rng, hand))
                twin = _agree(game, hand, judged)
                seen.update(judged.clauses)
                if judged.after is not None and twin is not None:
                    here, hand = judged.after, twin
            seen.update(_events(hand))
    assert min(seen["HELD"], seen["TAKEN"], seen["CAPTURED"], seen["ZERO"], seen["7.4"]) > 5, seen
    assert seen["FULL"], seen


def _matches(rng: random.Random) -> Iterator[tuple[Verdict, list[Event]]]:
    """The hands of a few matches with aborted ones among them, each with who judges it."""
    for _ in range(6):
        house, style = any_options(rng, DEFAULT), any_style(rng)._replace(aborted=0.2)
        opening = ORACLE.first(None)
        for events in match(house, 6, rng, style):
            verdict = Verdict(ORACLE, house, opening)
            for event in events:
                verdict.hear(event)
            yield verdict, events
            opening = verdict.carry


def test_the_oracle_finds_nothing_in_legal_matches() -> None:
    """What the engine's claims say of whole matches is what the oracle would have announced."""
    rng, n = random.Random("matches"), 0
    for verdict, events in _matches(rng):
        assert verdict.flaw is None, events[verdict.flaw]
        assert verdict.is_complete
        n += 1
    assert n > 10


def test_the_oracle_finds_a_settlement_that_is_false() -> None:
    """A verdict is worth something: each number of a settlement, changed, is found at once."""
    rng = random.Random("false")
    house, carry = DEFAULT, some_carry(rng)
    events, _ = hand_events(house, carry, rng, whole_style(rng))
    at = next(k for k, event in enumerate(events) if isinstance(event, GunziSettled))
    settled = events[at]
    assert isinstance(settled, GunziSettled)
    for name in ("tricks", "bottom", "factor", "score", "risen"):
        false = replace(settled, **{name: getattr(settled, name) + 5})
        verdict = Verdict(ORACLE, house, carry_of(carry))
        for event in [*events[:at], false, *events[at + 1 :]]:
            verdict.hear(event)
        assert verdict.flaw == at
