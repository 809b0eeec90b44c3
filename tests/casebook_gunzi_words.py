"""The words of the worked cases of 四副滚子, mapped to ours: options, levels, suits, results."""

import json
from typing import Any

import msgspec
from msgspec.structs import asdict

from replay.engine.gunzi.order import THREE
from replay.engine.gunzi.presets import DEFAULT
from schema.cards import SUITS
from schema.gunzi import GunziEnding
from schema.options import GunziOptions
from schema.trumps import Named

Row = dict[str, Any]

_SAME_NAMES = ("flip_winner", "flip_order", "tribute_return", "pick_tie", "leader", "follow_mode")
_WORDS: dict[str, tuple[str, dict[Any, str]]] = {
    "match_end": ("match_end", {"pass_10": "ten_passed", "reach_10": "ten_reached"}),
    "no_skip_levels": ("skipping_ten", {"[3, 10]": "never", "[]": "allowed"}),
    "must_win_as_dealer": (
        "must_deal",
        {"[10]": "ten", "[]": "none", "[3, 10]": "three_and_ten"},
    ),
    "late_first_declare": ("late_first_show", {True: "allowed", False: "forbidden"}),
    "joker_triple_may_open": ("joker_triple_opens", {True: "allowed", False: "never"}),
    "joker_triple_beats_level_triple": (
        "joker_triple",
        {True: "above_level_triple", False: "equals_level_triple"},
    ),
    "self_override_other_suit": ("self_overturn_suit", {True: "any", False: "same"}),
    "tribute_points_at_level": (
        "tribute_points",
        {"own": "own_level", "both": "both_levels"},
    ),
    "gan_guo_two_counts": ("dry_trump_two", {True: "plain", False: "constant"}),
    "gan_guo_first_hand": ("dry_first_hand", {True: "on", False: "off"}),
    "gan_guo_three_jokers": ("dry_three_jokers", {True: "match", False: "nothing"}),
    "other_bury": ("others_bury", {True: "allowed", False: "never"}),
    "other_bury_ban": (
        "others_bury_ban",
        {"all_points": "all_points", "any_point": "any_point"},
    ),
    "dead_triple_shield": ("dead_triple", {True: "shielded", False: "follows"}),
    "full_score": ("full_score", {"ge_300": "from_300", "all_points": "all_points"}),
    "three_small_jokers": ("three_jokers", {True: "either", False: "red_only"}),
    "dealer_keep": ("dealer_after_hold", {"partner": "partner", "same": "same"}),
    "dealer_takeover": ("dealer_after_swap", {"next": "next", "previous": "previous"}),
}
"""Their option: ours, and our words for their values; lists are written as JSON."""
_JOKER_LEVELS = {"Rj": "red_joker_levels", "Bj": "black_joker_levels"}
OPTIONS = {*_SAME_NAMES, *_WORDS, "bottom_multiplier", "joker_levels"}
"""The options that a case may set."""


def table_options(opt: Row | None) -> GunziOptions:
    """Our options for theirs, the rest default; KeyError or ValidationError if one is unknown."""
    values = asdict(DEFAULT)
    for name, value in (opt or {}).items():
        values |= _in_our_words(name, value)
    return msgspec.convert(list(values.values()), GunziOptions)


def _in_our_words(name: str, value: Any) -> Row:
    if name in _SAME_NAMES:
        return {name: value}
    if name == "bottom_multiplier":
        return {"bottom_factor": value}
    if name == "joker_levels":
        return {_JOKER_LEVELS[joker]: levels for joker, levels in value.items()}
    ours, words = _WORDS[name]
    return {ours: words[json.dumps(value) if isinstance(value, list) else value]}


KINDS = (None, "single", "bangzi", "gunzi")
"""Types of a lead by the number of their cards."""
ENDINGS = {
    GunziEnding.ZERO: "zero",
    GunziEnding.FULL: "full",
    GunziEnding.THREE_JOKERS: "three_jokers",
    GunziEnding.TEN_PASSED: "pass_10",
    GunziEnding.TEN_REACHED: "reach_10",
}
_LOWEST, _HIGHEST = 3, 10


def our_level(level: int) -> int:
    """A level of the cases, 3 to 10, as ours; ValueError if it is none."""
    if not _LOWEST <= level <= _HIGHEST:
        raise ValueError(f"{level} is no level, expected {_LOWEST} to {_HIGHEST}")
    return level - _LOWEST + THREE


def their_level(level: int) -> int:
    """One of our levels as the cases number it."""
    return level - THREE + _LOWEST


def suit_word(suit: int) -> str:
    """An effective suit as the cases name it."""
    return SUITS[suit] if suit < len(SUITS) else "trump"


def named(suit: str | None) -> Named:
    """What is named with a show; a word that is no suit can only mean no-trump."""
    if suit is None:
        return Named.NOTHING
    return Named(SUITS.index(suit)) if suit in tuple(SUITS) else Named.NO_TRUMP
