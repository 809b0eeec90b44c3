"""Whole logs in text: the same log in every form, gaps and lost hands included."""

import io
import random

import pytest
from msgspec.structs import replace

from replay.engine.dagong.presets import DEFAULT
from schema.damage import Damage, Fault, LogError
from schema.events import AbortReason, HandAborted, HandStarted
from schema.frames import HEADER, HEADER_SIZE, Kind, frame
from schema.head import encode_head
from schema.items import Hand
from schema.livewriter import LiveWriter
from schema.records import Recovered
from schema.salvage import salvage
from schema.seal import FrameSink, put_hand, seal, write_live
from schema.strict import ENCODER
from schema.textform import open_text, write_text
from tests.builders import head, live_log, match
from tests.recorder_child import EVENTS_A_HAND
from tests.text_logs import CODEC, as_form, damages, gap, hands, items, live_of, opened

N = EVENTS_A_HAND
ABORTED = HandAborted(0, AbortReason.RECOVERED)
HANDS = range(3 * N)
LOGS: dict[str, bytes] = {
    "nothing but HEAD": live_of(),
    "three hands": live_of(*HANDS),
    "hand in progress": live_of(*HANDS, *range(5)),
    "gap before all": live_of(gap(0, 0), *HANDS),
    "hands lost before all": live_of(gap(0, 0, 4), *HANDS),
    "gap in a hand": live_of(*HANDS, *range(5), gap(3, 5), ABORTED, *HANDS),
    "two gaps in a hand": live_of(*range(3), gap(0, 3), gap(0, 3), *range(3, N), *HANDS),
    "gaps in one hand": live_of(*range(3), gap(0, 3), 3, 4, gap(0, 5), *range(5, N), *HANDS),
    "gap between hands": live_of(*HANDS, gap(3, 0), *HANDS),
    "hands lost": live_of(*HANDS, gap(3, 0, 2), *HANDS),
    "hands lost twice": live_of(*HANDS, gap(3, 0, 2), gap(5, 0, 1), gap(6, 0), *HANDS),
    "gap at the end": live_of(*HANDS, gap(3, 0)),
    "hands lost at the end": live_of(*HANDS, gap(3, 0, 1)),
    "gap at the end of a hand in progress": live_of(*HANDS, 0, 1, gap(3, 2)),
    "gap in a hand in progress": live_of(*HANDS, 0, 1, gap(3, 2), 2, 3),
}


@pytest.mark.parametrize("live", LOGS.values(), ids=LOGS)
def test_live_and_text_are_the_same_bytes_there_and_back(live: bytes) -> None:
    """Live, text, live, text: nothing is lost, added or moved, gaps and indexes included."""
    text = as_form(write_text, live)
    assert text.count(b"\n") == len(text.splitlines())
    assert as_form(write_live, text) == live
    assert as_form(write_text, text) == text
    assert hands(text) == hands(live)
    kinds = [(type(item), getattr(item, "index", None)) for item in items(text)]
    assert kinds == [(type(item), getattr(item, "index", None)) for item in items(live)]


@pytest.mark.parametrize("name", [name for name in LOGS if "in progress" not in name])
def test_a_sealed_log_goes_through_text_with_its_leaves(name: str) -> None:
    """Sealed, text, live, sealed: the same hands, leaves and gaps."""
    sealed = as_form(seal, LOGS[name])
    text = as_form(write_text, sealed)
    assert text == as_form(write_text, LOGS[name])
    live = as_form(write_live, text)
    assert live == LOGS[name]
    assert as_form(seal, live) == sealed


def test_real_matches_go_through_text() -> None:
    """Every kind of event of played matches survives, in all three forms."""
    for seed in range(3):
        played = match(DEFAULT, 4, random.Random(seed))
        live = live_log(played, head())
        text = as_form(write_text, live)
        assert as_form(write_live, text) == live
        assert hands(as_form(seal, text)) == hands(live)
        assert [len(events) for _, _, events, _ in hands(text)] == [len(h) for h in played]


