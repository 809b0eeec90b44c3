"""Salvage: what is provably whole survives under its own index, and every gap is stated."""

import io
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from schema.chunks import Trailer, chunk_record, packed_hand
from schema.damage import Damage, Fault, LogError
from schema.events import AbortReason, By, HandAborted, HandEnded, HandStarted, Played
from schema.frames import HEADER_SIZE, Kind
from schema.items import Hand, Item
from schema.records import MOST_HANDS, HandRecord, IndexEntry, Recovered
from schema.salvage import MOST_TOLD, Salvaged, salvage
from schema.seal import FrameSink
from schema.strict import ENCODER
from tests.format_logs import (
    START,
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
    stated_gap,
    unsealed,
)

AT = 1_700_000_200_000
LIVE = short_log(5)
HEAD_END = frames_of(LIVE)[1][1]
SEALED = sealed(short_log(200))


def salvaged(log: bytes) -> tuple[bytes, Salvaged]:
    """The salvaged log and the account of it."""
    sink = io.BytesIO()
    account = salvage(io.BytesIO(log), sink, AT)
    assert account.size == len(sink.getvalue())
    return sink.getvalue(), account


def shape(found: list[Item]) -> list[object]:
    """Hands by index, gaps as (hand, events, hands lost), anything else by name."""
    names: list[object] = []
    for item in found:
        match item:
            case Hand():
                names.append(item.index)
            case Recovered():
                names.append((item.hand, item.events, item.hands_lost))
            case Damage():
                names.append(item.fault)
            case _:
                names.append(item)
    return names


def flipped(log: bytes, at: int) -> bytes:
    """The log with one byte inverted."""
    return log[:at] + bytes((log[at] ^ 0xFF,)) + log[at + 1 :]


def nth(log: bytes, kind: Kind, number: int) -> tuple[int, int]:
    """Offset and length of a frame, counted among its kind."""
    return [(at, size) for of, at, size in frames_of(log) if of == kind][number]


def test_a_lost_hand_is_one_stated_gap_and_nothing_else() -> None:
    """The hands behind it keep their index; the bytes dropped are counted and hashed."""
    first, _ = nth(LIVE, Kind.EVENT, 4)
    end = sum(nth(LIVE, Kind.HAND, 1))
    changed = flipped(LIVE, first + HEADER_SIZE + 3)
    log, account = salvaged(changed)
    assert shape(items(log)) == [0, (1, 0, 1), 2, 3, 4]
    (gap,) = account.gaps
    assert (gap.bytes_lost, gap.digest) == (end - first, sha256(changed[first:end]).digest())
    assert (gap.at, gap.reason) == (AT, f"salvaged: bad_checksum at byte {first}")
    assert (account.hands_kept, account.hands_lost, account.bytes_lost) == (4, 1, gap.bytes_lost)
    assert [d.fault for d in account.damage] == [Fault.BAD_CHECKSUM]
    assert [h.leaf for h in hands(log)] == [h.leaf for h in hands(LIVE) if h.index != 1]


def test_what_is_intact_of_a_torn_hand_is_kept_and_aborted() -> None:
    """Events, the gap, HandAborted: the hand settles nothing and the file can be sealed."""
    at, _ = nth(LIVE, Kind.EVENT, 18)
    log, account = salvaged(LIVE[: at + 4])
    assert shape(items(log)) == [0, 1, 2, 3, (4, 2, 0), 4]
    assert hands(log)[4].events[2:] == [HandAborted(0, AbortReason.RECOVERED)]
    assert (account.aborted, account.bytes_lost, account.hands_lost) == (4, 4, 0)
    assert unsealed(sealed(log)) == log


def test_a_hand_in_progress_without_a_torn_byte_is_aborted_without_a_gap() -> None:
    """Nothing was lost, but the match does not go on."""
    at, _ = nth(LIVE, Kind.EVENT, 18)
    log, account = salvaged(LIVE[:at])
    assert shape(items(log)) == [0, 1, 2, 3, 4]
    assert (account.aborted, account.gaps) == (4, ())


def test_a_hand_that_lacks_only_its_record_gets_it_back() -> None:
    """Its events are all there, its last one included: nothing is aborted."""
    at, _ = nth(LIVE, Kind.HAND, 4)
    log, account = salvaged(LIVE[: at + 20])
    assert shape(items(log)) == [0, 1, 2, 3, (4, 4, 0), 4]
    assert hands(log)[4].events == hands(LIVE)[4].events
    assert account.bytes_lost == 20


