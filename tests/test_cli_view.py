"""`paipu view`: an address that answers until Ctrl-C."""

import errno
import re
import signal
import socket
from pathlib import Path

import pytest

from replay.messages import LANGS, text
from replay.messages.system import reason
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


def refused(lang: str, host: str, port: int, reason: str) -> str:
    """What is said of an address that cannot be served on."""
    why = text(lang, f"cli.os.{reason}")
    return f"paipu: {text(lang, 'cli.problem.listen', host=host, port=port, reason=why)}\n"


@pytest.mark.parametrize("lang", LANGS)
def test_a_port_in_use_is_said(lang: str) -> None:
    """Status 2, which address it is, and why."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = paipu("view", TEXT, "--port", port, "--lang", lang)
    assert (done.status, done.out) == (2, "")
    assert done.err == refused(lang, "127.0.0.1", port, "EADDRINUSE")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("host", "shown", "reason"),
    [
        ("192.0.2.1", "192.0.2.1", "EADDRNOTAVAIL"),  # RFC 5737: nobody has it
        ("\u202e", "\\u202e", "EAI_NONAME"),
        ("é" * 70, "é" * 70, "EAI_NONAME"),
        ("a\0b", "a\\u0000b", "EAI_NONAME"),
    ],
)
def test_an_address_of_no_use_is_said(lang: str, host: str, shown: str, reason: str) -> None:
    """A name that cannot even be written as one is no fault of paipu."""
    done = paipu("view", TEXT, "--host", host, "--port", 1, "--lang", lang)
    assert (done.status, done.out) == (2, "")
    assert done.err == refused(lang, shown, 1, reason)


@pytest.mark.parametrize("number", [errno.EACCES, socket.EAI_NONAME, socket.EAI_AGAIN, -99])
def test_no_reason_is_left_in_english(number: int) -> None:
    """A port that is not for everybody, and whatever looking up a name comes to."""
    kind = OSError if number > 0 else socket.gaierror
    error = kind(number, "as the system says it")
    zh, en = (reason(error, lang) for lang in LANGS)
    assert re.fullmatch("[\u4e00-\u9fff（）]+", zh)
    assert en != "as the system says it"


@pytest.mark.parametrize("lang", LANGS)
def test_no_address_is_not_every_address(lang: str) -> None:
    """To the system an empty one would be 0.0.0.0."""
    done = paipu("view", TEXT, "--host", "", "--port", 0, "--lang", lang)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"paipu: {text(lang, 'cli.problem.host_empty')}\n"


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
