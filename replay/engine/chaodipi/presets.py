"""Presets for new matches: complete options, by name. A log never takes anything from here."""

from msgspec.structs import replace

from schema.chaodipi import ChaodipiCarry
from schema.options import ChaodipiOptions

RULES_VERSION = "chaodipi-rules/1"
"""The rule book that this engine judges by; HEAD names it."""

DEFAULT = ChaodipiOptions(
    room="single",
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
    throw_penalty=0,
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
"""The book's default for every option: 且战且退, a room for single hands."""

WHOLE_MATCH = replace(DEFAULT, room="match")
"""誓死扛旗, a room for a whole match."""

PRESETS: dict[str, ChaodipiOptions] = {"default": DEFAULT, "match": WHOLE_MATCH}

FIRST_CARRY = ChaodipiCarry(
    hand_no=1,
    dealer=None,
    levels=(0, 0),
    failures=(0, 0),
    scores=(0, 0, 0, 0),
    is_over=False,
)
"""What the first hand of a match opens with, at a table where nobody has a score yet."""
