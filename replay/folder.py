"""Logs on disk: which there are at some paths, opening them, and what holds across files."""

import io
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

from msgspec import Struct

from replay.messages import LANGS, text
from replay.wording import plain
from schema.damage import LogError
from schema.items import Hand, Log
from schema.logfile import open_log

SUFFIXES = (".paipu", ".paipu.jsonl")
STDIN = "-"
_MANIFEST = "MANIFEST"
Told = Callable[[int], None]
"""Is told how many bytes of a file were read."""


class Problem(Exception):
    """What was asked for cannot be done: a sentence of the catalogue, `cli.problem.<word>`."""

    def __init__(self, word: str, **slots: object) -> None:
        """`slots` fill the sentence."""
        super().__init__(text("en", f"cli.problem.{word}", **slots))
        self.word = word
        self.slots = slots

    def said(self, lang: str) -> str:
        """The sentence."""
        slots = {
            name: plain(value) if isinstance(value, str) else value
            for name, value in self.slots.items()
        }
        return text(lang, f"cli.problem.{self.word}", **slots)


class LogFile(Struct, frozen=True):
    """A log to be read: its name as people wrote it, and the path and size of its bytes."""

    name: str
    path: str
    size: int


class Note(Struct, frozen=True):
    """What holds between two files: `conflict` or `previous_missing`; `other` is the other file.

    `hand` is the first that differs, None where HEAD does.
    """

    kind: str
    other: str | None
    hand: int | None
    zh: str
    en: str


def located(paths: Sequence[str], stack: ExitStack) -> list[LogFile]:
    """The logs at these paths, each once: files as they are given, folders walked and sorted.

    `-` is standard input. What cannot be read twice is copied to a file that ends with `stack`.
    Problem for an archive, and for a folder without logs.
    """
    found: dict[str, LogFile] = {}
    for path in paths:
        for file in _at(path, stack):
            found.setdefault(os.path.realpath(file.path), file)
    return list(found.values())


def located_one(path: str, stack: ExitStack) -> LogFile:
    """The one log at a path; Problem for a folder."""
    if os.path.isdir(path):
        raise Problem("archive" if is_archive(path) else "one_log", path=path)
    return _at(path, stack)[0]


def is_archive(path: str) -> bool:
    """A path with a MANIFEST is an archive, anything else is logs."""
    return os.path.isfile(os.path.join(path, _MANIFEST))


def _at(path: str, stack: ExitStack) -> list[LogFile]:
    if path == STDIN:
        return [_spooled(path, sys.stdin.buffer, stack)]
    if os.path.isdir(path):
        return _below(path)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            with open(path, "rb") as stream:
                return [_spooled(path, stream, stack)]
    except OSError:
        return [LogFile(path, path, 0)]  # whoever opens it says what is wrong
    return [LogFile(path, path, status.st_size)]


def _below(folder: str) -> list[LogFile]:
    if is_archive(folder):
        raise Problem("archive", path=folder)
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_archive(os.path.join(place, name))]
        # A name that begins with a dot is a file in the making.
        wanted = (n for n in names if n.endswith(SUFFIXES) and not n.startswith("."))
        found += (os.path.normpath(os.path.join(place, name)) for name in wanted)
    if not found:
        raise Problem("no_logs", path=folder)
    return [LogFile(path, path, _size(path)) for path in sorted(found)]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _spooled(name: str, stream: BinaryIO, stack: ExitStack) -> LogFile:
    """A copy on disk of a stream that cannot seek."""
    copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix="paipu-"))  # noqa: SIM115
    shutil.copyfileobj(stream, copy)
    copy.flush()
    return LogFile(name, copy.name, copy.tell())


class _Watched(io.FileIO):
    """A file that tells how much of it was read."""

    def __init__(self, path: str, told: Told) -> None:
        super().__init__(path)
        self._told = told

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        n = super().readinto(buffer)
        self._told(n)
        return n


@contextmanager
def opened(file: LogFile, told: Told | None = None) -> Iterator[Log]:
    """The open log; OSError, or LogError where no verdict is possible."""
    raw = io.FileIO(file.path) if told is None else _Watched(file.path, told)
    with io.BufferedReader(raw) as stream:
        yield open_log(stream)


