"""What the sensible player of 炒地皮 leads."""

from collections.abc import Iterator
from math import prod
from random import Random

from msgspec import Struct

from replay.engine.chaodipi.order import TRUMP
from replay.engine.chaodipi.shapes import Component, components, is_wsk, wsks
from replay.engine.mechanics.points import points
from replay.players.chaodipi_sight import LATE, Sight, can_ruff, is_top, keep_value, n_pairs, stands

_PER_CARD = 2.2
"""分 that the others add to a trick, for each card of it, on an average."""
_TEMPO = 2.5
"""What it is worth to lead the next trick, in 分."""
_LAST_PAIR = 6.0
"""What it is worth to keep a pair of trumps for the last trick, which multiplies the bottom."""
_NERVE = 1.5
"""By so much the choice is left to chance."""
_LIKELY = 0.7
"""The least odds of a part at which it is thrown."""
_FAILED = 6.0
"""What is lost by a throw that fails: the trick, as a rule."""


class _Lead(Struct, frozen=True):
    """Cards to lead: the odds that no foe has higher ones, and that a throw of them fails."""

    suit: int
    cards: bytes
    slots: tuple[int, ...]
    stands: float
    fails: float = 0.0


def lead(of: Sight, rng: Random) -> bytes:
    """The lead that promises most."""
    found = [(_value(of, option) + _NERVE * rng.random(), option.cards) for option in _leads(of)]
    return max(found)[1]


def _leads(of: Sight) -> Iterator[_Lead]:
    """Every part of every suit, throws that stand, 5.10.K."""
    for suit, held in enumerate(of.mine):
        if not held:
            continue
        parts = components(of.context, held)
        for part in parts:
            yield _Lead(suit, part.cards, _slots((part,)), stands(of, suit, part, 2))
        yield from _throws(of, suit, parts)
        for wsk in wsks(of.context, held):
            yield _Lead(suit, wsk, (), 1.0)


def _slots(parts: tuple[Component, ...]) -> tuple[int, ...]:
    return tuple(part.pairs for part in parts if part.pairs)


def _throws(of: Sight, suit: int, parts: tuple[Component, ...]) -> Iterator[_Lead]:
    """All parts that nothing can beat; and with them pairs that can be, but are not likely to."""
    safe = tuple(part for part in parts if is_top(of, suit, part))
    if len(safe) > 1:
        yield _throw(suit, safe, 1.0)
    options = of.state.setting.house.options
    if options.failed_throw == "reject" or options.throw_penalty:
        return
    odds = {part: stands(of, suit, part, 3) for part in parts}
    likely = tuple(part for part in parts if odds[part] >= _LIKELY)
    if len(likely) > max(1, len(safe)):
        yield _throw(suit, likely, prod(odds[part] for part in likely))


def _throw(suit: int, parts: tuple[Component, ...], odds: float) -> _Lead:
    return _Lead(suit, b"".join(part.cards for part in parts), _slots(parts), 1.0, 1 - odds)


def _value(of: Sight, option: _Lead) -> float:
    """What a lead brings, in 分: the trick, the next lead, less what the cards were good for."""
    n, worth = len(option.cards), points(option.cards)
    ruffed = 0.0
    if not is_wsk(of.context, option.cards):
        ruffed = min(1.0, 2 * can_ruff(of, option.suit, option.slots, n))
    odds = option.stands * (1 - ruffed)
    trick = worth + _PER_CARD * n
    value = (2 * odds - 1) * trick + odds * _TEMPO * (1 + 0.3 * (n - 1))
    value -= 0.0 if n == of.left else keep_value(of, option.cards)
    value += _plan(of, option)
    return value * (1 - option.fails) - _FAILED * option.fails


def _plan(of: Sight, option: _Lead) -> float:
    """The dealer side draws trumps while it has more of them; the attackers leave them alone."""
    if option.suit != TRUMP:
        # a suit that is soon over can be ruffed
        return 0.15 * (8 - len(of.mine[option.suit])) * of.is_dealer_side
    n_mine, n_unseen = len(of.mine[TRUMP]), len(of.unseen[TRUMP])
    if option.slots and len(option.cards) < of.left <= LATE:
        return -_LAST_PAIR
    if of.is_dealer_side:
        return (2.5 + 1.5 * n_pairs(option.cards)) if n_unseen and n_mine * 2 >= n_unseen else 0.0
    return -2.0 if n_unseen else 0.0
