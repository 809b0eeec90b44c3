"""Whoever asks: limits named, a bounded number at once, processes that end whatever happens."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from replay.archive import Archive, ArchiveError, Asker, Limits, QueryError, Stopped
from replay.archive.apart import Worker
from replay.archive.question import LEAST_MEMORY, LONGEST_SQL, MIB, Question
from tests.archives import hands, indexed, live
from tests.shelled import environment, paipu, process

ENDLESS = "SELECT count(*) FROM range(100000000000) WHERE hash(range) = 7"
STREAM = "SELECT repeat('x', 1000) FROM range(1000000000)"
HUGE_CELL = "SELECT range(1000000000)"
PATIENCE = 60.0
"""Seconds until something that has to happen is taken for something that never will."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of one log."""
    indexed(tmp_path / "archive", live(tmp_path / "log.paipu", hands(1)))
    return tmp_path / "archive"


@pytest.fixture
def asker(archive: Path) -> Iterator[Asker]:
    """Somebody who asks it, with nobody kept warm."""
    with Asker(archive) as asker:
        yield asker


def _is_alive(pid: int) -> bool:
    """Whether the process works still; one that nobody has waited for yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _children(pid: int) -> set[int]:
    """The processes that this one has started and not waited for."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found.add(int(folder.name))
    return found


def _wait(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


# Limits


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e308, 604_801.0])
def test_a_time_limit_has_a_range(archive: Path, seconds: float) -> None:
    """No number that a timer would not take, or take for none."""
    with pytest.raises(ValueError, match="more than 0 and at most 604800 s"):
        Limits(seconds=seconds)
    done = paipu("query", archive, "SELECT 1", "--timeout", seconds)
    assert done.status == 2
    assert "is not in the range 0<x<=604800" in done.err


def test_memory_and_threads_have_a_least() -> None:
    """Less than Python and DuckDB need by themselves is said at once."""
    with pytest.raises(ValueError, match="at least 128 MiB of memory, not 134217727 B"):
        Limits(memory=LEAST_MEMORY - 1)
    with pytest.raises(ValueError, match="at least 1 thread, not 0"):
        Limits(threads=0)


def test_the_least_memory_is_enough_for_a_query(asker: Asker) -> None:
    """A little is answered with a little."""
    page = asker.page(
        "SELECT seat, count(*) FROM plays GROUP BY ALL ORDER BY 1",
        limits=Limits(seconds=60, memory=LEAST_MEMORY),
    )
    assert [row[0] for row in page.rows] == [0, 1, 2, 3]


def test_a_limit_that_stops_is_named(asker: Asker) -> None:
    """Seconds, memory, the length of SQL; and the next query is answered."""
    for sql, limits, limit, value in (
        (ENDLESS, Limits(seconds=0.3), "seconds", 0.3),
        (HUGE_CELL, Limits(seconds=60, memory=200 * MIB), "memory", 200),
        ("SELECT 1 --" + "x" * LONGEST_SQL, Limits(), "sql", LONGEST_SQL),
        ("SELECT 1 AS " + "x" * 999, Limits(seconds=60, answer=500), "answer", 500),
    ):
        with pytest.raises(Stopped) as caught:
            asker.page(sql, limits=limits)
        assert (caught.value.limit, caught.value.value) == (limit, value)
    assert asker.page("SELECT 1").rows == [[1]]


def test_a_page_says_what_cut_it(asker: Asker) -> None:
    """Rows or bytes, or nothing; names and types are there; JavaScript can count the integers."""
    whole = asker.page("SELECT 1 AS a, (1::BIGINT << 53) AS b, -(1::BIGINT << 53) + 1 AS c")
    assert (whole.columns, whole.types) == (("a", "b", "c"), ("INTEGER", "BIGINT", "BIGINT"))
    assert whole.rows == [[1, "9007199254740992", -9007199254740991]]
    assert whole.cut_by is None
    assert asker.page("FROM range(100)", limits=Limits(seconds=60, rows=7)).cut_by == "rows"
    short = asker.page(STREAM, limits=Limits(seconds=60, answer=5000))
    assert (short.cut_by, len(short.rows)) == ("answer", 4)


def test_the_clock_runs_also_if_nobody_reads(asker: Asker) -> None:
    """A reader that never comes back holds no process; what it gets late is the limit's name."""
    with asker.ask(Question(STREAM, {}, "csv", Limits(seconds=1.5))) as answer:
        pieces = iter(answer)
        assert next(pieces).startswith(b'"repeat(')
        _wait(lambda: not _is_alive(answer.pid))
        with pytest.raises(Stopped, match=r"stopped after 1\.5 s, its time limit"):
            list(pieces)


