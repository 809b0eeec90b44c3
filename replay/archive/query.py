"""Reading an archive: one read-only connection, SQL from people nobody knows.

The segments are attached READ_ONLY into a database in memory, then everything outside is shut
off, files too (those of the segments are open by then), and the settings are locked. Only single
SELECT (or EXPLAIN SELECT) statements are run, whose WITH does nothing but read: any other could
detach a segment or replace a view for the requests that come after.

What stays open to SQL: the tables, and what DuckDB tells of itself, such as settings and the paths
of the segments. Nor does any of this bound what a query takes, or hold against a fault of DuckDB:
SQL that is not ours is asked through asking.py, which runs each query in a process of its own that
the system confines.
"""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from replay.archive import derived, segments, tables, told
from replay.archive import manifest as manifests
from replay.archive.errors import Refused
from replay.archive.manifest import Manifest
from replay.archive.question import MIB, Form, Limit, Limits, QueryError, Stopped
from replay.archive.statement import bound, demand_select

if TYPE_CHECKING:
    import pyarrow as pa

_FETCH = 1024
_BATCH = 8192
"""Rows that are made Python values, or Arrow columns, at once."""
_SHUT = (
    "SET GLOBAL python_enable_replacements = false",
    "SET GLOBAL autoinstall_known_extensions = false",
    "SET GLOBAL autoload_known_extensions = false",
    "SET GLOBAL allow_community_extensions = false",
    "SET GLOBAL allow_persistent_secrets = false",
    "SET GLOBAL secret_directory = ''",
    "SET GLOBAL temp_directory = ''",
    "SET GLOBAL max_expression_depth = 500",
    "SET GLOBAL enable_external_access = false",
    # The one above still lets files be read that are attached, and others be written beside them.
    # What is open stays so.
    "SET GLOBAL disabled_filesystems = 'LocalFileSystem'",
)
_LOCK = "SET GLOBAL lock_configuration = true"
"""GLOBAL, or a setting that a connection can have for itself would not hold for its cursors."""
_ITSELF = 80 * MIB
"""Bytes that Python and DuckDB take before they are asked."""
Parameters = Sequence[Any] | Mapping[str, Any] | None


class Archive:
    """An open archive; what other processes add later is seen after opening it again."""

    def __init__(self, folder: Path, manifest: Manifest, con: duckdb.DuckDBPyConnection) -> None:
        """Use `Archive.open`."""
        self.folder = folder
        self.manifest = manifest
        self._con = con

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the archive at `path` for reading; ArchiveError if it cannot be."""
        archive = cls.prepared(path)
        archive.shut()
        return archive

    @classmethod
    def prepared(cls, path: Path | str) -> Self:
        """The same, not shut yet: nobody else's SQL may run before `shut`."""
        folder = Path(path)
        try:
            return segments.opened(folder, lambda manifest: cls._of(folder, manifest))
        except OSError as error:
            raise Refused("unread", path=folder, reason=error) from None

    @classmethod
    def _of(cls, folder: Path, manifest: Manifest) -> Self:
        return cls(folder, manifest, _connect(folder, manifest))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up the files; cursors end with it."""
        self._con.close()

    def shut(self, limits: Limits | None = None) -> None:
        """Shut off everything outside, bound what queries may take together, lock the settings."""
        for setting in (*_SHUT, *(() if limits is None else _bounds(limits)), _LOCK):
            self._con.execute(setting)

    def is_current(self) -> bool:
        """Whether the archive on disk is still the one that was opened."""
        return manifests.read(self.folder) == self.manifest

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the same tables, for one thread or request.

        What it runs is not checked: SQL that is not ours goes through `query`.
        """
        return self._con.cursor()

    def query(
        self,
        sql: str,
        parameters: Parameters = None,
        limits: Limits | None = None,
        form: Form | None = None,
    ) -> "Result":
        """Run one SELECT; rows come as they are read. QueryError if it is refused or fails.

        `parameters` for `?` in order, or by name for `:name`; names that do not occur are left
        out. Of the limits rows, columns and bytes are heeded: memory by `shut`, time by who can
        end us. With a `form` values that it cannot hold exactly are text; without one they are
        what Python has, which knows no infinite dates, nanoseconds or months.
        """
        con = self.cursor()
        try:
            with _in_words(limits):
                statement, values = _prepared(con, sql, parameters)
                telling = None if form is None else _telling(con, statement, values, form, limits)
            return Result(con, statement, values, limits, telling, form)
        except BaseException:
            con.close()
            raise


