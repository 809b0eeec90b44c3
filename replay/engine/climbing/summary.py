"""What the archive keeps of a climbing hand, derived from any of its states."""

from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingTurnUp,
    ClimbingState,
    Deal,
    Over,
    Playing,
)
from replay.engine.facts import PlayFacts
from replay.engine.mechanics.plays import Play
from schema.cards import RANKS, card_text

_NO_DEAL = (b"", b"", b"", b"")
NO_TYPE = PlayFacts("none", 1, None, False)


def play_facts(play: Play) -> PlayFacts:
    """A play as the archive names it."""
    if play.kind == "single" and play.rank >= len(RANKS):
        return PlayFacts("single", 1, card_text(play.cards[0]), False)
    rank = RANKS[play.rank] if play.kind in _RANKED else None
    return PlayFacts(play.kind, play.size, rank, bool(play.power))


_RANKED = frozenset(("single", "pair", "pair_chain", "straight", "bomb", "xi7", "xi8"))


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
    """Called card and partner; none in a solo hand."""
    if isinstance(state, Asking):
        return state.called, state.partner
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
