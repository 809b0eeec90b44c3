"""Hands out of an archive: lists and counts by SQL, the hand itself out of its log.

The logs are the evidence: a hand's tables are made from its events, which an archive does not
keep. A log that has moved or changed since it was indexed is said to have.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import duckdb
from msgspec.structs import replace

from replay.archive import Archive, ArchiveError
from replay.archive.paths import on_disk
from replay.findings import Finding, hand_id
from replay.position import Position
from replay.reader.door import LOGS_PER_PAGE, rule_entries
from replay.reader.files import gone, no_archive, opened
from replay.reader.handpage import about_log, hand_page, options_of, position_in, walked
from replay.reader.pages import (
    Count,
    HandList,
    HandPage,
    HandQuery,
    HandRow,
    LogList,
    LogPage,
    LogRow,
    NotFound,
    Overview,
    Person,
    Problem,
    RuleEntry,
    Unreadable,
)
from replay.reader.rows import TOP_PLAYERS, page_of, tallies
from replay.reader.selection import (
    FACETS,
    HAND_COLUMNS,
    LOG_COLUMNS,
    ORDERS,
    Selection,
    selection,
)
from replay.verify import HandResult, verify
from schema.damage import LogError
from schema.items import Hand, Log

_HANDS_ON_LOG_PAGE = 50
_FINDING = (
    "kind, hand, hand_id, trick, event, byte_offset, seat, rule, zh, en, expected, logged, proof"
)
Cursor = duckdb.DuckDBPyConnection
Near = tuple[str | None, str | None]
"""The hands before and after in the same log."""
T = TypeVar("T")


class ArchiveReader:
    """The hands of an archive; what is indexed later is seen at the next page."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._archive = Archive.open(path)

    @property
    def title(self) -> str:
        """The folder's name."""
        return self._path.resolve().name

    @contextmanager
    def _cursor(self) -> Iterator[Cursor]:
        """A cursor of its own for one request, on the archive as it is now."""
        with self._lock:
            try:
                if not self._archive.is_current():
                    # Cursors of other requests keep what they read: only this handle moves on.
                    self._archive = Archive.open(self._path)
                cursor = self._archive.cursor()
            except (ArchiveError, OSError):
                raise no_archive(self._path) from None
        try:
            yield cursor
        finally:
            cursor.close()

    def games(self) -> tuple[str, ...]:
        """The games of the logs."""
        with self._cursor() as con:
            found = con.execute("SELECT DISTINCT game FROM logs WHERE game IS NOT NULL ORDER BY 1")
            return tuple(game for (game,) in found.fetchall())

    def hands(self, query: HandQuery) -> HandList:
        """One page of hands."""
        chosen = selection(query)
        with self._cursor() as con:
            total = _number(con, f"SELECT count(*) {chosen.sql}", chosen)
            page, pages = page_of(total, query.page, query.size)
            start = (page - 1) * query.size
            ordered = f"ORDER BY {ORDERS[query.sort]} LIMIT {query.size} OFFSET {start}"
            rows = _hand_rows(con, f"{chosen.sql} {ordered}", chosen.values)
            flawed = selection(query, without="findings")
            return HandList(
                rows=rows,
                total=total,
                page=page,
                pages=pages,
                games=_facet(con, query, "game"),
                results=_facet(con, query, "result"),
                players=_players(con, chosen),
                with_findings=_number(
                    con, f"SELECT count(*) {flawed.sql} AND h.findings > 0", flawed
                ),
                scanned=1,
                files=1,
            )

    def overview(self, query: HandQuery) -> Overview:
        """Numbers over all hands that match."""
        chosen = selection(query)
        with self._cursor() as con:
            found = con.execute(
                f"""SELECT s.seat, count(*), count_if(s.won), coalesce(sum(s.delta), 0)
                FROM seats s WHERE s.won IS NOT NULL
                AND s.hand_id IN (SELECT h.hand_id {chosen.sql}) GROUP BY s.seat""",
                chosen.values,
            ).fetchall()
            by_seat = {seat: (hands, won, int(coins)) for seat, hands, won, coins in found}
            results = _counts(con, FACETS["result"], chosen)
        return Overview(results, tallies([by_seat.get(seat, (0, 0, 0)) for seat in range(4)]))

    def rules(self, game: str) -> tuple[RuleEntry, ...]:
        """The rules of a game."""
        return rule_entries(game)

    def hand(self, hand_id: str, eye: int | None) -> HandPage:
        """One hand, walked out of the first log at hand that still holds it."""
        with self._cursor() as con:
            rows = _hand_rows(
                con, "FROM hands h JOIN logs l USING (log_id) WHERE h.hand_id = ?", [hand_id]
            )
            if not rows:
                raise NotFound("hand", hand_id)
            places = _places(con, hand_id)
            findings = _findings(con, hand_id)
        return _first(
            places,
            hand_id,
            lambda log, result, near: hand_page(log, result, rows[0], findings, eye, near),
        )

    def position(self, hand_id: str, event: int, eye: int | None, cards: bytes | None) -> Position:
        """What was legal before an event of a hand."""
        with self._cursor() as con:
            places = _places(con, hand_id)
        if not places:
            raise NotFound("hand", hand_id)
        return _first(places, hand_id, lambda _, result, __: position_in(result, event, eye, cards))

    def logs(self, page: int, game: str = "") -> LogList:
        """One page of logs, in order of their paths."""
        with self._cursor() as con:
            counts = con.execute(
                """SELECT game, count(*) FROM logs WHERE game IS NOT NULL
                GROUP BY 1 ORDER BY 2 DESC, 1"""
            ).fetchall()
            chosen = "FROM logs l WHERE ? IN ('', l.game)"
            total = con.execute(f"SELECT count(*) {chosen}", [game]).fetchall()[0][0]
            page, pages = page_of(total, page, LOGS_PER_PAGE)
            found = con.execute(
                f"SELECT {LOG_COLUMNS} {chosen} ORDER BY path LIMIT ? OFFSET ?",
                [game, LOGS_PER_PAGE, (page - 1) * LOGS_PER_PAGE],
            ).fetchall()
        games = tuple(Count(name, name, n) for name, n in counts)
        return LogList(tuple(map(_log_row, found)), total, page, pages, games)

    def log(self, log_id: str) -> LogPage:
        """The report of one log, made anew from its file."""
        with self._cursor() as con:
            found = con.execute(
                f"SELECT path, {LOG_COLUMNS} FROM logs l WHERE page_id = ?", [log_id]
            ).fetchall()
            if not found:
                raise NotFound("log", log_id)
            path, row = Path(on_disk(found[0][0])), _log_row(found[0][1:])
            chosen = selection(HandQuery(log_id=log_id))
            hands = _hand_rows(
                con, f"{chosen.sql} ORDER BY h.hand LIMIT {_HANDS_ON_LOG_PAGE}", chosen.values
            )
        try:
            with opened(path) as log:
                return LogPage(
                    row, verify(log), options_of(log.head), hands, about_log(log, str(path))
                )
        except Unreadable as error:
            lost = replace(row, problem=error.problem)
            return LogPage(lost, None, (), hands, (("log", str(path)),))


