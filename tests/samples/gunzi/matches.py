"""Clean files of 四副滚子 that are more than hands written down: whole matches, a refusal …"""

from replay.engine.gunzi.states import Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from schema.events import Claim, Refused
from tests.samples.files import BINARY
from tests.samples.forge import Move, Table, default_of, head, live, sealed
from tests.samples.matches import Make, special
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


def _whole_match(player: str, seed: int) -> Make:
    """A match by players of this kind, from its first hand to the one that wins it."""

    def make(game: str, name: str) -> bytes:
        table = Table(game, seed, default_of(game), player)
        hands = []
        while not table.carry.is_over:
            hands.append(table.hand().events)
        return sealed(live(head(game, name), hands))

    return make


SPECIAL: tuple[Special, ...] = (
    *special(_refused, "Three hands of a match; then the table breaks up.", "players"),
    Special(
        "match-greedy",
        "A whole match by sensible players, from 3 until it is won.",
        _whole_match("greedy", 4),
        BINARY,
    ),
    Special(
        "match-random",
        "A whole match by players who do anything they may.",
        _whole_match("random", 4),
        BINARY,
    ),
)
