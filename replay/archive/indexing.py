"""index(): bring an archive up to date with log files. Doing it twice changes nothing.

Files go through in groups: identify all, decide in the order of their paths (so numbers do not
depend on how many processes work), verify and store what is new, and commit when a segment is
full. A run that is killed leaves the archive as its last commit left it.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_never

import pyarrow as pa
from msgspec import Struct

from replay.archive import manifest
from replay.archive.catalogue import FileRow
from replay.archive.ingest import Outcome, Task, unreadable_row
from replay.archive.manifest import ArchiveError
from replay.archive.plan import Copy, Ingest, Unchanged, Unreadable
from replay.archive.workers import Alone, Crew, Several
from replay.archive.writer import Writer

Progress = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path of the file just done."""
_Outcomes = dict[int, Outcome]
SUFFIXES = (".paipu", ".paipu.jsonl")
SEGMENT_ROWS = 4_000_000
"""Rows of plays from which on a segment is made final within a run."""
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
    """A sentence for each file that is unreadable, in conflict, or changed under the reader."""


def index(
    archive: Path | str,
    paths: Iterable[Path | str],
    jobs: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Add the logs at `paths` (files and folders) to the archive, making it if there is none.

    ArchiveError: no such path, no archive, or another process is writing it.
    """
    files = find_logs(paths)
    with Writer(Path(archive)) as writer:
        run = _Run(writer, len(files), progress)
        with _crew(jobs, len(files), writer) as crew:
            for group in groups(files):
                run.group(crew, group)
        writer.commit(_now())
        run.summary.merged = writer.compact()
        return run.summary


def find_logs(paths: Iterable[Path | str]) -> list[str]:
    """Log files at these paths, absolute, sorted and each once; archives inside are left alone."""
    found: set[str] = set()
    for path in paths:
        whole = os.path.abspath(path)
        if not os.path.lexists(whole):
            raise ArchiveError(f"{path}: no such file or folder")
        if os.path.isdir(whole):
            found.update(_logs_below(whole))
        else:
            found.add(whole)
    return sorted(found)


def _logs_below(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        if manifest.NAME in names:
            folders.clear()
            continue
        yield from (os.path.join(place, name) for name in names if name.endswith(SUFFIXES))


def groups(files: Sequence[str]) -> Iterator[list[str]]:
    """The files in groups that are worked on together."""
    group: list[str] = []
    size = 0
    for path in files:
        group.append(path)
        size += os.path.getsize(path) if os.path.exists(path) else 0
        if len(group) == GROUP_FILES or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _crew(jobs: int, n_files: int, writer: Writer) -> Crew:
    known = writer.known.digests()
    return Several(min(jobs, n_files), known) if min(jobs, n_files) > 1 else Alone(known)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


class _Run:
    """The state of one index run."""

    def __init__(self, writer: Writer, total: int, progress: Progress | None) -> None:
        self._writer = writer
        self._total = total
        self._done = 0
        self._progress = progress
        self.summary = Summary(files=total)

    def group(self, crew: Crew, paths: Sequence[str]) -> None:
        """Identify, decide, verify and store the files of one group."""
        ingests: list[Ingest] = []
        for file in crew.fingerprints(paths):
            decision = self._writer.known.decide(file)
            if isinstance(decision, Ingest):
                ingests.append(decision)
            else:
                self._note(decision)
                self._tick(file.path)
        tasks = self._tasks(ingests)
        outcomes: _Outcomes = {}
        for outcome in crew.take_in(tasks, self._add):
            outcomes[outcome.log_id] = outcome
            self._tick(outcome.path)
        self._store(ingests, tasks, outcomes)
        if self._writer.pending_plays >= SEGMENT_ROWS:
            self._writer.commit(_now())

    def _add(self, table: str, rows: pa.Table) -> None:
        if table == "plays":
            self.summary.plays += rows.num_rows
        self._writer.add(table, rows)

    def _tick(self, path: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._total, path)

    def _note(self, decision: Unchanged | Copy | Unreadable) -> None:
        """Files that bring no rows of hands."""
        summary, file = self.summary, decision.file
        match decision:
            case Unchanged():
                summary.unchanged += 1
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
            FileRow(file.path, log_id, standing, file.form or None, file.bytes, file.sha256)
        )

    def _tasks(self, ingests: Sequence[Ingest]) -> list[Task]:
        """What is to be taken in, with the hands that another log holds already."""
        holders = self._writer.holders(name for one in ingests for name in one.file.ids)
        tasks = []
        for one in ingests:
            replaced = {log.log_id for log in one.replaces}
            held = {
                name: holders[name]
                for name in one.file.ids
                if name in holders and holders[name] not in replaced
            }
            holders.update((name, one.log_id) for name in one.file.ids if name not in held)
            tasks.append(Task(one.log_id, one.file, frozenset(held), frozenset(held.values())))
        return tasks

    def _store(self, ingests: Sequence[Ingest], tasks: Sequence[Task], done: _Outcomes) -> None:
        """Rows of `logs` and `files`; a log that failed takes along those that lean on it."""
        failed: set[int] = set()
        for decision, task in zip(ingests, tasks, strict=True):
            outcome = done[decision.log_id]
            if outcome.error is not None or task.holders & failed:
                failed.add(decision.log_id)
                self._fail(decision, outcome)
            else:
                self._succeed(decision, task, outcome)

    def _fail(self, decision: Ingest, outcome: Outcome) -> None:
        file = decision.file
        self.summary.unreadable += 1
        self.summary.problems.append(
            outcome.error or f"{file.path}: left for the next run with the log it shares hands with"
        )
        self._writer.known.take_back(decision)
        self._writer.drop(decision.log_id)

    def _succeed(self, decision: Ingest, task: Task, outcome: Outcome) -> None:
        summary, writer, file = self.summary, self._writer, decision.file
        summary.grown += bool(decision.replaces)
        summary.added += not decision.replaces
        summary.hands += outcome.hands
        summary.findings += outcome.row["findings"]
        if decision.conflicts:
            summary.conflicts += 1
            summary.problems.append(
                f"{file.path}: another copy of the match {file.file_id} has other hands; "
                "both are kept"
            )
        writer.replace_logs([log.log_id for log in decision.replaces], decision.log_id)
        writer.note_hands((name for name in file.ids if name not in task.held), decision.log_id)
        writer.add_log(outcome.row)
        writer.add_file(
            FileRow(file.path, decision.log_id, "indexed", file.form, file.bytes, file.sha256)
        )
