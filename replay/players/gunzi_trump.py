"""亮主, 翻牌, tribute, 扣底, 扣王: what the sensible player does before the first lead."""

from math import floor
from random import Random

from replay.engine.gunzi.bottom import most_buried
from replay.engine.gunzi.declaring import IN_HAND, N_BOTTOM, n_dealt
from replay.engine.gunzi.moves import joker_burials, returns, tributes
from replay.engine.gunzi.order import LEVELS, TRUMP, level_rank
from replay.engine.gunzi.showing import is_stronger, rung, shows
from replay.engine.gunzi.states import (
    Asking,
    Burying,
    Declaring,
    Paying,
    Returning,
    Setting,
    Show,
    side,
)
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.ranks import count_jokers
from replay.engine.mechanics.seats import N_SEATS
from replay.players.draws import below, millis
from replay.players.gunzi_sight import WORTH
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER
from schema.events import By, Fact
from schema.gunzi import (
    Buried,
    Declared,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
)
from schema.trumps import Named

DEAL_TIME = 90
"""One card to the next in the deal, ms."""
_SHOW_TIME, _BURY_TIME, _MOVE_TIME = (300, 900), (9000, 15000), (1500, 6000)
_GRABS = 0.6
"""How often a 大王 of a first hand is shown when it is dealt."""
_FIRST_LOOK = 8
"""With fewer cards nobody declares in later hands."""
_LONG, _ANY, _PARTNERS = 0.27, 0.2, 0.36
"""The part of a hand that a suit has to be to be declared early, at the end, over a partner."""
_PLAIN = tuple(
    bytes(code for code in range(BLACK_JOKER) if code >> 2 != level_rank(level))
    for level in range(len(LEVELS))
)
"""By level: cards that no show is made of."""
_TWO, _ACE = RANKS.index("2"), RANKS.index("A")
_STRONG, _BRIM, _PER_JOKER = 25.0, 32.0, 4.0
"""How good a hand is to be for points in the bottom, and for each joker there."""


def declared_by(setting: Setting) -> int:
    """How many cards were dealt at the last show."""
    return setting.shows[-1].after if setting.shows else 0


# 亮主, 反主, 加固


def declaration(state: Declaring, rng: Random) -> Declared | None:
    """The next show of the deal, by whichever seat wishes to first; None if none does."""
    setting = state.setting
    if setting.is_first and setting.shows:
        return None
    since = declared_by(setting)
    for after in range(since, IN_HAND + 1):
        for seat in _looking(setting, after):
            wanted = wish(setting, seat, after, rng)
            if wanted is not None:
                dt = DEAL_TIME * (after - since) + millis(rng, *_SHOW_TIME)
                return Declared(dt, By.PLAYER, seat, wanted[0], wanted[1], after)
    return None


def _looking(setting: Setting, after: int) -> tuple[int, ...]:
    """Who has something new to look at: a card, the last show, or all that was dealt."""
    start = setting.deal.start
    if not setting.is_first and after in (declared_by(setting), IN_HAND):
        return tuple((start + step) % N_SEATS for step in range(N_SEATS))
    return ((start + after - 1) % N_SEATS,) if after else ()


def wish(setting: Setting, seat: int, after: int, rng: Random) -> tuple[bytes, Named] | None:
    """What a seat shows for the cards that it has by then."""
    cards = setting.deal.hands[seat][: n_dealt(setting.deal, seat, after)]
    if setting.is_first:
        grabs = cards[-1:] == bytes([RED_JOKER]) and rng.random() < _GRABS
        return (bytes([RED_JOKER]), Named.NOTHING) if grabs and after < IN_HAND else None
    if len(cards) < _FIRST_LOOK:
        return None
    wishes = [
        (_share(cards, trump), len(show), show, trump)
        for show in shows("later", setting.level, cards.translate(None, _PLAIN[setting.level]))
        for trump in ([show[0] & 3] if show[0] < BLACK_JOKER else range(N_SEATS))
        if _is_wanted(setting, seat, show, trump, cards, after)
    ]
    if not wishes:
        return None
    _, _, show, trump = max(wishes)
    return show, Named(trump) if show[0] >= BLACK_JOKER else Named.NOTHING


