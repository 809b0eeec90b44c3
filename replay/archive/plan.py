"""What to do with a file: compare what it holds with what the archive knows. Pure.

The hands of a log are known by their ids, which bind everything before them: of two copies of a
file one holds all hands of the other (the same, grown, or a part), or they are in conflict.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from msgspec import Struct

from replay.archive.stamps import Stamp
from schema.damage import Damage


class Fingerprint(Struct, frozen=True):
    """A file as it stands: its size in bytes, its SHA-256 and, of a log, what identifies it.

    `head_leaf` is None where the bytes were known already and where no log could be read:
    `damage` says why, or, if the bytes could not be had at all (the digest is empty then),
    `error`. With `stamp` it need not be read again; None where a change might not show in it.
    `ids` are the ids of the committed hands in file order, None until they are read;
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
    stamp: Stamp | None = None

    @property
    def is_log(self) -> bool:
        """Whether it was read as a log."""
        return self.head_leaf is not None


class KnownFile(Struct, frozen=True):
    """A file that the archive has seen: `log_path` is where the log it holds was read.

    `is_gone`: it was found to be no longer there.
    """

    path: str
    sha256: str
    log_id: int
    standing: str
    log_path: str
    is_gone: bool = False
    stamp: Stamp | None = None


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
    """The log is known: `standing` is `indexed` if it was read at this very path, `log_path`.

    Else it is `copy`, or `part` if the archive knows more of it, or `unreadable`.
    """

    file: Fingerprint
    log_id: int
    standing: str
    log_path: str


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
    """What the archive knows of the files at hand, and what was decided since its last commit.

    The rest is not here: all files and hands of a large archive would not fit.
    """

    def __init__(self, next_log: int, fetch: Callable[[str], list[KnownLog]]) -> None:
        """`next_log` is the first free number; `fetch` gives the stored logs of a file id."""
        self.next_log = next_log
        self._fetch = fetch
        self._logs: dict[str, list[KnownLog]] = {}
        self._digests: dict[str, KnownFile] = {}
        self._paths: dict[str, KnownFile] = {}
        self._stored_digests: dict[str, KnownFile] = {}
        self._stored_paths: dict[str, KnownFile] = {}
        self._successors: dict[int, int] = {}

    def recall(self, paths: Iterable[KnownFile], digests: Iterable[KnownFile]) -> None:
        """The files to be decided on next: what the archive has at their paths, or as bytes."""
        self._stored_paths = {file.path: file for file in paths}
        self._stored_digests = {}
        for file in digests:
            if file.sha256 not in self._stored_digests or file.standing == "indexed":
                self._stored_digests[file.sha256] = file

    def recall_logs(self, logs: Mapping[str, list[KnownLog]]) -> None:
        """What the archive has of the logs to be decided on next, by file id."""
        for file_id, stored in logs.items():
            self._logs.setdefault(file_id, stored)

    def before(self, path: str) -> KnownFile | None:
        """What was at this path."""
        return self._paths.get(path) or self._stored_paths.get(path)

    def with_bytes(self, digest: str) -> KnownFile | None:
        """A file that was seen with these bytes."""
        return self._digests.get(digest) or self._stored_digests.get(digest)

    def is_new_match(self, file: Fingerprint) -> bool:
        """Whether this is a log, and none of its match is known: it need not be compared."""
        if not file.is_log or self.with_bytes(file.sha256) is not None:
            return False
        return not self._logs_of(file.file_id)

    def needs_ids(self, file: Fingerprint) -> bool:
        """Whether a decision about this file needs the ids of its hands."""
        return file.is_log and file.ids is None and self.with_bytes(file.sha256) is None

    def complete(self, decision: Ingest, file: Fingerprint) -> None:
        """Everything about a log that was taken in is known now."""
        logs = self._logs_of(file.file_id)
        logs[:] = [log for log in logs if log.log_id != decision.log_id]
        logs.append(_known(decision.log_id, file))

    def stored(self) -> None:
        """All that was decided stands in the archive now, and is recalled from there."""
        for decided in (self._logs, self._digests, self._paths, self._successors):
            decided.clear()
        self.recall((), ())

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
                self._remember(file, decision.log_id, decision.standing, decision.log_path)
            case Unreadable():
                self._remember(file, decision.log_id, "unreadable", file.path)
            case Ingest():
                self._remember(file, decision.log_id, "indexed", file.path)
                self._store(decision)
            case Unchanged():
                pass
            case _:
                assert_never(decision)
        return decision

    def _remember(self, file: Fingerprint, log_id: int, standing: str, log_path: str) -> None:
        known = KnownFile(file.path, file.sha256, log_id, standing, log_path)
        self._paths[file.path] = known
        if file.sha256:
            self._digests[file.sha256] = known

    def _decide(self, file: Fingerprint) -> Decision:
        before = self.before(file.path)
        if before is not None and before.sha256 == file.sha256 and not before.is_gone:
            return Unchanged(file)
        seen = self.with_bytes(file.sha256) if file.sha256 else None
        if seen is not None:
            if seen.log_id in self._successors:
                return Copy(file, self._latest(seen.log_id), "part", seen.log_path)
            standing = seen.standing
            if standing in ("indexed", "copy"):
                standing = _whole(file.path, seen.log_path)
            return Copy(file, seen.log_id, standing, seen.log_path)
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
                return Copy(file, log.log_id, _whole(file.path, log.path), log.path)
            if mine < log.parts:
                return Copy(file, log.log_id, "part", log.path)
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


def _whole(path: str, log_path: str) -> str:
    """The standing of a file that holds all of a log, which was read at `log_path`."""
    return "indexed" if path == log_path else "copy"


def _known(log_id: int, file: Fingerprint) -> KnownLog:
    return KnownLog(log_id, file.path, parts(file), file.damaged)


def _is_better(file: Fingerprint, log: KnownLog) -> bool:
    """Of files with the same hands the one with less damage counts, and at one path the newest."""
    return file.damaged < log.damaged or (file.path == log.path and file.damaged != log.damaged)
