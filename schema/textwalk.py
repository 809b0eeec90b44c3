"""One pass over a text log: lines, the hands they make up, what is wrong with them."""

from collections.abc import Iterator

from schema.damage import Damage, Fault, followed
from schema.events import Event, HandAborted, HandEnded, HandStarted
from schema.frames import HAND_EVENTS, HAND_LIMIT, leaf
from schema.gaps import check_gap
from schema.items import Hand, Item
from schema.records import MOST_HANDS, Recovered
from schema.scan import Source
from schema.strict import Misfit
from schema.textlines import LINE_LIMIT, Layout, TextCodec, shown

_ENDS = (HandEnded, HandAborted)


class TextWalk:
    """What is known of the place that the pass has reached is its state.

    Each line is one record, so hands are counted on behind a line that cannot be read: one inside
    a hand costs that hand, one between hands is taken for the first event of the next. A hand that
    has ended waits for the next line: it may be a gap between its last event and its HAND record.
    """

    def __init__(
        self, source: Source, codec: TextCodec, layout: Layout, head_leaf: bytes, start: int
    ) -> None:
        """Begin at line 2, which stands at offset `start`."""
        self._source = source
        self._codec = codec
        self._layout = layout
        self._at = start
        self._line = 2
        self._index = 0
        """Index of the open or next hand."""
        self._floor = 0
        """Least index that the next hand can have: no two hands share one."""
        self._is_sure = True
        """No damage has put `_index` in doubt."""
        self._leaf = head_leaf
        self._chained = True
        """`_leaf` is the one just before: false behind damage and behind hands lost."""
        self._first_line = 0
        """Where the open hand begins."""
        self._lost = 0
        """Lines of a hand that cannot be read any more; what follows is its rest."""
        self._strays = 0
        """Events outside any hand since the last one that was said."""
        self._run: Damage | None = None
        """The first of the bad lines since the last good one: one damage, said when they end."""
        self._run_more = 0
        """How many bad lines the run has behind the first."""
        self._clear()

    def items(self) -> Iterator[Item]:
        """Items in file order, to the end of the file."""
        torn = None
        while self._at < self._source.size:
            line, end = self._next_line()
            if self._run is not None and self._lost and self._goes_on(line):
                self._run_more += 1
                self._lost += 1
            elif line is None:
                yield from self._bad(self._too_long(end))
            elif line.endswith(b"\n") or self._layout == "tolerant":
                yield from self._record(line.removesuffix(b"\n"))
            else:
                found = f"{shown(line)}, then the file ends"
                torn = Misfit(Fault.TORN_TAIL, "a line with its line feed", found, len(line))
                break
            self._at = end
            self._line += 1
        yield from self._say()
        if self._events:
            yield from self._hand(committed=self._ended)
        if torn is not None:
            yield torn.damage(self._line, self._at)

    # Lines

    def _next_line(self) -> tuple[bytes | None, int]:
        """The line at this place with its line feed, None if too long, and where the next is."""
        block, at = self._source.window(self._at, LINE_LIMIT)
        feed = block.find(b"\n", at, at + LINE_LIMIT)
        if feed >= 0:
            return block[at : feed + 1], self._at + feed + 1 - at
        if self._source.size - self._at < LINE_LIMIT:
            return block[at:], self._source.size
        offset = self._at
        while offset < self._source.size:
            block, at = self._source.window(offset, LINE_LIMIT)
            feed = block.find(b"\n", at)
            if feed >= 0:
                return None, offset + feed + 1 - at
            offset += len(block) - at
        return None, self._source.size

    def _too_long(self, end: int) -> Misfit:
        expected = f"a line of at most {LINE_LIMIT} bytes"
        return Misfit(Fault.LINE_TOO_LONG, expected, f"{end - self._at} bytes")

    # Lines that cannot be read

    def _goes_on(self, line: bytes | None) -> bool:
        """Within a run of lines that cannot be read: this one cannot either.

        Cheap, for there may be millions; what it lets pass is looked at as any line is.
        """
        if line is None:
            return True
        if not line.endswith(b"\n") or (self._layout == "tolerant" and line.isspace()):
            return False
        return not self._codec.is_record(line[:-1])

    def _unread(self, damage: Damage) -> None:
        """A line that says nothing: with those before it, back to a good one, it is one damage."""
        if self._run is None:
            self._run = damage
        else:
            self._run_more += 1

    def _say(self) -> Iterator[Damage]:
        """The run of bad lines is over."""
        if self._run is None:
            return
        yield followed(self._run, self._run_more, "line")
        self._run, self._run_more = None, 0

    def _record(self, line: bytes) -> Iterator[Item]:
        if self._layout == "tolerant" and not line.strip():
            return
        try:
            record, payload = self._codec.read(line, self._layout)
        except Misfit as misfit:
            yield from self._bad(misfit)
            return
        if isinstance(record, Recovered):
            yield from self._recovered(record)
        else:
            yield from self._say()
            yield from self._event(record, payload)

    def _here(self, fault: Fault, expected: str, found: str) -> Damage:
        event = len(self._events) or None
        return Damage(fault, self._line, self._at, expected, found, self._index, event)

    def _bad(self, misfit: Misfit) -> Iterator[Item]:
        """A line that cannot be read takes its hand with it."""
        yield from self._close()
        event = len(self._events) if self._events or not self._lost else None
        self._unread(misfit.damage(self._line, self._at, self._index, event))
        self._lose()

    def _lose(self) -> None:
        self._lost += len(self._events) + 1
        self._is_sure = self._chained = False
        self._clear()

    # Hands

    def _clear(self) -> None:
        self._events: list[Event] = []
        self._payloads: list[bytes] = []
        self._offsets: list[int] = []
        self._size = 0
        self._gaps: list[Recovered] = []
        """Those inside the open hand, yielded with it."""
        self._ended = False
        """The open hand has its last event."""

    def _close(self) -> Iterator[Item]:
        """The hand that has ended, once the next line is no gap of it."""
        if self._ended:
            yield from self._hand(committed=True)

    def _event(self, event: Event, payload: bytes) -> Iterator[Item]:
        yield from self._close()
        if type(event) is HandStarted:
            yield from self._start()
            if self._lost:
                return
        elif self._lost:
            self._lost += 1
            if type(event) in _ENDS:
                self._lost = 0
                self._index += 1
            return
        elif not self._events:
            yield from self._stray(event)
            return
        self._events.append(event)
        self._payloads.append(payload)
        self._offsets.append(self._at)
        self._size += len(payload)
        if len(self._events) > HAND_EVENTS or self._size > HAND_LIMIT:
            expected = f"at most {HAND_EVENTS} events and {HAND_LIMIT} bytes in a hand"
            yield self._here(Fault.HAND_TOO_LARGE, expected, "more")
            self._lose()
        else:
            self._ended = type(event) in _ENDS

    def _stray(self, event: Event) -> Iterator[Item]:
        """An event outside any hand is said once; those behind it are the rest of the same fault.

        A run of them up to the end of a hand is a hand that lost its beginning, and counts as one.
        """
        if not self._strays:
            yield self._here(Fault.EVENT_OUTSIDE_HAND, "HandStarted", type(event).__name__)
        self._strays += 1
        if type(event) in _ENDS:
            if self._strays > 1:
                self._index += 1
                self._is_sure = self._chained = False
            self._strays = 0

    def _start(self) -> Iterator[Item]:
        """A hand begins: the one before must be over."""
        if self._events:
            yield self._here(Fault.HAND_NOT_ENDED, "HandEnded or HandAborted", "HandStarted")
            self._lose()
        self._strays = 0
        # A single bad line between two hands was no hand.
        self._index += self._lost > 1
        self._lost = 0
        self._first_line = self._line
        if self._index >= MOST_HANDS:
            found = f"hand {self._index}"
            yield self._here(Fault.WRONG_INDEX, f"a hand below {MOST_HANDS}", found)
            self._lose()

    def _hand(self, *, committed: bool) -> Iterator[Item]:
        started = self._events[0]
        assert isinstance(started, HandStarted), "a hand begins with HandStarted"
        if self._chained and started.prev != self._leaf:
            expected = f"prev = {self._leaf.hex()}, the leaf before it"
            found = started.prev.hex()
            place = (self._first_line, self._offsets[0])
            yield Damage(Fault.CHAIN_BROKEN, *place, expected, found, self._index, 0)
        yield from self._gaps
        self._leaf = leaf(b"".join(self._payloads))
        self._chained = True
        offsets = tuple(self._offsets)
        yield Hand(self._index, self._events, self._leaf, started.prev, offsets, committed)
        self._index += committed
        self._floor = self._index
        self._clear()

    # RECOVERED

    def _recovered(self, gap: Recovered) -> Iterator[Item]:
        if self._ended and not gap.events:
            yield from self._close()
        if self._lost and gap.events:
            # Of a hand that is lost as a whole a gap inside it is no news.
            yield from self._say()
            return
        index = self._index if self._is_sure else None
        try:
            check_gap(gap, index, self._floor, len(self._events), len(self._gaps))
        except Misfit as misfit:
            self._unread(misfit.damage(self._line, self._at, self._index))
            return
        yield from self._say()
        self._index = self._floor = gap.hand + gap.hands_lost
        self._is_sure = True
        self._lost = 0
        self._chained = self._chained and not gap.hands_lost
        if gap.events:
            self._gaps.append(gap)
        else:
            yield gap
