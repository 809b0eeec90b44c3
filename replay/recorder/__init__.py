"""What a game server embeds: it appends the events of one match to a file, as they happen.

Knows the format and no rules, for it must record cheats too. What a crash can take:

* The process dies (exception, `kill -9`): nothing that `write` returned from. The event being
  written is in the file whole, or is a torn tail that `reopen` moves aside and states.
* The machine dies (power loss, kernel): sync "event" nothing that `write` returned from; "hand"
  the events since the last hand ended; "group" those of the last 100 ms plus the time the disk
  needs to take them.

A recorder belongs to one thread at a time. It does not survive `os.fork`: in the child every
recorder of the parent is closed, for two processes must not write into one file. Fork first, or
start processes by exec (`subprocess`, multiprocessing's "spawn").
"""

import os
import threading
import weakref
from pathlib import Path
from types import TracebackType
from typing import Literal, NoReturn, Self, get_args

from replay.recorder import durable, syncer
from replay.recorder.errors import (
    FileLocked,
    HandOpen,
    NotResumable,
    RecorderBroken,
    RecorderClosed,
    RecorderError,
)
from replay.recorder.resume import resumed
from replay.recorder.sealing import replace_by_sealed
from schema.damage import LogError
from schema.events import Event
from schema.livewriter import LiveWriter
from schema.records import Head

__all__ = [
    "FileLocked",
    "HandOpen",
    "LogError",
    "NotResumable",
    "Recorder",
    "RecorderBroken",
    "RecorderClosed",
    "RecorderError",
    "Sync",
]

Sync = Literal["event", "hand", "group"]
"""When bytes are put on the disk: after each event, after each hand, or by the syncer thread."""

_recorders: "weakref.WeakSet[Recorder]" = weakref.WeakSet()


