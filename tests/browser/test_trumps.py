"""炒地皮 in a real Chromium: trumps apart, the bottom, levels, shows, a throw that fails."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from schema.chaodipi import BottomTaken, Buried, StirPassed
from schema.events import Played
from tests import chaodipi_hand
from tests.browser.pages import DESKTOP
from tests.viewer_logs import ids_in

LOG = "hand.paipu"
PHONE = {"width": 360, "height": 740}
SELF = '.seat-view[data-place="self"]'
GAPS = """(row) => {
    const cards = [...row.querySelectorAll('.card')];
    const boxes = cards.map((card) => card.getBoundingClientRect());
    const by = (box, at) => (box.top === boxes[at].top ? box.left - boxes[at].left : null);
    return boxes.slice(1).map((box, at) => [by(box, at), cards[at + 1].matches('.apart')]);
}"""
"""From card to card: how far the next one stands to the right, and whether it begins a group."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand whose deck is known."""
    place = tmp_path_factory.mktemp("logs")
    (place / LOG).write_bytes(chaodipi_hand.log())
    return place


def step(kind: type[Any], number: int = 0) -> int:
    """The step, from 1, of an event of a kind."""
    return chaodipi_hand.event_of(chaodipi_hand.walked(), kind, number) + 1


def open_step(page: Page, site: str, folder: Path, place: str, lang: str = "zh") -> None:
    """Open the hand at `step/seat:hide`."""
    page.goto(f"{site}/hand/{ids_in(folder / LOG)[0]}?lang={lang}#{place}")
    expect(page.locator("body[data-ready]")).to_be_attached()


