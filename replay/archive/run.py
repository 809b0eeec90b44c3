"""One index run: groups of files are looked at, decided on, verified and stored."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import assert_never

import pyarrow as pa
from msgspec.structs import replace

from replay.archive.catalogue import FileRow
from replay.archive.changes import NEWS, Change, Committed, Kind, Progress, Summary, Told
from replay.archive.errors import ArchiveError
from replay.archive.ingest import Outcome, Task, unreadable_row
from replay.archive.plan import (
    Copy,
    Fingerprint,
    Ingest,
    KnownFile,
    Unchanged,
    Unreadable,
    parts,
)
from replay.archive.survey import Survey, is_gone
from replay.archive.workers import Crew
from replay.archive.writer import Writer

SEGMENT_ROWS = 4_000_000
"""Rows of plays from which on a segment is made final within a run."""
COMMIT_SECONDS = 60.0
"""What a run that is killed loses at most, as far as whole files go."""


def now() -> datetime:
    """The time, as an archive keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


class Run:
    """The state of one index run."""

    def __init__(
        self,
        writer: Writer,
        found: Survey,
        progress: Callable[[Progress], None],
        told: Told,
        committed: Committed,
    ) -> None:
        """Over the files found; `told` hears of every change that stands in the archive.

        So does `committed`, after each commit, of the sums by then.
        """
        self._writer = writer
        self._progress = progress
        self._tell = told
        self._told: set[str] = set()
        self._tell_sums = committed
        self._waiting: list[Change] = []
        self._committed = time.monotonic()
        self._files = self._read = self._to_read = self._hands = self._plays = 0
        self.stamps = found.files
        self.summary = Summary(files=len(found.files))
        self.new_places: dict[int, str] = {}
        """Logs that this run has seen whole at a new path, by number."""

    def skip(self, n: int) -> None:
        """So many files are known to be unchanged."""
        self.summary.unchanged += n
        self._files += n

    def expect(self, paths: Sequence[str]) -> int:
        """These are to be read; how many bytes that is."""
        size = sum(self._size(path) for path in paths)
        self._to_read += size
        return size

    def commit(self) -> None:
        """Make final what was done by now, and say it; also where an error ends the commit."""
        before = self._writer.manifest
        try:
            self._writer.commit(now())
        except BaseException:
            with suppress(ArchiveError):
                if self._writer.has_published(before):
                    self._say()
            raise
        self._committed = time.monotonic()
        self._say()

    def _say(self) -> None:
        for change in self._waiting:
            if change.kind not in NEWS:
                self.summary.changes.append(change)
            self._tell(change)
        self._waiting.clear()
        sums = self.summary
        self._tell_sums(replace(sums, problems=[*sums.problems], changes=[*sums.changes]))

    def change(self, change: Change) -> None:
        """Say what became of a file, as soon as that stands in the archive."""
        self._waiting.append(change)

    def problem(self, change: Change, sentence: str) -> None:
        """The same, where somebody should look into it."""
        self.summary.problems.append(sentence)
        self.change(change)

    def group(self, crew: Crew, paths: Sequence[str]) -> None:
        """Look at the files of one group, decide, verify and store."""
        self._told.clear()
        known = self._writer.known
        seen = [file for file in crew.glance(paths) if not self._has_gone(file)]
        self._writer.recall(seen)
        first = {file.file_id: file for file in reversed(seen) if known.is_new_match(file)}
        fresh = [file for file in seen if file is first.get(file.file_id)]
        again = set(self._take_new(crew, fresh))
        taken = {file.path for file in fresh} - again
        rest = [file for file in seen if file.path not in taken]
        asked = iter(crew.identify([file for file in rest if known.needs_ids(file)]))
        self._take_known(crew, [next(asked) if known.needs_ids(file) else file for file in rest])
        late = time.monotonic() - self._committed >= COMMIT_SECONDS
        if self._writer.pending_plays >= SEGMENT_ROWS or (late and not self._writer.is_pruning):
            self.commit()

    def _has_gone(self, file: Fingerprint) -> bool:
        """A file that was taken away since it was found is one that was not found."""
        if file.error is None or not is_gone(file.path):
            return False
        self.stamps.pop(file.path, None)
        self.summary.files -= 1
        return True

    def _take_new(self, crew: Crew, files: Sequence[Fingerprint]) -> list[str]:
        """Logs of matches that are not known yet, one of each, read in one pass.

        Gives the paths of those that must be compared after all: the file changed meanwhile, or
        a hand of it stands under another match.
        """
        befores = [self._writer.known.before(file.path) for file in files]
        decisions = [self._writer.known.decide(file) for file in files]
        ingests = [decision for decision in decisions if isinstance(decision, Ingest)]
        tasks = [Task(one.log_id, one.file) for one in ingests]
        done = self._done_by(crew, tasks)
        holders = self._writer.holders(
            name for outcome in done.values() for name in outcome.file.ids or ()
        )
        again = []
        for decision, task, before in zip(ingests, tasks, befores, strict=True):
            outcome = done[decision.log_id]
            names = outcome.file.ids or ()
            if outcome.error is not None or any(name in holders for name in names):
                self._undo(decision)
                again.append(decision.file.path)
            else:
                holders.update((name, decision.log_id) for name in names)
                self._succeed(decision, task, outcome, before)
        return again

    def _take_known(self, crew: Crew, files: Sequence[Fingerprint]) -> None:
        """Files that must be compared with what is known, their ids at hand."""
        ingests: list[Ingest] = []
        befores: list[KnownFile | None] = []
        for file in files:
            before = self._writer.known.before(file.path)
            decision = self._writer.known.decide(file)
            if isinstance(decision, Ingest):
                ingests.append(decision)
                befores.append(before)
            else:
                self._note(decision, before)
        tasks = self._tasks(ingests)
        done = self._done_by(crew, tasks)
        failed: set[int] = set()
        for decision, task, before in zip(ingests, tasks, befores, strict=True):
            outcome = done[decision.log_id]
            if outcome.error is not None or task.holders & failed:
                failed.add(decision.log_id)
                self._undo(decision)
                self._fail(decision, outcome)
            else:
                self._succeed(decision, task, outcome, before)

    def _done_by(self, crew: Crew, tasks: Sequence[Task]) -> dict[int, Outcome]:
        """The outcomes of tasks by log, their rows written."""
        done: dict[int, Outcome] = {}
        for outcome in crew.take_in(tasks, self._add):
            done[outcome.log_id] = outcome
            if outcome.error is None:
                self._hands += outcome.hands
                self._plays += outcome.plays
                self._tick(outcome.file.path)
        return done

    def _add(self, table: str, rows: pa.Table) -> None:
        self._writer.add(table, rows)
        self._show("")

    def _tick(self, path: str) -> None:
        if path not in self._told:
            self._told.add(path)
            self._files += 1
            self._read += self._size(path)
            self._show(path)

    def _size(self, path: str) -> int:
        stamp = self.stamps.get(path)
        return stamp.bytes if stamp else 0

    def _show(self, path: str) -> None:
        self._progress(
            Progress(
                self._files,
                max(self.summary.files, self._files),
                self._read,
                self._to_read,
                self._hands,
                self._plays,
                path,
            )
        )

    def _note(self, decision: Unchanged | Copy | Unreadable, before: KnownFile | None) -> None:
        """Files that bring no rows of hands."""
        file = decision.file
        match decision:
            case Unchanged():
                if before is not None and before.standing == "unreadable":
                    self._unreadable(file, str(file.damage or file.error or ""), "still_unreadable")
                else:
                    self.summary.unchanged += 1
                if file.stamp is not None and before is not None and file.stamp != before.stamp:
                    self._writer.add_stamp(file.path, file.stamp)
            case Copy():
                self._note_copy(decision, before)
            case Unreadable():
                row = unreadable_row(decision.log_id, file)
                self._writer.add_log(row)
                self._writer.add_file(_row(file, decision.log_id, "unreadable"))
                self._unreadable(file, str(row["error"]))
            case _:
                assert_never(decision)
        self._tick(file.path)

    def _unreadable(self, file: Fingerprint, why: str, kind: Kind = "unreadable") -> None:
        self.summary.unreadable += 1
        self.problem(Change(kind, file.path, why, damage=file.damage), f"{file.path}: {why}")

    def _note_damage(self, file: Fingerprint) -> None:
        """A log that can be read, though not all of it is there or as it was written."""
        if file.damaged:
            self.summary.damaged += 1
            self.problem(
                Change("damaged", file.path, places=file.damaged),
                f"{file.path}: damaged in {file.damaged} places",
            )

    def _note_copy(self, decision: Copy, before: KnownFile | None) -> None:
        writer, file, log_id = self._writer, decision.file, decision.log_id
        standing = decision.standing
        if standing == "unreadable":
            writer.add_file(_row(file, log_id, standing))
            self._unreadable(file, f"the same bytes as {decision.log_path}, which is no log")
            return
        has_moved = (
            standing == "copy" and log_id not in writer.delta.moved and is_gone(decision.log_path)
        )
        if has_moved:
            standing = "indexed"
            writer.move(log_id, decision.log_path, file.path)
        writer.add_file(_row(file, log_id, standing))
        if standing != "part":
            self.new_places.setdefault(log_id, file.path)
        kind = self._kind_of_copy(standing, log_id, before)
        if has_moved:
            self.summary.moved += 1
            self.change(Change("moved", decision.log_path, file.path))
        self._count_copy(kind, has_moved)
        if before is not None or not has_moved:
            self.change(Change(kind, file.path, decision.log_path))
        self._note_damage(file)

    def _count_copy(self, kind: Kind, has_moved: bool) -> None:
        match kind:
            case "rewritten":
                self.summary.rewritten += 1
            case "shrunk":
                self.summary.shrunk += 1
            case "returned":
                self.summary.returned += 1
            case _:
                self.summary.copies += not has_moved

    def _kind_of_copy(self, standing: str, log_id: int, before: KnownFile | None) -> Kind:
        if before is None:
            return "part" if standing == "part" else "copy"
        if before.standing == "unreadable" and standing != "indexed":
            return "part" if standing == "part" else "copy"
        if before.is_gone or (standing == "indexed" and before.standing != "indexed"):
            return "returned"
        if self._writer.delta.latest(before.log_id) != log_id:
            return "replaced"
        return "shrunk" if standing == "part" else "rewritten"

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
            known = frozenset[str]().union(*(log.parts for log in one.replaces))
            tasks.append(
                Task(one.log_id, one.file, frozenset(held), frozenset(held.values()), known)
            )
        return tasks

    def _undo(self, decision: Ingest) -> None:
        self._writer.known.take_back(decision)
        self._writer.drop(decision.log_id)

    def _fail(self, decision: Ingest, outcome: Outcome) -> None:
        self.summary.unreadable += 1
        path = decision.file.path
        why = outcome.error or f"{path}: left for the next run with the log it shares hands with"
        kind: Kind = "undone" if outcome.trouble else "unsettled"
        self.problem(Change(kind, path, trouble=outcome.trouble), why)
        self._tick(path)

    def _succeed(
        self, decision: Ingest, task: Task, outcome: Outcome, before: KnownFile | None
    ) -> None:
        summary, writer, file = self.summary, self._writer, outcome.file
        kind = _kind_of_log(decision, before, file)
        summary.grown += kind == "grown"
        summary.rewritten += kind == "rewritten"
        summary.added += kind in ("added", "replaced")
        summary.hands += outcome.new_hands
        summary.plays += outcome.new_plays
        known = sum(log.damaged for log in decision.replaces)
        summary.findings += outcome.new_findings + max(file.damaged - known, 0)
        self.change(Change(kind, file.path, hands=outcome.new_hands))
        self._note_damage(file)
        if decision.conflicts:
            summary.conflicts += 1
            self.problem(
                Change("conflict", file.path, file.file_id),
                f"{file.path}: another copy of the match {file.file_id} has other hands; "
                "both are kept",
            )
        writer.known.complete(decision, file)
        writer.replace_logs([log.log_id for log in decision.replaces], decision.log_id)
        writer.note_hands(
            [name for name in file.ids or () if name not in task.held], decision.log_id
        )
        writer.add_log(outcome.row)
        writer.add_file(_row(file, decision.log_id, "indexed"))
        self.new_places[decision.log_id] = file.path


def _kind_of_log(decision: Ingest, before: KnownFile | None, file: Fingerprint) -> Kind:
    if decision.replaces:
        has_more = any(log.parts < parts(file) for log in decision.replaces)
        return "grown" if has_more else "rewritten"
    return "added" if before is None or before.standing == "unreadable" else "replaced"


def _row(file: Fingerprint, log_id: int, standing: str) -> FileRow:
    in_progress = None if file.ids is None else file.in_progress
    size, digest = file.bytes, file.sha256
    return FileRow(file.path, log_id, standing, file.form, size, digest, in_progress, file.stamp)
