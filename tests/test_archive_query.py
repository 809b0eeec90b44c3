"""SQL from people nobody knows: what it may do, how errors are told, how results are written."""

import csv
import io
import json
from pathlib import Path
from typing import cast

import pytest
from pyarrow import parquet

from replay.archive import (
    Archive,
    ArchiveError,
    Limits,
    NamedQuery,
    QueryError,
    Stopped,
    index,
    is_archive,
    named,
    named_queries,
    render,
    tables,
)
from replay.archive.question import Form
from replay.archive.statement import bound, placeholders
from tests import archives, chaodipi_logs
from tests.archives import contents, hands, live
from tests.wild_logs import wild_log


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a long match, copies in conflict, wild jokers, findings, a file unread."""
    place = tmp_path_factory.mktemp("query")
    logs = place / "logs"
    logs.mkdir()
    live(logs / "long.paipu", hands(60, seed=3), 3)
    live(logs / "one.paipu", hands(4), 1)
    live(logs / "two.paipu", [*hands(4)[:3], archives.with_false_trick(hands(4)[3])], 1)
    live(logs / "blocked.paipu", [archives.without_its_cards(hands(1, seed=5)[0])], 5)
    (logs / "wild.paipu").write_bytes(wild_log())
    (logs / "bad.paipu").write_bytes(b"?")
    index(place / "archive", [logs])
    return place / "archive"


@pytest.fixture
def archive(folder: Path) -> Archive:
    """That archive, open."""
    return Archive.open(folder)


REFUSED = (
    "DETACH data_000001",
    "ATTACH ':memory:' AS mine",
    "CREATE TABLE mine (a INTEGER)",
    "CREATE OR REPLACE VIEW plays AS SELECT 1",
    "INSERT INTO logs SELECT * FROM logs",
    "DELETE FROM plays",
    "DROP VIEW plays",
    "COPY plays TO 'plays.csv'",
    "EXPORT DATABASE 'here'",
    "SET threads = 1",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "INSTALL httpfs",
    "BEGIN",
    "CHECKPOINT",
    "EXPLAIN ANALYZE CREATE OR REPLACE VIEW plays AS SELECT 1",
    "EXPLAIN CREATE TABLE mine AS SELECT 1",
    "EXPLAIN (SELECT 1)",
    "/* a */ EXPLAIN /* b */ ANALYZE CREATE VIEW mine AS SELECT 1",
    "PREPARE mine AS SELECT 1",
    "PIVOT plays ON kind",
    "SELECT 1; DROP VIEW plays",
    "SELECT 1; SELECT 2",
    "",
    "-- nothing",
)


@pytest.mark.parametrize("sql", REFUSED)
def test_anything_but_one_select_is_refused(archive: Archive, folder: Path, sql: str) -> None:
    """Whatever could change the archive, the connection or other people's queries is not run."""
    before = contents(folder)
    with pytest.raises(QueryError):
        archive.query(sql)
    assert list(archive.query("SELECT count(*) FROM logs")) == [(6,)]
    assert contents(folder) == before


OUTSIDE = (
    "SELECT * FROM read_text('{path}')",
    "SELECT * FROM read_csv('{path}')",
    "SELECT * FROM read_blob('{path}')",
    "FROM '{path}.parquet'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM folder",
    "FROM query('DROP VIEW plays')",
)


@pytest.mark.parametrize("sql", OUTSIDE)
def test_a_select_cannot_leave_the_archive(archive: Archive, folder: Path, sql: str) -> None:
    """No files, no folders, no variables of the program that runs it."""
    with pytest.raises(QueryError):
        list(archive.query(sql.format(path=folder / "MANIFEST")))


