"""What the archive keeps of a 四副滚子 hand, derived from any of its states."""

from msgspec.structs import replace

from replay.engine.facts import (
    BurialFacts,
    HandFacts,
    Note,
    PlayFacts,
    SeatFacts,
    ShowFacts,
    TributeFacts,
    TrumpFacts,
    TurnFacts,
)
from replay.engine.gunzi.order import LEVELS
from replay.engine.gunzi.playing import is_one_type
from replay.engine.gunzi.states import (
    UNKNOWN,
    Burying,
    Drawing,
    Flipping,
    GunziState,
    Over,
    Paying,
    Returning,
    Setting,
    carry_in,
    holdings_of,
    play_of,
    setting_of,
    side,
)
from replay.engine.mechanics.holding import size, unpack
from replay.engine.mechanics.seats import side_role
from schema.cards import BLACK_JOKER, RANKS, SUITS
from schema.events import Event
from schema.gunzi import (
    Buried,
    Declared,
    Drawn,
    Flipped,
    GunziEnding,
    GunziResult,
    GunziSettled,
    JokersBuried,
    TributePaid,
    TributeReturned,
)
from schema.trumps import Named

NO_TYPE = PlayFacts("none", 1, None, False, "", False)
TYPES = ("single", "pair", "triple")
"""By the number of cards, what cards of one face are (gunzi-6.1)."""


def play_facts(cards: bytes) -> PlayFacts:
    """A play as the archive names it: single, pair, triple, or mixed cards as an answer."""
    if not cards:
        return NO_TYPE
    if not is_one_type(cards):
        return PlayFacts("mixed", len(cards), None, False, "", False)
    rank = RANKS[cards[0] >> 2] if cards[0] < BLACK_JOKER else None
    return PlayFacts(TYPES[len(cards) - 1], 1, rank, False, "", False)


def settled_of(state: GunziState) -> GunziSettled | None:
    """The settlement as derived, once the hand is over."""
    return state.settled if isinstance(state, Over) else None


def hand_facts(state: GunziState) -> HandFacts:
    """The hand as derived up to this state."""
    setting, settled = setting_of(state), settled_of(state)
    dealer = setting.dealer if setting and setting.dealer != UNKNOWN else None
    return HandFacts(
        hand_no=carry_in(state).hand_no,
        dealer=dealer,
        called=None,
        partner=None if dealer is None else (dealer + 2) % 4,
        mode=None if setting is None else "level",
        soloist=None,
        result=settled.result.name.lower() if settled else None,
        fan=None,
        winners=_winners(dealer, settled),
        seats=(
            _seat(state, 0, dealer),
            _seat(state, 1, dealer),
            _seat(state, 2, dealer),
            _seat(state, 3, dealer),
        ),
        trump=_trump_facts(state),
    )


def _trump_facts(state: GunziState) -> TrumpFacts | None:
    setting, settled, play = setting_of(state), settled_of(state), play_of(state)
    if setting is None:
        return None
    shown = setting.shows[-1] if setting.shows else None
    carry = setting.carry
    known = TrumpFacts(
        level=LEVELS[setting.level],
        trump=None if setting.trump == UNKNOWN else SUITS[setting.trump],
        rung=shown.rung if shown else 0,
        declarer=shown.seat if shown else None,
        dealer_side=None if setting.dealer == UNKNOWN else side(setting.dealer),
        due_for_score=carry.due_for_score,
        due_for_jokers=carry.due_for_jokers,
        bottom_is_dry=play.table.is_dry if play else None,
    )
    if settled is None:
        return known
    is_match = settled.ending is not GunziEnding.NONE
    return replace(
        known,
        score=settled.score,
        trick_points=settled.tricks,
        bottom_points=settled.bottom,
        factor=settled.factor,
        effect=settled.ending.name.lower() if is_match else "points",
        risen=settled.risen,
        bottom_fate=settled.fate.name.lower(),
    )


_WINNERS = {
    GunziResult.HELD: 0,
    GunziResult.TAKEN: 1,
    GunziResult.MATCH_TO_DEALERS: 0,
    GunziResult.MATCH_TO_ATTACKERS: 1,
}
"""By result, how far the winning side sits from the dealer's."""


def _winners(dealer: int | None, settled: GunziSettled | None) -> tuple[int, ...]:
    """Who deals on, takes the deal, or wins the match."""
    if settled is None or dealer is None:
        return ()
    team = side(dealer + _WINNERS[settled.result])
    return tuple(seat for seat in range(4) if side(seat) == team)


def _seat(state: GunziState, seat: int, dealer: int | None) -> SeatFacts:
    setting, settled, play = setting_of(state), settled_of(state), play_of(state)
    holdings, carry = holdings_of(state), carry_in(state)
    winners = _winners(dealer, settled)
    return SeatFacts(
        role=side_role(seat, dealer),
        side=None if dealer is None else (side(seat) - side(dealer)) % 2,
        dealt=setting.deal.hands[seat] if setting else b"",
        left=size(holdings[seat]) if holdings else 0,
        place=None,
        captured=play.captured[seat] if play else None,
        final=None,
        bonus=None,
        delta=None,
        balance_before=None,
        balance_after=None,
        won=seat in winners if winners else None,
        level_before=LEVELS[carry.levels[side(seat)]],
        level_after=LEVELS[settled.next.levels[side(seat)]] if settled else None,
    )


def cards_of(state: GunziState, seat: int) -> bytes:
    """What a seat holds; nothing before the deal."""
    holdings = holdings_of(state)
    return unpack(holdings[seat]) if holdings else b""


def notes(before: GunziState | None, event: Event, after: GunziState) -> tuple[Note, ...]:
    """The show, the card turned up, the tribute or the burial that an event is."""
    setting = setting_of(after)
    match event, before:
        case Declared(), _ if setting is not None and setting.shows:
            return (_show(event, setting),)
        case Flipped() | Drawn(), Flipping() | Drawing():
            return (_turn(event, before),)
        case TributePaid(), Paying():
            return (_tribute("paid", event, before.setting.dealer),)
        case TributeReturned(), Returning():
            return (_tribute("returned", event, before.setting.payer),)
        case Buried(), Burying():
            return (BurialFacts(event.seat, before.setting.deal.bottom, event.cards),)
        case JokersBuried(), _ if event.jokers:
            return (BurialFacts(event.seat, event.picked, event.jokers),)
        case _:
            return ()


def _show(event: Declared, setting: Setting) -> ShowFacts:
    show = setting.shows[-1]
    named = event.named
    return ShowFacts(
        kind="declared",
        seat=show.seat,
        cards=show.cards,
        rung=show.rung,
        named=None if named is Named.NOTHING else _named(named),
        trump=None if show.trump == UNKNOWN else SUITS[show.trump],
        after=event.after,
    )


def _named(named: Named) -> str:
    return "none" if named is Named.NO_TRUMP else SUITS[named]


def _turn(event: Flipped | Drawn, before: Flipping | Drawing) -> TurnFacts:
    card = before.setting.deal.bottom[event.place : event.place + 1]
    if isinstance(event, Flipped):
        return TurnFacts("flipped", event.seat, event.place, card)
    return TurnFacts("drawn", None, event.place, card)


def _tribute(kind: str, event: TributePaid | TributeReturned, receiver: int) -> TributeFacts:
    return TributeFacts(kind, event.seat, receiver, event.cards)
