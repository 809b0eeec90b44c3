"""A hidden view in a real Chromium: nothing of what its seat has not seen is ever shown."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests import chaodipi_hand
from tests.viewer_logs import FALSE_TRICK, FAULTY, folder_of_logs, ids_in

TRUMPS = "trumps.paipu"
STEPS = re.compile(r"/steps\.json")
OWN_STEPS = re.compile(r"/steps\.json\?(.*&)?eye=")
OWN_CHARTS = re.compile(r"/charts\.json\?(.*&)?eye=")
BURIED = "Buries"
SHOWING = ".felt .card, #events .event, #caption-line, .course li, .finding-text, .plaque *"
"""What shows cards, and sentences about them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand in which a bottom is buried that only one seat sees, beside hands without."""
    place = folder_of_logs(tmp_path_factory.mktemp("logs"))
    (place / TRUMPS).write_bytes(chaodipi_hand.log())
    return place


def address(site: str, folder: Path, fragment: str) -> str:
    """The hand with the bottom, at a place."""
    return f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en{fragment}"


class Gate:
    """Holds back what is asked of an address until it is opened."""

    def __init__(self, page: Page, what: re.Pattern[str]) -> None:
        self.held: list[Route] = []
        page.route(what, self.held.append)

    def open(self) -> None:
        """Let everything through that was held."""
        for route in self.held:
            route.continue_()
        self.held.clear()


def buried(page: Page) -> list[str]:
    """The lines of the list that say what was buried, whether they are in sight or not."""
    lines = page.locator("#events .event").all_text_contents()
    return [line for line in lines if "urie" in line]


def in_sight(page: Page) -> list[str]:
    """The texts in sight that may tell of cards."""
    return page.evaluate(
        """(what) => [...document.querySelectorAll(what)]
            .filter((part) => part.checkVisibility({ visibilityProperty: true }))
            .map((part) => part.textContent)""",
        SHOWING,
    )


def test_a_hidden_view_asks_for_what_its_seat_saw_and_nothing_else(
    page: Page, site: str, folder: Path
) -> None:
    """Everybody's cards do not even come; list and timeline are made of the seat's own steps."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(address(site, folder, "#8/0:h"))
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert [url for url in urls if STEPS.search(url)] == [
        url for url in urls if OWN_STEPS.search(url)
    ]
    own, other = buried(page)
    assert "3♦" in own
    assert not re.search("[♠♥♣♦]", other)
    expect(page.locator("#events .sign").first).to_be_hidden()
