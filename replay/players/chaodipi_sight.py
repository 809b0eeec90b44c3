"""What a seat of 炒地皮 can know, and what it makes of it: odds, and what its cards are worth.

Known are the own cards, the table, and how many of each face nobody has played yet: those lie
with the others and, unless the seat buried itself, in the bottom.
"""

from msgspec import Struct

from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.shapes import Component, pair_faces, pair_runs, segments, wsks
from replay.engine.chaodipi.states import Playing, side
from replay.engine.mechanics.holding import EMPTY, pack_dealt, size, unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from schema.cards import ALL_CODES

N_SUITS = 5
Suits = tuple[bytes, bytes, bytes, bytes, bytes]
"""Cards by effective suit, weakest first."""
WORTH = bytes(points(bytes([code])) for code in ALL_CODES)
"""分 by card code."""
LATE = 6
"""With so few cards the last trick is in sight: what may win it is kept."""


class Sight(Struct, frozen=True, eq=False):
    """The table as the seat in turn sees it.

    `mine` are its cards, `unseen` those that it cannot see; `share` is the part of these that one
    other seat holds; `left` is how many cards a seat still has. `kept` are cards that an attacker
    would win the last trick with by a 5.10.K, and what is to give it the lead before.
    """

    state: Playing
    seat: int
    context: Context
    mine: Suits
    unseen: Suits
    share: float
    left: int
    is_dealer_side: bool
    kept: bytes

    def is_foe(self, seat: int) -> bool:
        """Whether a seat is of the other side."""
        return side(seat) != side(self.seat)


def sight(state: Playing) -> Sight:
    """What the seat in turn makes of the table."""
    seat = state.turn
    hidden = sum(state.holdings[s] - EMPTY for s in range(N_SEATS) if s != seat)
    if state.burier != seat:
        hidden += pack_dealt(state.bottom)
    unseen = unpack(EMPTY + hidden)
    left = size(state.holdings[seat])
    is_dealer_side = side(seat) == side(state.setting.dealer)
    mine = by_suit(state.context, unpack(state.holdings[seat]))
    unseen_suits = by_suit(state.context, unseen)
    return Sight(
        state=state,
        seat=seat,
        context=state.context,
        mine=mine,
        unseen=unseen_suits,
        share=left / len(unseen) if unseen else 0.0,
        left=left,
        is_dealer_side=is_dealer_side,
        kept=b"" if is_dealer_side else _kept(state, mine, unseen_suits[TRUMP]),
    )


def _kept(state: Playing, mine: Suits, unseen: bytes) -> bytes:
    """A 5.10.K and a trump that nothing can beat; early in the hand there must be more trumps."""
    if state.setting.house.options.last_trick_wsk == "off":
        return b""
    found = [wsk for held in mine for wsk in wsks(state.context, held)]
    strength = state.context.order.strength
    loose = [code for code in mine[TRUMP] if not found or code not in found[0]]
    tops = bytes(code for code in loose if above(state.context, unseen, strength[code]) == 0)
    is_late = sum(map(len, mine)) <= _KEEP_ONE
    is_able = bool(tops) and (is_late or len(loose) >= _KEEP_TRUMPS)
    return found[0] + tops[-1:] if found and is_able else b""


def by_suit(context: Context, cards: bytes) -> Suits:
    """Cards by effective suit, weakest first, those without points before their equals."""
    suit, strength = context.order.suit, context.order.strength
    held: tuple[list[int], ...] = ([], [], [], [], [])
    for code in sorted(cards, key=lambda code: (strength[code], WORTH[code])):
        held[suit[code]].append(code)
    a, b, c, d, trumps = map(bytes, held)
    return a, b, c, d, trumps


_KEEP_ONE = 12
_KEEP_TRUMPS = 4
"""With so few cards one sure trump is enough to hope for the last trick; else so many with it."""


# Odds


def above(context: Context, cards: bytes, strength: int) -> int:
    """How many of the cards, all of one suit, are stronger than that."""
    return sum(height > strength for height in cards.translate(context.order.strength))


def pairs_above(context: Context, cards: bytes, part: Component) -> int:
    """How many pairs or tractors as long are stronger, if all the cards were in one hand."""
    return sum(
        strength > part.strength
        for run in pair_runs(context, cards)
        for _, strength in segments(context, run, part.pairs)
    )


def is_top(of: Sight, suit: int, part: Component) -> bool:
    """Whether nothing unseen can beat a part of a throw, however the cards lie."""
    unseen = of.unseen[suit]
    if part.pairs == 0:
        return above(of.context, unseen, part.strength) == 0
    return pairs_above(of.context, unseen, part) == 0


def stands(of: Sight, suit: int, part: Component, n_seats: int) -> float:
    """The odds that none of so many seats holds a stronger card, pair or tractor of the suit."""
    unseen = of.unseen[suit]
    if n_seats == 0 or not unseen:
        return 1.0
    if part.pairs == 0:
        return float((1 - min(1.0, n_seats * of.share)) ** above(of.context, unseen, part.strength))
    one = n_seats * of.share ** (2 * part.pairs)
    return float((1 - min(1.0, one)) ** pairs_above(of.context, unseen, part))


def is_void(of: Sight, suit: int) -> float:
    """The odds that a given other seat has no card of a suit."""
    return float((1 - min(1.0, of.share)) ** len(of.unseen[suit]))


def can_ruff(of: Sight, suit: int, slots: tuple[int, ...], n_cards: int) -> float:
    """The odds that a given other seat ruffs a lead of a side suit."""
    n_trumps = len(of.unseen[TRUMP])
    if suit == TRUMP or n_trumps < n_cards:
        return 0.0
    odds = is_void(of, suit) * (1 - (1 - min(1.0, of.share)) ** n_trumps)
    for pairs in slots:
        odds *= 0.6 if pairs == 1 else 0.15
    n_singles = n_cards - 2 * sum(slots)
    return float(odds * 0.8 ** max(0, n_singles - 1))


# What cards are worth


_KEPT = 12.0
"""What a card is worth, in 分, that is kept for the last trick."""


def keep_value(of: Sight, cards: bytes) -> float:
    """What the cards would be good for later, points apart: tricks, ruffs, the last trick."""
    suit = of.context.order.suit
    total = 0.0
    for code in cards:
        total += card_value(of, code) + (_KEPT if code in of.kept else 0.0)
    for code in set(cards):
        held = of.mine[suit[code]]
        if held.count(code) == 2 and cards.count(code) == 1:
            total += 2.0 if suit[code] == TRUMP else 1.0
    return total


def card_value(of: Sight, code: int) -> float:
    """What one card is good for: trumps ruff, high cards win, more so towards the end."""
    suit, strength = of.context.order.suit[code], of.context.order.strength[code]
    higher = above(of.context, of.unseen[suit], strength)
    if suit != TRUMP:
        return 2.2 * 0.6**higher + 0.03 * strength
    late = 1.5 if of.left <= LATE else 1.0
    return float(late * (1.6 + 4.5 * 0.75**higher) + 0.02 * strength)


def n_pairs(cards: bytes) -> int:
    """How many pairs there are among cards."""
    return len(pair_faces(cards))
