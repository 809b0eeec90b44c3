"""What may go wrong in a hand of 炒地皮, phase by phase: each case with its faults."""

from msgspec.structs import replace

from replay.engine.chaodipi.presets import DEFAULT
from schema.cards import parse_cards
from schema.events import Dealt, Fact, HandEnded
from schema.trumps import Named
from tests.builders_chaodipi import FIRST, later
from tests.walked_chaodipi import (
    BEGUN,
    BOTTOM,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    FLAG,
    TURNED,
    Table,
    Walked,
    blocks,
    breaks,
    buries,
    dealt_to,
    passes,
    plays,
    shows,
    stirs,
    told,
)

# Facts in the wrong phase

RED_FIVES = stirs(2, "5h 5h", Named.SPADES)
STIRRED: list[Fact] = [*BURIED, *passes(1), RED_FIVES]
LEAD = plays(0, "6h")
PHASES: dict[str, list[Fact]] = {
    "deal": [],
    "declare": [DEALT],
    "shown": [DEALT, shows(1, "6s")],
    "turned": [DEALT, TURNED],
    "bury": DECLARED,
    "stir": BURIED,
    "bury again": STIRRED,
    "play": BEGUN,
    "trick": [*BEGUN, LEAD],
    "flag": [DEALT],
}
"""The facts that lead to each phase."""
_SHOW, _STIR, _PASS = shows(3, "Rj Rj"), stirs(1, "6c 6c"), passes(1)[0]
_FACTS: dict[str, Fact] = {
    "dealt": DEALT,
    "shown": _SHOW,
    "turned": TURNED,
    "closed": CLOSED,
    "buried": buries(0),
    "passed": _PASS,
    "stirred": _STIR,
    "played": plays(0, "Bj"),
    "ended": HandEnded(0),
}
_AFTER_DEAL = dict.fromkeys(("buried", "passed", "stirred", "played", "ended"), "DECLARING")
_IN_PLAY = dict.fromkeys(
    ("dealt", "shown", "turned", "closed", "buried", "passed", "stirred"), "STIR_END"
)
_BURY = dict.fromkeys(
    ("dealt", "turned", "closed", "passed", "stirred", "played", "ended"), "BURIAL"
)
_REFUSED: dict[str, dict[str, str]] = {
    "deal": dict.fromkeys([word for word in _FACTS if word != "dealt"], "DECK"),
    "declare": {**_AFTER_DEAL, "dealt": "DECK", "closed": "DECLARING"},
    "shown": {**_AFTER_DEAL, "dealt": "DECK", "turned": "DECLARING"},
    "turned": {**_AFTER_DEAL, "dealt": "DECK", "turned": "DECLARING"},
    "bury": _BURY,
    "stir": dict.fromkeys(
        ("dealt", "shown", "turned", "closed", "buried", "played", "ended"), "STIR_END"
    ),
    "bury again": {**_BURY, "shown": "BURIAL"},
    "play": {**_IN_PLAY, "ended": "HAND_END"},
    "trick": {**_IN_PLAY, "ended": "HAND_END"},
    "flag": {
        **dict.fromkeys(("shown", "turned", "closed"), "FLAG_DECLARING"),
        **dict.fromkeys(("buried", "passed", "stirred"), "FLAG_BOTTOM"),
        "dealt": "DECK",
        "ended": "HAND_END",
    },
}
"""Which facts each phase refuses, and by the rule of what has to come in it."""
WRONG_PHASE: dict[str, Walked] = {
    f"{word} in {phase}": blocks(
        [*PHASES[phase], _FACTS[word]], rule, start=FLAG if phase == "flag" else later(0)
    )
    for phase, refused in _REFUSED.items()
    for word, rule in refused.items()
}

# The deal

_SHORT = Dealt(0, 0, DEALT.cards[:-1])
_TWICE = Dealt(0, 0, DEALT.cards[:-1] + DEALT.cards[:1])
_REDEALS = replace(DEFAULT, nobody_declares="redeal")
_FROM_1 = dealt_to("6h Bj Bj", "6s 6c 6c", "5h 5h", "6d 6d Rj Rj", start=1)
DEALS: dict[str, Walked] = {
    "one card too few": blocks([_SHORT], "DECK"),
    "a third copy": blocks([_TWICE], "DECK"),
    "not from the dealer on": breaks([_FROM_1], "DEAL_START", behind=[shows(1, "6s"), CLOSED]),
    "a first hand from any seat on": told([_FROM_1, TURNED, CLOSED], start=FIRST),
    "anew": told([DEALT, DEALT], start=FIRST, options=_REDEALS),
    "anew from another seat": breaks([DEALT, _FROM_1], "DEAL_START", start=FIRST, options=_REDEALS),
    "anew in a later hand": blocks([DEALT, DEALT], "DECK", options=_REDEALS),
    "turned up where it is dealt anew": blocks(
        [DEALT, TURNED], "DECLARING", start=FIRST, options=_REDEALS
    ),
}

