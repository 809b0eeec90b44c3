"""What a query for hands is in SQL: every word that a visitor chose is a parameter.

`hands` is asked alone: joined with the logs, a million of its rows take seconds to count.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from replay.reader.pages import HandQuery, LogQuery, LogSort, Sort
from replay.reader.rows import end_of, start_of

PAGE_ID = """CASE WHEN l.file_id IS NULL THEN 'x' || l.log_id
    WHEN len(l.conflict) > 0 THEN l.file_id || '-' || left(l.last_leaf, 8)
    ELSE l.file_id END"""
"""What the address of a log's page says: the file's own id, of conflicting copies the leaf too."""

RESULT = """coalesce(h.result,
    CASE WHEN h.aborted IS NOT NULL AND h.verified THEN 'aborted' ELSE 'unverified' END)"""

HAND_COLUMNS = f"""h.hand_id, {PAGE_ID}, l.path, h.hand, h.game, l.player_ids, l.player_names,
    {RESULT}, h.winners, h.dealer, h.findings, h.events, epoch_ms(h.started_at),
    h.mode, h.level, h.bombs, h.fan, h.score"""

LOG_COLUMNS = f"""{PAGE_ID} AS page_id, l.path, l.game, l.form, l.player_ids, l.player_names,
    l.hands, l.findings, epoch_ms(l.created), l.error"""

_ORDERS: dict[Sort, tuple[tuple[str, str], ...]] = {
    "newest": (("started_at", "DESC"), ("log_id", "DESC"), ("hand", "DESC")),
    "oldest": (("started_at", "ASC"), ("log_id", "ASC"), ("hand", "ASC")),
    "findings": (("findings", "DESC"), ("started_at", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
    "longest": (("events", "DESC"), ("started_at", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
    "bombs": (("bombs", "DESC"), ("started_at", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
    "swing": (("swing", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
    "log": (("log_id", "ASC"), ("hand", "ASC")),
}
_BACK = {"ASC": "DESC", "DESC": "ASC"}

_LOGS = "h.log_id IN (SELECT l.log_id FROM logs l WHERE {})"
_TESTS = {
    "game": "h.game = ?",
    "result": f"{RESULT} = ?",
    "mode": "h.mode = ?",
    "level": "h.level = ?",
    "fan": "h.fan = ?",
    "bombs": "h.bombs >= ?",
    "longer": "h.events >= ?",
    "shorter": "h.events <= ?",
    "score_from": "h.score >= ?",
    "score_to": "h.score <= ?",
    "since": "h.started_at >= epoch_ms(?::BIGINT)",
    "until": "h.started_at < epoch_ms(?::BIGINT)",
    "log_id": _LOGS.format(f"{PAGE_ID} = ?"),
    "text": _LOGS.format("contains(lower(parse_filename(l.path)), ?)"),
}
_ID_DIGITS = 16
_SEATS = 4
_HEXADECIMAL = re.compile("[0-9a-f]+")
_MAKE: dict[str, Callable[[Any], Any]] = {"text": str.lower, "since": start_of, "until": end_of}
"""What a field's value is made into for its test."""


class Selection(Struct, frozen=True):
    """`sql` begins with FROM and ends in its WHERE; `values` fill its question marks."""

    sql: str
    values: list[Any]
    is_all: bool
    """Whether it selects every hand."""


def selection(query: HandQuery, without: tuple[str, ...] = ()) -> Selection:
    """The hands that a query asks for, as if its fields `without` asked for nothing."""
    tests: list[str] = []
    values: list[Any] = []
    for field, test in _TESTS.items():
        wanted = getattr(query, field)
        if wanted in ("", None) or field in without:
            continue
        wanted = _MAKE[field](wanted) if field in _MAKE else wanted
        if field == "text" and _HEXADECIMAL.fullmatch(wanted):
            # Only then: to look into the ids of a million hands takes longer than all the rest.
            is_whole = len(wanted) == _ID_DIGITS
            test = f"({'h.hand_id = ?' if is_whole else 'contains(h.hand_id, ?)'} OR {test})"
        tests.append(test)
        values += [wanted] * test.count("?")
    if query.findings and "findings" not in without:
        tests.append("h.findings > 0" if query.findings == "some" else "h.findings = 0")
    if query.decided:
        sign = ">" if query.decided == "yes" else "="
        tests.append(f"coalesce(len(h.winners), 0) {sign} 0")
    if query.player or query.player_id or query.role or query.won:
        test, found = _of_seat(query)
        tests.append(test)
        values += found
    where = " AND ".join(tests) or "true"
    return Selection(f"FROM hands h WHERE {where}", values, not tests)


