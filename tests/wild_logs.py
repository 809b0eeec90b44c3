"""A log of 赤壁打滚 in which jokers are wild: one reading declared, others as they count anyway."""

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT, FIRST_CARRY, RULES_VERSION
from replay.verify import HandResult, verified_hands
from schema.cards import ALL_CODES, card_text, parse_card, parse_cards
from schema.events import (
    AnyPlay,
    By,
    CallDrawn,
    Dealt,
    Event,
    Fact,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
    TurnedUp,
)
from schema.logfile import open_log
from schema.records import Head
from tests import builders

FINE, FLAWED, BLOCKED = "fine.paipu", "flawed.paipu", "blocked.paipu"
"""Logs of one hand each. FINE keeps the rules. In FLAWED a reading is declared that the cards do
not have, and what has to be beaten is only equalled. BLOCKED is FINE, but the wrong seat is asked.
"""
DECLARED = "6s 6h 7s 7h Bj Rj"
"""The first play: three pairs up to 8 if nothing is said; here they are declared to end at 7."""
LEAD, ANSWER = "4s 4h 3d Rj", "5d 5c 6d Bj"
"""The second lead, 4433, and what beats it, 6655."""
EQUAL = "4d 4c 3c Bj"
"""What does not."""
_HELD = (f"{DECLARED} {LEAD}", f"{ANSWER} 4d 4c 3c")


def folder_of_wilds(folder: Path) -> Path:
    """FINE, FLAWED and BLOCKED in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FINE).write_bytes(wild_log())
    (folder / FLAWED).write_bytes(builders.live_log([flawed_hand()], head(2)))
    (folder / BLOCKED).write_bytes(builders.live_log([blocked_hand()], head(3)))
    return folder


def wild_log() -> bytes:
    """The live log FINE."""
    return builders.live_log([fine_hand()], head(1))


def head(number: int) -> Head:
    """HEAD of a log of 赤壁打滚."""
    return replace(
        builders.head(),
        schema_id="chibi_dagun/1",
        file_id=bytes(15) + bytes([number]),
        rules_version=RULES_VERSION,
        options=DEFAULT,
    )


def fine_hand() -> list[Event]:
    """The hand of FINE."""
    return _hand(_acts(PlayRank.SEVEN, ANSWER), at=0)


def flawed_hand() -> list[Event]:
    """The hand of FLAWED."""
    return _hand(_acts(PlayRank.KING, EQUAL), at=3_600_000)


def blocked_hand() -> list[Event]:
    """The hand of BLOCKED: nothing behind the first answer is judged."""
    events = fine_hand()
    first = next(k for k, event in enumerate(events) if isinstance(event, SoloAnswered))
    events[first] = SoloAnswered(100, By.PLAYER, 3, False)
    return events


def _acts(rank: PlayRank, answer: str) -> list[Fact]:
    """What seat 0, the dealer, lays, and how seat 1 answers the second time."""
    return [
        PlayedAs(900, By.PLAYER, 0, parse_cards(DECLARED), PlayKind.PAIR_CHAIN, rank),
        *(Passed(500, By.PLAYER, seat) for seat in (1, 2, 3)),
        Played(800, By.PLAYER, 0, parse_cards(LEAD)),
        Played(700, By.TRUSTEE, 1, parse_cards(answer)),
    ]


def _hand(acts: Sequence[Fact], at: int) -> list[Event]:
    """The events of a first hand that begins with these acts and is played out by chance."""
    game, rng = ChibiDagun(), random.Random(at)
    state: Any = game.open(DEFAULT, FIRST_CARRY)
    events: list[Event] = [HandStarted(bytes(32), at), game.opening(FIRST_CARRY)]
    waiting = [Dealt(0, 0, _deck()), *_before_play(), *acts]
    while not state.is_over:
        fact = waiting.pop(0) if waiting else rng.choice(list(game.plays(state)))
        after = game.apply(state, fact, [])
        events += [fact, *game.due(state, fact, after)]
        state = after
    return [*events, HandEnded(0)]


def _before_play() -> list[Fact]:
    """Seat 0 is dealer, 3d is called, and nobody goes solo."""
    answers = (SoloAnswered(100, By.PLAYER, seat, False) for seat in range(4))
    return [TurnedUp(0, 0), CallDrawn(0, parse_card("3d")), *answers]


def _deck() -> bytes:
    """The deck, seat 0 first: who plays holds what he lays, seat 2 the twin of the called card."""
    hands = [list(parse_cards(cards)) for cards in (*_HELD, "3d", "")]
    rest = list(ALL_CODES * 2)
    for card in (card for held in hands for card in held):
        rest.remove(card)
    random.Random(1).shuffle(rest)
    # What seat 0 declares it cannot lay in another way, so that all readings are of these cards.
    rest.sort(key=lambda card: card_text(card)[0] not in "5678")
    for held in hands:
        while len(held) < 27:
            held.append(rest.pop())
    return bytes(card for each in zip(*hands, strict=True) for card in each)


@cache
def walked(log: Path) -> HandResult:
    """The hand of a log."""
    with log.open("rb") as stream:
        (hand,) = (item for item in verified_hands(open_log(stream)) if not hasattr(item, "rule"))
    assert isinstance(hand, HandResult)
    return hand


def event_of(log: Path, cards: str) -> int:
    """The event that lays these cards."""
    return next(
        step.index
        for step in walked(log).steps
        if isinstance(step.event, AnyPlay) and step.event.cards == parse_cards(cards)
    )


def ranks_of(cards: bytes) -> list[int]:
    """The ranks, jokers the highest: of equal ones any will do to the list of legal plays."""
    return sorted(code >> 2 for code in cards)
