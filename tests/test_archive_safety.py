"""Several processes, kills and damage: readers see whole archives only, and nothing is lost."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from replay.archive import Archive, ArchiveError, QueryError, check, index, tables, workers
from replay.archive import manifest as manifests
from replay.archive import writer as writer_module
from replay.archive.ingest import glance
from replay.archive.manifest import FORMAT
from replay.archive.plan import Fingerprint
from replay.archive.processes import Several
from replay.archive.writer import Writer
from tests.archives import contents, hands, indexed, live, rows

ROOT = Path(__file__).parent.parent

INDEX = """
import sys
from replay.archive import index
if __name__ == "__main__":
    archive, logs, jobs = sys.argv[1:]
    index(archive, [logs], jobs=int(jobs), progress=lambda told: print(told.files, flush=True))
"""
LIMITED = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
"""
READ = """
import sys
from replay.archive import Archive
print("ready", flush=True)
for line in sys.stdin:
    with Archive.open(sys.argv[1]) as archive:
        sql = '''SELECT (SELECT count(*) FROM logs), (SELECT sum(hands) FROM logs),
            (SELECT count(*) FROM hands), (SELECT count(DISTINCT hand_id) FROM plays)'''
        print(*next(iter(archive.query(sql))), flush=True)
"""


def python(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """A process of its own that runs a script of the project."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with six logs of two hands each."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(6):
        live(folder / f"{number}.paipu", hands(2, seed=number), number)
    return folder


@pytest.fixture
def archive(tmp_path: Path, logs: Path) -> Path:
    """An archive of the first three of them."""
    folder = tmp_path / "archive"
    indexed(folder, *(logs / f"{number}.paipu" for number in range(3)))
    return folder


@pytest.fixture
def readers(archive: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes that open the archive anew and count, whenever they are sent a line."""
    started = [python(READ, archive) for _ in range(2)]
    for reader in started:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
    yield started
    for reader in started:
        _, errors = reader.communicate()
        assert errors == ""


def asked(reader: subprocess.Popen[str]) -> list[int]:
    """Logs, their hands, rows of hands, and hands with plays, as a reader sees them now."""
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write("\n")
    reader.stdin.flush()
    return [int(word) for word in reader.stdout.readline().split()]


def test_readers_go_on_while_a_process_writes(
    archive: Path, logs: Path, readers: list[subprocess.Popen[str]]
) -> None:
    """Two readers in processes of their own see the old archive or the new one, never a mixture."""
    with Writer(archive):
        assert [asked(reader) for reader in readers] == [[3, 6, 6, 6]] * 2
    writer = python(INDEX, archive, logs, "1")
    seen = []
    while writer.poll() is None:
        seen += [asked(reader) for reader in readers]
    assert writer.communicate()[1] == ""
    assert all(answer in ([3, 6, 6, 6], [6, 12, 12, 12]) for answer in seen)
    assert [asked(reader) for reader in readers] == [[6, 12, 12, 12]] * 2


def test_a_second_writer_is_refused_clearly(archive: Path, logs: Path) -> None:
    """While one process writes, another is told so, and who it is."""
    with Writer(archive):
        writer = python(INDEX, archive, logs, "1")
        _, errors = writer.communicate()
    assert writer.returncode != 0
    assert f"is being written by another process (number {os.getpid()})" in errors
    assert index(archive, [logs]).added == 3


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_leaves_the_archive_as_it_was(archive: Path, logs: Path, jobs: str) -> None:
    """kill -9 in the middle: the same archive; the next run sweeps up and completes the work."""
    before = contents(archive)
    writer = python(INDEX, archive, logs, jobs)
    assert writer.stdout is not None
    line = writer.stdout.readline()
    while line != "4\n":
        line = writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    after = contents(archive)
    assert {name: after[name] for name in before} == before
    assert rows(archive, "SELECT count(*) FROM logs") == [(3,)]
    assert indexed(archive, logs).added == 3
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(12, 12)]
    listed = {segment.name for segment in manifests.read(archive).files()}
    assert {path.name for path in archive.iterdir()} == {*listed, "MANIFEST", "LOCK"}


def test_a_full_disk_is_said_and_leaves_the_archive_as_it_was(archive: Path, logs: Path) -> None:
    """The system refuses to write on: one error that says so, the old archive, no leftovers."""
    before = contents(archive)
    writer = python("import resource, signal\n" + LIMITED + INDEX, archive, logs, "1")
    _, errors = writer.communicate()
    assert writer.returncode == 1
    assert errors.splitlines()[-1].startswith("replay.archive.errors.Refused: ")
    assert "a file may not become so large" in errors
    assert "the archive is as its last commit left it" in errors
    assert contents(archive) == before
    assert indexed(archive, logs).added == 3


