"""What a seat of 四副滚子 can know, and what it makes of it: odds, and what its cards are worth.

Known are the own cards, the table, what has been played, and a bottom that lies open or that the
seat has buried; the rest lies with the others, or in the bottom.
"""

from functools import cache

from msgspec import Struct

from replay.engine.gunzi.order import TRUMP, Context, context
from replay.engine.gunzi.states import Playing, side
from replay.engine.mechanics.holding import (
    EMPTY,
    count,
    masks,
    n_exact_pairs,
    n_triples,
    pack_dealt,
    size,
)
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from schema.cards import ALL_CODES

WORTH = bytes(points(bytes([code])) for code in ALL_CODES)
"""分 by card code."""
_LATE = 8
"""With so few cards the last trick is in sight: what may win it is kept."""
_PAIRS_OF_THREE = 3
"""How many pairs three copies make."""


class Sight(Struct, frozen=True, eq=False):
    """The table as the seat in turn sees it; cards are packed.

    `mine` are its cards, `unseen` those that it cannot see; `share` is the part of these that one
    other seat holds; `left` is how many cards it still has. `higher` are masks by face of what is
    higher in its suit. `values` are what single cards are good for, as far as was asked.
    """

    state: Playing
    seat: int
    context: Context
    higher: tuple[int, ...]
    mine: int
    unseen: int
    share: float
    left: int
    n_trumps: int
    n_unseen_trumps: int
    is_dealer_side: bool
    values: dict[int, float]

    def is_foe(self, seat: int) -> bool:
        """Whether a seat is of the other side."""
        return side(seat) != side(self.seat)


def sight(state: Playing) -> Sight:
    """What the seat in turn makes of the table."""
    seat, table = state.turn, state.table
    mine = state.holdings[seat] - EMPTY
    unseen = sum(state.holdings) - N_SEATS * EMPTY - mine
    if not table.is_public and seat != table.setting.dealer:
        unseen += pack_dealt(table.bottom)
    left, n_unseen = size(mine), size(unseen)
    trumps = table.context.masks[TRUMP]
    return Sight(
        state=state,
        seat=seat,
        context=table.context,
        higher=_higher(table.context.level, table.context.trump),
        mine=mine,
        unseen=unseen,
        share=min(1.0, left / n_unseen) if n_unseen else 0.0,
        left=left,
        n_trumps=size(mine & trumps),
        n_unseen_trumps=size(unseen & trumps),
        is_dealer_side=side(seat) == side(table.setting.dealer),
        values={},
    )


@cache
def _higher(level: int, trump: int) -> tuple[int, ...]:
    """By face: a mask of the faces of its suit that are higher."""
    of = context(level, trump)
    suit, height = of.order.suit, of.height

    def is_higher(face: int, than: int) -> bool:
        return suit[face] == suit[than] and height[face] > height[than]

    return tuple(
        masks(bytes(is_higher(face, than) for face in ALL_CODES), 2)[1] for than in ALL_CODES
    )


def stands(of: Sight, face: int, n: int, n_seats: int) -> float:
    """The odds that none of so many seats has `n` cards of one higher face of the same suit."""
    higher = of.unseen & of.higher[face]
    if n_seats == 0 or not higher:
        return 1.0
    match n:
        case 1:
            ways = size(higher)
        case 2:
            ways = n_exact_pairs(higher) + _PAIRS_OF_THREE * n_triples(higher)
        case _:
            ways = n_triples(higher)
    return float((1 - min(1.0, n_seats * of.share**n)) ** ways)


def is_void(of: Sight, suit: int) -> float:
    """The odds that a given other seat has no card of a suit."""
    return float((1 - of.share) ** size(of.unseen & of.context.masks[suit]))


def can_ruff(of: Sight, suit: int, n: int) -> float:
    """The odds that a given other seat ruffs a lead of `n` cards of a side suit."""
    if suit == TRUMP or of.n_unseen_trumps < n:
        return 0.0
    able = (1.0, 0.5, 0.12)[n - 1]
    return float(is_void(of, suit) * able * (1 - (1 - of.share) ** of.n_unseen_trumps))


def keep_value(of: Sight, cards: bytes) -> float:
    """What the cards would be good for later, points apart: tricks, ruffs, the last trick."""
    total = 0.0
    for code in cards:
        total += card_value(of, code)
    for code in set(cards):
        held = count(of.mine, code)
        if held > cards.count(code):
            total += 0.8 * (held - 1)
    return total


def card_value(of: Sight, code: int) -> float:
    """What one card is good for: trumps ruff, high cards win, more so towards the end."""
    found = of.values.get(code)
    if found is None:
        found = of.values[code] = _card_value(of, code)
    return found


def _card_value(of: Sight, code: int) -> float:
    suit, height = of.context.order.suit[code], of.context.height[code]
    higher = size(of.unseen & of.higher[code])
    if suit != TRUMP:
        return float(2.0 * 0.6**higher + 0.03 * height)
    late = 1.6 if of.left <= _LATE else 1.0
    return float(late * (1.5 + 4.5 * 0.8**higher) + 0.02 * height)
