"""What an archive refuses or cannot do, in sentences of the catalogue: `cli.archive.<word>`."""

import errno
import os
from pathlib import Path

from replay.messages import text
from replay.messages.system import reason

_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
"""What the system says when it does not let DuckDB write; that tells it in its own words."""
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}


class ArchiveError(Exception):
    """An archive that cannot be opened, read or written; the message says which and why."""

    def said(self, lang: str) -> str:
        """The message in a language, where it is known in that one."""
        return str(self)


class Refused(ArchiveError):
    """One with a sentence of the catalogue; `str` is the English one."""

    def __init__(self, word: str, **slots: object) -> None:
        """`slots` fill the sentence; an OSError among them by what the system said."""
        super().__init__(_said("en", word, slots))
        self.word = word
        self.slots = slots

    def said(self, lang: str) -> str:
        """The sentence."""
        return _said(lang, self.word, self.slots)


def _said(lang: str, word: str, slots: dict[str, object]) -> str:
    told = {
        name: reason(value, lang) if isinstance(value, OSError) else value
        for name, value in slots.items()
    }
    return text(lang, f"cli.archive.{word}", **told)


def translated(told: str, lang: str) -> str:
    """The same for what is kept of an error: the system's words alone."""
    number = _NUMBERS.get(told)
    return told if number is None else reason(OSError(number, told), lang)


def of_system(error: Exception) -> OSError | None:
    """What the system refused, where that is what DuckDB's error is about."""
    if isinstance(error, OSError):
        return error
    words = {os.strerror(number): number for number in _WRITING}
    found = next((word for word in words if word in str(error)), None)
    return None if found is None else OSError(words[found], found)


def failed(folder: Path, error: Exception) -> ArchiveError:
    """What ends a run although nobody refused anything."""
    told = of_system(error)
    return Refused("failed", path=folder, reason=str(error) if told is None else told)