# 亮主, 反主

_AFTER_ONLY = replace(DEFAULT, declare_window="after_only")
_ANY = replace(DEFAULT, self_overturn="any")
_SAME = replace(DEFAULT, self_overturn="same_suit")
_DEALER_2 = dealt_to("6h Bj Bj", "6s 6c 6c", "5h 5h", "6d 6d Rj Rj", start=2)
_OVER = [DEALT, shows(2, "5h 5h", Named.SPADES), shows(3, "Rj Rj")]
SHOWS: dict[str, Walked] = {
    "cards of another seat": blocks([DEALT, shows(3, "5h 5h", Named.SPADES)], "HELD"),
    "another rank": blocks([DEALT, shows(1, "7d")], "SHOWS"),
    "one joker": blocks([DEALT, shows(0, "Bj")], "SHOWS"),
    "two suits": blocks([DEALT, shows(1, "6s 6c")], "SHOWS"),
    "three cards": blocks([DEALT, shows(1, "6s 6c 6c")], "SHOWS"),
    "one 红桃5 at level 6": blocks([DEALT, shows(2, "5h")], "SHOWS"),
    "no cards": blocks([DEALT, shows(1, "")], "SHOWS"),
    "红桃5 without a trump": blocks([DEALT, shows(2, "5h 5h")], "NAMING"),
    "a trump named with a level card": breaks(
        [DEALT, shows(1, "6s", Named.HEARTS)], "NAMED_EXTRA", behind=[CLOSED]
    ),
    "before its card was dealt": breaks(
        [DEALT, shows(1, "6s", after=1)], "DECLARE_TIME", behind=[CLOSED]
    ),
    "as soon as its card was dealt": told([DEALT, shows(1, "6s", after=2), CLOSED]),
    "before the show that it follows": breaks(
        [DEALT, shows(1, "6s", after=60), shows(3, "Rj Rj", after=59)],
        "DECLARE_TIME",
        behind=[CLOSED],
    ),
    "in the deal, where only after it": breaks(
        [DEALT, shows(1, "6s", after=99)], "DECLARE_TIME", options=_AFTER_ONLY, behind=[CLOSED]
    ),
    "all too early at once": breaks(
        [DEALT, shows(1, "6s"), shows(3, "Rj Rj", after=0)], "DECLARE_TIME", options=_AFTER_ONLY
    ),
    "not higher": breaks(
        [DEALT, shows(1, "6c 6c"), shows(3, "6d 6d")], "HIGHER", behind=[CLOSED, buries(0)]
    ),
    "over himself": breaks([DEALT, shows(1, "6s"), shows(1, "6c 6c")], "BY_OTHERS"),
    "over himself, another suit": breaks(
        [DEALT, shows(1, "6s"), shows(1, "6c 6c")], "BY_OTHERS", options=_SAME
    ),
    "over himself, where anybody may": told(
        [DEALT, shows(1, "6s"), shows(1, "6c 6c"), CLOSED], options=_ANY
    ),
    "over 红桃5": breaks(_OVER, "AFTER_RED_FIVE", behind=[CLOSED, buries(0)]),
    "behind the turned-up bottom": breaks(
        [DEALT, TURNED, shows(3, "Rj Rj")], "DECLARE_TIME", behind=[CLOSED, buries(0)]
    ),
    "红桃5 behind it, by another than the dealer": breaks(
        [DEALT, TURNED, shows(2, "5h 5h", Named.SPADES)], "DECLARE_TIME", behind=[CLOSED]
    ),
    "红桃5 behind it, by the dealer": told(
        [_DEALER_2, TURNED, shows(2, "5h 5h", Named.SPADES), CLOSED, buries(2)], start=later(2)
    ),
    "behind the close": breaks(
        [*DECLARED, shows(3, "Rj Rj")], "DECLARE_TIME", behind=[buries(0), *passes(1, 2)]
    ),
    "behind the close, and too low": breaks(
        [DEALT, shows(1, "6c 6c"), CLOSED, shows(0, "6h")], "DECLARE_TIME", "HIGHER"
    ),
    "behind the close, not held": blocks([*DECLARED, shows(0, "Rj Rj")], "HELD"),
}

