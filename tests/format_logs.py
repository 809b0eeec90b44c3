"""Small made-up logs for tests of the format: well-formed hands that follow no rules of play."""

import io
import struct
from collections.abc import Iterable, Sequence
from typing import Self
from zlib import crc32

from msgspec.structs import asdict, replace

from schema.damage import Damage, Fault
from schema.events import (
    AbortReason,
    By,
    CallDrawn,
    Called,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingOpening,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)
from schema.frames import HEADER, HEADER_SIZE, MAGIC, Kind, frame, leaf
from schema.head import encode_head
from schema.items import Hand, Item
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.options import ChibiDagunOptions, DagongOptions
from schema.records import HandRecord, Head, Player, Recovered
from schema.seal import seal, write_live
from schema.strict import ENCODER
from tests import format_chaodipi as chaodipi
from tests import format_gunzi as gunzi

OPTIONS = DagongOptions(
    base=10,
    hands_per_match=8,
    call_rule="first_dealt",
    solo_order="in_turn",
    solo_leader="dealer",
    single_jokers="ranked",
    joker_pair="any",
    joker_pairs="ranked",
    pass_binds="turn",
    final_trick="stop",
    wind_points_to="finisher",
    last_hand_points_to="third",
    solo_fan=4,
    bang_fan=2,
    qing_fan=2,
    guangtou_fan=4,
    tianzha_each=1,
    xi8_each=2,
    xi7_each=1,
    bonus_unit="base",
)
HEAD = Head(
    format_major=0,
    format_minor=1,
    schema_id="dagong/1",
    file_id=bytes(range(16)),
    created=1_700_000_000_000,
    rules_version="dagong-rules/1",
    options=OPTIONS,
    players=(Player("jia", "甲"), Player("yi", "乙"), Player("bing", "丙"), Player("ding", "丁")),
    claims="full",
    producer="tests",
    previous=b"",
)
CHIBI_OPTIONS = ChibiDagunOptions(
    base=10,
    hands_per_match=8,
    later_call="first_dealt",
    recall_fallback="random_single",
    solo_asked="after_call",
    solo_leader="dealer",
    jokers_alone="as_three",
    min_naturals_in_bomb=1,
    wild_bomb_max_cards=12,
    wild_reading="declared_or_max",
    one_rank_sets="bomb",
    bomb_ties="equal",
    yaobai_max_ranks=0,
    yaobai_top="A",
    yaobai_order="largest_bomb",
    pass_binds="turn",
    wind_points_to="finisher",
    final_trick="stop",
    early_stop="none",
    fans="exclusive",
    bang_fan=2,
    qing_fan=2,
    guangtou_fan=4,
    solo_fan=4,
    tianzha_each=1,
    xi8_each=2,
    xi7_each=1,
    bonus_unit="base",
    xi8_counts="alone",
    bonus_payers="all",
)
CHIBI_HEAD = replace(
    HEAD,
    schema_id="chibi_dagun/1",
    rules_version="chibi_dagun-rules/1",
    options=CHIBI_OPTIONS,
)
CHAODIPI_HEAD = replace(
    HEAD,
    schema_id="chaodipi/1",
    rules_version="chaodipi-rules/1",
    options=chaodipi.OPTIONS,
)
GUNZI_HEAD = replace(
    HEAD,
    schema_id="gunzi/1",
    rules_version="gunzi-rules/1",
    options=gunzi.OPTIONS,
)
HEADS = {head.schema_id: head for head in (HEAD, CHIBI_HEAD, CHAODIPI_HEAD, GUNZI_HEAD)}
"""A HEAD of every schema."""
CARRY = ClimbingCarry(1, None, (0, 0, 0, 0))
START = HandStarted(bytes(32), 1_700_000_000_000)
DECK = bytes(range(54)) * 2
PLAYED = Played(2000, By.TRUSTEE, 1, bytes((0, 0, 1)))
PLAYED_AS = PlayedAs(2500, By.PLAYER, 2, bytes((4, 5, 2, 52)), PlayKind.PAIR_CHAIN, PlayRank.FOUR)
"""44 and a single 3 with a joker, declared as 4433."""
PLAYS: dict[str, tuple[Event, ...]] = {
    "dagong/1": (PLAYED,),
    "chibi_dagun/1": (PLAYED, PLAYED_AS),
}
"""What a seat can lay in the logs of each schema."""


