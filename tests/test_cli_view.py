"""`paipu view`: an address that answers until Ctrl-C."""

import re
import signal
import socket
from pathlib import Path

import pytest

from replay.messages import text
from tests.served import free_port, served, status_of
from tests.shelled import MATCH, SAMPLES, TEXT, command, environment, paipu, process


def test_logs_are_served_until_interrupted() -> None:
    """Port 0 takes a free one; the address is printed; Ctrl-C ends with status 0."""
    with served(command("view", SAMPLES / "clean", "--port", 0), env=environment()) as address:
        assert status_of(address)[0] == 200
        assert status_of(f"{address}nowhere")[0] == 404


def test_one_log_and_an_archive_are_served(tmp_path: Path) -> None:
    """The same pages, whatever the hands come from, on the port that is asked for."""
    assert paipu("index", tmp_path / "archive", MATCH).status == 0
    for path in (MATCH, tmp_path / "archive"):
        port = free_port()
        words = command("view", path, "--port", port)
        with served(words, env=environment()) as address:
            assert address == f"http://127.0.0.1:{port}/"
            status, body = status_of(address)
        assert status == 200
        assert "甲" in body


def test_a_port_in_use_is_said() -> None:
    """Status 2, and which address it is."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = paipu("view", TEXT, "--port", port)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"paipu: cannot serve on 127.0.0.1 port {port}: ")


@pytest.mark.parametrize(("host", "is_warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_serving_to_others_is_warned_of(host: str, is_warned: bool) -> None:
    """Whoever reaches the address sees all cards; on this machine alone nothing is said."""
    with process(["view", TEXT, "--host", host, "--port", 0]) as running:
        assert running.stdout is not None
        address = running.stdout.readline().decode()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", address)
        assert status_of(address.strip())[0] == 200
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out) == (0, b"")
    warning = f"paipu: {text('en', 'cli.view.open_to_others', host=host)}\n"
    assert err.decode() == (warning if is_warned else "")


@pytest.mark.parametrize("path", ["absent.paipu", SAMPLES / "absent"])
def test_what_is_not_there_is_said(path: object) -> None:
    """Before anything is served."""
    done = paipu("view", path, "--port", 0)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"paipu: {text('en', 'cli.problem.missing', path=path)}\n"
