"""What stands at some paths right now: every log with its size and times. Nothing is opened."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from replay.archive import manifest
from replay.archive.errors import Refused
from replay.archive.paths import kept, on_disk
from replay.archive.stamps import Stamp, stamp_of

SUFFIXES = (".paipu", ".paipu.jsonl")
NOT_REGULAR = "no regular file (a pipe, a device or a socket)"
GROUP_FILES = 256
GROUP_BYTES = 1 << 26
"""A group of files ends at either limit."""


class Survey(Struct):
    """The logs found, by path in order, all as an archive keeps paths.

    `roots` are the folders they were looked for in. `passed` are no regular files, `unlisted`
    folders that could not be read, with the reason: nothing is known of what stands there.
    `waiting` are logs that are there and are not to be read yet.
    """

    files: dict[str, Stamp | None]
    roots: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    unlisted: tuple[tuple[str, str], ...] = ()
    waiting: frozenset[str] = frozenset()


def survey(paths: Iterable[Path | str]) -> Survey:
    """The logs at these paths, each once: files as they are named, folders walked.

    Archives inside are left alone. ArchiveError for a path that is not there or no regular file.
    """
    found: dict[str, Stamp | None] = {}
    roots: list[str] = []
    walked = _Walk(found)
    for path in paths:
        whole = os.path.abspath(path)
        if not os.path.lexists(whole):
            raise Refused("absent", path=kept(str(path)))
        if os.path.isdir(whole):
            roots.append(kept(whole))
            walked.folder(whole)
        elif not walked.file(whole):
            raise Refused("not_regular", path=kept(str(path)))
    walked.linked()
    return Survey(
        dict(sorted(found.items())), tuple(roots), tuple(walked.passed), tuple(walked.unlisted)
    )


class _Walk:
    """Collects what stands in folders, each folder once by whatever paths it can be reached.

    Links to folders are followed when all that is no link was seen: files keep their own paths.
    """

    def __init__(self, found: dict[str, Stamp | None]) -> None:
        self._found = found
        self._seen: set[tuple[int, int]] = set()
        self._links: list[str] = []
        self.passed: list[str] = []
        self.unlisted: list[tuple[str, str]] = []

    def folder(self, folder: str) -> None:
        """Everything below that is named like a log; a name that begins with a dot is not."""
        if not self._is_new(folder):
            return
        for place, folders, names in os.walk(folder, onerror=self._failed):
            if manifest.NAME in names:
                folders.clear()
                continue
            inside = [os.path.join(place, name) for name in sorted(folders)]
            self._links += filter(os.path.islink, inside)
            folders[:] = [
                os.path.basename(path)
                for path in inside
                if not os.path.islink(path) and self._is_new(path)
            ]
            for name in names:
                if name.endswith(SUFFIXES) and not name.startswith("."):
                    path = os.path.join(place, name)
                    if not self.file(path):
                        self.passed.append(kept(path))

    def linked(self) -> None:
        """Follow the links to folders that were found, and those behind them."""
        while self._links:
            self.folder(self._links.pop(0))

    def _is_new(self, folder: str) -> bool:
        """Whether a folder was not looked through yet: links may lead back, paths overlap."""
        try:
            status = os.stat(folder)
        except OSError:
            return True  # listing it says why
        place = status.st_dev, status.st_ino
        is_new = place not in self._seen
        self._seen.add(place)
        return is_new

    def file(self, path: str) -> bool:
        """Take a file in; not a pipe, a device or a socket: reading it may never end."""
        try:
            status = os.stat(path)
        except OSError:
            self._found[kept(path)] = None  # reading it says why
            return True
        if stat.S_ISREG(status.st_mode):
            self._found[kept(path)] = stamp_of(status)
            return True
        return False

    def _failed(self, error: OSError) -> None:
        self.unlisted.append((kept(os.fsdecode(error.filename)), error.strerror or str(error)))


def is_gone(path: str) -> bool:
    """Whether there is nothing at a path; not if one may not look, or the disk is out of order."""
    try:
        os.lstat(on_disk(path))
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False


def groups(files: Sequence[str], sizes: dict[str, Stamp | None]) -> Iterator[list[str]]:
    """The files in groups that are worked on together."""
    group: list[str] = []
    size = 0
    for path in files:
        group.append(path)
        stamp = sizes.get(path)
        size += stamp.bytes if stamp else 0
        if len(group) == GROUP_FILES or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
