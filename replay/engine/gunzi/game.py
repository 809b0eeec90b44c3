"""四副滚子 as a Game."""

from collections.abc import Hashable, Iterator
from functools import partial
from typing import Literal

from msgspec.structs import replace

from replay.engine.board import Board, Prompt, Stated, Told
from replay.engine.facts import HandFacts, PlayFacts
from replay.engine.gunzi import hand, labels, moves, showing, sight
from replay.engine.gunzi.bottom import pick_table, smallest_picks
from replay.engine.gunzi.claims import EXERCISED, claim_rule
from replay.engine.gunzi.order import THREE, Context, context
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.sheet import sheet
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Carry,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    House,
    Over,
    Paying,
    Playing,
    Returning,
    carry_in,
)
from replay.engine.gunzi.summary import hand_facts, notes, play_facts
from replay.engine.gunzi.turning import face_down
from replay.engine.gunzi.view import board, prompt
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.ranks import count_jokers
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.rule import Breach, Rule, broken_by
from schema.cards import RED_JOKER
from schema.events import By, Claim, Event, Fact, Passed, Played, Refused
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    Drawn,
    Flipped,
    GunziOpening,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.options import GunziOptions
from schema.trumps import Named

ALL_DEALT = 156


class Gunzi:
    """四副滚子 for one log; the contexts of its levels and trumps stay with it."""

    name = "gunzi"
    schema_id = "gunzi/1"
    rules: type[Rule] = R
    direction: Literal["counter-clockwise"] = "counter-clockwise"
    opening_rule: Rule = R.LEVELS
    announcements: frozenset[type[Event]] = frozenset((TrumpSet, BottomShown))

    def __init__(self) -> None:
        self._houses: dict[GunziOptions, House] = {}

    def _house(self, options: GunziOptions) -> House:
        known = self._houses.get(options)
        if known is None:
            known = self._houses[options] = _house(options)
        return known

    def open(self, options: GunziOptions, carry: Carry) -> AwaitingDeal:
        """A hand before its deal."""
        return AwaitingDeal(self._house(options), carry)

    def opening(self, carry: Carry) -> GunziOpening:
        """The opening claim that states `carry`."""
        return GunziOpening(carry)

    apply = staticmethod(hand.apply)
    due = staticmethod(hand.due)
    adopt = staticmethod(hand.adopt)
    announced = staticmethod(hand.announced)

    def refusal(self, state: GunziState, claim: Event) -> Rule | None:
        """The rule a refused play would have broken; None if it was good."""
        assert isinstance(claim, Refused)
        play = Played(0, By.SERVER, claim.seat, claim.cards)
        return broken_by(partial(hand.apply, state, play))

    def next_carry(self, state: GunziState) -> Carry:
        """What the next hand opens with; the hand's own opening if it is not over."""
        return state.settled.next if isinstance(state, Over) else carry_in(state)

    def first_carry(self, carry: Carry) -> Carry:
        """A match opens at level 3 on both sides, with no dealer and nothing owed."""
        return Carry(1, None, (THREE, THREE), 0, 0, False)

    def rebase(self, settled: GunziSettled, true: Carry) -> GunziSettled:
        """The settlement had the hand opened with `true`'s number."""
        return replace(settled, next=replace(settled.next, hand_no=true.hand_no + 1))

    def match_is_over(self, options: GunziOptions, carry: Carry) -> bool:
        """gunzi-10.7: the match has been won."""
        return carry.is_over

    def match_breach(self, options: GunziOptions, carry: Carry) -> Breach:
        """A hand after the end of the match."""
        return Breach(R.MATCH_OVER, None, None, None, carry.hand_no)

    def claim_rule(self, state: GunziState | None, claim: Claim, expected: Claim | None) -> Rule:
        """The rule that a false, missing or undue claim breaks."""
        return claim_rule(state, claim, expected)

    def claim_at_level(self, kind: type[Event], level: str) -> bool:
        """Openings are due at every level, the settlement at all but `none`."""
        if kind is GunziOpening or level == "full":
            return True
        return kind is GunziSettled and level == "settlement"

    def turn(self, state: GunziState) -> Prompt:
        """Whose turn it is, what is asked, and what is owed."""
        return prompt(state)

    def plays(self, state: GunziState) -> Iterator[Fact]:
        """Legal facts, as far as `moves` lists them."""
        match state:
            case Playing():
                yield from _plays(state)
            case Declaring():
                yield from _declarations(state)
            case Asking():
                yield from _joker_burials(state)
            case _:
                yield from _of_dealer(state)

    def asked(self, state: GunziState) -> GunziState:
        """Nothing here depends on what was just played."""
        return state

    def declarable(self, state: GunziState, seat: int, cards: bytes) -> tuple[Fact, ...]:
        """Cards have one reading."""
        return ()

    def reveals(self, state: GunziState) -> Iterator[Fact]:
        """None: no play shows more of its seat than its cards."""
        return iter(())

    def lists_all(self, state: GunziState) -> bool:
        """Of burials, free returns and answers with several cards there are too many to list."""
        match state:
            case Burying():
                return False
            case Returning():
                return state.setting.house.options.tribute_return == "smallest"
            case Playing():
                return not state.plays or len(state.plays[0]) == 1
            case _:
                return True

    def act(self, state: GunziState, seat: int, cards: bytes) -> Fact:
        """A tribute, a burial or a play, as the phase is; jokers with the smallest picks."""
        match state:
            case Paying():
                return TributePaid(0, By.PLAYER, seat, cards)
            case Returning():
                return TributeReturned(0, By.PLAYER, seat, cards)
            case Burying():
                return Buried(0, By.PLAYER, seat, cards)
            case Asking() if not cards:
                return JokersPassed(0, By.PLAYER, seat)
            case Asking():
                return JokersBuried(0, By.PLAYER, seat, cards, _picks(state, len(cards)))
            case Playing():
                return Played(0, By.PLAYER, seat, cards)  # no cards are too few, as any number is
            case Declaring() if cards:
                named = _named(cards, _which(state))[0]
                return Declared(0, By.PLAYER, seat, cards, named, _when(state, seat))
            case _ if not cards:
                return Passed(0, By.PLAYER, seat)
            case _:
                return Played(0, By.PLAYER, seat, cards)

    act_type = staticmethod(labels.act_type)
    label = staticmethod(labels.label)

    hidden = staticmethod(sight.hidden)

    def view(self, state: GunziState, eye: int | None) -> Board:
        """What seat `eye` can see; None sees everything."""
        return board(self.name, state, eye)

    def exercised(self, kinds: frozenset[type[Event]]) -> tuple[Rule, ...]:
        """The rules that events of these kinds put to the test, in the book's order."""
        tested = {rule for kind in kinds for rule in EXERCISED.get(kind, ())}
        return tuple(rule for rule in R if rule in tested)

    def played(self, state: GunziState, fact: Fact) -> PlayFacts:
        """What was played."""
        assert isinstance(fact, Played)
        return play_facts(fact.cards)

    def play_key(self, state: GunziState, fact: Fact) -> Hashable:
        """The cards."""
        assert isinstance(fact, Played)
        return fact.cards

    def sheet(self, state: GunziState, options: GunziOptions) -> tuple[Stated | Told, ...]:
        """From the points in tricks to the tribute of the next hand."""
        assert isinstance(state, Over)
        return sheet(state)

    notes = staticmethod(notes)

    def summary(self, state: GunziState) -> HandFacts:
        """What is known of the hand in this state."""
        return hand_facts(state)


