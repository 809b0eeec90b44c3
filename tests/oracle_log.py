"""The oracle told a logged hand: is it a legal log, and if not, where does it stop being one."""

from collections.abc import Callable
from typing import Any, NamedTuple

from schema.cards import card_text
from schema.events import (
    By,
    CallDrawn,
    Called,
    ClimbingCarry,
    ClimbingSettled,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)
from schema.events import Claim as LoggedClaim
from schema.options import Options
from tests.oracle_dagong import Carry, Claim, Hand, Illegal


def faces(cards: bytes) -> list[str]:
    """Cards as the oracle writes them."""
    return [card_text(card) for card in cards]


def carry_of(carry: ClimbingCarry) -> Carry:
    """What a hand opens with, as the oracle writes it."""
    return carry.hand_no, carry.dealer, tuple(carry.balances)


def claim_of(claim: Event) -> Claim:
    """A logged claim as the oracle writes it."""
    match claim:
        case Called():
            return ("called", card_text(claim.card))
        case Revealed():
            return ("revealed", claim.seat)
        case WentOut():
            return ("out", claim.seat, claim.place)
        case TrickWon():
            return ("trick", claim.seat, claim.points)
        case WindTaken():
            return ("wind", claim.seat)
        case ClimbingSettled():
            return (
                "settled",
                *(claim.result.name, claim.fan, claim.winners, claim.places),
                *(claim.captured, claim.left, claim.final),
                tuple((bonus.seat, bonus.kind.name) for bonus in claim.bonuses),
                *(claim.deltas, carry_of(claim.next)),
            )
        case _:
            raise AssertionError(f"no claim of the oracle's: {claim}")


def tell(hand: Hand, fact: Event) -> None:
    """Tell the oracle a fact; Illegal if it is not allowed."""
    match fact:
        case Dealt():
            hand.deal(fact.start, faces(fact.cards))
        case TurnedUp():
            hand.turn_up(fact.index)
        case CallDrawn():
            hand.draw(card_text(fact.card))
        case SoloAnswered():
            hand.answer(fact.seat, fact.yes)
        case Played():
            hand.play(fact.seat, faces(fact.cards))
        case Passed():
            hand.skip(fact.seat)
        case HandEnded():
            if hand.phase != "over":
                raise Illegal("the hand is not over")
            hand.due = []
        case _:
            raise AssertionError(f"no fact of the oracle's: {fact}")


def heard(hand: Hand, fact: Event) -> Hand | None:
    """The hand after the fact, None if it is refused; the hand itself is not told."""
    twin = Hand(hand.house, (hand.hand_no, hand.dealer, hand.balances))
    for name, value in vars(hand).items():
        is_table = name in ("hands", "dealt")
        copied = [list(cards) for cards in value] if is_table else value
        if isinstance(value, list | set) and not is_table:
            copied = type(value)(value)
        setattr(twin, name, copied)
    try:
        tell(twin, fact)
    except Illegal:
        return None
    return twin


def first(stated: ClimbingCarry) -> Carry:
    """What a match may open with that states this: any coins."""
    return carry_of(ClimbingCarry(1, None, stated.balances))


class Oracle(NamedTuple):
    """Who tells one game: makes a hand, is told facts or only asked, raises `illegal`.

    `carry_of` and `claim_of` put what is logged in its words; `first` is what a match may open
    with that states something; `is_match_over`, whether no hand may open so.
    """

    hand: Callable[[Any, Any], Any]
    tell: Callable[[Any, Any], None]
    heard: Callable[[Any, Any], Any]
    illegal: type[Exception]
    carry_of: Callable[[Any], Any] = carry_of
    claim_of: Callable[[Event], Claim] = claim_of
    first: Callable[[Any], Any] = first
    is_match_over: Callable[[Any], bool] = lambda opening: False


DAGONG = Oracle(Hand, tell, heard, Illegal)


class Verdict:
    """A hand's log, event by event, from what its opening may be: `flaw` is where it breaks.

    A claim that is due and missing breaks the log at the next fact.
    """

    def __init__(self, oracle: Oracle, house: Options, opening: Any) -> None:
        self._oracle = oracle
        self._house = house
        self._opening = opening
        self._hand: Any = None
        self._pending: list[Claim] = []
        self._count = 0
        self._is_over = False
        self._is_aborted = False
        self.flaw: int | None = None

    def hear(self, event: Event) -> None:
        """The next event."""
        index = self._count
        self._count += 1
        if self.flaw is not None:
            return
        try:
            self._hear(event, index)
        except (Illegal, self._oracle.illegal):
            self.flaw = index

    def _hear(self, event: Event, index: int) -> None:
        if index == 0 or isinstance(event, HandStarted):
            if index or not isinstance(event, HandStarted):
                raise Illegal("HandStarted is the first event and no other")
        elif index == 1 or hasattr(event, "carry"):
            self._open(event, index)
        elif isinstance(event, LoggedClaim):
            self._claim(event)
        else:
            self._fact(event)

    def _open(self, event: Event, index: int) -> None:
        stated = getattr(event, "carry", None)
        if index != 1 or stated is None or self._oracle.carry_of(stated) != self._opening:
            raise Illegal("the opening is the second event, and what the hand before gives")
        if self._oracle.is_match_over(self._opening):
            raise Illegal("the match is over")
        self._hand = self._oracle.hand(self._house, self._opening)

    def _claim(self, event: Event) -> None:
        assert self._hand is not None
        if isinstance(event, Refused):
            play = Played(0, By.SERVER, event.seat, event.cards)
            if self._oracle.heard(self._hand, play) is not None:
                raise Illegal("a good play refused")
        elif self._oracle.claim_of(event) in self._pending:
            self._pending.remove(self._oracle.claim_of(event))
        else:
            raise Illegal("not due")

    def _fact(self, event: Event) -> None:
        assert self._hand is not None
        if self._pending or self._is_over:
            raise Illegal("a claim is missing, or the hand has ended")
        if isinstance(event, HandAborted):
            if self._hand.phase == "over":
                raise Illegal("a hand that is over cannot be aborted")
            self._is_over, self._is_aborted = True, True
            return
        self._oracle.tell(self._hand, event)
        self._pending = list(self._hand.due)
        self._is_over = isinstance(event, HandEnded)

    @property
    def is_complete(self) -> bool:
        """The log told is a legal hand from beginning to end."""
        return self.flaw is None and self._is_over

    @property
    def carry(self) -> Any:
        """What the next hand opens with."""
        assert self._hand is not None
        return self._opening if self._is_aborted else self._hand.carry
