"""The SQL page over a real archive: answers, links to the board, errors, limits, downloads."""

import csv
import io
import json
import re
import signal
import socket
import time
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyarrow.parquet as parquet
import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, has, text
from replay.reader import Reader, open_reader
from replay.reader.asked import BOUNDS
from replay.reader.sqlplace import place_in
from tests.served import status_of
from tests.shelled import process
from tests.sql_pages import ask, cells, client, column, folder, plain, reader
from tests.viewer_logs import BLOCKED, CLEAN, FAULTY, ids_in
from tests.viewer_site import on_a_port
from webviewer import create_app

__all__ = ["client", "folder", "reader"]

ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"


# The page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"sql": "SELECT * FROM plays LIMIT 3"},
        {"sql": "SELECT 1 WHERE false"},
        {"sql": "SELECT hand_id FORM hands"},
        {"sql": "SELECT :n", "p.n": "3"},
        {"sql": "SELECT :n"},
        {"query": "results_by_player"},
        {"query": "results_by_player", "p.game": "chess"},
    ],
    ids=lambda asked: " ".join(asked.values()) or "blank",
)
def test_the_page_speaks_its_language_in_full(
    client: FlaskClient, lang: str, asked: dict[str, str]
) -> None:
    """No key stands in place of a sentence; what the limits are is always said."""
    page = client.get("/sql", query_string=asked | {"lang": lang})
    assert page.status_code in {200, 400}
    assert re.findall("⟨[^⟩]*⟩", page.text) == []
    assert f"{BOUNDS.rows:,}" in page.text
    assert f"{BOUNDS.seconds:g}" in page.text


@pytest.mark.parametrize("lang", LANGS)
def test_every_table_and_column_has_its_meaning(reader: Reader, lang: str) -> None:
    """Views too: whoever writes SQL reads beside it what there is."""
    assert reader.asking is not None
    tables = reader.asking.tables()
    assert {"hands", "plays", "player_results"} <= {table.name for table in tables}
    missing = [
        (table.name, column.name)
        for table in tables
        for column in table.columns
        if not has(lang, f"column.of_{table.name}.{column.name}")
        and not has(lang, f"column.{column.name}")
    ]
    assert missing == []
    assert [table.name for table in tables if not has(lang, f"table.{table.name}")] == []


@pytest.mark.parametrize("lang", LANGS)
def test_plain_logs_say_that_sql_needs_an_archive(folder: Path, lang: str) -> None:
    """The page has the command that makes one of the path that was given; all pages lead to it."""
    client = create_app(open_reader(folder)).test_client()
    page = client.get("/sql", query_string={"lang": lang})
    assert page.status_code == 200
    assert f"paipu index ARCHIVE {folder}\n" in page.text
    assert client.get("/logs?lang=en").text.count('href="/sql?lang=en"') == 2
    hand = ids_in(folder / CLEAN)[0]
    assert "/alike" not in client.get(f"/hand/{hand}").text
    assert client.get(f"/hand/{hand}/alike").status_code == 404
    assert client.get("/sql/answer.csv?sql=SELECT+1").status_code == 404


def test_an_archive_links_to_the_page(client: FlaskClient) -> None:
    """From every page, also from the menu of a narrow screen."""
    assert client.get("/logs?lang=en").text.count('href="/sql?lang=en"') == 2


# Errors


def test_an_error_is_said_with_its_place(client: FlaskClient) -> None:
    """DuckDB's words, line and column, and the word marked in its line; the SQL is kept."""
    sql = "SELECT hand_id,\n  '中文', reslt\nFROM hands"
    page = client.get("/sql", query_string={"sql": sql, "lang": "en"})
    assert page.status_code == 400
    assert 'Referenced column "reslt"' in unescape(page.text)
    assert 'data-line="2" data-column="9"' in page.text
    assert "<mark>reslt</mark>" in page.text
    assert "LINE 2" not in page.text
    assert sql in unescape(page.text)


