"""Hands of 打拱 with one fault that spoils nothing behind it: a server that lets things pass.

A crooked hand is legal but for one fact against a rule of conduct, or one false announcement;
the claims behind it are those of a truthful server that took the fact as it was.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from replay.engine.climbing.deal import draw_rule_of, singles
from replay.engine.climbing.states import Asking, AwaitingDeal, ClimbingState, Over, Playing
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.moves import plays
from replay.engine.dagong.rules import R
from replay.engine.dagong.types import Types
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import beats
from replay.engine.rule import Breach
from schema.events import (
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
    SoloAnswered,
)
from schema.options import DagongOptions
from tests.builders import Style, chance, choice, shuffled

Rng = random.Random
Crook = Callable[[Rng, DagongOptions, ClimbingState], Fact | None]
"""A fact against the rules of conduct for this state; None where there is none."""


class Crooked(NamedTuple):
    """A hand with one fault: its events, where the fault is, what the next hand opens with."""

    events: list[Event]
    at: int
    carry: ClimbingCarry


def _not_greater(rng: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """Near the end a play that does not beat the one on the table."""
    if not isinstance(state, Playing) or state.table is None or sum(state.left) > 40:
        return None
    held = unpack(state.holdings[state.turn])
    low = [p for p in plays(Types(options), held, None) if not beats(p, state.table)]
    return Played(0, By.PLAYER, state.turn, rng.choice(low).cards) if low else None


def _wrong_leader(rng: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """A lead by a seat that has not the lead."""
    if not isinstance(state, Playing) or state.table is not None:
        return None
    others = [seat for seat in range(4) if seat != state.turn and state.left[seat]]
    seat = rng.choice(others)
    laid = rng.choice(list(plays(Types(options), unpack(state.holdings[seat]), None)))
    return Played(0, By.PLAYER, seat, laid.cards)


def _leader_passes(_: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """The leader passes."""
    if not isinstance(state, Playing) or state.table is not None:
        return None
    return Passed(0, By.PLAYER, state.turn)


def _wrong_start(rng: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """The deal of a later hand does not start at the dealer."""
    if not isinstance(state, AwaitingDeal) or state.carry.dealer is None:
        return None
    start = rng.choice([seat for seat in range(4) if seat != state.carry.dealer])
    return Dealt(0, start, shuffled(rng))


def _drawn_though_dealt(rng: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """A call drawn where the deal has given it."""
    if not isinstance(state, Asking) or state.answers or draw_rule_of(state) is not None:
        return None
    return CallDrawn(0, rng.choice(singles(state.deal.hands[state.dealer])))


def _free_no(rng: Rng, options: DagongOptions, state: ClimbingState) -> Fact | None:
    """A no where only a yes is logged."""
    if not isinstance(state, Asking) or options.solo_order != "free":
        return None
    return SoloAnswered(0, By.PLAYER, rng.randrange(4), False)


CROOKS: dict[str, tuple[Crook, frozenset[R]]] = {
    "not greater": (_not_greater, frozenset((R.GREATER,))),
    "wrong leader": (
        _wrong_leader,
        frozenset((R.FIRST_LEAD, R.SOLO_LEAD, R.WINNER_LEADS, R.WIND_NEXT, R.WIND_PARTNER)),
    ),
    "leader passes": (_leader_passes, frozenset((R.LEADER_PLAYS,))),
    "wrong start": (_wrong_start, frozenset((R.DEAL_START,))),
    "drawn though dealt": (_drawn_though_dealt, frozenset((R.DEALT_CALL,))),
    "free no": (_free_no, frozenset((R.SOLO_FREE,))),
}
"""Facts against a rule of conduct, and the rules that they break."""


def crooked(
    game: Dagong, options: DagongOptions, carry: ClimbingCarry, rng: Rng, crook: Crook, style: Style
) -> Crooked | None:
    """A hand with one such fact in it; None if there was no occasion."""
    events: list[Event] = [HandStarted(bytes(32), 0), ClimbingOpening(carry)]
    state: ClimbingState = game.open(options, carry)
    deck, place = shuffled(rng, style.clump), 0
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = None if place or rng.random() < 0.5 else crook(rng, options, state)
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
    game: Dagong, options: DagongOptions, carry: ClimbingCarry, rng: Rng, style: Style
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
        if claims and isinstance(claims[0], Called) and isinstance(after, Asking):
            others = [c for c in singles(after.deal.hands[after.dealer]) if c != after.called]
            if not others:
                return None
            claims = (Called(rng.choice(others)),)
            after, place = game.adopt(after, claims[0]), len(events)
        events += claims
        state = after
    return Crooked(events, place, game.next_carry(state))
