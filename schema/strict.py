"""Strict decoding: what a payload must be, byte for byte, and the one clear word if it is not.

msgspec accepts non-minimal integers and knows nothing of card codes, so a reader demands
`encode(decode(b)) == b` and looks at every card byte itself.
"""

import re
from typing import TypeVar, get_args

import msgspec
from msgspec import Raw

from schema.cards import N_FACES, foreign_codes
from schema.damage import Damage, Fault, LogError, hex_of
from schema.events import TAG_OWNERS, Digest, Event
from schema.schemas import SCHEMAS, Schema, owner_of, owners

T = TypeVar("T")

ENCODER = msgspec.msgpack.Encoder()
DECODE_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""Everything msgspec raises on hostile bytes."""

_RAW_LIST = msgspec.msgpack.Decoder(list[Raw])
_PATH = re.compile(r"^(?P<what>.*?) - at `\$\[(?P<item>\d+)\](?P<rest>[^`]*)`$")
_TRAILING = re.compile(r"trailing characters \(byte (\d+)\)")


class Misfit(Exception):
    """Bytes that are not what they must be; `at` counts from the first byte of the payload."""

    def __init__(self, fault: Fault, expected: str, found: str, at: int = 0) -> None:
        """Keep the facts, no text: the caller knows the place."""
        super().__init__(fault, expected, found, at)
        self.fault = fault
        self.expected = expected
        self.found = found
        self.at = at

    def damage(
        self, record: int, offset: int, hand: int | None = None, event: int | None = None
    ) -> Damage:
        """The damage this is in a payload that begins at `offset` of the file."""
        return Damage(self.fault, record, offset + self.at, self.expected, self.found, hand, event)

    def error(
        self, record: int, offset: int, hand: int | None = None, event: int | None = None
    ) -> LogError:
        """The same as an exception for the caller of a reader or writer."""
        return LogError(self.damage(record, offset, hand, event))


def decode_record(decoder: msgspec.msgpack.Decoder[T], payload: bytes, what: str) -> T:
    """The record in a payload, in its one canonical form; Misfit."""
    try:
        record = decoder.decode(payload)
    except DECODE_ERRORS as error:
        trailing = _TRAILING.search(str(error))
        if trailing:
            raise _trailing(payload, int(trailing[1]), what) from None
        raise Misfit(Fault.BAD_RECORD, f"{what} ({error})", hex_of(payload)) from None
    if ENCODER.encode(record) != payload:
        raise _not_canonical(payload, ENCODER.encode(record), what)
    return record


def decode_event(schema: Schema, payload: bytes) -> Event:
    """The event in a payload, in its one canonical form, every card a card; Misfit."""
    try:
        event = schema.event_decoder.decode(payload)
    except DECODE_ERRORS as error:
        raise _why(schema, payload, error) from None
    canonical = ENCODER.encode(event)
    if canonical != payload:
        raise _not_canonical(payload, canonical, f"the event {type(event).__name__}")
    if card_bytes((event,)).translate(None, _GOOD_CARDS):
        raise _bad_card(event, payload)
    return event


def decode_hand(schema: Schema, array: bytes) -> list[Event] | None:
    """The events of one MessagePack array; None if anything at all is wrong with it.

    Fast: the caller decodes event by event to name what is wrong.
    """
    events = _decoded(schema, array)
    if events is None or ENCODER.encode(events) != array:
        return None
    return events


def decode_payloads(schema: Schema, payloads: list[bytes]) -> list[Event] | None:
    """The events of these payloads, one in each; None if anything at all is wrong with one."""
    events = _decoded(schema, array_header(len(payloads)) + b"".join(payloads))
    # One by one: joined, an event cut in two would pass if its rest began the next payload.
    if events is None or list(map(ENCODER.encode, events)) != payloads:
        return None
    return events


def _decoded(schema: Schema, array: bytes) -> list[Event] | None:
    try:
        events = schema.hand_decoder.decode(array)
    except DECODE_ERRORS:
        return None
    return None if card_bytes(events).translate(None, _GOOD_CARDS) else events


def split_array(array: bytes) -> list[bytes]:
    """The encoded items of a MessagePack array, undecoded; Misfit if it is no array."""
    try:
        return [bytes(item) for item in _RAW_LIST.decode(array)]
    except DECODE_ERRORS as error:
        raise Misfit(Fault.BAD_RECORD, f"an array ({error})", hex_of(array)) from None


def array_header(count: int) -> bytes:
    """The minimal MessagePack header of an array of that many items (below 2^16)."""
    return bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")


# Cards


def _card_fields() -> tuple[tuple[str, frozenset[type[Event]]], ...]:
    """Field name → the event types of any schema that hold cards in a field of that name."""
    found: dict[str, set[type[Event]]] = {}
    for schema in SCHEMAS.values():
        for kind in schema.kinds:
            for field in msgspec.structs.fields(kind):
                base = get_args(field.type)[0] if get_args(field.type) else field.type
                if base is bytes and field.type != Digest:
                    found.setdefault(field.name, set()).add(kind)
    return tuple((name, frozenset(kinds)) for name, kinds in found.items())


CARD_FIELDS = _card_fields()
_GOOD_CARDS = bytes(range(N_FACES))


def card_bytes(events: list[Event] | tuple[Event, ...]) -> bytes:
    """All bytes of these events that must be card codes, joined."""
    found = b""
    for name, kinds in CARD_FIELDS:
        found += b"".join([getattr(e, name) for e in events if type(e) in kinds])
    return found


def _bad_card(event: Event, payload: bytes) -> Misfit:
    for name, kinds in CARD_FIELDS:
        if type(event) in kinds:
            cards: bytes = getattr(event, name)
            bad = foreign_codes(cards)
            if bad:
                at = payload.find(cards) + cards.index(bad[0])
                expected = f"card codes 0..{N_FACES - 1} in {type(event).__name__}.{name}"
                found = f"the byte {bad[0]} as card {cards.index(bad[0])} of {len(cards)}"
                return Misfit(Fault.BAD_CARD, expected, found, at)
    raise AssertionError("a bad card that is in no field")


# What is wrong with an event


def _why(schema: Schema, payload: bytes, error: Exception) -> Misfit:
    """Name what a typed decoder refused: the tag, bytes after the end, or one field."""
    trailing = _TRAILING.search(str(error))
    if trailing:
        return _trailing(payload, int(trailing[1]), "an event")
    kind = _kind(schema, payload)
    if isinstance(kind, Misfit):
        return kind
    path = _PATH.match(str(error))
    name = kind.__name__
    if path is None:
        count = payload[0] & 0x0F
        wanted = 1 + len(kind.__struct_fields__)
        if count != wanted:
            return Misfit(Fault.BAD_EVENT, f"{name} of {wanted} items", f"{count} items")
        return Misfit(Fault.BAD_EVENT, f"{name} ({error})", hex_of(payload))
    field = kind.__struct_fields__[int(path["item"]) - 1] + path["rest"]
    what = path["what"].replace("Invalid enum value", "one of its values, not")
    what = what.removeprefix("Expected ").partition(", got ")[0].replace("`", "")
    value, at = _item(payload, int(path["item"]))
    return Misfit(Fault.BAD_EVENT, f"{name}.{field}: {what}", value, at)


def _kind(schema: Schema, payload: bytes) -> type[Event] | Misfit:
    """The event type that the tag names, by peeking: an array, then a one-byte integer."""
    if len(payload) < 2 or not 0x91 <= payload[0] <= 0x9F or payload[1] > 0x7F:
        expected = "an event: a short array that begins with its tag"
        return Misfit(Fault.BAD_EVENT, expected, hex_of(payload))
    tag = payload[1]
    kind = kind_of_tag(schema, tag)
    if kind is not None:
        return kind
    for other in SCHEMAS.values():
        stranger = kind_of_tag(other, tag)
        if stranger is not None:
            found = f"tag {tag}, {stranger.__name__} of {owner_of(stranger)}"
            return Misfit(Fault.FOREIGN_EVENT, f"an event of {schema.id}", found, 1)
    for tags, owner in TAG_OWNERS:
        if tag in tags and owner not in owners(schema):
            found = f"tag {tag}, reserved for {owner}"
            return Misfit(Fault.FOREIGN_EVENT, f"an event of {schema.id}", found, 1)
    return Misfit(Fault.UNKNOWN_TAG, f"a tag of {schema.id}", f"tag {tag}", 1)


def kind_of_tag(schema: Schema, tag: int) -> type[Event] | None:
    """The event type of this schema that has the tag."""
    return next((k for k in schema.kinds if k.__struct_config__.tag == tag), None)


def _item(payload: bytes, number: int) -> tuple[str, int]:
    """Item `number` of an array for a message, and where it begins."""
    try:
        items = split_array(payload)
    except Misfit:
        return hex_of(payload), 0
    if number >= len(items):
        return hex_of(payload), 0
    value = items[number]
    at = 1 + sum(map(len, items[:number]))
    return (str(value[0]) if len(value) == 1 and value[0] < 0x80 else hex_of(value)), at


def _trailing(payload: bytes, at: int, what: str) -> Misfit:
    return Misfit(Fault.TRAILING_BYTES, f"nothing after {what}", hex_of(payload[at:]), at)


def _not_canonical(payload: bytes, canonical: bytes, what: str) -> Misfit:
    pairs = zip(payload, canonical, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(payload), len(canonical)))
    expected = f"{what} in its shortest form, {hex_of(canonical[at:], 8)}"
    return Misfit(Fault.NOT_CANONICAL, expected, hex_of(payload[at:], 8), at)
