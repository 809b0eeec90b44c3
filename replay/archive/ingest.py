"""One file at a time: what it is, and, verified, its rows. Everything a worker process does."""

import hashlib
import os
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from replay import __version__
from replay.archive.columns import Batch, Owner
from replay.archive.paths import on_disk
from replay.archive.plan import Fingerprint
from replay.archive.rows import HandRows
from replay.archive.stamps import Stamp, stamp_of
from replay.cluster.errors import Trouble
from replay.findings import Finding, hand_id
from replay.messages.system import reason
from replay.regular import opened
from replay.verify import HandResult, judged
from schema.damage import Damage, LogError
from schema.events import HandAborted
from schema.items import Hand, Log, Skipped
from schema.logfile import open_log
from schema.records import Recovered


class Task(Struct, frozen=True):
    """A log to take in: `held` are hands of it that stand in the archive under `holders`.

    `known` are hands of logs whose place it takes: they are stored anew, and are not new.
    With `file.ids` exactly these hands are taken; without, whatever the file holds.
    """

    log_id: int
    file: Fingerprint
    held: frozenset[str] = frozenset()
    holders: frozenset[int] = frozenset()
    known: frozenset[str] = frozenset()


class Outcome(Struct, frozen=True):
    """What became of a task: the file with the ids of its hands and a row for `logs`.

    `hands` and `plays` are what was stored; of these, `new_hands` and their plays and findings
    did not stand in the archive before.
    `error` says why the file could not be read again; then there are no ids and no row. Where it
    was for a worker of a cluster to read it, `trouble` is what became of that.
    """

    log_id: int
    file: Fingerprint
    row: dict[str, Any]
    hands: int = 0
    plays: int = 0
    error: str | None = None
    trouble: Trouble | None = None
    new_hands: int = 0
    new_plays: int = 0
    new_findings: int = 0


class Changed(Exception):
    """The file no longer holds what it held when it was looked at."""


def glance(path: str) -> Fingerprint:
    """What stands at `path`, its hands aside."""
    size, digest, stamp = 0, "", None
    try:
        with opened(on_disk(path)) as stream:
            before = stamp_of(os.fstat(stream.fileno())), time.time_ns()
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
            stamp = _trusted(*before, size)
            stream.seek(0)
            log = open_log(stream)
    except LogError as error:
        return Fingerprint(path, size, digest, damage=error.damage, stamp=stamp)
    except OSError as error:
        return Fingerprint(path, 0, "", error=reason(error, "en"))
    file_id, leaf = log.head.file_id.hex(), log.head_leaf.hex()
    return Fingerprint(path, size, digest, log.form, file_id, leaf, stamp=stamp)


def _trusted(stamp: Stamp, now: int, size: int) -> Stamp | None:
    """The stamp from before the bytes were read, if what is changed since cannot have the same.

    What is not, is read again by the next run: that is a little late, and never wrong.
    """
    return stamp if stamp.bytes == size and stamp.is_sure(now) else None


def identify(file: Fingerprint) -> Fingerprint:
    """The file with the ids of its hands; if it became another meanwhile, what it is now."""
    try:
        with opened(on_disk(file.path)) as stream:
            log = open_log(stream)
            if log.head_leaf.hex() == file.head_leaf:
                return _identified(file, log)
    except (LogError, OSError):
        pass
    again = glance(file.path)
    return identify(again) if again.is_log else again


def _identified(file: Fingerprint, log: Log) -> Fingerprint:
    ids, damaged, in_progress = [], 0, False
    for item in log.items():
        match item:
            case Hand():
                in_progress = not item.committed
                if item.committed:
                    ids.append(hand_id(item.leaf))
            case Damage() | Recovered():
                damaged += 1
            case Skipped():
                pass
    return msgspec.structs.replace(file, ids=tuple(ids), damaged=damaged, in_progress=in_progress)


def take_in(batch: Batch, task: Task, flush: Callable[[], None]) -> Outcome:
    """Verify a log and add its rows to `batch`, calling `flush` after each hand."""
    file = task.file
    try:
        with opened(on_disk(file.path)) as stream:
            log = open_log(stream)
            if log.head_leaf.hex() != file.head_leaf:
                raise Changed
            if file.ids is None and os.fstat(stream.fileno()).st_size != file.bytes:
                raise Changed
            return _LogRows(batch, task, log, flush).outcome()
    except (OSError, LogError, Changed) as error:
        why = str(error) or "the file changed while it was being indexed"
        return Outcome(task.log_id, file, {}, error=f"{file.path}: {why}")


