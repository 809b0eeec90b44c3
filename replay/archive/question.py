"""What an archive is asked from outside, within which limits, and how a question can end badly.

Small values that all sides of a query share: who asks, the process that works, who shows it.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

Value = str | int | float | None
Form = Literal["table", "csv", "json", "parquet", "page"]
Limit = Literal["seconds", "memory", "rows", "columns", "answer", "workers", "sql"]

MIB = 1 << 20
MOST_SECONDS = 604_800.0
"""The longest time limit, a week: a timer does not take every number."""
LEAST_MEMORY = 128 * MIB
"""Bytes: Python and DuckDB alone take three quarters of it."""
LONGEST_SQL = 1 << 20
"""Bytes: more comes from no person."""
_SENTENCES: Mapping[Limit, str] = {
    "seconds": "the query was stopped after {value:g} s, its time limit",
    "memory": "the query was stopped: it needs more memory than its limit of {value:g} MiB",
    "columns": "the query was refused: its answer has more than {value:g} columns, the limit",
    "answer": "the query was stopped: its answer is longer than its limit of {value:g} bytes",
    "workers": "the query was refused: {value:g} others run, the limit; ask again in a moment",
    "sql": "the query was refused: SQL is at most {value:g} bytes",
}


class QueryError(Exception):
    """SQL that cannot be run, in DuckDB's words (with the line and place), or was stopped."""


class Stopped(QueryError):
    """A query that one of its limits has stopped or refused: `limit`, and how much it allows.

    In seconds, MiB of memory, bytes of the answer or of SQL, columns, or queries at once (workers).
    """

    def __init__(self, limit: Limit, value: float) -> None:
        """Say which."""
        super().__init__(_SENTENCES[limit].format(value=value))
        self.limit = limit
        self.value = value


class Limits(Struct, frozen=True):
    """The most that one query may take; of its answer, None = all that comes in time.

    Seconds, bytes of memory, threads; rows and bytes of the answer: more is cut off, and said.
    More columns are refused.
    """

    seconds: float = 10.0
    memory: int = 512 * MIB
    threads: int = 2
    rows: int | None = None
    answer: int | None = None
    columns: int | None = None

    def __post_init__(self) -> None:
        """Check the ranges; NaN is in none."""
        if not 0 < self.seconds <= MOST_SECONDS:
            raise ValueError(
                f"a time limit is more than 0 and at most {MOST_SECONDS:g} s, not {self.seconds}"
            )
        if self.memory < LEAST_MEMORY:
            raise ValueError(
                f"a query needs at least {LEAST_MEMORY // MIB} MiB of memory, not {self.memory} B"
            )
        if self.threads < 1:
            raise ValueError(f"a query needs at least 1 thread, not {self.threads}")

    @property
    def megabytes(self) -> float:
        """The memory in MiB."""
        return self.memory / MIB


DEFAULT = Limits()


class Question(Struct, frozen=True):
    """One SELECT; `:name` in it stands for the parameter of that name. `form` of the answer."""

    sql: str
    parameters: Mapping[str, Value] = {}
    form: Form = "table"
    limits: Limits = DEFAULT


class Page(Struct, frozen=True):
    """A whole answer as JSON values, integers beyond ±2^53 as text, times in ISO 8601.

    `types` in DuckDB's words; `cut_by` names the limit (`rows`, `answer`) where there was more.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[list[Any]]
    cut_by: Limit | None
    seconds: float
