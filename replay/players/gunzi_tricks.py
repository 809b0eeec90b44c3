"""What the sensible player of 四副滚子 leads, and answers to a lead."""

from random import Random

from replay.engine.gunzi.moves import answers, leads
from replay.engine.gunzi.order import TRUMP
from replay.engine.gunzi.playing import winner
from replay.engine.mechanics.holding import EMPTY, size, unpack
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.mechanics.tricks import seat_at
from replay.players.gunzi_sight import Sight, can_ruff, is_void, keep_value, stands

_PER_CARD = 1.9
"""分 that the others add to a trick, for each card of it, on an average."""
_TEMPO = 2.0
"""What it is worth to lead the next trick, in 分."""
_PARTNER = 0.35
"""The odds that a partner who is still to play takes a trick."""
_LEAD_NERVE, _NERVE = 1.2, 0.1
"""By so much the choice is left to chance."""


def lead(of: Sight, rng: Random) -> bytes:
    """The lead that promises most."""
    found = leads(unpack(of.state.holdings[of.seat]))
    return max((_lead_value(of, cards) + _LEAD_NERVE * rng.random(), cards) for cards in found)[1]


def _lead_value(of: Sight, cards: bytes) -> float:
    """What a lead brings, in 分: the trick, the next lead, less what the cards were good for."""
    n, face = len(cards), cards[0]
    suit = of.context.order.suit[face]
    odds = stands(of, face, n, 2) * (1 - min(1.0, 2 * can_ruff(of, suit, n)))
    trick = points(cards) + _PER_CARD * n
    value = (2 * odds - 1) * trick + odds * _TEMPO * n
    if n < of.left:
        value -= keep_value(of, cards)
    return value + _plan(of, suit, n)


def _plan(of: Sight, suit: int, n: int) -> float:
    """The dealer side draws trumps while it has more of them; a short suit can soon be ruffed."""
    if suit != TRUMP:
        return 0.12 * (12 - size(of.mine & of.context.masks[suit]))
    n_mine, n_unseen = of.n_trumps, of.n_unseen_trumps
    if of.is_dealer_side:
        return 1.5 * n if n_unseen and n_mine * 2 >= n_unseen else 0.0
    return -1.5 if n_unseen else 0.0


def follow(of: Sight, rng: Random) -> bytes:
    """The answer that promises most."""
    options = _options(of)
    if len(options) == 1:
        return options[0]
    state = of.state
    later = [seat_at(state.leader, k) for k in range(len(state.plays) + 1, N_SEATS)]
    foes = sum(map(of.is_foe, later))
    worth = points(b"".join(state.plays))
    return max(
        (_value(of, cards, foes, len(later) - foes, worth) + _NERVE * rng.random(), cards)
        for cards in options
    )[1]


def _options(of: Sight) -> list[bytes]:
    """To a single lead all answers, else those that the game lists."""
    lead = of.state.plays[0]
    if len(lead) > 1:
        return list(answers(of.state))
    of_suit = of.mine & of.context.masks[of.context.order.suit[lead[0]]]
    return [bytes([face]) for face in sorted(set(unpack(EMPTY + (of_suit or of.mine))))]


def _value(of: Sight, cards: bytes, foes: int, friends: int, worth: int) -> float:
    """What an answer brings, in 分: the trick so far and to come, less what the cards were for."""
    plays = (*of.state.plays, cards)
    place = winner(of.context, plays)
    odds = _odds(of, place, plays[place], foes, friends)
    total = worth + points(cards) + _PER_CARD * len(cards) * (foes + friends) / 2
    value = (2 * odds - 1) * total + (odds * _TEMPO if place == len(plays) - 1 else 0.0)
    return value - (0.0 if len(cards) == of.left else keep_value(of, cards))


def _odds(of: Sight, place: int, cards: bytes, foes: int, friends: int) -> float:
    """The odds that the seat's side takes the trick, so far won by what lies at `place`."""
    holds = _holds(of, cards, foes)
    if not of.is_foe(seat_at(of.state.leader, place)):
        return holds + (1 - holds) * _PARTNER * friends
    return _PARTNER * friends * holds / len(cards)


def _holds(of: Sight, cards: bytes, foes: int) -> float:
    """The odds that no foe still to play beats these cards, which win so far."""
    if not foes:
        return 1.0
    led, n = of.context.order.suit[of.state.plays[0][0]], len(cards)
    higher = stands(of, cards[0], n, foes)
    if of.context.order.suit[cards[0]] == led:
        return higher * (1 - min(1.0, foes * can_ruff(of, led, n)))
    return 1 - is_void(of, led) * (1 - higher)
