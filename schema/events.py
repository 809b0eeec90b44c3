"""Facts and claims: tagged, array-like structs, those of every game and of the climbing games.

A *fact* is a chance outcome, a player's choice or the server's timing; it drives the rules engine
and carries `dt`, milliseconds since the fact before it in this hand. A *claim* is what the server
derived; it is compared with what the engine derives. Tags are unique over all games and never
reused: 1–31 every game, 32–63 climbing games, 64–95 炒地皮, 96–127 四副滚子.
"""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from schema.cards import Card

Seat = Annotated[int, Meta(ge=0, le=3)]
Millis = Annotated[int, Meta(ge=0, le=2**40)]
WallMillis = Annotated[int, Meta(ge=0, le=2**48)]
Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]
Points = Annotated[int, Meta(ge=0, le=10**4)]
Coins = Annotated[int, Meta(ge=-(2**53), le=2**53)]
PlayCards = Annotated[bytes, Meta(max_length=64)]
DealCards = Annotated[bytes, Meta(max_length=216)]
PerSeatPoints = tuple[Points, Points, Points, Points]
PerSeatCoins = tuple[Coins, Coins, Coins, Coins]

TAG_OWNERS: tuple[tuple[range, str], ...] = (
    (range(1, 32), "every game"),
    (range(32, 64), "the climbing games"),
    (range(64, 96), "chaodipi"),
    (range(96, 128), "gunzi"),
)
"""Which game a tag belongs to, for the message about an event of another game."""


class By(IntEnum):
    """Who made a choice: the player, a time-out, 托管, a bot, or the server."""

    PLAYER = 0
    TIMEOUT = 1
    TRUSTEE = 2
    BOT = 3
    SERVER = 4


class AbortReason(IntEnum):
    """Why a hand was aborted; RECOVERED is written only on reopening a file after a crash."""

    DISSOLVED = 0
    PLAYER_LEFT = 1
    SERVER_STOPPED = 2
    RECOVERED = 3
    OTHER = 4


