"""Damaged files: every kind of accident is noticed, nothing is changed in silence."""

import io
import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.chunks import Trailer
from schema.damage import Damage, Fault, LogError
from schema.events import Event
from schema.frames import HEADER_SIZE, MAGIC, Kind
from schema.items import Hand
from schema.logfile import open_log
from schema.records import IndexEntry
from schema.salvage import salvage
from schema.strict import ENCODER
from tests.format_logs import (
    HEAD,
    Forge,
    damage,
    faults,
    frames_of,
    hands,
    items,
    recovered_log,
    sealed,
    short_hand,
    short_log,
    written,
)

LIVE = short_log(3)
SEALED = sealed(LIVE)
FORMS = {"live": LIVE, "sealed": SEALED}
HANDS = [hand.events for hand in hands(LIVE)]
HEAD_END = frames_of(LIVE)[1][1]


def noticed(log: bytes) -> bool:
    """Reading reports the damage and yields no hand that was not written; no other exception."""
    try:
        found = items(log)
    except LogError:
        return True
    good = [item for item in found if isinstance(item, Hand)]
    assert all(hand.events == HANDS[hand.index][: len(hand.events)] for hand in good)
    assert all(len(hand.events) == 4 for hand in good if hand.committed)
    open_hands = [hand for hand in good if not hand.committed]
    return any(isinstance(item, Damage) for item in found) or bool(open_hands)


def bits_flipped(log: bytes) -> Iterator[bytes]:
    """Every bit, one at a time."""
    for bit in range(8 * len(log)):
        changed = bytearray(log)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def cuts(log: bytes) -> Iterator[bytes]:
    """Cut at every byte but hand borders: what a live file cannot prove is tested on its own."""
    ends = [at + size for kind, at, size in frames_of(log) if kind in (Kind.HEAD, Kind.HAND)]
    return (log[:size] for size in range(len(log)) if size not in ends)


def bytes_removed(log: bytes) -> Iterator[bytes]:
    """Every byte, one at a time."""
    return (log[:at] + log[at + 1 :] for at in range(len(log)))


def bytes_inserted(log: bytes) -> Iterator[bytes]:
    """A byte before every byte."""
    return (log[:at] + b"\x2a" + log[at:] for at in range(len(log)))


def frames_dropped(log: bytes) -> Iterator[bytes]:
    """Every frame but the last."""
    return (log[:at] + log[at + size :] for _, at, size in frames_of(log)[:-1])


def frames_doubled(log: bytes) -> Iterator[bytes]:
    """Every frame, twice."""
    return (log[: at + size] + log[at:] for _, at, size in frames_of(log))


def frames_swapped(log: bytes) -> Iterator[bytes]:
    """Every frame with its neighbour."""
    places = frames_of(log)
    for (_, first, size), (_, second, length) in pairwise(places):
        one, two = log[first : first + size], log[second : second + length]
        yield log[:first] + two + one + log[second + length :]


def frames_moved(log: bytes) -> Iterator[bytes]:
    """Every frame but the last to the end."""
    for _, at, size in frames_of(log)[:-1]:
        yield log[:at] + log[at + size :] + log[at : at + size]


def frames_pasted(log: bytes) -> Iterator[bytes]:
    """A frame of another log put before every frame."""
    other = written([short_hand(9)], HEAD)
    _, at, size = frames_of(other)[2]
    return (log[:here] + other[at : at + size] + log[here:] for _, here, _ in frames_of(log))


def zeroed(log: bytes) -> Iterator[bytes]:
    """The rest of the file from every byte on read as zeros, as after a power loss."""
    return (log[:at] + bytes(len(log) - at) for at in range(len(log)) if any(log[at:]))


def grown(log: bytes) -> Iterator[bytes]:
    """Zeros or noise behind the end."""
    rng = random.Random(5)
    for size in (1, 8, 9, 10, 100, 5000):
        yield log + bytes(size)
        yield log + rng.randbytes(size)


