"""Rows as Arrow columns: what a worker collects of many hands and hands over in one piece.

Plays, by far the most rows, are kept as machine arrays and dictionaries from the start: a play
costs a few appends, and cards, types and points are spelled once per distinct play.
"""

from array import array
from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from replay.archive import tables
from replay.engine.facts import PlayFacts
from replay.engine.mechanics.points import points
from schema.cards import FACES, N_FACES
from schema.events import By

Row = tuple[Any, ...]
Key = TypeVar("Key")
MADE_BY = tuple(by.name.lower() for by in By)
PASS = 0
"""The number of a pass among the cards and among the types of a batch."""
NO_TYPE = -1
"""In place of a play's facts where no state is defined: its type is unknown."""
NONE = -1
"""In place of an event number that does not exist."""
UNKNOWN_LEFT = 255
"""In place of a number of cards left where no state is defined."""
_PASS_FACTS = PlayFacts("", 0, None, False, "", False)


class Owner(Struct, frozen=True):
    """What the rows of one hand begin with."""

    hand_id: str
    log_id: int
    hand: int


class Numbers(dict[Key, int]):
    """Numbers whatever it is asked for, from 0 in the order of first asking."""

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        return number


class Plays:
    """The plays and passes of many hands, one machine array a column."""

    def __init__(self) -> None:
        self.owner = array("i")
        self.event = array("H")
        self.trick = array("H")
        self.seat = bytearray()
        self.made_by = bytearray()
        self.dt = array("q")
        self.cards = array("i")
        self.facts = array("i")
        self.to_beat = array("i")
        self.left = bytearray()
        self.led: dict[int, int] = {}
        """Of throws that failed: row, and number of the cards led after all."""
        self.numbers_of_cards: Numbers[bytes | None] = Numbers({None: PASS})
        self.numbers_of_facts: Numbers[PlayFacts] = Numbers({_PASS_FACTS: PASS})
        self.bombs: set[int] = set()
        """Which of those numbers are bombs."""
        self.numbers_of_keys: dict[Hashable, int] = {}
        """The same numbers by `Game.play_key`; of one log alone, see `Batch.begin_log`."""

    def table(self, owners: Sequence[Owner]) -> pa.Table:
        """All of it as a table for `plays`."""
        owner = _numbers(self.owner, pa.int32())
        cards = _numbers(self.cards, pa.int32())
        facts = _or_null(_numbers(self.facts, pa.int32()), NO_TYPE)
        to_beat = _or_null(_numbers(self.to_beat, pa.int32()), NONE)
        led = _or_null(_numbers(self._led_numbers(), pa.int32()), NONE)
        passed = pc.equal(cards, PASS)
        leads = pc.and_(pc.is_null(to_beat), pc.invert(passed))
        faces, kinds = list(self.numbers_of_cards), list(self.numbers_of_facts)
        columns = {
            **_owned(owner, owners),
            "event": _numbers(self.event, pa.uint16()),
            "trick": _numbers(self.trick, pa.uint16()),
            "seat": _numbers(self.seat, pa.uint8()),
            "made_by": _spelled(_numbers(self.made_by, pa.uint8()), MADE_BY),
            "dt": _numbers(self.dt, pa.int64()),
            "passed": passed,
            "cards": _spelled(cards, [None if c is None else spell(c) for c in faces]),
            "codes": _codes(faces).take(cards),
            "n_cards": _valued(cards, [len(c or b"") for c in faces], pa.uint8()),
            "led": _spelled(led, [None if c is None else spell(c) for c in faces]),
            "kind": _spelled(facts, [f.kind or None for f in kinds]),
            "size": _valued(facts, [f.size or None for f in kinds], pa.uint8()),
            "rank": _spelled(facts, [f.rank for f in kinds]),
            "wilds": _spelled(facts, [f.wilds or None for f in kinds]),
            "declared": _valued(facts, [f.declared for f in kinds], pa.bool_()),
            "is_bomb": _valued(facts, [f.is_bomb for f in kinds], pa.bool_()),
            "is_lead": pc.if_else(pc.is_null(facts), pa.scalar(None, pa.bool_()), leads),
            "to_beat": pc.cast(to_beat, pa.uint16()),
            "cards_left": _or_null(_numbers(self.left, pa.uint8()), UNKNOWN_LEFT),
            "points": _valued(
                pc.coalesce(led, cards), [points(c or b"") for c in faces], pa.uint16()
            ),
        }
        return pa.table(columns)

    def _led_numbers(self) -> "array[int]":
        """For each row the number of the cards led after all, NONE for most."""
        numbers = array("i", [NONE]) * len(self.cards)
        for row, number in self.led.items():
            numbers[row] = number
        return numbers


