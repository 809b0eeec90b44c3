"""How the viewer is served: answers as they are made, at once, to many, and over when told so."""

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from replay.archive import index
from replay.commands.serving import served as serving
from replay.commands.view import listening
from replay.reader import open_reader
from tests.served import served, status_of
from tests.shelled import SAMPLES, command, environment, heed_interrupts, process
from tests.viewer_load import run
from tests.viewer_logs import folder_of_logs
from tests.viewer_site import on_a_port
from webviewer import create_app

PATIENCE = 60
ENDLESS = "SELECT count(*) FROM range(100000000000) WHERE hash(range) = 7"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small archive."""
    logs = folder_of_logs(tmp_path_factory.mktemp("served") / "logs")
    index(logs.parent / "archive", [logs])
    return logs.parent / "archive"


def headers_of(port: int, path: str) -> http.client.HTTPResponse:
    """An answer, read to its end."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    wire.request("GET", path)
    answer = wire.getresponse()
    answer.read()
    wire.close()
    return answer


def test_nothing_says_what_serves(archive: Path) -> None:
    """Pages, files and errors name no server and no version."""
    with on_a_port(create_app(open_reader(archive))) as port:
        for path in ("/", "/static/css/base.css", "/nowhere"):
            headers = headers_of(port, path).headers
            assert "Server" not in headers
            assert "Via" not in headers
            assert "Date" in headers


class Slow:
    """A WSGI application that makes the second piece of its answer when it is told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.is_closed = threading.Event()

    def __call__(self, _: dict[str, Any], start: Any) -> Iterator[bytes]:
        start("200 OK", [("Content-Type", "text/csv")])
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        try:
            yield b"first\n"
            assert self.go_on.wait(PATIENCE)
            while True:
                yield b"more\n" * 10_000
        finally:
            self.is_closed.set()


def test_an_answer_goes_out_as_it_is_made_and_ends_with_its_client() -> None:
    """The first piece arrives before the second exists; who hangs up has nothing more made."""
    slow = Slow()
    with listening("127.0.0.1", 0) as server, serving(slow, server):
        with socket.create_connection(server.getsockname(), timeout=PATIENCE) as wire:
            wire.sendall(b"GET / HTTP/1.0\r\n\r\n")
            told = b""
            while not told.endswith(b"first\n"):
                told += wire.recv(1000)
            slow.go_on.set()
            assert wire.recv(1000)
        assert slow.is_closed.wait(PATIENCE)


def test_pages_are_answered_while_questions_run(archive: Path) -> None:
    """As many questions in SQL as run and wait leave threads for those who turn pages."""
    reader: Any = open_reader(archive)
    with ExitStack() as stack:
        port = stack.enter_context(on_a_port(create_app(reader)))
        path = f"/sql?sql={quote(ENDLESS)}"
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()
        for _ in range(30):
            wire = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            wire.sendall(asked)
        began = time.monotonic()
        while not ((asker := reader.asking._asker) and len(asker._running) == asker._most):
            assert time.monotonic() - began < PATIENCE
            time.sleep(0.01)
        times = []
        for page in ("/", "/logs", "/rules", "/static/js/hand.js") * 5:
            at = time.monotonic()
            assert headers_of(port, page).status == 200
            times.append(time.monotonic() - at)
        assert asker._running, "the questions still run"
        print(f"pages beside 30 questions: {1000 * max(times):.0f} ms at most")
    reader.close()


def test_ctrl_c_ends_it_at_once_whatever_it_does(archive: Path) -> None:
    """A question that runs is not awaited, and nothing is said about it."""
    with process(["view", archive, "--port", 0]) as running:
        assert running.stdout is not None
        address = running.stdout.readline().decode().strip()
        port = int(address.rstrip("/").rpartition(":")[2])
        assert status_of(address)[0] == 200
        with socket.create_connection(("127.0.0.1", port)) as wire:
            path = f"/sql?sql={quote(ENDLESS)}"
            wire.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert status_of(f"{address}logs")[0] == 200
            began = time.monotonic()
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=PATIENCE)
            print(f"ended {1000 * (time.monotonic() - began):.0f} ms after Ctrl-C")
    assert (running.returncode, out, err) == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_while_downloads_run(archive: Path, number: signal.Signals) -> None:
    """Threads in the middle of queries, or of answers that nobody takes, abort nothing."""
    for _ in range(3):
        with ExitStack() as stack:
            running = stack.enter_context(process(["view", archive, "--port", 0]))
            assert running.stdout is not None
            address = running.stdout.readline().decode().strip()
            port = int(address.rstrip("/").rpartition(":")[2])
            for asked in ("/hands.json", "/", "/players") * 10:
                wire = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                wire.sendall(f"GET {asked} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert wire.recv(1), "those before it are being worked on"
            running.send_signal(number)
            out, err = running.communicate(timeout=PATIENCE)
        ended = 0 if number == signal.SIGINT else 128 + number
        assert (running.returncode, out, err) == (ended, b"", b"")


class Deaf:
    """An application whose answer does not end for anybody."""

    def __call__(self, _: dict[str, Any], start: Any) -> list[bytes]:
        start("200 OK", [])
        threading.Event().wait()
        return []


_DEAF = """
import sys
from replay.commands import serving, signals
from replay.commands.view import listening
from tests.test_viewer_served import Deaf
serving._LAST = 0.2
with signals.heeded(), listening("127.0.0.1", 0) as server:
    print(server.getsockname()[1], flush=True)
    print("kept in the buffer", end="")
    serving.serve(Deaf(), server, lambda: None)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_does_not_end_is_left(number: signal.Signals) -> None:
    """An answer that heeds nothing is not awaited for ever; status and output are as otherwise."""
    with subprocess.Popen(
        [sys.executable, "-c", _DEAF],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED=""),
        preexec_fn=heed_interrupts,
    ) as running:
        assert running.stdout is not None
        port = int(running.stdout.readline())
        with socket.create_connection(("127.0.0.1", port)) as wire:
            wire.sendall(b"GET / HTTP/1.0\r\n\r\n")
            with socket.create_connection(("127.0.0.1", port)) as second:
                second.sendall(b"no request\r\n\r\n")
                assert second.recv(1), "what was sent before has been read"
            running.send_signal(number)
            out, err = running.communicate(timeout=PATIENCE)
    ended = 0 if number == signal.SIGINT else 128 + number
    assert (running.returncode, out, err) == (ended, b"kept in the buffer", b"")


