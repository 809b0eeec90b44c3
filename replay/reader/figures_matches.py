"""Matches of an archive: their list, one of them hand by hand."""

from pathlib import Path
from typing import Any

from replay.reader.facets import LEVELS
from replay.reader.figures import (
    MOST_MARKS,
    Course,
    Mark,
    MatchHand,
    MatchList,
    MatchPage,
    MatchQuery,
    MatchRow,
    MatchSort,
)
from replay.reader.listing import Cursor, rows_at
from replay.reader.pages import NotFound, Person
from replay.reader.rows import page_of
from replay.reader.selection import PAGE_ID, RESULT

HANDS_PER_PAGE = 100
_ORDERS: dict[MatchSort, str] = {
    "newest": "l.created DESC NULLS LAST, l.log_id DESC",
    "oldest": "l.created NULLS LAST, l.log_id",
    "hands": "l.hands DESC, l.created DESC, l.log_id",
    "findings": "l.findings DESC, l.created DESC, l.log_id",
}
_HAS_END = """l.log_id {} (SELECT log_id FROM hands WHERE result IN
    ('match_won', 'escaped', 'match_to_dealers', 'match_to_attackers'))"""
_ROW = f"""SELECT {PAGE_ID}, m.path, m.game, m.player_ids, m.player_names,
    coalesce(epoch_ms(m.created), 0), coalesce(m.duration_ms, 0), m.hands,
    coalesce(m.settled, 0), m.aborted, m.findings, coalesce(m.ended_by, ''),
    coalesce(m.effect, ''), m.winners, m.in_progress, m.log_id, m.continues
    FROM matches m JOIN logs l ON l.log_id = m.log_id WHERE m.log_id IN"""


def matches(con: Cursor, query: MatchQuery) -> MatchList:
    """One page of matches; which they are is found in the logs alone, unless ends are asked for."""
    where, values = _where(query)
    ((total,),) = con.execute(f"SELECT count(*) FROM logs l WHERE {where}", values).fetchall()
    page, pages = page_of(total, query.page, query.size)
    found = con.execute(
        f"""SELECT l.log_id FROM logs l WHERE {where} ORDER BY {_ORDERS[query.sort]}
        LIMIT {query.size} OFFSET {(page - 1) * query.size}""",
        values,
    ).fetchall()
    return MatchList(tuple(_rows(con, [log for (log,) in found])), total, page, pages)


def _where(query: MatchQuery) -> tuple[str, list[Any]]:
    """The conditions on logs, and the values of their question marks."""
    player = "(list_contains(l.player_ids, ?) OR list_contains(l.player_names, ?))"
    tests = {
        "l.game = ?": query.game,
        player: query.player,
        "l.created >= CAST(? AS DATE)": query.since,
        "l.created < CAST(? AS DATE) + INTERVAL 1 DAY": query.until,
    }
    used = ["l.error IS NULL", *(test for test, value in tests.items() if value)]
    if query.ended:
        used.append(_HAS_END.format("IN" if query.ended == "yes" else "NOT IN"))
    return " AND ".join(used), [v for t, v in tests.items() if v for _ in range(t.count("?"))]


def _rows(con: Cursor, logs: list[int]) -> list[MatchRow]:
    """These matches, in their order."""
    if not logs:
        return []
    found = con.execute(f"{_ROW} ({', '.join(map(str, logs))})").fetchall()
    rows = {row[-2]: _row(row) for row in found}
    return [rows[log] for log in logs]


def _row(row: tuple[Any, ...]) -> MatchRow:
    page, path, game, ids, names, at, duration, hands, settled, aborted, findings, *end = row
    ended_by, effect, winners, is_going, *_ = end
    return MatchRow(
        log_id=page,
        log_name=Path(path).name,
        game=game,
        players=tuple(map(Person, ids, names)),
        at=at,
        duration_ms=duration,
        hands=hands,
        settled=settled,
        aborted=aborted,
        findings=findings,
        ended_by=ended_by,
        effect=effect,
        winners=tuple(winners or ()),
        in_progress=bool(is_going),
    )


