"""What to do with a file: compare what it holds with what the archive knows. Pure.

The hands of a log are known by their ids, which bind everything before them: of two copies of a
file one holds all hands of the other (the same, grown, or a part), or they are in conflict.
"""

from collections.abc import Callable
from typing import assert_never

from msgspec import Struct

from schema.damage import Damage


class Fingerprint(Struct, frozen=True):
    """A file as it stands: its size in bytes, its SHA-256 and, of a log, what identifies it.

    `head_leaf` is None where the bytes were known already and where no log could be read:
    `damage` says why, or, if the bytes could not be had at all (the digest is empty then),
    `error`. `ids` are the ids of the committed hands in file order, None until they are read;
    `damaged` counts the places where bytes are damaged or lost.
    """

    path: str
    bytes: int
    sha256: str
    form: str | None = None
    file_id: str = ""
    head_leaf: str | None = None
    ids: tuple[str, ...] | None = None
    damaged: int = 0
    in_progress: bool = False
    damage: Damage | None = None
    error: str | None = None

    @property
    def is_log(self) -> bool:
        """Whether it was read as a log."""
        return self.head_leaf is not None


class KnownLog(Struct, frozen=True):
    """A log of the archive and the path it was read at.

    `parts` are the leaf of its HEAD and the ids of its hands; `damaged` as in Fingerprint.
    """

    log_id: int
    path: str
    parts: frozenset[str]
    damaged: int


class Unchanged(Struct, frozen=True):
    """These bytes are known at this path."""

    file: Fingerprint


class Copy(Struct, frozen=True):
    """The log is known: `standing` is `indexed` if it was read at this very path.

    Else it is `copy`, or `part` if the archive knows more of it, or `unreadable`.
    """

    file: Fingerprint
    log_id: int
    standing: str


class Unreadable(Struct, frozen=True):
    """No log: becomes, with its error, a row of `logs` of its own."""

    file: Fingerprint
    log_id: int


class Ingest(Struct, frozen=True):
    """A log to be verified and stored under `log_id`, in place of the logs `replaces`."""

    file: Fingerprint
    log_id: int
    replaces: tuple[KnownLog, ...]
    conflicts: tuple[int, ...]


Decision = Unchanged | Copy | Unreadable | Ingest


class Known:
    """What the archive knows of files and logs, kept up to date as decisions are made.

    Logs are fetched by file id when they are asked for: the ids of all hands of a large archive
    would not fit.
    """

    def __init__(self, next_log: int, fetch: Callable[[str], list[KnownLog]]) -> None:
        """`next_log` is the first free number; `fetch` gives the stored logs of a file id."""
        self.next_log = next_log
        self._fetch = fetch
        self._logs: dict[str, list[KnownLog]] = {}
        self._digests: dict[str, tuple[int, str]] = {}
        self._paths: dict[str, str] = {}
        self._successors: dict[int, int] = {}

    def add_file(self, path: str, digest: str, log_id: int, standing: str) -> None:
        """A file that was seen: its path, its digest and what it was found to be."""
        self._paths[path] = digest
        if digest:
            self._digests[digest] = (log_id, standing)

    def digests(self) -> frozenset[str]:
        """SHA-256 of all bytes seen: they need not be read as a log again."""
        return frozenset(self._digests)

    def is_new_match(self, file: Fingerprint) -> bool:
        """Whether this is a log, and none of its match is known: it need not be compared."""
        return file.is_log and not self._logs_of(file.file_id)

    def needs_ids(self, file: Fingerprint) -> bool:
        """Whether a decision about this file needs the ids of its hands."""
        return file.is_log and file.ids is None and file.sha256 not in self._digests

    def complete(self, decision: Ingest, file: Fingerprint) -> None:
        """Everything about a log that was taken in is known now."""
        logs = self._logs_of(file.file_id)
        logs[:] = [log for log in logs if log.log_id != decision.log_id]
        logs.append(_known(decision.log_id, file))

    def stored(self) -> None:
        """All that was decided stands in the archive now: `fetch` finds it there."""
        self._logs.clear()

    def take_back(self, decision: Ingest) -> None:
        """Forget a decision that could not be carried out: the file is looked at anew."""
        file = decision.file
        self._paths.pop(file.path, None)
        self._digests.pop(file.sha256, None)
        logs = self._logs_of(file.file_id)
        logs[:] = [log for log in logs if log.log_id != decision.log_id]
        logs.extend(decision.replaces)
        for log in decision.replaces:
            self._successors.pop(log.log_id, None)

    def decide(self, file: Fingerprint) -> Decision:
        """What is to be done with `file`; the archive is then taken to know it."""
        decision = self._decide(file)
        match decision:
            case Copy():
                self.add_file(file.path, file.sha256, decision.log_id, decision.standing)
            case Unreadable():
                self.add_file(file.path, file.sha256, decision.log_id, "unreadable")
            case Ingest():
                self.add_file(file.path, file.sha256, decision.log_id, "indexed")
                self._store(decision)
            case Unchanged():
                pass
            case _:
                assert_never(decision)
        return decision

    def _decide(self, file: Fingerprint) -> Decision:
        if self._paths.get(file.path) == file.sha256:
            return Unchanged(file)
        seen = self._digests.get(file.sha256)
        if seen is not None:
            log_id, standing = seen
            if log_id in self._successors:
                return Copy(file, self._latest(log_id), "part")
            return Copy(file, log_id, "copy" if standing == "indexed" else standing)
        if not file.is_log:
            return Unreadable(file, self._number())
        return self._compare(file)

    def _compare(self, file: Fingerprint) -> Decision:
        logs = self._logs_of(file.file_id)
        if not logs:
            return Ingest(file, self._number(), (), ())
        mine = parts(file)
        for log in logs:
            if mine == log.parts and not _is_better(file, log):
                return Copy(file, log.log_id, "indexed" if file.path == log.path else "copy")
            if mine < log.parts:
                return Copy(file, log.log_id, "part")
        replaced = tuple(log for log in logs if log.parts <= mine)
        conflicts = tuple(log.log_id for log in logs if log not in replaced)
        return Ingest(file, self._number(), replaced, conflicts)

    def _store(self, decision: Ingest) -> None:
        logs = self._logs_of(decision.file.file_id)
        logs[:] = [log for log in logs if log not in decision.replaces]
        logs.append(_known(decision.log_id, decision.file))
        for log in decision.replaces:
            self._successors[log.log_id] = decision.log_id

    def _logs_of(self, file_id: str) -> list[KnownLog]:
        if file_id not in self._logs:
            self._logs[file_id] = self._fetch(file_id)
        return self._logs[file_id]

    def _latest(self, log_id: int) -> int:
        while log_id in self._successors:
            log_id = self._successors[log_id]
        return log_id

    def _number(self) -> int:
        self.next_log += 1
        return self.next_log - 1


def parts(file: Fingerprint) -> frozenset[str]:
    """What a log is compared by: the leaf of HEAD and the ids of its hands, as far as known."""
    assert file.head_leaf is not None, "only logs are compared"
    return frozenset((file.head_leaf, *(file.ids or ())))


def _known(log_id: int, file: Fingerprint) -> KnownLog:
    return KnownLog(log_id, file.path, parts(file), file.damaged)


def _is_better(file: Fingerprint, log: KnownLog) -> bool:
    """Of files with the same hands the one with less damage counts, and at one path the newest."""
    return file.damaged < log.damaged or (file.path == log.path and file.damaged != log.damaged)
