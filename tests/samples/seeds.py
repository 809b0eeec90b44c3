"""Seeds of the samples: the shortest log that shows what its name says, among many seeds."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from schema.events import Event

SEEDS_FILE = Path(__file__).with_name("seeds.json")
Make = Callable[[int], Sequence[Sequence[Event]] | None]
"""The hands that a seed gives, None if they do not show what is wanted."""
Seeds = dict[str, dict[str, int]]
"""Seeds by game and name of the sample."""


def seeds() -> Seeds:
    """The seeds on record."""
    found: Seeds = json.loads(SEEDS_FILE.read_text(encoding="utf-8"))
    return found


def seed_of(game: str, name: str) -> int:
    """The seed on record for a sample; KeyError if none was searched for yet."""
    return seeds()[game][name]


def search(make: Make, enough: int, most: int) -> int | None:
    """The seed with the fewest events among the first `enough` good ones below `most`."""
    best, found = None, 0
    for seed in range(most):
        hands = make(seed)
        if hands is None:
            continue
        found += 1
        size = sum(map(len, hands))
        if best is None or size < best[0]:
            best = size, seed
        if found == enough:
            break
    return None if best is None else best[1]
