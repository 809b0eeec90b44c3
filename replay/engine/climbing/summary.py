"""What the archive keeps of a climbing hand, derived from any of its states."""

from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingTurnUp,
    ClimbingState,
    Deal,
    Over,
    PerSeat,
    Playing,
    Wilds,
)
from replay.engine.facts import HandFacts, PlayFacts, SeatFacts
from replay.engine.mechanics.plays import Play
from schema.cards import RANKS, card_text
from schema.events import ClimbingSettled

_NO_DEAL = (b"", b"", b"", b"")
NO_TYPE = PlayFacts("none", 1, None, False, "", False)


def play_facts(play: Play, wilds: Wilds) -> PlayFacts:
    """A play as the archive names it, its reading not declared."""
    stand_for = "".join(rank for _, rank in wilds)
    if play.kind == "single" and play.rank >= len(RANKS):
        return PlayFacts("single", 1, card_text(play.cards[0]), False, stand_for, False)
    rank = None if play.kind in _UNRANKED or play.rank >= len(RANKS) else RANKS[play.rank]
    return PlayFacts(play.kind, play.size, rank, bool(play.power), stand_for, False)


_UNRANKED = frozenset(("wsk_mixed", "wsk_pure"))
"""五十K has no rank; those of other types without one, such as 天炸, are beyond the ranks."""


def hand_facts(state: ClimbingState, bonus: PerSeat | None) -> HandFacts:
    """The hand as derived up to this state; `bonus` are the coins of its bonuses, if settled."""
    table, settled = play_of(state), settled_of(state)
    called, partner = call_of(state)
    mode = None if table is None else "solo" if table.soloist >= 0 else "friend"
    return HandFacts(
        hand_no=state.carry.hand_no,
        dealer=dealer_of(state),
        called=called,
        partner=partner,
        mode=mode,
        soloist=table.soloist if mode == "solo" and table else None,
        result=settled.result.name.lower() if settled else None,
        fan=settled.fan if settled else None,
        winners=settled.winners if settled else (),
        seats=(
            _seat(state, 0, bonus),
            _seat(state, 1, bonus),
            _seat(state, 2, bonus),
            _seat(state, 3, bonus),
        ),
    )


def settled_of(state: ClimbingState) -> ClimbingSettled | None:
    """The settlement as derived, once the hand is over."""
    if not isinstance(state, Over):
        return None
    assert isinstance(state.settled, ClimbingSettled)
    return state.settled


def _seat(state: ClimbingState, seat: int, bonus: PerSeat | None) -> SeatFacts:
    table, settled, places = play_of(state), settled_of(state), places_of(state)
    is_scored = table is not None and table.is_scored
    return SeatFacts(
        role=role_of(state, seat),
        side=table.teams[seat] if table else None,
        dealt=dealt_hands(state)[seat],
        left=cards_left(state, seat),
        place=places.index(seat) + 1 if seat in places else None,
        captured=table.captured[seat] if table and is_scored else None,
        final=settled.final[seat] if settled and is_scored else None,
        bonus=bonus[seat] if bonus else None,
        delta=settled.deltas[seat] if settled else None,
        balance_before=state.carry.balances[seat],
        balance_after=settled.next.balances[seat] if settled else None,
        won=seat in settled.winners if settled else None,
    )


def play_of(state: ClimbingState) -> Playing | None:
    """The table, once play has begun."""
    match state:
        case Playing():
            return state
        case Over():
            return state.play
        case _:
            return None


def deal_of(state: ClimbingState) -> Deal | None:
    """The cards as dealt, once they are."""
    return None if isinstance(state, AwaitingDeal) else state.deal


def dealt_hands(state: ClimbingState) -> tuple[bytes, bytes, bytes, bytes]:
    """Each seat's cards in deal order; empty before the deal."""
    deal = deal_of(state)
    return deal.hands if deal else _NO_DEAL


def dealer_of(state: ClimbingState) -> int | None:
    """The dealer, once known."""
    if isinstance(state, AwaitingDeal | AwaitingTurnUp):
        return state.carry.dealer
    return state.dealer


def call_of(state: ClimbingState) -> tuple[int | None, int | None]:
    """Called card and partner; none in a solo hand, and before the call."""
    if isinstance(state, Asking):
        return (state.called, state.partner) if state.called >= 0 else (None, None)
    table = play_of(state)
    if table is None or table.soloist >= 0:
        return None, None
    return table.called, table.partner


def role_of(state: ClimbingState, seat: int) -> str:
    """dealer partner opponent soloist, or player while nothing is decided."""
    table = play_of(state)
    if table is None:
        return "dealer" if seat == dealer_of(state) else "player"
    if seat == table.soloist:
        return "soloist"
    if seat == table.dealer:
        return "dealer"
    return "partner" if seat == table.partner else "opponent"


def cards_left(state: ClimbingState, seat: int) -> int:
    """How many cards the seat holds."""
    table = play_of(state)
    if table:
        return table.left[seat]
    return len(dealt_hands(state)[seat])


def places_of(state: ClimbingState) -> tuple[int, ...]:
    """Seats in the order of their places so far."""
    if isinstance(state, Over):
        return state.places
    table = play_of(state)
    return table.places if table else ()
