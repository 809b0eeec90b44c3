"""What can be wrong with the bytes of a log: one fault, where it stands, expected and found."""

import re
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace


class Fault(Enum):
    """The kinds of damage; FORMAT.md has a line on each, messages key `format.<value>`."""

    # No verdict is possible: always a LogError.
    NOT_A_LOG = "not_a_log"
    BAD_HEAD = "bad_head"
    UNKNOWN_VERSION = "unknown_version"
    UNKNOWN_SCHEMA = "unknown_schema"
    BAD_OPTIONS = "bad_options"
    BAD_PLAYER = "bad_player"
    # Frames and lines.
    TORN_TAIL = "torn_tail"
    BAD_LENGTH = "bad_length"
    BAD_CHECKSUM = "bad_checksum"
    MOVED_FRAME = "moved_frame"
    UNREADABLE_REST = "unreadable_rest"
    UNKNOWN_KIND = "unknown_kind"
    MISPLACED_FRAME = "misplaced_frame"
    UNKNOWN_FRAME_KEPT_OUT = "unknown_frame_kept_out"
    LINE_TOO_LONG = "line_too_long"
    NOT_UTF8 = "not_utf8"
    NOT_JSON = "not_json"
    # What a record or an event holds.
    BAD_RECORD = "bad_record"
    BAD_EVENT = "bad_event"
    BAD_CARD = "bad_card"
    UNKNOWN_TAG = "unknown_tag"
    FOREIGN_EVENT = "foreign_event"
    NOT_CANONICAL = "not_canonical"
    TRAILING_BYTES = "trailing_bytes"
    # Hands.
    EVENT_OUTSIDE_HAND = "event_outside_hand"
    HAND_NOT_ENDED = "hand_not_ended"
    HAND_NOT_COMMITTED = "hand_not_committed"
    HAND_WITHOUT_EVENTS = "hand_without_events"
    HAND_TOO_LARGE = "hand_too_large"
    WRONG_INDEX = "wrong_index"
    WRONG_COUNT = "wrong_count"
    WRONG_SIZE = "wrong_size"
    WRONG_LEAF = "wrong_leaf"
    CHAIN_BROKEN = "chain_broken"
    BAD_RECOVERED = "bad_recovered"
    # Sealed files.
    BAD_CHUNK = "bad_chunk"
    WRONG_CHUNK_INDEX = "wrong_chunk_index"
    WRONG_TRAILER = "wrong_trailer"
    NO_TRAILER = "no_trailer"


class Damage(Struct, frozen=True):
    """One fault of the bytes. `record`: frame number from 0, in text the line from 1.

    `offset` is the file offset of the byte that shows it; `hand` and `event` are indexes from 0,
    None where the fault belongs to no hand or the hand is not known.
    """

    fault: Fault
    record: int
    offset: int
    expected: str
    found: str
    hand: int | None = None
    event: int | None = None

    def __str__(self) -> str:
        """The whole finding on one line."""
        place = f"record {self.record}, byte {self.offset}"
        if self.hand is not None:
            place += f", hand {self.hand}"
        if self.event is not None:
            place += f", event {self.event}"
        return f"{self.fault.value} at {place}: expected {self.expected}; found {self.found}"


_LINE = re.compile(
    r"(?P<fault>[a-z0-9_]+) at record (?P<record>[0-9]+), byte (?P<offset>[0-9]+)"
    r"(?:, hand (?P<hand>[0-9]+))?(?:, event (?P<event>[0-9]+))?"
    r": expected (?P<expected>.*?); found (?P<found>.*)",
    re.DOTALL,
)


def damage_in(line: str) -> Damage | None:
    """The damage that a line tells of, as `str` has written it; None for any other line."""
    told = _LINE.fullmatch(line)
    if told is None or told["fault"] not in {fault.value for fault in Fault}:
        return None
    number = {name: None if told[name] is None else int(told[name]) for name in ("hand", "event")}
    record, offset = int(told["record"]), int(told["offset"])
    return Damage(Fault(told["fault"]), record, offset, told["expected"], told["found"], **number)


def followed(first: Damage, more: int, what: str) -> Damage:
    """A run of lines, frames or events that say nothing is one damage: its first, and how many.

    `more`: how many stand behind the first, up to the next good one.
    """
    if not more:
        return first
    number = f"1 more {what}" if more == 1 else f"{more} more {what}s"
    return replace(first, found=f"{first.found}; {number} behind it no better")


class HandSeen(Struct, frozen=True):
    """A hand that was framed and hashed, not read: all that can be said without a good HEAD.

    `whole`: the leaf computed from its bytes is the one its HAND record states (in a sealed file:
    its chunk is undamaged).
    """

    index: int
    offset: int
    n_events: int
    n_bytes: int
    leaf: bytes
    whole: bool


class LogError(Exception):
    """No verdict is possible, or a writer was asked to write what no log may hold.

    `damage` says what was wrong; `hands_seen` lists the hands of a file whose HEAD is bad.
    """

    def __init__(self, damage: Damage, hands_seen: tuple[HandSeen, ...] = ()) -> None:
        """Keep the facts; the text of the exception is the damage on one line."""
        super().__init__(str(damage))
        self.damage = damage
        self.hands_seen = hands_seen


def hex_of(data: bytes, most: int = 24) -> str:
    """Bytes as hex for a message, cut after `most` of them."""
    if len(data) <= most:
        return data.hex(" ") or "no bytes"
    return f"{data[:most].hex(' ')} … ({len(data)} bytes)"
