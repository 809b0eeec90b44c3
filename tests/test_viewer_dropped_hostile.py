"""Dropped logs that are meant to do harm, and those who ask for them: bounds hold, nothing leaks.

Every process here is a real one.
"""

import gc
import io
import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, NoReturn

import pytest
from flask import Flask

from replay.messages import text
from schema.chunks import chunk_record, packed_hand
from schema.frames import Kind
from schema.head import encode_head
from schema.seal import FrameSink
from schema.strict import ENCODER
from tests.archives import hands, head
from tests.dropping import (
    Make,
    children,
    drop,
    eventually,
    followed,
    landed,
    open_files,
    shelf_of,
    viewers,
)
from tests.viewer_logs import live_bytes
from webviewer.dropped.limits import MIB, Limits


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes viewers with limits of their own; their logs are let go of afterwards."""
    with viewers(tmp_path) as make:
        yield make


@pytest.fixture(scope="module")
def log() -> bytes:
    """A log of two hands."""
    return live_bytes(hands(2, seed=5), head(1))


def bomb(chunks: int) -> bytes:
    """A sealed log of so many chunks, each 16 kB that are 8 MiB when inflated: one hand in all."""
    packed = packed_hand(list(hands(1, seed=5)[0]))
    same = [packed] * ((8 * MIB - 1) // len(packed))
    sink = io.BytesIO()
    frames = FrameSink(sink)
    frames.begin(encode_head(head(3)))
    for number in range(chunks):
        record = chunk_record(number * len(same), same)
        frames.put(Kind.CHUNK, ENCODER.encode(record))
    return sink.getvalue()


def said(page: str) -> str:
    """The sentence of a page that says what is wrong."""
    found = re.search(r'<p class="notice bad" role="alert">([^<]*)</p>', page)
    assert found, page
    return unescape(found[1])


def sentence(word: str, **slots: Any) -> str:
    """What is said of a limit, in English."""
    return text("en", f"view.drop.{word}", **slots)


# Logs that explode


def test_a_log_that_takes_too_long_is_ended(make: Make) -> None:
    """A small file that inflates without end: the page names the limit, and no process is left."""
    app, before = make(Limits(verifying=2.0)), children()
    page = followed(app.test_client(), drop(app.test_client(), bomb(200)))
    assert (page.status_code, said(page.text)) == (410, sentence("gone.verifying", verifying=2))
    assert shelf_of(app).pids() == []
    assert eventually(lambda: children() <= before)


def test_a_log_that_needs_too_much_memory_is_ended(make: Make) -> None:
    """The system refuses the memory, and the page says how much there is."""
    app, before = make(Limits(memory=52 * MIB, verifying=60.0)), children()
    page = followed(app.test_client(), drop(app.test_client(), bomb(20)))
    assert (page.status_code, said(page.text)) == (410, sentence("gone.memory", memory=52))
    assert eventually(lambda: children() <= before)


def test_a_log_that_needs_too_much_processor_time_is_ended(make: Make) -> None:
    """Processor time is counted over the whole life of the process."""
    app = make(Limits(cpu=3, verifying=120.0))
    page = followed(app.test_client(), drop(app.test_client(), bomb(200)))
    assert (page.status_code, said(page.text)) == (410, sentence("gone.cpu", cpu=3))


def test_a_page_that_takes_too_long_is_ended(make: Make, log: bytes) -> None:
    """The log goes with its page: its process is not waited for."""
    app, before = make(Limits(answering=0.001)), children()
    page = followed(app.test_client(), drop(app.test_client(), log))
    assert (page.status_code, said(page.text)) == (410, sentence("gone.answering", answering=0.001))
    assert eventually(lambda: children() <= before)


def test_an_answer_longer_than_any_may_be_is_none(make: Make, log: bytes) -> None:
    """The page says so, and the log stays."""
    app = make(Limits(answer=1000))
    client = app.test_client()
    page = followed(client, drop(client, log))
    assert page.status_code == 500
    assert said(page.text).startswith("This page is longer than the limit")
    assert len(shelf_of(app).pids()) == 1


def test_huge_lengths_are_damage_and_no_memory(make: Make, log: bytes) -> None:
    """A frame that says it has four gigabytes is a finding at its byte."""
    app = make(Limits())
    _, page = landed(app.test_client(), log + b"\xff\xff\xff\xff\x02" + bytes(40))
    assert re.findall(r"<code>(format\.\w+)</code>", page.text) == ["format.torn_tail"]


def test_its_process_has_given_up_all_it_can(make: Make, log: bytes) -> None:
    """Nothing written, little memory, no core, few files, one socket, no environment of ours."""
    os.environ["PAIPU_SECRET_OF_TESTS"] = "1"
    app = make(Limits())
    landed(app.test_client(), log)
    (pid,) = shelf_of(app).pids()
    there = Path(f"/proc/{pid}")
    limits = dict(re.findall(r"^(Max [a-z ]+?)  +(\S+)", (there / "limits").read_text(), re.M))
    assert limits["Max file size"] == limits["Max core file size"] == "0"
    assert limits["Max processes"] == "0"
    assert int(limits["Max open files"]) <= 64
    assert int(limits["Max cpu time"]) == 300
    assert int(limits["Max address space"]) < 900 * MIB
    links = [os.readlink(file) for file in (there / "fd").iterdir()]
    assert len([link for link in links if link.startswith("socket:")]) == 1
    assert [link for link in links if link.startswith("/memfd:dropped")]
    assert [link for link in links if link.startswith("/") and "/dev/null" not in link] == [
        link for link in links if link.startswith("/memfd:dropped")
    ]
    environment = (there / "environ").read_bytes()
    assert b"SECRET" not in environment
    assert (
        shelf_of(app).find(only_token(app)).prefix.encode() not in (there / "cmdline").read_bytes()
    )


def only_token(app: Flask) -> str:
    """The token of the one log there."""
    (token,) = shelf_of(app)._logs
    return token


# Those who ask


class Unread(io.RawIOBase):
    """A body that may not be read."""

    def readinto(self, _: Any) -> NoReturn:
        raise AssertionError("it was read")


@pytest.mark.parametrize(
    ("length", "status", "word"),
    [(33 * MIB, 413, "too_large"), (1 << 60, 413, "too_large"), (None, 411, "no_length")],
)
def test_a_body_that_is_too_long_is_not_read(
    make: Make, length: int | None, status: int, word: str
) -> None:
    """Its length is looked at before a byte of it; one that says none is not read either."""
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked"}
    stated = chunked if length is None else {"CONTENT_LENGTH": str(length)}
    answer = (
        make(Limits())
        .test_client()
        .post(
            "/dropped?lang=en",
            content_type="multipart/form-data; boundary=x",
            environ_overrides={"wsgi.input": Unread(), **stated},
        )
    )
    assert (answer.status_code, said(answer.text)) == (status, sentence(f"refused.{word}", mb=32))


def test_a_log_as_large_as_may_be_is_taken_and_one_byte_more_is_not(make: Make) -> None:
    """The limit is that of the file, not of the form around it."""
    client = make(Limits(log=100_000)).test_client()
    assert followed(client, drop(client, bytes(100_000))).status_code == 422
    assert drop(client, bytes(100_001)).status_code == 413
    pasted = client.post("/dropped", data={"text": "字" * 33_334})
    assert pasted.status_code == 413


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({}, "multipart/form-data"),
        ({"log": (io.BytesIO(b""), "")}, "multipart/form-data"),
        ({"other": "x"}, "application/x-www-form-urlencoded"),
        (b"--x\r\nnonsense", "multipart/form-data; boundary=x"),
        (b"\x00" * 10, "application/octet-stream"),
    ],
)
def test_a_form_without_a_file_is_told(make: Make, data: Any, kind: str) -> None:
    """400: nothing was chosen."""
    answer = make(Limits()).test_client().post("/dropped?lang=en", data=data, content_type=kind)
    assert (answer.status_code, said(answer.text)) == (400, sentence("refused.no_file"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
    ],
)
def test_another_site_drops_nothing_and_lets_go_of_nothing(
    make: Make, log: bytes, headers: dict[str, str]
) -> None:
    """403, before anything of it is read."""
    app = make(Limits())
    client = app.test_client()
    form = {"log": (io.BytesIO(log), "a")}
    answer = client.post("/dropped?lang=en", data=form, headers=headers)
    assert (answer.status_code, said(answer.text)) == (403, sentence("refused.cross_site"))
    assert shelf_of(app).pids() == []
    token, _ = landed(client, log)
    assert client.post(f"/dropped/{token}/let-go", headers=headers).status_code == 403
    assert len(shelf_of(app).pids()) == 1


def test_our_own_pages_may(make: Make, log: bytes) -> None:
    """What browsers say of a page of the same site, and of an address that was typed."""
    client = make(Limits()).test_client()
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://localhost"}):
        form = {"log": (io.BytesIO(log), "a")}
        assert client.post("/dropped", data=form, headers=headers).status_code == 303


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_not_answered(make: Make, log: bytes, method: str) -> None:
    """POST drops and lets go; all else is GET, below a log's path too."""
    client = make(Limits()).test_client()
    token, page = landed(client, log)
    for address in ("/dropped", "/drop", f"/dropped/{token}/", f"/dropped/{token}/let-go"):
        assert client.open(address, method=method).status_code == 405, address
    assert client.post(f"/dropped/{token}/").status_code == 405
    assert client.post(page.request.path).status_code == 405
    for address in ("/dropped", f"/dropped/{token}/let-go"):
        asked = client.get(address)
        assert (asked.status_code, asked.headers["Location"]) == (303, "/drop")
    head = client.head(page.request.path)
    assert (head.status_code, head.data) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "%2e%2e/%2e%2e/etc/passwd",
        "static/../../app.py",
        "static/%2e%2e/%2e%2e/app.py",
        "..%2f..%2fhands",
        "//etc/passwd",
        "sql",
        "sql/answer.csv",
        "drop",
        "dropped/x/open",
        "hand/../../logs",
        "hand/%00",
        "hand/%ff%fe",
        "state.json/..",
    ],
)
def test_nothing_but_its_pages_stands_below_its_path(make: Make, log: bytes, path: str) -> None:
    """No file, no SQL, no dropping again: 404, and the process lives on."""
    app = make(Limits())
    client = app.test_client()
    token, page = landed(client, log)
    answer = client.get(f"/dropped/{token}/{path}")
    assert answer.status_code in {404, 308, 302}, answer.status_code
    if answer.status_code != 404:
        place = answer.headers["Location"]
        assert place.startswith(("/dropped/", "/static/", "http://localhost/dropped/"))
        assert client.get(place).status_code == 404
    assert client.get(page.request.path).status_code == 200


