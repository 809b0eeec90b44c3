"""False announcements in a hand of 四副滚子, how it may end, and several faults in one."""

from msgspec.structs import replace

from replay.engine.gunzi.presets import DEFAULT
from schema.cards import parse_cards
from schema.events import (
    AbortReason,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    Refused,
    TrickWon,
)
from schema.gunzi import BottomShown, GunziSettled, Redealt, TrumpSet
from schema.trumps import Trump
from tests.builders_gunzi import FIRST
from tests.walked_gunzi import (
    BEGUN,
    BOTTOM,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    HELD,
    OWED,
    Fault,
    Table,
    Walked,
    behind,
    blocks,
    buries,
    dealt_to,
    draws,
    falsified,
    flips,
    passes,
    pays,
    place_of,
    plays,
    returns,
    shows,
    swaps,
    told,
    truly,
    twice,
    without,
)
from tests.walked_gunzi_before import (
    DRAWN,
    DRAWN_BOTTOM,
    FIRST_DEALT,
    FIRST_SHOWN,
    FLIPPED,
    NO_SUIT,
    REDEALT,
)
from tests.walked_gunzi_cases import CLUBS
from tests.walked_gunzi_phases import DRY_BOTTOM, DRY_HAND, LEAD, PAID, PHASES

# Trump and dealer


def _then(case: Walked, events: list[Event], *faults: Fault) -> Walked:
    """The same with further events, and with faults by their places among them."""
    start = len(case.events)
    more = [(start + index, kind, rule) for index, kind, rule in faults]
    return case._replace(events=[*case.events, *events], faults=[*case.faults, *more])


_HEARTS = falsified(told(DECLARED), TrumpSet, "TRUMP_SET", trump=Trump.HEARTS)
_DEALER_2 = falsified(told(DECLARED), TrumpSet, "KNOWN_DEALER", dealer=2)
_PAYER_1 = falsified(told(DECLARED, start=OWED), TrumpSet, "KNOWN_DEALER", dealer=2)
_NEXT = told([*FIRST_SHOWN, CLOSED], start=FIRST)
_DRAWN_FIRST = told([FIRST_DEALT, shows(0, "Rj"), CLOSED, draws(0)], start=FIRST)
_FLIPPED = told(FLIPPED, start=FIRST)
_NO_TRUMP = falsified(told(DECLARED), TrumpSet, "TRUMP_SET", trump=Trump.NO_TRUMP)
_DRAWN = told(DRAWN)
_PLAYED: list[Event] = [buries(0), *passes(1, 2, 3)]
TRUMPS: dict[str, Walked] = {
    "another suit, and played so": _then(
        _HEARTS, [*_PLAYED, plays(0, "6h"), plays(1, "6s"), plays(2, "Rj")]
    ),
    "another suit, and not played so": _then(
        _HEARTS,
        [buries(0, "6h 6h 4c 4c 4c 4h"), *passes(1, 2, 3), plays(0, "Ks"), plays(1, "6s")],
        (5, "breach", "SUIT"),
    ),
    "no trumps": _NO_TRUMP._replace(
        faults=[(place_of(_NO_TRUMP.events, TrumpSet), "violation", "TRUMP_SET")]
    ),
    "another dealer, and played so": _then(
        _DEALER_2, [buries(2), *passes(3, 0, 1), plays(2, "Rj")]
    ),
    "another dealer, and not played so": _then(_DEALER_2, [buries(0)], (0, "violation", "BURIAL")),
    "another dealer, whom another pays": _then(
        _PAYER_1, [pays(3, "Bj Bj")], (0, "violation", "TRIBUTE")
    ),
    "missing": without(told(BURIED), TrumpSet, "TRUMP_SET"),
    "twice": twice(told(DECLARED), TrumpSet, "TRUMP_SET"),
    "before the close": Walked(
        [*truly(DECLARED[:2]), TrumpSet(Trump.SPADES, 0), *truly(DECLARED)[4:]],
        [(4, "claim", "TRUMP_SET")],
    ),
    "not the suit that follows": falsified(_NEXT, TrumpSet, "NEXT_SUITED", trump=Trump.HEARTS),
    "not who showed": falsified(_NEXT, TrumpSet, "FIRST_DEALER", dealer=1),
    "missing in a first hand": without(
        told([*FIRST_SHOWN, CLOSED, buries(0, "4s 7c 9d Kd 4h 2c")], start=FIRST),
        TrumpSet,
        "NEXT_SUITED",
    ),
    "not what was drawn for the first one": falsified(
        _DRAWN_FIRST, TrumpSet, "FROM_BOTTOM", trump=Trump.HEARTS
    ),
    "not who flipped the largest": falsified(_FLIPPED, TrumpSet, "FLIP_DEALER", dealer=0),
    "not the suit of the largest": falsified(
        _FLIPPED, TrumpSet, "FLIP_DEALER", trump=Trump.DIAMONDS
    ),
    "not what was drawn": falsified(_DRAWN, TrumpSet, "DRAWN_TRUMP", trump=Trump.SPADES),
    "not who deals": falsified(_DRAWN, TrumpSet, "KNOWN_DEALER", dealer=3),
}
"""TrumpSet. What is announced stands as it is, and what follows is judged by it."""
_FIRST_REDEALT: list[Fact] = [NO_SUIT, CLOSED, *(flips(0, place) for place in range(6))]
REDEALS: dict[str, Walked] = {
    "missing": without(told([*REDEALT, DEALT]), Redealt, "REDEAL"),
    "twice": twice(told(REDEALT), Redealt, "REDEAL"),
    "where there is a suit": behind(told([DEALT, CLOSED]), Redealt(), "REDEAL"),
    "missing in a first hand": without(
        told([*_FIRST_REDEALT, DEALT], start=FIRST), Redealt, "FIRST_REDEAL"
    ),
    "where there is a suit in a first hand": behind(
        told([DEALT, CLOSED], start=FIRST), Redealt(), "FIRST_REDEAL"
    ),
}

