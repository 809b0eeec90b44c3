"""Asking an archive from outside: SQL that nobody has read, each query in a process of its own.

One door for the command line and for servers; it can be used from many threads.
"""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct

from replay.archive import apart
from replay.archive.query import Limits as RowLimits

Value = str | int | float | None
Form = Literal["table", "csv", "json", "parquet", "page"]


class Limits(Struct, frozen=True):
    """The most that one query may take; of its answer, None = all that comes in time.

    Seconds, bytes of memory, threads; rows and bytes of the answer: more is cut off, and said.
    """

    seconds: float = 10.0
    memory: int = 512 << 20
    threads: int = 2
    rows: int | None = None
    answer: int | None = None


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
    cut_by: str | None
    seconds: float


class Answer:
    """The bytes of an answer as they come: a context manager, to be iterated once."""

    def __init__(self, asked: apart.Answer) -> None:
        """Use `Asker.ask`."""
        self._asked = asked

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the query, whatever it does."""
        self._asked.__exit__()

    def __iter__(self) -> Iterator[bytes]:
        """The pieces in order; QueryError or ArchiveError in the middle."""
        for piece in self._asked:
            yield piece.encode()

    @property
    def cut_by(self) -> str | None:
        """The limit that cut the answer, `rows` or `answer`: known at the end."""
        return "rows" if self._asked.is_cut else None

    @property
    def is_cut(self) -> bool:
        """Whether there was more than the limits allow."""
        return self.cut_by is not None


class Asker:
    """The archive in `folder`, to be asked; `warm` workers are kept ready for the next queries."""

    def __init__(self, folder: Path | str, warm: int = 0) -> None:
        self._folder = str(Path(folder).absolute())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, question: Question) -> Answer:
        """Ask; ArchiveError or QueryError, now or while the answer is read."""
        limits = RowLimits(question.limits.seconds, question.limits.rows)
        form = question.form
        assert form != "parquet"
        asked = apart.Question(self._folder, question.sql, form, limits, question.limits.memory)
        return Answer(apart.Answer(asked))

    def page(
        self, sql: str, parameters: Mapping[str, Value] = {}, limits: Limits = DEFAULT
    ) -> Page:
        """The whole answer of one query."""
        began = time.monotonic()
        with self.ask(Question(sql, parameters, "page", limits)) as answer:
            first, *lines = b"".join(answer).splitlines()
        columns, types = msgspec.json.decode(first)
        rows = [msgspec.json.decode(line) for line in lines]
        return Page(tuple(columns), tuple(types), rows, answer.cut_by, time.monotonic() - began)

    def close(self) -> None:
        """End all that works for it."""
