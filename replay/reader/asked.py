"""Questions to an archive, on behalf of a page: each in a process of its own, within limits."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, get_args

import duckdb

from replay.archive import ArchiveError
from replay.archive.asking import PAGE, Answer, Asker, page_in, start
from replay.archive.named import Group, NamedQuery, Parameter, named_queries
from replay.archive.question import Limits, QueryError, Question, Stopped
from replay.archive.segments import damage
from replay.messages import LANGS, text
from replay.messages.matched import matched
from replay.reader.alike import sql_for
from replay.reader.cursors import lost
from replay.reader.questions import (
    Bounds,
    Drawing,
    Field,
    Form,
    IsGone,
    ReadyQuestion,
    SqlAnswer,
    SqlProblem,
    Table,
    TableColumn,
    Values,
    nobody_leaves,
)
from replay.reader.selection import PAGE_ID
from replay.reader.sqlfields import fields_in, values_of
from replay.reader.sqlplace import place_in, sentence_in

BOUNDS = Bounds(PAGE.seconds, PAGE.memory, rows=PAGE.rows or 0, download=64 << 20)
_MOST_CELLS = 60_000
"""Of an answer with hundreds of columns fewer rows are shown: browsers tire of larger tables."""
_MOST_DOWNLOADS = 8
"""Answers that are handed out at once: each may fill a file of the size of a download."""
_AGAIN_AFTER = 5
"""Seconds after which somebody who found all places taken may ask again."""
_IN_MEMORY = 4 << 20
"""Bytes of a download that are kept in memory; more goes to a file without a name."""
_WATCH_EVERY = 0.2
"""Seconds between two looks whether somebody still waits for an answer."""
_UNREAD = ("IO Error: ", "Corrupt database file")
"""How DuckDB begins when it met bytes that are not what they were; no SQL makes it begin so, for
whoever asks can open no file, and what `error()` says comes behind other words."""
Cursors = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]


class ArchiveAsking:
    """What a page may ask of the archive at `path`; `cursors` are our own, for what we know."""

    def __init__(self, path: Path, cursors: Cursors) -> None:
        self._path = path
        self._cursors = cursors
        self._lock = threading.Lock()
        self._asker: Asker | None = None
        self._downloads = threading.BoundedSemaphore(_MOST_DOWNLOADS)

    @property
    def bounds(self) -> Bounds:
        """The limits of every question."""
        return BOUNDS

    def ready(self) -> tuple[ReadyQuestion, ...]:
        """The named queries, by what they are about."""
        return _ready_questions()

    def tables(self) -> tuple[Table, ...]:
        """Tables first as TABLES.md has them, then views over them."""
        return self._tables

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        """Looked up once: every archive of our format has the same."""
        with self._cursors() as con:
            found = con.execute(
                """SELECT table_name, list((column_name, data_type) ORDER BY column_index)
                FROM duckdb_columns()
                WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
                GROUP BY table_name ORDER BY min(table_oid)
                """
            ).fetchall()
        return tuple(
            Table(name, tuple(TableColumn(*column) for column in columns))
            for name, columns in found
        )

    def fields(self, sql: str) -> tuple[Field, ...]:
        """The `:name`s of SQL that anybody wrote."""
        return fields_in(sql)

    def answer(
        self, sql: str, fields: tuple[Field, ...], values: Values, is_gone: IsGone = nobody_leaves
    ) -> SqlAnswer:
        """The answer as far as it is shown."""
        began = time.monotonic()
        question = Question(sql, values_of(fields, values), "page", PAGE)
        with self._asked(question, is_gone) as answer:
            columns, types, rows = page_in(answer)
        seconds = time.monotonic() - began
        cut_by: str | None = answer.cut_by
        most = max(1, _MOST_CELLS // len(columns))
        if len(rows) > most:
            rows, cut_by = rows[:most], "cells"
        logs = self._pages_of(columns, rows)
        return SqlAnswer(columns, types, rows, cut_by, seconds, logs)

    @contextmanager
    def download(
        self,
        sql: str,
        fields: tuple[Field, ...],
        values: Values,
        form: Form,
        is_gone: IsGone = nobody_leaves,
    ) -> Iterator[Iterator[bytes]]:
        """The whole answer as a file; never a part of it. Few are open at once."""
        limits = Limits(answer=BOUNDS.download)
        question = Question(sql, values_of(fields, values), form, limits)
        with self._place(sql), tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            with self._asked(question, is_gone) as answer:
                for piece in answer:
                    file.write(piece)
                if answer.cut_by is not None:
                    raise Stopped("answer", BOUNDS.download)
            file.seek(0)
            yield iter(lambda: file.read(1 << 16), b"")

    @contextmanager
    def _place(self, sql: str) -> Iterator[None]:
        """One of the downloads that are open at once."""
        if not self._downloads.acquire(blocking=False):
            with _in_words(self._path, sql):
                raise Stopped("workers", _MOST_DOWNLOADS)
        try:
            yield
        finally:
            self._downloads.release()

    def alike(self, hand_id: str, event: int | None, lang: str) -> str:
        """SQL for hands like this one."""
        with self._cursors() as con:
            return sql_for(con, hand_id, event, lang)

    def close(self) -> None:
        """End the processes that questions are asked in; who asks after this hears it is over."""
        with self._lock:
            if self._asker is None:
                self._asker = Asker(self._path)
            self._asker.close()

    def _ready_asker(self) -> Asker:
        """Made with the first question: who only looks at hands starts no process."""
        with self._lock:
            if self._asker is None:
                self._asker = Asker(self._path, warm=2)
            return self._asker

    @contextmanager
    def _asked(self, question: Question, is_gone: IsGone) -> Iterator[Answer]:
        """The answer as it comes; ended when nobody waits for it any more."""
        with (
            _in_words(self._path, question.sql),
            self._ready_asker().ask(question) as answer,
            _watched(answer, is_gone),
        ):
            yield answer

    def _pages_of(self, columns: tuple[str, ...], rows: list[list[Any]]) -> dict[int, str]:
        """The pages of the logs that a column `log_id` names."""
        names = [name.casefold() for name in columns]
        if "log_id" not in names:
            return {}
        at = names.index("log_id")
        named = {row[at] for row in rows if type(row[at]) is int}
        with self._cursors() as con:
            found = con.execute(
                f"SELECT l.log_id, {PAGE_ID} FROM logs l WHERE l.log_id IN (SELECT unnest(?))",
                [list(named)],
            ).fetchall()
        return dict(found)


@contextmanager
def _watched(answer: Answer, is_gone: IsGone) -> Iterator[None]:
    """End the question when whoever asked has left: a query of theirs keeps nobody waiting."""
    is_read = threading.Event()

    def watch() -> None:
        while not is_read.wait(_WATCH_EVERY):
            if is_gone():
                answer.end()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    start(watcher)
    try:
        yield
    finally:
        is_read.set()
        watcher.join()


@cache
def _ready_questions() -> tuple[ReadyQuestion, ...]:
    order = get_args(Group)
    found = sorted(named_queries(), key=lambda query: order.index(query.group))
    return tuple(map(_ready, found))


def _ready(query: NamedQuery) -> ReadyQuestion:
    chart = query.chart
    drawing = None if chart is None else Drawing(chart.kind, chart.x, chart.y, chart.colour or "")
    fields = tuple(map(_field, query.parameters))
    return ReadyQuestion(query.name, query.zh, query.en, query.group, query.sql, fields, drawing)


def _field(parameter: Parameter) -> Field:
    default = "" if parameter.default is None else str(parameter.default)
    return Field(
        name=parameter.name,
        kind=parameter.kind,
        default=default,
        choices=parameter.choices,
        zh=parameter.zh,
        en=parameter.en,
    )


@contextmanager
def _in_words(path: Path, sql: str) -> Iterator[None]:
    """Errors of the archive as problems of a page: DuckDB's words, and limits by name."""
    try:
        yield
    except Stopped as error:
        amount = error.value / (1 << 20) if error.limit == "answer" else error.value
        key, value = f"view.sql.stopped_{error.limit}", f"{amount:,g}"
        zh, en = (text(lang, key, value=value) for lang in LANGS)
        again_after = _AGAIN_AFTER if error.limit == "workers" else None
        raise SqlProblem(zh, en, again_after=again_after) from None
    except QueryError as error:
        said = str(error)
        if said.startswith(_UNREAD) and (found := damage(path)) is not None:
            raise lost(path, found) from None
        sentence = sentence_in(said)
        zh, en = (matched(lang, "refusal", sentence) or sentence for lang in LANGS)
        raise SqlProblem(zh, en, place_in(said, sql)) from None
    except ArchiveError as error:
        raise lost(path, error) from None
