"""The place in the fragment of a hand's address: what is read out of it, and written into it."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.pages import open_hand, place
from tests.viewer_logs import FALSE_TRICK

READ = """async (fragment) => {
    const script = [...document.scripts].find((script) => script.src.includes('/js/hand.js')).src;
    const { readPlace, writePlace } = await import(script.replace('hand.js', 'place.js'));
    const place = readPlace(fragment);
    return [place, writePlace(place)];
}"""
ABSENT = {
    "event": None,
    "seat": 0,
    "speed": 1,
    "hide": False,
    "legal": False,
    "spoilers": False,
    "counter": False,
}


RIGHT: dict[str, dict[str, object]] = {
    "#57/2:hs@4": {"event": 57, "seat": 2, "hide": True, "spoilers": True, "speed": 4},
    "#57": {"event": 57},
    "#/3": {"seat": 3},
    "#9:r": {"event": 9, "counter": True},
    "#9:l@0.5": {"event": 9, "legal": True, "speed": 0.5},
    "": {},
    "#": {},
}
WRONG = ["#0", "#57/4", "#57/-1", "#57:x", "#57:hh", "#57:", "#57@3", "#57@", "#57@NaN", "#a"]


def test_a_fragment_says_a_place(page: Page, site: str, folder: Path) -> None:
    """Event, seat, flags and speed, each of which may be left out; written, it says the same."""
    open_hand(page, site, folder, 0)
    for fragment, says in RIGHT.items():
        place, written = page.evaluate(READ, fragment)
        assert place == {**ABSENT, **says}, fragment
        assert page.evaluate(READ, written)[0] == place, written


def test_a_fragment_that_is_wrong_counts_as_absent(page: Page, site: str, folder: Path) -> None:
    """No such seat, flag or speed, a flag twice, an event 0: all of it is as if not there."""
    open_hand(page, site, folder, 0)
    for fragment in WRONG:
        assert page.evaluate(READ, fragment)[0] == ABSENT, fragment


def test_what_was_just_pressed_is_not_lost_with_the_language(
    page: Page, site: str, folder: Path
) -> None:
    """Hidden hands and speed, pressed at once before `l`, are there in the other language."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/1")
    page.evaluate("""for (const key of ['+', 'h', 'l'])
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))""")
    expect(page.locator("html[lang=zh-Hans] body[data-ready]")).to_be_attached()
    assert place(page) == "20/1:h@2"
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
