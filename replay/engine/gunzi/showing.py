"""亮主, 反主, 加固: which cards may be shown, how high they are, what they make (gunzi-3)."""

from typing import Literal

from replay.engine.gunzi.order import level_rank
from replay.engine.gunzi.states import DECKS, UNKNOWN, Show
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.trumps import Named

LEVEL_TRIPLE = DECKS
"""The rung of three level cards; one and two are rungs 1 and 2."""
BLACK_TRIPLE, RED_TRIPLE, FIRST_JOKER = 4, 5, 6
"""The rungs of three 小王, of three 大王, and of the 大王 of a first hand."""


def rung(when: Literal["first", "later"], level: int, cards: bytes) -> int | None:
    """How high a show is, 1 to 6; None if the cards are none (gunzi-3.1, 3.10, 3.12)."""
    if not cards or len(set(cards)) != 1 or len(cards) > DECKS:
        return None
    face = cards[0]
    if when == "first":
        return FIRST_JOKER if face == RED_JOKER else None
    if face >= BLACK_JOKER:
        triple = BLACK_TRIPLE if face == BLACK_JOKER else RED_TRIPLE
        return triple if len(cards) == DECKS else None
    return len(cards) if face >> 2 == level_rank(level) else None


def trump_of(cards: bytes, height: int, named: Named) -> int | None:
    """The suit that a show makes trump, -1 of a first hand's 大王; None if jokers name no suit."""
    if height == FIRST_JOKER:
        return UNKNOWN
    if height < BLACK_TRIPLE:
        return cards[0] & 3
    return int(named) if named < Named.NO_TRUMP else None


def names_more(show: Show, named: Named) -> bool:
    """Whether cards that say themselves what they make were said to make something else."""
    says_itself = show.rung not in (BLACK_TRIPLE, RED_TRIPLE)
    return says_itself and named not in (Named.NOTHING, show.trump)


def is_stronger(
    triple: Literal["above_level_triple", "equals_level_triple"], new: Show, old: Show
) -> bool:
    """gunzi-3.11, 3.12: whether a show may replace the standing one."""
    if triple == "equals_level_triple" and old.rung == LEVEL_TRIPLE:
        return False
    return new.rung > old.rung


def shows(when: Literal["first", "later"], level: int, cards: bytes) -> list[bytes]:
    """Every show that the cards hold, the lowest rung first; of a first hand one 大王."""
    sets = {bytes([face]) * n for face in set(cards) for n in range(1, cards.count(face) + 1)}
    ranked = [(rung(when, level, show) or 0, show) for show in sets]
    most = 1 if when == "first" else DECKS
    return [show for height, show in sorted(ranked) if height and len(show) <= most]