# The bottom

_SORTED = bytes(sorted(parse_cards(BOTTOM)))
_SWAPPED: list[Fact] = [*BURIED, swaps(2, "Rj", "4h")]
_OTHER = parse_cards("3c") + DEALT.cards[157:]
_AS_DRY = falsified(told(DECLARED), BottomShown, "DRY", dry=True)
_NOT_DRY = falsified(told(DRY_HAND), BottomShown, "DRY", dry=False)
_UNSHOWN = told(DRAWN)


def _unshown_between() -> Walked:
    """A bottom is not shown behind the burial of one seat, but behind that of the next."""
    second = swaps(3, "Bj", "7c")
    case = told([*_SWAPPED, second])
    events = list(case.events)
    del events[events.index(second) - 1]
    return case._replace(events=events, faults=[(events.index(second), "claim", "JOKERS_SHOWN")])


BOTTOMS: dict[str, Walked] = {
    "other cards": falsified(told(DECLARED), BottomShown, "BOTTOM_SHOWN", cards=_OTHER),
    "in another order": falsified(
        told(BEGUN), BottomShown, "BOTTOM_SHOWN", cards=DEALT.cards[156:][::-1]
    ),
    "not shown": without(told(BURIED), BottomShown, "BOTTOM_SHOWN"),
    "shown twice": twice(told(DECLARED), BottomShown, "BOTTOM_SHOWN"),
    "shown before tribute": behind(
        told(DECLARED, start=OWED), BottomShown(DEALT.cards[156:], False), "BOTTOM_SHOWN"
    ),
    "not shown behind tribute": without(
        told([*PAID, returns(0, "4c 4c"), buries(0)], start=OWED), BottomShown, "BOTTOM_SHOWN"
    ),
    "shown where nobody declared": behind(
        _UNSHOWN, BottomShown(DRAWN_BOTTOM, False), "BOTTOM_SHOWN"
    ),
    "a new one without a joker": behind(
        told(BURIED), BottomShown(_SORTED, False), "NEW_BOTTOM_HIDDEN"
    ),
    "a new one without a joker, behind a pass": behind(
        told([*BURIED, *passes(1)]), BottomShown(_SORTED, False), "NEW_BOTTOM_HIDDEN"
    ),
    "a new one with a joker is hidden": without(
        told([*_SWAPPED, *passes(3)]), BottomShown, "JOKERS_SHOWN"
    ),
    "a new one with a joker is hidden before it is changed again": _unshown_between(),
    "other cards of a new one": falsified(
        told(_SWAPPED), BottomShown, "JOKERS_SHOWN", cards=_SORTED
    ),
    "a new one twice": twice(told(_SWAPPED), BottomShown, "JOKERS_SHOWN"),
    "a new one is said to be dry": falsified(told(_SWAPPED), BottomShown, "DRY", dry=True),
    "a new one is shown again behind a pass": behind(
        told([*_SWAPPED, *passes(3)]),
        BottomShown(bytes(sorted(parse_cards("3s 7c 9d Kd Rj 2c"))), False),
        "JOKERS_SHOWN",
    ),
    "said to be dry, and played so": _then(_AS_DRY, [plays(0, "6h"), plays(1, "6s")]),
    "said to be dry, and buried": _then(_AS_DRY, [buries(0)], (0, "violation", "DRY_STAYS")),
    "said not to be dry, and buried": _then(_NOT_DRY, [buries(0, DRY_BOTTOM), LEAD]),
    "said not to be dry, and not buried": _then(_NOT_DRY, [LEAD], (0, "violation", "BURIAL")),
    "said to be dry where nothing is shown": _then(
        behind(_UNSHOWN, BottomShown(DRAWN_BOTTOM, True), "BOTTOM_SHOWN"), [plays(0, "6h")]
    ),
}
"""BottomShown: the cards are played on from as they are, the word dry as it is said."""

