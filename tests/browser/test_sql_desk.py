"""The SQL page at work: by keyboard, charts that say what they add, cells that fit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from replay.messages import text
from replay.players.simulate import Plan, simulate
from replay.reader import open_reader
from tests.browser.pages import PHONE
from tests.browser.test_sql_page import asked, column, open_sql, site
from tests.viewer_logs import CLEAN, ids_in
from tests.viewer_site import on_a_port
from webviewer import create_app

__all__ = ["site"]

TWICE = """SELECT unnest(['a', 'a', 'b']) AS x, unnest(['p', 'q', 'p']) AS who,
    unnest([2, 3, 4]) AS n, unnest([0.5, 0.25, 0.75])::DOUBLE AS share"""


def drawn(page: Page) -> list[tuple[str, list[object], list[object]]]:
    """Of each series of the chart its type, x and y."""
    expect(page.locator("#chart .main-svg").first).to_be_visible()
    found = page.evaluate("document.getElementById('chart').data.map((t) => [t.type, t.x, t.y])")
    return [(kind, x, y) for kind, x, y in found]


def test_bars_that_add_rows_up_say_so(page: Page, site: str) -> None:
    """Two rows with the same x are one bar of their sum; with a colour they are not added."""
    open_sql(page, site, TWICE, "&chart=bar&x=x&y=n")
    assert drawn(page) == [("bar", ["a", "b"], [5, 4])]
    expect(page.locator("#chart-note")).to_have_text(text("en", "view.sql.chart_added", n=2))
    page.locator("#chart-colour").select_option("who")
    expect(page.locator("#chart-note")).to_be_hidden()
    assert drawn(page) == [("bar", ["a", "b"], [2, 4]), ("bar", ["a"], [3])]


def test_shares_are_never_added_up(page: Page, site: str) -> None:
    """What is no whole number may be a mean: its rows are points, and it is said why."""
    open_sql(page, site, TWICE, "&chart=bar&x=x&y=share")
    assert drawn(page) == [("scatter", ["a", "a", "b"], [0.5, 0.25, 0.75])]
    expect(page.locator("#chart-note")).to_have_text(text("en", "view.sql.chart_apart", n=2))
    page.locator("#chart-x").select_option("n")
    expect(page.locator("#chart-note")).to_be_hidden()
    assert [kind for kind, _, _ in drawn(page)] == ["bar"]


def test_a_second_column_of_words_is_the_colour(page: Page, site: str) -> None:
    """Where x repeats; where it does not, one colour is enough."""
    open_sql(page, site, "SELECT game, result, count(*) AS hands FROM hands GROUP BY ALL")
    page.locator("#chart-box summary").click()
    assert len(drawn(page)) > 1
    kept = [asked(page, name) for name in ("x", "y", "colour")]
    assert kept == ["game", "hands", "result"]
    open_sql(page, site, "SELECT unnest(['a', 'b']) AS a, unnest(['p', 'p']) AS b, 1 AS n")
    page.locator("#chart-box summary").click()
    assert len(drawn(page)) == 1


def test_the_keyboard_goes_to_the_answer(page: Page, site: str) -> None:
    """The first skip link leads to the editor, running to the answer."""
    open_sql(page, site)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.locator("#sql").focus()
    page.keyboard.type("SELECT 1 AS one")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#answer")).to_be_focused()
    assert page.url.endswith("#answer")
    assert column(page, 1) == ["1"]


def test_the_keyboard_goes_to_the_error(page: Page, site: str, complaints: list[str]) -> None:
    """The editor has the focus, and the word that is wrong is selected."""
    open_sql(page, site)
    page.locator("#sql").fill("SELECT hand_id,\n  reslt\nFROM hands")
    page.locator("#sql").press("Control+Enter")
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("#sql")).to_be_focused()
    assert page.evaluate("getSelection().toString()") == "reslt"
    assert ["400" in said for said in complaints] == [True]
    complaints.clear()


def test_the_keyboard_goes_to_what_is_to_be_filled_in(page: Page, site: str) -> None:
    """SQL with a new :name does not run yet: its field has the focus."""
    open_sql(page, site, "SELECT :n")
    expect(page.locator("[name='p.n']")).to_be_focused()


def test_the_editor_is_as_high_as_its_text(page: Page, site: str) -> None:
    """A long line wraps, its number as high as it is; nothing of it is out of sight."""
    open_sql(page, site, "SELECT " + ", ".join(f"{n} AS column_{n}" for n in range(40)))
    area = page.locator("#sql")
    assert area.evaluate("a => [a.scrollWidth - a.clientWidth, a.scrollHeight - a.clientHeight]") \
        == [0, 0]  # fmt: skip
    lines = area.evaluate("a => a.scrollHeight / parseFloat(getComputedStyle(a).lineHeight)")
    assert lines > 5
    number = page.locator("#gutter span").first
    high = number.evaluate("s => s.offsetHeight / parseFloat(getComputedStyle(s).lineHeight)")
    assert high > 5
    area.press("Control+End")
    page.keyboard.type("\n" * 30)
    expect(page.locator("#gutter span")).to_have_count(31)
    assert area.evaluate("a => a.clientHeight") > 400


def test_no_cell_is_wider_than_its_column(page: Page, site: str) -> None:
    """Numbers, words, lists, cards: nothing lies over its neighbour."""
    open_sql(
        page,
        site,
        """SELECT 1.5e300 AS a, 170141183460469231731687303715884105727::HUGEINT AS b,
        repeat('长', 100) AS c, repeat('x', 110) AS d, range(16) AS e,
        [repeat('y', 70), repeat('z', 70)] AS f, '5h Td Bj 3c 3d 4h 5s 6s' AS cards, '3c' AS led,
        repeat('a b ', 28) AS g""",
    )
    wide = page.evaluate(
        """Array.from(document.querySelectorAll('#table tbody td')).filter((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 0.5;
        }).map((cell) => cell.textContent)"""
    )
    assert wide == []
    assert column(page, 1) == ["1.5e300"]
    cards, led = page.locator("#table .card-text").all()
    high = [each.evaluate("c => c.getBoundingClientRect().height") for each in (cards, led)]
    assert high[0] == high[1]


def test_an_answer_scrolls_with_its_page(page: Page, site: str) -> None:
    """All rows are on the page; the heads of what fits stay in sight."""
    open_sql(page, site, "SELECT range AS n FROM range(200)")
    box = page.locator(".answer-scroll")
    assert box.evaluate("b => b.scrollHeight - b.clientHeight") <= 0
    page.locator("#table tbody tr").nth(150).scroll_into_view_if_needed()
    expect(page.locator("#table thead th")).to_be_in_viewport()


def test_questions_are_listed_by_groups(page: Page, site: str) -> None:
    """A group of which nothing is found is not shown; from an answer a link opens the list."""
    open_sql(page, site, "SELECT 1")
    expect(page.locator("#ready")).to_be_hidden()
    page.locator("#to-ready").click()
    expect(page.locator("#find")).to_be_focused()
    page.locator("#find").fill("bombs_by_kind")
    expect(page.locator("#ready h2:visible")).to_have_text([text("en", "view.sql.group.plays")])


@pytest.fixture(scope="module")
def two_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The viewer over plain logs of two games."""
    folder = tmp_path_factory.mktemp("games")
    for game in ("dagong", "gunzi"):
        simulate(Plan(game=game, hands=2, seed=1), folder / game)
    with on_a_port(create_app(open_reader(folder))) as port:
        yield f"http://127.0.0.1:{port}"


