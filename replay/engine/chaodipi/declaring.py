"""The deal, 亮主 and 反主, the turned-up bottom, and who takes it (chaodipi-2, 4)."""

from typing import NoReturn

from msgspec.structs import replace

from replay.engine.chaodipi.order import FLAG, NO_TRUMP
from replay.engine.chaodipi.playing import DECKS, begin
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.showing import (
    bottom_trump,
    is_named,
    may_overturn_self,
    rung,
    trump_of,
)
from replay.engine.chaodipi.states import (
    RED_FIVES,
    UNKNOWN,
    AwaitingDeal,
    Burying,
    Deal,
    Declaring,
    Playing,
    Setting,
    Show,
    side,
)
from replay.engine.mechanics.deck import deck_fault, held, one_by_one
from replay.engine.mechanics.holding import (
    EMPTY,
    missing,
    pack,
    pack_dealt,
    with_cards,
)
from replay.engine.mechanics.seats import N_SEATS, with_seat
from replay.engine.rule import Breach, blocked
from schema.cards import N_FACES
from schema.chaodipi import Declared, Stirred
from schema.events import Dealt
from schema.trumps import Named

N_BOTTOM = 8
_N_CARDS = N_FACES * DECKS
_IN_HAND = _N_CARDS - N_BOTTOM


def dealt(
    state: AwaitingDeal | Declaring, fact: Dealt, breaches: list[Breach]
) -> Declaring | Playing:
    """The deck card by card: 25 a seat and the bottom, or in 扛旗 all 27 (chaodipi-2.3, 2.5)."""
    if isinstance(state, AwaitingDeal):
        house, carry, start = state.house, state.carry, state.carry.dealer
    else:
        house, carry, start = state.setting.house, state.setting.carry, state.setting.deal.start
    fault = deck_fault(fact.cards, DECKS)
    if fault:
        blocked(R.DECK, None, fact.cards, *fault)
    if start is not None and fact.start != start:
        breaches.append(Breach(R.DEAL_START, fact.start, None, start, fact.start))
    dealer = UNKNOWN if carry.dealer is None else carry.dealer
    level = 0 if carry.dealer is None else carry.levels[side(dealer)]
    is_flag = level == FLAG
    setting = Setting(
        house=house,
        carry=carry,
        deal=_deal(fact, _N_CARDS if is_flag else _IN_HAND),
        level=level,
        trump=NO_TRUMP if is_flag else UNKNOWN,
        rung=0,
        declarer=UNKNOWN,
        dealer=dealer,
        is_turned=False,
        has_red_fives=False,
    )
    if is_flag:
        return begin(setting, (), setting.deal.holdings, b"", UNKNOWN)
    return Declaring(setting, (), 0)


def _deal(fact: Dealt, in_hand: int) -> Deal:
    hands = one_by_one(fact.cards[:in_hand], fact.start)
    return Deal(fact.start, hands, held(hands), fact.cards[in_hand:])


def can_redeal(state: Declaring) -> bool:
    """Nobody has declared in a first hand of a table that then deals anew."""
    setting = state.setting
    redeals = setting.house.options.nobody_declares == "redeal"
    return redeals and setting.is_first and not state.shows


def declared(state: Declaring, fact: Declared, breaches: list[Breach]) -> Declaring:
    """A seat shows cards; too weak, too early or too late it stands all the same."""
    setting = state.setting
    show = read_show(setting, fact, breaches)
    untimely = _untimely(state, show, fact)
    if untimely is not None:
        breaches.append(untimely)
    check_overturn(setting, state.shows, show, breaches)
    moves = setting.is_first and not setting.is_turned
    after = with_show(setting, show, fact.seat if moves else setting.dealer)
    return Declaring(after, (*state.shows, show), max(fact.after, state.after))


def declared_late(state: Burying, fact: Declared, breaches: list[Breach]) -> Burying:
    """A show after the bottom was taken: conduct; trump and rung stand, the dealer stays."""
    show = read_show(state.setting, fact, breaches)
    lacking = missing(state.holdings[fact.seat], fact.cards)
    if lacking:
        blocked(R.HELD, fact.seat, fact.cards, None, lacking)
    breaches.append(
        Breach(R.DECLARE_TIME, fact.seat, fact.cards, "value.before_close", "value.too_late")
    )
    check_overturn(state.setting, state.shows, show, breaches)
    setting = with_show(state.setting, show, state.setting.dealer)
    return replace(state, setting=setting, shows=(*state.shows, show))


