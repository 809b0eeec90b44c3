"""Dropped logs: verified and shown like any other, stored nowhere, let go of."""

import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from replay.messages import LANGS, text
from replay.messages.matched import matched
from replay.reader import open_reader
from schema.logfile import open_log
from schema.textform import write_text
from tests.dropping import drop, eventually, followed, is_running, landed, shelf_of, token_in
from tests.viewer_logs import (
    CLEAN,
    FALSE_TRICK,
    FAULTY,
    HOSTILE,
    folder_of_logs,
    ids_in,
)
from webviewer import create_app
from webviewer.dropped.limits import Limits


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs to drop."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A viewer over a folder without logs: whatever it shows of one was dropped."""
    app = create_app(open_reader(tmp_path_factory.mktemp("nothing")))
    yield app
    shelf_of(app).close()


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    """Asks that viewer."""
    return app.test_client()


@pytest.fixture(scope="module")
def faulty(folder: Path) -> bytes:
    """A sealed log with findings and hostile names."""
    return (folder / FAULTY).read_bytes()


def as_text(log: bytes) -> bytes:
    """The log in text form."""
    sink = io.BytesIO()
    write_text(open_log(io.BytesIO(log)), sink)
    return sink.getvalue()


def said(page: str) -> str:
    """The sentence of a page that says what is wrong."""
    found = re.search(r'<p class="notice bad" role="alert">([^<]*)</p>', page)
    assert found, page
    return unescape(found[1])


def refused(client: FlaskClient, data: bytes, lang: str = "en") -> TestResponse:
    """Drop a file that is no log: what is answered in the end."""
    answer = drop(client, data, lang=lang)
    while answer.status_code == 303 and "/open" in answer.headers["Location"]:  # it takes its time
        answer = client.get(answer.headers["Location"])
    return answer


@pytest.mark.parametrize("form", ["live", "sealed", "text"])
def test_each_form_is_verified_and_shown(client: FlaskClient, folder: Path, form: str) -> None:
    """The report of a dropped log names it, and leads to pages of all of its hands."""
    name = CLEAN if form == "live" else FAULTY
    data = (folder / name).read_bytes()
    token, page = landed(client, as_text(data) if form == "text" else data, f"{form}.paipu")
    assert f"<bdi>{form}.paipu</bdi>" in page.text
    hands = set(re.findall(rf'href="(/dropped/{token}/hand/[0-9a-f]+)', page.text))
    assert {address.rpartition("/")[2] for address in hands} == set(ids_in(folder / name))
    for address in hands:
        assert client.get(address).status_code == 200
        assert client.get(f"{address}/steps.json").get_json()["steps"]


def test_a_dropped_log_is_shown_as_the_same_log_in_a_folder(
    client: FlaskClient, folder: Path, faulty: bytes
) -> None:
    """Steps, what was legal and charts are byte for byte those of the log on disk."""
    token, _ = landed(client, faulty)
    beside = create_app(open_reader(folder)).test_client()
    hand = ids_in(folder / FAULTY)[FALSE_TRICK]
    for page in ("steps.json?eye=2", "steps.json", "explain.json?event=9", "charts.json"):
        address = f"/hand/{hand}/{page}"
        assert client.get(f"/dropped/{token}{address}").data == beside.get(address).data


def test_every_address_of_its_pages_is_answered(client: FlaskClient, faulty: bytes) -> None:
    """Links stay below the log's own path, and files of the viewer are those of every page."""
    token, page = landed(client, faulty)
    todo, seen = [page.request.path], set()
    while todo:
        address = todo.pop()
        seen.add(address)
        answer = client.get(address)
        assert answer.status_code == 200, address
        if address.startswith(f"/dropped/{token}") and "html" in (answer.mimetype or ""):
            found = re.findall(r'(?:href|src|data-\w+)="(/[^"#?]*)', answer.text)
            todo += set(found) - seen - set(todo) - {"/dropped"}
    assert len([address for address in seen if f"/dropped/{token}/hand/" in address]) >= 4
    assert not [address for address in seen if f"/dropped/{token}/static" in address]
    assert [address for address in seen if address.startswith("/static/")]


