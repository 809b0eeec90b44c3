"""What a player is, and what each game needs to be played: players, chance, presets."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from replay.engine.chaodipi import presets as chaodipi_presets
from replay.engine.chibi_dagun import presets as chibi_dagun_presets
from replay.engine.dagong import presets as dagong_presets
from replay.engine.game import Game
from replay.engine.gunzi import presets as gunzi_presets
from replay.players import chaodipi, chibi_dagun, climbing, dagong, gunzi
from schema.events import Fact
from schema.options import Options


class Player(Protocol):
    """Chooses for whoever is in turn, from what that seat can know; keeps nothing in between."""

    def choose(self, game: Game, state: Any, rng: Random) -> Fact | None:
        """A legal fact of the seat in turn, with its think time; the same for the same `rng`.

        Where seats may act without being in turn: what the first that wants to does, else None.
        """
        ...


class Kit(Struct, frozen=True, eq=False):
    """All that a match of one game is made of besides its engine.

    `chance(state, rng)` is the chance fact that a state waits for, None if seats are to act;
    `lapse(state, rng)` is what follows where seats may act and none wants to.
    """

    players: Mapping[str, Player]
    chance: Callable[[Any, Random], Fact | None]
    lapse: Callable[[Any, Random], Fact]
    presets: Mapping[str, Options]
    rules_version: str
    first_carry: Any


def _no_lapse(state: Any, rng: Random) -> Fact:
    """For games in which somebody is in turn at any time."""
    raise AssertionError("a player in turn does something")


KITS: Mapping[str, Kit] = {
    "dagong": Kit(
        players={"greedy": dagong.GreedyPlayer(), "random": climbing.RandomPlayer()},
        chance=climbing.chance,
        lapse=_no_lapse,
        presets=dagong_presets.PRESETS,
        rules_version=dagong_presets.RULES_VERSION,
        first_carry=dagong_presets.FIRST_CARRY,
    ),
    "chibi_dagun": Kit(
        players={"greedy": chibi_dagun.GreedyPlayer(), "random": climbing.RandomPlayer()},
        chance=climbing.chance,
        lapse=_no_lapse,
        presets=chibi_dagun_presets.PRESETS,
        rules_version=chibi_dagun_presets.RULES_VERSION,
        first_carry=chibi_dagun_presets.FIRST_CARRY,
    ),
    "chaodipi": Kit(
        players={"greedy": chaodipi.GreedyPlayer(), "random": chaodipi.RandomPlayer()},
        chance=chaodipi.chance,
        lapse=chaodipi.lapse,
        presets=chaodipi_presets.PRESETS,
        rules_version=chaodipi_presets.RULES_VERSION,
        first_carry=chaodipi_presets.FIRST_CARRY,
    ),
    "gunzi": Kit(
        players={"greedy": gunzi.GreedyPlayer(), "random": gunzi.RandomPlayer()},
        chance=gunzi.chance,
        lapse=gunzi.lapse,
        presets=gunzi_presets.PRESETS,
        rules_version=gunzi_presets.RULES_VERSION,
        first_carry=gunzi_presets.FIRST_CARRY,
    ),
}
"""By the game's name. `greedy` is sensible, `random` does anything that is legal."""


def next_fact(kit: Kit, player: Player, game: Game, state: Any, rng: Random) -> Fact:
    """What happens next in a hand that is not over: chance, else what a seat does, else a lapse."""
    fact = kit.chance(state, rng) or player.choose(game, state, rng)
    return fact or kit.lapse(state, rng)
