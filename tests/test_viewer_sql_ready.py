"""Questions that stand ready: their groups, what their addresses may say, plays passed on."""

import re
from html import unescape
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from replay.archive import Archive
from replay.archive.named import Group, named_queries
from replay.messages import LANGS, has, text
from replay.reader import Reader
from tests.sql_pages import ask, cells, client, folder, plain, reader

__all__ = ["client", "folder", "reader"]


GROUPS = get_args(Group)


def test_every_group_has_questions_and_a_name() -> None:
    """None is empty, and each is called something in both languages."""
    assert {query.group for query in named_queries()} == set(GROUPS)
    missing = [(lang, group) for lang in LANGS for group in GROUPS
               if not has(lang, f"view.sql.group.{group}")]  # fmt: skip
    assert missing == []


def test_the_editor_stands_before_the_list(client: FlaskClient) -> None:
    """With the keyboard one comes to it first, and a link skips to it at once."""
    page = client.get("/sql?lang=en").text
    assert page.index('class="skip" href="#sql"') < page.index('<header class="top"')
    assert page.index("<textarea") < page.index('id="ready"')
    heads = [text("en", f"view.sql.group.{group}") for group in GROUPS]
    assert re.findall("<section><h2>(.*?)</h2>", page) == heads


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("query=results_by_player&game=gunzi", "game"),
        ("query=results_by_player&p.games=gunzi&n=3", "p.games, n"),
        ("query=results_by_player&sql=SELECT+1", "sql"),
        ("sql=SELECT+:n&n=3", "n"),
    ],
)
@pytest.mark.parametrize("path", ["/sql", "/sql/answer.csv"])
def test_what_an_address_says_in_vain_is_named(
    client: FlaskClient, path: str, address: str, named: str
) -> None:
    """An answer without the condition would look like the one that was asked for."""
    page = client.get(f"{path}?{address}&lang=en")
    assert page.status_code == 400
    said = text("en", "view.sql.stranger", found=named, fields="\0").partition("\0")[0]
    assert said in unescape(page.text)
    assert "<table" not in page.text


def test_a_field_that_sql_had_before_may_stay(client: FlaskClient) -> None:
    """The form that it is changed in still sends it."""
    assert [plain(cell) for cell in cells(ask(client, "SELECT 1", **{"p.n": "3"}))[0]] == ["1"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_pass_is_about_the_play_that_it_passed_on(client: FlaskClient, lang: str) -> None:
    """Kind and rank are those of the last play before it in its trick."""
    sql = """SELECT p.hand_id, p.event, l.event AS led, l.kind, l.rank
        FROM plays p JOIN plays l USING (log_id, hand, trick)
        WHERE p.passed AND l.event = p.event - 1 AND l.kind IS NOT NULL AND l.rank IS NOT NULL
        ORDER BY ALL LIMIT 3"""
    for row in cells(ask(client, sql)):
        hand, event, led, kind, rank = (plain(cell) for cell in row[1:])
        to = client.get(f"/hand/{hand}/alike", query_string={"event": event, "lang": lang})
        written = parse_qs(urlsplit(to.headers["Location"]).query)["sql"][0]
        assert f"x.kind = '{kind}'" in written
        assert f"x.rank = '{rank}'" in written
        said = text(
            lang, "view.sql.like_passed", passed=int(event) + 1, event=int(led) + 1, hand_id=hand
        )
        assert said in written
        found = [(plain(each[1]), plain(each[2])) for each in cells(ask(client, written))]
        assert (hand, led) in found


def test_a_ready_question_has_titles_and_words(client: FlaskClient) -> None:
    """On a page; what is downloaded keeps its names and values, and so does anybody's SQL."""
    page = client.get("/sql?query=results&lang=zh").text
    head = page[page.index("<thead>") : page.index("</thead>")]
    assert "<bdi>结果</bdi>" in head
    assert 'title="result · VARCHAR"' in head
    assert f'<span title="dagong">{text("zh", "game.dagong")}</span>' in page
    table = client.get("/sql/answer.csv?query=results&lang=zh").text
    assert table.startswith("game,")
    assert "dagong" in table
    raw = client.get("/sql?sql=SELECT+game,+result+FROM+hands&lang=zh").text
    assert "<bdi>result</bdi>" in raw
    assert "<bdi>dagong</bdi>" in raw


def test_every_column_of_a_ready_question_has_a_title(folder: Path, reader: Reader) -> None:
    """In both languages, whatever is asked."""
    assert reader.asking is not None
    with Archive.open(folder.parent / "archive") as archive:
        names = {
            name
            for query in named_queries()
            for name in archive.query(
                query.sql, {each.name: each.default for each in query.parameters}
            ).columns
        }
    assert [(lang, name) for lang in LANGS for name in names if not has(lang, f"head.{name}")] == []


@pytest.mark.parametrize("sql", ["DELETE FROM hands", "SELECT 1; SELECT 2"])
def test_what_the_gate_refuses_is_said_in_the_language_of_the_page(
    client: FlaskClient, sql: str
) -> None:
    """No English on a Chinese page."""
    page = client.get("/sql", query_string={"sql": sql, "lang": "zh"})
    assert page.status_code == 400
    said = re.search('<p class="said">(.*?)</p>', page.text)
    assert said is not None
    assert not said[1].isascii()
