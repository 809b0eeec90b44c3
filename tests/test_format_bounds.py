"""The bounds of a live log: no writer goes beyond what a reader takes, no fault is told twice."""

import io
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schema.damage import Fault, LogError
from schema.events import AbortReason, By, Event, HandAborted, HandEnded, Played
from schema.frames import HAND_GAPS, Kind
from schema.livelog import LiveLog
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import MOST_HANDS, Head, Recovered
from schema.textform import write_text
from tests.format_chaodipi import DECLARED
from tests.format_gunzi import JOKERS_BURIED
from tests.format_logs import (
    HEAD,
    HEADS,
    PLAYED_AS,
    START,
    Forge,
    damage,
    faults,
    frames_of,
    hands,
    sealed,
    stated_gap,
    unsealed,
)

PLAY = Played(1, By.PLAYER, 0, b"\x01")
END = HandEnded(0)
HAND = [START, PLAY, END]
OF_ONE_GAME = (PLAYED_AS, DECLARED, JOKERS_BURIED)


def one_hand() -> Forge:
    """A log that begins with one good hand."""
    return Forge().hand(*HAND)


INDEXES = st.sampled_from([0, 1, 2, 3, MOST_HANDS - 2, MOST_HANDS - 1, MOST_HANDS]) | st.integers(
    0, MOST_HANDS
)
STEPS = st.one_of(
    st.sampled_from([START, PLAY, *OF_ONE_GAME, END, HandAborted(1, AbortReason.OTHER)]),
    st.builds(stated_gap, INDEXES, st.integers(0, 3), INDEXES),
    st.integers(-2, 2),
)


@given(st.sampled_from(list(HEADS.values())), st.lists(STEPS, max_size=30))
@example(HEAD, [stated_gap(0, 0, MOST_HANDS), *HAND])
@example(HEAD, [stated_gap(0, 0, MOST_HANDS - 1), *HAND, *HAND, 0])
@example(HEAD, [*HAND, stated_gap(1, 0, MOST_HANDS), *HAND])
@example(HEAD, [START, *[stated_gap(0, 1)] * (HAND_GAPS + 1), END, *HAND])
def test_whatever_a_writer_accepts_is_read_without_damage(
    head: Head,
    steps: list[Event | Recovered | int],
) -> None:
    """Events and gaps in any order, with the greatest indexes: refused or good, in every form.

    Events of one game alone are among them, whichever game the log is of.

    A number is a gap that stands where the writer is, but for so many hands.
    """
    writer = LiveWriter(head)
    data = writer.start()
    for step in steps:
        try:
            match step:
                case int():
                    index = max(0, writer.hand_index + step)
                    data += writer.recovered(stated_gap(index, writer.hand_events, 0))
                case Recovered():
                    data += writer.recovered(step)
                case _:
                    data += writer.event(step)
        except LogError:
            continue
    assert writer.offset == len(data)
    assert damage(data) == []
    if not writer.hand_open:
        assert unsealed(sealed(data)) == data
        lines = io.BytesIO()
        write_text(open_log(io.BytesIO(data)), lines)
        assert unsealed(lines.getvalue()) == data


def test_a_writer_refuses_a_hand_that_no_record_can_count() -> None:
    """The greatest index is written; the hand behind it is refused, and its gap is not."""
    writer = LiveWriter(HEAD)
    data = writer.start() + writer.recovered(stated_gap(0, 0, MOST_HANDS - 1))
    data += b"".join(map(writer.event, HAND))
    with pytest.raises(LogError) as caught:
        writer.event(START)
    assert caught.value.damage.fault is Fault.WRONG_INDEX
    data += writer.recovered(stated_gap(MOST_HANDS))
    assert [hand.index for hand in hands(data)] == [MOST_HANDS - 1]
    resumed = LiveWriter.resume(HEAD, len(data), MOST_HANDS, bytes(32), HAND)
    with pytest.raises(LogError):
        resumed.commit()


