"""Samples whose bytes are broken: flipped, cut, moved, forged or edited by hand."""

from collections.abc import Callable
from hashlib import sha256

from schema.events import AbortReason, By, HandAborted, Passed
from schema.frames import HEADER_SIZE, MAGIC, Kind
from schema.livewriter import LiveWriter
from schema.records import CHUNK_DECODER, HAND_DECODER, INDEX_DECODER, Recovered
from schema.strict import ENCODER
from tests.samples.files import TEXT, Damaged, Good
from tests.samples.forge import CREATED, head
from tests.samples.frames import (
    Frames,
    file_of,
    flipped,
    frames_of,
    number_of,
    offset_of,
    with_payload,
)


def reframed(change: Callable[[Frames], Frames]) -> Callable[[Good], bytes]:
    """A forger's way: the live form's frames changed, and their checksums made right again."""
    return lambda good: file_of(change(frames_of(good.live)))


def _resealed(change: Callable[[Frames], Frames]) -> Callable[[Good], bytes]:
    """The same with the sealed form."""
    return lambda good: file_of(change(frames_of(good.sealed)))


def _exchanged(good: Good) -> bytes:
    """Two neighbouring EVENT frames in the other order, bytes as they were."""
    data, frames = good.live, frames_of(good.live)
    a, b, c = (offset_of(frames, number) for number in (20, 21, 22))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def event_replaced(payload: bytes) -> Callable[[Frames], Frames]:
    """Another payload in the place of an event of the first hand."""
    return lambda frames: with_payload(frames, 20, payload)


def _pass_frame(frames: Frames) -> int:
    """The first EVENT frame that holds a pass."""
    tag = ENCODER.encode(Passed(0, By.PLAYER, 0))[1:2]
    return next(n for n, (k, p) in enumerate(frames) if k == Kind.EVENT and p[1:2] == tag)


def _slower(frames: Frames) -> Frames:
    """A pass with another think time: a good event, but not the one that was hashed."""
    number = _pass_frame(frames)
    payload = frames[number][1]
    return with_payload(frames, number, payload.replace(payload[2:5], b"\xcd\x27\x0f", 1))


def _hand_record(**changed: object) -> Callable[[Frames], Frames]:
    """The first HAND record with a field changed."""

    def change(frames: Frames) -> Frames:
        number = number_of(frames, Kind.HAND)
        record = HAND_DECODER.decode(frames[number][1])
        fields = {name: getattr(record, name) for name in record.__struct_fields__} | changed
        return with_payload(frames, number, ENCODER.encode(tuple(fields.values())))

    return change


def _without(kind: int, nth: int = 0) -> Callable[[Frames], Frames]:
    def change(frames: Frames) -> Frames:
        number = number_of(frames, kind, nth)
        return [*frames[:number], *frames[number + 1 :]]

    return change


def _doubled(kind: int) -> Callable[[Frames], Frames]:
    def change(frames: Frames) -> Frames:
        number = number_of(frames, kind)
        return [*frames[: number + 1], *frames[number:]]

    return change


def _first_hand_removed(frames: Frames) -> Frames:
    """The hands' numbers made right, the chain left as it was."""
    number = number_of(frames, Kind.HAND)
    rest = [*frames[:1], *frames[number + 1 :]]
    last = number_of(rest, Kind.HAND)
    record = HAND_DECODER.decode(rest[last][1])
    fields = (0, record.n_events, record.n_bytes, record.leaf)
    return with_payload(rest, last, ENCODER.encode(fields))


def _not_ended(good: Good) -> bytes:
    """The first hand's last event is gone, its HAND record too."""
    frames = frames_of(good.live)
    number = number_of(frames, Kind.HAND)
    return file_of([*frames[: number - 1], *frames[number + 1 :]])


def _recovered(good: Good) -> bytes:
    """A recorder that was killed: torn bytes set aside, the gap stated, the open hand aborted."""
    writer = LiveWriter(head(good.game, good.name))
    kept, torn = good.hands[1][:20], b"\x07\x00\x00\x00\x02\x94\x06"
    data = writer.start() + b"".join(map(writer.event, (*good.hands[0], *kept)))
    lost = Recovered(1, len(kept), 0, len(torn), sha256(torn).digest(), _RESTARTED, "torn tail")
    return data + writer.recovered(lost) + writer.event(HandAborted(0, AbortReason.RECOVERED))


