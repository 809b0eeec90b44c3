"""翻牌 and drawing: bottom cards turned up to find the dealer and the trump suit (gunzi-3)."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from replay.engine.gunzi.order import NO_TRUMP, THREE, context
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.states import (
    UNKNOWN,
    AwaitingDeal,
    Burying,
    Drawing,
    Flipping,
    Paying,
    Playing,
    Setting,
    Turned,
)
from replay.engine.gunzi.tribute import after_trump
from replay.engine.mechanics.seats import next_seat
from replay.engine.rule import blocked
from schema.cards import ALL_CODES, BLACK_JOKER, RANKS
from schema.gunzi import Drawn, Flipped

Order = Literal["game", "natural"]
_NATURAL = "23456789TJQKA"
_HEIGHTS: dict[Order, bytes] = {
    "game": context(THREE, NO_TRUMP).height,
    "natural": bytes(_NATURAL.index(RANKS[code >> 2]) for code in ALL_CODES[:BLACK_JOKER]),
}
"""gunzi-3.5: the order of flipped cards: that of level 3 without trump, or the plain one."""


def flipped(state: Flipping, fact: Flipped) -> Flipping | AwaitingDeal | Burying | Playing:
    """The next bottom card of the seat in turn; a joker is passed over."""
    setting = state.setting
    if fact.seat != state.seat:
        expected = ("seat.number", state.seat)
        blocked(R.TURNING, fact.seat, None, expected, ("seat.number", fact.seat))
    after = _turned(setting, fact.seat, fact.place)
    code = setting.deal.bottom[fact.place]
    seat = fact.seat if code >= BLACK_JOKER else next_seat(fact.seat)
    is_closed = code < BLACK_JOKER and seat == setting.deal.start
    if not is_closed and len(after.turned) < len(setting.deal.bottom):
        return Flipping(after, seat)
    suited = [
        (turn.seat, setting.deal.bottom[turn.place])
        for turn in after.turned
        if setting.deal.bottom[turn.place] < BLACK_JOKER
    ]
    if not suited:
        return AwaitingDeal(setting.house, setting.carry)
    options = setting.house.options
    dealer, code = winning_flip(options.flip_order, options.flip_winner, suited)
    return _known(replace(after, dealer=dealer, trump=code & 3))


def winning_flip(
    order: Order, wins: Literal["largest", "smallest"], suited: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    """gunzi-3.5, 3.6: of (seat, card) in order of flipping the one that wins; ties: the first."""
    height = _HEIGHTS[order]
    sign = {"largest": 1, "smallest": -1}[wins]
    return max(suited, key=lambda flip: sign * height[flip[1]])


def drawn(state: Drawing, fact: Drawn) -> Drawing | AwaitingDeal | Paying | Burying | Playing:
    """A bottom card; its suit is trump, unless it is a joker (gunzi-3.3, 3.14)."""
    setting = state.setting
    after = _turned(setting, UNKNOWN, fact.place)
    code = setting.deal.bottom[fact.place]
    if code < BLACK_JOKER:
        return after_trump(replace(after, trump=code & 3))
    if len(after.turned) < len(setting.deal.bottom):
        return Drawing(after)
    return AwaitingDeal(setting.house, setting.carry)


def _known(setting: Setting) -> Burying | Playing:
    found = after_trump(setting)
    assert not isinstance(found, Paying), "a first hand owes no tribute"
    return found


def _turned(setting: Setting, seat: int, place: int) -> Setting:
    """The setting with one more card turned up; blocked if none lies there face down."""
    hidden = face_down(setting)
    if place not in hidden:
        expected = tuple(("value.place", other) for other in hidden)
        found = ("value.place", place)
        blocked(R.TURNING, None if seat == UNKNOWN else seat, None, expected, found)
    return replace(setting, turned=(*setting.turned, Turned(seat, place)))


def face_down(setting: Setting) -> tuple[int, ...]:
    """The places of the bottom whose cards are not turned up yet."""
    known = {turn.place for turn in setting.turned}
    return tuple(place for place in range(len(setting.deal.bottom)) if place not in known)