def test_no_more_gaps_inside_a_hand_than_are_read_with_it() -> None:
    """A writer that goes on with a file counts those that are there."""
    writer = LiveWriter(HEAD)
    data = writer.start() + writer.event(START)
    data += b"".join(writer.recovered(stated_gap(0, 1)) for _ in range(HAND_GAPS))
    log = open_log(io.BytesIO(data))
    assert isinstance(log, LiveLog)
    tail = log.tail()
    assert tail.open_gaps == HAND_GAPS
    place = (tail.end, tail.hand_index, tail.leaf, tail.open_events, tail.open_gaps)
    for one in (writer, LiveWriter.resume(HEAD, *place)):
        with pytest.raises(LogError) as caught:
            one.recovered(stated_gap(0, 1))
        assert caught.value.damage.fault is Fault.BAD_RECOVERED


@pytest.mark.parametrize(
    ("index", "fault"),
    [(MOST_HANDS - 1, Fault.WRONG_INDEX), (MOST_HANDS, Fault.BAD_RECORD)],
    ids=["greatest", "beyond"],
)
def test_a_hand_record_beyond_the_greatest_index_is_refused(index: int, fault: Fault) -> None:
    """The greatest one is a jump, and the hand is read; the next one is none at all."""
    log = one_hand().hand(*HAND, index=index).data
    assert faults(log) == [fault]
    assert [hand.index for hand in hands(log)] == ([0, index] if index < MOST_HANDS else [0])


def test_an_open_hand_beyond_the_greatest_index_is_damage() -> None:
    """Nobody could commit it."""
    assert faults(Forge().gap(0, 0, MOST_HANDS).events(START, PLAY).data) == [Fault.WRONG_INDEX]
    assert faults(Forge().gap(1, 0, MOST_HANDS).data) == [Fault.BAD_RECOVERED]


RUNS: dict[str, tuple[Callable[[Forge], Forge], Fault, str]] = {
    "frames of a sealed log": (
        lambda f: f.put(Kind.CHUNK, b"\x90").put(Kind.INDEX, b"\x90").put(Kind.CHUNK, b"\x90"),
        Fault.MISPLACED_FRAME,
        "; 2 more frames behind it no better",
    ),
    "HAND records": (lambda f: f.hand().hand(), Fault.HAND_WITHOUT_EVENTS, "; 1 more frame behind"),
    "HAND and RECOVERED": (
        lambda f: f.put(Kind.HAND, b"\x90").put(Kind.RECOVERED, b"\x90").put(Kind.HAND, b"\x91"),
        Fault.BAD_RECORD,
        "; 2 more frames behind",
    ),
    "gaps of other hands": (lambda f: f.gap(0).gap(0).gap(0), Fault.BAD_RECOVERED, "; 2 more"),
    "events of a hand": (
        lambda f: f.hand(START, b"\x91\x7f", b"\x90", PLAY, END),
        Fault.FOREIGN_EVENT,
        "; 1 more event behind it no better",
    ),
}


@pytest.mark.parametrize("case", RUNS)
def test_a_run_of_what_cannot_be_read_is_one_damage(case: str) -> None:
    """The first is named, with its fault, and how many follow up to the next good frame."""
    change, fault, found = RUNS[case]
    log = change(one_hand())
    start = frames_of(log.data)[4][1]
    (one,) = damage(log.data)
    assert (one.fault, one.found.count(found), one.offset >= start) == (fault, 1, True)


def test_a_good_frame_parts_two_runs() -> None:
    """Two bad events of one hand with a good one between are two damages."""
    log = one_hand().hand(START, b"\x91\x7f", PLAY, b"\x90", END).data
    assert [(d.fault, d.event) for d in damage(log)] == [
        (Fault.FOREIGN_EVENT, 1),
        (Fault.BAD_EVENT, 3),
    ]
