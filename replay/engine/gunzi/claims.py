"""Which rule of 四副滚子 a false claim breaks: the clause that its first wrong part comes from."""

from replay.engine.gunzi.levels import NOTHING_DUE_FROM, TO_TAKE
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.states import (
    Asking,
    GunziState,
    Setting,
    carry_in,
    play_of,
    setting_of,
)
from schema.events import Claim, Dealt, Event, HandEnded, Played, Refused, TrickWon
from schema.gunzi import (
    BottomFate,
    BottomShown,
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziEnding,
    GunziOpening,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)


def claim_rule(state: GunziState | None, claim: Claim, expected: Claim | None) -> R:
    """The rule for a false claim (`expected` is derived), or a missing or undue one (None)."""
    match claim, expected:
        case GunziSettled(), GunziSettled():
            return _settlement_rule(state, claim, expected)
        case GunziOpening(), GunziOpening():
            return _opening_rule(claim, expected)
        case TrickWon(), TrickWon():
            return R.TRICK_POINTS if claim.seat == expected.seat else R.HIGHEST
        case TrumpSet(), TrumpSet() if claim.trump == expected.trump:
            return _dealer_rule(state)
        case TrumpSet(), _:
            return _trump_rule(state)
        case BottomShown(), BottomShown() if claim.cards == expected.cards:
            return R.DRY
        case BottomShown(), _:
            return _shown_rule(state, expected)
        case Redealt(), _:
            is_first = state is None or carry_in(state).dealer is None
            return R.FIRST_REDEAL if is_first else R.REDEAL
        case _:
            return _KINDS.get(type(claim), R.HIGHEST)


_KINDS: dict[type[Event], R] = {
    GunziOpening: R.LEVELS,
    GunziSettled: R.SCORE,
    Refused: R.LEAD,
}


def _dealer_rule(state: GunziState | None) -> R:
    """Where the dealer comes from."""
    setting = setting_of(state) if state is not None else None
    if setting is None or not setting.is_first:
        return R.KNOWN_DEALER
    return R.FIRST_DEALER if setting.shows else R.FLIP_DEALER


def _trump_rule(state: GunziState | None) -> R:
    """Where the trump suit comes from."""
    setting = setting_of(state) if state is not None else None
    if setting is None:
        return R.TRUMP_SET
    return _first_trump(setting) if setting.is_first else _later_trump(setting)


def _first_trump(setting: Setting) -> R:
    if not setting.shows:
        return R.FLIP_DEALER
    return R.FROM_BOTTOM if setting.turned else R.NEXT_SUITED


def _later_trump(setting: Setting) -> R:
    return R.TRUMP_SET if setting.shows else R.DRAWN_TRUMP


def _shown_rule(state: GunziState | None, expected: Claim | None) -> R:
    """The original bottom or a new one, as far as there is a bottom to be shown."""
    play = play_of(state) if state is not None else None
    is_new = isinstance(state, Asking) or (play is not None and not play.table.is_dry)
    if not is_new:
        return R.BOTTOM_SHOWN
    is_public = play.table.is_public if play else isinstance(state, Asking) and state.is_public
    return R.JOKERS_SHOWN if expected is not None or is_public else R.NEW_BOTTOM_HIDDEN


def _opening_rule(claim: GunziOpening, expected: GunziOpening) -> R:
    """The first field that differs."""
    one, other = claim.carry, expected.carry
    is_first = other.dealer is None
    dues = (one.due_for_score, one.due_for_jokers) != (other.due_for_score, other.due_for_jokers)
    fields = (
        (one.dealer != other.dealer, R.FIRST_HAND if is_first else R.NEXT_DEALER),
        (one.levels != other.levels, R.LEVELS),
        (dues, R.FIRST_HAND if is_first else R.LEVELS),
        (one.is_over != other.is_over, R.NEW_MATCH),
    )
    return next((rule for differs, rule in fields if differs), R.FIRST_HAND)


def _settlement_rule(state: GunziState | None, claim: GunziSettled, expected: GunziSettled) -> R:
    """The first field that differs, from the causes to what follows from them."""
    case, true, next_ = _case_rule(expected), expected.next, claim.next
    end = _ENDINGS[expected.ending or claim.ending]
    is_match = expected.ending is not GunziEnding.NONE
    fields = (
        (claim.tricks != expected.tricks, R.TRICK_POINTS),
        (claim.fate != expected.fate, R.FATE),
        (claim.bottom != expected.bottom, R.SCORE),
        (claim.factor != expected.factor, R.SCORE),
        (claim.score != expected.score, R.SCORE),
        (claim.ending != expected.ending, end),
        (claim.result != expected.result, end if is_match else case),
        (claim.risen != expected.risen, case),
        (next_ != true and is_match, R.NEW_MATCH),
        (next_.levels != true.levels, _ladder_rule(state, expected)),
        (next_.dealer != true.dealer, R.NEXT_DEALER),
        (next_.due_for_score != true.due_for_score, _due_rule(expected)),
        (next_.due_for_jokers != true.due_for_jokers, R.DUE_FOR_JOKERS),
        (next_.is_over != true.is_over, R.NEW_MATCH),
    )
    return next((rule for differs, rule in fields if differs), R.FIRST_HAND)