def edited(old: str, new: str) -> Callable[[Good], bytes]:
    """The text form with the first `old` replaced, as an editor would."""

    def make(good: Good) -> bytes:
        data = good.text
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), 1)

    return make


def _bytes_edited(old: bytes, new: bytes) -> Callable[[Good], bytes]:
    return lambda good: good.text.replace(old, new, 1)


def _without_option(good: Good) -> bytes:
    """HEAD without one of the house rules."""
    return edited('"pass_binds":"turn",', "")(good)


def _chunk_cut(frames: Frames) -> Frames:
    """A chunk whose compressed data lacks its last bytes, checksum made right."""
    number = number_of(frames, Kind.CHUNK)
    chunk = CHUNK_DECODER.decode(frames[number][1])
    fields = (chunk.first_index, chunk.n_hands, chunk.raw_len, chunk.codec, chunk.data[:-6])
    return with_payload(frames, number, ENCODER.encode(fields))


def _trailer_of_another(frames: Frames) -> Frames:
    """A TRAILER that counts one hand more."""
    number = number_of(frames, Kind.TRAILER)
    payload = frames[number][1]
    n_hands = int.from_bytes(payload[8:12], "little") + 1
    return with_payload(frames, number, payload[:8] + n_hands.to_bytes(4, "little") + payload[12:])


def _index_shifted(frames: Frames) -> Frames:
    """An INDEX that says that the chunk begins one byte later."""
    number = number_of(frames, Kind.INDEX)
    (entry,) = INDEX_DECODER.decode(frames[number][1])
    fields = ((entry.first_index, entry.n_hands, entry.offset + 1, entry.length),)
    return with_payload(frames, number, ENCODER.encode(fields))


def _flip_event(good: Good) -> bytes:
    frames = frames_of(good.live)
    return flipped(good.live, offset_of(frames, 21) - 1)


def _flip_chunk(good: Good) -> bytes:
    frames = frames_of(good.sealed)
    return flipped(good.sealed, offset_of(frames, number_of(frames, Kind.CHUNK)) + 300)


_RESTARTED = CREATED + 900_000
_PASS_LINE = b'{"type":"passed","dt":900,"by":"player","seat":2}\n'

