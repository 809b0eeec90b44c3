"""The keyboard alone: Tab reaches every control, in order and in sight; dialogs give focus back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.everywhere import KINDS, Kind, Site, go, hand_of, kinds_of, open_page

WATCH = """() => {
  const can = "a[href], button, input, select, textarea, summary, [tabindex]";
  const focus = getComputedStyle(document.documentElement).getPropertyValue("--focus").trim();
  const probe = Object.assign(document.createElement("i"), { hidden: true });
  probe.style.color = focus;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const isRing = (el) => {
    const style = getComputedStyle(el);
    return style.outlineStyle === "auto"
      || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
      || style.boxShadow.includes(colour);
  };
  const ring = (el) => {
    for (let one = el, up = 0; one && up < 3; one = one.parentElement, up += 1) {
      if (isRing(one)) return true;
    }
    return false;
  };
  const middle = (from, to, most) => (Math.max(0, from) + Math.min(most - 1, to)) / 2;
  const inSight = (el) => {
    const box = el.getBoundingClientRect();
    if (box.bottom < 0 || box.top > innerHeight) return false;
    if (box.right < 0 || box.left > innerWidth) return false;
    const x = middle(box.left, box.right, innerWidth);
    const y = middle(box.top, box.bottom, innerHeight);
    const top = document.elementFromPoint(x, y);
    return !top || el.contains(top) || top.contains(el) || !top.closest("header, .dock, .skip");
  };
  const wanted = Array.from(document.querySelectorAll(can))
    .filter((el) => el.tabIndex >= 0 && !el.disabled && seen(el) && !el.closest("[inert]"));
  const reached = [];
  window.walk = { wanted, reached, faults: [] };
  document.addEventListener("focusin", ({ target }) => {
    const name = target.outerHTML.slice(0, 110);
    if (!ring(target)) walk.faults.push(`no ring: ${name}`);
    if (!inSight(target)) walk.faults.push(`out of sight: ${name}`);
    reached.push(target);
  });
  return wanted.length;
}"""
"""JavaScript: note what Tab is to reach, and what it reaches, whether one sees it."""

WALKED = """() => {
  const { wanted, reached, faults } = walk;
  const name = (el) => el.outerHTML.slice(0, 110);
  const group = (el) => el.type === "radio" && reached.some((one) => one.name === el.name);
  const missed = wanted.filter((el) => !reached.includes(el) && el.isConnected && !group(el));
  for (const el of missed) faults.push(`not reached: ${name(el)}`);
  for (let at = 1; at < reached.length; at += 1) {
    const [one, next] = [reached[at - 1], reached[at]];
    if (next === wanted[0] || one === next || !one.isConnected || !next.isConnected) continue;
    if (one.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_PRECEDING) {
      faults.push(`out of order: ${name(next)} behind ${name(one)}`);
    }
  }
  return Array.from(new Set(faults));
}"""
"""JavaScript: what was not reached, not seen, or in another order than it is written."""

MOUSE_ONLY = """() => {
  const can = "a[href], button, input, select, textarea, summary, label, option, [tabindex]";
  return Array.from(document.body.querySelectorAll("*"))
    .filter((el) => getComputedStyle(el).cursor === "pointer" && el.checkVisibility())
    .filter((el) => !el.closest(can) && !el.closest(".js-plotly-plot"))
    .map((el) => `for the mouse alone: ${el.outerHTML.slice(0, 110)}`);
}"""
"""JavaScript: what looks as if it could be clicked and takes no focus."""
MOST = 500
"""Controls on a page: none may have more."""
STOPS = 4
"""Presses of Tab that a field for a date takes: day, month, year, calendar."""


@pytest.fixture(autouse=True)
def _expected_answers(complaints: list[str]) -> Iterator[None]:
    """The console repeats that a page answered with an error, where it was to."""
    yield
    complaints[:] = [said for said in complaints if "Failed to load resource" not in said]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_tab_reaches_every_control(page: Page, archived: Site, foldered: Site, kind: Kind) -> None:
    """In the order of the page, always with a ring and in sight, and out again at its end."""
    open_page(page, archived if kind in kinds_of(archived) else foldered, kind, "zh")
    page.wait_for_load_state("networkidle")
    count = page.evaluate(WATCH)
    assert 0 < count <= MOST
    dates = page.locator("input[type=date]").count()
    for _ in range(count + dates * STOPS + 3):
        page.keyboard.press("Tab")
    faults = page.evaluate(WALKED) + page.evaluate(MOUSE_ONLY)
    assert not faults, "\n".join(faults)


def test_shift_tab_goes_back_the_same_way(page: Page, archived: Site) -> None:
    """What Tab reached, Shift+Tab reaches in the other order."""
    go(page, archived, f"/hand/{hand_of('dagong')}#20/0", "zh")
    name = "document.activeElement.id || document.activeElement.outerHTML.slice(0, 80)"
    forth = []
    for _ in range(12):
        page.keyboard.press("Tab")
        forth.append(page.evaluate(name))
    back = [forth[-1]]
    for _ in range(11):
        page.keyboard.press("Shift+Tab")
        back.append(page.evaluate(name))
    assert len(set(forth)) == len(forth)
    assert back == forth[::-1]


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there; from the top of the page."""
    page.evaluate("document.activeElement.blur()")
    wanted = page.locator(selector)
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if wanted.evaluate("el => el === document.activeElement"):
            return
    pytest.fail(f"Tab does not reach {selector}")