def text_mode(log: bytes) -> Iterator[bytes]:
    """Line ends changed by a transfer that takes the file for text."""
    yield log.replace(b"\r\n", b"\n")
    yield log.replace(b"\n", b"\r\n")
    yield log.replace(b"\r", b"")


ACCIDENTS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "one bit flipped": bits_flipped,
    "cut": cuts,
    "one byte removed": bytes_removed,
    "one byte inserted": bytes_inserted,
    "a frame dropped": frames_dropped,
    "a frame doubled": frames_doubled,
    "two frames swapped": frames_swapped,
    "a frame moved": frames_moved,
    "a frame pasted": frames_pasted,
    "the rest zeroed": zeroed,
    "the file grown": grown,
    "text-mode transfer": text_mode,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ACCIDENTS)
def test_every_accident_is_noticed(kind: str, form: str) -> None:
    """Tried and detected are the same number, and no hand comes out that did not go in."""
    tried = [noticed(changed) for changed in ACCIDENTS[kind](FORMS[form])]
    assert tried
    share = 100 * sum(tried) // len(tried)
    counts = f"tried {len(tried):>5}, detected {sum(tried):>5}, {share} %"
    print(f"\nfile damage: {kind:<18} {form:<7} {counts}")
    assert all(tried)


@pytest.mark.parametrize("form", FORMS)
def test_what_any_bit_costs_can_be_salvaged(form: str) -> None:
    """The salvaged log reads without damage, and each hand it has was in the source."""
    for changed in bits_flipped(FORMS[form]):
        sink = io.BytesIO()
        try:
            salvage(io.BytesIO(changed), sink, 0)
        except LogError:
            continue
        assert faults(sink.getvalue()) == []
        whole = [h for h in hands(sink.getvalue()) if h.events == HANDS[h.index]]
        assert len(whole) >= (2 if form == "live" else 0)


@pytest.mark.parametrize("form", FORMS)
def test_one_hand_is_read_whole_or_refused(form: str) -> None:
    """Random access never returns another hand, whatever bit of the file is flipped."""
    for changed in bits_flipped(FORMS[form][HEAD_END:]):
        log = open_log(io.BytesIO(FORMS[form][:HEAD_END] + changed))
        for index in (0, 2):
            try:
                hand = log.hand(index)
            except (LogError, KeyError):
                continue
            assert hand.events == HANDS[index]


def test_a_live_file_cannot_prove_that_nothing_is_missing_at_a_hand_border() -> None:
    """Cut behind a HAND record it reads as a shorter match: only a leaf kept elsewhere tells."""
    ends = [at + size for kind, at, size in frames_of(LIVE) if kind in (Kind.HEAD, Kind.HAND)]
    for number, end in enumerate(ends):
        assert faults(LIVE[:end]) == []
        assert len(hands(LIVE[:end])) == number


def test_a_sealed_file_cut_behind_head_reads_as_a_live_log_without_hands() -> None:
    """The one cut of a sealed file that its bytes do not show."""
    log = open_log(io.BytesIO(SEALED[:HEAD_END]))
    assert (log.form, list(log.items())) == ("live", [])


def test_a_cut_frame_at_the_end_is_a_torn_tail() -> None:
    """The hand before it is in progress, and the finding says how much is missing."""
    log = LIVE[: frames_of(LIVE)[7][1] + 12]
    hand, torn = items(log)[1:]
    assert isinstance(hand, Hand)
    assert (hand.index, len(hand.events), hand.committed) == (1, 1, False)
    assert isinstance(torn, Damage)
    assert torn.fault is Fault.TORN_TAIL
    assert (torn.record, torn.offset) == (7, frames_of(LIVE)[7][1])
    assert torn.expected == "8 bytes of kind 0x02"
    assert torn.found.startswith("3 bytes, then the file ends")


def test_damage_in_the_middle_is_told_from_a_torn_tail_and_read_over() -> None:
    """A good frame behind it: the finding names both ends, hands behind it keep their index."""
    kind, at, size = frames_of(LIVE)[7]
    assert kind == Kind.EVENT
    changed = bytearray(LIVE)
    changed[at + size - 1] ^= 0xFF
    found = items(bytes(changed))
    assert [h.index for h in found if isinstance(h, Hand)] == [0, 2]
    (middle,) = damage(bytes(changed))
    assert (middle.fault, middle.record, middle.offset) == (Fault.BAD_CHECKSUM, 7, at)
    assert f"the next good frame at {at + size}" in middle.found


