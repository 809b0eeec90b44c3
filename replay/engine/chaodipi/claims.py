"""Which rule of 炒地皮 a false claim breaks: the clause that its first wrong part comes from."""

from replay.engine.chaodipi.levels import TO_TAKE
from replay.engine.chaodipi.order import ACE, FLAG
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.shapes import is_throw
from replay.engine.chaodipi.states import (
    UNKNOWN,
    Burying,
    ChaodipiState,
    Over,
    Playing,
    Setting,
    setting_of,
    side,
)
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    ChaodipiEffect,
    ChaodipiOpening,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import Claim, Dealt, Event, HandEnded, Played, Refused, TrickWon

_KINDS: dict[type[Event], R] = {
    TrumpSet: R.TRUMP_SET,
    BottomShown: R.BOTTOM_TRUMP,
    BottomTaken: R.BOTTOM_TAKEN,
    ThrowJudged: R.THROW_STANDS,
    TrickWon: R.HIGHEST,
    Refused: R.LEAD,
    ChaodipiOpening: R.LADDER,
    ChaodipiSettled: R.WINNER,
}


def claim_rule(state: ChaodipiState | None, claim: Claim, expected: Claim | None) -> R:
    """The rule for a false claim (`expected` is derived), or a missing or undue one (None)."""
    match claim, expected:
        case ChaodipiSettled(), ChaodipiSettled():
            return _settlement_rule(state, claim, expected)
        case ChaodipiOpening(), ChaodipiOpening():
            return _opening_rule(claim, expected)
        case TrickWon(), _:
            return _trick_rule(state, claim, expected)
        case ThrowJudged(), ThrowJudged():
            stands = not expected.beaten_by
            return R.THROW_STANDS if stands or not claim.beaten_by else R.THROW_FAILS
        case TrumpSet(), _:
            setting = setting_of(state) if state is not None else None
            by_bottom = setting is not None and setting.is_turned and setting.rung == 0
            return R.BOTTOM_TRUMP if by_bottom else R.TRUMP_SET
        case BottomTaken(), BottomTaken():
            return _taken_rule(state, claim, expected)
        case _:
            return _KINDS[type(claim)]


def _taken_rule(state: ChaodipiState | None, claim: BottomTaken, expected: BottomTaken) -> R:
    """The wrong seat takes the dealer's bottom, or the cards are not those of the bottom."""
    by_deal = isinstance(state, Burying) and state.burier == UNKNOWN
    return R.DEALER if by_deal and claim.seat != expected.seat else R.BOTTOM_TAKEN


def _trick_rule(state: ChaodipiState | None, claim: TrickWon, expected: Claim | None) -> R:
    if isinstance(expected, TrickWon) and claim.seat == expected.seat:
        return R.TRICK_POINTS
    before = state.before if isinstance(state, Over) else state
    if not isinstance(before, Playing) or before.last_lead is None:
        return R.HIGHEST
    if before.last_lead.is_wsk:
        return R.WSK_WON
    return R.THROW_WON if is_throw(before.last_lead) else R.HIGHEST


def _opening_rule(claim: ChaodipiOpening, expected: ChaodipiOpening) -> R:
    """The first field that differs."""
    one, other = claim.carry, expected.carry
    fields = (
        (one.dealer != other.dealer, R.DEALER if other.dealer is None else R.NEXT_DEALER),
        (one.levels != other.levels, R.LADDER),
        (one.failures != other.failures, R.FAILURES),
        (one.scores != other.scores, R.SCORE),
    )
    return next((rule for differs, rule in fields if differs), R.MATCH_OVER)


def _settlement_rule(
    state: ChaodipiState | None, claim: ChaodipiSettled, expected: ChaodipiSettled
) -> R:
    """The first field that differs, from the causes to what follows from them."""
    if expected.result is ChaodipiResult.ESCAPED:
        return R.ESCAPE
    setting = setting_of(state) if state is not None else None
    effect = _effect_rule(setting, expected)
    is_match_won = expected.result is ChaodipiResult.MATCH_WON
    fields = (
        (claim.tricks != expected.tricks, R.TRICK_POINTS),
        (claim.bottom != expected.bottom, R.BOTTOM_POINTS),
        (claim.factor != expected.factor, R.FACTOR),
        (claim.penalty != expected.penalty, R.THROW_FAILS),
        (claim.score != expected.score, R.BOTTOM_POINTS),
        (claim.result != expected.result, _result_rule(expected)),
        (claim.effect != expected.effect, effect),
        (claim.risen != expected.risen, effect),
        (claim.next.levels != expected.next.levels, effect),
        (claim.next.failures != expected.next.failures, R.FAILURES),
        (claim.deltas != expected.deltas, R.FLAG_BONUS if is_match_won else R.SCORE),
        (claim.next.dealer != expected.next.dealer, R.NEXT_DEALER),
        (claim.next.is_over != expected.next.is_over, R.FLAG_PASSED),
    )
    return next((rule for differs, rule in fields if differs), R.SCORE)