class Event(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """Anything a hand's log can hold."""


class Fact(Event, frozen=True):
    """A chance outcome, a choice or a timing: drives the engine."""


class Claim(Event, frozen=True):
    """What the server derived: compared, never trusted."""


# Every game


class HandStarted(Fact, frozen=True, tag=1):
    """First event of a hand: `prev` is the leaf before it, `at` the wall time (ms, UTC)."""

    prev: Digest
    at: WallMillis


class HandEnded(Fact, frozen=True, tag=2):
    """Last event of a hand that was played out."""

    dt: Millis


class HandAborted(Fact, frozen=True, tag=3):
    """Last event of a hand that settles nothing."""

    dt: Millis
    reason: AbortReason

    @property
    def was_cut_off(self) -> bool:
        """The server died here: an abort that nobody chose."""
        return self.reason is AbortReason.RECOVERED


class Dealt(Fact, frozen=True, tag=4):
    """The whole shuffled deck in deal order; card k goes to seat `(start + k) mod 4`."""

    dt: Millis
    start: Seat
    cards: DealCards


class Played(Fact, frozen=True, tag=5):
    """A seat's cards, as laid (or attempted, where a throw can fail)."""

    dt: Millis
    by: By
    seat: Seat
    cards: PlayCards


class Passed(Fact, frozen=True, tag=6):
    """不出."""

    dt: Millis
    by: By
    seat: Seat


class TrickWon(Claim, frozen=True, tag=7):
    """A trick (轮) closed: its winner and the points (分) in it."""

    seat: Seat
    points: Points


class Refused(Claim, frozen=True, tag=8):
    """A play the server turned down: never due, a finding if the play was good."""

    seat: Seat
    cards: PlayCards


# Climbing games


class TurnedUp(Fact, frozen=True, tag=32):
    """First hand: the deck index of the card turned face up; who is dealt it is dealer."""

    dt: Millis
    index: Annotated[int, Meta(ge=0, le=107)]


class CallDrawn(Fact, frozen=True, tag=33):
    """The system drew a face of the dealer's as the called card."""

    dt: Millis
    card: Card


class SoloAnswered(Fact, frozen=True, tag=34):
    """A seat's answer to the question for 硬牌."""

    dt: Millis
    by: By
    seat: Seat
    yes: bool


class Called(Claim, frozen=True, tag=35):
    """The called card (叫牌) as announced."""

    card: Card


class Revealed(Claim, frozen=True, tag=36):
    """明鸡: this seat is the dealer's partner, shown by playing the called card."""

    seat: Seat


class WentOut(Claim, frozen=True, tag=37):
    """A seat played its last card and has this place: 1 一游 … 3 三游."""

    seat: Seat
    place: Annotated[int, Meta(ge=1, le=4)]


class WindTaken(Claim, frozen=True, tag=38):
    """接风: the winner of the trick is out, this seat leads instead."""

    seat: Seat


class PlayKind(IntEnum):
    """The types that a player can declare a set of cards to be."""

    SINGLE = 0
    PAIR = 1
    TRIPLE = 2
    PAIR_CHAIN = 3
    TRIPLE_CHAIN = 4
    BOMB = 5
    WSK_MIXED = 6
    WSK_PURE = 7
    XI7 = 8
    XI8 = 9
    YAOBAI = 10
    TIANZHA = 11


class PlayRank(IntEnum):
    """The rank that a declared type has: of a chain the highest, of 五十K and 天炸 none."""

    THREE = 0
    FOUR = 1
    FIVE = 2
    SIX = 3
    SEVEN = 4
    EIGHT = 5
    NINE = 6
    TEN = 7
    JACK = 8
    QUEEN = 9
    KING = 10
    ACE = 11
    TWO = 12
    NONE = 13


class PlayedAs(Fact, frozen=True, tag=39):
    """A seat's cards where wild jokers allow several readings, and the one that it declared."""

    dt: Millis
    by: By
    seat: Seat
    cards: PlayCards
    kind: PlayKind
    rank: PlayRank


AnyPlay = Played | PlayedAs
"""A play (出牌), its reading declared or not."""


class ClimbingResult(IntEnum):
    """How a hand of a climbing game ended."""

    POINTS = 0
    QING = 1
    BANG = 2
    GUANGTOU = 3
    SOLO_WON = 4
    SOLO_LOST = 5


class ClimbingBonusKind(IntEnum):
    """What was dealt to one seat: 天炸, 8喜, 7喜."""

    TIANZHA = 0
    XI8 = 1
    XI7 = 2


class ClimbingBonus(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """One bonus: the seat that was dealt it and its kind."""

    seat: Seat
    kind: ClimbingBonusKind


class ClimbingCarry(Struct, array_like=True, frozen=True, gc=False, forbid_unknown_fields=True):
    """All that a climbing hand takes from the one before; no dealer = first hand.

    `hand_no` counts completed hands plus one, so it repeats after an aborted hand.
    """

    hand_no: Annotated[int, Meta(ge=1, le=10**6)]
    dealer: Seat | None
    balances: PerSeatCoins


class ClimbingOpening(Claim, frozen=True, tag=40):
    """What this hand takes from the one before."""

    carry: ClimbingCarry


class ClimbingSettled(Claim, frozen=True, tag=41):
    """The settlement and every input of it.

    `places`: seats out in order, 末游 last at a normal end. `captured`: points per seat before
    the transfers; `left`: points in 末游's hand; `final`: points per seat after the transfers
    (0, and equal to `captured`, where nothing is transferred). `winners`: seats ascending.
    `deltas`: coins per seat, bonuses included. `next`: what the next hand opens with.
    """

    result: ClimbingResult
    fan: Annotated[int, Meta(ge=0, le=10**6)]
    winners: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=3)]
    places: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=4)]
    captured: PerSeatPoints
    left: Points
    final: PerSeatPoints
    bonuses: Annotated[tuple[ClimbingBonus, ...], Meta(max_length=24)]
    deltas: PerSeatCoins
    next: ClimbingCarry
