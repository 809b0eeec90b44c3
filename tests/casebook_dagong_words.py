"""The words of the worked cases of 打拱, mapped to ours: options, codes, results, bonuses."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from replay.engine.climbing.states import ClimbingState, Over
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.presets import DEFAULT
from replay.engine.dagong.rules import R
from replay.engine.mechanics.plays import Play
from replay.engine.rule import Breach, Rule, RuleViolation
from schema.cards import BLACK_JOKER, RANKS, SUITS, card_text
from schema.events import ClimbingBonus, ClimbingBonusKind, ClimbingResult, Fact
from schema.options import DagongOptions

Row = dict[str, Any]

ARGUMENTS = {"banker": "dealer", "banker_cards_in_deal_order": "cards_in_deal_order"}
"""Their argument: ours."""

OPTIONS: dict[str, tuple[str, Mapping[Any, Any] | None]] = {
    "hands_per_match": ("hands_per_match", {None: 0}),
    "call_rule": ("call_rule", None),
    "solo_order": ("solo_order", None),
    "solo_leader": ("solo_leader", {"banker": "dealer", "soloist": "soloist"}),
    "single_joker_ranked": ("single_jokers", {True: "ranked", False: "equal"}),
    "joker_pair_mixed": ("joker_pair", {True: "any", False: "same"}),
    "joker_pair_ranked": ("joker_pairs", {True: "ranked", False: "equal"}),
    "pass_is_final": ("pass_binds", {True: "trick", False: "turn"}),
    "final_trick": ("final_trick", None),
    "wind_points_to": ("wind_points_to", None),
    "last_hand_points_to": ("last_hand_points_to", None),
    "hou_multiplier": ("solo_fan", None),
    "bang_multiplier": ("bang_fan", None),
    "qing_multiplier": ("qing_fan", None),
    "guangtou_multiplier": ("guangtou_fan", None),
    "bonus_tianzha_each": ("tianzha_each", None),
    "bonus_xi8_each": ("xi8_each", None),
    "bonus_xi7_each": ("xi7_each", None),
    "bonus_scaled": ("bonus_unit", {True: "fan", False: "base"}),
}
"""Their option: ours, and their values where they differ from ours."""

_CODES: dict[Rule, str] = {
    R.OUT_IS_OUT: "E_FINISHED",
    R.ORDER: "E_TURN",
    R.FIRST_LEAD: "E_TURN",
    R.SOLO_LEAD: "E_TURN",
    R.WINNER_LEADS: "E_TURN",
    R.WIND_PARTNER: "E_TURN",
    R.WIND_NEXT: "E_TURN",
    R.LEADER_PLAYS: "E_PASS_ON_LEAD",
    R.HELD: "E_NOT_HELD",
    R.NO_TYPE: "E_NO_TYPE",
    R.JOKER_MIX: "E_NO_TYPE",
    R.GREATER: "E_NOT_GREATER",
    R.PARTNER: "E_CALL",
    R.FIRST_CALL: "E_CALL",
    R.DRAWN_CALL: "E_CALL",
    R.SOLO_ASKED: "E_TURN",
    R.SOLO_FREE: "E_PHASE",
}
_PRECEDENCE = (
    *("E_FINISHED", "E_TURN", "E_PASS_ON_LEAD", "E_NOT_HELD", "E_NO_TYPE", "E_NOT_GREATER"),
    *("E_CALL", "E_PHASE"),
)
"""Which code is reported if several fit one event; E_AFTER_END comes before all of them."""
RESULTS = {
    ClimbingResult.POINTS: "points",
    ClimbingResult.QING: "qing",
    ClimbingResult.BANG: "bang",
    ClimbingResult.GUANGTOU: "guangtou",
    ClimbingResult.SOLO_WON: "solo_win",
    ClimbingResult.SOLO_LOST: "solo_loss",
}
BONUSES = {
    "tianzha": ClimbingBonusKind.TIANZHA,
    "xi8": ClimbingBonusKind.XI8,
    "xi7": ClimbingBonusKind.XI7,
}


def table_options(options: Row | None, base: int = 1) -> DagongOptions:
    """Our options for theirs, defaults filled in; KeyError or ValidationError for unknown ones."""
    changed: Row = {"base": base}
    for name, value in (options or {}).items():
        ours, words = OPTIONS[name]
        changed[ours] = value if words is None else words.get(value, value)
    values = asdict(DEFAULT) | changed
    return msgspec.convert(list(values.values()), DagongOptions)


def type_words(play: Play) -> list[Any]:
    """A type as the cases write it."""
    match play.kind:
        case "single" if play.cards[0] >= BLACK_JOKER:
            return ["single", 1, card_text(play.cards[0])]
        case "single" | "pair" | "pair_chain" | "straight" | "bomb":
            return [play.kind, play.size, RANKS[play.rank]]
        case "xi7" | "xi8":
            return ["bomb", play.size, RANKS[play.rank]]
        case "wsk_pure":
            return ["wsk_pure", SUITS[play.rank]]
        case "wsk_mixed":
            return ["wsk_mixed"]
        case "joker_pair":
            return ["joker2", "".join(card_text(card)[0] for card in sorted(play.cards))]
        case "yaobai":
            return ["joker3"]
        case "tianzha":
            return ["joker4"]
        case _:
            raise AssertionError(play.kind)


def bonus_words(bonuses: Iterable[ClimbingBonus]) -> list[list[Any]]:
    """Bonuses as the cases write them."""
    words = {kind: word for word, kind in BONUSES.items()}
    return [[bonus.seat, words[bonus.kind]] for bonus in bonuses]


def _first_code(breaches: Iterable[Breach]) -> str | None:
    """The code to report for one event, by the book's order; None without a breach."""
    codes = {_CODES[breach.rule] for breach in breaches}
    return min(codes, key=_PRECEDENCE.index) if codes else None


def applied(game: Dagong, state: ClimbingState, fact: Fact) -> tuple[ClimbingState, str | None]:
    """The state after `fact` and no code, or the state before it and the code of its fault."""
    if isinstance(state, Over):
        return state, "E_AFTER_END"
    breaches: list[Breach] = []
    try:
        after = game.apply(state, fact, breaches)
    except RuleViolation as violation:
        breaches.append(violation.breach)
    code = _first_code(breaches)
    return (state, code) if code else (after, None)
