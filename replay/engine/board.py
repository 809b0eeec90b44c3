"""Board: what one seat, or everybody, can see of a state. Game-blind; words are catalogue keys.

The viewer draws this and nothing else. A word such as `role.dealer` is a key of
`replay.messages`; the engine never sends prose.
"""

from msgspec import Struct

Word = str
"""A key of the message catalogue."""


class Phrase(Struct, frozen=True):
    """A catalogue key and the values for its named slots (seats as int, cards as bytes)."""

    key: Word
    slots: tuple[tuple[str, int | str | bytes], ...] = ()


class Laid(Struct, frozen=True):
    """What a seat did last in the current trick: cards and their type, or a pass.

    `wilds` are the jokers that stand for another card: place in `cards`, and its rank letter.
    """

    seat: int
    cards: bytes
    label: Phrase
    wilds: tuple[tuple[int, str], ...] = ()


class SeatView(Struct, frozen=True):
    """One seat: `cards` is None where they are hidden, then only `count` is known.

    `cards` ascend in the game's own order, so that games with trumps sort them apart themselves.
    """

    seat: int
    cards: bytes | None
    count: int
    roles: tuple[Word, ...]
    team: int | None
    level: str | None
    points: int | None
    last: Laid | None
    marks: tuple[Phrase, ...]


class Bottom(Struct, frozen=True):
    """底牌: the cards, or how many are hidden; `label` says whose they are, and since when."""

    cards: bytes | None
    count: int
    label: Phrase | None = None


class Named(Struct, frozen=True):
    """One named number or word of the table, e.g. points in the trick, level of a side."""

    name: Phrase
    value: int | str | bytes


class Prompt(Struct, frozen=True):
    """Whose turn it is, what is asked, and what the answer must contain.

    `ask` is a catalogue key (`ask.lead`, `ask.follow`, `ask.solo` …); `seat` is None when the
    server is to act or nobody in particular. `obligations` say what binds the answer.
    """

    seat: int | None
    ask: Word
    obligations: tuple[Phrase, ...] = ()


class Board(Struct, frozen=True):
    """The table as one seat (or everybody, `eye` None) sees it.

    `trick` counts from 1, 0 before the first lead; `table` lists the current trick's plays and
    passes in order; `trump` and `bottom` are None in games without them; `ladder` are the
    named numbers shown beside the table; `line` says what the last event was.
    """

    game: str
    eye: int | None
    phase: Word
    trick: int
    seats: tuple[SeatView, SeatView, SeatView, SeatView]
    table: tuple[Laid, ...]
    to_beat: Laid | None
    trump: Phrase | None
    bottom: Bottom | None
    called: bytes | None
    prompt: Prompt
    ladder: tuple[Named, ...]
