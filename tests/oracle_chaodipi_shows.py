"""分牌 and 反主级别 of 炒地皮, written from the source text alone."""

from collections import Counter
from collections.abc import Sequence

from tests.trick_oracle import JOKERS, RANKS, Face

RED_FIVES = 8
"""红桃5 is the highest of the 反主级别."""
WORTH = {"5": 5, "T": 10, "K": 10}


def rung(cards: Sequence[Face], level: str) -> int | None:
    """单张2<对方块2<对梅花2<对红桃2<对黑桃2<对小王<对大王<对红桃5."""
    if not cards or len(set(cards)) > 1 or len(cards) > 2:
        return None
    (face,) = set(cards)
    if len(cards) == 1:
        return 1 if face[0] == level else None
    if face == "5h":
        return RED_FIVES
    if face in JOKERS:
        return 6 + JOKERS.index(face)
    return 2 + "dchs".index(face[1]) if face[0] == level else None


def bottom_trump(bottom: Sequence[Face], level: str, joker: str) -> str:
    """若“底牌”中有级牌，则第一张级牌为主。若无，则将点数最大的那张牌的花色为主."""
    suited = [card for card in bottom if card not in JOKERS]
    levels = [card for card in suited if card[0] == level]
    if levels:
        return levels[0][1]
    if joker == "no_trump" and len(suited) < len(bottom):
        return "n"
    top = max(RANKS.index(card[0]) for card in suited)
    return next(card[1] for card in suited if RANKS.index(card[0]) == top)


def worth(cards: Sequence[Face]) -> int:
    """5代表5分，10代表10分，K也代表10分."""
    return sum(WORTH.get(card[0], 0) for card in cards)


def lacks(held: Sequence[Face], cards: Sequence[Face]) -> bool:
    """Whether some of the cards are not held."""
    return bool(Counter(cards) - Counter(held))