@pytest.mark.parametrize(
    ("said", "sql", "place"),
    [
        ("Error: x\n\nLINE 1: SELECT a\n               ^", "SELECT a", (1, 8)),
        (
            "Error: x\n\nLINE 2: ...aab, ccc...\n                ^",
            "x\n" + "a" * 90 + "b, ccc, d",
            (2, 94),
        ),
        ("Error: x\n\nLINE 1: '中', b\n              ^", "'中', b", (1, 6)),
        ("Error: x\n\nLINE 7: SELECT a\n               ^", "SELECT a", None),
        ("Error: x", "SELECT a", None),
    ],
    ids=["plain", "cut", "wide", "elsewhere", "none"],
)  # fmt: skip
def test_the_place_is_where_the_caret_points(
    said: str, sql: str, place: tuple[int, int] | None
) -> None:
    """Long lines are quoted in part, and wide characters take two columns."""
    assert place_in(said, sql) == place


@pytest.mark.parametrize(
    "sql",
    ["DROP TABLE hands", "SELECT 1; SELECT 2", "SELECT * FROM read_text('/etc/passwd')",
     "SELECT getenv('HOME')", "SET threads = 1", "COPY hands TO 'x.csv'"],
)  # fmt: skip
def test_what_is_no_question_is_refused(client: FlaskClient, sql: str) -> None:
    """On the page and as a download alike."""
    assert client.get("/sql", query_string={"sql": sql}).status_code == 400
    assert client.get("/sql/answer.csv", query_string={"sql": sql}).status_code == 400


@pytest.mark.parametrize("lang", LANGS)
def test_a_limit_that_is_reached_is_named(client: FlaskClient, lang: str) -> None:
    """In the reader's language, and the next question is answered."""
    sql = "SELECT repeat('x', 1000000000)"
    page = client.get("/sql", query_string={"sql": sql, "lang": lang})
    assert page.status_code == 400
    assert text(lang, "view.sql.stopped_memory", value="512") in unescape(page.text)
    assert column(ask(client, "SELECT 1"), 0) == ["1"]


# Parameters and ready questions


def test_a_parameter_becomes_a_field(client: FlaskClient) -> None:
    """The SQL runs when its fields are there, and not before; an empty one is NULL."""
    sql = "SELECT :n::INTEGER + 1 AS more, :who AS who, ':no' AS t, 1::BIGINT AS b"
    waiting = client.get("/sql", query_string={"sql": sql, "lang": "en"}).text
    assert re.findall('name="p.([^"]*)"', waiting) == ["n", "who"]
    assert 'id="answer"' not in waiting
    assert text("en", "view.sql.fill_in") in waiting
    page = ask(client, sql, **{"p.n": "41", "p.who": ""})
    assert cells(page)[0][0] == "42"
    assert column(page, 1) == ["NULL"]
    assert 'name="p.n" value="41"' in page


def test_a_ready_question_is_a_form(client: FlaskClient, reader: Reader) -> None:
    """Its sentence is the title; kinds make the inputs; it runs with what it has by default."""
    assert reader.asking is not None
    ready = reader.asking.ready()
    of_each_form = {tuple(field.kind for field in question.fields): question for question in ready}
    for question in of_each_form.values():
        page = client.get("/sql", query_string={"query": question.name, "lang": "en"})
        assert page.status_code == 200, question.name
        assert question.en in unescape(page.text)
        for field in question.fields:
            assert f'name="p.{field.name}"' in page.text
            assert field.en in unescape(page.text)
    assert {"text", "integer", "date", "choice"} <= {kind for form in of_each_form for kind in form}
    listed = client.get("/sql?lang=en").text
    assert [each.name for each in ready if f'query={each.name}"' not in listed] == []
    assert client.get("/sql?query=nothing").status_code == 404


def test_a_ready_question_can_be_changed_as_sql(client: FlaskClient) -> None:
    """The link to the editor takes the SQL and what was filled in along."""
    page = client.get("/sql?query=results_by_player&p.n=2&p.player=&lang=en").text
    link = next(a for a in re.findall('href="([^"]*)"', page) if "sql=SELECT" in unescape(a))
    edited = client.get(unescape(link))
    assert edited.status_code == 200
    assert "<textarea" in edited.text
    assert 'name="p.n" value="2"' in edited.text
    assert len(cells(edited.text)) == 2


