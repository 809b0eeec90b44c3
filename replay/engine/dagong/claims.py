"""Which rule of 打拱 a false claim breaks: the clause that its first wrong part comes from."""

from replay.engine.climbing.states import ClimbingState
from replay.engine.dagong.rules import R
from schema.events import (
    CallDrawn,
    Called,
    Claim,
    ClimbingOpening,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Event,
    HandEnded,
    Passed,
    Played,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)

_RESULT = {
    ClimbingResult.POINTS: R.WINNER,
    ClimbingResult.QING: R.QING,
    ClimbingResult.BANG: R.BANG,
    ClimbingResult.GUANGTOU: R.GUANGTOU,
    ClimbingResult.SOLO_WON: R.SOLO_END,
    ClimbingResult.SOLO_LOST: R.SOLO_END,
}
_KINDS: dict[type[Event], R] = {
    Called: R.RECALL,
    Revealed: R.REVEAL,
    TrickWon: R.TRICK_POINTS,
    WentOut: R.PLACES,
    WindTaken: R.WIND_NEXT,
    Refused: R.FOLLOW,
    ClimbingOpening: R.DEALER,
    ClimbingSettled: R.COINS,
}


def claim_rule(state: ClimbingState | None, claim: Claim, expected: Claim | None) -> R:
    """The rule for a false claim (`expected` is derived), or a missing or undue one (None)."""
    if isinstance(claim, ClimbingSettled) and isinstance(expected, ClimbingSettled):
        return _settlement_rule(claim, expected)
    if isinstance(claim, ClimbingOpening) and isinstance(expected, ClimbingOpening):
        return _opening_rule(claim, expected)
    if isinstance(claim, TrickWon) and isinstance(expected, TrickWon):
        return R.TRICK_POINTS if claim.seat == expected.seat else R.WINNER_LEADS
    return _KINDS[type(claim)]


def _opening_rule(claim: ClimbingOpening, expected: ClimbingOpening) -> R:
    if claim.carry.dealer != expected.carry.dealer:
        return R.FIRST_DEALER if expected.carry.dealer is None else R.DEALER
    return R.COINS if claim.carry.balances != expected.carry.balances else R.MATCH_LENGTH


def _settlement_rule(claim: ClimbingSettled, expected: ClimbingSettled) -> R:
    """The first field that differs, from the causes to what follows from them."""
    result = _RESULT[expected.result]
    fields = (
        (claim.places != expected.places, R.PLACES),
        (claim.captured != expected.captured, R.TRICK_POINTS),
        (claim.left != expected.left or claim.final != expected.final, R.TRANSFERS),
        (claim.result != expected.result or claim.winners != expected.winners, result),
        (claim.bonuses != expected.bonuses, _bonus_rule(claim, expected)),
        (claim.fan != expected.fan, R.COINS),
        (claim.deltas != expected.deltas, _coins_rule(expected)),
        (claim.next.dealer != expected.next.dealer, R.NEXT_DEALER),
    )
    return next((rule for differs, rule in fields if differs), R.COINS)


def _bonus_rule(claim: ClimbingSettled, expected: ClimbingSettled) -> R:
    wrong = set(claim.bonuses) ^ set(expected.bonuses)
    return R.TIANZHA_BONUS if any(not bonus.kind for bonus in wrong) else R.XI_BONUS


def _coins_rule(expected: ClimbingSettled) -> R:
    if expected.bonuses:
        return R.BONUS_PAID
    is_solo = expected.result in (ClimbingResult.SOLO_WON, ClimbingResult.SOLO_LOST)
    return R.SOLO_COINS if is_solo else R.FRIEND_COINS


EXERCISED: dict[type[Event], tuple[R, ...]] = {
    ClimbingOpening: (R.DEALER, R.NEXT_DEALER, R.MATCH_LENGTH),
    Dealt: (R.DECK, R.DEAL_START),
    TurnedUp: (R.FIRST_DEALER,),
    CallDrawn: (R.FIRST_CALL, R.DRAWN_CALL),
    Called: (R.DEALT_CALL, R.RECALL, R.PARTNER),
    SoloAnswered: (R.SOLO_ASKED, R.SOLO_FREE),
    Played: (
        *(R.HELD, R.ORDER, R.JOKER_MIX, R.NO_TYPE, R.GREATER, R.FIRST_LEAD, R.WINNER_LEADS),
        *(R.OUT_IS_OUT, R.WIND_PARTNER, R.WIND_NEXT, R.SOLO_LEAD),
    ),
    Passed: (R.ORDER, R.LEADER_PLAYS),
    Revealed: (R.REVEAL,),
    TrickWon: (R.TRICK_POINTS,),
    WentOut: (R.PLACES,),
    WindTaken: (R.WIND_PARTNER, R.WIND_NEXT),
    Refused: (R.FOLLOW,),
    ClimbingSettled: (
        *(R.TRANSFERS, R.WINNER, R.QING, R.BANG, R.GUANGTOU, R.SOLO_COINS, R.TIANZHA_BONUS),
        *(R.XI_BONUS, R.BONUS_PAID, R.COINS, R.FRIEND_COINS, R.NEXT_DEALER),
    ),
    HandEnded: (R.NORMAL_END, R.BANG_END, R.SOLO_END),
}
"""Which rules an event of each kind puts to the test."""
