"""FORMAT.md says behind which facts the claims of each game stand, and which of them stand."""

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.engine.gunzi import presets
from replay.engine.registry import game_named
from schema.damage import LogError
from schema.events import Claim, Event, Fact, Refused
from schema.items import Hand
from schema.logfile import open_log
from schema.schemas import FAMILIES, SCHEMAS, Schema
from tests import builders_gunzi
from tests.format_tables import table

CLEAN = Path(__file__).parent.parent / "sample_logs"
EVERY_SCHEMA = pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)


def rows(schema: Schema) -> list[list[str]]:
    """The rows of the table that are about the games of a schema."""
    owners = {schema.id, *(["climbing games"] if schema.id in climbing() else [])}
    return [row for row in table("What makes a claim due") if row[0] in owners]


def climbing() -> frozenset[str]:
    """The schemas of the climbing games."""
    return FAMILIES["the climbing games"]


def behind(row: list[str]) -> set[str]:
    """The facts that a row names."""
    return {name.strip("`") for name in row[2].split(", ")}


def clean_hands(schema: Schema) -> Iterator[list[Event]]:
    """Hands with all their claims: of the clean samples, and of 四副滚子 some more."""
    for path in sorted((CLEAN / schema.game / "clean").glob("*")):
        with open(path, "rb") as stream:
            try:
                log = open_log(stream)
            except LogError:
                continue
            if log.head.claims == "full":
                yield from (list(item.events) for item in log.items() if isinstance(item, Hand))
    if schema.game == "gunzi":
        for seed in range(12):
            rng = random.Random(seed)
            style = builders_gunzi.any_style(rng)
            yield from builders_gunzi.match(presets.DEFAULT, 40, rng, style)


@EVERY_SCHEMA
def test_every_claim_of_a_game_has_its_row(schema: Schema) -> None:
    """But for Refused, which is never due."""
    claims = {kind.__name__ for kind in schema.kinds if issubclass(kind, Claim)}
    assert sorted(row[1] for row in rows(schema)) == sorted(claims - {Refused.__name__})
    facts = {kind.__name__ for other in SCHEMAS.values() for kind in other.kinds}
    assert [row for row in rows(schema) if not behind(row) <= facts] == []


@EVERY_SCHEMA
def test_the_announcements_are_marked(schema: Schema) -> None:
    """What the engine takes as it was told, and nothing else, stands."""
    marked = {row[1] for row in rows(schema) if row[3].startswith("stands")}
    assert marked == {kind.__name__ for kind in game_named(schema.game).announcements}


@EVERY_SCHEMA
def test_claims_stand_behind_the_facts_of_their_rows(schema: Schema) -> None:
    """In clean hands: each behind a fact that its row names, in the order of the rows."""
    order = [row[1] for row in rows(schema)]
    allowed = {row[1]: behind(row) for row in rows(schema)}
    found: dict[str, set[str]] = defaultdict(set)
    for events in clean_hands(schema):
        fact, last = "", -1
        for event in events:
            name = type(event).__name__
            if isinstance(event, Fact):
                fact, last = name, -1
            elif not isinstance(event, Refused):
                assert order.index(name) > last, (fact, name)
                last = order.index(name)
                found[name].add(fact)
    assert found.keys() == allowed.keys()
    assert [name for name in found if not found[name] <= allowed[name]] == []
    if schema.game == "gunzi":
        late = {"TrumpSet": {"Declared"}, "BottomShown": {"Declared", "Drawn"}}
        for name, facts in allowed.items():
            assert found[name] >= facts - late.get(name, set())
