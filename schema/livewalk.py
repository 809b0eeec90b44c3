"""One pass over a live file: events, the HAND record that commits them, what is behind damage."""

from collections.abc import Iterator

from msgspec.structs import replace

from schema.damage import Damage, Fault
from schema.events import Event, HandStarted
from schema.frames import ANCILLARY, HAND_EVENTS, HAND_LIMIT, HEADER_SIZE, Kind, leaf
from schema.gaps import check_gap, gap_damage
from schema.hands import (
    ENDS,
    STARTS,
    border_fault,
    event_faults,
    is_begun,
    is_whole,
    outside,
    second_start,
    tag_of,
)
from schema.items import Hand, Skipped, Span
from schema.records import HAND_DECODER, MOST_HANDS, RECOVERED_DECODER, HandRecord
from schema.scan import Frame, Search, Source, frame_at, read_events
from schema.schemas import Schema
from schema.strict import Misfit, decode_payloads, decode_record


class LiveWalk:
    """What is known of the place that the pass has reached is its state."""

    def __init__(self, source: Source, schema: Schema, head_leaf: bytes, start: int) -> None:
        """Begin behind HEAD."""
        self._source = source
        self._schema = schema
        self._search = Search(source, (Kind.EVENT, Kind.HAND, Kind.RECOVERED))
        self.at = start
        """Offset reached; in the end, where the good frames end."""
        self._record = 1
        self.index: int | None = 0
        """Index of the open or next hand; None behind damage, until a record tells."""
        self._floor = 0
        """Least index that the next hand can have."""
        self.leaf = head_leaf
        """The last leaf known."""
        self._chained = True
        """`leaf` is the one just before: false behind damage and behind hands lost."""
        self._lost = False
        """Events before the next HandStarted are the rest of a hand that damage has hit."""
        self._stopped = False
        self._clear()

    def spans(self) -> Iterator[Span]:
        """Items and the bytes they account for, to the end of the file."""
        while self.at < self._source.size and not self._stopped:
            yield from self._events()
            if self.at >= self._source.size:
                break
            try:
                frame = frame_at(self._source, self.at)
            except Misfit as misfit:
                yield from self._gap(misfit)
                continue
            if frame.kind != Kind.EVENT:
                yield from self._other(frame)
                self.at = frame.end
                self._record += 1
        if not self._stopped:
            yield from self._in_progress()

    # Frames

    def _events(self) -> Iterator[Span]:
        before = len(self._payloads)
        self.at = read_events(self._source, self.at, self._payloads, self._offsets)
        self._record += len(self._payloads) - before
        if len(self._payloads) > HAND_EVENTS:
            if not self._lost:
                expected = f"at most {HAND_EVENTS} events in a hand"
                yield self._here(Fault.HAND_TOO_LARGE, expected, "more")
            self._lose()

    def _other(self, frame: Frame) -> Iterator[Span]:
        match frame.kind:
            case Kind.HAND:
                yield from self._hand(frame)
                self._clear()
                self._lost = False
            case Kind.RECOVERED:
                yield from self._recovered(frame)
            case kind if kind >= ANCILLARY:
                self._break()
                yield Span(Skipped(kind, frame.offset, len(frame.payload)), frame.offset, frame.end)
            case Kind.HEAD | Kind.CHUNK | Kind.INDEX | Kind.TRAILER:
                expected = "EVENT, HAND or RECOVERED in a live file"
                span = self._here(Fault.MISPLACED_FRAME, expected, Kind(frame.kind).name)
                yield replace(span, end=frame.end, unread=True)
                self._break()
            case kind:
                expected = "a kind this version knows, or an ancillary one (0x80 and above)"
                yield self._here(Fault.UNKNOWN_KIND, expected, f"kind {kind:#04x}")
                self._stopped = True

    def _gap(self, misfit: Misfit) -> Iterator[Span]:
        """No good frame at this place: go on behind the damage, or end here."""
        target = self._search.next_good(self.at + 1)
        damage = gap_damage(self._search, misfit, self.at, target, self._record)
        event = len(self._payloads) or None
        span = self._span(replace(damage, hand=self.index, event=event))
        if target is not None:
            yield span
            self._lose()
            self._forget()
            self.at = target
            return
        if damage.fault is Fault.TORN_TAIL:
            yield from self._in_progress()
        yield span
        self._stopped = True

    # The open hand

    def _clear(self) -> None:
        self._payloads: list[bytes] = []
        self._offsets: list[int] = []
        self._gaps: list[Span] = []
        """RECOVERED frames inside the open hand, yielded with it."""
        self._breaks: dict[int, int] = {}
        """How many other frames stood inside the open hand, after so many events."""

    def _lose(self) -> None:
        """The open hand cannot be read any more; what follows is its rest."""
        self._clear()
        self._lost = True

    def _forget(self) -> None:
        """Which hand comes next is not known, nor the leaf before it."""
        self.index = None
        self._chained = False

    def _place(self, number: int) -> tuple[int, int]:
        """Record number and payload offset of event `number` of the open hand."""
        behind = sum(n for events, n in self._breaks.items() if events > number)
        record = self._record - len(self._payloads) + number - behind
        return record, self._offsets[number] + HEADER_SIZE

    def _break(self) -> None:
        """Another frame stands inside the open hand, behind the events it has so far."""
        count = len(self._payloads)
        self._breaks[count] = self._breaks.get(count, 0) + 1

    def _span(self, damage: Damage) -> Span:
        unread = damage.fault is Fault.HAND_WITHOUT_EVENTS
        return Span(damage, self.at, self.at, unread=unread)

    def _here(self, fault: Fault, expected: str, found: str) -> Span:
        event = len(self._payloads) or None
        return self._span(Damage(fault, self._record, self.at, expected, found, self.index, event))

    def _trim(self, first: int) -> None:
        """Drop the events before number `first`."""
        del self._payloads[:first], self._offsets[:first]
        self._breaks = {at - first: n for at, n in self._breaks.items() if at > first}
        if first:
            self._gaps.clear()

    def _begin_hand(self) -> list[Damage]:
        """Drop all before the last HandStarted; a fault for each hand without a HAND record."""
        starts = [i for i, payload in enumerate(self._payloads) if tag_of(payload) == STARTS]
        if self._lost:
            first = starts[0] if starts else len(self._payloads)
            self._trim(first)
            starts = [start - first for start in starts]
            self._lost = not starts
        faults = []
        if self._payloads and starts[:1] != [0]:
            faults.append(outside(self._payloads, self._place, self.index, 0))
        for start in starts[1:]:
            faults.append(second_start(self._payloads, self._place, self.index, start))
        self._trim(starts[-1] if starts else len(self._payloads))
        return faults

    def _in_progress(self) -> Iterator[Span]:
        """The hand that is open where the file ends."""
        faults = self._begin_hand()
        if self._payloads and self.index is not None and self.index >= MOST_HANDS:
            expected, found = f"a hand below {MOST_HANDS}", f"hand {self.index}"
            faults.append(Damage(Fault.WRONG_INDEX, *self._place(0), expected, found))
        elif self._payloads and self.index is not None:
            faults += self._content_faults(self.index)
            events = decode_payloads(self._schema, self._payloads)
            if events is not None and is_begun(events) and not faults:
                own = leaf(b"".join(self._payloads))
                yield from self._good_hand(self.index, events, own, self.at, False)
        yield from map(self._span, faults)

    def _content_faults(self, hand: int) -> list[Damage]:
        """All that is wrong with the events of the open hand, its open end apart."""
        faults = event_faults(self._schema, self._payloads, self._place, hand)
        border = border_fault(self._payloads, self._place, hand)
        if border is not None:
            faults.insert(0, border)
        size = sum(map(len, self._payloads))
        if size > HAND_LIMIT:
            expected = f"at most {HAND_LIMIT} bytes in a hand"
            place = self._place(0)
            faults.append(Damage(Fault.HAND_TOO_LARGE, *place, expected, f"{size} bytes", hand))
        return faults

    def _good_hand(
        self, index: int, events: list[Event], own: bytes, end: int, committed: bool
    ) -> Iterator[Span]:
        started = events[0]
        assert isinstance(started, HandStarted), "a hand begins with HandStarted"
        if self._chained and index == self.index and started.prev != self.leaf:
            expected = f"prev = {self.leaf.hex()}, the leaf before it"
            found = started.prev.hex()
            place = self._place(0)
            yield self._span(Damage(Fault.CHAIN_BROKEN, *place, expected, found, index, 0))
        yield from self._gaps
        offsets = tuple(self._offsets)
        hand = Hand(index, events, own, started.prev, offsets, committed)
        yield Span(hand, offsets[0], end, next_index=index + committed)

    # HAND

    def _hand(self, frame: Frame) -> Iterator[Span]:
        try:
            record = decode_record(HAND_DECODER, frame.payload, "a HAND record")
        except Misfit as misfit:
            span = self._span(misfit.damage(self._record, frame.body, self.index))
            yield replace(span, unread=True)
            self._forget()
            return
        events, faults = self._committed(record, frame)
        if not faults:
            faults = self._jump(record, frame)
        yield from map(self._span, faults)
        if events is not None and record.index >= self._floor:
            yield from self._good_hand(record.index, events, record.leaf, frame.end, True)
        if record.index >= self._floor:
            self.index = record.index + 1
        elif self.index is not None:
            self.index = min(self.index + 1, MOST_HANDS)
        self._floor = self._floor if self.index is None else self.index
        self.leaf = record.leaf
        self._chained = True
        yield Span(None, frame.end, frame.end, next_index=self._floor)

    def _committed(
        self, record: HandRecord, frame: Frame
    ) -> tuple[list[Event] | None, list[Damage]]:
        """The hand that the record commits, or None, and what is wrong with it."""
        difference = self._difference(record, frame)
        if difference is None and record.n_bytes <= HAND_LIMIT:
            events = decode_payloads(self._schema, self._payloads)
            if events is not None and is_whole(events):
                return events, []
        if not self._payloads and not self._lost:
            fault, found = Fault.HAND_WITHOUT_EVENTS, "a HAND record"
            return None, [self._at_record(fault, frame, "the events of a hand", found, record)]
        before = self._begin_hand()
        if not self._payloads:
            return None, before
        faults = self._content_faults(record.index)
        if tag_of(self._payloads[-1]) not in ENDS:
            fault, expected = Fault.HAND_NOT_ENDED, "HandEnded or HandAborted"
            faults.append(self._at_record(fault, frame, expected, "a HAND record", record))
        difference = self._difference(record, frame)
        if difference is not None and not before:
            faults.append(difference)
        if faults or difference is not None:
            return None, before + faults
        events = decode_payloads(self._schema, self._payloads)
        assert events is not None, "a hand without fault can be read"
        return events, before

    def _difference(self, record: HandRecord, frame: Frame) -> Damage | None:
        """The first of count, size and leaf that the record states otherwise than its events."""
        body = b"".join(self._payloads)
        if record.n_events != len(self._payloads):
            expected, found = f"{len(self._payloads)} events", f"{record.n_events} in HAND"
            return self._at_record(Fault.WRONG_COUNT, frame, expected, found, record)
        if record.n_bytes != len(body):
            expected, found = f"{len(body)} bytes of events", f"{record.n_bytes} in HAND"
            return self._at_record(Fault.WRONG_SIZE, frame, expected, found, record)
        own = leaf(body)
        if record.leaf != own:
            expected, found = f"leaf {own.hex()}", record.leaf.hex()
            return self._at_record(Fault.WRONG_LEAF, frame, expected, found, record)
        return None

    def _jump(self, record: HandRecord, frame: Frame) -> list[Damage]:
        """The record does not commit the next hand; behind damage it may be any later one."""
        if (self.index is None and record.index >= self._floor) or record.index == self.index:
            return []
        expected = f"hand {self._floor}" + (" or later" if self.index is None else "")
        found = f"the HAND record of hand {record.index}"
        return [self._at_record(Fault.WRONG_INDEX, frame, expected, found, record)]

    def _at_record(
        self, fault: Fault, frame: Frame, expected: str, found: str, record: HandRecord
    ) -> Damage:
        return Damage(fault, self._record, frame.body, expected, found, record.index)

    # RECOVERED

    def _recovered(self, frame: Frame) -> Iterator[Span]:
        if self._lost:
            yield from map(self._span, self._begin_hand())
        try:
            gap = decode_record(RECOVERED_DECODER, frame.payload, "RECOVERED")
            check_gap(gap, self.index, self._floor, len(self._payloads), len(self._gaps))
        except Misfit as misfit:
            self._break()
            # Of a hand that is lost as a whole a gap inside it is no news.
            if not self._lost:
                damage = misfit.damage(self._record, frame.body, self.index)
                yield Span(damage, frame.offset, frame.end, unread=True)
                self._forget()
            return
        self._lost = False
        self.index = self._floor = gap.hand + gap.hands_lost
        self._chained = self._chained and not gap.hands_lost
        # Inside a hand it is yielded with it, and accounts for the hand up to here.
        start = self._offsets[0] if gap.events else frame.offset
        span = Span(gap, start, frame.end, next_index=self._floor)
        if gap.events:
            self._break()
            self._gaps.append(span)
        else:
            yield span
