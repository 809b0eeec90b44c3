"""Logs on disk: which there are, opening them, and what to say when that fails."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from replay import regular
from replay.damages import damage_text
from replay.findings import hand_id, of_damage
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


class Stamp(NamedTuple):
    """When a file changed (ns since 1970), how many bytes it has, and which one it is."""

    changed: int
    size: int
    inode: int

    def is_of(self, now: "Stamp | None") -> bool:
        """Whether the file has not changed; an inode alone says nothing in a network folder."""
        return now is not None and self[:2] == now[:2]

    def has_become(self, now: "Stamp | None") -> bool:
        """Whether the file may have grown into what it is now; another one is in its place if not.

        A live log changes with every event, and what was read of it stays right.
        """
        if self.is_of(now):
            return True
        return now is not None and self.inode == now.inode and self.size <= now.size


def stamp(path: Path) -> Stamp | None:
    """What a file looks like now; None if it is gone."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


@contextmanager
def opened(path: Path) -> Iterator[Log]:
    """An open log; Unreadable says why it is none. Nothing but a regular file is waited for."""
    try:
        with regular.opened(str(path)) as stream:
            yield open_log(stream)
    except OSError as error:
        raise Unreadable(io_problem(path, error)) from None
    except LogError as error:
        raise Unreadable(damage_problem(error)) from None


def hand_in(log: Log, index: int, path: Path, wanted: str) -> Hand:
    """The hand of an open log with the id `wanted`; Unreadable if it is not there any more."""
    try:
        hand = log.hand(index)
    except KeyError:
        raise gone(path) from None
    if hand_id(hand.leaf) != wanted:  # another log has taken the place of the one that was read
        raise gone(path)
    return hand


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
    """Unreadable if the log or folder that is shown is gone, or neither file nor folder any more.

    A folder that cannot be looked into too.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            with os.scandir(path):
                return
    except OSError as error:
        raise Unreadable(_no_root(path, error)) from None
    if not stat.S_ISREG(mode):
        raise Unreadable(io_problem(path, regular.not_regular(str(path))))


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
