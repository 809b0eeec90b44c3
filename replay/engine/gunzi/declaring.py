"""The deal, and 亮主 until declaring is over (gunzi-2, 3)."""

from msgspec.structs import replace

from replay.engine.gunzi.order import THREE
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.showing import (
    BLACK_TRIPLE,
    FIRST_JOKER,
    is_stronger,
    names_more,
    rung,
    trump_of,
)
from replay.engine.gunzi.states import (
    DECKS,
    UNKNOWN,
    AwaitingDeal,
    BeforePlay,
    Burying,
    Deal,
    Declaring,
    Drawing,
    Flipping,
    Paying,
    PerSeat,
    Playing,
    Returning,
    Setting,
    Show,
    side,
)
from replay.engine.gunzi.tribute import after_trump
from replay.engine.mechanics.deck import deck_fault, held, one_by_one
from replay.engine.mechanics.holding import EMPTY, missing, pack_dealt, with_cards
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.rule import Breach, blocked
from schema.cards import BLACK_JOKER
from schema.events import Dealt
from schema.gunzi import Declared
from schema.trumps import Named

IN_HAND = 156
N_BOTTOM = 6


def dealt(state: AwaitingDeal, fact: Dealt, breaches: list[Breach]) -> Declaring:
    """39 cards a seat, one at a time, and the bottom (gunzi-2.2, 2.3)."""
    carry = state.carry
    fault = deck_fault(fact.cards, DECKS)
    if fault:
        blocked(R.DECK, None, fact.cards, *fault)
    if carry.dealer is not None and fact.start != carry.dealer:
        breaches.append(Breach(R.DEAL_START, fact.start, None, carry.dealer, fact.start))
    hands = one_by_one(fact.cards[:IN_HAND], fact.start)
    setting = Setting(
        house=state.house,
        carry=carry,
        deal=Deal(fact.start, hands, held(hands), fact.cards[IN_HAND:]),
        level=THREE if carry.dealer is None else carry.levels[side(carry.dealer)],
        trump=UNKNOWN,
        dealer=UNKNOWN if carry.dealer is None else carry.dealer,
        shows=(),
        turned=(),
        paid=b"",
        returned=b"",
        burials=(),
    )
    return Declaring(setting)


def declared(state: Declaring, fact: Declared, breaches: list[Breach]) -> Declaring:
    """A seat shows cards; too weak or too early it stands all the same."""
    setting = state.setting
    show = read_show(setting, setting.deal.holdings, fact, breaches)
    untimely = _untimely(setting, show)
    if untimely is not None:
        breaches.append(untimely)
    _check(setting, show, breaches)
    return Declaring(with_show(setting, show))


def declared_late(
    state: Flipping | Drawing | Paying | Returning, fact: Declared, breaches: list[Breach]
) -> BeforePlay | Playing:
    """A show after declaring was closed: conduct, it stands and play goes on from there."""
    setting = state.setting
    held = state.holdings if isinstance(state, Returning) else setting.deal.holdings
    show = read_show(setting, held, fact, breaches)
    breaches.append(
        Breach(R.DECLARE_TIME, show.seat, show.cards, "value.before_close", "value.too_late")
    )
    _check(setting, show, breaches)
    after = with_show(setting, show)
    if isinstance(state, Returning):
        return replace(state, setting=after)
    return closed(Declaring(after))


def read_show(setting: Setting, holdings: PerSeat, fact: Declared, breaches: list[Breach]) -> Show:
    """The show that cards are; blocked if they are none, are not held, or name no suit."""
    seat, cards = fact.seat, fact.cards
    height = rung("first" if setting.is_first else "later", setting.level, cards)
    if height is None:
        blocked(R.FIRST_SHOW if setting.is_first else R.SHOWS, seat, cards, None, cards)
    lacking = missing(holdings[seat], cards)
    if lacking:
        blocked(R.HELD, seat, cards, None, lacking)
    trump = trump_of(cards, height, fact.named)
    if trump is None:
        found = None if fact.named is Named.NOTHING else f"trump.{fact.named.name.lower()}"
        blocked(R.JOKERS_NAME, seat, cards, "value.a_suit", found)
    show = Show(seat, cards, trump, height, fact.after)
    if names_more(show, fact.named):
        found = f"trump.{fact.named.name.lower()}"
        breaches.append(Breach(R.NAMED_EXTRA, seat, cards, "value.nothing", found))
    return show


