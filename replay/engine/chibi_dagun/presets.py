"""Presets for new matches: complete options, by name. A log never takes anything from here."""

from msgspec.structs import replace

from schema.events import ClimbingCarry
from schema.options import ChibiDagunOptions

RULES_VERSION = "chibi_dagun-rules/1"
"""The rule book that this engine judges by; HEAD names it."""

DEFAULT = ChibiDagunOptions(
    base=1,
    hands_per_match=0,
    later_call="first_dealt",
    recall_fallback="random_single",
    solo_asked="after_call",
    solo_leader="dealer",
    jokers_alone="as_three",
    min_naturals_in_bomb=1,
    wild_bomb_max_cards=12,
    wild_reading="declared_or_max",
    one_rank_sets="bomb",
    bomb_ties="equal",
    yaobai_max_ranks=0,
    yaobai_top="A",
    yaobai_order="largest_bomb",
    pass_binds="turn",
    wind_points_to="finisher",
    final_trick="stop",
    early_stop="none",
    fans="exclusive",
    bang_fan=2,
    qing_fan=2,
    guangtou_fan=4,
    solo_fan=4,
    tianzha_each=1,
    xi8_each=2,
    xi7_each=1,
    bonus_unit="base",
    xi8_counts="alone",
    bonus_payers="all",
)
"""The book's default for every option."""

PUBLIC_SERVER = replace(
    DEFAULT,
    later_call="random_single",
    solo_asked="before_call",
    solo_leader="soloist",
    yaobai_order="total_cards",
    wild_reading="max_only",
    early_stop="public_105",
)
"""How it is played on public servers, as far as that differs from the text."""

PRESETS: dict[str, ChibiDagunOptions] = {"default": DEFAULT, "public_server": PUBLIC_SERVER}

FIRST_CARRY = ClimbingCarry(hand_no=1, dealer=None, balances=(0, 0, 0, 0))
"""What the first hand of a match opens with, at a table where nobody has coins yet."""
