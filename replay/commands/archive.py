"""What the commands over an archive share."""

from collections.abc import Iterator
from contextlib import contextmanager

from replay.commands import shell


@contextmanager
def said() -> Iterator[None]:
    """What an archive refuses ends the command, in its words."""
    import duckdb

    from replay.archive import ArchiveError, QueryError

    try:
        yield
    except (ArchiveError, QueryError, duckdb.Error) as error:
        shell.fail(str(error))
