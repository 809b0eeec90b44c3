"""Questions that stand ready: their groups, what their addresses may say, plays passed on."""

import re
from html import unescape
from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from replay.archive.named import Group, named_queries
from replay.messages import LANGS, has, text
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
