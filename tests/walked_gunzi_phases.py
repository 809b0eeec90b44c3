"""Facts in the wrong phase of a hand of 四副滚子, each refused by the rule of what has to come."""

from schema.events import By, Fact, HandEnded, Passed
from schema.gunzi import GunziCarry
from tests.builders_gunzi import FIRST
from tests.walked_gunzi import (
    BEGUN,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    HELD,
    LATER,
    OWED,
    Walked,
    blocks,
    buries,
    dealt_to,
    draws,
    flips,
    passes,
    pays,
    plays,
    returns,
    shows,
    swaps,
)

DRY_BOTTOM = "7c 9d Kd 4h 2c 2h"
DRY_DEALT = dealt_to(*HELD, bottom=DRY_BOTTOM)
"""With spades as trump the bottom has no plain trump."""
DRY_HAND: list[Fact] = [DRY_DEALT, shows(1, "6s"), CLOSED]
PAID: list[Fact] = [*DECLARED, pays(3, "Bj Bj")]
LEAD = plays(0, "6h")
PHASES: dict[str, tuple[list[Fact], GunziCarry]] = {
    "deal": ([], LATER),
    "declare": ([DEALT], LATER),
    "flip": ([DEALT, CLOSED], FIRST),
    "draw": ([DEALT, CLOSED], LATER),
    "tribute": (DECLARED, OWED),
    "return": (PAID, OWED),
    "bury": (DECLARED, LATER),
    "jokers": (BURIED, LATER),
    "play": (BEGUN, LATER),
    "trick": ([*BEGUN, LEAD], LATER),
    "dry": (DRY_HAND, LATER),
}
"""The facts that lead to each phase, and what the hand opens with."""
_FACTS: dict[str, Fact] = {
    "dealt": DEALT,
    "shown": shows(2, "6c"),
    "closed": CLOSED,
    "flipped": flips(0, 0),
    "drawn": draws(0),
    "paid": pays(3, "Bj Bj"),
    "returned": returns(0, "4c 4c"),
    "buried": buries(0),
    "jokers buried": swaps(2, "Rj", "4h"),
    "jokers passed": passes(1)[0],
    "played": LEAD,
    "passed": Passed(0, By.PLAYER, 0),
    "ended": HandEnded(0),
}
_ALLOWED = {
    "deal": ("dealt",),
    "declare": ("shown", "closed"),
    "flip": ("flipped", "shown"),
    "draw": ("drawn", "shown"),
    "tribute": ("paid", "shown"),
    "return": ("returned", "shown"),
    "bury": ("buried",),
    "jokers": ("jokers buried", "jokers passed", "played"),
    "play": ("played",),
    "trick": ("played",),
    "dry": ("played",),
}
"""What may come in each phase, be it against a rule of conduct."""
_RULE = {
    "deal": "DECK",
    "declare": "PHASES",
    "flip": "TURNING",
    "draw": "TURNING",
    "tribute": "TRIBUTE",
    "return": "TRIBUTE",
    "bury": "BURIAL",
    "jokers": "PHASES",
    "play": "PHASES",
    "trick": "PHASES",
    "dry": "PHASES",
}
"""The rule of what has to come."""
_JOKERS = ("jokers buried", "jokers passed")
_IN_PLAY = {"ended": "HAND_END"} | dict.fromkeys(_JOKERS, "OTHERS_BURY")
_OWN: dict[str, dict[str, str]] = {
    "deal": dict.fromkeys(_FACTS, "DECK"),
    "flip": dict.fromkeys(("paid", "returned"), "NO_FIRST_TRIBUTE"),
    "play": _IN_PLAY,
    "trick": _IN_PLAY,
    "dry": {"ended": "HAND_END"} | dict.fromkeys((*_JOKERS, "buried"), "DRY_STAYS"),
}
_ANYWHERE = {
    "dealt": "DECK",
    **dict.fromkeys(("flipped", "drawn"), "TURNING"),
    **dict.fromkeys(("paid", "returned"), "TRIBUTE"),
}
"""What comes once in a hand, and what it needs, is told by its own rule."""


def _rule(phase: str, word: str) -> str:
    return _OWN.get(phase, {}).get(word) or _ANYWHERE.get(word) or _RULE[phase]


WRONG_PHASE: dict[str, Walked] = {
    f"{word} in {phase}": blocks([*facts, fact], _rule(phase, word), start=start)
    for phase, (facts, start) in PHASES.items()
    for word, fact in _FACTS.items()
    if word not in _ALLOWED[phase]
}
