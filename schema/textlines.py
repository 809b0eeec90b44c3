"""One line of the text form: JSON on the outside, a record of the log inside, exact both ways."""

import json
import re
from functools import cache
from typing import Literal, TypeVar, cast

import msgspec
from msgspec import Struct

from schema import FORMAT_MAJOR
from schema.damage import Fault, LogError
from schema.events import Event
from schema.head import encode_head, schema_named
from schema.options import Options
from schema.records import Head, Recovered
from schema.schemas import EVENT_WORDS, Schema, owner_of, type_word
from schema.strict import DECODE_ERRORS, ENCODER, Misfit, decode_event
from schema.texttwins import Twin, make_twin

T = TypeVar("T")

LINE_LIMIT = 1 << 16
"""Greatest length of a line in bytes, its line feed included."""

Layout = Literal["canonical", "tolerant"]
"""`canonical`: the one spelling this module writes. `tolerant`: other spacing and key order too."""

HEAD_WORD = "head"
RECOVERED_WORD = "recovered"
_JSON = msgspec.json.Encoder()
_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<path>[^`]*)`)?$", re.DOTALL)
_BYTE = re.compile(r"\(byte (\d+)\)")


class _Version(Struct, frozen=True, tag=HEAD_WORD, tag_field="type"):
    """What every version of HEAD's line has; further keys are not read."""

    format_major: int


class _Named(Struct, frozen=True, tag=HEAD_WORD, tag_field="type"):
    """What must be known of HEAD before its options can be read."""

    schema_id: str


class _Tagged(Struct, frozen=True):
    """The type word of a line."""

    type: str


_VERSION = msgspec.json.Decoder(_Version)
_NAMED = msgspec.json.Decoder(_Named)
_TAGGED = msgspec.json.Decoder(_Tagged)


class TextCodec:
    """The lines of one event schema."""

    def __init__(self, schema: Schema) -> None:
        """Generate the twins of everything a log of this schema can hold."""
        self.schema = schema
        swaps: dict[object, object] = {Options: schema.options}
        self._head = make_twin(Head, HEAD_WORD, swaps)
        self._head_decoder = msgspec.json.Decoder(self._head.text)
        words = {type_word(schema, kind): kind for kind in schema.kinds}
        words[RECOVERED_WORD] = cast("type[Event]", Recovered)
        assert len(words) == len(schema.kinds) + 1, "two event types have one word"
        twins = [make_twin(kind, word, swaps) for word, kind in words.items()]
        self._by_struct: dict[type[Struct], Twin] = {twin.struct: twin for twin in twins}
        self._by_text: dict[type[Struct], Twin] = {twin.text: twin for twin in twins}
        self.words = frozenset(words)
        union = cast("type[Struct]", _union([twin.text for twin in twins]))
        self._decoder = msgspec.json.Decoder(union)

    def head_line(self, head: Head) -> bytes:
        """The first line of a text log, its line feed included."""
        return _JSON.encode(self._head.shown(head)) + b"\n"

    def line(self, record: Event | Recovered) -> bytes:
        """The line of an event or of a gap, its line feed included; ValueError for a bad card."""
        return _JSON.encode(self._by_struct[type(record)].shown(record)) + b"\n"

    def read_head(self, line: bytes, layout: Layout) -> Head:
        """HEAD from its line without the line feed; Misfit. Its payload is not yet checked."""
        text = _decoded(self._head_decoder, line, layout, Fault.BAD_HEAD)
        return cast(Head, _value(self._head, text))

    def read(self, line: bytes, layout: Layout) -> tuple[Event | Recovered, bytes]:
        """The record in a line without its line feed, and its payload in a binary log; Misfit."""
        try:
            text = _decoded(self._decoder, line, layout, Fault.BAD_EVENT)
        except Misfit as misfit:
            raise self._about_type(line) or misfit from None
        record = _value(self._by_text[type(text)], text)
        payload = ENCODER.encode(record)
        if type(record) is Recovered:
            return record, payload
        try:
            return decode_event(self.schema, payload), payload
        except Misfit as misfit:
            raise Misfit(misfit.fault, misfit.expected, shown(line)) from None

    def is_record(self, line: bytes) -> bool:
        """The JSON of a line has the keys and types of a record; `read` may still refuse it.

        Fast, also for lines of which it is not so.
        """
        try:
            self._decoder.decode(line)
        except DECODE_ERRORS:
            return False
        return True

    def _about_type(self, line: bytes) -> Misfit | None:
        """What is wrong with the type word, if that is what is wrong."""
        try:
            word = _TAGGED.decode(line).type
        except DECODE_ERRORS:
            return None
        if word in self.words:
            return None
        if word == HEAD_WORD:
            return Misfit(Fault.MISPLACED_FRAME, "HEAD in line 1 alone", f'"type":"{HEAD_WORD}"')
        owners = [owner_of(kind) for kind, other in EVENT_WORDS.items() if other == word]
        if owners:
            found = f"{word!r}, an event of {' and '.join(owners)}"
            return Misfit(Fault.FOREIGN_EVENT, f"an event of {self.schema.id}", found)
        return Misfit(Fault.UNKNOWN_TAG, f"a type of {self.schema.id}", repr(word))