class Identity(Struct, frozen=True):
    """What HEAD says of a log: which file it is, its own leaf, and that of the file before."""

    file_id: bytes
    head_leaf: bytes
    previous: bytes


def identities(files: Iterable[LogFile]) -> dict[str, Identity]:
    """By name, of every log whose HEAD can be read."""
    found = {}
    for file in files:
        try:
            with opened(file) as log:
                head = log.head
                found[file.name] = Identity(head.file_id, log.head_leaf, head.previous)
        except (OSError, LogError):
            pass  # reading it for its verdict says why
    return found


def previous_files(files: Sequence[LogFile], known: Mapping[str, Identity]) -> dict[str, LogFile]:
    """For the name of each log that continues another one of these: that one, its longest copy."""
    by_leaf: dict[bytes, list[LogFile]] = {}
    for file in files:
        if file.name in known:
            by_leaf.setdefault(known[file.name].head_leaf, []).append(file)
    wanted = {identity.previous for identity in known.values()} & by_leaf.keys()
    longest = {leaf: _longest(by_leaf[leaf]) for leaf in wanted}
    return {
        name: longest[identity.previous]
        for name, identity in known.items()
        if identity.previous in longest
    }


def _longest(files: Sequence[LogFile]) -> LogFile:
    if len(files) == 1:
        return files[0]
    return max(files, key=lambda file: len(_leaves(file)))


def _leaves(file: LogFile) -> dict[int, bytes]:
    """Leaf of every committed hand that can be read, by its index."""
    try:
        with opened(file) as log:
            hands = (item for item in log.items() if isinstance(item, Hand) and item.committed)
            return {hand.index: hand.leaf for hand in hands}
    except (OSError, LogError):
        return {}


def notes(files: Sequence[LogFile], known: Mapping[str, Identity]) -> dict[str, list[Note]]:
    """By name: copies of one file that differ, and logs whose file before is not here.

    Of two copies one may go on where the other ends, or lack damaged hands; that is no conflict.
    """
    found: dict[str, list[Note]] = {}
    copies: dict[bytes, list[LogFile]] = {}
    leaves = {identity.head_leaf for identity in known.values()}
    for file in files:
        if (identity := known.get(file.name)) is None:
            continue
        copies.setdefault(identity.file_id, []).append(file)
        if identity.previous and identity.previous not in leaves:
            found.setdefault(file.name, []).append(_missing())
    for same in copies.values():
        for name, note in _conflicts(same, known):
            found.setdefault(name, []).append(note)
    return found


def _missing() -> Note:
    zh, en = (text(lang, "finding.previous_missing") for lang in LANGS)
    return Note("previous_missing", None, None, zh, en)


def _conflicts(
    same: Sequence[LogFile], known: Mapping[str, Identity]
) -> Iterator[tuple[str, Note]]:
    """Each copy against those before it: one note for either file at the first difference."""
    if len(same) < 2:
        return
    hands = [(file, _leaves(file)) for file in same]
    for k, (file, leaves) in enumerate(hands):
        for other, others in hands[:k]:
            mine, theirs = known[file.name].head_leaf, known[other.name].head_leaf
            index = None
            if mine == theirs:
                shared = sorted(leaves.keys() & others.keys())
                index = next((i for i in shared if leaves[i] != others[i]), None)
                if index is None:
                    continue
                mine, theirs = leaves[index], others[index]
            yield file.name, _conflict(index, (file.name, mine), (other.name, theirs))
            yield other.name, _conflict(index, (other.name, theirs), (file.name, mine))


def _conflict(index: int | None, own: tuple[str, bytes], other: tuple[str, bytes]) -> Note:
    zh, en = (_said(lang, index, own, other) for lang in LANGS)
    return Note("conflict", other[0], index, zh, en)


def _said(lang: str, index: int | None, *sides: tuple[str, bytes]) -> str:
    what = "HEAD" if index is None else text(lang, "cli.hand", n=index)
    mine, theirs = (f"{plain(name)}: {what} {leaf.hex()[:16]}" for name, leaf in sides)
    return text(lang, "finding.conflict", expected=mine, found=theirs)
