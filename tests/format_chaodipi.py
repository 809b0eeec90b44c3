"""House rules and events of 炒地皮 for tests of the format: well-formed, of no hand ever played."""

from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    ChaodipiCarry,
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
from schema.events import By, Event
from schema.options import ChaodipiOptions
from schema.trumps import Named, Trump

OPTIONS = ChaodipiOptions(
    room="match",
    declare_window="during_and_after",
    stir_moves_dealer="first_hand",
    self_overturn="red_five_only",
    nobody_declares="first_dealt",
    bottom_joker="ignored",
    stir_after_bottom_trump="asked",
    stir_pass="asked_again",
    heart_gap="closed",
    red_five_in_tractor="printed",
    joker_tractor="none",
    level_tractor="strongest",
    failed_throw="force_lowest",
    throw_penalty=10,
    over_ruff="largest_component",
    second_trump_wsk="forced",
    stirred_bottom="counts",
    last_trick_wsk="side_wins",
    bottom_factor="doubling",
    passing_ace="needs_level",
    skipping_ace="never",
    flag_level_base=80,
    flag_failures_max=3,
    red_five_effect="on",
    dealer_after_hold="same",
    dealer_after_swap="next",
    score_levels="actual",
    flag_bonus="winners_only",
    escape_penalty=15,
)
BOTTOM = bytes((0, 53, 10, 10, 1, 2, 3, 52))
FIRST = ChaodipiOpening(ChaodipiCarry(1, None, (0, 0), (0, 0), (0, 0, 0, 0), False))
DECLARED = Declared(300, By.PLAYER, 1, bytes((10, 10)), Named.SPADES, 99)
SETTLED = ChaodipiSettled(
    tricks=95,
    bottom=25,
    factor=4,
    penalty=-10,
    score=185,
    result=ChaodipiResult.TAKEN,
    effect=ChaodipiEffect.RED_FIVE,
    risen=3,
    deltas=(-3, 3, -3, 3),
    next=ChaodipiCarry(8, 2, (13, 12), (1, 0), (-3, 3, 12, 3), False),
)
BEFORE_PLAY: tuple[Event, ...] = (
    DECLARED,
    BottomTurned(1500),
    BottomShown(BOTTOM),
    TrumpSet(Trump.NO_TRUMP, 0),
    DeclaringClosed(20),
    BottomTaken(3, BOTTOM),
    Buried(40_000, By.PLAYER, 3, BOTTOM[::-1]),
    StirPassed(900, By.TRUSTEE, 0),
    Stirred(2500, By.PLAYER, 1, bytes((52, 52)), Named.NOTHING),
)
"""Every kind of event that stands between deal and play, once."""
JUDGED = ThrowJudged(bytes((4, 4)), (0, 2))
ESCAPED = Escaped(5000, 2)
