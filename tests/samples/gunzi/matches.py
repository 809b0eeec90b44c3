"""Clean files of 四副滚子 that are more than hands written down: whole matches, a refusal …"""

from replay.engine.gunzi.states import Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from schema.events import Claim, Refused
from tests.samples.files import BINARY
from tests.samples.forge import Move
from tests.samples.matches import match, special
from tests.samples.sorts import Special


def _refused(move: Move) -> tuple[Claim, ...] | None:
    """The seat in turn tries a card of another suit than the one that is led."""
    state = move.after
    if not isinstance(state, Playing) or not state.plays or len(state.plays[0]) > 1:
        return None
    order, held = state.table.context.order, unpack(state.holdings[state.turn])
    own = of_suit(order, held, order.suit[state.plays[0][0]])
    others = [card for card in held if card not in own]
    if not own or not others:
        return None
    return (*move.claims, Refused(state.turn, bytes(others[:1])))


SPECIAL: tuple[Special, ...] = (
    *special(_refused, "Three hands of a match; then the table breaks up.", "players"),
    Special(
        "match-greedy",
        "A whole match by sensible players, from 3 until 10 is passed.",
        match("greedy", 40, 5),
        BINARY,
    ),
    Special(
        "match-random",
        "A whole match by players who do anything they may.",
        match("random", 40, 5),
        BINARY,
    ),
)
