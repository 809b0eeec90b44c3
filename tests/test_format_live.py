"""Live logs: what a writer lets in, and each way in which a hand's frames can be wrong."""

import io
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from schema.chunks import Trailer
from schema.damage import Fault, LogError
from schema.events import (
    AbortReason,
    By,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
)
from schema.frames import HAND_EVENTS, HAND_LIMIT, Kind
from schema.items import Hand
from schema.livelog import LiveLog
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.strict import ENCODER
from tests.format_logs import (
    HEAD,
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
    short_hand,
    short_log,
    stated_gap,
    written,
)

PLAY = Played(1, By.PLAYER, 0, b"\x01")
END = HandEnded(0)
HAND = [START, PLAY, END]


def one_hand() -> Forge:
    """A log that begins with one good hand."""
    return Forge().hand(*HAND)


@pytest.mark.parametrize("schema_id", HEADS)
def test_what_was_written_is_read(schema_id: str) -> None:
    """Every kind of event, chained: prev is the leaf before, filled in by the writer."""
    events, head = every_event(schema_id), HEADS[schema_id]
    first, second = hands(written([events, HAND], head))
    assert first.events[1:] == events[1:]
    assert (first.index, second.index) == (0, 1)
    assert second.prev == first.leaf
    assert first.prev == open_log(io.BytesIO(written([], head))).head_leaf
    assert first.committed


def test_every_event_has_its_own_offset() -> None:
    """Where its frame begins in the file."""
    log = short_log(2)
    for hand in hands(log):
        for number, event in enumerate(hand.events):
            payload = ENCODER.encode(event)
            at = hand.offset(number)
            assert log[at + 9 : at + 9 + len(payload)] == payload


def test_a_hand_in_progress_is_yielded_uncommitted() -> None:
    """It is not damage: the match goes on."""
    hand = hands(written([short_hand(0), short_hand(1)[:2]]))[1]
    assert (hand.index, len(hand.events), hand.committed) == (1, 2, False)


def test_a_log_longer_than_a_block_is_read_across_its_borders() -> None:
    """No frame is lost where one block of the reader ends and the next begins."""
    log = short_log(6000)
    assert len(log) > 3 << 18
    found = hands(log)
    assert [hand.index for hand in found] == list(range(6000))
    assert faults(log) == []


# One fault, one finding


FAULTY: dict[str, tuple[Callable[[Forge], Forge], Fault, list[int]]] = {
    "an event before HandStarted": (lambda f: f.hand(PLAY, END), Fault.EVENT_OUTSIDE_HAND, [0]),
    "an event after HandEnded": (
        lambda f: f.hand(START, END, PLAY, END),
        Fault.EVENT_OUTSIDE_HAND,
        [0],
    ),
    "HAND before the end of its hand": (lambda f: f.hand(START, PLAY), Fault.HAND_NOT_ENDED, [0]),
    "a hand begun within another": (
        lambda f: f.events(START, PLAY).hand(*HAND),
        Fault.HAND_NOT_ENDED,
        [0, 1],
    ),
    "a hand that ended without HAND": (
        lambda f: f.events(*HAND).hand(*HAND),
        Fault.HAND_NOT_COMMITTED,
        [0, 1],
    ),
    "HAND without events": (lambda f: f.hand(), Fault.HAND_WITHOUT_EVENTS, [0]),
    "a wrong count": (lambda f: f.hand(*HAND, n_events=4), Fault.WRONG_COUNT, [0]),
    "a wrong size": (lambda f: f.hand(*HAND, n_bytes=4), Fault.WRONG_SIZE, [0]),
    "a wrong leaf": (lambda f: f.hand(*HAND, leaf=bytes(32)), Fault.WRONG_LEAF, [0]),
    "an index left out": (lambda f: f.hand(*HAND, index=2), Fault.WRONG_INDEX, [0, 2]),
    "an index used twice": (lambda f: f.hand(*HAND, index=0), Fault.WRONG_INDEX, [0]),
    "a broken chain": (
        lambda f: f.hand(HandStarted(bytes(32), 0), END),
        Fault.CHAIN_BROKEN,
        [0, 1],
    ),
    "bytes after HAND's record": (
        lambda f: f.events(*HAND).put(Kind.HAND, b"\x94\x01\x03\x01" + b"\xc4\x20" + bytes(33)),
        Fault.TRAILING_BYTES,
        [0],
    ),
    "a chunk among events": (
        lambda f: f.put(Kind.CHUNK, b"\x90").hand(*HAND),
        Fault.MISPLACED_FRAME,
        [0, 1],
    ),
    "a second HEAD": (
        lambda f: f.put(Kind.HEAD, ENCODER.encode(HEAD)).hand(*HAND),
        Fault.MISPLACED_FRAME,
        [0, 1],
    ),
    "a gap at another hand": (lambda f: f.gap(2).hand(*HAND), Fault.BAD_RECOVERED, [0, 1]),
    "a gap after other events": (
        lambda f: f.gap(1, events=2).hand(*HAND),
        Fault.BAD_RECOVERED,
        [0, 1],
    ),
}


