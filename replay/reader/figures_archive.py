"""The figures of an archive, each out of a cursor of its own."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal

from replay.reader import figures_counts as counts
from replay.reader import figures_matches as games
from replay.reader import figures_people as people
from replay.reader.figures import (
    Course,
    Habits,
    MatchList,
    MatchPage,
    MatchQuery,
    Met,
    Part,
    PlayerList,
    PlayerPage,
    PlayerQuery,
    Scope,
    Tally,
)
from replay.reader.listing import Cursor


class ArchiveFigures:
    """`Figures` of one archive; `cursor` opens one on the archive as it is now."""

    def __init__(self, cursor: Callable[[], AbstractContextManager[Cursor]]) -> None:
        self._cursor = cursor

    def tallies(self, part: Part, scope: Scope) -> tuple[Tally, ...]:
        """One distribution."""
        with self._cursor() as con:
            return counts.tallies(con, part, scope)

    def habits(self, scope: Scope) -> tuple[Habits, ...]:
        """What was done, by game."""
        with self._cursor() as con:
            return counts.habits(con, scope)

    def players(self, query: PlayerQuery) -> PlayerList:
        """One page of players."""
        with self._cursor() as con:
            return people.players(con, query)

    def player(self, scope: Scope) -> PlayerPage:
        """One player; NotFound."""
        with self._cursor() as con:
            return people.player(con, scope)

    def met(self, scope: Scope, side: Literal["partners", "opponents"]) -> tuple[Met, ...]:
        """With or against whom a player played most."""
        with self._cursor() as con:
            return people.met(con, scope, side)

    def matches(self, query: MatchQuery) -> MatchList:
        """One page of matches."""
        with self._cursor() as con:
            return games.matches(con, query)

    def match(self, log_id: str, page: int) -> MatchPage:
        """One match; NotFound."""
        with self._cursor() as con:
            return games.match(con, log_id, page)

    def course(self, log_id: str) -> Course:
        """How a match went."""
        with self._cursor() as con:
            return games.course(con, log_id)
