"""check(): is a lake what its export left? Damaged Parquet is read without an error, and wrong."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from replay.archive.errors import Refused
from replay.archive.lake import manifest as lakes
from replay.archive.lake.manifest import Manifest, Part, Table

Progress = Callable[[int, int], None]
"""Is told how many bytes are read, of how many."""
_BLOCK = 1 << 20


class Fault(Struct, frozen=True):
    """What is wrong with a file of a lake.

    `kind`: `missing`, `extra`, `not_regular`, `unreadable`, `bytes`, `sha256`, `rows`, `columns`,
    `sums` (SHA256SUMS does not say what MANIFEST.json says) or `counts` (MANIFEST.json contradicts
    itself).
    """

    kind: str
    path: str
    expected: str = ""
    found: str = ""


class Check(Struct, frozen=True):
    """How much was looked at, and everything that is wrong."""

    files: int
    rows: int
    bytes: int
    faults: tuple[Fault, ...]


def check(folder: Path | str, progress: Progress = lambda done, total: None) -> Check:
    """Compare every file with its sum, rows and columns, look for more; ArchiveError: no lake."""
    place = Path(folder)
    manifest, data = lakes.read(place)
    try:
        there = lakes.below(place)
    except OSError as error:
        raise Refused("unreadable", path=error.filename, reason=error) from None
    listed = {part.path for part in manifest.files()} | {lakes.NAME, lakes.SUMS}
    faults = [*_contradictions(manifest), *_sums(place, manifest, data)]
    done = 0
    for table in manifest.tables:
        for part in table.files:
            faults += _faults(place, table, part)
            done += part.bytes
            progress(done, manifest.bytes)
    faults += (Fault("extra", path) for path in there if path not in listed)
    return Check(len(manifest.files()), manifest.rows, manifest.bytes, tuple(faults))


def _contradictions(manifest: Manifest) -> Iterator[Fault]:
    counts = [("rows", manifest.rows, sum(t.rows for t in manifest.tables))]
    counts.append(("bytes", manifest.bytes, sum(t.bytes for t in manifest.tables)))
    for table in manifest.tables:
        counts.append((f"{table.name}.rows", table.rows, sum(p.rows for p in table.files)))
        counts.append((f"{table.name}.bytes", table.bytes, sum(p.bytes for p in table.files)))
    for what, told, summed in counts:
        if told != summed:
            yield Fault("counts", lakes.NAME, f"{what} {summed}", f"{what} {told}")


def _sums(folder: Path, manifest: Manifest, data: bytes) -> Iterator[Fault]:
    """SHA256SUMS follows from MANIFEST.json, whose own sum stands in it."""
    wanted = lakes.sums(manifest, lakes.digest(data)).decode().splitlines()
    try:
        found = (folder / lakes.SUMS).read_bytes().decode("ascii", "backslashreplace").splitlines()
    except FileNotFoundError:
        yield Fault("missing", lakes.SUMS)
        return
    except OSError as error:
        yield Fault("unreadable", lakes.SUMS, found=error.strerror or "")
        return
    if found != wanted:
        missing = next((line for line in wanted if line not in found), "")
        extra = next((line for line in found if line not in wanted), "")
        yield Fault("sums", lakes.SUMS, missing, extra)


def _faults(folder: Path, table: Table, part: Part) -> list[Fault]:
    """What is wrong with one file; its rows are counted if its sum is right."""
    try:
        size, digest = _read(folder / part.path)
    except FileNotFoundError:
        return [Fault("missing", part.path)]
    except _NotRegular:
        return [Fault("not_regular", part.path)]
    except OSError as error:
        return [Fault("unreadable", part.path, found=error.strerror or str(error))]
    if size != part.bytes:
        return [Fault("bytes", part.path, str(part.bytes), str(size))]
    if digest != part.sha256:
        return [Fault("sha256", part.path, part.sha256, digest)]
    return list(_told(folder, table, part))


def _told(folder: Path, table: Table, part: Part) -> Iterator[Fault]:
    """What the file says of itself, beside what MANIFEST.json says."""
    try:
        with pq.ParquetFile(folder / part.path) as file:
            rows, schema = file.metadata.num_rows, file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        yield Fault("unreadable", part.path, found=str(error))
        return
    if rows != part.rows:
        yield Fault("rows", part.path, str(part.rows), str(rows))
    wanted = [(column.name, column.type) for column in table.columns]
    found = [(field.name, lakes.type_name(field.type)) for field in schema]
    if found != wanted:
        yield Fault("columns", part.path, _listed(wanted), _listed(found))


def _listed(columns: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in columns)


class _NotRegular(Exception):
    """A link, a folder, a pipe: nothing that an export leaves."""


def _read(path: Path) -> tuple[int, str]:
    """Size and digest of a regular file; of a pipe nothing is read, that might never end."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise _NotRegular
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest
