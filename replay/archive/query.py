"""Reading an archive: one read-only connection, SQL from people nobody knows.

The segments are attached READ_ONLY into a database in memory, then everything outside is shut
off and the settings are locked. Only single SELECT (or EXPLAIN SELECT) statements are run: any
other could detach a segment or replace a view for the requests that come after.
"""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
from msgspec import Struct

from replay.archive import manifest as manifests
from replay.archive import segments, tables
from replay.archive.manifest import ArchiveError, Manifest

_ATTEMPTS = 5
_FETCH = 1024
_EXPLAIN = re.compile(r"\s*explain\b(\s+analyze\b)?(\s*\([^()]*\))?", re.IGNORECASE)
_SHUT = (
    "SET python_enable_replacements = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET temp_directory = ''",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
MOST_SECONDS = 604_800.0
"""The longest time limit, a week: a timer does not take every number."""
LATE = "the query was stopped after {seconds:g} s, its time limit"
NO_MEMORY = "the query needs more memory than it may use"
Parameters = Sequence[Any] | Mapping[str, Any] | None


class QueryError(Exception):
    """SQL that cannot be run, in DuckDB's words (with the line and place), or was stopped."""


class Limits(Struct, frozen=True):
    """The most a query may take; None = no limit. `rows` beyond are cut off, and that is said.

    ValueError for seconds that are not more than 0 and at most `MOST_SECONDS`. They are heeded
    between rows; a query in a process of its own (apart.py) ends at once.
    """

    seconds: float | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        """Check the range; NaN is in none."""
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise ValueError(
                f"a time limit is more than 0 and at most {MOST_SECONDS:g} s, not {self.seconds}"
            )


UNLIMITED = Limits()


class Archive:
    """An open archive; what other processes add later is seen after opening it again."""

    def __init__(self, folder: Path, manifest: Manifest, con: duckdb.DuckDBPyConnection) -> None:
        """Use `Archive.open`."""
        self.folder = folder
        self.manifest = manifest
        self._con = con

    @classmethod
    def open(cls, path: Path | str, memory: str | None = None) -> Self:
        """Open the archive at `path` for reading; ArchiveError if it cannot be.

        `memory` such as `2GB` bounds what its queries may use together.
        """
        folder = Path(path)
        segments.demand_utf8(folder)
        manifest = manifests.read(folder)
        for _ in range(_ATTEMPTS):
            try:
                return cls(folder, manifest, _connect(folder, manifest, memory))
            except FileNotFoundError as error:
                # Merged away between reading MANIFEST and attaching: there is a newer MANIFEST.
                missing, newer = error, manifests.read(folder)
                if newer == manifest:
                    break
                manifest = newer
            except OSError as error:
                raise ArchiveError(f"{folder} cannot be read: {error.strerror}") from None
        raise ArchiveError(f"{folder}: MANIFEST lists {missing}, which is not there")

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

    def is_current(self) -> bool:
        """Whether the archive on disk is still the one that was opened."""
        return manifests.read(self.folder) == self.manifest

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own to the same tables, for one thread or request.

        What it runs is not checked: SQL that is not ours goes through `query`.
        """
        return self._con.cursor()

    def query(
        self, sql: str, parameters: Parameters = None, limits: Limits = UNLIMITED
    ) -> "Result":
        """Run one SELECT; rows come as they are read. QueryError if it is refused or fails."""
        con = self.cursor()
        try:
            _check(con, sql)
        except BaseException:
            con.close()
            raise
        return Result(con, sql, parameters, limits)


class Result:
    """Columns and rows of a query. Iterate once, or close it; it has a connection of its own."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        sql: str,
        parameters: Parameters,
        limits: Limits,
    ) -> None:
        """Start the query: its clock runs until the last row is fetched."""
        self._con = con
        self._limits = limits
        self._late = threading.Event()
        self._timer: threading.Timer | None = None
        self.is_cut = False
        """Whether there were more rows than the limit: known after the last row."""
        if limits.seconds is not None:
            self._timer = threading.Timer(limits.seconds, self._stop)
            self._timer.daemon = True
            self._timer.start()
        try:
            with self._in_words():
                con.execute(sql, parameters)
        except BaseException:
            self.close()
            raise
        described = con.description or []
        self.columns: tuple[str, ...] = tuple(column[0] for column in described)
        self.types: tuple[str, ...] = tuple(str(column[1]) for column in described)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows, as tuples of Python values; QueryError if reading fails or takes too long."""
        most = self._limits.rows
        given = 0
        try:
            while rows := self._fetch():
                for row in rows:
                    if given == most:
                        self.is_cut = True
                        return
                    given += 1
                    yield row
        finally:
            self.close()

    def _fetch(self) -> list[tuple[Any, ...]]:
        with self._in_words():
            if self._late.is_set():
                raise duckdb.InterruptException
            rows: list[tuple[Any, ...]] = self._con.fetchmany(_FETCH)
            return rows

    def _stop(self) -> None:
        self._late.set()
        with suppress(duckdb.Error):  # it may just have ended by itself
            self._con.interrupt()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            late = LATE.format(seconds=self._limits.seconds) if self._late.is_set() else ""
            raise QueryError(late or str(error)) from None
        except (OverflowError, ValueError) as error:  # DuckDB's ranges are wider than Python's
            raise QueryError(
                f"a value of the answer cannot be shown: {error}; casting it to VARCHAR helps"
            ) from None
        except MemoryError:
            raise QueryError(NO_MEMORY) from None

    def close(self) -> None:
        """End the query."""
        if self._timer is not None:
            self._timer.cancel()
        self._con.close()


def _connect(folder: Path, manifest: Manifest, memory: str | None) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    try:
        for segment in manifest.files():
            segments.attach(con, folder, segment)
        segments.create_views(con, manifest, tables.TABLES)
        if memory is not None:
            con.execute(f"SET memory_limit = {segments.quoted(memory)}")
        for setting in _SHUT:
            con.execute(setting)
    except BaseException:
        con.close()
        raise
    return con


def _check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """QueryError unless `sql` is one SELECT, or EXPLAIN and one SELECT."""
    found = _statements(con, sql)
    if len(found) != 1:
        raise QueryError(f"expected one statement, found {len(found)}")
    if found[0] is duckdb.StatementType.EXPLAIN:
        explain = _EXPLAIN.match(sql)
        found = _statements(con, sql[explain.end() :]) if explain else found
    if found != [duckdb.StatementType.SELECT]:
        raise QueryError(
            f"an archive is read with SELECT, this statement is {found[0].name}"
            + (" (a PIVOT needs its IN list)" if found[0].name == "MULTI" else "")
        )


def _statements(con: duckdb.DuckDBPyConnection, sql: str) -> list[duckdb.StatementType]:
    try:
        sql.encode()
        return [statement.type for statement in con.extract_statements(sql)]
    except duckdb.Error as error:
        raise QueryError(str(error)) from None
    except UnicodeEncodeError as error:
        raise QueryError(f"SQL is UTF-8 text; character {error.start} of this is none") from None
