"""Logs on disk and archives of them, for the tests of the archive."""

import io
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from replay.archive import Archive, Summary, index
from replay.engine.dagong.presets import DEFAULT
from replay.engine.gunzi import presets as gunzi
from schema.events import Event, Played, TrickWon
from schema.items import Hand
from schema.logfile import open_log
from schema.records import Head
from schema.seal import seal
from schema.textform import write_text
from tests import builders, builders_gunzi
from tests.format_logs import GUNZI_HEAD

Hands = Sequence[Sequence[Event]]
Row = dict[str, Any]


@cache
def hands(count: int, seed: int = 1) -> tuple[tuple[Event, ...], ...]:
    """The events of a legal match of `count` hands; equal seeds begin with equal hands."""
    rng = random.Random(seed)
    return tuple(map(tuple, builders.match(DEFAULT, count, rng, builders.any_style(rng))))


def head(number: int = 0) -> Head:
    """HEAD of the log with this number."""
    return replace(builders.head(), file_id=bytes(15) + bytes([number]))


def gunzi_matches(folder: Path, count: int, hands: int = 40) -> list[Path]:
    """The logs of that many legal matches of 四副滚子 in a new folder, each to its end or cut."""
    folder.mkdir()
    paths = []
    for number in range(count):
        rng = random.Random(number)
        options = gunzi.DEAD if number % 2 else gunzi.DEFAULT
        played = builders_gunzi.match(options, hands, rng, builders_gunzi.any_style(rng))
        identity = bytes(14) + bytes([7, number])
        of_match = replace(GUNZI_HEAD, options=options, file_id=identity)
        paths.append(folder / f"{number}.paipu")
        paths[-1].write_bytes(builders.live_log(played, of_match))
    return paths


def live(path: Path, played: Hands, number: int = 0) -> Path:
    """A live log at `path`."""
    path.write_bytes(builders.live_log(played, head(number)))
    return path


def sealed(path: Path, played: Hands, number: int = 0) -> Path:
    """A sealed log at `path`."""
    with open(path, "wb") as sink:
        seal(open_log(io.BytesIO(builders.live_log(played, head(number)))), sink)
    return path


def text(path: Path, played: Hands, number: int = 0) -> Path:
    """The text twin of a log at `path`."""
    with open(path, "wb") as sink:
        write_text(open_log(io.BytesIO(builders.live_log(played, head(number)))), sink)
    return path


def without_its_cards(hand: Sequence[Event]) -> list[Event]:
    """The hand with its third play made of cards that the seat does not hold: it blocks there."""
    places = [k for k, event in enumerate(hand) if isinstance(event, Played)]
    play = hand[places[2]]
    assert isinstance(play, Played)
    broken = list(hand)
    broken[places[2]] = replace(play, cards=b"\x35\x35\x35\x35")
    return broken


def with_false_trick(hand: Sequence[Event]) -> list[Event]:
    """The hand with its first trick claimed for the next seat, 5 points richer."""
    place = next(k for k, event in enumerate(hand) if isinstance(event, TrickWon))
    claim = hand[place]
    assert isinstance(claim, TrickWon)
    broken = list(hand)
    broken[place] = TrickWon((claim.seat + 1) % 4, claim.points + 5)
    return broken


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a query on the archive gives."""
    with Archive.open(folder) as archive:
        return list(archive.query(sql))


def indexed(folder: Path, *paths: Path, jobs: int = 1) -> Summary:
    """Bring the archive `folder` up to date with `paths`."""
    return index(folder, paths, jobs=jobs)


def table(folder: Path, name: str, order: str) -> dict[str, list[Row]]:
    """The rows of a table, each as a dictionary, by hand."""
    found: dict[str, list[Row]] = {}
    with Archive.open(folder) as archive:
        result = archive.query(f"SELECT * FROM {name} ORDER BY hand_id, {order}")
        for values in result:
            row = dict(zip(result.columns, values, strict=True))
            found.setdefault(row["hand_id"], []).append(row)
    return found


def hands_of(paths: Sequence[Path]) -> dict[str, Hand]:
    """The committed hands of logs by the ids that an archive gives them."""
    found: dict[str, Hand] = {}
    for path in paths:
        with open(path, "rb") as stream:
            hands = [item for item in open_log(stream).items() if isinstance(item, Hand)]
        found |= {hand.leaf.hex()[:16]: hand for hand in hands}
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of an archive but its lock."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "LOCK"}
