"""Sealed logs: the same hands and leaves, any of them at once, and parts that must agree."""

import io
import zlib
from collections.abc import Callable
from typing import Self

import pytest

from schema.chunks import CHUNK_HANDS, RAW_LIMIT, TRAILER_FRAME, Trailer, chunk_record, packed_hand
from schema.damage import Fault, LogError
from schema.events import By, Event, HandEnded, HandStarted, Passed
from schema.frames import HAND_EVENTS, HAND_LIMIT, Kind, leaf
from schema.items import Hand
from schema.logfile import open_log
from schema.records import ChunkRecord, IndexEntry, Recovered
from schema.seal import seal
from schema.strict import ENCODER
from tests.format_logs import (
    HEADS,
    START,
    Forge,
    damage,
    every_event,
    faults,
    frames_of,
    hands,
    items,
    recovered_log,
    sealed,
    short_hand,
    short_log,
    stated_gap,
    unsealed,
    written,
)

LOGS = {
    "no hand": short_log(0),
    "one hand": short_log(1),
    **{f"every event of {s}": written([every_event(s)], HEADS[s]) for s in HEADS},
    "three chunks": short_log(2 * CHUNK_HANDS + 1),
    "gaps": recovered_log(),
}


@pytest.mark.parametrize("name", LOGS)
def test_sealing_and_unsealing_gives_the_same_bytes(name: str) -> None:
    """Hands, leaves and stated gaps: nothing is changed, nothing is lost."""
    live = LOGS[name]
    assert unsealed(sealed(live)) == live
    assert sealed(sealed(live)) == sealed(live)
    assert [h.leaf for h in hands(sealed(live))] == [h.leaf for h in hands(live)]
    assert faults(sealed(live)) == []


@pytest.mark.parametrize("name", LOGS)
def test_the_last_53_bytes_are_the_trailer(name: str) -> None:
    """Of a sealed file, and of no live one: where INDEX stands, how many hands, the last leaf."""
    data = sealed(LOGS[name])
    kind, at, size = frames_of(data)[-1]
    assert (kind, at + size, size) == (Kind.TRAILER, len(data), TRAILER_FRAME)
    log = open_log(io.BytesIO(data))
    leaves = [log.head_leaf, *(hand.leaf for hand in hands(data))]
    index = next(offset for kind, offset, _ in frames_of(data) if kind == Kind.INDEX)
    assert data[at + 9 :] == Trailer(index, len(leaves) - 1, leaves[-1]).packed()


def test_any_hand_is_read_by_its_index() -> None:
    """The same hand as reading in order gives, and KeyError for one that is not there."""
    log = open_log(io.BytesIO(sealed(LOGS["three chunks"])))
    in_order = [item for item in log.items() if isinstance(item, Hand)]
    for index in (128, 0, 63, 64, 127):
        assert log.hand(index) == in_order[index]
    for index in (-1, 129):
        with pytest.raises(KeyError):
            log.hand(index)
    with pytest.raises(KeyError):
        open_log(io.BytesIO(sealed(LOGS["gaps"]))).hand(1)


def test_a_hand_is_found_without_index_and_trailer() -> None:
    """Where they are damaged the chunks themselves tell."""
    data = sealed(LOGS["three chunks"])
    index = next(offset for kind, offset, _ in frames_of(data) if kind == Kind.INDEX)
    log = open_log(io.BytesIO(data[: index + 5]))
    assert log.form == "sealed"
    assert log.hand(100).index == 100


def test_a_hand_in_a_damaged_chunk_is_refused_with_the_place_of_its_chunk() -> None:
    """Record and offset are those of the chunk's frame, gaps before it counted."""
    data = sealed(LOGS["gaps"])
    kind, at, _ = frames_of(data)[4]
    assert kind == Kind.CHUNK
    log = open_log(io.BytesIO(data[: at + 30] + bytes((data[at + 30] ^ 1,)) + data[at + 31 :]))
    assert log.hand(0).index == 0
    with pytest.raises(LogError) as caught:
        log.hand(4)
    found = caught.value.damage
    assert (found.fault, found.hand, found.record, found.offset) == (
        Fault.BAD_CHECKSUM,
        4,
        4,
        at,
    )


@pytest.mark.parametrize("cut", [0, 1])
def test_a_sealed_file_without_trailer_is_told_by_its_first_good_frame(cut: int) -> None:
    """A damaged chunk in front of it does not make the file a live one."""
    data = sealed(LOGS["three chunks"])
    at = frames_of(data)[1][1]
    damaged = data[: at + 20] + b"\xff\xff" + data[at + 22 : -TRAILER_FRAME - cut]
    log = open_log(io.BytesIO(damaged))
    assert log.form == "sealed"
    assert [item.index for item in log.items() if isinstance(item, Hand)] == [*range(64, 129)]


