"""打拱 as a Game: the shared climbing hand with this game's types, call and settlement."""

from collections.abc import Iterator
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.board import Board, Phrase, Prompt
from replay.engine.climbing import hand
from replay.engine.climbing.deal import draw_rule_of, expected_answer, friend_play
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    Carry,
    ClimbingState,
    Flow,
    FlowRules,
    Over,
    Playing,
)
from replay.engine.climbing.summary import NO_TYPE, play_facts
from replay.engine.climbing.view import board, play_phrase, prompt
from replay.engine.dagong import moves
from replay.engine.dagong.call import call
from replay.engine.dagong.claims import EXERCISED, claim_rule
from replay.engine.dagong.rules import R
from replay.engine.dagong.settlement import carried, settle
from replay.engine.dagong.summary import summary
from replay.engine.dagong.types import Types
from replay.engine.facts import HandFacts, PlayFacts
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play
from replay.engine.rule import Breach, Rule, RuleViolation
from schema.cards import BLACK_JOKER
from schema.events import (
    By,
    Called,
    Claim,
    ClimbingOpening,
    ClimbingSettled,
    Event,
    Fact,
    Passed,
    Played,
    Refused,
    SoloAnswered,
    WindTaken,
)
from schema.options import DagongOptions

_RULES = FlowRules(
    deck=R.DECK,
    held=R.HELD,
    order=R.ORDER,
    turn_up=R.FIRST_DEALER,
    deal_start=R.DEAL_START,
    first_call=R.FIRST_CALL,
    dealt_call=R.DEALT_CALL,
    drawn_call=R.DRAWN_CALL,
    twin=R.PARTNER,
    first_lead=R.FIRST_LEAD,
    winner_leads=R.WINNER_LEADS,
    wind_partner=R.WIND_PARTNER,
    wind_next=R.WIND_NEXT,
    solo_lead=R.SOLO_LEAD,
    leader_plays=R.LEADER_PLAYS,
    out_is_out=R.OUT_IS_OUT,
    greater=R.GREATER,
    normal_end=R.NORMAL_END,
    bang_end=R.BANG_END,
    solo_end=R.SOLO_END,
    solo_asked=R.SOLO_ASKED,
    solo_free=R.SOLO_FREE,
)


def _no_type(cards: bytes) -> R:
    """dagong-4.10 for a joker among others, dagong-4.11 for any other set."""
    jokers = sum(code >= BLACK_JOKER for code in cards)
    return R.JOKER_MIX if 0 < jokers < len(cards) else R.NO_TYPE


def _only(readings: tuple[Play, ...], table: Play | None) -> Play:
    """dagong-4: a set of cards has at most one type, so there is nothing to choose."""
    return readings[0]


class _Table(Struct, frozen=True, eq=False):
    """One table's options and the values that they make."""

    options: DagongOptions
    types: Types
    flow: Flow


