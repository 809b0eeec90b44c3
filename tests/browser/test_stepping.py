"""Stepping through a hand: turns, wheel, cards to click, sharing, spoilers; what a step takes."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from replay.messages import text
from tests.browser.pages import open_hand, place, shown
from tests.viewer_logs import FALSE_TRICK, FAULTY, folder_of_logs, ids_in
from webviewer.views.codes import Place, code_of

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAMES = ("chaodipi", "chibi_dagun", "dagong", "gunzi")
STEP_THROUGH = """async () => {
    const slider = document.getElementById('slider');
    const felt = document.getElementById('felt');
    const took = [];
    for (;;) {
        const before = slider.value;
        const start = performance.now();
        const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true });
        document.dispatchEvent(key);
        felt.getBoundingClientRect();
        if (slider.value === before) break;
        took.push(performance.now() - start);
        await new Promise((rest) => setTimeout(rest, 40));
    }
    return took;
}"""
"""Goes forward to the end, twice as fast as a held key does; for each step the ms that its
handler and the layout behind it took."""


def acts_of(page: Page, site: str, hand: str, seat: int) -> list[int]:
    """The numbers, from 1, of the steps in which a seat acts."""
    steps = page.request.get(f"{site}/hand/{hand}/steps.json").json()["steps"]
    return [n for n, step in enumerate(steps, 1) if step["s"] == seat and step["a"] == "fact"]


def test_up_and_down_go_through_the_turns_of_the_seat_at_the_bottom(
    page: Page, site: str, folder: Path
) -> None:
    """Claims and the other seats are passed over; behind the last turn nothing moves."""
    hand = ids_in(folder / FAULTY)[0]
    turns = acts_of(page, site, hand, 2)
    open_hand(page, site, folder, 0, f"#{turns[0]}/2")
    for turn in turns[1:4]:
        page.keyboard.press("ArrowDown")
        assert place(page) == f"{turn}/2"
    page.keyboard.press("ArrowUp")
    assert place(page) == f"{turns[2]}/2"
    page.locator("#own-forward").click()
    assert place(page) == f"{turns[3]}/2"
    page.keyboard.press("End")
    end = place(page)
    page.keyboard.press("ArrowDown")
    assert place(page) == end
    expect(page.locator("#toast")).to_have_text(re.compile("^No further turn of "))


def test_cards_on_the_table_lead_to_where_they_were_laid(
    page: Page, site: str, folder: Path
) -> None:
    """A click on what a seat laid goes to that step, however many have followed."""
    hand = ids_in(folder / FAULTY)[0]
    first = min(acts_of(page, site, hand, seat)[0] for seat in range(4))
    open_hand(page, site, folder, 0, "#1/0")
    page.keyboard.press("]")
    lead = shown(page).partition(" / ")[0]
    assert int(lead) >= first
    seat = page.locator(".act.fresh .laid").get_attribute("data-laid")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.locator(f'.laid[data-laid="{seat}"]').click()
    assert place(page) == f"{lead}/0"


def test_the_wheel_over_the_table_steps(page: Page, site: str, folder: Path) -> None:
    """Down is forward, up is back."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/0")
    page.locator("#felt").hover()
    page.mouse.wheel(0, 100)
    expect(page.locator("#caption-number")).to_have_text(re.compile("^21 / "))
    page.mouse.wheel(0, -100)
    expect(page.locator("#caption-number")).to_have_text(re.compile("^20 / "))


def test_speed_and_counter_are_in_the_address_and_come_back(
    page: Page, site: str, folder: Path
) -> None:
    """They survive a reload; from another page Back lands at the step, with all of them."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/1")
    page.keyboard.press("+")
    page.keyboard.press("r")
    expect(page.locator("#counter")).to_be_visible()
    assert place(page) == "20/1:r@2"
    page.reload()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#speed")).to_have_text("2×")
    expect(page.locator("#counter")).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert place(page) == "21/1:r@2"
    page.keyboard.press("}")
    expect(page).to_have_url(re.compile(rf"{ids_in(folder / FAULTY)[FALSE_TRICK + 1]}.*/1:r@2$"))
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.go_back()
    expect(page).to_have_url(
        re.compile(rf"{ids_in(folder / FAULTY)[FALSE_TRICK]}\?lang=en#21/1:r@2$")
    )
    expect(page.locator("#caption-number")).to_have_text(re.compile("^21 / "))


def test_a_moment_is_shared_as_link_and_as_code(page: Page, site: str, folder: Path) -> None:
    """`b` copies a link with the language; script and server write the same code for a place."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand = ids_in(folder / FAULTY)[FALSE_TRICK]
    page.goto(f"{site}/hand/{hand}#20/2:h")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.keyboard.press("b")
    expect(page.locator("#toast")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site}/hand/{hand}\?lang=(zh|en)#20/2:h", copied)
    page.locator("#share-open").click()
    expect(page.locator("#share-link")).to_have_value(copied)
    code = code_of(Place(hand[:10], 20, 2, is_hidden=True))
    expect(page.locator("#share-code")).to_have_value(code)
    expect(page.locator("#share")).to_contain_text(text("en", "view.share.left_out"))
    page.locator("#copy-code").click()
    assert page.evaluate("navigator.clipboard.readText()") == code
    page.goto(f"{site}/code/{code.lower()}")
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert place(page) == "20/2:h"


