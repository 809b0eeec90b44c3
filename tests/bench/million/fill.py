"""Filling the archive with `paipu index`, what that takes, and once more with nothing changed."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.bench.million.logs import Made
from tests.bench.million.store import Say, remove
from tests.bench.rows import Budget, Row

SECTION = "archive-million"
JOBS = 2
_PLAYS = Budget("least", 250_000)
_AGAIN = Budget("most", 10)
_EVERY = 0.05
"""Seconds between two looks at what the processes take."""
_MB = 1e6
_PROC = Path("/proc")


class Ran(Struct, frozen=True):
    """What a command said, its seconds, and the peak of memory of it and its processes, bytes."""

    said: dict[str, object]
    seconds: float
    own_peak: int
    worker_peaks: tuple[int, ...]


class Filled(Struct, frozen=True):
    """How the archive was filled: kept with it, as it is done once."""

    code: str
    hands: int
    plays: int
    findings: int
    seconds: float
    log_bytes: int
    own_peak: int
    worker_peaks: tuple[int, ...]


def fill(archive: Path, logs: Path, made: Made, code: str, say: Say) -> Filled:
    """Make the archive at `archive`, under another name until it is whole."""
    say(f"indexing {made.hands:,} hands into {archive} …")
    making = archive.with_name(f"{archive.name}.making")
    remove(making)
    ran = index(making, logs)
    making.rename(archive)
    hands, plays, findings = (msgspec.convert(ran.said[name], int) for name in _COUNTS)
    assert hands == made.hands, f"{made.hands} hands were written and {hands} indexed"
    peaks = ran.own_peak, ran.worker_peaks
    return Filled(code, hands, plays, findings, ran.seconds, made.bytes, *peaks)


_COUNTS = ("hands", "plays", "findings")


def index(archive: Path, logs: Path) -> Ran:
    """`paipu index` as a process; the bench fails if it does."""
    words = ("index", str(archive), str(logs), "--jobs", str(JOBS), "--json")
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "replay.cli", *words], stdout=subprocess.PIPE
    ) as process:
        peaks = _watched(process)
        assert process.stdout is not None, "it was asked for"
        said = process.stdout.read()
    seconds = time.perf_counter() - begun
    assert process.returncode == 0, f"paipu index: exit status {process.returncode}"
    own = peaks.pop(process.pid, 0)
    return Ran(msgspec.json.decode(said), seconds, own, tuple(sorted(peaks.values())))


def _watched(process: "subprocess.Popen[bytes]") -> dict[int, int]:
    """Peak of memory of each process, as long as it runs."""
    peaks: dict[int, int] = {}
    while process.poll() is None:
        for pid in (process.pid, *_children(process.pid)):
            peaks[pid] = max(peaks.get(pid, 0), peak_of(pid))
        time.sleep(_EVERY)
    return peaks


def _children(pid: int) -> Sequence[int]:
    try:
        threads = sorted((_PROC / str(pid) / "task").iterdir())
        found = [
            int(word) for thread in threads for word in (thread / "children").read_text().split()
        ]
    except OSError:  # it has just ended, or this is no Linux
        return ()
    return found


def peak_of(pid: int | str, line: str = "VmHWM") -> int:
    """The most memory that a process had, in bytes; 0 if it is gone, or this is no Linux."""
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    lines = dict(each.split(":", 1) for each in status.splitlines() if ":" in each)
    return int(lines[line].split()[0]) * 1024 if line in lines else 0


def rows(filled: Filled, again: Ran, archive: Path) -> Iterator[Row]:
    """What filling took, and what there is now."""
    size = sum(path.stat().st_size for path in archive.iterdir())
    seconds = filled.seconds
    yield _row("index --jobs 2, plays", filled.plays / seconds, "play rows/s", _PLAYS)
    yield _row("index --jobs 2, hands", filled.hands / seconds, "hands/s")
    yield _row("index --jobs 2, logs", filled.log_bytes / _MB / seconds, "MB/s")
    yield _row("index --jobs 2, in all", seconds, "s")
    yield _row("index, peak of the process that writes", filled.own_peak / _MB, "MB")
    yield _row("index, peak of a worker", max(filled.worker_peaks, default=0) / _MB, "MB")
    yield _row("index again, all unchanged", again.seconds, "s", _AGAIN)
    yield _row("index again, peak", again.own_peak / _MB, "MB")
    yield _row("findings", filled.findings, "findings")
    yield _row("logs, a hand", filled.log_bytes / filled.hands, "bytes")
    yield _row("archive, a hand", size / filled.hands, "bytes")
    yield _row("archive", size / _MB, "MB")


def _row(name: str, value: float, unit: str, budget: Budget | None = None) -> Row:
    return Row(section=SECTION, name=name, value=value, unit=unit, budget=budget)
