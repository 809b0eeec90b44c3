"""The viewer's pages, in a process of their own: `python -m tests.bench.million.viewer ARCHIVE`.

Pages are asked of the application itself, without a server or a browser. The process reads names
and addresses, and prints times and the memory it takes, all as JSON.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import msgspec
from flask.testing import FlaskClient
from msgspec import Struct

from replay.archive import Archive
from replay.archive.named import named_queries
from replay.reader import SORTS, HandQuery, open_reader
from tests.bench.million.draw import Drawer, sample
from tests.bench.million.fill import peak_of
from tests.bench.million.latency import Latency, Took, timed
from tests.bench.rows import Budget, Row
from webviewer import create_app

SECTION = "pages-million"
_PAGE = Budget("most", 300)
_SEED = 11
_MB = 1e6

Address = Callable[[], str]


class Wanted(Struct, frozen=True):
    """A page and the addresses to ask it at, each after a `pause`, seconds."""

    name: str
    addresses: tuple[str, ...]
    pause: float


class Shown(Struct, frozen=True):
    """Times of every page by its name, and memory in bytes: with nothing shown yet, and at most.

    `refused`: of pages that did not come, the first address and its status.
    """

    pages: dict[str, Took]
    refused: dict[str, str]
    at_first: int
    peak: int


def measured(archive: Path, runs: int, pause: float) -> Shown:
    """All pages, in a new process; the bench fails if it does, not if a page does."""
    wanted = [Wanted("the first one", ("/",), 0.0)]
    for name, address in _pages(archive):
        # Who asks in SQL reads the answer, and a worker gets ready meanwhile.
        waits = pause if "SQL" in name else 0.0
        wanted.append(Wanted(name, tuple(address() for _ in range(runs)), waits))
    done = subprocess.run(
        (sys.executable, "-m", "tests.bench.million.viewer", str(archive)),
        input=msgspec.json.encode(wanted),
        stdout=subprocess.PIPE,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Shown)


def latencies(found: Shown) -> Iterator[Latency]:
    """A line a page."""
    for name, each in found.pages.items():
        stopped = found.refused.get(name, "")
        yield Latency(
            section=SECTION, name=f"page: {name}", here=each, budget=_PAGE, stopped=stopped
        )


def rows(found: Shown) -> Iterator[Row]:
    """What the process takes."""
    for name, size in (("before the first page", found.at_first), ("peak", found.peak)):
        yield Row(section=SECTION, name=f"viewer, {name}", value=size / _MB, unit="MB")


def shown(archive: Path, wanted: list[Wanted]) -> Shown:
    """Ask for these pages in this process."""
    pages: dict[str, Took] = {}
    refused: dict[str, str] = {}
    with closing(open_reader(archive)) as reader:
        client = create_app(reader).test_client()
        at_first = peak_of("self", "VmRSS")
        for each in wanted:
            refuse = partial(refused.setdefault, each.name)
            asked = partial(_next, client, iter(each.addresses), refuse)
            pages[each.name] = timed(asked, len(each.addresses), partial(time.sleep, each.pause))
        return Shown(pages, refused, at_first, peak_of("self"))


def _next(client: FlaskClient, addresses: Iterator[str], refuse: Callable[[str], object]) -> None:
    address = next(addresses)
    answer = client.get(address, follow_redirects=True)
    if answer.status_code != 200 or not answer.data:
        refuse(f"{address}: status {answer.status_code}, {len(answer.data)} bytes")


def _pages(archive: Path) -> Iterator[tuple[str, Address]]:
    """Every kind of page, each time of something else where it is of something."""
    rng = Random(_SEED)
    with Archive.open(archive) as opened:
        drawer = Drawer(sample(opened, rng), rng)
    with closing(open_reader(archive)) as reader:
        first = reader.hands(HandQuery())
        logs = [row.log_id for row in reader.logs(1).rows]
    games = [each.value for each in first.games]
    results = [each.value for each in first.results]
    names = [query.name for query in named_queries()]

    def listed(**chosen: Callable[[], object]) -> Address:
        return lambda: "/?" + urlencode({name: value() for name, value in chosen.items()})

    def hand(path: str = "") -> Address:
        return lambda: f"/hand/{drawer.hand()['hand_id']}{path}"

    yield "hands", lambda: "/"
    yield "hands, page 2", lambda: "/?page=2"
    yield "hands, any page", listed(page=lambda: rng.randint(1, first.pages))
    for sort in SORTS[1:]:
        yield f"hands, sort {sort}", partial("/?sort={}".format, sort)
    yield "hands of a game", listed(game=lambda: rng.choice(games))
    yield "hands of a player", listed(player=drawer.player)
    yield "hands with a result", listed(result=lambda: rng.choice(results))
    yield "hands with findings", listed(findings=lambda: "some")
    yield "hands by their id", listed(q=lambda: str(drawer.hand()["hand_id"])[:6])
    yield "hands of a log", listed(log=lambda: rng.choice(logs))
    yield "charts of all hands", lambda: "/charts.json"
    yield "charts of a player", lambda: f"/charts.json?player={drawer.player()}"
    yield "logs", lambda: "/logs"
    yield "logs, page 2", lambda: "/logs?page=2"
    yield "a log", lambda: f"/log/{rng.choice(logs)}"
    yield "a hand", hand()
    yield "a hand, its steps", hand("/steps.json")
    yield "a hand, its chart", hand("/charts.json")
    yield "SQL", lambda: "/sql"
    yield "SQL, a named query", lambda: f"/sql?query={rng.choice(names)}"
    yield "SQL, hands like this", hand("/alike")


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Wanted])
    sys.stdout.write(msgspec.json.encode(shown(Path(sys.argv[1]), asked)).decode())
