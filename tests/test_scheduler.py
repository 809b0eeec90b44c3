"""`--scheduler`: a Dask cluster of real processes says what this machine says, whatever dies."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive, index, tables
from replay.archive.scheduled import MODULE, hiring
from replay.cluster import parcels
from replay.cluster.client import Cluster as Joined
from replay.cluster.client import joined
from replay.cluster.errors import ClusterError
from replay.cluster.work import Task
from replay.commands.verify import scheduled, tasks_of
from replay.folder import LogFile
from replay.messages import text
from replay.report import verdicts_json
from tests import archives
from tests.archives import hands, live
from tests.clusters import Cluster, cluster, unwarned
from tests.shelled import BROKEN, MATCH, NO_LOG, PARTS, SAMPLES, TORN, paipu, process


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of two workers, each with a nanny that starts it anew."""
    with cluster(tmp_path_factory.mktemp("two"), n_workers=2) as found:
        yield found


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Logs of 40 matches, long enough that a run can be disturbed."""
    folder = tmp_path_factory.mktemp("matches")
    return [live(folder / f"{n:02}.paipu", hands(6), n) for n in range(40)]


def stored(archive: Path) -> dict[str, list[Any]]:
    """All that an archive holds but for the times at which it was filled, rows in one order."""
    found = {}
    with Archive.open(archive) as opened:
        for table, columns in (tables.CATALOGUE | tables.SEGMENT).items():
            names = [name for name, *_ in columns if not name.endswith(("_at", "_ns"))]
            asked = opened.query(f"SELECT {', '.join(names)} FROM {table}")
            found[table] = sorted(asked, key=repr)
    return found


def timeless(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the time it took."""
    return {name: value for name, value in summary.items() if name != "seconds"}


# What it says


def test_the_verdicts_are_those_of_this_machine(two: Cluster) -> None:
    """Clean, broken and unreadable logs: JSON and text byte for byte, status and nothing else."""
    for words in ([BROKEN, "--json"], [*PARTS, TORN, NO_LOG, "--lang", "zh"], [MATCH]):
        here = paipu("verify", *words)
        there = paipu("verify", "--scheduler", two.address, *words)
        assert there == here


def test_what_cannot_be_read_here_is_said_as_ever(two: Cluster) -> None:
    """A file that is not there, and standard input, are no worker's business."""
    absent = SAMPLES / "absent.paipu"
    assert paipu("verify", absent, "--scheduler", two.address) == paipu("verify", absent)
    data = MATCH.read_bytes()
    there = paipu("verify", "-", "--scheduler", two.address, stdin=data)
    assert there == paipu("verify", "-", stdin=data)


def test_the_archive_is_that_of_this_machine(two: Cluster, tmp_path: Path) -> None:
    """Every table holds the same rows under the same numbers; a second run finds nothing to do."""
    here, there = tmp_path / "here", tmp_path / "there"
    for _ in range(2):
        ran = paipu("index", there, BROKEN, "--json", "--scheduler", two.address)
        assert (ran.status, ran.err) == (0, "")
        assert timeless(ran.json) == timeless(paipu("index", here, BROKEN, "--json").json)
        assert stored(there) == stored(here)
    assert len(stored(here)["plays"]) > 1000


def test_a_log_that_grew_is_compared_as_ever(two: Cluster, tmp_path: Path) -> None:
    """Hands that another log holds, and logs that take another's place, go to workers too."""
    logs = tmp_path / "logs"
    logs.mkdir()
    folders = tmp_path / "here", tmp_path / "there"
    for count in (2, 5):
        live(logs / "a.paipu", hands(5)[:count])
        live(logs / "b.paipu", [*hands(5)[:1], archives.with_false_trick(hands(5)[1])])
        index(folders[0], [logs])
        assert paipu("index", folders[1], logs, "--scheduler", two.address).status == 0
        assert stored(folders[1]) == stored(folders[0])


# What dies


def test_a_worker_killed_in_mid_verify_changes_nothing(two: Cluster, matches: list[Path]) -> None:
    """Its logs are judged by another worker: the same verdicts in the same order."""
    files = [LogFile(str(path), str(path), path.stat().st_size) for path in matches]
    tasks = tasks_of(files, {}, None, None)
    victims = two.pids()[:1]

    def kill(_: int) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    found = list(scheduled(tasks, two.address, None, kill))
    assert not victims
    assert verdicts_json(found) + "\n" == paipu("verify", *matches, "--json").out
    two.await_workers(2)


def test_a_worker_killed_in_mid_index_changes_nothing(
    two: Cluster, matches: list[Path], tmp_path: Path
) -> None:
    """Every log is in the archive, once, under the number that it would have had."""
    here, there = tmp_path / "here", tmp_path / "there"
    victims = two.pids()[:1]

    def kill(*_: object) -> None:
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    with joined(two.address, (MODULE,), unwarned) as workers:
        index(there, matches, progress=kill, hire_for=hiring(workers))
    assert not victims
    index(here, matches)
    assert stored(there) == stored(here)
    two.await_workers(2)


