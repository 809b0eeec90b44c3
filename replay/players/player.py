"""What a player is, and the players there are for each game, by name."""

from random import Random
from typing import Any, Protocol

from replay.engine.game import Game
from replay.players import dagong
from schema.events import Fact


class Player(Protocol):
    """Chooses for whoever is in turn, from what that seat can know; keeps nothing in between."""

    def choose(self, game: Game, state: Any, rng: Random) -> Fact:
        """A legal fact of the seat in turn, with its think time; the same for the same `rng`."""
        ...


class Chance(Protocol):
    """The chance facts of a game: deck, turned-up card, drawn card."""

    def __call__(self, state: Any, rng: Random) -> Fact | None:
        """The chance fact that `state` waits for; None if a seat is in turn or nobody."""
        ...


PLAYERS: dict[str, dict[str, Player]] = {
    "dagong": {"greedy": dagong.GreedyPlayer(), "random": dagong.RandomPlayer()},
}
"""Game, then player: `greedy` is sensible, `random` is uniform over the legal plays."""

CHANCE: dict[str, Chance] = {"dagong": dagong.chance}
"""Game, then its chance facts."""
