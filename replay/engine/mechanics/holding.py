"""手牌 as one int: a multiset of faces, three bits a face (two of count, one guard).

The guard bit of every face is always set, so one subtraction takes cards away and one mask
says whether each of them was there.
"""

from itertools import compress

from schema.cards import ALL_CODES, N_FACES

_UNIT = tuple(1 << 3 * code for code in range(N_FACES))
_ONES = sum(_UNIT)
_TWOS = _ONES << 1
_GUARDS = _ONES << 2
MAX_COPIES = 3
"""Two bits of count: up to three copies of a face."""

_AT_LEAST = tuple(
    bytes(digit >= ord("4") + n for digit in range(256)) for n in range(1, MAX_COPIES + 1)
)

EMPTY = _GUARDS
"""The holding without cards."""


def pack(cards: bytes, copies: int) -> int:
    """The cards as an int to give to `without` and `with_cards`; `copies` = decks in play.

    ValueError for a code that is no card or for more copies of a face than there are decks:
    beyond them the counts would run into the guard bits and pass for cards held.
    """
    assert 1 <= copies <= MAX_COPIES
    if len(cards) == 1 and cards[0] < N_FACES:
        return _UNIT[cards[0]]
    faces = set(cards)
    if faces and max(faces) >= N_FACES:
        raise ValueError(f"{max(faces)} is not a card code (0..{N_FACES - 1})")
    if len(cards) - len(faces) >= copies:
        for code in faces:
            if cards.count(code) > copies:
                raise ValueError(f"more than {copies} copies of card code {code}")
    return pack_dealt(cards)


def pack_dealt(cards: bytes) -> int:
    """`pack` for part of a deck that was checked as a whole: nothing can be too many."""
    packed = 0
    for code in cards:
        packed += _UNIT[code]
    return packed


def without(holding: int, packed: int) -> int:
    """The holding after the packed cards left it; -1 if it does not hold them all."""
    rest = holding - packed
    return rest if rest & _GUARDS == _GUARDS else -1


def left_by(holding: int, cards: bytes, copies: int) -> int:
    """The holding after cards of any kind left it, with so many decks; -1 if it lacks any."""
    try:
        return without(holding, pack(cards, copies))
    except ValueError:
        return -1


def with_cards(holding: int, packed: int) -> int:
    """The holding after the packed cards came to it (no more copies than decks in all)."""
    return holding + packed


def count(holding: int, code: int) -> int:
    """How many copies of one face are held."""
    return holding >> 3 * code & 3


def size(holding: int) -> int:
    """How many cards are held, or packed."""
    return (holding & _ONES).bit_count() + 2 * (holding & _TWOS).bit_count()


def masks(classes: bytes, n_classes: int) -> tuple[int, ...]:
    """For each class of faces (`classes` by code) a mask: a holding & that is what is held of it.

    What is held is packed.
    """
    found = [0] * n_classes
    for number, unit in zip(classes, _UNIT, strict=False):
        found[number] += MAX_COPIES * unit
    return tuple(found)


def n_exact_pairs(held: int) -> int:
    """How many faces are held twice and no more."""
    return (held & _TWOS & ~((held & _ONES) << 1)).bit_count()


def n_triples(held: int) -> int:
    """How many faces are held three times."""
    return (held & _TWOS & (held & _ONES) << 1).bit_count()


def n_pairs(held: int) -> int:
    """How many faces are held at least twice, of a holding or of packed cards."""
    return (held & _TWOS).bit_count()


def unpack(holding: int) -> bytes:
    """The cards held, by ascending code."""
    # three bits a face are one octal digit: 4 with the guard bit and no copy, 5 with one …
    digits = (b"%o" % holding)[::-1]
    held = [
        code for at_least in _AT_LEAST for code in compress(ALL_CODES, digits.translate(at_least))
    ]
    return bytes(sorted(held))


def missing(holding: int, cards: bytes) -> bytes:
    """Those of `cards` that the holding lacks, ascending: the proof of a play not held."""
    return bytes(
        code
        for code in sorted(set(cards))
        for _ in range(cards.count(code) - (count(holding, code) if code < N_FACES else 0))
    )
