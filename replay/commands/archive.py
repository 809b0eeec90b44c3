"""What the commands over an archive share."""

from collections.abc import Iterator
from contextlib import contextmanager

from replay.commands import shell
from replay.messages import has, text


@contextmanager
def said(lang: str | None = None) -> Iterator[None]:
    """What an archive refuses ends the command, in its words; limits in words of `lang`."""
    import duckdb

    from replay.archive.manifest import ArchiveError
    from replay.archive.question import QueryError, Stopped

    try:
        yield
    except Stopped as error:
        key = f"cli.query.stopped.{error.limit}"
        told = lang or shell.spoken()
        shell.fail(text(told, key, value=f"{error.value:g}") if has(told, key) else str(error))
    except (ArchiveError, QueryError, duckdb.Error) as error:
        shell.fail(str(error))
