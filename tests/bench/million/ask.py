"""Asking the archive: every named query, one hand by its id, and opening it at all."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from replay.archive import Archive
from replay.archive.asking import Asker, Limits
from replay.archive.named import named_queries
from replay.archive.question import Stopped
from tests.bench.million.draw import Drawer, Parameters, sample
from tests.bench.million.latency import Latency, timed
from tests.bench.million.store import Say
from tests.bench.rows import Budget

SECTION = "queries-million"
QUERY, LOOK_UP = Budget("most", 300), Budget("most", 20)
"""Milliseconds."""
_POINT = "SELECT * FROM {table} WHERE hand_id = :hand_id ORDER BY ALL"
_TABLES = ("hands", "seats", "plays")
_SEED = 7
_WARM = 2
_LIMITS = Limits(seconds=60.0)


def latencies(folder: Path, runs: int, pause: float, say: Say) -> Iterator[Latency]:
    """Each thing so many times, here and apart, with parameters of chance.

    Before a worker is asked there is a pause of so many seconds: people do not ask faster, and the
    next worker gets ready meanwhile.
    """
    yield Latency(section=SECTION, name="open and close", here=timed(lambda: _open(folder), runs))
    with Archive.open(folder) as archive, Asker(folder, warm=_WARM) as asker:
        found = sample(archive, Random(_SEED))
        asking = _Asking(archive, asker, runs, pause)
        for table in _TABLES:
            drawer = Drawer(found, Random(f"{_SEED}/{table}"))
            sql = _POINT.format(table=table)
            yield asking.latency(f"one hand: {table}", sql, drawer.hand, LOOK_UP)
        queries = named_queries()
        for number, query in enumerate(queries):
            say(f"  query {number + 1} of {len(queries)}: {query.name}")
            drawer = Drawer(found, Random(f"{_SEED}/{query.name}"))
            drawn = partial(drawer.parameters, query)
            yield asking.latency(f"query {query.name}", query.sql, drawn, QUERY)


def _open(folder: Path) -> None:
    Archive.open(folder).close()


class _Asking:
    """The same SQL asked here and apart, each time with the same parameters."""

    def __init__(self, archive: Archive, asker: Asker, runs: int, pause: float) -> None:
        self._archive, self._asker = archive, asker
        self._runs, self._pause = runs, pause

    def latency(
        self, name: str, sql: str, drawn: Callable[[], Parameters], budget: Budget
    ) -> Latency:
        given = [drawn() for _ in range(self._runs)]
        first, second = iter(given), iter(given)

        def asked() -> object:
            return self._asker.page(sql, next(second), _LIMITS)

        here = timed(lambda: self._here(sql, next(first)), self._runs)
        try:
            apart = timed(asked, self._runs, lambda: time.sleep(self._pause))
        except Stopped as error:
            return Latency(section=SECTION, name=name, here=here, budget=budget, stopped=str(error))
        return Latency(section=SECTION, name=name, here=here, apart=apart, budget=budget)

    def _here(self, sql: str, parameters: Parameters) -> int:
        return sum(1 for _ in self._archive.query(sql, parameters))