def short_hand(number: int) -> list[Event]:
    """Four events: one play, whose card and time tell the hand."""
    return [
        START,
        Played(number, By.PLAYER, number % 4, bytes((number % 54,))),
        Passed(1000 + number, By.TIMEOUT, (number + 1) % 4),
        HandEnded(7),
    ]


def every_event(schema_id: str = "dagong/1") -> list[Event]:
    """One hand in which every kind of event of a schema but HandAborted stands once."""
    match schema_id:
        case "chaodipi/1":
            return _of_chaodipi()
        case "gunzi/1":
            return _of_gunzi()
        case _:
            return _of_climbing(schema_id)


def _of_chaodipi() -> list[Event]:
    return [
        START,
        chaodipi.FIRST,
        Dealt(0, 2, DECK),
        *chaodipi.BEFORE_PLAY,
        PLAYED,
        chaodipi.JUDGED,
        Refused(2, bytes((52, 53))),
        TrickWon(1, 25),
        chaodipi.ESCAPED,
        chaodipi.SETTLED,
        HandEnded(12),
    ]


def _of_gunzi() -> list[Event]:
    return [
        START,
        gunzi.FIRST,
        Dealt(0, 2, gunzi.DECK),
        *gunzi.BEFORE_PLAY,
        PLAYED,
        Refused(2, bytes((52, 53))),
        TrickWon(1, 25),
        gunzi.SETTLED,
        HandEnded(12),
    ]


def _of_climbing(schema_id: str) -> list[Event]:
    carry = ClimbingCarry(2, 3, (-130, 70, 70, -10))
    settled = ClimbingSettled(
        result=ClimbingResult.QING,
        fan=2,
        winners=(1, 2),
        places=(1, 2, 0, 3),
        captured=(5, 100, 95, 0),
        left=0,
        final=(5, 100, 95, 0),
        bonuses=(
            ClimbingBonus(1, ClimbingBonusKind.XI7),
            ClimbingBonus(2, ClimbingBonusKind.TIANZHA),
        ),
        deltas=(-130, 70, 70, -10),
        next=carry,
    )
    return [
        START,
        ClimbingOpening(CARRY),
        Dealt(0, 2, DECK),
        TurnedUp(15, 107),
        CallDrawn(0, 53),
        Called(53),
        SoloAnswered(300, By.PLAYER, 1, False),
        *PLAYS[schema_id],
        Refused(2, bytes((52, 53))),
        Passed(70_000, By.TIMEOUT, 2),
        Revealed(3),
        WentOut(1, 1),
        WindTaken(2),
        TrickWon(1, 25),
        settled,
        HandEnded(12),
    ]


def written(hands: Iterable[Sequence[Event]], head: Head = HEAD) -> bytes:
    """The live log of these hands, as a server writes it."""
    writer = LiveWriter(head)
    return writer.start() + b"".join(writer.event(event) for hand in hands for event in hand)


def plain_head(head: Head, **changes: object) -> list[object]:
    """The values of a HEAD in order, some of them changed to whatever is to be tried."""
    return list((asdict(head) | changes).values())


def short_log(n_hands: int) -> bytes:
    """A live log of that many short hands."""
    return written(short_hand(number) for number in range(n_hands))


def sealed(live: bytes) -> bytes:
    """The sealed form of a log."""
    sink = io.BytesIO()
    seal(open_log(io.BytesIO(live)), sink)
    return sink.getvalue()


