"""Archive: logs verified once and kept as DuckDB tables, to be asked in SQL. See TABLES.md."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from replay.archive.asking import Answer, Asker
from replay.archive.errors import ArchiveError
from replay.archive.manifest import is_archive
from replay.archive.named import NamedQuery, named, named_queries
from replay.archive.query import Archive, Result
from replay.archive.question import Limits, Page, QueryError, Question, Stopped
from replay.archive.render import render

if TYPE_CHECKING:
    from replay.archive.changes import Change, Progress, Summary
    from replay.archive.checking import Check, check
    from replay.archive.indexing import Manner, index

__all__ = [
    "Answer",
    "Archive",
    "ArchiveError",
    "Asker",
    "Change",
    "Check",
    "Limits",
    "Manner",
    "NamedQuery",
    "Page",
    "Progress",
    "QueryError",
    "Question",
    "Result",
    "Stopped",
    "Summary",
    "check",
    "index",
    "is_archive",
    "named",
    "named_queries",
    "render",
]

_LATER = {
    "Change": "changes",
    "Check": "checking",
    "Manner": "indexing",
    "Progress": "changes",
    "Summary": "changes",
    "check": "checking",
    "index": "indexing",
}


def __getattr__(name: str) -> Any:
    """What fills an archive is loaded when it is wanted: who asks one needs no engine."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
