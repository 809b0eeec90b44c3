"""Logs of all four games in one archive, and what their own events tell, for the named queries.

What is expected of a query is counted here from facts and claims of clean logs, never from the
tables: claims of a clean log are what the engine derives.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.registry import game_named
from replay.players.simulate import Plan, simulate
from replay.walk import Follower
from schema.chaodipi import Buried, ChaodipiOpening, ChaodipiResult, ChaodipiSettled, Escaped
from schema.events import (
    AbortReason,
    By,
    Called,
    ClimbingSettled,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    SoloAnswered,
    TrickWon,
)
from schema.gunzi import GunziResult, GunziSettled
from schema.items import Hand
from schema.logfile import open_log
from schema.records import Head, Player
from tests import archives, builders

CLIMBING = ("dagong", "chibi_dagun")
GAMES = ("chaodipi", "chibi_dagun", "dagong", "gunzi")
SETTLED = (ClimbingSettled, ChaodipiSettled, GunziSettled)
ACTS = (Played, PlayedAs, Passed)
IDS = ("jia", "yi", "bing", "ding", "wu", "ji")
NAMES = ("甲", "乙", "丙", "丁", "戊", "己")


class Trick(Struct):
    """A trick as announced: its acts with their event numbers; no winner = it was not closed."""

    number: int
    acts: list[tuple[int, Any]]
    winner: int | None = None
    points: int | None = None

    @property
    def plays(self) -> list[tuple[int, Any]]:
        """The acts that are no passes."""
        return [(k, act) for k, act in self.acts if not isinstance(act, Passed)]


class Told(Struct):
    """A hand as its log tells it."""

    id: str
    path: str
    head: Head
    index: int
    events: tuple[Event, ...]
    game: str

    def first(self, kind: type[Any]) -> Any:
        """The first event of a kind; None if there is none."""
        return next((event for event in self.events if isinstance(event, kind)), None)

    def all(self, *kinds: type[Any]) -> list[tuple[int, Any]]:
        """The events of some kinds, with their numbers."""
        return [(k, event) for k, event in enumerate(self.events) if isinstance(event, kinds)]

    @property
    def settled(self) -> Any:
        """The settlement; None in a hand that was aborted."""
        return next((event for event in self.events if isinstance(event, SETTLED)), None)

    @property
    def players(self) -> tuple[str, ...]:
        """Ids by seat."""
        return tuple(player.id for player in self.head.players)

    @property
    def dealer(self) -> int:
        """Who leads the first trick: under the rules of these tables that is the dealer."""
        seat: int = self.all(*ACTS)[0][1].seat
        return seat

    @property
    def soloist(self) -> int | None:
        """Who answered yes."""
        return next((e.seat for _, e in self.all(SoloAnswered) if e.yes), None)

    @property
    def partner(self) -> int | None:
        """Whose deck holds the other called card; opposite the dealer where partners are fixed."""
        if self.game not in CLIMBING:
            return (self.dealer + 2) % 4
        if self.soloist is not None:
            return None
        card = self.first(Called).card
        return next(s for s in range(4) if s != self.dealer and card in self.dealt(s))

    def dealt(self, seat: int) -> bytes:
        """The cards of a seat, in deal order."""
        deal: Any = self.all(Dealt)[-1][1]
        bottom = {"chaodipi": 8, "gunzi": 6}.get(self.game, 0)
        if self.game == "chaodipi" and len(self.all(Buried)) == 0 and self.settled:
            bottom = 0  # 扛旗: all cards are dealt, and nothing is buried
        cards = deal.cards[: len(deal.cards) - bottom]
        return bytes(card for k, card in enumerate(cards) if (deal.start + k) % 4 == seat)

    @property
    def winners(self) -> set[int]:
        """Seats that won; none if nothing was settled, or somebody escaped."""
        settled = self.settled
        match settled:
            case ClimbingSettled():
                return set(settled.winners)
            case ChaodipiSettled():
                held = settled.result in (ChaodipiResult.HELD, ChaodipiResult.MATCH_WON)
                if settled.result is ChaodipiResult.ESCAPED:
                    return set()
            case GunziSettled():
                held = settled.result in (GunziResult.HELD, GunziResult.MATCH_TO_DEALERS)
            case _:
                return set()
        return {s for s in range(4) if (s % 2 == self.dealer % 2) == held}

    @property
    def deltas(self) -> tuple[int | None, ...]:
        """Coins by seat; None where none are counted."""
        return getattr(self.settled, "deltas", (None,) * 4)

    def role(self, seat: int) -> str:
        """The word of the seat's role."""
        if seat == self.soloist:
            return "soloist"
        if seat == self.dealer:
            return "dealer"
        if seat == self.partner:
            return "partner"
        return "opponent" if self.game in CLIMBING else "attacker"

    @property
    def started_at(self) -> int:
        """Wall time, in milliseconds."""
        at: int = self.first(HandStarted).at
        return at

    @property
    def duration(self) -> int:
        """Milliseconds from the first fact to the last."""
        return sum(getattr(event, "dt", 0) for event in self.events)

    @property
    def acts(self) -> list[tuple[int, Any]]:
        """Plays and passes, with their event numbers."""
        return self.all(*ACTS)

    def tricks(self) -> list[Trick]:
        """The tricks in order."""
        found: list[Trick] = []
        is_open = False
        for k, event in enumerate(self.events):
            if isinstance(event, ACTS):
                if not is_open:
                    found.append(Trick(len(found) + 1, []))
                found[-1].acts.append((k, event))
                is_open = True
            elif isinstance(event, TrickWon):
                found[-1].winner, found[-1].points = event.seat, event.points
                is_open = False
        return found


