"""How browser tests open a hand, and read where they are."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.viewer_logs import FAULTY, ids_in

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1400, "height": 900}


def open_hand(page: Page, site: str, folder: Path, index: int, place: str = "") -> None:
    """Open a hand of FAULTY and wait until its steps are there."""
    page.goto(f"{site}/hand/{ids_in(folder / FAULTY)[index]}?lang=en{place}")
    expect(page.locator("body[data-ready]")).to_be_attached()


def at_rest(page: Page) -> None:
    """Wait until nothing moves any more: cards slide to where they lie."""
    page.evaluate("Promise.all(document.getAnimations().map((moving) => moving.finished))")


def place(page: Page) -> str:
    """The fragment of the address."""
    return page.url.partition("#")[2]


def shown(page: Page) -> str:
    """The number of the step that the table shows, as the caption writes it."""
    return page.locator("#caption-number").inner_text()