def _result_rule(expected: ChaodipiSettled) -> R:
    if expected.effect is ChaodipiEffect.LAST_WSK:
        return R.LAST_WSK
    return R.FLAG_PASSED if expected.result is ChaodipiResult.MATCH_WON else R.WINNER


def _effect_rule(setting: Setting | None, expected: ChaodipiSettled) -> R:
    """What set the levels."""
    match expected.effect:
        case ChaodipiEffect.LAST_WSK:
            return R.LAST_WSK
        case ChaodipiEffect.RED_FIVE:
            return R.RED_FIVE_EFFECT
        case ChaodipiEffect.ALL:
            return R.ALL_POINTS
        case ChaodipiEffect.FLAG:
            return _flag_rule(setting, expected)
        case _:
            return _points_rule(setting, expected)


def _flag_rule(setting: Setting | None, expected: ChaodipiSettled) -> R:
    if expected.result is ChaodipiResult.MATCH_WON:
        return R.FLAG_PASSED
    if setting is not None and expected.next.levels[side(setting.dealer)] != FLAG:
        return R.FLAG_FALL
    return R.FLAG_TAKEN


def _points_rule(setting: Setting | None, expected: ChaodipiSettled) -> R:
    if expected.result is ChaodipiResult.TAKEN:
        return R.TAKEN_RISE if expected.score >= TO_TAKE + 10 else R.TAKEN
    is_ace = setting is not None and setting.level == ACE
    return R.ACE_PASSED if is_ace else R.HELD_RISE


_LAYING = (
    *(R.ORDER, R.HELD, R.LEADER, R.LEAD, R.THROW_REJECTED, R.COUNT, R.SUIT, R.PAIRS, R.TRACTORS),
    *(R.WSK_FOLLOWED, R.TRUMP_WSK_FOLLOWED, R.HAND_END),
)
_SHOWING = (R.HELD, R.SHOWS, R.NAMING, R.NAMED_EXTRA)
EXERCISED: dict[type[Event], tuple[R, ...]] = {
    ChaodipiOpening: (R.LADDER, R.DEALER, R.NEXT_DEALER, R.FAILURES, R.MATCH_OVER),
    Dealt: (R.DECK, R.DEAL_START),
    Declared: (
        *_SHOWING,
        *(R.DECLARE_TIME, R.HIGHER, R.BY_OTHERS, R.AFTER_RED_FIVE, R.FLAG_DECLARING),
    ),
    BottomTurned: (R.DECLARING,),
    DeclaringClosed: (R.DECLARING,),
    Buried: (R.BURIAL, R.HELD, R.FLAG_BOTTOM),
    StirPassed: (R.STIR_ORDER, R.STIR_END),
    Stirred: (*_SHOWING, R.STIR_ORDER, R.STIR_HIGHER, R.STIR_END),
    TrumpSet: (R.TRUMP_SET, R.BOTTOM_TRUMP),
    BottomShown: (R.BOTTOM_TRUMP,),
    BottomTaken: (R.BOTTOM_TAKEN, R.DEALER),
    ThrowJudged: (R.THROW_STANDS, R.THROW_FAILS),
    Played: _LAYING,
    TrickWon: (R.HIGHEST, R.THROW_WON, R.WSK_WON, R.TRICK_POINTS),
    Refused: (R.LEAD,),
    Escaped: (R.ESCAPE,),
    ChaodipiSettled: (
        *(R.BOTTOM_POINTS, R.FACTOR, R.WINNER, R.HELD_RISE, R.ALL_POINTS, R.TAKEN, R.TAKEN_RISE),
        *(R.ACE_PASSED, R.FLAG_PASSED, R.FLAG_TAKEN, R.FLAG_FALL, R.LAST_WSK, R.RED_FIVE_EFFECT),
        *(R.NEXT_DEALER, R.FAILURES, R.SCORE, R.FLAG_BONUS, R.ESCAPE),
    ),
    HandEnded: (R.HAND_END,),
}
"""Which rules an event of each kind puts to the test."""