def _house(options: GunziOptions) -> House:
    known: dict[tuple[int, int], Context] = {}

    def context_of(level: int, trump: int) -> Context:
        found = known.get((level, trump))
        if found is None:
            found = known[level, trump] = context(level, trump)
        return found

    return House(options, context_of)


def _picks(state: Asking, n: int) -> bytes:
    """The smallest; where there are too few that may be picked, others, which is what is wrong."""
    table = pick_table(state.setting.house.options, state.setting.context)
    best = smallest_picks(table, state.bottom, n)
    rest = bytearray(state.bottom)
    for code in best:
        rest.remove(code)
    return best + bytes(rest[: n - len(best)])


def _plays(state: Playing) -> Iterator[Fact]:
    found = moves.answers(state) if state.plays else moves.leads(unpack(state.holdings[state.turn]))
    return (Played(0, By.PLAYER, state.turn, cards) for cards in found)


def _declarations(state: Declaring) -> Iterator[Fact]:
    """Every show that breaks no rule at the latest moment at which it may be made."""
    setting, which = state.setting, _which(state)
    for seat in range(N_SEATS):
        for cards in showing.shows(which, setting.level, setting.deal.hands[seat]):
            for named in _named(cards, which):
                fact = Declared(0, By.PLAYER, seat, cards, named, _when(state, seat))
                if broken_by(partial(hand.apply, state, fact)) is None:
                    yield fact


def _which(state: Declaring) -> Literal["first", "later"]:
    return "first" if state.setting.is_first else "later"


def _when(state: Declaring, seat: int) -> int:
    """How many cards are dealt when a seat shows: all; and a first 大王, where a suited card has to
    come after it (gunzi-3.18), as soon as the seat has one.
    """
    setting = state.setting
    is_late = setting.is_first and setting.house.options.late_first_show == "forbidden"
    own = setting.deal.hands[seat]
    if not is_late or RED_JOKER not in own:
        return ALL_DEALT
    return own.index(RED_JOKER) * N_SEATS + (seat - setting.deal.start) % N_SEATS + 1


def _named(cards: bytes, which: str) -> list[Named]:
    names = which == "later" and count_jokers(cards) > 0
    return [Named(suit) for suit in range(4)] if names else [Named.NOTHING]


def _joker_burials(state: Asking) -> Iterator[Fact]:
    seat = state.asked[0]
    yield JokersPassed(0, By.PLAYER, seat)
    for jokers, picked in moves.joker_burials(state):
        yield JokersBuried(0, By.PLAYER, seat, jokers, picked)


def _of_dealer(state: GunziState) -> Iterator[Fact]:
    """Cards turned up, tribute, the dealer's burial."""
    match state:
        case Flipping():
            for place in face_down(state.setting):
                yield Flipped(0, By.PLAYER, state.seat, place)
        case Drawing():
            for place in face_down(state.setting):
                yield Drawn(0, By.SERVER, place)
        case Paying():
            for cards in moves.tributes(state):
                yield TributePaid(0, By.PLAYER, state.setting.payer, cards)
        case Returning():
            for cards in moves.returns(state):
                yield TributeReturned(0, By.PLAYER, state.setting.dealer, cards)
        case Burying():
            setting = state.setting
            held = unpack(state.holdings[setting.dealer])
            cards = moves.cheapest(setting, held, len(setting.deal.bottom))
            yield Buried(0, By.PLAYER, setting.dealer, cards)
        case _:
            return
