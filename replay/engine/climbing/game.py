"""ClimbingGame: the Game that both climbing games are, from the parts that tell them apart."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.board import Board, Phrase, Prompt, Stated, Told, Word
from replay.engine.climbing import hand
from replay.engine.climbing.deal import draw_rule_of, expected_answer, friend_play, is_call_last
from replay.engine.climbing.reveals import could_reveal, twins
from replay.engine.climbing.settlement import carried
from replay.engine.climbing.sheet import sheet
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    Carry,
    ClimbingState,
    Flow,
    Over,
    PerSeat,
    Playing,
)
from replay.engine.climbing.summary import NO_TYPE, hand_facts, play_facts, play_of
from replay.engine.climbing.view import board, play_phrase, prompt
from replay.engine.facts import HandFacts, Note, PlayFacts
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play
from replay.engine.rule import Breach, Rule, broken_by
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
    PlayedAs,
    Refused,
    SoloAnswered,
    WindTaken,
)

Laying = Played | PlayedAs
"""A fact by which a seat lays cards."""


class Rulebook(Struct, frozen=True, eq=False):
    """What is the same at every table of one game.

    `claim_rule` is asked for the claims that do not depend on the call or the wind;
    `exercised` names the rules that an event of each kind puts to the test.
    """

    name: str
    schema_id: str
    rules: type[Rule]
    opening: Rule
    match: Rule
    dealt_call: Rule
    recall: Rule
    wind_partner: Rule
    wind_next: Rule
    claim_rule: Callable[[ClimbingState | None, Claim, Claim | None], Rule]
    exercised: Mapping[type[Event], tuple[Rule, ...]]


class House(Struct, frozen=True, eq=False):
    """What depends on the options of a table besides its flow.

    `moves` are the legal plays of a holding, `lay` the fact that makes one of them; `read` is
    the reading that counts of those of a logged play; `trail` are the cards tried as the call;
    `lists_all` says of a holding whether its `moves` are all that can be laid of it;
    `bonus` the coins that a settlement's bonuses come to, by the teams it was played in.
    """

    flow: Flow
    moves: Callable[[bytes, Play | None], Iterator[Play]]
    lay: Callable[[int, Play, Play | None], Laying]
    read: Callable[[Laying, tuple[Play, ...], Play | None], Play]
    trail: Callable[[bytes], bytes]
    lists_all: Callable[[bytes], bool]
    bonus: Callable[[PerSeat, ClimbingSettled], PerSeat]


_DECLARED = {
    "play.pair_chain": "declared.pair_chain",
    "play.triple_chain": "declared.triple_chain",
    "play.bomb": "declared.bomb",
}
"""The types of which the same cards can be another one."""
_TYPES = {"single_joker": "single", "yaobai_bombs": "yaobai"}
"""Labels of plays that are no types of their own."""


class ClimbingGame:
    """One climbing game for one log; what it has classified stays with it."""

    direction: Literal["counter-clockwise"] = "counter-clockwise"
    announcements: frozenset[type[Event]] = frozenset((Called,))

    def __init__(self, book: Rulebook, house: Callable[[Any], House]) -> None:
        self.name = book.name
        self.schema_id = book.schema_id
        self.rules = book.rules
        self.opening_rule = book.opening
        self._book = book
        self._make_house = house
        self._houses: dict[Any, House] = {}

    def _house_of(self, options: Any) -> House:
        known = self._houses.get(options)
        if known is None:
            known = self._houses[options] = self._make_house(options)
        return known

    def _house(self, flow: Flow) -> House:
        return next(house for house in self._houses.values() if house.flow is flow)

    def open(self, options: Any, carry: Carry) -> AwaitingDeal:
        """A hand before its deal."""
        return AwaitingDeal(self._house_of(options).flow, carry)

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
        play = Played(0, By.SERVER, claim.seat, claim.cards)
        return broken_by(partial(self.apply, state, play))

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

    def match_is_over(self, options: Any, carry: Carry) -> bool:
        """`hands_per_match` completed hands are behind it; 0 = the match has no length."""
        limit: int = options.hands_per_match
        return 0 < limit < carry.hand_no

    def match_breach(self, options: Any, carry: Carry) -> Breach:
        """More hands than the match has."""
        return Breach(self._book.match, None, None, options.hands_per_match, carry.hand_no)

    def claim_rule(self, state: ClimbingState | None, claim: Claim, expected: Claim | None) -> Rule:
        """The rule that a false, missing or undue claim breaks."""
        if isinstance(claim, Called) and (
            isinstance(state, Asking) or (isinstance(state, Playing) and is_call_last(state))
        ):
            return self._call_rule(state)
        if isinstance(claim, Called) and isinstance(state, AwaitingDraw):
            return state.rule
        if isinstance(claim, WindTaken) and isinstance(state, Playing) and state.soloist < 0:
            return self._book.wind_partner if state.is_revealed else self._book.wind_next
        return self._book.claim_rule(state, claim, expected)

    def _call_rule(self, state: Asking | Playing) -> Rule:
        """Where the call came from: drawn, dealt as the first card, or re-called."""
        drawn_by = draw_rule_of(state)
        if drawn_by is not None:
            return drawn_by
        trail = self._house(state.flow).trail(state.deal.hands[state.dealer])
        return self._book.dealt_call if len(trail) == 1 else self._book.recall

    def claim_at_level(self, kind: type[Event], level: str) -> bool:
        """Openings are due at every level, the settlement at all but `none`."""
        if kind is ClimbingOpening or level == "full":
            return True
        return kind is ClimbingSettled and level == "settlement"

    def turn(self, state: ClimbingState) -> Prompt:
        """Whose turn it is, what is asked, and what must be beaten."""
        return prompt(state)

    def plays(self, state: ClimbingState) -> Iterator[Fact]:
        """Every legal fact of the seat in turn, up to the choice among equal-ranked cards."""
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
        house, seat = self._house(state.flow), state.turn
        for play in house.moves(unpack(state.holdings[seat]), state.table):
            yield house.lay(seat, play, state.table)
        if state.table is not None:
            yield Passed(0, By.PLAYER, seat)

    def reveals(self, state: ClimbingState) -> Iterator[Fact]:
        """Before 明鸡 the partner's plays with the called card for an equal one, or without it."""
        if isinstance(state, Playing) and could_reveal(state):
            house, seat = self._house(state.flow), state.turn
            plays = house.moves(unpack(state.holdings[seat]), state.table)
            yield from (house.lay(seat, play, state.table) for play in twins(state, plays))

    def lists_all(self, state: ClimbingState) -> bool:
        """Every type of play is gone through, but not every way to complete it with wild cards."""
        if not isinstance(state, Playing):
            return True
        return self._house(state.flow).lists_all(unpack(state.holdings[state.turn]))

    def asked(self, state: ClimbingState) -> ClimbingState:
        """The last play is over: the same cards, asked about, may be another reading."""
        return replace(state, latest=None) if isinstance(state, Playing) else state

    def declarable(self, state: ClimbingState, seat: int, cards: bytes) -> tuple[Fact, ...]:
        """A declaration for each reading but the one that counts without."""
        table = play_of(state)
        beat, lay = table.table if table else None, self._house(state.flow).lay
        facts = [lay(seat, reading, beat) for reading in state.flow.readings(cards)]
        return tuple(fact for fact in facts if isinstance(fact, PlayedAs))

    def act(self, state: ClimbingState, seat: int, cards: bytes) -> Fact:
        """A play as it is read without a declaration, or a pass."""
        return Played(0, By.PLAYER, seat, cards) if cards else Passed(0, By.PLAYER, seat)

    def act_type(self, state: ClimbingState, fact: Fact) -> Word:
        """The type of a play, a pass, or an answer to whether a seat plays solo."""
        match fact:
            case Passed():
                return "type.pass"
            case SoloAnswered(yes=yes):
                return "cli.explain.solo_yes" if yes else "cli.explain.solo_no"
            case _:
                kind = self._phrase(state, fact).key.rpartition(".")[2]
                return f"type.{_TYPES.get(kind, kind)}"

    def label(self, state: ClimbingState, event: Event) -> Phrase:
        """The type of a play, or the event's own word; of a declared one that it is declared."""
        phrase = self._phrase(state, event)
        if isinstance(event, PlayedAs) and phrase.key in _DECLARED:
            return Phrase(_DECLARED[phrase.key], phrase.slots)
        return phrase

    def _phrase(self, state: ClimbingState, event: Event) -> Phrase:
        if isinstance(event, Laying):
            play = self._reading(state, event)
            return play_phrase(play) if play else Phrase("play.none")
        return Phrase("play.pass") if isinstance(event, Passed) else Phrase("play.none")

    def _reading(self, state: ClimbingState, event: Laying) -> Play | None:
        """A play as it was taken, or would be in this state; None without a type."""
        table = play_of(state)
        if table and table.latest:
            seat, latest = table.latest
            if seat == event.seat and latest.cards == event.cards:
                return latest
        readings = state.flow.readings(event.cards)
        if not readings:
            return None
        return self._house(state.flow).read(event, readings, table.table if table else None)

    def hidden(self, state: ClimbingState | None, event: Event, eye: int) -> bool:
        """Cards that were refused went back to their seat; everything else lies on the table."""
        return isinstance(event, Refused) and event.seat != eye

    def view(self, state: ClimbingState, eye: int | None) -> Board:
        """What seat `eye` can see; None sees everything."""
        return board(self.name, state, eye)

    def exercised(self, kinds: frozenset[type[Event]]) -> tuple[Rule, ...]:
        """The rules that events of these kinds put to the test, in the book's order."""
        tested = {rule for kind in kinds for rule in self._book.exercised.get(kind, ())}
        return tuple(rule for rule in self.rules if rule in tested)

    def played(self, state: ClimbingState, fact: Fact) -> PlayFacts:
        """What was played."""
        assert isinstance(fact, Laying)
        play = self._reading(state, fact)
        if play is None:
            return NO_TYPE
        facts = play_facts(play, state.flow.wilds(play))
        return replace(facts, declared=True) if isinstance(fact, PlayedAs) else facts

    def play_key(self, state: ClimbingState, fact: Fact) -> Hashable:
        """The reading, and whether it was declared."""
        assert isinstance(fact, Laying)
        play = self._reading(state, fact)
        if play is None:
            return None
        # Not the play itself, whose hash takes in what follows from these.
        return play.kind, play.size, play.rank, play.cards, type(fact) is PlayedAs

    def sheet(self, state: ClimbingState, options: Any) -> tuple[Stated | Told, ...]:
        """Every field, what the fan multiplies, what the coins are the sum of, the next hand."""
        assert isinstance(state, Over)
        assert isinstance(state.settled, ClimbingSettled)
        return sheet(state.settled, self.summary(state), options.base)

    def notes(
        self, before: ClimbingState | None, event: Event, after: ClimbingState
    ) -> tuple[Note, ...]:
        """Plays are all there is."""
        return ()

    def summary(self, state: ClimbingState) -> HandFacts:
        """What is known of the hand in this state."""
        bonus = None
        if isinstance(state, Over):
            assert isinstance(state.settled, ClimbingSettled)
            bonus = self._house(state.flow).bonus(state.play.teams, state.settled)
        return hand_facts(state, bonus)
