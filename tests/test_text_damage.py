"""Damage in a text log: what each fault is called, where it stands, and what it costs."""

import random

import pytest

from schema.damage import Fault, LogError
from schema.frames import HAND_EVENTS
from schema.items import Hand
from schema.records import MOST_HANDS
from schema.seal import write_live
from schema.textform import is_text, write_text
from schema.textlines import LINE_LIMIT
from tests.recorder_child import EVENTS_A_HAND
from tests.text_logs import CODEC, as_form, damages, gap, hands, items, live_of, opened

N = EVENTS_A_HAND
# What a damaged line costs

TEXT = as_form(write_text, live_of(*range(6 * N)))
LINES = TEXT.splitlines(keepends=True)
LAST = len(LINES)


def _with_line(number: int, line: bytes) -> bytes:
    """The text with another line in place of line `number`, counted from 1."""
    return b"".join([*LINES[: number - 1], line, *LINES[number:]])


def _indexes(data: bytes) -> list[int]:
    return [index for index, *_ in hands(data)]


@pytest.mark.parametrize(
    ("place", "event"), [(0, 0), (1, 1), (5, 5), (N - 1, N - 1)], ids=["first", "2", "6", "last"]
)
def test_a_bad_line_costs_its_hand_and_no_other(place: int, event: int) -> None:
    """The damage names line, byte, hand and event; the hands around it keep their numbers."""
    number = 2 + 2 * N + place
    text = _with_line(number, b'{"type":"played"}\n')
    (damage,) = damages(text)
    start = len(b"".join(LINES[: number - 1]))
    assert damage.fault is Fault.BAD_EVENT
    assert (damage.record, damage.offset, damage.hand, damage.event) == (number, start, 2, event)
    assert _indexes(text) == [0, 1, 3, 4, 5]
    assert hands(text)[2:] == hands(TEXT)[3:]
    with pytest.raises(LogError, match="hand 2"):
        opened(text).hand(2)


def test_a_bad_line_between_two_hands_costs_none() -> None:
    """A line too many is damage, and every hand is still there under its number."""
    text = _with_line(2 + 2 * N, b"rubbish\n" + LINES[1 + 2 * N])
    assert [damage.fault for damage in damages(text)] == [Fault.NOT_JSON]
    assert hands(text) == hands(TEXT)


def test_bad_lines_in_two_hands_are_two_damages() -> None:
    """Reading goes on behind damage."""
    lines = list(LINES)
    lines[3], lines[4], lines[3 + 4 * N] = b"a\n", b"b\n", b"c\n"
    text = b"".join(lines)
    assert [(d.record, d.hand, d.event) for d in damages(text)] == [(4, 0, 2), (4 + 4 * N, 4, 2)]
    assert _indexes(text) == [1, 2, 3, 5]


@pytest.mark.parametrize(
    "bad",
    [b"rubbish\n", b"\n", b'{"type":"played"}\n', b"x" * (LINE_LIMIT + 9) + b"\n", LINES[0]],
    ids=["not JSON", "empty", "fields missing", "too long", "HEAD"],
)
def test_bad_lines_up_to_the_next_good_one_are_one_damage(bad: bytes) -> None:
    """The first is named, and how many follow: between two hands and within one."""
    for number in (2 + 2 * N, 5 + 2 * N):
        text = b"".join([*LINES[: number - 1], b"first\n", bad * 40, *LINES[number - 1 :]])
        (damage,) = damages(text)
        assert (damage.fault, damage.record) == (Fault.NOT_JSON, number)
        assert damage.found == "'first'; 40 more lines behind it no better"


def test_one_good_line_parts_two_damages() -> None:
    """An event that is lost with its hand is good; so is a gap that is of here."""
    cases = (
        _with_line(4, b"a\n" + LINES[3] + b"b\n"),
        _with_line(2 + N, b"a\n" + CODEC.line(gap(1, 0)) + b"b\n" + LINES[1 + N]),
    )
    for text in cases:
        assert [damage.fault for damage in damages(text)] == [Fault.NOT_JSON] * 2


