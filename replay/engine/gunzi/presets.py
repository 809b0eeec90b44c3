"""Presets for new matches: complete options, by name. A log never takes anything from here."""

from msgspec.structs import replace

from schema.gunzi import GunziCarry
from schema.options import GunziOptions

RULES_VERSION = "gunzi-rules/1"
"""The rule book that this engine judges by; HEAD names it."""

DEFAULT = GunziOptions(
    match_end="ten_passed",
    skipping_ten="never",
    must_deal="ten",
    flip_winner="largest",
    flip_order="game",
    late_first_show="allowed",
    joker_triple_opens="never",
    joker_triple="above_level_triple",
    self_overturn_suit="any",
    tribute_return="any",
    tribute_points="own_level",
    dry_trump_two="constant",
    dry_first_hand="on",
    dry_three_jokers="nothing",
    others_bury="allowed",
    others_bury_ban="all_points",
    pick_tie="rank",
    leader="winner",
    follow_mode="live",
    dead_triple="follows",
    bottom_factor=2,
    red_joker_levels=2,
    black_joker_levels=1,
    full_score="from_300",
    three_jokers="either",
    dealer_after_hold="partner",
    dealer_after_swap="next",
)
"""The book's default for every option: 活棒."""

DEAD = replace(DEFAULT, follow_mode="dead")
"""死棒: pairs and triples must be followed."""

PRESETS: dict[str, GunziOptions] = {"default": DEFAULT, "dead": DEAD}

FIRST_CARRY = GunziCarry(
    hand_no=1, dealer=None, levels=(1, 1), due_for_score=0, due_for_jokers=0, is_over=False
)
"""What the first hand of a match opens with."""
