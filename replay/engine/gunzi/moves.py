"""Legal acts, up to a stated sample where there are too many to list.

Shows, tribute, burials of jokers and leads are all there, and answers of one card. Of longer
answers there are those of one type and the weakest, cheapest and richest others; of the dealer's
burial and of a free return there is one.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

from replay.engine.gunzi.bottom import most_buried, pick_table, pickable, smallest_picks
from replay.engine.gunzi.following import broken
from replay.engine.gunzi.order import TRUMP, Context, smallest
from replay.engine.gunzi.states import Asking, Paying, Playing, Returning, Setting
from replay.engine.gunzi.tribute import owed, payable_of
from replay.engine.mechanics.holding import pack_dealt, unpack
from replay.engine.mechanics.points import points
from schema.cards import BLACK_JOKER


def leads(holding: bytes) -> Iterator[bytes]:
    """gunzi-6.2: every single, pair and triple, also those cut out of more."""
    for n in (1, 2, 3):
        yield from (bytes([face] * n) for face in sorted(set(holding)) if holding.count(face) >= n)


def answers(state: Playing) -> Iterator[bytes]:
    """Answers to a lead: all of them to a single, else a sample, of which every one is legal."""
    context, options = state.table.context, state.table.setting.house.options
    holding = state.holdings[state.turn]
    n, suit = len(state.plays[0]), context.order.suit[state.plays[0][0]]
    seen: set[bytes] = set()
    for cards in _candidates(context, unpack(holding), suit, n):
        answer = bytes(sorted(cards))
        if answer in seen:
            continue
        seen.add(answer)
        if broken(options, context, suit, n, holding, pack_dealt(answer)) is None:
            yield answer


def _candidates(context: Context, hand: bytes, suit: int, n: int) -> Iterator[bytes]:
    if n == 1:
        yield from (bytes([face]) for face in sorted(set(hand)))
        return
    yield from (cards for cards in leads(hand) if len(cards) == n)
    held = bytes(code for code in hand if context.order.suit[code] == suit)
    rest = bytes(code for code in hand if context.order.suit[code] != suit)
    if len(held) < n:
        yield from (held + fill for fill in _fills(context, rest, n - len(held)))
        return
    yield from _fills(context, held, n)
    for pair in leads(held):
        if len(pair) == 2 and n == 3:
            left = list(held)
            left.remove(pair[0])
            left.remove(pair[0])
            yield from (pair + bytes([face]) for face in sorted(set(left)))
    yield from _shielded(context, held, rest, n)


def _shielded(context: Context, held: bytes, rest: bytes, n: int) -> Iterator[bytes]:
    """Fewer cards of the suit than there are, for a house where a triple need not be cut."""
    loose = bytes(code for code in held if held.count(code) < 3)
    if len(loose) < n <= len(loose) + len(rest):
        yield from (loose + fill for fill in _fills(context, rest, n - len(loose)))


def _fills(context: Context, cards: bytes, n: int) -> Iterator[bytes]:
    """The weakest cards, the weakest without points, those with most points, the strongest."""

    def weak(code: int) -> tuple[int, int]:
        return context.height[code], code

    def worth(code: int) -> int:
        return points(bytes([code]))

    keys: tuple[Callable[[int], tuple[int, ...]], ...] = (
        weak,
        lambda code: (worth(code), *weak(code)),
        lambda code: (-worth(code), *weak(code)),
        lambda code: (-context.height[code], code),
    )
    for key in keys:
        yield bytes(sorted(cards, key=key)[:n])


def tributes(state: Paying) -> Iterator[bytes]:
    """gunzi-9.5, 9.7: every right payment: the largest, up to the choice among equal cards."""
    setting = state.setting
    payables = payable_of(setting, setting.deal.hands[setting.payer])
    yield from _up_to_equals(setting.context.height, payables, owed(setting))


def _up_to_equals(table: bytes, cards: bytes, best: bytes) -> Iterator[bytes]:
    """Every set of the cards that `table` holds as high as `best`."""
    if not best:
        yield b""
        return
    edge = table[best[-1]]
    sure = bytes(code for code in best if table[code] != edge)
    equal = sorted(code for code in cards if table[code] == edge)
    found = dict.fromkeys(combinations(equal, len(best) - len(sure)))
    yield from (bytes(sorted(sure + bytes(some))) for some in found)


def returns(state: Returning) -> Iterator[bytes]:
    """What the dealer may return: of a free choice one, else all that the house lets him."""
    setting, n = state.setting, len(state.setting.paid)
    hand = unpack(state.holdings[setting.dealer])
    match setting.house.options.tribute_return:
        case "smallest":
            best = smallest(setting.context, hand, n)
            yield from _up_to_equals(setting.context.height, hand, best)
        case "non_point":
            yield cheapest(setting, bytes(code for code in hand if not points(bytes([code]))), n)
        case "any":
            yield cheapest(setting, hand, n)


def cheapest(setting: Setting, hand: bytes, n: int) -> bytes:
    """The weakest side cards without points: what gives nothing away."""
    context = setting.context

    def value(code: int) -> tuple[bool, int, int, int]:
        is_trump = context.order.suit[code] == TRUMP
        return is_trump, points(bytes([code])), context.height[code], code

    return bytes(sorted(sorted(hand, key=value)[:n]))


def joker_burials(state: Asking) -> Iterator[tuple[bytes, bytes]]:
    """gunzi-5.10 to 5.12: every (jokers, picked) of the seat asked, big jokers first."""
    hand = unpack(state.holdings[state.asked[0]])
    table = pick_table(state.setting.house.options, state.setting.context)
    held = sorted((code for code in hand if code >= BLACK_JOKER), reverse=True)
    for n in range(1, min(len(held), most_buried(state)) + 1):
        best = smallest_picks(table, state.bottom, n)
        for picked in _up_to_equals(table, pickable(state.bottom), best):
            yield bytes(held[:n]), picked
