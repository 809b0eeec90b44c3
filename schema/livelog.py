"""A live log open for reading, and where it ends."""

from collections.abc import Iterator

from msgspec import Struct

from schema.damage import Damage, Fault, LogError
from schema.events import Event
from schema.frames import leaf
from schema.items import Hand, Item, Log, Span, run_by_run
from schema.livewalk import LiveWalk
from schema.records import Head, Recovered
from schema.scan import Frame, Source
from schema.schemas import Schema


class Tail(Struct, frozen=True):
    """Where a live log ends: all that going on with it needs.

    `end`: offset behind the last good frame; `torn`: the damage of the bytes after it, if any.
    `hand_index`, `leaf`: of the next or open hand, and the last leaf; `open_events`: what the open
    hand has; if they end with HandEnded or HandAborted only its HAND record is missing.
    """

    end: int
    torn: Damage | None
    hand_index: int
    leaf: bytes
    open_events: list[Event]
    open_gaps: int
    """How many gaps are stated inside the open hand."""


class LiveLog(Log):
    """A live log: frames EVENT … HAND, appended as the match went on."""

    form = "live"

    def __init__(self, source: Source, head: Head, schema: Schema, first: Frame) -> None:
        """`first` is the HEAD frame."""
        self.head = head
        self.schema = schema
        self.head_leaf = leaf(first.payload)
        self.source = source
        self.start = first.end
        """Offset of the first frame behind HEAD."""

    def items(self) -> Iterator[Item]:
        """Hands, damage, stated gaps and skipped frames in file order; see Log."""
        return run_by_run(self.spans())

    def spans(self) -> Iterator[Span]:
        """The items with the bytes they account for."""
        return self._walk().spans()

    def tail(self) -> Tail:
        """Where the log ends; LogError if anything but its tail is damaged."""
        walk = self._walk()
        torn = None
        open_events: list[Event] = []
        gaps = 0
        for span in walk.spans():
            match span.item:
                case Damage(fault=Fault.TORN_TAIL):
                    torn = span.item
                case Damage():
                    raise LogError(span.item)
                case Hand(committed=False):
                    open_events = span.item.events
                case Hand():
                    gaps = 0
                case Recovered() if span.item.events:
                    gaps += 1
                case _:
                    pass
        assert walk.index is not None, "an unknown index means damage"
        return Tail(walk.at, torn, walk.index, walk.leaf, open_events, gaps)

    def _walk(self) -> LiveWalk:
        return LiveWalk(self.source, self.schema, self.head_leaf, self.start)
