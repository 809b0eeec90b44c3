"""What the viewer is given to draw: frozen values, game-blind, words as catalogue keys."""

from typing import Literal

from msgspec import Struct

from replay.engine.board import Board, Phrase
from replay.findings import Finding
from replay.verify import Report
from replay.wilds import Wilds

Sort = Literal["newest", "oldest", "findings", "longest", "bombs", "swing", "log"]
SORTS: tuple[Sort, ...] = ("newest", "oldest", "findings", "longest", "bombs", "swing", "log")
"""`swing` is by the most coins that a seat won; hands in which none are counted come last. `log` is
as they stand in their logs, one log after the other: the only order that needs no sorting."""
LogSort = Literal["name", "hands", "findings", "newest", "oldest"]
LOG_SORTS: tuple[LogSort, ...] = ("name", "hands", "findings", "newest", "oldest")


class Person(Struct, frozen=True):
    """One seat's player: statistics hang on `id`, people read `name`."""

    id: str
    name: str


People = tuple[Person, Person, Person, Person]


class HandRow(Struct, frozen=True):
    """One line of the list of hands.

    `result` is a word of `result.*`, or `aborted`, or `unverified` where the rules do not say how
    the hand ended; `at` is wall time (ms, UTC); `deltas` are coins per seat, empty where nothing
    was settled. `level` (in notation, F for 扛旗), `mode`, `fan` and `score` are None in games
    without them; `bombs` are those laid as far as the hand was judged. `roles` are words of
    `role.*` per seat, empty in a hand that cannot be judged from its opening on.
    """

    hand_id: str
    log_id: str
    log_name: str
    index: int
    game: str
    players: People
    result: str
    winners: tuple[int, ...]
    dealer: int | None
    deltas: tuple[int, ...]
    findings: int
    events: int
    at: int
    mode: str | None = None
    level: str | None = None
    bombs: int = 0
    fan: int | None = None
    score: int | None = None
    roles: tuple[str, ...] = ()


class HandQuery(Struct, frozen=True):
    """Which hands to list: an empty word, and None, means any; `page` counts from 1.

    `since` and `until` are days (`2025-03-01`, UTC), both of them included; ValueError for another
    text. `longer` and `shorter` are numbers of events, `bombs` of bombs, each at least or at most.
    `score_from` and `score_to` are included too. `player` is an id or a name, `player_id` an id
    alone: names are free, and one may look like the id of another. `seat`, `role` and `won` are
    about the seat where that player sits, or, without one, about any seat: one seat that is all of
    what is asked. Where nobody won (yet), nobody lost; `decided` asks whether anybody won.
    """

    game: str = ""
    player: str = ""
    player_id: str = ""
    result: str = ""
    findings: Literal["", "some", "none"] = ""
    text: str = ""
    log_id: str = ""
    since: str = ""
    until: str = ""
    mode: str = ""
    level: str = ""
    bombs: int | None = None
    longer: int | None = None
    shorter: int | None = None
    fan: int | None = None
    score_from: int | None = None
    score_to: int | None = None
    seat: int | None = None
    role: str = ""
    won: Literal["", "yes", "no"] = ""
    decided: Literal["", "yes", "no"] = ""
    sort: Sort = "newest"
    page: int = 1
    size: int = 50


class Count(Struct, frozen=True):
    """How many hands have this value; `label` is a player's name, else the value again."""

    value: str
    label: str
    n: int


class HandList(Struct, frozen=True):
    """One page of hands; `total` counts all that match. `scanned` of `files` are indexed so far.

    Each facet counts the hands that its value would leave if the other filters stay; levels come
    in their order, all others the most frequent first.
    """

    rows: tuple[HandRow, ...]
    total: int
    page: int
    pages: int
    games: tuple[Count, ...]
    results: tuple[Count, ...]
    players: tuple[Count, ...]
    with_findings: int
    scanned: int
    files: int
    modes: tuple[Count, ...] = ()
    levels: tuple[Count, ...] = ()
    without_findings: int = 0
    has_bombs: bool = False
    """Whether bombs were laid in any hand of a game asked for."""