def test_rules_stand_in_one_menu(page: Page, two_games: str, site: str) -> None:
    """It opens with Enter, closes with Esc, and leads on; the rules of one game are a link."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{two_games}/?lang=en")
    expect(page.locator("#rules a")).to_have_count(3)  # two books, and the search
    crumbs = page.locator(".crumbs > *")
    assert crumbs.evaluate_all("all => all.some((one) => one.scrollWidth > one.clientWidth + 1)") \
        is False  # fmt: skip
    page.locator("#rules summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rules a").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#rules a").first).to_be_hidden()
    expect(page.locator("#rules summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#rules a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#rules")).to_have_count(1)
    assert "/rules/" in page.url
    open_sql(page, site)
    expect(page.locator("#rules")).to_have_count(0)
    expect(page.locator(".places > a[href^='/rules/']")).to_have_count(1)


@pytest.mark.parametrize("width", [320, 360, PHONE["width"]])
def test_a_phone_finds_hands_like_this(page: Page, site: str, folder: Path, width: int) -> None:
    """The button stands beside the others with its word, and nothing is pushed out."""
    page.set_viewport_size({"width": width, "height": PHONE["height"]})
    page.goto(f"{site}/hand/{ids_in(folder / CLEAN)[1]}?lang=en")
    expect(page.locator("body[data-ready]")).to_be_attached()
    button = page.locator(".buttons a.alike")
    expect(button).to_have_text(text("en", "view.sql.alike_short"))
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(page.locator("#table")).to_be_visible()
