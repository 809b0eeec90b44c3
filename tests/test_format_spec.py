"""FORMAT.md says what the code does: tables, limits, listings, and a reader built from it alone."""

import hashlib
import re
import struct
import zlib

import msgspec
import pytest
from msgspec import Struct

from schema.chaodipi import (
    ChaodipiCarry,
    ChaodipiEffect,
    ChaodipiResult,
)
from schema.chunks import CHUNK_HANDS, CHUNK_RAW, RAW_LIMIT
from schema.damage import Fault
from schema.events import (
    AbortReason,
    By,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingResult,
    Event,
    Fact,
    PlayKind,
    PlayRank,
)
from schema.frames import ANCILLARY_LIMIT, HAND_EVENTS, HAND_GAPS, HAND_LIMIT, LIMITS, Kind, leaf
from schema.gunzi import BottomFate, GunziCarry, GunziEnding, GunziResult
from schema.livewriter import ROOM_TO_END
from schema.records import ChunkRecord, HandRecord, Head, IndexEntry, Player, Recovered
from schema.scan import SEARCH_FACTOR
from schema.schemas import FAMILIES, SCHEMAS
from schema.strict import ENCODER
from schema.trumps import Named, Trump
from tests.format_logs import hands
from tests.format_tables import TEXT, fields_text, headings, hex_block, table, tags_of
from tests.golden.format.make import FOLDER, golden

KINDS = {kind for schema in SCHEMAS.values() for kind in schema.kinds}


def tag_of(kind: type[Event]) -> int:
    """The tag of an event type."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, int)
    return tag


TABLES: dict[str, type[Struct]] = {
    "HEAD": Head,
    "Player": Player,
    "HAND": HandRecord,
    "CHUNK": ChunkRecord,
    "INDEX": IndexEntry,
    "RECOVERED": Recovered,
    "ClimbingCarry": ClimbingCarry,
    "ClimbingBonus": ClimbingBonus,
    "ChaodipiCarry": ChaodipiCarry,
    "GunziCarry": GunziCarry,
    **{schema.options.__name__: schema.options for schema in SCHEMAS.values()},
    **{headings()[tag_of(kind)]: kind for kind in sorted(KINDS, key=tag_of)},
}


@pytest.mark.parametrize("heading", TABLES)
def test_the_fields_of_every_record_and_event_are_in_its_table(heading: str) -> None:
    """All of them, in their order, with their types and bounds."""
    rows = [(row[0], row[1]) for row in table(heading)]
    assert rows == fields_text(TABLES[heading])


def test_the_frame_kinds_and_their_limits_are_in_the_table() -> None:
    """Every kind there is."""
    rows = [(int(row[0], 16), row[1], int(row[2])) for row in table("Frame kinds")]
    assert rows == [(kind.value, kind.name, LIMITS[kind]) for kind in Kind]


def test_the_schemas_are_in_the_table() -> None:
    """Every schema, its game's name, its options, and all tags that its logs can hold."""
    rows = [(row[0], row[2]) for row in table("Schemas")]
    assert rows == [(s.id, s.options.__name__) for s in SCHEMAS.values()]
    for row in table("Schemas"):
        assert f"\n#### {row[2]}\n\nThe house rules of a {row[1]} table." in TEXT
    assert tags_of() == {s.id: sorted(map(tag_of, s.kinds)) for s in SCHEMAS.values()}


def test_the_tags_are_in_the_table() -> None:
    """Tag, event, whether it is a fact or a claim, and the games whose logs hold it."""
    rows = [(int(row[0]), row[1], row[2]) for row in table("Tags")]
    in_order = sorted(KINDS, key=tag_of)
    assert rows == [(tag_of(kind), kind.__name__, side(kind)) for kind in in_order]
    for kind in KINDS:
        begin = f"\n#### {headings()[tag_of(kind)]}\n\nTag {tag_of(kind)}, {side(kind)}: "
        assert begin in TEXT
    for kind, row in zip(in_order, table("Tags"), strict=True):
        ids = {schema.id for schema in SCHEMAS.values() if kind in schema.kinds}
        several = {"every game": set(SCHEMAS), "climbing games": FAMILIES["the climbing games"]}
        assert ids == several.get(row[3], {row[3]}), row


def side(kind: type[Event]) -> str:
    """Fact or claim."""
    return "fact" if issubclass(kind, Fact) else "claim"


def test_the_enums_are_in_the_table() -> None:
    """With the numbers that stand in a log."""
    rows = {row[0]: row[1] for row in table("Enums")}
    climbing = (PlayKind, PlayRank, ClimbingResult, ClimbingBonusKind)
    gunzi = (BottomFate, GunziResult, GunziEnding)
    enums = (By, AbortReason, *climbing, Trump, Named, ChaodipiResult, ChaodipiEffect, *gunzi)
    for enum in enums:
        assert rows.pop(enum.__name__) == ", ".join(f"{m.value} `{m.name}`" for m in enum).strip(
            "`"
        )
    assert rows == {}


