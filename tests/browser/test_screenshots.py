"""Pictures of the main pages in build/screenshots, to be looked at by people."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.everywhere import (
    KINDS,
    SAMPLES,
    Kind,
    Site,
    faulty,
    fullest,
    go,
    hand_of,
    kinds_of,
    lay_out,
    open_page,
    show,
)

PICTURES = SAMPLES.parent / "build" / "screenshots"
PNG = b"\x89PNG\r\n\x1a\n"
LEAST = 8_000
"""Bytes: an empty page is smaller."""
TALL = 2400
"""The most of a page that a picture shows: CSS px."""
TELLING = {
    "dagong": "#30/0",
    "chibi_dagun": "#60/1:r",
    "chaodipi": "#70/0",
    "gunzi": "#120/2",
}
"""A step of each game's hand in the middle of a trick."""


def picture(page: Page, name: str, window: str, theme: str) -> None:
    """Write what the page shows in a window and a theme; it is a picture and not empty.

    The page of a hand keeps its buttons at the window's edge: of it the window alone is shown.
    """
    show(page, window)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    lay_out(page)
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}-{window}-{theme}.png"
    size = page.viewport_size
    assert size is not None
    if page.locator("body.hand-page").count():
        page.screenshot(path=path)
    else:
        height = int(page.evaluate("document.scrollingElement.scrollHeight"))
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(TALL, height)}
        page.screenshot(path=path, full_page=True, clip=clip)  # type: ignore[arg-type]
    written = path.read_bytes()
    assert written.startswith(PNG)
    assert len(written) > LEAST


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_kind_of_page(
    page: Page, archived: Site, foldered: Site, complaints: list[str], kind: Kind
) -> None:
    """Each on a desktop and a phone in the light, and on a desktop in the dark."""
    site = archived if kind in kinds_of(archived) else foldered
    show(page, "phone")
    open_page(page, site, kind, "zh")
    picture(page, kind.name, "phone", "light")
    show(page, "desktop")
    open_page(page, site, kind, "zh")
    picture(page, kind.name, "desktop", "light")
    picture(page, kind.name, "desktop", "dark")
    complaints[:] = [said for said in complaints if f"status of {kind.status}" not in said]


@pytest.mark.parametrize("game", TELLING)
def test_a_hand_of_each_game(page: Page, archived: Site, game: str) -> None:
    """Amid a trick: the table on a desktop and a phone, upright and flat."""
    go(page, archived, f"/hand/{hand_of(game)}{TELLING[game]}", "zh")
    picture(page, f"hand-{game}", "desktop", "light")
    picture(page, f"hand-{game}", "phone", "light")
    picture(page, f"hand-{game}", "flat", "light")
    picture(page, f"hand-{game}", "phone", "dark")


def test_the_panels_of_a_hand(page: Page, archived: Site) -> None:
    """What was legal, the settlement, charts, notes, what it is about; a finding; hidden cards."""
    go(page, archived, f"/hand/{hand_of('chaodipi', 3)}#60/2:l", "zh")
    picture(page, "panel-legal", "desktop", "light")
    picture(page, "panel-legal", "phone", "light")
    for tab in ("sheet", "chart", "notes", "about"):
        page.locator(f"#tab-{tab}").click()
        if tab == "chart":
            expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
        picture(page, f"panel-{tab}", "desktop", "light")
        picture(page, f"panel-{tab}", "desktop", "dark")
    go(page, archived, f"/hand/{faulty(archived, 3)}#999/0", "en")
    picture(page, "hand-finding", "desktop", "dark")
    picture(page, "hand-finding", "phone", "light")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    picture(page, "help", "desktop", "light")


def test_the_fullest_hand(page: Page, archived: Site) -> None:
    """The seat with most cards of all, with everybody's cards open and with the others' hidden."""
    hand = hand_of("gunzi", 2)
    event, seat, _ = fullest(archived, hand)
    for flags, name in (("", "open"), (":h", "hidden")):
        go(page, archived, f"/hand/{hand}#{event}/{seat}{flags}", "zh")
        picture(page, f"fullest-{name}", "desktop", "light")
        picture(page, f"fullest-{name}", "phone", "light")