def _number(con: Cursor, sql: str, chosen: Selection) -> int:
    return int(con.execute(sql, chosen.values).fetchall()[0][0])


def _counts(con: Cursor, facet: str, chosen: Selection) -> tuple[Count, ...]:
    found = con.execute(
        f"SELECT {facet}, count(*) {chosen.sql} GROUP BY 1 ORDER BY 2 DESC, 1", chosen.values
    ).fetchall()
    return tuple(Count(value, value, n) for value, n in found)


def _facet(con: Cursor, query: HandQuery, field: str) -> tuple[Count, ...]:
    """What one field could be, the other filters as they are."""
    return _counts(con, FACETS[field], selection(query, without=field))


def _players(con: Cursor, chosen: Selection) -> tuple[Count, ...]:
    found = con.execute(
        f"""SELECT id, min(name), count(*) FROM (
        SELECT unnest(l.player_ids) AS id, unnest(l.player_names) AS name {chosen.sql})
        GROUP BY id ORDER BY 3 DESC, 1 LIMIT {TOP_PLAYERS}""",
        chosen.values,
    ).fetchall()
    return tuple(Count(*player) for player in found)


def _hand_rows(con: Cursor, sql: str, values: list[Any]) -> tuple[HandRow, ...]:
    found = con.execute(f"SELECT {HAND_COLUMNS} {sql}", values).fetchall()
    deltas = _deltas(con, [row[0] for row in found])
    return tuple(_hand_row(row, deltas.get(row[0], ())) for row in found)


def _deltas(con: Cursor, hand_ids: list[str]) -> dict[str, tuple[int, ...]]:
    """Coins per seat of the hands that were settled."""
    found = con.execute(
        """SELECT hand_id, list(delta ORDER BY seat) FROM seats
        WHERE delta IS NOT NULL AND hand_id IN (SELECT unnest(?::VARCHAR[])) GROUP BY hand_id""",
        [hand_ids],
    ).fetchall()
    return {hand: tuple(coins) for hand, coins in found if len(coins) == 4}


def _hand_row(row: tuple[Any, ...], deltas: tuple[int, ...]) -> HandRow:
    hand, page_id, path, index, game, ids, names, result, winners, dealer, flaws, events, at = row
    a, b, c, d = map(Person, ids, names)
    return HandRow(
        hand_id=hand,
        log_id=page_id,
        log_name=Path(path).name,
        index=index,
        game=game,
        players=(a, b, c, d),
        result=result,
        winners=tuple(winners or ()),
        dealer=dealer,
        deltas=deltas,
        findings=flaws,
        events=events,
        at=at or 0,
    )


def _places(con: Cursor, hand_id: str) -> list[tuple[Path, list[str]]]:
    """Every file that held the hand when it was indexed, its own log's first."""
    found = con.execute(
        """SELECT f.path, l.hand_ids FROM logs l JOIN files f USING (log_id)
        WHERE list_contains(l.hand_ids, ?) AND f.standing <> 'unreadable'
        ORDER BY l.log_id, f.path <> l.path, f.path""",
        [hand_id],
    ).fetchall()
    return [(Path(on_disk(path)), ids) for path, ids in found]


def _first(
    places: list[tuple[Path, list[str]]],
    hand_id: str,
    look: Callable[[Log, HandResult, Near], T],
) -> T:
    """What `look` finds in the first log that still holds the hand; Unreadable if none does."""
    for path, ids in places:
        at = ids.index(hand_id)
        near = (ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)
        try:
            with opened(path) as log:
                return look(log, _the_hand(log, path, at, hand_id), near)
        except Unreadable as error:
            problem = error.problem
    raise Unreadable(problem)


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


def _findings(con: Cursor, hand_id: str) -> tuple[Finding, ...]:
    found = con.execute(
        f"SELECT {_FINDING} FROM findings WHERE hand_id = ? ORDER BY finding", [hand_id]
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
        problem=None if error is None else Problem(error, error),
    )
