"""The list of hands in a real Chromium: filters, heads, charts that lead on, a list that grows."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from replay.messages import text
from replay.reader.logs import LogsReader
from tests.browser.pages import PHONE
from tests.viewer_logs import folder_of_logs
from webviewer import create_app

NARROW = {"width": 360, "height": 640}


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[str]:
    """A viewer that indexes a single hand a page, so that its list is seen to grow."""
    reader = LogsReader(folder_of_logs(tmp_path / "logs"), patience=0.0)
    advance = reader._advance

    def one_hand_more() -> None:
        advance()
        reader._step()

    reader._advance = one_hand_more  # type: ignore[method-assign]
    server = make_server("127.0.0.1", 0, create_app(reader), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_form_filters_and_a_chip_takes_it_back(page: Page, site: str) -> None:
    """By keyboard alone: chosen in a field, shown as a chip, gone with its link."""
    page.goto(f"{site}/?lang=en")
    page.get_by_label(text("en", "view.lists.longer")).fill("1")
    page.locator("select[name=findings]").select_option("some")
    page.get_by_label(text("en", "view.lists.longer")).press("Enter")
    expect(page.locator("tbody tr")).to_have_count(3)
    chips = page.locator(".active-filters .facet")
    expect(chips).to_have_count(2)
    chips.filter(has_text="with findings").press("Enter")
    expect(page.locator("tbody tr")).to_have_count(7)
    expect(chips).to_have_count(1)
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(3)


def test_a_head_sorts(page: Page, site: str) -> None:
    """The head says so, and the list is in that order; time turns around."""
    page.goto(f"{site}/?lang=en")
    when = page.locator("thead th").last
    expect(when).to_have_attribute("aria-sort", "descending")
    newest = page.locator("tbody .hand-link").first.get_attribute("href")
    when.get_by_role("link").click()
    expect(page.locator("thead th").last).to_have_attribute("aria-sort", "ascending")
    expect(page.locator("tbody .hand-link").last).to_have_attribute("href", newest or "")


def test_a_bar_leads_to_its_hands(page: Page, site: str) -> None:
    """Clicked in the chart, or followed as the link below it."""
    page.goto(f"{site}/?lang=en")
    bars = page.locator('[data-figure="seats"] .bars .point')
    link = page.locator('[data-bars="seats"] a').first
    expect(link).to_contain_text("seat 0")
    address = link.get_attribute("href")
    expect(bars.first).to_be_visible()
    bars.first.scroll_into_view_if_needed()
    box = bars.first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(f"{site}{address}")
    expect(page.locator(".active-filters .facet")).to_have_count(2)


def test_a_phone_begins_with_the_hands(page: Page, site: str) -> None:
    """Filters and charts are folded, nothing is wider than the screen, a row is readable."""
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.goto(f"{site}/?lang=zh&size=25")
    expect(page.locator("#filters")).not_to_have_attribute("open", "")
    expect(page.locator(".hand-link").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.locator("#filters summary").press("Enter")
    expect(page.locator("input[name=since]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_a_growing_list_renews_itself_and_keeps_the_focus(page: Page, slow: str) -> None:
    """Hands come without a reload; where the focus is nothing moves, and the end is said."""
    page.goto(f"{slow}/?lang=en")
    expect(page.locator("#scanning progress")).to_have_attribute("max", "3")
    page.evaluate("window.isSame = true")
    expect(page.locator("tbody tr").first).to_be_visible()
    search = page.locator("input[name=q]")
    search.fill("half a wo")
    expect(page.locator("tbody tr")).to_have_count(7)
    expect(page.locator("#scanning")).to_be_hidden()
    expect(page.locator("#said")).to_have_text(text("en", "view.lists.scanned", total=7))
    expect(search).to_be_focused()
    expect(search).to_have_value("half a wo")
    assert page.evaluate("window.isSame")


def test_a_part_in_use_is_left_as_it_is(page: Page, slow: str) -> None:
    """A link that has the focus stays the same element; the list is renewed when it is left."""
    page.goto(f"{slow}/?lang=en")
    first = page.locator("tbody .hand-link").first
    expect(first).to_be_visible()
    first.focus()
    before = page.locator("tbody tr").count()
    expect(page.locator("#scanning")).to_be_hidden()
    expect(first).to_be_focused()
    assert page.locator("tbody tr").count() == before
    page.locator("input[name=q]").focus()
    expect(page.locator("tbody tr")).to_have_count(7)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["/?findings=some&since=2025-13-01", "/logs"])
def test_lists_are_accessible(page: Page, site: str, address: str, lang: str, scheme: str) -> None:
    """No rule of axe-core is broken in the page's own part, on a desk and on a phone."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for size in (None, PHONE):
        if size:
            page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(f"{site}{address}{'&' if '?' in address else '?'}lang={lang}")
        expect(page.locator("main")).to_be_visible()
        found = Axe().run(page, context="main").response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == []
