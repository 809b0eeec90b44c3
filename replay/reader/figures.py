"""Figures over an archive: what matches, players and statistics pages are given to draw."""

from typing import Literal, Protocol

from msgspec import Struct

from replay.reader.pages import HandRow, Person

MOST_MARKS = 2000
"""Hands of a match that its chart shows at most."""

Part = Literal[
    "seat", "role", "result", "fan", "score", "level", "bombs", "period", "hour", "thinking"
]
PARTS: tuple[Part, ...] = (
    "seat", "role", "result", "fan", "score", "level", "bombs", "period", "hour", "thinking",
)  # fmt: skip
"""What hands are counted by, one distribution each."""

MatchSort = Literal["newest", "oldest", "hands", "findings"]
MATCH_SORTS: tuple[MatchSort, ...] = ("newest", "oldest", "hands", "findings")
PlayerSort = Literal["hands", "won", "rate", "coins", "name", "latest"]
PLAYER_SORTS: tuple[PlayerSort, ...] = ("hands", "won", "rate", "coins", "name", "latest")


class Scope(Struct, frozen=True):
    """Which hands are counted: an empty word means any; days are UTC, both of them included."""

    game: str = ""
    player: str = ""
    since: str = ""
    until: str = ""


class Tally(Struct, frozen=True):
    """What was counted under one value of one game.

    `hands` counts all, `decided` those that have winners and losers, `won` those of them that
    were won; `coins` is None where none are counted. Without a player, `role` and `thinking`
    count seats, and what is won is won by the dealer in `level`, and by nobody (None) in what
    counts hands.
    """

    game: str
    key: str
    hands: int
    decided: int
    won: int | None
    coins: int | None


class Habits(Struct, frozen=True):
    """What was done in one game: by one player in his hands, or by all seats in theirs.

    `seats` counts hands, by four without a player; `thinking_ms` is of the acts that were not
    made by another (`acted_for`).
    """

    game: str
    seats: int
    acts: int
    passes: int
    bombs: int
    acted_for: int
    thinking_ms: int


class Total(Struct, frozen=True):
    """A player in one game: his hands, those decided, those won; `coins` None where none count.

    `best` and `worst` are of one hand; `first` and `last` are wall times (ms, UTC) of hands.
    """

    game: str
    hands: int
    decided: int
    won: int
    coins: int | None
    best: int | None
    worst: int | None
    first: int
    last: int


class PlayerQuery(Struct, frozen=True):
    """Which players to list; `text` is a part of an id or name; `page` counts from 1."""

    game: str = ""
    text: str = ""
    sort: PlayerSort = "hands"
    page: int = 1
    size: int = 50


class PlayerRow(Struct, frozen=True):
    """One player: his hands, those decided, those won; `coins` is None where none are counted.

    `last` is when his last match began (ms, UTC).
    """

    player: Person
    hands: int
    decided: int
    won: int
    coins: int | None
    games: tuple[str, ...]
    last: int


class PlayerList(Struct, frozen=True):
    """One page of players; `total` counts all that match."""

    rows: tuple[PlayerRow, ...]
    total: int
    page: int
    pages: int


class PlayerPage(Struct, frozen=True):
    """One player: his name of late, all names he bore, his totals a game, his latest hands."""

    player: Person
    names: tuple[str, ...]
    totals: tuple[Total, ...]
    recent: tuple[HandRow, ...]


class Met(Struct, frozen=True):
    """Somebody whom a player met in one game: hands that were decided, and those that he won."""

    game: str
    player: Person
    hands: int
    won: int


class MatchQuery(Struct, frozen=True):
    """Which matches to list; days are of their beginning (UTC), both of them included."""

    game: str = ""
    player: str = ""
    since: str = ""
    until: str = ""
    ended: Literal["", "yes", "no"] = ""
    sort: MatchSort = "newest"
    page: int = 1
    size: int = 50


class MatchRow(Struct, frozen=True):
    """One match, or the part of one that its log holds.

    `ended_by` is the result that ended it, empty while it goes on and in games without an end;
    `winners` are seats. `at` is wall time (ms, UTC).
    """

    log_id: str
    log_name: str
    game: str
    players: tuple[Person, ...]
    at: int
    duration_ms: int
    hands: int
    settled: int
    aborted: int
    findings: int
    ended_by: str
    effect: str
    winners: tuple[int, ...]
    in_progress: bool


class MatchList(Struct, frozen=True):
    """One page of matches; `total` counts all that match."""

    rows: tuple[MatchRow, ...]
    total: int
    page: int
    pages: int


class MatchHand(Struct, frozen=True):
    """One hand of a match: its row, and the level of each side before and after, if it has any."""

    row: HandRow
    level: str
    score: int | None
    before: tuple[str, ...]
    after: tuple[str, ...]


class MatchPage(Struct, frozen=True):
    """One match and one page of its hands; `continues` is the log before it, empty if none."""

    row: MatchRow
    continues: str
    hands: tuple[MatchHand, ...]
    page: int
    pages: int
    total: int


class Mark(Struct, frozen=True):
    """A hand of a match as its chart shows it.

    Of each seat the coins won so far, empty where none are counted; of each side the step of its
    level, from 0, and the level's letter; empty in games without levels.
    """

    hand_id: str
    index: int
    result: str
    coins: tuple[int, ...]
    steps: tuple[int, ...]
    levels: tuple[str, ...]


class Course(Struct, frozen=True):
    """A match for its chart: who sits at seats 0–3, and its first MOST_MARKS hands."""

    players: tuple[Person, ...]
    marks: tuple[Mark, ...]


class Figures(Protocol):
    """What an archive counts; NotFound for names that are not there."""

    def tallies(self, part: Part, scope: Scope) -> tuple[Tally, ...]:
        """One distribution, by game and value, in the order in which it is shown."""
        ...

    def habits(self, scope: Scope) -> tuple[Habits, ...]:
        """What was done, by game."""
        ...

    def players(self, query: PlayerQuery) -> PlayerList:
        """One page of players."""
        ...

    def player(self, scope: Scope) -> PlayerPage:
        """The player of the scope; NotFound if nobody has that id."""
        ...

    def met(self, scope: Scope, side: Literal["partners", "opponents"]) -> tuple[Met, ...]:
        """With or against whom the player of the scope played most."""
        ...

    def matches(self, query: MatchQuery) -> MatchList:
        """One page of matches."""
        ...

    def match(self, log_id: str, page: int) -> MatchPage:
        """One match, by the id of its log's page."""
        ...

    def course(self, log_id: str) -> Course:
        """How a match went."""
        ...
