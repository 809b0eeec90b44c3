"""Views that a person would write down first: a .sql file each, a comment and one SELECT.

They stand on the tables alone, none on another, and hold nothing themselves. Beside them one
macro, for what several questions about a player begin with.
"""

from functools import cache
from importlib.resources import files

import duckdb

_FOLDER = files("replay.archive") / "views"
_SETTING = "SET disabled_optimizers = 'partial_aggregate_pushdown'"
"""Rows are joined by log and hand. Grouped by these before the join, there are as many groups as
hands, which takes four times as long and more memory than a query has.
"""
_PLAYER = """
CREATE MACRO player_meant(told, in_game) AS coalesce(
    (
        SELECT player_id
        FROM (SELECT unnest(player_ids) AS player_id, unnest(player_names) AS player_name FROM logs)
        WHERE told IN (player_id, player_name)
        ORDER BY player_id <> told, player_id
        LIMIT 1
    ),
    told,
    (
        SELECT player_id
        FROM (
            SELECT unnest(player_ids) AS player_id, hands
            FROM logs
            WHERE in_game IS NULL OR game = in_game
        )
        GROUP BY player_id
        ORDER BY sum(hands) DESC, player_id
        LIMIT 1
    )
)
"""
"""The id that an id or a name means; NULL means whoever played most, in a game or in all."""


@cache
def views() -> dict[str, str]:
    """The SELECT of each view by its name; the first line of the file says what a row is."""
    names = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))
    return {name.removesuffix(".sql"): (_FOLDER / name).read_text("utf-8") for name in names}


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create all of them; the tables stand already, and the settings are not locked yet."""
    con.execute(_SETTING)
    con.execute(_PLAYER)
    for name, select in views().items():
        con.execute(f"CREATE VIEW {name} AS {select}")
