"""The words of the worked cases of 炒地皮, mapped to ours: options, contexts, cards, results."""

from typing import Any

import msgspec
from msgspec.structs import asdict

from replay.engine.chaodipi.order import LEVELS
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.shapes import Component, Shape
from schema.chaodipi import ChaodipiResult
from schema.options import ChaodipiOptions
from schema.trumps import Named

Row = dict[str, Any]

_SAME_NAMES = (
    *("declare_window", "stir_moves_dealer", "failed_throw", "throw_penalty", "stirred_bottom"),
    *("flag_level_base", "flag_failures_max", "dealer_after_hold"),
    *("score_levels", "escape_penalty"),
)
_OTHER_NAMES = {
    "level_tractor_strength": "level_tractor",
    "overruff": "over_ruff",
    "bottom_multiplier": "bottom_factor",
    "second_trump_510k": "second_trump_wsk",
    "last_trick_510k": "last_trick_wsk",
    "no_declare_first_hand": "nobody_declares",
    "red5_effect": "red_five_effect",
}
_WORDS: dict[str, tuple[str, dict[Any, str]]] = {
    "room": ("room", {"single": "single", "round": "match"}),
    "self_overturn": (
        "self_overturn",
        {"red5_only": "red_five_only", "same_suit": "same_suit", "any": "any", "never": "never"},
    ),
    "bottom_joker": ("bottom_joker", {"ignore": "ignored", "no_trump": "no_trump"}),
    "stir_after_bottom_trump": (
        "stir_after_bottom_trump",
        {True: "asked", False: "not_asked"},
    ),
    "stir_pass_is_final": ("stir_pass", {True: "final", False: "asked_again"}),
    "heart_gap_closes": ("heart_gap", {True: "closed", False: "open"}),
    "red5_in_trump_tractor": ("red_five_in_tractor", {True: "printed", False: "never"}),
    "joker_tractor": ("joker_tractor", {True: "pairs", False: "none"}),
    "pass_A_needs_level": ("passing_ace", {True: "needs_level", False: "any_win"}),
    "must_play_A": ("skipping_ace", {True: "never", False: "dealer_side"}),
    "dealer_after_swap": ("dealer_after_swap", {"next": "next", "prev": "previous"}),
    "flag_bonus_zero_sum": ("flag_bonus", {True: "zero_sum", False: "winners_only"}),
}
"""Their option: ours, and our words for their values."""
OPTIONS = {*_SAME_NAMES, *_OTHER_NAMES, *_WORDS}
"""The options that a case may set."""


def table_options(opt: Row | None) -> ChaodipiOptions:
    """Our options for theirs, the rest default; KeyError or ValidationError if one is unknown."""
    values = asdict(DEFAULT)
    for name, value in (opt or {}).items():
        if name in _WORDS:
            ours, words = _WORDS[name]
            values[ours] = words[value]
        else:
            values[name if name in _SAME_NAMES else _OTHER_NAMES[name]] = value
    return msgspec.convert(list(values.values()), ChaodipiOptions)


TRUMPS = "dchsn"
"""Trump suits by our numbers, `n` for none."""
SUITS_OF_EFFECT = "dchst"
"""Effective suits by our numbers, `t` for trump."""
RESULTS = {
    ChaodipiResult.HELD: "hold",
    ChaodipiResult.TAKEN: "swap",
    ChaodipiResult.MATCH_WON: "match_end",
}


def level_and_trump(ctx: str) -> tuple[int, int]:
    """A context such as `6s` as our numbers; ValueError."""
    if len(ctx) != 2:
        raise ValueError(f"{ctx!r} is no context")
    return LEVELS.index(ctx[0]), TRUMPS.index(ctx[1])


def named(trump: str | None) -> Named:
    """What is named with a show; ValueError."""
    return Named.NOTHING if trump is None else Named(TRUMPS.index(trump))


def kind_word(lead: Shape | None) -> str:
    """A lead as the cases name it."""
    if lead is None:
        return "illegal"
    if lead.is_wsk:
        return "trump510K" if SUITS_OF_EFFECT[lead.suit] == "t" else "510K"
    if len(lead.parts) > 1:
        return f"throw({','.join(map(_part_word, lead.parts))})"
    pairs = lead.parts[0].pairs
    return f"tractor{pairs}" if pairs > 1 else ("single", "pair")[pairs]


def _part_word(part: Component) -> str:
    return f"T{part.pairs}" if part.pairs > 1 else "SP"[part.pairs]
