"""What the archive asks of a hand: derived values, game-blind, None where not defined (yet)."""

from msgspec import Struct


class PlayFacts(Struct, frozen=True, gc=False):
    """A classified play: `kind` is a word of `play.*`; `rank` in notation, None if it has none.

    `size` counts pairs or triples in a chain, cards in a straight or bomb, else it is 1.
    `wilds` are the rank letters that wild jokers stand for, in the order of the cards, "" without;
    `declared` says that the player named the reading.
    """

    kind: str
    size: int
    rank: str | None
    is_bomb: bool
    wilds: str
    declared: bool


class SeatFacts(Struct, frozen=True):
    """One seat at the end of a hand, or where it stopped.

    `role` is a word of `role.*`; `side` 0 the dealer's (or soloist's), 1 the other; `dealt` in
    deal order; `left` cards still held; `captured` and `final` points before and after the
    transfers; `bonus` coins from bonuses, part of `delta`. Levels are those of the seat's side.
    """

    role: str
    side: int | None
    dealt: bytes
    left: int
    place: int | None
    captured: int | None
    final: int | None
    bonus: int | None
    delta: int | None
    balance_before: int | None
    balance_after: int | None
    won: bool | None
    level_before: str | None = None
    level_after: str | None = None


class TrumpFacts(Struct, frozen=True):
    """What a game with levels and trumps knows of a hand: `level` in notation, F for 扛旗.

    `trump` is a suit letter or `none`; `rung` that of the cards shown for it by `declarer`, 0 if
    nobody showed any; `dealer_side` 0 for seats 0 and 2. From `score` on, the settlement: the
    attackers' score, their points in tricks, the bottom's if they won it and by what these count,
    points for failed throws, what set the levels, levels gained by the winners. With tribute:
    the cards due to the dealer in this hand, for the score and the jokers of the hand before;
    whether the bottom is dry, None while that is open; its fate, held or captured.
    """

    level: str
    trump: str | None
    rung: int
    declarer: int | None
    dealer_side: int | None
    score: int | None = None
    trick_points: int | None = None
    bottom_points: int | None = None
    factor: int | None = None
    penalty: int | None = None
    effect: str | None = None
    risen: int | None = None
    due_for_score: int | None = None
    due_for_jokers: int | None = None
    bottom_is_dry: bool | None = None
    bottom_fate: str | None = None


class ShowFacts(Struct, frozen=True):
    """Cards that a seat showed for a trump: `kind` is declared or stirred.

    `named` is a suit letter or `none`, None where the cards say it; so is `trump`, which they
    made, None where it comes from later cards. `after` cards were dealt by then, None after the
    burial.
    """

    kind: str
    seat: int
    cards: bytes
    rung: int
    named: str | None
    trump: str | None
    after: int | None


class BurialFacts(Struct, frozen=True):
    """What a seat took, the bottom or cards out of it, and what it buried."""

    seat: int
    taken: bytes
    cards: bytes


class ThrowFacts(Struct, frozen=True):
    """甩牌: cards as attempted and as led after all; the seats that beat it, none if it stands."""

    seat: int
    cards: bytes
    led: bytes
    beaten_by: tuple[int, ...]


class TurnFacts(Struct, frozen=True):
    """A bottom card turned up for dealer and trump: `kind` is flipped or drawn; `seat` flips.

    `place` counts the bottom from 0.
    """

    kind: str
    seat: int | None
    place: int
    card: bytes


class TributeFacts(Struct, frozen=True):
    """进贡 or 还贡: `kind` is paid or returned; cards go from `seat` to `receiver`."""

    kind: str
    seat: int
    receiver: int
    cards: bytes


Note = ShowFacts | BurialFacts | ThrowFacts | TurnFacts | TributeFacts
"""What the archive keeps of one event besides plays."""


class HandFacts(Struct, frozen=True):
    """One hand: `mode` is friend or solo, level or flag; `result` a word of `result.*`.

    `trump` is None in games without levels and trumps.
    """

    hand_no: int
    dealer: int | None
    called: int | None
    partner: int | None
    mode: str | None
    soloist: int | None
    result: str | None
    fan: int | None
    winners: tuple[int, ...]
    seats: tuple[SeatFacts, SeatFacts, SeatFacts, SeatFacts]
    trump: TrumpFacts | None = None