# Tricks

_TRICK: list[Fact] = [plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")]
_GO_ON: list[Fact] = [*_TRICK, plays(2, "4c")]
_GOOD, _BAD = Refused(0, parse_cards("3c")), Refused(0, parse_cards("3c 4d"))
TRICKS: dict[str, Walked] = {
    "won by another": falsified(told(_GO_ON, start=CLUBS), TrickWon, "HIGHEST", seat=1),
    "other points": falsified(told(_GO_ON, start=CLUBS), TrickWon, "TRICK_POINTS", points=5),
    "won by nobody": without(told(_GO_ON, start=CLUBS), TrickWon, "HIGHEST"),
    "won twice": twice(told(_GO_ON, start=CLUBS), TrickWon, "HIGHEST"),
    "won before its end": behind(told(_TRICK[:3], start=CLUBS), TrickWon(2, 10), "HIGHEST"),
    "led by whom it was falsely given": told(
        [*_TRICK, plays(1, "9c")], (5, "breach", "LEADER"), start=CLUBS
    ),
    "led by the dealer, by option": told(
        [*_TRICK, plays(0, "3c")], start=CLUBS, options=replace(DEFAULT, leader="dealer")
    ),
    "led by the winner, where the dealer leads": told(
        [*_TRICK, plays(2, "4c")],
        (5, "breach", "LEADER"),
        start=CLUBS,
        options=replace(DEFAULT, leader="dealer"),
    ),
    "a good play refused": Walked([_GOOD, _TRICK[0]], [(0, "claim", "LEAD")], CLUBS),
    "a bad play refused": Walked([_BAD, _TRICK[0]], [], CLUBS),
}
"""TrickWon, and refusals."""

# Ends

_ABORT = HandAborted(0, AbortReason.DISSOLVED)
_LAST = Table(("3c", "Jc", "Kc", "8d"), captured=(0, 90, 0, 0))
ENDS: dict[str, Walked] = {
    **{
        f"aborted in {phase}": told([*facts, _ABORT], start=start)
        for phase, (facts, start) in PHASES.items()
    },
    "played out": told([*_TRICK, HandEnded(0)], start=_LAST),
    "aborted when over": blocks([*_TRICK, _ABORT], "HAND_END", start=_LAST),
    "cut off when over": told([*_TRICK, HandAborted(0, AbortReason.RECOVERED)], start=_LAST),
    "played on when over": blocks(
        [*_TRICK, plays(2, "4c")], "HAND_END", 2, "phase.over", "kind.played", start=_LAST
    ),
    "ended with cards left": blocks([*BEGUN, HandEnded(0)], "HAND_END"),
    "not settled": without(told([*_TRICK, HandEnded(0)], start=_LAST), GunziSettled, "SCORE"),
    "settled twice": twice(told(_TRICK, start=_LAST), GunziSettled, "SCORE"),
    "the last trick is won by another": falsified(
        told([*_TRICK, HandEnded(0)], start=_LAST), TrickWon, "HIGHEST", seat=3
    ),
}
"""How a hand ends, and how it does not."""


def _five() -> Walked:
    """The wrong seat is dealt to, a show too early, too little paid, a wrong pick and leader."""
    deal = dealt_to(*HELD, start=1)
    early, paid = shows(1, "6s", after=0), pays(3, "6d Bj")
    picks, lead = swaps(2, "Rj", "7c"), plays(2, "Rj")
    facts: list[Fact] = [
        *(deal, early, CLOSED, paid, returns(0, "4c 4c"), buries(0), picks, lead),
    ]
    events = truly(facts, OWED)
    rules = ("DEAL_START", "DECLARE_TIME", "LARGEST", "SMALLEST_PICK", "LEADER")
    wrong = (deal, early, paid, picks, lead)
    faults: list[Fault] = [
        (place_of(events, fact), "breach", rule) for fact, rule in zip(wrong, rules, strict=True)
    ]
    return Walked(events, faults, OWED)


def _five_in_play() -> Walked:
    """A wrong leader, two revokes, a false trick, and its false winner leads."""
    facts: list[Fact] = [
        *(plays(1, "9c 9c"), plays(2, "4h Kc"), plays(3, "7d 8d"), plays(0, "3c 4d")),
        plays(3, "6c"),
    ]
    events = truly(facts, CLUBS)
    at = place_of(events, TrickWon)
    events[at] = TrickWon(3, 10)
    return Walked(
        events,
        [
            (0, "breach", "LEADER"),
            (1, "breach", "SUIT"),
            (3, "breach", "SUIT"),
            (at, "claim", "HIGHEST"),
            (at + 1, "breach", "LEADER"),
        ],
        CLUBS,
    )


SEVERAL: dict[str, Walked] = {"five": _five(), "five in play": _five_in_play()}
"""Hands with five faults each."""
