"""The viewer's files: types, conditional answers, and browsers that hang up."""

import gc
import socket
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.reader import open_reader
from tests.viewer_site import on_a_port
from webviewer import create_app

FILES = ("/plotly.min.js", "/static/css/base.css", "/static/js/hand.js", "/static/seal.svg")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a viewer over an empty folder."""
    (tmp_path / "logs").mkdir()
    app = create_app(open_reader(tmp_path / "logs"))
    with on_a_port(app) as port:
        yield port


@pytest.mark.parametrize("path", FILES)
def test_a_browser_that_hangs_up_leaves_no_file_open(port: int, path: str) -> None:
    """Asked for a file it has, by a browser that is gone at the first byte of the answer."""
    known = "If-Modified-Since: Wed, 21 Oct 2037 07:28:00 GMT"
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for line in (known, "Range: bytes=0-9", "Accept: */*"):
            for _ in range(5):
                with socket.create_connection(("127.0.0.1", port)) as browser:
                    browser.sendall(
                        f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{line}\r\n\r\n".encode()
                    )
                    assert browser.recv(100).startswith(b"HTTP/1.1 200")
        time.sleep(0.2)
        gc.collect()
    assert [str(w.message) for w in warned if w.category is ResourceWarning] == []


@pytest.mark.parametrize("path", FILES)
def test_a_file_the_browser_has_is_not_sent_again(tmp_path: Path, path: str) -> None:
    """The ETag of the first answer gets 304 without a body."""
    client = create_app(open_reader(tmp_path)).test_client()
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code, again.get_data()) == (200, 304, b"")


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/js"]
)
def test_only_the_viewers_own_files_are_served(tmp_path: Path, path: str) -> None:
    """A path that leads elsewhere is not found."""
    client = create_app(open_reader(tmp_path)).test_client()
    assert client.get(path, follow_redirects=True).status_code == 404
