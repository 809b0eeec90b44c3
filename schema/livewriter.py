"""Writing a live log, one event after the other: pure, bytes out, nothing opened."""

from collections.abc import Sequence

from msgspec.structs import replace

from schema.damage import Damage, Fault, LogError
from schema.events import Event, HandAborted, HandEnded, HandStarted
from schema.frames import HAND_EVENTS, HAND_LIMIT, HEADER_SIZE, LIMITS, MAGIC, Kind, frame, leaf
from schema.gaps import check_gap
from schema.head import HEAD_OFFSET, check_head, encode_head
from schema.records import MOST_HANDS, RECOVERED_DECODER, HandRecord, Head, Recovered
from schema.strict import DECODE_ERRORS, ENCODER, Misfit, decode_event, decode_record

ROOM_TO_END = 32
"""Bytes of a hand kept free for its last event, so that every hand can be ended."""


class LiveWriter:
    """The frames of a live log in order; every method returns the bytes to append.

    An exception leaves the writer as it was: what was refused is not in the log.
    """

    def __init__(self, head: Head) -> None:
        """A log with this HEAD and nothing in it yet; LogError for a HEAD no log may have."""
        self.schema = check_head(head)
        payload = encode_head(head)
        self.head = head
        self.head_leaf = leaf(payload)
        self.last_leaf = self.head_leaf
        """Leaf of the last committed hand, or of HEAD."""
        self.hand_index = 0
        """Index of the hand that is open, or of the next one."""
        self.record = 0
        """Number of the next frame, counted from HEAD = 0 (after `resume`: from the resumption)."""
        self._start = MAGIC + frame(Kind.HEAD, payload, HEAD_OFFSET)
        self.offset = 0
        """Where the next bytes belong in the file."""
        self._payloads: list[bytes] = []
        self._n_bytes = 0
        self._gaps = 0
        """Gaps stated inside the open hand."""
        self._ended = False

    @classmethod
    def resume(
        cls,
        head: Head,
        offset: int,
        hand_index: int,
        leaf: bytes,
        open_events: Sequence[Event],
        open_gaps: int = 0,
    ) -> "LiveWriter":
        """Go on at `offset` of a file; `leaf` is the last one, `open_…` an open hand's.

        If the open hand has its last event but no HAND record yet, call `commit` next.
        """
        writer = cls(head)
        writer.offset = offset
        writer.hand_index = hand_index
        writer.last_leaf = leaf
        writer.record = 1
        for event in open_events:
            writer._add(event, ENCODER.encode(event))
        writer._gaps = open_gaps
        return writer

    @property
    def hand_open(self) -> bool:
        """A hand has begun and has no HAND record yet."""
        return bool(self._payloads)

    @property
    def hand_ended(self) -> bool:
        """The open hand has its last event: only its HAND record is missing."""
        return self._ended

    @property
    def hand_events(self) -> int:
        """How many events the open hand has."""
        return len(self._payloads)

    def start(self) -> bytes:
        """MAGIC and the HEAD frame: the first bytes of the file."""
        assert self.offset == 0, "HEAD stands at the beginning of the file"
        self._advance(self._start)
        return self._start

    def event(self, event: Event) -> bytes:
        """The EVENT frame, after a hand's last event with its HAND frame; LogError.

        `prev` of a HandStarted is filled in, whatever it was.
        """
        if type(event) is HandStarted:
            event = replace(event, prev=self.last_leaf)
        payload = self._checked(event)
        self._check_place(event, payload)
        data = frame(Kind.EVENT, payload, self.offset)
        self._add(event, payload)
        self._advance(data)
        return data + self.commit() if self._ended else data

    def commit(self) -> bytes:
        """The HAND frame of a hand that has ended; only after `resume` is it called alone.

        LogError if no hand can have this index.
        """
        assert self._ended, "only a hand that has ended is committed"
        self._check_index("its HAND record")
        own = leaf(b"".join(self._payloads))
        record = HandRecord(self.hand_index, len(self._payloads), self._n_bytes, own)
        data = frame(Kind.HAND, ENCODER.encode(record), self.offset)
        self._payloads.clear()
        self._n_bytes = self._gaps = 0
        self._ended = False
        self.hand_index += 1
        self.last_leaf = own
        self._advance(data)
        return data

    def recovered(self, gap: Recovered) -> bytes:
        """The RECOVERED frame that states a gap at this place; LogError if it is not of here."""
        payload = ENCODER.encode(gap)
        try:
            decode_record(RECOVERED_DECODER, payload, "RECOVERED")
            index = self.hand_index
            check_gap(gap, index, index, len(self._payloads), self._gaps)
        except Misfit as misfit:
            raise misfit.error(self.record, self.offset + HEADER_SIZE) from None
        data = frame(Kind.RECOVERED, payload, self.offset)
        self.hand_index += gap.hands_lost
        self._gaps += bool(gap.events)
        self._advance(data)
        return data

    def _checked(self, event: Event) -> bytes:
        """The bytes of an event, read back strictly: msgspec's encoder checks nothing."""
        try:
            payload = ENCODER.encode(event)
            if len(payload) > LIMITS[Kind.EVENT]:
                raise Misfit(
                    Fault.BAD_EVENT,
                    f"at most {LIMITS[Kind.EVENT]} bytes",
                    f"{type(event).__name__} of {len(payload)} bytes",
                )
            decode_event(self.schema, payload)
        except Misfit as misfit:
            raise misfit.error(
                self.record, self.offset + HEADER_SIZE, self.hand_index, len(self._payloads)
            ) from None
        except (*DECODE_ERRORS, TypeError, ValueError, OverflowError) as error:
            expected = f"an event of {self.schema.id} ({error})"
            raise self._refused(Fault.BAD_EVENT, expected, type(event).__name__) from None
        return payload

    def _check_place(self, event: Event, payload: bytes) -> None:
        name = type(event).__name__
        self._check_index(name)
        if self._ended:
            expected = "the HAND record of the hand that has ended"
            raise self._refused(Fault.HAND_NOT_COMMITTED, expected, name)
        starts = type(event) is HandStarted
        if not self._payloads and not starts:
            raise self._refused(Fault.EVENT_OUTSIDE_HAND, "HandStarted", name)
        if self._payloads and starts:
            expected = "HandEnded or HandAborted before the next hand"
            raise self._refused(Fault.HAND_NOT_ENDED, expected, name)
        # One event and a few bytes stay free for the event that ends the hand.
        ends = isinstance(event, HandEnded | HandAborted)
        if len(self._payloads) >= HAND_EVENTS - (not ends):
            expected = f"at most {HAND_EVENTS} events in a hand, the last one its end"
            raise self._refused(Fault.HAND_TOO_LARGE, expected, name)
        if self._n_bytes + len(payload) > HAND_LIMIT - (0 if ends else ROOM_TO_END):
            expected = f"at most {HAND_LIMIT} bytes in a hand, its end included"
            raise self._refused(Fault.HAND_TOO_LARGE, expected, name)

    def _check_index(self, name: str) -> None:
        """Behind a stated gap the next hand can have an index that no record holds."""
        if not 0 <= self.hand_index < MOST_HANDS:
            found = f"{name} of hand {self.hand_index}"
            raise self._refused(Fault.WRONG_INDEX, f"a hand below {MOST_HANDS}", found)

    def _refused(self, fault: Fault, expected: str, found: str) -> LogError:
        hand, event = self.hand_index, len(self._payloads)
        return LogError(Damage(fault, self.record, self.offset, expected, found, hand, event))

    def _add(self, event: Event, payload: bytes) -> None:
        self._payloads.append(payload)
        self._n_bytes += len(payload)
        self._ended = isinstance(event, HandEnded | HandAborted)

    def _advance(self, data: bytes) -> None:
        self.offset += len(data)
        self.record += 1
