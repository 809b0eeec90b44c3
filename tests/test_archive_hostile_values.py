"""Values at the edges of what forms can hold: told exactly or refused by name, never changed."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyarrow import parquet

from replay.archive import Asker, QueryError, Stopped
from replay.archive.asking import PAGE
from replay.archive.question import Form, Question
from tests.archives import hands, indexed, live
from tests.shelled import paipu

VALUES = {
    "DATE 'infinity'": "infinity",
    "DATE '-infinity'": "-infinity",
    "DATE '9999-12-31'": "9999-12-31",
    "DATE '290000-01-01'": "290000-01-01",
    "TIMESTAMP 'infinity'": "infinity",
    "TIMESTAMP '-infinity'": "-infinity",
    "TIMESTAMPTZ 'infinity'": "infinity",
    "TIMESTAMP '9999-12-31 23:59:59.999999'": "9999-12-31T23:59:59.999999",
    "TIMESTAMP '2020-01-02 03:04:05.5'": "2020-01-02T03:04:05.500000",
    "TIMESTAMP '2020-01-02'": "2020-01-02T00:00:00",
    "TIMESTAMPTZ '2020-01-02 03:04:05+08'": "2020-01-01T19:04:05+00:00",
    "'2020-01-02 03:04:05.123456789'::TIMESTAMP_NS": "2020-01-02T03:04:05.123456789",
    "'infinity'::TIMESTAMP_S": "infinity",
    "'12:00:00.123456789'::TIME_NS": "12:00:00.123456789",
    "'10:00:00+05:30'::TIMETZ": "10:00:00+05:30",
    "INTERVAL 1 MONTH": "1 month",
    "INTERVAL '1 year 3 days'": "1 year 3 days",
    "INTERVAL '100000000 years'": "100000000 years",
    "'1010'::BIT": "1010",
    "1::VARIANT": "1",
    "'a\\x00b'::BLOB": "a\\x00b",
    "123456789012345678901234567890::BIGNUM": "123456789012345678901234567890",
    "union_value(d := DATE 'infinity')": "infinity",
}
"""SQL of a value, and its text in every form that is text."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of one log."""
    folder = tmp_path_factory.mktemp("values")
    indexed(folder / "archive", live(folder / "log.paipu", hands(1)))
    return folder / "archive"


@pytest.fixture(scope="module")
def asker(archive: Path) -> Iterator[Asker]:
    """Somebody who asks it."""
    with Asker(archive, warm=1) as asker:
        yield asker


def _bytes(asker: Asker, sql: str, form: Form) -> bytes:
    with asker.ask(Question(sql, {}, form)) as answer:
        return b"".join(answer)


def _told(asker: Asker, sql: str) -> list[list[Any]]:
    """The only row in each form that has values."""
    (page,) = asker.page(sql).rows
    (of_json,) = json.loads(_bytes(asker, sql, "json"))
    return [page, list(of_json.values())]


def test_a_value_is_the_same_in_every_form_of_text(asker: Asker) -> None:
    """Infinite, long ago, finer or coarser than Python has: DuckDB's words, times in ISO 8601."""
    sql = "SELECT " + ", ".join(f"{value} AS v{at}" for at, value in enumerate(VALUES))
    wanted = list(VALUES.values())
    assert _told(asker, sql) == [wanted, wanted]
    (_, of_csv) = csv.reader(io.StringIO(_bytes(asker, sql, "csv").decode()))
    assert of_csv == wanted
    table = _bytes(asker, sql, "table").decode().splitlines()[2]
    assert re.split(" {2,}", table) == wanted


@pytest.mark.parametrize(
    ("around", "inside"),
    [
        ("[{}]", lambda told: [told]),
        ("array_value({}, {})", lambda told: [told, told]),
        ("{{'a b': 1, 'c': {}}}", lambda told: {"a b": 1, "c": told}),
        ("MAP {{{}: 2}}", lambda told: {told: 2}),
        ("[{{'x': [{}, NULL]}}]", lambda told: [{"x": [told, None]}]),
    ],
    ids=["list", "array", "struct", "map", "deep"],
)
def test_a_value_is_the_same_inside_of_others(asker: Asker, around: str, inside: Any) -> None:
    """In lists, structs and maps, which stay what they are."""
    told = [around.replace("{}", value).replace("{{", "{").replace("}}", "}") for value in VALUES]
    sql = "SELECT " + ", ".join(f"{each} AS v{at}" for at, each in enumerate(told))
    wanted = [inside(each) for each in VALUES.values()]
    assert _told(asker, sql) == [wanted, wanted]


