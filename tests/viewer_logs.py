"""A small folder of logs for the tests of reader and viewer: clean, faulty, hostile, no log."""

import io
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from replay.findings import hand_id
from schema.events import ClimbingSettled, Event, HandStarted
from schema.items import Hand
from schema.logfile import open_log
from schema.records import Head
from schema.seal import seal
from tests import builders
from tests.archives import hands, head, with_false_trick, without_its_cards

HOSTILE = "<img src=x onerror=alert(1)>"
CLOSING = '"></script>&\u202eb'
"""Names that would run, close a script or turn text around if a page took them for markup."""
NAMES = (HOSTILE, CLOSING, "丙", "一个名字非常非常长的玩家")
CLEAN, FAULTY, JUNK = "clean.paipu", "faulty.paipu", "junk.paipu"
FALSE_TRICK, BLOCKED, FALSE_SETTLEMENT = 1, 2, 3
"""Index in FAULTY of the hand with each fault; hand 0 has none."""
_HOUR = 3_600_000


def folder_of_logs(folder: Path) -> Path:
    """CLEAN: three hands, live. FAULTY: four, sealed, hostile names. JUNK: no log."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CLEAN).write_bytes(live_bytes(dated(hands(3, seed=5), 0), head(1)))
    (folder / FAULTY).write_bytes(sealed_bytes(faulty_hands(), hostile_head()))
    (folder / JUNK).write_bytes(b"hello\n")
    return folder


def faulty_hands() -> list[list[Event]]:
    """Four hands, all but the first with one fault."""
    played = dated(hands(4, seed=6), 24 * _HOUR)
    played[FALSE_TRICK] = with_false_trick(played[FALSE_TRICK])
    played[BLOCKED] = without_its_cards(played[BLOCKED])
    played[FALSE_SETTLEMENT] = with_false_coins(played[FALSE_SETTLEMENT])
    return played


def hostile_head() -> Head:
    """HEAD of a table where two players have names that are markup."""
    players = [replace(seat, name=name) for seat, name in zip(head(2).players, NAMES, strict=True)]
    a, b, c, d = players
    return replace(head(2), players=(a, b, c, d))


def dated(played: Sequence[Sequence[Event]], start: int) -> list[list[Event]]:
    """The hands with wall times, one an hour from `start` (ms)."""
    return [
        [replace(hand[0], at=start + number * _HOUR), *hand[1:]]
        for number, hand in enumerate(played)
        if isinstance(hand[0], HandStarted)
    ]


def with_false_coins(hand: Sequence[Event]) -> list[Event]:
    """The hand with a settlement that gives seat 0 one coin of seat 1's more."""
    return [
        replace(event, deltas=(event.deltas[0] + 1, event.deltas[1] - 1, *event.deltas[2:]))
        if isinstance(event, ClimbingSettled)
        else event
        for event in hand
    ]


def live_bytes(played: Sequence[Sequence[Event]], top: Head) -> bytes:
    """A live log of these hands."""
    return builders.live_log(played, top)


def sealed_bytes(played: Sequence[Sequence[Event]], top: Head) -> bytes:
    """A sealed log of these hands."""
    sink = io.BytesIO()
    seal(open_log(io.BytesIO(live_bytes(played, top))), sink)
    return sink.getvalue()


def ids_in(path: Path) -> list[str]:
    """The ids of a log's hands, in order."""
    with open(path, "rb") as stream:
        items = list(open_log(stream).items())
    return [hand_id(item.leaf) for item in items if isinstance(item, Hand)]
