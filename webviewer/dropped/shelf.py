"""The dropped logs that are shown now: few, each under an unguessable name, none for long."""

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NoReturn

from webviewer.dropped.limits import Limits
from webviewer.dropped.process import Process
from webviewer.dropped.wire import (
    Answer,
    Ask,
    Bad,
    Begin,
    Failed,
    NoMemory,
    Progress,
    Ready,
    Said,
    TooLong,
)

_TOKEN_BYTES = 16
_MOST_REMEMBERED = 256
"""How many names of logs that are gone are known, to say why."""
_LOG_ID = re.compile("[0-9a-z-]{1,64}")
_LONGEST_SAID = 2000
"""Characters of why a file is no log."""
_DUE = 0.2
"""Seconds after a log's time is up when it is looked for."""


class Gone(Exception):
    """The log is not shown any more; `args`: a word of `view.drop.gone`, or the Bad file's own."""


class Unknown(Exception):
    """No log has this token, and none that is remembered had it."""


class Unanswered(Exception):
    """This page cannot be made; `args`: a word of `view.drop.unanswered`. Others can."""


class DroppedLog:
    """One log and its process."""

    def __init__(self, token: str, name: str, file: int, prefix: str, limits: Limits) -> None:
        """Start its process."""
        self.token = token
        self.name = name
        self.prefix = prefix
        self.used = time.monotonic()
        self._limits = limits
        self._verified_by = self.used + limits.verifying
        self._state: Progress | Ready = Progress(0)
        self._over: Gone | None = None
        self._ending = threading.Lock()
        self._asking = threading.Lock()
        self._process = Process(Begin(file, name, prefix), limits)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def is_ready(self) -> bool:
        """Whether it is verified, as far as was heard."""
        return isinstance(self._state, Ready)

    @property
    def over(self) -> Gone | None:
        """Why it is gone; None while it is there."""
        return self._over

    def end(self, why: Gone) -> None:
        """Let go of it; the first reason is the one that is told."""
        with self._ending:
            self._over = self._over or why
        self._process.end()

    def close(self) -> None:
        """After its end: give up what is held for it, when nobody is being answered any more."""
        with self._asking:
            self._process.close()

    def state(self, seconds: float) -> Progress | Ready:
        """How far verifying is, or that it is done: waits so long for that. Gone if it is."""
        until = min(time.monotonic() + seconds, self._verified_by)
        if isinstance(self._state, Ready):  # it may be answering
            return self._state
        with self._asking:
            while not self.is_ready:
                try:
                    self._take(self._heard(until))
                except TimeoutError:
                    if time.monotonic() >= self._verified_by:
                        self._give_up("verifying")
                    break
            return self._state

    def _take(self, said: Said) -> None:
        match said:
            case Progress():
                self._state = said
            case Ready(log_id=log_id) if _LOG_ID.fullmatch(log_id):
                self._state = said
            case Bad(zh=zh, en=en):
                self._give_up(Bad(zh[:_LONGEST_SAID], en[:_LONGEST_SAID]))
            case _:
                self._give_up("died")

    def answer(self, ask: Ask) -> Answer:
        """What its process answers; Gone if it ends over that, Unanswered if only this fails."""
        until = time.monotonic() + self._limits.answering
        if not self._asking.acquire(timeout=self._limits.answering):
            raise Unanswered("busy")
        try:
            if self._over is not None:
                raise self._over
            try:
                self._process.say(ask, until)
            except EOFError:
                self._give_up(self._process.ended())
            said = self._heard(until)
        except TimeoutError:
            self._give_up("answering")
        finally:
            self._asking.release()
        match said:
            case Answer():
                return said
            case Failed():
                raise Unanswered("failed")
            case TooLong():
                raise Unanswered("too_long")
            case _:
                self._give_up("died")

    def _heard(self, until: float) -> Said:
        if self._over is not None:
            raise self._over
        try:
            said = self._process.said(until)
        except EOFError:
            self._give_up(self._process.ended())
        if isinstance(said, NoMemory):
            self._give_up("memory")
        return said

    def _give_up(self, why: str | Bad) -> NoReturn:
        self.end(Gone(why))
        assert self._over is not None
        raise self._over