def _share(cards: bytes, trump: int) -> float:
    """The part of a hand that is of a suit, the 2s apart."""
    plain = [code for code in cards if code < BLACK_JOKER and code >> 2 != _TWO]
    return sum(code & 3 == trump for code in plain) / len(cards)


def _is_wanted(
    setting: Setting, seat: int, cards: bytes, trump: int, hand: bytes, after: int
) -> bool:
    """Whether a seat likes its suit better than what stands, and may show these cards."""
    share, height = _share(hand, trump), rung("later", setting.level, cards)
    assert height is not None, "what shows lists is a show"
    options = setting.house.options
    if not setting.shows:
        least = _ANY if after == IN_HAND else _LONG
        opens = cards[0] < BLACK_JOKER or options.joker_triple_opens == "allowed"
        return opens and share >= least
    old = setting.shows[-1]
    new = Show(seat, cards, trump, height, after)
    if not is_stronger(options.joker_triple, new, old):
        return False
    if seat == old.seat:
        return cards[0] == old.cards[0]
    return share >= (_PARTNERS if side(seat) == side(old.seat) else _LONG)


# 进贡, 还贡


def pay(state: Paying, rng: Random) -> TributePaid:
    """What is owed; of equal cards any."""
    options = list(tributes(state))
    cards = options[below(rng, len(options))]
    return TributePaid(millis(rng, *_MOVE_TIME), By.PLAYER, state.setting.payer, cards)


def give_back(state: Returning, rng: Random) -> TributeReturned:
    """The cards that are good for least."""
    cards = next(returns(state))
    return TributeReturned(millis(rng, *_MOVE_TIME), By.PLAYER, state.setting.dealer, cards)


# 扣底, 扣王


def strength(setting: Setting, cards: bytes) -> float:
    """What a hand is worth in trumps: 22 for an ordinary one."""
    trumps = of_suit(setting.context.order, cards, TRUMP)
    tops = sum(code >= BLACK_JOKER or code >> 2 == level_rank(setting.level) for code in trumps)
    return len(trumps) + 1.5 * tops


def burial(state: Burying, rng: Random) -> Buried:
    """Jokers and points with a strong hand, else short suits and cards that win nothing."""
    setting = state.setting
    hand = unpack(state.holdings[setting.dealer])
    worth = strength(setting, hand)
    wanted = floor((worth - _BRIM) / _PER_JOKER) + 1
    n = min(count_jokers(hand), max(0, wanted))
    jokers = bytes(sorted((code for code in hand if code >= BLACK_JOKER), reverse=True)[:n])
    point = -0.1 if worth >= _STRONG else 0.4
    order = setting.context.order
    suits = hand.translate(order.suit)

    def cost(code: int) -> float:
        suit, height = order.suit[code], setting.context.height[code]
        value = 100.0 if suit == TRUMP else 0.4 * suits.count(suit) + 0.15 * height
        value += (4.0 if code >> 2 == _ACE else 0.0) + point * WORTH[code]
        return value + 0.8 * (hand.count(code) - 1)

    rest = sorted((cost(code), code) for code in hand if code < BLACK_JOKER)
    cards = jokers + bytes(code for _, code in rest[: N_BOTTOM - n])
    dt = millis(rng, *_BURY_TIME)
    return Buried(dt, By.PLAYER, setting.dealer, bytes(sorted(cards)))


def more_jokers(state: Asking, rng: Random) -> Fact:
    """One joker for who is strong, whichever side he is on; else none."""
    setting, seat = state.setting, state.asked[0]
    hand = unpack(state.holdings[seat])
    dt = millis(rng, *_MOVE_TIME)
    if count_jokers(hand) < 2 or strength(setting, hand) < _BRIM - _PER_JOKER:
        return JokersPassed(dt, By.PLAYER, seat)
    if not most_buried(state):
        return JokersPassed(dt, By.SERVER, seat)
    jokers, picked = next(joker_burials(state))
    return JokersBuried(dt, By.PLAYER, seat, jokers, picked)
