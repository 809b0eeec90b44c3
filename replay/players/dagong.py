"""The sensible player of 打拱; it decides from what its seat can see (see `climbing`)."""

from random import Random

from msgspec import Struct

from replay.engine.climbing.deal import expected_answer
from replay.engine.climbing.states import Asking, Playing
from replay.engine.game import Game
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS
from replay.players.climbing import (
    ANSWER_TIME,
    SHORT,
    Others,
    acted,
    answered,
    laid,
    others,
    power,
)
from replay.players.climbing_groups import TWO, Group, Grouping
from replay.players.draws import millis
from replay.players.grouping import grouping
from schema.cards import RANKS
from schema.events import By, Fact, Played, SoloAnswered

_QUEEN = RANKS.index("Q")


class GreedyPlayer:
    """Leads low and long, follows as cheaply as it can, spends bombs on points and on danger."""

    def choose(self, game: Game, state: Playing | Asking, rng: Random) -> Fact:
        """The answer, play or pass of the seat in turn."""
        if type(state) is Playing:
            cards = _follow(game, state, rng) if state.table else _lead(state)
            return acted(state.turn, None if cards is None else laid(state.turn, cards), rng)
        assert isinstance(state, Asking)
        return _answer(state, rng)


class _Sight(Struct, frozen=True):
    """What the seat in turn makes of the table; `bombs` are weakest first, jokers that are one too.

    `singles` are jokers that are no bomb.
    """

    mine: Grouping
    singles: tuple[Play, ...]
    bombs: tuple[Play, ...]
    others: Others


def _sight(state: Playing) -> _Sight:
    mine = grouping(state.holdings[state.turn])
    jokers, bombs = _jokers(state, mine), [_play(state, cards) for cards in mine.bombs]
    lone = jokers if jokers and not jokers[0].power else ()
    bombs += [play for play in jokers if play.power]
    bombs.sort(key=power)
    return _Sight(mine, lone, tuple(bombs), others(state))


def _play(state: Playing | Asking, cards: bytes) -> Play:
    return state.flow.readings(cards)[0]


def _jokers(state: Playing | Asking, mine: Grouping) -> tuple[Play, ...]:
    """The jokers as one bomb if the table has it, else one by one."""
    readings = state.flow.readings
    if not mine.jokers:
        return ()
    together = readings(mine.jokers)
    if together:
        return together
    return tuple(readings(bytes((code,)))[0] for code in mine.jokers)


# Leading


def _lead(state: Playing) -> bytes:
    """The cards to lead."""
    sight = _sight(state)
    groups = sight.mine.groups
    n_plays = len(groups) + len(sight.singles) + len(sight.bombs)
    if sight.bombs and n_plays <= 2:
        return sight.bombs[-1].cards
    if not groups:
        return sight.singles[0].cards if sight.singles else sight.bombs[0].cards
    if sight.others.danger <= 2 and n_plays > 1:
        return _guarded_lead(sight)
    return groups[0].cards


def _guarded_lead(sight: _Sight) -> bytes:
    """Against a foe with one or two cards: what he cannot follow by number, else the highest."""
    danger = sight.others.danger
    for group in sight.mine.groups:
        if len(group.cards) > danger or (danger == 2 and len(group.cards) == 1):
            return group.cards
    if sight.singles:
        return sight.singles[-1].cards
    return max(sight.mine.groups, key=lambda group: group.rank).cards


# Following


def _follow(game: Game, state: Playing, rng: Random) -> bytes | None:
    """The cards that beat the table, or None for a pass."""
    sight, table = _sight(state), state.table
    assert table is not None
    left = sight.others.left[state.turn]
    if sight.others.friends >> state.last & 1:
        return _last_play(sight, table, left)
    cheap = None if table.power else _cheapest(state, sight, table)
    if cheap is not None and (len(cheap) == left or not _too_dear(state, sight, cheap, rng)):
        return cheap
    if sight.others.left[state.last] <= SHORT or sight.others.danger <= 2:
        return _whatever_beats(game, state)
    return _bomb(state, sight, table, rng)


def _last_play(sight: _Sight, table: Play, left: int) -> bytes | None:
    """A friend is winning: pass, unless one's own last cards beat him."""
    for group in sight.mine.groups:
        if len(group.cards) == left and _answers(group, table):
            return group.cards
    for play in (*sight.singles, *sight.bombs):
        if len(play.cards) == left and beats(play, table):
            return play.cards
    return None


