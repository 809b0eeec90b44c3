"""What is measured together, in the order of the table."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tests.bench import memory, peers, reading, recording, using
from tests.bench.games import SUBJECTS, Match, Material, material
from tests.bench.measure import Probe, Timed, interleaved
from tests.bench.million import parts
from tests.bench.million.parts import Archived, Million
from tests.bench.rows import Row, rate, ratio

OF_MATCHES = ("verify", "peers", "archive", "simulate", "memory", "recorder")
SECTIONS = (*OF_MATCHES, *parts.SECTIONS)


class Wanted(Struct, frozen=True):
    """What to measure: hands a match, turns, sections by their names, and of which archive."""

    hands: int
    runs: int
    million: Million
    sections: tuple[str, ...] = SECTIONS


class Measured(Struct, frozen=True):
    """The matches and the archive that were measured with, and the lines of the table."""

    matches: tuple[Match, ...]
    rows: tuple[Row, ...]
    archived: Archived | None


def measure(wanted: Wanted, folder: Path, say: Callable[[str], None]) -> Measured:
    """All that is wanted; files go to `folder`, `say` is told what is being done."""
    matches: tuple[Match, ...] = ()
    rows: list[Row] = []
    archived: Archived | None = None
    if not set(OF_MATCHES).isdisjoint(wanted.sections):
        matches, rows = _of_matches(wanted, folder, say)
    if not set(parts.SECTIONS).isdisjoint(wanted.sections):
        archived, more = parts.measure(replace(wanted.million, sections=wanted.sections), say)
        rows += more
    rows.sort(key=lambda row: SECTIONS.index(row.section))
    return Measured(matches, tuple(rows), archived)


def _of_matches(
    wanted: Wanted, folder: Path, say: Callable[[str], None]
) -> tuple[tuple[Match, ...], list[Row]]:
    say(f"playing {wanted.hands} hands …")
    matches = tuple(material(subject, wanted.hands, folder / subject.game) for subject in SUBJECTS)
    probes = tuple(_probes(wanted, matches, folder))
    say(f"measuring {len(probes)} things by turns, {wanted.runs} times each …")
    timed = interleaved(probes, wanted.runs)
    rows = [*map(rate, timed.values()), *_ratios(matches, timed)]
    for match in matches:
        say(f"memory and recorder, {match.subject.game} …")
        rows += _other_rows(wanted, match, folder / match.subject.game)
    return tuple(match.said for match in matches), rows


def _probes(wanted: Wanted, matches: tuple[Material, ...], folder: Path) -> Iterator[Probe]:
    for match in matches:
        place = folder / match.subject.game
        if "verify" in wanted.sections:
            yield from reading.probes(match)
        if "archive" in wanted.sections:
            yield from using.archive_probes(match, place / "archives")
        if "simulate" in wanted.sections:
            yield using.simulation_probe(match, place / "simulated")
    if "peers" in wanted.sections:
        yield from peers.probes()


def _ratios(matches: tuple[Material, ...], timed: Mapping[str, Timed]) -> Iterator[Row]:
    """Each game's verification to each peer, where both were measured."""
    for match in matches:
        ours = timed.get(reading.whole(match))
        for peer in (peers.CHESS, peers.POKER):
            if ours is not None and peer in timed:
                yield ratio("peers", ours, timed[peer])


def _other_rows(wanted: Wanted, match: Material, folder: Path) -> Iterator[Row]:
    if "memory" in wanted.sections:
        yield from memory.rows(match, folder / "memory")
    if "recorder" in wanted.sections:
        yield from recording.rows(match, folder / "recorder")
