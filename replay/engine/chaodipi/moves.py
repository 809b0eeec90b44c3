"""Legal acts, up to a stated sample where there are too many to list.

Shows and single, pair, tractor and 5.10.K leads are all there; of throws there is none. Of answers
there are those with the fewest points and the weakest cards around every group that is owed.
"""

from collections.abc import Iterator
from itertools import combinations

from replay.engine.chaodipi.following import broken
from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.shapes import (
    Shape,
    pair_cards,
    pair_faces,
    pair_runs,
    wsks,
)
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.points import points
from replay.engine.mechanics.runs import best_cut
from schema.options import ChaodipiOptions

_MOST_TRIED = 2000
"""Answers that are tried before the listing stops looking."""


def leads(context: Context, holding: bytes) -> Iterator[bytes]:
    """Every lead of one component: each face, pair, tractor and 5.10.K."""
    yield from (bytes([face]) for face in sorted(set(holding)))
    yield from (bytes([face, face]) for face in sorted(pair_faces(holding)))
    for suit in range(TRUMP + 1):
        for run in pair_runs(context, of_suit(context.order, holding, suit)):
            for length in range(2, len(run) + 1):
                for start in range(len(run) - length + 1):
                    yield pair_cards(run[start : start + length])
    yield from wsks(context, holding)


def answers(
    options: ChaodipiOptions, context: Context, holding: bytes, lead: Shape
) -> Iterator[bytes]:
    """Answers to a lead: all of them to a single, else a sample, of which every one is legal."""
    n = len(lead.cards)
    if n == 1:
        held = of_suit(context.order, holding, lead.suit) or holding
        yield from (bytes([face]) for face in sorted(set(held)))
        return
    seen: set[bytes] = set()
    found = False
    for cards in _candidates(context, holding, lead):
        answer = bytes(sorted(cards))
        if answer in seen:
            continue
        seen.add(answer)
        if broken(context, options.second_trump_wsk, holding, lead, answer) is None:
            found = True
            yield answer
    if not found:
        yield _owed(context, holding, lead)


def _owed(context: Context, holding: bytes, lead: Shape) -> bytes:
    """One legal answer: the best cut of the suit's pairs, then its weakest cards."""
    held = of_suit(context.order, holding, lead.suit)
    groups = pair_cards(best_cut(pair_runs(context, held), lead.slots))
    fill = next(_fills(context, _without(held, groups), len(lead.cards) - len(groups)))
    return bytes(sorted(groups + fill))


def _candidates(context: Context, holding: bytes, lead: Shape) -> Iterator[bytes]:
    """Sets of the right size that are likely to be legal, the cheapest of a kind first."""
    n = len(lead.cards)
    held = of_suit(context.order, holding, lead.suit)
    if len(held) <= n:
        yield from _filled(context, held, _without(holding, held), n)
        return
    tried = 0
    for groups in _group_sets(context, held, lead):
        rest = _without(held, groups)
        for fill in _fills(context, rest, n - len(groups)):
            yield groups + fill
            tried += 1
            if tried > _MOST_TRIED:
                return


def _group_sets(context: Context, held: bytes, lead: Shape) -> Iterator[bytes]:
    """Cards of pairs that may be owed: every way to take as many pairs as the lead has."""
    if lead.is_wsk:
        yield from wsks(context, held)
        strength = context.order.strength
        yield bytes(sorted(held, key=lambda code: -strength[code])[: len(lead.cards)])
        yield b""
        return
    faces = sorted(pair_faces(held), key=lambda face: context.order.strength[face])
    owed = min(sum(lead.slots), len(faces))
    for chosen in combinations(faces, owed):
        yield pair_cards(bytes(chosen))


def _filled(context: Context, must: bytes, free: bytes, n: int) -> Iterator[bytes]:
    """All of the suit, and of the other cards a few fills: weakest, most points, trumps."""
    missing = n - len(must)
    for fill in _fills(context, free, missing):
        yield must + fill
    trumps = of_suit(context.order, free, TRUMP)
    if len(trumps) >= missing > 0:
        for fill in _fills(context, trumps, missing):
            yield must + fill


def _fills(context: Context, cards: bytes, n: int) -> Iterator[bytes]:
    """The weakest cards, the weakest without points, those with most points, the strongest."""
    if n == 0:
        yield b""
        return
    strength, suit = context.order.strength, context.order.suit

    def height(code: int) -> tuple[bool, int]:
        return suit[code] == TRUMP, strength[code]

    def worth(code: int) -> int:
        return points(bytes([code]))

    yield bytes(sorted(cards, key=height)[:n])
    yield bytes(sorted(cards, key=lambda code: (worth(code), height(code)))[:n])
    yield bytes(sorted(cards, key=lambda code: (-worth(code), height(code)))[:n])
    yield bytes(sorted(cards, key=height, reverse=True)[:n])
    if n == 1:
        yield from (bytes([face]) for face in sorted(set(cards)))


def _without(cards: bytes, taken: bytes) -> bytes:
    left = list(cards)
    for code in taken:
        left.remove(code)
    return bytes(left)


def burial(context: Context, holding: bytes, n: int) -> bytes:
    """A burial that gives nothing away: the weakest side cards without points."""
    strength, suit = context.order.strength, context.order.suit
    ordered = sorted(
        holding, key=lambda code: (suit[code] == TRUMP, points(bytes([code])), strength[code])
    )
    return bytes(sorted(ordered[:n]))
