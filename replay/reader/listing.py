"""Lists and counts of an archive's hands, in as few passes over `hands` as their answers need.

Which hands a page shows is found by three narrow columns; only theirs are then read whole.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
from msgspec import Struct

from replay.reader.pages import Count, HandQuery, HandRow, Overview, Person
from replay.reader.rows import TOP_PLAYERS, tallies
from replay.reader.selection import (
    FACETS,
    HAND_COLUMNS,
    RESULT,
    Selection,
    order,
    order_from_end,
    selection,
)

Cursor = duckdb.DuckDBPyConnection
Place = tuple[int, int]
"""Where a hand stands: its log and its index there, by which all tables are ordered."""


class Facets(Struct, frozen=True):
    """How many hands match, and would with another game, another result, or a finding."""

    total: int
    games: tuple[Count, ...]
    results: tuple[Count, ...]
    flawed: int


def facets(con: Cursor, query: HandQuery) -> Facets:
    """All counts of a list, out of one pass: hands by game, result, and whether they have flaws."""
    chosen = selection(query, without=FACETS)
    counted = con.execute(
        f"SELECT h.game, {RESULT}, h.findings > 0, count(*) {chosen.sql} GROUP BY ALL",
        chosen.values,
    ).fetchall()
    games, results, flaws = Counter[str](), Counter[str](), Counter[bool]()
    for game, result, is_flawed, n in counted:
        of_game = query.game in ("", game)
        of_result = query.result in ("", result)
        of_flaw = query.findings in ("", "some" if is_flawed else "none")
        if of_result and of_flaw:
            games[game] += n
        if of_game and of_flaw:
            results[result] += n
        if of_game and of_result:
            flaws[is_flawed] += n
    total = sum(n for flaw, n in flaws.items() if query.findings in ("", _word(flaw)))
    return Facets(total, _most_first(games), _most_first(results), flaws[True])


def _word(is_flawed: bool) -> str:
    return "some" if is_flawed else "none"


def _most_first(counts: Counter[str]) -> tuple[Count, ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Count(value, value, n) for value, n in ordered)


def players(con: Cursor, chosen: Selection) -> tuple[Count, ...]:
    """Who played most of these hands; counted by log, which has fewer rows than hands."""
    found = con.execute(
        f"""SELECT id, min(name), sum(n)::BIGINT FROM (
            SELECT unnest(l.player_ids) AS id, unnest(l.player_names) AS name, n FROM logs l
            JOIN (SELECT h.log_id, count(*) AS n {chosen.sql} GROUP BY h.log_id) USING (log_id))
        GROUP BY id ORDER BY 3 DESC, 1 LIMIT {TOP_PLAYERS}""",
        chosen.values,
    ).fetchall()
    return tuple(Count(*player) for player in found)


def on_page(con: Cursor, query: HandQuery, start: int, total: int) -> tuple[HandRow, ...]:
    """The rows of one page; behind the middle they are counted from the end of the list."""
    chosen = selection(query)
    size = min(query.size, total - start)
    is_late = start + size > total - start
    ordered, skipped = order(query.sort), start
    if is_late:
        ordered, skipped = order_from_end(query.sort), total - start - size
    found: list[Place] = con.execute(
        f"SELECT h.log_id, h.hand {chosen.sql} ORDER BY {ordered} LIMIT {size} OFFSET {skipped}",
        chosen.values,
    ).fetchall()
    return rows_at(con, reversed(found) if is_late else found)


def first_of_log(con: Cursor, log_id: int, most: int) -> tuple[HandRow, ...]:
    """The first hands of a log."""
    found = con.execute(
        "SELECT log_id, hand FROM hands WHERE log_id = ? ORDER BY hand LIMIT ?", [log_id, most]
    ).fetchall()
    return rows_at(con, found)


def place_of(con: Cursor, hand_id: str) -> Place | None:
    """Where a hand stands; None if it is not there. All of it is then found by that."""
    found: list[Place] = con.execute(
        "SELECT log_id, hand FROM hand_index WHERE hand_id = ? LIMIT 1", [hand_id]
    ).fetchall()
    return found[0] if found else None


def beginning(con: Cursor, prefix: str) -> tuple[str, ...]:
    """The ids that begin with these digits; as bounds, by which blocks are left out."""
    found = con.execute(
        "SELECT DISTINCT hand_id FROM hand_index WHERE hand_id BETWEEN ? AND ? ORDER BY 1",
        [prefix, f"{prefix}g"],
    ).fetchall()
    return tuple(hand_id for (hand_id,) in found)


def rows_at(con: Cursor, places: Iterable[Place]) -> tuple[HandRow, ...]:
    """The hands at these places, in their order."""
    wanted = list(places)
    if not wanted:
        return ()
    there, values = _at(wanted)
    found = con.execute(
        f"SELECT h.log_id, {HAND_COLUMNS} FROM hands h JOIN logs l USING (log_id) WHERE {there}",
        values,
    ).fetchall()
    coins = _coins(con, wanted)
    rows = {(row[0], row[4]): _hand_row(row[1:], coins.get((row[0], row[4]), ())) for row in found}
    return tuple(rows[place] for place in wanted if place in rows)


def _at(places: Sequence[Place]) -> tuple[str, list[Any]]:
    """The condition of standing at one of these; the logs first, by which blocks are left out."""
    logs = ", ".join(str(log_id) for log_id in sorted({log_id for log_id, _ in places}))
    pairs = ", ".join("(?, ?)" for _ in places)
    values = [number for place in places for number in place]
    return f"h.log_id IN ({logs}) AND (h.log_id, h.hand) IN ({pairs})", values


def _coins(con: Cursor, places: Sequence[Place]) -> dict[Place, tuple[int, ...]]:
    """Coins per seat of the hands that were settled."""
    there, values = _at(places)
    found = con.execute(
        f"""SELECT h.log_id, h.hand, list(h.delta ORDER BY h.seat) FROM seats h
        WHERE h.delta IS NOT NULL AND {there} GROUP BY 1, 2""",
        values,
    ).fetchall()
    return {(log_id, hand): tuple(coins) for log_id, hand, coins in found if len(coins) == 4}


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


def overview(con: Cursor, query: HandQuery) -> Overview:
    """Results and seats of all hands that match."""
    chosen = selection(query)
    among = "" if chosen.is_all else "SEMI JOIN chosen USING (log_id, hand)"
    found = con.execute(
        f"""WITH chosen AS (SELECT h.log_id, h.hand {chosen.sql})
        SELECT s.seat, count(*), count_if(s.won), coalesce(sum(s.delta), 0)
        FROM seats s {among} WHERE s.won IS NOT NULL GROUP BY s.seat""",
        chosen.values,
    ).fetchall()
    by_seat = {seat: (hands, won, int(coins)) for seat, hands, won, coins in found}
    results = con.execute(
        f"SELECT {RESULT}, count(*) {chosen.sql} GROUP BY 1 ORDER BY 2 DESC, 1", chosen.values
    ).fetchall()
    return Overview(
        tuple(Count(value, value, n) for value, n in results),
        tallies([by_seat.get(seat, (0, 0, 0)) for seat in range(4)]),
    )
