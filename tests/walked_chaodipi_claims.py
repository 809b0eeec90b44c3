"""What may be announced falsely in a hand of 炒地皮, how it may end, and several faults in one."""

from msgspec.structs import replace

from replay.engine.chaodipi.presets import DEFAULT
from schema.cards import card_text, parse_cards
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    ChaodipiResult,
    ChaodipiSettled,
    Escaped,
    ThrowJudged,
    TrumpSet,
)
from schema.events import (
    AbortReason,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    TrickWon,
)
from schema.trumps import Trump
from tests.builders_chaodipi import FIRST
from tests.walked_chaodipi import (
    BEGUN,
    BURIED,
    CLOSED,
    DEALT,
    DECLARED,
    FLAG,
    LATER,
    TURNED,
    Fault,
    Table,
    Walked,
    blocks,
    buries,
    dealt_to,
    falsified,
    passes,
    place_of,
    plays,
    shows,
    stirs,
    told,
    truly,
    twice,
    without,
)
from tests.walked_chaodipi_cases import CLUBS, LEAD, PHASES

# What trump is, and who takes the bottom

_OPEN: list[Fact] = [DEALT, TURNED, CLOSED, buries(0)]
_STIRRED: list[Fact] = [*BURIED, stirs(1, "6c 6c"), buries(1)]


def _behind(case: Walked, events: list[Event], *faults: tuple[int, str, str]) -> Walked:
    """The same with further events, and with faults by their places among them."""
    start = len(case.events)
    more = [(start + index, kind, rule) for index, kind, rule in faults]
    return case._replace(events=[*case.events, *events], faults=[*case.faults, *more])


def _card(seat: int, suit: int) -> str:
    """A plain card of a suit that the deal has given the seat."""
    cards = DEALT.cards[:100][seat::4]
    own = [code for code in cards if code & 3 == suit and card_text(code)[0] in "3479TJQKA"]
    return card_text(own[0])


_HEARTS = falsified(told(DECLARED), TrumpSet, "TRUMP_SET", trump=Trump.HEARTS)
_TO_PLAY: list[Event] = [buries(0), *passes(1, 2, 3)]
_RUNG_8 = falsified(told(DECLARED), TrumpSet, "TRUMP_SET", rung=8)
TRUMPS: dict[str, Walked] = {
    "another trump, and played so": _behind(
        _HEARTS, [*_TO_PLAY, plays(0, _card(0, 2)), plays(1, "6s")]
    ),
    "another trump, and not played so": _behind(
        _HEARTS, [*_TO_PLAY, plays(0, _card(0, 3)), plays(1, "6s")], (5, "breach", "SUIT")
    ),
    "that trump, and not played so": told(
        [*BEGUN, plays(0, _card(0, 2)), plays(1, "6s")],
        (len(truly(BEGUN)) + 1, "breach", "SUIT"),
    ),
    "that trump, and played so": told([*BEGUN, plays(0, _card(0, 3)), plays(1, "6s")]),
    "another rung: nobody is asked": _behind(_RUNG_8, [buries(0), LEAD]),
    "another rung, and asked": _behind(
        _RUNG_8, [buries(0), *passes(1)], (1, "violation", "STIR_END")
    ),
    "missing": without(told(BURIED), TrumpSet, "TRUMP_SET"),
    "twice": twice(told(BEGUN), TrumpSet, "TRUMP_SET"),
    "false after a stir": falsified(told(_STIRRED), TrumpSet, "TRUMP_SET", rung=4),
    "missing after a stir": without(told(_STIRRED), TrumpSet, "TRUMP_SET"),
    "not what the bottom gives": falsified(
        told([*_OPEN, *passes(1)]), TrumpSet, "BOTTOM_TRUMP", trump=Trump.SPADES
    ),
    "the bottom's, missing": without(told(_OPEN), TrumpSet, "BOTTOM_TRUMP"),
}
"""TrumpSet. What is announced stands as it is, and what follows is judged by it."""
_OTHER = parse_cards("3c") + DEALT.cards[101:]
BOTTOMS: dict[str, Walked] = {
    "another card is turned up": falsified(told(_OPEN), BottomShown, "BOTTOM_TRUMP", cards=_OTHER),
    "in another order": falsified(
        told(_OPEN), BottomShown, "BOTTOM_TRUMP", cards=DEALT.cards[100:][::-1]
    ),
    "not shown": without(told(_OPEN), BottomShown, "BOTTOM_TRUMP"),
    "shown twice": twice(told(_OPEN), BottomShown, "BOTTOM_TRUMP"),
    "taken by another than the dealer": falsified(told(BEGUN), BottomTaken, "DEALER", seat=1),
    "other cards are taken": falsified(told(BEGUN), BottomTaken, "BOTTOM_TAKEN", cards=_OTHER),
    "taken by another than the stirrer": falsified(
        told(_STIRRED), BottomTaken, "BOTTOM_TAKEN", seat=0
    ),
    "not taken": without(told(BEGUN), BottomTaken, "BOTTOM_TAKEN"),
    "taken twice": twice(told(BEGUN), BottomTaken, "BOTTOM_TAKEN"),
    "taken by another than the first seat": falsified(
        told(_OPEN, start=FIRST), BottomTaken, "DEALER", seat=3
    ),
}
"""BottomShown and BottomTaken: the truth is played on from."""

