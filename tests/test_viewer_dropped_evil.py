"""Processes of dropped logs that are killed, or taken over: what they say is not believed.

Every process is a real one; what a taken-over one could say is said by tests.evil_showing.
"""

import os
import re
import signal
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from replay.messages import text
from tests.archives import hands, head
from tests.dropping import (
    Make,
    children,
    drop,
    eventually,
    followed,
    is_running,
    landed,
    shelf_of,
    viewers,
)
from tests.viewer_logs import live_bytes
from webviewer.dropped import process
from webviewer.dropped.limits import Limits

EVIL = process._START.replace("webviewer.dropped.showing", "tests.evil_showing")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes viewers with limits of their own; their logs are let go of afterwards."""
    with viewers(tmp_path) as make:
        yield make


@pytest.fixture(scope="module")
def log() -> bytes:
    """A log of two hands."""
    return live_bytes(hands(2, seed=5), head(1))


def said(page: str) -> str:
    """The sentence of a page that says what is wrong."""
    found = re.search(r'<p class="notice bad" role="alert">([^<]*)</p>', page)
    assert found, page
    return unescape(found[1])


def sentence(word: str, **slots: Any) -> str:
    """What is said of a limit, in English."""
    return text("en", f"view.drop.{word}", **slots)


def test_a_process_that_is_killed_is_told(make: Make, log: bytes) -> None:
    """A page of ours says so, and the log can be dropped again."""
    app = make(Limits())
    client = app.test_client()
    token, page = landed(client, log)
    (pid,) = shelf_of(app).pids()
    os.kill(pid, signal.SIGKILL)
    gone = client.get(page.request.path, query_string={"lang": "en"})
    assert (gone.status_code, said(gone.text)) == (410, sentence("gone.died"))
    again = client.get(f"/dropped/{token}/?lang=en")
    assert (again.status_code, said(again.text)) == (410, sentence("gone.died"))
    assert not is_running(pid)
    landed(client, log)


@pytest.mark.parametrize("way", ["split", "script", "style", "away", "status"])
def test_an_evil_answer_is_none(make: Make, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """No split header, no script or style of its own, no other site, no odd status."""
    monkeypatch.setattr(process, "_START", EVIL)
    app = make(Limits())
    client = app.test_client()
    answer = followed(client, drop(client, b"x", way))
    assert answer.status_code == 500
    assert said(answer.text) == sentence("unanswered.failed")
    assert "Set-Cookie" not in answer.headers
    assert "Location" not in answer.headers


def test_headers_that_it_may_not_set_are_left_out(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page comes with our headers, not with its."""
    monkeypatch.setattr(process, "_START", EVIL)
    client = make(Limits()).test_client()
    answer = followed(client, drop(client, b"x", "cookie"))
    assert (answer.status_code, answer.text) == (200, "page")
    for name in ("Set-Cookie", "X-Evil", "X", "Content-Disposition"):
        assert name not in answer.headers
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "way", ["huge", "garbage", "pickle", "drip", "silent", "dead", "strange-id"]
)
def test_an_evil_conversation_ends_its_process(
    make: Make, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Too long, no frame, half a frame, nothing at all: it is ended, and so it is said."""
    monkeypatch.setattr(process, "_START", EVIL)
    app, before = make(Limits(answering=3.0)), children()
    client = app.test_client()
    answer = followed(client, drop(client, b"x", way))
    word = "gone.answering" if way in {"drip", "silent"} else "gone.died"
    assert (answer.status_code, said(answer.text)) == (410, sentence(word, answering=3))
    assert shelf_of(app).pids() == []
    assert eventually(lambda: children() <= before)


def test_evil_words_are_text_and_end(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence about a bad file is escaped and cut."""
    monkeypatch.setattr(process, "_START", EVIL)
    client = make(Limits()).test_client()
    answer = followed(client, drop(client, b"x", "long-words"))
    assert answer.status_code == 422
    assert "<script>" not in answer.text
    assert len(answer.text) < 40_000
