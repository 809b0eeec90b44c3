"""What may go wrong in a hand of 四副滚子 before a card moves: the deal, shows, cards turned up."""

from msgspec.structs import replace

from replay.engine.gunzi.presets import DEFAULT
from schema.cards import parse_cards
from schema.events import Dealt, Fact
from schema.trumps import Named
from tests.builders_gunzi import FIRST
from tests.walked_gunzi import (
    BEGUN,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    HELD,
    OWED,
    Walked,
    blocks,
    breaks,
    buries,
    dealt_to,
    draws,
    flips,
    pays,
    plays,
    returns,
    shows,
    told,
)

# The deal

_SHORT = Dealt(0, 0, DEALT.cards[:-1])
_FOURTH = Dealt(0, 0, DEALT.cards[:-1] + DEALT.cards[:1])
_FROM_1 = dealt_to(*HELD, start=1)
ALL_JOKERS = "Bj Bj Bj Rj Rj Rj"
NO_SUIT = dealt_to("6h", "6s", "", "", bottom=ALL_JOKERS)
"""All jokers lie below: whoever has to turn up a suit finds none."""
REDEALT: list[Fact] = [NO_SUIT, CLOSED, *map(draws, range(6))]
DEALS: dict[str, Walked] = {
    "one card too few": blocks([_SHORT], "DECK"),
    "a fourth copy": blocks([_FOURTH], "DECK"),
    "twice": blocks([DEALT, DEALT], "DECK"),
    "not from the dealer on": breaks(
        [_FROM_1], "DEAL_START", 1, 0, 1, behind=[shows(1, "6s"), CLOSED, buries(0)]
    ),
    "a first hand from any seat on": told([_FROM_1, CLOSED], start=FIRST),
    "anew for six jokers": told([*REDEALT, DEALT, shows(1, "6s"), CLOSED]),
    "anew, not from the dealer on": breaks([*REDEALT, _FROM_1], "DEAL_START", 1, 0, 1),
    "anew, and declared": told([*REDEALT, DEALT, CLOSED, draws(0), pays(3, "Bj Bj")], start=OWED),
    "a first hand anew from any seat on": told(
        [NO_SUIT, CLOSED, *(flips(0, place) for place in range(6)), _FROM_1, CLOSED], start=FIRST
    ),
}

# 抢亮大王

