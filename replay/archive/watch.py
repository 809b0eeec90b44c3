"""Follow folders in which logs are written, and keep an archive up to date with them.

It looks at sizes and times only, which works on every file system, and holds the archive's lock
while there is something to add and no longer: other indexers and readers go on in between.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import structs

from replay.archive.changes import Progress, Summary
from replay.archive.errors import ArchiveError
from replay.archive.indexing import PLAIN, HireFor, Manner, index_found
from replay.archive.ingest import glance, identify
from replay.archive.locking import Busy
from replay.archive.stamps import Stamp
from replay.archive.survey import Survey, survey


def _nobody(_: object) -> None:
    pass


class Watcher:
    """What the archive has of the folders, and what was seen when it was looked last."""

    def __init__(
        self,
        archive: Path | str,
        paths: Iterable[Path | str],
        quiet: float,
        manner: Manner = PLAIN,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """A file that is no live log is left alone until nothing changed it for `quiet` seconds."""
        self._clock = clock
        self._archive = Path(archive)
        self._paths = tuple(paths)
        self._quiet = int(quiet * 1e9)
        self._manner = manner
        self._stored: dict[str, Stamp | None] = {}
        self._since: dict[str, tuple[Stamp | None, int]] = {}
        """Of files that are not stored as they are: what they were seen as, and since when."""
        self._is_first = True

    def look(
        self, hire_for: HireFor, progress: Callable[[Progress], None] = _nobody
    ) -> Summary | None:
        """Bring the archive up to date; None if there is nothing to do.

        ArchiveError, Busy among them: nothing was done, and the next look does it.
        """
        began = time.time_ns()
        found = self._settled(survey(self._paths))
        news = self._since.keys() & found.files.keys()
        gone = self._stored.keys() - found.files.keys() - found.waiting
        if not (news or gone or self._is_first):
            return None
        seen = dict(found.files)
        summary = index_found(self._archive, found, hire_for, progress, self._manner)
        self._is_first = False
        self._note(seen, gone, began)
        return summary

    def _note(self, seen: dict[str, Stamp | None], gone: set[str], began: int) -> None:
        """The archive has these now. Those that a change may not show in are looked at again."""
        for path in gone:
            del self._stored[path]
        for path, stamp in seen.items():
            if stamp is None or stamp.is_sure(began):
                self._stored[path] = stamp
                self._since.pop(path, None)

    def _settled(self, found: Survey) -> Survey:
        """The survey, but what is just being written waits."""
        now = self._clock()
        since = {}
        waiting = set()
        for path, stamp in found.files.items():
            if path in self._stored and self._stored[path] == stamp:
                continue
            before, first = self._since.get(path, (None, now))
            since[path] = (stamp, first if stamp == before else now)
            if not self._is_ready(path, stamp, now - since[path][1]):
                waiting.add(path)
        self._since = since
        ready = {path: stamp for path, stamp in found.files.items() if path not in waiting}
        return structs.replace(found, files=ready, waiting=frozenset(waiting))

    def _is_ready(self, path: str, stamp: Stamp | None, seen: int) -> bool:
        """Whether a file is to be read: unchanged for a while, or a live log, whole so far.

        If the clock of a network folder is behind ours, half a file may be taken for an old one:
        it is found damaged, and mended at the next look.
        """
        if stamp is None or seen >= self._quiet:
            return True
        if stamp.modified < time.time_ns() - max(self._quiet, 1):
            return True
        file = glance(path)
        return file.form == "live" and not identify(file).damaged


def watch(
    watcher: Watcher,
    every: float,
    hire_for: HireFor,
    looked: Callable[[Summary, float], None],
    trouble: Callable[[ArchiveError], None] = _nobody,
    progress: Callable[[Progress], None] = _nobody,
) -> None:
    """Look every so many seconds, until an exception such as KeyboardInterrupt ends it.

    `looked` is told what was found and how many seconds that took, `trouble`, once, what keeps
    the archive from being brought up to date: it is tried again. Only what is wrong at the first
    look is raised. The archive is left to others at least as long as a look takes.
    """
    said = ""
    is_first = True
    while True:
        began = time.monotonic()
        try:
            summary = watcher.look(hire_for, progress)
            said, is_first = "", False
            if summary is not None:
                looked(summary, time.monotonic() - began)
        except ArchiveError as error:
            if is_first and not isinstance(error, Busy):
                raise
            if str(error) != said:
                said = str(error)
                trouble(error)
        time.sleep(max(every, time.monotonic() - began))