class SeatTally(Struct, frozen=True):
    """What one seat won over many hands: hands played out, hands won, coins."""

    hands: int
    won: int
    coins: int


class Overview(Struct, frozen=True):
    """Numbers for the charts of the list page, over all hands that match a query."""

    results: tuple[Count, ...]
    seats: tuple[SeatTally, SeatTally, SeatTally, SeatTally]


class Problem(Struct, frozen=True):
    """Why something cannot be read, in both languages."""

    zh: str
    en: str


class LogRow(Struct, frozen=True):
    """One log of a collection; `problem` says why it could not be read, None if it could."""

    log_id: str
    name: str
    game: str
    form: str
    players: tuple[Person, ...]
    hands: int
    findings: int
    at: int
    problem: Problem | None


class LogQuery(Struct, frozen=True):
    """Which logs to list: `text` is part of a file's name; an empty word means any.

    `findings`: with some, with none, or those that cannot be read, which have neither.
    """

    game: str = ""
    text: str = ""
    findings: Literal["", "some", "none", "unreadable"] = ""
    sort: LogSort = "name"


class LogList(Struct, frozen=True):
    """One page of logs; `games` count the logs of each game, whichever was asked for."""

    rows: tuple[LogRow, ...]
    total: int
    page: int
    pages: int
    games: tuple[Count, ...]


class LogPage(Struct, frozen=True):
    """The report of one log; `report` is None where no verdict was possible."""

    row: LogRow
    report: Report | None
    options: tuple[tuple[str, str], ...]
    hands: tuple[HandRow, ...]
    about: tuple[tuple[str, str], ...]


class Moment(Struct, frozen=True):
    """One event of a hand as people see it.

    `index` counts from 0; `standing` is `fact` or `claim`; `board` is the table after the event,
    None before the opening and where the state is not defined; `wilds` say what the wild jokers of
    `cards` stand for; `findings` index the page's list. `out` is how often each face is out for
    the page's eye (54 counts), None without one; then `knowers` are the seats that see the bottom.
    """

    index: int
    kind: str
    standing: Literal["fact", "claim"]
    seat: int | None
    by: str | None
    cards: bytes
    wilds: Wilds
    trick: int
    label: Phrase
    dt: int | None
    board: Board | None
    findings: tuple[int, ...]
    out: bytes | None = None
    knowers: tuple[int, ...] = ()
    is_bomb: bool = False


CellValue = int | Phrase | tuple[int, ...]
"""A number, words, or seats."""


class Cell(Struct, frozen=True):
    """One value of the settlement as derived; `logged` where the log says otherwise.

    `events` are those (from 0) that the value comes from.
    """

    value: CellValue
    events: tuple[int, ...] = ()
    logged: CellValue | None = None


class SheetLine(Struct, frozen=True):
    """One line of the settlement: one cell per seat, or any number about the whole hand."""

    name: str
    is_per_seat: bool
    cells: tuple[Cell, ...]


class HandPage(Struct, frozen=True):
    """Everything about one hand, seen with `eye`; None sees all cards.

    `unverified_from` is the event (from 0) from which on the state is not defined.
    `previous` and `next` are ids of the neighbours in the same log.
    """

    row: HandRow
    eye: int | None
    direction: str
    moments: tuple[Moment, ...]
    findings: tuple[Finding, ...]
    sheet: tuple[SheetLine, ...]
    unverified_from: int | None
    previous: str | None
    next: str | None
    options: tuple[tuple[str, str], ...]
    about: tuple[tuple[str, str], ...]


class RuleEntry(Struct, frozen=True):
    """One rule: its id, what breaking it does, and its section's number."""

    id: str
    kind: str
    section: str


class NotFound(Exception):
    """Nothing of that name here; `args` are what was asked for (`hand`, `log` …) and its name."""


class Unreadable(Exception):
    """It is listed, but its log cannot be read any more; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.en)
        self.problem = problem
