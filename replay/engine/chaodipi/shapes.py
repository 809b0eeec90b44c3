"""牌型: single, pair, tractor, throw and 5.10.K (chaodipi-6): the one decomposition of a set."""

from msgspec import Struct

from replay.engine.chaodipi.order import NO_PLACE, Context
from replay.engine.mechanics.order import one_suit, strongest
from replay.engine.mechanics.ranks import RANK_OF
from replay.engine.mechanics.runs import Lengths, runs
from schema.cards import RANKS

WSK = frozenset(RANKS.index(rank) for rank in "5TK")
_WSKS = tuple(bytes(rank * 4 + suit for rank in sorted(WSK)) for suit in range(4))


class Component(Struct, frozen=True):
    """A part of a set: 0 pairs = a single, 1 = a pair, more = a tractor of so many pairs."""

    pairs: int
    cards: bytes
    strength: int


class Shape(Struct, frozen=True):
    """A lead: its effective suit, its parts, longest first, and the lengths to be matched.

    `slots` are the lengths in pairs of its tractors and pairs. A 5.10.K has no slots.
    """

    suit: int
    cards: bytes
    parts: tuple[Component, ...]
    slots: Lengths
    is_wsk: bool


_SLOTS: tuple[Lengths, Lengths] = ((), (1,))
"""Of a single and of a pair, the most frequent leads."""


def shape(context: Context, cards: bytes) -> Shape | None:
    """The shape of cards as a lead; None if they are not of one effective suit (chaodipi-7.2)."""
    if len(cards) in (1, 2) and cards[0] == cards[-1]:
        face = cards[0]
        part = Component(len(cards) - 1, cards, context.order.strength[face])
        return Shape(context.order.suit[face], cards, (part,), _SLOTS[len(cards) - 1], False)
    suit = one_suit(context.order, cards)
    if suit is None:
        return None
    if is_wsk(context, cards):
        singles = tuple(_single(context, code) for code in cards)
        return Shape(suit, cards, singles, (), True)
    parts = components(context, cards)
    return Shape(suit, cards, parts, tuple(part.pairs for part in parts if part.pairs), False)


def components(context: Context, cards: bytes) -> tuple[Component, ...]:
    """chaodipi-6.7: maximal runs of pairs are tractors, other pairs are pairs, the rest singles.

    All of one effective suit; longest first, then strongest.
    """
    found = [
        Component(len(run), pair_cards(run), run_strength(context, run))
        for run in pair_runs(context, cards)
    ]
    found += [_single(context, code) for code in cards if cards.count(code) == 1]
    return tuple(sorted(found, key=lambda part: (-part.pairs, -part.strength, part.cards)))


def _single(context: Context, code: int) -> Component:
    return Component(0, bytes([code]), context.order.strength[code])


def pair_cards(run: bytes) -> bytes:
    """The cards of pairs, from one face each."""
    return bytes(code for face in run for code in (face, face))


def pair_faces(cards: bytes) -> bytes:
    """The faces held twice."""
    return bytes(code for code in set(cards) if cards.count(code) == 2)


def pair_runs(context: Context, cards: bytes) -> tuple[bytes, ...]:
    """The runs of neighbouring pairs among cards of one suit, as faces, longest first."""
    faces = pair_faces(cards)
    if not faces:
        return ()
    place = context.place
    placed = {place[face]: face for face in faces if place[face] != NO_PLACE}
    return runs(placed, bytes(face for face in faces if place[face] == NO_PLACE))


def run_strength(context: Context, run: bytes) -> int:
    """chaodipi-6.10: how strong a pair or tractor is, by its strongest card or printed rank."""
    table = context.height if len(run) > 1 else context.order.strength
    return max(run.translate(table))


def segments(context: Context, run: bytes, length: int) -> list[tuple[int, int]]:
    """Where in a run a tractor of `length` pairs can be cut, with its strength."""
    return [
        (start, run_strength(context, run[start : start + length]))
        for start in range(len(run) - length + 1)
    ]


def lengths(found: tuple[bytes, ...]) -> Lengths:
    """The lengths of runs, in pairs."""
    return tuple(map(len, found))


def is_wsk(context: Context, cards: bytes) -> bool:
    """chaodipi-6.9: exactly 5 10 K of one printed suit that also have one effective suit."""
    return (
        len(cards) == 3
        and set(cards.translate(RANK_OF)) == WSK
        and len({code & 3 for code in cards}) == 1
        and one_suit(context.order, cards) is not None
    )


def wsks(context: Context, cards: bytes) -> list[bytes]:
    """Every 5.10.K that is among the cards, by printed suit."""
    held = set(cards)
    return [wsk for wsk in _WSKS if held.issuperset(wsk) and is_wsk(context, wsk)]


def is_throw(lead: Shape) -> bool:
    """chaodipi-6.8: two or more components; a 5.10.K is none."""
    return len(lead.parts) > 1 and not lead.is_wsk


def top_strength(context: Context, cards: bytes) -> int:
    """The strength of the strongest of cards of one suit."""
    return strongest(context.order, cards)
