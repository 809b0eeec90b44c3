"""Rules as values: what a broken rule is, and what the engine says about it."""

from collections.abc import Callable
from enum import Enum
from typing import NoReturn

from msgspec import Struct

from replay.engine.board import Phrase

Value = int | str | bytes | Phrase | tuple["Value", ...] | None
"""What the engine reports: seats and numbers as int, catalogue keys as str or with their slots,
cards as bytes."""


class RuleClass(Enum):
    """What breaking the rule does to a log, or why it cannot be broken by one event."""

    BLOCKS = "blocks"
    CONDUCT = "conduct"
    CLAIM = "claim"
    DEFINITION = "definition"


class Rule(Enum):
    """Base of each game's enum of rules: `NAME = (id, class)`. It has no members itself."""

    def __init__(self, id: str, kind: RuleClass) -> None:
        self.id = id
        self.kind = kind


class Breach(Struct, frozen=True):
    """A broken rule: who, with which cards, what was expected and what was found."""

    rule: Rule
    seat: int | None = None
    cards: bytes | None = None
    expected: Value = None
    found: Value = None


class RuleViolation(Exception):
    """A rule that blocks was broken: the state after the event is undefined."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach)
        self.breach = breach


def blocked(
    rule: Rule,
    seat: int | None = None,
    cards: bytes | None = None,
    expected: Value = None,
    found: Value = None,
) -> NoReturn:
    """Raise RuleViolation for `rule`."""
    raise RuleViolation(Breach(rule, seat, cards, expected, found))


def broken_by(act: Callable[[list[Breach]], object]) -> Rule | None:
    """The first rule that an act breaks, given where to append its breaches; None if none."""
    breaches: list[Breach] = []
    try:
        act(breaches)
    except RuleViolation as violation:
        return violation.breach.rule
    return breaches[0].rule if breaches else None
