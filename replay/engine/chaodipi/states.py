"""The states of a 炒地皮 hand, one type per phase."""

from collections.abc import Callable

from msgspec import Struct

from replay.engine.chaodipi.order import FLAG, Context
from replay.engine.chaodipi.shapes import Shape
from schema.chaodipi import ChaodipiCarry, ChaodipiSettled
from schema.options import ChaodipiOptions

Carry = ChaodipiCarry
PerSeat = tuple[int, int, int, int]
Hands = tuple[bytes, bytes, bytes, bytes]
UNKNOWN = -1
"""A seat or trump suit that nobody knows yet."""
RED_FIVES = 8
"""The rung of a pair of 红桃5."""


class House(Struct, frozen=True, eq=False):
    """A table's options, and the contexts that they make: `context(level, trump)`."""

    options: ChaodipiOptions
    context: Callable[[int, int], Context]


class Deal(Struct, frozen=True, eq=False):
    """The cards as dealt: per seat in deal order, packed, and the bottom in deck order."""

    start: int
    hands: Hands
    holdings: PerSeat
    bottom: bytes


class AwaitingDeal(Struct, frozen=True, eq=False):
    """Before the deck is dealt."""

    house: House
    carry: Carry

    trick = 0
    is_over = False


class Setting(Struct, frozen=True, eq=False):
    """What declaring and stirring have come to so far.

    `rung` is that of the cards last shown, by `declarer`; 0 and -1 where nobody has shown any.
    `dealer` is -1 in a first hand until somebody declares. `is_turned`: the bottom lies open;
    `has_red_fives`: a pair of 红桃5 was shown by anybody.
    """

    house: House
    carry: Carry
    deal: Deal
    level: int
    trump: int
    rung: int
    declarer: int
    dealer: int
    is_turned: bool
    has_red_fives: bool

    @property
    def is_flag(self) -> bool:
        """扛旗: no trump suit, no bottom."""
        return self.level == FLAG

    @property
    def is_first(self) -> bool:
        """The first hand of a match."""
        return self.carry.dealer is None


class Show(Struct, frozen=True):
    """Cards shown to make trump: who, what, and the trump and rung that they made."""

    seat: int
    cards: bytes
    trump: int
    rung: int


class Declaring(Struct, frozen=True, eq=False):
    """Dealt; the seats may declare. `after` is the deal's progress at the last show."""

    setting: Setting
    shows: tuple[Show, ...]
    after: int

    trick = 0
    is_over = False


class Burying(Struct, frozen=True, eq=False):
    """`seat` has taken the bottom and must bury; `passed` are seats that are asked no more.

    `burier` has buried what was taken; -1: it is the bottom of the deal.
    """

    setting: Setting
    shows: tuple[Show, ...]
    holdings: PerSeat
    taken: bytes
    burier: int
    seat: int
    passed: frozenset[int]

    trick = 0
    is_over = False


class Stirring(Struct, frozen=True, eq=False):
    """Buried by `burier`; the seats in `asked` are still to be asked, the first of them now."""

    setting: Setting
    shows: tuple[Show, ...]
    holdings: PerSeat
    bottom: bytes
    burier: int
    asked: tuple[int, ...]
    passed: frozenset[int]

    trick = 0
    is_over = False


class Playing(Struct, frozen=True, eq=False, gc=False):
    """Tricks are played.

    `plays` are those of the trick from `leader` on, `lead` its shape; `attempted` the cards of a
    throw as the leader laid them, b"" of any other lead. `captured` are points of won tricks a
    seat, `penalty` what failed throws come to for the attackers. `won` is winner and points of the
    last closed trick, `last_lead` its lead; `latest` the last play.
    """

    setting: Setting
    context: Context
    shows: tuple[Show, ...]
    holdings: PerSeat
    bottom: bytes
    burier: int
    leader: int
    turn: int
    lead: Shape | None
    attempted: bytes
    beaten_by: tuple[int, ...]
    plays: tuple[bytes, ...]
    captured: PerSeat
    penalty: int
    trick: int
    won: tuple[int, int]
    last_lead: Shape | None
    latest: tuple[int, bytes]

    is_over = False


class Over(Struct, frozen=True, eq=False):
    """The hand is over and settled; `before` is the state in which it ended."""

    before: "AwaitingDeal | Declaring | Burying | Stirring | Playing"
    settled: ChaodipiSettled

    is_over = True

    @property
    def trick(self) -> int:
        """The trick that ended the hand; 0 before play."""
        return self.before.trick


ChaodipiState = AwaitingDeal | Declaring | Burying | Stirring | Playing | Over
"""A state of a hand."""


def setting_of(state: ChaodipiState) -> Setting | None:
    """What is known of dealer and trump; None before the deal."""
    match state:
        case AwaitingDeal():
            return None
        case Over():
            return setting_of(state.before)
        case _:
            return state.setting


def carry_in(state: ChaodipiState) -> Carry:
    """What the hand opened with."""
    match state:
        case AwaitingDeal():
            return state.carry
        case Over():
            return carry_in(state.before)
        case _:
            return state.setting.carry


def side(seat: int) -> int:
    """chaodipi-0.2: side 0 are seats 0 and 2, side 1 are seats 1 and 3."""
    return seat % 2