_FIRST_HELD = ("Rj As 9h", "Rj Rj 9h", "3h", "3d 3d")
FIRST_BOTTOM = "4s 7c 9d Kd 4h 2c"
FIRST_DEALT = dealt_to(*_FIRST_HELD, bottom=FIRST_BOTTOM)
"""In a first hand seat 0 can show 大王 from the first card on, seat 1 from its first or second."""
_FORBIDDEN = replace(DEFAULT, late_first_show="forbidden")
FIRST_SHOWN: list[Fact] = [FIRST_DEALT, shows(0, "Rj", after=1)]
_LATE: list[Fact] = [shows(0, "Rj"), CLOSED]
_BELOW = "Bj 9d Kd 4h 2c 3s"
FIRST_SHOWS: dict[str, Walked] = {
    "a level card": blocks([FIRST_DEALT, shows(2, "3h")], "FIRST_SHOW", 2, None, "3h", start=FIRST),
    "a small joker": blocks(
        [dealt_to("Bj", "", "", ""), shows(0, "Bj")], "FIRST_SHOW", start=FIRST
    ),
    "no cards": blocks([FIRST_DEALT, shows(0, "")], "FIRST_SHOW", start=FIRST),
    "a 大王 of another seat": blocks([FIRST_DEALT, shows(2, "Rj")], "HELD", start=FIRST),
    "two": breaks(
        [FIRST_DEALT, shows(1, "Rj Rj", after=6)],
        *("ONE_JOKER", 1, ("value.cards", 1), ("value.cards", 2)),
        start=FIRST,
        behind=[CLOSED, buries(1, FIRST_BOTTOM)],
    ),
    "a second seat": breaks(
        [*FIRST_SHOWN, shows(1, "Rj", after=2)],
        *("FIRST_STANDS", 1, 0, 1),
        start=FIRST,
        behind=[CLOSED, buries(1, FIRST_BOTTOM)],
    ),
    "another one by the same seat": breaks(
        [FIRST_DEALT, shows(1, "Rj", after=2), shows(1, "Rj", after=6)],
        *("FIRST_STANDS", 1, 1, 1),
        start=FIRST,
    ),
    "two behind another": breaks(
        [*FIRST_SHOWN, shows(1, "Rj Rj")], "ONE_JOKER", start=FIRST, also=["FIRST_STANDS"]
    ),
    "before it was dealt": breaks(
        [FIRST_DEALT, shows(1, "Rj", after=1)],
        *("DECLARE_TIME", 1, "value.dealt_by_then", "Rj"),
        start=FIRST,
        behind=[CLOSED, buries(1, FIRST_BOTTOM)],
    ),
    "with a suit that follows from the cards": breaks(
        [FIRST_DEALT, shows(0, "Rj", Named.SPADES, after=1)],
        *("NAMED_EXTRA", 0, "value.nothing", "trump.spades"),
        start=FIRST,
        behind=[CLOSED, buries(0, FIRST_BOTTOM)],
    ),
    "with all dealt, where that is too late": breaks(
        [FIRST_DEALT, shows(0, "Rj")],
        *("LATE_FIRST", 0, "value.suited_to_come", 156),
        start=FIRST,
        options=_FORBIDDEN,
        behind=[CLOSED, draws(0), buries(0, FIRST_BOTTOM)],
    ),
    "with all dealt": told(
        [FIRST_DEALT, shows(0, "Rj"), CLOSED, draws(0), buries(0, FIRST_BOTTOM)], start=FIRST
    ),
    "behind the close": breaks(
        [FIRST_DEALT, CLOSED, shows(0, "Rj", after=1)],
        *("DECLARE_TIME", 0, "value.before_close", "value.too_late"),
        start=FIRST,
        behind=[buries(0, FIRST_BOTTOM)],
    ),
    "behind the close, two of them": breaks(
        [FIRST_DEALT, CLOSED, shows(1, "Rj Rj")], "DECLARE_TIME", start=FIRST, also=["ONE_JOKER"]
    ),
    "behind the first flip": blocks(
        [FIRST_DEALT, CLOSED, flips(0, 1), shows(0, "Rj", after=1)], "TURNING", start=FIRST
    ),
    "behind a card drawn for the first one": blocks(
        [dealt_to(*_FIRST_HELD, bottom=_BELOW), *_LATE, draws(0), shows(1, "Rj", after=2)],
        "TURNING",
        start=FIRST,
    ),
    "once the dealer has taken the bottom": blocks(
        [*FIRST_SHOWN, CLOSED, shows(1, "Rj")], "BURIAL", start=FIRST
    ),
}

# 亮主, 反主, 加固