@pytest.mark.parametrize("case", FAULTY)
def test_what_no_writer_writes_is_one_finding(case: str) -> None:
    """One cause, one fault, at the second hand; and hands that are whole are still read."""
    change, fault, read = FAULTY[case]
    log = change(one_hand()).data
    assert faults(log) == [fault]
    assert [hand.index for hand in hands(log) if hand.committed] == read
    assert damage(log)[0].hand in (None, 1, 0 if case == "an index used twice" else 2)


def test_the_reading_goes_on_chained_behind_a_fault() -> None:
    """HAND of a hand that cannot be read still tells the leaf that the next one names."""
    forge = Forge().hand(START, b"\x95\x05\x00\x00\x01\xc4\x01\x36", END).hand(*HAND)
    assert faults(forge.data) == [Fault.BAD_CARD]
    forge = Forge().hand(START, b"\x95\x05\x00\x00\x01\xc4\x01\x36", END)
    forge.hand(HandStarted(bytes(32), 0), END)
    assert faults(forge.data) == [Fault.BAD_CARD, Fault.CHAIN_BROKEN]


def test_a_broken_chain_is_found_at_handstarted_with_both_leaves() -> None:
    """The hand that names the wrong leaf is still read."""
    forge = one_hand()
    at = len(forge.data)
    good = forge.last_leaf
    forge.hand(HandStarted(bytes(32), 0), END)
    (found,) = damage(forge.data)
    assert (found.hand, found.event, found.record, found.offset) == (1, 0, 5, at + 9)
    assert good.hex() in found.expected
    assert found.found == bytes(32).hex()
    assert hands(forge.data)[1].prev == bytes(32)


def test_every_bad_event_of_a_hand_is_a_finding_of_its_own() -> None:
    """With its hand, its number in the hand, its frame, and the byte."""
    bad_seat, bad_card = b"\x94\x06\x00\x00\x04", b"\x95\x05\x00\x00\x01\xc4\x02\x01\xff"
    forge = one_hand().hand(START, bad_seat, PLAY, bad_card, END)
    first, second = damage(forge.data)
    at = forge.data.index(bad_seat)
    assert (first.fault, first.hand, first.event) == (Fault.BAD_EVENT, 1, 1)
    assert (first.record, first.offset) == (6, at + 4)
    assert (first.expected, first.found) == ("Passed.seat: int <= 3", "4")
    at = forge.data.index(bad_card)
    assert (second.fault, second.hand, second.event) == (Fault.BAD_CARD, 1, 3)
    assert (second.record, second.offset) == (8, at + 8)
    assert second.expected == "card codes 0..53 in Played.cards"
    assert second.found == "the byte 255 as card 1 of 2"


def test_frames_between_events_do_not_shift_the_record_numbers() -> None:
    """A finding names the frame as one would count it."""
    forge = Forge().events(START).put(0x90, b"x").gap(0, events=1)
    bad = b"\x94\x06\x00\x00\x04"
    forge.events(PLAY, bad)
    (found,) = damage(forge.data)
    assert (found.record, found.event) == (5, 2)


def test_a_hand_of_too_many_events_is_refused_without_being_kept() -> None:
    """The next hand is read: its HAND record says which it is."""
    plays = [PLAY] * HAND_EVENTS
    forge = Forge().hand(START, *plays, END).hand(*HAND)
    assert faults(forge.data) == [Fault.HAND_TOO_LARGE]
    assert [hand.index for hand in hands(forge.data)] == [1]


# The writer


def test_a_writer_refuses_what_no_reader_would_take_and_is_not_changed_by_it() -> None:
    """The exception names the place and the field; the log goes on as if nothing had been."""
    writer = LiveWriter(HEAD)
    log = writer.start() + writer.event(START)
    for bad in (
        Played(1, By.PLAYER, 4, b""),
        Played(1, By.PLAYER, 0, b"\x36"),
        Played(1, By.PLAYER, 0, bytes(65)),
        Played(-1, By.PLAYER, 0, b""),
        Played(1, 7, 0, b""),  # type: ignore[arg-type]
        Played("1", By.PLAYER, 0, b""),  # type: ignore[arg-type]
        Played(object(), By.PLAYER, 0, b""),  # type: ignore[arg-type]
        Played(1 << 70, By.PLAYER, 0, b""),
        START,
    ):
        with pytest.raises(LogError) as caught:
            writer.event(bad)
        assert (caught.value.damage.hand, caught.value.damage.event) == (0, 1)
    log += writer.event(END)
    assert [hand.events[1:] for hand in hands(log)] == [[END]]


