"""Dropping logs on a viewer, for its tests: what is dropped, and what processes are there."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from replay.reader import open_reader
from webviewer import create_app
from webviewer.dropped.limits import Limits
from webviewer.dropped.shelf import Shelf
from webviewer.views.dropped import shelf

PATIENCE = 60.0
"""Seconds that anything may take before a test says that it does not happen."""


Make = Callable[[Limits], Flask]


@contextmanager
def viewers(folder: Path) -> Iterator[Make]:
    """Makes viewers over a folder, with limits of their own; their logs are let go of after it."""
    made: list[Flask] = []

    def new(limits: Limits) -> Flask:
        app = create_app(open_reader(folder))
        app.config["DROP_LIMITS"] = limits
        made.append(app)
        return app

    yield new
    for app in made:
        shelf_of(app).close()


def drop(client: FlaskClient, data: bytes, name: str = "a.paipu", lang: str = "en") -> TestResponse:
    """Post a log as the form does."""
    disposition = f'Content-Disposition: form-data; name="log"; filename="{name}"'
    body = f"--x\r\n{disposition}\r\n\r\n".encode() + data + b"\r\n--x--\r\n"
    kind = "multipart/form-data; boundary=x"
    return client.post(f"/dropped?lang={lang}", data=body, content_type=kind)


def landed(client: FlaskClient, data: bytes, name: str = "a.paipu") -> tuple[str, TestResponse]:
    """Drop a log and follow to its report: the token, and the page."""
    page = followed(client, drop(client, data, name))
    assert page.status_code == 200, page.text
    return token_in(page.request.path), page


def followed(client: FlaskClient, answer: TestResponse) -> TestResponse:
    """What stands in the end where an answer leads, verifying included."""
    where = answer.request.path
    while answer.status_code == 303 or where.partition("?")[0].endswith("/open"):
        where = answer.headers.get("Location", where)
        answer = client.get(where)
        if answer.status_code not in {200, 303}:
            break
    return answer


def token_in(address: str) -> str:
    """The token of an address below /dropped."""
    return address.split("/")[2]


def shelf_of(app: Flask) -> Shelf:
    """The dropped logs of an application."""
    with app.app_context():
        return shelf()


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether it holds in the end."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def is_running(pid: int) -> bool:
    """Whether a process runs: one that has ended and is not waited for does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def children() -> set[int]:
    """The processes of dropped logs that this process has started and not yet waited for.

    Other tests before may have left others: a browser's driver, workers that answer SQL.
    """
    found = set()
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                status = Path(f"/proc/{name}/stat").read_text()
                command = Path(f"/proc/{name}/cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parent = int(status.rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"webviewer.dropped" in command:
                found.add(int(name))
    return found


def open_files() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))
