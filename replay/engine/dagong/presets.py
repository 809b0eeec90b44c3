"""Presets for new matches: complete options, by name. A log never takes anything from here."""

from msgspec.structs import replace

from schema.events import ClimbingCarry
from schema.options import DagongOptions

RULES_VERSION = "dagong-rules/1"
"""The rule book that this engine judges by; HEAD names it."""

DEFAULT = DagongOptions(
    base=1,
    hands_per_match=0,
    call_rule="first_dealt",
    solo_order="in_turn",
    solo_leader="dealer",
    single_jokers="ranked",
    joker_pair="any",
    joker_pairs="ranked",
    pass_binds="turn",
    final_trick="stop",
    wind_points_to="finisher",
    last_hand_points_to="third",
    solo_fan=4,
    bang_fan=2,
    qing_fan=2,
    guangtou_fan=4,
    tianzha_each=1,
    xi8_each=2,
    xi7_each=1,
    bonus_unit="base",
)
"""The book's default for every option."""

FAQ = replace(DEFAULT, call_rule="random_single")
"""The default with the source's FAQ taken at its word: a random single card is called."""

PRESETS: dict[str, DagongOptions] = {"default": DEFAULT, "faq": FAQ}

FIRST_CARRY = ClimbingCarry(hand_no=1, dealer=None, balances=(0, 0, 0, 0))
"""What the first hand of a match opens with, at a table where nobody has coins yet."""
