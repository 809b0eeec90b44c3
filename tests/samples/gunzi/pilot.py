"""How seats of 四副滚子 play where nothing is written down: the leader triples, the others points.

It sees all cards, and keeps those that a seat lays later. Nobody beats a trick who need not.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from replay.engine.gunzi.following import broken
from replay.engine.gunzi.order import TRUMP
from replay.engine.gunzi.playing import winner
from replay.engine.gunzi.states import Playing
from replay.engine.mechanics.holding import pack_dealt, unpack
from replay.engine.mechanics.points import points

_MOST_TRIED = 2_000


def lead(state: Playing, kept: bytes) -> bytes:
    """The most equal cards, of these the strongest; b"" if all that is held is kept."""
    height, free = state.table.context.height, _free(state, kept)
    faces = set(free)
    if not faces:
        return b""
    best = max(faces, key=lambda face: (free.count(face), height[face], face))
    return bytes([best]) * free.count(best)


def answer(state: Playing, kept: bytes) -> bytes:
    """A legal answer; if possible of cards that are not kept, no winner, and rich in points."""
    held, free = unpack(state.holdings[state.turn]), _free(state, kept)
    found = [next(_legal(state, cards), None) for cards in (free, held)]
    cards = next((cards for cards in found if cards is not None), None)
    assert cards is not None, f"seat {state.turn} has no answer"
    return cards


def _free(state: Playing, kept: bytes) -> bytes:
    left = Counter(unpack(state.holdings[state.turn])) - Counter(kept)
    return bytes(sorted(left.elements()))


def _legal(state: Playing, cards: bytes) -> Iterator[bytes]:
    """The legal answers out of these cards, those that do not win first."""
    context, options = state.table.context, state.table.setting.house.options
    holding, n = state.holdings[state.turn], len(state.plays[0])
    suit = context.order.suit[state.plays[0][0]]
    winning = []
    for some in _tried(_by_worth(state, cards, suit), n):
        if broken(options, context, suit, n, holding, pack_dealt(some)) is not None:
            continue
        if winner(context, (*state.plays, some)) < len(state.plays):
            yield some
        else:
            winning.append(some)
    yield from winning


def _by_worth(state: Playing, cards: bytes, suit: int) -> bytes:
    """Cards of the suit first, trumps last; within them points first, then the lowest."""
    context = state.table.context

    def key(code: int) -> tuple[bool, bool, int, int, int]:
        own = context.order.suit[code]
        return own != suit, own == TRUMP, -points(bytes([code])), context.height[code], code

    ordered: list[int] = sorted(cards, key=key)
    return bytes(ordered)


def _tried(cards: bytes, n: int) -> Iterator[bytes]:
    """Sets of `n` of the cards, the first of them first."""
    some: Iterable[tuple[int, ...]] = combinations(cards, n)
    for count, chosen in enumerate(dict.fromkeys(some) if len(cards) < 20 else some):
        if count > _MOST_TRIED:
            return
        yield bytes(chosen)