def test_leftovers_of_a_dead_writer_are_ignored_and_swept_up(archive: Path, logs: Path) -> None:
    """Whatever stands in the folder and not in MANIFEST is no part of the archive."""
    left = ["data-000009.duckdb", "data-000009.duckdb.tmp", "data-000009.duckdb.tmp.wal"]
    for name in [*left, "logs-000010.duckdb.tmp", "MANIFEST.tmp"]:
        (archive / name).write_bytes(b"half a segment")
    (archive / "notes.txt").write_text("somebody's notes")
    assert rows(archive, "SELECT count(*) FROM logs") == [(3,)]
    indexed(archive, logs)
    assert not any((archive / name).exists() for name in left)
    assert (archive / "notes.txt").read_text() == "somebody's notes"


def test_segments_are_read_only_files(archive: Path) -> None:
    """Nobody may write to what is finished, and no write-ahead log stands beside it."""
    for path in archive.glob("*.duckdb*"):
        assert path.suffix == ".duckdb"
        assert path.stat().st_mode & 0o222 == 0


def test_many_small_runs_are_merged_and_an_open_reader_goes_on(tmp_path: Path, logs: Path) -> None:
    """Eight runs leave one segment; who had the old ones open reads on as if nothing happened."""
    folder = tmp_path / "archive"
    for number in range(6, 9):
        live(logs / f"{number}.paipu", hands(2, seed=number), number)
    for number in range(7):
        indexed(folder, logs / f"{number}.paipu")
    sql = "SELECT hand_id, count(*) FROM plays GROUP BY 1 ORDER BY 1"
    with Archive.open(folder) as old:
        assert len(manifests.read(folder).segments) == 7
        assert indexed(folder, logs / "7.paipu").merged == 8
        assert not old.is_current()
        seen = list(old.query(sql))
    assert len(manifests.read(folder).segments) == 1
    with Archive.open(folder) as new:
        assert set(seen) < set(new.query(sql))
        assert list(new.query("SELECT count(*), count(DISTINCT hand_id) FROM hands")) == [(16, 16)]
    assert len(list(folder.glob("data-*"))) == 1