def test_what_was_answered_in_time_can_be_read_late(asker: Asker) -> None:
    """The process ended by itself: its answer is whole."""
    with asker.ask(Question("SELECT 7 AS a", {}, "csv", Limits(seconds=5))) as answer:
        _wait(lambda: not _is_alive(answer.pid))
        answer._stop()
        assert b"".join(answer) == b"a\r\n7\r\n"


def test_errors_are_told_as_in_one_process(asker: Asker, archive: Path) -> None:
    """DuckDB's words with the place, and an archive that is gone."""
    with pytest.raises(QueryError, match=r"(?s)\"card\" not found.*LINE 2: WHERE card = 1\n +\^"):
        asker.page("SELECT * FROM plays\nWHERE card = 1")
    with pytest.raises(QueryError, match="SQL is UTF-8 text; character 8 of this is none"):
        asker.page("SELECT '\udcff'")
    shutil.rmtree(archive)
    with pytest.raises(ArchiveError, match="is not an archive"):
        asker.page("SELECT 1")


SHUT = {
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "secret_directory": "",
    "temp_directory": "",
    "enable_external_access": "false",
    "max_expression_depth": "500",
    "lock_configuration": "true",
}
BOUNDED = {"memory_limit": "132.0 MiB", "threads": "1", "max_execution_time": "60000"}


def test_settings_hold_for_whoever_asks(asker: Asker, archive: Path) -> None:
    """In the process of a query, and in ours: what is shut is shut for every connection."""
    sql = "SELECT name, value FROM duckdb_settings() WHERE scope IS NOT NULL"
    page = asker.page(sql, limits=Limits(seconds=60, memory=256 * MIB, threads=1))
    apart = {name: value for name, value in page.rows if name in SHUT | BOUNDED}
    assert apart == SHUT | BOUNDED
    with Archive.open(archive) as opened:
        here = {name: value for name, value in opened.query(sql) if name in SHUT}
    assert here == SHUT


def test_what_cannot_be_handed_over_is_said(asker: Asker) -> None:
    """A parameter beyond what a message holds."""
    with pytest.raises(QueryError, match="a parameter cannot be handed over"):
        asker.page("SELECT :n", {"n": 1 << 70})


# Warm workers


def test_a_warm_worker_is_used_once(archive: Path) -> None:
    """Each question has a process of its own, ready before it was asked."""
    with Asker(archive, warm=2) as asker:
        pids = set()
        for _ in range(4):
            ready = {worker.pid for worker, _ in asker._ready}
            with asker.ask(Question("SELECT 1", {}, "csv")) as answer:
                assert answer.pid in ready
                assert b"".join(answer) == b"1\r\n1\r\n"
            pids.add(answer.pid)
            assert len(asker._ready) == 2
        assert len(pids) == 4


def test_while_a_query_runs_one_more_is_ready_and_no_other_starts(archive: Path) -> None:
    """Starting takes a core that the query could use; who asks meanwhile waits for none."""
    with Asker(archive, warm=2) as asker:
        with asker.ask(Question(ENDLESS, {}, "csv")) as first:
            (after_it,) = {worker.pid for worker, _ in asker._ready}
            with asker.ask(Question(ENDLESS, {}, "csv")) as second:
                assert second.pid == after_it
                (third,) = {worker.pid for worker, _ in asker._ready}
                assert third not in (first.pid, second.pid)
        assert len(asker._ready) == 2
        assert third in {worker.pid for worker, _ in asker._ready}


def test_a_warm_worker_of_an_older_archive_is_replaced(archive: Path, tmp_path: Path) -> None:
    """What has been indexed since is in the answer."""
    with Asker(archive, warm=1) as asker:
        assert asker.page("SELECT count(*) FROM logs").rows == [[1]]
        older = {worker.pid for worker, _ in asker._ready}
        indexed(archive, live(tmp_path / "more.paipu", hands(1, seed=2), 2))
        assert asker.page("SELECT count(*) FROM logs").rows == [[2]]
        assert not any(map(_is_alive, older))


def test_a_warm_worker_that_died_is_not_asked(archive: Path) -> None:
    """Another one answers."""
    with Asker(archive, warm=1) as asker:
        (worker, _), *_ = asker._ready
        os.kill(worker.pid, signal.SIGKILL)
        assert asker.page("SELECT 1").rows == [[1]]


def test_an_asker_of_nothing_keeps_nobody(tmp_path: Path) -> None:
    """Workers that cannot open the archive end; every question says why."""
    with Asker(tmp_path, warm=2) as asker:
        for _ in range(2):
            with pytest.raises(ArchiveError, match="is not an archive"):
                asker.page("SELECT 1")


# Many at once


