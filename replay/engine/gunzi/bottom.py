"""底牌: 干锅, the dealer's exchange, jokers buried by others and what they pick (gunzi-5)."""

from msgspec.structs import replace

from replay.engine.gunzi.order import TRUMP, Context
from replay.engine.gunzi.playing import begin, rest_of
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.states import (
    Asking,
    Burial,
    Burying,
    PerSeat,
    Playing,
    Setting,
    Table,
)
from replay.engine.mechanics.holding import (
    count,
    pack_dealt,
    with_cards,
    without,
)
from replay.engine.mechanics.points import points
from replay.engine.mechanics.ranks import count_jokers
from replay.engine.mechanics.seats import N_SEATS, with_seat
from replay.engine.rule import Breach, blocked
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER
from schema.gunzi import Buried, JokersBuried, JokersPassed
from schema.options import GunziOptions

_TWO = RANKS.index("2")


def open_bottom(setting: Setting, holdings: PerSeat) -> Burying | Playing:
    """Tribute is over: the dealer takes the bottom, unless it is dry and stays (gunzi-5.4)."""
    return dry_bottom(setting, holdings) if is_dry_hand(setting) else taken(setting, holdings)


def is_dry_hand(setting: Setting) -> bool:
    """Whether the bottom is shown, and is dry."""
    options = setting.house.options
    if not setting.shows or (setting.is_first and options.dry_first_hand == "off"):
        return False
    return is_dry(options, setting.context, setting.deal.bottom)


def is_dry(options: GunziOptions, context: Context, bottom: bytes) -> bool:
    """gunzi-5.4: no plain card of the trump suit, or nothing but trumps."""
    suits = [context.order.suit[code] for code in bottom]
    plain = [code for code in bottom if is_plain_trump(options, context, code)]
    return not plain or all(suit == TRUMP for suit in suits)


def is_plain_trump(options: GunziOptions, context: Context, code: int) -> bool:
    """Whether a card is of the trump suit and no level card, nor, unless by option, a 2."""
    if code >= BLACK_JOKER or code & 3 != context.trump:
        return False
    is_two = code >> 2 == _TWO
    is_plain = context.step[code] < context.step[_TWO * 4]
    return options.dry_trump_two == "plain" if is_two else is_plain


def dry_bottom(setting: Setting, holdings: PerSeat) -> Playing:
    """干锅: the six cards stay, play begins (gunzi-5.5)."""
    bottom = setting.deal.bottom
    return begin(Table(setting, setting.context, b"", bottom, True, True), holdings)


def taken(setting: Setting, holdings: PerSeat) -> Burying:
    """The dealer takes the six cards (gunzi-5.6)."""
    held = with_cards(holdings[setting.dealer], pack_dealt(setting.deal.bottom))
    return Burying(setting, with_seat(holdings, setting.dealer, held))


def put_back(state: Burying) -> Playing:
    """The dealer gives the six cards back: they were told to be dry."""
    setting = state.setting
    left = without(state.holdings[setting.dealer], pack_dealt(setting.deal.bottom))
    return dry_bottom(setting, with_seat(state.holdings, setting.dealer, left))


def buried(state: Burying, fact: Buried, breaches: list[Breach]) -> Asking | Playing:
    """Six cards of the dealer are the new bottom; it is public if a joker is in it."""
    setting, seat, cards = state.setting, fact.seat, fact.cards
    n = len(setting.deal.bottom)
    if seat != setting.dealer:
        expected = ("seat.number", setting.dealer)
        blocked(R.BURIAL, seat, cards, expected, ("seat.number", seat))
    if len(cards) != n:
        blocked(R.BURIAL, seat, cards, ("value.cards", n), ("value.cards", len(cards)))
    rest = rest_of(state.holdings, seat, cards)
    _check_big_first(seat, rest, cards, breaches)
    bottom = bytes(sorted(cards))
    asking = Asking(
        setting=setting,
        holdings=with_seat(state.holdings, seat, rest),
        buried=cards,
        bottom=bottom,
        is_public=count_jokers(bottom) > 0,
        asked=tuple((seat + step) % N_SEATS for step in range(1, N_SEATS)),
    )
    return asking if setting.house.options.others_bury == "allowed" else to_play(asking)


def _check_big_first(seat: int, rest: int, cards: bytes, breaches: list[Breach]) -> None:
    """gunzi-5.8: who buries a 小王 has no 大王 left."""
    kept = count(rest, RED_JOKER)
    if kept and BLACK_JOKER in cards:
        breaches.append(Breach(R.BIG_FIRST, seat, cards, None, bytes([RED_JOKER] * kept)))


def jokers_passed(state: Asking, fact: JokersPassed) -> Asking | Playing:
    """A seat buries no joker; those before it that said nothing have passed too."""
    return _asked_on(state, fact.seat)


