"""What may be run of SQL that nobody has read: one SELECT, or the plan of one; its parameters."""

import re
from collections.abc import Collection

import duckdb

from replay.archive.question import QueryError

_DOING = re.compile(r"\b(?:copy|insert|update|delete|merge|truncate)\b", re.IGNORECASE)
"""Words of which one is needed to do anything; most SQL has none, and is not looked at twice."""
_NODE = re.compile(r'"query_node":\{"type":"(\w+)"|"type":"(?=\w+_QUERY_NODE")(\w+)"')
_READING = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_EXPLAIN = re.compile(r"\s*explain\b(\s+analyze\b)?(\s*\([^()]*\))?", re.IGNORECASE)
_PARAMETER = re.compile(
    r"""
      (?<!\w)[eE]'(?:[^'\\]|\\.|'')*(?:'|\Z)      # text with escapes
    | '[^']*(?:'|\Z)                              # text; two quotes in it are two texts for us
    | "[^"]*(?:"|\Z)                              # a name
    | --[^\n]*
    | /\*.*?(?:\*/|\Z)                            # what is never closed ends with the SQL
    | (?<![\w$])\$(?P<tag>(?:[^\W\d]\w*)?)\$.*?(?:\$(?P=tag)\$|\Z)    # text in dollars
    | ::                                          # a cast
    | (?<![\w\])}'":]):(?P<name>[^\W\d]\w*)       # behind a value it is a slice, or a key
    """,
    re.VERBOSE | re.DOTALL,
)


def demand_select(con: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    """The statement; QueryError unless `sql` is one SELECT, or EXPLAIN and one SELECT.

    DuckDB's own error where it cannot be parsed.
    """
    demand_text(sql)
    found = con.extract_statements(sql)
    if len(found) != 1:
        raise QueryError(f"expected one statement, found {len(found)}")
    kinds = [_kind(found[0])]
    inner = sql
    if kinds == ["EXPLAIN"] and (explain := _EXPLAIN.match(sql)):
        # What cannot be taken off, behind a comment or in parentheses, is refused as EXPLAIN.
        inner = sql[explain.end() :]
        kinds = [_kind(each) for each in con.extract_statements(inner)] or kinds
    if kinds != ["SELECT"]:
        raise QueryError(
            f"an archive is read with SELECT, this statement is {kinds[0]}"
            + (" (a PIVOT needs its IN list)" if kinds[0] == "MULTI" else "")
        )
    _demand_reading(con, inner)
    return found[0]


def _demand_reading(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """QueryError for a SELECT that does more: to DuckDB `WITH x AS (INSERT …)` is one too."""
    if not _DOING.search(sql):
        return
    (told,) = con.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchall()
    # What stands in texts has its quotes escaped there, and cannot look like a node.
    if not told[0].startswith('{"error":false'):
        raise QueryError("it cannot be told whether this statement only reads")
    for found in _NODE.finditer(told[0]):
        node = found[1] or found[2]
        if node not in _READING:
            raise QueryError(
                "an archive is read with SELECT, this statement has "
                f"{node.partition('_')[0]} in its WITH"
            )


def _kind(statement: duckdb.Statement) -> str:
    """The word for its kind; DuckDB has kinds that its own enumeration does not know."""
    try:
        return statement.type.name
    except ValueError:
        return "another one"


def demand_text(sql: str) -> None:
    """QueryError for what is no Unicode text: a lone surrogate, from bytes that were no UTF-8."""
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise QueryError(f"SQL is UTF-8 text; character {error.start} of this is none") from None


def placeholders(sql: str) -> frozenset[str]:
    """Every `:name` of the SQL, outside of texts, quoted names, comments, casts and slices."""
    return frozenset(found["name"] for found in _PARAMETER.finditer(sql) if found["name"])


def bound(sql: str, names: Collection[str]) -> str:
    """The SQL with DuckDB's `$name` for each `:name` of these names; all else is left alone."""

    def put(found: re.Match[str]) -> str:
        return f"${found['name']}" if found["name"] in names else found[0]

    return _PARAMETER.sub(put, sql)
