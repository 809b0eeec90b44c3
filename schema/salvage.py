"""Salvage: from a damaged log a live one with all that is provably whole, every gap stated."""

from hashlib import sha256
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from schema.damage import Damage, Fault, LogError
from schema.events import AbortReason, HandAborted, HandEnded
from schema.frames import HAND_EVENTS, HAND_LIMIT, Kind
from schema.head import encode_head
from schema.items import Hand, Skipped, Span
from schema.livelog import LiveLog
from schema.livewriter import ROOM_TO_END
from schema.logfile import open_log
from schema.records import Recovered
from schema.seal import FrameSink, put_hand
from schema.sealedlog import SealedLog
from schema.strict import ENCODER

_BLOCK = 1 << 18
MOST_TOLD = 1000
"""No more of one kind is kept for the account: a log can have as many faults as bytes."""


class Salvaged(Struct, frozen=True):
    """What a salvage kept and what it lost.

    `gaps`: the RECOVERED records it wrote, each with its bytes lost and their SHA-256; `damage`:
    what was wrong with the source; of both the first MOST_TOLD. `aborted`: the index of the hand
    it had to abort.
    """

    hands_kept: int
    hands_lost: int
    bytes_lost: int
    gaps: tuple[Recovered, ...]
    damage: tuple[Damage, ...]
    aborted: int | None
    size: int
    """Bytes written."""


def salvage(stream: BinaryIO, sink: BinaryIO, at: int) -> Salvaged:
    """Write a live log with whole hands whose leaf proves true, under their index in the source.

    `at`: wall time of the salvage in ms, for the RECOVERED records. A hand that is open where the
    file ends keeps its intact events and is aborted. LogError if HEAD is bad or the log is text.
    """
    log = open_log(stream)
    if not isinstance(log, LiveLog | SealedLog):
        expected = "a binary log: lines of a text log are mended in an editor"
        raise LogError(Damage(Fault.NOT_A_LOG, 0, 0, expected, f"a {log.form} log"))
    return _Salvage(log, sink, at).run()


class _Salvage:
    """One pass over the source: what was kept so far, and what was lost since."""

    def __init__(self, log: LiveLog | SealedLog, sink: BinaryIO, at: int) -> None:
        self._log = log
        self._source = log.source
        self._out = FrameSink(sink)
        self._at = at
        self._reached = log.start
        """Bytes of the source below this are kept, or lost and noted."""
        self._index = 0
        """Index that the next hand of the output has if no hand is lost."""
        self._seen = 0
        """Hands below this index have existed."""
        self._lost: list[tuple[int, int]] = []
        self._lost_raw: list[bytes] = []
        self._reason = ""
        self._inside: list[Recovered] = []
        self._open: Hand | None = None
        self._gaps: list[Recovered] = []
        self._damage: list[Damage] = []
        self._hands = self._hands_lost = self._bytes_lost = 0

    def run(self) -> Salvaged:
        self._out.begin(encode_head(self._log.head))
        for span in self._log.spans():
            self._span(span)
        if self._open is None:
            self._lose(self._reached, self._source.size)
            self._state_gap(max(self._seen, self._index))
        else:
            self._end_open(self._open)
        return Salvaged(
            self._hands,
            self._hands_lost,
            self._bytes_lost,
            tuple(self._gaps),
            tuple(self._damage),
            None if self._open is None else self._open.index,
            self._out.offset,
        )

    def _span(self, span: Span) -> None:
        self._seen = max(self._seen, span.next_index)
        match span.item:
            case Hand(committed=True):
                self._account(span)
                self._state_gap(span.item.index)
                self._keep(span.item)
            case Hand() if _can_be_ended(span.item):
                self._account(span)
                self._state_gap(span.item.index)
                self._open = span.item
            case Hand():
                pass
            case Recovered(events=0):
                self._account(span)
                self._state_gap(span.item.hand)
                self._out.put(Kind.RECOVERED, ENCODER.encode(span.item))
                self._index += span.item.hands_lost
            case Recovered():
                self._account(span)
                self._inside.append(span.item)
            case Damage() | Skipped():
                self._note(span)
            case None:
                if span.end > span.start:
                    self._account(span)

    def _note(self, span: Span) -> None:
        """Damage, or a frame of an unknown kind: a reason, and perhaps bytes that it names."""
        if isinstance(span.item, Damage):
            self._reason = self._reason or f"{span.item.fault.value} at byte {span.item.offset}"
            if len(self._damage) < MOST_TOLD:
                self._damage.append(span.item)
        else:
            self._reason = self._reason or "a frame of an unknown kind"
        if span.raw:
            self._account(span)
            self._lost_raw.append(span.raw)
        else:
            self._lose(span.start, span.end)

    def _account(self, span: Span) -> None:
        """The bytes of a span are kept; those before it that nothing accounts for are lost."""
        self._lose(self._reached, span.start)
        self._reached = max(self._reached, span.start, span.end)

    def _lose(self, start: int, end: int) -> None:
        if end <= start:
            return
        if self._lost and self._lost[-1][0] <= start <= self._lost[-1][1]:
            self._lost[-1] = (self._lost[-1][0], max(end, self._lost[-1][1]))
        else:
            self._lost.append((start, end))

    def _keep(self, hand: Hand) -> None:
        put_hand(self._out, hand, self._inside)
        self._inside, self._reason = [], ""
        self._index = hand.index + 1
        self._hands += 1

    def _end_open(self, hand: Hand) -> None:
        """The last hand has no end: its intact events, the gap after them, HandAborted."""
        self._lose(self._reached, self._source.size)
        n_events = len(hand.events)
        if self._lost:
            self._inside.append(self._new_gap(n_events, 0))
        if not isinstance(hand.events[-1], HandEnded | HandAborted):
            hand = replace(hand, events=[*hand.events, HandAborted(0, AbortReason.RECOVERED)])
        self._keep(replace(hand, committed=True))

    def _state_gap(self, next_index: int) -> None:
        """A RECOVERED frame for what was lost before the hand of that index, if anything was."""
        hands_lost = next_index - self._index
        if hands_lost or self._lost or self._lost_raw:
            gap = self._new_gap(0, hands_lost)
            self._out.put(Kind.RECOVERED, ENCODER.encode(gap))
            self._index = next_index

    def _new_gap(self, events: int, hands_lost: int) -> Recovered:
        digest = sha256()
        size = 0
        for start, end in _merged(self._lost):
            size += end - start
            for at in range(start, end, _BLOCK):
                digest.update(self._source.bytes_at(at, min(_BLOCK, end - at)))
        for raw in self._lost_raw:
            size += len(raw)
            digest.update(raw)
        reason = f"salvaged: {self._reason or 'hands are missing'}"
        gap = Recovered(self._index, events, hands_lost, size, digest.digest(), self._at, reason)
        self._hands_lost += hands_lost
        self._bytes_lost += size
        if len(self._gaps) < MOST_TOLD:
            self._gaps.append(gap)
        self._lost, self._lost_raw, self._reason = [], [], ""
        return gap


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same bytes as ranges in order that do not overlap."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _can_be_ended(hand: Hand) -> bool:
    """There is room for HandAborted, as a writer of this format always leaves."""
    size = sum(len(ENCODER.encode(event)) for event in hand.events)
    return len(hand.events) < HAND_EVENTS and size + ROOM_TO_END <= HAND_LIMIT
