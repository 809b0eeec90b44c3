"""Hands out of logs on disk: indexed a little at a time, so that no page waits for a whole folder.

A file is judged once and again when its time or size changes; of each hand a row and its
findings stay in memory, never its events.
"""

import threading
import time
from bisect import insort
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from replay.findings import Finding
from replay.position import Position
from replay.reader import rows
from replay.reader.door import EVERY_LOG, LOGS_PER_PAGE, rule_entries
from replay.reader.files import (
    Stamp,
    demand_root,
    hand_in,
    log_files,
    opened,
    short_digest,
    shown_name,
    stamp,
)
from replay.reader.handpage import (
    about_log,
    hand_page,
    options_of,
    people,
    position_in,
    walked,
)
from replay.reader.pages import (
    HandList,
    HandPage,
    HandQuery,
    HandRow,
    LogList,
    LogPage,
    LogQuery,
    LogRow,
    NotFound,
    Overview,
    Problem,
    RuleEntry,
    Unreadable,
)
from replay.verify import HandResult, Report, verified_hands, verify
from schema.items import Log

PATIENCE = 0.6
"""Seconds that one page spends on indexing before it shows what there is."""
STAT_EVERY = 2.0
"""Seconds for which the folder is taken to be as it was."""
_HANDS_ON_LOG_PAGE = 50
T = TypeVar("T")


class _Indexed:
    """One file as indexed so far."""

    def __init__(self, path: Path, name: str, at: Stamp | None) -> None:
        self.path = path
        self.name = name
        self.stamp = at
        self.log_id = ""
        self.row: LogRow | None = None
        self.rows: dict[str, HandRow] = {}
        """By hand id, in the order of the file."""
        self.findings: dict[str, tuple[Finding, ...]] = {}
        self.outside = 0
        """Findings that belong to no hand."""

    def is_as(self, now: Stamp | None) -> bool:
        """Whether the file is what was read."""
        return self.stamp is not None and self.stamp.is_of(now)

    def may_be(self, now: Stamp | None) -> bool:
        """Whether the file is what was read, or has grown out of it."""
        return self.stamp is not None and self.stamp.has_become(now)