# 扣底, 抄底

_FINAL = replace(DEFAULT, stir_pass="final")
_NOT_ASKED = replace(DEFAULT, stir_after_bottom_trump="not_asked")
_HIGH: list[Fact] = [DEALT, shows(1, "6c 6c"), CLOSED, buries(0)]
_BY_3: list[Fact] = [*BURIED, *passes(1, 2), stirs(3, "6d 6d"), buries(3)]
STIRS: dict[str, Walked] = {
    "buried by another": blocks([*DECLARED, buries(1)], "BURIAL"),
    "seven cards": blocks([*DECLARED, buries(0, BOTTOM[:-3])], "BURIAL"),
    "nine cards": blocks([*DECLARED, buries(0, BOTTOM + " 6h")], "BURIAL"),
    "cards of another seat": blocks([*DECLARED, buries(0, "5h" + BOTTOM[2:])], "HELD"),
    "his own cards": told([*DECLARED, buries(0, "6h Bj Bj" + BOTTOM[8:])]),
    "a seat is left out": blocks([*BURIED, *passes(2)], "STIR_ORDER"),
    "the burier is asked": blocks([*BURIED, *passes(0)], "STIR_ORDER"),
    "stirred before being asked": blocks([*BURIED, stirs(3, "Rj Rj")], "STIR_ORDER"),
    "asked twice": blocks([*BURIED, *passes(1, 1)], "STIR_ORDER"),
    "asked a fourth time": blocks([*BEGUN, *passes(0)], "STIR_END"),
    "not held": blocks([*BURIED, stirs(1, "Rj Rj")], "HELD"),
    "no show": blocks([*BURIED, stirs(1, "6s 6c")], "SHOWS"),
    "红桃5 without a trump": blocks([*BURIED, *passes(1), stirs(2, "5h 5h")], "NAMING"),
    "a trump named with another pair": breaks(
        [*BURIED, stirs(1, "6c 6c", Named.HEARTS)], "NAMED_EXTRA", behind=[buries(1)]
    ),
    "one card": breaks([*BURIED, stirs(1, "6s")], "STIR_HIGHER", behind=[buries(1), *passes(2)]),
    "not higher": breaks(
        [*_HIGH, *passes(1, 2), stirs(3, "6d 6d")], "STIR_HIGHER", behind=[buries(3), *passes(0)]
    ),
    "higher": told([*_BY_3, *passes(0, 1, 2), LEAD]),
    "nobody is asked behind 红桃5": blocks(
        [DEALT, shows(2, "5h 5h", Named.SPADES), CLOSED, buries(0), *passes(1)], "STIR_END"
    ),
    "nobody is asked behind 红桃5 that stirred": told([*STIRRED, buries(2), LEAD]),
    "asked again, where a pass is final": blocks(
        [*_BY_3, *passes(0, 1)], "STIR_END", options=_FINAL
    ),
    "asked where the bottom gave trump": told([DEALT, TURNED, CLOSED, buries(0), *passes(1)]),
    "asked where it may not be stirred": blocks(
        [DEALT, TURNED, CLOSED, buries(0), *passes(1)], "STIR_END", options=_NOT_ASKED
    ),
}

# 出牌

