"""叫牌 from the deal: the first card dealt to the dealer, and what follows if it is doubled."""

from msgspec import Struct


class Call(Struct, frozen=True):
    """`called` is None where the system must draw; `trail` are the cards tried, in order."""

    called: int | None
    trail: bytes


def first_dealt(cards: bytes) -> Call:
    """A doubled card is void, and the card dealt after its second copy is next, and so on.

    `cards` are the dealer's, in deal order. None is called if the cards run out.
    """
    trail = bytearray()
    i = 0
    while i < len(cards):
        trail.append(cards[i])
        if cards.count(cards[i]) == 1:
            return Call(cards[i], bytes(trail))
        i = max(i, cards.rindex(cards[i])) + 1
    return Call(None, bytes(trail))


def first_single(cards: bytes) -> int:
    """The first card, in deal order, that the dealer holds once."""
    return next(code for code in cards if cards.count(code) == 1)
