"""Salvage: what is provably whole survives under its own index, and every gap is stated."""

import io
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.damage import Damage, Fault, LogError
from schema.events import AbortReason, By, HandAborted, HandEnded, HandStarted, Played
from schema.frames import HEADER_SIZE, Kind
from schema.items import Hand, Item
from schema.records import Recovered
from schema.salvage import Salvaged, salvage
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
