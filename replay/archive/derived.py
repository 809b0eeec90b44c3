"""Views that a person would write down first: a .sql file each, a comment and one SELECT.

They stand on the tables alone, none on another, and hold nothing themselves.
"""

from functools import cache
from importlib.resources import files

import duckdb

_FOLDER = files("replay.archive") / "views"
_SETTING = "SET disabled_optimizers = 'partial_aggregate_pushdown'"
"""Rows are joined by log and hand. Grouped by these before the join, there are as many groups as
hands, which takes four times as long and more memory than a query has.
"""


@cache
def views() -> dict[str, str]:
    """The SELECT of each view by its name; the first line of the file says what a row is."""
    names = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))
    return {name.removesuffix(".sql"): (_FOLDER / name).read_text("utf-8") for name in names}


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create all of them; the tables stand already, and the settings are not locked yet."""
    con.execute(_SETTING)
    for name, select in views().items():
        con.execute(f"CREATE VIEW {name} AS {select}")
