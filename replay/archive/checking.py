"""check(): is the archive what its writer left, and are the logs still where they were seen?"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from replay.archive import manifest as manifests
from replay.archive import segments, tables
from replay.archive.manifest import Manifest, Segment
from replay.archive.paths import on_disk
from replay.archive.query import Archive

_NOWHERE = """
    SELECT count(*) FROM (SELECT DISTINCT unnest(hand_ids) AS hand_id FROM logs)
    ANTI JOIN hands USING (hand_id)
"""
_TWICE = "SELECT count(*) - count(DISTINCT hand_id) FROM hands"
_NOBODYS = "SELECT count(*) FROM hands ANTI JOIN logs USING (log_id)"
_LAST = "SELECT coalesce(max(log_id), 0) FROM logs"


class Check(Struct, frozen=True):
    """`faults`: what is wrong with the archive itself; `missing`: logs that are gone from disk."""

    files: int
    logs: int
    faults: tuple[str, ...]
    missing: tuple[str, ...]


def check(folder: Path | str) -> Check:
    """Compare files with MANIFEST, MANIFEST with the catalogue, and look for logs; ArchiveError."""
    place = Path(folder)
    manifest = manifests.read(place)
    listed = manifest.files()
    faults = [str(found) for segment in listed if (found := segments.fault(place, segment))]
    if faults:
        return Check(len(listed), 0, tuple(faults), ())
    with Archive.open(place) as archive:
        against = tuple(f"{place}: {fault}" for fault in _contradictions(archive))
        paths = [row[0] for row in archive.query("SELECT path FROM logs ORDER BY path")]
    missing = tuple(path for path in paths if not Path(on_disk(path)).exists())
    return Check(len(listed), len(paths), against, missing)


def _contradictions(archive: Archive) -> Iterator[str]:
    """Where MANIFEST, the catalogue and the segments do not say the same."""
    for segment in archive.manifest.files():
        yield from _of_segment(archive, segment)
    for sql, told in (
        (_NOWHERE, "hands of logs stand in no segment"),
        (_TWICE, "hands stand in the segments more than once"),
        (_NOBODYS, "hands belong to no log of the catalogue"),
    ):
        if n := _number(archive, sql):
            yield f"{n} {told}"
    yield from _used_numbers(archive.manifest, _number(archive, _LAST))


def _of_segment(archive: Archive, segment: Segment) -> Iterator[str]:
    name = segments.alias(segment.name)
    for table, expected in segment.rows.items():
        found = _number(archive, f"SELECT count(*) FROM {name}.{table}")
        if found != expected:
            yield f"{segment.name} has {found} rows of {table}, MANIFEST says {expected}"
    if any(table in tables.CATALOGUE for table in segment.rows):
        return
    cursor = archive.cursor()
    held = cursor.execute(f"SELECT DISTINCT log_id FROM {name}.hands ORDER BY 1").fetchall()
    if odd := [log_id for (log_id,) in held if not segment.holds(log_id)]:
        yield f"{segment.name} has hands of logs {odd} that MANIFEST does not list"
    if odd := [log_id for log_id in segment.retired if not segment.holds(log_id)]:
        yield f"{segment.name} has none of the logs {odd} that are retired"


def _used_numbers(manifest: Manifest, last: int) -> Iterator[str]:
    """The next numbers must be free, or what is added next would meet what is there."""
    used = [int(s.name.partition("-")[2].partition(".")[0]) for s in manifest.files()]
    if manifest.next_file <= max(used, default=0):
        yield f"the next file is to be {manifest.next_file}, {max(used)} is there already"
    logs = [run[1] for segment in manifest.segments for run in segment.logs]
    if manifest.next_log <= max([last, *logs]):
        yield f"the next log is to be {manifest.next_log}, {max([last, *logs])} is there already"


def _number(archive: Archive, sql: str) -> int:
    row = archive.cursor().execute(sql).fetchone()
    assert row is not None, "an aggregate has one row"
    return int(row[0])
