"""check(): is the archive what its writer left, and are the logs still where they were seen?"""

import hashlib
from pathlib import Path

from msgspec import Struct

from replay.archive import manifest as manifests
from replay.archive.manifest import Segment
from replay.archive.paths import on_disk
from replay.archive.query import Archive


class Check(Struct, frozen=True):
    """`faults`: what is wrong with the archive itself; `missing`: logs that are gone from disk."""

    files: int
    logs: int
    faults: tuple[str, ...]
    missing: tuple[str, ...]


def check(folder: Path | str) -> Check:
    """Compare every file's SHA-256 with MANIFEST and look for every log; ArchiveError."""
    place = Path(folder)
    listed = manifests.read(place).files()
    faults = [fault for segment in listed if (fault := _fault(place, segment))]
    if faults:
        return Check(len(listed), 0, tuple(faults), ())
    with Archive.open(place) as archive:
        paths = [row[0] for row in archive.query("SELECT path FROM logs ORDER BY path")]
    missing = tuple(path for path in paths if not Path(on_disk(path)).exists())
    return Check(len(listed), len(paths), (), missing)


def _fault(folder: Path, segment: Segment) -> str | None:
    path = folder / segment.name
    try:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        return f"{path}: {error.strerror}"
    if size != segment.bytes:
        return f"{path}: {size} bytes, MANIFEST says {segment.bytes}"
    if digest != segment.sha256:
        return f"{path}: SHA-256 {digest}, MANIFEST says {segment.sha256}"
    return None