def _answers(group: Group, table: Play) -> bool:
    return group.kind == table.kind and group.size == table.size and group.rank > table.rank


def _cheapest(state: Playing, sight: _Sight, table: Play) -> bytes | None:
    """The lowest non-bomb that beats the table without breaking up more than a high pair."""
    found = [group for group in sight.mine.groups if _answers(group, table)]
    if found:
        return min(found, key=lambda group: group.rank).cards
    if table.kind != "single":
        return None
    for group in sight.mine.groups:
        if group.kind == "pair" and group.rank >= _QUEEN and group.rank > table.rank:
            return group.cards[:1]
    for play in sight.singles:
        if play.rank > table.rank:
            return play.cards
    return None


def _too_dear(state: Playing, sight: _Sight, cards: bytes, rng: Random) -> bool:
    """2s and jokers are kept for points, for danger and for the end of the hand."""
    if cards[0] >> 2 < TWO or state.pile >= 10 or sight.others.danger <= 2 * SHORT:
        return False
    return len(sight.mine.groups) > 4 and rng.random() < 0.6


def _whatever_beats(game: Game, state: Playing) -> bytes | None:
    """Somebody is about to go out: anything that beats the table, non-bombs first, low first."""
    facts = (fact for fact in game.plays(state) if isinstance(fact, Played))
    plays = (_play(state, fact.cards) for fact in facts)
    return min(((play.power, play.rank, play.cards) for play in plays), default=(0, 0, None))[2]


# Bombs


def _bomb(state: Playing, sight: _Sight, table: Play, rng: Random) -> bytes | None:
    """The weakest bomb that beats the table, if this is the time for it."""
    for play in sight.bombs:
        if play.power > table.power:
            return play.cards if _is_worth(state, sight, play, rng) else None
    return None


def _is_worth(state: Playing, sight: _Sight, play: Play, rng: Random) -> bool:
    """A bomb is for points, for the way out, or against somebody who is nearly out."""
    rest = len(sight.mine.groups) + len(sight.singles) + len(sight.bombs) - 1
    if rest <= 1 or sight.others.danger <= 2 * SHORT:
        return True
    losers = sum(group.rank < TWO for group in sight.mine.groups)
    if state.soloist >= 0:
        return len(sight.bombs) > losers // 2 or rng.random() < 0.25
    if losers <= len(sight.bombs):
        return True
    # dagong-5.5: a stronger level is kept for more points
    return state.pile >= 5 + 3 * play.power[0] and rng.random() < 0.9


# 硬牌


def _answer(state: Asking, rng: Random) -> Fact:
    """The answer of the seat asked; where any seat may speak, the first strong one or the lead."""
    asked = expected_answer(state)
    if asked is not None:
        return answered(state, asked, _is_solo, rng)
    dt = millis(rng, *ANSWER_TIME)
    for step in range(N_SEATS):
        seat = (state.dealer + step) % N_SEATS
        if _is_solo(state, seat, rng):
            return SoloAnswered(dt, By.PLAYER, seat, True)
    mine = grouping(state.deal.holdings[state.dealer])
    lead = mine.groups[0].cards if mine.groups else mine.bombs[0]
    return Played(dt, By.PLAYER, state.dealer, lead)


def _is_solo(state: Asking, seat: int, rng: Random) -> bool:
    """Far more bombs to win the lead back with than plays to lose it; on the border, nerve."""
    mine = grouping(state.deal.holdings[seat])
    jokers = _jokers(state, mine)
    bombs = [_play(state, cards) for cards in mine.bombs] + [p for p in jokers if p.power]
    losers = sum(group.rank < TWO for group in mine.groups)
    strength = sum(_WEIGHT[play.power[0]] for play in bombs) + sum(not p.power for p in jokers)
    surplus = strength - losers
    return surplus > _NERVE or (surplus == _NERVE and rng.random() < 0.4)


_WEIGHT = (0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4)
"""Worth of a bomb for the way out, by its level (dagong-5.5)."""
_NERVE = 6
"""From this surplus on a seat goes solo: some 4 of 100 hands, of which two thirds are won."""