def number(page: Page) -> str:
    """The number of the step that the table shows."""
    return page.locator("#caption-number").inner_text().split()[0]


def test_the_skip_link_lands_behind_the_header(page: Page, archived: Site) -> None:
    """It is the first stop, comes into sight, and the next stop is within the page's own part."""
    for path, ready in (("/", "main h1"), ("/rules/gunzi", "main h1"), ("/players", "main h1")):
        go(page, archived, path, "zh", ready=ready)
        skip = page.locator("a.skip").first
        page.keyboard.press("Tab")
        expect(skip).to_be_focused()
        expect(skip).to_be_in_viewport(ratio=1)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#main$"))
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('main') !== null"), path


def test_a_hand_is_stepped_with_its_buttons_by_the_keyboard(page: Page, archived: Site) -> None:
    """Enter and Space press what Tab reaches: each button does what it says."""
    go(page, archived, f"/hand/{hand_of('dagong')}#20/0", "zh")
    tab_to(page, "#hide")
    page.keyboard.press("Space")
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-place=across] .card.back").first).to_be_visible()
    for button, after in (("#forward", "21"), ("#back", "20"), ("#last", ""), ("#first", "1")):
        tab_to(page, button)
        page.keyboard.press("Enter")
        if after:
            expect(page.locator("#caption-number")).to_contain_text(re.compile(rf"^{after}\b"))
    tab_to(page, "#forward")
    page.keyboard.press("Space")
    expect(page.locator("#caption-number")).to_contain_text(re.compile(r"^2\b"))
    tab_to(page, "#slider")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#caption-number")).to_contain_text(re.compile(r"^3\b"))
    page.keyboard.press("End")
    assert int(number(page)) > 50


def test_tabs_are_one_stop_and_turned_by_arrows(page: Page, archived: Site) -> None:
    """Arrows choose a tab and open its panel; what is in the panel comes next."""
    go(page, archived, f"/hand/{hand_of('dagong')}#20/0", "zh")
    tab_to(page, "#tab-events")
    tabs = page.locator("[role=tab]")
    for at in range(1, tabs.count()):
        page.keyboard.press("ArrowRight")
        expect(tabs.nth(at)).to_be_focused()
        expect(tabs.nth(at)).to_have_attribute("aria-selected", "true")
        panel = tabs.nth(at).get_attribute("aria-controls")
        expect(page.locator(f"#{panel}")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(tabs.first).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[role=tabpanel]').id") == "panel-events"


@pytest.mark.parametrize(("opener", "dialog"), [("#help-open", "#help"), ("#share-open", "#share")])
def test_a_dialog_keeps_the_focus_and_gives_it_back(
    page: Page, archived: Site, opener: str, dialog: str
) -> None:
    """It opens with Enter, Tab stays within, Esc closes it, and the focus is where it was."""
    go(page, archived, f"/hand/{hand_of('dagong')}#20/0", "zh")
    tab_to(page, opener)
    page.keyboard.press("Enter")
    expect(page.locator(dialog)).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        where = page.evaluate("document.activeElement.closest('dialog, body').tagName")
        # The browser's own controls lie between the last stop and the first.
        assert where == "DIALOG" or page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Escape")
    expect(page.locator(dialog)).to_be_hidden()
    expect(page.locator(opener)).to_be_focused()


def test_menus_open_and_close_by_the_keyboard(page: Page, archived: Site) -> None:
    """Enter opens one, Tab goes into it, Esc closes it and the focus is on what opened it."""
    for path, menu in (("/", "#rules"), (f"/hand/{hand_of('dagong')}#20/0", "#menu")):
        go(page, archived, path, "zh", ready="main h1")
        tab_to(page, f"{menu} > summary")
        page.keyboard.press("Enter")
        expect(page.locator(f"{menu} .menu-list")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.locator(f"{menu} .menu-list a").first).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(f"{menu} .menu-list")).to_be_hidden()
        expect(page.locator(f"{menu} > summary")).to_be_focused()


def test_lists_are_asked_by_the_keyboard(page: Page, archived: Site) -> None:
    """What is typed is asked with Enter; a game's count and the next page are links."""
    go(page, archived, "/", "zh", ready="main h1")
    tab_to(page, "input[name=q]")
    page.keyboard.type("match-greedy")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=match-greedy"))
    tab_to(page, ".pager a[rel=next]")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("page=2"))
    tab_to(page, "tbody tr:first-child .hand-link")
    page.keyboard.press("Enter")
    expect(page.locator("body.hand-page[data-ready]")).to_be_attached()


def test_after_a_click_the_keys_are_the_pages_again(page: Page, archived: Site) -> None:
    """Arrows step and Space plays, whatever the mouse has pressed; by Tab they are a control's."""
    go(page, archived, f"/hand/{hand_of('dagong')}#40/0", "en")
    number, tab = page.locator("#caption-number"), page.locator("#tab-sheet")
    tab.click()
    page.keyboard.press("ArrowRight")
    expect(number).to_have_text(re.compile("^41 / "))
    expect(tab).to_have_attribute("aria-selected", "true")
    page.locator("[data-do=forward]").first.click()
    expect(number).to_have_text(re.compile("^42 / "))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_accessible_name("Pause")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_accessible_name("Play")
    tab.focus()
    page.keyboard.press("ArrowRight")
    expect(tab).to_have_attribute("aria-selected", "false")
