"""Tricks: leads, answers, who wins, when the hand is over (gunzi-6, 7)."""

from msgspec.structs import replace

from replay.engine.gunzi.following import broken
from replay.engine.gunzi.order import TRUMP, Context
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.settlement import settle
from replay.engine.gunzi.states import DECKS, Over, PerSeat, Playing, Table
from replay.engine.mechanics.holding import EMPTY, left_by, missing
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS, next_seat, with_seat
from replay.engine.mechanics.tricks import seat_at
from replay.engine.rule import Breach, blocked
from schema.events import Played

_ALL_EMPTY = (EMPTY, EMPTY, EMPTY, EMPTY)
_MOST_LED = 3


def begin(table: Table, holdings: PerSeat) -> Playing:
    """Play begins: the dealer leads (gunzi-7.1)."""
    dealer = table.setting.dealer
    return Playing(
        table=table,
        holdings=holdings,
        leader=dealer,
        turn=dealer,
        plays=(),
        captured=(0, 0, 0, 0),
        trick=1,
        won=(-1, 0),
    )


def played(state: Playing, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """A seat's cards: a lead, or the answer to one."""
    return _followed(state, fact, breaches) if state.plays else _led(state, fact, breaches)


def is_one_type(cards: bytes) -> bool:
    """gunzi-6.1: a single, or two or three cards of one face."""
    return 0 < len(cards) <= _MOST_LED and cards.count(cards[0]) == len(cards)


def rest_of(holdings: PerSeat, seat: int, cards: bytes) -> int:
    """What a seat holds without these cards; blocked if it lacks any (gunzi-7.2)."""
    rest = left_by(holdings[seat], cards, DECKS)
    if rest < 0:
        blocked(R.HELD, seat, cards, None, missing(holdings[seat], cards))
    return rest


def _led(state: Playing, fact: Played, breaches: list[Breach]) -> Playing:
    """A lead; by the wrong seat it is conduct, and the lead moves there."""
    seat, cards = fact.seat, fact.cards
    rest = rest_of(state.holdings, seat, cards)
    if not is_one_type(cards):
        blocked(R.LEAD, seat, cards, None, cards)
    if seat != state.turn:
        breaches.append(Breach(R.LEADER, seat, cards, state.turn, seat))
    return replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        leader=seat,
        turn=next_seat(seat),
        plays=(cards,),
    )


def _followed(state: Playing, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """An answer: as many cards, of the suit while there are any, in 死棒 of the same type."""
    seat, cards, lead = fact.seat, fact.cards, state.plays[0]
    if seat != state.turn:
        blocked(R.ORDER, seat, cards, state.turn, seat)
    rest = rest_of(state.holdings, seat, cards)
    n = len(lead)
    if len(cards) != n:
        blocked(R.COUNT, seat, cards, ("value.cards", n), ("value.cards", len(cards)))
    holding, table = state.holdings[seat], state.table
    context = table.context
    suit = context.order.suit[lead[0]]
    options = table.setting.house.options
    owed = broken(options, context, suit, n, holding, holding - rest)
    if owed is not None:
        breaches.append(Breach(owed.rule, seat, cards, owed.cards, cards))
    after = replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        turn=next_seat(seat),
        plays=(*state.plays, cards),
    )
    return after if len(after.plays) < N_SEATS else _trick_over(after)


def winner(context: Context, plays: tuple[bytes, ...]) -> int:
    """The place of the winning play of a trick, or of what there is of it (gunzi-7.8 to 7.10).

    Only the type of the lead competes, in its suit or in trumps; an equal play comes too late.
    """
    suit_of, height = context.order.suit, context.height
    lead = plays[0]
    n, suit = len(lead), suit_of[lead[0]]
    best, highest = 0, height[lead[0]]
    for place in range(1, len(plays)):
        cards = plays[place]
        face = cards[0]
        if height[face] <= highest or suit_of[face] not in (suit, TRUMP):
            continue
        if n == 1 or cards.count(face) == n:
            best, highest = place, height[face]
    return best


def _trick_over(state: Playing) -> Playing | Over:
    """gunzi-7.11: the winner takes the points; he leads, or the hand is over."""
    table = state.table
    taker = seat_at(state.leader, winner(table.context, state.plays))
    worth = points(b"".join(state.plays))
    captured = state.captured
    if worth:
        captured = with_seat(captured, taker, captured[taker] + worth)
    won = (taker, worth)
    if state.holdings == _ALL_EMPTY:
        last = replace(state, captured=captured, won=won)
        return Over(last, settle(table, captured, taker))
    setting = table.setting
    leads = taker if setting.house.options.leader == "winner" else setting.dealer
    return replace(
        state,
        captured=captured,
        won=won,
        leader=leads,
        turn=leads,
        plays=(),
        trick=state.trick + 1,
    )
