"""One hand of 炒地皮 with a deck that is known: shown, buried, stirred, a throw that fails."""

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from replay.engine.chaodipi.presets import DEFAULT, FIRST_CARRY
from replay.engine.registry import game_named
from replay.verify import HandResult, verified_hands
from replay.walk import Follower
from schema.cards import ALL_CODES, parse_cards
from schema.chaodipi import (
    Buried,
    Declared,
    DeclaringClosed,
    StirPassed,
    Stirred,
)
from schema.events import (
    AbortReason,
    By,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandStarted,
    Played,
)
from schema.logfile import open_log
from schema.records import Head
from schema.trumps import Named
from tests import builders

N_HELD, N_BOTTOM = 25, 8
HELD = (
    "2d Ac Qc 3h 3h 4h 4h 5c Tc Kc",
    "2s 2s Kc 6h 6h 7h 7h 8h",
    "9c 9c 8h 9h Th",
    "5h Rj 3c 4c Jh",
)
"""What every seat holds at least; the rest of the deck follows in the order of the codes."""
BOTTOM = "Bj 3d 3d 4d 4d 6d 6d 7d"
BURIED, BURIED_AGAIN = "Bj 3d 3d 4d 4d 6d 6d 5d", "Bj 3d 3d 4d 4d 6d 5d 8d"
"""By seat 0, which is dealer until seat 1 stirs; then by seat 1, the dealer from there on."""
THROWN, LED = "8c 8c Kc", "8c 8c"
"""Seat 1 throws; seat 2 holds a higher pair, seats 0 and 3 the ace: the weakest part is led."""
PLAYS = (
    (1, THROWN),
    (2, "9c 9c"),
    (3, "3c 4c"),
    (0, "5c 5c"),
    (2, "Th Th"),
    (3, "Kh Kh"),
    (0, "3h 3h"),
    (1, "6h 6h"),
    (3, "Ah"),
)


def deck() -> bytes:
    """The deck in deal order from seat 0."""
    held = [list(parse_cards(cards)) for cards in HELD]
    bottom = parse_cards(BOTTOM)
    rest = Counter(list(ALL_CODES) * 2)
    rest.subtract([card for cards in (*held, bottom) for card in cards])
    free = sorted(rest.elements())
    for cards in held:
        missing = N_HELD - len(cards)
        cards += free[:missing]
        del free[:missing]
    assert free == []
    return bytes(held[k % 4][k // 4] for k in range(4 * N_HELD)) + bottom


def head(number: int = 0) -> Head:
    """HEAD of a log with this hand."""
    return replace(builders.head(DEFAULT), file_id=bytes(15) + bytes([number]))


def facts() -> Iterator[Fact]:
    """Dealt, shown by seat 0, buried, stirred by seat 1, buried again."""
    yield Dealt(0, 0, deck())
    yield Declared(500, By.PLAYER, 0, parse_cards("2d"), Named.NOTHING, 100)
    yield DeclaringClosed(3000)
    yield Buried(4000, By.PLAYER, 0, parse_cards(BURIED))
    yield Stirred(900, By.PLAYER, 1, parse_cards("2s 2s"), Named.NOTHING)
    yield Buried(6000, By.PLAYER, 1, parse_cards(BURIED_AGAIN))
    for seat in (2, 3, 0):
        yield StirPassed(700, By.PLAYER, seat)


def events(plays: Sequence[tuple[int, str]] = PLAYS) -> list[Event]:
    """The hand with these plays, then broken off."""
    follower = Follower(game_named("chaodipi"), DEFAULT, "full")
    found: list[Event] = [HandStarted(bytes(32), 0), *follower.open(FIRST_CARRY)]
    laid = (Played(800, By.PLAYER, seat, parse_cards(cards)) for seat, cards in plays)
    for fact in (*facts(), *laid):
        found += [fact, *follower.fact(fact)]
    return [*found, HandAborted(100, AbortReason.DISSOLVED)]


def log(plays: Sequence[tuple[int, str]] = PLAYS) -> bytes:
    """The live log of the hand."""
    return builders.live_log([events(plays)], head())


def walked(plays: Sequence[tuple[int, str]] = PLAYS) -> HandResult:
    """The hand as the verifier walks it."""
    items = verified_hands(open_log(io.BytesIO(log(plays))))
    (result,) = (item for item in items if isinstance(item, HandResult))
    return result


def event_of(result: HandResult, kind: type[Any], number: int = 0) -> int:
    """The place of an event of a kind, the first of them with number 0."""
    return [s.index for s in result.steps if isinstance(s.event, kind)][number]
