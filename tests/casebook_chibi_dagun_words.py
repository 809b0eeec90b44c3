"""The words of the worked cases of 赤壁打滚, mapped to ours: options, readings, rules, results."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import asdict

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.chibi_dagun.rules import R
from replay.engine.climbing.states import ClimbingState
from replay.engine.mechanics.plays import Play
from replay.engine.rule import Breach, Rule, RuleViolation
from schema.cards import RANKS, SUITS, parse_card
from schema.events import ClimbingResult, Fact, PlayKind, PlayRank
from schema.options import ChibiDagunOptions

Row = dict[str, Any]

_SAME_NAMES = (
    *("base", "hands_per_match", "later_call", "recall_fallback", "jokers_alone"),
    *("min_naturals_in_bomb", "wild_bomb_max_cards", "wild_reading", "yaobai_max_ranks"),
    *("wind_points_to", "final_trick", "early_stop"),
)
_OTHER_NAMES = {
    "yaobai_order_10plus": "yaobai_order",
    "multiplier_mode": "fans",
    "fan_bang": "bang_fan",
    "fan_qing": "qing_fan",
    "fan_guangtou": "guangtou_fan",
    "solo_multiplier": "solo_fan",
    "bonus_tianzha": "tianzha_each",
    "bonus_xi8": "xi8_each",
    "bonus_xi7": "xi7_each",
}
_WORDS: dict[str, tuple[str, dict[Any, str]]] = {
    "solo_timing": ("solo_asked", {"after_call": "after_call", "before_call": "before_call"}),
    "solo_enabled": ("solo_asked", {False: "never"}),
    "solo_leader": ("solo_leader", {"dealer": "dealer", "solo": "soloist"}),
    "one_rank_forced_bomb": ("one_rank_sets", {True: "bomb", False: "bomb_or_chain"}),
    "natural_beats_wild": ("bomb_ties", {True: "natural_first", False: "equal"}),
    "yaobai_allows_two": ("yaobai_top", {True: "2", False: "A"}),
    "pass_is_final": ("pass_binds", {True: "trick", False: "turn"}),
    "bonus_scaled_by_fan": ("bonus_unit", {True: "fan", False: "base"}),
    "xi8_counts_as_xi7": ("xi8_counts", {True: "with_xi7", False: "alone"}),
    "bonus_partner_exempt": ("bonus_payers", {True: "opponents", False: "all"}),
}
"""Their option: ours, and our words for their values. `solo_enabled` true says nothing more."""
_NOT_OURS = {"first_deal_start": ("seat0", "random")}
"""Their option that no rule reads, and its values: the log states where every deal starts."""
OPTIONS = {*_SAME_NAMES, *_OTHER_NAMES, *_WORDS, *_NOT_OURS}
"""The options that a case may set."""


def table_options(opt: Row | None, base: int = 1) -> ChibiDagunOptions:
    """Our options for theirs, the rest default; KeyError or ValueError if one is unknown."""
    given, values = dict(opt or {}), asdict(DEFAULT) | {"base": base}
    for name in _SAME_NAMES:
        values[name] = given.pop(name, values[name])
    for name, ours in _OTHER_NAMES.items():
        values[ours] = given.pop(name, values[ours])
    for name, (ours, words) in _WORDS.items():
        value = given.pop(name, None)
        if value is not None and (name, value) != ("solo_enabled", True):
            values[ours] = words[value]
    for name, value in given.items():
        if value not in _NOT_OURS[name]:
            raise ValueError(f"{name}: {value!r}")
    return msgspec.convert(list(values.values()), ChibiDagunOptions)


def codes(cards: Iterable[str]) -> bytes:
    """Our codes of a set of cards; ValueError."""
    return bytes(map(parse_card, cards))


# Readings

_KINDS = {
    "single": PlayKind.SINGLE,
    "pair": PlayKind.PAIR,
    "triple": PlayKind.TRIPLE,
    "pair_run": PlayKind.PAIR_CHAIN,
    "triple_run": PlayKind.TRIPLE_CHAIN,
    "bomb": PlayKind.BOMB,
    "wsk_mixed": PlayKind.WSK_MIXED,
    "wsk_pure": PlayKind.WSK_PURE,
    "xi7": PlayKind.XI7,
    "xi8": PlayKind.XI8,
    "yaobai": PlayKind.YAOBAI,
    "tianzha": PlayKind.TIANZHA,
}
_TYPES = {kind.name.lower(): word for word, kind in _KINDS.items()}
ILLEGAL: Row = {"type": "illegal"}


def _most(play: Play) -> int:
    """How many cards the largest bomb of a 摇摆 has."""
    return max(Counter(code >> 2 for code in play.cards).values())


_KEYS: dict[str, Callable[[Play], object]] = {
    "n": lambda play: len(play.cards),
    "max": _most,
    "rank": lambda play: RANKS[play.rank],
    "suit": lambda play: SUITS[play.rank],
}
_KEYS_OF = {
    "pair_run": ("n", "rank"),
    "triple_run": ("n", "rank"),
    "bomb": ("n", "rank"),
    "yaobai": ("n", "max", "rank"),
    "wsk_pure": ("suit",),
    "wsk_mixed": (),
    "tianzha": (),
}


def reading_words(play: Play) -> Row:
    """A reading as the cases write it."""
    word = _TYPES[play.kind]
    return {"type": word} | {key: _KEYS[key](play) for key in _KEYS_OF.get(word, ("rank",))}


def followed(words: Row) -> Play:
    """The play of a reading that is to be followed; its cards, and so its power, are not known."""
    kind, n = _KINDS[words["type"]], words.get("n", 1)
    width = {PlayKind.PAIR_CHAIN: 2, PlayKind.TRIPLE_CHAIN: 3}.get(kind, 1)
    rank = RANKS.index(words.get("rank", "3"))
    return Play(kind.name.lower(), n // width, rank, (), b"", 0, 0)


def declared_words(words: Row) -> tuple[PlayKind, PlayRank]:
    """A declared reading, as an event holds it."""
    rank = PlayRank(RANKS.index(words["rank"])) if "rank" in words else PlayRank.NONE
    return _KINDS[words["type"]], rank


# Rule ids

_CODES: dict[Rule, str] = {
    R.AFTER_END: "DG-12.5",
    R.ORDER: "DG-9.1",
    R.FIRST_LEAD: "DG-9.1",
    R.WINNER_LEADS: "DG-9.1",
    R.WIND_PARTNER: "DG-9.1",
    R.WIND_NEXT: "DG-9.1",
    R.HELD: "DG-9.2",
    R.NO_TYPE: "DG-6",
    R.READING: "DG-5.10",
    R.GREATER: "DG-9.4",
    R.LEADER_PLAYS: "DG-9.3",
}
_PRECEDENCE = ("DG-12.5", "DG-9.1", "DG-9.2", "DG-6", "DG-5.10", "DG-9.4", "DG-9.3")
"""Which rule is reported if several are broken by one action."""


def applied(game: ChibiDagun, state: ClimbingState, fact: Fact) -> tuple[ClimbingState, str | None]:
    """The state after `fact` and no rule id, or the state before it and the rule that it breaks."""
    breaches: list[Breach] = []
    try:
        after = game.apply(state, fact, breaches)
    except RuleViolation as violation:
        breaches.append(violation.breach)
    if not breaches:
        return after, None
    found = {_CODES[breach.rule] for breach in breaches}
    return state, min(found, key=_PRECEDENCE.index)


# Results

ENDS = {"bang": "bang", "normal": "three_out", "solo": "solo", "early": "early"}
"""How the hand ended. The book has no word for a hand that stops early."""
LABELS = {
    ClimbingResult.POINTS: "points",
    ClimbingResult.QING: "qing",
    ClimbingResult.BANG: "bang",
    ClimbingResult.GUANGTOU: "guangtou",
}
