"""甩牌: whether a throw stands, and what is led if it does not (chaodipi-7.4, 7.5)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from replay.engine.chaodipi.order import Context
from replay.engine.chaodipi.shapes import Component, Shape, pair_runs, segments, top_strength
from replay.engine.mechanics.order import of_suit


class Judged(Struct, frozen=True):
    """What is led after all, and which seats beat a part of the throw (none: it stands)."""

    led: bytes
    beaten_by: tuple[int, ...]


def judged(context: Context, lead: Shape, others: Iterable[tuple[int, bytes]]) -> Judged:
    """A throw against what the other seats hold (seat, cards), seats ascending."""
    beaten: set[Component] = set()
    seats: list[int] = []
    for seat, cards in others:
        held = of_suit(context.order, cards, lead.suit)
        lost = _lost(context, held, lead.parts) if held else []
        if lost:
            beaten.update(lost)
            seats.append(seat)
    if not beaten:
        return Judged(lead.cards, ())
    return Judged(forced(context, beaten).cards, tuple(seats))


def beats(context: Context, held: bytes, part: Component) -> bool:
    """Whether cards of the suit hold higher than one part: every card counts as a single."""
    return bool(held) and bool(_lost(context, held, (part,)))


def _lost(context: Context, held: bytes, parts: tuple[Component, ...]) -> list[Component]:
    """The parts of a throw that cards of the suit beat."""
    top = top_strength(context, held)
    # tractors may be compared by another table than cards and pairs
    weak = [part for part in parts if part.pairs > 1 or top > part.strength]
    if not weak or not weak[0].pairs:
        return weak
    found = pair_runs(context, held)
    return [part for part in weak if part.pairs == 0 or _is_beaten(context, found, part)]


def _is_beaten(context: Context, found: tuple[bytes, ...], part: Component) -> bool:
    """Whether a pair or tractor as long, cut out of the runs, is stronger."""
    return any(
        strength > part.strength
        for run in found
        for _, strength in segments(context, run, part.pairs)
    )


def forced(context: Context, beaten: Iterable[Component]) -> Component:
    """Of the beaten parts the one with the weakest card; then the fewest cards, then by suit."""

    def weakness(part: Component) -> tuple[int, int, int]:
        weakest = min(part.cards.translate(context.order.strength))
        return weakest, len(part.cards), min(code & 3 for code in part.cards)

    return min(beaten, key=weakness)


def is_component(lead: Shape, led: bytes) -> bool:
    """Whether cards recorded as led are all of the throw or one whole part of it."""
    sets: Sequence[bytes] = (lead.cards, *(part.cards for part in lead.parts))
    return sorted(led) in [sorted(cards) for cards in sets]
