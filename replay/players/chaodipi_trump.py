"""亮主, 反主, 抄底, 扣底: what the sensible player makes of a hand before the first lead."""

from itertools import combinations
from random import Random

from msgspec import Struct

from replay.engine.chaodipi.declaring import N_BOTTOM
from replay.engine.chaodipi.order import NO_TRUMP, RED_FIVE, TRUMP, Context, level_faces
from replay.engine.chaodipi.shapes import components
from replay.engine.chaodipi.showing import SINGLE, is_named, may_overturn_self, rung, shows
from replay.engine.chaodipi.states import (
    RED_FIVES,
    UNKNOWN,
    Burying,
    Declaring,
    Setting,
    Show,
    Stirring,
    side,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.seats import N_SEATS
from replay.players.chaodipi_sight import WORTH, Suits, by_suit, n_pairs
from replay.players.draws import millis
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER
from schema.chaodipi import (
    Buried,
    Declared,
    StirPassed,
    Stirred,
)
from schema.events import By
from schema.trumps import Named

ALL_DEALT = 100
DEAL_TIME = 120
"""One card to the next in the deal, ms."""
_SHOW_TIME, _STIR_TIME, _BURY_TIME = (300, 900), (900, 3000), (9000, 15000)
_SIDE_SUITS = range(4)
_ACE, _KING = RANKS.index("A"), RANKS.index("K")
_FIRST_LOOK = 4
"""With fewer cards nobody declares."""
_BOLD, _DESPERATE = 17.5, 15.0
"""How good a hand is to be for 红桃5, which doubles what is at stake; if the others are far up."""
_FAR = 4


_ALWAYS = bytes([RED_FIVE, BLACK_JOKER, RED_JOKER])


class Wish(Struct, frozen=True):
    """Cards that a seat would show, and what to name with them."""

    cards: bytes
    named: Named


# How good trump would be


def quality(setting: Setting, trump: int, cards: bytes) -> float:
    """What a hand is worth with this trump: 11 for an ordinary one of 25 cards."""
    suits = by_suit(setting.house.context(setting.level, trump), cards)
    trumps, tops = suits[TRUMP], level_faces(setting.level) + _ALWAYS
    high = sum(code in tops for code in trumps)
    sides = b"".join(suits[:TRUMP])
    aces = sum(code >> 2 == _ACE for code in sides)
    if trump == NO_TRUMP:
        kings = sum(code >> 2 == _KING for code in sides)
        return 1.75 * len(trumps) + 1.4 * aces + 0.6 * kings + 0.75 * n_pairs(sides)
    shorts = sum(len(held) <= 1 for held in suits[:TRUMP]) - 1
    return len(trumps) + 0.4 * high + 0.8 * n_pairs(trumps) + 0.4 * aces + 0.3 * shorts


def best_trump(setting: Setting, cards: bytes) -> int:
    """The trump that a pair of 红桃5 had best make."""
    return max(range(N_SEATS + 1), key=lambda trump: quality(setting, trump, cards))


# 亮主, 反主


def declaration(state: Declaring, rng: Random) -> Declared | None:
    """The next show of the deal, by whichever seat wishes to first; None if none does."""
    setting = state.setting
    is_late = setting.is_turned or setting.house.options.declare_window == "after_only"
    for after in range(ALL_DEALT if is_late else state.after, ALL_DEALT + 1):
        for seat in _looking(state, after):
            wanted = wish(state, seat, after)
            if wanted is not None:
                dt = DEAL_TIME * (after - state.after) + millis(rng, *_SHOW_TIME)
                return Declared(dt, By.PLAYER, seat, wanted.cards, wanted.named, after)
    return None


def _looking(state: Declaring, after: int) -> tuple[int, ...]:
    """Who has something new to look at: a card, the last show, or all that was dealt."""
    start = state.setting.deal.start
    if after in (state.after, ALL_DEALT):
        return tuple((start + step) % N_SEATS for step in range(N_SEATS))
    return ((start + after - 1) % N_SEATS,)


def n_dealt(setting: Setting, seat: int, after: int) -> int:
    """How many cards a seat has when so many of the deck are dealt."""
    return (after - (seat - setting.deal.start) % N_SEATS + 3) // N_SEATS


def wish(state: Declaring, seat: int, after: int) -> Wish | None:
    """What a seat shows for the cards that it has by then."""
    setting = state.setting
    cards = setting.deal.hands[seat][: n_dealt(setting, seat, after)]
    if len(cards) < _FIRST_LOOK:
        return None
    found = [show for show in shows(cards, setting.level) if may_show(state, seat, show)]
    if setting.rung:
        return _better(setting, seat, cards, found)
    return _first_show(setting, seat, cards, found)


def may_show(state: Declaring, seat: int, cards: bytes) -> bool:
    """Whether a seat breaks no rule with a show, its time apart (chaodipi-4.4 to 4.6)."""
    setting, height = state.setting, rung(cards, state.setting.level) or 0
    if setting.rung == RED_FIVES or height <= setting.rung:
        return False
    if setting.is_turned and not (height == RED_FIVES and seat == setting.dealer):
        return False
    if seat != setting.declarer:
        return True
    rule, show = setting.house.options.self_overturn, Show(seat, cards, UNKNOWN, height)
    return may_overturn_self(rule, state.shows[-1], show)


def _first_show(setting: Setting, seat: int, cards: bytes, found: list[bytes]) -> Wish | None:
    """A suit with more than its share of trumps; the pair at once, so that less can overturn it."""
    wishes = [(_wanted(setting, seat, cards, show), len(show), show) for show in found]
    value, _, show = max(wishes, default=(0.0, 0, b""))
    return _named(setting, cards, show) if value > 0 else None


def _wanted(setting: Setting, seat: int, cards: bytes, show: bytes) -> float:
    """By how much a hand is better than what it takes to declare so."""
    if is_named(show):
        return _boldness(setting, seat, cards)
    if show[0] >= BLACK_JOKER:
        return quality(setting, NO_TRUMP, cards) - (15.0 if len(cards) >= 20 else 99.0)
    return quality(setting, show[0] & 3, cards) - 1.5 - 0.47 * len(cards)


def _boldness(setting: Setting, seat: int, cards: bytes) -> float:
    """红桃5: the winners rise to A, the losers fall to 2 (chaodipi-11.12)."""
    if len(cards) < 25:
        return -1.0
    levels = setting.carry.levels
    is_behind = levels[side(seat)] + _FAR <= levels[1 - side(seat)]
    least = _DESPERATE if is_behind else _BOLD
    return quality(setting, best_trump(setting, cards), cards) - least


def _better(setting: Setting, seat: int, cards: bytes, found: list[bytes]) -> Wish | None:
    """A pair whose trump is a good deal better than the one declared; more over a partner's."""
    if not found:
        return None
    now = quality(setting, setting.trump, cards)
    least = 4.0 if side(seat) == side(setting.declarer) else 2.0
    wishes = [(_gain(setting, seat, cards, show, now), show) for show in found]
    gain, show = max(wishes)
    return _named(setting, cards, show) if gain >= least else None


def _gain(setting: Setting, seat: int, cards: bytes, show: bytes, now: float) -> float:
    if is_named(show):
        return 99.0 if _boldness(setting, seat, cards) > 0 else -1.0
    trump = NO_TRUMP if show[0] >= BLACK_JOKER else show[0] & 3
    return quality(setting, trump, cards) - now


def _named(setting: Setting, cards: bytes, show: bytes) -> Wish:
    return Wish(show, Named(best_trump(setting, cards)) if is_named(show) else Named.NOTHING)


# 抄底


def stir(state: Stirring, rng: Random) -> StirPassed | Stirred:
    """The answer of the seat asked: a pair that makes a much better trump, else a pass."""
    seat, setting = state.asked[0], state.setting
    cards = unpack(state.holdings[seat])
    least = max(setting.rung, SINGLE)
    found = [s for s in shows(cards, setting.level) if (rung(s, setting.level) or 0) > least]
    dt = millis(rng, *_STIR_TIME)
    now = quality(setting, setting.trump, cards)
    wishes = [(_gain(setting, seat, cards, show, now), show) for show in found]
    gain, show = max(wishes, default=(0.0, b""))
    if gain < (5.0 if side(seat) == side(setting.dealer) else 1.5):
        return StirPassed(dt, By.PLAYER, seat)
    wanted = _named(setting, cards, show)
    return Stirred(dt, By.PLAYER, seat, wanted.cards, wanted.named)


# 扣底


def burial(state: Burying, rng: Random) -> Buried:
    """Side suits that can be got rid of, else the cards that are worth least."""
    setting = state.setting
    context = setting.house.context(setting.level, setting.trump)
    suits = by_suit(context, unpack(state.holdings[state.seat]))
    cards = min(_burials(context, suits), key=lambda plan: plan[0])[1]
    return Buried(millis(rng, *_BURY_TIME), By.PLAYER, state.seat, bytes(sorted(cards)))


def _burials(context: Context, suits: Suits) -> list[tuple[float, bytes]]:
    """What it costs to empty these side suits, for every set of them, and with which cards."""
    values = _values(context, suits)
    found = []
    for n_emptied in range(3):
        for emptied in combinations(_SIDE_SUITS, n_emptied):
            gone = [card for suit in emptied for card in values[suit]]
            rest = [
                card
                for suit in (*_SIDE_SUITS, TRUMP)
                if suit not in emptied
                for card in values[suit]
            ]
            if len(gone) <= N_BOTTOM:
                gone += sorted(rest)[: N_BOTTOM - len(gone)]
                cost = sum(value for value, _ in gone) - 3.5 * n_emptied
                found.append((cost, bytes(code for _, code in gone)))
    return found


def _values(context: Context, suits: Suits) -> list[list[tuple[float, int]]]:
    """Every card with what it costs to bury it: points at risk, winners, pairs, trumps."""
    risk = 0.1 if len(suits[TRUMP]) >= 13 else 0.5
    found = []
    for suit, held in enumerate(suits):
        values: list[tuple[float, int]] = []
        for part in components(context, held) if held else ():
            for code in part.cards:
                value = risk * WORTH[code] + 1.2 * part.pairs + _height(context, suit, code)
                values.append((value, code))
        found.append(values)
    return found


def _height(context: Context, suit: int, code: int) -> float:
    if suit == TRUMP:
        return 12.0 + context.order.strength[code]
    if code >> 2 == _ACE:
        return 9.0
    return 0.25 * context.order.strength[code]
