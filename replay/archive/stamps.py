"""What tells without reading whether a file is another one than it was."""

import os

from msgspec import Struct

UNSURE_NS = 2_000_000_000
"""The coarsest clock that a file system keeps times by (FAT; others tick every few ms)."""


class Stamp(Struct, frozen=True):
    """What tells without reading whether a file is another one: bytes, and times in ns.

    `changed` (ctime) is the system's own: who sets `modified` back cannot set it back as well.
    No inode: network folders may make up new ones.
    """

    bytes: int
    modified: int
    changed: int

    def is_sure(self, now: int) -> bool:
        """Whether a change after `now` shows: not if it may fall on the very tick of the last."""
        return max(self.modified, self.changed) < now - UNSURE_NS


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file."""
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