def test_names_order_and_parameters_stay(asker: Asker) -> None:
    """Also of columns of one name, with SQL that ends in a comment, and NULL."""
    sql = (
        'SELECT n, DATE \'2020-01-01\' + n::INTEGER AS n, NULL::DATE AS "a""b" FROM range(:k) t(n)'
    )
    page = asker.page(sql + " ORDER BY hash(n) ;; ", {"k": 5000}, PAGE)
    same = asker.page("SELECT n FROM range(:k) t(n) ORDER BY hash(n)", {"k": 5000}, PAGE)
    assert page.columns == ("n", "n", 'a"b')
    assert page.types == ("BIGINT", "DATE", "DATE")
    assert [row[0] for row in page.rows] == [row[0] for row in same.rows]
    assert asker.page("SELECT DATE 'infinity' AS d -- more").rows == [["infinity"]]
    with pytest.raises(QueryError, match=r"column 'd' is DATE, .* cast it to VARCHAR"):
        asker.page("SELECT DATE 'infinity' AS d; -- more")


def test_parquet_has_the_same_values(asker: Asker, tmp_path: Path) -> None:
    """As DuckDB reads them back; those that Parquet has no type for as text."""
    chosen = [value for value in VALUES if "TIMESTAMP_S" not in value] + [
        "170141183460469231731687303715884105727::HUGEINT // 10",
        "[340282366920938463463374607431768211455::UHUGEINT // 10]",
        "{'a': '10:00:00+05:30'::TIMETZ, 'b': [INTERVAL 1 MONTH]}",
    ]
    sql = "SELECT " + ", ".join(f"{value} AS v{at}" for at, value in enumerate(chosen))
    file = tmp_path / "a.parquet"
    file.write_bytes(_bytes(asker, sql, "parquet"))
    as_text = "SELECT COLUMNS(*)::VARCHAR FROM "
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        assert (
            con.execute(f"{as_text} '{file}'").fetchall()
            == con.execute(f"{as_text} ({sql})").fetchall()
        )
    assert parquet.read_table(file).num_rows == 1


@pytest.mark.parametrize(
    "value",
    [
        "340282366920938463463374607431768211455::UHUGEINT",
        "[170141183460469231731687303715884105727::HUGEINT]",
    ],
)  # fmt: skip
def test_what_parquet_cannot_hold_is_refused(asker: Asker, value: str) -> None:
    """A number of more digits than its widest type, with that type."""
    with pytest.raises(QueryError, match=r"DECIMAL\(38,0\)"):
        _bytes(asker, f"SELECT {value} AS v", "parquet")


def test_a_page_has_a_thousand_columns_at_most(asker: Asker, archive: Path) -> None:
    """Refused with the limit named, before a row of it is made; a file may have more."""
    wide = ", ".join(f"{n} AS c{n}" for n in range(1001))
    with pytest.raises(Stopped) as caught:
        asker.page(f"SELECT {wide}")
    assert (caught.value.limit, caught.value.value) == ("columns", 1000)
    assert "more than 1000 columns" in str(caught.value)
    assert len(asker.page(f"SELECT {wide.rpartition(',')[0]}").columns) == 1000
    assert len(paipu("query", archive, f"SELECT {wide}", "--csv").out.splitlines()[1]) > 2000


def test_names_of_columns_have_no_end_on_a_page(asker: Asker) -> None:
    """A thousand of thirty thousand characters each are refused before they are shown."""
    name = "x" * 30_000
    with pytest.raises(QueryError, match="the names and types of its columns are longer than"):
        asker.page(f'WITH t AS (SELECT 1 AS "{name}") SELECT {", ".join(["*"] * 100)} FROM t')
