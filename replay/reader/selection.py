"""What a query for hands is in SQL: every word that a visitor chose is a parameter."""

from typing import Any

from msgspec import Struct

from replay.reader.pages import HandQuery, Sort

PAGE_ID = """CASE WHEN l.file_id IS NULL THEN 'x' || l.log_id
    WHEN len(l.conflict) > 0 THEN l.file_id || '-' || left(l.last_leaf, 8)
    ELSE l.file_id END"""
"""What the address of a log's page says: the file's own id, of conflicting copies the leaf too."""

RESULT = """coalesce(h.result,
    CASE WHEN h.aborted IS NOT NULL AND h.verified THEN 'aborted' ELSE 'unverified' END)"""

HAND_COLUMNS = f"""h.hand_id, {PAGE_ID}, l.path, h.hand, h.game, l.player_ids, l.player_names,
    {RESULT}, h.winners, h.dealer, h.findings, h.events, epoch_ms(h.started_at)"""

LOG_COLUMNS = f"""{PAGE_ID} AS page_id, l.path, l.game, l.form, l.player_ids, l.player_names,
    l.hands, l.findings, epoch_ms(l.created), l.error"""

FACETS = {"game": "h.game", "result": RESULT}

ORDERS: dict[Sort, str] = {
    "newest": "h.started_at DESC, h.log_id DESC, h.hand DESC",
    "oldest": "h.started_at, h.log_id, h.hand",
    "findings": "h.findings DESC, h.started_at DESC, h.log_id, h.hand",
    "longest": "h.events DESC, h.started_at DESC, h.log_id, h.hand",
}

_TESTS = {
    "game": "h.game = ?",
    "result": f"{RESULT} = ?",
    "log_id": f"{PAGE_ID} = ?",
    "player": "(list_contains(l.player_ids, ?) OR list_contains(l.player_names, ?))",
    "text": "(contains(h.hand_id, ?) OR contains(lower(parse_filename(l.path)), ?))",
}


class Selection(Struct, frozen=True):
    """`sql` begins with FROM and ends in its WHERE; `values` fill its question marks."""

    sql: str
    values: list[Any]


def selection(query: HandQuery, without: str = "") -> Selection:
    """The hands that a query asks for, as if its field `without` asked for nothing."""
    tests, values = ["true"], []
    for field, test in _TESTS.items():
        wanted = getattr(query, field)
        if wanted and field != without:
            tests.append(test)
            values += [wanted.lower() if field == "text" else wanted] * test.count("?")
    if query.findings and without != "findings":
        tests.append("h.findings > 0" if query.findings == "some" else "h.findings = 0")
    where = " AND ".join(tests)
    return Selection(f"FROM hands h JOIN logs l USING (log_id) WHERE {where}", values)
