"""What a lake consists of: MANIFEST.json for programs, SHA256SUMS for `sha256sum -c`.

A folder without MANIFEST.json is no lake; nothing else in the folder belongs to one.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta, Struct

from replay.archive.errors import ArchiveError, Refused
from replay.archive.manifest import Hex64

NAME = "MANIFEST.json"
SUMS = "SHA256SUMS"
KIND = "paipu lake"
FORMAT = 1
"""Version of the layout: folders, names and this file."""
UNKNOWN = "unknown"
"""In place of a month (or a game) that is not known."""

Word = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_]{0,63}\Z")]
_FOLDER = (
    r"[a-z][a-z0-9_]{0,63}"
    r"(/game=[a-z][a-z0-9_]{0,31}/month=([0-9]{4}-[0-9]{2}|unknown))?"
)
PartPath = Annotated[str, Meta(pattern=rf"\A{_FOLDER}/part-[0-9]{{5,}}\.parquet\Z")]
"""Where a file lies below the lake's folder: no other characters, so never outside of it."""
Count = Annotated[int, Meta(ge=0)]


class Column(Struct, frozen=True, forbid_unknown_fields=True):
    """A column by its name, and its type in Arrow's words."""

    name: Word
    type: str


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """One Parquet file: its place, rows, size in bytes and digest."""

    path: PartPath
    rows: Count
    bytes: Count
    sha256: Hex64


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """One table: `columns` stand in each file, `partitions` in the names of the folders."""

    name: Word
    rows: Count
    bytes: Count
    columns: tuple[Column, ...]
    partitions: tuple[Column, ...]
    files: tuple[Part, ...]


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """All of a lake, and what it was made of and with.

    `archive_sha256` is the digest of the archive's own MANIFEST: it tells one state from another.
    `pseudonyms` is NULL, or tells which key made them: lakes with one value have one key.
    """

    kind: Literal["paipu lake"]
    format: int
    paipu: str
    archive_format: int
    archive_sha256: Hex64
    pseudonyms: str | None
    rows: Count
    bytes: Count
    tables: tuple[Table, ...]

    def files(self) -> tuple[Part, ...]:
        """Every Parquet file of the lake."""
        return tuple(part for table in self.tables for part in table.files)


class _Format(Struct):
    kind: str
    format: int


def is_lake(folder: Path) -> bool:
    """Whether a lake, perhaps of another version or damaged, stands here."""
    return (folder / NAME).is_file()


def read(folder: Path) -> tuple[Manifest, bytes]:
    """The manifest of the lake `folder` and its bytes; ArchiveError if there is none to go by."""
    path = folder / NAME
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused("no_lake", path=folder, reason=error) from None
    try:
        found = msgspec.json.decode(data, type=_Format)
        if (found.kind, found.format) != (KIND, FORMAT):
            kind, wanted = repr(found.kind), repr(KIND)
            slots = {"found": found.format, "expected": FORMAT}
            raise Refused("lake_format", path=path, kind=kind, wanted=wanted, **slots)
        return msgspec.json.decode(data, type=Manifest), data
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("lake_manifest", path=path, reason=error) from None


def encoded(manifest: Manifest) -> bytes:
    """The bytes of MANIFEST.json."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def sums(manifest: Manifest, manifest_sha256: str) -> bytes:
    """The bytes of SHA256SUMS: every file but itself, as `sha256sum -c` reads it."""
    lines = [f"{part.sha256}  {part.path}\n" for part in manifest.files()]
    return "".join([*lines, f"{manifest_sha256}  {NAME}\n"]).encode()


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def checked_folder(path: str) -> str:
    """The path of a partition; ArchiveError if a word in it could be anything else."""
    if re.fullmatch(_FOLDER, path) is None:
        raise ArchiveError(
            f"no folder is made for {path!r}: the archive has a game of no such name"
        )
    return path


def type_name(kind: pa.DataType) -> str:
    """An Arrow type as MANIFEST.json names it, whatever the values of a list are called."""
    if pa.types.is_list(kind):
        return f"list<{type_name(kind.value_type)}>"
    return str(kind)


def below(folder: Path) -> list[str]:
    """The path below `folder` of everything in it that is no folder; OSError."""

    def fail(error: OSError) -> None:
        raise error

    found = []
    for place, folders, names in os.walk(folder, onerror=fail):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names + links]
    return sorted(found)
