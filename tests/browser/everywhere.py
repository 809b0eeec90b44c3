"""Every kind of page and how one of each is opened: whoever adds a page adds a line to KINDS.

Two viewers show them: one over an archive of all sample logs, one over a folder with some of them;
both also have the hostile names of `tests.viewer_logs`.
"""

import json
import shutil
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from flask import Flask
from playwright.sync_api import Page, expect

from replay.archive import index
from replay.reader import HandQuery, Reader, open_reader
from tests.viewer_logs import FAULTY, JUNK, folder_of_logs, ids_in
from tests.viewer_site import on_a_port
from webviewer import create_app

SAMPLES = Path(__file__).parent.parent.parent / "sample_logs"
MATCHES = {
    "dagong": "dagong/clean/match-greedy.paipu",
    "chibi_dagun": "chibi_dagun/clean/match-greedy.paipu",
    "chaodipi": "chaodipi/clean/match-random.paipu",
    "gunzi": "gunzi/clean/match-random.paipu",
}
"""A match of each game: logs of the folder."""
FINDING = "gunzi/broken/gunzi-10.4--two-jokers.paipu.jsonl"
WINDOWS = {"desktop": (1400, 900), "phone": (360, 640), "narrow": (320, 640), "flat": (640, 360)}
"""The windows in which pages are looked at: CSS px."""


class Site(NamedTuple):
    """A viewer on a port: its address without the last slash, what it serves, what it reads."""

    base: str
    app: Flask
    reader: Reader
    logs: Path
    """The folder with FAULTY and JUNK in it."""


@contextmanager
def over_an_archive(folder: Path) -> Iterator[Site]:
    """The viewer over an archive of all sample logs and of those with hostile names."""
    index(folder / "archive", [SAMPLES, folder_of_logs(folder / "hostile")])
    with _serving(folder / "archive", folder / "hostile") as site:
        yield site


@contextmanager
def over_a_folder(folder: Path) -> Iterator[Site]:
    """The viewer over a folder: a match of each game, a finding, hostile names, what is no log."""
    logs = folder_of_logs(folder / "logs")
    for sample in (*MATCHES.values(), FINDING):
        shutil.copy(SAMPLES / sample, logs / sample.replace("/", "-"))
    with _serving(logs, logs) as site:
        yield site


@contextmanager
def _serving(source: Path, logs: Path) -> Iterator[Site]:
    reader = open_reader(source)
    app = create_app(reader)
    with on_a_port(app) as port:
        yield Site(f"http://127.0.0.1:{port}", app, reader, logs)
    reader.close()


class Kind(NamedTuple):
    """A kind of page: a name, its endpoint, the path of one, where it is, what it answers.

    `ready` is a selector that is there once the scripts of the page have done their work.
    """

    name: str
    endpoint: str
    path: Callable[[Site], str]
    over: Literal["both", "archive", "folder"] = "both"
    status: int = 200
    ready: str = "main h1"


def _is(path: str) -> Callable[[Site], str]:
    return lambda site: path


@cache
def hand_ids(sample: str) -> list[str]:
    """The ids of a sample's hands."""
    return ids_in(SAMPLES / sample)


def faulty(site: Site, number: int) -> str:
    """The id of a hand where names are markup."""
    return ids_in(site.logs / FAULTY)[number]


def fullest(site: Site, hand_id: str) -> tuple[int, int, int]:
    """Where in a hand one seat holds the most cards: the event from 1, the seat, how many."""
    boards = [(m.index, m.board) for m in site.reader.hand(hand_id, None).moments if m.board]
    held = [(view.count, -at, view.seat) for at, board in boards for view in board.seats]
    count, at, seat = max(held)
    return 1 - at, seat, count


def hand_of(game: str, number: int = 1) -> str:
    """The id of a hand of the game's match."""
    return hand_ids(MATCHES[game])[number]


def _log(site: Site) -> str:
    return f"/log/{site.reader.hands(HandQuery(text=faulty(site, 1))).rows[0].log_id}"


def _junk(site: Site) -> str:
    found = next(row for row in site.reader.every_log() if row.name == JUNK)
    return f"/log/{found.log_id}"


def _match(site: Site) -> str:
    row = site.reader.hands(HandQuery(text=hand_of("gunzi"))).rows[0]
    return f"/match/{row.log_id}"


def _player(site: Site) -> str:
    row = site.reader.hands(HandQuery(text=hand_of("dagong"))).rows[0]
    return f"/player/{quote(row.players[0].id)}?game={row.game}"


