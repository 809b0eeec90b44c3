"""Matches of 炒地皮 by its players: clean at every level of claims, and over when they are."""

import io
import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.game import Chaodipi
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.states import ChaodipiState
from replay.players.player import next_fact
from replay.verify import verify
from schema.chaodipi import ChaodipiOpening, ChaodipiSettled, Escaped
from schema.events import Dealt, Event, Fact, HandEnded, HandStarted
from schema.logfile import open_log
from schema.options import ChaodipiOptions
from schema.records import ClaimsLevel
from tests.builders import DECK, any_options, head, live_log
from tests.builders_chaodipi import FIRST, KIT


def _match(
    rng: random.Random, options: ChaodipiOptions, player: str, n_hands: int
) -> Iterator[list[Event]]:
    """A match by one of the game's players, with all its claims."""
    game, carry = Chaodipi(), FIRST
    engine: Any = game
    for _ in range(n_hands):
        state: ChaodipiState = game.open(options, carry)
        events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(carry)]
        while not state.is_over:
            fact = next_fact(KIT, KIT.players[player], engine, state, rng)
            after = game.apply(state, fact, [])
            events += [fact, *game.due(state, fact, after)]
            state = after
        yield [*events, HandEnded(0)]
        carry = game.next_carry(state)
        if carry.is_over:
            return


@pytest.mark.parametrize("level", ["full", "settlement", "none"])
@pytest.mark.parametrize("player", ["greedy", "random"])
def test_what_players_do_verifies_at_every_level(level: ClaimsLevel, player: str) -> None:
    """Under any options, with the claims that the level promises and no others."""
    rng, game = random.Random(f"{level} {player}"), Chaodipi()
    for _ in range(3):
        options = any_options(rng, DEFAULT)
        hands = [
            [e for e in events if isinstance(e, Fact) or game.claim_at_level(type(e), level)]
            for events in _match(rng, options, player, 3)
        ]
        log = live_log(hands, head(options, claims=level))
        assert verify(open_log(io.BytesIO(log))).findings == ()


def test_a_match_ends_when_it_is_won_or_somebody_has_escaped() -> None:
    """chaodipi-12.6: a further hand is one finding, at its opening."""
    rng, game = random.Random("over"), Chaodipi()
    dealt = [Dealt(0, 2, bytes(rng.sample(DECK, 108))), Escaped(0, 1)]
    state: ChaodipiState = game.open(DEFAULT, FIRST)
    events: list[Event] = [HandStarted(bytes(32), 0), ChaodipiOpening(FIRST)]
    for fact in dealt:
        after = game.apply(state, fact, [])
        events += [fact, *game.due(state, fact, after)]
        state = after
    left = game.next_carry(state)
    assert left == replace(FIRST, scores=(0, -15, 0, 0), is_over=True)
    further = next(_match(rng, DEFAULT, "random", 1))
    further[1] = ChaodipiOpening(left)
    settled = next(i for i, event in enumerate(further) if isinstance(event, ChaodipiSettled))
    claim = further[settled]
    assert isinstance(claim, ChaodipiSettled)
    true = game.rebase(claim, left)
    further[settled] = true
    report = verify(
        open_log(io.BytesIO(live_log([[*events, HandEnded(0)], further], head(DEFAULT))))
    )
    assert [(f.hand, f.event, f.rule) for f in report.findings] == [(1, 1, "chaodipi-12.6")]
