"""炒地皮 as a Game."""

from collections.abc import Hashable, Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from replay.engine.board import Board, Phrase, Prompt, Stated, Told, Word
from replay.engine.chaodipi import hand, moves, showing
from replay.engine.chaodipi.claims import EXERCISED, claim_rule
from replay.engine.chaodipi.order import Context, context
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.sheet import sheet
from replay.engine.chaodipi.states import (
    AwaitingDeal,
    Burying,
    Carry,
    ChaodipiState,
    Declaring,
    House,
    Over,
    Playing,
    Stirring,
    carry_in,
)
from replay.engine.chaodipi.summary import (
    NO_TYPE,
    hand_facts,
    is_answer,
    notes,
    play_facts,
    play_of,
    shape_in,
)
from replay.engine.chaodipi.view import act_type, board, play_phrase, prompt, sees_taken, sentence
from replay.engine.facts import HandFacts, PlayFacts
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.seats import N_SEATS, per_seat
from replay.engine.rule import Breach, Rule, broken_by
from schema.chaodipi import (
    BottomTaken,
    Buried,
    ChaodipiOpening,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import By, Claim, Event, Fact, Passed, Played, Refused
from schema.options import ChaodipiOptions
from schema.trumps import Named, Trump

ALL_DEALT = 100


class Chaodipi:
    """炒地皮 for one log; the contexts of its levels and trumps stay with it."""

    name = "chaodipi"
    schema_id = "chaodipi/1"
    rules: type[Rule] = R
    direction: Literal["clockwise"] = "clockwise"
    opening_rule: Rule = R.LADDER
    announcements: frozenset[type[Event]] = frozenset((TrumpSet, ThrowJudged))

    def __init__(self) -> None:
        self._houses: dict[ChaodipiOptions, House] = {}

    def _house(self, options: ChaodipiOptions) -> House:
        known = self._houses.get(options)
        if known is None:
            known = self._houses[options] = _house(options)
        return known

    def open(self, options: ChaodipiOptions, carry: Carry) -> AwaitingDeal:
        """A hand before its deal."""
        return AwaitingDeal(self._house(options), carry)

    def opening(self, carry: Carry) -> ChaodipiOpening:
        """The opening claim that states `carry`."""
        return ChaodipiOpening(carry)

    apply = staticmethod(hand.apply)
    due = staticmethod(hand.due)
    adopt = staticmethod(hand.adopt)
    announced = staticmethod(hand.announced)

    def refusal(self, state: ChaodipiState, claim: Event) -> Rule | None:
        """The rule a refused play would have broken; None if it was good."""
        assert isinstance(claim, Refused)
        play = Played(0, By.SERVER, claim.seat, claim.cards)
        return broken_by(partial(hand.apply, state, play))

    def next_carry(self, state: ChaodipiState) -> Carry:
        """What the next hand opens with; the hand's own opening if it is not over."""
        return state.settled.next if isinstance(state, Over) else carry_in(state)

    def first_carry(self, carry: Carry) -> Carry:
        """A match opens at level 2 on both sides, with no dealer; game scores are free."""
        return replace(carry, hand_no=1, dealer=None, levels=(0, 0), failures=(0, 0), is_over=False)

    def rebase(self, settled: ChaodipiSettled, true: Carry) -> ChaodipiSettled:
        """The settlement had the hand opened with `true` game scores and number."""
        scores = per_seat(map(sum, zip(true.scores, settled.deltas, strict=True)))
        completed = 0 if settled.result is ChaodipiResult.ESCAPED else 1
        carry = replace(settled.next, scores=scores, hand_no=true.hand_no + completed)
        return replace(settled, next=carry)

    def match_is_over(self, options: ChaodipiOptions, carry: Carry) -> bool:
        """chaodipi-12.6: 扛旗 is passed, or a player has escaped."""
        return carry.is_over

    def match_breach(self, options: ChaodipiOptions, carry: Carry) -> Breach:
        """A hand after the end of the match."""
        return Breach(R.MATCH_OVER, None, None, None, carry.hand_no)

    def claim_rule(self, state: ChaodipiState | None, claim: Claim, expected: Claim | None) -> Rule:
        """The rule that a false, missing or undue claim breaks."""
        return claim_rule(state, claim, expected)

    def claim_at_level(self, kind: type[Event], level: str) -> bool:
        """Openings are due at every level, the settlement at all but `none`."""
        if kind is ChaodipiOpening or level == "full":
            return True
        return kind is ChaodipiSettled and level == "settlement"

    def turn(self, state: ChaodipiState) -> Prompt:
        """Whose turn it is, what is asked, and what is owed."""
        return prompt(state)

    def plays(self, state: ChaodipiState) -> Iterator[Fact]:
        """Legal facts; of leads and answers those that `moves` lists."""
        match state:
            case Playing():
                yield from _plays(state)
            case Declaring():
                yield from _declarations(state)
            case Stirring():
                yield from _stirs(state)
            case Burying():
                yield _burial(state)
            case _:
                return

    def asked(self, state: ChaodipiState) -> ChaodipiState:
        """The last play is over: the same cards, asked about, may be a lead."""
        return replace(state, latest=(-1, b"")) if isinstance(state, Playing) else state

    def declarable(self, state: ChaodipiState, seat: int, cards: bytes) -> tuple[Fact, ...]:
        """Cards have one reading."""
        return ()

    def reveals(self, state: ChaodipiState) -> Iterator[Fact]:
        """None: no play shows more of its seat than its cards."""
        return iter(())

    def lists_all(self, state: ChaodipiState) -> bool:
        """Of throws, burials and answers with several cards there are too many to list."""
        match state:
            case Burying():
                return False
            case Playing():
                return state.lead is not None and len(state.lead.cards) == 1
            case _:
                return True

    def act(self, state: ChaodipiState, seat: int, cards: bytes) -> Fact:
        """A burial, a show or a play, as the phase is; a pair of 红桃5 names no trump suit."""
        match state:
            case Burying():
                return Buried(0, By.PLAYER, seat, cards)
            case Stirring() if not cards:
                return StirPassed(0, By.PLAYER, seat)
            case Stirring():
                named = Named.NO_TRUMP if showing.is_named(cards) else Named.NOTHING
                return Stirred(0, By.PLAYER, seat, cards, named)
            case Playing():
                return Played(0, By.PLAYER, seat, cards)  # no cards are too few, as any number is
            case Declaring() if cards:
                return Declared(0, By.PLAYER, seat, cards, _named(cards)[-1], ALL_DEALT)
            case _ if not cards:
                return Passed(0, By.PLAYER, seat)
            case _:
                return Played(0, By.PLAYER, seat, cards)

    def act_type(self, state: ChaodipiState, fact: Fact) -> Word:
        """The type of a play; shows by the trump that they make; a burial, a pass."""
        return act_type(state, fact)

    def label(self, state: ChaodipiState, event: Event) -> Phrase:
        """What was played; what a show makes trump, and whether a judged throw stands."""
        match event:
            case Played(seat=seat, cards=cards) if cards and (play := play_of(state)):
                several = "cards" if is_answer(state, seat, cards) else "throw"
                return play_phrase(play.context, cards, several)
            case Passed():
                return Phrase("play.pass")
            case Declared() | Stirred() | ThrowJudged() | TrumpSet():
                return sentence(state, event)
            case _:
                return Phrase("play.none")

    def hidden(self, state: ChaodipiState | None, event: Event, eye: int) -> bool:
        """Refused and buried cards are their seat's alone, and the bottom the taker's.

        Who had buried it knows it, too; a bottom that was turned up everybody has seen. A throw is
        laid open, whatever is led.
        """
        match event:
            case Refused(seat=seat) | Buried(seat=seat):
                return seat != eye
            case BottomTaken(seat=seat):
                return seat != eye and not (isinstance(state, Burying) and sees_taken(state, eye))
            case _:
                return False

    def view(self, state: ChaodipiState, eye: int | None) -> Board:
        """What seat `eye` can see; None sees everything."""
        return board(self.name, state, eye)

    def exercised(self, kinds: frozenset[type[Event]]) -> tuple[Rule, ...]:
        """The rules that events of these kinds put to the test, in the book's order."""
        tested = {rule for kind in kinds for rule in EXERCISED.get(kind, ())}
        return tuple(rule for rule in R if rule in tested)

    def played(self, state: ChaodipiState, fact: Fact) -> PlayFacts:
        """What was played."""
        assert isinstance(fact, Played)
        if not fact.cards:
            return NO_TYPE
        answers = is_answer(state, fact.seat, fact.cards)
        return play_facts(shape_in(state, fact.cards), fact.cards, "mixed" if answers else "throw")

    def play_key(self, state: ChaodipiState, fact: Fact) -> Hashable:
        """The cards; of more than one face also level, trump, and whether they answer a lead."""
        assert isinstance(fact, Played)
        cards = fact.cards
        if len(cards) <= 2 and cards[:1] == cards[-1:]:
            return cards
        table = play_of(state)
        return table.context if table else None, cards, is_answer(state, fact.seat, cards)

    def sheet(self, state: ChaodipiState, options: ChaodipiOptions) -> tuple[Stated | Told, ...]:
        """From the points in tricks to the next dealer."""
        assert isinstance(state, Over)
        return sheet(state)

    notes = staticmethod(notes)

    def summary(self, state: ChaodipiState) -> HandFacts:
        """What is known of the hand in this state."""
        return hand_facts(state)


def _house(options: ChaodipiOptions) -> House:
    known: dict[tuple[int, int], Context] = {}

    def context_of(level: int, trump: int) -> Context:
        found = known.get((level, trump))
        if found is None:
            found = known[level, trump] = context(options, level, trump)
        return found

    return House(options, context_of)


def _plays(state: Playing) -> Iterator[Fact]:
    seat = state.turn
    holding = unpack(state.holdings[seat])
    if state.lead is None:
        found = moves.leads(state.context, holding)
    else:
        options = state.setting.house.options
        found = moves.answers(options, state.context, holding, state.lead)
    return (Played(0, By.PLAYER, seat, cards) for cards in found)


def _named(cards: bytes) -> list[Named]:
    trumps = [Named(int(trump)) for trump in Trump]
    return trumps if showing.is_named(cards) else [Named.NOTHING]


def _declarations(state: Declaring) -> Iterator[Fact]:
    """Every show that is not a breach once all cards are dealt."""
    setting = state.setting
    for seat in range(N_SEATS):
        for cards in showing.shows(setting.deal.hands[seat], setting.level):
            for named in _named(cards):
                fact = Declared(0, By.PLAYER, seat, cards, named, ALL_DEALT)
                breaches: list[Breach] = []
                hand.apply(state, fact, breaches)
                if not breaches:
                    yield fact


def _stirs(state: Stirring) -> Iterator[Fact]:
    seat, setting = state.asked[0], state.setting
    yield StirPassed(0, By.PLAYER, seat)
    for cards in showing.shows(unpack(state.holdings[seat]), setting.level):
        if (showing.rung(cards, setting.level) or 0) > max(setting.rung, showing.SINGLE):
            for named in _named(cards):
                yield Stirred(0, By.PLAYER, seat, cards, named)


def _burial(state: Burying) -> Fact:
    setting = state.setting
    table = setting.house.context(setting.level, setting.trump)
    cards = moves.burial(table, unpack(state.holdings[state.seat]), 8)
    return Buried(0, By.PLAYER, state.seat, cards)
