"""What the sensible player of 炒地皮 answers to a lead."""

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from replay.engine.chaodipi.moves import answers
from replay.engine.chaodipi.order import TRUMP
from replay.engine.chaodipi.shapes import (
    Shape,
    components,
    is_throw,
    pair_cards,
    pair_runs,
    top_strength,
    wsks,
)
from replay.engine.chaodipi.winning import winner
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import one_suit
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.mechanics.tricks import seat_at
from replay.players.chaodipi_sight import (
    Sight,
    above,
    can_ruff,
    is_void,
    keep_value,
    stands,
)

_TEMPO = 1.5
_PER_CARD = 2.0
_PARTNER = 0.3
"""The odds that a partner who is still to play takes a trick."""
_NERVE = 0.1


class _Trick(Struct, frozen=True, eq=False):
    """The trick so far: its lead, and how many foes and friends come after the seat in turn."""

    lead: Shape
    foes: int
    friends: int
    worth: int


def follow(of: Sight, lead: Shape, rng: Random) -> bytes:
    """The answer that promises most."""
    later = [seat_at(of.state.leader, k) for k in range(len(of.state.plays) + 1, N_SEATS)]
    foes = sum(map(of.is_foe, later))
    trick = _Trick(lead, foes, len(later) - foes, sum(map(points, of.state.plays)))
    options = list(_options(of, lead))
    if len(options) == 1:
        return options[0]
    return max((_value(of, trick, cards) + _NERVE * rng.random(), cards) for cards in options)[1]


def _options(of: Sight, lead: Shape) -> Iterator[bytes]:
    """Answers of every kind, and the ruffs that match the lead."""
    holding = unpack(of.state.holdings[of.seat])
    options = of.state.setting.house.options
    yield from answers(options, of.context, holding, lead)
    if lead.suit != TRUMP and not of.mine[lead.suit] and len(lead.cards) > 1:
        yield from _ruffs(of, lead)


def _ruffs(of: Sight, lead: Shape) -> Iterator[bytes]:
    """Trumps that fill the lead's slots: each way to fill the longest, the rest as weak as can be;
    then the same with the strongest loose card.
    """
    trumps = of.mine[TRUMP]
    if len(trumps) < len(lead.cards):
        return
    if lead.is_wsk:
        yield from wsks(of.context, trumps)
        return
    for filled, rest in _filled(of, trumps, lead.slots):
        n = len(lead.cards) - len(filled)
        yield filled + rest[:n]
        if n:
            yield filled + rest[: n - 1] + rest[-1:]


def _filled(of: Sight, cards: bytes, slots: tuple[int, ...]) -> Iterator[tuple[bytes, bytes]]:
    """Cards that fill the slots, and those left over, weakest first."""
    if not slots:
        yield b"", cards
        return
    for run in pair_runs(of.context, cards):
        for start in range(len(run) - slots[0] + 1):
            segment = pair_cards(run[start : start + slots[0]])
            rest = bytes(code for code in cards if code not in segment)
            for filled, left in _filled(of, rest, slots[1:]):
                yield segment + filled, left
                if len(slots) > 1:
                    break


def _value(of: Sight, trick: _Trick, cards: bytes) -> float:
    """What an answer brings, in 分: the trick so far and to come, less what the cards were for."""
    plays = (*of.state.plays, cards)
    padded = plays + (plays[0],) * (N_SEATS - len(plays))
    over_ruff = of.state.setting.house.options.over_ruff
    place = winner(of.context, over_ruff, trick.lead, padded)
    odds = _odds(of, trick, place, plays[place])
    is_mine = place == len(plays) - 1
    worth = trick.worth + points(cards) + _PER_CARD * len(cards) * (trick.foes + trick.friends) / 2
    value = (2 * odds - 1) * worth + (odds * _TEMPO if is_mine else 0.0)
    return value - (0.0 if len(cards) == of.left else keep_value(of, cards))


def _odds(of: Sight, trick: _Trick, place: int, cards: bytes) -> float:
    """The odds that the seat's side takes the trick, so far won by what lies at `place`."""
    seat = seat_at(of.state.leader, place)
    holds = _holds(of, trick, cards) if trick.foes or of.is_foe(seat) else 1.0
    if not of.is_foe(seat):
        return holds + (1 - holds) * _PARTNER * trick.friends
    return _PARTNER * trick.friends * (0.3 if trick.lead.slots else 1.0) * holds


def _holds(of: Sight, trick: _Trick, cards: bytes) -> float:
    """The odds that no foe still to play beats these cards."""
    lead, foes = trick.lead, trick.foes
    if foes == 0:
        return 1.0
    suit = one_suit(of.context.order, cards)
    assert suit is not None, "what wins is of one suit"
    n = len(cards)
    ruffed = foes * can_ruff(of, lead.suit, lead.slots, n)
    if suit == lead.suit:
        higher = 1.0
        if not is_throw(lead) and not lead.is_wsk:
            higher = stands(of, suit, components(of.context, cards)[0], foes)
        return higher * (1 - min(1.0, 0.0 if lead.is_wsk else ruffed))
    if lead.slots:
        return 1 - min(1.0, ruffed) / 2
    n_higher = above(of.context, of.unseen[TRUMP], top_strength(of.context, cards))
    higher = 1 - (1 - min(1.0, of.share * foes)) ** n_higher
    return 1 - is_void(of, lead.suit) * higher
