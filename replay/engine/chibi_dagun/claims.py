"""Which rule of 赤壁打滚 a false claim breaks: the clause that its first wrong part comes from."""

from replay.engine.chibi_dagun.rules import R
from replay.engine.climbing.states import ClimbingState, Over, Playing
from replay.engine.mechanics.seats import N_SEATS
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
    PlayedAs,
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
    ClimbingResult.SOLO_WON: R.SOLO_RESULT,
    ClimbingResult.SOLO_LOST: R.SOLO_RESULT,
}
_OPEN_TRICK = {"normal": R.OPEN_TRICK, "bang": R.BANG_POINTS, "solo": R.SOLO_POINTS}
"""Whose the trick on the table is when the hand ends with it; by an early stop nobody's."""
_TRANSFERRED = {"bang": R.BANG_POINTS, "solo": R.SOLO_POINTS, "early": R.CAPTURED}
"""Why nothing is transferred at an end, other than the normal one."""
_KINDS: dict[type[Event], R] = {
    Called: R.RECALL,
    Revealed: R.REVEAL,
    TrickWon: R.TRICK_WINNER,
    WentOut: R.PLACES,
    WindTaken: R.WIND_NEVER,
    Refused: R.GREATER,
    ClimbingOpening: R.DEALER,
    ClimbingSettled: R.COINS,
}


def claim_rule(state: ClimbingState | None, claim: Claim, expected: Claim | None) -> R:
    """The rule for a false claim (`expected` is derived), or a missing or undue one (None)."""
    if isinstance(claim, ClimbingSettled) and isinstance(expected, ClimbingSettled):
        return _settlement_rule(state, claim, expected)
    if isinstance(claim, ClimbingOpening) and isinstance(expected, ClimbingOpening):
        return _opening_rule(claim, expected)
    if isinstance(claim, TrickWon):
        return _trick_rule(state, claim, expected)
    if isinstance(claim, Revealed) and _is_solo(state):
        return R.SOLO_REVEAL
    return _KINDS[type(claim)]


def _is_solo(state: ClimbingState | None) -> bool:
    play = state.play if isinstance(state, Over) else state
    return isinstance(play, Playing) and play.soloist >= 0


def _trick_rule(state: ClimbingState | None, claim: TrickWon, expected: Claim | None) -> R:
    """Who won a trick, what was in it; at the end of a hand, whose the open trick is."""
    if isinstance(expected, TrickWon) and claim.seat == expected.seat:
        return R.TRICK_POINTS
    if isinstance(state, Over) and _was_open(state):
        return _OPEN_TRICK.get(state.end, R.TRICK_WINNER)
    return R.TRICK_WINNER


def _was_open(state: Over) -> bool:
    """Whether the hand ended with a card laid, and not with the pass that closed a trick."""
    is_contested = bool(state.play.decided)
    return not is_contested and state.play.laid[-1][1] is not None


def _opening_rule(claim: ClimbingOpening, expected: ClimbingOpening) -> R:
    if claim.carry.dealer != expected.carry.dealer:
        return R.FIRST_DEALER if expected.carry.dealer is None else R.DEALER
    return R.COINS if claim.carry.balances != expected.carry.balances else R.MATCH_LENGTH


def _settlement_rule(
    state: ClimbingState | None, claim: ClimbingSettled, expected: ClimbingSettled
) -> R:
    """The first field that differs, from the causes to what follows from them."""
    end = state.end if isinstance(state, Over) else "normal"
    fields = (
        (claim.places != expected.places, R.PLACES),
        (claim.captured != expected.captured, R.CAPTURED),
        (claim.left != expected.left, _TRANSFERRED.get(end, R.LEFT)),
        (claim.final != expected.final, _TRANSFERRED.get(end, R.TRANSFER)),
        (
            claim.result != expected.result or claim.winners != expected.winners,
            _result_rule(expected),
        ),
        (claim.bonuses != expected.bonuses, R.BONUS),
        (claim.fan != expected.fan, R.COINS),
        (claim.deltas != expected.deltas, _coins_rule(expected)),
        (claim.next.dealer != expected.next.dealer, R.NEXT_DEALER),
    )
    return next((rule for differs, rule in fields if differs), R.COINS)


def _result_rule(expected: ClimbingSettled) -> R:
    """By how the hand was decided; equal points are decided by 末游 (chibi_dagun-14.4)."""
    if expected.result is ClimbingResult.POINTS and len(expected.places) == N_SEATS:
        won = sum(expected.final[seat] for seat in expected.winners)
        if 2 * won == sum(expected.final):
            return R.TIE
    return _RESULT[expected.result]


def _coins_rule(expected: ClimbingSettled) -> R:
    if expected.bonuses:
        return R.BONUS_PAID
    is_solo = expected.result in (ClimbingResult.SOLO_WON, ClimbingResult.SOLO_LOST)
    return R.SOLO_COINS if is_solo else R.FRIEND_COINS


_LAYING = (
    *(R.HELD, R.ORDER, R.NO_TYPE, R.GREATER, R.FIRST_LEAD, R.WINNER_LEADS, R.WIND_PARTNER),
    *(R.WIND_NEXT, R.AFTER_END),
)
EXERCISED: dict[type[Event], tuple[R, ...]] = {
    ClimbingOpening: (R.DEALER, R.NEXT_DEALER, R.MATCH_LENGTH),
    Dealt: (R.DECK, R.DEAL_START),
    TurnedUp: (R.FIRST_DEALER,),
    CallDrawn: (R.FIRST_CALL, R.DRAWN_CALL),
    Called: (R.DEALT_CALL, R.RECALL, R.PARTNER),
    SoloAnswered: (R.SOLO_ASKED,),
    Played: _LAYING,
    PlayedAs: (*_LAYING, R.READING),
    Passed: (R.ORDER, R.LEADER_PLAYS, R.AFTER_END),
    Revealed: (R.REVEAL,),
    TrickWon: (R.TRICK_POINTS, R.TRICK_WINNER, R.OPEN_TRICK, R.BANG_POINTS, R.SOLO_POINTS),
    WentOut: (R.PLACES,),
    WindTaken: (R.WIND_PARTNER, R.WIND_NEXT),
    Refused: (R.GREATER,),
    ClimbingSettled: (
        *(R.CAPTURED, R.TRANSFER, R.LEFT, R.BANG, R.GUANGTOU, R.WINNER, R.TIE, R.QING),
        *(R.SOLO_RESULT, R.BONUS, R.BONUS_PAID, R.COINS, R.FRIEND_COINS, R.SOLO_COINS),
        R.NEXT_DEALER,
    ),
    HandEnded: (R.NORMAL_END, R.SOLO_END),
}
"""Which rules an event of each kind puts to the test."""
