"""A classified play of a climbing game, and the three lines that compare two of them."""

from msgspec import Struct


class Play(Struct, frozen=True, gc=False):
    """Cards laid as one type: `kind` and `size` say what can answer it, `rank` how high it is.

    `power` is empty unless the play is a bomb; bombs compare by it. `packed` and `points` are
    those of the cards.
    """

    kind: str
    size: int
    rank: int
    power: tuple[int, ...]
    cards: bytes
    packed: int
    points: int


def beats(new: Play, old: Play) -> bool:
    """Whether `new` is strictly greater than `old`; ties and other types never beat."""
    if new.power or old.power:
        return new.power > old.power
    return new.kind == old.kind and new.size == old.size and new.rank > old.rank
