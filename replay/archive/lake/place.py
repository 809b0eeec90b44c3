"""Where a lake is built and how it gets its name: whole, in one step, or not at all.

It grows in a hidden folder beside its own, `.NAME.exporting`, which whoever builds holds locked;
what a process that was killed left there is removed by the next one. A lake that stands already
changes places with the new one.
"""

import ctypes
import errno
import fcntl
import os
import shutil
import stat
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from replay.archive import manifest as manifests
from replay.archive import tables
from replay.archive.errors import ArchiveError
from replay.archive.lake import manifest as lakes
from replay.archive.manifest import sync_folder

SPILL = "spill"
"""Folder for what DuckDB sorts, in the lake that is being built."""
_OURS = {*tables.TABLES, lakes.NAME, lakes.SUMS, SPILL}
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


class Place:
    """The folder `building` for a lake that is to stand at `target`; use as a context manager."""

    def __init__(self, target: Path) -> None:
        """Lock it; ArchiveError if another process does, or something else stands there."""
        self.target = Path(os.path.realpath(target))
        self.building = self.target.with_name(f".{self.target.name}.exporting")
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self._umask = os.umask(0o077)  # whole decks: its owner's alone, as archives are
        self._locks = ExitStack()
        self._held: list[int] = []
        try:
            self._lock_building()
            self._clear()
        except BaseException:
            self._give_back()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what did not become the lake, and the one that was replaced."""
        if self._is_held(self.building):
            shutil.rmtree(self.building, ignore_errors=True)
        self._give_back()

    def publish(self) -> None:
        """Make what was built the lake at `target`, where nothing, or an empty folder, stands."""
        self._sync()
        try:
            os.rename(self.building, self.target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise
            raise ArchiveError(f"{self.target} was filled meanwhile; it is left as it is") from None
        sync_folder(self.target.parent)

    def publish_instead(self) -> None:
        """The same, in place of the lake that stands there: readers see the one or the other."""
        self._sync()
        self._lock(self.target)
        _exchange(self.building, self.target)
        sync_folder(self.target.parent)

    def _sync(self) -> None:
        for place, _, _ in os.walk(self.building, topdown=False):
            sync_folder(Path(place))

    def _lock_building(self) -> None:
        self.building.mkdir(exist_ok=True)
        while not self._lock(self.building):
            self.building.mkdir(exist_ok=True)  # it became the lake of a process just ended

    def _lock(self, folder: Path) -> bool:
        """Lock a folder until the end; whether it is still the one of that name."""
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._locks.callback(os.close, lock)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ArchiveError(f"another process is exporting to {self.target}") from None
        self._held.append(lock)
        return self._is_held(folder)

    def _is_held(self, folder: Path) -> bool:
        """Whether what stands at `folder` is locked by us."""
        try:
            found = os.lstat(folder)
        except FileNotFoundError:
            return False
        return any(os.path.samestat(found, os.fstat(lock)) for lock in self._held)

    def _give_back(self) -> None:
        self._locks.close()
        os.umask(self._umask)

    def _clear(self) -> None:
        """Remove what a killed process left."""
        with os.scandir(self.building) as found:
            entries = list(found)
        for entry in entries:
            if entry.name not in _OURS:
                raise ArchiveError(f"{entry.path} is in the way of building a lake; remove it")
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)


def demand_free(target: Path, archive: Path) -> None:
    """ArchiveError unless a new lake can stand at `target`: nothing does, or an empty folder."""
    _demand_apart(target, archive)
    if not _is_filled(target):
        return
    if lakes.is_lake(target):
        raise ArchiveError(f"{target} is a lake already; --force replaces it")
    what = "an archive" if manifests.is_archive(target) else "neither a lake nor empty"
    raise ArchiveError(f"{target} is {what}; a lake wants a folder of its own")


def demand_replaceable(target: Path, archive: Path) -> None:
    """ArchiveError unless nothing is lost with what is at `target`: a lake and nothing else."""
    if not (_is_filled(target) and lakes.is_lake(target)):
        demand_free(target, archive)
        return
    _demand_apart(target, archive)
    found, _ = lakes.read(target)
    listed = {lakes.NAME, lakes.SUMS, *(part.path for part in found.files())}
    if others := [path for path in lakes.below(target) if path not in listed]:
        raise ArchiveError(
            f"{target} is not replaced: {others[0]} is no part of the lake there"
            + (f", nor are {len(others) - 1} others" if len(others) > 1 else "")
        )


def _demand_apart(target: Path, archive: Path) -> None:
    if os.path.ismount(target):
        raise ArchiveError(f"{target} is where a file system begins; name a folder in it")
    ours, theirs = os.path.realpath(target), os.path.realpath(archive)
    if os.path.commonpath([ours, theirs]) == theirs:
        raise ArchiveError(f"{target} lies in the archive; a lake wants a folder elsewhere")


def _is_filled(target: Path) -> bool:
    try:
        if not stat.S_ISDIR(os.stat(target).st_mode):
            raise ArchiveError(f"{target} is no folder")
    except FileNotFoundError:
        return False
    with os.scandir(target) as entries:
        return next(entries, None) is not None


def _exchange(one: Path, other: Path) -> None:
    """Let two folders change names in one step; in two where the system knows no such step."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        done = libc.renameat2(
            _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
        )
    except AttributeError:
        done = -1
    if done == 0:
        return
    os.rename(other, one / SPILL)
    os.rename(one, other)
    os.rename(other / SPILL, one)
