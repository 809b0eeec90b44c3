"""The command line of the bench; see the package for what it measures."""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.bench.games import Match
from tests.bench.rows import lines
from tests.bench.sections import SECTIONS, Measured, Wanted, measure


def main(arguments: Sequence[str]) -> int:
    """Measure and print; the status is 0 whatever the figures are."""
    given = _parser().parse_args(arguments)
    wanted = Wanted(given.hands, given.runs, tuple(given.only or SECTIONS))
    with TemporaryDirectory(prefix="paipu-bench-") as folder:
        measured = measure(wanted, Path(folder), _say)
    print(_json(wanted, measured) if given.json else _text(wanted, measured))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure paipu.")
    parser.add_argument("--hands", type=_count, default=1000, help="hands a match (1000)")
    parser.add_argument("--runs", type=_count, default=9, help="turns, of which the median (9)")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="a section; repeatable")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("at least 1")
    return number


def _say(what: str) -> None:
    print(what, file=sys.stderr)


def _text(wanted: Wanted, measured: Measured) -> str:
    heading = [
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}; median of {wanted.runs} turns, by processor time",
        *map(_match_text, measured.matches),
    ]
    return "\n".join([*heading, "", *lines(measured.rows)])


def _match_text(match: Match) -> str:
    per_hand = f"{match.facts / match.hands:.1f} facts and {match.claims / match.hands:.1f} claims"
    sizes = ", ".join(f"{form} {size / match.hands:,.0f}" for form, size in match.bytes.items())
    files = "1 match" if match.files == 1 else f"{match.files} matches"
    return f"{match.game}: {files}, {match.hands} hands of {per_hand}; bytes a hand: {sizes}"


def _json(wanted: Wanted, measured: Measured) -> str:
    found = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "runs": wanted.runs,
        "matches": measured.matches,
        "rows": measured.rows,
    }
    return msgspec.json.format(msgspec.json.encode(found)).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
