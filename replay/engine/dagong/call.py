"""叫牌: which card is called, and which cards were tried before it (dagong-3.1 to 3.4)."""

from msgspec import Struct

from schema.options import DagongOptions


class Call(Struct, frozen=True):
    """`called` is None where the system must draw; `trail` are the cards tried, in order."""

    called: int | None
    trail: bytes


def call(options: DagongOptions, cards: bytes) -> Call:
    """The call of a later hand from the dealer's cards in deal order."""
    match options.call_rule:
        case "first_dealt":
            return _first_dealt(cards)
        case "first_single":
            card = next(code for code in cards if cards.count(code) == 1)
            return Call(card, bytes([card]))
        case "random_single":
            return Call(None, b"")


def _first_dealt(cards: bytes) -> Call:
    """dagong-3.2, 3.3: a doubled card is void, the card after its second copy is next."""
    trail = bytearray()
    i = 0
    while i < len(cards):
        trail.append(cards[i])
        if cards.count(cards[i]) == 1:
            return Call(cards[i], bytes(trail))
        i = max(i, cards.rindex(cards[i])) + 1
    return Call(None, bytes(trail))
