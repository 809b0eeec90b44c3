"""A sealed log open for reading: all of it in order, or any one hand by its index."""

from bisect import bisect_right
from collections.abc import Iterator

from msgspec.structs import replace

from schema.chunks import (
    TRAILER_FRAME,
    Trailer,
    header_size,
    index_of,
    inflated,
    packed_arrays,
)
from schema.damage import Damage, Fault, LogError
from schema.events import HandStarted
from schema.frames import Kind, leaf
from schema.hands import is_whole
from schema.items import Hand, Item, Log, Span, run_by_run
from schema.records import CHUNK_DECODER, Head, IndexEntry
from schema.scan import Frame, Source, frame_at
from schema.schemas import Schema
from schema.sealedwalk import SealedWalk
from schema.strict import Misfit, decode_hand, decode_record


class SealedLog(Log):
    """A sealed log: compressed chunks of hands, INDEX, TRAILER."""

    form = "sealed"

    def __init__(
        self, source: Source, head: Head, schema: Schema, first: Frame, trailer: Trailer | None
    ) -> None:
        """`first` is the HEAD frame; `trailer` is None if it is damaged."""
        self.head = head
        self.schema = schema
        self.head_leaf = leaf(first.payload)
        self.source = source
        self.start = first.end
        """Offset of the first frame behind HEAD."""
        self._trailer = trailer
        self._index = None if trailer is None else index_of(source, trailer)
        self._entries: tuple[IndexEntry, ...] | None = None
        self._chunk: tuple[int, list[bytes]] = (-1, [])
        """The last chunk that `hand` has opened, by its offset: neighbours come next."""

    def items(self) -> Iterator[Item]:
        """Hands, damage, stated gaps and skipped frames in file order; see Log."""
        return run_by_run(self.spans())

    def spans(self) -> Iterator[Span]:
        """The items with the bytes they account for."""
        hints: tuple[int, ...] = ()
        if self._trailer is not None:
            hints = (self._trailer.index_offset, self.source.size - TRAILER_FRAME)
        walk = SealedWalk(
            self.source, self.schema, self.head_leaf, self.start, self._index or (), hints
        )
        return walk.spans()

    def hand(self, index: int) -> Hand:
        """The hand of that index, out of its chunk alone: its chain is not looked at."""
        if self._entries is None:
            self._entries = self._index or self._chunks_found()
        at = bisect_right(self._entries, index, key=lambda entry: entry.first_index) - 1
        if index < 0 or at < 0:
            raise KeyError(index)
        entry = self._entries[at]
        if index >= entry.first_index + entry.n_hands:
            raise KeyError(index)
        try:
            array = self._arrays(entry)[index - entry.first_index]
            own = leaf(array[header_size(array) :])
        except Misfit as misfit:
            damage = misfit.damage(self._record_of(entry.offset), entry.offset, index)
            raise LogError(replace(damage, offset=entry.offset)) from None
        events = decode_hand(self.schema, array)
        if events is None or not is_whole(events):
            raise LogError(self._damage_of(index))
        started = events[0]
        assert isinstance(started, HandStarted), "a hand begins with HandStarted"
        return Hand(index, events, own, started.prev, (entry.offset,), True)

    def _arrays(self, entry: IndexEntry) -> list[bytes]:
        """The encoded hands of a chunk; Misfit if it is damaged or not the one INDEX names."""
        if self._chunk[0] == entry.offset:
            return self._chunk[1]
        frame = frame_at(self.source, entry.offset)
        chunk = decode_record(CHUNK_DECODER, frame.payload, "a CHUNK")
        named = (chunk.first_index, chunk.n_hands)
        if frame.kind != Kind.CHUNK or named != (entry.first_index, entry.n_hands):
            expected = f"the chunk of hands {entry.first_index} and on that INDEX names"
            raise Misfit(Fault.WRONG_CHUNK_INDEX, expected, f"chunk {named}")
        arrays = list(packed_arrays(inflated(chunk), chunk.n_hands))
        self._chunk = (entry.offset, arrays)
        return arrays

    def _record_of(self, offset: int) -> int:
        """The number of the frame at an offset: that of good frames before it."""
        at, record = self.start, 1
        try:
            while at < offset:
                at = frame_at(self.source, at).end
                record += 1
        except Misfit:
            pass
        return record

    def _damage_of(self, index: int) -> Damage:
        """What a pass over the whole log says of a hand that cannot be read."""
        for item in self.items():
            if isinstance(item, Damage) and item.hand == index:
                return item
        raise AssertionError("a hand that cannot be read is damaged")

    def _chunks_found(self) -> tuple[IndexEntry, ...]:
        """The chunks themselves, where INDEX is damaged: their hands as a pass finds them."""
        found: dict[int, list[int]] = {}
        for item in self.items():
            if isinstance(item, Hand):
                found.setdefault(item.offsets[0], []).append(item.index)
        return tuple(self._entry_at(offset) for offset in found)

    def _entry_at(self, offset: int) -> IndexEntry:
        frame = frame_at(self.source, offset)
        chunk = decode_record(CHUNK_DECODER, frame.payload, "a CHUNK")
        return IndexEntry(chunk.first_index, chunk.n_hands, offset, frame.end - offset)
