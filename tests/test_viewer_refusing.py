"""What the server itself answers: small pages in both languages, with the headers of all others."""

import http.client
import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from replay.commands import refusing
from replay.commands.serving import served
from replay.commands.view import listening
from replay.messages import LANGS, text
from webviewer.app import SECURITY_HEADERS

PATIENCE = 60
TOO_LARGE = (64 << 20) + 1
"""Bytes of a body that the server does not take."""


def failing(environ: dict[str, Any], start: Any) -> list[bytes]:
    """An application that answers, or fails before it does."""
    if environ["PATH_INFO"] == "/fails":
        raise ValueError("as it was asked to")
    start("200 OK", [("Content-Length", "2")])
    return [b"ok"]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port on which it is served."""
    with listening("127.0.0.1", 0) as server, served(failing, server):
        yield server.getsockname()[1]


def answered(wire: socket.socket) -> tuple[int, dict[str, str], str]:
    """Status, headers and page."""
    answer = http.client.HTTPResponse(wire)
    answer.begin()
    return answer.status, dict(answer.headers), answer.read().decode()


REQUESTS = [
    (b"nonsense\r\n\r\n", 400, "bad"),
    (b"GET / HTTP/1.1\r\nno header\r\n\r\n", 400, "bad"),
    (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "bad"),
    (b"GET / HTTP/1.1\r\nX: " + b"a" * 300_000 + b"\r\n\r\n", 431, "large_head"),
    (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "foreign"),
    (b"POST / HTTP/1.1\r\nContent-Length: 9999999999999\r\n\r\n", 413, "large_body"),
    (b"GET /fails HTTP/1.1\r\n\r\n", 500, "fault"),
]


def test_hanging_up_on_an_error_is_no_event(port: int, caplog: pytest.LogCaptureFixture) -> None:
    """Between its head and its page a client may go: nothing is said of that, whatever it sent."""
    for sent in [sent for sent, status, _ in REQUESTS if status != 500] * 100:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as wire:
            wire.sendall(sent[:20_000])
            if len(sent) < 20_000:
                assert wire.recv(1)
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize(("sent", "status", "word"), REQUESTS, ids=lambda each: str(each)[:24])
def test_an_error_of_the_server_is_a_page_in_both_languages(
    port: int, sent: bytes, status: int, word: str
) -> None:
    """No word of what serves, nothing of what was sent, and no script, style or frame."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as wire:
        wire.sendall(sent)
        found, headers, page = answered(wire)
    assert found == status
    for lang in LANGS:
        assert text(lang, f"view.server.{word}") in page
    assert headers["Content-Security-Policy"].startswith("default-src 'none';")
    others = {name: value for name, value in SECURITY_HEADERS.items() if "Content-S" not in name}
    assert others.items() <= headers.items()
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "Server" not in headers
    assert "waitress" not in page
    assert "Traceback" not in page


def test_a_body_that_is_too_large_is_read_to_its_end(port: int) -> None:
    """Who hangs up on a browser that sends is shown by it as a broken connection."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    wire.request("POST", "/", body=b"\0" * TOO_LARGE)
    answer = wire.getresponse()
    assert answer.status == 413
    assert text("zh", "view.server.large_body") in answer.read().decode()
    wire.close()


def test_nothing_is_kept_of_what_is_thrown_away() -> None:
    """The rest of a body ends the request at its last byte; what follows belongs to another."""
    request = refusing._Request(_Limits())
    assert request.received(b"POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n") > 0
    assert not request.completed
    assert request.received(b"a" * 999) == 999
    assert not request.completed
    assert request.received(b"aGET") == 1
    assert request.completed
    assert request.get_body_stream().read() == b""


class _Limits:
    """Settings of waitress with a small bound."""

    max_request_header_size = 1000
    max_request_body_size = 10
    inbuf_overflow = 1000
    url_scheme = "http"


def test_who_waits_to_be_let_send_is_told_at_once(port: int) -> None:
    """The answer comes in place of `100 Continue`."""
    head = f"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: {TOO_LARGE}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as wire:
        wire.sendall(head.encode())
        assert answered(wire)[0] == 413


def test_requests_that_are_in_order_are_answered(port: int) -> None:
    """Several on one connection, with bodies and without."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    for body in (None, b"a" * 100_000, None):
        wire.request("POST" if body else "GET", "/", body=body)
        answer = wire.getresponse()
        assert (answer.status, answer.read()) == (200, b"ok")
    wire.close()
