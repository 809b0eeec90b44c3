"""The games that the shared tests run through, and what each of them is held against."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi import presets as chaodipi
from replay.engine.chaodipi.rules import R as ChaodipiRule
from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.chibi_dagun.rules import R as ChibiDagunRule
from replay.engine.dagong import presets as dagong
from replay.engine.dagong.rules import R as DagongRule
from replay.engine.gunzi import presets as gunzi
from replay.engine.gunzi.rules import R as GunziRule
from replay.engine.rule import Rule
from schema.events import Event, Fact
from schema.options import Options
from tests import (
    builders,
    builders_chaodipi,
    builders_gunzi,
    crooked_chaodipi,
    crooked_gunzi,
    mutants,
    mutants_chaodipi,
    mutants_gunzi,
    oracle_chaodipi,
    oracle_chaodipi_log,
    oracle_chibi_dagun,
    oracle_chibi_log,
    oracle_gunzi,
    oracle_gunzi_log,
    oracle_gunzi_trump,
    oracle_log,
)
from tests.crooked import COMMON, FREE, READ, Crook, Crooked, crooked, false_call
from tests.mutants import CLASSES, Change
from tests.mutants_declared import DECLARED
from tests.oracle_dagong import Illegal
from tests.oracle_log import Oracle

Rng = random.Random
Hand = Callable[[Any, Any, Rng], tuple[list[Event], Any]]
"""A legal hand by such options from such an opening, and what the next one opens with."""
Match = Callable[[Any, int, Rng], list[list[Event]]]
"""A legal match of so many hands, or fewer if it ends before."""
Faulty = Callable[[Any, Any, Rng], Crooked | None]
"""A hand with one fault that spoils nothing behind it; None if there was no occasion."""


class Subject(NamedTuple):
    """One game: its presets, its list of rules, who tells it independently, every way to change
    one event of its hands, and the faults that spoil nothing behind them.

    `tally` is the field of an opening that goes on from hand to hand whatever is played: coins, in
    which a match may begin with any values, or without them the number of the hand. Of `changes`
    those `at_event` show at the changed event, those `alone` change nothing else. `crooks` break
    rules of these names, some of them, `firsts`, only in a first hand; `lies` are announcements
    that stand.
    """

    name: str
    default: Options
    presets: dict[str, Options]
    rules: type[Rule]
    oracle: Oracle
    first: Any
    tally: str
    hand: Hand
    match: Match
    changes: dict[str, Change]
    at_event: frozenset[str]
    alone: frozenset[str]
    crooks: dict[str, tuple[Faulty, tuple[str, ...]]]
    lies: dict[str, Faulty]
    firsts: tuple[str, ...] = ()

    def ids(self, *names: str) -> set[str]:
        """The ids of those of its rules that have one of these names."""
        return {rule.id for rule in self.rules if rule.name in names}

    def is_first(self, kind: str) -> bool:
        """Whether a fault of this kind can only be in a first hand."""
        return kind in self.firsts or kind.startswith("first opening")

    @property
    def has_coins(self) -> bool:
        """Whether a match may begin with coins from before."""
        return self.tally != "hand_no"

    def falsely(self, carry: Any) -> Any:
        """An opening that is another in its tally."""
        value = getattr(carry, self.tally)
        if not self.has_coins:
            return replace(carry, **{self.tally: value + 3})
        a, b, c, d = value
        return replace(carry, **{self.tally: (a + 3, b, c, d - 5)})


# The climbing games


def _hand(options: Any, carry: Any, rng: Rng) -> tuple[list[Event], Any]:
    game, style = builders.game_for(options), builders.any_style(rng)
    return builders.hand_events(game, options, carry, rng, style)


def _match(options: Any, n_hands: int, rng: Rng) -> list[list[Event]]:
    return builders.match(options, n_hands, rng, builders.any_style(rng))


def _crooked(crook: Crook, options: Any, carry: Any, rng: Rng) -> Crooked | None:
    game, style = builders.game_for(options), builders.any_style(rng)
    return crooked(game, options, carry, rng, crook, style)


def _false_call(options: Any, carry: Any, rng: Rng) -> Crooked | None:
    game, style = builders.game_for(options), builders.any_style(rng)
    return false_call(game, options, carry, rng, style)


Crooks = Mapping[str, tuple[Crook, tuple[str, ...]]]


def _climbing(
    name: str,
    presets: dict[str, Options],
    rules: type[Rule],
    oracle: Oracle,
    changes: dict[str, Change],
    crooks: Crooks,
) -> Subject:
    return Subject(
        name=name,
        default=presets["default"],
        presets=presets,
        rules=rules,
        oracle=oracle,
        first=builders.FIRST,
        tally="balances",
        hand=_hand,
        match=_match,
        changes=changes,
        at_event=mutants.AT_EVENT,
        alone=mutants.ALONE,
        crooks={word: (partial(_crooked, crook), names) for word, (crook, names) in crooks.items()},
        lies={"called falsely": _false_call},
    )


DAGONG = _climbing(
    "dagong", dict(dagong.PRESETS), DagongRule, oracle_log.DAGONG, CLASSES, COMMON | FREE
)
CHIBI_DAGUN = _climbing(
    "chibi_dagun",
    dict(chibi_dagun.PRESETS),
    ChibiDagunRule,
    Oracle(
        oracle_chibi_dagun.Hand,
        oracle_chibi_log.tell,
        oracle_chibi_log.heard,
        oracle_chibi_dagun.Illegal,
    ),
    CLASSES | DECLARED,
    COMMON | READ,
)
CLIMBING = {subject.name: subject for subject in (DAGONG, CHIBI_DAGUN)}

# 炒地皮


def _tell(hand: oracle_chaodipi.Hand, fact: Fact) -> None:
    if oracle_chaodipi_log.tell(hand, fact):
        raise Illegal("a clause is broken")


def _heard(hand: oracle_chaodipi.Hand, fact: Fact) -> oracle_chaodipi.Hand | None:
    after, clauses = oracle_chaodipi_log.heard(hand, fact)
    return None if clauses else after


def _first(stated: Any) -> oracle_chaodipi.Carry:
    return 1, None, ("2", "2"), (0, 0), tuple(stated.scores), False


def _whole(options: Any, carry: Any, rng: Rng) -> tuple[list[Event], Any]:
    style = builders_chaodipi.whole_style(rng)
    return builders_chaodipi.hand_events(options, carry, rng, style)


def _any_match(options: Any, n_hands: int, rng: Rng) -> list[list[Event]]:
    return builders_chaodipi.match(options, n_hands, rng, builders_chaodipi.any_style(rng))


def _broken(
    crook: tuple[crooked_chaodipi.Crook, tuple[str, ...]], options: Any, carry: Any, rng: Rng
) -> Crooked | None:
    style = builders_chaodipi.whole_style(rng)
    return crooked_chaodipi.crooked(crook, options, carry, rng, style)


def _lied(lie: crooked_chaodipi.Lie, options: Any, carry: Any, rng: Rng) -> Crooked | None:
    style = builders_chaodipi.whole_style(rng)
    return crooked_chaodipi.lied(lie, options, carry, rng, style)


CHAODIPI = Subject(
    name="chaodipi",
    default=chaodipi.DEFAULT,
    presets=dict(chaodipi.PRESETS),
    rules=ChaodipiRule,
    oracle=Oracle(
        oracle_chaodipi.Hand,
        _tell,
        _heard,
        oracle_chaodipi.Blocked,
        oracle_chaodipi_log.carry_of,
        oracle_chaodipi_log.claim_of,
        _first,
        lambda opening: bool(opening[-1]),
    ),
    first=builders_chaodipi.FIRST,
    tally="scores",
    hand=_whole,
    match=_any_match,
    changes=mutants_chaodipi.CHANGES,
    at_event=mutants_chaodipi.AT_EVENT,
    alone=mutants_chaodipi.ALONE,
    crooks={
        word: (partial(_broken, crook), crook[1]) for word, crook in crooked_chaodipi.CROOKS.items()
    },
    lies={word: partial(_lied, lie) for word, lie in crooked_chaodipi.LIES.items()},
)
# 四副滚子


def _gunzi_tell(hand: oracle_gunzi.Hand, fact: Fact) -> None:
    if oracle_gunzi_log.tell(hand, fact):
        raise Illegal("a clause is broken")


def _gunzi_heard(hand: oracle_gunzi.Hand, fact: Fact) -> oracle_gunzi.Hand | None:
    after, clauses = oracle_gunzi_log.heard(hand, fact)
    return None if clauses else after


def _gunzi_whole(options: Any, carry: Any, rng: Rng) -> tuple[list[Event], Any]:
    return builders_gunzi.hand_events(options, carry, rng, builders_gunzi.whole_style(rng))


def _gunzi_match(options: Any, n_hands: int, rng: Rng) -> list[list[Event]]:
    return builders_gunzi.match(options, n_hands, rng, builders_gunzi.any_style(rng))


def _gunzi_broken(
    crook: tuple[crooked_gunzi.Crook, tuple[str, ...]], options: Any, carry: Any, rng: Rng
) -> Crooked | None:
    return crooked_gunzi.crooked(crook, options, carry, rng, builders_gunzi.whole_style(rng))


def _gunzi_lied(lie: crooked_gunzi.Lie, options: Any, carry: Any, rng: Rng) -> Crooked | None:
    return crooked_gunzi.lied(lie, options, carry, rng, builders_gunzi.whole_style(rng))


GUNZI = Subject(
    name="gunzi",
    default=gunzi.DEFAULT,
    presets=dict(gunzi.PRESETS),
    rules=GunziRule,
    oracle=Oracle(
        oracle_gunzi.Hand,
        _gunzi_tell,
        _gunzi_heard,
        oracle_gunzi_trump.Blocked,
        oracle_gunzi_log.carry_of,
        oracle_gunzi_log.claim_of,
        oracle_gunzi_log.first,
        lambda opening: bool(opening[-1]),
    ),
    first=builders_gunzi.FIRST,
    tally="hand_no",
    hand=_gunzi_whole,
    match=_gunzi_match,
    changes=mutants_gunzi.CHANGES,
    at_event=mutants_gunzi.AT_EVENT,
    alone=mutants_gunzi.ALONE,
    crooks={
        word: (partial(_gunzi_broken, crook), crook[1])
        for word, crook in crooked_gunzi.CROOKS.items()
    },
    lies={word: partial(_gunzi_lied, lie) for word, lie in crooked_gunzi.LIES.items()},
    firsts=crooked_gunzi.FIRSTS,
)
GAMES = CLIMBING | {CHAODIPI.name: CHAODIPI, GUNZI.name: GUNZI}
