"""Notes and bookmarks in a real Chromium: kept in the browser, out and in as a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import open_hand, place
from tests.viewer_logs import FAULTY, HOSTILE, ids_in

TEXT = "应该先出对子 <b>x</b>"
LINE = "#panel-notes .note-list li"
TOLD = "#panel-notes .notes-told"


def open_notes(page: Page, site: str, folder: Path, at: int = 30) -> None:
    """Open a hand at a step, with its notes beside the table."""
    open_hand(page, site, folder, 0, f"#{at}")
    page.locator("#tab-notes").click()
    expect(page.locator("#panel-notes form")).to_be_visible()


def write_note(page: Page, text: str, mark: str = "") -> None:
    """Write a note at the step that the table shows."""
    page.locator("#panel-notes textarea").fill(text)
    if mark:
        page.locator(f'#panel-notes input[value="{mark}"]').check(force=True)
    page.locator("#panel-notes button[type=submit]").click()


def kept(page: Page, hand: str) -> Any:
    """What the browser keeps of a hand."""
    found = page.evaluate("(hand) => localStorage.getItem('paipu.notes.' + hand)", hand)
    return found and json.loads(found)


def open_all(page: Page, site: str) -> None:
    """The page of all notes."""
    page.goto(f"{site}/notes?lang=en")
    expect(page.locator("body[data-ready]")).to_be_attached()


def take_in(page: Page, text: str) -> str:
    """Import a file and read what is said of it."""
    page.locator("#told").evaluate("(told) => told.replaceChildren()")
    file = {"name": "notes.json", "mimeType": "application/json", "buffer": text.encode()}
    page.locator("#import").set_input_files(file)  # type: ignore[arg-type]
    expect(page.locator("#told p").first).to_be_visible()
    return page.locator("#told").inner_text()


def a_file(*notes: dict[str, Any], hand: str = "0123456789abcdef", **more: Any) -> str:
    """A file of notes on one hand."""
    hands = [{"hand": hand, "title": "log · 1", "notes": list(notes)}]
    return json.dumps({"format": "paipu-notes", "version": 1, "hands": hands} | more)


def a_note(**more: Any) -> dict[str, Any]:
    """A good note, changed as asked."""
    return {"id": "a1", "step": 7, "mark": "?", "text": "x", "at": 1000, "changed": 1000} | more


def test_a_note_is_written_and_survives_a_reload(page: Page, site: str, folder: Path) -> None:
    """Text and mark stand in the list, on the timeline, and are there after a reload."""
    open_notes(page, site, folder)
    write_note(page, TEXT, "??")
    expect(page.locator(TOLD)).to_contain_text("step 30")
    expect(page.locator(LINE)).to_have_count(1)
    expect(page.locator(f"{LINE} .note-text")).to_have_text(TEXT)
    expect(page.locator("#panel-notes textarea")).to_have_value("")
    page.reload()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#timeline-notes .note-sign")).to_have_text("??")
    note = kept(page, ids_in(folder / FAULTY)[0])["notes"][0]
    assert (note["step"], note["mark"], note["text"]) == (30, "??", TEXT)


def test_a_bookmark_is_set_and_taken_away_by_key(page: Page, site: str, folder: Path) -> None:
    """`m` sets it, said to who reads the page aloud; `m` takes it away, and it can be had back."""
    open_hand(page, site, folder, 0, "#12")
    page.keyboard.press("m")
    expect(page.locator("#timeline-notes .note-sign")).to_have_count(1)
    expect(page.locator("#toast")).to_contain_text("12")
    page.keyboard.press("m")
    expect(page.locator("#timeline-notes .note-sign")).to_have_count(0)
    page.locator("#tab-notes").click()
    page.locator("#panel-notes .notes-undo").click()
    expect(page.locator("#timeline-notes .note-sign")).to_have_count(1)


def test_a_bookmark_never_takes_a_text_away(page: Page, site: str, folder: Path) -> None:
    """Where a note stands, `m` says so."""
    open_notes(page, site, folder)
    write_note(page, TEXT)
    page.locator("#tab-notes").focus()
    page.keyboard.press("m")
    expect(page.locator(TOLD)).to_contain_text("already")
    expect(page.locator(LINE)).to_have_count(1)


def test_notes_and_their_marks_lead_to_the_step(page: Page, site: str, folder: Path) -> None:
    """A click on the line, and one on the mark of the timeline."""
    open_notes(page, site, folder)
    write_note(page, TEXT)
    page.locator("#first").click()
    page.locator(f"{LINE} .goto").click()
    expect(page.locator("#caption-number")).to_contain_text("30 /")
    expect(page.locator(f"{LINE}.at-step")).to_have_count(1)
    page.locator("#first").click()
    page.locator("#timeline-notes .note-sign").click()
    expect(page.locator("#caption-number")).to_contain_text("30 /")
    assert place(page).startswith("30/")


def test_editing_and_deleting_can_be_undone(page: Page, site: str, folder: Path) -> None:
    """Both by keyboard alone; what stood there before comes back."""
    open_notes(page, site, folder)
    write_note(page, TEXT)
    page.locator(LINE).get_by_role("button", name="Edit the note").press("Enter")
    page.locator("#panel-notes textarea").fill("other")
    page.locator("#panel-notes button[type=submit]").press("Enter")
    expect(page.locator(f"{LINE} .note-text")).to_have_text("other")
    page.locator("#panel-notes .notes-undo").press("Enter")
    expect(page.locator(f"{LINE} .note-text")).to_have_text(TEXT)
    page.locator(LINE).get_by_role("button", name="Delete the note").press("Enter")
    expect(page.locator(LINE)).to_have_count(0)
    page.locator("#panel-notes .notes-undo").press("Enter")
    expect(page.locator(f"{LINE} .note-text")).to_have_text(TEXT)


def test_a_text_stays_with_the_step_it_was_begun_at(page: Page, site: str, folder: Path) -> None:
    """Whoever steps on while writing writes about the step where he began."""
    open_notes(page, site, folder)
    page.locator("#panel-notes textarea").fill("begun")
    page.locator("#forward").click()
    expect(page.locator("#panel-notes legend")).to_contain_text("30")
    page.locator("#panel-notes button[type=submit]").click()
    expect(page.locator(f"{LINE} .goto")).to_have_text("Step 30")


def test_all_notes_lead_to_their_hands(page: Page, site: str, folder: Path) -> None:
    """The page of all notes names the hand and opens it at the step."""
    open_notes(page, site, folder)
    write_note(page, TEXT, "!")
    open_all(page, site)
    expect(page.locator("#count")).to_contain_text("1 note on 1 hand")
    page.locator("#hands .note-list a").click()
    expect(page.locator("#caption-number")).to_contain_text("30 /")


def test_what_is_exported_can_be_imported(page: Page, site: str, folder: Path) -> None:
    """The file has a format and a version; it comes back whole, and again changes nothing."""
    open_notes(page, site, folder)
    write_note(page, TEXT, "!")
    open_all(page, site)
    with page.expect_download() as download:
        page.locator("#export").click()
    text = download.value.path().read_text("utf-8")
    file = json.loads(text)
    assert (file["format"], file["version"]) == ("paipu-notes", 1)
    page.evaluate("localStorage.clear()")
    assert "1 new, 0 changed, 0 the same" in take_in(page, text)
    assert kept(page, file["hands"][0]["hand"])["notes"] == file["hands"][0]["notes"]
    assert "0 new, 0 changed, 1 the same" in take_in(page, text)


def test_an_import_merges_and_says_what_it_did(page: Page, site: str) -> None:
    """New, changed, and older ones, of which the own stay; all of it can be undone."""
    open_all(page, site)
    assert "1 new" in take_in(page, a_file(a_note()))
    said = take_in(page, a_file(a_note(text="y", changed=2000), a_note(id="b")))
    assert "1 new, 1 changed, 0 the same" in said
    page.locator("#undo").click()
    expect(page.locator(".note-text")).to_have_text("x")
    said = take_in(page, a_file(a_note(text="old", changed=10)))
    assert "1 were changed later here" in said
    expect(page.locator(".note-text")).to_have_text("x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "damaged"),
        ("", "damaged"),
        ("null", "not a file of notes"),
        ('{"format": "other"}', "not a file of notes"),
        (a_file(version=2), "version"),
        (a_file(hands={}), "damaged"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(page: Page, site: str, text: str, says: str) -> None:
    """A sentence names the file and what is wrong; nothing is taken in."""
    open_all(page, site)
    said = take_in(page, text)
    assert says in said
    assert "notes.json" in said
    expect(page.locator("#none")).to_be_visible()


def test_single_bad_notes_are_refused_with_their_reason(page: Page, site: str) -> None:
    """The others are taken in; markup in a title or a text stays text."""
    open_all(page, site)
    bad = [a_note(id="c", step=0), a_note(id="d", mark="!!!"), a_note(id="e", text=1), None]
    said = take_in(page, a_file(a_note(text=HOSTILE), *bad))  # type: ignore[arg-type]
    assert "1 new" in said
    for why in ("no valid step", "a mark that is not known", "no valid text", "not a note"):
        assert f"1 refused: {why}" in said
    expect(page.locator(".note-text")).to_have_text(HOSTILE)
    assert "1 refused: no valid id of a hand" in take_in(page, a_file(a_note(), hand="../x"))


def test_what_cannot_be_read_is_never_written_over(page: Page, site: str, folder: Path) -> None:
    """A broken entry is said, and set aside when a note is saved."""
    hand = ids_in(folder / FAULTY)[0]
    open_all(page, site)
    page.evaluate("(hand) => localStorage.setItem('paipu.notes.' + hand, '{oops')", hand)
    open_notes(page, site, folder)
    expect(page.locator(TOLD)).to_contain_text("cannot be read")
    write_note(page, TEXT)
    expect(page.locator(LINE)).to_have_count(1)
    assert "{oops" in page.evaluate("Object.values(localStorage)")
    open_all(page, site)
    expect(page.locator("#broken")).to_contain_text("1 place")


def test_full_storage_is_said(page: Page, site: str, folder: Path) -> None:
    """Nothing is lost: the text stays in the form."""
    open_notes(page, site, folder)
    page.evaluate(
        """() => { let size = 1 << 20; let n = 0;
        while (size >= 1) { try { localStorage.setItem(`x${n}`, 'x'.repeat(size)); n += 1; }
        catch { size = Math.floor(size / 2); } } }"""
    )
    write_note(page, TEXT)
    expect(page.locator(TOLD)).to_contain_text("full")
    expect(page.locator("#panel-notes textarea")).to_have_value(TEXT)
    expect(page.locator(LINE)).to_have_count(0)


def test_storage_that_is_off_is_said(page: Page, site: str, folder: Path) -> None:
    """The page works, and says that no note can be kept."""
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
    )
    open_notes(page, site, folder)
    expect(page.locator(TOLD)).to_contain_text("cannot be saved")
    open_all(page, site)
    expect(page.locator("#told")).to_contain_text("cannot be saved")
