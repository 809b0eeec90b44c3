"""The players of 四副滚子, and its chance; the sensible one decides from what its seats can see."""

from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

from replay.engine.game import Game
from replay.engine.gunzi.declaring import IN_HAND, n_dealt
from replay.engine.gunzi.states import (
    DECKS,
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Paying,
    Playing,
    Returning,
)
from replay.engine.gunzi.turning import face_down
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.rule import broken_by
from replay.players.draws import below, millis
from replay.players.gunzi_sight import sight
from replay.players.gunzi_tricks import follow, lead
from replay.players.gunzi_trump import (
    DEAL_TIME,
    burial,
    declaration,
    declared_by,
    give_back,
    more_jokers,
    pay,
)
from schema.cards import ALL_CODES, BLACK_JOKER, RED_JOKER
from schema.events import By, Dealt, Fact, Played
from schema.gunzi import Buried, Declared, DeclaringClosed, Drawn, Flipped, TributeReturned

_DECK = ALL_CODES * DECKS
_RANDOM_SHOW = 0.6
"""How often the random player shows, if it can."""
_TURN_TIME, _ACT_TIME = (700, 1500), (300, 2700)


def chance(state: GunziState, rng: Random) -> Fact | None:
    """The deck, or the next card that is drawn from the bottom; None if seats are to act."""
    match state:
        case AwaitingDeal():
            dealer = state.carry.dealer
            deck = list(_DECK)
            rng.shuffle(deck)
            start = below(rng, N_SEATS) if dealer is None else dealer
            return Dealt(millis(rng, 800, 400), start, bytes(deck))
        case Drawing():
            places = face_down(state.setting)
            return Drawn(millis(rng, *_TURN_TIME), By.SERVER, places[below(rng, len(places))])
        case _:
            return None


def lapse(state: Declaring, rng: Random) -> Fact:
    """Nobody shows (any more): declaring is closed."""
    dt = DEAL_TIME * (IN_HAND - declared_by(state.setting)) + millis(rng, 3000, 1000)
    return DeclaringClosed(dt)


class GreedyPlayer:
    """Counts cards, weighs what each play may bring, and shows trumps for hands that like them."""

    def choose(self, game: Game, state: Any, rng: Random) -> Fact | None:
        """What the seat in turn does; in the deal the first show that a seat wants to make."""
        match state:
            case Playing():
                of = sight(state)
                cards = follow(of, rng) if state.plays else lead(of, rng)
                dt = millis(rng, 600, 2500 if state.plays else 4500)
                return Played(dt, By.PLAYER, state.turn, bytes(sorted(cards)))
            case Declaring():
                return declaration(state, rng)
            case Flipping():
                return _flip(state, rng)
            case Paying():
                return pay(state, rng)
            case Returning():
                return give_back(state, rng)
            case Burying():
                return burial(state, rng)
            case Asking():
                return more_jokers(state, rng)
            case _:
                raise AssertionError("nobody is in turn")


class RandomPlayer:
    """Any legal act, uniform over those that the game lists; burials and returns of any cards."""

    def choose(self, game: Game, state: Any, rng: Random) -> Fact | None:
        """Any legal fact of the seat in turn; in the deal any show, or none."""
        match state:
            case Declaring():
                return _any_show(game, state, rng)
            case Flipping():
                return _flip(state, rng)
            case Burying():
                return _any_burial(state, rng)
            case Returning() if state.setting.house.options.tribute_return != "smallest":
                return _any_return(state, rng)
            case _:
                options: list[Any] = list(game.plays(state))
                fact: Fact = replace(options[below(rng, len(options))], dt=millis(rng, *_ACT_TIME))
                return fact


def _flip(state: Flipping, rng: Random) -> Flipped:
    places = face_down(state.setting)
    place = places[below(rng, len(places))]
    return Flipped(millis(rng, *_TURN_TIME), By.PLAYER, state.seat, place)


def _any_show(game: Game, state: Declaring, rng: Random) -> Declared | None:
    """A show that the game lists, as early as can be or later; none if that is too late for it."""
    found = [fact for fact in game.plays(state) if isinstance(fact, Declared)]
    if not found or rng.random() >= _RANDOM_SHOW:
        return None
    fact, since = found[below(rng, len(found))], declared_by(state.setting)
    after = max(since, _first_after(state, fact))
    after += below(rng, IN_HAND - after + 1)
    dt = DEAL_TIME * (after - since) + millis(rng, 300, 900)
    show = replace(fact, dt=dt, after=after)
    return show if broken_by(partial(game.apply, state, show)) is None else None


def _first_after(state: Declaring, fact: Declared) -> int:
    """The earliest moment at which the seat may show these cards."""
    deal, shown = state.setting.deal, fact.cards
    hand = deal.hands[fact.seat]
    return next(
        after
        for after in range(IN_HAND + 1)
        if hand[: n_dealt(deal, fact.seat, after)].count(shown[0]) >= len(shown)
    )


def _some(cards: bytes, n: int, rng: Random) -> bytes:
    left, taken = list(cards), []
    for _ in range(n):
        taken.append(left.pop(below(rng, len(left))))
    return bytes(sorted(taken))


def _any_burial(state: Burying, rng: Random) -> Buried:
    """Any six cards; with a small joker all the big ones (gunzi-5.8)."""
    setting = state.setting
    hand = unpack(state.holdings[setting.dealer])
    n = len(setting.deal.bottom)
    cards = _some(hand, n, rng)
    if BLACK_JOKER in cards and hand.count(RED_JOKER) > cards.count(RED_JOKER):
        cards = _some(bytes(code for code in hand if code < BLACK_JOKER), n, rng)
    return Buried(millis(rng, 3000, 9000), By.PLAYER, setting.dealer, cards)


def _any_return(state: Returning, rng: Random) -> TributeReturned:
    setting = state.setting
    hand = unpack(state.holdings[setting.dealer])
    if setting.house.options.tribute_return == "non_point":
        hand = bytes(code for code in hand if not points(bytes([code])))
    cards = _some(hand, len(setting.paid), rng)
    return TributeReturned(millis(rng, *_ACT_TIME), By.PLAYER, setting.dealer, cards)
