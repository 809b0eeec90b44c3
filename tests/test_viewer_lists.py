"""The pages of lists: filters as links, what means nothing is said, and tables as files."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, text
from replay.reader import HandQuery, LogRow, Reader, open_reader
from replay.reader.logs import LogsReader
from tests.archives import indexed
from tests.viewer_logs import CLEAN, FAULTY, HOSTILE, JUNK, folder_of_logs
from webviewer import create_app
from webviewer.views.tables import LEFT_OUT

SAMPLES = Path(__file__).parent.parent / "sample_logs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs with hostile names and faults, and one that is none."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer of these logs."""
    return create_app(open_reader(folder)).test_client()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """An archive of the sample logs of every game."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, SAMPLES)
    return open_reader(path)


@pytest.fixture(scope="module")
def samples(archive: Reader) -> FlaskClient:
    """Asks the viewer of the sample logs."""
    return create_app(archive).test_client()


def page(client: FlaskClient, address: str, lang: str = "en") -> str:
    """A page that there is, as text."""
    chosen = "" if "lang=" in address else f"{'&' if '?' in address else '?'}lang={lang}"
    answer = client.get(address + chosen, follow_redirects=True)
    assert answer.status_code == 200
    return answer.text


def count(shown: str) -> int:
    """How many hands a page says that there are."""
    found = re.search(r'data-fresh="lead">([\d,]+) in all', shown)
    assert found
    return int(found[1].replace(",", ""))


def links(shown: str, css: str) -> Iterator[tuple[str, str]]:
    """Address and text of the links of a class."""
    for classes, address, inner in re.findall(
        r'<a class="([^"]*)"[^>]*? ?href="([^"]+)"[^>]*>(.*?)</a>', shown, re.S
    ):
        if css in classes.split():
            yield unescape(address), re.sub("<[^>]+>", "", inner)


@pytest.mark.parametrize(
    "query",
    [
        "since=2025-13-01",
        "until=tomorrow",
        "bombs=-1",
        "longer=many",
        "score_from=99999999999",
        "level=11",
        "won=maybe",
        "findings=odd",
        "seat=4",
        "sort=odd",
        "size=7",
        "page=0",
        "page=99",
        "colour=red",
        "game=dagong&game=gunzi",
        "q=" + "x" * 200,
    ],
)
@pytest.mark.parametrize("lang", LANGS)
def test_what_means_nothing_is_said(client: FlaskClient, query: str, lang: str) -> None:
    """The page is there, names the parameter and its value, and tells what became of it."""
    shown = client.get(f"/?{query}&lang={lang}").text
    (notice,) = re.findall(r'<p class="notice bad" role="alert">(.*?)</p>', shown)
    name, values = next(iter(parse_qs(query).items()))
    assert notice.startswith(name)
    assert values[-1][:100] in notice
    assert "⟨" not in shown


def test_a_filter_that_means_nothing_filters_nothing(client: FlaskClient) -> None:
    """The others still do."""
    assert count(page(client, "/?since=2025-13-01")) == count(page(client, "/"))
    assert count(page(client, "/?since=2025-13-01&findings=some")) == 3


def test_what_a_form_leaves_empty_asks_for_nothing(client: FlaskClient) -> None:
    """A form sends all its fields: it is led to the address that says what is asked, no more."""
    empty = "q=&player=&since=&until=&bombs=&longer=&level=&findings=&size=50"
    for sent, meant in {
        f"/?{empty}&sort=newest&page=1": "/",
        f"/?lang=en&{empty}&won=no&sort=bombs": "/?lang=en&won=no&sort=bombs",
        "/logs?q=&sort=name&findings=some": "/logs?findings=some",
        "/matches?player=&game=&ended=&sort=newest": "/matches",
        "/players?q=%E7%94%B2+%26&game=&sort=hands": "/players?q=%E7%94%B2+%26",
        "/statistics?game=&since=&until=": "/statistics",
        "/player/%E7%94%B2?since=": "/player/%E7%94%B2",
    }.items():
        answer = client.get(sent)
        assert (answer.location, answer.status_code) == (meant, 302), sent
    assert 'class="active-filters"' not in page(client, "/")


def test_what_comes_twice_is_not_made_short(client: FlaskClient) -> None:
    """The first of them counts, and the page says that the other does not."""
    shown = page(client, "/?findings=&findings=some")
    assert shown.count("notice bad") == 1
    assert count(shown) == count(page(client, "/"))


def test_links_of_a_page_are_short(samples: FlaskClient) -> None:
    """None carries a parameter that asks for nothing."""
    for address in ("/?game=gunzi&findings=some&size=25", "/logs?game=gunzi&sort=hands"):
        found = re.findall(r'href="(/[^"]*)"', page(samples, address))
        assert len(found) > 30
        assert not [link for link in found if re.search(r"=(&|$)", unescape(link))]


def test_a_file_is_not_made_of_a_filter_that_means_nothing(client: FlaskClient) -> None:
    """A file has no place to say so: there is none, and the page says why."""
    for form in ("csv", "json"):
        answer = client.get(f"/hands.{form}?since=2025-13-01&lang=en")
        assert answer.status_code == 400
        assert "2025-13-01" in answer.text


def test_each_chip_takes_its_own_filter_away(samples: FlaskClient) -> None:
    """What is active is named in words; the link keeps all the others and the order."""
    asked = "game=gunzi&level=3&seat=2&won=yes&role=dealer&score_from=0&bombs=0&sort=bombs"
    shown = page(samples, f"/?{asked}")
    there = {name: values[0] for name, values in parse_qs(asked).items()}
    chips = [(a, t) for a, t in links(shown, "facet") if text("en", "view.lists.remove") in t]
    assert len(chips) == 7
    missing = set()
    for address, said in chips:
        left = {k: v[0] for k, v in parse_qs(urlsplit(address).query).items() if k != "lang"}
        (gone,) = there.keys() - left.keys()
        assert left == {name: value for name, value in there.items() if name != gone}
        assert "⟨" not in said
        missing.add(gone)
    assert missing == there.keys() - {"sort"}


def test_facets_tell_what_their_links_give(samples: FlaskClient) -> None:
    """Each count is that of the list behind it, with the other filters in place."""
    for address in ("/?bombs=1&size=25", "/?game=gunzi&findings=some", "/?mode=solo"):
        shown = page(samples, address)
        facets = [
            (a, t) for a, t in links(shown, "facet") if text("en", "view.lists.remove") not in t
        ]
        assert len(facets) > 4
        chosen = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        for link, said in facets:
            found = re.search(r"([\d,]+)\s*$", said)
            assert found
            taken = chosen.keys() - parse_qs(urlsplit(link).query).keys()
            expected = int(found[1].replace(",", ""))
            if taken:
                assert expected == count(shown)
            else:
                assert expected == count(page(samples, link)), link


def test_levels_are_offered_where_there_are_levels(
    client: FlaskClient, samples: FlaskClient
) -> None:
    """Filters that no hand could meet are not offered."""
    assert 'name="level"' not in page(client, "/")
    assert 'name="level"' in page(samples, "/")
    assert 'name="level"' not in page(samples, "/?game=dagong")
    assert 'name="game"' not in page(client, "/")


@pytest.mark.parametrize(
    ("sort", "way"),
    [
        ("newest", "descending"),
        ("oldest", "ascending"),
        ("findings", "descending"),
        ("longest", "descending"),
        ("bombs", "descending"),
        ("swing", "descending"),
    ],
)
def test_one_head_says_how_the_list_is_sorted(client: FlaskClient, sort: str, way: str) -> None:
    """The others link to their order; that of the time turns around."""
    shown = page(client, f"/?sort={sort}&findings=none")
    ways = re.findall(r'aria-sort="(\w+)"', shown)
    assert sorted(ways) == sorted([way, *["none"] * 4])
    heads = [parse_qs(urlsplit(address).query) for address, _ in links(shown, "sorts")]
    assert {head["findings"][0] for head in heads} == {"none"}
    orders = {head.get("sort", ["newest"])[0] for head in heads}
    assert orders >= {"findings", "longest", "bombs", "swing"}
    assert ("oldest" in orders) == (sort == "newest")


def test_pages_have_numbers(samples: FlaskClient) -> None:
    """First, last, and those about the one that is shown, which is marked; each keeps filters."""
    shown = page(samples, "/?size=25&page=9&game=gunzi")
    numbers = re.search(r'<ul class="page-numbers">(.*?)</ul>', shown, re.S)
    assert numbers
    found = [int(n) for n in re.findall(r">(\d+)</a>", numbers[1])]
    last = found[-1]
    assert found == [1, 7, 8, 9, 10, 11, last]
    assert last > 11
    assert re.search(r'aria-current="page">9<', numbers[1])
    assert numbers[1].count("game=gunzi") == numbers[1].count("size=25") == len(found)


@pytest.mark.parametrize("query", ["", "game=gunzi&sort=bombs", "player=%E7%94%B2&won=yes&seat=0"])
def test_the_files_have_every_row_of_the_list(
    samples: FlaskClient, archive: Reader, query: str
) -> None:
    """All rows, not one page of them, in the order asked for, else in that of the logs."""
    fields = {"sort": "log"} | {name: values[0] for name, values in parse_qs(query).items()}
    asked = HandQuery(**{k: int(v) if k == "seat" else v for k, v in fields.items()})  # type: ignore[arg-type]
    expected = [row.hand_id for row in archive.every(asked)]
    assert len(expected) > 25
    answer = samples.get(f"/hands.csv?{query}")
    assert answer.headers[LEFT_OUT] == "0"
    table = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["hand_id"] for row in table] == expected
    rows = json.loads(samples.get(f"/hands.json?{query}").text)["rows"]
    assert [row["hand_id"] for row in rows] == expected
    for row, other in zip(rows, table, strict=True):
        assert other["result"] == row["result"]
        assert json.loads(other["winners"]) == row["winners"]
        assert other["seat3_delta"] == (
            "" if row["seat3_delta"] is None else str(row["seat3_delta"])
        )


def test_every_bar_is_named(samples: FlaskClient) -> None:
    """A tick at each, and room for all of their names."""
    layout, data = (
        samples.get("/charts.json").get_json()["results"][part] for part in ("layout", "data")
    )
    bars = len(data[0]["y"])
    assert bars > 12
    assert layout["yaxis"]["dtick"] == 1
    assert layout["height"] - layout["margin"]["t"] - layout["margin"]["b"] >= 18 * bars


def test_a_level_and_a_mode_of_one_name_are_said_once(samples: FlaskClient) -> None:
    """扛旗 is a level and a mode: one facet, one option, one word in a row."""
    word = text("zh", "mode.flag")
    assert word == text("zh", "level.13")
    shown = page(samples, "/?level=F&lang=zh")
    assert count(page(samples, "/?level=F")) == count(page(samples, "/?mode=flag")) > 0
    rows = shown.partition("<tbody>")[2].partition("</tbody>")[0]
    for told in re.findall(r'<td class="result">.*?<span class="sub">(.*?)</td>', rows, re.S):
        assert told.count(word) == 1
    listed = page(samples, "/?lang=zh")
    assert [t.split()[0] for _, t in links(listed, "facet")].count(word) == 1
    assert "mode=flag" not in listed
    assert 'value="flag"' in page(samples, "/?mode=flag&lang=zh")


def test_bombs_are_asked_about_where_there_are_any(samples: FlaskClient) -> None:
    """Not of a game that has none; what is asked for stays."""
    for address, there in {"/": 1, "/?game=dagong": 1, "/?game=chaodipi": 0}.items():
        shown = page(samples, address)
        assert shown.count('name="bombs"') == shown.count('value="bombs"') == there
    assert 'name="bombs"' in page(samples, "/?game=chaodipi&bombs=1")


@pytest.mark.parametrize("lang", LANGS)
def test_files_may_be_dropped_and_the_lists_say_so(client: FlaskClient, lang: str) -> None:
    """A button and a sentence above the lists; the header of each page leads there."""
    for address in ("/", "/logs"):
        shown = page(client, address, lang)
        assert f'<a class="button" href="/drop?lang={lang}">' in shown
        assert text(lang, "view.lists.drop_anywhere") in shown
    places = page(client, "/notes", lang).partition('class="places"')[2].partition("</nav>")[0]
    assert f'href="/drop?lang={lang}">{text(lang, "view.nav.open_file")}<' in places


def test_logs_are_searched_filtered_and_sorted(samples: FlaskClient, archive: Reader) -> None:
    """By a part of the file's name and by what was found; the head that sorts says how."""
    everything = list(archive.every_log())
    laws: dict[str, Callable[[LogRow], bool]] = {
        "q=GREEDY": lambda row: "greedy" in row.name,
        "findings=some": lambda row: row.problem is None and row.findings > 0,
        "findings=unreadable&q=a": lambda row: row.problem is not None and "a" in row.name,
    }
    for query, law in laws.items():
        expected = [row.name for row in everything if law(row)]
        assert 0 < len(expected) < len(everything)
        rows = samples.get(f"/logs.json?{query}").get_json()["rows"]
        assert [row["log"] for row in rows] == expected
        shown = page(samples, f"/logs?{query}&sort=hands")
        assert f"{len(expected):,}" in re.search(r'class="lead">(.*?)</p>', shown)[1]  # type: ignore[index]
        assert re.findall(r'aria-sort="(?!none)(\w+)"', shown) == ["descending"]
        assert all("sort=hands" in link for link, _ in links(shown, "facet"))
    assert text("en", "view.lists.no_logs") in page(samples, "/logs?q=nothing-like-this")


