"""The text form of a log, `.paipu.jsonl`: HEAD in line 1, then one event or gap a line.

It has no HAND lines: leaves are computed, and a last hand without an end is in progress.
"""

from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

from schema.damage import Damage, Fault, LogError
from schema.events import HandAborted, HandEnded
from schema.frames import leaf
from schema.head import schema_named
from schema.items import Hand, Item, Log, Skipped
from schema.records import Head, Recovered
from schema.scan import Source
from schema.schemas import Schema
from schema.seal import unknown_frame
from schema.strict import Misfit
from schema.textlines import LINE_LIMIT, Layout, TextCodec, codec_named, read_head, shown
from schema.textwalk import TextWalk

_BOM = b"\xef\xbb\xbf"
_HEAD_START = b'{"type":"head"'


def is_text(start: bytes) -> bool:
    """The first bytes of a file could begin a text log: a brace, after a BOM or spacing at most."""
    return start.lstrip(_BOM + b" \t\r\n")[:1] == b"{"


def open_text(stream: BinaryIO, layout: Layout = "canonical") -> "TextLog":
    """The text log in a seekable stream; LogError when no verdict is possible."""
    source = Source(stream)
    first = source.bytes_at(0, LINE_LIMIT)
    line, feed, _ = first.partition(b"\n")
    try:
        if not feed and (layout == "canonical" or len(first) == LINE_LIMIT):
            raise Misfit(
                Fault.BAD_HEAD, f"HEAD in a line of at most {LINE_LIMIT} bytes", shown(line)
            )
        head, schema, payload = read_head(line, layout)
    except Misfit as misfit:
        raise _refined(line, misfit).error(1, 0) from None
    return TextLog(source, layout, head, schema, leaf(payload), len(line) + len(feed))


def _refined(line: bytes, misfit: Misfit) -> Misfit:
    """The fault of line 1: if it does not even begin like HEAD, the file is no log."""
    if line.startswith(_BOM):
        return Misfit(Fault.NOT_A_LOG, "UTF-8 without a byte order mark", shown(line))
    if misfit.fault in (Fault.BAD_HEAD, Fault.NOT_JSON) and b'"head"' not in line:
        return Misfit(Fault.NOT_A_LOG, f"a line that begins {_HEAD_START.decode()}", shown(line))
    if misfit.fault in (Fault.NOT_JSON, Fault.NOT_UTF8, Fault.NOT_CANONICAL, Fault.BAD_CARD):
        return Misfit(Fault.BAD_HEAD, misfit.expected, misfit.found, misfit.at)
    return misfit


class TextLog(Log):
    """A text log, read line by line."""

    form = "text"

    def __init__(
        self,
        source: Source,
        layout: Layout,
        head: Head,
        schema: Schema,
        head_leaf: bytes,
        start: int,
    ) -> None:
        """`start`: where line 2 begins."""
        self.head = head
        self.schema = schema
        self.head_leaf = head_leaf
        self._source = source
        self._layout = layout
        self._start = start

    def items(self) -> Iterator[Item]:
        """Hands, damage and stated gaps in file order; see Log."""
        codec = codec_named(self.schema.id)
        return TextWalk(self._source, codec, self._layout, self.head_leaf, self._start).items()


def write_text(log: Log, sink: BinaryIO) -> None:
    """Write a log in its text form; LogError for damage and for whatever text cannot hold.

    Refused rather than lost: an ancillary frame, and a last hand that has its end but no HAND
    record, which would come back from text with one.
    """
    codec = codec_named(schema_named(log.head.schema_id).id)
    sink.write(codec.head_line(log.head))
    gaps = _Gaps(codec, sink)
    for item in log.items():
        match item:
            case Hand():
                _write_hand(item, codec, gaps, sink)
            case Recovered(events=0):
                gaps.write_before(item.hand, 0)
                sink.write(codec.line(item))
            case Recovered():
                gaps.waiting.append(item)
            case Damage():
                raise LogError(item)
            case Skipped():
                raise LogError(unknown_frame(item))
    gaps.write_all()


class _Gaps(Struct):
    """Gaps not yet written: a sealed log has those of a whole chunk before the chunk."""

    codec: TextCodec
    sink: BinaryIO
    waiting: list[Recovered] = []

    def write_before(self, hand: int, events: int) -> None:
        """Write those that stand before event number `events` of a hand."""
        while self.waiting and (self.waiting[0].hand, self.waiting[0].events) <= (hand, events):
            self.sink.write(self.codec.line(self.waiting.pop(0)))

    def write_all(self) -> None:
        """Write those behind the last hand."""
        for gap in self.waiting:
            self.sink.write(self.codec.line(gap))


def _write_hand(hand: Hand, codec: TextCodec, gaps: _Gaps, sink: BinaryIO) -> None:
    last = len(hand.events) - 1
    if not hand.committed and isinstance(hand.events[-1], HandEnded | HandAborted):
        expected = "the HAND record of the hand that ended; reopen or recover the file"
        offset = hand.offset(last)
        fault = Fault.HAND_NOT_COMMITTED
        raise LogError(Damage(fault, 0, offset, expected, "the end of the log", hand.index, last))
    for number, event in enumerate(hand.events):
        gaps.write_before(hand.index, number)
        sink.write(codec.line(event))
