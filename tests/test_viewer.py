"""The viewer's pages: what they say, in which language, and that what players write stays text."""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import markupsafe
import pytest
from flask.testing import FlaskClient

from replay.engine.registry import game_names
from replay.messages import LANGS, has, text
from replay.reader import open_reader
from tests.viewer_logs import (
    BLOCKED,
    CLEAN,
    CLOSING,
    FALSE_SETTLEMENT,
    FALSE_TRICK,
    FAULTY,
    HOSTILE,
    NAMES,
    folder_of_logs,
    ids_in,
)
from webviewer import create_app
from webviewer.views.hand import SCRIPT_WORDS
from webviewer.words import LETTERS, Words, codes, cut, letters

WEBVIEWER = Path(__file__).parents[1] / "webviewer"
SOURCES = sorted(p for p in WEBVIEWER.rglob("*") if p.suffix in {".py", ".html", ".js", ".css"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the pages."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer for pages."""
    reader = open_reader(folder)
    client = create_app(reader).test_client()
    while 'id="scanning"' in client.get("/").text:
        pass
    return client


@pytest.fixture(scope="module")
def ids(folder: Path) -> list[str]:
    """The hands of FAULTY."""
    return ids_in(folder / FAULTY)


@pytest.fixture(scope="module")
def pages(client: FlaskClient, folder: Path) -> list[str]:
    """The address of every kind of page, for every hand and log."""
    hands = [hand for name in (CLEAN, FAULTY) for hand in ids_in(folder / name)]
    logs = re.findall(r'href="(/log/[^"?]+)', client.get("/logs").text)
    assert len(logs) == 3
    games = [f"/rules/{game}" for game in game_names()]
    return ["/", "/logs", "/hand/nothing", *[f"/hand/{hand}" for hand in hands], *logs, *games]


def steps_of(client: FlaskClient, hand: str, eye: int | None = None) -> dict[str, Any]:
    """The steps that the page of a hand asks for."""
    answer = client.get(
        f"/hand/{hand}/steps.json", query_string={} if eye is None else {"eye": eye}
    )
    assert answer.status_code == 200
    found: dict[str, Any] = answer.get_json()
    return found


def tables(steps: list[dict[str, Any]]) -> list[dict[str, Any] | None]:
    """What the page's script makes of the differences: the table after each step."""
    table: dict[str, Any] | None = None
    found = []
    for step in steps:
        if change := step.get("b"):
            seats = change.get("seats")
            if table is not None and isinstance(seats, dict):
                old = enumerate(table["seats"])
                change = change | {"seats": [seat | seats.get(str(n), {}) for n, seat in old]}
            table = change if table is None else table | change
        found.append(table)
    return found


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_speaks_its_language_in_full(
    client: FlaskClient, pages: list[str], lang: str
) -> None:
    """No page shows a key in place of a sentence, whichever language is asked for."""
    for address in pages:
        page = client.get(address, query_string={"lang": lang})
        assert page.status_code == (404 if address == "/hand/nothing" else 200), address
        assert re.findall("⟨[^⟩]*⟩", page.text) == [], address
        assert f'<html lang="{"zh-Hans" if lang == "zh" else "en"}">' in page.text


@pytest.mark.parametrize("lang", LANGS)
def test_the_steps_speak_their_language_in_full(
    client: FlaskClient, folder: Path, lang: str
) -> None:
    """Every event, prompt and label of every hand has its words."""
    for name in (CLEAN, FAULTY):
        for hand in ids_in(folder / name):
            steps = client.get(f"/hand/{hand}/steps.json", query_string={"lang": lang}).text
            assert "⟨" not in steps


def test_the_catalogue_has_every_word_the_pages_ask_for() -> None:
    """Each key that a template or a script names outright is there in both languages."""
    asked = set()
    for path in WEBVIEWER.rglob("*.html"):
        asked |= set(re.findall(r"(?<!\w)t\('([a-z_.]+[a-z_])'", path.read_text("utf-8")))
    asked |= {f"view.js.{word}" for word in SCRIPT_WORDS}
    assert len(asked) > 100
    assert [(lang, key) for key in sorted(asked) for lang in LANGS if not has(lang, key)] == []


def test_scripts_ask_only_for_words_they_are_given() -> None:
    """`words.x` in a script is one of the words that the hand page hands over."""
    used = set()
    for path in (WEBVIEWER / "static" / "js").glob("*.js"):
        used |= set(re.findall(r"\bwords\.([a-z_]+)", path.read_text("utf-8")))
    assert used <= set(SCRIPT_WORDS)
    assert "copied" in used


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "zh"),
        ("en-GB,en;q=0.9", "en"),
        ("zh-TW,zh;q=0.9", "zh"),
        ("fr,en;q=0.5", "en"),
        ("de", "zh"),
        ("en;q=0.3, zh;q=0.8", "zh"),
    ],
)
def test_a_browser_is_answered_in_its_language(client: FlaskClient, header: str, lang: str) -> None:
    """Accept-Language chooses, Chinese otherwise; `?lang=` overrules it and stays in links."""
    page = client.get("/", headers={"Accept-Language": header}).text
    assert text(lang, "view.hands.title") in page
    overruled = client.get("/?lang=en", headers={"Accept-Language": header}).text
    assert text("en", "view.hands.title") in overruled
    assert 'href="/logs?lang=en"' in overruled


