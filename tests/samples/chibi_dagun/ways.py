"""Every rule of 赤壁打滚 that can be broken, and the ways in which samples break it."""

from replay.engine.chibi_dagun.rules import R
from replay.engine.rule import Rule
from tests.samples import lies, meddling, settlements
from tests.samples.chibi_dagun import claims, facts
from tests.samples.scripts import RUN_OFF, Script
from tests.samples.sorts import Way


def _solo(way: Way) -> Way:
    """The same in a hand in which seat 1 goes solo; seat 0 is the dealer."""
    return way._replace(script=Script(dealer=0, soloist=1))


WAYS: dict[Rule, tuple[Way, ...]] = {
    R.DECK: (meddling.THIRD_COPY, meddling.PLAYED_BEFORE_THE_DEAL, facts.DEALT_TWICE),
    R.FIRST_DEALER: (
        meddling.NOT_TURNED_UP,
        facts.TURNED_UP_LATER,
        lies.OPENING_WITH_DEALER,
    ),
    R.DEALER: (lies.OPENING_DEALER, lies.OPENING_MISSING, lies.OPENING_TWICE),
    R.DEAL_START: (meddling.WRONG_START,),
    R.FIRST_CALL: (
        meddling.FIRST_CALL_DOUBLED,
        facts.DRAWN_TWICE,
        lies.FIRST_CALL_FALSE,
        lies.CALL_MISSING,
    ),
    R.DEALT_CALL: (meddling.DRAWN_THOUGH_DEALT, lies.DEALT_CALL_FALSE),
    R.RECALL: (lies.RECALL_FALSE, claims.FALLBACK_FALSE, claims.CALL_UNDUE),
    R.DRAWN_CALL: (meddling.DRAWN_CALL_DOUBLED._replace(script=RUN_OFF), claims.DRAWN_CALL_FALSE),
    R.PARTNER: (lies.CALL_DOUBLED,),
    R.SOLO_ASKED: (
        meddling.ANSWERED_OUT_OF_TURN,
        meddling.PLAYED_BEFORE_ANSWER,
        facts.ANSWERED_AFTER_YES,
        facts.ANSWERED_UNASKED,
        facts.DRAWN_BEFORE_ASKING,
        facts.DRAWN_AFTER_ANSWER,
    ),
    R.FIRST_LEAD: (meddling.NOT_THE_DEALER, _solo(meddling.SOLOIST_LED), facts.DEALER_LED),
    R.READING: facts.READINGS,
    R.NO_TYPE: (meddling.THREE_WITH_ONE, *facts.NO_TYPES),
    R.ORDER: (
        meddling.SEAT_SKIPPED,
        meddling.PASSED_WHEN_OUT,
        facts.FOLLOWED_OUT_OF_TURN,
    ),
    R.HELD: (meddling.NOT_HELD, meddling.HELD_ONCE, facts.JOKER_NOT_HELD),
    R.LEADER_PLAYS: (meddling.LEADER_PASSED,),
    R.GREATER: (meddling.LOWER_SINGLE, *facts.NOT_GREATER, lies.GOOD_PLAY_REFUSED),
    R.TRICK_WINNER: (lies.TRICK_WINNER, lies.TRICK_MISSING, lies.TRICK_UNDUE),
    R.WINNER_LEADS: (meddling.NOT_THE_WINNER,),
    R.REVEAL: (lies.REVEALED_FALSE, lies.REVEALED_MISSING, lies.REVEALED_UNDUE, claims.OTHER_JOKER),
    R.WIND_PARTNER: (meddling.NOT_THE_PARTNER, lies.WIND_PARTNER_FALSE),
    R.WIND_NEXT: (
        meddling.NOT_THE_NEXT_SEAT,
        lies.WIND_NEXT_FALSE,
        lies.WIND_MISSING,
        lies.WIND_UNDUE,
    ),
    R.SOLO_REVEAL: (_solo(claims.SOLO_REVEAL),),
    R.WIND_NEVER: (_solo(claims.SOLO_WIND),),
    R.PLACES: (lies.PLACE_FALSE, lies.PLACE_MISSING, lies.PLACE_UNDUE, settlements.PLACES),
    R.SOLO_END: (facts.ENDED_SOLO,),
    R.NORMAL_END: (meddling.ENDED_EARLY,),
    R.AFTER_END: (
        meddling.PLAYED_ON,
        meddling.PLAYED_ON_AFTER_BANG,
        _solo(meddling.PLAYED_ON_AFTER_SOLO),
        facts.PLAYED_ON_AFTER_EARLY,
        facts.ABORTED_WHEN_OVER,
    ),
    R.TRICK_POINTS: (lies.TRICK_POINTS, claims.JOKER_AS_KING),
    R.CAPTURED: (settlements.CAPTURED,),
    R.OPEN_TRICK: (claims.OPEN_TRICK_FALSE, claims.OPEN_TRICK_MISSING),
    R.TRANSFER: (settlements.FINAL,),
    R.LEFT: (settlements.LEFT,),
    R.BANG_POINTS: (claims.BANG_TRICK, claims.BANG_FINAL),
    R.SOLO_POINTS: (_solo(claims.SOLO_TRICK), _solo(claims.SOLO_FINAL)),
    R.BANG: (settlements.BANG_RESULT,),
    R.GUANGTOU: (settlements.GUANGTOU_RESULT,),
    R.WINNER: (settlements.WINNERS, settlements.POINTS_RESULT),
    R.TIE: (claims.TIED_WINNERS,),
    R.QING: (settlements.QING_RESULT,),
    R.SOLO_RESULT: (_solo(settlements.SOLO_RESULT), _solo(claims.SOLO_WON_RESULT)),
    R.BONUS: (
        claims.TIANZHA_UNPAID,
        claims.XI_UNPAID,
        claims.XI8_IS_XI7,
        claims.XI7_WITH_JOKER,
        settlements.BONUS_INVENTED,
    ),
    R.BONUS_PAID: (claims.BONUS_COINS,),
    R.COINS: (
        lies.OPENING_BALANCES,
        settlements.FAN,
        settlements.BALANCES,
        settlements.HAND_NO,
        settlements.MISSING,
        settlements.UNDUE,
    ),
    R.FRIEND_COINS: (settlements.FRIEND_COINS,),
    R.SOLO_COINS: (_solo(settlements.SOLO_COINS),),
    R.NEXT_DEALER: (settlements.NEXT_DEALER,),
    R.MATCH_LENGTH: (meddling.ONE_HAND_TOO_MANY, lies.OPENING_HAND_NO),
}
"""By rule, in the book's order."""
