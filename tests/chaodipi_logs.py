"""Matches of 炒地皮 on disk, and hands in which something happened, for reader, viewer, archive."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

from replay.engine.chaodipi.states import Burying, Declaring, Playing
from replay.engine.game import State
from replay.players.simulate import Plan, simulate
from replay.reader.handpage import walked
from replay.verify import HandResult
from schema.chaodipi import (
    BottomTurned,
    Buried,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    Stirred,
    ThrowJudged,
)
from schema.items import Hand, Log
from schema.logfile import open_log

GAME = "chaodipi"
HANDS, SEED = 24, 12
"""Played by anybody anyhow: shows, stirs, failed throws and 扛旗 all come."""
Want = Callable[[Hand], bool]


def matches(folder: Path) -> list[Path]:
    """The logs of the matches, written into a folder."""
    plan = Plan(game=GAME, hands=HANDS, seed=SEED, player="random")
    return list(simulate(plan, folder).paths)


def has(*kinds: type) -> Want:
    """Hands with events of all these kinds."""
    return lambda hand: all(any(isinstance(e, kind) for e in hand.events) for kind in kinds)


def failed_throw(hand: Hand) -> bool:
    """Hands with a throw that some seat beats."""
    return any(isinstance(e, ThrowJudged) and e.beaten_by for e in hand.events)


def stirred_twice(hand: Hand) -> bool:
    """Hands in which three seats have buried, one after another."""
    return sum(isinstance(event, Buried) for event in hand.events) > 2


def match_won(hand: Hand) -> bool:
    """Hands in which 扛旗 is passed."""
    return any(
        isinstance(event, ChaodipiSettled) and event.result is ChaodipiResult.MATCH_WON
        for event in hand.events
    )


WANTED: dict[str, Want] = {
    "declared": has(Declared),
    "turned": has(BottomTurned),
    "stirred": has(Stirred),
    "stirred twice": stirred_twice,
    "failed throw": failed_throw,
}


@cache
def log(path: Path) -> Log:
    """A log that stays open."""
    return open_log(open(path, "rb"))


def hands(path: Path) -> list[Hand]:
    """The hands of a log."""
    return [item for item in log(path).items() if isinstance(item, Hand)]


def found(paths: list[Path], want: Want) -> HandResult:
    """The first hand of these logs that is wanted, walked."""
    path, hand = next((path, hand) for path in paths for hand in hands(path) if want(hand))
    return walked(log(path), hand)


def playing(result: HandResult) -> list[Playing]:
    """The states of a hand in which tricks are played."""
    return [step.state for step in result.steps if isinstance(step.state, Playing)]


def is_turned(state: State | None) -> bool:
    """Whether the bottom lies open: turned up, and not yet buried."""
    match state:
        case Declaring() | Burying():
            is_first = isinstance(state, Declaring) or state.taken == state.setting.deal.bottom
            return state.setting.is_turned and is_first
        case _:
            return False


def stream(data: bytes) -> io.BytesIO:
    """The bytes of a log to read."""
    return io.BytesIO(data)