@pytest.mark.parametrize("lang", LANGS)
def test_a_banner_says_what_it_is_and_lets_go_of_it(
    client: FlaskClient, faulty: bytes, lang: str
) -> None:
    """Each page names the file and has the button; afterwards the address says that it is gone."""
    token, page = landed(client, faulty, HOSTILE)
    report = client.get(page.request.path, query_string={"lang": lang})
    assert HOSTILE not in report.text
    assert "<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>" in report.text
    assert text(lang, "view.drop.let_go") in report.text
    action = re.search(r'<form method="post" action="([^"]+)/let-go\?', report.text)
    assert action
    assert action[1] == f"/dropped/{token}"
    other = re.search(r'id="language" href="([^"?]+)', report.text)
    assert other
    assert other[1] == page.request.path
    answer = client.post(f"{action[1]}/let-go", query_string={"lang": lang})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/drop?lang={lang}")
    gone = client.get(page.request.path, query_string={"lang": lang})
    assert (gone.status_code, said(gone.text)) == (410, text(lang, "view.drop.gone.let_go"))


def test_nobody_keeps_a_page_of_it(client: FlaskClient, faulty: bytes) -> None:
    """No browser, and nothing between, stores what is about a log that is not stored."""
    token, page = landed(client, faulty)
    addresses = [page.request.path, f"/dropped/{token}/", f"/dropped/{token}/state.json"]
    for address in addresses:
        answer = client.get(address)
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"PK\x03\x04" + bytes(100), "a zip archive"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG image"),
        (b"hello\n", "68 65 6c 6c 6f"),
        (b"{}\n", ""),
    ],
    ids=["empty", "zip", "png", "words", "other text"],
)
def test_a_file_that_is_no_log_is_told_what_it_is(
    client: FlaskClient, app: Flask, data: bytes, found: str
) -> None:
    """422 and the sentence of the fault; nothing is left of it."""
    before = shelf_of(app).pids()
    for lang in LANGS:
        answer = refused(client, data, lang)
        assert answer.status_code == 422
        assert (matched(lang, "damage", found) or found) in said(answer.text)
        assert "Traceback" not in answer.text
    assert shelf_of(app).pids() == before


def test_a_log_that_is_cut_shows_what_is_whole(client: FlaskClient, folder: Path) -> None:
    """The whole hands are there, and a finding that names the byte."""
    data = (folder / CLEAN).read_bytes()
    token, page = landed(client, data[:-20])
    assert page.text.count(f'class="hand-link" href="/dropped/{token}/hand/') >= 2
    assert "format.torn_tail" in page.text


def test_windows_line_ends_are_named(client: FlaskClient, faulty: bytes) -> None:
    """A text log with CR LF is no log: the sentence shows what was found, nothing is mended."""
    answer = refused(client, as_text(faulty).replace(b"\n", b"\r\n"))
    assert answer.status_code == 422
    assert "\\r" in said(answer.text)


def test_text_can_be_pasted(client: FlaskClient, faulty: bytes) -> None:
    """The form's text is the log, though browsers change every line end in it."""
    pasted = as_text(faulty).decode().replace("\n", "\r\n")
    answer = client.post("/dropped?lang=en", data={"text": pasted})
    assert answer.status_code == 303
    token = token_in(answer.headers["Location"])
    page = followed(client, answer)
    assert text("en", "view.drop.pasted") in page.text
    assert page.text.count("not_canonical") == 0
    assert len(set(re.findall(rf"/dropped/{token}/hand/[0-9a-f]+", page.text))) == 4


def test_a_script_is_told_where_to_go(client: FlaskClient, faulty: bytes) -> None:
    """With `Accept: application/json` the answers are addresses and sentences, not pages."""
    asks = {"Accept": "application/json"}
    answer = client.post("/dropped?lang=en", data={"log": (io.BytesIO(faulty), "a")}, headers=asks)
    assert answer.status_code == 201
    told = answer.get_json()
    while "state" in told:
        assert told["said"]
        told = client.get(told["state"]).get_json()
    assert client.get(told["to"]).status_code == 200
    bad = client.post("/dropped?lang=en", data={"log": (io.BytesIO(b"x"), "a")}, headers=asks)
    while "state" in bad.get_json():
        bad = client.get(bad.get_json()["state"])
    assert bad.status_code == 422
    assert "not a paipu log" in bad.get_json()["error"]