def test_a_lost_chunk_costs_its_hands_and_no_others() -> None:
    """Indexes go on as CHUNK states them."""
    at, size = nth(SEALED, Kind.CHUNK, 1)
    changed = flipped(SEALED, at + size // 2)
    log, account = salvaged(changed)
    assert [hand.index for hand in hands(log)] == [*range(64), *range(128, 200)]
    (gap,) = account.gaps
    assert (gap.hand, gap.hands_lost, gap.bytes_lost) == (64, 64, size)
    assert gap.digest == sha256(changed[at : at + size]).digest()
    assert faults(log) == []


def test_a_lost_last_chunk_is_counted_by_index() -> None:
    """INDEX still says how many hands there were."""
    at, size = nth(SEALED, Kind.CHUNK, 3)
    log, account = salvaged(flipped(SEALED, at + size // 2))
    assert shape(items(log))[-1] == (192, 0, 8)
    assert (account.hands_kept, account.hands_lost) == (192, 8)


def test_a_lost_index_costs_no_hand_and_is_stated() -> None:
    """A live log has no INDEX, but bytes of the file were lost."""
    at, size = nth(SEALED, Kind.INDEX, 0)
    log, account = salvaged(flipped(SEALED, at + size - 1))
    assert account.hands_kept == 200
    assert shape(items(log))[-1] == (200, 0, 0)
    assert account.bytes_lost == size


def test_an_undamaged_log_comes_out_as_its_live_form() -> None:
    """Nothing to state."""
    for log in (LIVE, sealed(LIVE), recovered_log(), sealed(recovered_log())):
        assert salvaged(log)[0] == unsealed(log)
        assert salvaged(log)[1].gaps == ()


def test_a_hand_with_an_event_no_reader_takes_is_lost_as_a_whole() -> None:
    """Its bytes are whole, its contents are not a hand: dropped, counted and hashed."""
    bad = b"\x95\x05\x00\x00\x01\xc4\x01\x36"
    forge = Forge().hand(*short_hand(0)).hand(START, bad, HandEnded(1)).hand(*short_hand(2))
    log, account = salvaged(forge.data)
    assert shape(items(log)) == [0, (1, 0, 1), 2]
    assert account.gaps[0].reason.startswith("salvaged: bad_card at byte ")
    start, end = sum(nth(forge.data, Kind.HAND, 0)), sum(nth(forge.data, Kind.HAND, 1))
    assert account.gaps[0].digest == sha256(forge.data[start:end]).digest()


def test_a_broken_chain_is_not_mended() -> None:
    """Nothing was lost in the file, so no gap is stated: the fault stays where it is."""
    forge = Forge().hand(*short_hand(0))
    forge.last_leaf = bytes(32)
    log, account = salvaged(forge.hand(*short_hand(1)).data)
    assert (faults(log), account.gaps) == ([Fault.CHAIN_BROKEN], ())
    assert log == forge.data


def test_frames_of_unknown_kind_are_dropped_and_counted() -> None:
    """Between hands and inside one: each is stated before the next hand."""
    forge = Forge().hand(*short_hand(0)).put(0x90, b"between")
    forge.events(HandStarted(forge.last_leaf, 5)).put(0x91, b"inside")
    log, account = salvaged(forge.data)
    assert account.bytes_lost == 2 * HEADER_SIZE + len(b"between" + b"inside")
    assert [h.index for h in hands(log)] == [0, 1]
    assert faults(log) == []


def test_hands_that_are_missing_without_a_lost_byte_are_stated_too() -> None:
    """An index that jumps: the gap has no bytes, but it has hands."""
    forge = Forge().hand(*short_hand(0)).hand(*short_hand(3), index=3)
    log, account = salvaged(forge.data)
    assert shape(items(log)) == [0, (1, 0, 2), 3]
    assert account.gaps[0].digest == sha256(b"").digest()


ROUGH: dict[str, Callable[[bytes], bytes]] = {
    "a hole": lambda log: log[:400] + bytes(150) + log[550:],
    "a hole to the end": lambda log: log[:400] + bytes(len(log) - 400),
    "bytes removed": lambda log: log[:400] + log[402:],
    "bytes inserted": lambda log: log[:400] + b"??" + log[400:],
    "cut in HAND": lambda log: log[:-1],
}


@pytest.mark.parametrize("form", ["live", "sealed"])
@pytest.mark.parametrize("case", ROUGH)
def test_what_salvage_writes_reads_without_damage_and_can_be_sealed(case: str, form: str) -> None:
    """However rough the accident: and salvaging once more changes nothing."""
    changed = ROUGH[case](LIVE if form == "live" else SEALED)
    assert damage(changed)
    log, account = salvaged(changed)
    assert damage(log) == []
    assert account.hands_kept == len(hands(log))
    assert unsealed(sealed(log)) == log
    assert salvaged(log)[0] == log


@given(
    st.sampled_from([LIVE, sealed(LIVE), recovered_log(), sealed(recovered_log())]),
    st.lists(
        st.tuples(st.integers(0, 2000), st.integers(0, 40), st.binary(max_size=40)),
        min_size=1,
        max_size=4,
    ),
)
def test_whatever_happened_behind_head_salvage_never_adds_a_hand(
    log: bytes, accidents: list[tuple[int, int, bytes]]
) -> None:
    """Stretches replaced by others: the outcome is undamaged and holds hands of the source."""
    whole = {hand.leaf for hand in hands(log)}
    changed = log
    for at, removed, added in accidents:
        start = HEAD_END + at % (len(log) - HEAD_END)
        changed = changed[:start] + added + changed[start + removed :]
    out, account = salvaged(changed)
    assert faults(out) == []
    assert {hand.leaf for hand in hands(out) if hand.index != account.aborted} <= whole
    assert account.bytes_lost <= len(changed)
    assert account.hands_kept == len(hands(out))


INDEXES = st.sampled_from([0, 1, 2, 5, MOST_HANDS - 2, MOST_HANDS - 1, MOST_HANDS])
COUNTS = st.sampled_from([0, 1, 2, MOST_HANDS - 1, MOST_HANDS])
FORGED = st.one_of(
    st.tuples(st.just("hand"), st.integers(0, 9), INDEXES),
    st.tuples(st.just("gap"), INDEXES, st.integers(0, 2), COUNTS),
    st.tuples(st.just("events"), st.integers(1, 4)),
    st.tuples(st.just("chunk"), INDEXES, st.integers(0, 3), COUNTS),
    st.tuples(st.just("index"), INDEXES, COUNTS),
    st.tuples(st.just("trailer"), st.sampled_from([0, 1, 3, 2**32 - 1])),
    st.tuples(st.just("other"), st.sampled_from([Kind.HEAD, 0x90])),
    st.tuples(st.just("garbage"), st.integers(1, 30)),
)


def forged(steps: list[tuple[str | int, ...]]) -> bytes:
    """A log of frames with good checksums in any order, with whatever indexes and counts."""
    forge = Forge()
    for what, *of in steps:
        first, second, third = (*map(int, of), 0, 0, 0)[:3]
        match what:
            case "hand":
                forge.hand(*short_hand(first), index=min(second, MOST_HANDS - 1))
            case "gap":
                forge.gap(first, second, third)
            case "events":
                forge.events(*short_hand(0)[:first])
            case "chunk":
                packed = [packed_hand(short_hand(number)) for number in range(second)]
                record = chunk_record(first, packed)
                n_hands = third or record.n_hands
                forge.put(Kind.CHUNK, ENCODER.encode(replace(record, n_hands=n_hands)))
            case "index":
                entries = [IndexEntry(first, second, len(forge.data), 30)]
                forge.put(Kind.INDEX, ENCODER.encode(entries))
            case "trailer":
                forge.put(Kind.TRAILER, Trailer(9, first, forge.last_leaf).packed())
            case "garbage":
                forge.data += b"?" * first
            case _:
                forge.put(first, b"\x90")
    return forge.data


@given(st.lists(FORGED, max_size=8))
@example([("gap", 0, 0, MOST_HANDS), ("hand", 0, 0), ("hand", 1, 1)])
@example([("hand", 0, 0), ("gap", 1, 0, MOST_HANDS), ("hand", 1, MOST_HANDS), ("garbage", 9)])
@example([("gap", 0, 0, MOST_HANDS), ("hand", 0, 5), ("events", 2), ("garbage", 9)])
@example([("chunk", 0, 1, 0), ("chunk", MOST_HANDS, 1, MOST_HANDS), ("trailer", 2**32 - 1)])
@example([("chunk", 0, 1, 0), ("index", MOST_HANDS, MOST_HANDS), ("trailer", 3)])
def test_whatever_a_file_states_what_is_salvaged_of_it_is_read(
    steps: list[tuple[str | int, ...]],
) -> None:
    """Forged indexes and counts, the greatest included: only the gaps are left, within bounds."""
    log, account = salvaged(forged(steps))
    assert set(faults(log)) <= {Fault.CHAIN_BROKEN}
    stated = [item for item in items(log) if isinstance(item, Recovered)]
    assert [gap for gap in stated if gap.at == AT] == list(account.gaps)
    assert account.hands_kept == len(hands(log))
    assert all(gap.hand + gap.hands_lost <= MOST_HANDS for gap in stated)
    assert salvaged(log)[0] == log


def test_what_no_reader_takes_is_not_written() -> None:
    """An encoder checks no bounds: records are read back before they are in the file."""
    sink = io.BytesIO()
    for kind, record in (
        (Kind.HAND, HandRecord(MOST_HANDS, 1, 1, bytes(32))),
        (Kind.RECOVERED, stated_gap(0, 0, MOST_HANDS + 1)),
        (Kind.HAND, b"x" * 200),
    ):
        with pytest.raises(LogError):
            FrameSink(sink).put(kind, ENCODER.encode(record))
    assert sink.getvalue() == b""


# TRAILER alone is left to count


def without_index(log: bytes, first: int) -> tuple[bytes, int]:
    """The log whose chunks from `first` on and INDEX are zeros, and where they began."""
    start, _ = nth(log, Kind.CHUNK, first)
    end, _ = nth(log, Kind.TRAILER, 0)
    return log[:start] + bytes(end - start) + log[end:], start


def test_hands_that_only_trailer_counts_are_stated_as_lost() -> None:
    """Chunks and INDEX are overwritten, TRAILER is whole."""
    changed, start = without_index(SEALED, 1)
    (one,) = damage(changed)
    assert (one.offset - start < HEADER_SIZE, one.hand) == (True, 64)
    assert one.found.endswith("by TRAILER the hands went on to 199")
    log, account = salvaged(changed)
    assert shape(items(log))[-1] == (64, 0, 136)
    assert (account.hands_kept, account.hands_lost) == (64, 136)


def test_a_trailer_that_moved_still_counts_the_hands() -> None:
    """Chunks and INDEX are cut out: what follows stands where it was not written."""
    start, _ = nth(SEALED, Kind.CHUNK, 1)
    end, _ = nth(SEALED, Kind.TRAILER, 0)
    changed = SEALED[:start] + SEALED[end:]
    (one,) = damage(changed)
    assert (one.offset, one.hand) == (start, 64)
    assert one.found.endswith("by TRAILER the hands went on to 199")
    log, account = salvaged(changed)
    assert (shape(items(log))[-1], account.hands_lost) == ((64, 0, 136), 136)
    # With the checksum of its new place it contradicts what is there.
    forge = Forge()
    forge.data = SEALED[:start]
    forge.put(Kind.TRAILER, SEALED[end + HEADER_SIZE :])
    assert Fault.WRONG_TRAILER in faults(forge.data)
    assert salvaged(forge.data)[1].hands_lost == 136


def test_hands_lost_before_are_not_lost_again() -> None:
    """TRAILER counts the hands of the file; those a gap states are none of them."""
    source = sealed(recovered_log())
    changed, _ = without_index(source, 1)
    log, account = salvaged(changed)
    assert shape(items(log)) == [0, (1, 0, 2), (3, 0, 2)]
    assert (account.hands_kept, account.hands_lost) == (1, 2)


def test_trailer_does_not_speak_against_an_index_that_is_there() -> None:
    """A wrong number of hands is a fault of TRAILER then, and no hand is lost."""
    forge = Forge()
    forge.data = SEALED[: nth(SEALED, Kind.TRAILER, 0)[0]]
    offset = nth(SEALED, Kind.INDEX, 0)[0]
    forge.put(Kind.TRAILER, Trailer(offset, 250, hands(SEALED)[-1].leaf).packed())
    assert faults(forge.data) == [Fault.WRONG_TRAILER]
    assert salvaged(forge.data)[1].hands_lost == 0


def test_the_account_of_a_salvage_does_not_grow_with_the_file() -> None:
    """Gaps and damage are counted; the first of them are told."""
    forge = Forge()
    for number in range(MOST_TOLD + 5):
        forge.put(Kind.HEAD, b"\x90").hand(*short_hand(number))
    log, account = salvaged(forge.data)
    size = (MOST_TOLD + 5) * (HEADER_SIZE + 1)
    assert (len(account.gaps), len(account.damage)) == (MOST_TOLD, MOST_TOLD)
    assert (account.bytes_lost, account.hands_kept) == (size, MOST_TOLD + 5)
    assert sum(isinstance(item, Recovered) for item in items(log)) == MOST_TOLD + 5


def test_without_head_nothing_is_salvaged() -> None:
    """Options and players are gone: nobody may make them up."""
    with pytest.raises(LogError) as caught:
        salvage(io.BytesIO(flipped(LIVE, 40)), io.BytesIO(), AT)
    assert caught.value.damage.fault is Fault.BAD_HEAD
    assert len(caught.value.hands_seen) == 5


def test_a_play_is_what_it_was() -> None:
    """Kept events are kept byte for byte."""
    log, _ = salvaged(flipped(LIVE, nth(LIVE, Kind.EVENT, 0)[0]))
    assert hands(log)[0].events[1] == Played(1, By.PLAYER, 1, b"\x01")
