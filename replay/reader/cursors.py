"""The cursors that pages read an archive with, and their end; what to say of an archive lost."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from replay.archive import ArchiveError
from replay.archive.errors import is_gone
from replay.archive.segments import damage
from replay.messages import LANGS
from replay.messages.system import reason
from replay.reader.files import no_archive, shown_name
from replay.reader.pages import Problem, Unreadable

PATIENCE = 3.0
"""Seconds in which pages that were interrupted let go of their cursors."""
_AGAIN_EVERY = 0.05
"""Seconds between two interrupts: one ends a query, and a page may go on to its next."""

_NO_DAMAGE = (duckdb.InterruptException, duckdb.OutOfMemoryException)
"""Errors for which nobody reads the whole archive to see whether it is damaged."""


class Cursors:
    """Cursors that are in use. A query that runs when Python ends would abort the process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._used: set[duckdb.DuckDBPyConnection] = set()
        self._is_over = False

    @contextmanager
    def use(
        self, folder: Path, made: Callable[[], duckdb.DuckDBPyConnection]
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """A new cursor on the archive in `folder`; Unreadable where that is gone or damaged."""
        try:
            cursor = made()
        except (ArchiveError, OSError) as error:
            raise lost(folder, error) from None
        self._add(folder, cursor)
        try:
            yield cursor
        except _NO_DAMAGE:
            raise
        except duckdb.Error:
            if (found := damage(folder)) is not None:
                raise lost(folder, found) from None
            raise
        finally:
            self._close(cursor)

    def _add(self, folder: Path, cursor: duckdb.DuckDBPyConnection) -> None:
        with self._changed:
            if not self._is_over:
                self._used.add(cursor)
                return
        cursor.close()
        raise no_archive(folder)

    def _close(self, cursor: duckdb.DuckDBPyConnection) -> None:
        with self._changed:  # whoever interrupts it holds this too: never one that is being closed
            self._used.discard(cursor)
            self._changed.notify_all()
        cursor.close()

    def end(self) -> None:
        """Interrupt what runs, and let nothing new begin; returns when nothing does, or soon."""
        until = time.monotonic() + PATIENCE
        with self._changed:
            self._is_over = True
            while self._used and time.monotonic() < until:
                for cursor in self._used:
                    with suppress(duckdb.Error):
                        cursor.interrupt()
                self._changed.wait(_AGAIN_EVERY)


def lost(folder: Path, error: Exception) -> Unreadable:
    """The archive was there when the viewer started: it is gone, or it is damaged, and how."""
    if is_gone(error):
        return no_archive(folder)
    return Unreadable(Problem(*(_nowhere(folder, _said(error, lang)) for lang in LANGS)))


def _nowhere(folder: Path, sentence: str) -> str:
    """The sentence without where the archive stands on this machine, which is no reader's concern.

    Processes of ours name it absolute, whatever it was opened as.
    """
    name = shown_name(folder.resolve().name)
    places = {str(folder.absolute()), str(folder.resolve()), str(folder)}
    for place in sorted(places, key=len, reverse=True):
        if "/" in place.strip("/"):
            sentence = sentence.replace(place, name)
    return sentence


def _said(error: Exception, lang: str) -> str:
    match error:
        case ArchiveError():
            return error.said(lang)
        case OSError():
            return reason(error, lang)
        case _:
            return str(error)
