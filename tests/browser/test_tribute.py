"""四副滚子 in a real Chromium: tribute on its way, a dry bottom, jokers buried, three decks."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, expect

from replay.messages import text
from schema.events import Played
from schema.gunzi import BottomShown, Buried, Drawn, Flipped, JokersBuried, TributePaid
from tests import builders, gunzi_hand
from tests.browser.pages import PHONE, at_rest
from tests.viewer_logs import ids_in

SELF = '.seat-view[data-place="self"]'
SMALL_PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hands whose deck is known."""
    place = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(gunzi_hand.FACTS):
        head = replace(gunzi_hand.head(), file_id=bytes([number] * 16))
        made = builders.live_log([gunzi_hand.events(name)], head)
        (place / f"{name}.paipu").write_bytes(made)
    return place


def open_at(
    page: Page, site: str, folder: Path, name: str, kind: type[Any], number: int = 0, more: str = ""
) -> None:
    """Open a hand at an event of a kind; `more` is `/seat:flags`."""
    step = gunzi_hand.event_of(gunzi_hand.walked(name), kind, number) + 1
    page.goto(f"{site}/hand/{ids_in(folder / f'{name}.paipu')[0]}?lang=zh#{step}{more}")
    expect(page.locator("body[data-ready]")).to_be_attached()


def spot(page: Page, place: str) -> Locator:
    """Where cards lie before a seat."""
    return page.locator(f'.act[data-place="{place}"]')


def says(name: str, **slots: int) -> str:
    """A sentence of the viewer's scripts."""
    return text("zh", f"view.js.{name}", **slots)


