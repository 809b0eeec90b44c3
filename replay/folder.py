"""Logs on disk: which there are at some paths, opening them, and what holds across files."""

import codecs
import io
import os
import select
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

from msgspec import Struct

from replay import regular
from replay.messages import LANGS, text
from replay.wording import plain
from schema.damage import LogError
from schema.frames import MAGIC
from schema.items import Hand, Log
from schema.logfile import open_log

SUFFIXES = (".paipu", ".paipu.jsonl")
STDIN = "-"
_MANIFEST = "MANIFEST"
Told = Callable[[int], None]
"""Is told how many bytes of a file were read."""
Passed = Callable[[str], None]
"""Is told the path of what is named like a log in a folder and is no regular file."""
LONGEST_COPY = 1 << 32
"""Bytes from a pipe or a device that are copied at most: it may have no end."""
WRITER_WITHIN = 2.0
"""Seconds in which somebody has to begin to write into a pipe that has a name: it may be a
forgotten one, which would be waited for without end."""
_START = 64
_BLANKS = b"\xef\xbb\xbf \t\r\n"
"""What may stand before the first line of a text log: its reader says if it must not."""
_BLOCK = 1 << 20


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
    """A log to be read: its name as people wrote it, and the path and size of its bytes.

    `is_copy`: the bytes came out of a pipe or a device and are a copy.
    """

    name: str
    path: str
    size: int
    is_copy: bool = False


class Note(Struct, frozen=True):
    """What holds between two files: `conflict` or `previous_missing`; `other` is the other file.

    `hand` is the first that differs, None where HEAD does.
    """

    kind: str
    other: str | None
    hand: int | None
    zh: str
    en: str


def _pass_over(_: str) -> None:
    pass


def located(paths: Sequence[str], stack: ExitStack, passed: Passed = _pass_over) -> list[LogFile]:
    """The logs at these paths, each once: files as they are given, folders walked and sorted.

    `-` is standard input. What cannot be read twice is copied to a file that ends with `stack`.
    Problem for an archive, for a folder without logs, and for a pipe that nobody writes into.
    """
    found: dict[str, LogFile] = {}
    for path in paths:
        for file in _at(path, stack, passed):
            found.setdefault(os.path.realpath(file.path), file)
    return list(found.values())


def located_one(path: str, stack: ExitStack) -> LogFile:
    """The one log at a path; Problem for a folder."""
    if os.path.isdir(path):
        raise Problem("archive" if is_archive(path) else "one_log", path=path)
    return _at(path, stack, _pass_over)[0]


def is_archive(path: str) -> bool:
    """A path with a MANIFEST is an archive, anything else is logs."""
    return os.path.isfile(os.path.join(path, _MANIFEST))


def standard_input() -> BinaryIO:
    """Its bytes; Problem if it was closed before we began."""
    if sys.stdin is None:
        raise Problem("no_stdin")
    return sys.stdin.buffer


def standard_output() -> BinaryIO:
    """Where bytes can be written; Problem if it was closed before we began."""
    if sys.stdout is None:
        raise Problem("no_stdout")
    return sys.stdout.buffer


def _at(path: str, stack: ExitStack, passed: Passed) -> list[LogFile]:
    if path == STDIN:
        return [_copied(path, standard_input(), stack)]
    if os.path.isdir(path):
        return _below(path, passed)
    if not is_special(path):
        return [LogFile(path, path, _size(path))]
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return [LogFile(path, path, 0)]  # whoever opens it says what is wrong
    stream = stack.enter_context(open(fd, "rb", buffering=0))  # noqa: SIM115
    start = _first_byte(path, fd) if stat.S_ISFIFO(os.fstat(fd).st_mode) else b""
    os.set_blocking(fd, True)
    return [_copied(path, stream, stack, start)]


def _first_byte(path: str, fd: int) -> bytes:
    """What had to be read of a pipe to know that somebody writes into it; Problem if nobody does.

    One that is written into later, but has its writer now, is waited for.
    """
    watched = select.poll()
    watched.register(fd, select.POLLIN)
    if watched.poll(WRITER_WITHIN * 1000):
        return b""
    try:
        start = os.read(fd, 1)
    except BlockingIOError:
        return b""
    if not start:
        raise Problem("no_writer", path=path)
    return start


def _below(folder: str, passed: Passed) -> list[LogFile]:
    if is_archive(folder):
        raise Problem("archive", path=folder)
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_archive(os.path.join(place, name))]
        # A name that begins with a dot is a file in the making.
        wanted = (n for n in names if n.endswith(SUFFIXES) and not n.startswith("."))
        for path in (os.path.normpath(os.path.join(place, name)) for name in wanted):
            if is_special(path):
                passed(path)
            else:
                found.append(path)
    if not found:
        raise Problem("no_logs", path=folder)
    return [LogFile(path, path, _size(path)) for path in sorted(found)]


def is_special(path: str) -> bool:
    """Whether a pipe, a device or a socket stands there: reading it may never end."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # whoever opens it says what is wrong
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _copied(
    name: str, stream: BinaryIO | io.RawIOBase, stack: ExitStack, start: bytes = b""
) -> LogFile:
    """A copy on disk, under no name, of a stream that cannot seek; `start` was read of it already.

    Of what is no log only the beginning, which is all that is looked at; Problem if it is longer
    than any log that one would send through a pipe.
    """
    copy = stack.enter_context(tempfile.TemporaryFile(prefix="paipu-"))  # noqa: SIM115
    copy.write(start)
    while copy.tell() < _START and (block := stream.read(_START - copy.tell())):
        copy.write(block)
    copy.seek(0)
    if may_be_log(copy.read()):
        while block := stream.read(_BLOCK):
            if copy.tell() + len(block) > LONGEST_COPY:
                raise Problem("endless", path=name, n=LONGEST_COPY)
            copy.write(block)
    copy.flush()
    return LogFile(name, _path_of(copy.fileno()), copy.tell(), is_copy=True)


def may_be_log(start: bytes) -> bool:
    """Whether a file that begins with these bytes can be one: a text is UTF-8 from the start."""
    if start.startswith(MAGIC):
        return True
    if not start.lstrip(_BLANKS).startswith(b"{"):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return b"\0" not in start


def _path_of(fd: int) -> str:
    """A path to an open file that has no name; worker processes may open it too."""
    path = f"/proc/{os.getpid()}/fd/{fd}"
    return path if os.path.exists(path) else f"/dev/fd/{fd}"


class _Watched(io.FileIO):
    """A file that tells how much of it was read."""

    def __init__(self, path: str, told: Told) -> None:
        super().__init__(path, opener=regular.opener)
        self._told = told

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        n = super().readinto(buffer)
        self._told(n)
        return n


@contextmanager
def opened(file: LogFile, told: Told | None = None) -> Iterator[Log]:
    """The open log; OSError, or LogError where no verdict is possible."""
    raw = io.FileIO(file.path, opener=regular.opener) if told is None else _Watched(file.path, told)
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
