"""What the players of both climbing games share: chance, any legal play, time, friend and foe.

They see what their seat can see: own cards, the called card, how many cards the others hold.
Only `random()` and what is built on it in every Python alike is drawn from `rng`, so the same
seed plays the same match everywhere.
"""

from collections.abc import Callable
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.climbing.deal import singles
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    PerSeat,
    Playing,
)
from replay.engine.game import Game
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.seats import N_SEATS
from replay.players.draws import below, millis
from schema.cards import ALL_CODES
from schema.events import (
    By,
    CallDrawn,
    Dealt,
    Fact,
    Passed,
    Played,
    PlayedAs,
    SoloAnswered,
    TurnedUp,
)

_DECK = ALL_CODES * 2
_RANDOM_SOLO = 1 / 24
"""How often the random player says yes: uniform answers would leave hardly a friend hand."""
ANSWER_TIME = (800, 3200)
"""What the question for 硬牌 takes at least, and how much more at most, ms."""
SHORT = 4
"""A seat with so few cards may be out before one's next turn."""


def chance(state: ClimbingState, rng: Random) -> Fact | None:
    """The deck, the turned-up card or the drawn call; None if a seat is in turn or nobody."""
    match state:
        case AwaitingDeal():
            deck = list(_DECK)
            rng.shuffle(deck)
            dealer = state.carry.dealer
            start = below(rng, N_SEATS) if dealer is None else dealer
            return Dealt(millis(rng, 800, 400), start, bytes(deck))
        case AwaitingTurnUp():
            return TurnedUp(millis(rng, 1500, 500), below(rng, len(_DECK)))
        case AwaitingDraw():
            faces = singles(state.deal.hands[state.dealer])
            return CallDrawn(millis(rng, 1500, 500), faces[below(rng, len(faces))])
        case _:
            return None


class RandomPlayer:
    """Uniform over the legal plays; only the question for 硬牌 is mostly answered no."""

    def choose(self, game: Game, state: ClimbingState, rng: Random) -> Fact:
        """Any legal fact of the seat in turn."""
        options = list(game.plays(state))
        if isinstance(state, Asking):
            wanted = rng.random() < _RANDOM_SOLO
            options = [f for f in options if (type(f) is SoloAnswered and f.yes) == wanted]
        return _thought(options[below(rng, len(options))], millis(rng, 300, 2700))


def _thought(fact: Fact, dt: int) -> Fact:
    """The legal fact with a think time (ms)."""
    assert isinstance(fact, Played | PlayedAs | Passed | SoloAnswered)
    return replace(fact, dt=dt)


def laid(seat: int, cards: bytes) -> Played:
    """Cards to lay, undeclared; `acted` gives them their time."""
    return Played(0, By.PLAYER, seat, cards)


def acted(seat: int, hint: Played | PlayedAs | None, rng: Random) -> Fact:
    """The play, or a pass for want of one; a pass takes less thought."""
    dt = millis(rng, 500, 2500 if hint is None else 6000)
    return Passed(dt, By.PLAYER, seat) if hint is None else _thought(hint, dt)


IsSolo = Callable[[Asking, int, Random], bool]
"""Whether a seat goes solo with the cards that it was dealt."""


def answered(state: Asking, asked: int, is_solo: IsSolo, rng: Random) -> SoloAnswered:
    """The answer of the one seat that is asked."""
    dt = millis(rng, *ANSWER_TIME)
    return SoloAnswered(dt, By.PLAYER, asked, is_solo(state, asked, rng))


class Others(Struct, frozen=True):
    """What a seat makes of the others: `friends` and `foes` are masks of active seats.

    A seat not known to be a friend is taken for a foe; `left` are the cards that each seat
    holds; `danger` is the fewest that a foe holds.
    """

    friends: int
    foes: int
    left: PerSeat
    danger: int


def others(state: Playing) -> Others:
    """The others as the seat in turn sees them."""
    seat = state.turn
    friends = _friends(state, seat)
    foes = state.active & ~friends & ~(1 << seat)
    left = state.left
    danger = min([left[s] for s in range(N_SEATS) if foes >> s & 1], default=27)
    return Others(friends, foes, left, danger)


def _friends(state: Playing, seat: int) -> int:
    """Seats that `seat` knows to be on its side: the partner at once, all after 明鸡 or 硬牌."""
    if state.soloist < 0 and not state.is_revealed and seat != state.partner:
        return 0
    team = state.teams[seat]
    return sum(1 << s for s in range(N_SEATS) if s != seat and state.teams[s] == team)


def power(play: Play) -> tuple[int, ...]:
    """What bombs are sorted by, weakest first."""
    return play.power
