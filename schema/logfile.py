"""Opening a log of any form: what it is, its HEAD, and the reader for the rest."""

from typing import BinaryIO

from schema.chunks import trailer_of
from schema.damage import Damage, Fault, LogError, hex_of
from schema.frames import HEADER_SIZE, MAGIC, Kind
from schema.head import HEAD_OFFSET, decode_head
from schema.items import Form, Hand, Item, Log, Skipped
from schema.livelog import LiveLog, Tail
from schema.scan import Frame, Search, Source, frame_at
from schema.sealedlog import SealedLog
from schema.seen import hands_seen
from schema.strict import Misfit

__all__ = ["Form", "Hand", "Item", "LiveLog", "Log", "SealedLog", "Skipped", "Tail", "open_log"]

_BLANKS = b"\xef\xbb\xbf \t\r\n"
"""What may stand before the first line of a text log: its reader says if it must not."""
_FOREIGN = (
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x89PNG", "a PNG image"),
    (b"\x28\xb5\x2f\xfd", "zstandard data"),
    (b"SQLite format 3", "an SQLite database"),
)


def open_log(stream: BinaryIO) -> Log:
    """The log in a seekable binary stream; LogError if no verdict about it is possible.

    The stream stays the caller's, and must stay open as long as the log is read.
    """
    source = Source(stream)
    start = source.bytes_at(0, 16)
    if start.startswith(MAGIC):
        return _open_binary(source)
    if start.lstrip(_BLANKS).startswith(b"{"):
        # Here, not above: a program that reads binary logs only need not build the text twins.
        from schema.textform import open_text

        return open_text(stream)
    raise LogError(Damage(Fault.NOT_A_LOG, 0, 0, "a paipu log", _foreign(start)))


def _open_binary(source: Source) -> Log:
    try:
        first = frame_at(source, HEAD_OFFSET)
        if first.kind != Kind.HEAD:
            raise Misfit(Fault.BAD_HEAD, "HEAD as the first frame", f"kind {first.kind:#04x}")
    except Misfit as misfit:
        bad = Misfit(Fault.BAD_HEAD, misfit.expected, misfit.found, misfit.at)
        raise LogError(bad.damage(0, HEAD_OFFSET), hands_seen(source)) from None
    try:
        head, schema = decode_head(first.payload)
    except LogError as error:
        if error.damage.fault is Fault.UNKNOWN_VERSION:
            raise
        raise LogError(error.damage, hands_seen(source)) from None
    trailer = trailer_of(source)
    if trailer is not None or _has_chunks(source, first):
        return SealedLog(source, head, schema, first, trailer)
    return LiveLog(source, head, schema, first)


def _has_chunks(source: Source, first: Frame) -> bool:
    """A file without TRAILER is a damaged sealed one if its first telling frame says so."""
    search = Search(source, [kind for kind in Kind if kind is not Kind.HEAD])
    at: int | None = first.end
    while at is not None and at < source.size:
        try:
            frame = frame_at(source, at)
        except Misfit:
            at = search.next_good(at + 1)
            continue
        if frame.kind in (Kind.CHUNK, Kind.INDEX, Kind.TRAILER):
            return True
        if frame.kind in (Kind.EVENT, Kind.HAND):
            return False
        at = frame.end
    # Nothing tells: the kind byte of a damaged frame is better than nothing.
    return source.bytes_at(first.end + HEADER_SIZE - 1, 1) in (b"\x04", b"\x05", b"\x07")


def _foreign(start: bytes) -> str:
    """What a file that is no log looks like."""
    if not start:
        return "an empty file"
    if start.startswith(MAGIC[:6]):
        return f"{hex_of(start[:8])}: line ends changed by a transfer in text mode, or a cut"
    for magic, name in _FOREIGN:
        if start.startswith(magic):
            return name
    return f"a file that begins with {hex_of(start)}"
