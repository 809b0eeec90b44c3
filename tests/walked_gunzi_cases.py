"""What may go wrong in a hand of 四副滚子 once trump is set: tribute, burials, jokers, play."""

from msgspec.structs import replace

from replay.engine.gunzi.presets import DEAD, DEFAULT
from replay.engine.mechanics.points import points
from schema.cards import cards_text
from schema.events import Fact, HandEnded
from tests.builders_gunzi import FIRST, later
from tests.walked_gunzi import (
    BEGUN,
    BOTTOM,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    HELD,
    OWED,
    Table,
    Walked,
    blocks,
    breaks,
    buries,
    dealt_to,
    passes,
    pays,
    plays,
    returns,
    shows,
    swaps,
    told,
)
from tests.walked_gunzi_before import FIRST_SHOWN
from tests.walked_gunzi_phases import DRY_BOTTOM, DRY_HAND, LEAD, PAID

# 进贡, 还贡

_ALL_OWED = later(0, (4, 1), (39, 0))
_PAYABLE = cards_text(bytes(code for code in DEALT.cards[3:156:4] if not points(bytes([code]))))
_AT_5 = dealt_to("4c 4c", "5s 5s 5s", "Rj Rj Rj", "Bj Bj Bj 5d 5d 5d Td 2h")
_OWED_AT_5 = later(0, (3, 1), (4, 0))
_SPADES_AT_5: list[Fact] = [_AT_5, shows(1, "5s"), CLOSED]
_SMALLEST = replace(DEFAULT, tribute_return="smallest")
_NO_POINTS = replace(DEFAULT, tribute_return="non_point")
_BOTH = replace(DEFAULT, tribute_points="both_levels")
_SEAT_3, _SEAT_1, _SEAT_0 = (("seat.number", seat) for seat in (3, 1, 0))
_SMALL = dealt_to("6h 3d 3d 3h 4c", *HELD[1:])
_TO_SMALL: list[Fact] = [_SMALL, shows(1, "6s"), CLOSED, pays(3, "Bj Bj")]
TRIBUTES: dict[str, Walked] = {
    "paid by another": blocks(
        [*DECLARED, pays(1, "6s 6c")], "TRIBUTE", 1, _SEAT_3, _SEAT_1, start=OWED
    ),
    "one card too few": blocks(
        [*DECLARED, pays(3, "Bj")],
        *("PAID_COUNT", 3, ("value.cards", 2), ("value.cards", 1)),
        start=OWED,
    ),
    "one card too many": blocks([*DECLARED, pays(3, "Bj Bj Bj")], "PAID_COUNT", start=OWED),
    "cards not held": blocks([*DECLARED, pays(3, "Rj Rj")], "HELD", 3, None, "Rj Rj", start=OWED),
    "a larger card is kept": breaks(
        [*DECLARED, pays(3, "6d Bj")],
        *("LARGEST", 3, "Bj Bj", "6d Bj"),
        start=OWED,
        behind=[returns(0, "4c 4c"), buries(0)],
    ),
    "a point card": breaks(
        [*DECLARED, pays(3, "Kc Bj")], "LARGEST", 3, "Bj Bj", "Kc Bj", start=OWED
    ),
    "less than is due, where there is no more": told(
        [*DECLARED, pays(3, _PAYABLE), returns(0, _PAYABLE), buries(0)], start=_ALL_OWED
    ),
    "a level card of 5": told([*_SPADES_AT_5, pays(3, "Bj Bj Bj 5d")], start=_OWED_AT_5),
    "a level card of 5 is kept": breaks(
        [*_SPADES_AT_5, pays(3, "Bj Bj Bj 2h")],
        *("LARGEST", 3, "5d Bj Bj Bj", "2h Bj Bj Bj"),
        start=_OWED_AT_5,
    ),
    "a ten at level 5, with nothing larger kept": breaks(
        [*_SPADES_AT_5, pays(3, "Bj Bj Bj Td")], "LARGEST", start=_OWED_AT_5
    ),
    "a ten at level 5, where it is payable but small": breaks(
        [*_SPADES_AT_5, pays(3, "Bj Bj Bj Td")], "LARGEST", start=_OWED_AT_5, options=_BOTH
    ),
    "where none is due": blocks(
        [*DECLARED, pays(3, "Bj Bj")], "TRIBUTE", 3, "phase.bury", "kind.tribute_paid"
    ),
    "none where it is due": blocks([*DECLARED, buries(0)], "TRIBUTE", start=OWED),
    "in a first hand": blocks(
        [*FIRST_SHOWN, CLOSED, pays(3, "3d")],
        *("NO_FIRST_TRIBUTE", 3, "phase.bury", "kind.tribute_paid"),
        start=FIRST,
    ),
    "twice": blocks([*PAID, pays(3, "Bj Bj")], "TRIBUTE", start=OWED),
    "returned by another": blocks(
        [*PAID, returns(1, "6s 6c")], "TRIBUTE", 1, _SEAT_0, _SEAT_1, start=OWED
    ),
    "returned one too few": blocks(
        [*PAID, returns(0, "4c")],
        *("RETURNED_COUNT", 0, ("value.cards", 2), ("value.cards", 1)),
        start=OWED,
    ),
    "returned cards not held": blocks([*PAID, returns(0, "Rj 4c")], "HELD", start=OWED),
    "the very cards are returned": told([*PAID, returns(0, "Bj Bj"), buries(0)], start=OWED),
    "not returned": blocks([*PAID, buries(0)], "TRIBUTE", start=OWED),
    "returned in a first hand": blocks(
        [*FIRST_SHOWN, CLOSED, returns(0, "As")], "NO_FIRST_TRIBUTE", start=FIRST
    ),
    "not the smallest, where they are wanted": breaks(
        [*_TO_SMALL, returns(0, "4c 6h")],
        *("RETURNED", 0, "3d 3d", "4c 6h"),
        start=OWED,
        options=_SMALLEST,
    ),
    "points, where none are wanted": breaks(
        [*PAID, returns(0, "Ks 4c")],
        "RETURNED",
        start=OWED,
        options=_NO_POINTS,
        behind=[buries(0)],
    ),
}