def jokers_buried(state: Asking, fact: JokersBuried, breaches: list[Breach]) -> Asking | Playing:
    """A seat buries jokers and picks as many cards; two empty sets are a pass (gunzi-5.10)."""
    seat, jokers, picked = fact.seat, fact.jokers, fact.picked
    _demand_asked(state, seat)
    if not jokers and not picked:
        return _asked_on(state, seat)
    rest = rest_of(state.holdings, seat, jokers)
    left = _picked(state.bottom, fact)
    _check_jokers(seat, rest, jokers, breaches)
    _check_pick(state, fact, breaches)
    setting = replace(state.setting, burials=(*state.setting.burials, Burial(seat, jokers, picked)))
    bottom = bytes(sorted(left + jokers))
    after = replace(
        state,
        setting=setting,
        holdings=with_seat(state.holdings, seat, with_cards(rest, pack_dealt(picked))),
        bottom=bottom,
        is_public=state.is_public or count_jokers(bottom) > 0,
    )
    return _asked_on(after, seat)


def _picked(bottom: bytes, fact: JokersBuried) -> bytes:
    """What a pick leaves of the bottom; blocked if the cards are not there, or not as many."""
    n, found = len(fact.jokers), len(fact.picked)
    if found != n:
        expected = ("value.cards", n)
        blocked(R.PICK_COUNT, fact.seat, fact.picked, expected, ("value.cards", found))
    left = list(bottom)
    for code in fact.picked:
        if code not in left:
            blocked(R.PICK_COUNT, fact.seat, fact.picked, bottom, bytes([code]))
        left.remove(code)
    return bytes(left)


def _check_jokers(seat: int, rest: int, jokers: bytes, breaches: list[Breach]) -> None:
    others = bytes(code for code in jokers if code < BLACK_JOKER)
    if others:
        breaches.append(Breach(R.ONLY_JOKERS, seat, jokers, None, others))
    _check_big_first(seat, rest, jokers, breaches)


def _check_pick(state: Asking, fact: JokersBuried, breaches: list[Breach]) -> None:
    """gunzi-5.11, 5.12: no more than can be picked, and the smallest."""
    setting, n, most = state.setting, len(fact.jokers), most_buried(state)
    if n > most:
        expected, found = ("value.at_most_cards", most), ("value.cards", n)
        breaches.append(Breach(R.PICKABLE, fact.seat, fact.jokers, expected, found))
    if n > len(pickable(state.bottom)):
        return  # no pick is right then
    table = pick_table(setting.house.options, setting.context)
    best = smallest_picks(table, state.bottom, n)
    if sorted(fact.picked.translate(table)) != sorted(best.translate(table)) or (
        len(pickable(fact.picked)) != n
    ):
        breaches.append(Breach(R.SMALLEST_PICK, fact.seat, fact.picked, best, fact.picked))


def pickable(cards: bytes) -> bytes:
    """gunzi-5.12: those of the cards that are neither jokers nor points."""
    return bytes(code for code in cards if code < BLACK_JOKER and not points(bytes([code])))


def pick_table(options: GunziOptions, context: Context) -> bytes:
    """gunzi-5.11: what the smallest cards are found by."""
    return {"rank": context.step, "strength": context.height}[options.pick_tie]


def smallest_picks(table: bytes, bottom: bytes, n: int) -> bytes:
    """The `n` smallest cards that can be picked; of equal ones any."""
    return bytes(sorted(pickable(bottom), key=lambda code: (table[code], code))[:n])


def most_buried(state: Asking) -> int:
    """gunzi-5.12: how many jokers may be buried: as many as there are cards to pick for them."""
    ban = state.setting.house.options.others_bury_ban
    is_banned = ban == "any_point" and points(state.buried) > 0
    return 0 if is_banned else len(pickable(state.bottom))


def _demand_asked(state: Asking, seat: int) -> None:
    if seat not in state.asked:
        expected = tuple(("seat.number", other) for other in state.asked)
        blocked(R.OTHERS_BURY, seat, None, expected, ("seat.number", seat))


def _asked_on(state: Asking, seat: int) -> Asking | Playing:
    """gunzi-5.10: the seats behind this one are still asked; after the last play begins."""
    _demand_asked(state, seat)
    asked = state.asked[state.asked.index(seat) + 1 :]
    after = replace(state, asked=asked)
    return after if asked else to_play(after)


def to_play(state: Asking) -> Playing:
    """Nobody buries any more: play begins."""
    table = Table(
        setting=state.setting,
        context=state.setting.context,
        buried=state.buried,
        bottom=state.bottom,
        is_public=state.is_public,
        is_dry=False,
    )
    return begin(table, state.holdings)
