"""index(): bring an archive up to date with log files. Doing it twice changes nothing.

Files go through in groups: identify all, decide in the order of their paths (so numbers do not
depend on how many processes work), verify and store what is new, and commit when a segment is
full. A run that is killed leaves the archive as its last commit left it.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import assert_never

import duckdb
from msgspec import Struct

from replay.archive import manifest
from replay.archive.catalogue import FileRow
from replay.archive.ingest import Outcome, Task, unreadable_row
from replay.archive.manifest import ArchiveError
from replay.archive.paths import kept, on_disk
from replay.archive.plan import Copy, Fingerprint, Ingest, Unchanged, Unreadable
from replay.archive.processes import Several
from replay.archive.workers import Alone, Crew, collecting_less
from replay.archive.writer import Writer

Progress = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path of the file just done."""
Hire = Callable[[frozenset[str]], Crew]
"""Makes the workers of a run, given the digests of all bytes that the archive knows."""
SUFFIXES = (".paipu", ".paipu.jsonl")
SEGMENT_ROWS = 4_000_000
"""Rows of plays from which on a segment is made final within a run."""
NOT_REGULAR = "no regular file (a pipe, a device or a socket)"
PASSED_OVER = f"passed over, it is {NOT_REGULAR}"
GROUP_FILES = 256
GROUP_BYTES = 1 << 26
"""A group of files ends at either limit."""


class Summary(Struct):
    """What an index run found: files by what became of them, and rows added."""

    files: int = 0
    added: int = 0
    grown: int = 0
    unchanged: int = 0
    copies: int = 0
    conflicts: int = 0
    unreadable: int = 0
    hands: int = 0
    plays: int = 0
    findings: int = 0
    merged: int = 0
    problems: list[str] = []
    """A sentence for each file that is unreadable, in conflict, changed under the reader, or was
    passed over because it is no regular file."""


def index(
    archive: Path | str,
    paths: Iterable[Path | str],
    jobs: int = 1,
    progress: Progress | None = None,
    hire: Hire | None = None,
) -> Summary:
    """Add the logs at `paths` (files and folders) to the archive, making it if there is none.

    `hire` gives other workers than `jobs` processes of this machine.
    ArchiveError: no such path, no archive, another process is writing it, or the disk is full.
    """
    passed: list[str] = []
    files = find_logs(paths, passed.append)
    folder = Path(archive)
    try:
        with Writer(folder) as writer:
            summary = _run(writer, files, hire or partial(_crew, jobs, len(files)), progress)
            summary.problems += (f"{path}: {PASSED_OVER}" for path in passed)
            return summary
    except (duckdb.Error, OSError) as error:
        raise ArchiveError(
            f"{folder}: {error}; the archive is as its last commit left it"
        ) from error


def _run(writer: Writer, files: Sequence[str], hire: Hire, progress: Progress | None) -> Summary:
    run = _Run(writer, len(files), progress)
    with collecting_less(), hire(writer.known.digests()) as crew:
        for group in groups(files):
            run.group(crew, group)
    writer.commit(_now())
    run.summary.merged = writer.compact()
    return run.summary


