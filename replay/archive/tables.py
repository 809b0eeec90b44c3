"""The tables of an archive: every column with its SQL type, and the same as Arrow schemas.

Ten tables hold what happened and stand in segments; `logs` and `files` say where it comes from
and stand in the catalogue. What each column means is written in TABLES.md.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

Columns = tuple[tuple[str, str], ...]
"""Name and SQL type of each column, in order."""

LOGS: Columns = (
    ("log_id", "INTEGER"),
    ("path", "VARCHAR"),
    ("file_id", "VARCHAR"),
    ("last_leaf", "VARCHAR"),
    ("conflict", "INTEGER[]"),
    ("game", "VARCHAR"),
    ("schema_id", "VARCHAR"),
    ("form", "VARCHAR"),
    ("created", "TIMESTAMP"),
    ("player_ids", "VARCHAR[]"),
    ("player_names", "VARCHAR[]"),
    ("claims", "VARCHAR"),
    ("producer", "VARCHAR"),
    ("options", "JSON"),
    ("rules_version", "VARCHAR"),
    ("engine", "VARCHAR"),
    ("head_leaf", "VARCHAR"),
    ("previous_head", "VARCHAR"),
    ("hands", "INTEGER"),
    ("aborted", "INTEGER"),
    ("in_progress", "BOOLEAN"),
    ("hand_ids", "VARCHAR[]"),
    ("facts", "BIGINT"),
    ("unverified", "BIGINT"),
    ("findings", "INTEGER"),
    ("damaged", "INTEGER"),
    ("bytes", "BIGINT"),
    ("sha256", "VARCHAR"),
    ("indexed_at", "TIMESTAMP"),
    ("fault", "VARCHAR"),
    ("fault_offset", "BIGINT"),
    ("error", "VARCHAR"),
)

FILES: Columns = (
    ("path", "VARCHAR"),
    ("log_id", "INTEGER"),
    ("standing", "VARCHAR"),
    ("form", "VARCHAR"),
    ("bytes", "BIGINT"),
    ("sha256", "VARCHAR"),
    ("modified_ns", "BIGINT"),
    ("changed_ns", "BIGINT"),
    ("seen_at", "TIMESTAMP"),
    ("gone_at", "TIMESTAMP"),
)

_OF_A_HAND: Columns = (("hand_id", "VARCHAR"), ("log_id", "INTEGER"), ("hand", "BIGINT"))
"""Where a row belongs: the first columns of every table in a segment."""

HANDS: Columns = (
    *_OF_A_HAND,
    ("game", "VARCHAR"),
    ("hand_no", "INTEGER"),
    ("started_at", "TIMESTAMP"),
    ("duration_ms", "BIGINT"),
    ("dealer", "UTINYINT"),
    ("called", "VARCHAR"),
    ("partner", "UTINYINT"),
    ("mode", "VARCHAR"),
    ("soloist", "UTINYINT"),
    ("revealed_at", "USMALLINT"),
    ("result", "VARCHAR"),
    ("fan", "INTEGER"),
    ("winners", "UTINYINT[]"),
    ("level", "VARCHAR"),
    ("trump", "VARCHAR"),
    ("rung", "UTINYINT"),
    ("declarer", "UTINYINT"),
    ("dealer_side", "UTINYINT"),
    ("score", "INTEGER"),
    ("trick_points", "INTEGER"),
    ("bottom_points", "INTEGER"),
    ("factor", "INTEGER"),
    ("penalty", "INTEGER"),
    ("effect", "VARCHAR"),
    ("risen", "INTEGER"),
    ("due_for_score", "INTEGER"),
    ("due_for_jokers", "INTEGER"),
    ("bottom_is_dry", "BOOLEAN"),
    ("bottom_fate", "VARCHAR"),
    ("events", "USMALLINT"),
    ("facts", "USMALLINT"),
    ("plays", "USMALLINT"),
    ("passes", "USMALLINT"),
    ("bombs", "USMALLINT"),
    ("tricks", "USMALLINT"),
    ("aborted", "VARCHAR"),
    ("verified", "BOOLEAN"),
    ("findings", "INTEGER"),
)

SEATS: Columns = (
    *_OF_A_HAND,
    ("seat", "UTINYINT"),
    ("player_id", "VARCHAR"),
    ("player_name", "VARCHAR"),
    ("acts", "USMALLINT"),
    ("passes", "USMALLINT"),
    ("bombs", "USMALLINT"),
    ("acted_for", "USMALLINT"),
    ("thinking_ms", "BIGINT"),
    ("role", "VARCHAR"),
    ("side", "UTINYINT"),
    ("dealt", "VARCHAR"),
    ("dealt_counts", "UTINYINT[54]"),
    ("cards_left", "UTINYINT"),
    ("place", "UTINYINT"),
    ("captured", "USMALLINT"),
    ("final", "USMALLINT"),
    ("bonus", "BIGINT"),
    ("delta", "BIGINT"),
    ("balance_before", "BIGINT"),
    ("balance_after", "BIGINT"),
    ("won", "BOOLEAN"),
    ("level_before", "VARCHAR"),
    ("level_after", "VARCHAR"),
)

TRICKS: Columns = (
    *_OF_A_HAND,
    ("trick", "USMALLINT"),
    ("leader", "UTINYINT"),
    ("winner", "UTINYINT"),
    ("points", "USMALLINT"),
    ("plays", "USMALLINT"),
    ("passes", "USMALLINT"),
    ("bombs", "USMALLINT"),
    ("first_event", "USMALLINT"),
    ("last_event", "USMALLINT"),
)

PLAYS: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("trick", "USMALLINT"),
    ("seat", "UTINYINT"),
    ("made_by", "VARCHAR"),
    ("dt", "BIGINT"),
    ("passed", "BOOLEAN"),
    ("cards", "VARCHAR"),
    ("codes", "UTINYINT[]"),
    ("n_cards", "UTINYINT"),
    ("led", "VARCHAR"),
    ("kind", "VARCHAR"),
    ("size", "UTINYINT"),
    ("rank", "VARCHAR"),
    ("wilds", "VARCHAR"),
    ("declared", "BOOLEAN"),
    ("is_bomb", "BOOLEAN"),
    ("is_lead", "BOOLEAN"),
    ("to_beat", "USMALLINT"),
    ("cards_left", "UTINYINT"),
    ("points", "USMALLINT"),
)

DECLARATIONS: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("kind", "VARCHAR"),
    ("seat", "UTINYINT"),
    ("cards", "VARCHAR"),
    ("rung", "UTINYINT"),
    ("named", "VARCHAR"),
    ("trump", "VARCHAR"),
    ("after", "UTINYINT"),
)

BURIALS: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("seat", "UTINYINT"),
    ("taken", "VARCHAR"),
    ("cards", "VARCHAR"),
    ("points", "USMALLINT"),
)

TURNED_CARDS: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("kind", "VARCHAR"),
    ("seat", "UTINYINT"),
    ("place", "UTINYINT"),
    ("card", "VARCHAR"),
)

TRIBUTES: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("kind", "VARCHAR"),
    ("seat", "UTINYINT"),
    ("receiver", "UTINYINT"),
    ("cards", "VARCHAR"),
    ("n_cards", "UTINYINT"),
)

THROWS: Columns = (
    *_OF_A_HAND,
    ("event", "USMALLINT"),
    ("trick", "USMALLINT"),
    ("seat", "UTINYINT"),
    ("cards", "VARCHAR"),
    ("led", "VARCHAR"),
    ("stands", "BOOLEAN"),
    ("beaten_by", "UTINYINT[]"),
)

FINDINGS: Columns = (
    *_OF_A_HAND,
    ("finding", "INTEGER"),
    ("kind", "VARCHAR"),
    ("trick", "USMALLINT"),
    ("event", "INTEGER"),
    ("byte_offset", "BIGINT"),
    ("seat", "UTINYINT"),
    ("rule", "VARCHAR"),
    ("zh", "VARCHAR"),
    ("en", "VARCHAR"),
    ("expected", "VARCHAR"),
    ("logged", "VARCHAR"),
    ("proof", "VARCHAR"),
)

CATALOGUE: dict[str, Columns] = {"logs": LOGS, "files": FILES}
"""Tables that are written anew, whole, at every commit."""
SEGMENT: dict[str, Columns] = {
    "hands": HANDS,
    "seats": SEATS,
    "tricks": TRICKS,
    "plays": PLAYS,
    "declarations": DECLARATIONS,
    "turned_cards": TURNED_CARDS,
    "tributes": TRIBUTES,
    "burials": BURIALS,
    "throws": THROWS,
    "findings": FINDINGS,
}
"""Tables of the immutable segments."""
TABLES: dict[str, Columns] = {**CATALOGUE, **SEGMENT}


def create(table: str, schema: str) -> str:
    """The statement that creates `table` in the database `schema`."""
    columns = ", ".join(f"{name} {kind}" for name, kind in TABLES[table])
    return f"CREATE TABLE {schema}.{table} ({columns})"


def arrow_schema(table: str) -> "pa.Schema":
    """The Arrow schema whose tables DuckDB takes into `table` as they are."""
    import pyarrow as pa

    kinds = _arrow_types()
    return pa.schema([(name, kinds[kind]) for name, kind in TABLES[table]])


@cache
def _arrow_types() -> "dict[str, pa.DataType]":
    """Loaded when rows are made: who reads an archive needs no Arrow."""
    import pyarrow as pa

    return {
        "BIGINT": pa.int64(),
        "BOOLEAN": pa.bool_(),
        "INTEGER": pa.int32(),
        "INTEGER[]": pa.list_(pa.int32()),
        "JSON": pa.string(),
        "TIMESTAMP": pa.timestamp("ms"),
        "USMALLINT": pa.uint16(),
        "UTINYINT": pa.uint8(),
        "UTINYINT[54]": pa.list_(pa.uint8(), 54),
        "UTINYINT[]": pa.list_(pa.uint8()),
        "VARCHAR": pa.string(),
        "VARCHAR[]": pa.list_(pa.string()),
    }
