"""Nothing on the table of a hand lies over anything else, however low the window is."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from replay.messages import text
from tests.browser.everywhere import Site, go, hand_of, lay_out

GAMES = {"dagong": 2, "chibi_dagun": 2, "chaodipi": 2, "gunzi": 2}
"""Of each game the hand that is looked at."""
LOW = [(1400, 900), (1280, 720), (360, 640)]
PHONE = {"width": 360, "height": 640}
EVERY = 9
"""Steps from one that is looked at to the next."""
OVER = """async (every) => {
  const box = (el) => el.getBoundingClientRect();
  const meet = (a, b) => a.width && b.width && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const slider = document.getElementById('slider');
  const found = [];
  let looked = 0;
  for (let n = 1; n <= Number(slider.max); n += every) {
    slider.value = n;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((rest) => requestAnimationFrame(rest));
    const others = all('.plate > *, .seat-view .card, .plaque > *');
    for (const part of all('.act > *')) {
      looked += 1;
      const seat = part.closest('.act').dataset.place;
      for (const other of others) {
        if (meet(box(part), box(other))) found.push(`${n}: of ${seat} over ${other.outerHTML}`);
      }
    }
    const felt = box(document.getElementById('felt'));
    for (const card of all('.felt .card')) {
      if (box(card).bottom > felt.bottom + 1) found.push(`${n}: ${card.outerHTML} below the table`);
    }
  }
  return [looked, found];
}"""
"""Steps through a hand: how many acts were looked at, and which lie over other things."""
HIDDEN = """async (every) => {
  const slider = document.getElementById('slider');
  const dock = document.querySelector('.dock');
  const found = [];
  for (let n = 1; n <= Number(slider.max); n += every) {
    slider.value = n;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((rest) => requestAnimationFrame(rest));
    const end = dock.getBoundingClientRect().top;
    for (const card of document.querySelectorAll('.seat-view[data-place=self] .card')) {
      const { bottom } = card.querySelector('b').getBoundingClientRect();
      if (bottom > end) found.push(`${n}: ${card.outerHTML} ${bottom} > ${end}`);
    }
  }
  return found;
}"""
"""Steps through a hand: own cards whose corner is below the upper edge of the buttons."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flags", ["", ":r"])
def test_no_card_laid_lies_over_anything(page: Page, foldered: Site, game: str, flags: str) -> None:
    """Neither names, hands nor what is said of the trick, with the card counter and without."""
    page.emulate_media(reduced_motion="reduce")
    hand = hand_of(game, GAMES[game])
    for width, height in LOW:
        page.set_viewport_size({"width": width, "height": height})
        go(page, foldered, f"/hand/{hand}#47/0{flags}", "zh")
        looked, found = page.evaluate(OVER, EVERY)
        assert looked > 10
        assert not found, (width, height, found[:3])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_own_cards_are_above_the_buttons_of_a_phone(
    page: Page, foldered: Site, game: str, lang: str
) -> None:
    """At every step, without any scrolling, the corner of each of them."""
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    go(page, foldered, f"/hand/{hand_of(game, GAMES[game])}#1/0", lang)
    assert page.evaluate(HIDDEN, 4) == []


