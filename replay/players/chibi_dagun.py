"""The sensible player of 赤壁打滚; it decides from what its seat can see (see `climbing`)."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.climbing.deal import expected_answer
from replay.engine.climbing.states import Asking, Playing
from replay.engine.game import Game
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS, with_seat
from replay.players.chibi_dagun_finish import all_at_once, declared, first_of_two
from replay.players.chibi_dagun_layout import layout
from replay.players.chibi_dagun_wilds import is_of_one_rank, natural
from replay.players.climbing import (
    SHORT,
    Others,
    acted,
    answered,
    laid,
    others,
    power,
)
from replay.players.climbing_groups import TWO
from schema.cards import RANKS
from schema.events import Fact, Played

_QUEEN = RANKS.index("Q")
_WHIM = 0.2
"""How often two jokers are spent on a lead."""


class GreedyPlayer:
    """Leads low and long, follows as cheaply as it can, spends bombs on points and on danger.

    Jokers are kept to complete runs, 五十K and bombs, never spent as a 3 while there is a choice.
    """

    def choose(self, game: Game, state: Playing | Asking, rng: Random) -> Fact:
        """The answer, play or pass of the seat in turn."""
        if type(state) is Playing:
            if state.table is None:
                return acted(state.turn, declared(game, state, _lead(game, state, rng)), rng)
            cards = _follow(game, state, rng)
            return acted(state.turn, None if cards is None else laid(state.turn, cards), rng)
        assert isinstance(state, Asking)
        asked = expected_answer(state)
        assert asked is not None, "the seats are asked in turn"
        return answered(state, asked, _is_solo, rng)


class _Sight(Struct, frozen=True):
    """What the seat in turn makes of the table.

    `groups` are plays that are no bomb, the first to lead first, and `bombs` weakest first, read
    as the table takes them; `reserve` are jokers that are in neither.
    """

    groups: tuple[Play, ...]
    bombs: tuple[Play, ...]
    reserve: bytes
    others: Others

    @property
    def n_plays(self) -> int:
        """How many plays are left: jokers in reserve go with one of the others."""
        n_plays = len(self.groups) + len(self.bombs)
        return n_plays or len(self.reserve)


def _sight(state: Playing) -> _Sight:
    groups, bombs, reserve = _plays(state, state.holdings[state.turn])
    return _Sight(groups, bombs, reserve, others(state))


def _plays(
    state: Playing | Asking, holding: int
) -> tuple[tuple[Play, ...], tuple[Play, ...], bytes]:
    """The layout of a holding as plays: what the table does not have is taken apart."""
    mine, readings, choose = layout(holding), state.flow.readings, state.flow.choose
    table = state.table if type(state) is Playing else None
    groups: list[Play] = []
    bombs: list[Play] = []
    reserve = mine.jokers
    for cards in (*(group.cards for group in mine.groups), *mine.bombs):
        found = readings(cards)
        if not found:
            kept = natural(cards)
            reserve += cards[len(kept) :]
            found = readings(kept)
        if found:
            play = choose(found, table)
            (bombs if play.power else groups).append(play)
    bombs.sort(key=power)
    return tuple(groups), tuple(bombs), reserve


# Leading


def _lead(game: Game, state: Playing, rng: Random) -> bytes:
    """The cards to lead."""
    finishing = all_at_once(state) or first_of_two(game, state)
    if finishing is not None:
        return finishing
    sight = _sight(state)
    if sight.bombs and sight.n_plays <= 2:
        return sight.bombs[-1].cards
    if not sight.groups:
        return sight.bombs[0].cards if sight.bombs else sight.reserve[:1]
    if sight.others.danger <= 2:
        return _guarded_lead(sight)
    return _feeding_lead(sight) or _stretched_lead(state, sight, rng) or sight.groups[0].cards


def _guarded_lead(sight: _Sight) -> bytes:
    """Against a foe with one or two cards: what he cannot follow by number, else the highest."""
    danger = sight.others.danger
    for play in sight.groups:
        if len(play.cards) > danger or (danger == 2 and len(play.cards) == 1):
            return play.cards
    if sight.bombs and len(sight.groups) <= len(sight.bombs):
        return sight.bombs[0].cards
    return max(sight.groups, key=lambda play: play.rank).cards


def _feeding_lead(sight: _Sight) -> bytes | None:
    """A friend with one or two cards is let out with the lowest that he may beat."""
    left = [sight.others.left[s] for s in range(N_SEATS) if sight.others.friends >> s & 1]
    kinds = {1: "single", 2: "pair"}
    fewest = min((n for n in left if n), default=0)
    if fewest not in kinds:
        return None
    plays = (play for play in sight.groups if play.kind == kinds[fewest])
    lowest = min(plays, key=lambda play: play.rank, default=None)
    return None if lowest is None or lowest.rank >= _QUEEN else lowest.cards


def _stretched_lead(state: Playing, sight: _Sight, rng: Random) -> bytes | None:
    """Two pairs with two jokers, now and then: six cards gone, and few that beat them."""
    first, jokers = sight.groups[0], unpack(state.holdings[state.turn])[-2:]
    if len(first.cards) != 4 or _n_jokers(first) or natural(jokers) or len(sight.groups) < 4:
        return None
    if any(play.kind == "tianzha" for play in sight.bombs) or rng.random() > _WHIM:
        return None
    return first.cards + jokers


# Following


def _follow(game: Game, state: Playing, rng: Random) -> bytes | None:
    """The cards that beat the table, or None for a pass."""
    table = state.table
    assert table is not None
    finishing = all_at_once(state)
    if finishing is not None:
        return finishing
    sight = _sight(state)
    if sight.others.friends >> state.last & 1:
        return None
    cheap = None if table.power else _cheapest(sight, table)
    if cheap is not None and not _too_dear(state, sight, cheap, rng):
        return cheap
    is_urgent = sight.others.left[state.last] <= SHORT or sight.others.danger <= 2
    if not table.power and (is_urgent or state.pile >= 15 + int(rng.random() * 20)):
        cards = _without_bombs(game, state, sight)
        if cards is not None:
            return cards
    return _bomb(state, sight, table, is_urgent, rng)


def _cheapest(sight: _Sight, table: Play) -> bytes | None:
    """The lowest non-bomb that beats the table without breaking up more than a high pair."""
    found = [play for play in sight.groups if beats(play, table)]
    if found:
        return min(found, key=lambda play: (_n_jokers(play), play.rank)).cards
    larger = {"single": "pair", "pair": "triple"}.get(table.kind)
    for play in sight.groups:
        if play.kind == larger and play.rank >= _QUEEN and play.rank > table.rank:
            return play.cards[: len(table.cards)]
    return None


def _n_jokers(play: Play) -> int:
    return len(play.cards) - len(natural(play.cards))


def _too_dear(state: Playing, sight: _Sight, cards: bytes, rng: Random) -> bool:
    """2s and jokers are kept for points, for danger and for the end of the hand."""
    is_dear = cards[0] >> 2 == TWO or natural(cards) != cards
    if not is_dear or state.pile >= 10 or sight.others.danger <= 2 * SHORT:
        return False
    return len(sight.groups) > 4 and rng.random() < 0.6


def _without_bombs(game: Game, state: Playing, sight: _Sight) -> bytes | None:
    """Whatever beats the table without a card of a natural bomb: fewest jokers first, low first."""
    seat = state.turn
    kept = state.holdings[seat] - sum(play.packed for play in sight.bombs if not _n_jokers(play))
    rest = replace(state, holdings=with_seat(state.holdings, seat, kept))
    found = []
    for fact in game.plays(rest):
        if isinstance(fact, Played):
            play = state.flow.choose(state.flow.readings(fact.cards), state.table)
            if not play.power:
                found.append((_n_jokers(play), play.rank, play.cards))
    return min(found)[2] if found else None


# Bombs


def _bomb(state: Playing, sight: _Sight, table: Play, is_urgent: bool, rng: Random) -> bytes | None:
    """The weakest bomb that beats the table, if this is the time for it."""
    for play in sight.bombs:
        if play.power > table.power:
            return play.cards if is_urgent or _is_worth(state, sight, play, rng) else None
    larger = [play for play in _larger(state, sight) if play.power > table.power]
    if larger and (is_urgent or state.pile >= 20):
        return min(larger, key=power).cards
    return None


def _larger(state: Playing, sight: _Sight) -> Iterator[Play]:
    """Bombs put together: with jokers in reserve, or neighbours as 摇摆."""
    ranked = [play for play in sight.bombs if is_of_one_rank(play.cards)]
    for play in ranked:
        for n in range(1, len(sight.reserve) + 1):
            yield from state.flow.readings(play.cards + sight.reserve[:n])
    for low in ranked:
        for high in ranked:
            if high.rank == low.rank + 1:
                yield from state.flow.readings(natural(low.cards) + natural(high.cards))


def _is_worth(state: Playing, sight: _Sight, play: Play, rng: Random) -> bool:
    """A bomb is for points, for the way out, or against somebody who is nearly out."""
    if sight.n_plays <= 2 or sight.others.danger <= 2 * SHORT:
        return True
    losers = sum(group.rank < TWO for group in sight.groups)
    if state.soloist >= 0:
        return len(sight.bombs) > losers // 2 or rng.random() < 0.25
    if losers <= len(sight.bombs):
        return True
    # chibi_dagun-8.1: a stronger kind is kept for more points
    return state.pile >= 5 + 4 * _level(play) and rng.random() < 0.9


def _level(play: Play) -> int:
    """The kind of bomb, weakest 0, ordinary ones by their length."""
    kind = play.power[0]
    return kind if kind < 2 else kind + min(play.size, 7) - 4


# 硬牌


def _is_solo(state: Asking, seat: int, rng: Random) -> bool:
    """Far more bombs to win the lead back with than plays to lose it; on the border, nerve."""
    groups, bombs, reserve = _plays(state, state.deal.holdings[seat])
    high = sum(play.rank == TWO for play in groups)
    strength = sum(_WEIGHT[min(_level(play), len(_WEIGHT) - 1)] for play in bombs)
    strength += high + 2 * len(reserve) - (len(groups) - high)
    if seat == state.dealer or state.flow.solo_leader == "soloist":
        strength += _LEAD
    return strength > _NERVE or (strength == _NERVE and rng.random() < 0.4)


_WEIGHT = (2, 2, 4, 5, 6)
"""Worth of a bomb for the way out, by its level, a play that loses the lead being worth -1."""
_LEAD = 2
"""Worth of the first lead."""
_NERVE = 18
"""From this strength on a seat goes solo: in one or two of 100 hands, most of which are won."""
