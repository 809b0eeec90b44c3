"""Pseudonyms (化名) for whatever tells who played: one key, one name for everybody, everywhere.

Each is a keyed digest (HMAC-SHA-256, 64 bits of it), so equal things stay equal in all tables and
in all lakes of one key, and nobody without the key can try out names. Digests of the logs go the
same way: whoever guesses the players could compute those anew.
"""

import hashlib
import hmac

import pyarrow as pa
import pyarrow.compute as pc

_KINDS = {
    "player_id": "player",
    "player_ids": "player",
    "player_name": "name",
    "player_names": "name",
    "path": "path",
    "hand_id": "hand",
    "hand_ids": "hand",
    "file_id": "file",
    "last_leaf": "leaf",
    "head_leaf": "leaf",
    "previous_head": "leaf",
    "sha256": "bytes",
    "producer": "producer",
    "rules_version": "rules",
}
"""The columns that get pseudonyms, in whatever table, and of what kind of thing.

Who wrote a log and by which rule book is free text of its HEAD: a name can stand there too.
"""
_QUOTES = {
    "logs": ("error",),
    "findings": ("zh", "en", "expected", "logged", "proof"),
}
"""Columns that may quote a file; of findings only those about bytes and hashes do."""
_OF_BYTES = pa.array(["format", "integrity"])
_DIGITS = 16


class Pseudonyms:
    """Replaces what tells who played, by `key`: any bytes that nobody guesses."""

    def __init__(self, key: bytes) -> None:
        """The key may have any length."""
        self._key = hashlib.sha256(key).digest()
        self.mark = self._of("key", "")
        """Equal in all lakes of one key; tells nothing of it."""

    def applied(self, table: str, rows: pa.RecordBatch) -> pa.RecordBatch:
        """The rows of a table with pseudonyms; what may quote a file is NULL."""
        for place, field in enumerate(rows.schema):
            if field.name in _KINDS:
                changed = self._column(rows.column(place), field, _KINDS[field.name])
            elif field.name in _QUOTES.get(table, ()):
                changed = _unquoted(table, rows, rows.column(place))
            else:
                continue
            rows = rows.set_column(place, field, changed)
        return rows

    def _column(self, column: pa.Array, field: pa.Field, kind: str) -> pa.Array:
        if not pa.types.is_list(field.type):
            return self._texts(column, kind)
        # The offsets of a slice do not begin with 0: its values are taken from there on.
        first = column.offsets[0]
        offsets = pc.subtract(column.offsets, first)
        values = self._texts(column.flatten(), kind)
        empty = column.is_null() if column.null_count else None
        return pa.ListArray.from_arrays(offsets, values, type=field.type, mask=empty)

    def _texts(self, column: pa.Array, kind: str) -> pa.Array:
        numbered = column.dictionary_encode()
        names = [self._of(kind, text) for text in numbered.dictionary.to_pylist()]
        return pa.array(names, pa.string()).take(numbered.indices)

    def _of(self, kind: str, text: str) -> str:
        told = f"{kind}\0{text}".encode()
        digits = hmac.digest(self._key, told, "sha256").hex()[:_DIGITS]
        return f"{kind}-{digits}"


def _unquoted(table: str, rows: pa.RecordBatch, column: pa.Array) -> pa.Array:
    nothing = pa.scalar(None, column.type)
    if table == "findings":
        return pc.if_else(pc.is_in(rows.column("kind"), _OF_BYTES), nothing, column)
    return pc.if_else(pa.scalar(True), nothing, column)
