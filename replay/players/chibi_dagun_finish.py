"""The way out of a 赤壁打滚 hand: all in one play or in two, and what a lead is declared to be."""

from replay.engine.chibi_dagun.types import as_declared
from replay.engine.climbing.states import Playing
from replay.engine.game import Game
from replay.engine.mechanics.holding import unpack, without
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.rule import Breach
from replay.players.chibi_dagun_wilds import natural
from replay.players.climbing import laid
from replay.players.climbing_groups import TWO
from schema.events import By, Played, PlayedAs

_MOST_AT_ONCE, _MOST_IN_TWO = 16, 12
"""Cards: with more of them it is too rare to look for."""
_WIDTH = {"single": 1, "pair": 2, "triple": 3, "pair_chain": 2, "triple_chain": 3}


def all_at_once(state: Playing) -> bytes | None:
    """All that is held, if it is one play, and beats the table."""
    table, flow = state.table, state.flow
    if state.left[state.turn] > _MOST_AT_ONCE:
        return None
    cards = unpack(state.holdings[state.turn])
    readings = flow.readings(cards)
    if not readings or (table is not None and not beats(flow.choose(readings, table), table)):
        return None
    return cards


def first_of_two(game: Game, state: Playing) -> bytes | None:
    """What to lead of a holding with jokers that is two plays: the one that is harder to beat."""
    holding, readings = state.holdings[state.turn], state.flow.readings
    if state.left[state.turn] > _MOST_IN_TWO or natural(unpack(holding)) == unpack(holding):
        return None
    plays = (fact for fact in game.plays(state) if isinstance(fact, Played | PlayedAs))
    leads = dict.fromkeys(fact.cards for fact in plays)
    found = [
        play
        for cards in leads
        if readings(unpack(without(holding, (play := readings(cards)[0]).packed)))
    ]
    unseen = _unseen(state)
    return max(((*_firmness(p, unseen), p.cards) for p in found), default=(None,))[-1]


def _firmness(play: Play, unseen: bytes) -> tuple[tuple[int, ...], int, int]:
    """What plays are ordered by, the hardest to beat last: bombs, then by higher ones about."""
    return play.power, 0 if play.power else -_n_higher(play, unseen), len(play.cards)


def declared(game: Game, state: Playing, cards: bytes) -> Played | PlayedAs:
    """A lead; where it can be several things, declared to be what is hardest to beat.

    It stays undeclared where players have no say.
    """
    undeclared, readings = laid(state.turn, cards), state.flow.readings(cards)
    if len(readings) == 1:
        return undeclared
    if any(_is_breach(game, state, play) for play in readings):
        return undeclared
    unseen = _unseen(state)
    return _as(state, max(readings, key=lambda play: _firmness(play, unseen)))


def _as(state: Playing, play: Play) -> PlayedAs:
    return PlayedAs(0, By.PLAYER, state.turn, play.cards, *as_declared(play))


def _is_breach(game: Game, state: Playing, play: Play) -> bool:
    breaches: list[Breach] = []
    game.apply(state, _as(state, play), breaches)
    return bool(breaches)


def _unseen(state: Playing) -> bytes:
    """The cards that the others hold, nobody knows who which."""
    return b"".join(unpack(state.holdings[seat]) for seat in range(N_SEATS) if seat != state.turn)


def _n_higher(play: Play, unseen: bytes) -> int:
    """How many plays of its type are higher that unseen cards make, without their jokers."""
    width = _WIDTH[play.kind]
    end = TWO if play.kind.endswith("chain") else TWO + 1
    counts = [sum(code >> 2 == rank for code in unseen) for rank in range(end)]
    tops = range(play.rank + 1, end)
    return sum(min(counts[top - play.size + 1 : top + 1]) >= width for top in tops)