def _of_seat(query: HandQuery) -> tuple[str, list[Any]]:
    """The test that one seat is all that a query asks of one."""
    if query.role:
        return _of_role(query)
    asked = [_seat(query, seat) for seat in range(_SEATS) if query.seat in (None, seat)]
    test = f"({' OR '.join(asked) or 'false'})"
    _, whose = _sits(query, 0)
    if not whose:
        return test, []
    played, played_by = _played(query)
    there = _LOGS.format(played)
    if query.seat is None and not query.won and not (query.player and query.player_id):
        return there, played_by
    # Where he played at all is asked first: the rest then has few hands to look at.
    return f"{there} AND {test}", [*played_by, *whose * len(asked)]


def _sits(query: HandQuery, seat: int) -> tuple[str, list[Any]]:
    """The test of a log `l` that the player sits there; nothing where none is asked for."""
    tests, values = [], []
    if query.player:
        tests.append(f"? IN (l.player_ids[{seat + 1}], l.player_names[{seat + 1}])")
        values.append(query.player)
    if query.player_id:
        tests.append(f"l.player_ids[{seat + 1}] = ?")
        values.append(query.player_id)
    return " AND ".join(tests), values


def _played(query: HandQuery) -> tuple[str, list[Any]]:
    """The test of a log `l` that the player sits anywhere in it."""
    tests, values = [], []
    if query.player:
        tests.append("(list_contains(l.player_ids, ?) OR list_contains(l.player_names, ?))")
        values += [query.player] * 2
    if query.player_id:
        tests.append("list_contains(l.player_ids, ?)")
        values.append(query.player_id)
    return " AND ".join(tests), values


def _seat(query: HandQuery, seat: int) -> str:
    """The test of one seat; `seats` is not asked: who sits where is the same in a whole log."""
    sits, _ = _sits(query, seat)
    tests = [_LOGS.format(sits)] if sits else []
    if query.won:
        won = f"list_contains(h.winners, {seat})"
        tests.append(won if query.won == "yes" else f"len(h.winners) > 0 AND NOT {won}")
    return f"({' AND '.join(tests) or 'true'})"


def _of_role(query: HandQuery) -> tuple[str, list[Any]]:
    """The test where a role is asked for, which `seats` alone knows: in one pass over it."""
    tests, values = ["s.role = ?"], [query.role]
    if query.seat is not None:
        tests.append(f"s.seat = {int(query.seat)}")
    if query.won:
        tests.append("s.won" if query.won == "yes" else "NOT s.won")
    if query.player:
        tests.append("? IN (s.player_id, s.player_name)")
        values.append(query.player)
    if query.player_id:
        tests.append("s.player_id = ?")
        values.append(query.player_id)
    played, played_by = _played(query)
    if played:
        tests.append(f"s.log_id IN (SELECT l.log_id FROM logs l WHERE {played})")
        values += played_by
    where = " AND ".join(tests)
    return f"(h.log_id, h.hand) IN (SELECT s.log_id, s.hand FROM seats s WHERE {where})", values


def log_selection(query: LogQuery) -> tuple[str, list[Any]]:
    """FROM and WHERE of the logs `l` that a query asks for, and the values of its question marks.

    Those that cannot be read have neither findings nor none.
    """
    tests, values = ["true"], []
    if query.game:
        tests.append("l.game = ?")
        values.append(query.game)
    if query.text:
        tests.append("contains(lower(parse_filename(l.path)), ?)")
        values.append(query.text.lower())
    if query.findings:
        tests.append(_FLAWS[query.findings])
    return f"FROM logs l WHERE {' AND '.join(tests)}", values


_FLAWS = {
    "some": "l.error IS NULL AND l.findings > 0",
    "none": "l.error IS NULL AND coalesce(l.findings, 0) = 0",
    "unreadable": "l.error IS NOT NULL",
}
LOG_ORDERS: dict[LogSort, str] = {
    "name": "l.path",
    "hands": "coalesce(l.hands, 0) DESC, l.path",
    "findings": "coalesce(l.findings, 0) DESC, l.path",
    "newest": "coalesce(epoch_ms(l.created), 0) DESC, l.path",
    "oldest": "coalesce(epoch_ms(l.created), 0), l.path",
}
"""Logs by numbers that those which cannot be read have as 0."""


def order(sort: Sort) -> str:
    """The ORDER BY of a list; `swing` is to be a column of `s`."""
    return ", ".join(f"{_column(column)} {way} NULLS LAST" for column, way in _ORDERS[sort])


def order_from_end(sort: Sort) -> str:
    """The ORDER BY that gives the same list backwards."""
    return ", ".join(f"{_column(column)} {_BACK[way]} NULLS FIRST" for column, way in _ORDERS[sort])


def _column(name: str) -> str:
    return "s.swing" if name == "swing" else f"h.{name}"


def swings(query: HandQuery) -> str:
    """What is to be joined to the hands for the order asked for; nothing for most orders."""
    if query.sort != "swing":
        return ""
    return """LEFT JOIN (SELECT log_id, hand, max(delta) AS swing FROM seats
        GROUP BY ALL) s USING (log_id, hand)"""