def test_ctrl_c_takes_the_tasks_back(two: Cluster, matches: list[Path], tmp_path: Path) -> None:
    """The command ends with its status, and nothing of it is left with the scheduler."""
    logs = [*matches] * 8
    words = ["index", tmp_path / "archive", *logs, "--scheduler", two.address]
    with process(words) as running:
        two.await_tasks(1)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert running.stdout is not None
        assert running.stderr is not None
        said = f"paipu: {text('en', 'cli.index.stopped')}\n"
        assert (running.stdout.read(), running.stderr.read().decode()) == (b"", said)
    two.await_tasks(0)


# How much is away


def test_what_is_away_is_bounded(two: Cluster) -> None:
    """Tasks are asked for as others are done, a few for each thread."""
    taken = 0

    def tasks() -> Iterator[Task]:
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield Task(names, None, (str(MATCH),))

    done = 0
    with joined(two.address, ("tests.test_scheduler",), unwarned) as workers:
        for _ in workers.answers(tasks()):
            done += 1
            assert taken - done <= 16
    assert (taken, done) == (100, 100)


def names(_: None, paths: tuple[str, ...]) -> tuple[str, ...]:
    """What a task may do: tell where its logs stand."""
    return paths


def test_small_logs_travel_and_large_ones_are_found(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs of up to 8 MiB are copied to the worker; of larger ones it uses the file itself."""
    assert parcels.LARGEST == 8 << 20
    with joined(two.address, ("tests.test_scheduler",), unwarned) as workers:
        assert place_of(workers) != str(MATCH)
        monkeypatch.setattr(parcels, "LARGEST", 0)
        assert place_of(workers) == str(MATCH)


def place_of(workers: Joined) -> str:
    """Where MATCH stands on the worker that was given it."""
    ((_, answer),) = workers.answers([Task(names, None, (str(MATCH),))])
    assert isinstance(answer, tuple)
    return str(answer[0])


def test_large_logs_of_a_shared_folder_are_judged_alike(
    two: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The same verdicts and the same archive where no log travels; standard input stays here."""
    logs = [*PARTS, MATCH, TORN, NO_LOG]
    here = paipu("verify", *logs, "--json")
    first = paipu("index", tmp_path / "here", *logs, "--json").json
    monkeypatch.setattr(parcels, "LARGEST", 0)
    assert paipu("verify", *logs, "--json", "--scheduler", two.address) == here
    there = tmp_path / "there"
    ran = paipu("index", there, *logs, "--json", "--scheduler", two.address)
    assert timeless(ran.json) == timeless(first)
    assert stored(there) == stored(tmp_path / "here")
    data = MATCH.read_bytes()
    assert paipu("verify", "-", "--scheduler", two.address, stdin=data).status == 0


def test_a_file_that_only_this_process_sees_is_named_with_the_worker(
    two: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No verdict on it, and no row; the worker, the path and the reason are said."""
    live(tmp_path / "own.paipu", hands(2))
    own = "/proc/self/cwd/own.paipu"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parcels, "LARGEST", 0)
    ran = paipu("verify", own, "--json", "--scheduler", two.address)
    (verdict,) = ran.json
    assert (ran.status, verdict["verdict"], verdict["error"]["fault"]) == (2, "none", "unseen")
    assert "worker tcp://127.0.0.1:" in verdict["error"]["en"]
    assert own in verdict["error"]["en"]
    ran = paipu("index", tmp_path / "archive", own, "--scheduler", two.address)
    assert ran.status == 0
    assert f"{own}: not taken in: worker tcp://127.0.0.1:" in ran.out
    live(two.folder / "own.paipu", hands(2), 1)
    (verdict,) = paipu("verify", own, "--json", "--scheduler", two.address).json
    assert verdict["error"]["fault"] == "another"


def test_jobs_and_scheduler_exclude_each_other(two: Cluster, tmp_path: Path) -> None:
    """Status 2 and a sentence; nothing is made."""
    words = ("--jobs", "2", "--scheduler", two.address)
    for command in (["verify", MATCH], ["index", tmp_path / "archive", MATCH]):
        ran = paipu(*command, *words)
        assert ran == (2, "", f"paipu: {text('en', 'cluster.jobs')}\n")
    assert not (tmp_path / "archive").exists()


def test_an_error_of_ours_on_a_worker_is_raised_here(two: Cluster) -> None:
    """Nothing that a task raises passes for an answer."""
    with (
        joined(two.address, ("tests.test_scheduler",), unwarned) as workers,
        pytest.raises(ZeroDivisionError),
    ):
        list(workers.answers([Task(_divide, None, (str(MATCH),))]))


def _divide(_: None, paths: tuple[str, ...]) -> float:
    return 1 / (len(paths) - 1)


def test_a_lost_scheduler_ends_the_run(tmp_path: Path) -> None:
    """One sentence; it is not waited for."""
    with cluster(tmp_path, n_workers=1, options=("--no-nanny",)) as one:
        asked = (Task(names, None, (str(MATCH),)) for _ in range(200))
        with joined(one.address, ("tests.test_scheduler",), unwarned) as workers:
            answers = workers.answers(asked)
            next(answers)
            one.scheduler.kill()
            with pytest.raises(ClusterError) as caught:
                list(answers)
        assert caught.value.word == "lost"
