"""The clean samples of 炒地皮: shows and stirs, and what a hand comes to."""

from collections.abc import Callable, Sequence
from typing import Any

from schema.chaodipi import (
    BottomTurned,
    Buried,
    ChaodipiEffect,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    TrumpSet,
)
from schema.events import Event
from schema.trumps import Trump
from tests.samples.chaodipi.acts import (
    CLOSED,
    TURNED,
    bury,
    escape,
    lay,
    no_stir,
    ready,
    show,
    stir,
)
from tests.samples.chaodipi.hands import (
    AT_ACE,
    AT_FLAG,
    FIVE_FROM_TEN,
    TWICE_FAILED,
    dug,
    flag_failed,
    last_wsk,
    scored,
    scored_at_ace,
    sweep,
)
from tests.samples.chaodipi.scenes import Scene, scene_way
from tests.samples.sorts import Staged

Shows = Callable[[Sequence[Event]], bool]


def settles(**fields: Any) -> Shows:
    """The hand is settled with these fields; those of what comes next are there too."""

    def shows(events: Sequence[Event]) -> bool:
        settled = next(event for event in events if isinstance(event, ChaodipiSettled))
        both = (
            getattr(settled if hasattr(settled, name) else settled.next, name) == value
            for name, value in fields.items()
        )
        return all(both)

    return shows


def sets(trump: Trump, rung: int, *kinds: type[Event]) -> Shows:
    """The last trump announced, and events of these kinds in the hand."""

    def shows(events: Sequence[Event]) -> bool:
        *_, last = (event for event in events if isinstance(event, TrumpSet))
        return last == TrumpSet(trump, rung) and set(kinds) <= {type(event) for event in events}

    return shows


def _burials(n: int, dealer: int) -> Shows:
    """So many seats have buried, and the deal then goes to a side by this seat's result."""

    def shows(events: Sequence[Event]) -> bool:
        settled = next(event for event in events if isinstance(event, ChaodipiSettled))
        step = 0 if settled.result is ChaodipiResult.HELD else 1
        is_next = settled.next.dealer == (dealer + step) % 4
        return is_next and sum(isinstance(event, Buried) for event in events) == n

    return shows