def test_a_phone_opens_the_other_hands_on_request(page: Page, foldered: Site) -> None:
    """While all are full the others are counts; a touch opens all three, another closes them."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    go(page, foldered, f"/hand/{hand_of('gunzi', 2)}#47/0", "zh")
    others = page.locator(".seat-view:not([data-place=self]) .hand")
    own = page.locator(".seat-view[data-place=self] .hand")
    peek = page.locator(".seat-view[data-place=across] .peek")
    for hand in others.all():
        expect(hand).to_be_hidden()
    expect(own).to_be_visible()
    expect(peek).to_have_attribute("aria-expanded", "false")
    peek.click()
    for hand in others.all():
        expect(hand).to_be_visible()
    expect(peek).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowRight")
    expect(others.first).to_be_visible()
    page.locator(".seat-view[data-place=left] .peek").click()
    expect(others.first).to_be_hidden()
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(others.first).to_be_visible()
    expect(peek).to_be_hidden()


def test_what_stands_below_the_table_moves_beside_it(page: Page, foldered: Site) -> None:
    """Where the window is low; where it is high or narrow it stands below."""
    go(page, foldered, f"/hand/{hand_of('gunzi', 2)}#47/0:r", "zh")
    for size, place in (((1400, 900), "side"), ((1400, 1200), "stage"), ((360, 640), "stage")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator(f".{place} #counter")).to_be_visible()
        expect(page.locator(f".{place} #course")).to_be_visible()


@pytest.mark.parametrize("size", [(1400, 900), (1100, 720), (360, 640), (320, 640)])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_tab_is_seen(page: Page, foldered: Site, size: tuple[int, int], lang: str) -> None:
    """None is cut by the panel's edge."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    go(page, foldered, f"/hand/{hand_of('gunzi', 2)}#47/0", lang)
    tabs = """() => [...document.querySelectorAll('[role=tab]')].map((tab) => {
        const side = tab.closest('.side').getBoundingClientRect();
        const box = tab.getBoundingClientRect();
        return box.width > 0 && box.left >= side.left && box.right <= side.right;
    })"""
    assert page.evaluate(tabs) == [True] * 6


def test_the_verdict_on_cards_is_seen_on_a_phone(page: Page, foldered: Site) -> None:
    """A card that is touched moves the page as far as its answer needs."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    go(page, foldered, f"/hand/{hand_of('gunzi', 2)}#47/3:l", "en")
    page.locator(".pick").first.click()
    answer = page.locator(".answer")
    expect(answer).to_be_visible()
    seen = """answer => answer.getBoundingClientRect().bottom
        <= document.querySelector('.dock').getBoundingClientRect().top"""
    assert answer.evaluate(seen)


def test_jokers_differ_by_their_corner_in_both_languages(page: Page, foldered: Site) -> None:
    """Not by colour alone; and letters lie below the small signs, over nothing."""
    hand = hand_of("gunzi", 2)
    for lang in ("zh", "en"):
        go(page, foldered, f"/hand/{hand}#9/0", lang)
        for suit, face in (("j", "Bj"), ("J", "Rj")):
            corners = set(page.locator(f".seat-view .card.{suit} b").all_inner_texts())
            assert corners == {text(lang, f"view.corner.{face}")}
    assert text("en", "view.corner.Bj") != text("en", "view.corner.Rj")
    page.keyboard.press("a")
    lay_out(page)
    assert page.locator(".seat-view[data-place=self] .card:not(.j, .J) u").count() > 20
    assert page.locator(".felt .card:not(.j, .J) u:visible").count() == 0


def test_the_counter_says_how_often(page: Page, foldered: Site) -> None:
    """A count is no second rank: it has a sign of its own and is written smaller."""
    go(page, foldered, f"/hand/{hand_of('gunzi', 2)}#47/0:r", "zh")
    told: list[Any] = page.locator(".counter li").first.evaluate(
        """cell => {
            const n = cell.querySelector('.counter-n');
            const size = (el) => parseFloat(getComputedStyle(el).fontSize);
            const isSmaller = size(n) < size(cell.querySelector('b'));
            return [getComputedStyle(n, '::before').content, isSmaller];
        }"""
    )
    assert told == ['"×"', True]


def test_help_names_pairs_of_keys_in_their_order(page: Page, foldered: Site) -> None:
    """The first key of each pair does what is said first: back, previous."""
    go(page, foldered, f"/hand/{hand_of('dagong', 2)}#20/0", "en")
    page.keyboard.press("?")
    lines = page.locator("#help dt").all_inner_texts()
    said = page.locator("#help dd").all_inner_texts()
    told = {"".join(keys.split()): what for keys, what in zip(lines, said, strict=True)}
    assert told["←→kj"] == "one step back, forward"
    assert told["↑↓"].startswith("previous, next")
    assert told["[]"].startswith("previous, next")
    assert page.locator("#help").evaluate("help => help.scrollTop") == 0