class LogsReader:
    """The hands of one log, or of every log below a folder."""

    def __init__(self, path: Path, patience: float = PATIENCE, name: str = "") -> None:
        """`name`: what is shown for that of `path`, where the log lies under another."""
        self._root = path
        self._name = name
        self._patience = patience
        self._lock = threading.Lock()
        self._files: dict[Path, _Indexed] = {}
        self._copies: dict[str, list[_Indexed]] = {}
        """The files that hold a hand, by its id, in order of their paths: the first is shown."""
        self._waiting: list[Path] = []
        self._work: Generator[None, None, None] | None = None
        self._worked_on: _Indexed | None = None
        self._checked = float("-inf")

    @property
    def path(self) -> Path:
        """The file or folder, as it was given."""
        return self._root

    @property
    def title(self) -> str:
        """The name of the file or folder."""
        return self._name or shown_name(self._root.resolve().name)

    @property
    def asking(self) -> None:
        """Logs are no tables: SQL needs an archive."""
        return None

    @property
    def figures(self) -> None:
        """Nor is anything counted over them."""
        return None

    def close(self) -> None:
        """Nothing works on when no page is asked for."""

    def games(self) -> tuple[str, ...]:
        """The games of the hands indexed so far."""
        with self._lock:
            return tuple(sorted({row.game for row in self._rows()}))

    def _rows(self) -> list[HandRow]:
        """Of every hand one, however many files hold it."""
        return [files[0].rows[hand] for hand, files in self._copies.items()]

    def hands(self, query: HandQuery) -> HandList:
        """One page of hands, of those indexed so far."""
        with self._lock:
            self._advance()
            unread = len(self._waiting) + (self._work is not None)
            done = len(self._files) - (self._work is not None)
            return rows.listed(self._rows(), query, done, done + unread)

    def every(self, query: HandQuery) -> Iterator[HandRow]:
        """All hands that match; what is not indexed yet is, before the first of them."""
        self._finish()
        with self._lock:
            there = self._rows()
        yield from rows.ordered(there, query)

    def every_log(self, query: LogQuery = EVERY_LOG) -> Iterator[LogRow]:
        """All logs that match; what is not indexed yet is, before the first."""
        self._finish()
        with self._lock:
            known = [file.row for _, file in sorted(self._files.items()) if file.row]
        yield from rows.logs_in_order(known, query)

    def overview(self, query: HandQuery) -> Overview:
        """Numbers over all hands that match."""
        with self._lock:
            self._advance()
            return rows.overview(rows.matching(self._rows(), query))

    def rules(self, game: str) -> tuple[RuleEntry, ...]:
        """The rules of a game."""
        return rule_entries(game)

    def hand(self, hand_id: str, eye: int | None) -> HandPage:
        """One hand, walked anew from its log."""

        def page(log: Log, result: HandResult, file: _Indexed) -> HandPage:
            findings = file.findings.get(hand_id, ())
            near = self._near(file, hand_id)
            return hand_page(log, result, file.rows[hand_id], findings, eye, near)

        return self._first(hand_id, page)

    def position(self, hand_id: str, event: int, eye: int | None, cards: bytes | None) -> Position:
        """What was legal before an event of a hand."""
        return self._first(hand_id, lambda _, result, __: position_in(result, event, eye, cards))

    def _first(self, hand_id: str, look: Callable[[Log, HandResult, _Indexed], T]) -> T:
        """What `look` finds in the first file that still holds the hand; Unreadable if none does.

        What has become of the files since they were last looked at is met here.
        """
        with self._lock:
            copies = tuple(self._find(hand_id))
        lost: list[Unreadable] = []
        for file in copies:
            try:
                with opened(file.path) as log:
                    hand = hand_in(log, file.rows[hand_id].index, file.path, hand_id)
                    return look(log, walked(log, hand), file)
            except Unreadable as error:
                lost.append(error)
        raise lost[0]

    def _near(self, file: _Indexed, hand_id: str) -> tuple[str | None, str | None]:
        """The hands before and after in the same file."""
        with self._lock:
            hands = list(file.rows)
        at = hands.index(hand_id)
        return hands[at - 1] if at else None, hands[at + 1] if at + 1 < len(hands) else None

    def hands_with(self, prefix: str) -> tuple[str, ...]:
        """The hands whose ids begin so; of those not indexed yet, up to the first that does."""
        with self._lock:
            self._advance()
            while not (found := self._beginning(prefix)) and self._step():
                pass
            return found

    def _beginning(self, prefix: str) -> tuple[str, ...]:
        return tuple(sorted(hand for hand in self._copies if hand.startswith(prefix)))

    def _find(self, hand_id: str) -> list[_Indexed]:
        """The files that hold a hand; indexes on until the first of them turns up."""
        self._advance()
        while hand_id not in self._copies and self._step():
            pass
        if hand_id not in self._copies:
            raise NotFound("hand", hand_id)
        return self._copies[hand_id]

    def logs(self, page: int, query: LogQuery = EVERY_LOG) -> LogList:
        """One page of logs."""
        with self._lock:
            self._advance()
            known = [file.row for _, file in sorted(self._files.items()) if file.row]
        games = rows.counted(row.game for row in known if row.game)
        found = rows.logs_in_order(known, query)
        page, pages = rows.page_of(len(found), page, LOGS_PER_PAGE)
        first = (page - 1) * LOGS_PER_PAGE
        shown = tuple(found[first : first + LOGS_PER_PAGE])
        return LogList(shown, len(found), page, pages, games)

    def log(self, log_id: str) -> LogPage:
        """The report of one log, made anew."""
        with self._lock:
            self._advance()
            file = self._log_file(log_id)
            while self._work is not None and file.row is None:
                self._step()
            row = file.row
            hands = tuple(islice(file.rows.values(), _HANDS_ON_LOG_PAGE))
        assert row is not None
        try:
            with opened(file.path) as log:
                report, about = self._report(log), about_log(log, file.name)
                return LogPage(row, report, options_of(log.head), hands, about)
        except Unreadable as error:
            return LogPage(_unreadable(file, error.problem), None, (), (), ())

    def _report(self, log: Log) -> Report:
        return verify(log)

    def _log_file(self, log_id: str) -> _Indexed:
        while True:
            for file in self._files.values():
                if file.log_id == log_id:
                    return file
            if not self._step():
                raise NotFound("log", log_id)

    def _advance(self) -> None:
        """Look for changed files now and then, and index for as long as a page may wait."""
        now = time.monotonic()
        if now - self._checked > STAT_EVERY:
            demand_root(self._root)  # each page says so until it is there again
            self._checked = now
            self._check_files()
        while time.monotonic() - now < self._patience and self._step():
            pass

    def _finish(self) -> None:
        """Index all that there is, other pages in between: a file that lacks rows misleads."""
        with self._lock:
            self._advance()
        is_more = True
        while is_more:
            with self._lock:
                is_more = self._step()

    def _check_files(self) -> None:
        there = {path: stamp(path) for path in log_files(self._root)}
        for path, file in list(self._files.items()):
            if not file.may_be(there.get(path)):
                self._forget(path)
        self._waiting = [
            path
            for path, now in reversed(there.items())
            if path not in self._files or not self._files[path].is_as(now)
        ]

    def _forget(self, path: Path) -> None:
        """Its hands are those of the other files that hold them, or are gone."""
        file = self._files.pop(path)
        if file is self._worked_on:
            self._stop()
        for hand in file.rows:
            self._copies[hand].remove(file)
            if not self._copies[hand]:
                del self._copies[hand]

    def _stop(self) -> None:
        """Work no more on the file at hand."""
        if self._work is not None:
            self._work.close()
        self._work = self._worked_on = None

    def _step(self) -> bool:
        """Index one hand more; False if everything is indexed."""
        if self._work is None:
            if not self._waiting:
                return False
            self._begin(self._waiting.pop())
        if self._work is not None and next(self._work, self) is self:
            self._stop()
        return True

    def _begin(self, path: Path) -> None:
        """Work on a file from its start."""
        if path in self._files:
            self._forget(path)
        name = self._name or shown_name(
            path.name if path == self._root else str(path.relative_to(self._root))
        )
        file = self._files[path] = self._worked_on = _Indexed(path, name, stamp(path))
        file.log_id = f"x{short_digest(name)}"
        self._work = self._index(file)

    def _index(self, file: _Indexed) -> Generator[None, None, None]:
        """Judge one file, hand by hand."""
        try:
            with opened(file.path) as log:
                file.log_id = self._log_id(log, file)
                yield from self._judge(log, file)
                file.row = _log_row(log, file)
        except Unreadable as error:
            file.row = _unreadable(file, error.problem)

    def _log_id(self, log: Log, file: _Indexed) -> str:
        """The file's own id; copies of it that stand beside it are told apart by their names."""
        own = log.head.file_id.hex()
        taken = any(other.log_id == own for other in self._files.values())
        return f"{own}-{short_digest(file.name)}" if taken else own

    def _results(self, log: Log) -> Iterator[HandResult | Finding]:
        """The hands of a log, walked, and the findings that belong to none."""
        return verified_hands(log)

    def _judge(self, log: Log, file: _Indexed) -> Iterator[None]:
        players, bombs = people(log.head), rows.Bombs()
        for result in self._results(log):
            if not isinstance(result, HandResult):
                file.outside += 1
                continue
            row = rows.row_of(result, file.log_id, file.name, players, bombs)
            file.rows[row.hand_id] = row
            insort(self._copies.setdefault(row.hand_id, []), file, key=_path)
            if result.findings:
                file.findings[row.hand_id] = result.findings
            yield


def _path(file: _Indexed) -> Path:
    return file.path


def _log_row(log: Log, file: _Indexed) -> LogRow:
    return LogRow(
        log_id=file.log_id,
        name=file.name,
        game=log.schema.game,
        form=log.form,
        players=people(log.head),
        hands=len(file.rows),
        findings=file.outside + sum(map(len, file.findings.values())),
        at=log.head.created,
        problem=None,
    )


def _unreadable(file: _Indexed, problem: Problem) -> LogRow:
    return LogRow(file.log_id, file.name, "", "", (), 0, 0, 0, problem)
