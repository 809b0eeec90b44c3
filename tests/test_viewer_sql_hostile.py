"""The SQL page among people who mean harm: huge answers, odd types, slow readers, other sites."""

import re
import resource
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, text
from replay.reader import Reader
from tests.served import served
from tests.sql_pages import ask, cells, client, column, folder, plain, reader
from tests.viewer_site import on_a_port
from webviewer import create_app
from webviewer.places import MOST_AT_ONCE, MOST_WAITING, Places
from webviewer.sqlpage import LONGEST

__all__ = ["client", "folder", "reader"]


# Size


def _wide(n_doublings: int) -> str:
    """SQL of 10 ** n columns, of few characters."""
    tables = ["t0 AS (SELECT 1 AS a)"]
    for at in range(n_doublings):
        tables.append(f"t{at + 1} AS (SELECT {', '.join('*' * 10)} FROM t{at})")
    return f"WITH {', '.join(tables)} SELECT * FROM t{n_doublings}"


@pytest.mark.parametrize("lang", LANGS)
def test_an_answer_of_very_many_columns_is_refused(client: FlaskClient, lang: str) -> None:
    """The limit is named, and the process that serves needs no memory for it."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sql = _wide(3).replace("SELECT * FROM", "SELECT *, * FROM") + f" -- {'x' * 30_000}"
    page = client.get("/sql", query_string={"sql": sql, "lang": lang})
    assert page.status_code == 400
    assert text(lang, "view.sql.stopped_columns", value="1,000") in unescape(page.text)
    assert len(page.text) < 1 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10


def test_a_column_does_not_carry_the_whole_sql(client: FlaskClient) -> None:
    """As many columns as may be, under SQL as long as may be: the page stays small."""
    sql = f"{_wide(3)} -- "
    sql += "x" * (LONGEST - len(sql))
    page = ask(client, sql)
    assert page.count('class="sort"') == 1000
    assert page.count("x" * 30_000) <= 10
    assert len(page) < 2 << 20


@pytest.mark.parametrize("lang", LANGS)
def test_sql_has_a_longest(client: FlaskClient, lang: str) -> None:
    """It is said beforehand, and of SQL that is longer; downloads have the same."""
    asked = {"sql": "SELECT 1 --" + "x" * LONGEST, "lang": lang}
    said = text(lang, "view.sql.stopped_length", value=f"{LONGEST:,}")
    for path in ("/sql", "/sql/answer.csv"):
        page = client.get(path, query_string=asked)
        assert page.status_code == 400
        assert said in unescape(page.text)
    assert f"{LONGEST:,}" in client.get("/sql", query_string={"lang": lang}).text
    assert text(lang, "view.sql.exact") in client.get(f"/sql?sql=SELECT+1&lang={lang}").text


# Types and values


ODD = (
    "1.5::DECIMAL(10,2)",
    "[1.5::DECIMAL(10,2)]",
    "[[1]]",
    "{'a': 1}",
    "MAP {'a': 1}",
    "[NULL]",
    "true",
    "'x'",
    "''",
    "'-5'",
    "NULL",
    "-1",
    "170141183460469231731687303715884105727::HUGEINT",
    "'NaN'::DOUBLE",
    "'-inf'::FLOAT",
    "1e300",
    "1e18::BIGINT",
    "INTERVAL 1 MONTH",
    "DATE 'infinity'",
    "[TIMESTAMP '2020-01-01']",
    "'a'::BLOB",
    "'a'::ENUM('a', 'b')",
    "union_value(a := 1)",
    "'{\"a\": 1}'::JSON",
    "'1'::BIT",
    "uuid()",
    "1::VARIANT",
    "1::BIGNUM",
    "row(1, [2])",
    "range(40)",
    "'9999999999999999999999'",
)


@pytest.mark.parametrize("value", ODD)
def test_columns_of_every_type_may_bear_any_name(client: FlaskClient, value: str) -> None:
    """A name promises nothing: no value, order or chart of it is a fault of the server."""
    names = ("hand_id", "log_id", "event", "cards", "a")
    told = ", ".join(f"{value} AS {name}" for name in names)
    nulls = ", ".join(f"NULL AS {name}" for name in names)
    sql = f"SELECT {told} UNION ALL SELECT {nulls} UNION ALL SELECT {told}"
    for name in names:
        page = ask(client, sql, sort=name, order="desc", chart="bar", x=name, y="a", colour="event")
        assert len(cells(page)) == 3
    assert client.get("/sql/answer.csv", query_string={"sql": sql}).status_code == 200


def test_lists_of_decimals_are_sorted_as_what_they_are(client: FlaskClient) -> None:
    """As a column of numbers they would be compared with nothing."""
    sql = """SELECT [1.5::DECIMAL(10,2), NULL] AS a
        UNION ALL SELECT [NULL, 1.5::DECIMAL(10,2)] AS a"""
    assert column(ask(client, sql, sort="a"), 0) == ["[1.5, NULL]", "[NULL, 1.5]"]
    assert '<td class="num">' not in ask(client, sql)


@pytest.mark.parametrize("value", ["..", "../logs", "x", "0123456789abcde", "0123456789ABCDEF",
                                   "0123456789abcdef0", "//evil.example", "%2e%2e"])  # fmt: skip
def test_only_what_is_a_hand_id_opens_a_board(client: FlaskClient, value: str) -> None:
    """Anything else in such a column is text."""
    (row,) = cells(ask(client, f"SELECT '{value}' AS hand_id"))
    assert [plain(cell) for cell in row] == [value]
    assert "href" not in row[0]
    assert "href" in cells(ask(client, "SELECT '0123456789abcdef' AS hand_id"))[0][0]


def test_an_event_that_is_true_is_no_number(client: FlaskClient) -> None:
    """The board opens at its beginning."""
    (row,) = cells(ask(client, "SELECT '0123456789abcdef' AS hand_id, true AS event"))
    assert "#" not in re.findall('href="([^"]*)"', row[0])[0]


# Places


def test_downloads_that_nobody_reads_are_counted(reader: Reader) -> None:
    """Eight are open; the ninth is told to come again, and gets in when one is closed."""
    client = create_app(reader).test_client()
    asked = {"sql": "SELECT repeat('x', 1000) FROM range(5000)", "lang": "en"}
    with ExitStack() as stack:
        open_ones = []
        for _ in range(8):
            answer = client.get("/sql/answer.csv", query_string=asked, buffered=False)
            stack.callback(answer.close)
            assert answer.status_code == 200
            open_ones.append(answer)
        ninth = client.get("/sql/answer.csv", query_string=asked)
        assert (ninth.status_code, ninth.headers["Retry-After"]) == (503, "5")
        assert text("en", "view.sql.stopped_workers", value="8") in unescape(ninth.text)
        assert client.get("/sql?sql=SELECT+1").status_code == 200
        open_ones[3].close()
        again = client.get("/sql/answer.csv", query_string=asked)
        assert again.status_code == 200
        assert len(again.data) > 5_000_000
    for _ in range(9):
        assert client.get("/sql/answer.csv?sql=SELECT+1").status_code == 200


def test_one_client_has_half_of_the_places(reader: Reader) -> None:
    """Its third question waits for its own, others' do not; too many are sent away with 503."""
    app = create_app(reader)
    places: Places = app.config.setdefault("PLACES", Places())
    one, other = ({"REMOTE_ADDR": address} for address in ("192.0.2.1", "192.0.2.2"))
    client = app.test_client()
    with ExitStack() as stack:
        for _ in range(MOST_AT_ONCE):
            assert stack.enter_context(places.place("192.0.2.1", 0))
        waiting = [
            threading.Thread(target=_wait_for, args=(places, "192.0.2.1"))
            for _ in range(MOST_WAITING)
        ]
        for each in waiting:
            each.start()
        while places._waiting["192.0.2.1"] < MOST_WAITING:
            pass
        for path in ("/sql", "/sql/answer.csv"):
            page = client.get(f"{path}?sql=SELECT+1&lang=en", environ_base=one)
            assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
            assert text("en", "view.sql.stopped_workers", value=2) in unescape(page.text)
            assert client.get(f"{path}?sql=SELECT+1", environ_base=other).status_code == 200
    for each in waiting:
        each.join()
    assert client.get("/sql?sql=SELECT+1", environ_base=one).status_code == 200
    assert (len(places._running), len(places._waiting)) == (0, 0)


