"""What happens in a hand that is not left to chance: cards dealt, the dealer, the plays laid."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.climbing.states import (
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Over,
    Playing,
)
from schema.cards import RANKS, parse_card, parse_cards
from schema.events import (
    AnyPlay,
    By,
    CallDrawn,
    Dealt,
    Fact,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
    TurnedUp,
)
from tests.samples.forge import HandLog, Move, Steer, no_steering

_ANYBODY, _NOBODY = -2, -1
_UNRANKED = {"wsk_mixed", "wsk_pure", "tianzha"}


class Lay(NamedTuple):
    """A seat lays cards; `reads` is what they then count as.

    That is a kind and a rank, or a kind alone where it has none; `declared` what the player calls
    them, in the same words.
    """

    seat: int
    cards: bytes
    reads: str
    declared: str = ""

    def fact(self, dt: int) -> Fact:
        """The play after a think time (ms)."""
        if not self.declared:
            return Played(dt, By.PLAYER, self.seat, self.cards)
        kind, _, letter = self.declared.partition(" ")
        rank = PlayRank(RANKS.index(letter)) if letter else PlayRank.NONE
        return PlayedAs(dt, By.PLAYER, self.seat, self.cards, PlayKind[kind.upper()], rank)


class Script(NamedTuple):
    """The plays of a hand from its first lead on; whoever is not named in between passes.

    The cards of `lays` and those of `holds` are dealt to their seats; where the deal starts,
    `first_and_last`, a face, is the first card and again the last. `dealer` is a first hand's, -2
    whoever it comes to be; `called` the face drawn, "" any; `soloist` the seat that goes solo, -1
    none, -2 as the players like.
    """

    lays: tuple[Lay, ...] = ()
    holds: tuple[str, str, str, str] = ("", "", "", "")
    first_and_last: str = ""
    dealer: int = _ANYBODY
    called: str = ""
    soloist: int = _NOBODY


UNSCRIPTED = Script(soloist=_ANYBODY)
RUN_OFF = Script(first_and_last="3d")
"""In a later hand: the dealer's first card is doubled, and none is dealt to him after its twin."""


def lay(seat: int, cards: str, reads: str) -> Lay:
    """A play whose reading is not declared."""
    return Lay(seat, parse_cards(cards), reads)


def say(seat: int, cards: str, declared: str, reads: str = "") -> Lay:
    """A play with its declared reading, which counts unless another is given."""
    return Lay(seat, parse_cards(cards), reads or declared, declared)


class _Stage:
    """A script being played; every play of it happens when its seat is next in turn."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lays = list(script.lays)

    def steer(self, state: ClimbingState, fact: Fact) -> Fact:
        """What happens instead of the fact."""
        match fact:
            case Dealt():
                return replace(fact, cards=stacked(self._script, fact))
            case TurnedUp() if self._script.dealer >= 0 and isinstance(state, AwaitingTurnUp):
                place = (self._script.dealer - state.deal.start) % 4
                return replace(fact, index=fact.index // 4 * 4 + place)
            case CallDrawn() if self._script.called and isinstance(state, AwaitingDraw):
                return replace(fact, card=parse_card(self._script.called))
            case SoloAnswered() if self._script.soloist != _ANYBODY:
                return replace(fact, yes=fact.seat == self._script.soloist)
            case Played() | PlayedAs() | Passed() if self._lays and type(state) is Playing:
                return self._next_lay(state, fact.dt)
            case _:
                return fact

    def _next_lay(self, state: Playing, dt: int) -> Fact:
        if self._lays[0].seat == state.turn:
            return self._lays.pop(0).fact(dt)
        assert state.table is not None, f"seat {state.turn} leads before {self._lays[0]}"
        return Passed(dt, By.PLAYER, state.turn)


def steering(script: Script) -> Steer:
    """The script as what a table asks at every fact."""
    return no_steering if script == UNSCRIPTED else _Stage(script).steer


def stacked(script: Script, dealt: Dealt) -> bytes:
    """The deck with the script's cards exchanged to where their seats are dealt them."""
    deck = _Deck(dealt.cards)
    for code in parse_cards(script.first_and_last):
        deck.put(code, 0)
        deck.put(code, len(dealt.cards) - 4)
    for seat in range(4):
        laid = b"".join(act.cards for act in script.lays if act.seat == seat)
        for code in laid + parse_cards(script.holds[seat]):
            deck.bring(code, range((seat - dealt.start) % 4, len(dealt.cards), 4))
    return bytes(deck.cards)


class _Deck:
    """A deck whose cards are exchanged; those put where they belong stay there."""

    def __init__(self, cards: bytes) -> None:
        self.cards = bytearray(cards)
        self._fixed: set[int] = set()

    def put(self, code: int, place: int) -> None:
        """One copy of a card to this place."""
        free = (k for k, card in enumerate(self.cards) if card == code and k not in self._fixed)
        other = place if self.cards[place] == code else next(free)
        self.cards[place], self.cards[other] = self.cards[other], self.cards[place]
        self._fixed.add(place)

    def bring(self, code: int, places: Sequence[int]) -> None:
        """One copy of a card to one of these places, the last if it is at none of them."""
        free = [k for k in places if k not in self._fixed]
        self.put(code, next((k for k in free if self.cards[k] == code), free[-1]))


def is_played(script: Script, hand: HandLog) -> bool:
    """Whether the script's plays were laid first, each as what it says."""
    plays = [move for move in hand.moves if isinstance(move.fact, AnyPlay)]
    return len(plays) >= len(script.lays) and all(map(_is_laid, script.lays, plays))


def _is_laid(act: Lay, move: Move) -> bool:
    assert isinstance(move.fact, AnyPlay)
    laid = (move.fact.seat, move.fact.cards, _reads(move.after))
    return laid == (act.seat, act.cards, act.reads)


def _reads(after: ClimbingState) -> str:
    """What the last play counts as: kind and rank."""
    table = after.play if isinstance(after, Over) else after
    assert isinstance(table, Playing)
    assert table.latest is not None
    play = table.latest[1]
    return play.kind if play.kind in _UNRANKED else f"{play.kind} {RANKS[play.rank]}"
