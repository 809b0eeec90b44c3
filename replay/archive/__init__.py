"""Archive: logs verified once and kept as DuckDB tables, to be asked in SQL. See TABLES.md."""

from replay.archive.asking import Answer, Asker
from replay.archive.changes import Change, Progress, Summary
from replay.archive.check import Check, check
from replay.archive.indexing import Manner, index
from replay.archive.manifest import ArchiveError, is_archive
from replay.archive.named import NamedQuery, named, named_queries
from replay.archive.query import Archive, Result
from replay.archive.question import Limits, Page, QueryError, Question, Stopped
from replay.archive.render import render

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
