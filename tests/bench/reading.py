"""Probes of one game: the whole verification of every form of file, and what it is made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from replay.engine.game import Game
from replay.engine.registry import game_named
from replay.engine.rule import Breach
from replay.verify import verify
from replay.walk import HandWalk, carry_of
from schema.events import Event, Fact
from schema.items import Hand
from schema.logfile import open_log
from schema.strict import ENCODER
from tests.bench.games import LIVE_SHARE, SHORT_MATCH, Material
from tests.bench.measure import Probe

SECTION = "verify"


def probes(of: Material) -> tuple[Probe, ...]:
    """What is measured of a game, from the whole to its parts."""
    game, budget = of.subject.game, of.subject.budget
    return (
        _facts(whole(of), budget, *of.sealed),
        _facts(f"{game}: verify, live", LIVE_SHARE * budget, *of.live),
        _facts(f"{game}: verify, text", None, *of.text),
        _facts(f"{game}: verify, sealed, {SHORT_MATCH} hands a file", None, *of.short),
        Probe(SECTION, f"{game}: walk (in memory)", "facts", _Walk(of)),
        Probe(SECTION, f"{game}: fold (in memory)", "facts", _Fold(of)),
        Probe(SECTION, f"{game}: read, sealed", "events", lambda: sum(map(_read, of.sealed))),
        Probe(SECTION, f"{game}: decode (in memory)", "events", _Decode(of)),
    )


def whole(of: Material) -> str:
    """The name of the probe that is held against the peers."""
    return f"{of.subject.game}: verify, sealed"


def _facts(name: str, budget: float | None, *paths: Path) -> Probe:
    return Probe(SECTION, name, "facts", lambda: sum(map(verified, paths)), budget)


def verified(path: Path) -> int:
    """Facts checked in a log, which must be clean."""
    with path.open("rb") as stream:
        report = verify(open_log(stream))
    assert not report.findings, f"{path.name}: {report.findings[0].en}"
    return report.facts


def _read(path: Path) -> int:
    """Events of a log, strictly decoded and hashed, each hand forgotten before the next."""
    with path.open("rb") as stream:
        return sum(len(item.events) for item in open_log(stream).items() if isinstance(item, Hand))


class _Decode:
    """msgspec alone: neither canonical form nor cards nor leaves are looked at."""

    def __init__(self, of: Material) -> None:
        with of.sealed[0].open("rb") as stream:
            self._decode = open_log(stream).schema.hand_decoder.decode
        self._arrays = [ENCODER.encode(hand.events) for hand in of.hands]

    def __call__(self) -> int:
        decode = self._decode
        return sum(len(decode(array)) for array in self._arrays)


class _Fold:
    """The rules alone: from facts to the last state, claims neither derived nor compared."""

    def __init__(self, of: Material) -> None:
        self._of = of
        self._hands = [(_carry(hand.events), _driving(hand.events)) for hand in of.hands]

    def __call__(self) -> int:
        game = game_named(self._of.subject.game)
        breaches: list[Breach] = []
        for carry, facts in self._hands:
            self._hand(game, carry, facts, breaches)
        assert not breaches
        return self._of.said.facts

    def _hand(self, game: Game, carry: Any, facts: Sequence[Fact], breaches: list[Breach]) -> None:
        state, apply = game.open(self._of.head.options, carry), game.apply
        for fact in facts:
            state = apply(state, fact, breaches)


class _Walk:
    """Rules and claims: every step of every hand."""

    def __init__(self, of: Material) -> None:
        self._of = of

    def __call__(self) -> int:
        head = self._of.head
        game = game_named(self._of.subject.game)
        for hand in self._of.hands:
            walk = HandWalk(game, head.options, head.claims, None)
            assert not any(step.faults for step in map(walk.step, hand.events))
        return self._of.said.facts


def _carry(events: Sequence[Event]) -> Any:
    return next(carry for event in events if (carry := carry_of(event)) is not None)


def _driving(events: Sequence[Event]) -> tuple[Fact, ...]:
    """The facts that drive the rules: all but HandStarted, which stands before the opening."""
    return tuple(event for event in events[1:] if isinstance(event, Fact))