def test_pages_may_load_scripts_of_this_server_alone(client: FlaskClient, pages: list[str]) -> None:
    """No inline script runs, nothing is fetched from elsewhere, no cookie is set."""
    for address in pages:
        answer = client.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_template_has_a_script_or_handler_of_its_own() -> None:
    """Scripts are files; the one block of data is not a script to the browser."""
    for path in WEBVIEWER.rglob("*.html"):
        source = path.read_text("utf-8")
        for attributes in re.findall(r"<script([^>]*)>", source):
            assert "src=" in attributes or 'type="application/json"' in attributes, path
        assert re.findall(r"<[^>]*\son[a-z]+\s*=", source) == [], path


def test_nothing_is_loaded_from_elsewhere() -> None:
    """No address of another server stands in the viewer, but names of XML languages."""
    for path in SOURCES:
        found = re.findall(r"https?://[^\s\"')]+", path.read_text("utf-8"))
        assert [url for url in found if not url.startswith("http://www.w3.org/")] == [], path


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_viewer_names_no_game(path: Path) -> None:
    """It draws what it is given: another game adds words to the catalogue and nothing here."""
    source = path.read_text("utf-8").casefold()
    names = {
        *game_names(),
        *(text(lang, f"game.{game}") for game in game_names() for lang in LANGS),
    }
    assert [name for name in names if name.casefold() in source] == []


def test_what_players_write_stays_text(
    client: FlaskClient, pages: list[str], ids: list[str]
) -> None:
    """Names that are markup never stand in a page unescaped, and always inside <bdi>."""
    for address in pages:
        page = client.get(address).text
        assert HOSTILE not in page, address
        assert "></script>&" not in page, address
    assert f"<bdi>{escape(HOSTILE, quote=False)}</bdi>" in client.get(f"/hand/{ids[0]}").text


def test_data_for_the_scripts_cannot_end_its_block(client: FlaskClient, ids: list[str]) -> None:
    """The names reach the scripts whole, though one of them closes a script element."""
    page = client.get(f"/hand/{ids[0]}").text
    block = re.search(r'<script type="application/json" id="hand-data">(.*?)</script>', page, re.S)
    assert block
    assert tuple(json.loads(block[1])["players"]) == NAMES
    assert "<" not in block[1]