class Shelf:
    """The logs that are shown, by their tokens."""

    def __init__(self, limits: Limits) -> None:
        """An empty one."""
        self.limits = limits
        self._lock = threading.Lock()
        self._logs: dict[str, DroppedLog] = {}
        self._gone: OrderedDict[str, Gone] = OrderedDict()
        self._timer: threading.Timer | None = None

    def put(self, file: int, name: str, prefix: Callable[[str], str]) -> DroppedLog:
        """Verify the log in an open file, which stays the caller's.

        `prefix` makes the path under which it is shown out of its token. Of the logs that are
        being verified the one idle longest may go: none that is shown, as this may be none.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        log = DroppedLog(token, name, file, prefix(token), self.limits)
        with self._lock:
            surplus = self._surplus([each for each in self._logs.values() if not each.is_ready], 1)
            self._logs[token] = log
            self._wake_later()
        self._ended(surplus, Gone("given_way"))
        return log

    def state(self, log: DroppedLog, seconds: float) -> Progress | Ready:
        """How far verifying is; when it is done, the log shown and idle longest may give way."""
        try:
            found = log.state(seconds)
        except Gone as gone:
            self.let_go(log, gone)
            raise
        if isinstance(found, Ready):
            with self._lock:
                surplus = self._surplus([each for each in self._logs.values() if each.is_ready], 0)
            self._ended(surplus, Gone("given_way"))
        return found

    def answer(self, log: DroppedLog, ask: Ask) -> Answer:
        """What its process answers; Gone if it ends over that, Unanswered if only this fails."""
        try:
            return log.answer(ask)
        except Gone as gone:
            self.let_go(log, gone)
            raise

    def _surplus(self, logs: list[DroppedLog], more: int) -> list[DroppedLog]:
        """Takes those off the shelf that have no room there, with `more` to come."""
        surplus = len(logs) + more - self.limits.logs
        given_way = sorted(logs, key=lambda each: each.used)[: max(surplus, 0)]
        for log in given_way:
            self._forget(log, Gone("given_way"))
        return given_way

    def find(self, token: str) -> DroppedLog:
        """The log of this token, which counts as looked at; Gone if it is, Unknown."""
        with self._lock:
            log = self._logs.get(token)
            if log is None:
                raise self._gone.get(token) or Unknown(token)
            if log.over is not None:
                self._forget(log, log.over)
            log.used = time.monotonic()
        if log.over is not None:
            self._ended([log], log.over)
            raise log.over
        return log

    def let_go(self, log: DroppedLog, why: Gone) -> None:
        """End a log, and say why to whoever asks for it later."""
        with self._lock:
            self._forget(log, log.over or why)
        self._ended([log], why)

    def pids(self) -> list[int]:
        """The processes there are now."""
        with self._lock:
            return [log.pid for log in self._logs.values()]

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            logs, self._logs = list(self._logs.values()), {}
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._ended(logs, Gone("let_go"))

    def _forget(self, log: DroppedLog, why: Gone) -> None:
        """Off the shelf; what it held is given up later, outside of the lock."""
        if self._logs.pop(log.token, None) is not None:
            self._gone[log.token] = why
            while len(self._gone) > _MOST_REMEMBERED:
                self._gone.popitem(last=False)

    @staticmethod
    def _ended(logs: list[DroppedLog], why: Gone) -> None:
        for log in logs:
            log.end(why)
            log.close()

    def _wake_later(self) -> None:
        """Look for logs whose time is up when the first one's is."""
        if self._timer is not None or not self._logs:
            return
        oldest = min(log.used for log in self._logs.values())
        wait = oldest + self.limits.idle - time.monotonic()
        self._timer = threading.Timer(max(wait, 0) + _DUE, self._sweep)
        self._timer.daemon = True
        self._timer.start()

    def _sweep(self) -> None:
        before = time.monotonic() - self.limits.idle
        with self._lock:
            self._timer = None
            stale = [log for log in self._logs.values() if log.used <= before]
            for log in stale:
                self._forget(log, log.over or Gone("idle"))
            self._wake_later()
        self._ended(stale, Gone("idle"))
