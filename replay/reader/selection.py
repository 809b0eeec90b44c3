"""What a query for hands is in SQL: every word that a visitor chose is a parameter.

`hands` is asked alone: joined with the logs, a million of its rows take seconds to count.
"""

import re
from typing import Any

from msgspec import Struct

from replay.reader.pages import HandQuery, Sort

PAGE_ID = """CASE WHEN l.file_id IS NULL THEN 'x' || l.log_id
    WHEN len(l.conflict) > 0 THEN l.file_id || '-' || left(l.last_leaf, 8)
    ELSE l.file_id END"""
"""What the address of a log's page says: the file's own id, of conflicting copies the leaf too."""

RESULT = """coalesce(h.result,
    CASE WHEN h.aborted IS NOT NULL AND h.verified THEN 'aborted' ELSE 'unverified' END)"""

HAND_COLUMNS = f"""h.hand_id, {PAGE_ID}, l.path, h.hand, h.game, l.player_ids, l.player_names,
    {RESULT}, h.winners, h.dealer, h.findings, h.events, epoch_ms(h.started_at)"""

LOG_COLUMNS = f"""{PAGE_ID} AS page_id, l.path, l.game, l.form, l.player_ids, l.player_names,
    l.hands, l.findings, epoch_ms(l.created), l.error"""

_ORDERS: dict[Sort, tuple[tuple[str, str], ...]] = {
    "newest": (("started_at", "DESC"), ("log_id", "DESC"), ("hand", "DESC")),
    "oldest": (("started_at", "ASC"), ("log_id", "ASC"), ("hand", "ASC")),
    "findings": (("findings", "DESC"), ("started_at", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
    "longest": (("events", "DESC"), ("started_at", "DESC"), ("log_id", "ASC"), ("hand", "ASC")),
}
_BACK = {"ASC": "DESC", "DESC": "ASC"}

_LOGS = "h.log_id IN (SELECT l.log_id FROM logs l WHERE {})"
_TESTS = {
    "game": "h.game = ?",
    "result": f"{RESULT} = ?",
    "log_id": _LOGS.format(f"{PAGE_ID} = ?"),
    "player": _LOGS.format("list_contains(l.player_ids, ?) OR list_contains(l.player_names, ?)"),
    "text": _LOGS.format("contains(lower(parse_filename(l.path)), ?)"),
}
_ID_DIGITS = 16
_HEXADECIMAL = re.compile("[0-9a-f]+")
FACETS = ("game", "result", "findings")
"""The fields of which the list says how many hands each value has."""


class Selection(Struct, frozen=True):
    """`sql` begins with FROM and ends in its WHERE; `values` fill its question marks."""

    sql: str
    values: list[Any]
    is_all: bool
    """Whether it selects every hand."""


def selection(query: HandQuery, without: tuple[str, ...] = ()) -> Selection:
    """The hands that a query asks for, as if its fields `without` asked for nothing."""
    tests, values = [], []
    for field, test in _TESTS.items():
        wanted = getattr(query, field)
        if not wanted or field in without:
            continue
        wanted = wanted.lower() if field == "text" else wanted
        if field == "text" and _HEXADECIMAL.fullmatch(wanted):
            # Only then: to look into the ids of a million hands takes longer than all the rest.
            is_whole = len(wanted) == _ID_DIGITS
            test = f"({'h.hand_id = ?' if is_whole else 'contains(h.hand_id, ?)'} OR {test})"
        tests.append(test)
        values += [wanted] * test.count("?")
    if query.findings and "findings" not in without:
        tests.append("h.findings > 0" if query.findings == "some" else "h.findings = 0")
    where = " AND ".join(tests) or "true"
    return Selection(f"FROM hands h WHERE {where}", values, not tests)


def order(sort: Sort) -> str:
    """The ORDER BY of a list."""
    return ", ".join(f"h.{column} {way} NULLS LAST" for column, way in _ORDERS[sort])


def order_from_end(sort: Sort) -> str:
    """The ORDER BY that gives the same list backwards."""
    return ", ".join(f"h.{column} {_BACK[way]} NULLS FIRST" for column, way in _ORDERS[sort])