_STIRRED = (
    *(show(0, "2s"), CLOSED, bury(0)),
    *(stir(1, "22c"), bury(1)),
    *(*no_stir(2), stir(3, "Bj Bj"), bury(3)),
    *(stir(0, "55h", "d"), bury(0)),
)
_S, _D, _H, _N = Trump.SPADES, Trump.DIAMONDS, Trump.HEARTS, Trump.NO_TRUMP
SHOWS: tuple[Staged, ...] = (
    scene_way(
        "declared-single",
        "A level card makes spades trump; the dealer lays 25 trumps at once: 大光.",
        sweep(),
        shows=sets(_S, 1, Declared),
    ),
    scene_way("declared-pair", "A pair is declared.", sweep(shows="22s"), shows=sets(_S, 5)),
    scene_way(
        "declared-jokers",
        "A pair of 大王 is declared: no trump.",
        Scene(ready(2, "Rj Rj"), then="played"),
        shows=sets(_N, 7),
    ),
    scene_way(
        "declared-red-fives",
        "A pair of 红桃5 is declared, diamonds are named, and nobody is asked whether he stirs.",
        Scene((show(3, "55h", "d", 77), CLOSED, bury(3)), then="played"),
        shows=sets(_D, 8),
    ),
    scene_way(
        "overturned",
        "Three shows in the deal, each higher, one of them over a partner; the last one deals.",
        Scene(
            (
                *(show(0, "2s", after=31), show(1, "22c", after=80), show(3, "Bj Bj", after=99)),
                *(CLOSED, bury(3), *no_stir(0, 1, 2)),
            ),
            then="played",
        ),
        shows=sets(_N, 6),
    ),
    scene_way(
        "overturned-himself",
        "The declarer overturns himself with 红桃5: that only may he.",
        Scene((show(0, "2s"), show(0, "55h", "h"), CLOSED, bury(0)), then="played"),
        shows=sets(_H, 8),
    ),
    scene_way(
        "overturned-in-a-later-hand",
        "Second hand: another seat overturns, the dealer takes the bottom all the same.",
        *AT_ACE,
        Scene((show(0, "Ah"), show(1, "AAs"), CLOSED, bury(0), *no_stir(1, 2, 3)), then="played"),
        shows=sets(_S, 5),
    ),
    scene_way(
        "turned-level-card",
        "Nobody declares: the first level card of the bottom gives trump, the first seat deals.",
        Scene(
            (TURNED, CLOSED, bury(2), *no_stir(3, 0, 1)),
            bottom="9c 2d Ah 2s 66h 77h",
            start=2,
            then="played",
        ),
        shows=sets(_D, 0, BottomTurned),
    ),
    scene_way(
        "turned-highest-card",
        "Nobody declares, no level card in the bottom: its highest card gives trump, no joker.",
        Scene(
            (TURNED, CLOSED, bury(0), *no_stir(1, 2, 3)),
            bottom="Rj 9c Kh Ks 66h 77h",
            then="played",
        ),
        shows=sets(_H, 0, BottomTurned),
    ),
    scene_way(
        "turned-and-red-fives",
        "The bottom lies open; the dealer shows 红桃5 before he takes it.",
        Scene((TURNED, show(0, "55h", "n"), CLOSED, bury(0)), then="played"),
        shows=sets(_N, 8, BottomTurned),
    ),
)
STIRS: tuple[Staged, ...] = (
    scene_way(
        "stirred",
        "First hand: a seat stirs, and is the dealer from there on.",
        Scene(
            (
                *(show(0, "2s"), CLOSED, bury(0)),
                *(stir(1, "22h"), bury(1), *no_stir(2, 3, 0)),
            ),
            then="played",
        ),
        shows=_burials(2, 1),
    ),
    scene_way(
        "stirred-again-and-again",
        "Three seats stir, one passes before; the last with 红桃5, and nobody is asked any more.",
        Scene(_STIRRED, then="played"),
        shows=_burials(4, 0),
    ),
    scene_way(
        "stirred-after-passing",
        "A seat that passed is asked again after another has stirred, and stirs.",
        Scene(
            (
                *(show(0, "2d"), CLOSED, bury(0), *no_stir(1)),
                *(stir(2, "22h"), bury(2), *no_stir(3, 0)),
                *(stir(1, "22s"), bury(1), *no_stir(2, 3, 0)),
            ),
            then="played",
        ),
        shows=_burials(3, 1),
    ),
    scene_way(
        "stirred-after-the-bottom-was-turned",
        "Nobody declares, and a seat stirs with a pair.",
        Scene(
            (TURNED, CLOSED, bury(0), *no_stir(1), stir(2, "22d"), bury(2), *no_stir(3, 0, 1)),
            then="played",
        ),
        shows=sets(_D, 2, BottomTurned),
    ),
    scene_way(
        "stirred-in-a-later-hand",
        "Second hand: an attacker stirs; the dealer stays, though another seat has buried.",
        *AT_ACE,
        Scene(
            (
                *(show(0, "Ah"), CLOSED, bury(0)),
                *(stir(1, "AAs"), bury(1), *no_stir(2, 3, 0), lay(0, "Kc")),
            ),
            then="played",
        ),
        shows=_burials(2, 0),
    ),
)
_AT_FOUR = (*AT_FLAG, flag_failed(0))
RESULTS: tuple[Staged, ...] = (
    scene_way("score-40", "40 points: four levels.", scored(40), shows=settles(score=40, risen=4)),
    scene_way(
        "score-75",
        "75 points: the dealer holds, and does not rise.",
        scored(75),
        shows=settles(score=75, risen=0, result=ChaodipiResult.HELD),
    ),
    scene_way(
        "score-80",
        "80 points: the attackers deal, and do not rise.",
        scored(80),
        shows=settles(score=80, risen=0, dealer=1),
    ),
    scene_way(
        "score-85", "85 points: five are not counted.", scored(85), shows=settles(score=85, risen=0)
    ),
    scene_way(
        "score-125",
        "125 points: the attackers rise four levels, from their own.",
        scored(125),
        shows=settles(score=125, levels=(0, 4)),
    ),
    scene_way(
        "bottom-single",
        "抠底 with a single: the bottom counts twice.",
        dug("single"),
        shows=settles(bottom=40, factor=2, score=90),
    ),
    scene_way(
        "bottom-pair", "抠底 with a pair: by 4.", dug("pair"), shows=settles(bottom=40, factor=4)
    ),
    scene_way(
        "bottom-tractor",
        "抠底 with a tractor: by 8. The attackers come to A and no further: A is not skipped.",
        dug("tractor"),
        shows=settles(factor=8, score=370, levels=(0, 12)),
    ),
    scene_way(
        "bottom-stirred",
        "An attacker has stirred, and wins his own burial.",
        *AT_ACE,
        Scene(
            (
                *(show(0, "Ah"), CLOSED, bury(0), stir(1, "AAs"), bury(1, "KKTTh 6677h")),
                *(*no_stir(2, 3, 0), lay(0, "3c")),
            ),
            bottom="KKTTh 6677h",
            then="played",
        ),
        shows=settles(bottom=40),
    ),
    scene_way(
        "ace-not-skipped",
        "Level T and 30 points: five levels, and the dealer side stops at A.",
        *FIVE_FROM_TEN,
        shows=settles(score=30, risen=4, levels=(12, 0)),
    ),
    scene_way(
        "ace-passed",
        "Level A, 70 points: A is passed, 扛旗 is next.",
        *AT_ACE,
        scored_at_ace(70),
        shows=settles(score=70, levels=(13, 0)),
    ),
    scene_way(
        "ace-not-passed",
        "Level A, 75 points: no level is gained, A is not passed.",
        *AT_ACE,
        scored_at_ace(75),
        shows=settles(score=75, levels=(12, 0)),
    ),
    scene_way(
        "flag-passed",
        "扛旗 is passed with 95 points: the match is over.",
        *AT_FLAG,
        flag_failed(0, other="5d"),
        shows=settles(score=95, result=ChaodipiResult.MATCH_WON, is_over=True),
    ),
    scene_way(
        "flag-failed",
        "扛旗 fails with 100 points: the attackers deal and rise two levels, the others stay.",
        *_AT_FOUR,
        shows=settles(score=100, failures=(1, 0), levels=(13, 2)),
    ),
    scene_way(
        "flag-failed-three-times",
        "扛旗 fails a third time: the side falls to 2.",
        *TWICE_FAILED,
        flag_failed(0),
        shows=settles(failures=(0, 0), levels=(0, 6)),
    ),
    scene_way(
        "last-wsk",
        "An attacker's 5.10.K in the last trick: the dealer side falls to 2, the others rise to A.",
        *AT_ACE,
        last_wsk(),
        shows=settles(effect=ChaodipiEffect.LAST_WSK, levels=(0, 12)),
    ),
    scene_way(
        "red-fives-won",
        "红桃5 were shown, the dealer holds: his side rises to A.",
        sweep(shows="55h", named="s"),
        shows=settles(effect=ChaodipiEffect.RED_FIVE, levels=(12, 0)),
    ),
    scene_way(
        "red-fives-lost",
        "红桃5 were shown, the attackers win: they rise to A.",
        dug("single", shows="55h", named="s"),
        shows=settles(effect=ChaodipiEffect.RED_FIVE, levels=(0, 12)),
    ),
    scene_way(
        "red-fives-against-flag",
        "红桃5 were shown; the losers stand at 扛旗 and fall to A.",
        *_AT_FOUR,
        sweep("4", 1, shows="55h", named="s"),
        shows=settles(effect=ChaodipiEffect.RED_FIVE, levels=(12, 12)),
    ),
    scene_way(
        "escaped",
        "A player escapes in a hand: he loses 15, nothing else is settled, the match is over.",
        Scene((*ready(0, "2s"), lay(0, "Ac"), escape(2))),
        shows=settles(result=ChaodipiResult.ESCAPED, deltas=(0, 0, -15, 0), is_over=True),
    ),
    scene_way(
        "left-between-hands",
        "A room for single hands: who leaves between two hands loses nothing.",
        *AT_ACE,
        Scene((escape(2),), deal="none"),
        shows=settles(result=ChaodipiResult.ESCAPED, deltas=(0, 0, 0, 0)),
    ),
)
