"""The pages of matches, players and statistics: what they say, where they lead, whom they name."""

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient

from replay.archive import index
from replay.messages import LANGS, text
from replay.reader import Reader, open_reader
from replay.reader.figures import PARTS
from tests import figure_logs
from tests.figure_logs import NAMESAKE
from tests.viewer_logs import CLOSING, HOSTILE
from webviewer import create_app

OF_PLAYER = (*PARTS, "habits", "partners", "opponents")
OF_ALL = (*PARTS, "habits")
PAGES = ("/matches", "/players", "/statistics", "/player/jia")
Cells = list[list[dict[str, str]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the archive."""
    return figure_logs.logs(tmp_path_factory.mktemp("figures") / "logs")


@pytest.fixture(scope="module")
def reader(folder: Path) -> Iterator[Reader]:
    """An archive of them."""
    index(folder.parent / "archive", [folder])
    reader = open_reader(folder.parent / "archive")
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def client(reader: Reader) -> FlaskClient:
    """Asks the viewer over the archive."""
    return create_app(reader).test_client()


@pytest.fixture(scope="module")
def matches(client: FlaskClient) -> list[str]:
    """The addresses of all matches."""
    return sorted(set(re.findall(r'href="(/match/[^"]+)"', client.get("/matches").text)))


def part_of(client: FlaskClient, page: str, part: str, **more: str) -> dict[str, Any]:
    """What the page's script is given of a part."""
    answer = client.get(f"{page}/figures.json", query_string={"part": part, "lang": "en"} | more)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def hands_at(client: FlaskClient, address: str) -> int:
    """How many hands a link leads to: those of the same list as a file."""
    asked = dict(parse_qsl(urlsplit(unescape(address)).query))
    assert urlsplit(address).path == "/"
    asked.pop("lang", None)
    answer = client.get("/hands.json", query_string=asked)
    assert answer.status_code == 200, answer.text
    return len(answer.get_json()["rows"])


def some(rows: Cells) -> Cells:
    """Rows from all of a table, of a long one only some."""
    return rows[:: 1 + len(rows) // 8]


def number(said: str) -> int:
    """A number as the pages write it."""
    return int(said.replace(",", ""))


# Pages


@pytest.mark.parametrize("lang", LANGS)
def test_every_page_speaks_its_language_in_full(
    client: FlaskClient, matches: list[str], lang: str
) -> None:
    """No key stands in place of a sentence, in pages, in what scripts get, in single tables."""
    assert len(matches) > 10
    asked = [*PAGES, *matches, f"/player/{NAMESAKE}"]
    asked += [f"/statistics?part={part}" for part in OF_ALL]
    asked += [f"/player/jia?part={part}" for part in OF_PLAYER]
    asked += [f"/statistics/figures.json?part={part}" for part in OF_ALL]
    asked += [f"/player/jia/figures.json?part={part}" for part in OF_PLAYER]
    asked += [f"{match}/figures.json" for match in matches]
    for address in asked:
        page = client.get(f"{address}{'&' if '?' in address else '?'}lang={lang}")
        assert page.status_code == 200, address
        assert "⟨" not in page.text, address


def test_over_plain_logs_the_pages_say_how_an_archive_is_made(folder: Path) -> None:
    """They are pages, not errors; what scripts and downloads ask for is not there."""
    plain = create_app(open_reader(folder)).test_client()
    for address in (*PAGES, "/match/x"):
        page = plain.get(address, query_string={"lang": "en"})
        assert page.status_code == 200
        assert text("en", "view.figures.make_archive") in page.text
        assert f"paipu index ARCHIVE {folder}" in page.text
    for address in ("/statistics/figures.json", "/players/table.csv", "/player/jia/figures.json"):
        assert plain.get(address).status_code == 404


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("/player/nobody", "no_player"),
        ("/player/%E7%94%B2", "no_player"),
        ("/player/..%2F..%2Fetc", ""),
        ("/match/nothing", "no_match"),
        ("/match/nothing/figures.json", "no_match"),
        ("/statistics?part=nothing", "no_part"),
        ("/statistics/figures.json?part=partners", "no_part"),
        ("/player/jia?part=nothing", "no_part"),
        ("/players/table.exe", ""),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(
    client: FlaskClient, address: str, key: str
) -> None:
    """404; a player is known by his id, not by a name that others may bear."""
    page = client.get(f"{address}{'&' if '?' in address else '?'}lang=en")
    assert page.status_code == 404
    assert not key or text("en", f"view.error.{key}") in unescape(page.text)


@pytest.mark.parametrize("odd", ["x", "2025-02-30", "-1", "9999-12-31", "0001-01-01", "'; DROP"])
def test_odd_words_in_the_address_do_no_harm(client: FlaskClient, odd: str) -> None:
    """Days that are none count as absent; pages out of range are the nearest."""
    asked = {"since": odd, "until": odd, "game": odd, "page": odd, "sort": odd, "q": odd}
    for address in (*PAGES, "/statistics/figures.json", "/player/jia/figures.json"):
        assert client.get(address, query_string=asked | {"ended": odd}).status_code == 200


# Where figures lead


@pytest.mark.parametrize("part", ["seat", "result", "fan", "score", "level", "bombs", "period"])
def test_each_number_of_the_statistics_opens_just_those_hands(
    client: FlaskClient, part: str
) -> None:
    """The link at a number leads to as many hands as it says: all, those decided, those won."""
    found = part_of(client, "/statistics", part)
    rows: Cells = found["table"]["rows"]
    assert len(rows) >= 4
    for row in some(rows):
        linked = [cell for cell in row[2:] if "href" in cell]
        assert len(linked) == (3 if part in ("seat", "level") else 1)
        for cell in linked:
            assert hands_at(client, cell["href"]) == number(cell["text"])


@pytest.mark.parametrize(
    "part", ["seat", "role", "result", "fan", "score", "level", "bombs", "period"]
)
@pytest.mark.parametrize("more", [{}, {"game": "dagong", "since": "1970-01-02"}])
def test_each_number_of_a_player_opens_just_those_hands(
    client: FlaskClient, part: str, more: dict[str, str]
) -> None:
    """Those in which he sat there, was that, won; within the game and days that were chosen."""
    rows: Cells = part_of(client, "/player/jia", part, **more)["table"]["rows"]
    assert rows or part in ("score", "level")
    for row in some(rows):
        for cell in row[2:5]:
            assert hands_at(client, cell["href"]) == number(cell["text"])


@pytest.mark.parametrize("page", ["/statistics", "/player/jia"])
@pytest.mark.parametrize("part", ["seat", "role", "level"])
def test_a_rate_is_over_what_its_row_says(client: FlaskClient, page: str, part: str) -> None:
    """Of the decided hands, which stand beside it: no row contradicts itself."""
    for row in part_of(client, page, part)["table"]["rows"]:
        decided, won = number(row[3]["text"]), number(row[4]["text"])
        assert number(row[2]["text"]) >= decided >= won
        assert row[5]["text"] == (f"{100 * won / decided:.1f} %" if decided else "–")


def test_totals_say_how_many_hands_were_decided(client: FlaskClient) -> None:
    """On the page of a player, and in the list of all: each number opens its hands."""
    for address, mark in (("/player/jia?lang=en", 'id="totals"'), ("/players?lang=en", "<tbody>")):
        table = client.get(address).text.partition(mark)[2].partition("</table>")[0]
        found = re.findall(r'<td class="num"[^>]*><a href="(/\?[^"]*)">([\d,]+)</a>', table)
        assert any("decided=yes" in link for link, _ in found)
        for link, said in found[:12]:
            assert hands_at(client, link) == number(said), link


def test_a_name_like_the_id_of_another_opens_no_hand_of_his(client: FlaskClient) -> None:
    """Links of a player's page ask for his id alone; the search for a player takes both."""
    page = client.get("/player/jia?lang=en").text
    links = [unescape(link) for link in re.findall(r'href="(/\?[^"]*id=jia[^"]*)"', page)]
    assert links
    assert not any("player=" in link for link in links)
    named = client.get("/hands.json?player=%E7%94%B2").get_json()["rows"]
    assert {row[f"seat{seat}_id"] for row in named for seat in range(4)} >= {"jia", NAMESAKE}
    assert client.get("/hands.json?id=%E7%94%B2").get_json()["rows"] == []
    mine = client.get(f"/hands.json?id={NAMESAKE}").get_json()["rows"]
    assert mine
    assert all(NAMESAKE in [row[f"seat{seat}_id"] for seat in range(4)] for row in mine)


@pytest.mark.parametrize(
    ("address", "orders"),
    [
        ("/players", {"hands", "won", "rate", "coins", "name", "latest"}),
        ("/matches", {"newest", "oldest", "hands", "findings"}),
    ],
)
def test_heads_sort_the_lists(client: FlaskClient, address: str, orders: set[str]) -> None:
    """One says by what, the others lead to their order; filters stay."""
    for sort in orders:
        page = client.get(f"{address}?sort={sort}&game=dagong&lang=en", follow_redirects=True).text
        ways = re.findall(r'aria-sort="(\w+)"', page)
        rises = sort in ("name", "oldest")
        assert sorted(way for way in ways if way != "none") == [
            "ascending" if rises else "descending"
        ]
        heads = re.findall(r'class="sorts" href="([^"]+)"', page)
        assert len(heads) == len(ways) >= 3
        assert all("game=dagong" in head for head in heads)


def test_a_role_of_all_players_opens_the_hands_that_have_it(client: FlaskClient) -> None:
    """Seats are counted there: a hand has as many as two or three of a role, never none."""
    found = part_of(client, "/statistics", "role")
    assert found["sentences"][0] == text("en", "view.figures.role_seats")
    for row in found["table"]["rows"]:
        hands, seats = hands_at(client, row[1]["href"]), number(row[2]["text"])
        assert hands <= seats <= 4 * hands
        assert not any("href" in cell for cell in row[2:])


def test_roles_of_undecided_hands_are_told_of_in_a_sentence(client: FlaskClient) -> None:
    """They have no rate: none stands in the table, and each is named with its number."""
    found = part_of(client, "/statistics", "role")
    assert all(number(row[3]["text"]) for row in found["table"]["rows"])
    rows = client.get("/statistics/table.json?part=role").get_json()["rows"]
    undecided = [row for row in rows if not row["decided"]]
    assert len(rows) == len(found["table"]["rows"]) + len(undecided)
    for row in undecided:
        said = text(
            "en",
            "view.figures.role_undecided",
            game=text("en", f"game.{row['game']}"),
            role=text("en", f"role.{row['value']}"),
            n=f"{row['hands']:,}",
        )
        assert said in found["sentences"]


@pytest.mark.parametrize("page", ["/statistics", "/player/jia"])
def test_each_mark_leads_where_its_row_does(client: FlaskClient, page: str) -> None:
    """What a click opens in a chart is what the table links to: nothing needs a mouse."""
    for part in PARTS:
        found = part_of(client, page, part)
        marks = {a for trace in found["figure"]["data"] for a in trace["customdata"] if a}
        links = {row[1].get("href") for row in found["table"]["rows"]}
        assert marks <= links, part
        assert bool(marks) == (part not in ("hour", "thinking")), part


def test_without_scripts_a_part_is_a_table_of_the_page(client: FlaskClient) -> None:
    """Every section has a link to it, and the table then says what the script would show."""
    page = client.get("/statistics?lang=en").text
    links = re.findall(r'class="figure-wait"><a href="([^"]+)"', page)
    assert len(links) == len(OF_ALL)
    for address, part in zip(links, OF_ALL, strict=True):
        asked = unescape(address).partition("#")[0]
        assert f"part={part}" in asked
        body = client.get(asked).text.partition(f'id="part-{part}"')[2].partition("</section>")[0]
        cells = re.findall(r"<td[^>]*>(?:<a [^>]*>)?<bdi>(.*?)</bdi>", body)
        rows: Cells = part_of(client, "/statistics", part)["table"]["rows"]
        assert list(map(unescape, cells)) == [cell["text"] for row in rows for cell in row]


def test_a_match_leads_to_each_of_its_hands(client: FlaskClient, matches: list[str]) -> None:
    """From the table as from the chart, which begins where the levels are known."""
    for match in matches:
        page = client.get(match, query_string={"lang": "en"}).text
        table = page.partition('id="hands"')[2]
        links = [unescape(a) for a in re.findall(r'<a href="(/hand/[^"]+)"', table)]
        figure = client.get(f"{match}/figures.json?lang=en").get_json()["figure"]
        marks = figure["data"][0]["customdata"]
        assert marks == links[-len(marks) :]
        assert client.get(links[0]).status_code == 200


# Verdict


def test_the_verdict_is_said_in_words_of_each_game(client: FlaskClient) -> None:
    """Where hands are few it says just that."""
    said = part_of(client, "/statistics", "seat")["sentences"]
    assert len(said) == 4
    few = part_of(client, "/statistics", "seat", game="dagong", since="1970-01-02")["sentences"]
    assert len(few) == 1
    assert "too few" in few[0]


# Names


def test_hostile_names_stay_text(client: FlaskClient, matches: list[str]) -> None:
    """In <bdi> on pages, escaped where plotly reads markup; two of one name have two pages."""
    for address in (*PAGES, *matches, "/player/yi", "/player/yi?part=partners"):
        page = client.get(address).text
        assert HOSTILE not in page
        assert CLOSING not in page
    assert "<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>" in client.get("/matches").text
    for match in matches:
        assert "<img" not in client.get(f"{match}/figures.json").text
    players = client.get("/players", query_string={"q": "甲"}).text
    assert set(re.findall(r'href="/player/([^"]+)"', players)) == {"jia", NAMESAKE}


def test_what_an_address_may_not_hold_is_encoded(client: FlaskClient) -> None:
    """Ids of dots alone would be steps in a path: they stand behind the question mark."""
    from webviewer.views.players import person

    with client.application.test_request_context("/"):
        client.application.preprocess_request()
        assert person("a:b@c") == "/player/a:b@c"
        assert person("..") == "/player/-?id=.."
    assert client.get("/player/-?id=..").status_code == 404
    assert client.get("/player/-?id=jia").status_code == 200


# Files


@pytest.mark.parametrize(
    "address",
    [
        "/players/table", "/matches/table", "/statistics/table", "/player/jia/table",
        *(f"/player/jia/table?part={part}" for part in ("habits", "partners", "result", "totals")),
    ],
)  # fmt: skip
def test_every_table_is_a_file(client: FlaskClient, address: str) -> None:
    """The same rows as CSV and as JSON."""
    path, _, query = address.partition("?")
    sheet = list(csv.DictReader(io.StringIO(client.get(f"{path}.csv?{query}").text)))
    rows = client.get(f"{path}.json?{query}").get_json()["rows"]
    assert len(sheet) == len(rows) > 0
    assert list(sheet[0]) == list(rows[0])


def test_the_file_of_a_match_has_all_its_hands(client: FlaskClient, matches: list[str]) -> None:
    """With results, coins or levels."""
    for match in matches:
        rows = client.get(f"{match}/table.json").get_json()["rows"]
        links = re.findall(r'<th scope="row"><a href="/hand/([0-9a-f]+)', client.get(match).text)
        assert [row["hand_id"] for row in rows] == links
        assert {"result", "deltas", "level", "levels_after"} <= set(rows[0])
