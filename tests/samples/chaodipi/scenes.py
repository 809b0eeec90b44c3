"""Hands of 炒地皮 played by their script: the deck that it needs, every claim that falls due."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi.states import Burying, Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.registry import game_named
from replay.engine.rule import RuleViolation
from replay.players.player import KITS, next_fact
from schema.cards import ALL_CODES
from schema.chaodipi import Buried, ChaodipiCarry, ChaodipiOpening, Declared, Stirred
from schema.events import (
    AbortReason,
    By,
    Claim,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    Played,
)
from schema.options import Options
from tests.samples.bends import Bend, faces, with_bends
from tests.samples.chaodipi.acts import ALL_LAY_ALL, DT, Act, Bury, Every
from tests.samples.forge import CREATED
from tests.samples.sorts import PLAIN, House, Staged, anything

GAME = "chaodipi"
QUIET = "3344h 6677h"
"""A bottom without points, trumps or level cards, but for the levels 3, 4, 6 and 7."""
_KIT = KITS[GAME]
_BETWEEN_HANDS = 15_000
_ABORTED = HandAborted(5_000, AbortReason.DISSOLVED)


class Scene(NamedTuple):
    """A hand: the acts after its deal, and how it goes on behind them.

    A seat is dealt what it `holds`; where that is "", all that it lays or shows. `bottom` are
    the eight cards of the bottom; what is left of the deck is dealt in the order of the codes.
    `carries` makes what the hand opens with of what the one before left; `decks` what is logged as
    the deck. `then`: a hand that is not over is broken off, or played out, or left as it is.
    """

    acts: tuple[Act, ...] = ()
    holds: tuple[str, str, str, str] = ("", "", "", "")
    bottom: str = QUIET
    start: int | None = None
    carries: Any = None
    decks: Any = None
    deal: Literal["first", "none"] = "first"
    then: Literal["aborted", "played", "open"] = "aborted"


def deck(scene: Scene, start: int, n_bottom: int = 8) -> bytes:
    """The deck that gives every seat its cards."""
    held = [list(_held(scene, seat)) for seat in range(4)]
    bottom = faces(scene.bottom)[:n_bottom] if n_bottom else b""
    rest = Counter(ALL_CODES * 2)
    rest.subtract([card for cards in (*held, bottom) for card in cards])
    assert min(rest.values()) >= 0, [code for code in rest if rest[code] < 0]
    free = sorted(rest.elements())
    n_held = (108 - n_bottom) // 4
    for cards in held:
        assert len(cards) <= n_held
        lacking = n_held - len(cards)
        cards += free[:lacking]
        del free[:lacking]
    bottom += bytes(free)
    return bytes(held[(start + k) % 4][k // 4] for k in range(4 * n_held)) + bottom


def _held(scene: Scene, seat: int) -> bytes:
    if scene.holds[seat]:
        return faces(scene.holds[seat])
    laid, shown = Counter[int](), Counter[int]()
    for act in scene.acts:
        if isinstance(act, Played) and act.seat == seat:
            laid.update(act.cards)
        elif isinstance(act, Declared | Stirred) and act.seat == seat:
            shown |= Counter(act.cards)
    return bytes((laid | shown).elements())


def staged(options: Options, *scenes: Scene) -> list[list[Event]]:
    """The events of hands, one after another."""
    table = _Table(options)
    return [table.hand(scene) for scene in scenes]


class _Table:
    """Where the hands are played; the clock and the levels go on."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._game: Any = game_named(GAME)
        self._carry: ChaodipiCarry = _KIT.first_carry
        self._now = CREATED
        self._events: list[Event] = []
        self._state: Any = None

    def hand(self, scene: Scene) -> list[Event]:
        """The events of the next hand."""
        carry = scene.carries(self._carry) if scene.carries else self._carry
        self._state = self._game.open(self._options, carry)
        self._events = [HandStarted(bytes(32), self._now), ChaodipiOpening(carry)]
        acts = (_dealt(scene, carry), *scene.acts) if scene.deal == "first" else scene.acts
        is_blocked = False
        for act, bends in with_bends(acts):
            for fact in self._facts(act):
                is_blocked = not self._happens(fact, bends)
        self._end(scene, is_blocked)
        self._carry = self._game.next_carry(self._state)
        self._now += sum(getattr(event, "dt", 0) for event in self._events) + _BETWEEN_HANDS
        return self._events

    def _end(self, scene: Scene, is_blocked: bool) -> None:
        if scene.then == "played" and not is_blocked:
            rng = Random(len(self._events))
            while not self._state.is_over:
                player = _KIT.players["greedy"]
                self._happens(next_fact(_KIT, player, self._game, self._state, rng), [])
        if isinstance(self._events[-1], HandEnded | HandAborted) or scene.then == "open":
            return
        is_ended = self._state.is_over and not is_blocked
        self._events.append(HandEnded(3_000) if is_ended or self._state.is_over else _ABORTED)

    def _facts(self, act: Fact | Bury | Every) -> Iterator[Fact]:
        """The facts of an act; those of a trick one by one, as the seats come to play."""
        match act:
            case Bury(seat=seat, cards=cards):
                taken = self._state.taken if isinstance(self._state, Burying) else b""
                yield Buried(DT, By.PLAYER, seat, cards or taken)
            case str():
                yield from self._laid(act)
            case _:
                yield act

    def _laid(self, how: Every) -> Iterator[Fact]:
        number = self._state.trick
        n_left = 4 - len(self._state.plays)
        for _ in range(n_left):
            assert isinstance(self._state, Playing)
            assert self._state.trick == number
            seat = self._state.turn
            if how == ALL_LAY_ALL:
                yield Played(DT, By.PLAYER, seat, unpack(self._state.holdings[seat]))
            else:
                rng, player = Random(number), _KIT.players["greedy"]
                fact = next_fact(_KIT, player, self._game, self._state, rng)
                yield replace(fact, dt=DT)

    def _happens(self, fact: Fact, bends: list[Bend]) -> bool:
        """Log a fact with its claims; whether it did not block."""
        self._events.append(fact)
        if isinstance(fact, HandEnded | HandAborted):
            return True
        try:
            after = self._game.apply(self._state, fact, [])
        except RuleViolation:
            return False
        due: tuple[Claim, ...] = self._game.due(self._state, fact, after)
        self._state = after
        told = due
        for bend in bends:
            told = bend.change(told)
        for claim in told:
            if claim not in due and type(claim) in {type(c) for c in due}:
                self._adopt(claim)
        self._events += told
        return True

    def _adopt(self, claim: Claim) -> None:
        """A false announcement stands, where it can."""
        if type(claim) in self._game.announcements:
            self._state = self._game.adopt(self._state, claim)


def _dealt(scene: Scene, carry: ChaodipiCarry) -> Dealt:
    dealer = 0 if carry.dealer is None else carry.dealer
    start = dealer if scene.start is None else scene.start
    is_flag = carry.dealer is not None and carry.levels[dealer % 2] == 13
    cards = deck(scene, start, 0 if is_flag else 8)
    return Dealt(900, start, scene.decks(cards) if scene.decks else cards)


def scene_way(
    words: str,
    says: str,
    *scenes: Scene,
    house: House = PLAIN,
    shows: Callable[[Sequence[Event]], bool] = anything,
) -> Staged:
    """A sample made of these hands; `shows`: whether the last of them is what it says."""
    return Staged(words, says, lambda options: staged(options, *scenes), house, shows)
