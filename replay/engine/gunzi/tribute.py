"""进贡 and 还贡: what the payer owes, what the dealer returns (gunzi-9)."""

from msgspec.structs import replace

from replay.engine.gunzi.bottom import open_bottom
from replay.engine.gunzi.order import LEVELS, are_as_high, largest, smallest
from replay.engine.gunzi.playing import rest_of
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.states import Burying, Paying, PerSeat, Playing, Returning, Setting
from replay.engine.mechanics.holding import pack_dealt, unpack, with_cards
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import with_seat
from replay.engine.rule import Breach, blocked
from schema.cards import RANKS
from schema.gunzi import TributePaid, TributeReturned
from schema.options import GunziOptions

_PAID_AT = {"own_level": {"5": "5", "T": "T"}, "both_levels": {"5": "5T", "T": "5T"}}
"""gunzi-9.6: by level, the ranks of the point cards that are paid after all."""


def after_trump(setting: Setting) -> Paying | Burying | Playing:
    """Trump is known: tribute first, if any is due, then the bottom (gunzi-5.1)."""
    if not setting.due:
        return open_bottom(setting, setting.deal.holdings)
    return Paying(setting, len(owed(setting)))


def payable(options: GunziOptions, level: str, cards: bytes) -> bytes:
    """gunzi-9.5, 9.6: those of the cards that tribute takes, at a level in notation."""
    paid = _PAID_AT[options.tribute_points].get(level, "")
    return bytes(code for code in cards if not points(bytes([code])) or RANKS[code >> 2] in paid)


def owed(setting: Setting) -> bytes:
    """The largest payable cards of the payer, as many as are due or as there are (gunzi-9.8)."""
    hand = setting.deal.hands[setting.payer]
    return largest(setting.context, payable_of(setting, hand), setting.due)


def payable_of(setting: Setting, hand: bytes) -> bytes:
    """Those of a hand's cards that tribute takes."""
    return payable(setting.house.options, LEVELS[setting.level], hand)


def paid(state: Paying, fact: TributePaid, breaches: list[Breach]) -> Returning:
    """The dealer's previous seat pays; the cards move as logged if their number is right."""
    setting, cards = state.setting, fact.cards
    _demand(R.TRIBUTE, setting.payer, fact)
    if len(cards) != state.n:
        expected = ("value.cards", state.n)
        blocked(R.PAID_COUNT, fact.seat, cards, expected, ("value.cards", len(cards)))
    due = owed(setting)
    rest = rest_of(setting.deal.holdings, fact.seat, cards)
    payables = payable_of(setting, cards)
    if len(payables) != len(cards) or not are_as_high(setting.context.height, cards, due):
        breaches.append(Breach(R.LARGEST, fact.seat, cards, due, cards))
    holdings = _moved(setting.deal.holdings, setting.payer, rest, setting.dealer, cards)
    return Returning(replace(setting, paid=cards), holdings)


def returned(state: Returning, fact: TributeReturned, breaches: list[Breach]) -> Burying | Playing:
    """The dealer returns as many cards, of those that the house lets him (gunzi-9.9)."""
    setting, cards = state.setting, fact.cards
    _demand(R.TRIBUTE, setting.dealer, fact)
    n = len(setting.paid)
    if len(cards) != n:
        expected, found = ("value.cards", n), ("value.cards", len(cards))
        blocked(R.RETURNED_COUNT, fact.seat, cards, expected, found)
    rest = rest_of(state.holdings, fact.seat, cards)
    wrong = wrong_return(setting, unpack(state.holdings[fact.seat]), cards)
    if wrong is not None:
        breaches.append(Breach(R.RETURNED, fact.seat, cards, wrong, cards))
    holdings = _moved(state.holdings, setting.dealer, rest, setting.payer, cards)
    return open_bottom(replace(setting, returned=cards), holdings)


def wrong_return(setting: Setting, hand: bytes, cards: bytes) -> bytes | None:
    """What could be returned instead of these cards; None if they may be."""
    match setting.house.options.tribute_return:
        case "any":
            return None
        case "non_point":
            plain = bytes(code for code in hand if not points(bytes([code])))
            return smallest(setting.context, plain, len(cards)) if points(cards) else None
        case "smallest":
            least = smallest(setting.context, hand, len(cards))
            return None if are_as_high(setting.context.height, cards, least) else least


def _demand(rule: R, seat: int, fact: TributePaid | TributeReturned) -> None:
    if fact.seat != seat:
        expected, found = ("seat.number", seat), ("seat.number", fact.seat)
        blocked(rule, fact.seat, fact.cards, expected, found)


def _moved(holdings: PerSeat, source: int, rest: int, target: int, cards: bytes) -> PerSeat:
    """The holdings when cards have gone over, and `source` is left with the rest."""
    left = with_seat(holdings, source, rest)
    return with_seat(left, target, with_cards(left[target], pack_dealt(cards)))
