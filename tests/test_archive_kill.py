"""kill -9 at many moments: the archive is usable at once, and in the end it is the same."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from replay.archive import check
from replay.archive import manifest as manifests
from replay.archive import run as run_module
from tests import archives
from tests.archives import hands, indexed, live, rows

ROOT = Path(__file__).parent.parent
RUN = """
import sys
from replay.archive import index, run, compaction
run.SEGMENT_ROWS = 150
compaction.FAN_IN = 3
from replay.archive import survey
survey.GROUP_FILES = 2
archive, logs, jobs = sys.argv[1:]
print("begun", flush=True)
index(archive, [logs], jobs=int(jobs))
"""
"""Commits every few hands and merges every few commits: most of its time is a critical moment."""
STOPPING = """
import os, signal, sys
left = int(sys.argv.pop(1))
def counted(really):
    def call(*given, **named):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return really(*given, **named)
    return call
for name in ("replace", "rename", "unlink", "fsync", "fchmod", "ftruncate", "pwrite", "mkdir"):
    setattr(os, name, counted(getattr(os, name)))
"""
"""Dies just before so many changes of the archive's folder: every step of every commit."""
SAME = (
    "SELECT * EXCLUDE log_id FROM hands ORDER BY hand_id",
    "SELECT * EXCLUDE log_id FROM plays ORDER BY hand_id, event",
    "SELECT * EXCLUDE log_id FROM findings ORDER BY ALL",
    "SELECT path, file_id, last_leaf, hands, len(conflict) FROM logs ORDER BY path",
    "SELECT path, standing, bytes, sha256 FROM files ORDER BY path",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of every standing: new, grown, copies, in conflict, no log."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(8):
        live(folder / f"{number}.paipu", hands(2, seed=number), number)
    live(folder / "9-early.paipu", hands(3, seed=9)[:1], 9)
    live(folder / "9-late.paipu", hands(3, seed=9), 9)
    archives.sealed(folder / "copy.paipu", hands(2, seed=3), 3)
    live(folder / "other.paipu", [archives.with_false_trick(hands(2, seed=5)[0])], 5)
    (folder / "picture.paipu").write_bytes(b"\x89PNG")
    return folder


@pytest.fixture(scope="module")
def whole(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a run that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole") / "archive"
    indexed(folder, logs)
    return folder


def started(script: str, *words: object) -> subprocess.Popen[bytes]:
    """A process of its own that indexes."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def stored(archive: Path) -> set[str]:
    """The hands that the archive holds; it must be whole, whatever happened."""
    if not manifests.is_archive(archive):
        return set()
    assert check(archive).faults == ()
    found = rows(archive, "SELECT hand_id FROM hands")
    logs = "SELECT DISTINCT unnest(hand_ids) FROM logs ORDER BY 1"
    assert sorted(found) == rows(archive, logs)
    return {hand_id for (hand_id,) in found}


def demand_the_same(archive: Path, whole: Path) -> None:
    """Every row is that of the archive which was never stopped, and nothing lies about."""
    for sql in SAME:
        assert rows(archive, sql) == rows(whole, sql)
    listed = {segment.name for segment in manifests.read(archive).files()}
    assert {path.name for path in archive.iterdir()} == {*listed, "MANIFEST", "LOCK"}


@pytest.mark.parametrize("seed", range(3))
def test_runs_killed_at_any_time_lose_nothing_that_was_committed(
    logs: Path, whole: Path, tmp_path: Path, seed: int
) -> None:
    """Again and again, each run a little longer than the one before, until one gets to the end."""
    archive = tmp_path / "archive"
    rng = random.Random(seed)
    had: set[str] = set()
    kills, most = 0, 0.05
    while True:
        process = started(RUN, archive, logs, 1 + seed % 2)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        try:
            process.wait(rng.uniform(0, most))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert errors == b""
        has = stored(archive)
        assert had <= has
        had = has
        if process.returncode == 0:
            break
        kills, most = kills + 1, most * 1.3
    assert kills > 0
    demand_the_same(archive, whole)


def test_a_run_killed_before_every_single_step(logs: Path, whole: Path, tmp_path: Path) -> None:
    """First MANIFEST, each sync, rename and removal of commits and merges: none may be the wrong
    moment. Each death is followed by a whole run over a copy of what it left.
    """
    few = tmp_path / "few"
    few.mkdir()
    for name in ("3.paipu", "9-early.paipu", "9-late.paipu", "copy.paipu", "picture.paipu"):
        shutil.copy(logs / name, few / name)
    expected = tmp_path / "expected"
    indexed(expected, few)
    steps = 0
    while True:
        steps += 1
        archive = tmp_path / f"archive-{steps}"
        process = started(STOPPING + RUN, steps, archive, few, 1)
        _, errors = process.communicate()
        assert errors == b""
        before = stored(archive)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        indexed(archive, few)
        assert before <= stored(archive)
        demand_the_same(archive, expected)
        shutil.rmtree(archive)
    assert steps > 20


def test_ctrl_c_leaves_what_was_committed(logs: Path, whole: Path, tmp_path: Path) -> None:
    """The process ends by itself with the status that a shell knows, and says that it stopped."""
    archive = tmp_path / "archive"
    process = subprocess.Popen(
        [sys.executable, "-m", "replay.cli", "index", str(archive), str(logs)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )
    while not manifests.is_archive(archive):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    if process.returncode != 0:  # it may have been quicker
        assert process.returncode == 130
        assert (
            errors == b"paipu: stopped; the archive is whole, and the next run goes on from there\n"
        )
    stored(archive)
    indexed(archive, logs)
    demand_the_same(archive, whole)


def test_a_long_run_commits_in_between(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many seconds, however few rows there are: readers see them before the end."""
    archive = tmp_path / "archive"
    monkeypatch.setattr(run_module, "COMMIT_SECONDS", 0.0)
    monkeypatch.setattr("replay.archive.survey.GROUP_FILES", 2)
    seen: list[int] = []

    def look(_: object) -> None:
        seen.append(len(stored(archive)))

    from replay.archive import index

    index(archive, [logs], progress=look)
    assert len(set(seen)) > 3
