"""The facts and claims of 四副滚子 alone; tags 96–127. Those of every game stand in `events.py`."""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from schema.events import By, Claim, Fact, Millis, PlayCards, Seat
from schema.trumps import Named, Trump

DeclaredCards = Annotated[bytes, Meta(max_length=8)]
Place = Annotated[int, Meta(ge=0, le=255)]
SidePoints = Annotated[int, Meta(ge=0, le=10**4)]
Level = Annotated[int, Meta(ge=1, le=8)]
Due = Annotated[int, Meta(ge=0, le=10**6)]


class Declared(Fact, frozen=True, tag=96):
    """亮主, 反主, 加固, in a first hand 抢亮大王: all the cards that a seat shows for trump.

    `after` cards are dealt by then, 156 = all of them. `named`: the suit that three jokers name;
    other cards say it themselves.
    """

    dt: Millis
    by: By
    seat: Seat
    cards: DeclaredCards
    named: Named
    after: Annotated[int, Meta(ge=0, le=156)]


class DeclaringClosed(Fact, frozen=True, tag=97):
    """Declaring is over."""

    dt: Millis


class Flipped(Fact, frozen=True, tag=98):
    """翻牌: in a first hand that nobody declared, a seat turns up the bottom card at a place."""

    dt: Millis
    by: By
    seat: Seat
    place: Place


class Drawn(Fact, frozen=True, tag=99):
    """The bottom card at a place is turned up for its suit."""

    dt: Millis
    by: By
    place: Place


class TributePaid(Fact, frozen=True, tag=100):
    """进贡: a seat gives the dealer its largest cards."""

    dt: Millis
    by: By
    seat: Seat
    cards: PlayCards


class TributeReturned(Fact, frozen=True, tag=101):
    """还贡: the dealer gives as many cards back."""

    dt: Millis
    by: By
    seat: Seat
    cards: PlayCards


class Buried(Fact, frozen=True, tag=102):
    """扣底: the dealer's cards that make the new bottom."""

    dt: Millis
    by: By
    seat: Seat
    cards: PlayCards


class JokersBuried(Fact, frozen=True, tag=103):
    """扣王: another seat buries jokers, and picks as many cards out of the bottom."""

    dt: Millis
    by: By
    seat: Seat
    jokers: PlayCards
    picked: PlayCards


class JokersPassed(Fact, frozen=True, tag=104):
    """A seat that may bury jokers does not."""

    dt: Millis
    by: By
    seat: Seat


class TrumpSet(Claim, frozen=True, tag=105):
    """Trump suit and dealer, as announced."""

    trump: Trump
    dealer: Seat


class BottomShown(Claim, frozen=True, tag=106):
    """The bottom, shown to everybody: the original in its order, a new one as it was buried.

    `dry`: 干锅, it stays as it is.
    """

    cards: PlayCards
    dry: bool


class Redealt(Claim, frozen=True, tag=107):
    """All six bottom cards are jokers: the hand is dealt anew."""


class BottomFate(IntEnum):
    """Who won the last trick: the dealer side holds the bottom (保底), or it is captured (抠底)."""

    HELD = 0
    CAPTURED = 1


class GunziResult(IntEnum):
    """How a hand ended: the dealer side deals on, the attackers take the deal, or it is a match.

    A match that is won goes to the dealer side or to the attackers.
    """

    HELD = 0
    TAKEN = 1
    MATCH_TO_DEALERS = 2
    MATCH_TO_ATTACKERS = 3


class GunziEnding(IntEnum):
    """Why the match is over: no point, all points, three jokers, 10 passed or reached; or NONE."""

    NONE = 0
    ZERO = 1
    FULL = 2
    THREE_JOKERS = 3
    TEN_PASSED = 4
    TEN_REACHED = 5


class GunziCarry(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """All that a hand takes from the one before; no dealer = first hand of the match.

    `levels` are those of side 0 (seats 0, 2) and side 1: 1 for level 3 … 8 for level 10. What the
    dealer is owed, in cards: `due_for_score` and `due_for_jokers` of the hand before. `is_over`:
    the match has ended.
    """

    hand_no: Annotated[int, Meta(ge=1, le=10**6)]
    dealer: Seat | None
    levels: tuple[Level, Level]
    due_for_score: Due
    due_for_jokers: Due
    is_over: bool


class GunziOpening(Claim, frozen=True, tag=108):
    """What this hand takes from the one before."""

    carry: GunziCarry


class GunziSettled(Claim, frozen=True, tag=109):
    """The settlement and every input of it.

    `tricks`: points the attackers captured in tricks; `bottom`: points of the bottom if they won
    it, else 0; `factor` by which these count, 0 if the bottom was held; `score` what it comes to.
    `risen`: levels that the hand is worth to the side that is promoted, those of buried jokers
    included, 0 if none is; where the ladder stops the side, `next` says. `next`: what the next
    hand opens with.
    """

    tricks: SidePoints
    fate: BottomFate
    bottom: SidePoints
    factor: Annotated[int, Meta(ge=0, le=1000)]
    score: Annotated[int, Meta(ge=0, le=10**7)]
    result: GunziResult
    ending: GunziEnding
    risen: Annotated[int, Meta(ge=0, le=10**4)]
    next: GunziCarry