def drop(site: Site, log: Path) -> str:
    """Post a log as a browser does, and wait until it is verified; the path of its report."""
    edge = "- of the form -"
    kind = f"multipart/form-data; boundary={quote(edge)}"
    top = f'--{quote(edge)}\r\nContent-Disposition: form-data; name="log"; filename="{log.name}"'
    body = f"{top}\r\n\r\n".encode() + log.read_bytes() + f"\r\n--{quote(edge)}--\r\n".encode()
    asks = {"Content-Type": kind, "Accept": "application/json"}
    request = urllib.request.Request(f"{site.base}/dropped", body, asks)
    while True:
        with urllib.request.urlopen(request) as answer:
            told = json.load(answer)
        if "to" in told:
            return str(told["to"])
        request = urllib.request.Request(f"{site.base}{told['state']}")


def _dropped(site: Site) -> str:
    return drop(site, SAMPLES / FINDING)


SQL = "SELECT hand_id, event, kind, cards FROM plays WHERE is_bomb ORDER BY ALL LIMIT 20"
_BOMBS = f"/sql?sql={quote(SQL)}"
_READY = "body[data-ready]"

KINDS = (
    Kind("hands", "pages.hands", _is("/")),
    Kind("hands-filtered", "pages.hands", _is("/?game=dagong&findings=some&sort=longest")),
    Kind("hands-none", "pages.hands", _is("/?q=zzz-nothing")),
    Kind("logs", "pages.logs", _is("/logs")),
    Kind("matches", "pages.matches", _is("/matches"), over="archive"),
    Kind("matches-none", "pages.matches", _is("/matches"), over="folder"),
    Kind("match", "pages.match", _match, over="archive", ready=_READY),
    Kind("players", "pages.players", _is("/players"), over="archive"),
    Kind("player", "pages.player", _player, over="archive", ready=_READY),
    Kind("statistics", "pages.statistics", _is("/statistics"), over="archive", ready=_READY),
    Kind("notes", "pages.notes", _is("/notes"), ready=_READY),
    Kind("log", "pages.log", _log),
    Kind("log-unreadable", "pages.log", _junk),
    Kind("rules", "pages.rules", _is("/rules/chaodipi")),
    Kind("rule-books", "pages.rulebooks", _is("/rules")),
    Kind("rules-found", "pages.rulebooks", _is("/rules?q=5")),
    Kind("drop", "dropped.page", _is("/drop")),
    Kind("dropped", "dropped.front", _dropped),
    Kind("sql", "sql.page", _is("/sql"), over="archive", ready=_READY),
    Kind("sql-answer", "sql.page", _is(_BOMBS), over="archive", ready=_READY),
    Kind("sql-wrong", "sql.page", _is("/sql?sql=SELEC+1"), "archive", 400, _READY),
    Kind("sql-none", "sql.page", _is("/sql"), over="folder"),
    Kind("hand", "pages.hand", lambda s: f"/hand/{faulty(s, 3)}", ready=_READY),
    Kind("print", "pages.printed", lambda s: f"/hand/{hand_of('gunzi', 2)}/print"),
    Kind("print-hostile", "pages.printed", lambda s: f"/hand/{faulty(s, 3)}/print"),
    Kind("not-found", "pages.hand", _is("/hand/0000000000000000"), status=404),
)
"""One of every kind, and the states in which a page looks otherwise."""

LEADS_ON = {
    "pages.code": "/code/",
    "sql.alike": "/alike",
    "dropped.opening": "/open",
    "dropped.ask_for_form": "/dropped",
}
"""Endpoints that lead to a page of another kind, and what stands in their paths."""
NO_PAGES = ("static", ".json", ".<form>", ".js")
"""What stands in the rules of routes that answer no page."""


def open_page(page: Page, site: Site, kind: Kind, lang: str = "") -> None:
    """Open a page of this kind and wait for it; its status is as it should be."""
    go(page, site, kind.path(site), lang, kind.status, kind.ready)


def go(
    page: Page, site: Site, path: str, lang: str = "", status: int = 200, ready: str = _READY
) -> None:
    """Open a path of the viewer in a language and wait until `ready` is there."""
    address, mark, fragment = path.partition("#")
    if lang:
        address += ("&" if "?" in address else "?") + f"lang={lang}"
    page.goto("about:blank")  # a fragment alone would not open the page anew
    answer = page.goto(f"{site.base}{address}{mark}{fragment}")
    assert answer is not None
    assert answer.status == status, (path, answer.status)
    expect(page.locator(ready).first).to_be_attached()


def kinds_of(site: Site) -> list[Kind]:
    """The kinds of pages that this viewer has."""
    here = "folder" if site.reader.asking is None else "archive"
    return [kind for kind in KINDS if kind.over in ("both", here)]


def show(page: Page, window: str) -> None:
    """Give the page a window of this name."""
    width, height = WINDOWS[window]
    page.set_viewport_size({"width": width, "height": height})


def lay_out(page: Page) -> None:
    """Wait until everything that is loaded and moved has come to rest."""
    page.wait_for_load_state("networkidle")
    page.evaluate("Promise.all(document.getAnimations().map((moving) => moving.finished))")