def _wait_for(places: Places, client: str) -> None:
    with places.place(client, 60):
        pass


def test_a_place_is_given_back_when_a_question_fails() -> None:
    """And waiting ends in time if none is."""
    places = Places()
    for _ in range(5):
        with pytest.raises(ValueError, match="x"), places.place("192.0.2.1", 1):
            raise ValueError("x")
    with places.place("192.0.2.1", 1), places.place("192.0.2.1", 1):
        with places.place("192.0.2.1", 0.05) as third:
            assert third is False
        with places.place("192.0.2.2", 0) as of_another:
            assert of_another is True


IMPATIENT = """
from replay.commands import serving
serving.PATIENCE, serving._LOOK_EVERY = 2, 1
from replay.cli import main
main()
"""


@pytest.fixture(scope="module")
def impatient(reader: Reader, folder: Path) -> Iterator[tuple[str, int]]:
    """`paipu view` as a process of its own, that gives connections up after two seconds."""
    archive = str(folder.parent / "archive")
    with served([sys.executable, "-c", IMPATIENT, "view", archive, "--port", "0"]) as address:
        yield "127.0.0.1", urlsplit(address).port or 0


def test_a_connection_that_says_nothing_is_given_up(impatient: tuple[str, int]) -> None:
    """Before its request, and in the middle of it."""
    for said in (b"", b"GET /sql HTTP/1.1\r\nHost: local"):
        with socket.create_connection(impatient, timeout=60) as wire:
            wire.sendall(said)
            assert wire.recv(1000) == b""


