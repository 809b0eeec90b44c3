"""The clean samples of 打拱: one log for every result, bonus, call, wind, and some house rules."""

from replay.engine.climbing.states import Asking
from schema.events import SoloAnswered
from tests.samples.clean import (
    CALLED_BY_DRAW,
    CALLED_JOKER,
    CALLS,
    CONTESTED,
    PASS_BINDS,
    RANDOM_PLAYERS,
    RESULTS,
    SOLO,
    SOLOIST_LEADS,
    TIANZHA,
    WIND,
    XI7,
    XI8,
)
from tests.samples.forge import HandLog
from tests.samples.sorts import Clean, House, but


def _speaks_freely(hand: HandLog) -> bool:
    """Under free solo order: a seat goes solo before its turn would have come."""
    return any(
        isinstance(move.fact, SoloAnswered)
        and isinstance(move.before, Asking)
        and move.fact.seat != move.before.dealer
        for move in hand.moves
    )


CLEAN: tuple[Clean, ...] = (
    *RESULTS,
    *SOLO,
    TIANZHA,
    XI8,
    XI7,
    CALLED_JOKER,
    *CALLS,
    CALLED_BY_DRAW,
    *WIND,
    Clean("option-faq", "Preset faq: every call is drawn.", n_hands=2, house=House("faq")),
    Clean(
        "option-free-solo",
        "Any seat may go solo at any time, and one does.",
        _speaks_freely,
        house=but(solo_order="free"),
    ),
    SOLOIST_LEADS,
    CONTESTED,
    PASS_BINDS,
    RANDOM_PLAYERS,
)
