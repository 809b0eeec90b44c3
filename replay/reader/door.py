"""The Reader: what every source of hands answers, be it one log, a folder of logs or an archive."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from replay.engine.registry import game_named, game_names
from replay.position import Position
from replay.reader.figures import Figures
from replay.reader.pages import (
    HandList,
    HandPage,
    HandQuery,
    HandRow,
    LogList,
    LogPage,
    LogQuery,
    LogRow,
    NotFound,
    Overview,
    RuleEntry,
)
from replay.reader.questions import Asking

LOGS_PER_PAGE = 100
EVERY_LOG = LogQuery()
"""Asks for all logs, the unreadable ones included."""


class Reader(Protocol):
    """One source of hands. NotFound for unknown names, Unreadable for logs that are gone."""

    @property
    def title(self) -> str:
        """What the source is called: a file or folder name."""
        ...

    @property
    def path(self) -> Path:
        """Where the source is, as it was given."""
        ...

    @property
    def asking(self) -> Asking | None:
        """What takes questions in SQL; None where there are no tables to ask."""
        ...

    @property
    def figures(self) -> Figures | None:
        """What counts matches, players and statistics; None where there is no archive."""
        ...

    def close(self) -> None:
        """End what works for it; nothing is asked afterwards."""
        ...

    def games(self) -> tuple[str, ...]:
        """The games of the hands here."""
        ...

    def hands(self, query: HandQuery) -> HandList:
        """One page of hands."""
        ...

    def every(self, query: HandQuery) -> Iterator[HandRow]:
        """All hands that match, in the order asked for, whatever the page; memory stays flat."""
        ...

    def every_log(self, query: LogQuery = EVERY_LOG) -> Iterator[LogRow]:
        """All logs that match, in the order asked for."""
        ...

    def overview(self, query: HandQuery) -> Overview:
        """Numbers over all hands that match."""
        ...

    def hand(self, hand_id: str, eye: int | None) -> HandPage:
        """One hand, its tables as seat `eye` sees them; None sees everything."""
        ...

    def hands_with(self, prefix: str) -> tuple[str, ...]:
        """The ids of the hands that begin with these hexadecimal digits, in their order."""
        ...

    def position(self, hand_id: str, event: int, eye: int | None, cards: bytes | None) -> Position:
        """What was legal before an event (0 to their number) of a hand, for seat `eye`.

        `cards` are asked about, empty for a pass, None for no question; NobodyPlays if no seat
        could play there.
        """
        ...

    def rules(self, game: str) -> tuple[RuleEntry, ...]:
        """The rules of a game, in the book's order."""
        ...

    def logs(self, page: int, query: LogQuery = EVERY_LOG) -> LogList:
        """One page of the logs that match; those that cannot be read are of no game."""
        ...

    def log(self, log_id: str) -> LogPage:
        """The report of one log."""
        ...


def rule_entries(game: str) -> tuple[RuleEntry, ...]:
    """Every rule of a game; NotFound for a game that this version does not judge."""
    if game not in game_names():
        raise NotFound("game", game)
    return tuple(
        RuleEntry(rule.id, rule.kind.value, rule.id.rpartition(".")[0])
        for rule in game_named(game).rules
    )