@pytest.mark.parametrize("event", [PLAY, END, HandAborted(0, AbortReason.OTHER)])
def test_a_writer_refuses_an_event_outside_a_hand(event: Event) -> None:
    """A hand begins with HandStarted."""
    with pytest.raises(LogError) as caught:
        LiveWriter(HEAD).event(event)
    assert caught.value.damage.fault is Fault.EVENT_OUTSIDE_HAND


def test_a_full_hand_can_still_be_ended() -> None:
    """Room for the last event is kept, in events and in bytes."""
    writer = LiveWriter(HEAD)
    log = [writer.start(), writer.event(START)]
    for _ in range(HAND_EVENTS - 2):
        log.append(writer.event(Passed(0, By.BOT, 0)))
    with pytest.raises(LogError) as caught:
        writer.event(PLAY)
    assert caught.value.damage.fault is Fault.HAND_TOO_LARGE
    log.append(writer.event(END))
    (hand,) = hands(b"".join(log))
    assert len(hand.events) == HAND_EVENTS
    assert sum(len(ENCODER.encode(event)) for event in hand.events) < HAND_LIMIT


def test_a_writer_resumed_anywhere_writes_the_same_bytes() -> None:
    """Cut behind any event, a second writer completes the log as the first would have."""
    log = written([short_hand(0), short_hand(1)])
    script = [*short_hand(0), *short_hand(1)]
    for count in range(len(script) + 1):
        begun = written([script[:count]])
        opened = open_log(io.BytesIO(begun))
        assert isinstance(opened, LiveLog)
        tail = opened.tail()
        assert (tail.end, tail.torn) == (len(begun), None)
        writer = LiveWriter.resume(HEAD, tail.end, tail.hand_index, tail.leaf, tail.open_events)
        assert begun + b"".join(map(writer.event, script[count:])) == log


def test_a_hand_cut_before_its_record_is_committed_on_resuming() -> None:
    """The last event stands, only HAND is missing: nothing else can follow."""
    log = short_log(1)
    opened = open_log(io.BytesIO(log[: frames_of(log)[-1][1]]))
    assert isinstance(opened, LiveLog)
    tail = opened.tail()
    assert tail.torn is None
    writer = LiveWriter.resume(HEAD, tail.end, tail.hand_index, tail.leaf, tail.open_events)
    assert writer.hand_ended
    with pytest.raises(LogError) as caught:
        writer.event(START)
    assert caught.value.damage.fault is Fault.HAND_NOT_COMMITTED
    assert log[: tail.end] + writer.commit() == log


def test_a_file_that_is_damaged_otherwise_than_at_its_tail_has_no_tail() -> None:
    """Nobody goes on writing behind damage."""
    changed = bytearray(short_log(3))
    changed[300] ^= 1
    opened = open_log(io.BytesIO(bytes(changed)))
    assert isinstance(opened, LiveLog)
    with pytest.raises(LogError):
        opened.tail()


# RECOVERED


def test_gaps_are_yielded_before_their_hand_and_indexes_go_on_behind_them() -> None:
    """The chain is not looked at across hands lost, and is across a gap inside a hand."""
    found = items(recovered_log())
    names = [item.index if isinstance(item, Hand) else type(item).__name__ for item in found]
    assert names == [0, "Recovered", "Recovered", 3, 4]


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (stated_gap(1), "a gap at hand 0"),
        (stated_gap(0, events=1), "a gap after 0 events of hand 0"),
        (replace(stated_gap(0), reason="a\nb"), "a reason in NFC without control characters"),
        (replace(stated_gap(0), digest=b""), "RECOVERED"),
    ],
)
def test_a_writer_refuses_a_gap_that_is_not_of_here(gap: object, expected: str) -> None:
    """A gap says where it is, and must be there."""
    with pytest.raises(LogError) as caught:
        LiveWriter(HEAD).recovered(gap)  # type: ignore[arg-type]
    assert caught.value.damage.expected.startswith(expected)


def test_hands_lost_inside_a_hand_are_no_gap() -> None:
    """What is kept of a hand ends it: nothing can be lost between its events and its end."""
    writer = LiveWriter(HEAD)
    writer.start()
    writer.event(START)
    with pytest.raises(LogError) as caught:
        writer.recovered(stated_gap(0, events=1, hands_lost=1))
    assert caught.value.damage.fault is Fault.BAD_RECOVERED


def test_a_trailer_in_a_live_file_makes_it_a_damaged_sealed_one() -> None:
    """The last 53 bytes decide: the event frames are then a run that is out of place."""
    forge = one_hand()
    forge.put(Kind.TRAILER, Trailer(0, 1, forge.last_leaf).packed())
    log = open_log(io.BytesIO(forge.data))
    assert log.form == "sealed"
    assert damage(forge.data)[0].fault is Fault.MISPLACED_FRAME
    assert damage(forge.data)[0].found == "EVENT; 3 more frames behind it no better"
