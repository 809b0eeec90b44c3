"""What is still out: the cards that a seat has not seen go, as counts of faces and no more.

Nothing but the arithmetic of a player who counts: all cards of the deal, less what has been
played, less the own hand, less what lies in a bottom that the seat has seen.
"""

from collections.abc import Callable

from replay.engine.board import Board, Bottom, Phrase
from schema.cards import BLACK_JOKER, N_FACES, suit

N_SEATS, N_SUITS = 4, 4
IN_A_HAND = "bottom.taken"
"""The label of a bottom that a seat has taken up: its cards are counted with that seat's hand."""


def out_of(full: Board, seen: Board, eye: int) -> bytes:
    """How often each face is out for seat `eye`: 54 counts, in the other hands or unseen below.

    `full` is the board with all cards, `seen` the same one as the seat sees it.
    """
    counts = [0] * N_FACES
    for view in full.seats:
        if view.seat != eye:
            for code in view.cards or b"":
                counts[code] += 1
    if seen.bottom is not None and seen.bottom.cards is None:
        for code in face_down(full.bottom):
            counts[code] += 1
    return bytes(counts)


def face_down(full: Bottom | None) -> bytes:
    """The cards of a bottom that lie face down for whoever does not know it, turned ones left out.

    None of them do while somebody has taken the bottom up.
    """
    if full is None or full.cards is None or lies_in_a_hand(full):
        return b""
    left = bytearray(full.cards)
    for code in full.turned:
        left.remove(code)
    return bytes(left)


def lies_in_a_hand(bottom: Bottom) -> bool:
    """Whether somebody has taken the bottom up and not laid it away again."""
    return bottom.label is not None and bottom.label.key == IN_A_HAND


def knowers(full: Board, view: Callable[[int], Board]) -> tuple[int, ...]:
    """The seats that see the bottom as it lies now; `view` is the board of a seat."""
    if full.bottom is None or lies_in_a_hand(full.bottom):
        return ()
    bottoms = ((seat, view(seat).bottom) for seat in range(N_SEATS))
    return tuple(seat for seat, below in bottoms if below and below.cards is not None)


def trump_faces(order: bytes | None, trump: Phrase | None) -> bytes:
    """The faces of an order that are trumps as far as is known, from low to high.

    An order lists the side suits first, each in one run, and the trumps last: behind three runs
    where a suit is trump, behind four where none is, or none yet. Without an order none are.
    """
    runs = 3 if trump is not None and dict(trump.slots).get("suit") else 4
    before = None
    for at, code in enumerate(order or b""):
        here = N_SUITS if code >= BLACK_JOKER else suit(code)
        if here != before:
            before, runs = here, runs - 1
            if runs < 0:
                return (order or b"")[at:]
    return b""
