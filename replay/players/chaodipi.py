"""The players of 炒地皮, and its chance; the sensible one decides from what its seats can see."""

from random import Random

from msgspec.structs import replace

from replay.engine.chaodipi.declaring import N_BOTTOM, can_redeal
from replay.engine.chaodipi.states import (
    UNKNOWN,
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Playing,
    Stirring,
)
from replay.engine.game import Game
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.seats import N_SEATS
from replay.players.chaodipi_follow import follow
from replay.players.chaodipi_lead import lead
from replay.players.chaodipi_sight import sight
from replay.players.chaodipi_trump import (
    ALL_DEALT,
    DEAL_TIME,
    burial,
    declaration,
    n_dealt,
    stir,
)
from replay.players.draws import below, millis
from schema.cards import ALL_CODES
from schema.chaodipi import BottomTurned, Buried, Declared, DeclaringClosed, StirPassed, Stirred
from schema.events import By, Dealt, Fact, Played

_DECK = ALL_CODES * 2
_RANDOM_SHOW, _RANDOM_STIR, _RANDOM_THROW = 0.6, 0.3, 0.1
"""How often the random player shows, stirs and throws, if it can."""


def chance(state: ChaodipiState, rng: Random) -> Fact | None:
    """The deck; None if it is dealt."""
    if not isinstance(state, AwaitingDeal):
        return None
    dealer = state.carry.dealer
    return _deal(below(rng, N_SEATS) if dealer is None else dealer, rng)


def _deal(start: int, rng: Random) -> Dealt:
    deck = list(_DECK)
    rng.shuffle(deck)
    return Dealt(millis(rng, 800, 400), start, bytes(deck))


def lapse(state: ChaodipiState, rng: Random) -> Fact:
    """Nobody shows (any more): the bottom is turned up, or declaring is closed (chaodipi-4.13)."""
    assert isinstance(state, Declaring)
    if can_redeal(state):
        return _deal(state.setting.deal.start, rng)
    dt = DEAL_TIME * (ALL_DEALT - state.after) + millis(rng, 3000, 1000)
    if state.setting.trump == UNKNOWN:
        return BottomTurned(dt)
    return DeclaringClosed(millis(rng, 1000, 500) if state.setting.is_turned else dt)


class GreedyPlayer:
    """Counts cards, weighs what each play may bring, and shows trumps for hands that like them."""

    def choose(self, game: Game, state: ChaodipiState, rng: Random) -> Fact | None:
        """What the seat in turn does; in the deal the first show that a seat wants to make."""
        match state:
            case Playing():
                of = sight(state)
                cards = lead(of, rng) if state.lead is None else follow(of, state.lead, rng)
                dt = millis(rng, 600, 4500 if state.lead is None else 2500)
                return Played(dt, By.PLAYER, state.turn, bytes(sorted(cards)))
            case Declaring():
                return declaration(state, rng)
            case Stirring():
                return stir(state, rng)
            case Burying():
                return burial(state, rng)
            case _:
                raise AssertionError("nobody is in turn")


class RandomPlayer:
    """Any legal act; plays are uniform over those that the game lists, and a throw now and then."""

    def choose(self, game: Game, state: ChaodipiState, rng: Random) -> Fact | None:
        """Any legal fact of the seat in turn; in the deal any show, or none."""
        match state:
            case Playing():
                return _any_play(game, state, rng)
            case Declaring():
                return _any_show(game, state, rng)
            case Stirring():
                return _any_stir(game, state, rng)
            case Burying():
                return _any_burial(state, rng)
            case _:
                raise AssertionError("nobody is in turn")


def _any_play(game: Game, state: Playing, rng: Random) -> Fact:
    dt = millis(rng, 300, 2700)
    if state.lead is None and rng.random() < _RANDOM_THROW:
        thrown = _any_throw(state, rng)
        if thrown:
            return Played(dt, By.PLAYER, state.turn, thrown)
    options = list(game.plays(state))
    fact = options[below(rng, len(options))]
    assert isinstance(fact, Played)
    return replace(fact, dt=dt)


def _any_throw(state: Playing, rng: Random) -> bytes:
    """A few cards of one suit; none at a table that would not let them be tried."""
    if state.setting.house.options.failed_throw == "reject":
        return b""
    held = unpack(state.holdings[state.turn])
    order = state.context.order
    suit = order.suit[held[below(rng, len(held))]]
    cards = of_suit(order, held, suit)
    return _some(cards, min(len(cards), 1 + below(rng, 5)), rng)


def _some(cards: bytes, n: int, rng: Random) -> bytes:
    left, taken = list(cards), []
    for _ in range(n):
        taken.append(left.pop(below(rng, len(left))))
    return bytes(sorted(taken))


def _any_show(game: Game, state: Declaring, rng: Random) -> Declared | None:
    """A show that the game lists for the end of the deal, as early as can be or later."""
    options = [fact for fact in game.plays(state) if isinstance(fact, Declared)]
    if not options or rng.random() >= _RANDOM_SHOW:
        return None
    fact = options[below(rng, len(options))]
    after = max(state.after, _first_after(state, fact))
    after += below(rng, ALL_DEALT - after + 1)
    return replace(fact, dt=DEAL_TIME * (after - state.after) + millis(rng, 300, 900), after=after)


def _first_after(state: Declaring, fact: Declared) -> int:
    """The earliest moment at which the seat may show these cards."""
    setting = state.setting
    if setting.is_turned or setting.house.options.declare_window == "after_only":
        return ALL_DEALT
    hand, shown = setting.deal.hands[fact.seat], fact.cards
    return next(
        after
        for after in range(ALL_DEALT + 1)
        if hand[: n_dealt(setting, fact.seat, after)].count(shown[0]) >= len(shown)
    )


def _any_stir(game: Game, state: Stirring, rng: Random) -> Fact:
    dt = millis(rng, 500, 2500)
    options = [fact for fact in game.plays(state) if isinstance(fact, Stirred)]
    if not options or rng.random() >= _RANDOM_STIR:
        return StirPassed(dt, By.PLAYER, state.asked[0])
    return replace(options[below(rng, len(options))], dt=dt)


def _any_burial(state: Burying, rng: Random) -> Buried:
    cards = _some(unpack(state.holdings[state.seat]), N_BOTTOM, rng)
    return Buried(millis(rng, 3000, 9000), By.PLAYER, state.seat, cards)