class Batch:
    """Rows of all tables of a segment, until they are taken away."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.owners: list[Owner] = []
        self.plays = Plays()
        self.hands: list[Row] = []
        self.seats: list[Row] = []
        self.tricks: list[Row] = []
        self.declarations: list[Row] = []
        self.turned_cards: list[Row] = []
        self.tributes: list[Row] = []
        self.burials: list[Row] = []
        self.throws: list[Row] = []
        self.findings: list[Row] = []

    def __len__(self) -> int:
        """How many rows of plays it holds."""
        return len(self.plays.event)

    def begin_log(self) -> None:
        """The rows to come are of another log: keys of plays mean something else there."""
        self.plays.numbers_of_keys.clear()

    def add_owner(self, owner: Owner) -> int:
        """The number that the rows of this hand begin with."""
        self.owners.append(owner)
        return len(self.owners) - 1

    def take(self) -> dict[str, pa.Table]:
        """Everything collected, as Arrow tables by name; the batch is empty then."""
        found = {
            "hands": self._rows("hands", self.hands),
            "seats": self._rows("seats", self.seats),
            "tricks": self._rows("tricks", self.tricks),
            "plays": self.plays.table(self.owners),
            "declarations": self._rows("declarations", self.declarations),
            "turned_cards": self._rows("turned_cards", self.turned_cards),
            "tributes": self._rows("tributes", self.tributes),
            "burials": self._rows("burials", self.burials),
            "throws": self._rows("throws", self.throws),
            "findings": _table("findings", self.findings),
        }
        self._clear()
        return {name: table for name, table in found.items() if table.num_rows}

    def _rows(self, name: str, rows: Sequence[Row]) -> pa.Table:
        """Rows that begin with the number of their owner, as a table."""
        owners = self.owners
        full = [(o.hand_id, o.log_id, o.hand, *row[1:]) for row in rows for o in (owners[row[0]],)]
        return _table(name, full)


def spell(cards: bytes) -> str:
    """Cards in notation; codes that are no card as `?` and two hexadecimal digits."""
    return " ".join([FACES[c] if c < N_FACES else f"?{c:02x}" for c in cards])


def _table(name: str, rows: Sequence[Row]) -> pa.Table:
    schema = tables.arrow_schema(name)
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(column: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column of Python values; counts per face come as bytes, NULL as None."""
    if not pa.types.is_fixed_size_list(kind):
        return pa.array(column, kind)
    flat = b"".join(bytes(N_FACES) if value is None else value for value in column)
    values = pa.Array.from_buffers(pa.uint8(), len(flat), [None, pa.py_buffer(flat)])
    nothing = pa.array([value is None for value in column], pa.bool_())
    return pa.FixedSizeListArray.from_arrays(values, N_FACES, mask=nothing)


def _numbers(values: "array[int] | bytearray", kind: pa.DataType) -> pa.Array:
    """A machine array as an Arrow array over the same memory."""
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


def _or_null(numbers: pa.Array, nothing: int) -> pa.Array:
    """The numbers, with NULL in place of `nothing`."""
    return pc.if_else(pc.equal(numbers, nothing), pa.scalar(None, numbers.type), numbers)


def _codes(faces: Sequence[bytes | None]) -> pa.Array:
    """Cards as lists of their codes, ascending."""
    return pa.array([None if c is None else sorted(c) for c in faces], pa.list_(pa.uint8()))


def _spelled(numbers: pa.Array, words: Sequence[str | None]) -> pa.Array:
    """Numbers as the words they stand for."""
    return pa.DictionaryArray.from_arrays(numbers, pa.array(words, pa.string()))


def _valued(numbers: pa.Array, values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Numbers as the values they stand for."""
    return pa.array(values, kind).take(numbers)


def _owned(numbers: pa.Array, owners: Sequence[Owner]) -> dict[str, pa.Array]:
    """The columns that say which hand a row belongs to."""
    return {
        "hand_id": _spelled(numbers, [owner.hand_id for owner in owners]),
        "log_id": _valued(numbers, [owner.log_id for owner in owners], pa.int32()),
        "hand": _valued(numbers, [owner.hand for owner in owners], pa.int64()),
    }
