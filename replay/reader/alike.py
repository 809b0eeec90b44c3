"""SQL for hands like one: written from what the archive's columns say of it, in any game.

What is alike stands as conditions; what could be, in comments, so that one stroke adds it.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from replay.messages import text
from replay.reader.listing import Cursor, place_of
from replay.reader.pages import NotFound

_MOST = 1000
_OF_A_HAND = ("game", "result", "aborted", "mode", "called")
_PERHAPS = ("fan", "level", "trump", "effect", "bottom_fate", "rung")


class _Happened(Struct, frozen=True):
    """A table that has a row for an event: what makes two of its rows alike, what perhaps."""

    table: str
    alike: tuple[str, ...]
    perhaps: tuple[str, ...]
    shown: tuple[str, ...]


_EVENTS = (
    _Happened("plays", ("kind", "rank", "size"), ("is_lead", "made_by"), ("cards",)),
    _Happened("declarations", ("kind", "rung"), ("trump",), ("cards", "trump")),
    _Happened("tributes", ("kind", "n_cards"), ("cards",), ("cards",)),
    _Happened("burials", ("points",), (), ("taken", "cards")),
    _Happened("turned_cards", ("kind", "card"), (), ("card",)),
    _Happened("findings", ("rule",), ("kind",), ("rule", "expected", "logged")),
)

_SEATED = """SELECT x.hand_id, x.event, h.started_at, l.player_names[x.seat + 1] AS player,
       {shown}, h.result
FROM {table} x
JOIN hands h USING (log_id, hand)
JOIN logs l USING (log_id)
WHERE {where}
ORDER BY h.started_at DESC, x.hand_id, x.event
LIMIT {most}"""
_HANDS = """SELECT h.hand_id, h.started_at, l.player_names AS players, h.result, h.winners, h.events
FROM hands h
JOIN logs l USING (log_id)
WHERE {where}
ORDER BY h.started_at DESC, h.hand_id
LIMIT {most}"""


def sql_for(con: Cursor, hand_id: str, event: int | None, lang: str) -> str:
    """SQL for hands in which the like of an event happened, or, without one, that went alike.

    NotFound if the archive has no such hand.
    """
    place = place_of(con, hand_id)
    if place is None:
        raise NotFound("hand", hand_id)
    hand = _row(con.execute("SELECT * FROM hands WHERE log_id = ? AND hand = ?", list(place)))
    assert hand is not None, "the index lists the hands that are there"
    if event is not None:
        for kind in _EVENTS:
            row = _row(_at(con, kind.table, hand, event))
            if row is not None and any(row[name] is not None for name in kind.alike):
                return _event_sql(kind, row, hand, lang)
        row = _row(_passed_on(con, hand, event))
        if row is not None:
            return _event_sql(_EVENTS[0], row, hand, lang, passed_at=event)
    return _hand_sql(hand, lang)


def _at(con: Cursor, table: str, hand: dict[str, Any], event: int) -> Cursor:
    # log_id and hand first: rows stand in their order, so that all but one block is passed over
    return con.execute(
        f"SELECT * FROM {table} WHERE log_id = ? AND hand = ? AND event = ? LIMIT 1",
        [hand["log_id"], hand["hand"], event],
    )


def _passed_on(con: Cursor, hand: dict[str, Any], event: int) -> Cursor:
    """The play that whoever passed at an event would have had to beat."""
    return con.execute(
        """SELECT p.* FROM plays p JOIN plays pass USING (log_id, hand, trick)
        WHERE p.log_id = ? AND p.hand = ? AND pass.event = ? AND pass.passed
        AND p.event < pass.event AND p.kind IS NOT NULL ORDER BY p.event DESC LIMIT 1""",
        [hand["log_id"], hand["hand"], event],
    )


def _row(found: Cursor) -> dict[str, Any] | None:
    row = found.fetchone()
    names = [column[0] for column in found.description or []]
    return None if row is None else dict(zip(names, row, strict=True))


def _event_sql(
    kind: _Happened,
    row: dict[str, Any],
    hand: dict[str, Any],
    lang: str,
    passed_at: int | None = None,
) -> str:
    tests = [
        *_tests("x", row, kind.alike),
        *_tests("h", hand, ("game",)),
        *map(_struck, _tests("x", row, kind.perhaps)),
        *map(_struck, _tests("h", hand, (*_OF_A_HAND[1:], *_PERHAPS))),
    ]
    step, hand_id = row["event"] + 1, hand["hand_id"]
    said = text(lang, "view.sql.like_event", event=step, hand_id=hand_id)
    if passed_at is not None:
        said = text(lang, "view.sql.like_passed", event=step, passed=passed_at + 1, hand_id=hand_id)
    shown = ", ".join(f"x.{name}" for name in kind.shown)
    sql = _SEATED.format(table=kind.table, shown=shown, where=_where(tests), most=_MOST)
    return f"-- {said}\n-- {text(lang, 'view.sql.like_more')}\n{sql}"


def _hand_sql(hand: dict[str, Any], lang: str) -> str:
    tests = [*_tests("h", hand, _OF_A_HAND), *map(_struck, _tests("h", hand, _PERHAPS))]
    said = text(lang, "view.sql.like_hand", hand_id=hand["hand_id"])
    sql = _HANDS.format(where=_where(tests), most=_MOST)
    return f"-- {said}\n-- {text(lang, 'view.sql.like_more')}\n{sql}"


def _tests(table: str, row: dict[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """A condition for each column that has a value; of a called card its rank alone."""
    for name in names:
        value = row[name]
        if value is None:
            continue
        if name == "called" and value[0] not in "BR":
            yield f"left({table}.called, 1) = {_literal(value[0])}"
        else:
            yield f"{table}.{name} = {_literal(value)}"


def _struck(test: str) -> str:
    return f"-- AND {test}"


def _where(tests: list[str]) -> str:
    first, *rest = tests
    return first + "".join(
        f"\n  {test}" if test.startswith("-- ") else f"\n  AND {test}" for test in rest
    )


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"