_OPENS = replace(DEFAULT, joker_triple_opens="allowed")
_EQUAL = replace(DEFAULT, joker_triple="equals_level_triple")
_OWN = replace(DEFAULT, self_overturn_suit="own_suit")
_ANY_SUIT = shows(2, "Rj Rj Rj", Named.CLUBS)
_SMALL = shows(3, "Bj Bj Bj", Named.HEARTS)
_SINGLE, _PAIR, _TRIPLE = shows(1, "6s"), shows(1, "6c 6c"), shows(3, "6d 6d 6d")
SHOWS: dict[str, Walked] = {
    "cards of another seat": blocks([DEALT, shows(0, "6d")], "HELD", 0, None, "6d"),
    "more than it holds": blocks([DEALT, shows(1, "6c 6c 6c")], "HELD", 1, None, "6c"),
    "another rank": blocks([DEALT, shows(0, "4c")], "SHOWS", 0, None, "4c"),
    "two suits": blocks([DEALT, shows(1, "6s 6c")], "SHOWS", 1, None, "6c 6s"),
    "four cards": blocks([DEALT, shows(3, "6d 6d 6d 6d")], "SHOWS"),
    "one joker": blocks([DEALT, shows(2, "Rj")], "SHOWS", 2, None, "Rj"),
    "two jokers": blocks([DEALT, shows(2, "Rj Rj")], "SHOWS"),
    "no cards": blocks([DEALT, shows(1, "")], "SHOWS", 1, None, ""),
    "three jokers without a suit": blocks(
        [DEALT, _SINGLE, shows(2, "Rj Rj Rj")],
        *("JOKERS_NAME", 2, "value.a_suit", None),
    ),
    "three jokers without trumps": blocks(
        [DEALT, _SINGLE, shows(2, "Rj Rj Rj", Named.NO_TRUMP)],
        *("JOKERS_NAME", 2, "value.a_suit", "trump.no_trump"),
    ),
    "a level card that names its suit": told([DEALT, shows(1, "6s", Named.SPADES), CLOSED]),
    "a level card that names another": breaks(
        [DEALT, shows(1, "6s", Named.HEARTS)],
        *("NAMED_EXTRA", 1, "value.nothing", "trump.hearts"),
        behind=[CLOSED, buries(0)],
    ),
    "before its card was dealt": breaks(
        [DEALT, shows(1, "6s", after=1)],
        "DECLARE_TIME",
        1,
        "value.dealt_by_then",
        "6s",
        behind=[CLOSED, buries(0)],
    ),
    "before its second card was dealt": breaks(
        [DEALT, shows(0, "6h 6h", after=4)],
        "DECLARE_TIME",
        0,
        "value.dealt_by_then",
        "6h",
        behind=[CLOSED],
    ),
    "as soon as its card was dealt": told([DEALT, shows(1, "6s", after=2), CLOSED]),
    "before the show that it follows": breaks(
        [DEALT, shows(1, "6s", after=60), shows(0, "6h 6h", after=59)],
        *("DECLARE_TIME", 0, ("value.from_card", 60), ("value.after_cards", 59)),
        behind=[CLOSED, buries(0)],
    ),
    "three jokers open": breaks(
        [DEALT, _ANY_SUIT], "JOKERS_OPEN", 2, None, "Rj Rj Rj", behind=[CLOSED, buries(0)]
    ),
    "three jokers open where they may": told([DEALT, _ANY_SUIT, CLOSED], options=_OPENS),
    "one over one": breaks(
        [DEALT, _SINGLE, shows(0, "6h")],
        *("STRONGER", 0, "6s", "6h"),
        behind=[CLOSED, buries(0), plays(0, "6h")],
    ),
    "two over two": breaks([DEALT, _PAIR, shows(0, "6h 6h")], "STRONGER", 0, "6c 6c", "6h 6h"),
    "two over three": breaks([DEALT, _TRIPLE, _PAIR], "STRONGER"),
    "small jokers over big ones": breaks([DEALT, _SINGLE, _ANY_SUIT, _SMALL], "STRONGER"),
    "big jokers over small ones": told([DEALT, _SINGLE, _SMALL, _ANY_SUIT, CLOSED]),
    "jokers over three": told([DEALT, _SINGLE, _TRIPLE, _SMALL, CLOSED]),
    "jokers over three, where they are equal": breaks(
        [DEALT, _SINGLE, _TRIPLE, _SMALL], "STRONGER", 3, "6d 6d 6d", "Bj Bj Bj", options=_EQUAL
    ),
    "reinforced": told([DEALT, shows(1, "6c"), _PAIR, CLOSED], options=_OWN),
    "in another suit": told([DEALT, _SINGLE, _PAIR, CLOSED]),
    "in another suit, where that may not be": breaks(
        [DEALT, _SINGLE, _PAIR],
        *("SELF_OVERTURN", 1, "6s", "6c 6c"),
        options=_OWN,
        behind=[CLOSED, buries(0)],
    ),
    "behind the close, where nobody has shown": breaks(
        [DEALT, CLOSED, _SINGLE],
        "DECLARE_TIME",
        1,
        "value.before_close",
        "value.too_late",
        behind=[buries(0)],
    ),
    "behind a joker that was drawn": breaks(
        [dealt_to(*HELD[:3], "6d 6d 6d", bottom=_BELOW), CLOSED, draws(0), _SINGLE],
        "DECLARE_TIME",
        behind=[buries(0, "4c" + _BELOW[2:])],
    ),
    "behind the close, before tribute": breaks(
        [*DECLARED, shows(0, "6h 6h")],
        "DECLARE_TIME",
        start=OWED,
        behind=[pays(3, "Bj Bj"), returns(0, "4c 4c"), buries(0)],
    ),
    "behind the close, and too weak": breaks(
        [*DECLARED, shows(0, "6h")], "DECLARE_TIME", start=OWED, also=["STRONGER"]
    ),
    "behind tribute": breaks(
        [*DECLARED, pays(3, "Bj Bj"), shows(0, "6h 6h")],
        *("DECLARE_TIME", 0, "value.before_close", "value.too_late"),
        start=OWED,
        behind=[returns(0, "Bj 4c"), buries(0)],
    ),
    "behind the close, not held": blocks(
        [*DECLARED, shows(0, "6d")], "HELD", 0, None, "6d", start=OWED
    ),
    "behind tribute, with cards that were paid": blocks(
        [*DECLARED, pays(3, "Bj Bj"), _SMALL], "HELD", 3, None, "Bj Bj", start=OWED
    ),
    "behind tribute, with cards that came": told(
        [*DECLARED, pays(3, "6d 6d"), shows(0, "6d 6d")],
        *((6, "breach", "LARGEST"), (7, "breach", "DECLARE_TIME")),
        start=OWED,
    ),
    "behind the return of tribute": blocks(
        [*DECLARED, pays(3, "Bj Bj"), returns(0, "4c 4c"), _PAIR], "BURIAL", start=OWED
    ),
    "once the dealer has taken the bottom": blocks([*DECLARED, _PAIR], "BURIAL"),
    "once he has buried": blocks([*BURIED, _PAIR], "PHASES"),
    "in play": blocks([*BEGUN, _PAIR], "PHASES"),
}

