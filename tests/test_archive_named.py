"""Named queries: what their files say, that they run with anything left out, what rows refer to."""

import re
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive, NamedQuery, index, named_queries, tables
from replay.archive.derived import views
from replay.archive.named import Chart, HeaderError, Parameter, chosen, parsed
from replay.archive.statement import placeholders
from replay.reader.questions import Field, SqlProblem
from replay.reader.sqlfields import values_of
from tests.asked import answer
from tests.told import Made, made

QUERIES = named_queries()
EVERY = pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
GIVEN: dict[str, Any] = {
    "player": "jia",
    "game": "gunzi",
    "since": "2001-01-01",
    "until": "2099-12-31",
    "n": 3,
    "matches": 2,
    "zone": -5.5,
    "log": 2,
    "hand": "0123456789abcdef",
    "kind": "breach",
    "rank": "5",
    "size": 4,
    "level": "3",
    "order": "latest",
    "points": 20,
    "bombs": 1,
    "rule": "dagong-1.4",
    "option": "call_rule",
    "fault": "not_a_log",
    "seat": 2,
    "least": 2,
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The archives and what stands in their logs."""
    return made(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of nothing."""
    folder = tmp_path_factory.mktemp("empty") / "archive"
    index(folder, [])
    return folder


def test_there_are_enough_questions() -> None:
    """At least the questions that were asked for, each under a name of its own."""
    assert len(QUERIES) >= 40
    assert len({query.zh for query in QUERIES} & {query.en for query in QUERIES}) == 0
    assert len({query.zh for query in QUERIES}) == len(QUERIES)


@EVERY
def test_a_query_says_what_it_answers(query: NamedQuery) -> None:
    """One sentence in each language; parameters have words of both, and stand in the SQL."""
    assert query.zh.endswith("。")
    assert query.en.endswith(".")
    assert re.search("[一-鿿]", query.zh)
    assert placeholders(query.sql) == {parameter.name for parameter in query.parameters}
    for parameter in query.parameters:
        assert re.search("[一-鿿]", parameter.zh)
        assert parameter.en


@EVERY
def test_a_query_runs_on_an_empty_archive(query: NamedQuery, empty: Path) -> None:
    """Nothing is found there, and the columns for its chart are there all the same."""
    defaults = {parameter.name: parameter.default for parameter in query.parameters}
    with Archive.open(empty) as archive:
        result = archive.query(query.sql, defaults)
        chart = query.chart or Chart(result.columns[0], result.columns[0], None, "bar")
        assert {chart.x, chart.y, chart.colour or chart.x} <= set(result.columns)
        assert list(result) == []


@EVERY
def test_a_query_takes_each_parameter(logs: Made, query: NamedQuery) -> None:
    """Each given alone, and all at once; what is left out is NULL or its default."""
    for parameter in query.parameters:
        value = _value(query, parameter)
        rows = answer(logs.archive, query.name, **{parameter.name: value})
        assert parameter.name != "n" or len(rows) <= GIVEN["n"]
    answer(logs.flawed, query.name, **{p.name: _value(query, p) for p in query.parameters})


def _value(query: NamedQuery, parameter: Parameter) -> Any:
    if parameter.choices:
        return parameter.choices[-1]
    is_type = query.name == "hands_like_this" and parameter.name == "kind"
    return "pair" if is_type else GIVEN[parameter.name]


@EVERY
def test_rows_open_a_board(logs: Made, query: NamedQuery) -> None:
    """A hand id in a row is that of a hand there is, and an event one of this hand."""
    for folder, hands in ((logs.archive, logs.hands), (logs.flawed, logs.flawed_hands)):
        known = {hand.id: len(hand.events) for hand in hands}
        for row in answer(folder, query.name):
            if row.get("hand_id") is not None:
                assert row["hand_id"] in known
                assert row.get("event") is None or 0 <= row["event"] < known[row["hand_id"]]
            assert "hand_id" in row or "event" not in row


QUIET = {"aborted_hands", "findings_by_rule", "findings_listed", "logs_in_conflict"}
QUIET |= {"breaches_by_player"}
QUIET |= {"same_deals", "unreadable_files", "unverified_hands", "flips"}
"""Answered by logs with findings, or by first hands that nobody declares."""


@EVERY
def test_a_query_finds_something(logs: Made, query: NamedQuery) -> None:
    """On a few hands of each game, or among logs with findings."""
    flawed = query.name in QUIET - {"aborted_hands", "flips"}
    rows = answer(logs.flawed if flawed else logs.archive, query.name)
    assert rows or query.name == "flips"


@EVERY
def test_a_player_is_known_by_his_name(logs: Made, query: NamedQuery) -> None:
    """The answer is that for his id; a name that nobody bears finds nothing."""
    if "player" in {parameter.name for parameter in query.parameters}:
        told = answer(logs.archive, query.name, player="甲")
        assert told == answer(logs.archive, query.name, player="jia")
        assert answer(logs.archive, query.name, player="nobody") == []


def test_a_choice_is_known_by_other_words() -> None:
    """A game by its Chinese name, and the level 打10; nothing else is guessed."""
    assert chosen(("chaodipi", "dagong"), "打拱") == "dagong"
    assert (chosen(("9", "T"), "10"), chosen(("9", "T"), "T")) == ("T", "T")
    for choices, told in ((("9", "J"), "10"), (("gunzi",), "打拱"), (("9",), "")):
        with pytest.raises(ValueError, match="not in tuple"):
            chosen(choices, told)


def test_an_empty_field_has_its_default() -> None:
    """As if it had not been touched; NULL only where there is none, and no number below 0."""
    fields = (
        Field("n", "integer", "20"),
        Field("player"),
        Field("game", "choice", "", ("dagong",)),
    )
    assert values_of(fields, {"n": " ", "game": "打拱"}) == {
        "n": 20,
        "player": None,
        "game": "dagong",
    }
    with pytest.raises(SqlProblem):
        values_of(fields, {"n": "-1"})


HEAD = "-- zh: 一。\n-- en: One.\n-- group: plays\n"


def test_a_header_is_read() -> None:
    """All kinds of parameters, with and without default, and a chart."""
    query = parsed(
        "q",
        HEAD + "-- param: a text = | 甲 | first\n-- param: b integer = 5 | 乙 | second one\n"
        "-- param: c number = 1.5 | 丙 | third\n-- param: d date = 2026-03-01 | 丁 | fourth\n"
        "-- param: e choice(x y_2) = x | 戊 | fifth\n-- chart: x=a y=b kind=line\n"
        "-- a remark\nSELECT :a;\n",
    )
    assert query == NamedQuery(
        "q",
        "一。",
        "One.",
        "plays",
        "-- a remark\nSELECT :a",
        (
            Parameter("a", "text", None, "甲", "first"),
            Parameter("b", "integer", 5, "乙", "second one"),
            Parameter("c", "number", 1.5, "丙", "third"),
            Parameter("d", "date", "2026-03-01", "丁", "fourth"),
            Parameter("e", "choice", "x", "戊", "fifth", ("x", "y_2")),
        ),
        Chart("a", "b", None, "line"),
    )


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("SELECT 1", "found []"),
        ("-- en: One.\n-- zh: 一。\n", "found ['en', 'zh']"),
        ("-- zh: 一。\n", "found ['zh']"),
        (HEAD + "-- note: a\n", "found ['zh', 'en', 'group', 'note']"),
        ("-- zh: 一。\n-- en: One.\n-- group: cats\n", "q.sql:3: expected one of players, "),
        (HEAD + "-- chart: x=a y=b kind=bar\n-- param: a text = | 甲 | a\n", "'chart', 'param'"),
        (HEAD + 2 * "-- chart: x=a y=b kind=bar\n", "at most one chart"),
        (HEAD + 2 * "-- param: a text = | 甲 | a\n", "twice: ['a', 'a']"),
        (HEAD + "-- param: a text | 甲 | a\n", "q.sql:4: expected `name kind = default"),
        (HEAD + "-- param: a text = | 甲\n", "q.sql:4: expected `name kind = default"),
        (HEAD + "-- param: a word = | 甲 | a\n", "found 'word'"),
        (HEAD + "-- param: a choice = | 甲 | a\n", "found 'choice' and []"),
        (HEAD + "-- param: a text(x) = | 甲 | a\n", "found 'text' and ['x']"),
        (HEAD + "-- param: a integer = 1.5 | 甲 | a\n", "'1.5' is no integer"),
        (HEAD + "-- param: a date = 2026-02-30 | 甲 | a\n", "'2026-02-30' is no date"),
        (HEAD + "-- param: a choice(x y) = z | 甲 | a\n", "'z' is no choice"),
        (HEAD + "-- chart: x=a y=b kind=pie\n", "q.sql:4: expected `x=… y=…"),
        (HEAD + "-- chart: y=b x=a kind=bar\n", "q.sql:4: expected `x=… y=…"),
    ],
)
def test_a_malformed_header_is_refused(header: str, said: str) -> None:
    """What is wrong is said, with file and line; nothing is guessed."""
    with pytest.raises(HeaderError, match=re.escape(said)):
        parsed("q", header + "SELECT 1\n")


def test_no_query_has_the_name_of_a_table() -> None:
    """`paipu query ARCHIVE NAME` and `SELECT * FROM NAME` would answer differently."""
    assert {query.name for query in named_queries()}.isdisjoint({*tables.TABLES, *views()})
