"""Whoever asks, where it is over or the system gives nothing more: refused, and all is put back."""

import subprocess
import sys
from pathlib import Path

import pytest

from replay.archive import Asker, QueryError
from replay.messages import text
from replay.reader import open_reader
from replay.reader.questions import SqlProblem
from tests.archives import hands, indexed, live
from tests.shelled import environment

PATIENCE = 60.0


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of one log."""
    indexed(tmp_path / "archive", live(tmp_path / "log.paipu", hands(1)))
    return tmp_path / "archive"


def test_who_asks_what_is_closed_needs_no_process(tmp_path: Path) -> None:
    """It is over before one is started, which would find that there is no archive."""
    asker = Asker(tmp_path)
    asker.close()
    with pytest.raises(QueryError, match="ended by who asked"):
        asker.page("SELECT 1")


_NO_THREADS = """
import resource, sys, threading
from pathlib import Path
from replay.archive import Asker, QueryError
with Asker(sys.argv[1], warm=1, most=2) as asker:
    asker.page("SELECT 1")
    before = resource.getrlimit(resource.RLIMIT_AS)
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    threading.stack_size(1 << 30)  # one thread does not fit, anything else does
    for _ in range(5):
        resource.setrlimit(resource.RLIMIT_AS, (mapped + (1 << 28), before[1]))
        try:
            asker.page("SELECT 1")
        except QueryError as error:
            print(error)
        resource.setrlimit(resource.RLIMIT_AS, before)
    threading.stack_size(0)
    print(asker.page("SELECT 1").rows, len(asker._running), asker._free._value)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds what is mapped")
def test_a_system_without_threads_costs_no_place(archive: Path) -> None:
    """The clock of a question is a thread: without one it is refused, and all is put back."""
    done = subprocess.run(
        [sys.executable, "-c", _NO_THREADS, archive],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    *refused, last = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert refused == ["no thread can be started for the query: can't start new thread"] * 5
    assert last == "[[1]] 0 2"


def test_a_reader_that_is_closed_starts_nothing_more(archive: Path) -> None:
    """Processes that nobody would end."""
    reader = open_reader(archive)
    assert reader.asking is not None
    assert reader.asking.answer("SELECT 1", (), {}).rows == [[1]]
    reader.close()
    with pytest.raises(SqlProblem) as over:
        reader.asking.answer("SELECT 1", (), {})
    assert over.value.en == text("en", "refusal.ended")
