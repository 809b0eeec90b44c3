"""The SQL page in a real Chromium: written, run, sorted, drawn, opened on the board, on a phone."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from replay.archive import index
from replay.messages import text
from replay.reader import open_reader
from tests.browser.pages import PHONE, place
from tests.viewer_logs import CLEAN, HOSTILE, ids_in
from tests.viewer_site import on_a_port
from webviewer import create_app

NUMBERS = "SELECT unnest([10, 9, NULL, -3]) AS n, unnest(['a', 'b', 'c', 'd']) AS word"


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The viewer over an archive of the logs."""
    index(folder.parent / "archive", [folder])
    reader = open_reader(folder.parent / "archive")
    with on_a_port(create_app(reader)) as port:
        yield f"http://127.0.0.1:{port}"
    reader.close()


def open_sql(page: Page, site: str, sql: str = "", more: str = "") -> None:
    """Open the page with some SQL in it, and wait until its script has run."""
    page.goto(f"{site}/sql?lang=en&sql={quote(sql)}{more}")
    expect(page.locator("body[data-ready]")).to_be_attached()


def asked(page: Page, name: str) -> str:
    """A parameter of the address; empty if it is not there."""
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def column(page: Page, at: int) -> list[str]:
    """What a column of the answer shows."""
    return page.locator(f"#table tbody td:nth-child({at})").all_inner_texts()


def test_sql_is_written_and_run_with_the_keyboard(page: Page, site: str) -> None:
    """Ctrl+Enter asks; the address holds the SQL, and Back returns to the page before."""
    open_sql(page, site)
    page.locator("#sql").fill("SELECT hand_id, event, cards\nFROM plays\nWHERE is_bomb LIMIT 4")
    expect(page.locator("#gutter span")).to_have_text(["1", "2", "3"])
    page.locator("#sql").press("Control+Enter")
    expect(page.locator("#table tbody tr")).to_have_count(4)
    assert asked(page, "sql").startswith("SELECT hand_id")
    expect(page.locator("#table .card-text").first).to_be_visible()
    page.go_back()
    expect(page.locator("#table")).to_have_count(0)


def test_a_row_opens_the_board_at_its_event(page: Page, site: str) -> None:
    """The table shows the very step: the play that the row is about."""
    open_sql(page, site, "SELECT hand_id, event, kind FROM plays WHERE is_bomb LIMIT 3")
    event = int(column(page, 3)[1])
    page.locator("#table tbody tr").nth(1).locator("a").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert place(page).startswith(f"{event + 1}/")
    expect(page.locator("#caption-number")).to_contain_text(f"{event + 1} /")


def test_heads_sort_with_mouse_and_keyboard(page: Page, site: str) -> None:
    """Up, then down, NULL last either way; the address says so, and opens so again."""
    open_sql(page, site, NUMBERS)
    head = page.locator("#table thead th").first
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert column(page, 1) == ["-3", "9", "10", "NULL"]
    head.locator("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert column(page, 1) == ["10", "9", "-3", "NULL"]
    assert column(page, 2) == ["a", "b", "d", "c"]
    assert (asked(page, "sort"), asked(page, "order")) == ("n", "desc")
    page.reload()
    assert column(page, 1) == ["10", "9", "-3", "NULL"]
    expect(head).to_have_attribute("aria-sort", "descending")


def test_large_numbers_are_sorted_by_their_last_digit(page: Page, site: str) -> None:
    """They travel as text, for a browser's numbers would lose it."""
    large = "9007199254740993, 5, 9007199254740995, 9007199254740994"
    open_sql(page, site, f"SELECT unnest([{large}]) AS n")
    page.locator("#table thead button").click()
    expected = ["5", "9007199254740993", "9007199254740994", "9007199254740995"]
    assert column(page, 1) == expected


def test_the_answer_is_drawn_by_columns_that_one_chooses(page: Page, site: str) -> None:
    """Opening draws a guess; a choice draws anew and stands in the address, which opens so."""
    open_sql(
        page,
        site,
        "SELECT game, result, count(*) AS hands, sum(events) AS e FROM hands GROUP BY ALL",
    )
    expect(page.locator("#chart .main-svg")).to_have_count(0)
    page.locator("#chart-box summary").click()
    expect(page.locator("#chart .bars path").first).to_be_visible()
    expect(page.locator("#chart .ytitle")).to_have_text("hands")
    page.locator("#chart-y").select_option("e")
    page.locator("#chart-x").select_option("result")
    page.locator("#chart-colour").select_option("game")
    page.locator("#chart-kind").select_option("scatter")
    expect(page.locator("#chart .ytitle")).to_have_text("e")
    expect(page.locator("#chart .xtitle")).to_have_text("result")
    kept = [asked(page, name) for name in ("chart", "x", "y", "colour")]
    assert kept == ["scatter", "result", "e", "game"]
    page.reload()
    expect(page.locator("#chart .scatter .point").first).to_be_visible()
    page.locator("#sql").press("Control+Enter")
    expect(page.locator("#chart .scatter .point").first).to_be_visible()
    assert [asked(page, name) for name in ("chart", "x", "y", "colour")] == kept


def test_a_column_of_words_is_no_height(page: Page, site: str) -> None:
    """The box says what y has to be."""
    open_sql(page, site, NUMBERS, "&chart=bar&x=n&y=word")
    expect(page.locator("#chart")).to_have_text(text("en", "view.sql.chart_nothing"))


def test_more_colours_than_can_be_told_apart_are_said(page: Page, site: str) -> None:
    """The first ones are drawn, and how many there are is told."""
    open_sql(page, site, "SELECT range AS n FROM range(20)", "&chart=bar&x=n&y=n&colour=n")
    said = text("en", "view.sql.chart_many", n=16, all=20)
    expect(page.locator("#chart-note")).to_have_text(said)


def test_names_are_no_markup_in_a_chart(page: Page, site: str) -> None:
    """Plotly reads markup in texts; what players call themselves stays as it is."""
    name = HOSTILE.replace("'", "''")
    open_sql(page, site, f"SELECT '{name}' AS who, 3 AS n", "&chart=bar&x=who&y=n")
    expect(page.locator("#chart .xtick")).to_have_text(HOSTILE)
    assert page.locator("#chart img").count() == 0


def test_an_error_shows_its_place_in_the_editor(
    page: Page, site: str, complaints: list[str]
) -> None:
    """The line is marked beside the SQL, and the link selects the word."""
    open_sql(page, site, "SELECT hand_id,\n  '中文', reslt\nFROM hands")
    expect(page.locator("#gutter .marked")).to_have_text("2")
    expect(page.locator(".place mark")).to_have_text("reslt")
    page.locator("#to-place").click()
    selected = "document.getElementById('sql')"
    chosen = f"{selected}.value.slice({selected}.selectionStart, {selected}.selectionEnd)"
    assert page.evaluate(chosen) == "reslt"
    assert ["400" in said for said in complaints] == [True]
    complaints.clear()


def test_tab_indents_and_holds_nobody(page: Page, site: str) -> None:
    """While one writes it indents; passing through, and after Esc, it moves on."""
    open_sql(page, site, "SELECT 1")
    page.locator("#sql").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#ask button[type=submit]")).to_be_focused()
    page.locator("#sql").focus()
    page.keyboard.press("End")
    page.keyboard.type(",\n")
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    expect(page.locator("#sql")).to_have_value("SELECT 1,\n  2")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator("#ask button[type=submit]")).to_be_focused()


