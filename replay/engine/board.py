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

    @property
    def table(self) -> str:
        """The part of the catalogue that the key is of: `event` of `event.passed`."""
        return self.key.partition(".")[0]


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

    `cards` ascend in the game's own order, so that games with trumps sort them apart themselves;
    `groups` are the sizes of the runs that are held apart, such as suits and trumps: () = all one.
    """

    seat: int
    cards: bytes | None
    count: int
    roles: tuple[Word, ...]
    team: int | None
    level: Word | None
    points: int | None
    last: Laid | None
    marks: tuple[Phrase, ...]
    groups: tuple[int, ...] = ()


class Bottom(Struct, frozen=True):
    """底牌: the cards, or how many are hidden; `label` says whose they are, and since when.

    `turned` are those of them that were turned up before, in the order of turning.
    """

    cards: bytes | None
    count: int
    label: Phrase | None = None
    turned: bytes = b""


class Named(Struct, frozen=True):
    """One named number or word of the table, e.g. points in the trick, level of a side."""

    name: Phrase
    value: int | str | bytes


class Shown(Struct, frozen=True):
    """Cards that a seat showed without playing them, and what they made."""

    seat: int
    cards: bytes
    label: Phrase


class Moved(Struct, frozen=True):
    """Cards that went from a seat to another, or to or from the bottom (None).

    `cards` is None where they are hidden, then only `count` is known.
    """

    source: int | None
    target: int | None
    cards: bytes | None
    count: int
    label: Phrase


class Attempt(Struct, frozen=True):
    """A lead that was not let stand: the cards as laid, and the seats that can beat a part."""

    seat: int
    cards: bytes
    beaten_by: tuple[int, ...]


class Track(Struct, frozen=True):
    """A way of named steps, and where on it a team stands: index into `steps`."""

    name: Phrase
    team: int | None
    steps: tuple[Word, ...]
    at: int
    notes: tuple[Phrase, ...] = ()


class Goal(Struct, frozen=True):
    """A number that grows, and what it has to come to."""

    name: Phrase
    value: int
    target: int


class Prompt(Struct, frozen=True):
    """Whose turn it is, what is asked, and what the answer must contain.

    `ask` is a catalogue key (`ask.lead`, `ask.follow`, `ask.solo` …); `seat` is None when the
    server is to act or nobody in particular; then `anyone` are the seats that may act, if several
    may at once. `obligations` say what binds the answer.
    """

    seat: int | None
    ask: Word
    obligations: tuple[Phrase, ...] = ()
    anyone: tuple[int, ...] = ()


class Board(Struct, frozen=True):
    """The table as one seat (or everybody, `eye` None) sees it.

    `trick` counts from 1, 0 before the first lead; `table` lists the current trick's plays and
    passes in order; `trump` and `bottom` are None in games without them; `ladder` are the
    named numbers shown beside the table. `shows` are the cards shown for a trump, in order;
    `attempt` the lead of this trick that was not let stand; `leading` the seat whose play wins so
    far, where nothing has to be beaten; `tracks` the levels of the sides;
    `moves` the cards that changed hands before play, in order;
    `order` every face from low to high as far as it is known, None = by code.
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
    shows: tuple[Shown, ...] = ()
    attempt: Attempt | None = None
    leading: int | None = None
    tracks: tuple[Track, ...] = ()
    goal: Goal | None = None
    order: bytes | None = None
    moves: tuple[Moved, ...] = ()


class Nth(Struct, frozen=True):
    """Of all events with these words, in their order, the one at `at`: from 0, or -1 the last."""

    words: tuple[str, ...]
    at: int


class Stated(Struct, frozen=True):
    """A line of the settlement that is a field of it, so that a log's own can stand beside it.

    `sources` are where it comes from: a seat's tricks, or events by their word; () = the end.
    `name` is what it is called where the field's own name says another thing. `is_idle`: it says
    nothing about this hand, and is a line only where the log has something else.
    """

    field: str
    sources: tuple[int | str | Nth, ...] = ()
    name: Word = ""
    is_idle: bool = False


class Told(Struct, frozen=True):
    """A line that is no field: one value a seat, or any number of them; a tuple lists seats."""

    name: Word
    values: tuple[int | Phrase | tuple[int, ...], ...]
    is_per_seat: bool = False
    sources: tuple[int | str | Nth, ...] = ()
