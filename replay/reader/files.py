"""Logs on disk: which there are, opening them, and what to say when that fails."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from replay.damages import damage_text
from replay.findings import of_damage
from replay.messages import text
from replay.messages.matched import matched
from replay.messages.system import reason
from replay.reader.pages import Problem, Unreadable
from schema.damage import LogError, damage_in
from schema.items import Hand, Log
from schema.logfile import open_log

SUFFIXES = (".paipu", ".paipu.jsonl")


def log_files(path: Path) -> list[Path]:
    """The log itself, or every log below a folder, in order of their names."""
    if not path.is_dir():
        return [path]
    found = (file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}"))
    return sorted(file for file in found if file.is_file() and not file.name.startswith("."))


def stamp(path: Path) -> tuple[int, int] | None:
    """When a file changed and how long it is; None if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@contextmanager
def opened(path: Path) -> Iterator[Log]:
    """An open log; Unreadable says why it is none."""
    try:
        with path.open("rb") as stream:
            yield open_log(stream)
    except OSError as error:
        raise Unreadable(io_problem(path, error)) from None
    except LogError as error:
        raise Unreadable(damage_problem(error)) from None


def hand_in(log: Log, index: int, path: Path) -> Hand:
    """A hand of an open log; Unreadable if it is not there any more."""
    try:
        return log.hand(index)
    except KeyError:
        raise gone(path) from None


def gone(path: Path) -> Unreadable:
    """A log is there, but not the hand that it once held."""
    return Unreadable(_both(lambda lang: text(lang, "view.error.lost", path=shown_name(path.name))))


def no_archive(path: Path) -> Unreadable:
    """The archive was there when the viewer started, and is not now."""
    return Unreadable(
        _both(lambda lang: text(lang, "view.error.no_archive", path=shown_name(path.name)))
    )


def io_problem(path: Path, error: OSError) -> Problem:
    """What the system said about a file."""
    name = shown_name(path.name)
    return _both(lambda lang: text(lang, "view.error.io", path=name, reason=reason(error, lang)))


def demand_root(path: Path) -> None:
    """Unreadable if the log or folder that is shown is gone, or cannot be looked into."""
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            with os.scandir(path):
                return
    except OSError as error:
        raise Unreadable(_no_root(path, error)) from None


def _no_root(path: Path, error: OSError) -> Problem:
    name, key = shown_name(path.resolve().name), "view.server.no_root"
    return _both(lambda lang: text(lang, key, path=name, reason=reason(error, lang)))


def damage_problem(error: LogError) -> Problem:
    """What is wrong with the bytes of a file."""
    finding = of_damage(error.damage)
    return Problem(finding.zh, finding.en)


def told_problem(line: str) -> Problem:
    """What an archive tells of a file that could not be read when it was indexed."""
    damage = damage_in(line)
    if damage is not None:
        return _both(lambda lang: damage_text(damage, lang))
    return _both(lambda lang: matched(lang, "cli.os", line) or line)


def _both(say: Callable[[str], str]) -> Problem:
    return Problem(say("zh"), say("en"))


def shown_name(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 as `\\xff`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def short_digest(name: str) -> str:
    """Eight hex digits that stand for a name in an address."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]