class Dagong:
    """打拱 for one log; what it has classified under the log's options stays with it."""

    name = "dagong"
    schema_id = "dagong/1"
    rules: type[Rule] = R
    direction: Literal["counter-clockwise"] = "counter-clockwise"
    opening_rule: Rule = R.DEALER
    match_rule: Rule = R.MATCH_LENGTH
    announcements: frozenset[type[Event]] = frozenset((Called,))

    def __init__(self) -> None:
        self._tables: dict[DagongOptions, _Table] = {}

    def _opened(self, options: DagongOptions) -> _Table:
        known = self._tables.get(options)
        if known is None:
            known = self._tables[options] = _table(options)
        return known

    def _table(self, flow: Flow) -> _Table:
        return next(table for table in self._tables.values() if table.flow is flow)

    def open(self, options: DagongOptions, carry: Carry) -> AwaitingDeal:
        """A hand before its deal."""
        return AwaitingDeal(self._opened(options).flow, carry)

    def opening(self, carry: Carry) -> ClimbingOpening:
        """The opening claim that states `carry`."""
        return ClimbingOpening(carry)

    apply = staticmethod(hand.apply)
    due = staticmethod(hand.due)
    adopt = staticmethod(hand.adopt)
    announced = staticmethod(hand.announced)

    def refusal(self, state: ClimbingState, claim: Event) -> Rule | None:
        """The rule a refused play would have broken; None if it was good."""
        assert isinstance(claim, Refused)
        breaches: list[Breach] = []
        try:
            hand.apply(state, Played(0, By.SERVER, claim.seat, claim.cards), breaches)
        except RuleViolation as violation:
            return violation.breach.rule
        return breaches[0].rule if breaches else None

    def next_carry(self, state: ClimbingState) -> Carry:
        """What the next hand opens with; the hand's own opening if it is not over."""
        if isinstance(state, Over):
            assert isinstance(state.settled, ClimbingSettled)
            return state.settled.next
        return state.carry

    def first_carry(self, carry: Carry) -> Carry:
        """A match opens with no dealer and hand 1; balances are free."""
        return replace(carry, hand_no=1, dealer=None)

    def rebase(self, settled: ClimbingSettled, true: Carry) -> ClimbingSettled:
        """The settlement had the hand opened with `true` balances and number."""
        first = settled.places[0]
        return replace(settled, next=carried(true, settled.deltas, first))

    def match_is_over(self, options: DagongOptions, carry: Carry) -> bool:
        """dagong-11.5: `hands_per_match` completed hands are behind it."""
        return 0 < options.hands_per_match < carry.hand_no

    def claim_rule(self, state: ClimbingState | None, claim: Claim, expected: Claim | None) -> Rule:
        """The rule that a false, missing or undue claim breaks."""
        if isinstance(claim, Called) and isinstance(state, Asking):
            return self._call_rule(state)
        if isinstance(claim, Called) and isinstance(state, AwaitingDraw):
            return state.rule
        if isinstance(claim, WindTaken) and isinstance(state, Playing):
            return R.WIND_PARTNER if state.is_revealed else R.WIND_NEXT
        return claim_rule(claim, expected)

    def _call_rule(self, state: Asking) -> Rule:
        """Where the call came from: drawn, dealt as the first card, or re-called."""
        drawn_by = draw_rule_of(state)
        if drawn_by is not None:
            return drawn_by
        found = call(self._table(state.flow).options, state.deal.hands[state.dealer])
        return R.DEALT_CALL if len(found.trail) == 1 else R.RECALL

    def claim_at_level(self, kind: type[Event], level: str) -> bool:
        """Openings are due at every level, the settlement at all but `none`."""
        if kind is ClimbingOpening or level == "full":
            return True
        return kind is ClimbingSettled and level == "settlement"

    def turn(self, state: ClimbingState) -> Prompt:
        """Whose turn it is, what is asked, and what must be beaten."""
        return prompt(state)

    def plays(self, state: ClimbingState) -> Iterator[Fact]:
        """Every legal fact of the seat in turn, up to the choice among equal-ranked suits."""
        match state:
            case Asking():
                yield from self._answers(state)
            case Playing():
                yield from self._plays(state)
            case _:
                return

    def _answers(self, state: Asking) -> Iterator[Fact]:
        seat = expected_answer(state)
        if seat is None:
            yield from (SoloAnswered(0, By.PLAYER, s, True) for s in range(4))
            yield from self._plays(friend_play(state))
            return
        yield SoloAnswered(0, By.PLAYER, seat, False)
        yield SoloAnswered(0, By.PLAYER, seat, True)

    def _plays(self, state: Playing) -> Iterator[Fact]:
        types = self._table(state.flow).types
        for play in moves.plays(types, unpack(state.holdings[state.turn]), state.table):
            yield Played(0, By.PLAYER, state.turn, play.cards)
        if state.table is not None:
            yield Passed(0, By.PLAYER, state.turn)

    def label(self, state: ClimbingState, event: Event) -> Phrase:
        """The type of a play, or the event's own word."""
        if isinstance(event, Played):
            readings = state.flow.readings(event.cards)
            return play_phrase(readings[0]) if readings else Phrase("play.none")
        return Phrase("play.pass") if isinstance(event, Passed) else Phrase("play.none")

    def view(self, state: ClimbingState, eye: int | None) -> Board:
        """What seat `eye` can see; None sees everything."""
        return board(self.name, state, eye)

    def exercised(self, kinds: frozenset[type[Event]]) -> tuple[Rule, ...]:
        """The rules that events of these kinds put to the test, in the book's order."""
        tested = {rule for kind in kinds for rule in EXERCISED.get(kind, ())}
        return tuple(rule for rule in R if rule in tested)

    def played(self, state: ClimbingState, fact: Fact) -> PlayFacts:
        """What was played."""
        assert isinstance(fact, Played)
        readings = state.flow.readings(fact.cards)
        return play_facts(readings[0]) if readings else NO_TYPE

    def summary(self, state: ClimbingState) -> HandFacts:
        """What is known of the hand in this state."""
        return summary(self._table(state.flow).options, state)


def _table(options: DagongOptions) -> _Table:
    types = Types(options)
    # dagong-3.1: under random_single every hand's call is drawn as in the first
    drawn_call = R.FIRST_CALL if options.call_rule == "random_single" else R.DRAWN_CALL
    flow = Flow(
        rules=replace(_RULES, drawn_call=drawn_call),
        readings=types.readings,
        choose=_only,
        no_type=_no_type,
        call=lambda cards: call(options, cards).called,
        later_draw=R.FIRST_CALL if options.call_rule == "random_single" else R.DRAWN_CALL,
        settle=partial(settle, options),
        solo_order=options.solo_order,
        solo_leader=options.solo_leader,
        pass_binds=options.pass_binds,
        final_trick=options.final_trick,
        wind_points_to=options.wind_points_to,
    )
    return _Table(options, types, flow)
