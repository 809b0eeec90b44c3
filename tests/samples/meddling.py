"""Wrong facts that break the rules of both climbing games alike: a way each, and their parts."""

from collections.abc import Callable

from msgspec.structs import replace

from replay.engine.climbing.deal import singles
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    FlowRules,
    Over,
    Playing,
)
from replay.engine.mechanics.holding import count, unpack
from replay.engine.rule import Rule
from schema.cards import BLACK_JOKER
from schema.events import By, CallDrawn, Dealt, Fact, HandEnded, Passed, Played, SoloAnswered
from tests.samples.forge import Meddle, no_meddling
from tests.samples.sorts import Way, but

DT = 1_200
"""Think time of a bent choice, ms."""


def played(seat: int, cards: bytes) -> Played:
    """A player's play."""
    return Played(DT, By.PLAYER, seat, cards)


def passed(seat: int) -> Passed:
    """A player's pass."""
    return Passed(DT, By.PLAYER, seat)


def lowest(state: Playing, seat: int) -> bytes:
    """The lowest card that a seat holds."""
    return unpack(state.holdings[seat])[:1]


# The deal and the call


def _third_copy(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, Dealt):
        return replace(fact, cards=fact.cards.replace(b"\x00", b"\x01", 1))
    return None


def _wrong_start(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, Dealt):
        return replace(fact, start=(fact.start + 1) % 4)
    return None


def _played_before_the_deal(state: ClimbingState, fact: Fact) -> Fact | None:
    return played(0, b"\x00") if isinstance(state, AwaitingDeal) else None


def _drawn_before_turn_up(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, AwaitingTurnUp):
        return CallDrawn(DT, state.deal.hands[0][0])
    return None


def _doubled(state: AwaitingDraw | Asking) -> int:
    """The lowest face of which the dealer holds both copies."""
    cards = state.deal.hands[state.dealer]
    return min(code for code in cards if cards.count(code) == 2)


def _drew_a_doubled_card(state: ClimbingState, fact: Fact) -> Fact | None:
    return CallDrawn(DT, _doubled(state)) if isinstance(state, AwaitingDraw) else None


def _drew_though_dealt(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking) and not state.answers:
        faces = singles(state.deal.hands[state.dealer])
        return CallDrawn(DT, next(code for code in faces if code != state.called))
    return None


# 硬牌


def _answered_out_of_turn(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, SoloAnswered):
        return replace(fact, seat=(fact.seat + 1) % 4)
    return None


def _played_before_all_answered(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking) and state.answers == 3:
        return played(state.dealer, state.deal.hands[state.dealer][:1])
    return None


# Leads and passes


def _led_out_of_turn(reason: Callable[[FlowRules], Rule]) -> Meddle:
    """Another seat leads where this rule gives the lead: of the wind before 明鸡, the partner."""

    def meddle(state: ClimbingState, fact: Fact) -> Fact | None:
        if type(state) is not Playing or state.table is not None:
            return None
        rules = state.flow.rules
        if state.lead_rule is not reason(rules):
            return None
        others = [s for s in range(4) if state.active >> s & 1 and s != state.turn]
        is_wind = state.lead_rule is rules.wind_next
        friends = [s for s in others if is_wind and _is_side_of_first(state, s)]
        seat = (friends or others)[0]
        return played(seat, lowest(state, seat))

    return meddle


def _led_as_soloist(state: ClimbingState, fact: Fact) -> Fact | None:
    """The soloist leads the first trick though it is the dealer's."""
    if type(state) is Playing and state.trick == 1 and state.table is None:
        is_soloist = state.soloist not in (-1, state.turn)
        return played(state.soloist, lowest(state, state.soloist)) if is_soloist else None
    return None


def _is_side_of_first(state: Playing, seat: int) -> bool:
    return state.teams[seat] == state.teams[state.places[-1]]


