"""One pass over a sealed file: chunks of hands, then INDEX and TRAILER, which must agree."""

from bisect import bisect_left
from collections.abc import Iterator

from msgspec.structs import replace

from schema.chunks import (
    Trailer,
    check_hands,
    header_size,
    inflated,
    packed_arrays,
    read_index,
    trailer_in,
    unpacked_trailer,
)
from schema.damage import Damage, Fault
from schema.events import Event, HandStarted
from schema.frames import ANCILLARY, Kind, leaf
from schema.gaps import check_gap, gap_damage
from schema.hands import ENDS, border_fault, event_faults, is_whole, tag_of
from schema.items import Hand, Skipped, Span
from schema.records import (
    CHUNK_DECODER,
    MOST_HANDS,
    RECOVERED_DECODER,
    ChunkRecord,
    IndexEntry,
)
from schema.scan import Frame, Search, Source, frame_at
from schema.schemas import Schema
from schema.strict import Misfit, decode_hand, decode_record, split_array

_KINDS = frozenset(Kind)


class SealedWalk:
    """What is known of the place that the pass has reached is its state."""

    def __init__(
        self,
        source: Source,
        schema: Schema,
        head_leaf: bytes,
        start: int,
        index: tuple[IndexEntry, ...],
        hints: tuple[int, ...],
    ) -> None:
        """Begin behind HEAD; `index` and `hints` (more offsets) are empty if INDEX is damaged."""
        self._source = source
        self._schema = schema
        self._known = sorted(index, key=_offset_of)
        kinds = (Kind.CHUNK, Kind.INDEX, Kind.RECOVERED, Kind.TRAILER)
        self._search = Search(source, kinds, (*hints, *(entry.offset for entry in index)))
        self._at = start
        self._record = 1
        self._index: int | None = 0
        """Index of the next hand; None behind damage, until a record tells."""
        self._floor = 0
        self._leaf = head_leaf
        self._chained = True
        """`_leaf` is the one just before: false behind damage and behind hands lost."""
        self._last_known = True
        """`_leaf` is that of the last hand the file holds: false behind damage."""
        self._inside = 0
        """Events before the last gap inside the next hand."""
        self._gaps: list[Span] = []
        """Gaps inside the next hand, yielded with it."""
        self._seen: list[IndexEntry] = []
        self._hands = 0
        self._hands_stated = 0
        """Hands that gaps state as lost: TRAILER does not count them."""
        self._whole = True
        """No chunk was damaged so far: counts and offsets must be those of INDEX and TRAILER."""
        self._index_offset: int | None = None
        self._entries: tuple[IndexEntry, ...] | None = None
        self._open = True
        """INDEX has not come yet: chunks may."""
        self._stopped = False

    def spans(self) -> Iterator[Span]:
        """Items and the bytes they account for, to the end of the file."""
        while self._at < self._source.size and not self._stopped:
            try:
                frame = frame_at(self._source, self._at)
            except Misfit as misfit:
                yield from self._gap(misfit)
                continue
            yield from self._frame(frame)
            self._at = frame.end
            self._record += 1
        if not self._stopped:
            expected, found = "TRAILER at the end of a sealed file", "the end of the file"
            yield self._here(Fault.NO_TRAILER, expected, found)

    def _frame(self, frame: Frame) -> Iterator[Span]:
        match frame.kind:
            case Kind.CHUNK if self._open:
                yield from self._chunk(frame)
            case Kind.RECOVERED if self._open:
                yield from self._recovered(frame)
            case Kind.INDEX if self._open:
                yield from self._chunk_index(frame)
            case Kind.TRAILER:
                yield from self._trailer(frame)
            case kind if kind >= ANCILLARY:
                yield Span(Skipped(kind, frame.offset, len(frame.payload)), frame.offset, frame.end)
            case kind if kind in _KINDS:
                expected = "CHUNK, RECOVERED or INDEX" if self._open else "TRAILER after INDEX"
                span = self._here(Fault.MISPLACED_FRAME, expected, Kind(kind).name)
                yield replace(span, unread=True)
            case kind:
                expected = "a kind this version knows, or an ancillary one (0x80 and above)"
                yield self._here(Fault.UNKNOWN_KIND, expected, f"kind {kind:#04x}")
                self._stopped = True

    def _gap(self, misfit: Misfit) -> Iterator[Span]:
        """No good frame at this place: go on behind the damage, or end here."""
        target = self._search.next_good(self._at + 1)
        damage = gap_damage(self._search, misfit, self._at, target, self._record)
        damage = replace(damage, hand=self._index)
        end = self._source.size if target is None else target
        first_lost = bisect_left(self._known, self._at, key=_offset_of)
        lost = self._known[first_lost : bisect_left(self._known, end, key=_offset_of)]
        if lost:
            first, last = lost[0].first_index, lost[-1].first_index + lost[-1].n_hands - 1
            found = f"{damage.found}; by INDEX hands {first} to {last} stood there"
            damage = replace(damage, hand=first, found=found)
            self._floor = max(self._floor, last + 1)
        elif not self._known and self._entries is None:
            damage = self._by_trailer(damage, end)
        yield Span(damage, self._at, self._at, next_index=self._floor)
        self._forget()
        self._at = end
        self._stopped = target is None

    def _by_trailer(self, damage: Damage, end: int) -> Damage:
        """Where INDEX is gone too, TRAILER says how many hands the file held.

        It follows the damage, or it is itself what no longer stands where it was written.
        """
        trailer = trailer_in(self._source, end) or trailer_in(self._source, self._at)
        if trailer is None or self._held(trailer) <= self._floor:
            return damage
        first, last = self._floor, self._held(trailer) - 1
        self._floor = last + 1
        found = f"{damage.found}; by TRAILER the hands went on to {last}"
        return replace(damage, hand=first, found=found)

    def _held(self, trailer: Trailer) -> int:
        """All hands of a file have indexes below this, by its TRAILER."""
        return min(trailer.n_hands + self._hands_stated, MOST_HANDS)

    def _forget(self) -> None:
        """Which hand comes next is not known, nor the leaf before it."""
        self._index = None
        self._chained = self._last_known = False
        self._whole = False
        self._close_inside()

    def _close_inside(self) -> None:
        self._inside = 0
        self._gaps = []

    def _span(self, damage: Damage) -> Span:
        return Span(damage, self._at, self._at)

    def _here(self, fault: Fault, expected: str, found: str) -> Span:
        return self._span(Damage(fault, self._record, self._at, expected, found, self._index))

    def _place(self, number: int) -> tuple[int, int]:
        """Events in a chunk stand at the chunk's frame."""
        return self._record, self._at

    # CHUNK

    def _chunk(self, frame: Frame) -> Iterator[Span]:
        try:
            chunk = decode_record(CHUNK_DECODER, frame.payload, "a CHUNK")
            self._check_number(chunk)
            raw = inflated(chunk)
        except Misfit as misfit:
            span = self._span(misfit.damage(self._record, frame.body, self._index))
            yield replace(span, unread=True)
            self._forget()
            return
        if self._index is not None and chunk.first_index != self._index:
            expected, found = f"hand {self._index} next", f"hand {chunk.first_index}"
            yield self._here(Fault.WRONG_INDEX, expected, found)
            self._chained = False
        length = frame.end - frame.offset
        self._seen.append(IndexEntry(chunk.first_index, chunk.n_hands, frame.offset, length))
        self._hands += chunk.n_hands
        yield from self._hands_of(chunk, raw, frame)
        self._index = self._floor = chunk.first_index + chunk.n_hands

    def _check_number(self, chunk: ChunkRecord) -> None:
        """An index that was there before would give two hands one name."""
        check_hands(chunk)
        if chunk.first_index < self._floor:
            expected = f"hand {self._floor}" + (" or later" if self._index is None else "")
            raise Misfit(Fault.WRONG_INDEX, expected, f"hand {chunk.first_index}")

    def _hands_of(self, chunk: ChunkRecord, raw: bytes, frame: Frame) -> Iterator[Span]:
        arrays = packed_arrays(raw, chunk.n_hands)
        index = chunk.first_index
        read = 0
        while True:
            try:
                array = next(arrays)
            except StopIteration:
                return
            except Misfit as misfit:
                damage = misfit.damage(self._record, self._at, index)
                damage = replace(damage, offset=self._at)
                yield Span(
                    damage, self._at, frame.end, raw[read:], chunk.first_index + chunk.n_hands
                )
                self._forget()
                return
            read += 4 + len(array)
            last = index + 1 == chunk.first_index + chunk.n_hands
            yield from self._hand(array, index, frame.end if last else frame.offset)
            self._close_inside()
            index += 1

    def _hand(self, array: bytes, index: int, end: int) -> Iterator[Span]:
        try:
            own = leaf(array[header_size(array) :])
        except Misfit as misfit:
            damage = replace(misfit.damage(self._record, self._at, index), offset=self._at)
            yield Span(damage, self._at, end, array, index + 1)
            self._chained = self._last_known = False
            return
        events = decode_hand(self._schema, array)
        if events is None or not is_whole(events):
            faults = self._faults(array, index)
            yield Span(faults[0], self._at, end, array, index + 1)
            yield from map(self._span, faults[1:])
        else:
            yield from self._good_hand(events, index, own, end)
        self._leaf = own
        self._chained = self._last_known = True

    def _good_hand(self, events: list[Event], index: int, own: bytes, end: int) -> Iterator[Span]:
        started = events[0]
        assert isinstance(started, HandStarted), "a hand begins with HandStarted"
        if self._inside > len(events):
            expected = f"a hand with the {self._inside} events that RECOVERED states"
            damage = Damage(
                Fault.BAD_RECOVERED, self._record, self._at, expected, f"{len(events)}", index
            )
            yield self._span(damage)
        else:
            yield from self._gaps
        if self._chained and started.prev != self._leaf:
            expected = f"prev = {self._leaf.hex()}, the leaf before it"
            found = started.prev.hex()
            damage = Damage(Fault.CHAIN_BROKEN, self._record, self._at, expected, found, index, 0)
            yield self._span(damage)
        hand = Hand(index, events, own, started.prev, (self._at,), True)
        yield Span(hand, self._at, end, next_index=index + 1)

    def _faults(self, array: bytes, hand: int) -> list[Damage]:
        """All that is wrong with a hand out of a chunk; at least one fault."""
        try:
            payloads = split_array(array)
        except Misfit as misfit:
            return [replace(misfit.damage(self._record, self._at, hand), offset=self._at)]
        faults = event_faults(self._schema, payloads, self._place, hand)
        border = border_fault(payloads, self._place, hand)
        if border is not None:
            faults.insert(0, border)
        elif not payloads or tag_of(payloads[-1]) not in ENDS:
            expected, found = "HandEnded or HandAborted", "the end of the hand"
            faults.append(
                Damage(Fault.HAND_NOT_ENDED, self._record, self._at, expected, found, hand)
            )
        if not faults:
            expected, found = "the shortest array header", "a longer one"
            faults.append(
                Damage(Fault.NOT_CANONICAL, self._record, self._at, expected, found, hand)
            )
        return [replace(fault, offset=self._at) for fault in faults]

    # RECOVERED

    def _recovered(self, frame: Frame) -> Iterator[Span]:
        try:
            gap = decode_record(RECOVERED_DECODER, frame.payload, "RECOVERED")
            n_events = max(gap.events, self._inside)
            check_gap(gap, self._index, self._floor, n_events, len(self._gaps))
        except Misfit as misfit:
            span = self._span(misfit.damage(self._record, frame.body, self._index))
            yield replace(span, unread=True)
            self._index, self._chained = None, False
            return
        self._index = self._floor = gap.hand + gap.hands_lost
        self._hands_stated += gap.hands_lost
        self._inside = gap.events
        self._chained = self._chained and not gap.hands_lost
        span = Span(gap, frame.offset, frame.end, next_index=self._floor)
        if gap.events:
            self._gaps.append(span)
        else:
            yield span

    # INDEX and TRAILER

    def _chunk_index(self, frame: Frame) -> Iterator[Span]:
        self._open = False
        self._index_offset = frame.offset
        if self._inside:
            expected, found = f"hand {self._index}, which RECOVERED speaks of", "INDEX"
            yield self._here(Fault.BAD_RECOVERED, expected, found)
        try:
            entries = read_index(frame)
        except Misfit as misfit:
            yield self._span(misfit.damage(self._record, frame.body))
            return
        self._entries = entries
        difference = self._index_difference(entries)
        if difference is not None:
            expected, found = difference
            yield self._here(Fault.WRONG_CHUNK_INDEX, expected, found)
        for entry in entries[-1:]:
            self._floor = max(self._floor, entry.first_index + entry.n_hands)
        yield Span(None, frame.offset, frame.end, next_index=self._floor)

    def _index_difference(self, entries: tuple[IndexEntry, ...]) -> tuple[str, str] | None:
        """The first chunk read that INDEX states otherwise; a damaged one only INDEX knows."""
        known = set(entries)
        for entry in self._seen:
            if entry not in known:
                return f"{_entry_text(entry)}, as read", "no such entry"
        if self._whole and list(entries) != self._seen:
            return f"{len(self._seen)} chunks in file order", f"{len(entries)} entries"
        return None

    def _trailer(self, frame: Frame) -> Iterator[Span]:
        self._stopped = True
        try:
            trailer = unpacked_trailer(frame.payload)
        except Misfit as misfit:
            yield self._span(misfit.damage(self._record, frame.body))
            return
        if self._open and self._whole:
            yield self._here(Fault.MISPLACED_FRAME, "INDEX before TRAILER", "TRAILER")
        elif self._index_offset is not None and trailer.index_offset != self._index_offset:
            expected, found = f"INDEX at {self._index_offset}", f"at {trailer.index_offset}"
            yield self._here(Fault.WRONG_TRAILER, expected, found)
        n_hands = self._n_hands()
        if n_hands is not None and trailer.n_hands != n_hands:
            yield self._here(Fault.WRONG_TRAILER, f"{n_hands} hands", f"{trailer.n_hands}")
        if self._last_known and trailer.last_leaf != self._leaf:
            expected, found = f"last leaf {self._leaf.hex()}", trailer.last_leaf.hex()
            yield self._here(Fault.WRONG_TRAILER, expected, found)
        if self._entries is None:
            self._floor = max(self._floor, self._held(trailer))
        yield Span(None, frame.offset, frame.end, next_index=self._floor)
        if frame.end < self._source.size:
            expected, found = "the end of the file", f"{self._source.size - frame.end} bytes"
            damage = Damage(Fault.TRAILING_BYTES, self._record, frame.end, expected, found)
            yield Span(damage, frame.end, frame.end)

    def _n_hands(self) -> int | None:
        """How many hands the file holds: as read, or by INDEX where a chunk was damaged."""
        if self._whole:
            return self._hands
        return None if self._entries is None else sum(e.n_hands for e in self._entries)


def _offset_of(entry: IndexEntry) -> int:
    return entry.offset


def _entry_text(entry: IndexEntry) -> str:
    return f"hand {entry.first_index}, {entry.n_hands} hands at {entry.offset}+{entry.length}"