def test_a_field_with_something_else_in_it_is_named(client: FlaskClient) -> None:
    """No number is guessed from words."""
    for typed in ("many", "1e400", "9" * 30):
        page = client.get(f"/sql?query=results_by_player&p.n={typed}&lang=en")
        assert page.status_code == 400
        assert text("en", "view.sql.no_integer", field="n", found=typed) in unescape(page.text)


def test_an_address_says_everything(client: FlaskClient) -> None:
    """The page in the other language asks the same: values, order, chart."""
    asked = {"sql": "SELECT :n AS n, 1 AS m", "p.n": "", "sort": "m", "order": "desc",
             "chart": "line", "x": "n", "y": "m", "colour": "", "lang": "en"}  # fmt: skip
    page = client.get("/sql", query_string=asked).text
    (link,) = re.findall('id="language" href="([^"]*)"', page)
    kept = parse_qs(urlsplit(unescape(link)).query, keep_blank_values=True)
    assert {name: value for name, (value,) in kept.items()} == asked | {"lang": "zh"}
    assert re.findall('<option value="(line)" selected', page) == ["line"]


# Downloads


@pytest.mark.parametrize(
    ("form", "kind"),
    [("csv", "text/csv; charset=utf-8"), ("json", "application/json"),
     ("parquet", "application/vnd.apache.parquet")],
)  # fmt: skip
def test_an_answer_can_be_had_as_a_file(client: FlaskClient, form: str, kind: str) -> None:
    """With its type and a name; the values are those of the tables."""
    sql = "SELECT hand_id, events, called FROM hands ORDER BY hand_id"
    file = client.get(f"/sql/answer.{form}", query_string={"sql": sql})
    assert file.status_code == 200
    assert file.headers["Content-Type"] == kind
    assert file.headers["Content-Disposition"] == f"attachment; filename=answer.{form}"
    rows = _rows(form, file.data)
    shown = cells(ask(client, sql))
    assert [row["hand_id"] for row in rows] == [plain(row[1]) for row in shown]
    assert [int(row["events"]) for row in rows] == [int(plain(row[2])) for row in shown]


def _rows(form: str, data: bytes) -> list[dict[str, Any]]:
    if form == "csv":
        return list(csv.DictReader(io.StringIO(data.decode())))
    if form == "json":
        return list(json.loads(data))
    return list(parquet.read_table(io.BytesIO(data)).to_pylist())


def test_a_download_bears_the_name_of_its_question(client: FlaskClient) -> None:
    """And takes its parameters; other forms than those offered there are not."""
    file = client.get("/sql/answer.csv?query=results_by_player&p.n=1")
    assert file.headers["Content-Disposition"] == "attachment; filename=results_by_player.csv"
    assert len(file.text.splitlines()) == 2
    assert client.get("/sql/answer.exe?sql=SELECT+1").status_code == 404


