"""The games by the names that people give them."""

from msgspec import Struct

from replay.folder import Problem
from replay.messages import LANGS, text


class GameName(Struct, frozen=True):
    """A game: its name in logs and on the command line, and its names in both languages."""

    name: str
    zh: str
    en: str


def games() -> tuple[GameName, ...]:
    """Every game that this version judges."""
    from replay.engine.registry import game_names

    return tuple(
        GameName(name, *(text(lang, f"game.{name}") for lang in LANGS)) for name in game_names()
    )


def game_called(told: str) -> str:
    """The game of this name, English or Chinese, as logs name it; Problem if there is none."""
    every = games()
    for game in every:
        if told.casefold() in (game.name, game.zh.casefold(), game.en.casefold()):
            return game.name
    known = ", ".join(f"{game.name} ({game.zh})" for game in every)
    raise Problem("no_game", game=told, games=known)
