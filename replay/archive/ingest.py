"""One file at a time: what it is, and, verified, its rows. Everything a worker process does."""

import hashlib
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec import Struct

from replay import __version__
from replay.archive.columns import Batch, Owner
from replay.archive.plan import Fingerprint
from replay.archive.rows import HandRows
from replay.findings import Finding, hand_id
from replay.verify import HandResult, judged
from schema.damage import LogError
from schema.events import Fact, HandAborted, HandStarted
from schema.items import Hand, Log
from schema.logfile import open_log


class Task(Struct, frozen=True):
    """A log to take in: `held` are hands of it that stand in the archive under `holders`."""

    log_id: int
    file: Fingerprint
    held: frozenset[str]
    holders: frozenset[int]


class Outcome(Struct, frozen=True):
    """What became of a task: a row for `logs`, or `error` if the file could not be read again."""

    log_id: int
    path: str
    row: dict[str, Any]
    hands: int = 0
    error: str | None = None


class Changed(Exception):
    """The file no longer holds what it held when it was identified."""


def fingerprint(path: str, known: Collection[str]) -> Fingerprint:
    """What stands at `path`; bytes whose digest is `known` are not read as a log."""
    size, digest = 0, ""
    try:
        with open(path, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.tell()
            if digest in known:
                return Fingerprint(path, size, digest)
            stream.seek(0)
            return _identity(Fingerprint(path, size, digest), open_log(stream))
    except LogError as error:
        return Fingerprint(path, size, digest, damage=error.damage)
    except OSError as error:
        return Fingerprint(path, 0, "", error=error.strerror or str(error))


def _identity(file: Fingerprint, log: Log) -> Fingerprint:
    last = log.head_leaf
    ids: list[str] = []
    for item in log.items():
        if isinstance(item, Hand) and item.committed:
            last = item.leaf
            ids.append(hand_id(last))
    return msgspec.structs.replace(
        file,
        file_id=log.head.file_id.hex(),
        head_leaf=log.head_leaf.hex(),
        last_leaf=last.hex(),
        form=log.form,
        ids=tuple(ids),
    )


def take_in(batch: Batch, task: Task, flush: Callable[[], None]) -> Outcome:
    """Verify a log and add its rows to `batch`, calling `flush` after each hand."""
    try:
        with open(task.file.path, "rb") as stream:
            log = open_log(stream)
            if log.head_leaf.hex() != task.file.head_leaf:
                raise Changed
            return _LogRows(batch, task, log, flush).outcome()
    except (OSError, LogError, Changed) as error:
        reason = str(error) or "the file changed while it was being indexed"
        return Outcome(task.log_id, task.file.path, {}, 0, f"{task.file.path}: {reason}")


class _LogRows:
    """The rows of one log, and the sums that stand in its row of `logs`."""

    def __init__(self, batch: Batch, task: Task, log: Log, flush: Callable[[], None]) -> None:
        self._batch = batch
        self._task = task
        self._log = log
        self._flush = flush
        self._seen = set(task.held)
        self._hands = 0
        self._stored = 0
        self._aborted = 0
        self._facts = 0
        self._unverified = 0
        self._findings = 0
        self._in_progress = False

    def outcome(self) -> Outcome:
        """Go through the log; Changed if its hands are not those it was identified by."""
        for item in judged(self._log):
            match item:
                case HandResult():
                    if self._hands == len(self._task.file.ids):
                        break  # hands that were added since belong to the next run
                    self._hand(item)
                case Finding():
                    self._finding(item, None)
                case Hand():
                    self._in_progress = True
                case _:
                    pass
        if self._hands != len(self._task.file.ids):
            raise Changed
        return Outcome(self._task.log_id, self._task.file.path, self._row(), self._stored)

    def _hand(self, result: HandResult) -> None:
        hand = result.hand
        name = hand_id(hand.leaf)
        if name != self._task.file.ids[self._hands]:
            raise Changed
        self._hands += 1
        facts = [step for step in result.steps if isinstance(step.event, Fact)]
        self._facts += len(facts)
        self._aborted += isinstance(hand.events[-1], HandAborted)
        if not result.is_verified:
            self._unverified += sum(
                step.state is None and not isinstance(step.event, HandStarted) for step in facts
            )
        if name in self._seen:
            self._findings += len(result.findings)
            return
        self._seen.add(name)
        self._stored += 1
        owner = Owner(name, self._task.log_id, hand.index)
        HandRows(self._batch, owner, result.game).add(result, self._log.head.players)
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
            "last_leaf": file.last_leaf,
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
            "hands": self._hands,
            "aborted": self._aborted,
            "in_progress": self._in_progress,
            "hand_ids": list(file.ids),
            "facts": self._facts,
            "unverified": self._unverified,
            "findings": self._findings,
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
