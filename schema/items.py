"""What reading a log yields, whatever its form: hands, damage, stated gaps, skipped frames."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

from msgspec import Struct

from schema.damage import Damage, LogError, followed
from schema.events import Event
from schema.records import Head, Recovered
from schema.schemas import Schema

Form = Literal["live", "sealed", "text"]


class Hand(Struct, frozen=True):
    """One hand (局) as recorded: its events in order, its own leaf and the leaf it names as prev.

    `committed` is False for a hand in progress at the end of a log that is still being written.
    """

    index: int
    events: list[Event]
    leaf: bytes
    prev: bytes
    offsets: tuple[int, ...]
    """File offset per event; of a hand in a chunk just one, the chunk's."""
    committed: bool

    def offset(self, event: int) -> int:
        """Where event number `event` stands in the file (of a sealed one: where its chunk does)."""
        return self.offsets[event] if len(self.offsets) > 1 else self.offsets[0]


class Skipped(Struct, frozen=True):
    """An ancillary frame of a kind this version does not know: passed over, and counted."""

    kind: int
    offset: int
    size: int


Item = Hand | Damage | Recovered | Skipped


class Log(ABC):
    """A log open for reading, from the bytes that were there when it was opened."""

    form: ClassVar[Form]
    head: Head
    schema: Schema
    head_leaf: bytes
    """Leaf 0: what the first hand names as the leaf before it."""

    @abstractmethod
    def items(self) -> Iterator[Item]:
        """Everything in the log in file order, one hand in memory at a time.

        RECOVERED comes before the hand it belongs to, `chain_broken` and `wrong_index` before the
        hand they are about; a hand that is damaged otherwise is not yielded.
        """

    def hand(self, index: int) -> Hand:
        """The committed hand of that index; KeyError if there is none, LogError if damaged.

        It is found by reading up to it, unless the form of the log has an index.
        """
        fault = None
        for item in self.items():
            match item:
                case Hand() if item.index == index and item.committed:
                    return item
                case Damage() if item.hand == index:
                    fault = fault or item
                case _:
                    pass
        if fault is not None:
            raise LogError(fault)
        raise KeyError(index)


class Span(Struct, frozen=True):
    """An item and the bytes of the file that it accounts for; what no span covers was lost.

    A hand out of a chunk accounts for bytes only if it is the last one of the chunk. `raw`: the
    bytes of a damaged hand in a readable chunk. `next_index`: hands below it have existed.
    """

    item: Item | None
    start: int
    end: int
    raw: bytes = b""
    next_index: int = 0
    unread: bool = False
    """The damage is that a whole frame says nothing where it stands."""


def run_by_run(spans: Iterable[Span]) -> Iterator[Item]:
    """The items of these spans, a run of frames that say nothing as the one damage it is."""
    first: Damage | None = None
    more = 0
    for span in spans:
        item = span.item
        if item is None:
            continue
        if not span.unread or not isinstance(item, Damage):
            if first is not None:
                yield followed(first, more, "frame")
                first = None
            yield item
        elif first is not None and item.record == first.record + more + 1:
            more += 1
        else:
            if first is not None:
                yield followed(first, more, "frame")
            first, more = item, 0
    if first is not None:
        yield followed(first, more, "frame")
