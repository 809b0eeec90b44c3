"""Probes of what is built on verification: indexing, a query, and simulation."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from replay.archive import Archive, index, named
from replay.players.simulate import Plan, simulate
from tests.bench.games import SEED, Material
from tests.bench.measure import Probe

INDEX_BUDGET = 150_000
"""Rows of plays a second and core, verification included."""
QUERY = "thinking_time"
"""The named query that is measured: it reads every play."""


def archive_probes(of: Material, folder: Path) -> tuple[Probe, Probe]:
    """Indexing matches into a new archive with one job, and one query of it."""
    game = of.subject.game
    places = _places(folder)
    ready = next(places)
    index(ready, of.sealed)
    query = named(QUERY)
    given = {each.name: each.default for each in query.parameters}

    def indexed() -> int:
        return index(next(places), of.sealed).plays

    def queried() -> int:
        with Archive.open(ready) as archive:
            assert list(archive.query(query.sql, given))
        return 1

    return (
        Probe("archive", f"{game}: index, sealed", "play rows", indexed, INDEX_BUDGET),
        Probe("archive", f"{game}: open, query {QUERY}", "queries", queried),
    )


def simulation_probe(of: Material, folder: Path) -> Probe:
    """Sensible players play a match and record it."""
    places = _places(folder)
    plan = Plan(game=of.subject.game, hands=max(1, len(of.hands) // 20), seed=SEED)

    def simulated() -> int:
        return simulate(plan, next(places)).hands

    return Probe("simulate", f"{of.subject.game}: simulate", "hands", simulated)


def _places(folder: Path) -> Iterator[Path]:
    """A new folder each time."""
    folder.mkdir()
    return (folder / str(number) for number in count())
