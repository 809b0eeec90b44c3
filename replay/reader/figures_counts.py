"""What an archive counts for charts: each distribution is one pass over few columns."""

from typing import Any

from msgspec import Struct

from replay.reader.facets import LEVELS
from replay.reader.figures import Habits, Part, Scope, Tally
from replay.reader.listing import Cursor
from replay.reader.selection import RESULT

_WEEKLY, _MONTHLY = 62, 434
"""Days from which on periods are weeks, and months."""
_THINKING = (0, 1, 2, 3, 5, 8, 13, 21, 34)
"""Seconds from which each class of thinking times begins."""


class _Kind(Struct, frozen=True):
    """How one distribution is counted: its value in SQL, what has one, and who wins there.

    `is_by_seat` says whether seats are counted or hands, as long as no player is meant; `won` is
    what counts as won then, empty for nothing.
    """

    key: str
    where: str = "true"
    is_by_seat: bool = False
    won: str = ""


_KINDS: dict[Part, _Kind] = {
    "seat": _Kind("s.seat", is_by_seat=True),
    "role": _Kind("s.role", "s.role IS NOT NULL", is_by_seat=True),
    "result": _Kind(RESULT),
    "fan": _Kind("h.fan", "h.fan IS NOT NULL"),
    "score": _Kind("(floor(h.score / 10) * 10)::INTEGER", "h.score IS NOT NULL"),
    "level": _Kind(
        "h.level",
        "h.level IS NOT NULL",
        won="CASE WHEN len(h.winners) > 0 THEN list_contains(h.winners, h.dealer) END",
    ),
    "bombs": _Kind("h.bombs", "h.level IS NULL"),
    "period": _Kind(
        "date_trunc('{grain}', h.started_at)::DATE || '..' ||"
        " (date_trunc('{grain}', h.started_at) + INTERVAL '1 {grain}' - INTERVAL 1 DAY)::DATE",
        "h.started_at IS NOT NULL",
    ),
    "hour": _Kind("hour(h.started_at)", "h.started_at IS NOT NULL"),
    "thinking": _Kind(
        f"least(s.thinking_ms // (1000::BIGINT * (s.acts - s.acted_for)), {_THINKING[-1]})",
        "s.acts > s.acted_for",
        is_by_seat=True,
    ),
}
_ORDERS: dict[Part, str] = {
    "role": "3 DESC, key",
    "result": "3 DESC, key",
    "level": f"strpos('{LEVELS}', key)",
}


class Source(Struct, frozen=True):
    """Rows to count: FROM and WHERE of SQL, the values of its question marks."""

    sql: str
    values: list[Any]


def source(scope: Scope, where: str, is_by_seat: bool) -> Source:
    """Hands as `h`, and seats as `s` where a player is meant or seats are counted.

    Without days the hands of seats are not looked at: of them only the game is wanted, and that
    stands in the log, too.
    """
    tests, values = _within(scope)
    if scope.player:
        logs = "SELECT log_id FROM logs WHERE list_contains(player_ids, ?)"
        tests = ["s.player_id = ?", f"s.log_id IN ({logs})", *tests]
        values = [scope.player, scope.player, *values]
    if scope.player or (is_by_seat and (scope.since or scope.until)):
        start = "FROM seats s JOIN hands h ON h.log_id = s.log_id AND h.hand = s.hand"
    elif is_by_seat:
        start = "FROM seats s JOIN (SELECT log_id, game FROM logs) h ON h.log_id = s.log_id"
    else:
        start = "FROM hands h"
    return Source(f"{start} WHERE {' AND '.join([*tests, where])}", values)


def _within(scope: Scope) -> tuple[list[str], list[Any]]:
    """The conditions on game and days."""
    tests = {
        "h.game = ?": scope.game,
        "h.started_at >= CAST(? AS DATE)": scope.since,
        "h.started_at < CAST(? AS DATE) + INTERVAL 1 DAY": scope.until,
    }
    used = {test: value for test, value in tests.items() if value}
    return list(used), list(used.values())


def tallies(con: Cursor, part: Part, scope: Scope) -> tuple[Tally, ...]:
    """One distribution."""
    kind = _KINDS[part]
    key = kind.key.format(grain=_grain(con, scope)) if part == "period" else kind.key
    has_seats = bool(scope.player) or kind.is_by_seat
    won = "s.won" if has_seats else kind.won
    counts = f"count({won}), count(*) FILTER (WHERE {won})" if won else "0, NULL"
    rows = source(scope, kind.where, kind.is_by_seat)
    order = _ORDERS.get(part, "key")
    found = con.execute(
        f"""SELECT h.game, {key} AS key, count(*), {counts},
            {"sum(s.delta)::BIGINT" if has_seats else "NULL"}
        {rows.sql} GROUP BY 1, 2 ORDER BY 1, {order}""",
        rows.values,
    ).fetchall()
    if part == "thinking":
        found = _classed(found)
    return tuple(Tally(game, str(key), *numbers) for game, key, *numbers in found)


def _classed(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Whole seconds put into their classes: to tell those of each row in SQL takes longer."""
    classes: dict[tuple[str, int], list[Any]] = {}
    for game, seconds, *numbers in found:
        step = max(step for step in _THINKING if step <= seconds)
        so_far = classes.setdefault((game, step), [0] * (len(numbers) - 1) + [None])
        for at, number in enumerate(numbers):
            if number is not None:
                so_far[at] = (so_far[at] or 0) + number
    return [(game, step, *numbers) for (game, step), numbers in classes.items()]


def _grain(con: Cursor, scope: Scope) -> str:
    """Days, weeks or months, so that there are few enough periods to look at."""
    rows = source(scope, "true", is_by_seat=False)
    ((days,),) = con.execute(
        f"SELECT date_diff('day', min(h.started_at), max(h.started_at)) {rows.sql}", rows.values
    ).fetchall()
    return "day" if not days or days < _WEEKLY else "week" if days < _MONTHLY else "month"


def habits(con: Cursor, scope: Scope) -> tuple[Habits, ...]:
    """What was done, by game: facts as logged, whether the hand could be judged or not."""
    rows = source(scope, "true", is_by_seat=True)
    columns = ("acts", "passes", "bombs", "acted_for", "thinking_ms")
    sums = ", ".join(f"coalesce(sum(s.{column}), 0)::BIGINT" for column in columns)
    found = con.execute(
        f"SELECT h.game, count(*), {sums} {rows.sql} GROUP BY 1 ORDER BY 1", rows.values
    ).fetchall()
    return tuple(Habits(*row) for row in found)
