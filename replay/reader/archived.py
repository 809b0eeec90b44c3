"""Hands out of an archive: lists and counts by SQL, the hand itself out of its log.

The logs are the evidence: a hand's tables are made from its events, which an archive does not
keep. A log that has moved or changed since it was indexed is said to have.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from replay.archive import Archive
from replay.archive.paths import on_disk
from replay.findings import Finding, hand_id
from replay.position import Position
from replay.reader.asked import ArchiveAsking
from replay.reader.cursors import Cursors
from replay.reader.door import EVERY_LOG, LOGS_PER_PAGE, rule_entries
from replay.reader.figures_archive import ArchiveFigures
from replay.reader.files import gone, opened, told_problem
from replay.reader.handpage import about_log, hand_page, options_of, position_in, walked
from replay.reader.listing import (
    Cursor,
    Place,
    beginning,
    every,
    facets,
    first_of_log,
    has_bombs,
    on_page,
    overview,
    place_of,
    players,
    rows_at,
)
from replay.reader.pages import (
    Count,
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
    Person,
    RuleEntry,
    Unreadable,
)
from replay.reader.rows import page_of
from replay.reader.selection import LOG_COLUMNS, LOG_ORDERS, log_selection, selection
from replay.verify import HandResult, verify
from schema.damage import LogError
from schema.items import Hand, Log

_HANDS_ON_LOG_PAGE = 50
_LOGS_AT_ONCE = 1000
_FINDING = (
    "kind, hand, hand_id, trick, event, byte_offset, seat, rule, zh, en, expected, logged, proof"
)
Near = tuple[str | None, str | None]
"""The hands before and after in the same log."""
T = TypeVar("T")
Look = Callable[[Log, HandResult, Near], T]


class ArchiveReader:
    """The hands of an archive; what is indexed later is seen at the next page."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._archive = Archive.open(path)
        self._cursors = Cursors()
        self.asking = ArchiveAsking(path, self._cursor)
        self.figures = ArchiveFigures(self._cursor)

    def close(self) -> None:
        """End the processes that questions in SQL are asked in, and what pages read now."""
        self.asking.close()
        self._cursors.end()

    @property
    def path(self) -> Path:
        """The folder, as it was given."""
        return self._path

    @property
    def title(self) -> str:
        """The folder's name."""
        return self._path.resolve().name

    @contextmanager
    def _cursor(self) -> Iterator[Cursor]:
        """A cursor of its own for one request, on the archive as it is now."""
        with self._cursors.use(self._path, self._new_cursor) as cursor:
            yield cursor

    def _new_cursor(self) -> Cursor:
        with self._lock:
            if not self._archive.is_current():
                # Cursors of other requests keep what they read: only this handle moves on.
                self._archive = Archive.open(self._path)
            return self._archive.cursor()

    def games(self) -> tuple[str, ...]:
        """The games of the logs."""
        with self._cursor() as con:
            found = con.execute("SELECT DISTINCT game FROM logs WHERE game IS NOT NULL ORDER BY 1")
            return tuple(game for (game,) in found.fetchall())

    def hands(self, query: HandQuery) -> HandList:
        """One page of hands."""
        with self._cursor() as con:
            counted = facets(con, query)
            page, pages = page_of(counted.total, query.page, query.size)
            return HandList(
                rows=on_page(con, query, (page - 1) * query.size, counted.total),
                total=counted.total,
                page=page,
                pages=pages,
                games=counted.games,
                results=counted.results,
                players=players(con, selection(query)),
                with_findings=counted.flawed,
                scanned=1,
                files=1,
                modes=counted.modes,
                levels=counted.levels,
                without_findings=counted.flawless,
                has_bombs=has_bombs(con, query.game),
            )

    def every(self, query: HandQuery) -> Iterator[HandRow]:
        """All hands that match, read as they are taken."""
        with self._cursor() as con:
            yield from every(con, query)

    def every_log(self, query: LogQuery = EVERY_LOG) -> Iterator[LogRow]:
        """All logs that match."""
        chosen, values = log_selection(query)
        with self._cursor() as con:
            con.execute(f"SELECT {LOG_COLUMNS} {chosen} ORDER BY {LOG_ORDERS[query.sort]}", values)
            while piece := con.fetchmany(_LOGS_AT_ONCE):
                yield from map(_log_row, piece)

    def overview(self, query: HandQuery) -> Overview:
        """Numbers over all hands that match."""
        with self._cursor() as con:
            return overview(con, query)

    def rules(self, game: str) -> tuple[RuleEntry, ...]:
        """The rules of a game."""
        return rule_entries(game)

    def hand(self, hand_id: str, eye: int | None) -> HandPage:
        """One hand, walked out of the first log at hand that still holds it."""
        with self._cursor() as con:
            place = _place(con, hand_id)
            (row,) = rows_at(con, [place])
            findings = _findings(con, place)
        return self._first(
            place,
            hand_id,
            lambda log, result, near: hand_page(log, result, row, findings, eye, near),
        )

    def hands_with(self, prefix: str) -> tuple[str, ...]:
        """The hands whose ids begin so."""
        with self._cursor() as con:
            return beginning(con, prefix)

    def position(self, hand_id: str, event: int, eye: int | None, cards: bytes | None) -> Position:
        """What was legal before an event of a hand."""
        with self._cursor() as con:
            place = _place(con, hand_id)
        return self._first(
            place, hand_id, lambda _, result, __: position_in(result, event, eye, cards)
        )

    def _first(self, place: Place, hand_id: str, look: Look[T]) -> T:
        """What `look` finds in the first log that still holds the hand; Unreadable if none does."""
        lost = gone(Path(hand_id))
        for path, ids in self._files(place, hand_id):
            at = ids.index(hand_id)
            near = (ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)
            try:
                with opened(path) as log:
                    return look(log, _the_hand(log, path, at, hand_id), near)
            except Unreadable as error:
                lost = error
        raise lost

    def _files(self, place: Place, hand_id: str) -> Iterator[tuple[Path, list[str]]]:
        """Every file that held the hand when it was indexed, its own log's first.

        Whether other logs hold it is asked only if those are gone: all logs have to be looked at.
        """
        log_id, _ = place
        with self._cursor() as con:
            own = _files(con, "l.log_id = ?", [log_id])
        yield from own
        with self._cursor() as con:
            others = "l.log_id <> ? AND list_contains(l.hand_ids, ?)"
            more = _files(con, others, [log_id, hand_id])
        yield from more

    def logs(self, page: int, query: LogQuery = EVERY_LOG) -> LogList:
        """One page of logs."""
        chosen, values = log_selection(query)
        with self._cursor() as con:
            counts = con.execute(
                """SELECT game, count(*) FROM logs WHERE game IS NOT NULL
                GROUP BY 1 ORDER BY 2 DESC, 1"""
            ).fetchall()
            total = con.execute(f"SELECT count(*) {chosen}", values).fetchall()[0][0]
            page, pages = page_of(total, page, LOGS_PER_PAGE)
            found = con.execute(
                f"""SELECT {LOG_COLUMNS} {chosen} ORDER BY {LOG_ORDERS[query.sort]}
                LIMIT ? OFFSET ?""",
                [*values, LOGS_PER_PAGE, (page - 1) * LOGS_PER_PAGE],
            ).fetchall()
        games = tuple(Count(name, name, n) for name, n in counts)
        return LogList(tuple(map(_log_row, found)), total, page, pages, games)

    def log(self, log_id: str) -> LogPage:
        """The report of one log, made anew from its file."""
        with self._cursor() as con:
            found = con.execute(
                f"SELECT path, log_id, {LOG_COLUMNS} FROM logs l WHERE page_id = ?", [log_id]
            ).fetchall()
            if not found:
                raise NotFound("log", log_id)
            path, number, row = Path(on_disk(found[0][0])), found[0][1], _log_row(found[0][2:])
            hands = first_of_log(con, number, _HANDS_ON_LOG_PAGE)
        try:
            with opened(path) as log:
                return LogPage(
                    row, verify(log), options_of(log.head), hands, about_log(log, str(path))
                )
        except Unreadable as error:
            lost = replace(row, problem=error.problem)
            return LogPage(lost, None, (), hands, (("log", str(path)),))


