"""Effective suits and strengths from a literal list of tiers: what beats what, and follows what."""

from collections.abc import Sequence

from msgspec import Struct

from schema.cards import N_FACES

NO_SUIT = 255


class CardOrder(Struct, frozen=True, eq=False):
    """Tables by card code: `suit` is the effective suit, `strength` is comparable within a suit."""

    suit: bytes
    strength: bytes


def order_of(suits: Sequence[Sequence[bytes]]) -> CardOrder:
    """The order in which `suits[k]` lists the tiers of effective suit k, from the top down.

    Cards of one tier are equal. A face that is listed nowhere belongs to no suit.
    """
    suit, strength = bytearray([NO_SUIT] * N_FACES), bytearray(N_FACES)
    for number, tiers in enumerate(suits):
        for height, tier in enumerate(reversed(tiers), 1):
            for code in tier:
                assert suit[code] == NO_SUIT, "a face has one place in the order"
                suit[code], strength[code] = number, height
    padding = bytes(range(N_FACES, 256))
    return CardOrder(bytes(suit) + padding, bytes(strength) + padding)


def one_suit(order: CardOrder, cards: bytes) -> int | None:
    """The effective suit that all the cards have; None if they have several, or are none."""
    suits = set(cards.translate(order.suit))
    return suits.pop() if len(suits) == 1 else None


def of_suit(order: CardOrder, cards: bytes, suit: int) -> bytes:
    """Those of the cards that are of an effective suit."""
    return bytes([code for code in cards if order.suit[code] == suit])


def strongest(order: CardOrder, cards: bytes) -> int:
    """The strength of the strongest card."""
    return max(cards.translate(order.strength))


def ascending(order: CardOrder, cards: bytes) -> bytes:
    """Cards by effective suit, the weakest first; equal ones by code."""
    return bytes(sorted(cards, key=lambda code: (order.suit[code], order.strength[code], code)))


def suit_sizes(order: CardOrder, cards: bytes) -> tuple[int, ...]:
    """How many cards there are of each effective suit that they have, in the order of suits."""
    suits = cards.translate(order.suit)
    return tuple(suits.count(suit) for suit in sorted(set(suits)))