class _LogRows:
    """The rows of one log, and the sums that stand in its row of `logs`."""

    def __init__(self, batch: Batch, task: Task, log: Log, flush: Callable[[], None]) -> None:
        self._batch = batch
        self._task = task
        self._log = log
        self._flush = flush
        self._seen = set(task.held)
        self._ids: list[str] = []
        self._stored = 0
        self._aborted = 0
        self._facts = 0
        self._unverified = 0
        self._findings = 0
        self._plays = 0
        self._new_hands = self._new_plays = self._new_findings = 0
        self._damaged = 0
        self._in_progress = False
        self._last_leaf = log.head_leaf

    def outcome(self) -> Outcome:
        """Go through the log; Changed if its hands are not those it was identified by."""
        expected = self._task.file.ids
        self._batch.begin_log()
        for item in judged(self._log):
            match item:
                case HandResult():
                    if expected is not None and len(self._ids) == len(expected):
                        break  # hands that were added since belong to the next run
                    self._hand(item)
                case Finding():
                    self._damaged += 1
                    self._finding(item, None)
                case Hand():
                    self._in_progress = True
                case _:
                    pass
        ids = tuple(self._ids)
        if expected is not None and ids != expected:
            raise Changed
        file = msgspec.structs.replace(self._task.file, ids=ids, damaged=self._damaged)
        return Outcome(
            self._task.log_id,
            file,
            self._row(),
            self._stored,
            self._plays,
            new_hands=self._new_hands,
            new_plays=self._new_plays,
            new_findings=self._new_findings,
        )

    def _hand(self, result: HandResult) -> None:
        hand = result.hand
        name = hand_id(hand.leaf)
        self._ids.append(name)
        self._last_leaf = hand.leaf
        self._aborted += type(hand.events[-1]) is HandAborted
        is_held = name in self._seen
        self._seen.add(name)
        batch = Batch() if is_held else self._batch
        rows = HandRows(batch, Owner(name, self._task.log_id, hand.index), result.game)
        rows.add(result, self._log.head.players)
        self._facts += rows.n_facts - rows.n_unverified
        self._unverified += rows.n_unverified
        if is_held:
            self._findings += len(result.findings)
            return
        self._stored += 1
        self._plays += rows.n_plays
        if name not in self._task.known:
            self._new_hands += 1
            self._new_plays += rows.n_plays
            self._new_findings += len(result.findings)
        for finding in result.findings:
            self._finding(finding, name)
        self._flush()

    def _finding(self, finding: Finding, name: str | None) -> None:
        f, number = finding, self._findings
        self._findings += 1
        where = (name, self._task.log_id, f.hand, number, f.kind, f.trick, f.event, f.offset)
        said = (f.seat, f.rule, f.zh, f.en, f.expected, f.logged, f.proof)
        self._batch.findings.append((*where, *said))

    def _row(self) -> dict[str, Any]:
        head, file = self._log.head, self._task.file
        return {
            "log_id": self._task.log_id,
            "path": file.path,
            "file_id": file.file_id,
            "last_leaf": self._last_leaf.hex(),
            "game": self._log.schema.game,
            "schema_id": head.schema_id,
            "form": file.form,
            "created": head.created,
            "player_ids": [player.id for player in head.players],
            "player_names": [player.name for player in head.players],
            "claims": head.claims,
            "producer": head.producer,
            "options": msgspec.json.encode(msgspec.structs.asdict(head.options)).decode(),
            "rules_version": head.rules_version,
            "engine": __version__,
            "head_leaf": file.head_leaf,
            "previous_head": head.previous.hex() or None,
            "hands": len(self._ids),
            "aborted": self._aborted,
            "in_progress": self._in_progress,
            "hand_ids": self._ids,
            "facts": self._facts,
            "unverified": self._unverified,
            "findings": self._findings,
            "damaged": self._damaged,
            "bytes": file.bytes,
            "sha256": file.sha256,
        }


def unreadable_row(log_id: int, file: Fingerprint) -> dict[str, Any]:
    """The row of `logs` for a file that is no log, or cannot be read."""
    damage = file.damage
    return {
        "log_id": log_id,
        "path": file.path,
        "hand_ids": [],
        "bytes": file.bytes,
        "sha256": file.sha256 or None,
        "fault": damage.fault.value if damage else "io",
        "fault_offset": damage.offset if damage else None,
        "error": str(damage) if damage else file.error,
    }
