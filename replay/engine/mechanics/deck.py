"""The deck: whether cards are one, and which seat is dealt which of them."""

from replay.engine.mechanics.holding import EMPTY, MAX_COPIES, pack_dealt, with_cards
from replay.engine.mechanics.seats import N_SEATS, per_seat
from schema.cards import ALL_CODES

_WHOLE = tuple(bytes(sorted(ALL_CODES * packs)) for packs in range(MAX_COPIES + 1))
Hands = tuple[bytes, bytes, bytes, bytes]


def deck_fault(cards: bytes, packs: int) -> tuple[bytes, bytes] | None:
    """The faces missing from a deck of so many packs (expected) and those beyond it (found).

    None where the cards are that deck.
    """
    if bytes(sorted(cards)) == _WHOLE[packs]:
        return None
    lacking = bytes(c for c in ALL_CODES for _ in range(packs - cards.count(c)))
    surplus = bytes(c for c in sorted(set(cards)) for _ in range(cards.count(c) - packs))
    return lacking, surplus


def one_by_one(cards: bytes, start: int) -> Hands:
    """What each seat is dealt, in deal order: card k goes to the k-th seat from `start` on."""
    return per_seat([cards[(seat - start) % N_SEATS :: N_SEATS] for seat in range(N_SEATS)])


def held(hands: Hands) -> tuple[int, int, int, int]:
    """The cards of each seat as its holding."""
    return per_seat([with_cards(EMPTY, pack_dealt(cards)) for cards in hands])
