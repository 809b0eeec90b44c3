"""HEAD: complete, typed by its schema id, and refused with a word for what is wrong."""

import io

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import asdict, astuple, replace

from schema.damage import Fault, LogError
from schema.frames import MAGIC, Kind, frame
from schema.head import decode_head, encode_head
from schema.logfile import open_log
from schema.records import Head, Player
from schema.schemas import SCHEMAS
from schema.strict import ENCODER
from tests.format_logs import HEAD, HEADS, Forge, plain_head, short_hand


def changed(**fields: object) -> list[object]:
    """HEAD as a list of its values, some of them changed."""
    return plain_head(HEAD, **fields)


def named(name: object) -> tuple[object, ...]:
    """The players, the first with this name."""
    return (["jia", name], *HEAD.players[1:])


BAD_HEADS: dict[str, tuple[object, Fault, str, str]] = {
    "no array": ({"a": 1}, Fault.BAD_HEAD, "HEAD", "81"),
    "a later major version": (
        changed(format_major=1),
        Fault.UNKNOWN_VERSION,
        "format version 0",
        "version 1",
    ),
    "a later version with other fields": (
        [7, "anything"],
        Fault.UNKNOWN_VERSION,
        "format version 0",
        "version 7",
    ),
    "an unknown schema": (
        changed(schema_id="mahjong/1"),
        Fault.UNKNOWN_SCHEMA,
        "one of dagong/1, chibi_dagun/1",
        "'mahjong/1'",
    ),
    "a missing field": (changed()[:-1], Fault.BAD_HEAD, "HEAD", "9a"),
    "a field too many": ([*changed(), 1], Fault.BAD_HEAD, "HEAD", "9c"),
    "a short file id": (changed(file_id=b"1"), Fault.BAD_HEAD, "HEAD", "9b"),
    "a previous that is no leaf": (
        changed(previous=b"12"),
        Fault.BAD_HEAD,
        "the 32-byte leaf of the previous file, or no bytes",
        "2 bytes",
    ),
    "three players": (changed(players=HEAD.players[:3]), Fault.BAD_HEAD, "HEAD", "9b"),
    "a player id with a space": (
        changed(players=(Player("a b", "甲"), *HEAD.players[1:])),
        Fault.BAD_HEAD,
        "HEAD",
        "9b",
    ),
    "no name": (changed(players=named("")), Fault.BAD_HEAD, "HEAD", "9b"),
    "a name of 65 characters": (changed(players=named("甲" * 65)), Fault.BAD_HEAD, "HEAD", "9b"),
    "a name with a line end": (
        changed(players=named("甲\n")),
        Fault.BAD_PLAYER,
        "a name of seat 0 in NFC without control characters",
        "U+000A at character 1",
    ),
    "a name with an escape": (
        changed(players=named("\x1b[31m甲")),
        Fault.BAD_PLAYER,
        "without control characters",
        "U+001B at character 0",
    ),
    "a name not in NFC": (
        changed(players=named("e\u0301")),
        Fault.BAD_PLAYER,
        "in NFC",
        "not in NFC",
    ),
    "a producer with a line separator": (
        changed(producer="a\u2028b"),
        Fault.BAD_HEAD,
        "producer in NFC",
        "U+2028 at character 1",
    ),
    "a claims level of its own": (changed(claims="some"), Fault.BAD_HEAD, "HEAD", "9b"),
}


@pytest.mark.parametrize("case", BAD_HEADS)
def test_a_head_no_log_may_have_is_refused_by_name(case: str) -> None:
    """Nothing has a default: what is missing or unknown is an error."""
    value, fault, expected, found = BAD_HEADS[case]
    payload = ENCODER.encode(value)
    with pytest.raises(LogError) as caught:
        open_log(io.BytesIO(MAGIC + frame(Kind.HEAD, payload, len(MAGIC))))
    damage = caught.value.damage
    assert (damage.fault, damage.record) == (fault, 0)
    assert expected in damage.expected
    assert found in damage.found


EVERY_SCHEMA = pytest.mark.parametrize("schema_id", SCHEMAS)


