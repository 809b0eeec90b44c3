"""Every route of the viewer, over an archive and a folder: what it answers and leaves alone."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from replay.archive import index
from replay.engine.registry import game_names
from replay.reader import open_reader
from tests.viewer_logs import FAULTY, folder_of_logs, ids_in
from tests.viewer_routes import HTML, JSON, ROUTES, Route, addresses
from webviewer import create_app
from webviewer.app import SECURITY_HEADERS
from webviewer.assets import plotly_version, static_version
from webviewer.views.codes import Place, code_of

METHODS = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")
State = dict[str, tuple[int, bytes]]


@pytest.fixture(scope="module", params=["archive", "folder"])
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the logs, or the folder of them."""
    logs = folder_of_logs(tmp_path_factory.mktemp("source") / "logs")
    if request.param == "folder":
        return logs
    index(logs.parent / "archive", [logs])
    return logs.parent / "archive"


@pytest.fixture(scope="module")
def app(source: Path) -> Iterator[Flask]:
    """The viewer over it, when it has read all."""
    reader = open_reader(source)
    app = create_app(reader)
    while 'id="scanning"' in app.test_client().get("/").text:
        pass
    yield app
    reader.close()


@pytest.fixture(scope="module")
def asked(app: Flask, source: Path) -> list[tuple[Route, str]]:
    """Every example with its address."""
    logs = next(folder for folder in (source, source.parent / "logs") if folder.name == "logs")
    hand = ids_in(logs / FAULTY)[0]
    page = app.test_client().get(f"/hand/{hand}").text
    log = re.findall('href="/log/([^"?]+)', page)[0]
    players = app.test_client().get("/players").text
    player = (re.findall('href="/player/([^"?]+)', players) or ["nobody"])[0]
    return addresses(
        hand=hand,
        log=log,
        player=player,
        game=game_names()[0],
        code=code_of(Place(hand[:10], 1)),
        static=static_version(),
        plotly=plotly_version(),
    )


def expected(route: Route, source: Path) -> int:
    """The status of a GET."""
    is_folder = source.name == "logs"
    return route.folder if is_folder and route.folder is not None else route.status


def state(folder: Path) -> State:
    """Every file below a folder: when it changed, and its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_every_route_has_an_example(app: Flask) -> None:
    """The table of examples and the application's map name the same rules."""
    converted = re.compile(r"<any\([^)]*\):version>")
    rules = {converted.sub("<version>", rule.rule) for rule in app.url_map.iter_rules()}
    assert rules == {route.rule for route in ROUTES}


def test_each_answers_as_it_should(
    app: Flask, source: Path, asked: list[tuple[Route, str]]
) -> None:
    """Status and type; an error is a page, or JSON where JSON is asked for."""
    client = app.test_client()
    wrong = []
    for route, address in asked:
        answer = client.get(address)
        kinds = {route.type} if answer.status_code == 200 else {HTML, JSON}
        if answer.status_code != expected(route, source) or answer.mimetype not in kinds:
            wrong.append((address, answer.status_code, answer.mimetype))
    assert wrong == []


def test_every_answer_has_the_headers_of_safety(app: Flask, asked: list[tuple[Route, str]]) -> None:
    """Whatever its status; what carries an inline style or script is allowed nowhere."""
    client = app.test_client()
    for _, address in [*asked, (None, "/nowhere"), (None, "/static/nothing.js")]:
        for method in ("GET", "HEAD", "DELETE"):
            headers = client.open(address, method=method).headers
            assert {name: headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
            assert "Set-Cookie" not in headers
            assert "Cache-Control" in headers
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy


def test_head_is_a_get_without_its_body(
    app: Flask, source: Path, asked: list[tuple[Route, str]]
) -> None:
    """The same status and type."""
    client = app.test_client()
    for route, address in asked:
        answer = client.head(address)
        assert (answer.status_code, answer.get_data()) == (expected(route, source), b""), address
        if answer.status_code == 200:
            assert answer.mimetype == route.type


def test_other_methods_are_refused(app: Flask, asked: list[tuple[Route, str]]) -> None:
    """405, and what is not refused; but a POST where logs are dropped."""
    client = app.test_client()
    for route, address in asked:
        for method in METHODS:
            answer = client.open(address, method=method)
            status = answer.status_code
            if method == "POST" and route.posts is not None:
                assert status == route.posts, address
            else:
                assert status == 405, (method, address, status)
                allowed = {"POST"} if route.posts is not None else set()
                assert set(answer.allow) == {"GET", "HEAD"} | allowed, (method, address)


def test_asking_changes_nothing(source: Path, app: Flask, asked: list[tuple[Route, str]]) -> None:
    """Archive and logs have the same files, bytes and times after everything was asked."""
    before = state(source.parent)
    client = app.test_client()
    for _, address in asked:
        for lang in ("zh", "en"):
            client.get(f"{address}{'&' if '?' in address else '?'}lang={lang}")
    assert before
    assert state(source.parent) == before


def test_no_page_styles_or_scripts_inline(app: Flask, asked: list[tuple[Route, str]]) -> None:
    """No style attribute, no style element, no handler: the policy would only hide them."""
    client = app.test_client()
    for _, address in asked:
        answer = client.get(address)
        if answer.mimetype == HTML:
            tags = re.findall(r"<[a-z][^<>]*>", answer.text)
            assert tags
            inline = [tag for tag in tags if re.search(r"\s(style|on[a-z]+)\s*=|^<style", tag)]
            assert inline == [], address


def _found(client: Any, address: str, encoding: str) -> Any:
    return client.get(address, headers={"Accept-Encoding": encoding})


def test_what_is_long_is_packed_for_who_unpacks_it(
    app: Flask, asked: list[tuple[Route, str]]
) -> None:
    """The same bytes, fewer on the way; who does not say gzip gets them as they are."""
    client = app.test_client()
    packed = 0
    for _, address in asked:
        plain, other = _found(client, address, "identity"), _found(client, address, "br, gzip")
        refused = _found(client, address, "gzip;q=0")
        assert "Content-Encoding" not in plain.headers
        assert "Content-Encoding" not in refused.headers
        if "Content-Encoding" in other.headers:
            packed += 1
            assert other.headers["Content-Encoding"] == "gzip"
            assert "Accept-Encoding" in other.headers["Vary"]
            assert "Accept-Encoding" in plain.headers["Vary"]
            assert len(other.get_data()) < len(plain.get_data())
            if "sql" not in address:  # how long a question took stands on its page
                assert gzip.decompress(other.get_data()) == plain.get_data(), address
    assert packed > 10
