"""The hand page in a real Chromium: stepping, keys, address, findings, a phone's screen."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from replay.messages import text
from tests.browser.pages import DESKTOP, PHONE, at_rest, open_hand, place, shown
from tests.viewer_logs import (
    BLOCKED,
    CLEAN,
    FALSE_TRICK,
    FAULTY,
    HOSTILE,
    NAMES,
    ids_in,
)


def test_from_the_list_to_the_table(page: Page, site: str, folder: Path) -> None:
    """The newest hand stands first; its link opens the table, the charts draw, and Back returns."""
    page.goto(f"{site}/?lang=en")
    expect(page.locator("#scanning")).to_have_count(0)  # until then the page renews itself
    expect(page.locator('.chart[data-figure="seats"] .gtitle')).to_be_visible()
    outside = """[...document.querySelectorAll('.chart :is(.main-svg, .gtitle)')].filter((part) => {
        const box = part.getBoundingClientRect();
        const chart = part.closest('.chart').getBoundingClientRect();
        return box.top < chart.top || box.bottom > chart.bottom + 1;
    }).length"""
    assert page.evaluate(outside) == 0
    page.locator(".hand-link").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert f"/hand/{ids_in(folder / FAULTY)[-1]}" in page.url
    page.locator("#forward").click()
    page.go_back()
    expect(page.locator("table.hands")).to_be_visible()


def test_buttons_step_event_by_event_and_trick_by_trick(
    page: Page, site: str, folder: Path
) -> None:
    """Forward, back, next trick, last, first: caption, list and slider follow."""
    open_hand(page, site, folder, FALSE_TRICK, "#1")
    assert shown(page).startswith("1 /")
    page.locator("#forward").click()
    page.locator("#forward").click()
    assert shown(page).startswith("3 /")
    page.locator("#back").click()
    assert shown(page).startswith("2 /")
    expect(page.locator(".event[aria-current=true] .no")).to_have_text("2")
    assert page.locator("#slider").input_value() == "2"
    page.locator("#forward-trick").click()
    expect(page.locator(".trick-no")).to_have_text("Trick 1")
    page.locator("#last").click()
    number, _, of = shown(page).partition(" / ")
    assert number == of
    page.locator("#first").click()
    assert shown(page).startswith("1 /")


def test_keys_do_what_the_buttons_do(page: Page, site: str, folder: Path) -> None:
    """Arrows, letters, brackets, Home and End step; a key with Ctrl is the browser's."""
    open_hand(page, site, folder, FALSE_TRICK, "#1")
    for key, event in (("ArrowRight", 2), ("j", 3), ("k", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(page.locator("#caption-number")).to_have_text(re.compile(f"^{event} / "))
    page.keyboard.press("]")
    expect(page.locator(".trick-no")).to_have_text("Trick 1")
    page.keyboard.press("]")
    expect(page.locator(".trick-no")).to_have_text("Trick 2")
    second = shown(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("[")
    assert shown(page) == second, "back to the beginning of the trick first"
    page.keyboard.press("[")
    expect(page.locator(".trick-no")).to_have_text("Trick 1")
    page.keyboard.press("End")
    last = shown(page)
    assert last.partition(" / ")[0] == last.partition(" / ")[2]
    page.keyboard.press("Control+ArrowLeft")
    assert shown(page) == last
    page.keyboard.press("Home")
    assert shown(page).startswith("1 /")


def test_it_plays_by_itself_and_stops(page: Page, site: str, folder: Path) -> None:
    """Space plays, faster with +; Space again stops where it is."""
    open_hand(page, site, folder, FALSE_TRICK, "#1")
    for _ in range(3):
        page.keyboard.press("+")
    expect(page.locator("#speed")).to_have_text("8×")
    page.keyboard.press("Space")
    expect(page.locator("#caption-number")).to_have_text(re.compile(r"^\d\d / "))
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    stopped = place(page)
    page.wait_for_timeout(400)
    assert place(page) == stopped


def test_the_address_holds_the_place_and_brings_it_back(
    page: Page, site: str, folder: Path
) -> None:
    """Event, seat and hidden hands stand in the fragment, and a reload restores all three."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/2")
    assert place(page) == "20/2"
    expect(page.locator('.seat-view[data-place="self"] bdi')).to_have_text(NAMES[2])
    page.keyboard.press("h")
    expect(page.locator(".card.back").first).to_be_visible()
    page.keyboard.press("v")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#caption-number")).to_have_text(re.compile("^21 / "))
    assert place(page) == "21/3:h"
    page.reload()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert shown(page).startswith("21 /")
    expect(page.locator('.seat-view[data-place="self"] bdi')).to_have_text(NAMES[3])
    assert page.locator('.seat-view[data-place="self"] .card.back').count() == 0
    assert page.locator('.seat-view[data-place="across"] .card.back').count() > 0
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")


def test_a_hand_opens_where_there_is_something_to_see(page: Page, site: str, folder: Path) -> None:
    """Without a step in the address: at the deal, or at the first finding; Home goes to step 1."""
    hand = ids_in(folder / FAULTY)[FALSE_TRICK]
    found = page.request.get(f"{site}/hand/{hand}/steps.json").json()
    dealt = 1 + [step["k"] for step in found["steps"]].index("dealt")
    open_hand(page, site, folder, 0)
    assert shown(page).startswith(f"{dealt} /")
    assert page.locator(".felt .card").count() >= 4 * 27
    page.keyboard.press("Home")
    assert shown(page).startswith("1 /")
    open_hand(page, site, folder, FALSE_TRICK)
    flawed = found["findings"][0]["event"]
    assert shown(page).startswith(f"{flawed + 1} /")
    as_reported = text("en", "view.js.in_reports", event=flawed, hand=FALSE_TRICK)
    expect(page.locator("#findings-here .detail")).to_contain_text(as_reported)
    expect(page.locator(".event[aria-current=true]")).to_have_attribute("title", as_reported)
    page.goto("about:blank")
    open_hand(page, site, folder, FALSE_TRICK, "#/0:s")
    assert shown(page) == str(dealt)


def test_a_phones_menu_leads_to_logs_rules_and_help(page: Page, site: str, folder: Path) -> None:
    """What the header has no room for is in the menu; a touch elsewhere closes it."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    open_hand(page, site, folder, FALSE_TRICK)
    menu = page.locator("#menu summary")
    menu.click()
    page.locator("#help-menu").click()
    expect(page.locator("#help")).to_contain_text(text("en", "view.help.counting"))
    page.keyboard.press("Escape")
    expect(page.locator("#menu .menu-list")).to_be_hidden()
    menu.click()
    page.locator(".dock").click(position={"x": 2, "y": 2})
    expect(page.locator("#menu .menu-list")).to_be_hidden()
    for address in ("/logs", "/rules/dagong"):
        menu.click()
        page.locator(f'#menu .menu-list a[href^="{address}"]').click()
        expect(page).to_have_url(re.compile(re.escape(f"{site}{address}")))


def test_house_rules_and_rule_classes_are_readable(page: Page, site: str, folder: Path) -> None:
    """Values of the house rules have the panel's width; each rule class is a row of its own."""
    rows = """selector => [...document.querySelectorAll(selector)].map((item) => {
        const box = item.getBoundingClientRect();
        return [box.top, box.bottom, box.width];
    })"""
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        open_hand(page, site, folder, 0)
        page.locator("#tab-about").click()
        assert min(width for _, _, width in page.evaluate(rows, "#panel-about .stacked dd")) > 250
        page.goto(f"{site}/rules/dagong?lang=en")
        legend = page.evaluate(rows, ".legend li")
        assert len(legend) == 4
        assert all(above[1] <= below[0] for above, below in pairwise(legend))
        assert min(width for _, _, width in legend) > 300


def test_seats_stand_in_the_order_of_play(page: Page, site: str, folder: Path) -> None:
    """The next seat is on the right, play runs counter-clockwise; a click on a name sits there."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/0")
    for spot, seat in (("self", 0), ("right", 1), ("across", 2), ("left", 3)):
        expect(page.locator(f'.seat-view[data-place="{spot}"] bdi')).to_have_text(NAMES[seat])
    page.locator('.seat-view[data-place="right"] .sit').click()
    expect(page.locator('.seat-view[data-place="self"] bdi')).to_have_text(NAMES[1])
    assert place(page) == "20/1"
    for key, seat in (("f", 2), ("v", 3), ("c", 2)):
        page.keyboard.press(key)
        expect(page.locator('.seat-view[data-place="self"] bdi')).to_have_text(NAMES[seat])


def test_cards_lie_from_big_to_small(page: Page, site: str, folder: Path) -> None:
    """Every open hand begins with its greatest card on the left."""
    open_hand(page, site, folder, FALSE_TRICK, "#5/0")
    order = [*"2AKQJ", *map(str, range(10, 2, -1))]
    for spot in ("self", "right", "across", "left"):
        corners = page.locator(f'.seat-view[data-place="{spot}"] .card b').all_inner_texts()
        assert len(corners) == 27
        ranks = [order.index(corner) if corner in order else -1 for corner in corners]
        assert ranks == sorted(ranks)


def test_a_finding_is_marked_and_its_link_lands_on_the_rule(
    page: Page, site: str, folder: Path
) -> None:
    """`n` goes to the finding; list, timeline and notice mark it; the rule page opens at it."""
    open_hand(page, site, folder, FALSE_TRICK, "#1")
    page.keyboard.press("n")
    expect(page.locator("#findings-here .here")).to_have_count(1)
    expect(page.locator(".event[aria-current=true].flawed .flaw")).to_be_visible()
    assert page.locator(".timeline-marks .flaw").count() == 1
    assert page.locator(".seat-finding").count() == 1
    rule = page.locator("#findings-here .rule-link").inner_text()
    page.locator("#findings-here .rule-link").click()
    expect(page.locator(f'.rule:target a[href="#{rule}"]')).to_be_visible()
    expect(page.locator(".rule:target")).to_be_in_viewport()


def test_behind_a_blocking_fault_the_last_table_stays(page: Page, site: str, folder: Path) -> None:
    """It says from where nothing is verified, and keeps showing what was defined last."""
    open_hand(page, site, folder, BLOCKED, "#1")
    expect(page.locator("#felt-note")).to_have_text("not open yet")
    page.keyboard.press("n")
    expect(page.locator("#felt-note")).to_have_text("not verified from here")
    before = page.locator('.seat-view[data-place="self"] .card').count()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#felt-note")).to_be_visible()
    assert page.locator('.seat-view[data-place="self"] .card').count() == before > 0


def test_a_line_of_the_list_and_a_number_of_the_sheet_lead_to_the_event(
    page: Page, site: str, folder: Path
) -> None:
    """A click in the list goes there; a click on captured points goes to where they came from."""
    page.goto(f"{site}/hand/{hand_with_points(site, page, folder)}?lang=en")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.locator(".event").nth(11).click()
    assert shown(page).startswith("12 /")
    page.locator("#tab-sheet").click()
    number = page.locator(".sheet .goto[data-events]").first
    number.click()
    assert shown(page).partition(" / ")[0] in (number.get_attribute("data-events") or "").split()
    page.locator("#tab-chart").click()
    expect(page.locator("#chart .main-svg").first).to_be_visible()


def hand_with_points(site: str, page: Page, folder: Path) -> str:
    """A hand that keeps points and was settled: it has a chart and numbers that lead somewhere."""
    hands = [hand for name in (CLEAN, FAULTY) for hand in ids_in(folder / name)]
    answers = ((hand, page.request.get(f"{site}/hand/{hand}/charts.json").json()) for hand in hands)
    return next(
        hand
        for hand, answer in answers
        if answer["points"] and "data-events" in page.request.get(f"{site}/hand/{hand}").text()
    )


def test_help_opens_and_closes(page: Page, site: str, folder: Path) -> None:
    """`?` shows the keys, Esc closes them; while they are open, keys do not step."""
    open_hand(page, site, folder, FALSE_TRICK, "#1")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert shown(page).startswith("1 /")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    assert shown(page).startswith("2 /")


def test_without_spoilers_nothing_tells_what_comes(page: Page, site: str, folder: Path) -> None:
    """Result, later events and the length of the hand are out of sight."""
    open_hand(page, site, folder, FALSE_TRICK, "#9/0:s")
    assert shown(page) == "9"
    for hidden in (".outcome", ".finding-list", "#tab-sheet", "#tab-chart", "#next-finding"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#slider")).to_have_attribute("max", "9")
    assert page.locator(".event:visible").count() == 9
    page.keyboard.press("s")
    expect(page.locator(".outcome")).to_be_visible()


def test_steps_are_announced(page: Page, site: str, folder: Path) -> None:
    """The live region says each step, with its number, so that equal acts are heard again."""
    open_hand(page, site, folder, FALSE_TRICK, "#4/0")
    first = page.locator("#live").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#live")).not_to_have_text(first)
    assert page.locator("#live").inner_text().startswith("Step 5")


def test_names_that_are_markup_are_shown_as_written(page: Page, site: str, folder: Path) -> None:
    """They run nothing and build nothing, on the table, in the list and in the sheet."""
    page.on("dialog", lambda dialog: pytest.fail(f"a name ran: {dialog.message}"))
    open_hand(page, site, folder, FALSE_TRICK, "#20/0")
    expect(page.locator('.seat-view[data-place="self"] bdi')).to_have_text(HOSTILE)
    assert page.locator("img").count() == 0
    page.goto(f"{site}/?lang=en&player={NAMES[2]}")
    expect(page.locator(".players bdi").first).to_have_text(HOSTILE)
    assert page.locator("img").count() == 0


def test_the_other_language_opens_at_the_same_step(page: Page, site: str, folder: Path) -> None:
    """The toggle keeps the place."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/1")
    page.locator("#language").click()
    expect(page.locator("html[lang=zh-Hans] body[data-ready]")).to_be_attached()
    assert place(page) == "20/1"


@pytest.mark.parametrize("event", [5, 20, 60, 999])
def test_on_a_phone_nothing_is_cut_off(page: Page, site: str, folder: Path, event: int) -> None:
    """Upright, no page is wider than the screen and no card lies outside it."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    open_hand(page, site, folder, FALSE_TRICK, f"#{event}/0")
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(wide)
    at_rest(page)
    outside = """[...document.querySelectorAll('.felt .card, .felt .plate > *')].filter((card) => {
        const box = card.getBoundingClientRect();
        const felt = card.closest('.felt').getBoundingClientRect();
        return box.left < 0 || box.right > innerWidth || box.bottom > felt.bottom + 1;
    }).length"""
    assert page.evaluate(outside) == 0
    for tab in ("legal", "sheet", "about", "events"):
        page.locator(f"#tab-{tab}").click()
        assert not page.evaluate(wide), tab


def test_lists_and_reports_fit_a_phone(page: Page, site: str) -> None:
    """The other pages are no wider than the screen either."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{site}/logs?lang=en")
    logs = [link.get_attribute("href") for link in page.locator(".hand-link").all()]
    for address in ("/?lang=en", "/logs?lang=zh", "/rules/dagong?lang=en", *logs):
        page.goto(f"{site}{address}")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), address
