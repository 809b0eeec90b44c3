"""Plays that the server turns down, rightly: a claim beside those that are due."""

from replay.engine.climbing.states import Playing
from schema.cards import parse_cards
from schema.events import AnyPlay, Claim, Refused, SoloAnswered
from tests.samples.forge import Lie, Move


def refused(seat: int, *plays: str) -> Lie:
    """The server turns these plays down, one after the other, when the seat is in turn to play."""

    def lie(move: Move) -> tuple[Claim, ...] | None:
        state = move.after
        is_asked = isinstance(state, Playing) and state.turn == seat
        is_begun = isinstance(move.fact, AnyPlay | SoloAnswered)
        if not is_asked or not is_begun or move.claims:
            return None
        return tuple(Refused(seat, parse_cards(cards)) for cards in plays)

    return lie