def test_columns_are_put_in_at_a_touch(page: Page, site: str) -> None:
    """Where the caret stands, and undo takes it out again."""
    open_sql(page, site)
    page.locator("#sql").fill("SELECT ")
    page.locator("#tables summary", has_text="hands").first.click()
    page.locator("[data-insert=result]:visible").click()
    expect(page.locator("#sql")).to_have_value("SELECT result")
    page.keyboard.press("Control+z")
    expect(page.locator("#sql")).to_have_value("SELECT ")


def test_a_ready_question_is_found_filled_in_and_drawn(page: Page, site: str) -> None:
    """The list narrows to what is typed; its chart draws; another value asks again."""
    open_sql(page, site)
    page.locator("#find").fill("results_by_player")
    expect(page.locator("#ready li:visible")).to_have_count(1)
    page.locator("#ready a:visible").click()
    expect(page.locator("#chart .main-svg").first).to_be_visible()
    page.locator("#ask [name='p.n']").fill("2")
    page.locator("#ask button[type=submit]").click()
    expect(page.locator("#table tbody tr")).to_have_count(2)
    assert asked(page, "p.n") == "2"


def test_from_the_board_to_hands_like_this(page: Page, site: str, folder: Path) -> None:
    """The link is about the step that the table shows; what is found has this step among it."""
    hand = ids_in(folder / CLEAN)[1]
    open_sql(
        page, site, f"SELECT hand_id, event FROM plays WHERE hand_id = '{hand}' AND NOT passed"
    )
    event = int(column(page, 3)[2])
    page.goto(f"{site}/hand/{hand}?lang=en#{event}")
    expect(page.locator("body[data-ready]")).to_be_attached()
    page.locator("#forward").click()
    expect(page.locator("#caption-number")).to_contain_text(f"{event + 1} /")
    page.locator("a.alike:visible").click()
    expect(page.locator("#table")).to_be_visible()
    assert "FROM plays x" in page.locator("#sql").input_value()
    assert (hand, str(event)) in zip(column(page, 2), column(page, 3), strict=True)


def test_a_wide_answer_scrolls_inside(page: Page, site: str) -> None:
    """On a phone the page stays as wide as the screen; answer and link to the board in sight."""
    page.set_viewport_size({"width": 360, "height": PHONE["height"]})
    open_sql(page, site, "SELECT * FROM hands JOIN seats USING (hand_id)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    scroll = page.locator(".answer-scroll")
    assert scroll.evaluate("box => box.scrollWidth > box.clientWidth")
    scroll.evaluate("box => { box.scrollLeft = 1000; }")
    expect(page.locator("#table td.go a").first).to_be_in_viewport()


def test_without_scripts_a_question_is_answered(page: Page, site: str) -> None:
    """The form asks and the heads sort, as buttons of a form."""
    browser = page.context.browser
    assert browser is not None
    bare = browser.new_context(java_script_enabled=False).new_page()
    bare.goto(f"{site}/sql?lang=en")
    bare.locator("#sql").fill(NUMBERS)
    bare.locator("#ask button[type=submit]").click()
    assert column(bare, 1) == ["10", "9", "NULL", "-3"]
    bare.locator("#table thead button").first.click()
    assert column(bare, 1) == ["-3", "9", "10", "NULL"]
    bare.context.close()
