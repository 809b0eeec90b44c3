"""What a seat of 四副滚子 can know, and what it makes of it: odds, and what its cards are worth.

Known are the own cards, the table, what has been played, and a bottom that lies open or that the
seat has buried; the rest lies with the others, or in the bottom.
"""

from msgspec import Struct

from replay.engine.gunzi.order import TRUMP, Context
from replay.engine.gunzi.states import Playing, side
from replay.engine.mechanics.holding import EMPTY, pack_dealt, size, unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from schema.cards import ALL_CODES

Suits = tuple[bytes, bytes, bytes, bytes, bytes]
"""Cards by effective suit, weakest first."""
WORTH = bytes(points(bytes([code])) for code in ALL_CODES)
"""分 by card code."""
_LATE = 8
"""With so few cards the last trick is in sight: what may win it is kept."""
_PAIRS_OF, _TRIPLES_OF = (0, 0, 1, 3), (0, 0, 0, 1)
"""How many pairs and triples so many copies make."""


class Sight(Struct, frozen=True, eq=False):
    """The table as the seat in turn sees it.

    `mine` are its cards, `unseen` those that it cannot see; `share` is the part of these that one
    other seat holds; `left` is how many cards it still has.
    """

    state: Playing
    seat: int
    context: Context
    mine: Suits
    unseen: Suits
    share: float
    left: int
    is_dealer_side: bool

    def is_foe(self, seat: int) -> bool:
        """Whether a seat is of the other side."""
        return side(seat) != side(self.seat)


def sight(state: Playing) -> Sight:
    """What the seat in turn makes of the table."""
    seat, table = state.turn, state.table
    hidden = sum(state.holdings[s] - EMPTY for s in range(N_SEATS) if s != seat)
    if not table.is_public and seat != table.setting.dealer:
        hidden += pack_dealt(table.bottom)
    unseen = unpack(EMPTY + hidden)
    left = size(state.holdings[seat])
    return Sight(
        state=state,
        seat=seat,
        context=table.context,
        mine=by_suit(table.context, unpack(state.holdings[seat])),
        unseen=by_suit(table.context, unseen),
        share=left / len(unseen) if unseen else 0.0,
        left=left,
        is_dealer_side=side(seat) == side(table.setting.dealer),
    )


def by_suit(context: Context, cards: bytes) -> Suits:
    """Cards by effective suit, weakest first, those without points before their equals."""
    suit, height = context.order.suit, context.height
    held: tuple[list[int], ...] = ([], [], [], [], [])
    for code in sorted(cards, key=lambda code: (height[code], WORTH[code], code)):
        held[suit[code]].append(code)
    a, b, c, d, trumps = map(bytes, held)
    return a, b, c, d, trumps


def above(of: Sight, suit: int, face: int) -> int:
    """How many unseen cards of a suit are higher than a face."""
    least = of.context.height[face]
    return sum(height > least for height in of.unseen[suit].translate(of.context.height))


def stands(of: Sight, face: int, n: int, n_seats: int) -> float:
    """The odds that none of so many seats has `n` cards of one higher face of the same suit."""
    suit = of.context.order.suit[face]
    unseen = of.unseen[suit]
    if n_seats == 0 or not unseen:
        return 1.0
    share = min(1.0, n_seats * of.share)
    if n == 1:
        return float((1 - share) ** above(of, suit, face))
    height, ways = of.context.height, (_PAIRS_OF, _TRIPLES_OF)[n - 2]
    higher = sum(ways[unseen.count(other)] for other in set(unseen) if height[other] > height[face])
    return float((1 - min(1.0, n_seats * of.share**n)) ** higher)


def is_void(of: Sight, suit: int) -> float:
    """The odds that a given other seat has no card of a suit."""
    return float((1 - min(1.0, of.share)) ** len(of.unseen[suit]))


def can_ruff(of: Sight, suit: int, n: int) -> float:
    """The odds that a given other seat ruffs a lead of `n` cards of a side suit."""
    n_trumps = len(of.unseen[TRUMP])
    if suit == TRUMP or n_trumps < n:
        return 0.0
    able = (1.0, 0.5, 0.12)[n - 1]
    return float(is_void(of, suit) * able * (1 - (1 - min(1.0, of.share)) ** n_trumps))


def keep_value(of: Sight, cards: bytes) -> float:
    """What the cards would be good for later, points apart: tricks, ruffs, the last trick."""
    total = 0.0
    for code in cards:
        total += card_value(of, code)
    for code in set(cards):
        held = of.mine[of.context.order.suit[code]].count(code)
        if held > cards.count(code):
            total += 0.8 * (held - 1)
    return total


def card_value(of: Sight, code: int) -> float:
    """What one card is good for: trumps ruff, high cards win, more so towards the end."""
    suit = of.context.order.suit[code]
    higher, height = above(of, suit, code), of.context.height[code]
    if suit != TRUMP:
        return 2.0 * 0.6**higher + 0.03 * height
    late = 1.6 if of.left <= _LATE else 1.0
    return float(late * (1.5 + 4.5 * 0.8**higher) + 0.02 * height)
