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


Options = DagongOptions
