"""The one writer of an archive: builds a segment, keeps the catalogue, makes both final at once.

Until `commit` nothing that a reader can see has changed; a writer that is killed leaves only
files that MANIFEST does not list, and the next writer removes them.
"""

import fcntl
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import msgspec
import pyarrow as pa

from replay.archive import catalogue, segments, tables
from replay.archive import manifest as manifests
from replay.archive.catalogue import FileRow
from replay.archive.compaction import to_merge
from replay.archive.manifest import ArchiveError, Manifest, Segment, sync_folder
from replay.archive.plan import Known, KnownLog

LOCK = "LOCK"
TRANSACTION_ROWS = 400_000
"""Rows after which a transaction on the segment ends: DuckDB holds on to Arrow rows until then."""


class Writer:
    """A locked archive folder, made if there was none; use as a context manager."""

    def __init__(self, folder: Path) -> None:
        """Lock the folder; ArchiveError if it is no archive or another process has the lock.

        Until the end every file that this process makes is its owner's alone, those included
        that DuckDB makes: an archive holds whole decks, as logs do.
        """
        segments.demand_utf8(folder)
        self.folder = folder
        self._umask = os.umask(0o077)
        try:
            self._lock = _locked(folder)
            try:
                self._open()
            except BaseException:
                os.close(self._lock)
                raise
        except BaseException:
            os.umask(self._umask)
            raise

    def _open(self) -> None:
        if not manifests.is_archive(self.folder):
            manifests.replace(self.folder, manifests.EMPTY)
        self.manifest = manifests.read(self.folder)
        segments.clean(self.folder, self.manifest)
        self._con = duckdb.connect(":memory:")
        self._logs: list[dict[str, Any]] = []
        self._files: list[FileRow] = []
        self._replaced: dict[int, int] = {}
        self._hands: dict[str, int] = {}
        self._pending: str | None = None
        self._uncommitted = 0
        self.pending_plays = 0
        """Rows of plays in the segment being built."""
        for segment in self.manifest.segments:
            segments.attach(self._con, self.folder, segment)
        catalogue.load(self._con, self.folder, self.manifest)
        self.known = self._known()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drop what was not committed and give the lock back."""
        self._con.close()
        if self._pending is not None:
            segments.remove_pending(self.folder, self._pending)
        os.close(self._lock)
        os.umask(self._umask)

    def _known(self) -> Known:
        known = Known(self.manifest.next_log, self._stored_logs)
        rows = self._con.execute("SELECT path, sha256, log_id, standing FROM files").fetchall()
        for path, digest, log_id, standing in rows:
            known.add_file(path, digest, log_id, standing)
        return known

    def _stored_logs(self, file_id: str) -> list[KnownLog]:
        found = self._con.execute(
            "SELECT log_id, path, head_leaf, hand_ids, damaged FROM logs WHERE file_id = ?"
            " ORDER BY log_id",
            [file_id],
        ).fetchall()
        return [
            KnownLog(log_id, path, frozenset((leaf, *ids)), damaged)
            for log_id, path, leaf, ids, damaged in found
        ]

    def holders(self, hand_ids: Iterable[str]) -> dict[str, int]:
        """Which of these hands are stored, and under which log; of several rows, the first."""
        wanted = list(hand_ids)
        found = {hand_id: self._hands[hand_id] for hand_id in wanted if hand_id in self._hands}
        if wanted and self.manifest.segments:
            self._con.register("wanted", pa.table({"hand_id": pa.array(wanted, pa.string())}))
            rows = self._con.execute(self._holders_query()).fetchall()
            self._con.unregister("wanted")
            found.update(rows)
        return found

    def _holders_query(self) -> str:
        parts = []
        for segment in self.manifest.segments:
            part = f"SELECT hand_id, log_id FROM {segments.alias(segment.name)}.hands"
            parts.append(part + segments.not_retired(segment))
        return f"SELECT * FROM ({' UNION ALL '.join(parts)}) SEMI JOIN wanted USING (hand_id)"

    def note_hands(self, hand_ids: Iterable[str], log_id: int) -> None:
        """These hands are being stored under `log_id`, in the segment being built."""
        for hand_id in hand_ids:
            self._hands[hand_id] = log_id

    def add(self, table: str, rows: pa.Table) -> None:
        """Append rows to a table of the segment being built."""
        if self._pending is None:
            self._begin(f"data-{self.manifest.next_file:06d}.duckdb")
        elif self._uncommitted >= TRANSACTION_ROWS:
            self._con.execute("COMMIT")
            self._con.execute("BEGIN")
            self._uncommitted = 0
        self._uncommitted += rows.num_rows
        if table == "plays":
            self.pending_plays += rows.num_rows
        self._con.register("arriving", rows)
        self._con.execute(f"INSERT INTO {segments.PENDING}.{table} BY NAME FROM arriving")
        self._con.unregister("arriving")

    def drop(self, log_id: int) -> None:
        """Take the rows of a log out of the segment being built."""
        self._hands = {hand: log for hand, log in self._hands.items() if log != log_id}
        if self._pending is not None:
            for table in tables.SEGMENT:
                self._con.execute(
                    f"DELETE FROM {segments.PENDING}.{table} WHERE log_id = ?", [log_id]
                )

    def add_log(self, row: dict[str, Any]) -> None:
        """A row for `logs`; columns it does not name are NULL."""
        self._logs.append(row)

    def add_file(self, row: FileRow) -> None:
        """A row for `files`, in place of the one that the path had."""
        self._files.append(row)

    def replace_logs(self, old: Sequence[int], new: int) -> None:
        """The log `new` holds everything that these held: they are no longer shown."""
        for log_id in old:
            self._replaced[log_id] = new
            if any(row["log_id"] == log_id for row in self._logs):
                self._logs = [row for row in self._logs if row["log_id"] != log_id]
                self.drop(log_id)

    def commit(self, now: datetime) -> None:
        """Make all that was added the archive's, in one step; nothing to add changes nothing."""
        if not (self._logs or self._files):
            return
        made = self._finish(sorted(row["log_id"] for row in self._logs)) if self._pending else None
        catalogue.update(self._con, self._logs, self._files, self._replaced, now)
        kept = tuple(_retire(old, self._replaced) for old in self.manifest.segments)
        self._publish((*kept, made) if made else kept)
        if made:
            segments.attach(self._con, self.folder, made)
        self._logs, self._files, self._replaced, self._hands = [], [], {}, {}
        self.pending_plays = 0
        self.known.stored()

    def _publish(self, data: tuple[Segment, ...]) -> None:
        """Write the catalogue anew and make it and `data` all that the archive consists of."""
        number = self.manifest.next_file + 1
        made = catalogue.write(self._con, self.folder, f"logs-{number:06d}.duckdb")
        self.manifest = Manifest(manifests.FORMAT, made, data, number + 1, self.known.next_log)
        sync_folder(self.folder)
        manifests.replace(self.folder, self.manifest)
        segments.clean(self.folder, self.manifest)

    def compact(self) -> int:
        """Merge small segments, and those whose rows are mostly retired; how many were merged."""
        merged = 0
        while group := to_merge(self.manifest.segments):
            merged += len(group)
            self._merge(group)
        return merged

    def _merge(self, group: Sequence[Segment]) -> None:
        ids = sorted(log_id for segment in group for log_id in segment.shown())
        merged = [self._copied(group, ids)] if ids else []
        place = self.manifest.segments.index(group[0])
        rest = [segment for segment in self.manifest.segments if segment not in group]
        self._publish((*rest[:place], *merged, *rest[place:]))
        for segment in group:
            self._con.execute(f"DETACH {segments.alias(segment.name)}")
        for segment in merged:
            segments.attach(self._con, self.folder, segment)

    def _copied(self, group: Sequence[Segment], ids: Sequence[int]) -> Segment:
        self._begin(f"data-{self.manifest.next_file:06d}.duckdb")
        for segment in group:
            for table in tables.SEGMENT:
                rows = f"{segments.alias(segment.name)}.{table}{segments.not_retired(segment)}"
                self._con.execute(f"INSERT INTO {segments.PENDING}.{table} FROM {rows}")
        return self._finish(ids)

    def _begin(self, name: str) -> None:
        self._pending = name
        segments.begin(self._con, self.folder, name, tables.SEGMENT)
        self._con.execute("BEGIN")
        self._uncommitted = 0

    def _finish(self, log_ids: Iterable[int]) -> Segment:
        assert self._pending is not None, "a segment is being built"
        self._con.execute("COMMIT")
        made = segments.finish(self._con, self.folder, self._pending, tables.SEGMENT)
        self._pending = None
        return msgspec.structs.replace(made, logs=_runs(log_ids))


def _locked(folder: Path) -> int:
    """The archive's lock, held until closed or until this process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not manifests.is_archive(folder) and not _is_free(folder):
            raise ArchiveError(
                f"{folder} is neither an archive (it has no {manifests.NAME}) nor empty"
            )
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(lock)
        raise ArchiveError(
            f"{folder} is being written by another process (number {holder}); "
            "reading is possible meanwhile, indexing is not"
        ) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _is_free(folder: Path) -> bool:
    """Whether an archive may be made here: empty, or given up before its first MANIFEST."""
    return all(path.name in (LOCK, f"{manifests.NAME}.tmp") for path in folder.iterdir())


def _retire(segment: Segment, replaced: Iterable[int]) -> Segment:
    """The segment with those of its logs that were replaced marked as retired."""
    gone = {*segment.retired, *(log_id for log_id in replaced if segment.holds(log_id))}
    return msgspec.structs.replace(segment, retired=sorted(gone))


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as runs, first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
