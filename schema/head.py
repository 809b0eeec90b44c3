"""HEAD, the first record of a log: its bytes, and all that must be true of it."""

import unicodedata

import msgspec
from msgspec import NODEFAULT, Raw, Struct

from schema import FORMAT_MAJOR
from schema.damage import Damage, Fault, LogError, hex_of
from schema.frames import HEADER_SIZE, MAGIC
from schema.records import Head
from schema.schemas import SCHEMAS, Schema
from schema.strict import DECODE_ERRORS, ENCODER, Misfit, decode_record

HEAD_OFFSET = len(MAGIC)
"""Where the HEAD frame stands in every binary log."""
_PAYLOAD = HEAD_OFFSET + HEADER_SIZE


class _Version(Struct, array_like=True, frozen=True):
    """The one field that every version of HEAD begins with; whatever follows is not read."""

    format_major: int


_fields = msgspec.structs.fields(Head)
# Which options there are depends on the schema id, so they are kept as bytes at first.
_RawHead = msgspec.defstruct(
    "_RawHead",
    [(f.name, Raw if f.name == "options" else f.type) for f in _fields],
    array_like=True,
    frozen=True,
    forbid_unknown_fields=True,
)
assert all(f.default is NODEFAULT for f in _fields)

_VERSION = msgspec.msgpack.Decoder(_Version)
_RAW_HEAD = msgspec.msgpack.Decoder(_RawHead)
_OPTIONS = {s.id: msgspec.msgpack.Decoder(s.options) for s in SCHEMAS.values()}


def decode_head(payload: bytes) -> tuple[Head, Schema]:
    """HEAD of a binary log and the schema it names; LogError says what is wrong with it."""
    try:
        return _decode_head(payload)
    except Misfit as misfit:
        raise misfit.error(0, _PAYLOAD) from None


def _decode_head(payload: bytes) -> tuple[Head, Schema]:
    try:
        major = _VERSION.decode(payload).format_major
    except DECODE_ERRORS as error:
        raise Misfit(Fault.BAD_HEAD, f"HEAD ({error})", hex_of(payload)) from None
    _check_version(major)
    try:
        raw = decode_record(_RAW_HEAD, payload, "HEAD")
    except Misfit as misfit:
        raise Misfit(Fault.BAD_HEAD, misfit.expected, misfit.found, misfit.at) from None
    values = msgspec.structs.asdict(raw)
    schema = schema_named(values["schema_id"])
    options = bytes(values["options"])
    try:
        values["options"] = decode_record(
            _OPTIONS[schema.id], options, f"the options of {schema.id}"
        )
    except Misfit as misfit:
        at = payload.find(options) + misfit.at
        raise Misfit(Fault.BAD_OPTIONS, misfit.expected, misfit.found, at) from None
    head = Head(**values)
    _check_head(head)
    return head, schema


def encode_head(head: Head) -> bytes:
    """The payload of the HEAD record, read back strictly; LogError if it is no good HEAD."""
    payload = ENCODER.encode(head)
    decode_head(payload)
    return payload


def schema_named(schema_id: str) -> Schema:
    """The event schema of this id; Misfit if this version does not read it."""
    schema = SCHEMAS.get(schema_id)
    if schema is None:
        raise Misfit(Fault.UNKNOWN_SCHEMA, f"one of {', '.join(SCHEMAS)}", repr(schema_id))
    return schema


def check_head(head: Head) -> Schema:
    """All that the types do not say: version, schema, options, names; LogError at record 0."""
    try:
        _check_version(head.format_major)
        schema = schema_named(head.schema_id)
        _check_head(head)
    except Misfit as misfit:
        raise LogError(Damage(misfit.fault, 0, 0, misfit.expected, misfit.found)) from None
    return schema


def _check_version(major: int) -> None:
    if major != FORMAT_MAJOR:
        raise Misfit(Fault.UNKNOWN_VERSION, f"format version {FORMAT_MAJOR}", f"version {major}")


def _check_head(head: Head) -> None:
    schema = schema_named(head.schema_id)
    if type(head.options) is not schema.options:
        expected = f"{schema.options.__name__} for {schema.id}"
        raise Misfit(Fault.BAD_OPTIONS, expected, type(head.options).__name__)
    if len(head.previous) not in (0, 32):
        expected = "the 32-byte leaf of the previous file, or no bytes"
        raise Misfit(Fault.BAD_HEAD, expected, f"{len(head.previous)} bytes")
    for seat, player in enumerate(head.players):
        flaw = text_flaw(player.name)
        if flaw:
            expected = f"a name of seat {seat} in NFC without control characters"
            raise Misfit(Fault.BAD_PLAYER, expected, flaw)
    for field in ("rules_version", "producer"):
        flaw = text_flaw(getattr(head, field))
        if flaw:
            expected = f"{field} in NFC without control characters"
            raise Misfit(Fault.BAD_HEAD, expected, flaw)


def text_flaw(text: str) -> str | None:
    """What makes a text unfit to be shown on one line; None if nothing does.

    Control characters (Cc), line and paragraph separators (Zl, Zp), unpaired surrogates (Cs) and
    text that is not in Unicode normal form C.
    """
    for place, character in enumerate(text):
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            return f"U+{ord(character):04X} at character {place}"
    if not unicodedata.is_normalized("NFC", text):
        return f"{text!r}, which is not in NFC"
    return None