def unsealed(log: bytes) -> bytes:
    """The live form of a log."""
    sink = io.BytesIO()
    write_live(open_log(io.BytesIO(log)), sink)
    return sink.getvalue()


def items(log: bytes) -> list[Item]:
    """All that reading a log yields."""
    return list(open_log(io.BytesIO(log)).items())


def hands(log: bytes) -> list[Hand]:
    """The hands that reading a log yields."""
    return [item for item in items(log) if isinstance(item, Hand)]


def damage(log: bytes) -> list[Damage]:
    """The damage that reading a log yields."""
    return [item for item in items(log) if isinstance(item, Damage)]


def faults(log: bytes) -> list[Fault]:
    """The kinds of damage that reading a log yields."""
    return [item.fault for item in damage(log)]


# Files that no writer writes


class Forge:
    """Frames with good checksums and whatever inside."""

    def __init__(self, head: Head = HEAD) -> None:
        """HEAD is good."""
        payload = encode_head(head)
        self.data = MAGIC + frame(Kind.HEAD, payload, len(MAGIC))
        self.last_leaf = leaf(payload)
        self.index = 0

    def put(self, kind: int, payload: bytes) -> Self:
        """One frame of any kind and payload."""
        offset = len(self.data)
        start = struct.pack("<IB", len(payload), kind)
        self.data += HEADER.pack(crc32(start + payload, offset), len(payload), kind) + payload
        return self

    def events(self, *events: Event | bytes) -> Self:
        """EVENT frames of events, or of bytes as they are."""
        for event in events:
            self.put(Kind.EVENT, event if isinstance(event, bytes) else ENCODER.encode(event))
        return self

    def hand(self, *events: Event | bytes, **record: object) -> Self:
        """A chained hand of events or bytes; `record` replaces fields of its HAND record."""
        payloads = [e if isinstance(e, bytes) else ENCODER.encode(e) for e in events]
        if events and events[0] is START:
            payloads[0] = ENCODER.encode(HandStarted(self.last_leaf, START.at))
        body = b"".join(payloads)
        values = {
            "index": self.index,
            "n_events": len(payloads),
            "n_bytes": len(body),
            "leaf": leaf(body),
        } | record
        self.events(*payloads).put(Kind.HAND, ENCODER.encode(HandRecord(**values)))  # type: ignore[arg-type]
        self.last_leaf = leaf(body)
        self.index += 1
        return self

    def gap(self, hand: int, events: int = 0, hands_lost: int = 0) -> Self:
        """A RECOVERED frame."""
        return self.put(Kind.RECOVERED, ENCODER.encode(stated_gap(hand, events, hands_lost)))


def stated_gap(hand: int, events: int = 0, hands_lost: int = 0) -> Recovered:
    """A RECOVERED record about ten bytes."""
    return Recovered(hand, events, hands_lost, 10, bytes(32), 1_700_000_100_000, "power loss")


def frames_of(log: bytes) -> list[tuple[int, int, int]]:
    """Kind, offset and whole length of every frame of an undamaged log."""
    found = []
    at = len(MAGIC)
    while at < len(log):
        _, length, kind = HEADER.unpack_from(log, at)
        found.append((kind, at, HEADER_SIZE + length))
        at += HEADER_SIZE + length
    return found


def recovered_log() -> bytes:
    """A live log with both kinds of gap: hands lost, and a torn hand that was aborted."""
    writer = LiveWriter(HEAD)
    parts = [writer.start(), *map(writer.event, short_hand(0))]
    parts.append(writer.recovered(stated_gap(1, 0, 2)))
    parts += map(writer.event, short_hand(3)[:2])
    parts.append(writer.recovered(stated_gap(3, 2)))
    parts.append(writer.event(HandAborted(0, AbortReason.RECOVERED)))
    parts += map(writer.event, short_hand(4))
    return b"".join(parts)