def test_what_salvage_leaves_goes_through_text() -> None:
    """A log saved from damage, with its hands lost, is the same in text."""
    whole = bytearray(live_of(*range(8 * N)))
    for at in (len(whole) // 3, len(whole) // 2):
        whole[at : at + 40] = bytes(40)
    sink = io.BytesIO()
    salvage(io.BytesIO(bytes(whole)), sink, at=7)
    live = sink.getvalue()
    assert 0 < len(hands(live)) < 8
    assert any(isinstance(item, Recovered) and item.hands_lost for item in items(live))
    assert as_form(write_live, as_form(write_text, live)) == live


def test_the_hand_after_lost_hands_has_their_number() -> None:
    """RECOVERED is what carries a hand's index over a gap in a form without HAND lines."""
    text = as_form(write_text, LOGS["hands lost twice"])
    assert [index for index, *_ in hands(text)] == [0, 1, 2, 6, 7, 8]
    log = opened(text)
    assert log.hand(7).index == 7
    for absent in (3, 5, 9):
        with pytest.raises(KeyError):
            log.hand(absent)


def test_a_hand_in_progress_is_no_fault_and_not_committed() -> None:
    """A last hand without its end is there, and `hand` does not hand it out."""
    text = as_form(write_text, LOGS["hand in progress"])
    assert [committed for *_, committed in hands(text)] == [True, True, True, False]
    assert damages(text) == []
    with pytest.raises(KeyError):
        opened(text).hand(3)


# What is not written


def test_an_unknown_frame_is_refused_not_lost() -> None:
    """Text has no place for an ancillary frame of a later version."""
    live = LOGS["three hands"]
    live += frame(0x90, b"later", len(live))
    with pytest.raises(LogError, match=r"unknown_frame_kept_out.*kind 0x90"):
        as_form(write_text, live)


def test_damage_is_refused_not_lost() -> None:
    """A damaged log is recovered first, then written as text."""
    live = LOGS["hand in progress"][:-1]
    with pytest.raises(LogError, match="torn_tail"):
        as_form(write_text, live)


def test_an_ended_hand_without_its_hand_record_is_refused() -> None:
    """It would come back with one: whether the hand was committed is not for text to say."""
    before = len(live_of(*range(3 * N - 1)))
    data = LOGS["three hands"]
    _, length, kind = HEADER.unpack_from(data, before)
    assert kind == Kind.EVENT
    cut = data[: before + HEADER_SIZE + length]
    assert [committed for *_, committed in hands(cut)] == [True, True, False]
    with pytest.raises(LogError, match=r"hand_not_committed at .* hand 2, event 11"):
        as_form(write_text, cut)


def test_a_gap_between_the_end_of_a_hand_and_its_commit() -> None:
    """Where the HAND record alone was torn, the line of the gap follows that of the hand's end."""
    (hand,) = [item for item in items(live_of(*range(N))) if isinstance(item, Hand)]
    for inside in ([gap(0, N)], [gap(0, 5), gap(0, N), gap(0, N)]):
        sink = io.BytesIO()
        out = FrameSink(sink)
        out.begin(encode_head(head()))
        put_hand(out, hand, inside)
        live = sink.getvalue()
        for more in (b"", frame(Kind.RECOVERED, ENCODER.encode(gap(1, 0)), len(live))):
            text = as_form(write_text, live + more)
            assert text.splitlines(keepends=True)[-1] == CODEC.line(
                gap(1, 0) if more else gap(0, N)
            )
            assert as_form(write_live, text) == live + more
            assert as_form(write_live, as_form(seal, text)) == live + more
            assert [type(item) for item in items(text)] == [type(i) for i in items(live + more)]


TEXT = as_form(write_text, live_of(*range(6 * N)))
LINES = TEXT.splitlines(keepends=True)

# Tolerant


def _loosely(text: bytes) -> bytes:
    """Another spelling of a log: spaces, line ends, empty lines, no last line feed."""
    lines = text.replace(b":", b" :\t").replace(b'{"type"', b'{ "type"').splitlines()
    return b"\r\n \r\n".join(lines)


def test_tolerant_reading_takes_any_spacing_and_gives_the_canonical_form() -> None:
    """What was edited by hand comes back in the one spelling, and only on request."""
    names = [name for name in LOGS if "in progress" not in name]
    for text in (as_form(write_text, LOGS[name]) for name in names):
        loose = _loosely(text)
        with pytest.raises(LogError):
            opened(loose)
        sink = io.BytesIO()
        write_text(open_text(io.BytesIO(loose), "tolerant"), sink)
        assert sink.getvalue() == text


def test_tolerant_reading_still_refuses_what_it_must_not_guess() -> None:
    """A key twice is refused, and named."""
    text = b"".join([*LINES[:4], LINES[4][:-2] + b', "seat": 3}\n', *LINES[5:]])
    (damage,) = [
        item for item in open_text(io.BytesIO(text), "tolerant").items() if isinstance(item, Damage)
    ]
    assert (damage.fault, damage.record, damage.found) == (Fault.NOT_CANONICAL, 5, "'seat' again")


def test_two_readings_of_one_log_do_not_disturb_each_other() -> None:
    """`hand` may be asked while `items` is under way."""
    log = opened(TEXT)
    seen = []
    for item in log.items():
        assert isinstance(item, Hand)
        seen.append(log.hand(5 - item.index).index)
    assert seen == [5, 4, 3, 2, 1, 0]


def test_offsets_are_those_of_the_lines() -> None:
    """A hand knows where each of its events stands."""
    for item in items(TEXT):
        assert isinstance(item, Hand)
        for number, event in enumerate(item.events):
            line = TEXT[item.offset(number) :].partition(b"\n")[0]
            if isinstance(event, HandStarted):
                assert event.prev.hex().encode() in line
            assert CODEC.read(line, "canonical")[0] == event


def test_head_survives() -> None:
    """HEAD and leaf 0 are the same in text."""
    for text in (TEXT, as_form(write_text, LiveWriter(replace(head(), created=3)).start())):
        live = as_form(write_live, text)
        assert opened(text).head == opened(live).head
        assert opened(text).head_leaf == opened(live).head_leaf
        assert (opened(text).form, opened(text).schema.id) == ("text", "dagong/1")
