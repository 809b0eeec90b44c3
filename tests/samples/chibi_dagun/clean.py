"""The clean samples of 赤壁打滚: results, bonuses, calls, wind, plays and house rules."""

from schema.events import ClimbingBonusKind, Revealed
from tests.samples.chibi_dagun.options import OPTIONS
from tests.samples.chibi_dagun.plays import PLAYS
from tests.samples.clean import (
    CALLED_BY_DRAW,
    CALLED_JOKER,
    CALLS,
    RANDOM_PLAYERS,
    RESULTS,
    SOLO,
    TIANZHA,
    WIND,
    XI7,
    XI8,
    pays,
)
from tests.samples.forge import HandLog
from tests.samples.scripts import RUN_OFF, Script, lay
from tests.samples.sorts import Clean

_EIGHTS = "8d 8d 8c 8c 8h 8h 8s 8s"
_SEVEN_TENS = "Td Td Tc Tc Th Th Ts"


def _is_revealed(hand: HandLog) -> bool:
    return any(isinstance(event, Revealed) for event in hand.events)


_BONUSES: tuple[Clean, ...] = (
    TIANZHA._replace(script=Script(holds=("", "", "", "Bj Bj Rj Rj"))),
    XI8._replace(script=Script(holds=("", _EIGHTS, "", ""))),
    XI7._replace(script=Script(holds=("", "Ts", _SEVEN_TENS, ""))),
    Clean(
        "two-bonuses",
        "8喜 and 天炸 dealt to two seats, which pay each other.",
        pays(ClimbingBonusKind.XI8, ClimbingBonusKind.TIANZHA),
        script=Script(holds=(_EIGHTS, "", "Bj Bj Rj Rj", "")),
    ),
    Clean(
        "two-bonuses-of-one",
        "天炸 and 7喜 dealt to one seat.",
        pays(ClimbingBonusKind.TIANZHA, ClimbingBonusKind.XI7),
        script=Script(holds=("Ts", f"Bj Bj Rj Rj {_SEVEN_TENS}", "", "")),
    ),
)
_JOKER_CALLED = Clean(
    "revealed-by-joker",
    "明鸡 by a wild joker: 大王 is called, the partner plays it as a 9.",
    _is_revealed,
    script=Script(
        (lay(0, "4s 4h", "pair 4"), lay(1, "9s Rj", "pair 9")),
        holds=("Rj", "", "", ""),
        dealer=0,
        called="Rj",
    ),
)
CLEAN: tuple[Clean, ...] = (
    *RESULTS,
    *(solo._replace(script=Script(dealer=0, soloist=1)) for solo in SOLO),
    *_BONUSES,
    CALLED_JOKER,
    *CALLS,
    CALLED_BY_DRAW._replace(script=RUN_OFF),
    _JOKER_CALLED,
    *WIND,
    *PLAYS,
    *OPTIONS,
    RANDOM_PLAYERS,
)
