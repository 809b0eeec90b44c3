"""Files that the archive knows and that are gone: what is said of them, and taken out if asked.

An archive is an index of evidence: that a file is gone is no reason to lose what was verified in
it. So hands stay, their file is marked as gone, and only `forget` takes them out.
"""

import os
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from replay.archive.changes import Change
from replay.archive.errors import Refused
from replay.archive.paths import on_disk
from replay.archive.run import Run
from replay.archive.survey import Survey, is_gone
from replay.archive.writer import Writer

WHOLE = ("indexed", "copy")
"""Standings of files that hold all hands of their log."""
_ABSENT = """
    WITH absent AS MATERIALIZED (
        SELECT path, log_id, standing FROM {stored}.files
        WHERE gone_at IS NULL AND path NOT IN (SELECT path FROM here)
    )
    FROM absent WHERE EXISTS (FROM roots WHERE starts_with(absent.path, root)) ORDER BY path
"""
_ELSEWHERE = """
    SELECT log_id, path FROM {stored}.files SEMI JOIN wanted USING (log_id)
    WHERE standing IN ('indexed', 'copy') AND gone_at IS NULL
        AND path NOT IN (SELECT path FROM gone)
    ORDER BY path
"""
_WITHOUT_FILE = """
    WITH backed AS (
        SELECT log_id FROM {stored}.files
        WHERE standing IN ('indexed', 'copy') AND gone_at IS NULL
    )
    SELECT l.log_id, l.path, f.log_id, f.standing
    FROM {stored}.logs AS l LEFT JOIN {stored}.files AS f ON f.path = l.path
    WHERE l.error IS NULL AND l.log_id NOT IN (FROM backed)
        AND EXISTS (FROM roots WHERE starts_with(l.path, root))
    ORDER BY l.path
"""
_KNOWN_BELOW = """
    WITH backed AS (FROM {stored}.files WHERE standing IN ('indexed', 'copy') AND gone_at IS NULL)
    SELECT l.log_id, f.path FROM {stored}.logs AS l LEFT JOIN backed AS f USING (log_id)
    WHERE l.error IS NULL AND EXISTS (FROM roots WHERE starts_with(l.path, root))
"""
_SHARED = """
    WITH held AS (
        SELECT log_id, unnest(hand_ids) AS hand FROM {stored}.logs SEMI JOIN wanted USING (log_id)
    ),
    others AS (
        SELECT log_id, path, unnest(hand_ids) AS hand
        FROM {stored}.logs ANTI JOIN wanted USING (log_id)
    )
    SELECT DISTINCT others.log_id, others.path, held.log_id FROM others JOIN held USING (hand)
"""
_FILES = "SELECT log_id, path, standing FROM {stored}.files SEMI JOIN wanted USING (log_id)"


def note_vanished(writer: Writer, found: Survey, run: Run) -> None:
    """Mark what is gone from the folders that were looked through; right after a commit."""
    here = pa.array([*found.files, *found.waiting], pa.string())
    rows = writer.asked(_ABSENT, here=pa.table({"path": here}), roots=_roots(found))
    gone = [row for row in rows if is_gone(row[0])]
    homes = _homes(writer, gone)
    for path, log_id, standing in gone:
        home = homes.get(log_id)
        if home is None and standing in WHOLE:
            writer.delta.gone.add(path)
        else:
            writer.delta.out.add(path)
        if home is not None and standing == "indexed":
            writer.delta.moved[log_id] = home
        if standing == "unreadable":
            run.summary.forgotten += 1
            run.change(Change("forgotten", path))
        elif log_id in run.new_places:
            run.summary.moved += 1
            run.change(Change("moved", path, run.new_places[log_id]))
        else:
            run.summary.vanished += 1
            run.change(Change("vanished", path, home))


def _homes(writer: Writer, gone: list[tuple[Any, ...]]) -> dict[int, str]:
    """Where else the logs of these files stand whole, by number."""
    if not gone:
        return {}
    paths = pa.table({"path": pa.array([row[0] for row in gone], pa.string())})
    others = writer.asked(_ELSEWHERE, gone=paths, wanted=_numbers(row[1] for row in gone))
    homes: dict[int, str] = {}
    for log_id, path in others:
        if log_id not in homes and os.path.exists(on_disk(path)):
            homes[log_id] = path
    return homes


def forget(writer: Writer, found: Survey, run: Run) -> list[str]:
    """Take out logs of which no file is left; gives the files that must be read again with it.

    Those hold hands that stood in the archive under a log that is taken out.
    """
    out = _logs_without_file(writer, found)
    again = _sharing(writer, out, run)
    rows = writer.asked(_FILES, wanted=_numbers([*out, *again]))
    writer.forget([*out, *again], (path for _, path, _ in rows))
    for path in out.values():
        run.summary.forgotten += 1
        run.change(Change("forgotten", path))
    return sorted(path for _, path, _ in rows if not is_gone(path))


def _logs_without_file(writer: Writer, found: Survey) -> dict[int, str]:
    """Logs by number that were read below the folders and stand nowhere whole.

    A log whose own path still holds a part of it, or bytes that are no log, has not vanished: it
    was cut or spoilt, and what the archive has of it may be all that is left.
    """
    rows = writer.asked(_WITHOUT_FILE, roots=_roots(found))
    return {
        log_id: path
        for log_id, path, other, standing in rows
        if is_gone(path) or (other not in (None, log_id) and standing != "unreadable")
    }


def demand_something_left(writer: Writer, found: Survey) -> None:
    """Refused if a folder that was looked through has none of its logs any more.

    That is how a disk looks which is not mounted. Before anything is marked as gone: whoever is
    refused finds the archive as it was, but for what was added.
    """
    here = {*found.files, *found.waiting}
    for root in _prefixes(found):
        if any(path.startswith(root) for path in here):
            continue
        known = writer.asked(_KNOWN_BELOW, roots=pa.table({"root": [root]}))
        left = {log_id for log_id, path in known if path is not None and not is_gone(path)}
        if lost := {log_id for log_id, _ in known} - left:
            raise Refused("unmounted", path=root, n=len(lost))


def _sharing(writer: Writer, out: dict[int, str], run: Run) -> set[int]:
    """The logs that must be read again; what such a log without a file needs stays, out of `out`.

    A hand stands under one log only, whichever had it first.
    """
    again: set[int] = set()
    while pairs := writer.asked(_SHARED, wanted=_numbers([*out, *again])) if out else []:
        stuck = _without_a_file(writer, {other for other, _, _ in pairs})
        if not stuck:
            again.update(other for other, _, _ in pairs)
            continue
        needed = {holder: path for other, path, holder in pairs if other in stuck}
        for log_id in needed if needed.keys() <= out.keys() else list(out):
            run.change(Change("kept", out.pop(log_id), needed.get(log_id)))
        again.clear()
    return again if out else set()


def _without_a_file(writer: Writer, log_ids: set[int]) -> set[int]:
    rows = writer.asked(_FILES, wanted=_numbers(log_ids))
    return log_ids - {
        log for log, path, standing in rows if standing in WHOLE and not is_gone(path)
    }


def _prefixes(found: Survey) -> list[str]:
    """What the paths of files below the folders begin with."""
    return [root.rstrip("/") + "/" for root in found.roots]


def _roots(found: Survey) -> pa.Table:
    return pa.table({"root": pa.array(_prefixes(found), pa.string())})


def _numbers(numbers: Iterable[int]) -> pa.Table:
    return pa.table({"log_id": pa.array(sorted(set(numbers)), pa.int32())})
