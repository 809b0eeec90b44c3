"""Hands with one fault that spoils nothing behind it: a server that lets things pass.

A crooked hand is legal but for one fact against a rule of conduct, or one false announcement;
the claims behind it are those of a truthful server that took the fact as it was.
"""

import random
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.chibi_dagun.types import as_declared
from replay.engine.climbing.deal import draw_rule_of, has_call, singles
from replay.engine.climbing.game import ClimbingGame
from replay.engine.climbing.states import Asking, AwaitingDeal, ClimbingState, Over, Playing
from replay.engine.mechanics.plays import beats
from replay.engine.rule import Breach
from schema.events import (
    AnyPlay,
    By,
    CallDrawn,
    Called,
    ClimbingCarry,
    ClimbingOpening,
    Dealt,
    Event,
    Fact,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
)
from schema.options import Options
from tests.builders import Style, chance, choice, shuffled

Rng = random.Random
Crook = Callable[[Rng, ClimbingGame, ClimbingState], Fact | None]
"""A fact against the rules of conduct for this state; None where there is none."""


class Crooked(NamedTuple):
    """A hand with one fault: its events, where the fault is, what the next hand opens with."""

    events: list[Event]
    at: int
    carry: Any


def _leads(game: ClimbingGame, state: Playing, seat: int) -> list[AnyPlay]:
    """What the seat might lead if it had the lead."""
    facts = game.plays(replace(state, turn=seat, table=None))
    return [fact for fact in facts if isinstance(fact, AnyPlay)]


def _not_greater(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """Near the end a play that does not beat the one on the table."""
    if not isinstance(state, Playing) or state.table is None or sum(state.left) > 40:
        return None
    flow, table, low = state.flow, state.table, []
    for cards in {fact.cards for fact in _leads(game, state, state.turn)}:
        if not beats(flow.choose(flow.readings(cards), table), table):
            low.append(cards)
    return Played(0, By.PLAYER, state.turn, rng.choice(sorted(low))) if low else None


def _wrong_leader(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """A lead by a seat that has not the lead."""
    if not isinstance(state, Playing) or state.table is not None:
        return None
    others = [seat for seat in range(4) if seat != state.turn and state.left[seat]]
    return rng.choice(_leads(game, state, rng.choice(others)))


def _leader_passes(_: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """The leader passes."""
    if not isinstance(state, Playing) or state.table is not None:
        return None
    return Passed(0, By.PLAYER, state.turn)


def _wrong_start(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """The deal of a later hand does not start at the dealer."""
    if not isinstance(state, AwaitingDeal) or state.carry.dealer is None:
        return None
    start = rng.choice([seat for seat in range(4) if seat != state.carry.dealer])
    return Dealt(0, start, shuffled(rng))


def _drawn_though_dealt(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """A call drawn where the deal has given it."""
    if not isinstance(state, Asking | Playing) or not has_call(state):
        return None
    if draw_rule_of(state) is not None or (isinstance(state, Asking) and state.answers):
        return None
    return CallDrawn(0, rng.choice(singles(state.deal.hands[state.dealer])))


def _free_no(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """A no where only a yes is logged."""
    if not isinstance(state, Asking) or state.flow.solo_order != "free":
        return None
    return SoloAnswered(0, By.PLAYER, rng.randrange(4), False)


def _said_falsely(rng: Rng, game: ClimbingGame, state: ClimbingState) -> Fact | None:
    """A legal play that is said to be what its cards cannot be."""
    if not isinstance(state, Playing):
        return None
    plays = [fact for fact in game.plays(state) if isinstance(fact, Played)]
    if not plays:
        return None
    fact = rng.choice(plays)
    readings = map(as_declared, state.flow.readings(fact.cards))
    kind, rank = rng.choice(sorted(set(product(PlayKind, PlayRank)) - set(readings)))
    return PlayedAs(0, By.PLAYER, fact.seat, fact.cards, kind, rank)


COMMON: dict[str, tuple[Crook, tuple[str, ...]]] = {
    "not greater": (_not_greater, ("GREATER",)),
    "wrong leader": (
        _wrong_leader,
        ("FIRST_LEAD", "SOLO_LEAD", "WINNER_LEADS", "WIND_NEXT", "WIND_PARTNER"),
    ),
    "leader passes": (_leader_passes, ("LEADER_PLAYS",)),
    "wrong start": (_wrong_start, ("DEAL_START",)),
    "drawn though dealt": (_drawn_though_dealt, ("DEALT_CALL",)),
}
"""Facts against a rule of conduct, and the names of the rules that they break."""
FREE = {"free no": (_free_no, ("SOLO_FREE",))}
"""Where anybody may go solo without being asked."""
READ = {"said falsely": (_said_falsely, ("READING",))}
"""Where a play may come with its reading."""


def crooked(
    game: ClimbingGame, options: Options, carry: ClimbingCarry, rng: Rng, crook: Crook, style: Style
) -> Crooked | None:
    """A hand with one such fact in it; None if there was no occasion."""
    events: list[Event] = [HandStarted(bytes(32), 0), ClimbingOpening(carry)]
    state: ClimbingState = game.open(options, carry)
    deck, place = shuffled(rng, style.clump), 0
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = None if place or rng.random() < 0.5 else crook(rng, game, state)
        n_faults = 0 if fact is None else 1
        place = len(events) if fact else place
        fact = fact or chance(state, rng, deck)
        if fact is None:
            assert isinstance(state, Asking | Playing)
            fact = choice(game, state, rng, style)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert len(breaches) == n_faults
        events += [fact, *game.due(state, fact, after)]
        state = after
    assert isinstance(state, Over)
    return Crooked(events, place, game.next_carry(state)) if place else None


def false_call(
    game: ClimbingGame, options: Options, carry: ClimbingCarry, rng: Rng, style: Style
) -> Crooked | None:
    """A hand whose call was announced falsely and then stood; None if there is no other card."""
    events: list[Event] = [HandStarted(bytes(32), 0), ClimbingOpening(carry)]
    state: ClimbingState = game.open(options, carry)
    deck, place = shuffled(rng, style.clump), 0
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = chance(state, rng, deck)
        if fact is None:
            assert isinstance(state, Asking | Playing)
            fact = choice(game, state, rng, style)
        after = game.apply(state, fact, [])
        claims = game.due(state, fact, after)
        events.append(fact)
        if claims and isinstance(claims[0], Called) and isinstance(after, Asking | Playing):
            others = [c for c in singles(after.deal.hands[after.dealer]) if c != after.called]
            if not others:
                return None
            claims = (Called(rng.choice(others)),)
            after, place = game.adopt(after, claims[0]), len(events)
        events += claims
        state = after
    return Crooked(events, place, game.next_carry(state))
