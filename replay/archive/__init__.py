"""Archive: logs verified once and kept as DuckDB tables, to be asked in SQL. See TABLES.md."""

from replay.archive.apart import Answer, Question, memory_for_one
from replay.archive.check import Check, check
from replay.archive.indexing import Summary, index
from replay.archive.manifest import ArchiveError, is_archive
from replay.archive.named import NamedQuery, named, named_queries
from replay.archive.query import UNLIMITED, Archive, Limits, QueryError, Result
from replay.archive.render import render

__all__ = [
    "UNLIMITED",
    "Answer",
    "Archive",
    "ArchiveError",
    "Check",
    "Limits",
    "NamedQuery",
    "QueryError",
    "Question",
    "Result",
    "Summary",
    "check",
    "index",
    "is_archive",
    "memory_for_one",
    "named",
    "named_queries",
    "render",
]
