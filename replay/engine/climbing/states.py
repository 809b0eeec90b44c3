"""The states of a climbing hand, one type per phase, and the values that tell two games apart."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from replay.engine.mechanics.holding import size
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Rule
from schema.events import Claim, ClimbingCarry

Carry = ClimbingCarry
"""What a hand takes from the one before; the climbing games carry the same."""
PerSeat = tuple[int, int, int, int]
Wilds = tuple[tuple[int, str], ...]
"""Of a play with wild cards: place among its cards, and the rank letter it stands for."""


class FlowRules(Struct, frozen=True, eq=False):
    """The game's own rule for each check of the shared hand.

    `after_end` is for acts after the end, by the end; `normal_end` and `solo_end` for a hand that
    was ended too early.
    """

    deck: Rule
    held: Rule
    order: Rule
    turn_up: Rule
    deal_start: Rule
    first_call: Rule
    dealt_call: Rule
    drawn_call: Rule
    twin: Rule
    first_lead: Rule
    winner_leads: Rule
    wind_partner: Rule
    wind_next: Rule
    solo_lead: Rule
    leader_plays: Rule
    out_is_out: Rule
    greater: Rule
    normal_end: Rule
    solo_end: Rule
    after_end: Mapping[str, Rule]
    solo_asked: Rule
    solo_free: Rule


class Flow(Struct, frozen=True, eq=False):
    """What one game and one table set in the shared hand; each field is read in one place.

    `readings` gives every type a set of cards can be, canonical first; `choose` picks one for
    the table; `wilds` says what its jokers stand for; `no_type` names the rule that a set without
    reading breaks. `before_play` lists what follows the deal. `call` finds the called card among
    the dealer's cards in deal order: None = the system draws one, after the first hand by the
    rule `later_draw`. `decides` says how the hand has ended, "" if it goes on, from a table and
    the points captured; `open_trick_won` holds the ends at which the trick on the table goes to
    whoever laid last.
    """

    rules: FlowRules
    readings: Callable[[bytes], tuple[Play, ...]]
    wilds: Callable[[Play], Wilds]
    choose: Callable[[tuple[Play, ...], Play | None], Play]
    no_type: Callable[[bytes], Rule]
    before_play: tuple[Literal["call", "solo"], ...]
    call: Callable[[bytes], int | None]
    later_draw: Rule
    decides: Callable[["Playing", PerSeat], str]
    settle: Callable[["Ended"], Claim]
    solo_order: Literal["in_turn", "free"]
    solo_leader: Literal["dealer", "soloist"]
    solo_points: Literal["none", "captured"]
    pass_binds: Literal["turn", "trick"]
    final_trick: Literal["stop", "contest"]
    open_trick_won: frozenset[str]
    wind_points_to: Literal["finisher", "leader"]


class AwaitingDeal(Struct, frozen=True, eq=False):
    """Before the deck is dealt."""

    flow: Flow
    carry: Carry

    trick = 0
    is_over = False


class Deal(Struct, frozen=True, eq=False):
    """The cards as dealt: per seat in deal order, and packed."""

    start: int
    hands: tuple[bytes, bytes, bytes, bytes]
    holdings: tuple[int, int, int, int]


class AwaitingTurnUp(Struct, frozen=True, eq=False):
    """First hand: dealt, the turned-up card that makes the dealer is still to come."""

    flow: Flow
    carry: Carry
    deal: Deal

    trick = 0
    is_over = False


class Prepared(Struct, frozen=True, eq=False):
    """The dealer is known, and what is known of the call (-1 = nothing yet); `then` comes next."""

    flow: Flow
    carry: Carry
    deal: Deal
    dealer: int
    called: int
    partner: int
    then: tuple[Literal["call", "solo"], ...]


class AwaitingDraw(Struct, frozen=True, eq=False):
    """The dealer is known; the system must draw the called card. `rule` says why.

    `announced` is a face that the table was told though none was drawn, -1 without: if no draw
    follows, it stands. `then` are the phases before play that are still to come.
    """

    flow: Flow
    carry: Carry
    deal: Deal
    dealer: int
    rule: Rule
    announced: int
    then: tuple[Literal["call", "solo"], ...]

    trick = 0
    is_over = False


class Asking(Struct, frozen=True, eq=False):
    """The seats are asked for 硬牌; `answers` counts the noes.

    `called` and `partner` are -1 where the call comes after the asking; `then` are the phases
    before play that are still to come.
    """

    flow: Flow
    carry: Carry
    deal: Deal
    dealer: int
    called: int
    partner: int
    answers: int
    then: tuple[Literal["call", "solo"], ...]

    trick = 0
    is_over = False


class Playing(Struct, frozen=True, eq=False, gc=False):
    """Tricks are played.

    Sets of seats are masks. `teams` gives each seat's side (0 the dealer's or soloist's);
    `called` and `partner` are -1 in a solo hand, `soloist` -1 in a friend hand. `table` is the
    play to beat, by seat `last`; `passed` the seats that need not be asked again until the next
    play (or trick); `pile` the points on the table, 0 where none are counted; `won` winner and
    points of the last closed trick (-1: the hand ended with an open trick that is nobody's);
    `lead_rule` why `turn` has the lead; `decided` how the hand ends when a contested last trick
    closes; `laid` the acts of the trick; `latest` the last play, also when its trick has closed.
    """

    flow: Flow
    carry: Carry
    deal: Deal
    dealer: int
    called: int
    partner: int
    soloist: int
    teams: PerSeat
    holdings: PerSeat
    active: int
    turn: int
    table: Play | None
    last: int
    passed: int
    pile: int
    captured: PerSeat
    places: tuple[int, ...]
    is_revealed: bool
    is_scored: bool
    trick: int
    won: tuple[int, int]
    lead_rule: Rule
    decided: str
    laid: tuple[tuple[int, Play | None], ...]
    latest: tuple[int, Play] | None

    is_over = False

    @property
    def left(self) -> PerSeat:
        """How many cards each seat holds."""
        return per_seat(map(size, self.holdings))


class Ended(Struct, frozen=True, eq=False):
    """How the hand ended, what the settlement is computed from: normal, bang, solo or early."""

    play: Playing
    end: str
    places: tuple[int, ...]


class Over(Struct, frozen=True, eq=False):
    """The hand is over and settled; `play` is the table as it was left."""

    play: Playing
    end: str
    places: tuple[int, ...]
    settled: Claim

    is_over = True

    @property
    def trick(self) -> int:
        """The trick that ended the hand."""
        return self.play.trick

    @property
    def deal(self) -> Deal:
        """The cards as dealt."""
        return self.play.deal

    @property
    def dealer(self) -> int:
        """The dealer."""
        return self.play.dealer

    @property
    def flow(self) -> Flow:
        """The hand's flow."""
        return self.play.flow

    @property
    def carry(self) -> Carry:
        """What the hand opened with."""
        return self.play.carry


ClimbingState = AwaitingDeal | AwaitingTurnUp | AwaitingDraw | Asking | Playing | Over
