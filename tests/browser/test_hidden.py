"""A hidden view in a real Chromium: nothing of what its seat has not seen is ever shown."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests import chaodipi_hand
from tests.browser.pages import place
from tests.viewer_logs import FALSE_TRICK, FAULTY, folder_of_logs, ids_in

TRUMPS = "trumps.paipu"
STEPS = re.compile(r"/steps\.json")
OWN_STEPS = re.compile(r"/steps\.json\?(.*&)?eye=")
OWN_CHARTS = re.compile(r"/charts\.json\?(.*&)?eye=")
SHOWING = ".felt .card, #events .event, #caption-line, .course li, .finding-text, .plaque *"
"""What shows cards, and sentences about them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand in which a bottom is buried that only one seat sees, beside hands without."""
    logs = folder_of_logs(tmp_path_factory.mktemp("logs"))
    (logs / TRUMPS).write_bytes(chaodipi_hand.log())
    return logs


def address(site: str, folder: Path, fragment: str) -> str:
    """The hand with the bottom, at a place."""
    return f"{site}/hand/{ids_in(folder / TRUMPS)[0]}?lang=en{fragment}"


def open_at(page: Page, there: str) -> None:
    """Open a hand and wait until it is shown."""
    page.goto(there)
    expect(page.locator("body[data-ready]")).to_be_attached()


class Gate:
    """Holds back what is asked of an address until it is opened."""

    def __init__(self, page: Page, what: re.Pattern[str]) -> None:
        self._held: list[Route] = []
        self._is_open = False
        page.route(what, self._hold)

    def _hold(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._held.append(route)

    def open(self) -> None:
        """Let everything through, what was held and what comes."""
        self._is_open = True
        for route in self._held:
            route.continue_()


def buried(page: Page) -> list[str]:
    """The lines of the list that say what was buried, whether they are in sight or not."""
    lines = page.locator("#events .event").all_text_contents()
    return [line for line in lines if "urie" in line]


def fails(route: Route) -> None:
    """The server has a fault."""
    route.fulfill(status=500, json={"error": "broken"})


def expected(complaints: list[str]) -> None:
    """The console says of the fault what it must, and nothing else."""
    assert {said for said in complaints if "500" not in said} == set()
    complaints.clear()


def in_sight(page: Page) -> Any:
    """The texts in sight that may tell of cards."""
    return page.evaluate(
        """(what) => [...document.querySelectorAll(what)]
            .filter((part) => part.checkVisibility({ visibilityProperty: true }))
            .map((part) => part.textContent)""",
        SHOWING,
    )


def test_a_hidden_view_asks_for_what_its_seat_saw_and_nothing_else(
    page: Page, site: str, folder: Path
) -> None:
    """Everybody's cards do not even come; list and timeline are made of the seat's own steps."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(address(site, folder, "#8/0:h"))
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert [url for url in urls if STEPS.search(url)] == [
        url for url in urls if OWN_STEPS.search(url)
    ]
    own, other = buried(page)
    assert "3♦" in own
    assert not re.search("[♠♥♣♦]", other)
    expect(page.locator("#events .sign").first).to_be_hidden()


def test_while_the_own_steps_are_on_their_way_nothing_is_shown(
    page: Page, site: str, folder: Path
) -> None:
    """Neither cards nor sentences, nor what the page brought along of findings and outcome; links
    out of it are as hidden already.
    """
    gate = Gate(page, OWN_STEPS)
    page.goto(address(site, folder, "#8/0:h"))
    expect(page.locator("body.own-cards")).to_be_attached()
    assert in_sight(page) == []
    expect(page.locator(".outcome")).to_be_hidden()
    expect(page.locator("#print")).to_have_attribute("href", re.compile("eye=0$"))
    gate.open()
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator(".felt .card").first).to_be_visible()
    expect(page.locator(".outcome")).to_be_visible()


def test_where_the_own_steps_do_not_come_that_is_said_and_no_list_is_shown(
    page: Page, site: str, folder: Path, complaints: list[str]
) -> None:
    """The server fails: no list is made of what anybody else saw."""
    page.route(OWN_STEPS, fails)
    page.goto(address(site, folder, "#8/0:h"))
    expect(page.locator("#felt-note")).to_contain_text("could not be loaded")
    assert page.locator("#events .event").count() == 0
    assert in_sight(page) == []
    expected(complaints)


def test_what_was_shown_goes_before_the_own_steps_are_asked_for(
    page: Page, site: str, folder: Path
) -> None:
    """Hiding the other hands hides them at once, however long the answer takes."""
    open_at(page, address(site, folder, "#8/0"))
    assert "♦" in "".join(in_sight(page))
    gate = Gate(page, OWN_STEPS)
    page.keyboard.press("h")
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "true")
    assert in_sight(page) == []
    assert place(page) == "8/0:h", "a reload opens no other view"
    page.keyboard.press("ArrowRight")
    assert in_sight(page) == []
    gate.open()
    expect(page.locator("#caption-number")).to_have_text(re.compile("^9 / "))
    expect(page.locator("body[data-ready]")).to_be_attached()
    own, other = buried(page)
    assert "3♦" in own
    assert not re.search("[♠♥♣♦]", other)
    page.keyboard.press("h")
    assert all("♦" in line for line in buried(page))