def test_gaps_that_are_not_of_here_are_one_damage_with_the_bad_lines_around_them() -> None:
    """What stands there says nothing, whatever it looks like."""
    stray = CODEC.line(gap(0, 0))
    for lines in ([b"a\n", stray, b"b\n"], [stray, b"a\n", stray, b"b\n"], [stray] * 3):
        text = _with_line(2 + N, b"".join(lines) + LINES[1 + N])
        (damage,) = damages(text)
        assert damage.record == 2 + N
        assert f"; {len(lines) - 1} more lines" in damage.found


def test_bad_lines_up_to_the_end_of_the_file_are_one_damage() -> None:
    """With and without a torn line behind them; a hand that had begun is lost with the first."""
    rubbish = b"".join(b"rubbish\n" for _ in range(500))
    for at in (LAST, LAST - 2):
        whole = b"".join(LINES[:at]) + rubbish
        assert [damage.fault for damage in damages(whole)] == [Fault.NOT_JSON]
        torn = damages(whole + b"torn")
        assert [damage.fault for damage in torn] == [Fault.NOT_JSON, Fault.TORN_TAIL]
        assert "; 499 more lines" in torn[0].found


def test_a_hand_beyond_the_greatest_index_is_refused() -> None:
    """A gap may go up to it; the hand behind has no index that a record can hold."""
    for hand, lost in ((1, MOST_HANDS - 1), (1, MOST_HANDS - 2)):
        text = _with_line(2 + N, CODEC.line(gap(hand, 0, lost)) + LINES[1 + N])
        found = [damage.fault for damage in damages(text)]
        assert (found[0], _indexes(text)[1:]) == (
            Fault.WRONG_INDEX,
            [MOST_HANDS - 1] if lost == MOST_HANDS - 2 else [],
        )
    text = _with_line(2 + N, CODEC.line(gap(1, 0, MOST_HANDS)) + LINES[1 + N])
    assert [damage.fault for damage in damages(text)] == [Fault.BAD_RECOVERED]


def test_a_gap_says_which_hand_comes_next_where_damage_has_hidden_it() -> None:
    """Behind a bad line hands are counted on as well as can be; RECOVERED knows better."""
    first, second = LINES[1 : 1 + N], LINES[1 + N : 1 + 2 * N]
    for lost, hand in ((LINES[2:4], 1), ([b"bad\n", LINES[3]], 2), ([b"bad\n"] * 3, 4)):
        stated = CODEC.line(gap(hand, 0, 3))
        text = b"".join([LINES[0], *first, *lost, stated, *second])
        assert items(text)[-2] == gap(hand, 0, 3)
        assert _indexes(text) == [0, hand + 3]


def test_a_gap_inside_a_lost_hand_is_no_news() -> None:
    """The bad line is the finding: what else happened to that hand is not judged."""
    text = _with_line(4, b"bad\n" + CODEC.line(gap(0, 3)))
    assert [damage.fault for damage in damages(text)] == [Fault.NOT_JSON]
    assert _indexes(text) == [1, 2, 3, 4, 5]


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
     [Fault.NOT_CANONICAL], []),
    ("empty line", _with_line(5, LINES[4] + b"\n"), [Fault.NOT_JSON], [1, 2, 3, 4, 5]),
    ("gap of another hand", _with_line(2 + N, CODEC.line(gap(3, 0)) + LINES[1 + N]),
     [Fault.BAD_RECOVERED], [0, 1, 2, 3, 4, 5]),
    ("gap behind a gap of an ended hand", _with_line(2 + N, CODEC.line(gap(1, 0))
     + CODEC.line(gap(0, N)) + LINES[1 + N]),
     [Fault.BAD_RECOVERED], [0, 1, 2, 3, 4, 5]),
    ("gap of more events", _with_line(2 + N, CODEC.line(gap(0, N + 1)) + LINES[1 + N]),
     [Fault.BAD_RECOVERED], [0, 1, 2, 3, 4, 5]),
    ("gap elsewhere", _with_line(5, CODEC.line(gap(0, 2)) + LINES[4]), [Fault.BAD_RECOVERED],
     [0, 1, 2, 3, 4, 5]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "faults", "indexes"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS]
)
def test_a_fault_is_named_and_costs_no_more_than_it_must(
    text: bytes, faults: list[Fault], indexes: list[int]
) -> None:
    """Each fault is one damage, and the hands that can be read are read."""
    assert [damage.fault for damage in damages(text)] == faults
    assert _indexes(text) == indexes