def n_dealt(deal: Deal, seat: int, after: int) -> int:
    """How many of a seat's cards are among the first `after` of the deal (gunzi-2.2)."""
    return (after - (seat - deal.start) % N_SEATS + N_SEATS - 1) // N_SEATS


def _untimely(setting: Setting, show: Show) -> Breach | None:
    """gunzi-2.4: cards not dealt by then, or a show from before the one that it follows."""
    hand = setting.deal.hands[show.seat][: n_dealt(setting.deal, show.seat, show.after)]
    lacking = missing(with_cards(EMPTY, pack_dealt(hand)), show.cards)
    if lacking:
        return Breach(R.DECLARE_TIME, show.seat, show.cards, "value.dealt_by_then", lacking)
    least = setting.shows[-1].after if setting.shows else 0
    if show.after < least:
        expected, found = ("value.from_card", least), ("value.after_cards", show.after)
        return Breach(R.DECLARE_TIME, show.seat, show.cards, expected, found)
    return None


def _check(setting: Setting, show: Show, breaches: list[Breach]) -> None:
    if show.rung == FIRST_JOKER:
        _check_first(setting, show, breaches)
    else:
        _check_later(setting, show, breaches)


def _check_first(setting: Setting, show: Show, breaches: list[Breach]) -> None:
    """gunzi-3.1, 3.3: one 大王, nobody before, and by option a suited card still to come."""
    if len(show.cards) != 1:
        found = ("value.cards", len(show.cards))
        breaches.append(Breach(R.ONE_JOKER, show.seat, show.cards, ("value.cards", 1), found))
    if setting.shows:
        old = setting.shows[-1]
        breaches.append(Breach(R.FIRST_STANDS, show.seat, show.cards, old.seat, show.seat))
    options = setting.house.options
    if options.late_first_show == "forbidden" and next_suited(setting.deal, show) is None:
        expected = "value.suited_to_come"
        breaches.append(Breach(R.LATE_FIRST, show.seat, show.cards, expected, show.after))


def _check_later(setting: Setting, show: Show, breaches: list[Breach]) -> None:
    """gunzi-3.11, 3.12: strictly stronger than what stands; jokers only over something."""
    options, seat, cards = setting.house.options, show.seat, show.cards
    if not setting.shows:
        if show.rung >= BLACK_TRIPLE and options.joker_triple_opens == "never":
            breaches.append(Breach(R.JOKERS_OPEN, seat, cards, None, cards))
        return
    old = setting.shows[-1]
    if not is_stronger(options.joker_triple, show, old):
        breaches.append(Breach(R.STRONGER, seat, cards, old.cards, cards))
    may_change = options.self_overturn_suit == "any" or seat != old.seat
    if not may_change and cards[0] != old.cards[0]:
        breaches.append(Breach(R.SELF_OVERTURN, seat, cards, old.cards, cards))


def with_show(setting: Setting, show: Show) -> Setting:
    """What a show makes: trump in later hands, the dealer in a first one (gunzi-3.4, 3.9)."""
    shown = (*setting.shows, show)
    if setting.is_first:
        return replace(setting, shows=shown, dealer=show.seat)
    return replace(setting, shows=shown, trump=show.trump)


def next_suited(deal: Deal, show: Show) -> int | None:
    """gunzi-3.2: the first suited card dealt to a seat after its show; None if none is."""
    coming = deal.hands[show.seat][n_dealt(deal, show.seat, show.after) :]
    return next((code for code in coming if code < BLACK_JOKER), None)


def closed(state: Declaring) -> Flipping | Drawing | Paying | Burying | Playing:
    """Declaring is over; where it has left trump open, bottom cards are turned up."""
    setting = state.setting
    if not setting.shows:
        if setting.is_first:
            return Flipping(setting, setting.deal.start)
        return Drawing(setting)
    if not setting.is_first:
        return after_trump(setting)
    suited = next_suited(setting.deal, setting.shows[-1])
    if suited is None:
        return Drawing(setting)
    return after_trump(replace(setting, trump=suited & 3))