# Throws

THROW = Table(("Ac Jc 3d", "Kc 4c 4d", "2c 3c 5d", "7c 8c 8d"))
"""Jc is beaten by seat 1, Ac by nobody."""
GOOD = Table(("Ac Kc 3d", "Qc 4c 4d", "2c 3c 5d", "7c 8c 8d"))
_ATTEMPT, _STANDS = plays(0, "Ac Jc"), plays(0, "Ac Kc")
_REJECT = replace(DEFAULT, failed_throw="reject")


def _judged(table: Table, led: str, beaten_by: tuple[int, ...], rule: str, *rest: Event) -> Walked:
    """A throw that is announced so, and what follows of it."""
    attempt = _ATTEMPT if table is THROW else _STANDS
    claim = ThrowJudged(parse_cards(led), beaten_by)
    return Walked([attempt, claim, *rest], [(1, "claim", rule)], table)


_ONE_EACH: tuple[Event, ...] = (plays(1, "4c"), plays(2, "2c"), plays(3, "7c"))
_TWO_EACH: tuple[Event, ...] = (plays(1, "Kc 4c"), plays(2, "2c 3c"), plays(3, "7c 8c"))
THROWS: dict[str, Walked] = {
    "fails": told([_ATTEMPT, plays(1, "Kc"), plays(2, "2c"), plays(3, "7c")], start=THROW),
    "stands": told([_STANDS, plays(1, "Qc 4c"), plays(2, "2c 3c")], start=GOOD),
    "said to stand, and answered so": _judged(
        THROW, "Ac Jc", (), "THROW_STANDS", *_TWO_EACH, TrickWon(0, 10)
    ),
    "said to fail in another part, and answered so": _judged(
        THROW, "Ac", (1,), "THROW_FAILS", *_ONE_EACH, TrickWon(0, 0)
    ),
    "said to be beaten by another": _judged(
        THROW,
        "Jc",
        (2,),
        "THROW_FAILS",
        plays(1, "Kc"),
        plays(2, "2c"),
        plays(3, "7c"),
        TrickWon(1, 10),
    ),
    "a good one said to fail": _judged(
        GOOD,
        "Kc",
        (3,),
        "THROW_STANDS",
        plays(1, "Qc"),
        plays(2, "2c"),
        plays(3, "7c"),
        TrickWon(0, 10),
        plays(0, "Ac"),
    ),
    "said to stand, and answered otherwise": Walked(
        [_ATTEMPT, ThrowJudged(parse_cards("Ac Jc"), ()), plays(1, "Kc")],
        [(1, "claim", "THROW_STANDS"), (2, "violation", "COUNT")],
        THROW,
    ),
    "another card is led": Walked(
        [_ATTEMPT, ThrowJudged(parse_cards("3d"), (1,))], [(1, "violation", "LEAD")], THROW
    ),
    "nothing is led": Walked([_ATTEMPT, ThrowJudged(b"", (1,))], [(1, "violation", "LEAD")], THROW),
    "not judged": without(
        told([_ATTEMPT, plays(1, "Kc")], start=THROW), ThrowJudged, "THROW_STANDS"
    ),
    "judged twice": twice(
        told([_ATTEMPT, plays(1, "Kc")], start=THROW), ThrowJudged, "THROW_STANDS"
    ),
    "no throw is judged": Walked(
        [plays(0, "Ac"), ThrowJudged(parse_cards("Ac"), ()), plays(1, "4c")],
        [(1, "claim", "THROW_STANDS")],
        THROW,
    ),
    "turned down": blocks([_ATTEMPT], "THROW_REJECTED", start=THROW, options=_REJECT),
    "a good one at such a table": told([_STANDS, plays(1, "Qc 4c")], start=GOOD, options=_REJECT),
}
"""ThrowJudged: what is said to be led is led, if it is a part of the throw."""

# Tricks

