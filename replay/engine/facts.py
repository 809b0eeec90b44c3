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
    transfers; `bonus` coins from bonuses, part of `delta`.
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
    balance_before: int
    balance_after: int | None
    won: bool | None


class HandFacts(Struct, frozen=True):
    """One hand: `mode` is friend or solo, `result` a word of `result.*`."""

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
