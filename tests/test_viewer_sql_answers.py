"""What the SQL page makes of an answer: links to boards and logs, values, cards, order."""

import json
import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from replay.messages import text
from replay.reader import SqlAnswer
from replay.reader.asked import BOUNDS
from tests.sql_pages import ask, cells, client, column, folder, plain, reader
from tests.viewer_logs import CLOSING, HOSTILE
from webviewer.sqlcells import in_order

__all__ = ["client", "folder", "reader"]


def test_every_row_with_a_hand_opens_the_board_at_its_event(client: FlaskClient) -> None:
    """Events count from 0 in tables and from 1 on the board; without one it opens at the start."""
    page = ask(client, "SELECT event, hand_id FROM plays ORDER BY hand_id, event LIMIT 5")
    for go, event, hand in cells(page):
        (link,) = re.findall('href="([^"]*)"', go)
        assert link == f"/hand/{plain(hand)}?lang=en#{int(plain(event)) + 1}"
        assert client.get(link.partition("#")[0]).status_code == 200
    (row,) = cells(ask(client, "SELECT hand_id, 'no number' AS event FROM hands LIMIT 1"))
    assert re.findall('href="([^"]*)"', row[0]) == [f"/hand/{plain(row[1])}?lang=en"]
    nothing, something = cells(
        ask(client, "SELECT unnest([NULL, hand_id]) AS hand_id FROM hands LIMIT 2")
    )
    assert ("href" in nothing[0], "href" in something[0]) == (False, True)


def test_a_log_opens_its_page(client: FlaskClient) -> None:
    """By the number that the archive gives it, whatever its address is; no number, no link."""
    rows = cells(ask(client, "SELECT log_id FROM logs ORDER BY ALL"))
    links = [re.findall('href="([^"]*)"', row[0]) for row in rows]
    assert [client.get(link).status_code for (link,) in links] == [200, 200, 200]
    assert "href" not in cells(ask(client, "SELECT 4711 AS log_id"))[0][0]


def test_values_are_shown_as_what_they_are(client: FlaskClient) -> None:
    """NULL is no empty text; a number beyond 2^53 keeps its digits; long text is folded."""
    sql = """SELECT NULL AS a, '' AS b, 9007199254740993 AS c, 1 / 3 AS d, true AS e,
        ['甲', NULL] AS f, repeat('长', 500) AS g, TIMESTAMP '2025-03-01 20:15' AS h, -2 AS i"""
    (row,) = cells(ask(client, sql))
    nothing, empty, large, third, yes, names, long, day, less = row
    assert (plain(nothing), plain(empty)) == ("NULL", "''")
    assert 'class="null"' in nothing
    assert plain(large) == "9007199254740993"
    assert re.fullmatch('<span title="0.3333+">0.3333</span>', third)
    assert (plain(yes), plain(names)) == ("true", "[甲, NULL]")
    assert (plain(day), plain(less)) == ("2025-03-01 20:15:00", "-2")
    assert long.startswith("<details")
    assert "长" * 500 in long


@pytest.mark.parametrize(
    ("value", "shown", "title"),
    [
        ("1.5e300", "1.5e300", "1.5e+300"),
        ("-123456789012345678::DOUBLE", "-1.2346e17", "-1.2345678901234568e+17"),
        ("999999999999999::DOUBLE", "999999999999999", "999999999999999.0"),
        ("123456789012345678901234567890::HUGEINT", "123456789012345678901234567890", None),
        ("INTERVAL '26 hours 3.5 seconds'", "26:00:03.500", "26:00:03.5"),
        ("INTERVAL '-90 seconds'", "-00:01:30", None),
        ("INTERVAL '14 months'", "1 year 2 months", None),
        ("TIMESTAMP '2025-03-01 20:15:07.123456'", "2025-03-01 20:15:07.123",
         "2025-03-01T20:15:07.123456"),
        ("TIMESTAMP '2025-03-01 20:15:07'", "2025-03-01 20:15:07", None),
        ("TIME '12:03:04.000025'", "12:03:04.000025", None),
    ],
)  # fmt: skip
def test_numbers_and_times_are_short_and_whole_in_their_title(
    client: FlaskClient, value: str, shown: str, title: str | None
) -> None:
    """Exponents from 1e15 on, milliseconds of times; whole numbers keep every digit."""
    ((cell,),) = cells(ask(client, f"SELECT {value} AS v"))
    assert plain(cell) == shown
    assert re.findall('title="([^"]*)"', cell) == ([] if title is None else [title])


@pytest.mark.parametrize("name", ["cards", "led", "dealt", "called", "paid_cards"])
def test_cards_are_shown_as_cards(client: FlaskClient, name: str) -> None:
    """In columns of cards alone, and only if all of it is cards."""
    page = ask(client, f"SELECT '5h Td Bj' AS {name}, '5h Td Bj' AS words")
    ((cards, words),) = cells(page)
    assert plain(cards) == "5♥ 10♦ BJ"
    assert 'class="suit-h"' in cards
    assert plain(words) == "5h Td Bj"
    assert column(ask(client, f"SELECT '5h or 6h' AS {name}"), 0) == ["5h or 6h"]