DAMAGED: tuple[Damaged, ...] = (
    # No verdict is possible.
    Damaged(
        "not_a_log",
        "a-picture",
        "A picture with a log's name.",
        lambda good: b"\x89PNG\r\n\x1a\n" + bytes(24),
    ),
    Damaged(
        "bad_head",
        "one-bit-flipped",
        "One bit of HEAD is flipped.",
        lambda good: flipped(good.live, len(MAGIC) + HEADER_SIZE + 40),
    ),
    Damaged(
        "unknown_version",
        "of-the-future",
        "A log of format version 9.",
        edited('"format_major":0', '"format_major":9'),
        TEXT,
    ),
    Damaged(
        "unknown_schema",
        "another-game",
        "A log of a game that this version does not know.",
        edited('"schema_id":"dagong/1"', '"schema_id":"doudizhu/1"'),
        TEXT,
    ),
    Damaged(
        "bad_options",
        "option-missing",
        "HEAD lacks one of the house rules.",
        _without_option,
        TEXT,
    ),
    Damaged(
        "bad_player",
        "line-break-in-a-name",
        "A player's name holds a line break.",
        edited('"name":"乙"', '"name":"乙\\n"'),
        TEXT,
    ),
    # Bytes changed by accident.
    Damaged("bad_checksum", "one-bit-of-an-event", "One bit of an event is flipped.", _flip_event),
    Damaged(
        "bad_checksum",
        "one-bit-of-a-chunk",
        "One bit of a sealed log's chunk is flipped.",
        _flip_chunk,
    ),
    Damaged(
        "torn_tail",
        "cut-in-an-event",
        "The file breaks off in the middle of an event.",
        lambda good: good.live[:-60],
    ),
    Damaged(
        "bad_length",
        "zeros-in-the-middle",
        "Sixteen zero bytes where a frame was.",
        lambda good: (
            good.live[: offset_of(frames_of(good.live), 20)]
            + bytes(16)
            + good.live[offset_of(frames_of(good.live), 20) + 16 :]
        ),
    ),
    Damaged("moved_frame", "two-events-exchanged", "Two events in the other order.", _exchanged),
    Damaged(
        "no_trailer",
        "sealed-file-cut",
        "A sealed file without its last bytes.",
        lambda good: good.sealed[:-53],
    ),
    # Frames forged, checksums and all.
    Damaged(
        "unknown_kind",
        "reserved-kind",
        "A frame of a reserved kind.",
        reframed(lambda frames: [*frames[:20], (0x08, b"\x90"), *frames[20:]]),
    ),
    Damaged(
        "misplaced_frame",
        "second-head",
        "A second HEAD in the middle of the file.",
        reframed(lambda frames: [*frames[:20], frames[0], *frames[20:]]),
    ),
    Damaged(
        "hand_without_events",
        "hand-record-twice",
        "The same HAND record twice.",
        reframed(_doubled(Kind.HAND)),
    ),
    Damaged(
        "bad_event",
        "seat-seven",
        "A pass by seat 7.",
        reframed(event_replaced(ENCODER.encode((6, 100, 0, 7)))),
    ),
    Damaged(
        "bad_card",
        "card-54",
        "A card that no deck has.",
        reframed(event_replaced(ENCODER.encode((5, 100, 0, 1, b"\x36")))),
    ),
    Damaged(
        "unknown_tag",
        "tag-31",
        "An event that no game has.",
        reframed(event_replaced(ENCODER.encode((31, 100)))),
    ),
    Damaged(
        "not_canonical",
        "long-integer",
        "A number written longer than it need be.",
        reframed(event_replaced(b"\x94\x06\xcd\x00\x05\x00\x02")),
    ),
    Damaged("hand_not_ended", "end-cut-out", "A hand without its last event.", _not_ended),
    Damaged(
        "hand_not_committed",
        "hand-record-cut-out",
        "A hand without its HAND record.",
        reframed(_without(Kind.HAND)),
    ),
    Damaged(
        "wrong_index",
        "numbered-five",
        "The first hand says that it is the sixth.",
        reframed(_hand_record(index=5)),
    ),
    Damaged(
        "wrong_count",
        "one-event-more",
        "A HAND record that counts one event more.",
        reframed(lambda frames: _hand_record(n_events=number_of(frames, Kind.HAND))(frames)),
    ),
    Damaged(
        "wrong_leaf",
        "think-time-changed",
        "An event replaced by another good one.",
        reframed(_slower),
    ),
    Damaged(
        "chain_broken",
        "first-hand-removed",
        "The first hand is gone, the numbers are right.",
        reframed(_first_hand_removed),
    ),
    Damaged(
        "recovered", "gap-stated", "A server was killed; the log says what was lost.", _recovered
    ),
    Damaged(
        "bad_chunk", "data-cut", "A sealed log's chunk lacks its last bytes.", _resealed(_chunk_cut)
    ),
    Damaged(
        "wrong_chunk_index",
        "offset-shifted",
        "INDEX says where no chunk stands.",
        _resealed(_index_shifted),
    ),
    Damaged(
        "wrong_trailer",
        "one-hand-more",
        "TRAILER counts one hand more.",
        _resealed(_trailer_of_another),
    ),
    # Text edited by hand.
    Damaged(
        "chain_broken",
        "first-hand-edited",
        "A think time of the first hand is changed.",
        edited('"dt":1', '"dt":2'),
        TEXT,
    ),
    Damaged(
        "not_canonical",
        "space-after-a-comma",
        "A space that the format does not have.",
        edited('"opening",', '"opening", '),
        TEXT,
    ),
    Damaged(
        "not_json",
        "brace-missing",
        "A closing brace is missing.",
        edited("[0,0,0,0]}}", "[0,0,0,0]}"),
        TEXT,
    ),
    Damaged(
        "not_utf8",
        "latin-1",
        "A byte that is no UTF-8.",
        _bytes_edited(b'"by":"player"', b'"by":"pl\xe4yer"'),
        TEXT,
    ),
    Damaged(
        "bad_card",
        "one-of-hearts",
        "A card that no deck has.",
        edited('"cards":"', '"cards":"1h '),
        TEXT,
    ),
    Damaged(
        "event_outside_hand",
        "pass-after-the-end",
        "A pass after the last hand has ended.",
        lambda good: good.text + _PASS_LINE,
        TEXT,
    ),
)
"""Files that are no logs, damaged logs, and logs forged or edited."""
