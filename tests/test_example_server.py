"""The example server: many tables at once, every log sealed and without a finding."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from replay.engine.registry import game_names
from replay.example_server import summary
from replay.verify import verify
from schema.logfile import open_log

ROOT = Path(__file__).parent.parent


def _serve(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the server with a temporary folder of its own under `folder`."""
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "replay.example_server", *arguments],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("sync", ["event", "hand", "group"])
def test_every_table_leaves_a_sealed_log_without_a_finding(tmp_path: Path, sync: str) -> None:
    """Tables share a process and nothing else: each log is whole, its own, and verifies."""
    out = tmp_path / "logs"
    done = _serve(
        tmp_path / "temporary", "--tables", "6", "--hands", "2", "--out", str(out), "--sync", sync
    )
    assert (done.returncode, done.stderr) == (0, "")
    paths = sorted(out.iterdir())
    assert [path.name for path in paths] == [f"table-{n:03}.paipu" for n in range(6)]
    ids, events = set(), 0
    for number, path in enumerate(paths):
        with path.open("rb") as stream:
            log = open_log(stream)
            report = verify(log)
            assert (log.form, report.hands, report.findings) == ("sealed", 2, ())
            assert [player.id for player in log.head.players] == [f"{number}-{s}" for s in range(4)]
            events += sum(len(log.hand(index).events) for index in range(2))
            ids.add(report.file_id)
    assert len(ids) == 6
    said = re.fullmatch(
        r"(\d+) events in \d+\.\d s, \d+ a second; "
        r"write: p50 \d+\.\d µs, p99 \d+\.\d µs, max \d+\.\d µs\n",
        done.stdout,
    )
    assert said is not None, done.stdout
    assert int(said[1]) == events


@pytest.mark.parametrize("game", game_names())
def test_any_game_can_be_served(tmp_path: Path, game: str) -> None:
    """Whatever this version judges; the logs say which game they are of, and verify."""
    done = _serve(tmp_path / "t", "--game", game, "--tables", "2", "--out", str(tmp_path / "logs"))
    assert (done.returncode, done.stderr) == (0, "")
    for path in (tmp_path / "logs").iterdir():
        with path.open("rb") as stream:
            report = verify(open_log(stream))
        assert (report.game, report.hands, report.findings) == (game, 2, ())


def test_without_a_folder_no_logs_are_kept(tmp_path: Path) -> None:
    """A measurement leaves nothing behind."""
    done = _serve(tmp_path / "temporary", "--tables", "2", "--hands", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_log_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    """A second run into the same folder fails and leaves the first one's logs alone."""
    out = tmp_path / "logs"
    arguments = ("--tables", "1", "--hands", "1", "--out", str(out))
    assert _serve(tmp_path / "temporary", *arguments).returncode == 0
    before = (out / "table-000.paipu").read_bytes()
    done = _serve(tmp_path / "temporary", *arguments)
    assert done.returncode == 1
    assert "FileExistsError" in done.stderr
    assert (out / "table-000.paipu").read_bytes() == before


def test_the_summary_reads_the_right_numbers() -> None:
    """Median, 99 % and maximum of what the writes took, in microseconds."""
    spent = [1000 * n for n in range(1, 102)]
    assert summary(spent, 2.0) == (
        "101 events in 2.0 s, 50 a second; write: p50 51.0 µs, p99 100.0 µs, max 101.0 µs"
    )
