"""Everybody can use every page: axe-core finds nothing, a screen reader is told what is what."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import axe
from tests.browser.contrast import too_faint
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

LOOKS = {
    "zh": (("desktop", "light", ""), ("phone", "dark", "")),
    "en": (("phone", "light", ""), ("desktop", "dark", "color-contrast")),
}
"""Of each language a window, a theme, and the one rule that is asked where a look can show no more.

The four together have every pair of a language, a window and a theme.
"""


STRUCTURE = """() => {
  const faults = [];
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const tell = (what, el) => faults.push(`${what}: ${el.outerHTML.slice(0, 110)}`);
  const IS_NAME = "bdi, code, pre, textarea, script, .js-plotly-plot, [aria-hidden=true]";
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
  const [latin, anyHan] = [/[A-Za-z]{2,}( [a-z']{2,}){3,}/, /\\p{Script=Han}/u];
  const han = /[\\p{Script=Han}，。、：；]{8,}/u;
  const isLatin = (text) => latin.test(text) && !anyHan.test(text);
  const isOther = (text) => (ours === "zh" ? isLatin(text) : han.test(text));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (!isOther(texts.currentNode.data) || !seen(el)) continue;
    if (el.closest(IS_NAME)) continue;
    if (el.closest("[lang]").lang.startsWith(ours)) tell("language", el);
  }
  return faults;
}"""
"""JavaScript: one h1, tables with captions and scopes, polite announcements, languages named.

A term of the game or a name needs no language of its own, a sentence does.
"""


@pytest.fixture(scope="module", autouse=True)
def counted() -> Iterator[None]:
    """Tell how much was looked at."""
    yield
    runs, found = axe.checked["runs"], axe.checked["violations"]
    print(f"\naxe-core: {runs} looks at {len(KINDS)} kinds of pages, {found} violations")


@pytest.fixture(scope="module")
def titles() -> dict[str, str]:
    """The titles that were seen, and the endpoint of each."""
    return {}


def look(page: Page, what: str, window: str, theme: str, only: str = "") -> list[str]:
    """What is found in a window and a theme, each line with where it was seen."""
    show(page, window)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    lang = page.locator("html").get_attribute("lang")
    where = f"{what} ({lang}, {window}, {theme})"
    return [f"{where}: {line}" for line in (*axe.violations(page, only), *too_faint(page))]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_axe_finds_nothing(
    page: Page,
    archived: Site,
    foldered: Site,
    complaints: list[str],
    titles: dict[str, str],
    kind: Kind,
) -> None:
    """Every kind of page, in Chinese and English, light and dark, on a desktop and a phone.

    Each has one h1, captions and scopes, says which text is of the other language, and a title that
    no page of another kind has.
    """
    found = []
    for lang, looks in LOOKS.items():
        site = foldered if kind.over == "folder" or lang == "en" else archived
        if kind not in kinds_of(site):
            site = archived
        open_page(page, site, kind, lang)
        found += [f"{kind.name} ({lang}): {fault}" for fault in page.evaluate(STRUCTURE)]
        found += [fault for at in looks for fault in look(page, kind.name, *at)]
        assert page.title().endswith(" · 牌谱" if lang == "zh" else " · paipu")
        assert titles.setdefault(page.title(), kind.endpoint) == kind.endpoint
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


@pytest.mark.parametrize(
    ("locale", "lang"),
    [("zh-TW", "zh-Hans"), ("zh-CN", "zh-Hans"), ("en-US", "en"), ("fr", "zh-Hans")],
)
def test_pages_follow_the_browsers_language(
    browser: Browser, archived: Site, locale: str, lang: str
) -> None:
    """Chinese of any place gets Chinese, who reads neither too; the switch holds over links."""
    context = browser.new_context(locale=locale)
    page = context.new_page()
    html = page.locator("html")
    other = "en" if lang == "zh-Hans" else "zh-Hans"
    go(page, archived, "/notes")
    expect(html).to_have_attribute("lang", lang)
    page.locator("#language").click()
    expect(html).to_have_attribute("lang", other)
    for link in ("players", "matches", ""):
        page.locator(f".places a[href^='/{link}?']").click()
        expect(html).to_have_attribute("lang", other)
    page.locator(".hand-link").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(html).to_have_attribute("lang", other)
    context.close()