_TRICK: list[Fact] = [plays(0, "3c"), plays(1, "Jc"), plays(2, "Kc"), plays(3, "8d")]
_NEXT: list[Fact] = [*_TRICK, plays(2, "2c")]
_BY_THROW: list[Fact] = [_STANDS, plays(1, "Qc 4c"), plays(2, "2c 3c"), plays(3, "7c 8c")]
_WSK_TRICK = Table(("5c Tc Kc 3d", "2c 3c 4c 3d", "7c 8c 9c 2d", "Jc Qc Ac 2d"))
_BY_WSK: list[Fact] = [
    *(plays(0, "5c Tc Kc"), plays(1, "2c 3c 4c")),
    *(plays(2, "7c 8c 9c"), plays(3, "Jc Qc Ac")),
]
TRICKS: dict[str, Walked] = {
    "won by another": falsified(told(_NEXT, start=CLUBS), TrickWon, "HIGHEST", seat=1),
    "other points": falsified(told(_NEXT, start=CLUBS), TrickWon, "TRICK_POINTS", points=5),
    "won by nobody": without(told(_NEXT, start=CLUBS), TrickWon, "HIGHEST"),
    "won twice": twice(told(_NEXT, start=CLUBS), TrickWon, "HIGHEST"),
    "a throw is won by another": falsified(
        told(_BY_THROW, start=GOOD), TrickWon, "THROW_WON", seat=3
    ),
    "a 5.10.K is won by another": falsified(
        told(_BY_WSK, start=_WSK_TRICK), TrickWon, "WSK_WON", seat=3
    ),
    "led by whom it was falsely given": told(
        [*_TRICK, plays(1, "9c")], (5, "breach", "LEADER"), start=CLUBS
    ),
}
"""TrickWon."""

# Ends

_ESCAPED = {
    phase: ([*facts, Escaped(0, 2), HandEnded(0)], FLAG if phase == "flag" else LATER)
    for phase, facts in PHASES.items()
}
ESCAPES: dict[str, Walked] = {
    **{phase: told(facts, start=start) for phase, (facts, start) in _ESCAPED.items()},
    **{
        f"{phase}, settled falsely": falsified(
            told(facts, start=start), ChaodipiSettled, "ESCAPE", deltas=(0, 5, 0, 0)
        )
        for phase, (facts, start) in _ESCAPED.items()
    },
    **{
        f"{phase}, not settled": without(told(facts, start=start), ChaodipiSettled, "WINNER")
        for phase, (facts, start) in _ESCAPED.items()
    },
    "said to be a hand that was held": falsified(
        told(_ESCAPED["play"][0]), ChaodipiSettled, "ESCAPE", result=ChaodipiResult.HELD
    ),
    "played on": blocks([*BEGUN, Escaped(0, 2), LEAD], "HAND_END"),
    "a second one": blocks([*BEGUN, Escaped(0, 2), Escaped(0, 1)], "HAND_END"),
}
"""Escaped, in every phase and between two hands."""
_ABORT = HandAborted(0, AbortReason.DISSOLVED)
_LAST = Table(("3c", "Jc", "Kc", "8d"))
ENDS: dict[str, Walked] = {
    **{
        f"aborted in {phase}": told([*facts, _ABORT], start=FLAG if phase == "flag" else LATER)
        for phase, facts in PHASES.items()
    },
    "played out": told([*_TRICK, HandEnded(0)], start=_LAST),
    "aborted when over": blocks([*_TRICK, _ABORT], "HAND_END", start=_LAST),
    "cut off when over": told([*_TRICK, HandAborted(0, AbortReason.RECOVERED)], start=_LAST),
    "played on when over": blocks([*_TRICK, plays(2, "2c")], "HAND_END", start=_LAST),
    "escaped when over": blocks([*_TRICK, Escaped(0, 2)], "HAND_END", start=_LAST),
    "not settled": without(told([*_TRICK, HandEnded(0)], start=_LAST), ChaodipiSettled, "WINNER"),
    "the last trick is won by another": falsified(
        told([*_TRICK, HandEnded(0)], start=_LAST), TrickWon, "HIGHEST", seat=3
    ),
}
"""How a hand ends, and how it does not."""


def _five() -> Walked:
    """The wrong seat is dealt to, a show too early, a false bottom, a low stir, a wrong leader."""
    deal = dealt_to("6h Bj Bj", "6s 6c 6c", "5h 5h", "6d 6d Rj Rj", start=1)
    early, low, lead = shows(1, "6c 6c", after=1), stirs(3, "6d 6d"), plays(2, "5h")
    facts: list[Fact] = [
        *(deal, early, CLOSED, buries(0), *passes(1, 2), low, buries(3)),
        *(*passes(0, 1, 2), lead),
    ]
    events = truly(facts)
    taken = next(index for index, event in enumerate(events) if isinstance(event, BottomTaken))
    events[taken] = BottomTaken(0, DEALT.cards[100:][::-1])
    faults: list[Fault] = [
        (place_of(events, deal), "breach", "DEAL_START"),
        (place_of(events, early), "breach", "DECLARE_TIME"),
        (taken, "claim", "BOTTOM_TAKEN"),
        (place_of(events, low), "breach", "STIR_HIGHER"),
        (place_of(events, lead), "breach", "LEADER"),
    ]
    return Walked(events, faults)


def _five_in_play() -> Walked:
    """A wrong leader, a revoke, a pair kept back, a false trick, and its false winner leads."""
    facts: list[Fact] = [
        *(plays(1, "9c 9c"), plays(2, "4h 2c"), plays(3, "7d 8d"), plays(0, "3c 4d")),
        plays(3, "6c"),
    ]
    events = truly(facts, CLUBS)
    at = place_of(events, TrickWon)
    events[at] = TrickWon(3, 0)
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
WHOLE = SEVERAL["five"]
"""The one that opens as hands do."""