def test_ipv6_is_served() -> None:
    """Its address is printed in brackets, and asked for so."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    with process(["view", SAMPLES / "clean", "--host", "::1", "--port", 0]) as running:
        assert running.stdout is not None
        address = running.stdout.readline().decode().strip()
        assert address.startswith("http://[::1]:")
        assert status_of(address)[0] == 200
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=PATIENCE) == (b"", b"")
    assert running.returncode == 0


def test_the_first_page_comes_soon(archive: Path) -> None:
    """From the start of the process to the first page: measured, and printed."""
    began = time.monotonic()
    with served(command("view", archive, "--port", 0), env=environment()) as address:
        printed = time.monotonic() - began
        assert status_of(address)[0] == 200
        page = time.monotonic() - began
    print(f"address after {1000 * printed:.0f} ms, first page after {1000 * page:.0f} ms")


@pytest.mark.slow
def test_fifty_clients_lose_nothing_while_an_index_runs(tmp_path: Path) -> None:
    """Every answer is whole, none is an error, and each list is of one state of the archive."""
    seen, statuses, totals = run(tmp_path, 6.0)
    print(seen.told(6.0))
    assert seen.wrong == []
    assert statuses
    assert not any(statuses)
    assert len(seen.times) >= 50
    assert seen.totals
    assert set(seen.totals) <= set(totals)
    assert seen.totals[-1] == totals[-1], "the last list has all hands"
