"""The logs of the archive: every match of theirs is a copy with other players at another time."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from schema.chunks import header_size
from schema.events import AbortReason, Event, Fact, HandAborted, HandEnded, HandStarted, TrickWon
from schema.frames import leaf
from schema.head import encode_head
from schema.items import Hand, Item, Log
from schema.logfile import open_log
from schema.records import Head, Player
from schema.schemas import SCHEMAS, Schema
from schema.seal import seal
from schema.strict import ENCODER
from tests.bench.million.originals import VERSION, Copy, Original, copies
from tests.bench.million.store import Progress, Say, key

FOLDERS = 256
PLAYERS = 2000
"""People who play, the more active the lower their number."""
_ACTIVITY = 0.8
"""Who has number n plays as often as 1 / (n + 10) to this power says."""
_BEGINNING = 1_704_067_200_000
"""The first match is played after this: 2024, in ms of UTC."""
_SPAN = 2 * 365 * 24 * 3600 * 1000
_BROKEN_OFF = 50
"""One match in so many is broken off in its last hand."""
_WRONGLY_TOLD = 100
"""In one match of so many a trick is announced with wrong points."""
_BATCH = 32
_NAMES = "甲乙丙丁"


class Made(Struct, frozen=True):
    """What the logs hold, for whoever reads the figures."""

    hands: int
    logs: int
    distinct: int
    bytes: int


def pool() -> tuple[Player, ...]:
    """Everybody who plays."""
    return tuple(
        Player(f"p{number:04}", f"{_NAMES[number % 4]}{number // 4 + 1}")
        for number in range(PLAYERS)
    )


def logs_key(hands: int, originals: str) -> str:
    """What determines the logs."""
    return key(VERSION, hands, originals, FOLDERS, PLAYERS)


def write(
    originals: Path, matches: Sequence[Original], hands: int, folder: Path, jobs: int, say: Say
) -> Made:
    """Write logs with so many hands, spread over folders; flat in memory."""
    todo = list(copies(matches, hands))
    progress, done, size = Progress(hands, "hands", say), 0, 0
    for number in range(min(FOLDERS, len(todo))):
        (folder / f"{number:02x}").mkdir(parents=True)
    tasks = ((str(originals), str(folder), batch) for batch in _batches(todo))
    with get_context("spawn").Pool(jobs) as workers:
        for n_hands, n_bytes in workers.imap_unordered(_write_some, tasks):
            done += n_hands
            size += n_bytes
            progress.reach(done)
    return Made(done, len(todo), sum(match.hands for match in matches), size)


def _batches(todo: Iterable[Copy]) -> Iterator[tuple[Copy, ...]]:
    left = iter(todo)
    while batch := tuple(islice(left, _BATCH)):
        yield batch


def _write_some(task: tuple[str, str, tuple[Copy, ...]]) -> tuple[int, int]:
    """Hands and bytes written."""
    originals, folder, todo = task
    return sum(copy.hands for copy in todo), sum(
        _write(Path(originals), Path(folder), copy) for copy in todo
    )


def _write(originals: Path, folder: Path, copy: Copy) -> int:
    log = CopiedLog(match_at(originals / copy.original), copy)
    place = folder / f"{copy.number % FOLDERS:02x}" / f"{log.schema.game}-{copy.number:06}.paipu"
    with place.open("wb") as sink:
        seal(log, sink)
        return sink.tell()


class Match(Struct, frozen=True):
    """A match in memory, its hands encoded: they take a tenth of what their events do."""

    head: Head
    hands: tuple[bytes, ...]


@lru_cache(maxsize=4096)
def match_at(path: Path) -> Match:
    """A match that was played."""
    with path.open("rb") as stream:
        log = open_log(stream)
        hands = [ENCODER.encode(item.events) for item in log.items() if isinstance(item, Hand)]
        return Match(log.head, tuple(hands))


class CopiedLog(Log):
    """The same match at another time, played by others; what differs follows from its number."""

    form = "sealed"

    def __init__(self, match: Match, copy: Copy) -> None:
        rng = Random(f"{VERSION}/{copy.number}")
        created = _BEGINNING + rng.randrange(_SPAN)
        self.head = replace(
            match.head,
            file_id=sha256(f"{VERSION}/{copy.number}".encode()).digest()[:16],
            created=created,
            players=seated(rng),
        )
        self.schema: Schema = SCHEMAS[match.head.schema_id]
        self.head_leaf = leaf(encode_head(self.head))
        self._match, self._hands = match, copy.hands
        self._later = created - match.head.created
        self._breaks_off = rng.randrange(_BROKEN_OFF) == 0
        self._told_wrongly = rng.randrange(copy.hands) if not rng.randrange(_WRONGLY_TOLD) else None

    def items(self) -> Iterator[Item]:
        """The hands, their chain tied anew."""
        before = self.head_leaf
        for index, encoded in enumerate(self._match.hands[: self._hands]):
            events = self._changed(index, self.schema.hand_decoder.decode(encoded))
            started = cast(HandStarted, events[0])
            events[0] = HandStarted(before, started.at + self._later)
            array = ENCODER.encode(events)
            own = leaf(array[header_size(array) :])
            yield Hand(index, events, own, before, (0,), True)
            before = own

    def _changed(self, index: int, events: list[Event]) -> list[Event]:
        if index == self._told_wrongly:
            events = told_wrongly(events)
        if self._breaks_off and index == self._hands - 1:
            events = broken_off(events)
        return events


def seated(rng: Random) -> tuple[Player, Player, Player, Player]:
    """Four people, those who play much more often than others."""
    people, weights = _pool()
    chosen: dict[str, Player] = {}
    while len(chosen) < 4:
        player = people[bisect(weights, rng.random() * weights[-1])]
        chosen[player.id] = player
    first, second, third, fourth = chosen.values()
    return first, second, third, fourth


@lru_cache(maxsize=1)
def _pool() -> tuple[tuple[Player, ...], list[float]]:
    return pool(), list(accumulate((n + 10) ** -_ACTIVITY for n in range(PLAYERS)))


def told_wrongly(events: Iterable[Event]) -> list[Event]:
    """The first trick is announced with five points more than it had."""
    changed = list(events)
    for number, event in enumerate(changed):
        if isinstance(event, TrickWon):
            changed[number] = TrickWon(event.seat, event.points + 5)
            break
    return changed


def broken_off(events: Sequence[Event]) -> list[Event]:
    """The hand ends in its middle, before a choice: all that was due is said."""
    middle = len(events) // 2
    cut = next(n for n in range(middle, len(events)) if isinstance(events[n], Fact))
    last = events[cut]
    if isinstance(last, HandEnded):
        return list(events)
    return [*events[:cut], HandAborted(getattr(last, "dt", 0), AbortReason.PLAYER_LEFT)]
