"""Tables as files: every value comes back as it was, and no spreadsheet runs a name."""

import csv
import io
import json

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.exceptions import NotFound

from webviewer.views.tables import LEFT_OUT, csv_of, download, json_of

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.none() | st.integers() | TEXTS
ROWS = st.lists(st.tuples(VALUES, VALUES))


@given(ROWS)
def test_csv_gives_every_text_back(rows: list[tuple[object, object]]) -> None:
    """A reader of RFC 4180 gets each row, with one mark before what could be a formula."""
    data = b"".join(csv_of(("a", "b"), rows)).decode()
    found = list(csv.reader(io.StringIO(data, newline="")))
    assert found[0] == ["a", "b"]

    def told(value: object) -> str:
        return "" if value is None else str(value)

    back = [
        tuple(
            cell.removeprefix("'") if isinstance(value, str) else cell
            for cell, value in zip(line, row, strict=True)
        )
        for line, row in zip(found[1:], rows, strict=True)
    ]
    assert back == [tuple(map(told, row)) for row in rows]


@pytest.mark.parametrize("lead", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_text_begins_as_a_formula(lead: str) -> None:
    """A name that a spreadsheet would compute is a text there; a negative number stays one."""
    data = b"".join(csv_of(("name", "coins"), [(f"{lead}cmd|'/c calc'!A0", -5)])).decode()
    (row,) = list(csv.reader(io.StringIO(data, newline="")))[1:]
    assert row == [f"'{lead}cmd|'/c calc'!A0", "-5"]


def test_csv_is_as_the_standard_has_it() -> None:
    """Records end in CR LF; quotes are doubled, lists are JSON, nothing is empty."""
    data = b"".join(csv_of(("a",), [('say "hi", 甲',), ([0, 2],), (None,), (True,)]))
    assert data.decode() == 'a\r\n"say ""hi"", 甲"\r\n"[0,2]"\r\n""\r\ntrue\r\n'


@given(ROWS)
def test_json_gives_every_value_back(rows: list[tuple[object, object]]) -> None:
    """An object a row; what JavaScript cannot count exactly is text of the same digits."""
    found = json.loads(b"".join(json_of(("a", "b"), rows, 3)))
    assert list(found) == ["left_out", "rows"]
    assert found["left_out"] == 3

    def told(value: object) -> object:
        return str(value) if isinstance(value, int) and abs(value) >= 1 << 53 else value

    assert found["rows"] == [{"a": told(a), "b": told(b)} for a, b in rows]


def test_rows_are_made_as_they_are_sent() -> None:
    """A long table is never whole in memory: pieces leave while rows are still to come."""
    made = 0

    def rows() -> object:
        nonlocal made
        for made in range(1, 100_001):
            yield (made, "x" * 20)

    pieces = csv_of(("n", "text"), rows())  # type: ignore[arg-type]
    next(pieces)
    assert 0 < made < 5_000


def test_a_file_has_its_day_and_what_it_lacks() -> None:
    """The header names the file, and counts the rows that are left out."""
    answer = download("csv", "hands", ("a",), [(1,)], left_out=7)
    assert answer.get_data() == b"a\r\n1\r\n"
    assert answer.headers[LEFT_OUT] == "7"
    named = answer.headers["Content-Disposition"]
    assert named.startswith("attachment; filename=hands-20")
    assert named.endswith(".csv")
    assert json.loads(download("json", "hands", ("a",), []).get_data())["rows"] == []


def test_a_form_that_there_is_not_is_not_found() -> None:
    """CSV and JSON are all."""
    with Flask("tables").app_context(), pytest.raises(NotFound):
        download("xls", "hands", ("a",), [])
