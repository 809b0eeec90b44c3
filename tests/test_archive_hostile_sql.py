"""Hostile SQL against a real archive in the real process: what it aims at does not happen."""

import os
import re
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import duckdb
import pyarrow as pa
import pytest
from msgspec import Struct
from pyarrow import parquet

from replay.archive import Archive, Asker, Limits, QueryError, Stopped, named_queries
from replay.archive.question import MIB, Form, Question
from tests.archives import contents, hands, indexed, live
from tests.hostile_sql import DOING_IN_WITH, FAST, GREEDY, Fate, Hostile

SECRET = "Nachtigall-7f3a"
"""Stands in every file that must not be read, and in the environment of who asks."""
PLENTY = Limits(seconds=60.0, memory=256 * MIB, threads=1, rows=1000, answer=MIB)
"""Whoever ends at once does so whatever else this machine does."""
LITTLE = Limits(seconds=1.0, memory=256 * MIB, threads=1, rows=1000, answer=MIB)


class Place(Struct, frozen=True):
    """An archive, and about it what must not be reached."""

    archive: Path
    folder: Path
    listener: socket.socket

    def filled(self, sql: str) -> str:
        """The SQL with the words between @ filled in."""
        port = self.listener.getsockname()[1]
        segment = next(self.archive.glob("data-*.duckdb"))
        words: dict[str, object] = {"PORT": port, "DIR": self.folder, "SEGMENT": segment}
        words["OUT"] = self.folder / "out"
        names = {"TEXT": "a.txt", "CSV": "a.csv", "JSON": "a.json", "PARQUET": "a.parquet"}
        words |= {word: self.folder / name for word, name in (names | {"DB": "a.db"}).items()}
        for word, value in words.items():
            sql = sql.replace(f"@{word}@", str(value))
        return sql


class Outcome(Struct, frozen=True):
    """How a statement ended: what was said, whether it was cut, the most memory in bytes."""

    said: bytes
    error: Exception | None
    is_cut: bool
    peak: int
    is_gone: bool


