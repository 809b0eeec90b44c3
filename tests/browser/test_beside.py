"""Beside the table in a real Chromium: the card counter and the charts."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import chaodipi_hand
from tests.viewer_logs import CLEAN, folder_of_logs, ids_in

TRUMPS = "trumps.paipu"
LAW = """async ([steps, modules, eye]) => {
    const { unfold } = await import(modules + 'steps.js');
    const { counted } = await import(modules + 'counter.js');
    const all = unfold(await (await fetch(steps)).json());
    const own = unfold(await (await fetch(steps + '?eye=' + eye)).json());
    const differing = [];
    all.forEach((step, at) => {
        if (!step.board) return;
        const [full, seen] = [counted(step.board, eye), counted(own[at].board, eye)];
        if (full.join() !== seen.join()) differing.push(step.n);
    });
    return [all.filter((step) => step.board).length, differing];
}"""
"""How many steps have a table, and where the counter of an eye is not that of the whole page."""
PAINT = """async ([steps, modules]) => {
    const { unfold } = await import(modules + 'steps.js');
    const { Counter } = await import(modules + 'counter.js');
    const { Pen } = await import(modules + 'draw.js');
    const data = JSON.parse(document.getElementById('hand-data').textContent);
    const pen = new Pen(data.players, data.faces, '');
    const counter = new Counter(document.getElementById('counter'), pen, data.words);
    counter.isOn = true;
    const took = unfold(await (await fetch(steps)).json()).map((step) => {
        const began = performance.now();
        counter.draw(step, { seat: step.n % 4 });
        return performance.now() - began;
    });
    took.sort((a, b) => a - b);
    return [took.length, took[Math.floor(took.length * 0.95)], took.at(-1)];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand with trumps and a bottom beside hands without."""
    place = folder_of_logs(tmp_path_factory.mktemp("logs"))
    (place / TRUMPS).write_bytes(chaodipi_hand.log())
    return place


def open_at(page: Page, address: str) -> None:
    """Open a hand and wait until its steps are there."""
    page.goto(address)
    expect(page.locator("body[data-ready]")).to_be_attached()


def asked(page: Page, site: str, hand: str, script: str, *more: Any) -> Any:
    """What a script of ours says on the page of a hand."""
    open_at(page, f"{site}/hand/{hand}")
    return page.evaluate(script, [f"/hand/{hand}/steps.json", f"{site}/static/js/", *more])


@pytest.mark.parametrize("log", [CLEAN, TRUMPS])
@pytest.mark.parametrize("eye", range(4))
def test_the_page_counts_what_the_server_counts(
    page: Page, site: str, folder: Path, log: str, eye: int
) -> None:
    """With all cards on the page, the counter says of a seat what that seat is told."""
    steps, differing = asked(page, site, ids_in(folder / log)[0], LAW, eye)
    assert steps > 20
    assert differing == []


def test_the_counter_opens_by_key_and_follows_the_table(
    page: Page, site: str, folder: Path
) -> None:
    """`r` opens and closes it; it counts for the seat at the bottom, and less after a play."""
    open_at(page, f"{site}/hand/{ids_in(folder / CLEAN)[0]}?lang=zh#1/0")
    counter = page.locator("#counter")
    expect(counter).to_be_hidden()
    page.keyboard.press("r")
    expect(counter).to_be_visible()
    expect(counter).to_contain_text("还没发牌")
    page.keyboard.press("End")
    last = counter.locator(".counter-title")
    expect(last).to_contain_text("甲")
    before = int("".join(c for c in last.inner_text() if c.isdigit()))
    page.keyboard.press("v")
    expect(last).to_contain_text("乙")
    ranks = counter.locator(".counter-row.ranks li")
    expect(ranks).to_have_count(13)
    expect(counter.locator(".counter-row.joker li")).to_have_count(2)
    page.keyboard.press("r")
    expect(counter).to_be_hidden()
    assert before < 162


def test_trumps_stand_apart_from_the_suits(page: Page, site: str, folder: Path) -> None:
    """A row of trumps and one for each suit beside; together they are all faces."""
    open_at(page, f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en#60/1:h")
    page.keyboard.press("r")
    expect(page.locator("#counter .trumps li").first).to_be_visible()
    expect(page.locator("#counter .counter-row.suit")).to_have_count(3)
    expect(page.locator("#counter li")).to_have_count(54)


@pytest.mark.parametrize("log", [CLEAN, TRUMPS])
def test_a_step_of_the_counter_is_quick(
    page: Page, site: str, folder: Path, log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """How long a step takes is printed; every step is drawn."""
    steps, p95, most = asked(page, site, ids_in(folder / log)[0], PAINT)
    with capsys.disabled():
        print(f"\ncounter, {log}: {steps} steps, p95 {p95:.2f} ms, at most {most:.2f} ms")
    assert steps > 20
    expect(page.locator("#counter li").first).to_be_visible()


def test_the_charts_are_steppers(page: Page, site: str, folder: Path) -> None:
    """A click goes to the event, and the thin line follows the table."""
    open_at(page, f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en#3/0")
    page.locator("#tab-chart").click()
    chart = page.locator("#chart")
    expect(chart.locator(".main-svg").first).to_be_visible()
    line = chart.locator(".shapelayer path")
    expect(line).to_have_count(1)
    before = line.get_attribute("d")
    box = chart.locator(".nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    expect(page.locator("#caption-number")).not_to_contain_text("3 /")
    expect(line).not_to_have_attribute("d", before or "")


def test_the_tables_below_the_charts_lead_to_events(page: Page, site: str, folder: Path) -> None:
    """By keyboard alone; there is one table a chart, and with one eye trumps are two columns."""
    open_at(page, f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en#20/1:h")
    page.locator("#tab-chart").click()
    page.locator(".chart-tables summary").press("Enter")
    tables = page.locator(".chart-table")
    expect(tables).to_have_count(3)
    expect(tables.last.locator("thead th")).to_have_count(3)
    tables.first.locator(".goto").first.press("Enter")
    expect(page.locator("#caption-number")).not_to_contain_text("20 /")
    page.keyboard.press("h")
    expect(tables.last.locator("thead th")).to_have_count(5)


def test_without_spoilers_no_chart_tells_what_comes(page: Page, site: str, folder: Path) -> None:
    """Nothing is drawn, and nothing asked for."""
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    open_at(page, f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en#20/1:s")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#caption-number")).to_have_text("21")
    assert [url for url in asked_for if "charts.json" in url] == []


def test_without_spoilers_the_charts_are_there_at_the_end(
    page: Page, site: str, folder: Path
) -> None:
    """Once nothing is covered any more their tab is back, and they are drawn; going back from there
    keeps them.
    """
    hand = ids_in(folder / TRUMPS)[0]
    steps = page.request.get(f"{site}/hand/{hand}/steps.json").json()["steps"]
    open_at(page, f"{site}/hand/{hand}?lang=en#{len(steps) - 1}/1:s")
    expect(page.locator("#tab-chart")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.locator("#tab-chart").click()
    expect(page.locator("#chart .main-svg").first).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator("#chart .main-svg").first).to_be_visible()
