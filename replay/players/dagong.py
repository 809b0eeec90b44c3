"""Players of 打拱: one that plays sensibly, one that plays anything; and the chance of the deal.

They see what their seat can see: own cards, the called card, how many cards the others hold.
Only `random()` and what is built on it in every Python alike is drawn from `rng`, so the same
seed plays the same match everywhere.
"""

from random import Random

from msgspec import Struct

from replay.engine.climbing.deal import expected_answer, singles
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Playing,
)
from replay.engine.game import Game
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS
from replay.players.grouping import Group, Grouping, grouping
from schema.cards import ALL_CODES, RANKS
from schema.events import By, CallDrawn, Dealt, Fact, Passed, Played, SoloAnswered, TurnedUp

_DECK = ALL_CODES * 2
_QUEEN, _TWO = RANKS.index("Q"), RANKS.index("2")
_RANDOM_SOLO = 1 / 24
"""How often the random player says yes: uniform answers would leave hardly a friend hand."""
_SHORT = 4
"""A seat with so few cards may be out before one's next turn."""


def chance(state: ClimbingState, rng: Random) -> Fact | None:
    """The deck, the turned-up card or the drawn call; None if a seat is in turn or nobody."""
    match state:
        case AwaitingDeal():
            deck = list(_DECK)
            rng.shuffle(deck)
            dealer = state.carry.dealer
            start = _below(rng, N_SEATS) if dealer is None else dealer
            return Dealt(_millis(rng, 800, 400), start, bytes(deck))
        case AwaitingTurnUp():
            return TurnedUp(_millis(rng, 1500, 500), _below(rng, len(_DECK)))
        case AwaitingDraw():
            faces = singles(state.deal.hands[state.dealer])
            return CallDrawn(_millis(rng, 1500, 500), faces[_below(rng, len(faces))])
        case _:
            return None


def _below(rng: Random, n: int) -> int:
    return int(rng.random() * n)


def _millis(rng: Random, least: int, spread: int) -> int:
    return least + int(rng.random() * spread)


class RandomPlayer:
    """Uniform over the legal plays; only the question for 硬牌 is mostly answered no."""

    def choose(self, game: Game, state: ClimbingState, rng: Random) -> Fact:
        """Any legal fact of the seat in turn."""
        options = list(game.plays(state))
        if isinstance(state, Asking):
            wanted = rng.random() < _RANDOM_SOLO
            options = [f for f in options if (type(f) is SoloAnswered and f.yes) == wanted]
        return _thought(options[_below(rng, len(options))], _millis(rng, 300, 2700))


def _thought(fact: Fact, dt: int) -> Fact:
    """The legal fact with a think time (ms)."""
    match fact:
        case Played():
            return Played(dt, By.PLAYER, fact.seat, fact.cards)
        case Passed():
            return Passed(dt, By.PLAYER, fact.seat)
        case SoloAnswered():
            return SoloAnswered(dt, By.PLAYER, fact.seat, fact.yes)
        case _:
            raise AssertionError("players are asked for answers, plays and passes only")


class GreedyPlayer:
    """Leads low and long, follows as cheaply as it can, spends bombs on points and on danger."""

    def choose(self, game: Game, state: ClimbingState, rng: Random) -> Fact:
        """The answer, play or pass of the seat in turn."""
        if type(state) is Playing:
            hint = _follow(game, state, rng) if state.table else _lead(state)
            dt = _millis(rng, 500, 2500 if hint is None else 6000)
            if hint is None:
                return Passed(dt, By.PLAYER, state.turn)
            return Played(dt, By.PLAYER, state.turn, hint)
        assert isinstance(state, Asking)
        return _answer(state, rng)


class _Sight(Struct, frozen=True):
    """What the seat in turn makes of the table: `friends` and `foes` are masks of active seats.

    A seat not known to be a friend is taken for a foe; `bombs` are weakest first, jokers that
    are one included; `danger` is the fewest cards that a foe holds.
    """

    mine: Grouping
    singles: tuple[Play, ...]
    bombs: tuple[Play, ...]
    friends: int
    foes: int
    left: tuple[int, int, int, int]
    danger: int


def _sight(state: Playing) -> _Sight:
    seat = state.turn
    mine = grouping(state.holdings[seat])
    jokers, bombs = _jokers(state, mine), [_play(state, cards) for cards in mine.bombs]
    lone = jokers if jokers and not jokers[0].power else ()
    bombs += [play for play in jokers if play.power]
    bombs.sort(key=_power)
    friends = _friends(state, seat)
    foes = state.active & ~friends & ~(1 << seat)
    left = state.left
    danger = min([left[s] for s in range(N_SEATS) if foes >> s & 1], default=27)
    return _Sight(mine, lone, tuple(bombs), friends, foes, left, danger)


def _power(play: Play) -> tuple[int, ...]:
    return play.power


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


def _friends(state: Playing, seat: int) -> int:
    """Seats that `seat` knows to be on its side: the partner at once, all after 明鸡 or 硬牌."""
    if state.soloist < 0 and not state.is_revealed and seat != state.partner:
        return 0
    team = state.teams[seat]
    return sum(1 << s for s in range(N_SEATS) if s != seat and state.teams[s] == team)


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
    if sight.danger <= 2 and n_plays > 1:
        return _guarded_lead(sight)
    return groups[0].cards


def _guarded_lead(sight: _Sight) -> bytes:
    """Against a foe with one or two cards: what he cannot follow by number, else the highest."""
    for group in sight.mine.groups:
        if len(group.cards) > sight.danger or (sight.danger == 2 and len(group.cards) == 1):
            return group.cards
    if sight.singles:
        return sight.singles[-1].cards
    return max(sight.mine.groups, key=lambda group: group.rank).cards


# Following


def _follow(game: Game, state: Playing, rng: Random) -> bytes | None:
    """The cards that beat the table, or None for a pass."""
    sight, table = _sight(state), state.table
    assert table is not None
    left = sight.left[state.turn]
    if sight.friends >> state.last & 1:
        return _last_play(sight, table, left)
    cheap = None if table.power else _cheapest(state, sight, table)
    if cheap is not None and (len(cheap) == left or not _too_dear(state, sight, cheap, rng)):
        return cheap
    if sight.left[state.last] <= _SHORT or sight.danger <= 2:
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
    if cards[0] >> 2 < _TWO or state.pile >= 10 or sight.danger <= 2 * _SHORT:
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
    if rest <= 1 or sight.danger <= 2 * _SHORT:
        return True
    losers = sum(group.rank < _TWO for group in sight.mine.groups)
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
    dt = _millis(rng, 800, 3200)
    if asked is not None:
        return SoloAnswered(dt, By.PLAYER, asked, _is_solo(state, asked, rng))
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
    losers = sum(group.rank < _TWO for group in mine.groups)
    strength = sum(_WEIGHT[play.power[0]] for play in bombs) + sum(not p.power for p in jokers)
    surplus = strength - losers
    return surplus > _NERVE or (surplus == _NERVE and rng.random() < 0.4)


_WEIGHT = (0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4)
"""Worth of a bomb for the way out, by its level (dagong-5.5)."""
_NERVE = 6
"""From this surplus on a seat goes solo: some 4 of 100 hands, of which two thirds are won."""
