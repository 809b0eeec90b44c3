"""The one writer of an archive: builds a segment, keeps the catalogue, makes both final at once.

Until `commit` nothing that a reader can see has changed; a writer that is killed leaves only
files that MANIFEST does not list, and the next writer removes them.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import msgspec
import pyarrow as pa

from replay.archive import catalogue, locking, segments, tables
from replay.archive import manifest as manifests
from replay.archive.catalogue import Delta, FileRow
from replay.archive.compaction import MOSTLY, to_merge
from replay.archive.errors import Refused
from replay.archive.locking import Waiting
from replay.archive.manifest import Manifest, Segment, sync_folder
from replay.archive.plan import Fingerprint, Known, KnownFile, KnownLog
from replay.archive.stamps import Stamp

TRANSACTION_ROWS = 400_000
"""Rows after which a transaction on the segment ends: DuckDB holds on to Arrow rows until then."""
MEMORY = "512MB"
"""The most that DuckDB keeps in memory: merging large segments would take all it can get."""
_SPILL = "spill.tmp"
"""A folder in the archive for what does not fit; without one DuckDB takes the current folder."""
STAMPS_WORTH = 1 << 26
"""Bytes read in vain from which on it is worth a commit that the next run need not read them."""


class Writer:
    """A locked archive folder, made if there was none; use as a context manager."""

    def __init__(
        self, folder: Path, seconds: float = 0.0, waiting: Waiting = locking.in_silence
    ) -> None:
        """Lock the folder; ArchiveError if it is no archive, Busy if it stays another's `seconds`.

        Until the end every file that this process makes is its owner's alone, those included
        that DuckDB makes: an archive holds whole decks, as logs do.
        """
        segments.demand_utf8(folder)
        self.folder = folder
        self._umask = os.umask(0o077)
        try:
            self._lock = locking.locked(folder, seconds, waiting)
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
        self._con = _connection(self.folder)
        self.delta = Delta()
        """What the next commit changes in the catalogue."""
        self.is_pruning = False
        """Whether hands were taken out that other logs hold too and that are being read again."""
        self._unread = 0
        self._hands: dict[int, list[str]] = {}
        self._holders: dict[str, int] = {}
        self._dropped: set[int] = set()
        self._pending: str | None = None
        self._uncommitted = 0
        self.pending_plays = 0
        """Rows of plays in the segment being built."""
        catalogue.begin(self._con)
        self._attach()
        segments.clean(self.folder, self.manifest)
        self.known = Known(
            self.manifest.next_log, lambda file_id: self._logs_of([file_id])[file_id]
        )

    def _attach(self) -> None:
        """Open every file that MANIFEST lists: only when all are there may the rest be removed."""
        try:
            for segment in self.manifest.files():
                segments.attach(self._con, self.folder, segment)
        except FileNotFoundError as error:
            self._con.close()
            raise Refused("missing", path=self.folder, name=error) from None
        except BaseException:
            self._con.close()
            raise

    def has_published(self, before: Manifest) -> bool:
        """Whether the archive on disk is another one than `before`."""
        return manifests.read(self.folder) != before

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
        shutil.rmtree(self.folder / _SPILL, ignore_errors=True)
        if self._pending is not None:
            segments.remove_pending(self.folder, self._pending)
        os.close(self._lock)
        os.umask(self._umask)

    @property
    def stored(self) -> str:
        """The database in which the last commit's `logs` and `files` stand."""
        made = self.manifest.catalogue
        return catalogue.NOTHING if made is None else segments.alias(made.name)

    def asked(self, sql: str, **arriving: pa.Table) -> list[tuple[Any, ...]]:
        """Rows out of `{stored}.logs` and `{stored}.files`; the tables given can be named too."""
        return catalogue.found(self._con, sql.format(stored=self.stored), arriving)

    def recall(self, files: Sequence[Fingerprint]) -> None:
        """Let `known` have what the archive knows of these files, their bytes and matches."""
        paths = pa.table({"path": pa.array([file.path for file in files], pa.string())})
        sums = pa.table({"sha256": pa.array([f.sha256 for f in files if f.sha256], pa.string())})
        by_path = self.asked(_RECALLED.format("SEMI JOIN wanted USING (path)"), wanted=paths)
        by_sum = self.asked(_RECALLED.format("SEMI JOIN wanted USING (sha256)"), wanted=sums)
        self.known.recall(self._still(by_path), self._still(by_sum))
        new = {f.file_id for f in files if f.is_log and self.known.with_bytes(f.sha256) is None}
        self.known.recall_logs(self._logs_of(sorted(new)))

    def _still(self, rows: Iterable[tuple[Any, ...]]) -> list[KnownFile]:
        """Files as stored, without those that are taken out."""
        replaced, out = self.delta.replaced, self.delta.out
        files = (
            KnownFile(path, digest, log_id, standing, at, is_gone, _stamp(*times))
            for path, digest, log_id, standing, at, is_gone, *times in rows
        )
        return [f for f in files if f.path not in out and replaced.get(f.log_id, 0) is not None]

    def _stored_logs(self, file_id: str) -> list[KnownLog]:
        return self._logs_of([file_id])[file_id]

    def _logs_of(self, file_ids: Sequence[str]) -> dict[str, list[KnownLog]]:
        """The logs with these file ids; those that were replaced since the commit left out."""
        found: dict[str, list[KnownLog]] = {file_id: [] for file_id in file_ids}
        if found:
            wanted = pa.table({"file_id": pa.array(file_ids, pa.string())})
            for file_id, log_id, path, leaf, ids, damaged in self.asked(_LOGS, wanted=wanted):
                if log_id not in self.delta.replaced:
                    log = KnownLog(log_id, path, frozenset((leaf, *ids)), damaged)
                    found[file_id].append(log)
        return found

    def holders(self, hand_ids: Iterable[str]) -> dict[str, int]:
        """Which of these hands are stored, and under which log; of several rows, the first."""
        wanted = list(hand_ids)
        found = {hand_id: self._holders[hand_id] for hand_id in wanted if hand_id in self._holders}
        if wanted and self.manifest.segments:
            table = pa.table({"hand_id": pa.array(wanted, pa.string())})
            rows = catalogue.found(self._con, self._holders_query(), {"wanted": table})
            out = self.delta.replaced
            found.update((hand, log) for hand, log in rows if out.get(log, 0) is not None)
        return found

    def _holders_query(self) -> str:
        parts = []
        for segment in self.manifest.segments:
            part = f"SELECT hand_id, log_id FROM {segments.alias(segment.name)}.hands"
            parts.append(part + segments.not_retired(segment))
        return f"SELECT * FROM ({' UNION ALL '.join(parts)}) SEMI JOIN wanted USING (hand_id)"

    def note_hands(self, hand_ids: Sequence[str], log_id: int) -> None:
        """These hands are being stored under `log_id`, in the segment being built."""
        self._hands[log_id] = list(hand_ids)
        self._holders.update(dict.fromkeys(hand_ids, log_id))

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
        """The rows of this log do not count; they go when the segment is finished."""
        for hand_id in self._hands.pop(log_id, ()):
            if self._holders.get(hand_id) == log_id:
                del self._holders[hand_id]
        self._dropped.add(log_id)

    def add_log(self, row: dict[str, Any]) -> None:
        """A row for `logs`; columns it does not name are NULL."""
        self.delta.logs[row["log_id"]] = row

    def add_file(self, row: FileRow) -> None:
        """A row for `files`, in place of the one that the path had."""
        self.delta.add_file(row)

    def add_stamp(self, path: str, stamp: Stamp) -> None:
        """A file that was read had not changed; with this stamp it need not be read again."""
        self.delta.stamps[path] = stamp
        self._unread += stamp.bytes

    def move(self, log_id: int, old: str, new: str) -> None:
        """A log that was read at `old`, where nothing is any more, stands at `new`."""
        self.delta.moved[log_id] = new
        self.delta.out.add(old)

    def replace_logs(self, old: Sequence[int], new: int) -> None:
        """The log `new` holds everything that these held: they are no longer shown."""
        for log_id in old:
            self.delta.replaced[log_id] = new
            if self.delta.logs.pop(log_id, None) is not None:
                self.drop(log_id)

    def forget(self, logs: Iterable[int], paths: Iterable[str]) -> None:
        """Take logs out, and what was known of these paths; right after a commit only."""
        assert not self.delta.logs, "nothing hangs on what is taken out"
        self.is_pruning = True
        self.delta.replaced.update(dict.fromkeys(logs))
        self.delta.out.update(paths)

    def commit(self, now: datetime) -> None:
        """Make all that was added the archive's, in one step; nothing to add changes nothing."""
        if self.delta.is_empty() and self._unread < STAMPS_WORTH:
            self._discard()
            return
        made = self._finish(sorted(self.delta.logs)) if self._pending else None
        kept = tuple(_retire(old, self.delta.replaced) for old in self.manifest.segments)
        number = self.manifest.next_file + 1
        name = f"logs-{number:06d}.duckdb"
        listed = catalogue.write(self._con, self.folder, name, self.stored, self.delta, now)
        new = (made,) if made and made.logs else ()
        before = self.manifest.catalogue
        self._publish(listed, (*kept, *new))
        for segment in (listed, *new):
            segments.attach(self._con, self.folder, segment)
        if before is not None:
            self._con.execute(f"DETACH {segments.alias(before.name)}")
        self.delta, self._unread, self._hands, self._holders = Delta(), 0, {}, {}
        self.is_pruning = False
        self.known.stored()

    def _discard(self) -> None:
        """Nothing came of what was begun."""
        if self._pending is not None:
            self._con.execute("ROLLBACK")
            self._con.execute(f"DETACH {segments.PENDING}")
            segments.remove_pending(self.folder, self._pending)
            self._pending = None
        self._dropped.clear()
        self.pending_plays = 0

    def _publish(self, listed: Segment | None, data: tuple[Segment, ...]) -> None:
        """Make the catalogue `listed` and `data` all that the archive consists of."""
        number = self.manifest.next_file + 2
        manifest = Manifest(manifests.FORMAT, listed, data, number, self.known.next_log)
        sync_folder(self.folder)
        manifests.replace(self.folder, manifest)
        self.manifest = manifest
        segments.clean(self.folder, self.manifest)

    def compact(self, share: float = MOSTLY) -> int:
        """Merge small segments, and those of which more than `share` is retired; how many."""
        merged = 0
        while group := to_merge(self.manifest.segments, share):
            merged += len(group)
            self._merge(group)
        return merged

    def _merge(self, group: Sequence[Segment]) -> None:
        ids = sorted(log_id for segment in group for log_id in segment.shown())
        merged = [self._copied(group, ids)] if ids else []
        place = self.manifest.segments.index(group[0])
        rest = [segment for segment in self.manifest.segments if segment not in group]
        self._publish(self.manifest.catalogue, (*rest[:place], *merged, *rest[place:]))
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
        if self._dropped:
            gone = ", ".join(map(str, sorted(self._dropped)))
            for table in tables.SEGMENT:
                self._con.execute(
                    f"DELETE FROM {segments.PENDING}.{table} WHERE log_id IN ({gone})"
                )
        self._con.execute("COMMIT")
        made = segments.finish(self._con, self.folder, self._pending, tables.SEGMENT)
        self._pending = None
        self._dropped.clear()
        self.pending_plays = 0
        return msgspec.structs.replace(made, logs=_runs(log_ids))


_RECALLED = """
    SELECT f.path, f.sha256, f.log_id, f.standing, l.path, f.gone_at IS NOT NULL,
        f.bytes, f.modified_ns, f.changed_ns
    FROM (FROM {{stored}}.files {}) AS f JOIN {{stored}}.logs AS l USING (log_id)
    ORDER BY f.path
"""
_LOGS = """
    SELECT file_id, log_id, path, head_leaf, hand_ids, damaged
    FROM {stored}.logs SEMI JOIN wanted USING (file_id) ORDER BY log_id
"""


def _stamp(size: int, modified: int | None, changed: int | None) -> Stamp | None:
    return None if modified is None or changed is None else Stamp(size, modified, changed)


def _connection(folder: Path) -> duckdb.DuckDBPyConnection:
    """A database in memory, its files in the archive; what a dead writer spilt is removed."""
    spill = folder / _SPILL
    shutil.rmtree(spill, ignore_errors=True)
    con = duckdb.connect(":memory:")
    con.execute(f"SET memory_limit = {segments.quoted(MEMORY)}")
    con.execute(f"SET temp_directory = {segments.quoted(str(spill))}")
    return con


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