def test_a_flood_is_held_back(archive: Path) -> None:
    """At most so many run; the others wait, or are refused by name; good queries are answered."""
    limits = Limits(seconds=1.0, threads=1)
    most_seen = 0
    with Asker(archive, warm=1, most=2) as asker, ThreadPoolExecutor(40) as threads:

        def ask(_: int) -> str:
            nonlocal most_seen
            try:
                with asker.ask(Question(ENDLESS, {}, "csv", limits)) as answer:
                    most_seen = max(most_seen, len(asker._running))
                    b"".join(answer)
            except Stopped as error:
                return error.limit
            return "answered"

        ends = list(threads.map(ask, range(40)))
        assert set(ends) == {"seconds", "workers"}
        assert most_seen <= 2
        assert asker.page("SELECT 1", limits=Limits(seconds=60)).rows == [[1]]
        assert asker._running == set()


def test_threads_are_answered_each_its_own(archive: Path) -> None:
    """Many threads, one asker: no answer goes astray."""
    with Asker(archive, warm=2, most=3) as asker, ThreadPoolExecutor(8) as threads:
        limits = Limits(seconds=60, threads=1)
        pages = threads.map(lambda n: asker.page(f"SELECT {n}", limits=limits).rows, range(16))
        assert list(pages) == [[[n]] for n in range(16)]


def test_an_answer_can_be_ended_from_another_thread(asker: Asker) -> None:
    """Whoever reads it hears so, and the place is free."""
    with asker.ask(Question(ENDLESS, {}, "csv", Limits(seconds=60))) as answer:
        threading.Timer(0.1, answer.end).start()
        with pytest.raises(QueryError, match="ended by who asked"):
            list(answer)
    assert not _is_alive(answer.pid)
    assert asker._running == set()


# Ends


def test_closing_ends_all_that_works(archive: Path) -> None:
    """Warm ones and running ones: no process is left, not even one that nobody waited for."""
    asker = Asker(archive, warm=2)
    answer = asker.ask(Question(ENDLESS, {}, "csv", Limits(seconds=60)))
    pids = {answer.pid, *(worker.pid for worker, _ in asker._ready)}
    assert len(pids) == 2
    asker.close()
    assert [pid for pid in pids if os.path.exists(f"/proc/{pid}")] == []
    with pytest.raises(QueryError, match="ended by who asked"):
        asker.page("SELECT 1")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends who never looks")
@pytest.mark.parametrize("sql", [ENDLESS, STREAM, "SELECT sleep_ms(3600000)"])
def test_workers_end_with_who_asks(archive: Path, sql: str) -> None:
    """Who asks is killed and cannot say so: nothing works on, warm or not."""
    code = (
        "import sys\nfrom replay.archive import Asker, Limits, Question\n"
        "asker = Asker(sys.argv[1], warm=1)\n"
        "answer = asker.ask(Question(sys.argv[2], {}, 'csv', Limits(seconds=600)))\n"
        "asker._ready[0][0].hear(60)\nprint('asked', flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(archive), sql],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"asked\n"
        workers = _children(running.pid)
        assert len(workers) == 2
        running.kill()
    _wait(lambda: not any(map(_is_alive, workers)))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_query_can_be_interrupted(archive: Path, number: int) -> None:
    """It ends quietly, and so does the process that works for it."""
    words = ["query", archive, "FROM range(1000000000000)", "--csv", "--timeout", 600]
    with process(words) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"range\r\n"
        workers = _children(running.pid)
        running.send_signal(number)
        running.stdout.read()
        assert running.stderr is not None
        err = running.stderr.read()
    assert (running.returncode, err) == (128 + number, b"")
    assert len(workers) == 1
    _wait(lambda: not any(map(_is_alive, workers)))


def test_a_reader_that_leaves_ends_the_query(archive: Path) -> None:
    """As with `head`: the pipe is closed, and nothing works on."""
    words = ["query", archive, "FROM range(1000000000000)", "--csv", "--timeout", 600]
    with process(words) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"range\r\n"
        running.stdout.close()
        assert running.wait(PATIENCE) == 141


def test_the_process_knows_nothing_of_who_asks(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its environment nor its open files nor its folder."""
    monkeypatch.setenv("PAIPU_CANARY", "secret")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.set_inheritable(True)
        worker = Worker(str(archive))
        try:
            assert worker.hear(PATIENCE) is not None
            place = Path(f"/proc/{worker.pid}")
            assert b"secret" not in (place / "environ").read_bytes()
            assert os.readlink(place / "cwd") == "/"
            opened = {os.readlink(place / "fd" / name) for name in os.listdir(place / "fd")}
        finally:
            worker.close()
    files = {name for name in opened if name.startswith("/") and name != os.devnull}
    assert {Path(name).parent for name in files} == {archive}
    assert len([name for name in opened if name.startswith("socket:")]) == 1