ALLOWED = (
    "SELECT 1",
    "WITH a AS (SELECT count(*) AS n FROM plays) SELECT n FROM a",
    "FROM hands LIMIT 1",
    "DESCRIBE plays",
    "SHOW TABLES",
    "SUMMARIZE tricks",
    "VALUES (1, 2)",
    "EXPLAIN SELECT * FROM plays",
    "explain analyze select count(*) from plays",
    "EXPLAIN (FORMAT json) SELECT 1",
    "SELECT * FROM (PIVOT plays ON kind IN ('bomb', 'pair') USING count(*) GROUP BY seat)",
    "SELECT list_filter([1, 2], lambda x: x > 1)",
    "SELECT options->>'call_rule' FROM logs",
    "SELECT 1;",
)


@pytest.mark.parametrize("sql", ALLOWED)
def test_what_reads_is_allowed(archive: Archive, sql: str) -> None:
    """SELECT in all its forms, and the plan of one."""
    assert len(list(archive.query(sql))) > 0


def test_errors_are_told_in_duckdbs_words_with_the_place(archive: Archive) -> None:
    """A misspelled column comes with its line and a caret under it."""
    with pytest.raises(QueryError, match=r"(?s)\"card\" not found.*LINE 2: WHERE card = 1\n +\^"):
        archive.query("SELECT * FROM plays\nWHERE card = 1")
    with pytest.raises(QueryError, match=r"(?s)at or near \"SELEC\".*LINE 1: SELEC 1"):
        archive.query("SELEC 1")


def test_errors_while_reading_are_told_too(archive: Archive) -> None:
    """A value that cannot be converted is found only when its row is read."""
    with pytest.raises(QueryError, match="Could not convert string"):
        list(archive.query("SELECT cast(cards AS INTEGER) FROM plays"))


def test_parameters_are_bound(archive: Archive) -> None:
    """By place and by name; one that is missing is an error."""
    assert list(archive.query("SELECT ? + 1", [2])) == [(3,)]
    sql = "SELECT count(*) FROM seats WHERE player_id = $player"
    assert list(archive.query(sql, {"player": "jia' OR 1=1"})) == [(0,)]
    assert list(archive.query(sql, {"player": "jia"})) == [(67,)]
    with pytest.raises(QueryError):
        archive.query(sql)


def test_parameters_by_name_are_those_that_occur(archive: Archive) -> None:
    """`:name` is a value, never SQL; what does not occur is left out, what has no value is said."""
    sql = "SELECT count(*) FROM seats WHERE player_id = :player"
    more = {"player": "jia", "n": 3}
    assert list(archive.query(sql, more)) == [(67,)]
    assert list(archive.query("SELECT :n::VARCHAR || ':player'", more)) == [("3:player",)]
    assert list(archive.query("SELECT 1", more)) == [(1,)]
    with pytest.raises(QueryError, match="parameters without a value: m, o"):
        archive.query("SELECT $o, :n, $m", more)


PARAMETERS = (
    ("SELECT :n", "SELECT $n"),
    ("(:n,:n)", "($n,$n)"),
    ("a=:n", "a=$n"),
    (":other", ":other"),
    (":nn", ":nn"),
    ("x::n", "x::n"),
    (":n::n", "$n::n"),
    ("':n' || :n", "':n' || $n"),
    ("'it''s :n' :n", "'it''s :n' $n"),
    (r"E'\' :n' :n", r"E'\' :n' $n"),
    ("'\\' :n", "'\\' $n"),
    ('":n" :n', '":n" $n'),
    ("-- :n\n:n", "-- :n\n$n"),
    ("/* :n */ :n", "/* :n */ $n"),
    ("$$ :n $$ :n", "$$ :n $$ $n"),
    ("$a$ $$ :n $a$ :n", "$a$ $$ :n $a$ $n"),
    ("list[1:n]", "list[1:n]"),
    ("{'a':n, 'b': :n}", "{'a':n, 'b': $n}"),
    ("/* :n", "/* :n"),
    ("' :n", "' :n"),
)