def test_the_form_works_alone_and_states_the_limits(client: FlaskClient) -> None:
    """`/drop` posts a file without any script, and every page has the zone and the way there."""
    page = client.get("/drop?lang=en").text
    form = re.search(r'<form class="drop-form"([^>]*)>', page)
    assert form
    assert 'action="/dropped?lang=en"' in form[1]
    assert 'enctype="multipart/form-data"' in form[1]
    for stated in ("32 MB", "512 MB", "20 seconds", "30 minutes", "8 files"):
        assert stated in page
    for address in ("/", "/logs", "/drop"):
        assert 'id="drop-over"' in client.get(address).text
        assert 'href="/drop?lang=en"' in client.get(f"{address}?lang=en").text


@pytest.mark.parametrize("lang", LANGS)
def test_all_that_can_go_wrong_has_words(app: Flask, lang: str) -> None:
    """No page about a dropped log shows a key for a sentence."""
    client = app.test_client()
    for address in ("/drop", "/dropped/nothing/", "/dropped/nothing/open"):
        assert "⟨" not in client.get(address, query_string={"lang": lang}).text
    for word in ("given_way", "idle", "let_go", "memory", "cpu", "verifying", "answering", "died"):
        assert text(lang, f"view.drop.gone.{word}", **dict.fromkeys(_SLOTS, 1))
    for word in ("cross_site", "no_length", "too_large", "no_file", "busy"):
        assert text(lang, f"view.drop.refused.{word}", **dict.fromkeys(_SLOTS, 1))
    for word in ("busy", "failed", "too_long"):
        assert text(lang, f"view.drop.unanswered.{word}", **dict.fromkeys(_SLOTS, 1))


_SLOTS = ("mb", "memory", "cpu", "verifying", "answering", "answer", "minutes", "logs")


def test_a_log_that_nobody_looks_at_is_forgotten(tmp_path: Path, faulty: bytes) -> None:
    """When its time is up its process ends by itself, and the address says why."""
    app = create_app(open_reader(tmp_path))
    app.config["DROP_LIMITS"] = Limits(idle=8.0)
    client = app.test_client()
    token, _ = landed(client, faulty)
    (pid,) = shelf_of(app).pids()
    assert eventually(lambda: not is_running(pid) and shelf_of(app).pids() == [])
    gone = client.get(f"/dropped/{token}/?lang=en")
    assert gone.status_code == 410
    assert "forgotten" in said(gone.text)


def test_the_log_idle_longest_gives_way(tmp_path: Path, faulty: bytes) -> None:
    """One more than may be: the one looked at last stays, the other's address says why not."""
    app = create_app(open_reader(tmp_path))
    app.config["DROP_LIMITS"] = Limits(logs=2)
    client = app.test_client()
    try:
        first, page = landed(client, faulty, "first")
        second, _ = landed(client, faulty, "second")
        assert client.get(page.request.path).status_code == 200
        before = set(shelf_of(app).pids())
        third, _ = landed(client, faulty, "third")
        assert client.get(f"/dropped/{first}/").status_code == 200
        assert client.get(f"/dropped/{third}/").status_code == 200
        gone = client.get(f"/dropped/{second}/?lang=en")
        assert gone.status_code == 410
        assert "At most 2 files" in said(gone.text)
        assert len(before & set(shelf_of(app).pids())) == 1
    finally:
        shelf_of(app).close()


def test_an_answer_says_json_in_either_case(client: FlaskClient) -> None:
    """An unknown token is told as a sentence to scripts, and as a page to people."""
    answer = client.get("/dropped/nothing/state.json")
    assert answer.status_code == 404
    assert list(json.loads(answer.data)) == ["error"]
    page = client.get("/dropped/nothing/log/1?lang=en")
    assert page.status_code == 404
    assert said(page.text) == text("en", "view.drop.unknown")