@pytest.mark.parametrize("length", [0, 1 << 12 | 1, 1 << 31, (1 << 32) - 1])
def test_a_length_no_frame_has_is_refused_before_anything_is_read(length: int) -> None:
    """Zero and more than the kind's limit are no frame, whatever the checksum says."""
    at = frames_of(LIVE)[6][1]
    changed = LIVE[: at + 4] + length.to_bytes(4, "little") + LIVE[at + 8 :]
    first = damage(changed)[0]
    assert (first.fault, first.offset) == (Fault.BAD_LENGTH, at + 4)
    assert first.expected == "a length of 1..4096 bytes for kind 0x02"


def test_a_frame_that_was_written_to_stand_elsewhere_is_named_as_such() -> None:
    """Its checksum fits another offset, and the finding says which: no torn tail."""
    first, second = frames_of(LIVE)[6], frames_of(LIVE)[7]
    dropped = LIVE[: first[1]] + LIVE[first[1] + first[2] :]
    (moved,) = [d for d in damage(dropped) if d.fault is not Fault.HAND_NOT_ENDED]
    assert moved.fault is Fault.MOVED_FRAME
    assert f"written to stand at offset {second[1]}" in moved.found


def test_an_unknown_critical_kind_stops_the_reader_and_an_ancillary_one_does_not() -> None:
    """Below 0x80 nothing behind it can be trusted to mean what it seems to; above it is skipped."""
    begun = Forge().hand(*whole_hand())
    critical = Forge().hand(*whole_hand()).put(0x08, b"\x90").hand(*whole_hand())
    assert faults(critical.data) == [Fault.UNKNOWN_KIND]
    assert [h.index for h in hands(critical.data)] == [0]
    (skipped,) = [i for i in items(begun.put(0x80, b"anything").data) if not isinstance(i, Hand)]
    assert (type(skipped).__name__, faults(begun.data)) == ("Skipped", [])


def whole_hand() -> list[Event]:
    """A short hand for Forge."""
    return short_hand(1)


# The search behind damage