# 扣底, 干锅, 扣王

_BOTH_KINDS = dealt_to("6h Rj Rj Bj 4c 4c 4c", "6s Rj Bj", "6c", "6d Bj")
_HAS_BOTH: list[Fact] = [_BOTH_KINDS, shows(1, "6s"), CLOSED]
_POINTS = "Kh Kh Kh Th Th 5h"
_RICH = dealt_to(f"6h 4c {_POINTS}", *HELD[1:])
_POINTS_BURIED: list[Fact] = [_RICH, shows(1, "6s"), CLOSED, buries(0, _POINTS)]
_ONE_PLAIN: list[Fact] = [*_POINTS_BURIED[:-1], buries(0, "4c" + _POINTS[2:])]
_PAIRED = dealt_to(*HELD, bottom="3s 7c 7d Kd 9h 2c")
_TIE: list[Fact] = [_PAIRED, shows(1, "6s"), CLOSED, buries(0, "3s 7c 7d Kd 9h 2c")]
_NOBODY = replace(DEFAULT, others_bury="never")
_ANY_POINT = replace(DEFAULT, others_bury_ban="any_point")
_STRENGTH = replace(DEFAULT, pick_tie="strength")
_TWOS = "Ks Ks Td Td 2s 2c"
_TRUMPS = dealt_to(f"6h {_TWOS}", *HELD[1:])
_TWOS_BURIED: list[Fact] = [_TRUMPS, shows(1, "6s"), CLOSED, buries(0, _TWOS)]
_OFF = replace(DEFAULT, dry_first_hand="off")
_PLAIN_TWO = replace(DEFAULT, dry_trump_two="plain")
_FIRST_DRY = dealt_to("Rj As 9h", "", "", "", bottom=DRY_BOTTOM)
BURIALS: dict[str, Walked] = {
    "by another": blocks([*DECLARED, buries(1)], "BURIAL", 1, _SEAT_0, _SEAT_1),
    "five cards": blocks(
        [*DECLARED, buries(0, BOTTOM[:-3])],
        *("BURIAL", 0, ("value.cards", 6), ("value.cards", 5)),
    ),
    "seven cards": blocks([*DECLARED, buries(0, BOTTOM + " 6h")], "BURIAL"),
    "twice": blocks([*BURIED, buries(0)], "PHASES"),
    "cards of another seat": blocks(
        [*DECLARED, buries(0, "Rj" + BOTTOM[2:])], "HELD", 0, None, "Rj"
    ),
    "his own cards": told([*DECLARED, buries(0, "6h 6h 4c 4c 4c" + BOTTOM[14:]), *passes(1, 2)]),
    "nothing but points": told([*_POINTS_BURIED, *passes(1, 2, 3), plays(0, "6h")]),
    "a small joker before a big one": breaks(
        [*_HAS_BOTH, buries(0, "Bj Rj 4c 4c 4c 3s")],
        *("BIG_FIRST", 0, None, "Rj"),
        behind=[*passes(1, 2, 3), LEAD],
    ),
    "a small joker behind all big ones": told([*_HAS_BOTH, buries(0, "Bj Rj Rj 4c 4c 4c"), LEAD]),
    "of a dry bottom": blocks(
        [*DRY_HAND, buries(0, DRY_BOTTOM)], "DRY_STAYS", 0, "phase.play", "kind.buried"
    ),
    "jokers, of a dry bottom": blocks([*DRY_HAND, swaps(2, "Rj", "4h")], "DRY_STAYS"),
    "a dry bottom stays": told([*DRY_HAND, LEAD]),
    "with a 2 of trumps it is not, by option": told(
        [
            dealt_to(*HELD, bottom="7c 9d Kd 4h 2c 2s"),
            *DRY_HAND[1:],
            buries(0, "6h 6h 4c 4c 7c 2s"),
        ],
        options=_PLAIN_TWO,
    ),
    "nothing but trumps is dry": told(
        [dealt_to(*HELD, bottom="3s 4s 5s 2c 2d 2h"), *DRY_HAND[1:], LEAD]
    ),
    "in a first hand it is dry": told(
        [_FIRST_DRY, shows(0, "Rj", after=1), CLOSED, plays(0, "As")], start=FIRST
    ),
    "in a first hand it is not, by option": told(
        [_FIRST_DRY, shows(0, "Rj", after=1), CLOSED, buries(0, DRY_BOTTOM)],
        start=FIRST,
        options=_OFF,
    ),
}
JOKERS: dict[str, Walked] = {
    "one for the smallest": told([*BURIED, swaps(2, "Rj", "4h"), *passes(3), LEAD]),
    "a seat said nothing": told([*BURIED, swaps(3, "Bj", "4h"), LEAD]),
    "nobody says anything": told([*BURIED, LEAD]),
    "none for none is a pass": told([*BURIED, *passes(1), swaps(2, "", ""), *passes(3), LEAD]),
    "out of order": blocks(
        [*BURIED, swaps(2, "Rj", "4h"), swaps(1, "Rj", "7c")],
        *("OTHERS_BURY", 1, (_SEAT_3,), _SEAT_1),
    ),
    "passed out of order": blocks([*BURIED, *passes(2, 1)], "OTHERS_BURY", 1, (_SEAT_3,), _SEAT_1),
    "by the dealer": blocks([*BURIED, swaps(0, "Rj", "4h")], "OTHERS_BURY"),
    "twice by a seat": blocks([*BURIED, swaps(2, "Rj", "4h"), swaps(2, "Rj", "7c")], "OTHERS_BURY"),
    "behind the last seat": blocks([*BURIED, swaps(3, "Bj", "4h"), *passes(3)], "OTHERS_BURY"),
    "where only the dealer buries": blocks(
        [*BURIED, swaps(2, "Rj", "4h")],
        *("OTHERS_BURY", 2, "phase.play", "kind.jokers_buried"),
        options=_NOBODY,
    ),
    "not held": blocks([*BURIED, swaps(1, "Rj", "4h")], "HELD", 1, None, "Rj"),
    "nothing picked": blocks(
        [*BURIED, swaps(2, "Rj", "")],
        *("PICK_COUNT", 2, ("value.cards", 1), ("value.cards", 0)),
    ),
    "one too many picked": blocks([*BURIED, swaps(2, "Rj", "4h 7c")], "PICK_COUNT"),
    "picked for nothing": blocks([*BURIED, swaps(2, "", "4h")], "PICK_COUNT"),
    "not out of the bottom": blocks(
        [*BURIED, swaps(2, "Rj", "3d")], "PICK_COUNT", 2, "3s 4h 7c 9d Kd 2c", "3d"
    ),
    "no joker": breaks(
        [*BURIED, swaps(1, "6s", "4h")], "ONLY_JOKERS", 1, None, "6s", behind=[*passes(2, 3), LEAD]
    ),
    "a small joker before a big one": breaks(
        [*_HAS_BOTH, buries(0), swaps(1, "Bj", "4h")],
        *("BIG_FIRST", 1, None, "Rj"),
        behind=[*passes(2, 3), LEAD],
    ),
    "a small joker behind the big one": told(
        [*_HAS_BOTH, buries(0), swaps(1, "Bj Rj", "4h 7c"), swaps(3, "Bj", "9d"), LEAD]
    ),
    "a smaller card is left": breaks(
        [*BURIED, swaps(2, "Rj", "7c")],
        *("SMALLEST_PICK", 2, "4h", "7c"),
        behind=[swaps(3, "Bj", "4h"), LEAD],
    ),
    "a side card is left for a trump": breaks(
        [*BURIED, swaps(2, "Rj Rj Rj", "4h 7c 3s")],
        "SMALLEST_PICK",
        2,
        "4h 7c 9d",
        "3s 4h 7c",
    ),
    "a point card": breaks([*BURIED, swaps(2, "Rj", "Kd")], "SMALLEST_PICK", 2, "4h", "Kd"),
    "a joker that was buried": breaks(
        [*BURIED, swaps(2, "Rj", "4h"), swaps(3, "Bj", "Rj")], "SMALLEST_PICK", 3, "7c", "Rj"
    ),
    "either of equal ones": told([*_TIE, swaps(2, "Rj", "7d"), swaps(3, "Bj", "7c")]),
    "the other one": told([*_TIE, swaps(2, "Rj", "7c"), swaps(3, "Bj", "7d")]),
    "the 2 of trumps for another 2": told([*_TWOS_BURIED, swaps(2, "Rj", "2s")]),
    "the 2 of trumps for another 2, by strength": breaks(
        [*_TWOS_BURIED, swaps(2, "Rj", "2s")], "SMALLEST_PICK", 2, "2c", "2s", options=_STRENGTH
    ),
    "for nothing but points": breaks(
        [*_POINTS_BURIED, swaps(2, "Rj", "5h")],
        *("PICKABLE", 2, ("value.at_most_cards", 0), ("value.cards", 1)),
        behind=[*passes(3), plays(0, "6h")],
    ),
    "more than can be picked": breaks(
        [*_ONE_PLAIN, swaps(2, "Rj Rj", "4c 5h")],
        *("PICKABLE", 2, ("value.at_most_cards", 1), ("value.cards", 2)),
    ),
    "as many as can be picked": told([*_ONE_PLAIN, swaps(2, "Rj", "4c"), *passes(3)]),
    "nothing is left for the next": breaks(
        [*_ONE_PLAIN, swaps(2, "Rj", "4c"), swaps(3, "Bj", "5h")], "PICKABLE"
    ),
    "where any point forbids it": breaks(
        [*BURIED, swaps(2, "Rj", "4h")], "PICKABLE", options=_ANY_POINT
    ),
    "and what is picked then is not the smallest": breaks(
        [*BURIED, swaps(2, "Rj", "7c")], "PICKABLE", options=_ANY_POINT, also=["SMALLEST_PICK"]
    ),
}

