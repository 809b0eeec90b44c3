"""The games that the shared tests run through, and what each of them is held against."""

from typing import NamedTuple

from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.chibi_dagun.rules import R as ChibiDagunRule
from replay.engine.dagong import presets as dagong
from replay.engine.dagong.rules import R as DagongRule
from replay.engine.rule import Rule
from schema.options import Options
from tests import oracle_chibi_dagun, oracle_chibi_log, oracle_log
from tests.crooked import COMMON, FREE, READ, Crook
from tests.mutants import CLASSES, Change
from tests.mutants_declared import DECLARED
from tests.oracle_log import Oracle


class Subject(NamedTuple):
    """One game: its presets, its list of rules, who tells it independently, every way to change
    one event of its hands, and the faults that spoil nothing behind them.
    """

    name: str
    default: Options
    presets: dict[str, Options]
    rules: type[Rule]
    oracle: Oracle
    changes: dict[str, Change]
    crooks: dict[str, tuple[Crook, tuple[str, ...]]]

    def ids(self, *names: str) -> set[str]:
        """The ids of those of its rules that have one of these names."""
        return {rule.id for rule in self.rules if rule.name in names}


DAGONG = Subject(
    "dagong",
    dagong.DEFAULT,
    dict(dagong.PRESETS),
    DagongRule,
    oracle_log.DAGONG,
    CLASSES,
    COMMON | FREE,
)
CHIBI_DAGUN = Subject(
    "chibi_dagun",
    chibi_dagun.DEFAULT,
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
GAMES = {subject.name: subject for subject in (DAGONG, CHIBI_DAGUN)}
