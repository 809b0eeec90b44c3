"""Fifty clients ask a viewer while the archive under it grows; nothing may be lost.

`python -m tests.viewer_load --seconds 60` asks for a minute and prints what it saw. The logs are
indexed by `paipu index` in a process of its own, a few at a time, while `paipu view` answers.
"""

import argparse
import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from replay.players.simulate import Plan, simulate
from tests.served import served
from tests.shelled import command, environment

CLIENTS = 50
GAMES = ("dagong", "gunzi")
LOGS, HANDS, GROUP = 16, 2, 4
"""Logs of each game, hands of each, and how many logs more each run of the index finds."""
WAIT = 60.0
"""Seconds for one answer."""


class Seen(Struct):
    """What the clients saw: how long answers took (s), their statuses, and what was wrong."""

    times: list[float] = []
    statuses: Counter[int] = Counter()
    wrong: list[str] = []
    totals: list[int] = []

    def told(self, seconds: float) -> str:
        """Requests a second and the times that 50 and 95 of 100 keep, in one line."""
        times = sorted(self.times)
        at = [1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.95)]
        return (
            f"{len(times)} answers, {len(times) / seconds:.0f}/s, p50 {at[0]:.0f} ms, "
            f"p95 {at[1]:.0f} ms, statuses {dict(self.statuses)}, {len(self.wrong)} wrong"
        )


class _Client:
    """One client: a connection that is kept, and its own chance."""

    def __init__(self, address: str, number: int) -> None:
        parts = urlsplit(address)
        self._wire = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=WAIT)
        self._random = random.Random(number)
        self._hands: list[str] = []
        self.seen = Seen([], Counter(), [], [])

    def run(self, until: float) -> None:
        """Ask until then."""
        self._ask("/?lang=en")
        while time.monotonic() < until:
            self._ask(self._random.choice(self._addresses()))
        self._wire.close()

    def _addresses(self) -> list[str]:
        hands = [f"/hand/{hand}" for hand in self._random.sample(self._hands, 1)]
        return [
            *("/?lang=en", "/?lang=en&sort=longest", "/hands.csv", "/logs", "/charts.json"),
            *hands,
            *(f"{hand}/steps.json" for hand in hands),
            *(f"{hand}/explain.json?event=3" for hand in hands),
            *("/rules?q=bomb", f"/rules/{GAMES[0]}", "/players", "/statistics/figures.json"),
            "/sql?sql=SELECT+count(*)+FROM+plays",
            "/static/js/hand.js",
        ]

    def _ask(self, address: str) -> None:
        began = time.monotonic()
        try:
            self._wire.request("GET", address)
            answer = self._wire.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.seen.wrong.append(f"{address}: {error!r}")
            self._wire.close()
            return
        self.seen.times.append(time.monotonic() - began)
        self.seen.statuses[answer.status] += 1
        if wrong := self._wrong(address, answer, body):
            self.seen.wrong.append(f"{address}: {answer.status} {wrong}")

    def _wrong(self, address: str, answer: http.client.HTTPResponse, body: bytes) -> str:
        """What is wrong with an answer; empty if it is whole."""
        if answer.status != 200:
            # Few questions in SQL run at once; more are told when to ask again.
            is_full = answer.status == 503 and "Retry-After" in answer.headers
            return "" if address.startswith("/sql") and is_full else "status"
        kind = answer.headers.get_content_type()
        if kind == "text/html" and not body.rstrip().endswith(b"</html>"):
            return "a page without its end"
        if kind == "application/json":
            json.loads(body)
        if address == "/?lang=en":
            self._learn(body.decode())
        return ""

    def _learn(self, page: str) -> None:
        """The hands to ask for, and how many there are."""
        self._hands = re.findall(r'href="/hand/([0-9a-f]{16})', page) or self._hands
        self.seen.totals += [int(n) for n in re.findall(r"\b(\d+) hands?\b", page)[:1]]


@contextmanager
def _growing(archive: Path, logs: list[Path], until: float) -> Iterator[list[int]]:
    """`paipu index` adds the logs, a group at a time, meanwhile; yields its statuses."""
    statuses: list[int] = []

    def grow() -> None:
        for count in range(2 * GROUP, len(logs) + GROUP, GROUP):
            run = command("index", archive, *logs[:count])
            done = subprocess.run(run, env=environment(), capture_output=True, check=False)
            statuses.append(done.returncode)
            time.sleep(max(0.0, min(1.0, until - time.monotonic())))

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        yield statuses
    finally:
        thread.join()


def run(folder: Path, seconds: float, clients: int = CLIENTS) -> tuple[Seen, list[int], list[int]]:
    """What was seen, the status of each index run, and the totals of hands a list may have."""
    logs = _logs(folder)
    archive = folder / "archive"
    subprocess.run(
        command("index", archive, *logs[:GROUP]), env=environment(), capture_output=True, check=True
    )
    totals = [HANDS * count for count in range(GROUP, len(logs) + 1, GROUP)]
    with served(command("view", archive, "--port", 0), env=environment()) as address:
        until = time.monotonic() + seconds
        asking = [_Client(address, number) for number in range(clients)]
        threads = [threading.Thread(target=each.run, args=(until,)) for each in asking]
        with _growing(archive, logs, until) as statuses:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        last = _Client(address, clients)
        last.run(0.0)
    seen = Seen([], Counter(), [], [])
    for each in [*asking, last]:
        seen.times += each.seen.times
        seen.statuses += each.seen.statuses
        seen.wrong += each.seen.wrong
        seen.totals += each.seen.totals
    return seen, statuses, totals


def _logs(folder: Path) -> list[Path]:
    """Logs of several games, by turns."""
    made = []
    for game in GAMES:
        for number in range(LOGS // len(GAMES)):
            below = folder / "logs" / f"{game}-{number}"
            simulate(Plan(game=game, hands=HANDS, seed=number), below)
            made.append((number, game, next(path for path in below.rglob("*") if path.is_file())))
    return [path for _, _, path in sorted(made)]


def main(arguments: list[str]) -> int:
    """Ask, print, and 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        seen, statuses, _ = run(Path(folder), given.seconds, given.clients)
    print(seen.told(given.seconds))
    print(f"index runs: {statuses}")
    for wrong in seen.wrong[:20]:
        print(wrong)
    return 1 if seen.wrong or any(statuses) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