CLUBS = Table(("3c 3c 4d", "9c 9c Jc", "Kc 2c 4h", "6c 7d 8d"))
"""Seat 1 has a pair of clubs, seat 2 two clubs, seat 3 none: 6c is a trump."""
RUNS = Table(("3c 3c 4c 4c 4d", "8c 8c 9c 9c Jc Jc", "Kc 2c 2d 3d 7d 8h", "Ac 7c 7c 8d 9d Td"))
GAP = Table(("5c 5c 7c 7c 4d", "8c 8c 9c 9c Jc Jc", "Kc 2c 2d 3d 7d 8h", "5d 8d 9d Td Jd Qd"))
_WSK = "5c Tc Kc"
SIDE = Table((_WSK, f"{_WSK} Ac", "2c 3c 4c 7c", "2d 3d 5s Ts Ks"))
TRUMPS = Table(("5s Ts Ks", "5h 6s As 2s", "5s Ts Ks Rj Bj", "2d 3d 4d 3s"))
_TOP = replace(DEFAULT, second_trump_wsk="top_three")
_LED = [plays(0, _WSK)]
_TRUMP_LED = [plays(0, "5s Ts Ks")]
_LED_RUN = [plays(0, "3c 3c 4c 4c")]
PLAYS: dict[str, Walked] = {
    "led by another": breaks([plays(1, "Jc")], "LEADER", start=CLUBS, behind=[plays(2, "2c")]),
    "led by the partner of the dealer": breaks([*BEGUN, plays(2, "5h")], "LEADER"),
    "answered out of turn": blocks([plays(0, "3c"), plays(2, "2c")], "ORDER", start=CLUBS),
    "led cards not held": blocks([plays(0, "Kc")], "HELD", start=CLUBS),
    "a third copy": blocks([plays(0, "3c 3c 3c")], "HELD", start=CLUBS),
    "answered with cards not held": blocks([plays(0, "3c"), plays(1, "Kc")], "HELD", start=CLUBS),
    "led two suits": blocks([plays(0, "3c 4d")], "LEAD", start=CLUBS),
    "led nothing": blocks([plays(0, "")], "LEAD", start=CLUBS),
    "too few": blocks([plays(0, "3c 3c"), plays(1, "Jc")], "COUNT", start=CLUBS),
    "too many": blocks([plays(0, "3c"), plays(1, "9c 9c")], "COUNT", start=CLUBS),
    "none": blocks([plays(0, "3c"), plays(1, "")], "COUNT", start=CLUBS),
    "revoked": breaks(
        [plays(0, "3c"), plays(1, "Jc"), plays(2, "4h")],
        "SUIT",
        start=CLUBS,
        expected="2c Kc",
        behind=[plays(3, "7d")],
    ),
    "revoked with one of two": breaks(
        [plays(0, "3c 3c"), plays(1, "9c 9c"), plays(2, "2c 4h")],
        "SUIT",
        start=CLUBS,
        expected="2c Kc",
    ),
    "a level card is no club": told(
        [plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")], start=CLUBS
    ),
    "a pair kept back": breaks(
        [plays(0, "3c 3c"), plays(1, "9c Jc")],
        "PAIRS",
        start=CLUBS,
        expected="9c 9c",
        behind=[plays(2, "2c Kc"), plays(3, "7d 8d")],
    ),
    "a tractor kept back": breaks(
        [*_LED_RUN, plays(1, "8c 8c Jc Jc")],
        "TRACTORS",
        start=RUNS,
        expected="8c 8c 9c 9c",
        behind=[plays(2, "Kc 2c 2d 3d")],
    ),
    "one pair of three, and no tractor": breaks(
        [*_LED_RUN, plays(1, "8c 9c Jc Jc")],
        "PAIRS",
        start=RUNS,
        expected="8c 8c 9c 9c",
    ),
    "the tractor": told([*_LED_RUN, plays(1, "8c 8c 9c 9c"), plays(2, "Kc 2c 2d 3d")], start=RUNS),
    "a tractor across the level kept back": breaks(
        [plays(0, "5c 5c 7c 7c"), plays(1, "9c 9c Jc Jc")],
        "TRACTORS",
        start=GAP,
        expected="8c 8c 9c 9c",
    ),
    "the other 5.10.K kept back": breaks(
        [*_LED, plays(1, "Tc Kc Ac")],
        "WSK_FOLLOWED",
        start=SIDE,
        expected=_WSK,
        behind=[plays(2, "2c 3c 4c")],
    ),
    "the other 5.10.K": told(
        [*_LED, plays(1, _WSK), plays(2, "2c 4c 7c"), plays(3, "5s Ts Ks")], start=SIDE
    ),
    "the strongest trump kept back": breaks(
        [*_TRUMP_LED, plays(1, "6s As 2s")],
        "TRUMP_WSK_FOLLOWED",
        start=TRUMPS,
        expected="5h 6s As",
        behind=[plays(2, "5s Ts Ks"), plays(3, "3s 2d 3d")],
    ),
    "the other trump 5.10.K kept back": breaks(
        [*_TRUMP_LED, plays(1, "5h 6s As"), plays(2, "Rj Bj Ks")],
        "TRUMP_WSK_FOLLOWED",
        start=TRUMPS,
        expected="5s Ts Ks",
    ),
    "the three strongest, where the other is not forced": told(
        [*_TRUMP_LED, plays(1, "5h 6s As"), plays(2, "Rj Bj Ks")], start=TRUMPS, options=_TOP
    ),
    "the other, where it is not forced": breaks(
        [*_TRUMP_LED, plays(1, "5h 6s As"), plays(2, "5s Ts Ks")],
        "TRUMP_WSK_FOLLOWED",
        start=TRUMPS,
        options=_TOP,
        expected="Rj Bj Ks",
    ),
}


def parsed(cards: str | None) -> list[int] | None:
    """The cards of a text, sorted; None of none."""
    return None if cards is None else sorted(parse_cards(cards))
