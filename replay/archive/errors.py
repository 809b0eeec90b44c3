"""What an archive refuses or cannot do, in sentences of the catalogue: `cli.archive.<word>`."""

import errno
import os
import re
from pathlib import Path
from typing import TypeGuard

import msgspec

from replay.messages import text
from replay.messages.matched import matched
from replay.messages.system import reason

_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
"""What the system says when it does not let DuckDB write; that tells it in its own words."""
_AT = re.compile(r"\(byte ([0-9]+)\)\Z")
"""Where msgspec met what is no JSON."""
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}


class ArchiveError(Exception):
    """An archive that cannot be opened, read or written; the message says which and why."""

    def said(self, lang: str) -> str:
        """The message in a language, where it is known in that one."""
        return str(self)


class Told(ArchiveError):
    """One that another process has met, in the sentences that it sent."""

    def __init__(self, zh: str, en: str, is_gone: bool) -> None:
        """`is_gone`: there is no archive any more where it was."""
        super().__init__(en)
        self.zh = zh
        self.en = en
        self.is_gone = is_gone

    def said(self, lang: str) -> str:
        """The sentence."""
        return self.zh if lang == "zh" else self.en


class Refused(ArchiveError):
    """One with a sentence of the catalogue; `str` is the English one."""

    def __init__(self, word: str, **slots: object) -> None:
        """`slots` fill the sentence; an error among them by our words for what it says."""
        super().__init__(_said("en", word, slots))
        self.word = word
        self.slots = slots

    def said(self, lang: str) -> str:
        """The sentence."""
        return _said(lang, self.word, self.slots)


def is_gone(error: Exception) -> bool:
    """Whether it says that nothing stands any more where an archive was."""
    if isinstance(error, Told):
        return error.is_gone
    why = error.slots["reason"] if _is_about_manifest(error) else error
    return isinstance(why, FileNotFoundError | NotADirectoryError)


def _is_about_manifest(error: Exception) -> TypeGuard[Refused]:
    return isinstance(error, Refused) and error.word == "no_archive"


def _said(lang: str, word: str, slots: dict[str, object]) -> str:
    told = {name: _worded(value, lang) for name, value in slots.items()}
    return text(lang, f"cli.archive.{word}", **told)


def _worded(value: object, lang: str) -> object:
    match value:
        case OSError():
            return reason(value, lang)
        case msgspec.ValidationError():
            told = str(value)
            return text(lang, "cli.json.content", what=matched(lang, "cli.contents", told) or told)
        case msgspec.DecodeError():
            at = _AT.search(str(value))
            return text(lang, "cli.json.malformed" if at else "cli.json.short", n=at and at[1])
        case UnicodeDecodeError():
            return text(lang, "cli.json.malformed", n=value.start)
        case RecursionError():
            return text(lang, "cli.json.deep")
        case _:
            return value


def translated(told: str, lang: str) -> str:
    """The same for what is kept of an error: the system's words, or our own for them."""
    number = _NUMBERS.get(told)
    if number is None:
        return matched(lang, "cli.os", told) or told
    return reason(OSError(number, told), lang)


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