_ENDINGS = {
    GunziEnding.NONE: R.SCORE,
    GunziEnding.ZERO: R.ZERO,
    GunziEnding.FULL: R.FULL,
    GunziEnding.THREE_JOKERS: R.THREE_JOKERS,
    GunziEnding.TEN_PASSED: R.TEN,
    GunziEnding.TEN_REACHED: R.TEN,
}


def _case_rule(expected: GunziSettled) -> R:
    """gunzi-8.5 to 8.8: the row of the table."""
    rows = {
        (BottomFate.HELD, False): R.HELD_BELOW,
        (BottomFate.CAPTURED, False): R.CAPTURED_BELOW,
        (BottomFate.HELD, True): R.HELD_ABOVE,
        (BottomFate.CAPTURED, True): R.CAPTURED_ABOVE,
    }
    return rows[expected.fate, expected.score >= TO_TAKE]


def _ladder_rule(state: GunziState | None, expected: GunziSettled) -> R:
    """Who is promoted and stays can only be promoted as dealer side; others stop at 10."""
    stays = state is not None and carry_in(state).levels == expected.next.levels
    if not expected.risen:
        return _case_rule(expected)
    return R.PASSING if stays else R.LADDER


def _due_rule(expected: GunziSettled) -> R:
    return R.DUE_BELOW if expected.score < NOTHING_DUE_FROM else R.DUE_ABOVE


EXERCISED: dict[type[Event], tuple[R, ...]] = {
    GunziOpening: (R.LEVELS, R.FIRST_HAND, R.NEXT_DEALER, R.NEW_MATCH, R.MATCH_OVER),
    Dealt: (R.DECK, R.DEAL_START),
    Declared: (
        *(R.HELD, R.DECLARE_TIME, R.FIRST_SHOW, R.SHOWS, R.STRONGER, R.JOKERS_NAME, R.ONE_JOKER),
        *(R.FIRST_STANDS, R.LATE_FIRST, R.JOKERS_OPEN, R.SELF_OVERTURN, R.NAMED_EXTRA),
    ),
    DeclaringClosed: (R.PHASES,),
    Flipped: (R.TURNING,),
    Drawn: (R.TURNING,),
    TributePaid: (R.TRIBUTE, R.NO_FIRST_TRIBUTE, R.PAID_COUNT, R.HELD, R.LARGEST),
    TributeReturned: (R.TRIBUTE, R.NO_FIRST_TRIBUTE, R.RETURNED_COUNT, R.HELD, R.RETURNED),
    Buried: (R.BURIAL, R.HELD, R.BIG_FIRST, R.DRY_STAYS),
    JokersBuried: (
        *(R.OTHERS_BURY, R.HELD, R.BIG_FIRST, R.SMALLEST_PICK, R.PICKABLE, R.PICK_COUNT),
        *(R.ONLY_JOKERS, R.DRY_STAYS),
    ),
    JokersPassed: (R.OTHERS_BURY, R.DRY_STAYS),
    TrumpSet: (
        *(R.NEXT_SUITED, R.FROM_BOTTOM, R.FIRST_DEALER, R.FLIP_DEALER, R.KNOWN_DEALER),
        *(R.TRUMP_SET, R.DRAWN_TRUMP),
    ),
    BottomShown: (R.BOTTOM_SHOWN, R.NEW_BOTTOM_HIDDEN, R.DRY, R.JOKERS_SHOWN),
    Redealt: (R.FIRST_REDEAL, R.REDEAL),
    Played: (R.ORDER, R.PHASES, R.LEAD, R.LEADER, R.HELD, R.COUNT, R.SUIT, R.DEAD),
    TrickWon: (R.HIGHEST, R.TRICK_POINTS),
    Refused: (R.LEAD,),
    GunziSettled: (
        *(R.FATE, R.SCORE, R.HELD_BELOW, R.CAPTURED_BELOW, R.HELD_ABOVE, R.CAPTURED_ABOVE),
        *(R.LADDER, R.PASSING, R.NEXT_DEALER, R.DUE_BELOW, R.DUE_ABOVE, R.DUE_FOR_JOKERS),
        *(R.TEN, R.ZERO, R.FULL, R.THREE_JOKERS, R.NEW_MATCH),
    ),
    HandEnded: (R.HAND_END,),
}
"""Which rules an event of each kind puts to the test."""
