"""The facts and claims of 炒地皮 alone; tags 64–95. Those of every game stand in `events.py`."""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from schema.events import By, Claim, Coins, Fact, Millis, PlayCards, Seat
from schema.trumps import Named, Trump

ShownCards = Annotated[bytes, Meta(max_length=4)]
BottomCards = Annotated[bytes, Meta(max_length=33)]
Rung = Annotated[int, Meta(ge=0, le=8)]
SidePoints = Annotated[int, Meta(ge=0, le=10**6)]
Level = Annotated[int, Meta(ge=0, le=13)]
Failures = Annotated[int, Meta(ge=0, le=1000)]
Scores = tuple[Coins, Coins, Coins, Coins]


class Declared(Fact, frozen=True, tag=64):
    """亮主, 反主: a seat shows cards when `after` cards are dealt, 100 = all of them."""

    dt: Millis
    by: By
    seat: Seat
    cards: ShownCards
    named: Named
    after: Annotated[int, Meta(ge=0, le=100)]


class BottomTurned(Fact, frozen=True, tag=65):
    """Nobody declared: the bottom is turned up to find trump."""

    dt: Millis


class DeclaringClosed(Fact, frozen=True, tag=66):
    """Declaring is over, the dealer takes the bottom."""

    dt: Millis


class Buried(Fact, frozen=True, tag=67):
    """扣底: the cards that make the new bottom."""

    dt: Millis
    by: By
    seat: Seat
    cards: BottomCards


class StirPassed(Fact, frozen=True, tag=68):
    """A seat that was asked does not stir."""

    dt: Millis
    by: By
    seat: Seat


class Stirred(Fact, frozen=True, tag=69):
    """抄底: a seat shows higher, and takes the bottom."""

    dt: Millis
    by: By
    seat: Seat
    cards: ShownCards
    named: Named


class Escaped(Fact, frozen=True, tag=70):
    """逃跑: a player has forced his way out."""

    dt: Millis
    seat: Seat


class TrumpSet(Claim, frozen=True, tag=71):
    """Trump as announced, and the rung (反主级别) of the cards shown for it."""

    trump: Trump
    rung: Rung


class BottomShown(Claim, frozen=True, tag=72):
    """The bottom, turned up, in its order."""

    cards: BottomCards


class BottomTaken(Claim, frozen=True, tag=73):
    """The seat that takes the bottom, and the cards in it."""

    seat: Seat
    cards: BottomCards


class ThrowJudged(Claim, frozen=True, tag=74):
    """甩牌: the cards led after all, and the seats that beat the throw; none = it stands."""

    led: PlayCards
    beaten_by: Annotated[tuple[Seat, ...], Meta(max_length=3)]


class ChaodipiResult(IntEnum):
    """How a hand ended: the dealer side holds, the attackers take over, 扛旗 passed, an escape."""

    HELD = 0
    TAKEN = 1
    MATCH_WON = 2
    ESCAPED = 3


class ChaodipiEffect(IntEnum):
    """What set the levels: points, 大光, a pair of 红桃5, 5.10.K in the last trick, 扛旗."""

    POINTS = 0
    ALL = 1
    RED_FIVE = 2
    LAST_WSK = 3
    FLAG = 4
    NONE = 5


class ChaodipiCarry(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """All that a hand takes from the one before; no dealer = first hand of the match.

    `levels` and `failures` are those of side 0 (seats 0, 2) and side 1: 0 for level 2 … 12 for A,
    13 for 扛旗. `scores` are 游戏得分 a seat. `is_over`: 扛旗 is passed, or a player has escaped.
    """

    hand_no: Annotated[int, Meta(ge=1, le=10**6)]
    dealer: Seat | None
    levels: tuple[Level, Level]
    failures: tuple[Failures, Failures]
    scores: Scores
    is_over: bool


class ChaodipiOpening(Claim, frozen=True, tag=75):
    """What this hand takes from the one before."""

    carry: ChaodipiCarry


class ChaodipiSettled(Claim, frozen=True, tag=76):
    """The settlement and every input of it.

    `tricks`: points the attackers captured in tricks; `bottom`: points of the bottom if they won
    it, else 0; `factor` by which these count; `penalty` points from failed throws, which may be
    negative; `score` what it comes to. `risen`: levels gained by the winners. `deltas`: 游戏得分
    a seat. `next`: what the next hand opens with.
    """

    tricks: SidePoints
    bottom: SidePoints
    factor: Annotated[int, Meta(ge=0, le=2**20)]
    penalty: Annotated[int, Meta(ge=-(10**6), le=10**6)]
    score: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    result: ChaodipiResult
    effect: ChaodipiEffect
    risen: Annotated[int, Meta(ge=0, le=100)]
    deltas: Scores
    next: ChaodipiCarry
