"""Which play of a trick wins (chaodipi-9)."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.shapes import (
    Shape,
    is_throw,
    is_wsk,
    lengths,
    pair_runs,
    segments,
    top_strength,
)
from replay.engine.mechanics.order import one_suit
from replay.engine.mechanics.runs import Lengths, fills
from replay.engine.mechanics.tricks import first_unbeaten

OverRuff = Literal["largest_component", "highest_card", "all_components"]
_Runs = tuple[bytes, ...]


class _Entry(Struct, frozen=True):
    """A play that competes: whether it is trump on a side lead, and what it is compared by."""

    is_ruff: bool
    strengths: tuple[int, ...]


def winner(context: Context, over_ruff: OverRuff, lead: Shape, plays: tuple[bytes, ...]) -> int:
    """The place in the trick of the winning play; `plays[0]` is the lead.

    chaodipi-9.5: an equal play comes too late.
    """
    if len(lead.parts) == 1 and lead.parts[0].pairs <= 1:
        return _of_equals(context, plays)
    if lead.is_wsk:
        return _of_wsk(context, lead, plays)
    if is_throw(lead):
        ruffs = (_ruff(context, over_ruff, lead, cards) for cards in plays[1:])
        return first_unbeaten((_Entry(False, ()), *ruffs), _beats)
    return first_unbeaten(tuple(_alone(context, lead, cards) for cards in plays), _beats)


def _of_equals(context: Context, plays: tuple[bytes, ...]) -> int:
    """A single or pair: the highest of the led suit, unless there is one of trump: then of those.

    Two cards that are no pair do not compete.
    """
    suit, strength = context.order.suit, context.order.strength
    best, code = 0, plays[0][0]
    for place in (1, 2, 3):
        other = plays[place][0]
        if plays[place][-1] != other:
            continue
        if suit[other] == suit[code]:
            if strength[other] > strength[code]:
                best, code = place, other
        elif suit[other] == TRUMP:
            best, code = place, other
    return best


def _of_wsk(context: Context, lead: Shape, plays: tuple[bytes, ...]) -> int:
    """chaodipi-9.6: the leader, unless a side 5.10.K is suppressed by the one of trump."""
    if lead.suit == TRUMP:
        return 0
    for place in range(1, len(plays)):
        cards = plays[place]
        if is_wsk(context, cards) and one_suit(context.order, cards) == TRUMP:
            return place
    return 0


def _beats(new: _Entry | None, old: _Entry | None) -> bool:
    if new is None or old is None:
        return new is not None
    if new.is_ruff != old.is_ruff:
        return new.is_ruff
    pairs = zip(new.strengths, old.strengths, strict=True)
    return bool(new.strengths) and all(one > other for one, other in pairs)


def _competes(context: Context, lead: Shape, cards: bytes) -> tuple[bool, _Runs] | None:
    """chaodipi-9.1: one effective suit, the led one or trump, that fills the lead's slots."""
    suit = one_suit(context.order, cards)
    if suit is None or suit not in (lead.suit, TRUMP):
        return None
    found = pair_runs(context, cards) if lead.slots else ()
    if not fills(lengths(found), lead.slots):
        return None
    return suit != lead.suit, found


def _alone(context: Context, lead: Shape, cards: bytes) -> _Entry | None:
    """An answer to a pair or tractor: as strong as its strongest card, or printed rank."""
    found = _competes(context, lead, cards)
    if found is None:
        return None
    return _Entry(found[0], (best_segment(context, found[1], lead.slots)[0],))


def _ruff(context: Context, over_ruff: OverRuff, lead: Shape, cards: bytes) -> _Entry | None:
    """chaodipi-9.4: a throw that stands is beaten by trumps alone, which are compared."""
    if lead.suit == TRUMP or one_suit(context.order, cards) != TRUMP:
        return None
    found = _competes(context, lead, cards)
    if found is None:
        return None
    return _Entry(True, _RUFFS[over_ruff](context, lead, cards, found[1]))


def best_segment(context: Context, found: _Runs, slots: Lengths) -> tuple[int, _Runs]:
    """The strongest segment for the longest slot that leaves the rest fillable, and that rest."""
    length, rest = slots[0], slots[1:]
    best: tuple[int, _Runs] = (-1, ())
    for index, run in enumerate(found):
        for start, strength in segments(context, run, length):
            if strength <= best[0]:
                continue
            parts = (*found[:index], *found[index + 1 :], run[:start], run[start + length :])
            left = tuple(sorted((part for part in parts if part), key=len, reverse=True))
            if fills(lengths(left), rest):
                best = (strength, left)
    return best


def _largest(context: Context, lead: Shape, cards: bytes, found: _Runs) -> tuple[int, ...]:
    """The best component for the largest slot: tractor, else pair, else single."""
    if not lead.slots:
        return (top_strength(context, cards),)
    return (best_segment(context, found, lead.slots)[0],)


def _highest(context: Context, lead: Shape, cards: bytes, found: _Runs) -> tuple[int, ...]:
    """The strongest single card."""
    return (top_strength(context, cards),)


def _all(context: Context, lead: Shape, cards: bytes, found: _Runs) -> tuple[int, ...]:
    """Every component, longest slot first, each as strong as can be, then the loose cards."""
    strengths: list[int] = []
    loose = list(cards)
    slots = lead.slots
    while slots:
        strength, left = best_segment(context, found, slots)
        strengths.append(strength)
        for face in set(b"".join(found)) - set(b"".join(left)):
            loose.remove(face)
            loose.remove(face)
        found, slots = left, slots[1:]
    alone = sorted((context.order.strength[code] for code in loose), reverse=True)
    return (*strengths, *alone)


_RUFFS: dict[str, Callable[[Context, Shape, bytes, _Runs], tuple[int, ...]]] = {
    "largest_component": _largest,
    "highest_card": _highest,
    "all_components": _all,
}