def laid(page: Page, place: str) -> Locator:
    """The cards of the play that lies before a seat."""
    return page.locator(f'.act[data-place="{place}"] .laid .card')


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_trumps_and_suits_stand_apart(
    page: Page, site: str, folder: Path, size: dict[str, int]
) -> None:
    """A gap before each suit, wider than from card to card; trumps first, from 红桃5 down."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    open_step(page, site, folder, f"{step(StirPassed)}/3")
    row = page.locator(f"{SELF} .row")
    gaps = row.evaluate(GAPS)
    within = [by for by, is_apart in gaps if not is_apart and by is not None]
    between = [by for by, is_apart in gaps if is_apart and by is not None]
    assert len([1 for _, is_apart in gaps if is_apart]) == 3
    assert between
    assert min(between) > max(within) + 2
    cards = [text.split("\n")[0] for text in row.locator(".card").all_inner_texts()]
    assert cards[:4] == ["5", "大王", "大王", "小王"]


def test_trump_is_marked_in_the_middle(page: Page, site: str, folder: Path) -> None:
    """Its sign and its word, and the new one after a stir."""
    open_step(page, site, folder, f"{step(Buried)}/0")
    expect(page.locator(".plaque .trump")).to_have_text(re.compile("♦.*方片"))
    open_step(page, site, folder, f"{step(Buried, 1)}/0")
    expect(page.locator(".plaque .trump")).to_have_text(re.compile("♠.*黑桃"))


def test_the_bottom_is_hidden_from_those_who_did_not_bury_it(
    page: Page, site: str, folder: Path
) -> None:
    """Seat 0 sees what it took and buried, no more what seat 1 buries; whose it is stands by."""
    shown, bottoms = page.locator(".bottom-cards .card"), page.locator(".bottoms li")
    for at, seat, seen in (
        (step(Buried), 0, 8),
        (step(Buried), 1, 0),
        (step(BottomTaken, 1), 1, 8),
        (step(Buried, 1), 1, 8),
        (step(Buried, 1), 0, 0),
    ):
        open_step(page, site, folder, f"{at}/{seat}:h")
        expect(page.locator(".plaque .bottom")).to_be_visible()
        expect(shown).to_have_count(seen)
    expect(bottoms).to_have_text(
        [
            "发牌所余 底牌 8 张",
            "甲取走 小王 3♦ 3♦ 4♦ 4♦ 6♦ 6♦ 7♦",
            "甲扣下 小王 3♦ 3♦ 4♦ 4♦ 6♦ 6♦ 5♦",
            "乙扣下 底牌 8 张",
        ]
    )
    sentence = page.locator(f'.event[data-event="{step(Buried, 1)}"] .what')
    expect(sentence).to_have_text("乙扣底")


def test_levels_stand_on_two_ladders(page: Page, site: str, folder: Path) -> None:
    """From 2 to 扛旗, the level of each side marked, by its sign and its players."""
    open_step(page, site, folder, f"{step(Buried)}/0")
    tracks = page.locator(".track")
    expect(tracks).to_have_count(2)
    expect(tracks.first.locator("li")).to_have_count(14)
    expect(tracks.first.locator("li[aria-current]")).to_have_text("2")
    expect(tracks.first.locator("li").last).to_have_text("扛旗")
    expect(tracks.first.locator(".track-name")).to_contain_text("甲、丙")


def test_shows_are_listed_with_seat_cards_and_rung(page: Page, site: str, folder: Path) -> None:
    """One after the stir: the last one stands."""
    open_step(page, site, folder, f"{step(Buried)}/0")
    expect(page.locator(".show")).to_have_text(["甲 2♦ 1级，方片"])
    open_step(page, site, folder, f"{step(Buried, 1)}/0")
    expect(page.locator(".show")).to_have_text(["甲 2♦ 1级，方片", "乙 2♠ 2♠ 5级，黑桃"])
    expect(page.locator(".show.stands")).to_contain_text("乙")


def test_a_throw_that_fails(page: Page, site: str, folder: Path) -> None:
    """What is led lies there; below it what was attempted, and who can beat it."""
    open_step(page, site, folder, f"{step(Played)}/1")
    expect(laid(page, "self")).to_have_count(2)
    told = page.locator('.act[data-place="self"] .attempt')
    expect(told).to_contain_text("8♣ 8♣ K♣")
    expect(told).to_contain_text("甲 丙 丁")
    open_step(page, site, folder, f"{step(Played, 4)}/1")
    expect(page.locator(".attempt")).to_have_count(0)


def test_the_next_seat_is_on_the_left(page: Page, site: str, folder: Path) -> None:
    """Play runs clockwise: seat 2 answers seat 1 from the left, and wins so far."""
    open_step(page, site, folder, f"{step(Played, 1)}/1")
    expect(laid(page, "left")).to_have_count(2)
    expect(page.locator('.seat-view[data-place="left"] bdi')).to_have_text("丙")
    expect(page.locator('.act[data-place="left"]')).to_have_class(re.compile("beats"))


def test_the_points_grow_towards_what_is_needed(page: Page, site: str, folder: Path) -> None:
    """0 of 80 before the first trick, 10 behind it."""
    open_step(page, site, folder, f"{step(Played)}/1")
    expect(page.locator(".goal b")).to_have_text("0 / 80")
    open_step(page, site, folder, f"{step(Played, 4)}/1")
    expect(page.locator(".goal b")).to_have_text("10 / 80")


def test_thirty_three_cards_can_be_read_on_a_phone(page: Page, site: str, folder: Path) -> None:
    """Of each card the corner is to be seen, all of them above the buttons, nothing wider."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    open_step(page, site, folder, f"{step(BottomTaken, 1)}/1")
    row = page.locator(f"{SELF} .row")
    expect(row.locator(".card")).to_have_count(33)
    assert min(by for by, _ in row.evaluate(GAPS) if by is not None) >= 19
    box, dock = row.bounding_box(), page.locator(".dock").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] + box["height"] <= dock["y"] + 2
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_panel_says_that_it_lists_a_sample(page: Page, site: str, folder: Path) -> None:
    """An answer to a pair: some sets, and that others can be asked; duties have their cards."""
    open_step(page, site, folder, f"{step(Played, 5)}/3")
    page.locator("#tab-legal").click()
    panel = page.locator("#panel-legal")
    expect(panel).to_contain_text("只列出一部分")
    expect(panel.locator(".legal-must").nth(1)).to_contain_text("A♥ A♥ K♥ K♥")
    expect(panel.locator(".pick.apart")).to_have_count(3)


def test_a_seat_that_looks_is_not_told_what_others_owe(page: Page, site: str, folder: Path) -> None:
    """With the other hands hidden the panel of another seat says what was led, no card."""
    open_step(page, site, folder, f"{step(Played, 5)}/0:h")
    page.locator("#tab-legal").click()
    expect(page.locator(".legal-must")).to_have_count(1)
    expect(page.locator("#caption-ask")).not_to_contain_text("K♥ K♥")
