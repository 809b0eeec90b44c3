"""Whole logs in text: the same log in every form, and what a damaged line costs."""

import io
import random
from collections.abc import Callable
from hashlib import sha256

import pytest
from msgspec.structs import replace

from replay.engine.dagong.presets import DEFAULT
from schema.damage import Damage, Fault, LogError
from schema.events import AbortReason, Event, HandAborted, HandStarted
from schema.frames import HAND_EVENTS, HEADER, HEADER_SIZE, Kind, frame
from schema.items import Hand, Item, Log
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import Recovered
from schema.salvage import salvage
from schema.seal import seal, write_live
from schema.textform import is_text, open_text, write_text
from schema.textlines import LINE_LIMIT, codec_named
from tests.builders import head, live_log, match
from tests.recorder_child import EVENTS_A_HAND, event_number

CODEC = codec_named("dagong/1")
N = EVENTS_A_HAND


def _log(data: bytes) -> Log:
    return open_log(io.BytesIO(data))


def _as(form: Callable[[Log, io.BytesIO], object], data: bytes) -> bytes:
    """A log in another form."""
    sink = io.BytesIO()
    form(_log(data), sink)
    return sink.getvalue()


def _items(data: bytes) -> list[Item]:
    return list(_log(data).items())


def _damage(data: bytes) -> list[Damage]:
    return [item for item in _items(data) if isinstance(item, Damage)]


def _hands(data: bytes) -> list[tuple[int, bytes, list[Event], bool]]:
    hands = [item for item in _items(data) if isinstance(item, Hand)]
    return [(hand.index, hand.leaf, hand.events, hand.committed) for hand in hands]


def _gap(hand: int, events: int, hands_lost: int = 0) -> Recovered:
    return Recovered(hand, events, hands_lost, 9, sha256(b"lost").digest(), 5, "for a test")


def _live(*steps: int | Recovered | HandAborted) -> bytes:
    """A live log: event number … of the endless match, or a gap, or an abort, in this order."""
    writer = LiveWriter(head())
    data = writer.start()
    for step in steps:
        match step:
            case Recovered():
                data += writer.recovered(step)
            case HandAborted():
                data += writer.event(step)
            case _:
                data += writer.event(event_number(step))
    return data


ABORTED = HandAborted(0, AbortReason.RECOVERED)
HANDS = range(3 * N)
LOGS: dict[str, bytes] = {
    "nothing but HEAD": _live(),
    "three hands": _live(*HANDS),
    "hand in progress": _live(*HANDS, *range(5)),
    "gap before all": _live(_gap(0, 0), *HANDS),
    "hands lost before all": _live(_gap(0, 0, 4), *HANDS),
    "gap in a hand": _live(*HANDS, *range(5), _gap(3, 5), ABORTED, *HANDS),
    "two gaps in a hand": _live(*range(3), _gap(0, 3), _gap(0, 3), *range(3, N), *HANDS),
    "gaps in one hand": _live(*range(3), _gap(0, 3), 3, 4, _gap(0, 5), *range(5, N), *HANDS),
    "gap between hands": _live(*HANDS, _gap(3, 0), *HANDS),
    "hands lost": _live(*HANDS, _gap(3, 0, 2), *HANDS),
    "hands lost twice": _live(*HANDS, _gap(3, 0, 2), _gap(5, 0, 1), _gap(6, 0), *HANDS),
    "gap at the end": _live(*HANDS, _gap(3, 0)),
    "hands lost at the end": _live(*HANDS, _gap(3, 0, 1)),
    "gap at the end of a hand in progress": _live(*HANDS, 0, 1, _gap(3, 2)),
    "gap in a hand in progress": _live(*HANDS, 0, 1, _gap(3, 2), 2, 3),
}


@pytest.mark.parametrize("live", LOGS.values(), ids=LOGS)
def test_live_and_text_are_the_same_bytes_there_and_back(live: bytes) -> None:
    """Live, text, live, text: nothing is lost, added or moved, gaps and indexes included."""
    text = _as(write_text, live)
    assert text.count(b"\n") == len(text.splitlines())
    assert _as(write_live, text) == live
    assert _as(write_text, text) == text
    assert _hands(text) == _hands(live)
    kinds = [(type(item), getattr(item, "index", None)) for item in _items(text)]
    assert kinds == [(type(item), getattr(item, "index", None)) for item in _items(live)]