def test_tribute_goes_from_seat_to_seat(page: Page, site: str, folder: Path) -> None:
    """It slides from the payer to the dealer, lies before him for that step, and stays listed."""
    open_at(page, site, folder, "jokers", TributePaid, more="/3")
    move = spot(page, "right").locator(".moved")
    expect(move.locator(".card")).to_have_count(3)
    expect(move.locator(".label")).to_have_text("丁 → 甲 进贡")
    across, down = move.evaluate("(node) => node.style.getPropertyValue('--way')").split()
    assert float(across.removesuffix("px")) < 0 < float(down.removesuffix("px"))
    listed = page.locator(".course .move")
    expect(listed).to_have_text(["丁 → 甲 大王 2♥ 2♥ 进贡"])
    page.keyboard.press("ArrowRight")
    expect(spot(page, "self").locator(".moved .label")).to_have_text("甲 → 丁 还贡")
    expect(spot(page, "right").locator(".moved")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moved")).to_have_count(0)
    expect(listed).to_have_count(2)


def test_nothing_slides_for_who_wants_no_motion(page: Page, site: str, folder: Path) -> None:
    """The cards stand where they go to at once."""
    page.emulate_media(reduced_motion="reduce")
    open_at(page, site, folder, "jokers", TributePaid, more="/3")
    expect(spot(page, "right").locator(".moved .card")).to_have_count(3)
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_is_due_stands_beside_the_table_until_it_is_paid(
    page: Page, site: str, folder: Path
) -> None:
    """The ladder and the obligations say how many, and what for; then they are gone."""
    open_at(page, site, folder, "jokers", TributePaid, more="/3:l")
    expect(page.locator(".ladder dd")).to_have_text(["5", "3", "2", "1"])
    must = page.locator("#panel-legal .legal-must")
    asked = text("zh", "obligation.tribute", n=3, score=2, jokers=1)
    expect(must).to_have_text([asked, text("zh", "obligation.largest", cards="大王 2♥ 2♥")])
    open_at(page, site, folder, "jokers", Played, more="/3")
    expect(page.locator(".ladder dd")).to_have_text(["5"])
    tracks = page.locator(".track")
    expect(tracks).to_have_count(2)
    expect(tracks.first.locator("li")).to_have_text(["3", "4", "5", "6", "7", "8", "9", "10"])
    expect(tracks.locator("[aria-current]")).to_have_text(["5", "3"])


def test_a_dry_bottom_lies_open_and_says_so(page: Page, site: str, folder: Path) -> None:
    """Its six cards, the word for it, and the dealer leads."""
    open_at(page, site, folder, "dry", BottomShown, more="/0")
    bottom = page.locator("#plaque .bottom")
    expect(bottom.locator(".card")).to_have_count(6)
    expect(bottom.locator(".label")).to_have_text(text("zh", "bottom.dry"))
    expect(page.locator("#caption-line")).to_contain_text("干锅")
    expect(page.locator("#caption-ask")).to_contain_text(text("zh", "ask.lead"))


def test_jokers_go_into_the_bottom_and_cards_come_out(page: Page, site: str, folder: Path) -> None:
    """The joker slides to its place among the six, the pick to who has buried it."""
    open_at(page, site, folder, "jokers", JokersBuried, more="/1:l")
    bottom = page.locator("#plaque .bottom")
    expect(bottom.locator(".card")).to_have_count(6)
    expect(bottom.locator(".card.travels")).to_have_count(1)
    expect(bottom.locator(".card.travels.J")).to_have_count(1)
    expect(bottom.locator(".label").last).to_have_text("乙 → 底牌 扣王")
    picked = spot(page, "self").locator(".moved")
    expect(picked.locator(".card")).to_have_count(1)
    expect(picked.locator(".label")).to_have_text("底牌 → 乙 捡牌")
    sets = page.locator("#panel-legal .set")
    expect(sets).to_have_text(["大王 捡 4♦", "大王 小王 捡 4♦ 4♦", "大王 小王 小王 捡 4♦ 4♦ 6♦"])
    sets.nth(1).click()
    expect(page.locator(".answer.good .said")).to_contain_text("捡 4♦ 4♦")


def test_a_pick_out_of_a_hidden_bottom_is_a_back(page: Page, site: str, folder: Path) -> None:
    """To the others; what is buried lies open."""
    open_at(page, site, folder, "hidden", Buried, more="/2:h")
    hidden = says("bottom_hidden", n=6)
    expect(page.locator("#plaque .bottom")).to_contain_text(hidden)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#plaque .card.travels")).to_have_count(1)
    picked = page.locator(".act .moved")
    expect(picked.locator(".card.back")).to_have_count(1)
    expect(picked.locator(".row")).to_have_attribute("aria-label", says("moved_hidden", n=1))
    expect(page.locator(".course .move").last).to_contain_text(says("moved_hidden", n=1))
    expect(page.locator("#caption-line")).not_to_contain_text("4♦")


def test_cards_turned_up_lie_beside_the_hidden_bottom(page: Page, site: str, folder: Path) -> None:
    """Flips and draws, as long as the bottom is hidden; the winning flip stands."""
    open_at(page, site, folder, "flipped", Flipped, 1, more="/2:h")
    bottom = page.locator("#plaque .bottom")
    expect(bottom.locator(".card")).to_have_count(2)
    expect(bottom).to_contain_text(says("turned_up"))
    open_at(page, site, folder, "flipped", Flipped, 4, more="/2:h")
    expect(page.locator(".show")).to_have_count(5)
    expect(page.locator(".show.stands")).to_have_text("乙 3♥ 主：红桃")
    open_at(page, site, folder, "drawn", Drawn, 1, more="/1:h")
    expect(page.locator(".bottoms")).to_contain_text(f"{says('turned_up')} 小王 K♦")


@pytest.mark.parametrize("size", [SMALL_PHONE, PHONE], ids=["small", "phone"])
def test_forty_five_cards_can_be_read_on_a_phone(
    page: Page, site: str, folder: Path, size: dict[str, int]
) -> None:
    """Every card of the dealer who has taken the bottom stands above the buttons."""
    page.set_viewport_size(size)  # type: ignore[arg-type]
    open_at(page, site, folder, "jokers", BottomShown, more="/0")
    row = page.locator(f"{SELF} .row")
    expect(row.locator(".card")).to_have_count(45)
    box, dock = row.bounding_box(), page.locator(".dock").bounding_box()
    assert box is not None
    assert dock is not None
    assert box["y"] + box["height"] <= dock["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_plays_cover_neither_holdings_nor_the_middle(page: Page, site: str, folder: Path) -> None:
    """With four holdings of three decks there is room for a trick."""
    open_at(page, site, folder, "jokers", Played, 3, more="/1")
    at_rest(page)
    boxes = """(at) => [...document.querySelectorAll(at)].map((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return [top, bottom];
    })"""
    ((top, bottom),) = page.evaluate(boxes, "#plaque")
    ((_, above),) = page.evaluate(boxes, '.seat-view[data-place="across"]')
    ((below, _),) = page.evaluate(boxes, SELF)
    for place, low, high in (("across", above, top), ("self", bottom, below)):
        (laid,) = page.evaluate(boxes, f'.act[data-place="{place}"] .laid .card:first-child')
        assert low - 1 <= laid[0] < laid[1] <= high + 1