# 出牌

CLUBS = Table(("3c 3c 4d", "9c 9c Jc", "Kc 4c 4h", "6c 7d 8d"))
"""Seat 1 has a pair of clubs, seat 2 two clubs, seat 3 none: 6c is a trump."""
GROUPS = Table(("3c 3c 3c Ah", "9c 9c 9c Jc", "Kc 4c 4c 4h", "6c 7d 7d 7d"))
"""Seat 1 has a triple, seat 2 a pair and a single, seat 3 no club."""
TWO_GROUPS = Table(("3c 3c Ah", "9c 9c 9c", "Kc Kc Kc", "6c 7d 7d"))
_LED, _TRIPLE = plays(0, "3c 3c"), plays(0, "3c 3c 3c")
_SHIELD = replace(DEAD, dead_triple="shielded")
_PAIR_KEPT = [_LED, plays(1, "9c Jc")]
_LAST = [plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")]
PLAYS: dict[str, Walked] = {
    "led by another": breaks(
        [plays(1, "Jc")], "LEADER", 1, 0, 1, start=CLUBS, behind=[plays(2, "4c")]
    ),
    "led by the partner of the dealer": breaks([*BEGUN, plays(2, "Rj")], "LEADER", 2, 0, 2),
    "answered out of turn": blocks([plays(0, "3c"), plays(2, "4c")], "ORDER", 2, 1, 2, start=CLUBS),
    "led cards not held": blocks([plays(0, "Kc")], "HELD", 0, None, "Kc", start=CLUBS),
    "a third copy": blocks([_TRIPLE], "HELD", start=CLUBS),
    "answered with cards not held": blocks([plays(0, "3c"), plays(1, "Kc")], "HELD", start=CLUBS),
    "led two cards": blocks([plays(0, "3c 4d")], "LEAD", 0, None, "3c 4d", start=CLUBS),
    "led a run of pairs": blocks(
        [plays(0, "3c 3c 4c 4c")], "LEAD", start=CLUBS._replace(hands=("3c 3c 4c 4c", "", "", ""))
    ),
    "led nothing": blocks([plays(0, "")], "LEAD", start=CLUBS),
    "too few": blocks(
        [_LED, plays(1, "Jc")],
        *("COUNT", 1, ("value.cards", 2), ("value.cards", 1)),
        start=CLUBS,
    ),
    "too many": blocks([plays(0, "3c"), plays(1, "9c 9c")], "COUNT", start=CLUBS),
    "none": blocks([plays(0, "3c"), plays(1, "")], "COUNT", start=CLUBS),
    "revoked": breaks(
        [plays(0, "3c"), plays(1, "Jc"), plays(2, "4h")],
        *("SUIT", 2, "4c Kc", "4h"),
        start=CLUBS,
        behind=[plays(3, "7d")],
    ),
    "revoked with one of two": breaks(
        [_LED, plays(1, "9c 9c"), plays(2, "4c 4h")], "SUIT", 2, "4c Kc", "4c 4h", start=CLUBS
    ),
    "a level card is no club": told(
        [plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")], start=CLUBS
    ),
    "a pair kept back": breaks(
        _PAIR_KEPT,
        *("DEAD", 1, "9c 9c", "9c Jc"),
        start=CLUBS,
        options=DEAD,
        behind=[plays(2, "4c Kc"), plays(3, "7d 8d")],
    ),
    "a pair kept back in 活棒": told(_PAIR_KEPT, start=CLUBS),
    "a triple is not cut for a pair": told(
        [_LED, plays(1, "9c Jc"), plays(2, "4c 4c")], start=GROUPS, options=DEAD
    ),
    "a pair is cut out of a triple": told([_LED, plays(1, "9c 9c")], start=GROUPS, options=DEAD),
    "a triple kept back": breaks(
        [_TRIPLE, plays(1, "9c 9c Jc")],
        *("DEAD", 1, "9c 9c 9c", "9c 9c Jc"),
        start=GROUPS,
        options=DEAD,
    ),
    "a pair and a single for a triple": told(
        [_TRIPLE, plays(1, "9c 9c 9c"), plays(2, "4c 4c Kc"), plays(3, "7d 7d 7d")],
        start=GROUPS,
        options=DEAD,
    ),
    "a pair kept back from a triple": breaks(
        [_TRIPLE, plays(1, "9c 9c 9c"), plays(2, "4c Kc 4h")],
        "SUIT",
        start=GROUPS,
        options=DEAD,
    ),
    "singles for a triple": breaks(
        [_TRIPLE, plays(1, "9c 9c 9c"), plays(2, "4c Jc Kc")],
        *("DEAD", 2, "4c 4c", "4c Jc Kc"),
        start=GROUPS._replace(hands=(*GROUPS.hands[:2], "Kc Jc 4c 4c", GROUPS.hands[3])),
        options=DEAD,
    ),
    "no type is owed with another suit": told(
        [_TRIPLE, plays(1, "9c 9c 9c"), plays(2, "4c 4c Kc"), plays(3, "6c 7d 7d")],
        start=GROUPS,
        options=DEAD,
    ),
    "a shielded triple": told(
        [_LED, plays(1, "9c 9c"), plays(2, "4c Kc")],
        start=CLUBS,
        options=_SHIELD,
    ),
    "a triple that is shielded": told(
        [plays(0, "3c 3c"), plays(1, "Jc 4d")],
        start=GROUPS._replace(hands=("3c 3c", "9c 9c 9c Jc 4d", "", "")),
        options=_SHIELD,
    ),
    "a triple that is not": breaks(
        [plays(0, "3c 3c"), plays(1, "Jc 4d")],
        "SUIT",
        start=GROUPS._replace(hands=("3c 3c", "9c 9c 9c Jc 4d", "", "")),
        options=DEAD,
    ),
    "a single beside a shielded triple": breaks(
        [plays(0, "3c 3c"), plays(1, "4d 4h")],
        "SUIT",
        start=GROUPS._replace(hands=("3c 3c", "9c 9c 9c Jc 4d 4h", "", "")),
        options=_SHIELD,
    ),
    "a triple beside two others is not shielded": breaks(
        [plays(0, "3c 3c"), plays(1, "Jc 4d")],
        "SUIT",
        start=GROUPS._replace(hands=("3c 3c", "9c 9c 9c Jc Qc 4d", "", "")),
        options=_SHIELD,
    ),
    "played on when over": blocks(
        [*_LAST, HandEnded(0), plays(2, "3c")],
        "HAND_END",
        start=Table(("3c", "Jc", "Kc", "8d")),
    ),
}