def _lay_out(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.txt").write_text(f"secret {SECRET}")
    (folder / "a.csv").write_text(f"a,b\n1,{SECRET}\n")
    (folder / "a.json").write_text(f'{{"a": "{SECRET}"}}\n')
    parquet.write_table(pa.table({"a": [SECRET]}), folder / "a.parquet")
    with duckdb.connect(str(folder / "a.db")) as con:
        con.execute("CREATE TABLE secrets (a VARCHAR)")
        con.execute("INSERT INTO secrets VALUES (?)", [SECRET])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """An archive of a few hands, files beside it, and somebody who listens."""
    path = tmp_path_factory.mktemp("hostile")
    _lay_out(path / "files")
    indexed(path / "archive", live(path / "log.paipu", hands(3)))
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as listener:
        patch.setenv("PAIPU_CANARY", SECRET)
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("http_proxy", f"http://{SECRET}@127.0.0.1:{listener.getsockname()[1]}")
        listener.setblocking(False)
        yield Place(path / "archive", path / "files", listener)


class Peaks:
    """The most memory that each process has had so far, looked up now and again."""

    def __init__(self) -> None:
        self.of: dict[int, int] = {}
        self._is_over = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Peaks":
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._is_over.wait(0.01):
            for pid in list(self.of):
                try:
                    status = Path(f"/proc/{pid}/status").read_text()
                except OSError:
                    continue
                kilobytes = [line.split()[1] for line in status.splitlines() if "VmHWM" in line]
                self.of[pid] = max(self.of[pid], *(int(each) << 10 for each in kilobytes), 0)


def _outcome(asker: Asker, peaks: Peaks, sql: str, limits: Limits) -> Outcome:
    said, error, is_cut, pid = b"", None, False, 0
    try:
        with asker.ask(Question(sql, {}, "page", limits)) as answer:
            pid = answer.pid
            peaks.of[pid] = 0
            for piece in answer:
                said += piece
            is_cut = answer.is_cut
    except Exception as caught:
        error = caught
    return Outcome(said, error, is_cut, peaks.of.get(pid, 0), not os.path.exists(f"/proc/{pid}"))


def _outcomes(place: Place, cases: Sequence[Hostile], limits: Limits) -> dict[str, Outcome]:
    """Every statement through one asker, two at a time."""
    with Asker(place.archive, warm=2, most=2) as asker, Peaks() as peaks:

        def run(case: Hostile) -> tuple[str, Outcome]:
            return case.sql, _outcome(asker, peaks, place.filled(case.sql), limits)

        with ThreadPoolExecutor(2) as threads:
            found = dict(threads.map(run, cases))
        good = asker.page("SELECT count(*) FROM hands")
    assert good.rows == [[3]]
    return found


@pytest.fixture(scope="module")
def before(place: Place) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What stands in the archive and beside it."""
    return contents(place.archive), contents(place.folder)


@pytest.fixture(scope="module")
def fast(place: Place, before: object) -> dict[str, Outcome]:
    """How the statements ended that end at once."""
    return _outcomes(place, FAST, PLENTY)


@pytest.fixture(scope="module")
def greedy(place: Place, before: object) -> dict[str, Outcome]:
    """How those ended that take whatever they are let."""
    return _outcomes(place, GREEDY, LITTLE)


def _name(case: Hostile) -> str:
    sql = case.sql if len(case.sql) < 60 else f"{case.sql[:50]}… ({len(case.sql)})"
    return f"{case.aim.name} {sql!r}".replace("[", "(").replace("]", ")")


def _demand_harmless(outcome: Outcome) -> None:
    """Whatever was asked, these hold."""
    assert outcome.error is None or isinstance(outcome.error, QueryError), outcome.error
    assert SECRET.encode() not in outcome.said
    assert SECRET not in str(outcome.error)
    assert outcome.is_gone


def test_the_table_is_a_table() -> None:
    """Each statement stands there once, and there are enough of them."""
    sqls = [case.sql for case in (*FAST, *GREEDY)]
    assert len(sqls) == len(set(sqls)) >= 200


@pytest.mark.parametrize("case", FAST, ids=_name)
def test_it_does_not_happen(case: Hostile, fast: dict[str, Outcome]) -> None:
    """Refused in words where it could have happened; never by a limit, never a secret told."""
    outcome = fast[case.sql]
    _demand_harmless(outcome)
    if case.fate is Fate.REFUSED:
        assert outcome.error is not None, outcome.said
    if isinstance(outcome.error, Stopped):
        assert outcome.error.limit in ("sql", "memory")


@pytest.mark.parametrize("case", DOING_IN_WITH, ids=_name)
def test_what_does_something_in_with_is_refused_by_the_gate(
    case: Hostile, fast: dict[str, Outcome]
) -> None:
    """Before it is run: not by what it would have run into."""
    assert re.search(
        r"this statement has (COPY|INSERT|UPDATE|DELETE) in its WITH", str(fast[case.sql].error)
    )


READING_IN_WITH = (
    "WITH copy AS (SELECT 'delete' AS update) SELECT * FROM copy",
    "WITH RECURSIVE t(a) AS (SELECT 'insert' UNION ALL SELECT a FROM t WHERE false) FROM t",
    "WITH a AS (DESCRIBE plays), b AS (VALUES (1)), c AS (FROM a, b) SELECT 'merge' FROM c",
    "WITH p AS (PIVOT seats ON seat IN (0, 1) USING count(*)) SELECT 'delete' FROM p",
    """SELECT '"query_node":{"type":"COPY_QUERY_NODE"' AS "copy" """,
    "EXPLAIN SELECT 'copy' /* insert */",
)


def test_words_that_do_something_elsewhere_are_only_words(place: Place) -> None:
    """As texts, names and in comments they are read like any other."""
    with Archive.open(place.archive) as archive:
        assert [sql for sql in READING_IN_WITH if not list(archive.query(sql))] == []


def test_in_our_own_process_no_file_is_read_either(place: Place) -> None:
    """Not even the segments, which DuckDB has open, nor anything beside them."""
    segment = place.filled("@SEGMENT@")
    with Archive.open(place.archive) as archive:
        for sql in (f"FROM read_blob('{segment}')", f"FROM glob('{segment}')", f"FROM '{segment}'"):
            with pytest.raises(QueryError, match="disabled"):
                list(archive.query(sql))
        assert list(archive.query("SELECT count(*) FROM hands")) == [(3,)]


@pytest.mark.parametrize("case", GREEDY, ids=_name)
def test_it_is_bounded(case: Hostile, greedy: dict[str, Outcome]) -> None:
    """It ends within time, memory and answer, in words or cut, and its process is gone."""
    outcome = greedy[case.sql]
    _demand_harmless(outcome)
    assert outcome.error is not None or outcome.is_cut
    assert len(outcome.said) <= MIB
    assert outcome.peak <= LITTLE.memory


def test_nothing_was_written_and_nobody_called(
    place: Place,
    before: tuple[dict[str, bytes], dict[str, bytes]],
    fast: dict[str, Outcome],
    greedy: dict[str, Outcome],
) -> None:
    """After all of it: the same bytes in the archive, the same files beside it, no connection."""
    assert len(fast) + len(greedy) == len(FAST) + len(GREEDY)
    assert (contents(place.archive), contents(place.folder)) == before
    with pytest.raises(BlockingIOError):
        place.listener.accept()


# What the same limits let through


GOOD = (
    "SELECT game, count(*) AS n FROM hands GROUP BY ALL ORDER BY ALL",
    "SELECT event, rank() OVER (PARTITION BY seat ORDER BY dt DESC) AS r FROM plays QUALIFY r < 3",
    "SELECT * FROM (PIVOT plays ON kind IN ('single', 'pair') USING count(*) GROUP BY seat)",
    "WITH a AS (SELECT seat, sum(dt) AS t FROM plays GROUP BY seat) SELECT * FROM a JOIN a b "
    "USING (seat)",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 100) FROM t",
    "EXPLAIN SELECT * FROM plays",
    "EXPLAIN ANALYZE SELECT count(*) FROM plays WHERE n_cards > 3",
    "SELECT list_transform(codes, lambda c: c // 4) FROM plays WHERE NOT passed LIMIT 5",
    "SELECT regexp_extract(cards, '.s') FROM plays WHERE cards LIKE '%Rj%' OR cards LIKE '2s%'",
    "SELECT quantile_cont(dt, [0.5, 0.95]), histogram(n_cards) FROM plays",
    "SELECT options->>'call_rule', to_timestamp(0), TIMESTAMPTZ '2026-01-01 00:00+08' FROM logs",
    "FROM plays ASOF JOIN tricks USING (hand_id, trick) LIMIT 3",
    "DESCRIBE plays",
    "SUMMARIZE seats",
    "SHOW TABLES",
    "UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b",
)


def test_good_queries_are_answered(place: Place) -> None:
    """Under the same limits, in the same process that can open nothing any more."""
    with Asker(place.archive, warm=2, most=2) as asker, ThreadPoolExecutor(2) as threads:
        pages = list(threads.map(lambda sql: asker.page(sql, limits=PLENTY), GOOD))
    assert [sql for sql, page in zip(GOOD, pages, strict=True) if not page.rows] == []


@pytest.mark.parametrize("form", get_args(Form))
def test_every_form_is_made_in_the_confined_process(place: Place, form: Form) -> None:
    """What a form needs is loaded before nothing can be loaded any more."""
    sql = "SELECT *, [hand], MAP {hand: 1}, TIMESTAMPTZ '2026-01-01 00:00+08', chr(27) FROM hands"
    with Asker(place.archive) as asker, asker.ask(Question(sql, {}, form, PLENTY)) as answer:
        assert len(b"".join(answer)) > 500


def test_every_named_query_is_answered(place: Place) -> None:
    """With its defaults, under the same limits."""
    wanted = [
        (query.sql, {each.name: each.default for each in query.parameters})
        for query in named_queries()
    ]
    with Asker(place.archive, warm=2, most=2) as asker, ThreadPoolExecutor(2) as threads:
        pages = list(threads.map(lambda each: asker.page(each[0], each[1], PLENTY), wanted))
    assert len(pages) >= 25
    assert all(page.columns for page in pages)
