"""Everybody can use every page: axe-core finds nothing, a screen reader is told what is what."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.everywhere import (
    KINDS,
    LEADS_ON,
    NO_PAGES,
    Kind,
    Site,
    faulty,
    fullest,
    go,
    hand_of,
    kinds_of,
    open_page,
    show,
)

LOOKS = (("zh", "desktop", "light"), ("zh", "phone", "dark"))
OTHER_LOOKS = (("en", "desktop", "dark"), ("en", "phone", "light"))
"""Language, window, theme: the four together have every pair of two of them."""


@pytest.fixture(scope="module", autouse=True)
def counted() -> Iterator[None]:
    """Tell how much was looked at."""
    yield
    runs, found = axe.checked["runs"], axe.checked["violations"]
    print(f"\naxe-core: {runs} looks at {len(KINDS)} kinds of pages, {found} violations")


def look(page: Page, what: str, window: str, theme: str) -> list[str]:
    """What axe finds in a window and a theme, each line with where it was seen."""
    show(page, window)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    lang = page.locator("html").get_attribute("lang")
    where = f"{what} ({lang}, {window}, {theme})"
    return [f"{where}: {line}" for line in axe.violations(page)]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_axe_finds_nothing(
    page: Page, archived: Site, foldered: Site, complaints: list[str], kind: Kind
) -> None:
    """Every kind of page, in Chinese and English, light and dark, on a desktop and a phone."""
    found = []
    for looks in (LOOKS, OTHER_LOOKS):
        site = foldered if kind.over == "folder" or looks is OTHER_LOOKS else archived
        if kind not in kinds_of(site):
            site = archived
        open_page(page, site, kind, looks[0][0])
        for _, window, theme in looks:
            found += look(page, kind.name, window, theme)
    _forget_status(complaints, kind)
    assert not found, "\n".join(found)


def _forget_status(complaints: list[str], kind: Kind) -> None:
    """The console repeats that a page answered with an error: it was to."""
    if kind.status != 200:
        complaints[:] = [said for said in complaints if f"status of {kind.status}" not in said]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_axe_finds_nothing_at_any_state_of_a_hand(page: Page, archived: Site, lang: str) -> None:
    """A hand at its opening, amid a trick, at a finding, with what can be opened beside it open."""
    window, theme = ("desktop", "dark") if lang == "zh" else ("phone", "light")
    most = hand_of("gunzi", 2)
    event, seat, _ = fullest(archived, most)
    flawed = f"/hand/{faulty(archived, 3)}#999/0"
    states = {
        "opening": (f"/hand/{hand_of('dagong')}#1/0", ""),
        "amid a trick": (f"/hand/{hand_of('chibi_dagun')}#40/1:r", ""),
        "most cards": (f"/hand/{most}#{event}/{seat}", "#tab-sheet"),
        "hidden cards": (f"/hand/{most}#{event + 40}/0:h", "#tab-about"),
        "legal plays": (f"/hand/{hand_of('chaodipi', 3)}#60/2:l", ""),
        "finding": (flawed, ""),
        "charts": (flawed, "#tab-chart"),
        "notes": (flawed, "#tab-notes"),
    }
    found = []
    for what, (path, press) in states.items():
        go(page, archived, path, lang)
        if press:
            page.locator(press).click()
        found += look(page, what, window, theme)
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    found += look(page, "help", window, theme)
    assert not found, "\n".join(found)


def test_every_page_of_the_viewer_is_in_the_list(archived: Site) -> None:
    """Whoever adds a route that answers a page has to add it to the list of kinds."""
    known = {kind.endpoint for kind in KINDS} | set(LEADS_ON)
    routes = [
        rule.endpoint
        for rule in archived.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not any(word in rule.rule for word in NO_PAGES)
    ]
    assert sorted(set(routes) - known) == []
    assert sorted(known - set(routes)) == []


def test_titles_tell_pages_apart(page: Page, archived: Site) -> None:
    """Each page has a title of its own, which begins with what is special about it."""
    titles: dict[str, str] = {}
    for kind in kinds_of(archived):
        if kind.status == 200:
            open_page(page, archived, kind, "zh")
            titles.setdefault(page.title(), kind.endpoint)
            assert titles[page.title()] == kind.endpoint
            assert page.title().endswith(" · 牌谱"), kind.name
            assert len(page.title()) > len(" · 牌谱")


STRUCTURE = """() => {
  const faults = [];
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const tell = (what, el) => faults.push(`${what}: ${el.outerHTML.slice(0, 110)}`);
  const count = document.querySelectorAll("h1").length;
  if (count !== 1) faults.push(`${count} h1`);
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption && !table.ariaLabel) tell("no caption", table);
    for (const th of table.querySelectorAll("th")) if (!th.scope) tell("no scope", th);
  }
  for (const live of document.querySelectorAll("[aria-live]")) {
    if (live.ariaLive !== "polite" && live.ariaLive !== "off") tell("not polite", live);
  }
  for (const el of document.querySelectorAll("[tabindex]")) if (el.tabIndex > 0) tell("order", el);
  const ours = document.documentElement.lang.slice(0, 2);
  const other = ours === "zh" ? /[A-Za-z]{2,}( [A-Za-z']{1,}){3,}/ : /[\\p{Script=Han}，。、：；]{8,}/u;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (!other.test(texts.currentNode.data) || !seen(el)) continue;
    if (el.closest("bdi, code, pre, textarea, script, .js-plotly-plot, [aria-hidden=true]")) continue;
    if (el.closest("[lang]").lang.startsWith(ours)) tell("language", el);
  }
  return faults;
}"""
"""JavaScript: one h1, tables with captions and scopes, polite announcements, languages named.

A term of the game or a name needs no language of its own, a sentence does.
"""


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_screen_reader_is_told_what_is_what(page: Page, archived: Site, lang: str) -> None:
    """Every page has one h1, captions, scopes, and says which text is of the other language."""
    faults = []
    for kind in kinds_of(archived):
        if kind.status == 200:
            open_page(page, archived, kind, lang)
            faults += [f"{kind.name}: {fault}" for fault in page.evaluate(STRUCTURE)]
    assert not faults, "\n".join(faults)
