"""Which games this version judges, by the name in their logs."""

from typing import Any

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.dagong.game import Dagong
from replay.engine.game import Game
from replay.engine.gunzi.game import Gunzi

_GAMES: dict[str, Any] = {
    "dagong": Dagong,
    "chibi_dagun": ChibiDagun,
    "chaodipi": Chaodipi,
    "gunzi": Gunzi,
}


def game_named(name: str) -> Game:
    """A new Game for one log; KeyError for a game that this version does not judge."""
    game: Game = _GAMES[name]()
    return game


def game_names() -> tuple[str, ...]:
    """Every game that this version judges."""
    return tuple(_GAMES)
