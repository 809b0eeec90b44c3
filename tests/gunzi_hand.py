"""Hands of 四副滚子 with a deck that is known: tribute, jokers buried; dry; flipped; drawn."""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from replay.engine.gunzi.presets import DEFAULT, FIRST_CARRY
from replay.engine.registry import game_named
from replay.findings import of_fault
from replay.reader.handpage import walked as walked_alone
from replay.verify import HandResult
from replay.walk import Follower, HandWalk
from schema.cards import ALL_CODES, parse_cards
from schema.events import AbortReason, By, Dealt, Event, Fact, HandAborted, HandStarted, Played
from schema.gunzi import (
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziCarry,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
)
from schema.items import Hand
from schema.logfile import open_log
from schema.options import GunziOptions
from schema.records import Head
from schema.trumps import Named
from tests import builders

N_HELD = 39
OWED = GunziCarry(5, 0, (3, 1), 2, 1, False)
"""Seat 0 deals at level 5, and is owed two cards for the score and one for jokers."""
HELD = ("5h 5h 3d 3d 4d 4d 6d 6d Td", "Rj Bj Bj", "Rj 5c", "Rj 2h 2h As")
"""What every seat holds at least; the rest of the deck follows in the order of the codes."""
BOTTOM, DRY = "3h 7c Kd 9d 4s Bj", "5d 2s Bj Kc 9d 9s"
"""With hearts as trump: a bottom that is exchanged, and one that has no plain heart."""
PAID, RETURNED = "Rj 2h 2h", "2h 3d 3d"
BURIED, HIDDEN = "Rj 4d 4d 6d Kd Td", "4d 4d 6d 6d Kd Td"
"""By the dealer: with a joker, so that all see it, and without."""


def deck(bottom: str = BOTTOM, held: Sequence[str] = HELD) -> bytes:
    """The deck in deal order from seat 0."""
    piles, below = [list(parse_cards(cards)) for cards in held], parse_cards(bottom)
    rest = Counter(list(ALL_CODES) * 3)
    rest.subtract([card for cards in (*piles, below) for card in cards])
    free = sorted(rest.elements())
    for pile in piles:
        n = N_HELD - len(pile)
        pile += free[:n]
        del free[:n]
    assert free == []
    return bytes(piles[k % 4][k // 4] for k in range(4 * N_HELD)) + below


def _shown(bottom: str) -> list[Fact]:
    """Dealt; seat 2 shows a 5 of clubs, the dealer two of hearts; seat 3 pays, and is paid back."""
    return [
        Dealt(0, 0, deck(bottom)),
        Declared(500, By.PLAYER, 2, parse_cards("5c"), Named.NOTHING, 100),
        Declared(500, By.PLAYER, 0, parse_cards("5h 5h"), Named.NOTHING, 120),
        DeclaringClosed(3000),
        TributePaid(2000, By.PLAYER, 3, parse_cards(PAID)),
        TributeReturned(2000, By.PLAYER, 0, parse_cards(RETURNED)),
    ]


def _buried(cards: str) -> list[Fact]:
    """The dealer buries, seat 1 a joker for the smallest card; then two tricks begin."""
    return [
        *_shown(BOTTOM),
        Buried(4000, By.PLAYER, 0, parse_cards(cards)),
        JokersBuried(900, By.PLAYER, 1, parse_cards("Rj"), parse_cards("4d")),
        JokersPassed(900, By.PLAYER, 2),
        JokersPassed(900, By.PLAYER, 3),
        *(Played(800, By.PLAYER, seat, parse_cards(laid)) for seat, laid in PLAYS),
    ]


PLAYS = ((0, "5h 5h"), (1, "Bj Bj"), (2, "Rj 5c"), (3, "2d 2d"), (1, "4d"))


def flipped() -> list[Fact]:
    """A first hand that nobody declares: seat 1 turns up a joker, then a card; a hidden burial."""
    flips = ((0, 1), (1, 5), (1, 0), (2, 2), (3, 4))
    return [
        Dealt(0, 0, deck()),
        DeclaringClosed(3000),
        *(Flipped(900, By.PLAYER, seat, place) for seat, place in flips),
    ]


FACTS: dict[str, tuple[GunziCarry, list[Fact]]] = {
    "jokers": (OWED, _buried(BURIED)),
    "hidden": (OWED, _buried(HIDDEN)),
    "dry": (OWED, [*_shown(DRY), Played(800, By.PLAYER, 0, parse_cards("5h 5h"))]),
    "flipped": (FIRST_CARRY, flipped()),
    "drawn": (
        replace(OWED, due_for_score=0, due_for_jokers=0),
        [
            Dealt(0, 0, deck()),
            DeclaringClosed(3000),
            Drawn(900, By.SERVER, 5),
            Drawn(900, By.SERVER, 2),
        ],
    ),
}
"""By name, what a hand opens with and its facts; each is broken off behind them."""


def head(options: GunziOptions = DEFAULT) -> Head:
    """HEAD of a log of such hands."""
    return builders.head(options)


def events_of(
    carry: GunziCarry, facts: Iterable[Fact], options: GunziOptions = DEFAULT
) -> list[Event]:
    """A hand of these facts with its claims; RuleViolation if one of them breaks a rule."""
    follower = Follower(game_named("gunzi"), options, "full")
    found: list[Event] = [HandStarted(bytes(32), 0), *follower.open(carry)]
    for fact in facts:
        found += [fact, *follower.fact(fact)]
    return found


def events(name: str) -> list[Event]:
    """One of the hands, broken off."""
    return [*events_of(*FACTS[name]), HandAborted(100, AbortReason.DISSOLVED)]


def log(name: str) -> bytes:
    """The live log of one of the hands."""
    return builders.live_log([events(name)], head())


def walk(hand: Sequence[Event], options: GunziOptions = DEFAULT) -> HandResult:
    """A hand judged by itself, from its own opening."""
    found = open_log(io.BytesIO(builders.live_log([hand], head(options))))
    (item,) = (item for item in found.items() if isinstance(item, Hand))
    return walked_alone(found, item)


def judged(hand: Sequence[Event], options: GunziOptions = DEFAULT) -> HandResult:
    """A hand with the findings of a log of which it is the first."""
    found = open_log(io.BytesIO(builders.live_log([hand], head(options))))
    (item,) = (item for item in found.items() if isinstance(item, Hand))
    walk = HandWalk(game_named("gunzi"), options, "full", None)
    steps = [walk.step(event) for event in item.events]
    game = game_named("gunzi")
    findings = tuple(of_fault(game, item, step, fault) for step in steps for fault in step.faults)
    return HandResult(game, item, steps, findings, not walk.is_blocked, False, None)


def walked(name: str) -> HandResult:
    """One of the hands, walked."""
    return walk(events(name))


def event_of(result: HandResult, kind: type[Any], number: int = 0) -> int:
    """The place of an event of a kind, the first of them with number 0."""
    return [s.index for s in result.steps if isinstance(s.event, kind)][number]
