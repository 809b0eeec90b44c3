"""Every rule of 打拱 that can be broken, and the ways in which samples break it."""

import itertools

from replay.engine.climbing.states import Asking, ClimbingState, Playing
from replay.engine.dagong.rules import R
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import beats
from replay.engine.rule import Rule
from schema.cards import BLACK_JOKER
from schema.events import By, Fact, SoloAnswered
from tests.samples import lies, meddling, settlements
from tests.samples.meddling import DT, played
from tests.samples.sorts import Way, but


def _said_no_unasked(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking):
        return SoloAnswered(DT, By.PLAYER, (state.dealer + 2) % 4, False)
    return None


def _joker_with_another(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        if mine[-1] >= BLACK_JOKER > mine[0]:
            return played(state.turn, bytes([mine[0], mine[-1]]))
    return None


def _two_triples(state: ClimbingState, fact: Fact) -> Fact | None:
    """飞机: two neighbouring 三条 laid together."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        ranks = [bytes(c for c in mine if c >> 2 == rank) for rank in range(12)]
        for low, high in itertools.pairwise(ranks):
            if len(low) >= 3 and len(high) >= 3:
                return played(state.turn, low[:3] + high[:3])
    return None


def _weaker_bomb(state: ClimbingState, fact: Fact) -> Fact | None:
    """dagong-5.5 the wrong way round: four of a rank on a 杂五十K."""
    if type(state) is Playing and state.table is not None and state.table.kind == "wsk_mixed":
        mine = unpack(state.holdings[state.turn])
        for rank in range(13):
            held = bytes(c for c in mine if c >> 2 == rank)
            if len(held) == 4:
                play = state.flow.readings(held)[0]
                assert not beats(play, state.table)
                return played(state.turn, held)
    return None


_NO_LOGGED = Way(
    "no-is-logged",
    "Any seat may go solo at any time; a no is logged.",
    _said_no_unasked,
    house=but(solo_order="free"),
)
_JOKER_MIX = Way(
    "joker-with-another-card", "A joker is led with another card.", _joker_with_another
)
_TWO_TRIPLES = Way("two-triples", "飞机: two neighbouring 三条 as one play.", _two_triples)
_FOUR_ON_WSK = Way("four-on-wsk-mixed", "Four of a rank are laid on a 杂五十K.", _weaker_bomb)

WAYS: dict[Rule, tuple[Way, ...]] = {
    R.DECK: (meddling.THIRD_COPY, meddling.PLAYED_BEFORE_THE_DEAL),
    R.HELD: (meddling.NOT_HELD, meddling.HELD_ONCE),
    R.ORDER: (meddling.SEAT_SKIPPED,),
    R.FIRST_DEALER: (meddling.NOT_TURNED_UP, lies.OPENING_WITH_DEALER),
    R.DEALER: (lies.OPENING_DEALER, lies.OPENING_MISSING, lies.OPENING_TWICE),
    R.DEAL_START: (meddling.WRONG_START,),
    R.FIRST_CALL: (meddling.FIRST_CALL_DOUBLED, lies.FIRST_CALL_FALSE, lies.CALL_MISSING),
    R.DEALT_CALL: (meddling.DRAWN_THOUGH_DEALT, lies.DEALT_CALL_FALSE),
    R.RECALL: (lies.RECALL_FALSE, lies.CALL_UNDUE),
    R.DRAWN_CALL: (meddling.DRAWN_CALL_DOUBLED,),
    R.PARTNER: (lies.CALL_DOUBLED,),
    R.REVEAL: (lies.REVEALED_FALSE, lies.REVEALED_MISSING, lies.REVEALED_UNDUE),
    R.JOKER_MIX: (_JOKER_MIX,),
    R.NO_TYPE: (meddling.THREE_WITH_ONE, _TWO_TRIPLES),
    R.GREATER: (meddling.LOWER_SINGLE, _FOUR_ON_WSK),
    R.FIRST_LEAD: (meddling.NOT_THE_DEALER,),
    R.LEADER_PLAYS: (meddling.LEADER_PASSED,),
    R.FOLLOW: (lies.GOOD_PLAY_REFUSED,),
    R.WINNER_LEADS: (meddling.NOT_THE_WINNER, lies.TRICK_WINNER),
    R.OUT_IS_OUT: (meddling.PASSED_WHEN_OUT,),
    R.TRICK_POINTS: (
        lies.TRICK_POINTS,
        lies.TRICK_MISSING,
        lies.TRICK_UNDUE,
        settlements.CAPTURED,
    ),
    R.PLACES: (lies.PLACE_FALSE, lies.PLACE_MISSING, lies.PLACE_UNDUE, settlements.PLACES),
    R.WIND_PARTNER: (meddling.NOT_THE_PARTNER, lies.WIND_PARTNER_FALSE),
    R.WIND_NEXT: (
        meddling.NOT_THE_NEXT_SEAT,
        lies.WIND_NEXT_FALSE,
        lies.WIND_MISSING,
        lies.WIND_UNDUE,
    ),
    R.NORMAL_END: (meddling.PLAYED_ON, meddling.ENDED_EARLY),
    R.BANG_END: (meddling.PLAYED_ON_AFTER_BANG,),
    R.TRANSFERS: (settlements.LEFT, settlements.FINAL),
    R.WINNER: (settlements.WINNERS, settlements.POINTS_RESULT),
    R.QING: (settlements.QING_RESULT,),
    R.BANG: (settlements.BANG_RESULT,),
    R.GUANGTOU: (settlements.GUANGTOU_RESULT,),
    R.SOLO_FREE: (_NO_LOGGED,),
    R.SOLO_ASKED: (meddling.ANSWERED_OUT_OF_TURN, meddling.PLAYED_BEFORE_ANSWER),
    R.SOLO_LEAD: (meddling.SOLOIST_LED,),
    R.SOLO_END: (meddling.PLAYED_ON_AFTER_SOLO, settlements.SOLO_RESULT),
    R.SOLO_COINS: (settlements.SOLO_COINS,),
    R.TIANZHA_BONUS: (settlements.TIANZHA_UNPAID,),
    R.XI_BONUS: (settlements.XI_UNPAID, settlements.BONUS_INVENTED),
    R.BONUS_PAID: (settlements.BONUS_COINS,),
    R.COINS: (
        lies.OPENING_BALANCES,
        settlements.FAN,
        settlements.BALANCES,
        settlements.HAND_NO,
        settlements.MISSING,
        settlements.UNDUE,
    ),
    R.FRIEND_COINS: (settlements.FRIEND_COINS,),
    R.NEXT_DEALER: (settlements.NEXT_DEALER,),
    R.MATCH_LENGTH: (meddling.ONE_HAND_TOO_MANY, lies.OPENING_HAND_NO),
}
"""By rule; a false claim alone breaks dagong-3.6."""