def test_a_failure_leaves_the_other_hands_covered(
    page: Page, site: str, folder: Path, complaints: list[str]
) -> None:
    """It is said; with the hands open again all is as it was, and hiding them asks anew."""
    open_at(page, address(site, folder, "#8/0"))
    page.route(OWN_STEPS, fails, times=1)
    page.keyboard.press("h")
    expect(page.locator("#felt-note")).to_contain_text("could not be loaded")
    assert in_sight(page) == []
    page.keyboard.press("h")
    expect(page.locator("#felt-note")).to_be_hidden()
    assert all("♦" in line for line in buried(page))
    assert in_sight(page) != []
    page.keyboard.press("h")
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert not re.search("[♠♥♣♦]", buried(page)[1])
    expected(complaints)


def test_an_answer_that_comes_too_late_shows_nothing(page: Page, site: str, folder: Path) -> None:
    """Whoever has opened the hands meanwhile sees them all, not what a seat saw."""
    open_at(page, address(site, folder, "#8/0"))
    gate = Gate(page, OWN_STEPS)
    page.keyboard.press("h")
    page.keyboard.press("h")
    with page.expect_response(OWN_STEPS):
        gate.open()
    expect(page.locator("#hide")).to_have_attribute("aria-pressed", "false")
    assert all("♦" in line for line in buried(page))
    assert page.locator(".felt .card.back").count() == 0


def test_charts_and_legal_plays_of_another_eye_go_first(
    page: Page, site: str, folder: Path
) -> None:
    """They are empty until those of the seat are there."""
    open_at(page, address(site, folder, "#20/1"))
    page.locator("#tab-chart").click()
    expect(page.locator(".chart-table")).not_to_have_count(0)
    gate = Gate(page, OWN_CHARTS)
    page.keyboard.press("h")
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#chart .main-svg")).to_have_count(0)
    expect(page.locator(".chart-table")).to_have_count(0)
    gate.open()
    expect(page.locator(".chart-table").last.locator("thead th")).to_have_count(3)
    page.keyboard.press("h")
    page.keyboard.press("w")
    expect(page.locator("#panel-legal .pick").first).to_be_visible()
    legal = Gate(page, re.compile(r"/explain\.json\?(.*&)?eye="))
    page.keyboard.press("c")
    page.keyboard.press("h")
    expect(page.locator("body[data-ready]")).to_be_attached()
    expect(page.locator("#panel-legal .pick")).to_have_count(0)
    legal.open()
    expect(page.locator("#panel-legal .legal-head")).to_be_visible()


def test_without_spoilers_the_list_of_notes_does_not_tell_what_lies_ahead(
    page: Page, site: str, folder: Path
) -> None:
    """Neither their steps nor their texts: that there are some, until their step is reached."""
    open_at(page, address(site, folder, "#9/0"))
    page.locator("#tab-notes").click()
    for step in ("first", "second"):
        page.locator("#panel-notes textarea").fill(step)
        page.locator("#panel-notes button[type=submit]").click()
        page.locator("#tab-notes").focus()
        page.locator("#forward").click()
    page.locator("#first").click()
    lines, ahead = page.locator(".note-list li:visible"), page.locator(".notes-ahead")
    expect(lines).to_have_count(2)
    expect(ahead).to_be_hidden()
    page.keyboard.press("s")
    expect(lines).to_have_count(0)
    expect(ahead).to_be_visible()
    assert not re.search(r"\d", ahead.inner_text())
    for _ in range(8):
        page.locator("#forward").click()
    expect(lines).to_have_text([re.compile("first")])
    expect(ahead).to_be_visible()
    page.locator("#forward").click()
    expect(lines).to_have_count(2)
    expect(ahead).to_be_hidden()


def test_without_spoilers_no_button_and_no_key_tells_what_lies_ahead(
    page: Page, site: str, folder: Path
) -> None:
    """Where findings lie ahead no gap is left; going on to the own next turn never says that there
    is none: it goes on to the next trick.
    """
    open_at(page, f"{site}/hand/{ids_in(folder / FAULTY)[FALSE_TRICK]}?lang=en#9/0:s")
    assert page.locator("#next-finding").bounding_box() is None
    page.keyboard.press("s")
    assert page.locator("#next-finding").bounding_box() is not None
    last = max(steps_of(page, site, folder, 0))
    open_at(page, f"{site}/hand/{ids_in(folder / FAULTY)[0]}?lang=en#{last}/0:s")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#toast")).not_to_have_class(re.compile("on"))
    assert int(place(page).partition("/")[0]) > last


def steps_of(page: Page, site: str, folder: Path, seat: int) -> list[int]:
    """The steps, from 1, in which a seat acts in the first hand of FAULTY."""
    found = page.request.get(f"{site}/hand/{ids_in(folder / FAULTY)[0]}/steps.json").json()
    acts = enumerate(found["steps"], 1)
    return [n for n, step in acts if step["s"] == seat and step["a"] == "fact"]


def test_how_it_ended_is_told_to_a_seat_at_the_end(page: Page, site: str, folder: Path) -> None:
    """The winners say who plays with whom; who sees all cards reads them at any step."""
    open_at(page, address(site, folder, "#4/0:h"))
    told = page.locator(".outcome-result, .outcome-winners")
    for part in told.all():
        expect(part).to_be_hidden()
    page.keyboard.press("End")
    for part in told.all():
        expect(part).to_be_visible()
    page.keyboard.press("h")
    page.keyboard.press("Home")
    for part in told.all():
        expect(part).to_be_visible()
    assert told.count() > 0
