"""What the commands over an archive share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from replay.commands import shell
from replay.messages import has, text
from replay.wording import plain

if TYPE_CHECKING:
    from replay.archive.errors import ArchiveError

_CORRUPT = "Corrupt database file"
"""DuckDB's words for a block that is not what its checksum says."""


@contextmanager
def said(lang: str | None = None, folder: str | None = None) -> Iterator[None]:
    """What an archive refuses ends the command, in words of `lang` where there are some.

    Where DuckDB met bytes that are not what they were, the archive in `folder` is looked through
    for them.
    """
    import duckdb

    from replay.archive.errors import ArchiveError, Refused
    from replay.archive.question import QueryError, Stopped

    try:
        yield
    except Stopped as error:
        key = f"cli.query.stopped.{error.limit}"
        told = lang or shell.spoken()
        shell.fail(text(told, key, value=f"{error.value:g}") if has(told, key) else str(error))
    except Refused as error:
        shell.fail(words_of(error, lang or shell.spoken()))
    except (ArchiveError, QueryError, duckdb.Error) as error:
        damage = None
        if folder is not None and (isinstance(error, ArchiveError) or _CORRUPT in str(error)):
            from replay.archive.segments import damage as damage_of

            damage = damage_of(Path(folder))
        found = damage or error
        told = lang or shell.spoken()
        shell.fail(words_of(found, told) if isinstance(found, ArchiveError) else str(found))


def words_of(error: "ArchiveError", lang: str) -> str:
    """What an archive refuses, in a language and fit for a terminal."""
    return "\n".join(map(plain, error.said(lang).split("\n")))