# Cards turned up

FLIP_DEALT = dealt_to("", "", "", "4c", bottom=_BELOW)
_FEW = dealt_to("", "", "", "", bottom="Bj Bj Bj Rj Rj 4h")
_FLIP: list[Fact] = [FLIP_DEALT, CLOSED]
FLIPPED: list[Fact] = [*_FLIP, flips(0, 1), flips(1, 2), flips(2, 3), flips(3, 5)]
"""Seat 3 turns up a 3, the level card: it deals, and spades are trump."""
DRAW_DEALT = dealt_to(*HELD[:3], "6d 6d 6d", bottom=_BELOW)
DRAWN_BOTTOM = parse_cards(_BELOW)
DRAWN: list[Fact] = [DRAW_DEALT, CLOSED, draws(0), draws(2)]
"""A joker is passed over, then diamonds are trump."""
_PLACES = tuple(("value.place", place) for place in range(6))
TURNS: dict[str, Walked] = {
    "flipped": told([*FLIPPED, buries(3, "4c" + _BELOW[2:])], start=FIRST),
    "a joker is flipped, and the seat goes on": told(
        [*_FLIP, flips(0, 0), flips(0, 1), flips(1, 2), flips(2, 3), flips(3, 4)], start=FIRST
    ),
    "another seat goes on behind a joker": blocks(
        [*_FLIP, flips(0, 0), flips(1, 1)],
        *("TURNING", 1, ("seat.number", 0), ("seat.number", 1)),
        start=FIRST,
    ),
    "the bottom runs out": told(
        [_FEW, CLOSED, *(flips(0, place) for place in range(6))], start=FIRST
    ),
    "not from the first seat on": blocks([*_FLIP, flips(1, 1)], "TURNING", start=FIRST),
    "twice by a seat": blocks([*_FLIP, flips(0, 1), flips(0, 2)], "TURNING", start=FIRST),
    "a card that is turned up": blocks(
        [*_FLIP, flips(0, 1), flips(1, 1)],
        *("TURNING", 1, (_PLACES[0], *_PLACES[2:]), ("value.place", 1)),
        start=FIRST,
    ),
    "no place of the bottom": blocks([*_FLIP, flips(0, 6)], "TURNING", start=FIRST),
    "a fifth time": blocks([*FLIPPED, flips(0, 4)], "TURNING", start=FIRST),
    "flipped in a later hand": blocks([DEALT, CLOSED, flips(0, 1)], "TURNING"),
    "drawn in a first hand that nobody declared": blocks(
        [*_FLIP, draws(1)], "TURNING", start=FIRST
    ),
    "drawn": told([*DRAWN, buries(0, "4c" + _BELOW[2:])]),
    "drawn on behind a suit": blocks([*DRAWN, draws(1)], "TURNING"),
    "drawn twice from a place": blocks(
        [DRAW_DEALT, CLOSED, draws(0), draws(0)],
        *("TURNING", None, _PLACES[1:], ("value.place", 0)),
    ),
    "drawn where somebody declared": blocks([*DECLARED, draws(0)], "TURNING"),
    "drawn before the close": blocks([DEALT, draws(0)], "TURNING"),
    "drawn for a 大王 that a suit follows": blocks(
        [*FIRST_SHOWN, CLOSED, draws(0)], "TURNING", start=FIRST
    ),
    "played while a suit is wanted": blocks([DRAW_DEALT, CLOSED, plays(0, "6h")], "TURNING"),
    "played before the flips are made": blocks(
        [*_FLIP, flips(0, 1), plays(0, "6h")], "TURNING", start=FIRST
    ),
}
"""翻牌 of a first hand, and draws."""
