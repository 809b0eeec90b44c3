"""The house rules of a table, one frozen struct per game: part of HEAD, complete, no defaults.

A missing or unknown option is a format error. Presets for new matches are made by the engine's
`presets.py`; what each word does is written in the game's RULES.md.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Base = Annotated[int, Meta(ge=1, le=10**9)]
Fan = Annotated[int, Meta(ge=0, le=100)]


class DagongOptions(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """House rules of a 打拱 table; `hands_per_match` 0 means no limit."""

    base: Base
    hands_per_match: Annotated[int, Meta(ge=0, le=10**6)]
    call_rule: Literal["first_dealt", "random_single", "first_single"]
    solo_order: Literal["in_turn", "free"]
    solo_leader: Literal["dealer", "soloist"]
    single_jokers: Literal["ranked", "equal"]
    joker_pair: Literal["any", "same"]
    joker_pairs: Literal["ranked", "equal"]
    pass_binds: Literal["turn", "trick"]
    final_trick: Literal["stop", "contest"]
    wind_points_to: Literal["finisher", "leader"]
    last_hand_points_to: Literal["third", "first"]
    solo_fan: Fan
    bang_fan: Fan
    qing_fan: Fan
    guangtou_fan: Fan
    tianzha_each: Fan
    xi8_each: Fan
    xi7_each: Fan
    bonus_unit: Literal["base", "fan"]


class ChibiDagunOptions(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """House rules of a 赤壁打滚 table; `hands_per_match` 0 means no limit."""

    base: Base
    hands_per_match: Annotated[int, Meta(ge=0, le=10**6)]
    later_call: Literal["first_dealt", "random_single"]
    recall_fallback: Literal["random_single", "first_single"]
    solo_asked: Literal["after_call", "before_call", "never"]
    solo_leader: Literal["dealer", "soloist"]
    jokers_alone: Literal["as_three", "single_only"]
    min_naturals_in_bomb: Annotated[int, Meta(ge=1, le=8)]
    wild_bomb_max_cards: Annotated[int, Meta(ge=3, le=12)]
    wild_reading: Literal["declared_or_max", "max_only"]
    one_rank_sets: Literal["bomb", "bomb_or_chain"]
    bomb_ties: Literal["equal", "natural_first"]
    yaobai_max_ranks: Annotated[int, Meta(ge=0, le=13)]
    yaobai_top: Literal["A", "2"]
    yaobai_order: Literal[
        "largest_bomb", "total_cards", "largest_bomb_no_tiebreak", "largest_bomb_all"
    ]
    pass_binds: Literal["turn", "trick"]
    wind_points_to: Literal["finisher", "leader"]
    final_trick: Literal["stop", "contest"]
    early_stop: Literal["none", "public_105"]
    fans: Literal["exclusive", "product"]
    bang_fan: Fan
    qing_fan: Fan
    guangtou_fan: Fan
    solo_fan: Fan
    tianzha_each: Fan
    xi8_each: Fan
    xi7_each: Fan
    bonus_unit: Literal["base", "fan"]
    xi8_counts: Literal["alone", "with_xi7"]
    bonus_payers: Literal["all", "opponents"]


Count = Annotated[int, Meta(ge=0, le=1000)]


class ChaodipiOptions(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """House rules of a 炒地皮 table."""

    room: Literal["single", "match"]
    declare_window: Literal["during_and_after", "after_only"]
    stir_moves_dealer: Literal["first_hand", "never"]
    self_overturn: Literal["red_five_only", "same_suit", "any", "never"]
    nobody_declares: Literal["first_dealt", "redeal"]
    bottom_joker: Literal["ignored", "no_trump"]
    stir_after_bottom_trump: Literal["asked", "not_asked"]
    stir_pass: Literal["asked_again", "final"]
    heart_gap: Literal["closed", "open"]
    red_five_in_tractor: Literal["printed", "never"]
    joker_tractor: Literal["none", "pairs"]
    level_tractor: Literal["strongest", "printed"]
    failed_throw: Literal["force_lowest", "reject"]
    throw_penalty: Count
    over_ruff: Literal["largest_component", "highest_card", "all_components"]
    second_trump_wsk: Literal["forced", "top_three"]
    stirred_bottom: Literal["counts", "dealer_side_only"]
    last_trick_wsk: Literal["side_wins", "winning_play", "off"]
    bottom_factor: Literal["doubling", "two_per_card", "cap8"]
    passing_ace: Literal["needs_level", "any_win"]
    skipping_ace: Literal["never", "dealer_side"]
    flag_level_base: Literal[80, 100]
    flag_failures_max: Annotated[int, Meta(ge=1, le=1000)]
    red_five_effect: Literal["on", "off"]
    dealer_after_hold: Literal["same", "partner"]
    dealer_after_swap: Literal["next", "previous"]
    score_levels: Literal["actual", "nominal"]
    flag_bonus: Literal["winners_only", "zero_sum"]
    escape_penalty: Count


class GunziOptions(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """House rules of a 四副滚子 table."""

    match_end: Literal["ten_passed", "ten_reached"]
    skipping_ten: Literal["never", "allowed"]
    must_deal: Literal["ten", "none", "three_and_ten"]
    flip_winner: Literal["largest", "smallest"]
    flip_order: Literal["game", "natural"]
    late_first_show: Literal["allowed", "forbidden"]
    joker_triple_opens: Literal["never", "allowed"]
    joker_triple: Literal["above_level_triple", "equals_level_triple"]
    self_overturn_suit: Literal["any", "same"]
    tribute_return: Literal["any", "non_point", "smallest"]
    tribute_points: Literal["own_level", "both_levels"]
    dry_trump_two: Literal["constant", "plain"]
    dry_first_hand: Literal["on", "off"]
    dry_three_jokers: Literal["nothing", "match"]
    others_bury: Literal["allowed", "never"]
    others_bury_ban: Literal["all_points", "any_point"]
    pick_tie: Literal["rank", "strength"]
    leader: Literal["winner", "dealer"]
    follow_mode: Literal["live", "dead"]
    dead_triple: Literal["follows", "shielded"]
    bottom_factor: Annotated[int, Meta(ge=1, le=1000)]
    red_joker_levels: Count
    black_joker_levels: Count
    full_score: Literal["from_300", "all_points"]
    three_jokers: Literal["either", "red_only"]
    dealer_after_hold: Literal["partner", "same"]
    dealer_after_swap: Literal["next", "previous"]


Options = DagongOptions | ChibiDagunOptions | ChaodipiOptions | GunziOptions
"""The house rules of any game."""
