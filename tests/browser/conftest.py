"""What every browser test needs: logs, the viewer on a port, and a console that stays silent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from replay.reader import open_reader
from tests.browser.everywhere import Site, over_a_folder, over_an_archive
from tests.browser.pages import DESKTOP
from tests.viewer_logs import folder_of_logs
from tests.viewer_site import on_a_port
from webviewer import create_app

expect.set_options(timeout=20_000)
"""How long a page may take: tests fail for what is wrong, not for what is slow."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that are looked at."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The viewer, served on a port of its own; its address without the last slash."""
    with on_a_port(create_app(open_reader(folder))) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The viewer over an archive of all sample logs."""
    with over_an_archive(tmp_path_factory.mktemp("archived")) as site:
        yield site


@pytest.fixture(scope="session")
def foldered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The viewer over a folder with some of them."""
    with over_a_folder(tmp_path_factory.mktemp("foldered")) as site:
        yield site


@pytest.fixture(autouse=True)
def complaints(page: Page) -> Iterator[list[str]]:
    """What the console says of errors while a test runs: nothing."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            said.append(message.text)

    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield said
    assert said == []