class Recorder:
    """Appends one match to a live log; made by `create` or `reopen`, closed by `close` or `seal`.

    Under "group" no call but `create`, `reopen`, `close` and `seal` waits for the disk, so `write`
    may be called from an event loop.
    """

    def __init__(self, path: Path, fd: int, writer: LiveWriter, sync: Sync) -> None:
        """For `create` and `reopen`: a locked file that ends where `writer` goes on."""
        self.path = path
        self._fd = fd
        self._writer = writer
        self._sync = sync
        self._end = writer.offset
        self._failure: RecorderError | None = None
        self._asked = False
        self._syncing = threading.Lock()
        """Held while the syncer thread uses the file: `close` must not close it meanwhile."""
        _recorders.add(self)

    @classmethod
    def create(cls, path: str | os.PathLike[str], head: Head, sync: Sync = "group") -> Self:
        """A new log; FileExistsError, OSError, or LogError for a HEAD that no log may have."""
        _demand_policy(sync)
        path = Path(path).resolve()
        writer = LiveWriter(head)
        fd = durable.create_private(path)
        try:
            _lock(fd, path)
            durable.append(fd, writer.start(), 0)
            durable.sync_data(fd)
            durable.sync_folder(path.parent)
        except BaseException as error:
            if not isinstance(error, FileLocked):
                path.unlink(missing_ok=True)
            os.close(fd)
            raise
        return cls(path, fd, writer, sync)

    @classmethod
    def reopen(cls, path: str | os.PathLike[str], sync: Sync = "group") -> Self:
        """Go on with a live log, after a crash or a `close`; NotResumable, FileLocked, OSError.

        A torn tail is moved into `<name>.torn-<n>` and stated by RECOVERED; a hand that was open
        ends with HandAborted, for nobody knows what became of its players.
        """
        _demand_policy(sync)
        path = Path(path).resolve()
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            _lock(fd, path)
            writer = resumed(fd, path)
            durable.append_from_now_on(fd)
        except BaseException:
            os.close(fd)
            raise
        return cls(path, fd, writer, sync)

    @property
    def hand_index(self) -> int:
        """Index of the hand that is open, or of the next one."""
        return self._writer.hand_index

    @property
    def hand_open(self) -> bool:
        """A hand has begun and not ended."""
        return self._writer.hand_open

    @property
    def last_leaf(self) -> bytes:
        """Leaf of the last hand that ended, or of HEAD; kept elsewhere it proves the file whole."""
        return self._writer.last_leaf

    def write(self, event: Event) -> None:
        """Append an event; when this returns, a crash of this process cannot take it any more.

        `prev` of HandStarted is filled in. LogError: the event is invalid or out of place, nothing
        was written and the recorder goes on. RecorderBroken: the disk failed, the file was cut
        back to the event before, and every later call raises the same.
        """
        if self._failure is not None:
            self._raise_failure()
        writer = self._writer
        if writer.offset != self._end:
            self._break(InterruptedError("an exception interrupted the event before this one"))
        data = writer.event(event)
        try:
            durable.append(self._fd, data, self._end)
            self._end += len(data)
            if self._sync == "group":
                if not self._asked:
                    self._asked = True
                    syncer.ask(self)
            elif self._sync == "event" or not writer.hand_open:
                durable.sync_data(self._fd)
        except OSError as error:
            self._break(error)

    def sync_now(self) -> None:
        """Put everything written on the disk; for the syncer thread: it keeps its failure."""
        with self._syncing:
            # First the flag: an event written while the disk works asks again.
            self._asked = False
            if self._failure is None:
                try:
                    durable.sync_data(self._fd)
                except OSError as error:
                    self._failure = _broken(self.path, error)

    def close(self) -> None:
        """Put everything on the disk and let the file go; a hand may be open. Twice is no error.

        A broken recorder lets go too, and then raises its first failure.
        """
        if self._fd >= 0:
            self.sync_now()
            self._let_go(RecorderClosed(self.path, "the recorder is closed"))
        if not isinstance(self._failure, RecorderClosed):
            self._raise_failure()

    def seal(self) -> None:
        """Put the sealed form in place of the live one, all or nothing, and close; HandOpen.

        LogError, OSError: the live file is untouched and the recorder goes on.
        """
        if self._failure is not None:
            self._raise_failure()
        if self._writer.hand_open:
            index = self._writer.hand_index
            raise HandOpen(self.path, f"hand {index} has no end; a match is sealed between hands")
        replace_by_sealed(self._fd, self.path, self._writer)
        # From here on the live file has no name: whatever follows, nothing more may go into it.
        self._let_go(RecorderClosed(self.path, "the file is sealed"))
        durable.sync_folder(self.path.parent)

    def __enter__(self) -> Self:
        """Close the recorder at the end of a `with` block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close; an exception on its way out is not replaced by the recorder's own."""
        try:
            self.close()
        except RecorderError:
            if error is None:
                raise

    def _break(self, error: OSError) -> NoReturn:
        with self._syncing:
            if self._failure is None:
                self._failure = _broken(self.path, error)
        self._raise_failure()

    def _raise_failure(self) -> NoReturn:
        assert self._failure is not None, "only a recorder that failed comes here"
        # Raised again and again: without this its traceback would grow each time.
        raise self._failure.with_traceback(None)

    def _let_go(self, reason: RecorderClosed) -> None:
        """Close the file and with it the lock; what failed before stays the failure."""
        with self._syncing:
            fd, self._fd = self._fd, -1
            if self._failure is None:
                self._failure = reason
            os.close(fd)


def _demand_policy(sync: str) -> None:
    if sync not in get_args(Sync):
        raise ValueError(f"sync is one of {', '.join(get_args(Sync))}, not {sync!r}")


def _lock(fd: int, path: Path) -> None:
    if not durable.try_lock(fd, path):
        raise FileLocked(path, "another recorder is writing this file, or has just sealed it")


def _broken(path: Path, error: OSError) -> RecorderBroken:
    broken = RecorderBroken(path, f"writing failed, nothing more is recorded: {error}")
    broken.__cause__ = error
    return broken


def _after_fork_in_child() -> None:
    """Take the parent's recorders from the child: the lock would not keep the two apart."""
    for recorder in list(_recorders):
        if recorder._fd >= 0:
            os.close(recorder._fd)
            recorder._fd = -1
            recorder._failure = RecorderClosed(recorder.path, "it belongs to the parent process")


os.register_at_fork(after_in_child=_after_fork_in_child)
