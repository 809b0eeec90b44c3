"""Notes by the thousand on the page of all notes, and notes on steps that a hand does not have."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.test_notes import a_file, a_note, kept, open_all, take_in
from tests.viewer_logs import FAULTY, ids_in

MANY = 15_000
AT_ONCE = 300


def keep(page: Page, hand: str, notes: list[dict[str, Any]]) -> None:
    """Put notes where the browser keeps them, as the hand page does."""
    entry = json.dumps({"title": "log · 1", "notes": notes})
    page.evaluate(
        "([hand, entry]) => localStorage.setItem('paipu.notes.' + hand, entry)", [hand, entry]
    )


def test_notes_by_the_thousand_are_drawn_a_few_hundred_at_a_time(page: Page, site: str) -> None:
    """All are counted; the button draws more and leads to the first of them."""
    open_all(page, site)
    hand = "0123456789abcdef"
    keep(page, hand, [a_note(id=f"n{n}", step=n + 1) for n in range(MANY)])
    open_all(page, site)
    expect(page.locator("#count")).to_contain_text(f"{MANY}")
    expect(page.locator(".note-list li")).to_have_count(AT_ONCE)
    page.locator("#more").press("Enter")
    expect(page.locator(".note-list li")).to_have_count(2 * AT_ONCE)
    expect(page.locator(".note-list .goto").nth(AT_ONCE)).to_be_focused()
    page.evaluate("window.first = document.querySelector('.note-list li')")
    assert "damaged" in take_in(page, "{")
    assert "not a file of notes" in take_in(page, "null")
    assert "0 new, 0 changed, 1 the same" in take_in(page, a_file(a_note(id="n0", step=1)))
    assert page.evaluate("first.isConnected"), "nothing was drawn anew"
    assert "1 new" in take_in(page, a_file(a_note(id="other", step=3)))
    assert len(kept(page, hand)["notes"]) == MANY + 1
    expect(page.locator(".note-list li")).to_have_count(2 * AT_ONCE)


def test_the_last_notes_are_reached(page: Page, site: str) -> None:
    """Over several hands; the button goes when all are there, and the focus is not lost."""
    open_all(page, site)
    for hand in range(5):
        notes = [a_note(id=f"n{n}", step=n + 1, changed=9000 - hand) for n in range(100)]
        keep(page, f"{hand:016x}", notes)
    open_all(page, site)
    expect(page.locator(".notes-hand")).to_have_count(3)
    page.locator("#more").click()
    expect(page.locator(".note-list li")).to_have_count(500)
    expect(page.locator("#more")).to_be_hidden()
    expect(page.locator(".note-list .goto").nth(AT_ONCE)).to_be_focused()


def test_a_note_beyond_the_hand_leads_to_its_last_step(page: Page, site: str, folder: Path) -> None:
    """From the page of all notes and from the list beside the table."""
    open_all(page, site)
    hand = ids_in(folder / FAULTY)[0]
    assert "1 new" in take_in(page, a_file(a_note(step=999_999), hand=hand))
    page.locator("#hands .note-list a").click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    last = page.locator("#slider").get_attribute("max")
    expect(page.locator("#caption-number")).to_contain_text(f"{last} /")
    page.locator("#first").click()
    page.locator("#tab-notes").click()
    page.locator("#panel-notes .note-list .goto").click()
    expect(page.locator("#caption-number")).to_contain_text(f"{last} /")