def _leader_passed(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is None and state.trick == 2:
        return passed(state.turn)
    return None


def _seat_skipped(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is not None:
        seat = (state.turn + 1) % 4
        if seat != state.last and state.active >> seat & 1:
            return passed(seat)
    return None


def _passed_when_out(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.places and state.table is not None:
        return passed(state.places[0])
    return None


# Cards


def _not_held(state: ClimbingState, fact: Fact) -> Fact | None:
    """A card that only another seat holds."""
    if type(state) is Playing and state.table is None:
        mine = state.holdings[state.turn]
        theirs = unpack(state.holdings[(state.turn + 1) % 4])
        return played(state.turn, bytes([next(c for c in theirs if not count(mine, c))]))
    return None


def _held_once(state: ClimbingState, fact: Fact) -> Fact | None:
    """A pair of one face of which the seat holds a single copy."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        once = [code for code in mine if mine.count(code) == 1 and code < BLACK_JOKER]
        return played(state.turn, bytes(once[:1] * 2)) if once else None
    return None


def _three_with_one(state: ClimbingState, fact: Fact) -> Fact | None:
    """三条 with a card attached: no type."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        for code in mine:
            same = bytes(c for c in mine if c >> 2 == code >> 2 and c < BLACK_JOKER)
            other = bytes(c for c in mine if c >> 2 != code >> 2 and c < BLACK_JOKER)
            if len(same) >= 3 and other:
                return played(state.turn, same[:3] + other[:1])
    return None


def _lower_single(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is not None and state.table.kind == "single":
        cards = lowest(state, state.turn)
        if state.left[state.turn] > 1 and cards[0] >> 2 <= state.table.rank:
            return played(state.turn, cards)
    return None


# The end


def played_on(end: str) -> Meddle:
    """After the hand has ended in this way, a seat that still holds cards lays one."""

    def meddle(state: ClimbingState, fact: Fact) -> Fact | None:
        if isinstance(state, Over) and state.end == end:
            seat = next(s for s in range(4) if state.play.left[s])
            return played(seat, lowest(state.play, seat))
        return None

    return meddle


def _ended_early(state: ClimbingState, fact: Fact) -> Fact | None:
    return HandEnded(DT) if type(state) is Playing and state.trick == 3 else None


THIRD_COPY = Way("third-copy", "The deck holds one face three times.", _third_copy)
PLAYED_BEFORE_THE_DEAL = Way(
    "play-before-the-deal", "A card is laid before the deal.", _played_before_the_deal
)
NOT_HELD = Way("card-of-another-seat", "A seat leads a card that it does not hold.", _not_held)
HELD_ONCE = Way("held-once-played-twice", "A pair of which one card is held.", _held_once)
SEAT_SKIPPED = Way(
    "seat-skipped", "A seat passes before the seat in turn has acted.", _seat_skipped
)
NOT_TURNED_UP = Way(
    "no-card-turned-up",
    "First hand: the call is drawn although no card was turned up.",
    _drawn_before_turn_up,
)
WRONG_START = Way(
    "deal-not-from-the-dealer", "The deal starts beside the dealer.", _wrong_start, n_hands=2
)
FIRST_CALL_DOUBLED = Way(
    "doubled-card-drawn",
    "First hand: a card is drawn that the dealer holds twice.",
    _drew_a_doubled_card,
)
DRAWN_THOUGH_DEALT = Way(
    "drawn-although-dealt",
    "The deal has given the call, yet the server draws another card.",
    _drew_though_dealt,
    n_hands=2,
)
DRAWN_CALL_DOUBLED = Way(
    "doubled-card-drawn",
    "The calls run past the dealer's last card: one is drawn that the dealer holds twice.",
    _drew_a_doubled_card,
    n_hands=2,
)
THREE_WITH_ONE = Way("three-with-one", "三条 with a card attached.", _three_with_one)
LOWER_SINGLE = Way("lower-single", "A lower single is laid on a higher one.", _lower_single)
NOT_THE_DEALER = Way(
    "not-the-dealer",
    "Another seat than the dealer leads the first trick.",
    _led_out_of_turn(lambda rules: rules.first_lead),
)
LEADER_PASSED = Way("leader-passes", "The leader of the second trick passes.", _leader_passed)
NOT_THE_WINNER = Way(
    "not-the-winner",
    "Another seat than the winner leads the next trick.",
    _led_out_of_turn(lambda rules: rules.winner_leads),
)
PASSED_WHEN_OUT = Way(
    "pass-of-a-seat-that-is-out", "A seat without cards passes.", _passed_when_out
)
NOT_THE_PARTNER = Way(
    "next-seat-took-the-wind",
    "接风 after 明鸡 belongs to the winner's partner; another seat leads.",
    _led_out_of_turn(lambda rules: rules.wind_partner),
)
NOT_THE_NEXT_SEAT = Way(
    "partner-took-the-wind",
    "接风 before 明鸡 belongs to the next seat; the winner's partner leads.",
    _led_out_of_turn(lambda rules: rules.wind_next),
)
PLAYED_ON = Way(
    "last-seat-plays-on", "末游 lays a card after the third seat is out.", played_on("normal")
)
ENDED_EARLY = Way("ended-too-early", "The hand is ended in its third trick.", _ended_early)
PLAYED_ON_AFTER_BANG = Way(
    "played-on-after-bang", "A card is laid after 绑 has ended the hand.", played_on("bang")
)
ANSWERED_OUT_OF_TURN = Way(
    "answer-out-of-turn", "A seat answers before it is asked.", _answered_out_of_turn
)
PLAYED_BEFORE_ANSWER = Way(
    "play-before-the-last-answer", "A lead before the fourth answer.", _played_before_all_answered
)
SOLOIST_LED = Way("soloist-leads", "The soloist leads where the dealer must.", _led_as_soloist)
PLAYED_ON_AFTER_SOLO = Way(
    "played-on-after-solo", "A card is laid after the solo hand is decided.", played_on("solo")
)
ONE_HAND_TOO_MANY = Way(
    "second-hand-of-one",
    "A second hand in a match of one hand.",
    no_meddling,
    n_hands=2,
    house=but(hands_per_match=1),
)
