"""亮主, 反主: which cards may be shown, how high, and what they make trump (chaodipi-4)."""

from typing import Literal

from replay.engine.chaodipi.order import LEVELS, NO_TRUMP, RED_FIVE
from replay.engine.chaodipi.states import RED_FIVES, Show
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER
from schema.trumps import Named

SINGLE, FIRST_PAIR = 1, 2
_JOKERS = {bytes([BLACK_JOKER] * 2): 6, bytes([RED_JOKER] * 2): 7}


def rung(cards: bytes, level: int) -> int | None:
    """反主级别 of cards shown at a level, 1 to 8; None if they are no show (chaodipi-4.2, 4.11)."""
    pair = bytes(sorted(cards))
    if pair == bytes([RED_FIVE] * 2):
        return RED_FIVES
    if pair in _JOKERS:
        return _JOKERS[pair]
    if len(cards) not in (1, 2) or len(set(cards)) != 1 or cards[0] >= BLACK_JOKER:
        return None
    if RANKS[cards[0] >> 2] != LEVELS[level]:
        return None
    return SINGLE if len(cards) == 1 else FIRST_PAIR + (cards[0] & 3)


def trump_of(cards: bytes, named: Named) -> int | None:
    """What a show makes trump; None where it must be named and is not (chaodipi-4.3)."""
    if len(cards) == 2 and set(cards) == {RED_FIVE}:
        return None if named is Named.NOTHING else int(named)
    return NO_TRUMP if cards[0] >= BLACK_JOKER else cards[0] & 3


def is_named(cards: bytes) -> bool:
    """Whether trump is named with these cards: with a pair of 红桃5 alone."""
    return sorted(cards) == [RED_FIVE] * 2


def may_overturn_self(
    rule: Literal["red_five_only", "same_suit", "any", "never"], old: Show, new: Show
) -> bool:
    """Whether the current declarer may show more himself (chaodipi-4.5)."""
    match rule:
        case "any":
            return True
        case "never":
            return False
        case "red_five_only":
            return new.rung == RED_FIVES
        case "same_suit":
            is_paired = old.rung == SINGLE and new.cards == old.cards * 2
            return is_paired or new.rung == RED_FIVES


def bottom_trump(bottom: bytes, level: int, joker: Literal["ignored", "no_trump"]) -> int:
    """The trump suit that the turned-up bottom gives (chaodipi-4.7).

    The first level card, else the highest card, the first one of equals; a joker has no suit.
    """
    for code in bottom:
        if code < BLACK_JOKER and RANKS[code >> 2] == LEVELS[level]:
            return code & 3
    if joker == "no_trump" and any(code >= BLACK_JOKER for code in bottom):
        return NO_TRUMP
    suited = [code for code in bottom if code < BLACK_JOKER]
    return max(suited, key=lambda code: _HEIGHT[RANKS[code >> 2]]) & 3


_HEIGHT = {rank: height for height, rank in enumerate("23456789TJQKA")}


def shows(cards: bytes, level: int) -> list[bytes]:
    """Every show that the cards hold, the lowest rung first."""
    faces = sorted(set(cards))
    found = [bytes([face]) for face in faces] + [
        bytes([face, face]) for face in faces if cards.count(face) == 2
    ]
    ranked = [(rung(show, level) or 0, show) for show in found]
    return [show for height, show in sorted(ranked) if height]
