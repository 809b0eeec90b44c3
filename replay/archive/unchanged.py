"""Which files need not be read: those that the archive saw with the same size and times.

What cannot be read is tried again, so that the reason is said again: there are few of these.
A file that was changed just before it was read has no times in the archive: a further change on
the same tick of the file system's clock would have left the same ones. Git calls this racy.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

import pyarrow as pa

from replay.archive.stamps import Stamp
from replay.archive.writer import Writer

_AT_ONCE = 50_000
_SAME = """
    SELECT path
    FROM (FROM {stored}.files WHERE gone_at IS NULL AND standing <> 'unreadable') SEMI JOIN standing
    USING (path, bytes, modified_ns, changed_ns)
"""


def unchanged(writer: Writer, files: Mapping[str, Stamp | None]) -> frozenset[str]:
    """The paths of those that stand in the archive as they stand on disk."""
    found: set[str] = set()
    for part in _parts(files):
        found.update(path for (path,) in writer.asked(_SAME, standing=part))
    return frozenset(found)


def _parts(files: Mapping[str, Stamp | None]) -> Iterator[pa.Table]:
    stamped = ((path, stamp) for path, stamp in files.items() if stamp is not None)
    while part := list(islice(stamped, _AT_ONCE)):
        columns = {
            "path": pa.array([path for path, _ in part], pa.string()),
            "bytes": pa.array([stamp.bytes for _, stamp in part], pa.int64()),
            "modified_ns": pa.array([stamp.modified for _, stamp in part], pa.int64()),
            "changed_ns": pa.array([stamp.changed for _, stamp in part], pa.int64()),
        }
        yield pa.table(columns)