@pytest.mark.parametrize("name", [name for name in LOGS if "in progress" not in name])
def test_a_sealed_log_goes_through_text_with_its_leaves(name: str) -> None:
    """Sealed, text, live, sealed: the same hands, leaves and gaps."""
    sealed = _as(seal, LOGS[name])
    text = _as(write_text, sealed)
    assert text == _as(write_text, LOGS[name])
    live = _as(write_live, text)
    assert live == LOGS[name]
    assert _as(seal, live) == sealed


def test_real_matches_go_through_text() -> None:
    """Every kind of event of played matches survives, in all three forms."""
    for seed in range(3):
        hands = match(DEFAULT, 4, random.Random(seed))
        live = live_log(hands, head())
        text = _as(write_text, live)
        assert _as(write_live, text) == live
        assert _hands(_as(seal, text)) == _hands(live)
        assert [len(events) for _, _, events, _ in _hands(text)] == [len(h) for h in hands]


def test_what_salvage_leaves_goes_through_text() -> None:
    """A log saved from damage, with its hands lost, is the same in text."""
    whole = bytearray(_live(*range(8 * N)))
    for at in (len(whole) // 3, len(whole) // 2):
        whole[at : at + 40] = bytes(40)
    sink = io.BytesIO()
    salvage(io.BytesIO(bytes(whole)), sink, at=7)
    live = sink.getvalue()
    assert 0 < len(_hands(live)) < 8
    assert any(isinstance(item, Recovered) and item.hands_lost for item in _items(live))
    assert _as(write_live, _as(write_text, live)) == live


def test_the_hand_after_lost_hands_has_their_number() -> None:
    """RECOVERED is what carries a hand's index over a gap in a form without HAND lines."""
    text = _as(write_text, LOGS["hands lost twice"])
    assert [index for index, *_ in _hands(text)] == [0, 1, 2, 6, 7, 8]
    log = _log(text)
    assert log.hand(7).index == 7
    for absent in (3, 5, 9):
        with pytest.raises(KeyError):
            log.hand(absent)


def test_a_hand_in_progress_is_no_fault_and_not_committed() -> None:
    """A last hand without its end is there, and `hand` does not hand it out."""
    text = _as(write_text, LOGS["hand in progress"])
    assert [committed for *_, committed in _hands(text)] == [True, True, True, False]
    assert _damage(text) == []
    with pytest.raises(KeyError):
        _log(text).hand(3)


# What is not written


def test_an_unknown_frame_is_refused_not_lost() -> None:
    """Text has no place for an ancillary frame of a later version."""
    live = LOGS["three hands"]
    live += frame(0x90, b"later", len(live))
    with pytest.raises(LogError, match=r"unknown_frame_kept_out.*kind 0x90"):
        _as(write_text, live)


def test_damage_is_refused_not_lost() -> None:
    """A damaged log is recovered first, then written as text."""
    live = LOGS["hand in progress"][:-1]
    with pytest.raises(LogError, match="torn_tail"):
        _as(write_text, live)


def test_an_ended_hand_without_its_hand_record_is_refused() -> None:
    """It would come back with one: whether the hand was committed is not for text to say."""
    before = len(_live(*range(3 * N - 1)))
    data = LOGS["three hands"]
    _, length, kind = HEADER.unpack_from(data, before)
    assert kind == Kind.EVENT
    cut = data[: before + HEADER_SIZE + length]
    assert [committed for *_, committed in _hands(cut)] == [True, True, False]
    with pytest.raises(LogError, match=r"hand_not_committed at .* hand 2, event 11"):
        _as(write_text, cut)


# What a damaged line costs

TEXT = _as(write_text, _live(*range(6 * N)))
LINES = TEXT.splitlines(keepends=True)


def _with_line(number: int, line: bytes) -> bytes:
    """The text with another line in place of line `number`, counted from 1."""
    return b"".join([*LINES[: number - 1], line, *LINES[number:]])


def _indexes(data: bytes) -> list[int]:
    return [index for index, *_ in _hands(data)]


@pytest.mark.parametrize(
    ("place", "event"), [(0, 0), (1, 1), (5, 5), (N - 1, N - 1)], ids=["first", "2", "6", "last"]
)
def test_a_bad_line_costs_its_hand_and_no_other(place: int, event: int) -> None:
    """The damage names line, byte, hand and event; the hands around it keep their numbers."""
    number = 2 + 2 * N + place
    text = _with_line(number, b'{"type":"played"}\n')
    (damage,) = _damage(text)
    start = len(b"".join(LINES[: number - 1]))
    assert damage.fault is Fault.BAD_EVENT
    assert (damage.record, damage.offset, damage.hand, damage.event) == (number, start, 2, event)
    assert _indexes(text) == [0, 1, 3, 4, 5]
    assert _hands(text)[2:] == _hands(TEXT)[3:]
    with pytest.raises(LogError, match="hand 2"):
        _log(text).hand(2)


def test_a_bad_line_between_two_hands_costs_none() -> None:
    """A line too many is damage, and every hand is still there under its number."""
    text = _with_line(2 + 2 * N, b"rubbish\n" + LINES[1 + 2 * N])
    assert [damage.fault for damage in _damage(text)] == [Fault.NOT_JSON]
    assert _hands(text) == _hands(TEXT)


def test_bad_lines_in_two_hands_are_two_damages() -> None:
    """Reading goes on behind damage."""
    lines = list(LINES)
    lines[3], lines[4], lines[3 + 4 * N] = b"a\n", b"b\n", b"c\n"
    text = b"".join(lines)
    assert [(d.record, d.hand, d.event) for d in _damage(text)] == [
        (4, 0, 2),
        (5, 0, None),
        (4 + 4 * N, 4, 2),
    ]
    assert _indexes(text) == [1, 2, 3, 5]


LAST = len(LINES)
FAULTS: list[tuple[str, bytes, list[Fault], list[int]]] = [
    ("event outside", _with_line(2, LINES[3] + LINES[1]), [Fault.EVENT_OUTSIDE_HAND],
     [0, 1, 2, 3, 4, 5]),
    ("no end", _with_line(1 + N, b""), [Fault.HAND_NOT_ENDED], [1, 2, 3, 4, 5]),
    ("HEAD twice", _with_line(5, LINES[0]), [Fault.MISPLACED_FRAME], [1, 2, 3, 4, 5]),
    ("line too long", _with_line(5, b'"' + b"x" * LINE_LIMIT + b'"\n'), [Fault.LINE_TOO_LONG],
     [1, 2, 3, 4, 5]),
    ("huge line", _with_line(5, b"x" * 5_000_000 + b"\n"), [Fault.LINE_TOO_LONG],
     [1, 2, 3, 4, 5]),
    ("huge end", _with_line(LAST, b"x" * 700_000), [Fault.LINE_TOO_LONG], [0, 1, 2, 3, 4]),
    ("no last feed", TEXT[:-1], [Fault.TORN_TAIL], [0, 1, 2, 3, 4, 5]),
    ("torn", TEXT[:-9], [Fault.TORN_TAIL], [0, 1, 2, 3, 4, 5]),
    ("hand left out", b"".join(LINES[: 1 + N] + LINES[1 + 2 * N :]), [Fault.CHAIN_BROKEN],
     [0, 1, 2, 3, 4]),
    ("CRLF", TEXT.replace(b"}\n", b"}\r\n").replace(b"}\r\n", b"}\n", 1),
     [Fault.NOT_CANONICAL] * (LAST - 1), []),
    ("empty line", _with_line(5, LINES[4] + b"\n"), [Fault.NOT_JSON], [1, 2, 3, 4, 5]),
    ("gap of another hand", _with_line(2 + N, CODEC.line(_gap(3, 0)) + LINES[1 + N]),
     [Fault.BAD_RECOVERED], [0, 1, 2, 3, 4, 5]),
    ("gap of an ended hand", _with_line(2 + N, CODEC.line(_gap(0, N)) + LINES[1 + N]),
     [Fault.BAD_RECOVERED], [0, 1, 2, 3, 4, 5]),
    ("gap elsewhere", _with_line(5, CODEC.line(_gap(0, 2)) + LINES[4]), [Fault.BAD_RECOVERED],
     [0, 1, 2, 3, 4, 5]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "faults", "indexes"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS]
)
def test_a_fault_is_named_and_costs_no_more_than_it_must(
    text: bytes, faults: list[Fault], indexes: list[int]
) -> None:
    """Each fault is one damage, and the hands that can be read are read."""
    assert [damage.fault for damage in _damage(text)] == faults
    assert _indexes(text) == indexes


def test_a_torn_last_line_leaves_its_hand_in_progress() -> None:
    """What is whole of the last hand is shown; the damage begins with the torn line."""
    for lost in (1, 9, len(LINES[-1]) - 1):
        text = TEXT[:-lost]
        hand = [item for item in _items(text) if isinstance(item, Hand)][-1]
        assert (hand.index, hand.committed, len(hand.events)) == (5, False, N - 1)
        (damage,) = _damage(text)
        assert (damage.record, damage.offset) == (LAST, len(text))


def test_a_broken_chain_is_named_at_the_hand_that_breaks_it() -> None:
    """The hand before which one was left out is read all the same."""
    text = b"".join(LINES[: 1 + N] + LINES[1 + 2 * N :])
    (damage,) = _damage(text)
    assert (damage.record, damage.hand, damage.event) == (2 + N, 1, 0)
    assert damage.expected.startswith(f"prev = {_hands(TEXT)[0][1].hex()}")
    assert damage.found == _hands(TEXT)[1][1].hex()
    items = _items(text)
    at = items.index(damage)
    assert isinstance(items[at + 1], Hand)


def test_a_changed_card_breaks_the_chain_behind_it() -> None:
    """Text has no checksums: the leaves say that a hand was altered, at the next hand."""
    number = next(k for k, line in enumerate(LINES, 1) if k > 2 + N and b'"cards":"3d"' in line)
    text = _with_line(number, LINES[number - 1].replace(b"3d", b"3h"))
    assert [(d.fault, d.hand) for d in _damage(text)] == [(Fault.CHAIN_BROKEN, 2)]


def test_a_hand_without_end_does_not_fill_the_memory() -> None:
    """A hand of too many events is damage, and the next hand is read."""
    body = LINES[1] + LINES[2] + LINES[3] * HAND_EVENTS + LINES[N]
    text = LINES[0] + body + b"".join(LINES[1 + N :])
    damage = _damage(text)
    assert [d.fault for d in damage] == [Fault.HAND_TOO_LARGE]
    assert damage[0].event == HAND_EVENTS + 1
    assert _indexes(text) == [1, 2, 3, 4, 5]


def test_hostile_lines_are_damage_and_nothing_else() -> None:
    """Whatever bytes follow HEAD, reading them ends, and nothing but a Damage comes of it."""
    rng = random.Random(4)
    pieces = [*LINES[1:40], b"\n", b"\r\n", b"{}", b'"', b"\xff", b"\0" * 9, b'{"type":', b"]"]
    pieces += [
        CODEC.line(_gap(h, e, n)) for h, e, n in ((0, 0, 1), (1, 0, 0), (0, 3, 0), (2, 0, 2))
    ]
    for _ in range(300):
        body = bytearray(b"".join(rng.choices(pieces, k=rng.randrange(60))))
        for _ in range(rng.randrange(4)):
            if body:
                body[rng.randrange(len(body))] = rng.randrange(256)
        text = LINES[0] + bytes(body)
        items = _items(text)
        good = [item.index for item in items if isinstance(item, Hand)]
        assert good == sorted(set(good))
        if _damage(text) == []:
            assert _as(write_text, _as(write_live, text)) == text


# Line 1

NO_LOGS: list[tuple[str, bytes, Fault]] = [
    ("other JSON", b'{"a":1}\n', Fault.NOT_A_LOG),
    ("array of JSON", b"[1]\n", Fault.NOT_A_LOG),
    ("event first", LINES[1], Fault.NOT_A_LOG),
    ("BOM", b"\xef\xbb\xbf" + TEXT, Fault.NOT_A_LOG),
    ("blank first", b"\n" + TEXT, Fault.NOT_A_LOG),
    ("brace", b"{", Fault.NOT_A_LOG),
    ("no feed", LINES[0][:-1], Fault.BAD_HEAD),
    ("cut", LINES[0][:40] + b"\n", Fault.BAD_HEAD),
    ("spacing", LINES[0].replace(b":", b": ", 1), Fault.BAD_HEAD),
    ("CRLF", TEXT.replace(b"\n", b"\r\n"), Fault.BAD_HEAD),
    ("key twice", LINES[0][:-2] + b',"created":0}\n', Fault.BAD_HEAD),
    ("not UTF-8", LINES[0].replace("甲".encode(), b"\xff"), Fault.BAD_HEAD),
    ("too long", LINES[0].replace(b'"tests"', b'"' + b"x" * LINE_LIMIT + b'"'), Fault.BAD_HEAD),
    ("newer", LINES[0].replace(b'major":0', b'major":7'), Fault.UNKNOWN_VERSION),
    ("other game", LINES[0].replace(b"dagong/1", b"chess/1"), Fault.UNKNOWN_SCHEMA),
    ("bad option", LINES[0].replace(b'"pass_binds":', b'"pass_bind":'), Fault.BAD_OPTIONS),
]


@pytest.mark.parametrize(
    ("text", "fault"), [case[1:] for case in NO_LOGS], ids=[case[0] for case in NO_LOGS]
)
def test_without_a_good_first_line_there_is_no_verdict(text: bytes, fault: Fault) -> None:
    """Line 1 decides what the file is; what is wrong with it is a LogError at record 1."""
    with pytest.raises(LogError) as caught:
        _log(text)
    assert caught.value.damage.fault is fault, caught.value
    if text[:1] == b"{":
        assert caught.value.damage.record == 1


def test_text_is_told_by_its_first_brace() -> None:
    """What could be text is, so that its own reader can say what is wrong with it."""
    assert all(map(is_text, (b"{", b" {", b"\r\n\t{", b"\xef\xbb\xbf{")))
    assert not any(map(is_text, (b"", b"x{", b"[", LOGS["three hands"][:16])))


# Tolerant


def _loosely(text: bytes) -> bytes:
    """Another spelling of a log: spaces, line ends, empty lines, no last line feed."""
    lines = text.replace(b":", b" :\t").replace(b'{"type"', b'{ "type"').splitlines()
    return b"\r\n \r\n".join(lines)


def test_tolerant_reading_takes_any_spacing_and_gives_the_canonical_form() -> None:
    """What was edited by hand comes back in the one spelling, and only on request."""
    names = [name for name in LOGS if "in progress" not in name]
    for text in (_as(write_text, LOGS[name]) for name in names):
        loose = _loosely(text)
        with pytest.raises(LogError):
            _log(loose)
        sink = io.BytesIO()
        write_text(open_text(io.BytesIO(loose), "tolerant"), sink)
        assert sink.getvalue() == text


def test_tolerant_reading_still_refuses_what_it_must_not_guess() -> None:
    """A key twice is refused, and named."""
    text = _with_line(5, LINES[4][:-2] + b', "seat": 3}\n')
    (damage,) = [
        item for item in open_text(io.BytesIO(text), "tolerant").items() if isinstance(item, Damage)
    ]
    assert (damage.fault, damage.record, damage.found) == (Fault.NOT_CANONICAL, 5, "'seat' again")


def test_two_readings_of_one_log_do_not_disturb_each_other() -> None:
    """`hand` may be asked while `items` is under way."""
    log = _log(TEXT)
    seen = []
    for item in log.items():
        assert isinstance(item, Hand)
        seen.append(log.hand(5 - item.index).index)
    assert seen == [5, 4, 3, 2, 1, 0]


def test_offsets_are_those_of_the_lines() -> None:
    """A hand knows where each of its events stands."""
    for item in _items(TEXT):
        assert isinstance(item, Hand)
        for number, event in enumerate(item.events):
            line = TEXT[item.offset(number) :].partition(b"\n")[0]
            if isinstance(event, HandStarted):
                assert event.prev.hex().encode() in line
            assert CODEC.read(line, "canonical")[0] == event


def test_head_survives() -> None:
    """HEAD and leaf 0 are the same in text."""
    for text in (TEXT, _as(write_text, LiveWriter(replace(head(), created=3)).start())):
        live = _as(write_live, text)
        assert _log(text).head == _log(live).head
        assert _log(text).head_leaf == _log(live).head_leaf
        assert (_log(text).form, _log(text).schema.id) == ("text", "dagong/1")
