"""Hands of 四副滚子 with one fault that spoils nothing behind it: a server that lets things pass.

A crooked hand is legal but for one fact against a rule of conduct, or one false announcement; what
follows is by the cards, trump and dealer as they then stand, with the claims of a truthful server.
"""

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from replay.engine.gunzi.bottom import smallest_picks
from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Over,
    Paying,
    Playing,
    Returning,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.events import By, Claim, Dealt, Event, Fact, HandEnded, HandStarted, Played
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    GunziCarry,
    GunziOpening,
    JokersBuried,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.options import GunziOptions
from schema.trumps import Named, Trump
from tests.builders_gunzi import JOKERS, Style, broken, choice, deal, some_deck
from tests.crooked import Crooked

Rng = random.Random
Crook = Callable[[Rng, GunziState], Iterator[Fact]]
"""Facts that may be against a rule of conduct in this state, likely ones first."""
ALL_DEALT = 156


def _wrong_start(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """The deal of a later hand does not start at the dealer."""
    if isinstance(state, AwaitingDeal) and state.carry.dealer is not None:
        fact = deal(state, rng)
        yield replace(fact, start=(fact.start + rng.randrange(1, 4)) % 4)


def _shows(rng: Rng, state: GunziState) -> Iterator[Declared]:
    """Whatever the cards of a seat allow to show, in any order, when all are dealt."""
    if not isinstance(state, Declaring | Flipping | Drawing | Paying | Returning):
        return
    setting = state.setting
    for seat in rng.sample(range(4), 4):
        held = setting.deal.hands[seat]
        for face in rng.sample(sorted(set(held)), len(set(held))):
            for n in rng.sample(range(1, held.count(face) + 1), held.count(face)):
                is_named = face >= BLACK_JOKER and not setting.is_first
                named = Named(rng.randrange(4)) if is_named else Named.NOTHING
                yield Declared(0, By.PLAYER, seat, bytes([face]) * n, named, ALL_DEALT)


def _shown_early(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """A show at a moment at which the cards were not dealt, or before the last show."""
    for fact in _shows(rng, state):
        yield replace(fact, after=rng.randrange(ALL_DEALT))


def _shown_late(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """A show after declaring was closed."""
    if not isinstance(state, Declaring):
        yield from _shows(rng, state)


def _named_too(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """A suit is named with cards that say it themselves."""
    for fact in _shows(rng, state):
        if fact.named is Named.NOTHING:
            yield replace(fact, named=Named(rng.randrange(5)))


def _tributes(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """As many cards of the payer as are due."""
    if isinstance(state, Paying):
        setting = state.setting
        for _ in range(6):
            cards = bytes(rng.sample(setting.deal.hands[setting.payer], state.n))
            yield TributePaid(0, By.PLAYER, setting.payer, cards)


def _returns(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """As many cards of the dealer as were paid."""
    if isinstance(state, Returning):
        setting = state.setting
        for _ in range(6):
            cards = bytes(rng.sample(unpack(state.holdings[setting.dealer]), len(setting.paid)))
            yield TributeReturned(0, By.PLAYER, setting.dealer, cards)


def _small_first(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """A 小王 is buried by who keeps a 大王: by the dealer, or by another."""
    if isinstance(state, Burying):
        seat = state.setting.dealer
        held = [code for code in unpack(state.holdings[seat]) if code < BLACK_JOKER]
        yield Buried(0, By.PLAYER, seat, bytes([BLACK_JOKER, *rng.sample(held, 5)]))
    if isinstance(state, Asking):
        yield from _for_jokers(state, bytes([BLACK_JOKER]))


def _for_jokers(state: Asking, jokers: bytes) -> Iterator[JokersBuried]:
    """A burial of cards for the smallest that can be picked for them, if there are as many."""
    table = state.setting.context.step
    picked = smallest_picks(table, state.bottom, len(jokers))
    if len(picked) == len(jokers):
        yield JokersBuried(0, By.PLAYER, state.asked[0], jokers, picked)


def _picks(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """Jokers of the seat asked for any cards of the bottom."""
    if not isinstance(state, Asking):
        return
    seat = state.asked[0]
    own = [code for code in reversed(unpack(state.holdings[seat])) if code in JOKERS]
    for n in rng.sample(range(1, len(own) + 1), len(own)):
        for _ in range(4):
            picked = bytes(rng.sample(state.bottom, n))
            yield JokersBuried(0, By.PLAYER, seat, bytes(own[:n]), picked)


def _no_jokers(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """Another seat buries a card that is no joker."""
    if isinstance(state, Asking):
        held = [code for code in unpack(state.holdings[state.asked[0]]) if code < BLACK_JOKER]
        yield from _for_jokers(state, bytes([rng.choice(held)]))


def _wrong_leader(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """A lead by a seat that has not the lead."""
    if isinstance(state, Playing) and not state.plays:
        for seat in rng.sample(range(4), 4):
            if seat != state.turn:
                card = rng.choice(unpack(state.holdings[seat]))
                yield Played(0, By.PLAYER, seat, bytes([card]))


def _answers(rng: Rng, state: GunziState) -> Iterator[Fact]:
    """As many cards as were led, of the suit while there are any, else anything."""
    if not isinstance(state, Playing) or not state.plays:
        return
    order, lead = state.table.context.order, state.plays[0]
    n, held = len(lead), unpack(state.holdings[state.turn])
    own = of_suit(order, held, order.suit[lead[0]])
    for stock in (own, held):
        if len(stock) >= n:
            for _ in range(6):
                yield Played(0, By.PLAYER, state.turn, bytes(rng.sample(sorted(stock), n)))


def _long_lead(game: Gunzi, state: GunziState, rng: Rng) -> Fact | None:
    """A lead that asks for more than its suit, if there is one: a pair or a triple."""
    if not isinstance(state, Playing) or state.plays:
        return None
    leads = [fact for fact in game.plays(state) if isinstance(fact, Played)]
    most = rng.choice((2, 3))
    return rng.choice([fact for fact in leads if len(fact.cards) == most] or leads)


def _with_jokers(rng: Rng, fact: Dealt) -> Dealt:
    """A deal in which one seat has all jokers of a kind, and both kinds most likely."""
    deck = list(some_deck(rng, 0.3))
    rest = [code for code in deck if code < BLACK_JOKER]
    piles: list[list[int]] = [[], [], [], []]
    home = rng.sample(range(4), 2) if rng.random() < 0.5 else [rng.randrange(4)] * 2
    piles[home[0]] += [RED_JOKER] * 3
    piles[home[1]] += [BLACK_JOKER] * 3
    for pile in piles:
        pile += [rest.pop() for _ in range(39 - len(pile))]
        rng.shuffle(pile)
    cards = bytes(code for four in zip(*piles, strict=True) for code in four)
    return replace(fact, cards=cards + bytes(rest))


_JOKERS_MATTER = frozenset(
    (
        *("ONE_JOKER", "FIRST_STANDS", "LATE_FIRST", "JOKERS_OPEN"),
        *("BIG_FIRST", "PICKABLE", "SMALLEST_PICK"),
    )
)
CROOKS: dict[str, tuple[Crook, tuple[str, ...]]] = {
    "wrong start": (_wrong_start, ("DEAL_START",)),
    "shown early": (_shown_early, ("DECLARE_TIME",)),
    "shown late": (_shown_late, ("DECLARE_TIME",)),
    "several first jokers": (_shows, ("ONE_JOKER",)),
    "over the first joker": (_shows, ("FIRST_STANDS",)),
    "no suit comes any more": (_shows, ("LATE_FIRST",)),
    "jokers open": (_shows, ("JOKERS_OPEN",)),
    "not stronger": (_shows, ("STRONGER",)),
    "over oneself": (_shows, ("SELF_OVERTURN",)),
    "named too": (_named_too, ("NAMED_EXTRA",)),
    "larger cards kept": (_tributes, ("LARGEST",)),
    "returned otherwise": (_returns, ("RETURNED",)),
    "small joker first": (_small_first, ("BIG_FIRST",)),
    "not the smallest picked": (_picks, ("SMALLEST_PICK",)),
    "more buried than can be picked": (_picks, ("PICKABLE",)),
    "no joker buried": (_no_jokers, ("ONLY_JOKERS",)),
    "wrong leader": (_wrong_leader, ("LEADER",)),
    "revoke": (_answers, ("SUIT",)),
    "pair or triple kept back": (_answers, ("DEAD",)),
}
"""Facts against a rule of conduct, and the names of the rules that they break."""
FIRSTS = ("several first jokers", "over the first joker", "no suit comes any more")
"""What is only possible in a first hand."""


def crooked(
    crook: tuple[Crook, tuple[str, ...]],
    options: GunziOptions,
    carry: GunziCarry,
    rng: Rng,
    style: Style,
) -> Crooked | None:
    """A hand with one such fact in it; None if there was no occasion."""
    facts, names = crook
    game, place = Gunzi(), 0
    style = _suited(facts, rng, style)
    events: list[Event] = [HandStarted(bytes(32), 0), GunziOpening(carry)]
    state: GunziState = game.open(options, carry)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = None
        if not place and rng.random() < 0.6:
            tried = facts(rng, state)
            fact = next((each for each in tried if broken(game, state, each) == [*names]), None)
        place = len(events) if fact else place
        if fact is None and not place and facts is _answers and rng.random() < 0.7:
            fact = _long_lead(game, state, rng)
        fact = fact or choice(game, state, rng, style)
        if isinstance(fact, Dealt) and not place and _JOKERS_MATTER & {*names}:
            fact = _with_jokers(rng, fact)
        after = game.apply(state, fact, [])
        events += [fact, *game.due(state, fact, after)]
        state = after
    return Crooked(events, place, game.next_carry(state)) if place else None


def _suited(facts: Crook, rng: Rng, style: Style) -> Style:
    """The style in which a fault has an occasion."""
    if facts in (_answers, _shows, _named_too):
        return style._replace(clump=rng.choice((0.4, 0.6)), below=0.0, shows=0.9)
    return style


# Announcements that are false, and stand


def _other_trump(rng: Rng, state: GunziState, claim: Claim) -> Claim | None:
    """Another trump suit is announced."""
    if not isinstance(claim, TrumpSet):
        return None
    return replace(
        claim, trump=rng.choice([suit for suit in list(Trump)[:4] if suit != claim.trump])
    )


def _other_dealer(rng: Rng, state: GunziState, claim: Claim) -> Claim | None:
    """Another dealer is announced."""
    if not isinstance(claim, TrumpSet):
        return None
    return replace(claim, dealer=(claim.dealer + rng.randrange(1, 4)) % 4)


def _other_fate(rng: Rng, state: GunziState, claim: Claim) -> Claim | None:
    """A bottom is said to be dry that is not, or the other way round."""
    if not isinstance(claim, BottomShown) or not isinstance(state, Burying | Playing):
        return None
    is_new = isinstance(state, Playing) and not state.table.is_dry
    return None if is_new else replace(claim, dry=not claim.dry)


Lie = Callable[[Rng, GunziState, Claim], Claim | None]
LIES: dict[str, Lie] = {
    "trump set falsely, and played so": _other_trump,
    "dealer set falsely, and played so": _other_dealer,
    "dry or not falsely, and played so": _other_fate,
}
"""False announcements that stand."""


def lied(
    lie: Lie, options: GunziOptions, carry: GunziCarry, rng: Rng, style: Style
) -> Crooked | None:
    """A hand with one such announcement in it; None if there was no occasion."""
    game, place = Gunzi(), 0
    events: list[Event] = [HandStarted(bytes(32), 0), GunziOpening(carry)]
    state: GunziState = game.open(options, carry)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = choice(game, state, rng, style)
        after = game.apply(state, fact, [])
        events.append(fact)
        due = list(game.due(state, fact, after))
        while due:
            claim = due.pop(0)
            false = None if place or rng.random() < 0.3 else lie(rng, after, claim)
            if false is not None:
                after, place = game.adopt(after, false), len(events)
                kinds = {type(other) for other in due}
                due = [each for each in game.due(state, fact, after) if type(each) in kinds]
            events.append(false or claim)
        state = after
    assert isinstance(state, Over)
    return Crooked(events, place, game.next_carry(state)) if place else None
