"""The peak of memory of verifying a log: `python -m tests.bench.memory LOG` prints it in bytes."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.games import Material, hands_of, play
from tests.bench.reading import verified
from tests.bench.rows import Budget, Row

SECTION = "memory"
GROWTH = 8
"""The long match has so many times the hands of the short one."""
_BUDGET = Budget("most", 1.1)
_MB = 1e6
_STATUS = Path("/proc/self/status")


def rows(of: Material, folder: Path) -> Iterator[Row]:
    """The peak for the longest match and for one of a fraction of its hands; whether it stays."""
    game = of.subject.game
    longest = max(of.sealed, key=lambda path: path.stat().st_size)
    hands = len(hands_of(longest))
    first, *_ = play(game, max(1, hands // GROWTH), folder)
    short, long = peak(first), peak(longest)
    for n_hands, size in ((len(hands_of(first)), short), (hands, long)):
        name = f"{game}: verify, sealed, {n_hands} hands, peak"
        yield Row(section=SECTION, name=name, value=size / _MB, unit="MB")
    name = f"{game}: long match : short match"
    yield Row(section=SECTION, name=name, value=long / short, unit="times", budget=_BUDGET)


def peak(path: Path) -> int:
    """The most that verifying this log takes in a process of its own, in bytes."""
    command = (sys.executable, "-m", "tests.bench.memory", str(path))
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)


def _own_peak() -> int:
    if _STATUS.exists():
        # Linux lets ru_maxrss begin with the size of the process that started this one.
        lines = dict(line.split(":", 1) for line in _STATUS.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    verified(Path(sys.argv[1]))
    print(_own_peak())