@pytest.mark.parametrize("event", [1, 1023, 1024, 32767])
def test_script_and_server_agree_on_codes(page: Page, site: str, folder: Path, event: int) -> None:
    """For early and late events, for every seat and flag."""
    open_hand(page, site, folder, 0)
    write = """async ([hand, place]) => {
        const script = [...document.scripts].find((one) => one.src.includes('/js/hand.js')).src;
        const { replayCode } = await import(script.replace('hand.js', 'code.js'));
        return replayCode(hand, place);
    }"""
    for seat in range(4):
        for flags in range(4):
            hidden, blind = bool(flags & 2), bool(flags & 1)
            said = {"event": event, "seat": seat, "hide": hidden, "spoilers": blind}
            code = page.evaluate(write, ["9c0b3a41fe77aa01", said])
            assert code == code_of(Place("9c0b3a41fe", event, seat, hidden, blind))


def test_without_spoilers_the_slider_ends_where_one_has_been(
    page: Page, site: str, folder: Path
) -> None:
    """It grows step by step, a reload keeps it; the outcome is told at the last step."""
    open_hand(page, site, folder, 0, "#9/0:s")
    slider, outcome = page.locator("#slider"), page.locator(".outcome")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("max", "10")
    page.reload()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert (shown(page), slider.get_attribute("max")) == ("9", "10")
    assert page.locator(".event:visible").count() == 10
    page.keyboard.press("End")
    assert shown(page) == "10"
    page.keyboard.press("End")
    expect(page.locator("#toast")).to_have_text(text("en", "view.js.only_seen"))
    assert shown(page) == "10"
    expect(outcome).to_be_hidden()
    page.evaluate(STEP_THROUGH)
    number, _, of = shown(page).partition(" / ")
    assert number == of
    expect(outcome).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(outcome).to_be_visible()


def test_letters_stand_beside_the_suits_on_request(page: Page, site: str, folder: Path) -> None:
    """`a` shows them, the choice is kept, and the menu has a button for it."""
    open_hand(page, site, folder, 0)
    letter = """() => getComputedStyle(
        document.querySelector('.felt .card.s i'), '::after').content"""
    assert page.evaluate(letter) == "none"
    page.keyboard.press("a")
    assert page.evaluate(letter).startswith('"S"')
    page.reload()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert page.evaluate(letter).startswith('"S"')
    page.locator("#menu summary").click()
    page.locator("#letters-menu").click()
    assert page.evaluate(letter) == "none"


def test_the_same_step_is_announced_again(page: Page, site: str, folder: Path) -> None:
    """Whoever comes back to a step hears it: the text differs in what nobody sees."""
    open_hand(page, site, folder, FALSE_TRICK, "#20/0")
    heard = page.evaluate("document.getElementById('live').textContent")
    page.keyboard.press("h")
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("body[data-ready]")).to_be_attached()  # what the seat saw has come
    page.keyboard.press("h")
    page.keyboard.press("v")
    again = page.evaluate("document.getElementById('live').textContent")
    assert again != heard
    assert again.strip("\u200b") == heard.strip("\u200b")


def test_every_key_of_the_page_is_in_the_help(page: Page, site: str, folder: Path) -> None:
    """Nobody reads a manual: `?` names each key that does something."""
    open_hand(page, site, folder, 0)
    page.keyboard.press("?")
    named = set(page.locator("#help kbd").all_inner_texts())
    assert named >= set("←→↑↓[]{}fvchsrnNmbl4aw?jk+−") | {"Home", "End", "Space", "PgUp", "PgDn"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that every browser test has, and a clean match of each game."""
    logs = folder_of_logs(tmp_path_factory.mktemp("logs"))
    for game in GAMES:
        longest = max(
            (SAMPLES / game / "clean").glob("*.paipu"), key=lambda log: log.stat().st_size
        )
        shutil.copy(longest, logs / f"{game}.paipu")
    return logs


@pytest.mark.parametrize("game", GAMES)
def test_a_step_is_drawn_quickly(page: Page, site: str, folder: Path, game: str) -> None:
    """Through a whole hand of each game; what a step took is printed, not judged."""
    hand = ids_in(folder / f"{game}.paipu")[0]
    page.goto(f"{site}/hand/{hand}#1")
    expect(page.locator("body[data-ready]")).to_be_attached()
    took = sorted(page.evaluate(STEP_THROUGH))
    steps = page.request.get(f"{site}/hand/{hand}/steps.json").json()["steps"]
    assert len(took) == len(steps) - 1
    half, most = took[len(took) // 2], took[len(took) * 95 // 100]
    print(f"\n{game}: {len(took)} steps, p50 {half:.1f} ms, p95 {most:.1f} ms")