def test_downloads_that_are_not_read_end(impatient: tuple[str, int]) -> None:
    """Eight that take nothing hold all places; after a while these are free again."""
    host = f"127.0.0.1:{impatient[1]}"
    sql = "SELECT+repeat('x',1000)+FROM+range(6000)"
    request = f"GET /sql/answer.csv?sql={sql} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode()

    def asked(stack: ExitStack) -> bytes:
        wire = stack.enter_context(socket.socket())
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        wire.settimeout(60)
        wire.connect(impatient)
        try:
            wire.sendall(request)
            return wire.recv(12).split()[1]
        except ConnectionResetError:  # a server this impatient gives up what waits for a place
            return b"reset"

    with ExitStack() as stack:
        statuses: Counter[bytes] = Counter()
        while statuses[b"200"] < 12:  # more than there are places
            status = asked(stack)
            statuses[status] += 1
            assert status in (b"200", b"503", b"reset")


# Other sites


@pytest.mark.parametrize("path", ["/", "/sql?sql=SELECT+1", "/sql/answer.json?sql=SELECT+1"])
@pytest.mark.parametrize("lang", LANGS)
def test_a_local_server_is_not_asked_by_other_names(
    client: FlaskClient, path: str, lang: str
) -> None:
    """A name bent to this machine is the name of a page that wants to read along."""
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.0.2.1", "x"):
        headers = {"Host": host, "Accept-Language": lang}
        refused = client.get(path, headers=headers)
        assert refused.status_code == 403
        assert text(lang, "view.error.host", host=host) in unescape(refused.text)
    for host in ("localhost", "LOCALHOST:80", "127.0.0.1:80", "[::1]:80", "[::1]", "127.0.0.1"):
        assert client.get(path, headers={"Host": host}).status_code == 200
    for host in ("localhost:1", "127.0.0.1:8000", "[::1]:8000", "127.0.0.1:80:80"):
        refused = client.get(path, headers={"Host": host, "Accept-Language": lang})
        assert refused.status_code == 403
        said = text(lang, "view.error.host_port", host=host, port="80")
        assert said in unescape(refused.text)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.0.2.7:8000", 200),
        ("[2001:db8::1]:9", 200),
        ("localhost", 200),
        ("cards.example", 200),
        ("Cards.Example:8000", 200),
        ("proxy.example:443", 200),
        ("proxy.example", 403),
        ("evil.example:8000", 403),
        ("", 403),
    ],
)
def test_a_server_for_all_is_asked_by_names_that_were_allowed(
    reader: Reader, host: str, status: int
) -> None:
    """Addresses cannot be bent; a name may be, and whoever serves says which are theirs."""
    client = create_app(reader, ["cards.example", "Proxy.example:443"]).test_client()
    environ: dict[str, Any] = {"SERVER_NAME": "0.0.0.0", "HTTP_HOST": host}
    answer = client.get("/logs?lang=en", environ_overrides=environ)
    assert answer.status_code == status
    says = text("en", "view.error.host_name", host=host)
    assert (says in unescape(answer.text)) == (status == 403)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Site": "same-origin", "Mode": "navigate", "Dest": "document"}, 200),
        ({"Site": "none", "Mode": "navigate"}, 200),
        ({"Site": "cross-site", "Mode": "navigate", "Dest": "document"}, 200),
        ({"Site": "cross-site", "Mode": "no-cors", "Dest": "image"}, 403),
        ({"Site": "cross-site", "Mode": "cors", "Dest": "empty"}, 403),
        ({"Site": "cross-site", "Mode": "navigate", "Dest": "iframe"}, 403),
        ({"Site": "cross-site"}, 403),
    ],
    ids=lambda each: "-".join(each.values()) or "none" if isinstance(each, dict) else "",
)
def test_another_site_runs_no_sql(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    """As a picture or in a frame; a link that somebody follows is answered."""
    told = {f"Sec-Fetch-{name}": value for name, value in headers.items()}
    for path in ("/sql?sql=SELECT+1", "/sql/answer.csv?sql=SELECT+1"):
        assert client.get(path, headers=told).status_code == status
    assert client.get("/logs", headers=told).status_code == 200


@pytest.fixture
def address(reader: Reader) -> Iterator[tuple[str, int]]:
    """A real server on this machine."""
    with on_a_port(create_app(reader)) as port:
        yield "127.0.0.1", port


def test_a_real_server_knows_where_it_listens(address: tuple[str, int]) -> None:
    """It refuses another's name, and its own files are no secret."""
    for path, host, status in (
        ("/", "evil.example", b"403"),
        ("/", f"127.0.0.1:{address[1]}", b"200"),
        ("/static/css/base.css", "evil.example", b"200"),
    ):
        with socket.create_connection(address) as wire:
            wire.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
            assert wire.recv(12).split()[1] == status