@pytest.mark.parametrize(("sql", "expected"), PARAMETERS, ids=str)
def test_parameters_are_found_where_they_stand(sql: str, expected: str) -> None:
    """Never in text, quoted names and comments; a cast, a slice and a key are none."""
    assert bound(sql, {"n"}) == expected
    assert ("n" in placeholders(sql)) is (bound(sql, {"n"}) != sql)


def test_sql_of_a_megabyte_is_looked_through_once() -> None:
    """Whatever is opened a hundred thousand times and never closed."""
    for part in ("/*", "'a", '"', "$a$", "$a", ":", "E'\\", "-- ", "$"):
        assert placeholders(part * 250_000) == frozenset()


def test_rows_are_cut_off_at_the_limit_and_that_is_said(archive: Archive) -> None:
    """As many rows as allowed; `is_cut` tells whether there were more."""
    for allowed, is_cut in ((1, True), (6, False), (7, False)):
        result = archive.query("SELECT log_id FROM logs", limits=Limits(rows=allowed))
        assert len(list(result)) == min(allowed, 6)
        assert result.is_cut is is_cut


def test_each_query_has_its_own_connection(archive: Archive) -> None:
    """Two results can be read in turns."""
    sql = "SELECT log_id, hand, event FROM plays ORDER BY ALL"
    whole = list(archive.query(sql))
    pairs = zip(archive.query(sql), archive.query(sql), strict=True)
    assert list(pairs) == [(row, row) for row in whole]


def test_an_answer_is_cut_at_its_bytes(archive: Archive) -> None:
    """Rows that fit are there whole, in every form; what cannot be cut is refused."""
    sql = "SELECT repeat('x', 100) AS x FROM range(50)"
    for form, rows in (("csv", 9), ("page", 9), ("json", 9), ("table", 9)):
        result = archive.query(sql, limits=Limits(answer=1000))
        text = b"".join(render(result, cast(Form, form)))
        assert (text.count(b"x" * 100), result.cut_by) == (rows, "answer"), form
        whole = archive.query(sql, limits=Limits(answer=10_000))
        assert b"".join(render(whole, cast(Form, form))).count(b"x" * 100) == 50
        assert not whole.is_cut
    with pytest.raises(Stopped, match="its answer is longer than its limit of 500 bytes"):
        b"".join(render(archive.query(sql, limits=Limits(answer=500)), "parquet"))


def test_parquet_is_read_back(archive: Archive) -> None:
    """Every row and type, cut at the limit of rows like any other form."""
    result = archive.query("SELECT * FROM plays ORDER BY ALL")
    table = parquet.read_table(io.BytesIO(b"".join(render(result, "parquet"))))
    rows = list(archive.query("SELECT * FROM plays ORDER BY ALL"))
    assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == rows
    result = archive.query("SELECT * FROM plays", limits=Limits(rows=7))
    few = parquet.read_table(io.BytesIO(b"".join(render(result, "parquet"))))
    assert (few.num_rows, few.column_names, result.cut_by) == (7, table.column_names, "rows")
    with pytest.raises(QueryError, match=r"cannot be written as Parquet: .*VARCHAR helps"):
        b"".join(render(archive.query("SELECT INTERVAL 1 DAY"), "parquet"))


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    """A folder without MANIFEST, and a path that is not there."""
    assert not is_archive(tmp_path)
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ArchiveError, match="is not an archive"):
            Archive.open(path)


def test_an_empty_archive_has_all_its_tables(tmp_path: Path) -> None:
    """Nothing indexed yet: every table is there and empty."""
    index(tmp_path / "archive", [])
    assert is_archive(tmp_path / "archive")
    with Archive.open(tmp_path / "archive") as archive:
        for table in tables.TABLES:
            assert list(archive.query(f"SELECT * FROM {table}")) == []


