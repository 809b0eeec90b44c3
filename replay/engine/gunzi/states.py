"""The states of a 四副滚子 hand, one type per phase."""

from collections.abc import Callable

from msgspec import Struct

from replay.engine.gunzi.order import Context
from schema.gunzi import GunziCarry, GunziSettled
from schema.options import GunziOptions

Carry = GunziCarry
PerSeat = tuple[int, int, int, int]
Hands = tuple[bytes, bytes, bytes, bytes]
UNKNOWN = -1
"""A seat or trump suit that nobody knows yet."""
DECKS = 3


class House(Struct, frozen=True, eq=False):
    """A table's options, and the contexts of its hands: `context(level, trump)`."""

    options: GunziOptions
    context: Callable[[int, int], Context]


class Deal(Struct, frozen=True, eq=False):
    """The cards as dealt: per seat in deal order, packed, and the bottom in deck order."""

    start: int
    hands: Hands
    holdings: PerSeat
    bottom: bytes


class Show(Struct, frozen=True):
    """Cards shown to make trump, with how many were dealt by then.

    `trump` is the suit that they make, -1 of a 大王; `rung` how high they are.
    """

    seat: int
    cards: bytes
    trump: int
    rung: int
    after: int


class Turned(Struct, frozen=True):
    """A bottom card turned up before the bottom is shown: its place, by which seat (-1: none)."""

    seat: int
    place: int


class Burial(Struct, frozen=True):
    """Jokers that a seat buried, and what it picked for them."""

    seat: int
    jokers: bytes
    picked: bytes


class Setting(Struct, frozen=True, eq=False):
    """What is known of a hand before play, and what has happened in it so far.

    `trump` and `dealer` are -1 while unknown. `paid` and `returned` are the tribute, `burials`
    those of jokers by others than the dealer.
    """

    house: House
    carry: Carry
    deal: Deal
    level: int
    trump: int
    dealer: int
    shows: tuple[Show, ...]
    turned: tuple[Turned, ...]
    paid: bytes
    returned: bytes
    burials: tuple[Burial, ...]

    @property
    def is_first(self) -> bool:
        """The first hand of a match."""
        return self.carry.dealer is None

    @property
    def due(self) -> int:
        """Cards owed to the dealer from the hand before; none in a first hand (gunzi-9.10)."""
        return 0 if self.is_first else self.carry.due_for_score + self.carry.due_for_jokers

    @property
    def payer(self) -> int:
        """gunzi-9.1: the dealer's previous seat."""
        return (self.dealer + 3) % 4

    @property
    def context(self) -> Context:
        """The order of the cards, of a hand whose trump suit is known."""
        return self.house.context(self.level, self.trump)


class AwaitingDeal(Struct, frozen=True, eq=False):
    """Before the deck is dealt, for the first time or anew."""

    house: House
    carry: Carry

    trick = 0
    is_over = False


class Declaring(Struct, frozen=True, eq=False):
    """Dealt; the seats may declare."""

    setting: Setting

    trick = 0
    is_over = False


class Flipping(Struct, frozen=True, eq=False):
    """A first hand that nobody declared: `seat` is to turn up a bottom card."""

    setting: Setting
    seat: int

    trick = 0
    is_over = False


class Drawing(Struct, frozen=True, eq=False):
    """Bottom cards are turned up until one has a suit."""

    setting: Setting

    trick = 0
    is_over = False


class Paying(Struct, frozen=True, eq=False):
    """The dealer's previous seat is to pay `n` cards."""

    setting: Setting
    n: int

    trick = 0
    is_over = False


class Returning(Struct, frozen=True, eq=False):
    """The dealer is to return as many cards as were paid."""

    setting: Setting
    holdings: PerSeat

    trick = 0
    is_over = False


class Burying(Struct, frozen=True, eq=False):
    """The dealer has taken the bottom of the deal, and must bury."""

    setting: Setting
    holdings: PerSeat

    trick = 0
    is_over = False


class Asking(Struct, frozen=True, eq=False):
    """The dealer has buried; the seats in `asked` may still bury jokers, the first of them now.

    `buried` is the dealer's bottom, `bottom` what it is by now, ascending by code.
    """

    setting: Setting
    holdings: PerSeat
    buried: bytes
    bottom: bytes
    is_public: bool
    asked: tuple[int, ...]

    trick = 0
    is_over = False


class Table(Struct, frozen=True, eq=False):
    """What stays the same while tricks are played; `buried` is b"" in 干锅 (`is_dry`)."""

    setting: Setting
    context: Context
    buried: bytes
    bottom: bytes
    is_public: bool
    is_dry: bool


class Playing(Struct, frozen=True, eq=False, gc=False):
    """Tricks are played.

    `plays` are those of the trick from `leader` on. `captured` are points of won tricks a seat,
    `won` winner and points of the last closed trick.
    """

    table: Table
    holdings: PerSeat
    leader: int
    turn: int
    plays: tuple[bytes, ...]
    captured: PerSeat
    trick: int
    won: tuple[int, int]

    is_over = False


class Over(Struct, frozen=True, eq=False):
    """The hand is over and settled; `before` is the state in which it ended."""

    before: Playing
    settled: GunziSettled

    is_over = True

    @property
    def trick(self) -> int:
        """The trick that ended the hand."""
        return self.before.trick


BeforePlay = Declaring | Flipping | Drawing | Paying | Returning | Burying | Asking
"""A state of a hand that is dealt and in which nobody has led."""
GunziState = AwaitingDeal | BeforePlay | Playing | Over
"""A state of a hand."""


def setting_of(state: GunziState) -> Setting | None:
    """What is known of the hand; None before the deal."""
    match state:
        case AwaitingDeal():
            return None
        case Over():
            return state.before.table.setting
        case Playing():
            return state.table.setting
        case _:
            return state.setting


def carry_in(state: GunziState) -> Carry:
    """What the hand opened with."""
    setting = setting_of(state)
    if setting is not None:
        return setting.carry
    assert isinstance(state, AwaitingDeal)
    return state.carry


def play_of(state: GunziState) -> Playing | None:
    """The tricks, once the dealer has led or may lead."""
    if isinstance(state, Over):
        return state.before
    return state if isinstance(state, Playing) else None


def holdings_of(state: GunziState) -> PerSeat | None:
    """What the seats hold; None before the deal."""
    match state:
        case AwaitingDeal():
            return None
        case Over():
            return state.before.holdings
        case Returning() | Burying() | Asking() | Playing():
            return state.holdings
        case _:
            return state.setting.deal.holdings


def side(seat: int) -> int:
    """gunzi-1.1: side 0 are seats 0 and 2, side 1 are seats 1 and 3."""
    return seat % 2
