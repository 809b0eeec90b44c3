"""The panel of legal plays in a real Chromium: asked by mouse, keyboard and finger."""

from pathlib import Path

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from replay.messages import text
from replay.reader import open_reader
from tests.browser.pages import PHONE, open_hand, place, shown
from tests.viewer_logs import BLOCKED, FAULTY, ids_in


class Follow(Struct, frozen=True):
    """A step (from 1) at which a seat can beat what lies there, but not with its lowest card."""

    step: int
    seat: int


@pytest.fixture(scope="module")
def follow(folder: Path) -> Follow:
    """Such a step of the first hand of FAULTY."""
    reader, hand = open_reader(folder), ids_in(folder / FAULTY)[0]
    for moment in reader.hand(hand, None).moments:
        if moment.kind != "played" or moment.seat is None:
            continue
        found = reader.position(hand, moment.index, None, None)
        assert found.board is not None
        held = found.board.seats[moment.seat].cards
        assert held
        sets = [each.cards for group in found.plays for each in group.sets]
        if found.board.to_beat and sets and held[:1] not in sets:
            return Follow(moment.index + 1, moment.seat)
    raise AssertionError("in every hand somebody follows")


def test_cards_are_asked_about_with_the_mouse(
    page: Page, site: str, folder: Path, follow: Follow
) -> None:
    """A card that beats nothing: the rule, its sentence, its clause; a legal set: what it is."""
    open_hand(page, site, folder, 0, f"#{follow.step}/0")
    page.locator("#tab-legal").click()
    assert place(page) == f"{follow.step}/0:l"
    expect(page.locator(".legal-ask")).to_contain_text(text("en", "ask.follow"))
    expect(page.locator(".legal-must")).to_contain_text("must beat")
    page.locator(".pick").last.click()
    expect(page.locator(".pick").last).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".answer.bad .said")).to_contain_text("Not legal")
    rule = page.locator(".answer .rule-link").inner_text()
    expect(page.locator(".answer .clause")).to_contain_text(text("en", f"rule.{rule}"))
    page.locator(".set").first.click()
    expect(page.locator(".answer.good .said")).to_contain_text("Legal")
    chosen = page.locator(".set").first.inner_text().split()
    assert page.locator(".pick[aria-pressed=true]").count() == len(chosen)
    page.locator(".more", has_text="Pass?").click()
    expect(page.locator(".answer.good .said")).to_contain_text(text("en", "play.pass"))
    page.locator(".more", has_text="Clear").click()
    expect(page.locator(".answer")).to_have_count(0)
    page.locator(".pick").last.click()
    page.locator(".answer .rule-link").click()
    expect(page.locator(f'.rule:target a[href="#{rule}"]')).to_be_visible()


def test_cards_are_asked_about_with_the_keyboard(
    page: Page, site: str, folder: Path, follow: Follow
) -> None:
    """`l` opens the panel; arrows move among the cards and step elsewhere; Space chooses."""
    open_hand(page, site, folder, 0, f"#{follow.step}/0")
    page.keyboard.press("w")
    expect(page.locator("#panel-legal .holding")).to_be_visible()
    page.locator(".pick").first.focus()
    page.keyboard.press("End")
    expect(page.locator(".pick").last).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator(".answer.bad")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    assert shown(page).startswith(f"{follow.step} /")
    assert page.locator(".pick[tabindex='0']").count() == 1
    page.locator("#panel-legal").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".legal-when")).to_have_text(f"Before step {follow.step + 1}")
    expect(page.locator(".answer")).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator("#panel-events")).to_be_visible()
    assert place(page) == f"{follow.step + 1}/0"


def test_a_link_opens_the_panel_and_large_numbers_are_folded(
    page: Page, site: str, folder: Path
) -> None:
    """The first lead has many plays: a few of each type, the rest behind a button."""
    hand = ids_in(folder / FAULTY)[0]
    steps = page.request.get(f"{site}/hand/{hand}/steps.json").json()["steps"]
    lead = 1 + next(n for n, step in enumerate(steps) if step["k"] == "played")
    answer = page.request.get(f"{site}/hand/{hand}/explain.json?event={lead - 1}").json()
    legal = sum(len(group["sets"]) for group in answer["plays"])
    open_hand(page, site, folder, 0, f"#{lead}/0:l")
    more = page.locator(".groups .more")
    expect(more.first).to_be_visible()
    assert page.locator(".set").count() < legal
    while more.count():
        more.first.click()
    assert page.locator(".set").count() == legal


def test_with_hidden_hands_other_seats_plays_are_hidden(
    page: Page, site: str, folder: Path, follow: Follow
) -> None:
    """The panel says so to another eye; the seat's own eye sees its plays."""
    open_hand(page, site, folder, 0, f"#{follow.step}/{(follow.seat + 1) % 4}:hl")
    expect(page.locator(".legal-note")).to_have_text(text("en", "view.js.legal_hidden"))
    assert page.locator("#panel-legal :is(.pick, .set)").count() == 0
    page.keyboard.press("c")
    expect(page.locator("#panel-legal .holding")).to_be_visible()
    assert place(page) == f"{follow.step}/{follow.seat}:hl"


def test_a_finding_proves_nothing_to_another_eye(page: Page, site: str, folder: Path) -> None:
    """With the other hands hidden the proof, a holding, is shown to its own seat alone."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    (finding,) = page.request.get(f"{site}/hand/{hand}/steps.json").json()["findings"]
    step, seat = finding["event"] + 1, finding["seat"]
    open_hand(page, site, folder, BLOCKED, f"#{step}/{(seat + 1) % 4}")
    proof = page.locator("#findings-here .detail", has_text="proof")
    expect(proof).to_have_count(1)
    page.keyboard.press("h")
    expect(proof).to_have_count(0)
    expect(page.locator("#findings-here .here")).to_have_count(1)
    page.keyboard.press("c")
    expect(proof).to_have_count(1)


def test_before_the_opening_and_behind_a_blocking_fault(
    page: Page, site: str, folder: Path
) -> None:
    """The panel says why there is nothing to say."""
    open_hand(page, site, folder, BLOCKED, "#1/0:l")
    expect(page.locator(".legal-note")).to_have_text(text("en", "view.js.not_opened"))
    page.keyboard.press("End")
    expect(page.locator(".legal-note")).to_contain_text("leaves the state undefined")


def test_a_phone_asks_with_a_finger(page: Page, site: str, folder: Path, follow: Follow) -> None:
    """Cards are wide enough to hit, nothing is wider than the screen, one can step meanwhile."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    open_hand(page, site, folder, 0, f"#{follow.step}/0:l")
    last = page.locator(".pick").last
    last.click()
    box = last.bounding_box()
    assert box is not None
    assert box["width"] >= 32
    expect(page.locator(".answer.bad")).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    expect(page.locator("#forward")).to_be_in_viewport()
    page.locator("#forward").click()
    expect(page.locator(".legal-when")).to_have_text(f"Before step {follow.step + 1}")
