"""The command line of the bench; see the package for what it measures."""

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.bench.games import Match
from tests.bench.million import latency, parts
from tests.bench.million.parts import HANDS, RUNS, Archived, Million
from tests.bench.million.store import cache
from tests.bench.rows import lines
from tests.bench.sections import OF_MATCHES, SECTIONS, Measured, Wanted, measure

LONG = 100_000
"""An archive of so many hands takes long to make."""


def main(arguments: Sequence[str]) -> int:
    """Measure and print; the status is 0 whatever the figures are."""
    given = _parser().parse_args(arguments)
    sections = tuple(given.only or SECTIONS)
    million = Million(given.million, given.asked, given.cache or cache(), sections)
    wanted = Wanted(given.hands, given.runs, million, sections)
    warn(million)
    with TemporaryDirectory(prefix="paipu-bench-") as folder:
        measured = measure(wanted, Path(folder), _say)
    print(_json(wanted, measured) if given.json else _text(wanted, measured))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure paipu.")
    parser.add_argument("--hands", type=_count, default=1000, help="hands a match (1000)")
    parser.add_argument("--runs", type=_count, default=9, help="turns, of which the median (9)")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="a section; repeatable")
    parser.add_argument(
        "--million", type=_count, default=HANDS, help=f"hands of the archive ({HANDS})"
    )
    parser.add_argument(
        "--asked", type=_count, default=RUNS, help=f"times that the archive is asked ({RUNS})"
    )
    parser.add_argument(
        "--cache", type=Path, help="folder where the archive is kept (the user's cache)"
    )
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("at least 1")
    return number


def warn(million: Million) -> None:
    """What takes long, before it does."""
    if million.hands >= LONG and not set(million.sections).isdisjoint(parts.SECTIONS):
        _say(
            f"The archive of {million.hands:,} hands is made once and kept in {million.cache}: "
            "for a million that is half an hour and 7 GB. To leave it out: "
            f"--only {' --only '.join(OF_MATCHES)}; for a smaller one: --million 20000."
        )


def _say(what: str) -> None:
    print(what, file=sys.stderr)


def _text(wanted: Wanted, measured: Measured) -> str:
    archived = measured.archived
    heading = [
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}",
        *map(_match_text, measured.matches),
        *(() if archived is None else _archive_text(archived)),
    ]
    if measured.matches:
        heading[0] += f"; median of {wanted.runs} turns, by processor time"
    answers = latency.lines(archived.latencies if archived else ())
    return "\n".join([*heading, "", *lines(measured.rows), *answers])


def _archive_text(archived: Archived) -> Iterator[str]:
    made, filled = archived.made, archived.filled
    yield (
        f"archive: {made.hands:,} hands in {made.logs:,} logs, {filled.plays:,} plays; "
        f"{made.distinct:,} of the hands were played, so the cards of each stand there "
        f"{made.hands / made.distinct:,.0f} times, under other players and times"
    )
    yield (
        f"archive: kept in {archived.place}; its figures are by the clock, those of filling of "
        "when it was made"
    )


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
        "archived": measured.archived,
        "rows": measured.rows,
    }
    return msgspec.json.format(msgspec.json.encode(found)).decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