def read_show(setting: Setting, fact: Declared | Stirred, breaches: list[Breach]) -> Show:
    """The show that cards are; blocked if they are none, or name no trump where they must."""
    height = rung(fact.cards, setting.level)
    if height is None:
        blocked(R.SHOWS, fact.seat, fact.cards, None, fact.cards)
    trump = trump_of(fact.cards, fact.named)
    if trump is None:
        blocked(R.NAMING, fact.seat, fact.cards, "value.a_trump", "value.nothing")
    if fact.named is not Named.NOTHING and not is_named(fact.cards):
        found = f"trump.{fact.named.name.lower()}"
        breaches.append(Breach(R.NAMED_EXTRA, fact.seat, fact.cards, "value.nothing", found))
    return Show(fact.seat, fact.cards, trump, height)


def _untimely(state: Declaring, show: Show, fact: Declared) -> Breach | None:
    """chaodipi-4.1: the first thing wrong with the time of a show; blocked if it has no such cards.

    Cards not dealt by then, before the show that it follows, before the deal is over, or too late.
    """
    setting = state.setting
    hand = setting.deal.hands[fact.seat]
    lacking = missing(with_cards(EMPTY, pack_dealt(hand)), fact.cards)
    if lacking:
        blocked(R.HELD, fact.seat, fact.cards, None, lacking)
    n_dealt = (fact.after - (fact.seat - setting.deal.start) % N_SEATS + 3) // N_SEATS
    lacking = missing(with_cards(EMPTY, pack(hand[:n_dealt], DECKS)), fact.cards)
    least = _IN_HAND if setting.house.options.declare_window == "after_only" else state.after
    if lacking:
        return Breach(R.DECLARE_TIME, fact.seat, fact.cards, "value.dealt_by_then", lacking)
    if fact.after < least:
        expected, found = ("value.from_card", least), ("value.after_cards", fact.after)
        return Breach(R.DECLARE_TIME, fact.seat, fact.cards, expected, found)
    if setting.is_turned and not (show.rung == RED_FIVES and fact.seat == setting.dealer):
        only = "value.red_fives_of_dealer"
        return Breach(R.DECLARE_TIME, fact.seat, fact.cards, only, "value.too_late")
    return None


def check_overturn(
    setting: Setting, shown: tuple[Show, ...], show: Show, breaches: list[Breach]
) -> None:
    """chaodipi-4.4 to 4.6: strictly higher, by another seat, and never over a pair of 红桃5."""
    if setting.has_red_fives:
        breaches.append(Breach(R.AFTER_RED_FIVE, show.seat, show.cards, None, show.cards))
        return
    if show.rung <= setting.rung:
        breaches.append(Breach(R.HIGHER, show.seat, show.cards, setting.rung, show.rung))
    rule = setting.house.options.self_overturn
    if show.seat == setting.declarer and not may_overturn_self(rule, shown[-1], show):
        breaches.append(Breach(R.BY_OTHERS, show.seat, show.cards, None, show.cards))


def with_show(setting: Setting, show: Show, dealer: int) -> Setting:
    """The setting that a show makes."""
    return replace(
        setting,
        trump=show.trump,
        rung=show.rung,
        declarer=show.seat,
        dealer=dealer,
        has_red_fives=setting.has_red_fives or show.rung == RED_FIVES,
    )


def bottom_turned(state: Declaring) -> Declaring:
    """Nobody has declared: the bottom gives trump; in a first hand the first seat deals."""
    setting = state.setting
    if state.shows or setting.is_turned or can_redeal(state):
        blocked(R.DECLARING, None, None, "phase.declare", "kind.bottom_turned")
    options = setting.house.options
    trump = bottom_trump(setting.deal.bottom, setting.level, options.bottom_joker)
    dealer = setting.deal.start if setting.dealer == UNKNOWN else setting.dealer
    turned = replace(setting, trump=trump, dealer=dealer, is_turned=True)
    return replace(state, setting=turned, after=_IN_HAND)


def closed(state: Declaring) -> Burying:
    """Declaring is over: the dealer takes the bottom (chaodipi-5.1)."""
    setting = state.setting
    if setting.trump == UNKNOWN:
        _nothing_declared()
    return take_bottom(
        setting,
        state.shows,
        setting.deal.holdings,
        setting.deal.bottom,
        UNKNOWN,
        setting.dealer,
        frozenset(),
    )


def _nothing_declared() -> NoReturn:
    blocked(R.DECLARING, None, None, "kind.bottom_turned", "kind.declaring_closed")


def take_bottom(
    setting: Setting,
    shown: tuple[Show, ...],
    holdings: tuple[int, int, int, int],
    bottom: bytes,
    burier: int,
    seat: int,
    passed: frozenset[int],
) -> Burying:
    """The bottom goes to a seat, which must bury."""
    held = with_cards(holdings[seat], pack_dealt(bottom))
    after = with_seat(holdings, seat, held)
    return Burying(setting, shown, after, bottom, burier, seat, passed)