def _log_of(con: Cursor, page_id: str) -> int:
    """The number of a log by the id of its page; NotFound, also for what is no log."""
    found = con.execute(
        f"SELECT l.log_id FROM logs l WHERE {PAGE_ID} = ? AND l.error IS NULL", [page_id]
    ).fetchall()
    if not found:
        raise NotFound("match", page_id)
    return int(found[0][0])


def match(con: Cursor, page_id: str, page: int) -> MatchPage:
    """One match and a page of its hands."""
    log = _log_of(con, page_id)
    (found,) = con.execute(f"{_ROW} ({log})").fetchall()
    ((total,),) = con.execute("SELECT count(*) FROM hands WHERE log_id = ?", [log]).fetchall()
    page, pages = page_of(total, page, HANDS_PER_PAGE)
    before = con.execute(f"SELECT {PAGE_ID} FROM logs l WHERE l.log_id = ?", [found[-1]]).fetchall()
    places = con.execute(
        f"""SELECT log_id, hand FROM hands WHERE log_id = ? ORDER BY hand
        LIMIT {HANDS_PER_PAGE} OFFSET {(page - 1) * HANDS_PER_PAGE}""",
        [log],
    ).fetchall()
    told = _levels(con, log, places)
    hands = tuple(
        MatchHand(row, *told.get(row.index, ("", None, (), ()))) for row in rows_at(con, places)
    )
    continues = before[0][0] if before else ""
    return MatchPage(_row(found), continues, hands, page, pages, total)


_Told = tuple[str, int | None, tuple[str, ...], tuple[str, ...]]


def _levels(con: Cursor, log: int, places: list[tuple[int, int]]) -> dict[int, _Told]:
    """Level, score and the levels of both sides of hands that have any."""
    if not places:
        return {}
    found = con.execute(
        """SELECT h.hand, h.level, h.score, a.level_before, b.level_before, a.level_after,
            b.level_after
        FROM hands h
        JOIN seats a ON a.log_id = h.log_id AND a.hand = h.hand AND a.seat = 0
        JOIN seats b ON b.log_id = h.log_id AND b.hand = h.hand AND b.seat = 1
        WHERE h.log_id = ? AND h.hand BETWEEN ? AND ? AND h.level IS NOT NULL""",
        [log, places[0][1], places[-1][1]],
    ).fetchall()
    return {
        hand: (level, score, _both(a, b), _both(c, d)) for hand, level, score, a, b, c, d in found
    }


def _both(one: str | None, other: str | None) -> tuple[str, ...]:
    return () if one is None or other is None else (one, other)


_MATCH_ENDS = "match_"
"""How the results begin that end a match."""


def course(con: Cursor, page_id: str) -> Course:
    """How a match went: coins add up; a hand that moved neither coins nor levels keeps them."""
    log = _log_of(con, page_id)
    found = con.execute(
        f"""SELECT h.hand_id, h.hand, {RESULT}, s.deltas, s.levels FROM hands h JOIN (
            SELECT hand, list(delta ORDER BY seat) AS deltas,
                list(level_after ORDER BY seat) FILTER (WHERE seat < 2) AS levels
            FROM seats WHERE log_id = ? GROUP BY hand
        ) s ON s.hand = h.hand
        WHERE h.log_id = ? ORDER BY h.hand LIMIT {MOST_MARKS}""",
        [log, log],
    ).fetchall()
    ((ids, names),) = con.execute(
        "SELECT player_ids, player_names FROM logs WHERE log_id = ?", [log]
    ).fetchall()
    people = tuple(map(Person, ids, names))
    marks: list[Mark] = []
    are_coins = any(row[3] and None not in row[3] for row in found)
    coins: tuple[int, ...] = (0,) * 4 if are_coins else ()
    levels: tuple[str, ...] = ()
    for hand_id, hand, result, deltas, after in found:
        if deltas and None not in deltas:
            coins = tuple(a + b for a, b in zip(coins, deltas, strict=True))
        # Behind the end of a match stand the levels with which the next one begins.
        if after and None not in after and not (levels and result.startswith(_MATCH_ENDS)):
            levels = tuple(after)
        steps = tuple(map(LEVELS.index, levels))
        marks.append(Mark(hand_id, hand, result, coins, steps, levels))
    return Course(people, tuple(marks))