def _worded(head: Head) -> str:
    """An option that is a word."""
    return next(name for name, value in asdict(head.options).items() if isinstance(value, str))


@EVERY_SCHEMA
def test_options_are_complete_and_none_is_unknown(schema_id: str) -> None:
    """One less, one more, and a word that an option does not have: HEAD says which options."""
    head = HEADS[schema_id]
    values = list(astuple(head.options))
    cases = (
        (values[:-1], f"the options of {schema_id}"),
        ([*values, 0], f"the options of {schema_id}"),
        (replace(head.options, **{_worded(head): "hand"}), "'hand'"),
    )
    for options, expected in cases:
        payload = ENCODER.encode(plain_head(head, options=options))
        with pytest.raises(LogError) as caught:
            decode_head(payload)
        damage = caught.value.damage
        assert (damage.fault, damage.record) == (Fault.BAD_OPTIONS, 0)
        assert expected in damage.expected
        assert damage.found.startswith(ENCODER.encode(options)[:3].hex(" "))
        assert payload[damage.offset - len(MAGIC) - 9 :].startswith(ENCODER.encode(options))


def test_hands_behind_a_head_of_another_schema_are_listed_but_not_of_another_version() -> None:
    """Frames are those of the version; events are those of the schema."""
    for fields, n_hands in (({"schema_id": "mahjong/1"}, 3), ({"format_major": 1}, 0)):
        forge = Forge()
        payload = ENCODER.encode(changed(**fields))
        forge.data = MAGIC + frame(Kind.HEAD, payload, len(MAGIC))
        for number in range(3):
            forge.hand(*short_hand(number))
        with pytest.raises(LogError) as caught:
            open_log(io.BytesIO(forge.data))
        assert [hand.index for hand in caught.value.hands_seen] == list(range(n_hands))


@pytest.mark.parametrize("name", ["甲", "é", "👩‍👧", "a" * 64, "ا", "𠮷" * 64])
def test_names_of_any_script_are_names(name: str) -> None:
    """64 code points, whatever their size in bytes; joiners are no control characters."""
    head = replace(HEAD, players=(Player("jia", name), *HEAD.players[1:]))
    assert decode_head(encode_head(head))[0] == head


@EVERY_SCHEMA
def test_head_is_read_as_it_was_written_and_the_schema_types_its_options(schema_id: str) -> None:
    """The same value, and the options as the struct of the game."""
    head, schema = decode_head(encode_head(HEADS[schema_id]))
    assert head == HEADS[schema_id]
    assert type(head.options) is schema.options
    assert schema is SCHEMAS[schema_id]


def test_a_later_minor_version_is_read() -> None:
    """A minor version adds frame kinds that may be skipped, and schemas: HEAD stays as it is."""
    head = replace(HEAD, format_minor=9)
    assert decode_head(encode_head(head))[0].format_minor == 9


@EVERY_SCHEMA
def test_a_head_in_a_longer_encoding_is_refused(schema_id: str) -> None:
    """Leaf 0 would not be the one that the same values have elsewhere."""
    head = HEADS[schema_id]
    payload = encode_head(head)
    assert payload[1] == 0
    with pytest.raises(LogError) as caught:
        decode_head(payload[:1] + b"\xcc\x00" + payload[2:])
    assert caught.value.damage.fault is Fault.BAD_HEAD
    options = ENCODER.encode(head.options)
    at = payload.index(options)
    assert options[:1] == b"\xdc"
    longer = b"\xdd\x00\x00" + options[1:]
    with pytest.raises(LogError) as caught:
        decode_head(msgspec.msgpack.encode(plain_head(head, options=Raw(longer))))
    assert caught.value.damage.fault is Fault.BAD_OPTIONS
    assert caught.value.damage.offset == len(MAGIC) + 9 + at


def test_a_writer_refuses_what_a_reader_would() -> None:
    """msgspec builds a struct of anything: only reading it back tells."""
    for head in (
        replace(HEAD, schema_id="x"),
        replace(HEAD, format_major=1),
        replace(HEAD, file_id=b""),
        replace(HEAD, options="none"),
    ):
        with pytest.raises(LogError):
            encode_head(head)