def test_where_no_frame_is_good_the_kind_byte_tells_the_form() -> None:
    """One damaged chunk is all there is behind HEAD, or one damaged event."""
    for data, form in ((sealed(LOGS["one hand"]), "sealed"), (LOGS["one hand"], "live")):
        at = frames_of(data)[1][1]
        log = open_log(io.BytesIO(data[: at + 20]))
        assert (log.form, faults(data[: at + 20])) == (form, [Fault.TORN_TAIL])


def test_a_chunk_takes_64_hands_or_a_mebibyte() -> None:
    """So any hand costs little to reach."""
    long_hand = [START, *[Passed(1 << 40, By.SERVER, 3)] * (HAND_EVENTS - 2), HandEnded(0)]
    data = sealed(written([long_hand] * 30))
    chunks = [size for kind, _, size in frames_of(data) if kind == Kind.CHUNK]
    per_chunk = (1 << 20) // len(packed_hand(hands(data)[0].events))
    assert len(chunks) == -(-30 // per_chunk) > 1


def test_a_chunk_never_spans_a_gap() -> None:
    """RECOVERED stands before the chunk that begins with its hand."""
    kinds = [Kind(kind).name for kind, _, _ in frames_of(sealed(recovered_log()))]
    assert kinds == ["HEAD", "CHUNK", "RECOVERED", "RECOVERED", "CHUNK", "INDEX", "TRAILER"]


def test_bytes_that_zlib_cannot_shorten_are_stored_as_they_are() -> None:
    """Codec 0."""
    short = chunk_record(0, [packed_hand([HandStarted(bytes(range(32)), 0), HandEnded(0)])])
    assert short.codec == 0
    assert chunk_record(0, [packed_hand(short_hand(1))] * 9).codec == 1


def test_an_unfinished_hand_is_not_sealed() -> None:
    """The error names the hand and its last event; sealing adds nothing."""
    live = written([short_hand(0), short_hand(1)[:2]])
    with pytest.raises(LogError) as caught:
        seal(open_log(io.BytesIO(live)), io.BytesIO())
    found = caught.value.damage
    assert (found.fault, found.hand, found.event) == (Fault.HAND_NOT_ENDED, 1, 1)
    assert found.found == "Played as its last event so far"


def test_a_damaged_log_is_not_sealed() -> None:
    """What is sealed was read without damage."""
    with pytest.raises(LogError) as caught:
        seal(open_log(io.BytesIO(short_log(2)[:-1])), io.BytesIO())
    assert caught.value.damage.fault in (Fault.TORN_TAIL, Fault.HAND_NOT_ENDED)


def test_a_log_with_a_frame_of_unknown_kind_is_not_rewritten() -> None:
    """It would be lost: in the other form it has no place."""
    forge = Forge().hand(*short_hand(0)).put(0x91, b"note")
    for write in (sealed, unsealed):
        with pytest.raises(LogError) as caught:
            write(forge.data)
        assert caught.value.damage.fault is Fault.UNKNOWN_FRAME_KEPT_OUT
        assert caught.value.damage.found == "kind 0x91"


# Forged: checksums good, contents not


class Sealer(Forge):
    """A forge of sealed files."""

    def __init__(self) -> None:
        """HEAD, and one chunk of one good hand."""
        super().__init__()
        self.entries: list[IndexEntry] = []
        self.n_hands = 0
        first: list[Event] = [HandStarted(self.last_leaf, 0), HandEnded(1)]
        self.last_leaf = leaf(b"".join(map(ENCODER.encode, first)))
        self.chunk([first])

    def chunk(self, chunk_hands: list[list[Event]]) -> Self:
        """A chunk of these hands as they are."""
        return self.record(chunk_record(self.n_hands, list(map(packed_hand, chunk_hands))))

    def record(self, record: ChunkRecord | bytes) -> Self:
        """A CHUNK frame, in INDEX."""
        payload = record if isinstance(record, bytes) else ENCODER.encode(record)
        at = len(self.data)
        self.put(Kind.CHUNK, payload)
        if isinstance(record, ChunkRecord):
            length = len(self.data) - at
            self.entries.append(IndexEntry(record.first_index, record.n_hands, at, length))
            self.n_hands += record.n_hands
        return self

    def close(self, **trailer: object) -> bytes:
        """INDEX and TRAILER; what they state can be replaced."""
        at = len(self.data)
        self.put(Kind.INDEX, ENCODER.encode(self.entries))
        last = trailer.get("last_leaf", self.last_leaf)
        values = {"index_offset": at, "n_hands": self.n_hands, "last_leaf": last} | trailer
        self.put(Kind.TRAILER, Trailer(**values).packed())  # type: ignore[arg-type]
        return self.data


def raw_chunk(raw: bytes, n_hands: int = 1, **fields: object) -> ChunkRecord:
    """A chunk of any raw bytes."""
    values = {"first_index": 1, "n_hands": n_hands, "raw_len": len(raw), "codec": 0, "data": raw}
    return ChunkRecord(**(values | fields))  # type: ignore[arg-type]


def packed(array: bytes) -> bytes:
    """An array as it stands in a chunk's raw bytes."""
    return len(array).to_bytes(4, "little") + array


GOOD = packed_hand([START, HandEnded(1)])
STARTED, ENDED = ENCODER.encode(START), ENCODER.encode(HandEnded(1))
CARD_54 = b"\x95\x05\x00\x00\x01\xc4\x01\x36"
ZLIB = zlib.compress(GOOD)
CHUNKS: dict[str, tuple[ChunkRecord | bytes, list[Fault]]] = {
    "no record": (b"\x90", [Fault.BAD_RECORD]),
    "an unknown codec": (raw_chunk(GOOD, codec=2), [Fault.BAD_RECORD]),
    "no hands": (raw_chunk(b"", 0), [Fault.BAD_CHUNK]),
    "another raw_len": (raw_chunk(GOOD, raw_len=9), [Fault.BAD_CHUNK]),
    "no zlib": (raw_chunk(GOOD, codec=1), [Fault.BAD_CHUNK]),
    "a zlib bomb": (
        raw_chunk(zlib.compress(bytes(1 << 24)), codec=1, raw_len=100),
        [Fault.BAD_CHUNK],
    ),
    "a raw_len over the limit": (
        raw_chunk(zlib.compress(bytes(1 << 24)), codec=1, raw_len=RAW_LIMIT + 1),
        [Fault.BAD_CHUNK],
    ),
    "fewer raw bytes": (raw_chunk(ZLIB, codec=1, raw_len=99), [Fault.BAD_CHUNK]),
    "bytes after the zlib stream": (
        raw_chunk(ZLIB + b"x", codec=1, raw_len=len(GOOD)),
        [Fault.BAD_CHUNK],
    ),
    "a zlib stream that is cut": (
        raw_chunk(ZLIB[:-1], codec=1, raw_len=len(GOOD)),
        [Fault.BAD_CHUNK],
    ),
    "a hand of no bytes": (raw_chunk(bytes(4)), [Fault.BAD_CHUNK]),
    "a hand of too many bytes": (raw_chunk(packed(bytes(HAND_LIMIT + 4))), [Fault.BAD_CHUNK]),
    "a hand that runs out of the chunk": (raw_chunk(GOOD[:-1]), [Fault.BAD_CHUNK]),
    "fewer hands": (raw_chunk(GOOD, 2), [Fault.CHAIN_BROKEN, Fault.BAD_CHUNK]),
    "more hands": (raw_chunk(GOOD * 2, 1), [Fault.CHAIN_BROKEN, Fault.BAD_CHUNK]),
    "a hand that is no array": (raw_chunk(packed(b"\x05")), [Fault.BAD_CHUNK]),
    "a hand of too many events": (
        raw_chunk(packed(b"\xdc\xff\xff\x90")),
        [Fault.HAND_TOO_LARGE],
    ),
    "a hand of fewer events": (raw_chunk(packed(b"\x93" + STARTED + ENDED)), [Fault.BAD_RECORD]),
    "a long array header": (
        raw_chunk(packed(b"\xdc\x00\x02" + STARTED + ENDED)),
        [Fault.NOT_CANONICAL],
    ),
    "an event outside": (raw_chunk(packed_hand([HandEnded(1)])), [Fault.EVENT_OUTSIDE_HAND]),
    "a hand without end": (
        raw_chunk(packed_hand([START, Passed(1, By.PLAYER, 1)])),
        [Fault.HAND_NOT_ENDED],
    ),
    "an event after the end": (
        raw_chunk(packed_hand([START, HandEnded(1), HandEnded(1)])),
        [Fault.EVENT_OUTSIDE_HAND],
    ),
    "two hands in one": (
        raw_chunk(packed_hand([START, START, HandEnded(1)])),
        [Fault.HAND_NOT_ENDED],
    ),
    "a card above 53": (
        raw_chunk(packed(b"\x93" + STARTED + CARD_54 + ENDED)),
        [Fault.BAD_CARD],
    ),
    "an index used twice": (raw_chunk(GOOD, first_index=0), [Fault.WRONG_INDEX]),
    "an index left out": (raw_chunk(GOOD, first_index=5), [Fault.WRONG_INDEX]),
    "a broken chain": (raw_chunk(GOOD), [Fault.CHAIN_BROKEN]),
}


@pytest.mark.parametrize("case", CHUNKS)
def test_a_chunk_with_a_good_checksum_and_bad_contents_is_one_finding(case: str) -> None:
    """It names the chunk; the hand before it is read, and nothing else is made of it."""
    record, expected = CHUNKS[case]
    forge = Sealer()
    at = len(forge.data)
    log = forge.record(record).close()
    found = [d for d in damage(log) if d.fault is not Fault.WRONG_TRAILER]
    assert [d.fault for d in found] == expected
    assert all(at <= d.offset < frames_of(log)[2][1] + frames_of(log)[2][2] for d in found)
    assert hands(log)[0].index == 0
    if not isinstance(record, bytes) and expected[0] is not Fault.CHAIN_BROKEN:
        assert [hand.index for hand in hands(log)][1:] == ([5] if "left out" in case else [])


def test_a_chunk_cannot_make_a_reader_inflate_more_than_it_states() -> None:
    """A bomb of 16 MiB is given up one byte after its raw_len."""
    record, _ = CHUNKS["a zlib bomb"]
    (found,) = damage(Sealer().record(record).close())
    assert (found.expected, found.found) == ("100 raw bytes", "more than that")


def late_chunk(forge: Sealer) -> bytes:
    """A chunk that comes too late."""
    forge.put(Kind.INDEX, ENCODER.encode(forge.entries))
    forge.put(Kind.CHUNK, ENCODER.encode(raw_chunk(GOOD)))
    return forge.close()


PARTS: dict[str, tuple[Callable[[Sealer], bytes], Fault]] = {
    "another INDEX offset": (lambda s: s.close(index_offset=8), Fault.WRONG_TRAILER),
    "another number of hands": (lambda s: s.close(n_hands=2), Fault.WRONG_TRAILER),
    "another last leaf": (lambda s: s.close(last_leaf=bytes(32)), Fault.WRONG_TRAILER),
    "no INDEX": (
        lambda s: s.put(Kind.TRAILER, Trailer(0, 1, bytes(32)).packed()).data,
        Fault.MISPLACED_FRAME,
    ),
    "no TRAILER": (lambda s: s.close()[:-TRAILER_FRAME], Fault.NO_TRAILER),
    "bytes after TRAILER": (lambda s: s.close() + b"\0", Fault.TRAILING_BYTES),
    "an event frame": (lambda s: s.events(START).close(), Fault.MISPLACED_FRAME),
    "a chunk after INDEX": (late_chunk, Fault.MISPLACED_FRAME),
    "a gap elsewhere": (lambda s: s.gap(7).close(), Fault.BAD_RECOVERED),
    "a gap in a hand that does not come": (
        lambda s: s.gap(1, events=1).close(),
        Fault.BAD_RECOVERED,
    ),
    "an unknown critical frame": (lambda s: s.put(0x0A, b"\x90").close(), Fault.UNKNOWN_KIND),
}


@pytest.mark.parametrize("case", PARTS)
def test_parts_that_disagree_are_found(case: str) -> None:
    """INDEX and TRAILER state what the chunks hold, in this order and once."""
    change, fault = PARTS[case]
    assert fault in faults(change(Sealer()))


@pytest.mark.parametrize(
    "entry",
    [
        [],
        [IndexEntry(0, 2, 209, 68)],
        [IndexEntry(0, 1, 210, 68)],
        [IndexEntry(0, 1, 209, 68), IndexEntry(1, 1, 300, 68)],
    ],
)
def test_an_index_that_states_other_chunks_is_found(entry: list[IndexEntry]) -> None:
    """Every entry is compared with the chunk read."""
    forge = Sealer()
    forge.entries = entry
    assert Fault.WRONG_CHUNK_INDEX in faults(forge.close())


def test_an_index_that_names_the_wrong_chunk_gives_no_other_hand() -> None:
    """Random access looks at the chunk's own numbers."""
    forge = Sealer()
    good = forge.entries[0]
    forge.entries = [IndexEntry(0, 1, good.offset, good.length), IndexEntry(1, 1, good.offset, 9)]
    log = open_log(io.BytesIO(forge.close()))
    with pytest.raises(LogError) as caught:
        log.hand(1)
    assert caught.value.damage.fault is Fault.WRONG_CHUNK_INDEX


def test_gaps_of_a_sealed_log_are_those_of_the_live_one() -> None:
    """In the same places among the hands."""
    gaps = [item for item in items(sealed(recovered_log())) if isinstance(item, Recovered)]
    assert gaps == [stated_gap(1, 0, 2), stated_gap(3, 2)]
