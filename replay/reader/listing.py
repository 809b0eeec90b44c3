"""Lists and counts of an archive's hands, in as few passes over `hands` as their answers need.

Which hands a page shows is found by three narrow columns; only theirs are then read whole.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from replay.reader.facets import FIELDS, Facets
from replay.reader.facets import facets as in_all
from replay.reader.pages import Count, HandQuery, HandRow, Overview, Person
from replay.reader.rows import TOP_PLAYERS, tallies
from replay.reader.selection import (
    HAND_COLUMNS,
    PAGE_ID,
    RESULT,
    Selection,
    order,
    order_from_end,
    selection,
    swings,
)

Cursor = duckdb.DuckDBPyConnection
Place = tuple[int, int]
"""Where a hand stands: its log and its index there, by which all tables are ordered."""
T = TypeVar("T")


def facets(con: Cursor, query: HandQuery) -> Facets:
    """All counts of a list, out of one pass: hands by every field of which values are counted."""
    chosen = selection(query, without=FIELDS)
    counted = con.execute(
        f"""SELECT h.game, {RESULT}, if(h.findings > 0, 'some', 'none'), h.mode, h.level, count(*)
        {chosen.sql} GROUP BY ALL""",
        chosen.values,
    ).fetchall()
    return in_all(((values, n) for *values, n in counted), query)  # type: ignore[misc]


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
    if query.sort == "swing":
        return rows_at(con, _by_swing(con, query, start))
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


_SEATS = 4
_SHALLOW = 20_000
"""As many hands are told apart out of the highest coins; for more all hands are looked at."""


def _by_swing(con: Cursor, query: HandQuery, start: int) -> list[Place]:
    """The places of a page by swing: the first pages out of the seats that won most.

    Where the highest coins of as many seats as could stand before the page's end are known, so
    are its hands, for each stands first by its highest.
    """
    chosen, size = selection(query), query.size
    if start + size <= _SHALLOW:
        among = "" if chosen.is_all else "SEMI JOIN chosen USING (log_id, hand)"
        most = (start + size) * _SEATS
        found: list[Place] = con.execute(
            f"""WITH chosen AS (SELECT h.log_id, h.hand {chosen.sql}), high AS (
                SELECT s.log_id, s.hand, s.delta FROM seats s {among} WHERE s.delta IS NOT NULL
                ORDER BY s.delta DESC, s.log_id, s.hand LIMIT {most})
            SELECT log_id, hand FROM high GROUP BY ALL
            ORDER BY max(delta) DESC, log_id, hand LIMIT {size} OFFSET {start}""",
            chosen.values,
        ).fetchall()
        if len(found) == size:
            return found
    return con.execute(
        f"""SELECT h.log_id, h.hand {joined(query)} ORDER BY {order(query.sort)}
        LIMIT {size} OFFSET {start}""",
        chosen.values,
    ).fetchall()


def joined(query: HandQuery) -> str:
    """The FROM and WHERE of a query, with what its order needs."""
    chosen = selection(query)
    return chosen.sql.replace("FROM hands h", f"FROM hands h {swings(query)}", 1)


def every(con: Cursor, query: HandQuery) -> Iterator[HandRow]:
    """All hands that match, in the order asked for; a piece of them is here at a time.

    In the order `log` a run of logs is read after the other, and memory stays as it is, however
    many hands there are. Any other order sorts all that match.
    """
    if query.sort != "log":
        yield from _every(con, query, "log_id IS NOT NULL")
        return
    runs = con.execute(
        f"""SELECT min(log_id), max(log_id) FROM (
            SELECT log_id, sum(hands) OVER (ORDER BY log_id) // {_RUN} AS run FROM logs)
        GROUP BY run ORDER BY 1"""
    ).fetchall()
    for first, last in runs:
        yield from _every(con, query, f"log_id BETWEEN {int(first)} AND {int(last)}")


def _every(con: Cursor, query: HandQuery, among: str) -> Iterator[HandRow]:
    """Those of some logs. What a hand has of its log is joined here: sorted along, it would take
    most of the memory.
    """
    con.execute(
        f"""SELECT {_OF_HAND}, c.* EXCLUDE (log_id, hand)
        {joined(query).replace(" WHERE ", f" {_EVERY.format(among)} WHERE h.{among} AND ", 1)}
        ORDER BY {order(query.sort)}""",
        selection(query).values,
    )
    with con.cursor() as beside:
        while piece := con.fetchmany(_PIECE):
            logs = _logs(beside, {row[0] for row in piece})
            for log_id, hand, index, game, *row in piece:
                page_id, path, ids, names = logs[log_id]
                told = (hand, page_id, path, index, game, ids, names, *row[:-8])
                yield _hand_row(told, (tuple(row[-8:-4]), tuple(row[-4:])))


def _logs(con: Cursor, log_ids: set[int]) -> dict[int, tuple[Any, ...]]:
    """Of each log the address of its page, its path, and the ids and names of its players."""
    wanted = ", ".join(map(str, sorted(log_ids)))
    found = con.execute(
        f"""SELECT l.log_id, {PAGE_ID}, l.path, l.player_ids, l.player_names FROM logs l
        WHERE l.log_id IN ({wanted})"""
    ).fetchall()
    return {log_id: told for log_id, *told in found}  # type: ignore[misc]


_PIECE = 8192
_RUN = 20_000
"""Hands in a run of logs, about: one log more, at most."""
_OF_HAND = f"""h.log_id, h.hand_id, h.hand, h.game, {RESULT}, h.winners, h.dealer, h.findings,
    h.events, epoch_ms(h.started_at), h.mode, h.level, h.bombs, h.fan, h.score"""
_EVERY = """LEFT JOIN (SELECT log_id, hand, {} FROM seats WHERE {{}} GROUP BY ALL) c
    USING (log_id, hand)""".format(
    ", ".join(
        f"max({column}) FILTER (seat = {seat}) AS {column}{seat}"
        for column in ("delta", "role")
        for seat in range(_SEATS)
    )
)
"""A column a seat: lists of four would take more memory."""


def has_bombs(con: Cursor, game: str) -> bool:
    """Whether there is a hand with bombs, of one game or of any; the first one ends the search."""
    found = con.execute(
        "SELECT 1 FROM hands WHERE bombs > 0 AND ? IN ('', game) LIMIT 1", [game]
    ).fetchall()
    return bool(found)


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
    did = _seats(con, wanted)
    rows = {
        (row[0], row[4]): _hand_row(row[1:], did.get((row[0], row[4]), _NO_SEATS)) for row in found
    }
    return tuple(rows[place] for place in wanted if place in rows)


def _at(places: Sequence[Place]) -> tuple[str, list[Any]]:
    """The condition of standing at one of these; the logs first, by which blocks are left out."""
    logs = ", ".join(str(log_id) for log_id in sorted({log_id for log_id, _ in places}))
    pairs = ", ".join("(?, ?)" for _ in places)
    values = [number for place in places for number in place]
    return f"h.log_id IN ({logs}) AND (h.log_id, h.hand) IN ({pairs})", values


OfSeats = tuple[tuple[int | None, ...], tuple[str | None, ...]]
"""Coins and roles of the four seats; None where there are none."""
_NO_SEATS: OfSeats = ((), ())


def _seats(con: Cursor, places: Sequence[Place]) -> dict[Place, OfSeats]:
    """Coins and roles per seat of these hands."""
    there, values = _at(places)
    found = con.execute(
        f"""SELECT h.log_id, h.hand, list(h.delta ORDER BY h.seat), list(h.role ORDER BY h.seat)
        FROM seats h WHERE {there} GROUP BY 1, 2""",
        values,
    ).fetchall()
    return {(log_id, hand): (tuple(coins), tuple(roles)) for log_id, hand, coins, roles in found}


def _hand_row(row: tuple[Any, ...], of_seats: OfSeats) -> HandRow:
    hand, page_id, path, index, game, ids, names, result, winners, dealer, flaws, events, at = row[
        :13
    ]
    mode, level, bombs, fan, score = row[13:]
    coins, roles = of_seats
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
        deltas=_all_or_none(coins),
        findings=flaws,
        events=events,
        at=at or 0,
        mode=mode,
        level=level,
        bombs=bombs,
        fan=fan,
        score=score,
        roles=_all_or_none(roles),
    )


def _all_or_none(values: tuple[T | None, ...]) -> tuple[T, ...]:
    return tuple(value for value in values if value is not None) if None not in values else ()


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