class Made(Struct):
    """An archive of clean logs with their hands; and one of logs that are not."""

    archive: Path
    hands: list[Told]
    flawed: Path
    flawed_hands: list[Told]

    def of(self, *games: str) -> list[Told]:
        """The settled hands of some games, of all if none is named."""
        return [h for h in self.hands if h.settled and (not games or h.game in games)]


@cache
def made(root: Path) -> Made:
    """The archive in this folder, filled once."""
    root = root / "told"
    root.mkdir()
    plans = (
        Plan(game="dagong", hands=40, seed=12, player="random", hands_per_file=10),
        Plan(game="chibi_dagun", hands=40, seed=13, player="random", hands_per_file=10),
        Plan(game="chaodipi", hands=24, seed=12, player="random", hands_per_file=10),
        Plan(game="gunzi", hands=30, seed=12, hands_per_file=10),
    )
    played = [path for plan in plans for path in simulate(plan, root / plan.game).paths]
    for number, path in enumerate(played):
        _tell_anew(path, number)
    flawed = _flawed(root)
    (root / "junk.paipu").write_bytes(b"no log")
    archives.indexed(root / "archive", *played)
    archives.indexed(root / "flawed", *flawed, root / "junk.paipu")
    hands, others = ([h for path in paths for h in read(path)] for paths in (played, flawed))
    return Made(root / "archive", hands, root / "flawed", others)


def read(path: Path) -> Iterator[Told]:
    """The committed hands of a log."""
    with open(path, "rb") as stream:
        log = open_log(stream)
        for item in log.items():
            if isinstance(item, Hand):
                name, events = item.leaf.hex()[:16], tuple(item.events)
                yield Told(name, str(path), log.head, item.index, events, log.schema.game)


def _tell_anew(path: Path, number: int) -> None:
    """The log with other players at another time; some acts are not the player's; some hands end.

    The last hand of every fourth log is broken off; of one log of 炒地皮 somebody escapes from it.
    """
    hands = list(read(path))
    head, played = hands[0].head, [_acted(hand.events, number) for hand in hands]
    players = tuple(Player(IDS[number % 3 + s], NAMES[number % 3 + s]) for s in range(4))
    if number % 4 == 0:
        played[-1] = [*_until(played[-1], 40), HandAborted(5, AbortReason.PLAYER_LEFT)]
    elif hands[0].game == "chaodipi" and number % 4 == 2:
        played[-1] = _escaped(head, _until(played[-1], 60))
    moved = replace(head, players=players, created=head.created + number * SHIFT)
    path.write_bytes(builders.live_log(played, moved))


SHIFT = 100_000_000
"""Milliseconds from one log to the next: more than a day."""


def _acted(events: Sequence[Event], number: int) -> list[Event]:
    found = []
    for k, event in enumerate(events):
        if isinstance(event, HandStarted):
            event = replace(event, at=event.at + number * SHIFT)
        elif isinstance(event, ACTS) and (k + number) % 11 == 0:
            by = list(By)[1 + (k // 11) % 4]
            event = replace(event, by=by, dt=9_990 + 20 * (k % 2) + k)
        found.append(event)
    return found


def _until(events: Sequence[Event], number: int) -> list[Event]:
    """The hand up to the first fact from this event on."""
    end = next(k for k, e in enumerate(events) if k >= number and isinstance(e, Fact))
    return list(events[:end])


def _escaped(head: Head, events: Sequence[Event]) -> list[Event]:
    """What was played of a hand, until a player forces his way out."""
    follower = Follower(game_named("chaodipi"), head.options, "full")
    opening = next(e for e in events if isinstance(e, ChaodipiOpening))
    found: list[Event] = [events[0], *follower.open(opening.carry)]
    facts = [e for e in events[1:] if isinstance(e, Fact)]
    for fact in (*facts, Escaped(700, 1), HandEnded(0)):
        found += [fact, *follower.fact(fact)]
    return found


def _flawed(root: Path) -> list[Path]:
    """Logs with findings; the last two are of one match and differ in the last hand."""
    good = archives.hands(3, seed=9)
    other = archives.hands(3, seed=10)
    blocked = (other[0], archives.without_its_cards(other[1]))
    false = (*good[:2], archives.with_false_trick(good[2]))
    return [
        archives.live(root / "blocked.paipu", blocked, 1),
        archives.live(root / "true.paipu", good, 2),
        archives.live(root / "false.paipu", false, 2),
    ]
