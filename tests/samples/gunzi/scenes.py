"""Hands of 四副滚子 played by their script: the deck that it needs, every claim that falls due."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from replay.engine.gunzi.bottom import to_play
from replay.engine.gunzi.presets import FIRST_CARRY
from replay.engine.gunzi.states import Asking, Burying, Paying, Playing, Returning
from replay.engine.gunzi.tribute import owed
from replay.engine.mechanics.holding import unpack
from replay.engine.registry import game_named
from replay.engine.rule import RuleViolation
from schema.cards import ALL_CODES
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
from schema.gunzi import (
    Buried,
    Declared,
    GunziCarry,
    GunziOpening,
    JokersBuried,
    TributePaid,
    TributeReturned,
)
from schema.options import Options
from tests.samples.bends import Bend, faces, with_bends
from tests.samples.forge import CREATED
from tests.samples.gunzi import pilot
from tests.samples.gunzi.acts import (
    ALL_LAY_ALL,
    ANSWER,
    DT,
    Act,
    Acts,
    Bury,
    Deed,
    Every,
    GiveBack,
    Pay,
)
from tests.samples.sorts import PLAIN, House, Staged, anything

GAME = "gunzi"
QUIET = "4s 66778c"
"""A bottom without points, with one plain trump while spades are trump."""
N_HELD, N_BOTTOM = 39, 6
_BETWEEN_HANDS = 15_000
_ABORTED = HandAborted(5_000, AbortReason.DISSOLVED)
Holds = tuple[str, str, str, str]
NOTHING_SAID: Holds = ("", "", "", "")


class Scene(NamedTuple):
    """A hand: the acts after its deal, and how it goes on behind them.

    A seat is dealt first what it `holds`, in that order, then all that it lays, shows or buries,
    unless it `needs` only what it holds; `bottom` are the six cards of the bottom. What is left of
    the deck is dealt in the order of the codes. `carries` makes what the hand opens with of what
    the one before left; `decks` what is logged as the deck. `then`: a hand that is not over is
    broken off, or left as it is.
    """

    acts: Acts = ()
    holds: Holds = NOTHING_SAID
    bottom: str = QUIET
    needs: Literal["acts", "holds"] = "acts"
    start: int | None = None
    carries: Any = None
    decks: Any = None
    deal: Literal["first", "none"] = "first"
    then: Literal["aborted", "open"] = "aborted"


def deck(scene: Scene, start: int) -> bytes:
    """The deck that gives every seat its cards."""
    held = [list(_held(scene, seat)) for seat in range(4)]
    bottom = faces(scene.bottom)
    rest = Counter(ALL_CODES * 3)
    rest.subtract([card for cards in (*held, bottom) for card in cards])
    assert min(rest.values()) >= 0, [code for code in rest if rest[code] < 0]
    free = sorted(rest.elements())
    for cards in held:
        lacking = N_HELD - len(cards)
        assert lacking >= 0, (scene, cards)
        cards += free[:lacking]
        del free[:lacking]
    assert len(bottom) == N_BOTTOM
    return bytes(held[(start + k) % 4][k // 4] for k in range(4 * N_HELD)) + bottom


def _held(scene: Scene, seat: int) -> bytes:
    """What a seat needs: as much as it shows, and all that it gives and was not given before."""
    if scene.needs == "holds":
        return faces(scene.holds[seat])
    gone, come, shown = Counter[int](), Counter[int](), Counter[int]()
    for act in scene.acts:
        if getattr(act, "seat", None) != seat:
            continue
        match act:
            case Declared(cards=cards):
                shown |= Counter(cards)
            case JokersBuried(jokers=cards, picked=picked):
                gone.update(cards)
                come.update(picked)
            case Bury(cards=cards) if cards:
                gone.update(cards)
                come.update(faces(scene.bottom))
            case GiveBack(cards=cards) if cards:
                gone.update(cards)
                come.update(b"".join(a.cards for a in scene.acts if isinstance(a, Pay)))
            case Played(cards=cards) | Pay(cards=cards):
                gone.update(cards)
            case _:
                pass
    first = faces(scene.holds[seat])
    more = ((gone - come) | shown) - Counter(first)
    return first + bytes(more.elements())


def staged(options: Options, *scenes: Scene) -> list[list[Event]]:
    """The events of hands, one after another."""
    table = _Table(options)
    return [table.hand(scene) for scene in scenes]


class _Table:
    """Where the hands are played; the clock and the levels go on."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._game: Any = game_named(GAME)
        self._carry: GunziCarry = FIRST_CARRY
        self._now = CREATED
        self._events: list[Event] = []
        self._state: Any = None
        self._later: list[Act] = []

    def hand(self, scene: Scene) -> list[Event]:
        """The events of the next hand."""
        carry = scene.carries(self._carry) if scene.carries else self._carry
        self._state = self._game.open(self._options, carry)
        self._events = [HandStarted(bytes(32), self._now), GunziOpening(carry)]
        acts: Acts = scene.acts
        if scene.deal == "first":
            acts = (_dealt(scene, carry), *acts)
        self._later = list(acts)
        is_blocked = False
        for act, bends in with_bends(acts):
            self._later.remove(act)
            for fact in self._facts(act):
                is_blocked = not self._happens(fact, bends)
        self._end(scene, is_blocked)
        self._carry = self._game.next_carry(self._state)
        self._now += sum(getattr(event, "dt", 0) for event in self._events) + _BETWEEN_HANDS
        return self._events

    def _end(self, scene: Scene, is_blocked: bool) -> None:
        if isinstance(self._events[-1], HandEnded | HandAborted) or scene.then == "open":
            return
        is_ended = self._state.is_over and not is_blocked
        self._events.append(HandEnded(3_000) if is_ended or self._state.is_over else _ABORTED)

    def _facts(self, act: Deed) -> Iterator[Fact]:
        """The facts of an act; those of a trick one by one, as the seats come to play."""
        state, by = self._state, By.PLAYER
        match act:
            case Bury(seat=seat, cards=cards):
                taken = state.setting.deal.bottom if isinstance(state, Burying) else b""
                yield Buried(DT, by, seat, cards or taken)
            case Pay(seat=seat, cards=cards):
                largest = owed(state.setting) if isinstance(state, Paying) else b""
                yield TributePaid(DT, by, seat, cards or largest)
            case GiveBack(seat=seat, cards=cards):
                paid = state.setting.paid if isinstance(state, Returning) else b""
                yield TributeReturned(DT, by, seat, cards or paid)
            case str():
                yield from self._piloted(act)
            case _:
                yield act

    def _piloted(self, how: Every) -> Iterator[Fact]:
        match how:
            case "answer":
                yield self._next(ANSWER)
            case "rout":
                yield from self._rout()
            case _:
                for _ in range(4 - len(self._play().plays)):
                    yield self._next(how)

    def _rout(self) -> Iterator[Fact]:
        """Whole tricks, until the leader has nothing left to lead."""
        while not self._state.is_over:
            seat = self._play().turn
            led = pilot.lead(self._play(), self._kept(seat))
            if not led:
                return
            yield Played(DT, By.PLAYER, seat, led)
            for _ in range(3):
                yield self._next(ANSWER)

    def _next(self, how: Every) -> Played:
        state = self._play()
        seat = state.turn
        if how == ALL_LAY_ALL:
            return Played(DT, By.PLAYER, seat, unpack(state.holdings[seat]))
        return Played(DT, By.PLAYER, seat, pilot.answer(state, self._kept(seat)))

    def _play(self) -> Playing:
        """The tricks: who leads while jokers may be buried begins them."""
        state = to_play(self._state) if isinstance(self._state, Asking) else self._state
        assert isinstance(state, Playing), state
        return state

    def _kept(self, seat: int) -> bytes:
        """What a seat lays later in the hand, up to a last trick of all that is left."""
        later = takewhile(lambda act: act != ALL_LAY_ALL, self._later)
        lays = (act for act in later if isinstance(act, Played) and act.seat == seat)
        return b"".join(act.cards for act in lays)

    def _happens(self, fact: Fact, bends: list[Bend]) -> bool:
        """Log a fact with its claims; whether it did not block."""
        self._events.append(fact)
        if isinstance(fact, HandEnded | HandAborted):
            return True
        before = self._state
        try:
            self._state = self._game.apply(before, fact, [])
        except RuleViolation:
            return False
        due: tuple[Claim, ...] = self._game.due(before, fact, self._state)
        told = due
        for bend in bends:
            told = bend.change(told)
        self._events += self._stood(before, fact, due, told)
        return True

    def _stood(
        self, before: Any, fact: Fact, due: tuple[Claim, ...], told: tuple[Claim, ...]
    ) -> tuple[Claim, ...]:
        """The claims to log: behind a false announcement that stands, what then follows from it."""
        for place, claim in enumerate(told):
            kind = type(claim)
            if claim in due or kind not in self._game.announcements:
                continue
            if kind not in {type(c) for c in due}:
                self._state = self._game.announced(self._state, claim)
                continue
            try:
                self._state = self._game.adopt(self._state, claim)
            except RuleViolation:
                continue
            anew: tuple[Claim, ...] = self._game.due(before, fact, self._state)
            wanted = {type(c) for c in due} - {type(c) for c in told[: place + 1]}
            return (*told[: place + 1], *(c for c in anew if type(c) in wanted))
        return told


def _dealt(scene: Scene, carry: GunziCarry) -> Dealt:
    dealer = 0 if carry.dealer is None else carry.dealer
    start = dealer if scene.start is None else scene.start
    cards = deck(scene, start)
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