def test_a_token_of_another_server_is_unknown(make: Make, log: bytes) -> None:
    """Two viewers at once know nothing of one another's logs."""
    one, other = make(Limits()), make(Limits())
    token, page = landed(one.test_client(), log)
    assert other.test_client().get(page.request.path).status_code == 404
    assert re.fullmatch(r"[\w-]{22}", token)
    wrong = token[:-1] + ("A" if token[-1] != "A" else "Q")
    for strange in (wrong, token.swapcase(), token[:-1], "..", "%00"):
        assert one.test_client().get(f"/dropped/{strange}/log/x").status_code == 404


@pytest.mark.slow
def test_fifty_logs_leave_nothing_behind(make: Make, log: bytes) -> None:
    """As many processes as logs may stay; then none, and no file open that was not before."""
    app, others = make(Limits(logs=3)), children()
    client = app.test_client()
    landed(client, log)
    shelf_of(app).close()
    gc.collect()  # what tests before have left open
    before = open_files()
    for number in range(50):
        if number % 5:
            landed(client, log, f"{number}.paipu")
        else:
            assert followed(client, drop(client, b"junk")).status_code == 422
        assert len(children() - others) <= 3
    shelf_of(app).close()
    gc.collect()
    assert children() <= others
    assert open_files() <= before