def find_logs(
    paths: Iterable[Path | str], passed: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Log files at these paths, absolute, sorted and each once; archives inside are left alone.

    What in a folder is no regular file is told to `passed`; ArchiveError for one that is named.
    All as an archive keeps paths.
    """
    found: set[str] = set()
    for path in paths:
        whole = os.path.abspath(path)
        if not os.path.lexists(whole):
            raise ArchiveError(f"{kept(str(path))}: no such file or folder")
        if os.path.isdir(whole):
            found.update(_logs_below(whole, passed))
        elif _is_special(whole):
            raise ArchiveError(f"{kept(str(path))} is {NOT_REGULAR}")
        else:
            found.add(kept(whole))
    return sorted(found)


def _logs_below(folder: str, passed: Callable[[str], None]) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        if manifest.NAME in names:
            folders.clear()
            continue
        for path in (os.path.join(place, name) for name in names if name.endswith(SUFFIXES)):
            if _is_special(path):
                passed(kept(path))
            else:
                yield kept(path)


def _is_special(path: str) -> bool:
    """Whether a pipe, a device or a socket stands there: reading it may never end."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False  # reading it says why


def groups(files: Sequence[str]) -> Iterator[list[str]]:
    """The files in groups that are worked on together."""
    group: list[str] = []
    size = 0
    for path in files:
        group.append(path)
        place = on_disk(path)
        size += os.path.getsize(place) if os.path.exists(place) else 0
        if len(group) == GROUP_FILES or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _crew(jobs: int, n_files: int, known: frozenset[str]) -> Crew:
    return Several(min(jobs, n_files), known) if min(jobs, n_files) > 1 else Alone(known)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


class _Run:
    """The state of one index run."""

    def __init__(self, writer: Writer, total: int, progress: Progress | None) -> None:
        self._writer = writer
        self._total = total
        self._done = 0
        self._told: set[str] = set()
        self._progress = progress
        self.summary = Summary(files=total)

    def group(self, crew: Crew, paths: Sequence[str]) -> None:
        """Look at the files of one group, decide, verify and store."""
        self._told.clear()
        known = self._writer.known
        seen = crew.glance(paths)
        first = {file.file_id: file for file in reversed(seen) if known.is_new_match(file)}
        fresh = [file for file in seen if file is first.get(file.file_id)]
        again = set(self._take_new(crew, fresh))
        taken = {file.path for file in fresh} - again
        rest = [file for file in seen if file.path not in taken]
        asked = iter(crew.identify([file for file in rest if known.needs_ids(file)]))
        self._take_known(crew, [next(asked) if known.needs_ids(file) else file for file in rest])
        if self._writer.pending_plays >= SEGMENT_ROWS:
            self._writer.commit(_now())

    def _take_new(self, crew: Crew, files: Sequence[Fingerprint]) -> list[str]:
        """Logs of matches that are not known yet, one of each, read in one pass.

        Gives the paths of those that must be compared after all: the file changed meanwhile, or
        a hand of it stands under another match.
        """
        decisions = [self._writer.known.decide(file) for file in files]
        ingests = [decision for decision in decisions if isinstance(decision, Ingest)]
        tasks = [Task(one.log_id, one.file) for one in ingests]
        done = self._done_by(crew, tasks)
        holders = self._writer.holders(
            name for outcome in done.values() for name in outcome.file.ids or ()
        )
        again = []
        for decision, task in zip(ingests, tasks, strict=True):
            outcome = done[decision.log_id]
            names = outcome.file.ids or ()
            if outcome.error is not None or any(name in holders for name in names):
                self._undo(decision)
                again.append(decision.file.path)
            else:
                holders.update((name, decision.log_id) for name in names)
                self._succeed(decision, task, outcome)
        return again

    def _take_known(self, crew: Crew, files: Sequence[Fingerprint]) -> None:
        """Files that must be compared with what is known, their ids at hand."""
        ingests: list[Ingest] = []
        for file in files:
            decision = self._writer.known.decide(file)
            if isinstance(decision, Ingest):
                ingests.append(decision)
            else:
                self._note(decision)
        tasks = self._tasks(ingests)
        done = self._done_by(crew, tasks)
        failed: set[int] = set()
        for decision, task in zip(ingests, tasks, strict=True):
            outcome = done[decision.log_id]
            if outcome.error is not None or task.holders & failed:
                failed.add(decision.log_id)
                self._undo(decision)
                self._fail(decision, outcome)
            else:
                self._succeed(decision, task, outcome)

    def _done_by(self, crew: Crew, tasks: Sequence[Task]) -> dict[int, Outcome]:
        """The outcomes of tasks by log, their rows written."""
        done: dict[int, Outcome] = {}
        for outcome in crew.take_in(tasks, self._writer.add):
            done[outcome.log_id] = outcome
            if outcome.error is None:
                self._tick(outcome.file.path)
        return done

    def _tick(self, path: str) -> None:
        if path in self._told:
            return
        self._told.add(path)
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, path)

    def _note(self, decision: Unchanged | Copy | Unreadable) -> None:
        """Files that bring no rows of hands."""
        summary, file = self.summary, decision.file
        match decision:
            case Unchanged():
                summary.unchanged += 1
                self._tick(file.path)
                return
            case Copy():
                summary.copies += 1
                log_id, standing = decision.log_id, decision.standing
            case Unreadable():
                summary.unreadable += 1
                log_id, standing = decision.log_id, "unreadable"
                row = unreadable_row(log_id, file)
                summary.problems.append(f"{file.path}: {row['error']}")
                self._writer.add_log(row)
            case _:
                assert_never(decision)
        self._writer.add_file(
            FileRow(
                file.path,
                log_id,
                standing,
                file.form,
                file.bytes,
                file.sha256,
                file.in_progress,
            )
        )
        self._tick(file.path)

    def _tasks(self, ingests: Sequence[Ingest]) -> list[Task]:
        """What is to be taken in, with the hands that another log holds already."""
        holders = self._writer.holders(name for one in ingests for name in one.file.ids or ())
        tasks = []
        for one in ingests:
            replaced = {log.log_id for log in one.replaces}
            held = {
                name: holders[name]
                for name in one.file.ids or ()
                if name in holders and holders[name] not in replaced
            }
            holders.update((name, one.log_id) for name in one.file.ids or () if name not in held)
            tasks.append(Task(one.log_id, one.file, frozenset(held), frozenset(held.values())))
        return tasks

    def _undo(self, decision: Ingest) -> None:
        self._writer.known.take_back(decision)
        self._writer.drop(decision.log_id)

    def _fail(self, decision: Ingest, outcome: Outcome) -> None:
        self.summary.unreadable += 1
        self.summary.problems.append(
            outcome.error
            or f"{decision.file.path}: left for the next run with the log it shares hands with"
        )
        self._tick(decision.file.path)

    def _succeed(self, decision: Ingest, task: Task, outcome: Outcome) -> None:
        summary, writer, file = self.summary, self._writer, outcome.file
        names = [name for name in file.ids or () if name not in task.held]
        summary.grown += bool(decision.replaces)
        summary.added += not decision.replaces
        summary.hands += outcome.hands
        summary.plays += outcome.plays
        summary.findings += outcome.row["findings"]
        if decision.conflicts:
            summary.conflicts += 1
            summary.problems.append(
                f"{file.path}: another copy of the match {file.file_id} has other hands; "
                "both are kept"
            )
        writer.known.complete(decision, file)
        writer.replace_logs([log.log_id for log in decision.replaces], decision.log_id)
        writer.note_hands(names, decision.log_id)
        writer.add_log(outcome.row)
        writer.add_file(
            FileRow(file.path, decision.log_id, "indexed", file.form, file.bytes, file.sha256)
        )
