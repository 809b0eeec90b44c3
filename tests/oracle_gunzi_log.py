"""What a log of 四副滚子 says, told to the oracle; a state of the engine in the oracle's words."""

from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Over,
    Paying,
    Playing,
    Returning,
)
from schema.events import Dealt, Event, Fact, HandEnded, Played, TrickWon
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziCarry,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.trumps import Named
from tests.builders_gunzi import held_in
from tests.oracle_dagong import Illegal
from tests.oracle_gunzi import Hand, copied
from tests.oracle_gunzi_cards import LEVELS, SUITS, faces
from tests.oracle_gunzi_score import Carry
from tests.oracle_gunzi_trump import Blocked, Claim
from tests.oracle_log import Oracle

TRUMPS = (*SUITS, "n")
PHASES: dict[type[GunziState], str] = {
    AwaitingDeal: "deal",
    Declaring: "declare",
    Flipping: "flip",
    Drawing: "draw",
    Paying: "pay",
    Returning: "return",
    Burying: "bury",
    Asking: "ask",
    Playing: "play",
    Over: "over",
}


def carry_of(carry: GunziCarry) -> Carry:
    """What a hand opens with, as the oracle writes it."""
    levels = LEVELS[carry.levels[0] - 1], LEVELS[carry.levels[1] - 1]
    owed = carry.due_for_score, carry.due_for_jokers
    return carry.hand_no, carry.dealer, levels, *owed, carry.is_over


def first(stated: GunziCarry) -> Carry:
    """What a match opens with, whatever is stated."""
    return 1, None, ("3", "3"), 0, 0, False


def claim_of(claim: Event) -> Claim:
    """A claim as the oracle writes it."""
    match claim:
        case TrumpSet():
            return ("trump", TRUMPS[claim.trump], claim.dealer)
        case BottomShown():
            return ("bottom", tuple(faces(claim.cards)), claim.dry)
        case Redealt():
            return ("redealt",)
        case TrickWon():
            return ("trick", claim.seat, claim.points)
        case GunziSettled():
            return (
                "settled",
                *(claim.tricks, claim.fate.name, claim.bottom, claim.factor, claim.score),
                *(claim.result.name, claim.ending.name, claim.risen, carry_of(claim.next)),
            )
        case _:
            raise AssertionError(f"no claim of the oracle's: {claim}")


def _named(named: Named) -> str | None:
    return None if named is Named.NOTHING else TRUMPS[named]


def tell(hand: Hand, fact: Fact) -> set[str]:
    """Tell the oracle a fact: the clauses it breaks; Blocked."""
    match fact:
        case Played():
            return hand.play(fact.seat, faces(fact.cards))
        case Dealt():
            return hand.deal(fact.start, faces(fact.cards))
        case Declared():
            return hand.declare(fact.seat, faces(fact.cards), _named(fact.named), fact.after)
        case DeclaringClosed():
            return hand.close()
        case Flipped():
            return hand.flip(fact.seat, fact.place)
        case Drawn():
            return hand.draw(fact.place)
        case HandEnded():
            return hand.end()
        case _:
            return _tell_of_bottom(hand, fact)


def _tell_of_bottom(hand: Hand, fact: Fact) -> set[str]:
    """Tribute and the bottom."""
    match fact:
        case TributePaid():
            return hand.pay(fact.seat, faces(fact.cards))
        case TributeReturned():
            return hand.give_back(fact.seat, faces(fact.cards))
        case Buried():
            return hand.bury(fact.seat, faces(fact.cards))
        case JokersBuried():
            return hand.bury_jokers(fact.seat, faces(fact.jokers), faces(fact.picked))
        case JokersPassed():
            return hand.bury_jokers(fact.seat, [], [])
        case _:
            raise AssertionError(f"no fact of the oracle's: {fact}")


def heard(hand: Hand, fact: Fact) -> tuple[Hand | None, set[str]]:
    """The hand after the fact and what that breaks; None and the clause if it blocks."""
    twin = copied(hand)
    try:
        return twin, tell(twin, fact)
    except Blocked as blocked:
        return None, {blocked.clause}


def seen_by_oracle(hand: Hand) -> object:
    """All that both must agree on between two facts."""
    if hand.phase in ("deal", "over"):
        return (hand.phase,)
    shown = [(show.seat, show.cards, show.after) for show in hand.shows]
    known = None if hand.phase in ("declare", "flip") else hand.dealer
    trump = None if hand.phase in ("declare", "flip", "draw") else hand.trump
    bottom = hand.bottom
    if hand.is_buried:
        bottom = sorted(bottom)
    play: object = None
    if hand.phase == "play":
        on_table = tuple(tuple(sorted(cards)) for cards in hand.plays)
        play = (hand.turn, hand.leader, on_table, tuple(hand.captured), hand.trick, hand.dry)
    asked = {
        "ask": tuple(hand.asked),
        "flip": hand.turn,
        "pay": hand.phase == "pay" and min(hand.owed, len(hand.payable)),
    }.get(hand.phase)
    cards = [sorted(held) for held in hand.hands]
    return (hand.phase, shown, hand.turned, known, trump, asked, cards, bottom, play)


def seen_by_engine(state: GunziState) -> object:
    """The same of a state of the engine."""
    phase = PHASES[type(state)]
    if isinstance(state, AwaitingDeal | Over):
        return (phase,)
    setting = state.table.setting if isinstance(state, Playing) else state.setting
    shown = [(show.seat, tuple(faces(show.cards)), show.after) for show in setting.shows]
    turned = [(turned.seat, turned.place) for turned in setting.turned]
    known = None if isinstance(state, Declaring | Flipping) else setting.dealer
    early = isinstance(state, Declaring | Flipping | Drawing)
    trump = None if early else TRUMPS[setting.trump]
    hands, bottom = held_in(state)
    below, asked, play = faces(bottom), _asked(state), None
    is_dry = isinstance(state, Playing) and state.table.is_dry
    if phase in ("ask", "play") and not is_dry:
        below = sorted(below)
    if isinstance(state, Playing):
        on_table = tuple(tuple(sorted(faces(cards))) for cards in state.plays)
        rest = (tuple(state.captured), state.trick, is_dry)
        play = (state.turn, state.leader, on_table, *rest)
    cards = [sorted(faces(held)) for held in hands]
    return (phase, shown, turned, known, trump, asked, cards, below, play)


def _asked(state: GunziState) -> object:
    match state:
        case Asking():
            return tuple(state.asked)
        case Flipping():
            return state.seat
        case Paying():
            return state.n
        case _:
            return None


def _tell_legal(hand: Hand, fact: Fact) -> None:
    if tell(hand, fact):
        raise Illegal("a clause is broken")


def _heard_legal(hand: Hand, fact: Fact) -> Hand | None:
    after, clauses = heard(hand, fact)
    return None if clauses else after


ORACLE = Oracle(
    Hand,
    _tell_legal,
    _heard_legal,
    Blocked,
    carry_of,
    claim_of,
    first,
    lambda opening: bool(opening[-1]),
)
"""The second 四副滚子, as the tests of all games ask it."""