def test_names_in_files_are_data(client: FlaskClient) -> None:
    """What players call themselves comes through whole."""
    table = list(csv.DictReader(io.StringIO(client.get("/hands.csv").text, newline="")))
    assert len(table) == 7
    assert {row["seat0_name"] for row in table if row["log"] == FAULTY} == {HOSTILE}
    rows = client.get("/hands.json").get_json()["rows"]
    assert {row["seat0_name"] for row in rows if row["log"] == FAULTY} == {HOSTILE}


def test_a_file_waits_until_all_logs_are_read(folder: Path) -> None:
    """Asked for first of all, it lacks nothing."""
    client = create_app(open_reader(folder)).test_client()
    assert len(client.get("/hands.json").get_json()["rows"]) == 7


def test_logs_and_findings_are_files_too(client: FlaskClient) -> None:
    """Every log, the unreadable one with its reason; every finding of one log."""
    page(client, "/hands.csv")
    logs = {row["log"]: row for row in client.get("/logs.json").get_json()["rows"]}
    assert logs.keys() == {CLEAN, FAULTY, JUNK}
    assert "68 65 6c 6c 6f" in logs[JUNK]["problem"]
    table = list(csv.DictReader(io.StringIO(client.get("/logs.csv").text, newline="")))
    assert {row["log"] for row in table} == logs.keys()
    log_id = logs[FAULTY]["log_id"]
    found = client.get(f"/log/{log_id}/findings.json").get_json()
    assert found["left_out"] == 0
    assert [row["hand"] for row in found["rows"]] == [1, 2, 3]
    assert f"/log/{log_id}/findings.csv" in page(client, f"/log/{log_id}")
    lines = client.get(f"/log/{log_id}/findings.csv").text.split("\r\n")
    assert len(lines) == 5
    assert client.get(f"/log/{logs[JUNK]['log_id']}/findings.csv").status_code == 410
    assert client.get("/log/nothing/findings.csv").status_code == 404
    assert client.get("/hands.xls").status_code == 404


def test_every_bar_has_its_hands(samples: FlaskClient) -> None:
    """What a bar says is what its link lists, with the filters of the page."""
    figures = samples.get("/charts.json?game=dagong&lang=en").get_json()
    bars = figures["links"]
    assert len(bars["results"]) == len(figures["results"]["data"][0]["x"])
    for (said, address), n in zip(bars["results"], figures["results"]["data"][0]["x"], strict=True):
        assert said.endswith(f" {n:,}")
        assert count(page(samples, address)) == n
    for seat, (_, address) in enumerate(bars["seats"]):
        _, won, _ = figures["seats"]["data"][0]["customdata"][seat]
        assert count(page(samples, address)) == won > 0


def test_a_list_still_growing_shows_how_far_it_is(tmp_path: Path) -> None:
    """A bar from none of the files to all; gone when they are read."""
    reader = LogsReader(folder_of_logs(tmp_path / "logs"), patience=0.0)
    client = create_app(reader).test_client()
    shown = page(client, "/")
    assert re.search(r'<progress max="3" value="0" aria-label="[^"]+">', shown)
    assert text("en", "view.hands.none") not in shown
    page(client, "/hands.csv")
    assert 'id="scanning"' not in page(client, "/")