def test_a_reader_that_meets_a_merge_takes_the_new_manifest(
    archive: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MANIFEST read, then its files merged away: the reader starts over with the new one."""
    stale = manifests.read(archive)
    for number in range(3, 6):
        indexed(archive, logs / f"{number}.paipu")
    read = manifests.read
    answers = iter([stale])
    monkeypatch.setattr(manifests, "read", lambda folder: next(answers, None) or read(folder))
    with Archive.open(archive) as reader:
        assert list(reader.query("SELECT count(*) FROM logs")) == [(6,)]


def test_a_missing_segment_is_named(archive: Path) -> None:
    """A file that MANIFEST lists and that is gone is an error, not an empty table."""
    (segment,) = archive.glob("data-*")
    segment.unlink()
    with pytest.raises(ArchiveError, match=f"{segment.name}, which is not there"):
        Archive.open(archive)
    assert [segment.name in fault for fault in check(archive).faults] == [True]


def test_flipped_bits_are_noticed(archive: Path, tmp_path: Path) -> None:
    """A changed bit anywhere in a segment fails the check, and reading gives no false rows."""
    sql = "SELECT * FROM plays ORDER BY ALL"
    true = rows(archive, sql)
    rng = random.Random(5)
    (segment,) = archive.glob("data-*")
    for turn in range(12):
        copy = tmp_path / f"copy{turn}"
        shutil.copytree(archive, copy)
        damaged = copy / segment.name
        data = bytearray(damaged.read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        damaged.chmod(0o600)
        damaged.write_bytes(data)
        (fault,) = check(copy).faults
        assert "MANIFEST says" in fault
        try:
            found = rows(copy, sql)
        except (ArchiveError, QueryError):
            continue
        assert found == true, "a flipped bit where nothing is stored"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is damaged"),
        ("{", "is damaged"),
        ('{"format": 99}', f"archive format 99, expected {FORMAT}"),
        (f'{{"format": {FORMAT}, "segments": []}}', "is damaged"),
        (f'{{"format": {FORMAT}, "catalogue": null, "segments": []}}', "is damaged"),
    ],
)
def test_a_bad_manifest_is_said(archive: Path, text: str, told: str) -> None:
    """Readers and writers refuse what they cannot trust; the check says it too."""
    (archive / "MANIFEST").write_text(text)
    for opened in (lambda: Archive.open(archive), lambda: Writer(archive), lambda: check(archive)):
        with pytest.raises(ArchiveError, match=told):
            opened()


def test_a_manifest_names_no_file_outside(archive: Path) -> None:
    """A segment's name is a plain file name of ours, so MANIFEST cannot point elsewhere."""
    text = (archive / "MANIFEST").read_text()
    (segment,) = archive.glob("data-*")
    (archive / "MANIFEST").write_text(text.replace(segment.name, f"../{segment.name}"))
    with pytest.raises(ArchiveError, match="is damaged"):
        Archive.open(archive)


def test_the_check_of_a_good_archive(archive: Path, logs: Path) -> None:
    """Nothing wrong, and logs that are gone from disk are listed."""
    found = check(archive)
    assert (found.files, found.logs, found.faults, found.missing) == (2, 3, (), ())
    (logs / "1.paipu").unlink()
    assert check(archive).missing == (str(logs / "1.paipu"),)


def test_rows_that_were_written_are_let_go(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many rows a run adds, only those of the last transaction are still in memory."""
    monkeypatch.setattr(writer_module, "TRANSACTION_ROWS", 20)
    schema = tables.arrow_schema("tricks")
    kept = []
    with Writer(archive) as writer:
        for log_id in range(10, 18):
            row = {"hand_id": f"{log_id:016x}", "log_id": log_id, "hand": 0, "trick": 1}
            rows = pa.Table.from_pylist([row] * 20, schema=schema)
            kept.append(weakref.ref(rows))
            writer.add("tricks", rows)
            del rows
        assert sum(table() is not None for table in kept) <= 1


@pytest.mark.parametrize("moments", [("glance",), ("glance", "identify")])
def test_a_file_replaced_while_it_is_indexed(
    archive: Path, logs: Path, monkeypatch: pytest.MonkeyPatch, moments: tuple[str, ...]
) -> None:
    """It is taken as what it has become, or, if it changes again, left for the next run whole."""
    target = logs / "4.paipu"
    for number, moment in enumerate(moments, 77):
        look = getattr(workers, moment)

        def then_replaced(*asked: Any, look: Any = look, number: int = number) -> Any:
            found = look(*asked)
            live(target, hands(2, seed=number), number)
            return found

        monkeypatch.setattr(workers, moment, then_replaced)
    before = contents(archive)
    summary = indexed(archive, target)
    monkeypatch.undo()
    if len(moments) == 1:
        assert (summary.added, summary.unreadable) == (1, 0)
    else:
        assert (summary.added, summary.unreadable) == (0, 1)
        assert summary.problems == [f"{target}: the file changed while it was being indexed"]
        assert contents(archive) == before
        assert indexed(archive, target).added == 1
    found = rows(
        archive, "SELECT count(*), count(DISTINCT hand_id), count(DISTINCT log_id) FROM hands"
    )
    assert found == [(8, 8, 4)]
    indexed(archive, target)
    assert rows(archive, "SELECT sha256 FROM files ORDER BY path DESC LIMIT 1") == [
        (hashlib.sha256(target.read_bytes()).hexdigest(),)
    ]


def test_a_log_that_grows_while_it_is_indexed(
    archive: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand committed between looking and reading: no hand twice, none left out in the end."""
    target = live(logs / "4.paipu", hands(3, seed=4)[:2], 4)

    def then_grown(path: str) -> Fingerprint:
        found = glance(path)
        live(target, hands(3, seed=4), 4)
        return found

    monkeypatch.setattr(workers, "glance", then_grown)
    indexed(archive, target)
    monkeypatch.undo()
    indexed(archive, target)
    assert rows(archive, "SELECT count(*), count(DISTINCT hand_id) FROM hands") == [(9, 9)]
    assert rows(archive, "SELECT hands FROM logs WHERE path LIKE '%/4.paipu'") == [(3,)]


def test_the_callers_program_is_not_run_again_by_its_helpers(archive: Path, logs: Path) -> None:
    """A script without a main guard, given on standard input, may index with several processes."""
    script = "print('once')\nfrom replay.archive import index\n"
    script += f"index({str(archive)!r}, [{str(logs)!r}], jobs=2)\n"
    done = subprocess.run(
        [sys.executable, "-"], cwd=ROOT, input=script, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("once\n", "")
    assert rows(archive, "SELECT count(*) FROM logs") == [(6,)]


def test_a_helper_that_is_killed_ends_the_run_with_a_sentence(
    archive: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker process taken away by the system: an error, and the archive as it was."""
    before = contents(archive)

    def killed(self: Several, paths: list[str]) -> None:
        (process, *_) = self._processes.values()
        process.kill()
        glance_at(self, paths)

    glance_at = Several.glance
    monkeypatch.setattr(Several, "glance", killed)
    with pytest.raises(ArchiveError, match=r"worker process ended by itself \(exit status -9\)"):
        indexed(archive, logs, jobs=2)
    assert contents(archive) == before