MIXED = """
    SELECT 1 AS a, 'x,"y"' || chr(10) || 'z' AS b, NULL AS c,
        TIMESTAMP '2026-01-02 03:04:05.5' AS d, [1, 2] AS e, true AS f,
        1.5::DOUBLE AS g, 2.50::DECIMAL(5, 2) AS h,
        170141183460469231731687303715884105727::HUGEINT AS i, '{"k": [1]}'::JSON AS j, 7 AS a
"""


def test_json_is_an_array_of_rows(archive: Archive) -> None:
    """Numbers stay numbers, however large; times are ISO; JSON stays JSON; names are unique."""
    (row,) = json.loads(b"".join(render(archive.query(MIXED), "json")))
    assert row == {
        "a": 1,
        "b": 'x,"y"\nz',
        "c": None,
        "d": "2026-01-02T03:04:05.500000",
        "e": [1, 2],
        "f": True,
        "g": 1.5,
        "h": 2.5,
        "i": 170141183460469231731687303715884105727,
        "j": {"k": [1]},
        "a_1": 7,
    }
    assert json.loads(b"".join(render(archive.query("SELECT 1 WHERE false"), "json"))) == []
    many = json.loads(b"".join(render(archive.query("SELECT * FROM hands"), "json")))
    assert len(many) == 67


def test_csv_is_rfc_4180(archive: Archive) -> None:
    """CR LF, quotes doubled, NULL empty; it reads back cell by cell."""
    text = b"".join(render(archive.query(MIXED), "csv")).decode()
    assert text.count("\r\n") == 2
    header, row = csv.reader(io.StringIO(text, newline=""))
    assert header == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a"]
    assert row == [
        "1",
        'x,"y"\nz',
        "",
        "2026-01-02T03:04:05.500000",
        "[1,2]",
        "true",
        "1.5",
        "2.50",
        "170141183460469231731687303715884105727",
        '{"k": [1]}',
        "7",
    ]


def test_a_table_is_aligned_whatever_the_script(archive: Archive) -> None:
    """Chinese characters take two columns, numbers stand right, control characters are escaped."""
    sql = """
        FROM (VALUES (1, '甲', 'a' || chr(27) || '[2J'), (222, 'yi', NULL)) AS t (n, who, x)
    """
    assert b"".join(render(archive.query(sql), "table")).decode() == (
        "  n  who  x\n───  ───  ────────\n  1  甲   a\\x1b[2J\n222  yi   NULL\n(2 rows)\n"
    )


@pytest.fixture(scope="module")
def trumps(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The same logs, and matches of the games with trumps."""
    path = tmp_path_factory.mktemp("trumps") / "archive"
    matches = chaodipi_logs.matches(path.parent / "chaodipi")
    matches += archives.gunzi_matches(path.parent / "gunzi", 16)
    index(path, [folder.parent / "logs", *matches])
    return Archive.open(path)


@pytest.mark.parametrize("query", named_queries(), ids=lambda query: query.name)
def test_every_named_query_answers_on_real_hands(trumps: Archive, query: NamedQuery) -> None:
    """Each is found by its name, and answers with nothing given but its defaults."""
    assert query == named(query.name)
    defaults = {parameter.name: parameter.default for parameter in query.parameters}
    result = trumps.query(query.sql, defaults)
    drawn = set() if query.chart is None else {query.chart.x, query.chart.y}
    assert drawn <= set(result.columns)
    assert {len(row) for row in result} <= {len(result.columns)}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bombs_by_kin", "is it bombs_by_kind or "),
        ("hands", "it is a table; SELECT * FROM hands LIMIT 10"),
        ("player_totals", "it is a table; SELECT"),
        ("xyz", "paipu query --list has them all"),
    ],
)
def test_an_unknown_name_says_what_may_be_meant(name: str, meant: str) -> None:
    """Names that are near, or that it is a table."""
    with pytest.raises(QueryError) as refused:
        named(name)
    assert str(refused.value).startswith(f"no query is called {name!r}")
    assert meant in str(refused.value)