def test_a_torn_last_line_leaves_its_hand_in_progress() -> None:
    """What is whole of the last hand is shown; the damage begins with the torn line."""
    for lost in (1, 9, len(LINES[-1]) - 1):
        text = TEXT[:-lost]
        hand = [item for item in items(text) if isinstance(item, Hand)][-1]
        assert (hand.index, hand.committed, len(hand.events)) == (5, False, N - 1)
        (damage,) = damages(text)
        assert (damage.record, damage.offset) == (LAST, len(text))


def test_a_broken_chain_is_named_at_the_hand_that_breaks_it() -> None:
    """The hand before which one was left out is read all the same."""
    text = b"".join(LINES[: 1 + N] + LINES[1 + 2 * N :])
    (damage,) = damages(text)
    assert (damage.record, damage.hand, damage.event) == (2 + N, 1, 0)
    assert damage.expected.startswith(f"prev = {hands(TEXT)[0][1].hex()}")
    assert damage.found == hands(TEXT)[1][1].hex()
    found = items(text)
    assert isinstance(found[found.index(damage) + 1], Hand)


def test_a_changed_card_breaks_the_chain_behind_it() -> None:
    """Text has no checksums: the leaves say that a hand was altered, at the next hand."""
    number = next(k for k, line in enumerate(LINES, 1) if k > 2 + N and b'"cards":"3d"' in line)
    text = _with_line(number, LINES[number - 1].replace(b"3d", b"3h"))
    assert [(d.fault, d.hand) for d in damages(text)] == [(Fault.CHAIN_BROKEN, 2)]


def test_a_hand_without_end_does_not_fill_the_memory() -> None:
    """A hand of too many events is damage, and the next hand is read."""
    body = LINES[1] + LINES[2] + LINES[3] * HAND_EVENTS + LINES[N]
    text = LINES[0] + body + b"".join(LINES[1 + N :])
    (damage,) = damages(text)
    assert (damage.fault, damage.event) == (Fault.HAND_TOO_LARGE, HAND_EVENTS + 1)
    assert _indexes(text) == [1, 2, 3, 4, 5]


def test_hostile_lines_are_damage_and_nothing_else() -> None:
    """Whatever bytes follow HEAD, reading them ends, and nothing but a Damage comes of it."""
    rng = random.Random(4)
    pieces = [*LINES[1:40], b"\n", b"\r\n", b"{}", b'"', b"\xff", b"\0" * 9, b'{"type":', b"]"]
    pieces += [CODEC.line(gap(h, e, n)) for h, e, n in ((0, 0, 1), (1, 0, 0), (0, 3, 0), (2, 0, 2))]
    for _ in range(300):
        body = bytearray(b"".join(rng.choices(pieces, k=rng.randrange(60))))
        for _ in range(rng.randrange(4)):
            if body:
                body[rng.randrange(len(body))] = rng.randrange(256)
        text = LINES[0] + bytes(body)
        good = [item.index for item in items(text) if isinstance(item, Hand)]
        assert good == sorted(set(good))
        if damages(text) == []:
            assert as_form(write_text, as_form(write_live, text)) == text


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
        opened(text)
    assert caught.value.damage.fault is fault, caught.value
    if text[:1] == b"{":
        assert caught.value.damage.record == 1


def test_text_is_told_by_its_first_brace() -> None:
    """What could be text is, so that its own reader can say what is wrong with it."""
    assert all(map(is_text, (b"{", b" {", b"\r\n\t{", b"\xef\xbb\xbf{")))
    assert not any(map(is_text, (b"", b"x{", b"[", live_of()[:16])))
