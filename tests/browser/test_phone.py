"""Small windows: nothing is cut off or scrolls sideways, all can be read and hit with a finger."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.everywhere import (
    Site,
    fullest,
    go,
    hand_ids,
    hand_of,
    kinds_of,
    lay_out,
    open_page,
    show,
)

SIDEWAYS = """() => {
  const page = document.scrollingElement;
  if (page.scrollWidth <= page.clientWidth) return [];
  const out = (el) => el.getBoundingClientRect().right > page.clientWidth + 1;
  const all = Array.from(document.body.querySelectorAll("*")).filter(out);
  return [`${page.scrollWidth} > ${page.clientWidth}`,
    ...all.slice(0, 4).map((el) => el.outerHTML.slice(0, 100))];
}"""
"""JavaScript: nothing if the page fits its window; else how wide it is, and what sticks out."""

SMALL = """() => {
  const small = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || el.closest("script, style, template, .card")) continue;
    if (!el.checkVisibility({ visibilityProperty: true }) || el.closest(".hidden")) continue;
    const size = parseFloat(getComputedStyle(el).fontSize);
    if (size < 12) small.set(`${el.tagName}.${el.getAttribute("class") ?? ""}`, size);
  }
  return Array.from(small, ([name, size]) => `${name}: ${size}px`);
}"""
"""JavaScript: what is written smaller than 12 px. Cards are pictures: their index has a test."""

TOUCH = """() => Array.from(document.querySelectorAll("button, summary, select, [role=tab]"))
  .filter((el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((el) => [el, el.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 23.5 || box.height < 23.5))
  .map(([el, { width, height }]) => [el.outerHTML.slice(0, 90), width, height].join(" "))
"""
"""JavaScript: what is pressed and smaller than 24 px either way."""


@pytest.fixture(autouse=True)
def _expected_answers(complaints: list[str]) -> Iterator[None]:
    """The console repeats that a page answered with an error, where it was to."""
    yield
    complaints[:] = [said for said in complaints if "Failed to load resource" not in said]


def faults(page: Page, what: str) -> list[str]:
    """What is wrong with the page that is shown, in its window."""
    lay_out(page)
    found = []
    for script in (SIDEWAYS, SMALL, TOUCH):
        found += [f"{what}: {fault}" for fault in page.evaluate(script)]
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_page_fits_small_windows(page: Page, archived: Site, lang: str) -> None:
    """360×640, 320 wide and 640×360: no sideways scrolling, no text under 12 px, no tiny button."""
    found = []
    for kind in kinds_of(archived):
        show(page, "phone")
        open_page(page, archived, kind, lang)
        for window in ("phone", "narrow", "flat"):
            show(page, window)
            found += faults(page, f"{kind.name} ({lang}, {window})")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", ["dagong", "chibi_dagun", "chaodipi", "gunzi"])
def test_every_panel_of_a_hand_fits_small_windows(page: Page, archived: Site, game: str) -> None:
    """Whatever is open beside the table: amid play, with the counter, before what can be laid."""
    found = []
    show(page, "phone")
    go(page, archived, f"/hand/{hand_of(game)}#50/1:r", "en")
    tabs = page.locator("[role=tab]").evaluate_all("all => all.map((tab) => tab.id)")
    for tab in tabs:
        page.locator(f"#{tab}").click()
        for window in ("phone", "narrow", "flat"):
            show(page, window)
            found += faults(page, f"{game} {tab} ({window})")
    assert not found, "\n".join(found)


SEEN = """() => {
  const cards = Array.from(document.querySelectorAll(".seat-view[data-place=self] .card"));
  const hidden = cards.filter((card) => {
    const corner = card.querySelector("b");
    scrollBy(0, corner.getBoundingClientRect().top - innerHeight * 0.4);
    const box = corner.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const inside = box.left >= 0 && box.right <= innerWidth && box.width >= 6;
    return !inside || document.elementFromPoint(x, y)?.closest(".card") !== card;
  });
  const tops = new Set(cards.map((card) => Math.round(card.getBoundingClientRect().top)));
  const size = cards.map((card) => parseFloat(getComputedStyle(card.querySelector("b")).fontSize));
  return { all: cards.length, hidden: hidden.map((card) => card.outerHTML), rows: tops.size,
    size: Math.min(...size) };
}"""
"""JavaScript: the cards of the seat at the bottom, and those whose corner something covers."""


@pytest.mark.parametrize("window", ["phone", "narrow", "flat"])
@pytest.mark.parametrize(
    ("sample", "number", "least"),
    [
        ("gunzi/clean/match-random.paipu", 2, 45),
        ("gunzi/clean/option-every-point-won.paipu.jsonl", 0, 39),
        ("chaodipi/clean/match-greedy.paipu", 2, 31),
    ],
)
def test_the_most_cards_are_all_read_on_a_phone(
    page: Page, archived: Site, sample: str, number: int, least: int, window: str
) -> None:
    """Every card's corner is seen, none covered by the next, however many one seat holds."""
    hand = hand_ids(sample)[number]
    event, seat, count = fullest(archived, hand)
    assert count >= least
    show(page, window)
    go(page, archived, f"/hand/{hand}#{event}/{seat}", "zh")
    lay_out(page)
    seen: dict[str, Any] = page.evaluate(SEEN)
    print(f"{count} cards in {window}: {seen['rows']} rows, corners of {seen['size']:.1f}px")
    assert seen["all"] == count
    assert seen["hidden"] == []
    assert seen["size"] >= 12


OUTSIDE = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect().top;
  const own = document.querySelectorAll(".seat-view[data-place=self] .card b");
  const on = document.querySelectorAll(".felt .act .card, .felt .plate, .felt .plaque");
  return [...own, ...on].map((el) => el.getBoundingClientRect())
    .filter(({ top, bottom }) => top < 0 || bottom > dock)
    .map(({ top, bottom }) => [top, bottom, dock].map(Math.round));
}"""
"""JavaScript: where corners of own cards, cards laid and plates stand, if not in sight."""


@pytest.mark.parametrize("game", ["dagong", "chibi_dagun", "chaodipi", "gunzi"])
def test_a_phone_on_its_side_shows_the_table(page: Page, archived: Site, game: str) -> None:
    """Nothing is scrolled for; the other hands are counts, which open them; upright all is seen."""
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, archived, f"/hand/{hand_of(game)}#50/1", "zh")
    is_crowded = page.locator(".felt.crowded").count()
    show(page, "flat")
    lay_out(page)
    assert page.evaluate(OUTSIDE) == []
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(OUTSIDE) == []
    across = page.locator(".seat-view[data-place=across]")
    expect(across.locator(".hand")).to_be_hidden()
    across.locator(".peek").click()
    expect(across.locator(".hand")).to_be_visible()
    across.locator(".peek").click()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".felt.crowded")).to_have_count(is_crowded)


def test_nothing_moves_for_whoever_wants_no_motion(page: Page, archived: Site) -> None:
    """Under prefers-reduced-motion no animation or transition lasts longer than 0.01 s."""
    page.emulate_media(reduced_motion="reduce")
    go(page, archived, f"/hand/{hand_of('gunzi', 2)}#1/0", "zh")
    slow = """() => document.getAnimations()
      .filter((moving) => moving.effect.getComputedTiming().endTime > 10).length"""
    for _ in range(60):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(slow) == 0
    expect(page.locator("#caption-number")).to_contain_text("61")
    for selector in ("button", "summary", ".card", "dialog", "a"):
        found = page.locator(selector).first.evaluate(
            "el => parseFloat(getComputedStyle(el).transitionDuration)"
        )
        assert found <= 0.01
