"""Logs for the tests of figures: four games, hostile names, two players of one name; and their
numbers, counted here out of the logs themselves.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from shutil import copyfile
from typing import Any

from msgspec.structs import replace

from replay.reader import HandQuery, HandRow, open_reader
from replay.reader.figures import Habits, Part, Tally
from schema.events import Event, Passed, Played, PlayedAs
from schema.items import Hand
from schema.logfile import open_log
from tests.archives import gunzi_matches, hands, head
from tests.viewer_logs import dated, folder_of_logs, live_bytes

SAMPLES = Path(__file__).parents[1] / "sample_logs"
NAMESAKE = "other.jia"
"""The id of a player who is called as another one is."""
_DAY = 86_400_000


def logs(folder: Path) -> Path:
    """The samples' matches, hands of hostile names, and a table where 甲 sits twice, turned."""
    folder_of_logs(folder)
    for path in sorted(SAMPLES.glob("*/clean/match-*.paipu")):
        copyfile(path, folder / f"{path.parts[-3]}-{path.name}")
    gunzi_matches(folder / "gunzi", 2)
    top = head(9)
    a, b, c, d = top.players
    turned = replace(top, players=(d, a, replace(b, id=NAMESAKE, name=a.name), c))
    played = dated(hands(5, seed=9), 100 * _DAY)
    (folder / "turned.paipu").write_bytes(live_bytes(played, turned))
    return folder


@cache
def rows(folder: Path) -> tuple[HandRow, ...]:
    """Every hand as the reader of plain logs tells it: walked, without any SQL."""
    reader = open_reader(folder)
    while (found := reader.hands(HandQuery(size=200))).scanned < found.files:
        pass
    pages = [reader.hands(HandQuery(size=200, page=page + 1)) for page in range(found.pages)]
    return tuple(row for page in pages for row in page.rows)


@cache
def events(folder: Path) -> dict[str, Sequence[Event]]:
    """The events of every hand, by its id."""
    found: dict[str, Sequence[Event]] = {}
    for path in folder.rglob("*.paipu"):
        if path.name == "junk.paipu":
            continue
        with open(path, "rb") as stream:
            items = [item for item in open_log(stream).items() if isinstance(item, Hand)]
        found |= {hand.leaf.hex()[:16]: hand.events for hand in items if hand.committed}
    return found


KEYS: dict[Part, Callable[[HandRow, int], object]] = {
    "seat": lambda row, seat: seat,
    "role": lambda row, seat: row.roles[seat] if row.roles else None,
    "result": lambda row, seat: row.result,
    "fan": lambda row, seat: row.fan,
    "score": lambda row, seat: None if row.score is None else row.score // 10 * 10,
    "level": lambda row, seat: row.level,
    "bombs": lambda row, seat: row.bombs if row.level is None else None,
    "hour": lambda row, seat: datetime.fromtimestamp(row.at / 1000, UTC).hour,
}
"""Under what a hand is counted, for one of its seats."""
BY_SEAT: tuple[Part, ...] = ("seat", "role")


def counted(
    found: Sequence[HandRow], part: Part, player: str = ""
) -> dict[tuple[str, str], tuple[int, int, int]]:
    """By game and value: hands, those with winners, those won; of seats where they are counted."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for row in found:
        for seat in _seats(row, part, player):
            if (key := KEYS[part](row, seat)) is None:
                continue
            told = numbers.setdefault((row.game, str(key)), [0, 0, 0])
            told[0] += 1
            told[1] += bool(row.winners)
            told[2] += seat in row.winners
    return {key: (hands, decided, won) for key, (hands, decided, won) in numbers.items()}


def _seats(row: HandRow, part: Part, player: str) -> list[int]:
    """The seats of a hand that are counted."""
    if player:
        return [seat for seat, who in enumerate(row.players) if who.id == player]
    return [0, 1, 2, 3] if part in BY_SEAT else [0]


def numbers_of(tallies: Sequence[Tally]) -> dict[tuple[str, str], tuple[int, int, int | None]]:
    """Tallies as `counted` tells them."""
    return {(t.game, t.key): (t.hands, t.decided, t.won) for t in tallies}


def coins_of(found: Sequence[HandRow], player: str, game: str) -> int:
    """What a player won in a game, all hands together."""
    return sum(
        row.deltas[seat]
        for row in found
        if row.game == game and row.deltas
        for seat in _seats(row, "seat", player)
    )


def acts(hand: Sequence[Event], seat: int) -> Iterator[Any]:
    """What a seat laid or passed."""
    for event in hand:
        if isinstance(event, Played | Passed | PlayedAs) and event.seat == seat:
            yield event


def habits(folder: Path, player: str) -> dict[str, tuple[int, int, int, int]]:
    """By game what a player did: acts, passes, acts made by another, his milliseconds."""
    found: dict[str, tuple[int, int, int, int]] = {}
    for row in rows(folder):
        for seat in _seats(row, "seat", player):
            if not row.roles:
                continue
            did = list(acts(events(folder)[row.hand_id], seat))
            own = [act for act in did if act.by == 0]
            told = (
                len(did),
                sum(isinstance(act, Passed) for act in did),
                len(did) - len(own),
                sum(act.dt for act in own),
            )
            so_far = found.get(row.game, (0, 0, 0, 0))
            found[row.game] = tuple(map(sum, zip(so_far, told, strict=True)))  # type: ignore[assignment]
    return found


def done(habit: Habits) -> tuple[int, int, int, int]:
    """Habits as `habits` tells them."""
    return habit.acts, habit.passes, habit.acted_for, habit.thinking_ms