def test_the_limits_are_in_the_table() -> None:
    """In its order."""
    hand = (HAND_EVENTS, HAND_LIMIT, HAND_GAPS, ROOM_TO_END)
    limits = (*hand, RAW_LIMIT, ANCILLARY_LIMIT, SEARCH_FACTOR)
    assert tuple(int(row[1]) for row in table("Limits")) == limits
    assert f"closes a chunk at {CHUNK_HANDS} hands, or before its raw exceeds {CHUNK_RAW}" in TEXT


def test_every_fault_has_its_line() -> None:
    """And no line is about a fault there is not."""
    assert [row[0] for row in table("Faults")] == [fault.value for fault in Fault]


def test_every_must_has_its_why() -> None:
    """In the same paragraph."""
    parts = re.split(r"\n\n|\n(?=\* )", TEXT)
    with_must = [part for part in parts if "MUST" in part]
    assert len(with_must) > 15
    assert [part for part in with_must[1:] if "*Why:*" not in part] == []


def test_the_worked_example_is_what_the_code_writes() -> None:
    """Byte for byte, live and sealed."""
    live, sealed = golden()["aborted.live.paipu"], golden()["aborted.sealed.paipu"]
    assert hex_block("Live example") == live
    assert live[:209] + hex_block("Sealed example") == sealed
    assert f"live: {len(live)} bytes" in TEXT
    (hand,) = hands(live)
    assert f"`{hand.prev.hex()[:8]}…`" in TEXT
    assert f"`{hand.leaf.hex()[:8]}…`" in TEXT


def test_the_text_twin_stands_last() -> None:
    """What a reader of binary logs can leave out."""
    assert re.findall(r"^## (.*)$", TEXT, re.MULTILINE)[-1] == "Text twin"


# A reader written from the page, sharing nothing with the code


def frames(data: bytes) -> list[tuple[int, bytes]]:
    """Kind and payload of every frame, checksums checked."""
    assert data[:8] == b"\x89PAIPU\r\n"
    found, at = [], 8
    while at < len(data):
        crc, length, kind = struct.unpack_from("<IIB", data, at)
        assert zlib.crc32(data[at + 4 : at + 9 + length], at & 0xFFFFFFFF) == crc
        found.append((kind, data[at + 9 : at + 9 + length]))
        at += 9 + length
    return found


def plain_hands(data: bytes) -> tuple[list[tuple[int, list[object]]], bytes]:
    """Index and events of every hand as plain values, and the last leaf; leaves checked."""
    kinds = frames(data)
    last = hashlib.sha256(b"\0" + kinds[0][1]).digest()
    found: list[tuple[int, list[object]]] = []
    payloads: list[bytes] = []
    for kind, payload in kinds[1:]:
        if kind == 2:
            payloads.append(payload)
        elif kind == 3:
            index, n_events, n_bytes, own = msgspec.msgpack.decode(payload)
            assert (len(payloads), len(b"".join(payloads))) == (n_events, n_bytes)
            last = hashlib.sha256(b"\0" + b"".join(payloads)).digest()
            assert last == own
            found.append((index, [msgspec.msgpack.decode(p) for p in payloads]))
            payloads = []
        elif kind == 4:
            first, n_hands, raw_len, codec, raw = msgspec.msgpack.decode(payload)
            raw = zlib.decompress(raw) if codec else raw
            assert len(raw) == raw_len
            for number in range(n_hands):
                size = int.from_bytes(raw[:4], "little")
                array, raw = raw[4 : 4 + size], raw[4 + size :]
                body = array[1 if array[0] & 0xF0 == 0x90 else 3 :]
                last = hashlib.sha256(b"\0" + body).digest()
                found.append((first + number, msgspec.msgpack.decode(array)))
        elif kind == 7:
            assert struct.unpack("<QI32s", payload)[1:] == (len(found), last)
    return found, last


@pytest.mark.parametrize("name", sorted(golden()))
def test_a_reader_built_from_the_page_reads_the_golden_files(name: str) -> None:
    """Frames, hands, chunks and leaves: the same hands as the project's own reader yields."""
    data = (FOLDER / name).read_bytes()
    found, last = plain_hands(data)
    own = [hand for hand in hands(data) if hand.committed]
    assert [index for index, _ in found] == [hand.index for hand in own]
    for (_, values), hand in zip(found, own, strict=True):
        assert values == msgspec.msgpack.decode(ENCODER.encode(hand.events))
    assert not own or last == own[-1].leaf == leaf(b"".join(map(ENCODER.encode, own[-1].events)))
