"""Matches, players and statistics in a real Chromium: filled, clicked, read, on a phone."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from replay.archive import index
from replay.messages import text
from replay.reader import open_reader
from replay.reader.figures import PARTS
from tests import figure_logs
from tests.browser.pages import PHONE
from tests.viewer_logs import HOSTILE
from tests.viewer_site import on_a_port
from webviewer import create_app


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The viewer over an archive of four games."""
    folder = figure_logs.logs(tmp_path_factory.mktemp("figures") / "logs")
    index(folder.parent / "archive", [folder])
    reader = open_reader(folder.parent / "archive")
    with on_a_port(create_app(reader)) as port:
        yield f"http://127.0.0.1:{port}"
    reader.close()


def open_filled(page: Page, address: str) -> None:
    """Open a page and wait until all of its sections are filled."""
    page.goto(address)
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("[data-part]:not([data-filled])")).to_have_count(0)


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways but what scrolls by itself."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_statistics_fill_section_by_section(page: Page, site: str) -> None:
    """Each has its table, those that are drawn a chart; the line above says when all is done."""
    open_filled(page, f"{site}/statistics?lang=en")
    expect(page.locator("#progress")).to_have_text(text("en", "view.figures.loaded"))
    expect(page.locator(".figure-part .figure-table")).to_have_count(len(PARTS) + 1)
    expect(page.locator(".figure-part .chart .main-svg").first).to_be_visible()
    expect(page.locator(".figure-part .js-plotly-plot")).to_have_count(len(PARTS))


def test_a_click_on_a_bar_opens_its_hands(page: Page, site: str) -> None:
    """Those of one 番, in the game that was chosen."""
    open_filled(page, f"{site}/statistics?lang=en&game=dagong")
    chart = page.locator("#part-fan .js-plotly-plot")
    chart.scroll_into_view_if_needed()
    bar = chart.locator(".bars .point path").first.bounding_box()
    assert bar is not None
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/?*")
    asked = parse_qs(urlsplit(page.url).query)
    assert asked == {"game": ["dagong"], "fan": ["1"], "lang": ["en"]}
    expect(page.locator("table.hands tbody tr").first).to_be_visible()


def test_the_keyboard_alone_reaches_the_hands(page: Page, site: str) -> None:
    """The table's cells are links: tabbed to, entered, and Back returns to the same place."""
    open_filled(page, f"{site}/player/jia?lang=en")
    link = page.locator("#part-role .figure-table a").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/?*")
    assert "role=" in page.url
    assert "id=jia" in page.url
    page.go_back()
    expect(page).to_have_url(f"{site}/player/jia?lang=en")


def test_filters_stay_in_the_address(page: Page, site: str) -> None:
    """The game that is chosen is that of all sections, and of links out of them."""
    open_filled(page, f"{site}/player/jia?lang=en")
    page.locator("select[name=game]").select_option("gunzi")
    page.get_by_role("button", name=text("en", "view.filter.apply")).click()
    page.wait_for_url("**game=gunzi*")
    expect(page.locator("[data-part]:not([data-filled])")).to_have_count(0)
    games = set(page.locator("#part-seat tbody tr td:first-child").all_inner_texts())
    assert games == {text("en", "game.gunzi")}


def test_a_match_is_drawn_and_a_click_opens_the_hand(page: Page, site: str) -> None:
    """A mark of its chart is a hand; the names of hostile players are drawn as they are."""
    page.goto(f"{site}/matches?lang=en")
    page.locator("tr", has_text="faulty.paipu").locator("th a").click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#part-course .legendtext").first).to_have_text(HOSTILE)
    mark = page.locator("#part-course .js-plotly-plot .points path").first.bounding_box()
    assert mark is not None
    page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/hand/*")


def test_a_section_that_cannot_be_had_says_so_and_keeps_its_link(page: Page, site: str) -> None:
    """One failure leaves the others alone."""
    page.route(re.compile(r"figures\.json.*part=fan"), lambda route: route.fulfill(status=204))
    page.goto(f"{site}/statistics?lang=en")
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#part-fan [role=alert]")).to_have_text(text("en", "view.js.chart_failed"))
    expect(page.locator("#part-fan .figure-wait a")).to_be_visible()
    expect(page.locator("#part-score .figure-table")).to_be_visible()


@pytest.mark.parametrize("address", ["/matches", "/players", "/player/jia", "/statistics"])
def test_a_phone_shows_each_page_without_sideways_scrolling(
    page: Page, site: str, address: str
) -> None:
    """The tables scroll by themselves, and the menu leads to all pages."""
    page.set_viewport_size({"width": 360, "height": 640})
    open_filled(page, f"{site}{address}?lang=en") if address in (
        "/player/jia",
        "/statistics",
    ) else (page.goto(f"{site}{address}?lang=en"))
    assert fits(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert fits(page)
    page.locator("#menu summary").click()
    for name in ("matches", "players", "statistics"):
        expect(
            page.locator("#menu nav").get_by_text(text("en", f"view.nav.{name}"))
        ).to_be_visible()


def test_without_scripts_every_table_is_reached(browser: Browser, site: str) -> None:
    """Each section's link opens the page with its table."""
    bare = browser.new_context(java_script_enabled=False).new_page()
    bare.goto(f"{site}/statistics?lang=en")
    bare.locator("#part-role .figure-wait a").click()
    expect(bare.locator("#part-role .figure-table tbody tr").first).to_be_visible()
    bare.context.close()
