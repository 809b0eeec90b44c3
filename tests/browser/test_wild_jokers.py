"""Wild jokers in a real Chromium: the rank that each stands for, on the table and in words."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from replay.messages import text
from schema.cards import parse_cards
from schema.events import AnyPlay
from tests.browser.pages import DESKTOP, PHONE, at_rest
from tests.viewer_logs import ids_in
from tests.wild_logs import ANSWER, DECLARED, FINE, fine_hand, folder_of_wilds

SMALL = {"width": 800, "height": 700}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that are looked at."""
    return folder_of_wilds(tmp_path_factory.mktemp("logs"))


def step_of(cards: str) -> int:
    """The step, from 1, that lays these cards."""
    found = (
        number
        for number, event in enumerate(fine_hand(), 1)
        if isinstance(event, AnyPlay) and event.cards == parse_cards(cards)
    )
    return next(found)


def open_step(page: Page, site: str, folder: Path, cards: str, lang: str, more: str = "") -> None:
    """Open the hand at the step that lays these cards, seen from seat 0."""
    hand = ids_in(folder / FINE)[0]
    page.goto(f"{site}/hand/{hand}?lang={lang}#{step_of(cards)}/0{more}")
    expect(page.locator("body[data-ready]")).to_be_attached()


def laid(page: Page, place: str) -> Locator:
    """The cards of the play that lies before a seat."""
    return page.locator(f'.act[data-place="{place}"] .laid .row')


@pytest.mark.parametrize(
    ("lang", "label"),
    [("zh", "4♠ 4♥ 3♦ 大王 （大王当3）"), ("en", "4♠ 4♥ 3♦ RJ (RJ as 3)")],
)
def test_a_wild_joker_bears_its_rank_and_lies_beside_it(
    page: Page, site: str, folder: Path, lang: str, label: str
) -> None:
    """On the table and to a screen reader; what it answers keeps its own."""
    open_step(page, site, folder, ANSWER, lang)
    mine, answer = laid(page, "self"), laid(page, "right")
    assert mine.locator(".card").all_inner_texts() == ["4\n♠︎\n♠︎", "4\n♥︎\n♥︎", "3\n♦︎\n♦︎", "3\n★\n★"]
    expect(mine).to_have_attribute("aria-label", label)
    expect(answer.locator(".wild em")).to_have_text("6")
    assert answer.locator(".card").nth(1).get_attribute("class") == "card wild j"
    page.locator("#back").click()
    expect(answer).to_have_count(0)
    expect(mine.locator(".wild em")).to_have_text("3")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_lists_and_captions_say_it_behind_the_type(
    page: Page, site: str, folder: Path, lang: str
) -> None:
    """In brackets, and in what is announced."""
    open_step(page, site, folder, DECLARED, lang)
    said = text(lang, "view.js.remark", text=text(lang, "wild.all", rank="5"))
    expect(page.locator(".event[aria-current=true] .wilds")).to_have_text(said)
    expect(page.locator("#caption-line .wilds")).to_have_text(said)
    expect(page.locator("#live")).to_contain_text(said)
    assert laid(page, "self").locator(".wild em").all_inner_texts() == ["5", "5"]


CONTRAST = """(node) => {
    const [ink, paper] = ['color', 'backgroundColor'].map((name) => {
        const parts = getComputedStyle(node)[name].match(/[0-9.]+/g).slice(0, 3);
        const [r, g, b] = parts.map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
}"""
COVERED = """(node) => {
    const box = node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    const size = parseFloat(getComputedStyle(node).fontSize);
    const points = [text.left + 1, (text.left + text.right) / 2, text.right - 1];
    const y = (box.top + box.bottom) / 2;
    return size < 11 || points.some((x) => document.elementFromPoint(x, y) !== node);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, SMALL, PHONE], ids=["desktop", "small", "phone"])
def test_the_rank_can_be_read_at_every_size(
    page: Page, site: str, folder: Path, size: dict[str, int], theme: str
) -> None:
    """No other card covers it, its letters are 11 px at least, and stand out (WCAG AA)."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    for cards in (DECLARED, ANSWER):
        open_step(page, site, folder, cards, "en")
        at_rest(page)
        for badge in page.locator(".act .wild em").all():
            badge.scroll_into_view_if_needed()
            assert badge.evaluate(CONTRAST) >= 4.5
            assert not badge.evaluate(COVERED)


def test_readings_of_the_same_cards_are_told_apart_and_chosen(
    page: Page, site: str, folder: Path
) -> None:
    """A click on one of them tells of this one; the cards alone are read as they would count."""
    open_step(page, site, folder, DECLARED, "zh", ":l")
    kind = page.locator(".groups dt", has_text=text("zh", "type.pair_chain"))
    kind.locator("+ dd .more").click()
    done = page.locator(".set.done")
    expect(done).to_have_count(1)
    expect(done).to_contain_text("王都当5")
    done.click()
    said = page.locator(".answer.good .said")
    expect(said).to_contain_text("连对 （王都当5）")
    pressed = page.locator(".pick[aria-pressed=true]")
    assert pressed.count() == len(DECLARED.split())
    page.locator(".more", has_text=text("zh", "view.js.legal_clear")).click()
    expect(pressed).to_have_count(0)
    for card in ("小王", "大王"):
        page.locator(f'.pick[aria-label="{card}"]').first.click()
    expect(said).to_contain_text("（王都当3）")
    expect(page.locator(".legal-then .wilds")).to_have_text("（王都当5）")
