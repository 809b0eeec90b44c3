"""Card codes and their notation: one byte a card, `5h Td Bj` in text.

A code is `rank * 4 + suit` with ranks 3…A, 2 as 0…12 and suits d c h s as 0…3; 52 is 小王 `Bj`,
53 is 大王 `Rj`. Copies from different decks have the same code.
"""

from typing import Annotated

from msgspec import Meta

RANKS = "3456789TJQKA2"
SUITS = "dchs"
N_FACES = 54
BLACK_JOKER = 52
RED_JOKER = 53

Card = Annotated[int, Meta(ge=0, lt=N_FACES)]
Cards = bytes
"""Cards in the order in which they were logged, one byte each."""

FACES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "Bj", "Rj")
"""Notation of every code, in code order."""

ALL_CODES = bytes(range(N_FACES))
_CODE = {face: code for code, face in enumerate(FACES)}


def parse_card(text: str) -> int:
    """The code of one face such as `5h`; ValueError names what is not a card."""
    try:
        return _CODE[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a card") from None


def parse_cards(text: str) -> Cards:
    """The codes of faces separated by spaces, in that order; `""` is no cards; ValueError."""
    return bytes(map(parse_card, text.split()))


def card_text(code: int) -> str:
    """Notation of one code; ValueError for a code that is no card."""
    if not 0 <= code < N_FACES:
        raise ValueError(f"{code} is not a card code (0..{N_FACES - 1})")
    return FACES[code]


def cards_text(cards: Cards) -> str:
    """Notation of the cards in their order, faces separated by one space; ValueError."""
    return " ".join(map(card_text, cards))


def foreign_codes(cards: Cards) -> bytes:
    """The bytes of `cards` that are no card code: empty for good cards."""
    return cards.translate(None, ALL_CODES)


def rank(code: int) -> int:
    """0 for a 3 … 12 for a 2; 13 for either joker."""
    return code >> 2


def suit(code: int) -> int:
    """0 diamonds, 1 clubs, 2 hearts, 3 spades; meaningless for jokers."""
    return code & 3
