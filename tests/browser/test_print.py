"""The sheet of a hand out of a real Chromium: one page of A4, the longest hands too."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from replay.reader import open_reader
from tests.viewer_logs import FAULTY, ids_in
from webviewer import create_app

SAMPLES = Path(__file__).parents[2] / "sample_logs"
PHONE = {"width": 360, "height": 640}
HANDS = [
    ("dagong/clean/match-random.paipu", 10),
    ("dagong/clean/bang.paipu.jsonl", 0),
    ("chibi_dagun/clean/match-random.paipu", 5),
    ("chibi_dagun/clean/match-random.paipu", 0),
    ("chaodipi/clean/match-random.paipu", 13),
    ("chaodipi/clean/match-random.paipu", 3),
    ("chaodipi/clean/throw-fails.paipu.jsonl", 0),
    ("gunzi/clean/match-random.paipu", 2),
    ("gunzi/clean/flipped-jokers-alone.paipu.jsonl", 0),
]
"""The longest hands of all samples, and others with much before the first trick."""


@contextmanager
def served(log: Path) -> Iterator[str]:
    """A viewer of one log; its address."""
    server = make_server("127.0.0.1", 0, create_app(open_reader(log)), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def pages_of(page: Page) -> int:
    """How many sheets of paper the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.parametrize(("log", "index"), HANDS)
def test_a_hand_is_one_page(page: Page, log: str, index: int) -> None:
    """In both languages."""
    with served(SAMPLES / log) as site:
        for lang in ("zh", "en"):
            page.goto(f"{site}/hand/{ids_in(SAMPLES / log)[index]}/print?lang={lang}")
            assert pages_of(page) == 1


def test_what_one_seat_saw_is_one_page(page: Page, site: str, folder: Path) -> None:
    """Of hands without trumps and with them, with names of any length and findings."""
    for hand in ids_in(folder / FAULTY):
        page.goto(f"{site}/hand/{hand}/print?lang=en&eye=1")
        assert pages_of(page) == 1
    for log, index in HANDS[:3:2] + HANDS[4:5] + HANDS[7:8]:
        with served(SAMPLES / log) as viewer:
            page.goto(f"{viewer}/hand/{ids_in(SAMPLES / log)[index]}/print?lang=zh&eye=0")
            assert pages_of(page) == 1


def test_a_hidden_view_prints_what_its_seat_saw(page: Page, site: str, folder: Path) -> None:
    """The link carries the seat, the sheet leads back to the hidden view; with all cards open, and
    at another seat, it carries those; while some of the hand is covered there is none.
    """
    hand = ids_in(folder / FAULTY)[0]
    page.goto(f"{site}/hand/{hand}?lang=en#20/2:h")
    expect(page.locator("body[data-ready]")).to_be_attached()
    link = page.locator("#print")
    expect(link).to_have_attribute("href", re.compile(r"/print\?lang=en&eye=2$"))
    page.keyboard.press("v")
    expect(link).to_have_attribute("href", re.compile(r"/print\?lang=en&eye=3$"))
    link.click()
    expect(page.locator(".deals caption")).to_contain_text("saw this")
    page.locator(".screen a").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("h")
    expect(link).to_have_attribute("href", re.compile(r"/print\?lang=en$"))
    page.keyboard.press("Home")
    page.keyboard.press("s")
    expect(link).to_be_hidden()


def test_faulty_hands_with_long_names_are_one_page(page: Page, site: str, folder: Path) -> None:
    """Findings and names of any length do not push it over."""
    for hand in ids_in(folder / FAULTY):
        page.goto(f"{site}/hand/{hand}/print?lang=zh")
        assert pages_of(page) == 1


def test_the_hand_leads_to_its_sheet_and_back(page: Page, site: str, folder: Path) -> None:
    """A link among the buttons; the sheet on a phone needs no scrolling sideways."""
    page.goto(f"{site}/hand/{ids_in(folder / FAULTY)[0]}?lang=en")
    page.locator("#print").click()
    expect(page.locator(".deals")).to_be_visible()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(".screen a").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
