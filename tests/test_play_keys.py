"""What a play was is asked once for all plays of one key: so one key must mean one answer."""

from collections.abc import Hashable
from pathlib import Path

import pytest

from replay.engine.facts import PlayFacts
from replay.verify import HandResult, judged
from schema.damage import LogError
from schema.events import Played, PlayedAs
from schema.logfile import open_log

LOGS = Path(__file__).parent.parent / "sample_logs"
GAMES = sorted(folder.name for folder in LOGS.iterdir() if folder.is_dir())


@pytest.mark.parametrize("game", GAMES)
def test_within_a_log_equal_keys_have_equal_facts(game: str) -> None:
    """In every sample, the broken ones too; and there are fewer keys than plays."""
    plays = keys = 0
    for path in sorted((LOGS / game).rglob("*.paipu*")):
        known: dict[Hashable, PlayFacts] = {}
        try:
            with path.open("rb") as stream:
                for item in judged(open_log(stream)):
                    if isinstance(item, HandResult):
                        plays += _compared(item, known)
        except LogError:
            continue
        keys += len(known)
    assert 0 < keys < plays


def _compared(result: HandResult, known: dict[Hashable, PlayFacts]) -> int:
    plays = 0
    for step in result.steps:
        if isinstance(step.event, Played | PlayedAs) and step.state is not None:
            facts = result.game.played(step.state, step.event)
            key = result.game.play_key(step.state, step.event)
            assert known.setdefault(key, facts) == facts
            plays += 1
    return plays
