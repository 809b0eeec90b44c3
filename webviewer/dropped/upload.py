"""A log as a browser posts it: into memory, no further than the limit, never to a disk."""

import fcntl
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from typing import IO, Any, cast

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from webviewer.dropped.limits import Limits

_BESIDE = 1 << 16
"""Bytes of a form beside the log in it."""
_MOST_PARTS = 4
_LONGEST_NAME = 120


class Refused(Exception):
    """The form holds no log that is taken; `args`: HTTP status, a word of `view.drop.refused`."""


@contextmanager
def received(request: Request, limits: Limits, pasted: str) -> Iterator[tuple[int, str]]:
    """The posted log as an open file in memory, and its name; `pasted` names what has none."""
    if request.content_length is None:
        raise Refused(411, "no_length")
    if request.content_length > limits.log + _BESIDE:
        raise Refused(413, "too_large")
    made: list[FileIO] = []

    def file_for(*_: Any, **__: Any) -> IO[bytes]:
        made.append(memory_file())
        return cast(IO[bytes], made[-1])

    try:
        yield _log_in(request, limits, pasted, file_for)
    finally:
        for file in made:
            with suppress(OSError):
                file.close()


def _log_in(request: Request, limits: Limits, pasted: str, file_for: Any) -> tuple[int, str]:
    parser = FormDataParser(
        stream_factory=file_for,
        max_form_memory_size=limits.log + _BESIDE,
        max_content_length=limits.log + _BESIDE,
        max_form_parts=_MOST_PARTS,
    )
    try:
        _, form, files = parser.parse_from_environ(request.environ)
    except RequestEntityTooLarge:
        raise Refused(413, "too_large") from None
    chosen = files.get("log")
    if chosen is not None and chosen.filename:
        file, name = cast(FileIO, chosen.stream), _file_name(chosen.filename)
    elif written := form.get("text", ""):
        file, name = file_for(), pasted
        # Browsers make every line end of a form's text CR LF: that was not in what was pasted.
        file.write(written.replace("\r\n", "\n").encode("utf-8", "surrogatepass"))
    else:
        raise Refused(400, "no_file")
    if os.fstat(file.fileno()).st_size > limits.log:
        raise Refused(413, "too_large")
    seal(file)
    return file.fileno(), name


def memory_file() -> FileIO:
    """A new file in memory; where the system has none, one on disk that has no name any more."""
    if sys.platform == "linux":
        handle = os.memfd_create("dropped", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        return FileIO(handle, "r+")
    with tempfile.TemporaryFile(buffering=0) as file:
        return FileIO(os.dup(file.fileno()), "r+")


def seal(file: FileIO) -> None:
    """Nothing is written to it any more, by anybody."""
    if sys.platform == "linux":
        seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
        fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, seals)


def _file_name(name: str) -> str:
    """The last part of a path, without what is not printed; old browsers send the whole path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(letter for letter in last if letter.isprintable()) or "?"
    if len(shown) <= _LONGEST_NAME:
        return shown
    return f"{shown[: _LONGEST_NAME - 20]}…{shown[-19:]}"
