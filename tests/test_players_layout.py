"""How players of the climbing games lay out a holding: every card once, the lowest group first."""

from itertools import pairwise
from random import Random

import pytest

from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.dagong import presets as dagong
from replay.engine.mechanics.holding import EMPTY, pack, with_cards
from replay.players.chibi_dagun_layout import layout
from replay.players.grouping import grouping
from schema.cards import parse_cards
from schema.options import Options
from tests.builders import FIRST, game_for, shuffled

DEFAULTS: dict[str, Options] = {"dagong": dagong.DEFAULT, "chibi_dagun": chibi_dagun.DEFAULT}

climbing_games = pytest.mark.parametrize("game", DEFAULTS)


@climbing_games
@pytest.mark.parametrize("seed", range(40))
def test_a_layout_is_the_whole_holding(game: str, seed: int) -> None:
    """Groups, bombs and jokers are the holding's cards, each once, and of the type it says."""
    rng = Random(seed)
    cards = shuffled(rng, rng.choice((0.0, 0.6)))[: rng.randrange(1, 28)]
    laid = LAYOUTS[game](with_cards(EMPTY, pack(cards, 2)))
    parts = [*(group.cards for group in laid.groups), *laid.bombs, laid.jokers]
    assert sorted(b"".join(parts)) == sorted(cards)
    options = DEFAULTS[game]
    readings = game_for(options).open(options, FIRST).flow.readings
    for group in laid.groups:
        found = {(play.kind, play.size, play.rank, play.power) for play in readings(group.cards)}
        assert (group.kind, group.size, group.rank, ()) in found
    assert all(readings(bomb)[0].power for bomb in laid.bombs)


LAYOUTS = {"dagong": grouping, "chibi_dagun": layout}


@climbing_games
def test_the_lowest_group_comes_first(game: str) -> None:
    """Singles of a holding without anything else are led from below."""
    laid = LAYOUTS[game](with_cards(EMPTY, pack(parse_cards("2s 3d Ks 9h 6c"), 2)))
    assert all(low.rank < high.rank for low, high in pairwise(laid.groups))