@cache
def codec_named(schema_id: str) -> TextCodec:
    """The codec of an event schema; Misfit if this version does not read it."""
    return TextCodec(schema_named(schema_id))


def read_head(line: bytes, layout: Layout) -> tuple[Head, Schema, bytes]:
    """HEAD from line 1 without its line feed, its schema and its payload in a binary log; Misfit.

    Version and schema are judged before the rest: another version may have other keys.
    """
    major = _typed(_VERSION, line, Fault.BAD_HEAD).format_major
    if major != FORMAT_MAJOR:
        raise Misfit(Fault.UNKNOWN_VERSION, f"format version {FORMAT_MAJOR}", f"version {major}")
    codec = codec_named(_typed(_NAMED, line, Fault.BAD_HEAD).schema_id)
    head = codec.read_head(line, layout)
    try:
        return head, codec.schema, encode_head(head)
    except LogError as error:
        damage = error.damage
        raise Misfit(damage.fault, damage.expected, damage.found) from None


def _decoded(decoder: msgspec.json.Decoder[T], line: bytes, layout: Layout, fault: Fault) -> T:
    """The twin in a line of this layout; Misfit, with `fault` where the JSON itself is good."""
    value = _typed(decoder, line, fault)
    if layout == "canonical" and (canonical := _JSON.encode(value)) != line:
        raise _repeated_key(line) or _not_canonical(line, canonical)
    if layout == "tolerant" and (misfit := _repeated_key(line)) is not None:
        raise misfit
    return value


def _typed(decoder: msgspec.json.Decoder[T], line: bytes, fault: Fault) -> T:
    """What msgspec reads in a line: it takes any spacing, key order, and the last of equal keys."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        place = _PLACE.match(str(error))
        assert place is not None, "the pattern takes any text"
        path = place["path"] or ""
        if path.startswith("options"):
            fault = Fault.BAD_OPTIONS
        expected = f"{path}: {place['what']}" if path else place["what"]
        at = max(0, line.find(b'"%b":' % re.split(r"\W", path)[0].encode()))
        raise Misfit(fault, expected, shown(line[at:]), at) from None
    except DECODE_ERRORS as error:
        utf8 = isinstance(error, UnicodeDecodeError) or "UTF-8" in str(error)
        byte = _BYTE.search(str(error))
        at = int(byte[1]) if byte else 0
        if utf8:
            raise Misfit(Fault.NOT_UTF8, "text in UTF-8", shown(line), at) from None
        raise Misfit(Fault.NOT_JSON, f"one JSON object ({error})", shown(line), at) from None


def _value(twin: Twin, text: Struct) -> Struct:
    """The record whose twin is `text`; Misfit names the field: cards alone can fail here."""
    try:
        return twin.read(text)
    except ValueError as error:
        raise Misfit(Fault.BAD_CARD, f"cards in {twin.struct.__name__}", str(error)) from None


def _not_canonical(line: bytes, canonical: bytes) -> Misfit:
    """Where a line and its canonical spelling part."""
    pairs = zip(line, canonical, strict=False)
    shorter = min(len(line), len(canonical))
    at = next((place for place, (a, b) in enumerate(pairs) if a != b), shorter)
    return Misfit(Fault.NOT_CANONICAL, shown(canonical[at:]), shown(line[at:]), at)


class _RepeatedKey(Exception):
    """A key that one JSON object has twice."""


def _repeated_key(line: bytes) -> Misfit | None:
    """The key that some object of a line has more than once."""
    try:
        json.loads(line, object_pairs_hook=_without_repeats)
    except _RepeatedKey as error:
        key = str(error)
        at = max(0, line.rfind(json.dumps(key, ensure_ascii=False).encode()))
        return Misfit(Fault.NOT_CANONICAL, "every key once in an object", f"{key!r} again", at)
    return None


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKey(next(key for key in keys if keys.count(key) > 1))
    return found


def shown(line: bytes) -> str:
    """A piece of a line for a message, cut after some 80 bytes."""
    text = line[:80].decode("utf-8", "backslashreplace")
    return repr(text) if len(line) <= 80 else f"{text!r} … ({len(line)} bytes)"


def _union(members: list[type[Struct]]) -> object:
    """The union of these types."""
    union: object = members[0]
    for member in members[1:]:
        union = union | member
    return union