def _place(con: Cursor, hand_id: str) -> Place:
    """Where a hand stands; NotFound."""
    place = place_of(con, hand_id)
    if place is None:
        raise NotFound("hand", hand_id)
    return place


def _files(con: Cursor, which: str, values: list[Any]) -> list[tuple[Path, list[str]]]:
    """The files of some logs, and the ids of the hands in each."""
    found = con.execute(
        f"""SELECT f.path, l.hand_ids FROM logs l JOIN files f USING (log_id)
        WHERE {which} AND f.standing <> 'unreadable'
        ORDER BY l.log_id, f.path <> l.path, f.path""",
        values,
    ).fetchall()
    return [(Path(on_disk(path)), ids) for path, ids in found]


def _the_hand(log: Log, path: Path, at: int, wanted: str) -> HandResult:
    """The hand of that id; `at` counts the hands still there, its index unless some are lost."""
    with suppress(KeyError, LogError):
        hand = log.hand(at)
        if hand_id(hand.leaf) == wanted:
            return walked(log, hand)
    for item in log.items():
        if isinstance(item, Hand) and item.committed and hand_id(item.leaf) == wanted:
            return walked(log, item)
    raise gone(path)


def _findings(con: Cursor, place: Place) -> tuple[Finding, ...]:
    found = con.execute(
        f"""SELECT {_FINDING} FROM findings WHERE log_id = ? AND hand = ? AND hand_id IS NOT NULL
        ORDER BY finding""",
        list(place),
    ).fetchall()
    return tuple(Finding(*row) for row in found)


def _log_row(row: tuple[Any, ...]) -> LogRow:
    page_id, path, game, form, ids, names, hands, findings, at, error = row
    return LogRow(
        log_id=page_id,
        name=Path(path).name,
        game=game or "",
        form=form or "",
        players=tuple(map(Person, ids or (), names or ())),
        hands=hands or 0,
        findings=findings or 0,
        at=at or 0,
        problem=None if error is None else told_problem(error),
    )