class Result:
    """Columns and rows of a query. Iterate once, or close it; it has a connection of its own."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        statement: duckdb.Statement,
        values: Parameters,
        limits: Limits | None,
        telling: told.Telling | None = None,
        form: Form | None = None,
    ) -> None:
        """Start the query."""
        self._con = con
        self._limits = limits
        self.cut_by: Limit | None = None
        """The limit of the answer that there was more than: known after the last row."""
        self.is_plan = statement.type is duckdb.StatementType.EXPLAIN
        self._changes: tuple[told.Change | None, ...] = () if telling is None else telling.changes
        with _in_words(self._limits):
            con.execute(statement if telling is None else telling.sql, values)
        described = con.description or []
        self.columns: tuple[str, ...] = tuple(column[0] for column in described)
        self.types: tuple[str, ...] = tuple(str(column[1]) for column in described)
        if telling is not None:
            self.columns, self.types = telling.columns, telling.types
        elif form is not None:
            told.demand_exact(self.columns, [column[1] for column in described], form)
        _demand_few(len(self.columns), limits)

    @property
    def most_bytes(self) -> int | None:
        """The limit of the answer in bytes."""
        return None if self._limits is None else self._limits.answer

    @property
    def is_cut(self) -> bool:
        """Whether there was more than the limits allow."""
        return self.cut_by is not None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows, as tuples of Python values; QueryError if reading fails."""
        most = None if self._limits is None else self._limits.rows
        given = 0
        try:
            while rows := self._fetch():
                for row in rows:
                    if given == most:
                        self.cut_by = "rows"
                        return
                    given += 1
                    yield row
        finally:
            self.close()

    def batches(self) -> "tuple[pa.Schema, Iterator[pa.RecordBatch]]":
        """The rows as Arrow record batches instead, and their schema."""
        with _in_words(self._limits), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # each batch is copied once: that is meant
            reader: pa.RecordBatchReader = self._con.to_arrow_reader(_BATCH)
            return reader.schema, self._cut(reader)

    def _cut(self, reader: "pa.RecordBatchReader") -> "Iterator[pa.RecordBatch]":
        left = None if self._limits is None else self._limits.rows
        try:
            while (batch := self._next(reader)) is not None:
                if left is not None and batch.num_rows > left:
                    self.cut_by = "rows"
                    yield batch.slice(0, left)
                    return
                left = left and left - batch.num_rows
                yield batch
        finally:
            self.close()

    def _next(self, reader: "pa.RecordBatchReader") -> "pa.RecordBatch | None":
        with _in_words(self._limits):
            return next(reader, None)

    def _fetch(self) -> list[tuple[Any, ...]]:
        with _in_words(self._limits):
            rows: list[tuple[Any, ...]] = self._con.fetchmany(_FETCH)
        if any(self._changes):
            return [tuple(map(_changed, self._changes, row)) for row in rows]
        return rows

    def close(self) -> None:
        """End the query."""
        self._con.close()


@contextmanager
def _in_words(limits: Limits | None) -> Iterator[None]:
    """Whatever stops a query is a QueryError; a limit by its name."""
    try:
        yield
    except (MemoryError, duckdb.OutOfMemoryException) as error:
        if limits is None:
            raise QueryError(str(error) or "the query needs more memory than there is") from None
        raise Stopped("memory", limits.megabytes) from None
    except duckdb.InterruptException as error:
        if limits is None:
            raise QueryError(str(error)) from None
        raise Stopped("seconds", limits.seconds) from None
    except duckdb.Error as error:
        raise QueryError(str(error)) from None
    except (OverflowError, ValueError) as error:  # DuckDB's ranges are wider than Python's
        raise QueryError(
            f"a value of the answer cannot be shown: {error}; casting it to VARCHAR helps"
        ) from None


def _prepared(
    con: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters
) -> tuple[duckdb.Statement, Parameters]:
    """The statement, and those of the parameters that occur in it."""
    if not isinstance(parameters, Mapping):
        return demand_select(con, sql), parameters
    statement = demand_select(con, bound(sql, parameters.keys()))
    wanted = statement.named_parameters
    if missing := sorted(wanted - parameters.keys()):
        raise QueryError(f"parameters without a value: {', '.join(missing)}")
    return statement, {name: parameters[name] for name in wanted} or None


def _changed(change: told.Change | None, value: Any) -> Any:
    return value if change is None else change(value)


def _demand_few(n_columns: int, limits: Limits | None) -> None:
    most = None if limits is None else limits.columns
    if most is not None and n_columns > most:
        raise Stopped("columns", most)


def _telling(
    con: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    values: Parameters,
    form: Form,
    limits: Limits | None,
) -> told.Telling | None:
    """How its answer is told exactly; None if as it is, or if that cannot be looked up."""
    if statement.type is duckdb.StatementType.EXPLAIN:
        return None
    sql = told.bare(statement.query)
    try:
        con.execute(f"(\n{sql}\n) LIMIT 0", values)
        described = con.description or []
        _demand_few(len(described), limits)
        found = told.telling(
            sql, [each[0] for each in described], [each[1] for each in described], form
        )
        if found is not None:
            demand_select(con, found.sql)
        return found
    except Stopped:
        raise
    except (duckdb.Error, QueryError):  # then it is said of the statement itself
        return None


def _bounds(limits: Limits) -> tuple[str, ...]:
    """DuckDB's own limits; of the memory, a quarter is for what DuckDB does not count.

    That is what Python makes of the rows, the stacks of threads, and blocks that were given back
    and are mapped yet: on an archive of a million hands up to 80 MiB of 512, in any query that
    fills the buffers. With an eighth 5 runs in 30 of three of these ended for lack of memory.
    """
    memory = (limits.memory - _ITSELF) * 3 // 4
    return (
        f"SET GLOBAL memory_limit = '{memory // MIB}MiB'",
        f"SET GLOBAL threads = {limits.threads}",
        f"SET GLOBAL max_execution_time = {math.ceil(limits.seconds * 1000)}",
    )


def _connect(folder: Path, manifest: Manifest) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    try:
        for segment in manifest.files():
            segments.attach(con, folder, segment)
        segments.create_views(con, manifest, tables.TABLES)
        derived.create(con)
    except duckdb.Error as error:
        con.close()
        raise Refused("unopened", path=folder, reason=error) from None
    except BaseException:
        con.close()
        raise
    return con