def test_crafted_bytes_do_not_make_the_search_quadratic() -> None:
    """A megabyte of plausible headers costs at most four times the file in checksums."""
    header = bytes(4) + (4096).to_bytes(4, "little") + b"\x02\x95"
    log = Forge().hand(*whole_hand()).data
    crafted = log + header * ((1 << 20) // len(header)) + log
    (rest,) = damage(crafted)
    assert rest.fault is Fault.UNREADABLE_REST
    assert "the search for a good frame given up" in rest.found
    assert [h.index for h in hands(crafted)] == [0]


def test_the_search_reads_over_long_stretches_of_anything_else() -> None:
    """Zeros and noise hold few plausible headers: a hand behind a megabyte of them is found."""
    for filler in (bytes(1 << 20), random.Random(1).randbytes(1 << 20)):
        forge = Forge().hand(*whole_hand())
        forge.data += filler
        log = forge.hand(*whole_hand()).data
        assert [h.index for h in hands(log)] == [0, 1]
        assert len(damage(log)) == 1


def test_offsets_that_index_names_are_tried_first() -> None:
    """In a sealed file even crafted bytes do not hide the chunks behind them."""
    log = sealed(short_log(130))
    kind, at, size = frames_of(log)[2]
    assert kind == Kind.CHUNK
    header = bytes(4) + (1 << 9).to_bytes(4, "little") + b"\x04\x95"
    changed = log[:at] + (header * size)[:size] + log[at + size :]
    assert [h.index for h in hands(changed)] == [*range(64), 128, 129]
    (lost,) = damage(changed)
    assert lost.hand == 64
    assert "by INDEX hands 64 to 127 stood there" in lost.found


class CountingStream(io.BytesIO):
    """Bytes that count how many of them are read."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        """Counted."""
        data = super().read(size)
        self.count += len(data)
        return data


def test_many_small_gaps_and_bad_hints_cost_no_more_than_one() -> None:
    """Each stretch of junk ends at the next frame, and a hint that is bad is tried once."""
    forge = Forge()
    for _ in range(3000):
        forge.gap(0)
        forge.data += b"junk"
    at = len(forge.data)
    entries = [IndexEntry(index, 1, 300 + index, 50) for index in range(10_000)]
    forge.put(Kind.INDEX, ENCODER.encode(entries))
    forge.put(Kind.TRAILER, Trailer(at, 0, forge.last_leaf).packed())
    stream = CountingStream(forge.data)
    found = list(open_log(stream).items())
    assert len([item for item in found if isinstance(item, Damage)]) >= 3000
    assert stream.count < 10 * len(forge.data)


def test_a_log_is_read_in_blocks_and_only_as_far_as_it_is_asked_for() -> None:
    """However long it is: the first hand costs one block, no read is longer than one."""
    stream = CountingStream(short_log(6000))
    log = open_log(stream)
    next(iter(log.items()))
    assert stream.count <= 3 << 18
    assert len(stream.getvalue()) > 3 << 18


def test_a_gap_that_is_stated_behind_a_damaged_chunk_is_not_passed_over() -> None:
    """INDEX names the next chunk, but RECOVERED stands before it."""
    log = sealed(recovered_log())
    kind, at, _ = frames_of(log)[1]
    assert kind == Kind.CHUNK
    changed = log[: at + 20] + bytes((log[at + 20] ^ 1,)) + log[at + 21 :]
    names = [type(item).__name__ for item in items(changed)]
    assert names == ["Damage", "Recovered", "Recovered", "Hand", "Hand"]


# Anything at all


@given(st.binary(max_size=400))
def test_random_bytes_behind_head_never_crash_the_reader(noise: bytes) -> None:
    """They are damage, or by chance nothing: never another exception."""
    start = LIVE[:HEAD_END]
    assert faults(start + noise) or not noise


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(min_size=1, max_size=60)), max_size=12))
def test_random_frames_with_good_checksums_never_crash_the_reader(
    frames: list[tuple[int, bytes]],
) -> None:
    """Kinds and payloads of any value: hands cannot come of them."""
    forge = Forge()
    for kind, payload in frames:
        forge.put(kind, payload)
    assert hands(forge.data) == []


@pytest.mark.parametrize(
    ("start", "found"),
    [
        (b"", "an empty file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(30), "a PNG image"),
        (b"\x1f\x8b\x08" + bytes(30), "gzip data"),
        (b"PK\x03\x04" + bytes(30), "a zip archive"),
        (b"hello\n", "68 65 6c 6c 6f 0a"),
        (MAGIC[:5], "89 50 41 49 50"),
        (LIVE.replace(b"\r\n", b"\n", 1), "line ends changed by a transfer in text mode"),
    ],
)
def test_a_file_that_is_no_log_is_named(start: bytes, found: str) -> None:
    """The message says what it looks like."""
    with pytest.raises(LogError) as caught:
        open_log(io.BytesIO(start))
    assert caught.value.damage.fault is Fault.NOT_A_LOG
    assert found in caught.value.damage.found


@pytest.mark.parametrize("form", FORMS)
def test_behind_a_bad_head_the_hands_are_still_framed_and_hashed(form: str) -> None:
    """No verdict, but how many hands there are, and that their bytes are whole."""
    changed = bytearray(FORMS[form])
    changed[len(MAGIC) + HEADER_SIZE + 30] ^= 1
    with pytest.raises(LogError) as caught:
        open_log(io.BytesIO(bytes(changed)))
    assert caught.value.damage.fault is Fault.BAD_HEAD
    seen = caught.value.hands_seen
    assert [(hand.index, hand.n_events, hand.whole) for hand in seen] == [
        (0, 4, True),
        (1, 4, True),
        (2, 4, True),
    ]
    assert [hand.leaf for hand in seen] == [hand.leaf for hand in hands(LIVE)]
