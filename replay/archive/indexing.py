"""index(): bring an archive up to date with log files. Doing it twice changes nothing.

Files that have not changed are passed over by their size and times. The others go through in
groups: identify all, decide in the order of their paths (so numbers do not depend on how many
processes work), verify and store what is new, and commit when a segment is full or a minute has
passed. A run that is killed leaves the archive as its last commit left it.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import duckdb
from msgspec import Struct

from replay.archive import segments
from replay.archive.absence import demand_something_left, forget, note_vanished
from replay.archive.changes import Change, Committed, Progress, Summary, Told
from replay.archive.compaction import MOSTLY, NONE_LEFT
from replay.archive.errors import failed, of_system
from replay.archive.processes import Several
from replay.archive.run import Run
from replay.archive.survey import NOT_REGULAR, Survey, groups, survey
from replay.archive.unchanged import unchanged
from replay.archive.workers import Alone, Crew, collecting_less
from replay.archive.writer import Writer

HireFor = Callable[[int], Crew]
"""Makes the workers of a run, given how many bytes there are to read."""
PASSED_OVER = f"passed over, it is {NOT_REGULAR}"


def _nobody(_: object) -> None:
    pass


class Manner(Struct, frozen=True):
    """How a run goes about it.

    `rehash`: read every file, whatever its times say. `prune`: take out what has vanished.
    `wait`: seconds to wait for another process that writes; `waiting` is told its number.
    `told` hears of each change when it is committed, of new files too; `committed` of the sums.
    """

    rehash: bool = False
    prune: bool = False
    wait: float = 0.0
    waiting: Callable[[str], None] = _nobody
    told: Told = _nobody
    committed: Committed = _nobody


PLAIN = Manner()


def index(
    archive: Path | str,
    paths: Iterable[Path | str],
    jobs: int = 1,
    progress: Callable[[Progress], None] = _nobody,
    hire_for: HireFor | None = None,
    manner: Manner = PLAIN,
) -> Summary:
    """Add the logs at `paths` (files and folders) to the archive, making it if there is none.

    `hire_for` gives other workers than `jobs` processes of this machine.
    ArchiveError: no such path, no archive, another process is writing it, or the disk is full.
    """
    chosen = hire_for or (lambda _: crew(jobs))
    return index_found(archive, survey(paths), chosen, progress, manner)


def index_found(
    archive: Path | str,
    found: Survey,
    hire_for: HireFor,
    progress: Callable[[Progress], None] = _nobody,
    manner: Manner = PLAIN,
) -> Summary:
    """The same for files that were found already."""
    folder = Path(archive)
    try:
        with Writer(folder, manner.wait, manner.waiting) as writer:
            return _run(writer, found, hire_for, progress, manner)
    except (duckdb.Error, OSError) as error:
        damaged = segments.damage(folder) if of_system(error) is None else None
        raise damaged or failed(folder, error) from error


def crew(jobs: int) -> Crew:
    """The workers: this process alone, or several of this machine."""
    return Several(jobs) if jobs > 1 else Alone()


def _run(
    writer: Writer,
    found: Survey,
    hire_for: HireFor,
    progress: Callable[[Progress], None],
    manner: Manner,
) -> Summary:
    run = Run(writer, found, progress, manner.told, manner.committed)
    same = frozenset() if manner.rehash else unchanged(writer, found.files)
    run.skip(len(same))
    rest = [path for path in found.files if path not in same]
    with collecting_less():
        if rest:
            _work(run, rest, hire_for)
        run.commit()
        if manner.prune:
            demand_something_left(writer, found)
        note_vanished(writer, found, run)
        _tell_of_what_was_not_read(run, found)
        run.commit()
        if manner.prune:
            _prune(writer, found, run, hire_for)
    run.summary.merged = writer.compact(NONE_LEFT if manner.prune else MOSTLY)
    return run.summary


def _prune(writer: Writer, found: Survey, run: Run, hire_for: HireFor) -> None:
    """Take out what has vanished; logs that shared hands with it are read again."""
    again = forget(writer, found, run)
    other = Run(writer, Survey(dict.fromkeys(again)), _nobody, _nobody, _nobody)
    if again:
        _work(other, again, hire_for)
    run.summary.problems += other.summary.problems
    run.commit()


def _work(run: Run, paths: Sequence[str], hire_for: HireFor) -> None:
    size = run.expect(paths)
    with hire_for(size) as workers:
        for group in groups(paths, run.stamps):
            run.group(workers, group)


def _tell_of_what_was_not_read(run: Run, found: Survey) -> None:
    for path in found.passed:
        run.problem(Change("passed", path), f"{path}: {PASSED_OVER}")
    for path, reason in found.unlisted:
        run.problem(
            Change("unlisted", path, reason), f"{path}: {reason}; what stands there is not known"
        )
