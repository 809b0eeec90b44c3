"""Hands of 炒地皮 with one fault that spoils nothing behind it: a server that lets things pass.

A crooked hand is legal but for one fact against a rule of conduct, or one false announcement; what
follows is by the cards and trumps as they then stand, with the claims of a truthful server.
"""

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.shapes import is_throw, shape
from replay.engine.chaodipi.showing import SINGLE, is_named, rung, shows
from replay.engine.chaodipi.states import (
    RED_FIVES,
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Stirring,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.rule import RuleViolation
from schema.cards import RANKS
from schema.chaodipi import (
    ChaodipiCarry,
    ChaodipiOpening,
    Declared,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import By, Claim, Dealt, Event, Fact, HandEnded, HandStarted, Played
from schema.options import ChaodipiOptions
from schema.trumps import Named, Trump
from tests.builders_chaodipi import Style, broken, choice, deal
from tests.crooked import Crooked

Rng = random.Random
Crook = Callable[[Rng, ChaodipiState], Iterator[Fact]]
"""Facts that may be against a rule of conduct in this state, likely ones first."""


def _wrong_start(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """The deal of a later hand does not start at the dealer."""
    if isinstance(state, AwaitingDeal) and state.carry.dealer is not None:
        fact = deal(state, rng, 0.2)
        yield replace(fact, start=(fact.start + rng.randrange(1, 4)) % 4)


def _declarations(rng: Rng, state: ChaodipiState) -> Iterator[Declared]:
    """Every show that the cards allow, in any order, at the end of the deal."""
    if isinstance(state, Declaring | Burying):
        level = state.setting.level
        for seat in rng.sample(range(4), 4):
            held = state.setting.deal.hands[seat]
            if isinstance(state, Burying):
                held = unpack(state.holdings[seat])
            for cards in rng.sample(shows(held, level), len(shows(held, level))):
                named = Named(rng.randrange(5)) if is_named(cards) else Named.NOTHING
                yield Declared(0, By.PLAYER, seat, cards, named, 100)


def _shown_early(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """A show at a moment at which the cards were not dealt, or the deal not over."""
    for fact in _declarations(rng, state):
        yield replace(fact, after=rng.randrange(100))


def _named_too(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """A trump is named with a show that names none."""
    for fact in _declarations(rng, state):
        if not is_named(fact.cards):
            yield replace(fact, named=Named(rng.randrange(5)))


def _stirred_low(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """A seat stirs with a show that is not higher."""
    if isinstance(state, Stirring):
        seat = state.asked[0]
        for cards in shows(unpack(state.holdings[seat]), state.setting.level):
            if (rung(cards, state.setting.level) or 0) <= max(state.setting.rung, SINGLE):
                yield Stirred(0, By.PLAYER, seat, cards, Named.NOTHING)


def _wrong_leader(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """A lead by a seat that has not the lead."""
    if isinstance(state, Playing) and state.lead is None:
        for seat in rng.sample(range(4), 4):
            if seat != state.turn:
                card = rng.choice(unpack(state.holdings[seat]))
                yield Played(0, By.PLAYER, seat, bytes([card]))


def _answers(rng: Rng, state: ChaodipiState) -> Iterator[Fact]:
    """As many cards as were led, of the suit while there are any, else anything."""
    if not isinstance(state, Playing) or state.lead is None:
        return
    n, held = len(state.lead.cards), unpack(state.holdings[state.turn])
    own = of_suit(state.context.order, held, state.lead.suit)
    for stock in (own, held):
        if len(stock) >= n:
            for _ in range(6):
                cards = bytes(sorted(rng.sample(sorted(stock), n)))
                yield Played(0, By.PLAYER, state.turn, cards)


def _twins(rng: Rng, fact: Dealt) -> Dealt:
    """A deal of which two seats have the same 5.10.K of a side suit, most likely."""
    suit = rng.choice((0, 1, 3))
    wsk = [RANKS.index(rank) * 4 + suit for rank in "5TK"]
    rest = [card for card in fact.cards if card not in wsk]
    hands = [[*wsk, *(rest.pop() for _ in range(24))] for _ in "12"]
    hands += [[rest.pop() for _ in range(27)] for _ in "12"]
    rng.shuffle(hands)
    for hand in hands:
        rng.shuffle(hand)
    cards = bytes(card for four in zip(*hands, strict=True) for card in four)
    return replace(fact, cards=cards)


def _demanding(game: Chaodipi, state: ChaodipiState, rng: Rng) -> Fact | None:
    """A lead that asks for more than its suit, if there is one: several cards, no throw."""
    if not isinstance(state, Playing) or state.lead is not None:
        return None
    leads = [fact for fact in game.plays(state) if isinstance(fact, Played)]
    most = rng.choice((3, 4))
    long = [fact for fact in leads if len(fact.cards) == most]
    return rng.choice(long or leads)


CROOKS: dict[str, tuple[Crook, tuple[str, ...]]] = {
    "wrong start": (_wrong_start, ("DEAL_START",)),
    "shown early": (_shown_early, ("DECLARE_TIME",)),
    "shown late": (_declarations, ("DECLARE_TIME",)),
    "not higher": (_declarations, ("HIGHER",)),
    "over oneself": (_declarations, ("BY_OTHERS",)),
    "over red fives": (_declarations, ("AFTER_RED_FIVE",)),
    "named too": (_named_too, ("NAMED_EXTRA",)),
    "stirred low": (_stirred_low, ("STIR_HIGHER",)),
    "wrong leader": (_wrong_leader, ("LEADER",)),
    "revoke": (_answers, ("SUIT",)),
    "pairs kept back": (_answers, ("PAIRS",)),
    "tractor kept back": (_answers, ("TRACTORS",)),
    "side 5.10.K kept back": (_answers, ("WSK_FOLLOWED",)),
    "top trumps kept back": (_answers, ("TRUMP_WSK_FOLLOWED",)),
}
"""Facts against a rule of conduct, and the names of the rules that they break."""


def crooked(
    crook: tuple[Crook, tuple[str, ...]],
    options: ChaodipiOptions,
    carry: ChaodipiCarry,
    rng: Rng,
    style: Style,
) -> Crooked | None:
    """A hand with one such fact in it; None if there was no occasion."""
    facts, names = crook
    game, place = Chaodipi(), 0
    if facts is _answers:
        style = style._replace(clump=rng.choice((0.4, 0.6)))
    events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(carry)]
    state: ChaodipiState = game.open(options, carry)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = None
        if not place and rng.random() < 0.6:
            tried = facts(rng, state)
            fact = next((each for each in tried if broken(game, state, each) == [*names]), None)
        place = len(events) if fact else place
        if fact is None and not place and facts is _answers and rng.random() < 0.7:
            fact = _demanding(game, state, rng)
        fact = fact or choice(game, state, rng, style)
        if isinstance(fact, Dealt) and names == ("WSK_FOLLOWED",):
            fact = _twins(rng, fact)
        after = game.apply(state, fact, [])
        events += [fact, *game.due(state, fact, after)]
        state = after
    return Crooked(events, place, game.next_carry(state)) if place else None


# Announcements that are false, and stand


def _other_trump(rng: Rng, state: ChaodipiState, claim: Claim) -> Claim | None:
    """Another trump is announced, or another rung."""
    if not isinstance(claim, TrumpSet):
        return None
    if rng.random() < 0.5:
        return replace(claim, trump=rng.choice([trump for trump in Trump if trump != claim.trump]))
    return replace(claim, rung=rng.choice([n for n in range(RED_FIVES) if n != claim.rung]))


def _other_judgement(rng: Rng, state: ChaodipiState, claim: Claim) -> Claim | None:
    """A throw is announced to stand or to fail, falsely, or another part of it to be led."""
    if not isinstance(claim, ThrowJudged) or not isinstance(state, Playing):
        return None
    whole = throw_parts(state)
    others = [part for part in whole if sorted(part) != sorted(claim.led)]
    led = rng.choice(others)
    beaten_by = () if len(led) == len(state.attempted) else ((state.leader + 1) % 4,)
    return ThrowJudged(led, beaten_by)


def throw_parts(state: Playing) -> list[bytes]:
    """A throw as it was laid, and each of its parts."""
    whole = shape(state.context, state.attempted)
    assert whole is not None
    assert is_throw(whole)
    return [whole.cards, *(part.cards for part in whole.parts)]


Lie = Callable[[Rng, ChaodipiState, Claim], Claim | None]
LIES: dict[str, Lie] = {
    "trump set falsely, and played so": _other_trump,
    "throw judged falsely, and played so": _other_judgement,
}
"""False announcements that stand."""


def lied(
    lie: Lie, options: ChaodipiOptions, carry: ChaodipiCarry, rng: Rng, style: Style
) -> Crooked | None:
    """A hand with one such announcement in it; None if there was no occasion."""
    game, place = Chaodipi(), 0
    events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(carry)]
    state: ChaodipiState = game.open(options, carry)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = choice(game, state, rng, style)
        after = game.apply(state, fact, [])
        events.append(fact)
        for claim in game.due(state, fact, after):
            false = None if place or rng.random() < 0.3 else lie(rng, after, claim)
            if false is not None:
                try:
                    after, place = game.adopt(after, false), len(events)
                except RuleViolation:
                    false = None
            events.append(false or claim)
        state = after
    assert isinstance(state, Over)
    return Crooked(events, place, game.next_carry(state)) if place else None
