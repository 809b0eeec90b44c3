"""Who may ask, and by which address: malformed names, names of files, other sites, scripts."""

import hashlib
import http.client
import re
import socket
from base64 import b64encode
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from replay.archive import index
from replay.messages import text
from replay.reader import open_reader
from tests.dropping import drop, followed
from tests.viewer_logs import folder_of_logs
from tests.viewer_site import on_a_port
from webviewer import create_app
from webviewer.app import SECURITY_HEADERS
from webviewer.assets import plotly_script, static_version

PATIENCE = 60


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The viewer over a small archive."""
    logs = folder_of_logs(tmp_path_factory.mktemp("hosts") / "logs")
    index(logs.parent / "archive", [logs])
    reader = open_reader(logs.parent / "archive")
    yield create_app(reader)
    reader.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Asks it."""
    return app.test_client()


@pytest.fixture(scope="module")
def port(app: Flask) -> Iterator[int]:
    """The port of it."""
    with on_a_port(app) as port:
        yield port


def asked(port: int, host: bytes, path: str = "/?lang=en") -> tuple[int, dict[str, str], str]:
    """Status, headers and page of a GET with this very Host."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as wire:
        wire.sendall(b"GET %b HTTP/1.0\r\nHost: %b\r\n\r\n" % (path.encode(), host))
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        return answer.status, dict(answer.headers), answer.read().decode()


MALFORMED = [
    b"a..b", b".evil", b".", b"a" * 64, b"a" * 64 + b".example", b"a" * 10_000, b"a.b" * 200,
    b"[", b"]", b"[]", b"[::1", b"[1::2::3]", b"[::1]x", b"a:b", b"a:80:90", b":80", b"\xe9vil",
    b"\xff", b"a b", b"a/b", b"a@b", b"a%41", b"<b>", b"a,b", b"-a", b"a-",
]  # fmt: skip


@pytest.mark.parametrize("host", MALFORMED, ids=lambda host: ascii(host[:20]))
def test_a_host_that_is_no_name_gets_the_page_that_says_so(port: int, host: bytes) -> None:
    """403 in our words with our headers, as for the name of another site; files are anybody's."""
    status, headers, page = asked(port, host)
    shown = host.decode("latin-1").strip()
    shown = shown if len(shown) <= 100 else f"{shown[:100]}…"
    assert status == 403
    assert text("en", "view.error.host", host=shown) in unescape(page)
    assert SECURITY_HEADERS.items() <= headers.items()
    assert len(page) < 20_000
    assert asked(port, host, "/static/css/base.css")[0] == 200


def test_names_of_ours_are_answered(port: int) -> None:
    """Capitals and the dot at the end are the same name."""
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", f"localhost.:{port}", f"[::1]:{port}"):
        assert asked(port, host.encode())[0] == 200


@pytest.mark.parametrize("version", ["", "v-0123456789ab/", f"{static_version()}/"])
def test_a_name_that_is_too_long_for_a_file_is_not_found(client: FlaskClient, version: str) -> None:
    """The system refuses to look for it; that is no fault of ours."""
    for name in ("a" * 10_000, "a/" * 4000 + "b", "a" * 256):
        assert client.get(f"/static/{version}{name}").status_code == 404


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_is_posted_to_leads_to_the_form_when_it_is_asked_for(
    client: FlaskClient, lang: str
) -> None:
    """Enter in the address bar of a refusal, and its link to the other language."""
    for path in ("/dropped", "/dropped/no-such-token/let-go"):
        answer = client.get(f"{path}?lang={lang}")
        assert (answer.status_code, answer.headers["Location"]) == (303, f"/drop?lang={lang}")
    refused = followed(client, drop(client, b"", lang=lang))
    other = "en" if lang == "zh" else "zh"
    assert refused.status_code >= 400
    assert f'id="language" href="/drop?lang={other}"' in refused.text
    assert client.get(f"/drop?lang={other}").status_code == 200


SCRIPTS = [
    ("/hand/zz/steps.json", 404, "view.error.no_hand"),
    ("/hand/0123456789abcdef/charts.json", 404, "view.error.no_hand"),
    ("/match/nothing/figures.json", 404, "view.error.no_match"),
]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("path", "status", "key"), SCRIPTS)
def test_errors_for_scripts_are_a_sentence_in_json(
    client: FlaskClient, lang: str, path: str, status: int, key: str
) -> None:
    """With the status that a page would have; a page for people stays one."""
    answer = client.get(f"{path}?lang={lang}")
    assert answer.status_code == status
    assert answer.json is not None
    assert list(answer.json) == ["error"]
    assert answer.json["error"].startswith(text(lang, key))


def test_every_error_of_an_address_for_scripts_is_json(client: FlaskClient) -> None:
    """Addresses that do not exist, parameters that mean nothing, names that are not ours."""
    wrong = ("/nowhere.json", "/statistics/figures.json?part=zz", "/dropped/nothing/state.json")
    for path in wrong:
        answer = client.get(path)
        assert answer.status_code >= 400
        assert answer.json is not None
        assert answer.json["error"]
    refused = client.get("/charts.json", headers={"Host": "evil.example"})
    assert refused.status_code == 403
    assert "evil.example" in (refused.json or {})["error"]


def test_errors_of_downloads_are_pages(client: FlaskClient) -> None:
    """People follow their links: `.json` is the form of the file there."""
    for path in ("/hands.json", "/sql/answer.json?sql=SELECT"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert (answer.status_code, answer.mimetype) == (403, "text/html")


@pytest.mark.parametrize(
    ("fetched", "status"),
    [
        ({"Site": "cross-site", "Mode": "no-cors", "Dest": "image"}, 403),
        ({"Site": "same-site", "Mode": "no-cors", "Dest": "image"}, 403),
        ({"Site": "same-site", "Mode": "cors", "Dest": "empty"}, 403),
        ({"Site": "same-site", "Mode": "navigate", "Dest": "iframe"}, 403),
        ({"Site": "same-site", "Mode": "navigate", "Dest": "document"}, 200),
        ({"Site": "cross-site", "Mode": "navigate", "Dest": "document"}, 200),
        ({"Site": "same-origin", "Mode": "cors", "Dest": "empty"}, 200),
        ({"Site": "none", "Mode": "navigate", "Dest": "document"}, 200),
        ({"Site": "something-new"}, 403),
        ({}, 200),
    ],
)
def test_sql_runs_for_our_pages_and_for_whoever_is_led_here(
    client: FlaskClient, fetched: dict[str, str], status: int
) -> None:
    """A page on another port is of the same site, and not ours."""
    headers = {f"Sec-Fetch-{name}": value for name, value in fetched.items()}
    answer = client.get(f"/sql?sql={quote('SELECT 1')}", headers=headers)
    assert answer.status_code == status


def test_the_styles_that_plotly_brings_have_the_hash_in_the_policy() -> None:
    """What the installed plotly inserts when it loads; another release has another text."""
    script = plotly_script().read_text("utf-8")
    found = re.findall(r'createElement\("style"\);[^;{}]*?\.textContent=\'([^\'\\]+)\'', script)
    assert len(found) == 1
    digest = b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
    policy = SECURITY_HEADERS["Content-Security-Policy"]
    (styles,) = [each for each in policy.split("; ") if each.startswith("style-src ")]
    empty = b64encode(hashlib.sha256(b"").digest()).decode()
    assert styles == f"style-src 'self' 'sha256-{empty}' 'sha256-{digest}'"
