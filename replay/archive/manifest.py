"""MANIFEST: the one file that says what an archive consists of; replaced atomically.

Whatever stands in the folder and not in MANIFEST does not belong to the archive.
"""

import hashlib
import os
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from replay.archive.errors import Refused

NAME = "MANIFEST"
FORMAT = 7
"""Version of the folder's layout and of its tables: a reader refuses any other."""

FileName = Annotated[str, Meta(pattern=r"\A(logs|data)-[0-9]{6,}\.duckdb\Z")]
Hex64 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Segment(Struct, frozen=True, forbid_unknown_fields=True):
    """One immutable DuckDB file: its name, digest, size in bytes and rows per table.

    `logs` are the runs of log numbers it holds, first and last; `retired` those of them whose
    rows no longer count, because the log has grown and stands in a later segment.
    """

    name: FileName
    sha256: Hex64
    bytes: int
    rows: dict[str, int]
    logs: list[tuple[int, int]] = []
    retired: list[int] = []

    def holds(self, log_id: int) -> bool:
        """Whether rows of this log stand here."""
        return any(first <= log_id <= last for first, last in self.logs)

    def shown(self) -> list[int]:
        """The numbers of the logs that stand here and count."""
        gone = set(self.retired)
        numbers = (n for first, last in self.logs for n in range(first, last + 1))
        return [log_id for log_id in numbers if log_id not in gone]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The catalogue (logs and files), the segments in order, and the next free numbers."""

    format: int
    catalogue: Segment | None
    segments: tuple[Segment, ...]
    next_file: int
    next_log: int

    def files(self) -> tuple[Segment, ...]:
        """Every DuckDB file of the archive."""
        return self.segments if self.catalogue is None else (self.catalogue, *self.segments)


EMPTY = Manifest(FORMAT, None, (), 1, 1)


class _Format(Struct):
    format: int


class _Sealed(Manifest, frozen=True, forbid_unknown_fields=True):
    """MANIFEST as it stands on the disk: `sha256` is that of the rest, as `_canonical` has it."""

    sha256: Hex64


def is_archive(folder: Path) -> bool:
    """A path with a MANIFEST is an archive; anything else is logs."""
    return (folder / NAME).is_file()


def read(folder: Path) -> Manifest:
    """The manifest of the archive `folder`; ArchiveError if there is none or it is not ours."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused("no_archive", path=folder, reason=error) from None
    try:
        found = msgspec.json.decode(data, type=_Format).format
        if found != FORMAT:
            raise Refused("format", path=path, found=found, expected=FORMAT)
        sealed = msgspec.json.decode(data, type=_Sealed)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("manifest", path=path, reason=error) from None
    manifest = Manifest(*(getattr(sealed, name) for name in Manifest.__struct_fields__))
    digest = hashlib.sha256(_canonical(manifest)).hexdigest()
    if digest != sealed.sha256:
        raise Refused("manifest_sum", path=path, found=digest, expected=sealed.sha256)
    return manifest


def encoded(manifest: Manifest) -> bytes:
    """MANIFEST as it stands on the disk, sealed with its sum."""
    fields = msgspec.structs.asdict(manifest)
    sealed = _Sealed(**fields, sha256=hashlib.sha256(_canonical(manifest)).hexdigest())
    return msgspec.json.format(msgspec.json.encode(sealed), indent=1) + b"\n"


def _canonical(manifest: Manifest) -> bytes:
    return msgspec.json.encode(manifest)


def replace(folder: Path, manifest: Manifest) -> None:
    """Make `manifest` the archive's: readers see the old one or the new one, never a part."""
    data = encoded(manifest)
    temporary = folder / f"{NAME}.tmp"
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, folder / NAME)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` as durable as the files they name."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