def test_an_address_is_data_too(client: FlaskClient) -> None:
    """Ids and filters from the address come back escaped."""
    page = client.get("/hand/<script>alert(1)<").text
    assert "&lt;script&gt;alert(1)&lt;" in page
    asked = client.get("/", query_string={"q": CLOSING, "player": HOSTILE}).text
    assert HOSTILE not in asked
    assert f'value="{escape(HOSTILE)}"' in asked


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_get_is_answered(client: FlaskClient, method: str) -> None:
    """There is nothing to change here."""
    refused = client.open("/", method=method)
    assert refused.status_code == 405
    assert refused.headers["Allow"] == "GET, HEAD"
    assert client.open("/", method="HEAD").status_code == 200


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("/hand/0123456789abcdef", 404, "view.error.no_hand"),
        ("/log/nothing", 404, "view.error.no_log"),
        ("/rules/nothing", 404, "view.error.no_game"),
    ],
)
def test_an_unknown_name_is_said_to_be_unknown(
    client: FlaskClient, address: str, status: int, says: str
) -> None:
    """The page says what was looked for, and what it could mean."""
    page = client.get(address, query_string={"lang": "en"})
    assert page.status_code == status
    assert str(markupsafe.escape(text("en", says))) in page.text
    assert f"<code>{address.split('/')[2]}</code>" in page.text


def test_an_eye_is_a_seat(client: FlaskClient, ids: list[str]) -> None:
    """There are four seats."""
    assert client.get(f"/hand/{ids[0]}/steps.json?eye=4").status_code == 404
    assert client.get(f"/hand/{ids[0]}/steps.json?eye=3").status_code == 200


def test_every_finding_links_to_a_rule_that_is_there(
    client: FlaskClient, pages: list[str], ids: list[str]
) -> None:
    """The anchors that hand and log pages name stand in the rule page."""
    linked = set()
    for address in pages:
        linked |= set(re.findall(r'href="(/rules/\w+)#([\w.-]+)"', client.get(address).text))
    assert len(linked) >= 3
    for page, anchor in linked:
        assert f'id="{anchor}"' in client.get(page).text


def test_each_hand_shows_its_findings_and_their_events(client: FlaskClient, ids: list[str]) -> None:
    """The sentence, the event to go to, and the mark at the event in the steps."""
    for index in (FALSE_TRICK, BLOCKED, FALSE_SETTLEMENT):
        page = client.get(f"/hand/{ids[index]}?lang=en").text
        flawed = [n for n, step in enumerate(steps_of(client, ids[index])["steps"]) if "f" in step]
        assert len(flawed) == 1
        assert f'data-event="{flawed[0] + 1}"' in page
        assert page.count('<div class="finding">') == 1
    clean = client.get(f"/hand/{ids[0]}?lang=en").text
    assert '<div class="finding">' not in clean
    assert 'id="next-finding"' not in clean


@pytest.mark.parametrize("eye", [None, 0, 3])
def test_differences_add_up_to_the_tables(
    client: FlaskClient, folder: Path, ids: list[str], eye: int | None
) -> None:
    """Put together as the page does, the steps give every board as the reader has it."""
    page = open_reader(folder).hand(ids[0], eye)
    found = steps_of(client, ids[0], eye)
    assert found["direction"] == page.direction
    for table, moment in zip(tables(found["steps"]), page.moments, strict=True):
        board = moment.board
        assert (table is None) == (board is None)
        if table is None or board is None:
            continue
        for sent, seat in zip(table["seats"], board.seats, strict=True):
            assert sent["c"] == (None if seat.cards is None else letters(seat.cards))
            assert (sent["n"], sent["points"]) == (seat.count, seat.points)
        assert [laid["c"] for laid in table["table"]] == [
            letters(laid.cards) for laid in board.table
        ]
        assert (table["turn"], table["trick"]) == (board.prompt.seat, board.trick)


def test_hidden_cards_do_not_travel(client: FlaskClient, ids: list[str]) -> None:
    """Seen with one eye, the answer holds the other seats' cards nowhere but as they are laid."""
    open_cards = tables(steps_of(client, ids[0])["steps"])
    hidden = json.dumps(steps_of(client, ids[0], 2))
    dealt = next(table for table in open_cards if table and table["seats"][0]["n"] == 27)
    for seat in range(4):
        assert (dealt["seats"][seat]["c"] in hidden) == (seat == 2)


def test_a_hand_is_a_small_answer(client: FlaskClient, folder: Path) -> None:
    """All steps of a hand come at once: they are kept below 150 kB."""
    for name in (CLEAN, FAULTY):
        for hand in ids_in(folder / name):
            assert len(client.get(f"/hand/{hand}/steps.json").data) < 150_000


def test_lists_are_paged_and_keep_their_filters(client: FlaskClient) -> None:
    """A facet keeps the order asked for; the pages of a list keep its filters."""
    page = client.get("/?sort=longest&findings=some&size=25").text
    assert page.count('class="hand-link"') == 3
    assert re.search(r'href="/\?[^"]*result=unverified[^"]*sort=longest', page) or re.search(
        r'href="/\?[^"]*sort=longest[^"]*result=unverified', page
    )
    assert client.get("/?page=banana&size=7&sort=odd&findings=maybe").status_code == 200


def test_the_settlement_marks_what_the_log_says_otherwise(
    client: FlaskClient, ids: list[str]
) -> None:
    """Two cells of the false settlement show both values; an honest one shows none."""
    false = client.get(f"/hand/{ids[FALSE_SETTLEMENT]}").text
    assert false.count('class="logged"') == 2
    honest = client.get(f"/hand/{ids[0]}").text
    assert 'class="logged"' not in honest
    assert 'data-events="' in honest


def test_a_log_that_cannot_be_read_has_a_page_that_says_why(client: FlaskClient) -> None:
    """It names what was found instead of a log."""
    row = re.search(r'<a class="hand-link" href="([^"]+)"><bdi>junk', client.get("/logs").text)
    assert row
    page = client.get(row[1], query_string={"lang": "en"})
    assert page.status_code == 200
    assert "68 65 6c 6c 6f" in page.text
    assert text("en", "view.log.no_verdict") in page.text


def test_figures_are_figures(client: FlaskClient, ids: list[str]) -> None:
    """Plotly's own checks accept them, and a name is escaped for its markup."""
    figure = pytest.importorskip("plotly.graph_objects").Figure
    overview = client.get("/charts.json").get_json()
    assert len(figure(overview["seats"]).data[0].y) == 4
    assert sum(figure(overview["results"]).data[0].x) == 7
    answers = [client.get(f"/hand/{hand}/charts.json").get_json()["points"] for hand in ids]
    assert None in answers, "one of the hands is solo and keeps no points"
    traces = figure(next(filter(None, answers))).data
    assert len(traces) == 4
    assert traces[0].name == escape(HOSTILE)


def test_plotly_comes_from_the_installed_package(client: FlaskClient) -> None:
    """The script is served here, to be kept by the browser."""
    with client.get("/plotly.min.js") as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "text/javascript"
        assert "plotly.js v" in answer.get_data(as_text=True)[:200]


def test_letters_stand_for_cards_one_to_one() -> None:
    """Every card code has a letter of its own, and comes back from it."""
    deck = bytes(range(54))
    assert codes(letters(deck)) == deck
    assert len(set(LETTERS)) == 54


def test_a_sentence_is_cut_at_its_seats_and_cards() -> None:
    """Marks in a sentence become pieces, what is between them stays text."""
    assert cut("a\ue000s2\ue001 b \ue000cAB\ue001") == ["a", ("s", 2), " b ", ("c", "AB")]
    assert cut("plain") == ["plain"]


def test_a_missing_sentence_is_shown_as_missing() -> None:
    """A key without words is better seen than silent."""
    assert Words("en")("view.nonsense") == "⟨view.nonsense⟩"
