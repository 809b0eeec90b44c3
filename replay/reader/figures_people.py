"""Players of an archive: their list, the totals of one, whom he met."""

from typing import Any, Literal

from replay.reader.figures import (
    Met,
    PlayerList,
    PlayerPage,
    PlayerQuery,
    PlayerRow,
    PlayerSort,
    Scope,
    Total,
)
from replay.reader.figures_counts import source
from replay.reader.listing import Cursor, rows_at
from replay.reader.pages import NotFound, Person
from replay.reader.rows import page_of

RECENT = 20
"""Hands on a player's page."""
MOST_MET = 50
"""Partners, or opponents, that are told of."""
_ORDERS: dict[PlayerSort, str] = {
    "hands": "hands DESC",
    "won": "won DESC",
    "rate": "won / nullif(decided, 0) DESC NULLS LAST, decided DESC",
    "coins": "coins DESC NULLS LAST",
    "name": "name",
    "latest": "last DESC NULLS LAST",
}
_LIST = """WITH counted AS (
    SELECT s.player_id AS id, count(*) AS hands, count(s.won) AS decided,
        count(*) FILTER (WHERE s.won) AS won, sum(s.delta)::BIGINT AS coins
    FROM seats s WHERE {of_game} GROUP BY 1
), named AS (
    SELECT id, arg_max(name, log_id) AS name, list_sort(list(DISTINCT game)) AS games,
        max(created) AS last
    FROM (
        SELECT unnest(player_ids) AS id, unnest(player_names) AS name, log_id, game, created
        FROM logs WHERE ? IN ('', game)
    )
    GROUP BY id
    HAVING ? = '' OR contains(lower(id), ?) OR bool_or(contains(lower(name), ?))
)"""
_SIDES = {
    "partners": """d.partner IS NOT NULL AND o.seat = CASE d.seat
        WHEN d.dealer THEN d.partner
        WHEN d.partner THEN d.dealer
        ELSE 6 - d.dealer - d.partner - d.seat END""",
    "opponents": """o.seat <> d.seat AND CASE WHEN d.soloist IS NOT NULL
        THEN d.soloist IN (d.seat, o.seat)
        ELSE (d.seat IN (d.dealer, d.partner)) <> (o.seat IN (d.dealer, d.partner)) END""",
}


def players(con: Cursor, query: PlayerQuery) -> PlayerList:
    """One page of players; who never sat in a stored hand is not among them."""
    of_game = "s.log_id IN (SELECT log_id FROM logs WHERE game = ?)" if query.game else "true"
    text = query.text.lower()
    values: list[Any] = [*([query.game] if query.game else []), query.game, text, text, text]
    start = f"{_LIST.format(of_game=of_game)} SELECT"
    end = "FROM counted JOIN named USING (id)"
    order = f"{_ORDERS[query.sort]}, id"
    columns = "id, name, hands, decided, won, coins, games, coalesce(epoch_ms(last), 0)"

    def asked(page: int) -> list[tuple[Any, ...]]:
        skipped = (page - 1) * query.size
        return con.execute(
            f"{start} {columns}, count(*) OVER () {end}"
            f" ORDER BY {order} LIMIT {query.size} OFFSET {skipped}",
            values,
        ).fetchall()

    found = asked(query.page)
    if found:
        page, pages = page_of(found[0][-1], query.page, query.size)
    else:
        ((total,),) = con.execute(f"{start} count(*) {end}", values).fetchall()
        page, pages = page_of(total, query.page, query.size)
        found = asked(page) if total else []
    rows = tuple(
        PlayerRow(Person(id_, name), hands, decided, won, coins, tuple(games), last)
        for id_, name, hands, decided, won, coins, games, last, _ in found
    )
    return PlayerList(rows, found[0][-1] if found else 0, page, pages)


def player(con: Cursor, scope: Scope) -> PlayerPage:
    """One player; NotFound."""
    named = con.execute(
        """SELECT player_names[list_position(player_ids, ?)], max(log_id) FROM logs
        WHERE list_contains(player_ids, ?) GROUP BY 1 ORDER BY 2 DESC""",
        [scope.player, scope.player],
    ).fetchall()
    if not named:
        raise NotFound("player", scope.player)
    rows = source(scope, "true", is_by_seat=True)
    totals = con.execute(
        f"""SELECT h.game, count(*), count(s.won), count(*) FILTER (WHERE s.won),
            sum(s.delta)::BIGINT,
            max(s.delta), min(s.delta), coalesce(epoch_ms(min(h.started_at)), 0),
            coalesce(epoch_ms(max(h.started_at)), 0)
        {rows.sql} GROUP BY 1 ORDER BY 2 DESC, 1""",
        rows.values,
    ).fetchall()
    recent = con.execute(
        f"""SELECT h.log_id, h.hand {rows.sql}
        ORDER BY h.started_at DESC NULLS LAST, h.log_id DESC, h.hand DESC LIMIT {RECENT}""",
        rows.values,
    ).fetchall()
    names = tuple(name for name, _ in named)
    return PlayerPage(
        Person(scope.player, names[0]),
        names,
        tuple(Total(*row) for row in totals),
        rows_at(con, recent),
    )


def met(con: Cursor, scope: Scope, side: Literal["partners", "opponents"]) -> tuple[Met, ...]:
    """With or against whom a player played most; hands alike in a log are counted at once."""
    rows = source(scope, "s.won IS NOT NULL", is_by_seat=True)
    found = con.execute(
        f"""WITH decided AS (
            SELECT h.game, h.log_id, s.seat::INTEGER AS seat, h.dealer::INTEGER AS dealer,
                h.partner::INTEGER AS partner, h.soloist::INTEGER AS soloist,
                count(*) AS hands, count(*) FILTER (WHERE s.won) AS won
            {rows.sql} GROUP BY ALL
        )
        SELECT d.game, l.player_ids[o.seat + 1], arg_max(l.player_names[o.seat + 1], l.log_id),
            sum(d.hands)::BIGINT, sum(d.won)::BIGINT
        FROM decided d JOIN logs l ON l.log_id = d.log_id
        JOIN (SELECT unnest(range(4)) AS seat) o ON {_SIDES[side]}
        GROUP BY 1, 2 ORDER BY 4 DESC, 1, 2 LIMIT {MOST_MET}""",
        rows.values,
    ).fetchall()
    return tuple(Met(game, Person(id_, name), n, won) for game, id_, name, n, won in found)