def test_no_part_of_an_answer_is_handed_out_as_the_whole(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer beyond the limit is a page that names it, and no file."""
    small = type(BOUNDS)(BOUNDS.seconds, BOUNDS.memory, BOUNDS.rows, 1 << 20)
    monkeypatch.setattr("replay.reader.asked.BOUNDS", small)
    sql = "SELECT repeat('x', 1000) AS x FROM range(2000)"
    answer = client.get("/sql/answer.csv", query_string={"sql": sql, "lang": "en"})
    assert answer.status_code == 400
    assert text("en", "view.sql.stopped_answer", value="1") in unescape(answer.text)
    assert "Content-Disposition" not in answer.headers


def test_a_question_ends_when_nobody_waits_for_it(reader: Reader) -> None:
    """The browser hangs up: the process of the query is gone long before its limit."""
    asking: Any = reader.asking
    with on_a_port(create_app(reader)) as port:
        with socket.create_connection(("127.0.0.1", port)) as wire:
            query = "+".join(ENDLESS.split()).replace("(", "%28").replace(")", "%29")
            asked = f"GET /sql?sql={query} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"
            wire.sendall(asked.encode())
            began = time.monotonic()
            while not (asking._asker and asking._asker._running):
                assert time.monotonic() - began < BOUNDS.seconds
                time.sleep(0.01)
            (answer,) = asking._asker._running
            asked_at = time.monotonic()
        while asking._asker._running:
            time.sleep(0.01)
        assert time.monotonic() - asked_at < BOUNDS.seconds
        assert "ended by who asked" in str(answer._lost())


def test_the_processes_of_questions_end_with_the_viewer(reader: Reader, folder: Path) -> None:
    """Ctrl-C ends the server with status 0, and what it kept ready for the next question."""
    with process(["view", folder.parent / "archive", "--port", "0"]) as running:
        assert running.stdout is not None
        address = running.stdout.readline().decode().strip()
        assert status_of(f"{address}sql?sql=SELECT+1")[0] == 200
        tasks = Path(f"/proc/{running.pid}/task").glob("*/children")
        children = [int(pid) for each in tasks for pid in each.read_text().split()]
        running.send_signal(signal.SIGINT)
        running.communicate()
    assert running.returncode == 0
    assert children
    assert [pid for pid in children if _is_there(pid)] == []


def _is_there(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    with suppress(FileNotFoundError, ProcessLookupError):
        return "State:\tZ" not in status.read_text()
    return False


# Hands like this


@pytest.mark.parametrize("lang", LANGS)
def test_from_every_event_hands_like_this_are_found(
    client: FlaskClient, folder: Path, lang: str
) -> None:
    """The SQL runs as it is, finds that very hand among others, and says what it looks for."""
    hand = ids_in(folder / CLEAN)[0]
    steps = client.get(f"/hand/{hand}/steps.json").get_json()["steps"]
    assert client.get(f"/hand/{hand}/alike?event={'9' * 30}").status_code == 302
    for event in range(0, len(steps), 7):
        to = client.get(f"/hand/{hand}/alike", query_string={"event": event, "lang": lang})
        assert to.status_code == 302
        sql = parse_qs(urlsplit(to.headers["Location"]).query)["sql"][0]
        assert hand in sql.partition("\n")[0]
        page = client.get(to.headers["Location"])
        assert page.status_code == 200
        assert hand in page.text.partition("<tbody>")[2]


def test_a_play_is_like_plays_of_its_kind_and_rank(client: FlaskClient) -> None:
    """Every row has the kind, rank and size; the hand's own event is among them."""
    wanted = "SELECT hand_id, event, kind, rank FROM plays WHERE is_bomb AND rank IS NOT NULL"
    hand, event, kind, rank = (
        plain(cell) for cell in cells(ask(client, wanted + " LIMIT 1"))[0][1:]
    )
    to = client.get(f"/hand/{hand}/alike", query_string={"event": event, "lang": "en"})
    sql = parse_qs(urlsplit(to.headers["Location"]).query)["sql"][0]
    assert f"x.kind = '{kind}'" in sql
    assert f"x.rank = '{rank}'" in sql
    found = [(plain(row[1]), plain(row[2])) for row in cells(ask(client, sql))]
    assert (hand, event) in found
    again = f"SELECT count(*) FROM plays WHERE kind = '{kind}' AND rank = '{rank}'"
    assert len(found) <= int(column(ask(client, again), 0)[0])


def test_a_finding_is_like_findings_of_its_rule(client: FlaskClient, folder: Path) -> None:
    """Where an event blocks, nothing is known of the play: its rule is what is alike."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    sql = f"SELECT event, rule FROM findings WHERE hand_id = '{hand}' LIMIT 1"
    ((event, rule),) = [[plain(cell) for cell in row] for row in cells(ask(client, sql))]
    to = client.get(f"/hand/{hand}/alike", query_string={"event": event})
    assert f"x.rule = '{rule}'" in parse_qs(urlsplit(to.headers["Location"]).query)["sql"][0]


def test_without_an_event_a_hand_is_like_hands_that_went_so(client: FlaskClient) -> None:
    """Game, result, mode and the called rank; a hand that is not there is said not to be."""
    settled = "SELECT hand_id FROM hands WHERE result IS NOT NULL AND called IS NOT NULL LIMIT 1"
    hand = column(ask(client, settled), 1)[0]
    to = client.get(f"/hand/{hand}/alike")
    sql = parse_qs(urlsplit(to.headers["Location"]).query)["sql"][0]
    for condition in ("h.game = ", "AND h.result = ", "AND h.mode = ", "AND left(h.called, 1)"):
        assert condition in sql
    assert client.get("/hand/0123456789abcdef/alike").status_code == 404