def test_what_anybody_wrote_stays_text(client: FlaskClient) -> None:
    """Names of columns, values, the SQL and what is typed into fields may be markup."""
    quoted, typed = HOSTILE.replace('"', '""'), CLOSING + HOSTILE
    sql = f"""SELECT player_name AS "{quoted}", '{HOSTILE}' AS cards, ':x {CLOSING}' AS t, :who AS w
        FROM seats"""
    page = client.get("/sql", query_string={"sql": sql, "p.who": typed, "lang": "en"})
    assert page.status_code == 200
    assert HOSTILE not in page.text
    assert "</script>&" not in page.text
    assert HOSTILE in column(page.text, 0)
    assert set(column(page.text, 1)) == {HOSTILE}
    assert set(column(page.text, 3)) == {typed}
    assert all(row[0].startswith("<bdi>") for row in cells(page.text))
    block = re.search(
        r'<script type="application/json" id="sql-data">(.*?)</script>', page.text, re.S
    )
    assert block
    assert "<" not in block[1]
    assert json.loads(block[1])["columns"][0] == HOSTILE
    broken = client.get("/sql", query_string={"sql": f"SELECT '{HOSTILE}' FROM {CLOSING}"})
    assert broken.status_code == 400
    assert HOSTILE not in broken.text


def test_more_rows_than_the_limit_are_cut_and_said(client: FlaskClient) -> None:
    """The page shows the first thousand; a download has all."""
    sql = "SELECT range AS n FROM range(2500) ORDER BY n"
    page = ask(client, sql)
    assert len(cells(page)) == BOUNDS.rows
    assert text("en", "view.sql.cut_rows", n="1,000") in unescape(page)
    whole = client.get("/sql/answer.csv", query_string={"sql": sql}).text.splitlines()
    assert len(whole) == 2501
    few = ask(client, "SELECT range AS n FROM range(1000)")
    assert text("en", "view.sql.cut_rows", n="1,000") not in unescape(few)


# Order


@pytest.mark.parametrize(
    ("values", "upwards"),
    [
        ("10, 9, NULL, -3", ["-3", "9", "10", "NULL"]),
        ("0.5, 10.25, NULL, 9", ["0.5", "9", "10.25", "NULL"]),
        ("9007199254740993, 9007199254740995, 7, NULL, 9007199254740994",
         ["7", "9007199254740993", "9007199254740994", "9007199254740995", "NULL"]),
        ("'b', NULL, '10', '9', ''", ["''", "10", "9", "b", "NULL"]),
    ],
    ids=["whole", "fractions", "large", "text"],
)  # fmt: skip
def test_columns_are_sorted_as_what_they_are(
    client: FlaskClient, values: str, upwards: list[str]
) -> None:
    """Numbers by size, text by its characters, NULL last either way."""
    sql = f"SELECT unnest([{values}]) AS v"
    assert column(ask(client, sql, sort="v"), 0) == upwards
    assert column(ask(client, sql, sort="v", order="desc"), 0) == [*upwards[-2::-1], "NULL"]
    page = ask(client, sql, sort="v", order="desc")
    assert 'aria-sort="descending"' in page
    assert ask(client, sql, sort="other").count('aria-sort="none"') == 1


def test_a_number_that_is_none_stands_last() -> None:
    """NaN compares with nothing, and would leave any order undone."""
    answer = SqlAnswer(("v",), ("DOUBLE",), [["NaN"], [2.0], ["-Infinity"], [None], [1.0]], None, 0)
    assert in_order(answer, "v", False) == [["-Infinity"], [1.0], [2.0], ["NaN"], [None]]


def _pressed(client: FlaskClient, page: str, head: int) -> str:
    """The page that the button of a head leads to, as a browser without scripts sends its form."""
    form = page.partition('id="order"')[2].partition("</form>")[0]
    fields = re.findall('<input type="hidden" name="([^"]*)" value="([^"]*)"', form)
    fields.append(re.findall('class="sort" form="order" name="(.*?)" value="(.*?)"', page)[head])
    return client.get("/sql", query_string={n: unescape(v) for n, v in fields}).text


def test_heads_are_buttons_to_the_other_order(client: FlaskClient) -> None:
    """Without scripts: the same question, values and chart in that order, up, down and up again."""
    chart = {"chart": "bar", "x": "v", "y": "w", "p.k": "4"}
    page = ask(client, "SELECT unnest([2, 1, :k::INTEGER]) AS v, -v AS w", **chart)
    for at, expected in ((0, "124"), (0, "421"), (0, "124"), (1, "421"), (1, "124")):
        page = _pressed(client, page, at)
        assert "".join(column(page, 0)) == expected
        assert '<option value="bar" selected' in page
        assert 'lang="en"' in page


def test_of_a_very_wide_answer_fewer_rows_are_shown(client: FlaskClient) -> None:
    """A browser has to draw every cell; what is left out is said."""
    wide = ", ".join(f"{n} AS c{n}" for n in range(600))
    page = ask(client, f"SELECT {wide} FROM range(500)")
    assert len(cells(page)) == 100
    assert text("en", "view.sql.cut_rows", n="100") in unescape(page)
