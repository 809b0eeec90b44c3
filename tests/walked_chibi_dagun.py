"""Hands of 赤壁打滚 from the deal on, and their faults: calls, questions, readings."""

from msgspec.structs import replace

from replay.engine.chibi_dagun.presets import DEFAULT, FIRST_CARRY
from schema.cards import parse_card, parse_cards
from schema.events import (
    By,
    CallDrawn,
    Called,
    ClimbingCarry,
    Dealt,
    Event,
    HandEnded,
    PlayedAs,
    PlayKind,
    PlayRank,
    TurnedUp,
)
from schema.options import ChibiDagunOptions
from tests.builders import later
from tests.walked import (
    ANSWERS,
    CALL,
    CALLED,
    DEALT,
    DOUBLED,
    OTHER,
    Fault,
    Walked,
    after_deal,
    dealt_to,
    laid,
    lead,
    no,
    passes,
    yes,
)

AFTER = DEFAULT
BEFORE = replace(DEFAULT, solo_asked="before_call")
NEVER = replace(DEFAULT, solo_asked="never")
AFTER_DRAW, BEFORE_DRAW, NEVER_DRAW = (
    replace(options, later_call="random_single") for options in (AFTER, BEFORE, NEVER)
)
MAX_ONLY = replace(NEVER, wild_reading="max_only")
CHAINS = replace(NEVER, one_rank_sets="bomb_or_chain")
SIX, SEVEN, EIGHT, NINE = (PlayRank[rank] for rank in ("SIX", "SEVEN", "EIGHT", "NINE"))


def said(seat: int, cards: str, kind: PlayKind, rank: PlayRank = PlayRank.NONE) -> PlayedAs:
    """A seat lays these cards and says what they are."""
    return PlayedAs(0, By.PLAYER, seat, parse_cards(cards), kind, rank)


def said_lead(seat: int) -> PlayedAs:
    """A seat lays the lowest card that DEALT gave it and says so."""
    fact = lead(seat)
    return PlayedAs(0, By.PLAYER, seat, fact.cards, PlayKind.SINGLE, PlayRank(fact.cards[0] >> 2))


# The call and the question for 硬牌, one after the other

_DRAWN = [CallDrawn(0, OTHER), Called(OTHER)]
RUN_OUT = dealt_to(
    "3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad 2d 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c 3d", "", "", ""
)
"""The dealer's first card comes again as his last: the call runs off his cards."""
FIRST_SINGLE = replace(AFTER, recall_fallback="first_single")
CALLS: dict[str, Walked] = {
    "after call: drawn though dealt": after_deal(
        AFTER, [*_DRAWN, *ANSWERS, lead(0)], (3, "breach", "DEALT_CALL")
    ),
    "after call: drawn though called": after_deal(
        AFTER, [Called(CALL), *_DRAWN, *ANSWERS, lead(0)], (4, "breach", "DEALT_CALL")
    ),
    "after call: drawn among the answers": after_deal(
        AFTER, [Called(CALL), no(0), *_DRAWN], (5, "violation", "SOLO_ASKED")
    ),
    "after call: drawn when all have answered": after_deal(
        AFTER, [*CALLED, *_DRAWN], (8, "violation", "DRAWN_CALL")
    ),
    "after call: a doubled card drawn though dealt": after_deal(
        AFTER, [Called(CALL), CallDrawn(0, DOUBLED)], (4, "violation", "DRAWN_CALL")
    ),
    "after call: false": after_deal(
        AFTER, [Called(OTHER), *ANSWERS, lead(0)], (3, "claim", "DEALT_CALL")
    ),
    "after call: false and impossible": after_deal(
        AFTER, [Called(DOUBLED), *ANSWERS], (3, "violation", "PARTNER")
    ),
    "after call: missing": after_deal(AFTER, [*ANSWERS, lead(0)], (3, "claim", "DEALT_CALL")),
    "after call: late": after_deal(
        AFTER,
        [no(0), Called(CALL), no(1), no(2), no(3), lead(0)],
        (3, "claim", "DEALT_CALL"),
        (4, "claim", "DEALT_CALL"),
    ),
    "before call: as it should be": after_deal(BEFORE, [*ANSWERS, Called(CALL), lead(0)]),
    "before call: nobody calls in a solo": after_deal(BEFORE, [no(0), yes(1), lead(0)]),
    "before call: drawn though dealt": after_deal(
        BEFORE, [*ANSWERS, *_DRAWN, lead(0)], (7, "breach", "DEALT_CALL")
    ),
    "before call: drawn though called": after_deal(
        BEFORE, [*ANSWERS, Called(CALL), *_DRAWN, lead(0)], (8, "breach", "DEALT_CALL")
    ),
    "before call: drawn behind the lead": after_deal(
        BEFORE, [*ANSWERS, Called(CALL), lead(0), *_DRAWN], (9, "violation", "DRAWN_CALL")
    ),
    "before call: drawn among the answers": after_deal(
        BEFORE, [no(0), *_DRAWN], (4, "violation", "SOLO_ASKED")
    ),
    "before call: drawn in a solo": after_deal(
        BEFORE, [yes(0), *_DRAWN], (4, "violation", "DRAWN_CALL")
    ),
    "before call: false": after_deal(
        BEFORE, [*ANSWERS, Called(OTHER), lead(0)], (7, "claim", "DEALT_CALL")
    ),
    "before call: false and impossible": after_deal(
        BEFORE, [*ANSWERS, Called(DOUBLED)], (7, "violation", "PARTNER")
    ),
    "before call: missing": after_deal(BEFORE, [*ANSWERS, lead(0)], (7, "claim", "DEALT_CALL")),
    "before call: late": after_deal(
        BEFORE,
        [*ANSWERS, lead(0), Called(CALL), passes(1)],
        (7, "claim", "DEALT_CALL"),
        (8, "claim", "DEALT_CALL"),
    ),
    "before call: called in a solo": after_deal(
        BEFORE, [yes(0), Called(CALL), lead(0)], (4, "claim", "DEALT_CALL")
    ),
    "never: as it should be": after_deal(NEVER, [Called(CALL), lead(0)]),
    "never: drawn though dealt": after_deal(NEVER, [*_DRAWN, lead(0)], (3, "breach", "DEALT_CALL")),
    "never: drawn though called": after_deal(
        NEVER, [Called(CALL), *_DRAWN, lead(0)], (4, "breach", "DEALT_CALL")
    ),
    "never: drawn behind the lead": after_deal(
        NEVER, [Called(CALL), lead(0), *_DRAWN], (5, "violation", "DRAWN_CALL")
    ),
    "never: false": after_deal(NEVER, [Called(OTHER), lead(0)], (3, "claim", "DEALT_CALL")),
    "never: false and impossible": after_deal(
        NEVER, [Called(DOUBLED)], (3, "violation", "PARTNER")
    ),
    "never: missing": after_deal(NEVER, [lead(0), passes(1)], (3, "claim", "DEALT_CALL")),
    "never: late": after_deal(
        NEVER,
        [lead(0), Called(CALL), passes(1)],
        (3, "claim", "DEALT_CALL"),
        (4, "claim", "DEALT_CALL"),
    ),
    "never: answered": after_deal(NEVER, [Called(CALL), no(0)], (4, "violation", "SOLO_ASKED")),
    "never: answered with yes": after_deal(
        NEVER, [Called(CALL), yes(0)], (4, "violation", "SOLO_ASKED")
    ),
    "re-called falsely": after_deal(
        AFTER,
        [Called(OTHER), *ANSWERS, lead(0)],
        (3, "claim", "RECALL"),
        deck=dealt_to("9h 9h 3d 4d 5d", "3d 4d 5d", "", ""),
    ),
    "first single where the call runs out": after_deal(
        FIRST_SINGLE, [Called(OTHER), *ANSWERS, lead(0)], deck=RUN_OUT
    ),
    "another single where the call runs out": after_deal(
        FIRST_SINGLE,
        [Called(parse_card("5d")), *ANSWERS, lead(0)],
        (3, "claim", "RECALL"),
        deck=RUN_OUT,
    ),
}
"""A call that the deal gives, and what may go wrong with it at each kind of table."""


def _draws(
    table: str, options: ChibiDagunOptions, asked: list[Event], rest: list[Event]
) -> dict[str, Walked]:
    """What may go wrong with a draw that falls due behind `asked`."""
    at = 3 + len(asked)
    false, blocked = (at, "claim", "FIRST_CALL"), (at, "violation", "FIRST_CALL")
    cases: dict[str, tuple[list[Event], list[Fault]]] = {
        "drawn": ([*_DRAWN, *rest], []),
        "announced, and none drawn": ([Called(OTHER), *rest], [false]),
        "announced, and another one drawn": (
            [Called(OTHER), CallDrawn(0, CALL), Called(CALL), *rest],
            [false],
        ),
        "a doubled card announced": ([Called(DOUBLED)], [(at, "violation", "PARTNER")]),
        "neither drawn nor announced": (rest, [blocked]),
        "drawn, and not announced": (
            [CallDrawn(0, OTHER), *rest],
            [(at + 1, "claim", "FIRST_CALL")],
        ),
        "drawn, and another one announced": (
            [CallDrawn(0, OTHER), Called(CALL), *rest],
            [(at + 1, "claim", "FIRST_CALL")],
        ),
        "drawn twice": ([*_DRAWN, *_DRAWN], [(at + 2, "violation", "FIRST_CALL")]),
        "a doubled card drawn": ([CallDrawn(0, DOUBLED)], [blocked]),
    }
    return {
        f"{table}: {what}": after_deal(options, [*asked, *events], *faults)
        for what, (events, faults) in cases.items()
    }


_PLAYED: list[Event] = [said_lead(0), passes(1)]
DRAWS = (
    _draws("after call", AFTER_DRAW, [], [*ANSWERS, *_PLAYED])
    | _draws("before call", BEFORE_DRAW, [*ANSWERS], _PLAYED)
    | _draws("never", NEVER_DRAW, [], _PLAYED)
)
"""A call that the system draws, at each kind of table."""
QUESTIONS: dict[str, Walked] = {
    "out of turn": after_deal(AFTER, [Called(CALL), no(1)], (4, "violation", "SOLO_ASKED")),
    "a fifth answer": after_deal(AFTER, [*CALLED, no(0)], (8, "violation", "SOLO_ASKED")),
    "answered behind a yes": after_deal(
        AFTER, [Called(CALL), yes(0), no(1)], (5, "violation", "SOLO_ASKED")
    ),
    "before call: out of turn": after_deal(BEFORE, [yes(3)], (3, "violation", "SOLO_ASKED")),
    "before call: a fifth answer": after_deal(
        BEFORE, [*ANSWERS, Called(CALL), no(0)], (8, "violation", "SOLO_ASKED")
    ),
}

"""Answers when nobody was asked."""

# Phases before play

PHASES: dict[str, tuple[ChibiDagunOptions, ClimbingCarry, list[Event], str]] = {
    "deal": (AFTER, later(0), [], "DECK"),
    "turn up": (AFTER, FIRST_CARRY, [Dealt(0, 0, DEALT)], "FIRST_DEALER"),
    "first call": (AFTER, FIRST_CARRY, [Dealt(0, 0, DEALT), TurnedUp(0, 0)], "FIRST_CALL"),
    "later call": (AFTER_DRAW, later(0), [Dealt(0, 0, DEALT)], "FIRST_CALL"),
    "call that runs out": (AFTER, later(0), [Dealt(0, 0, RUN_OUT)], "DRAWN_CALL"),
    "after call": (AFTER, later(0), [Dealt(0, 0, DEALT), Called(CALL)], "SOLO_ASKED"),
    "after a draw": (AFTER_DRAW, later(0), [Dealt(0, 0, DEALT), *_DRAWN], "SOLO_ASKED"),
    "before call": (BEFORE, later(0), [Dealt(0, 0, DEALT), no(0)], "SOLO_ASKED"),
    "first question": (BEFORE, FIRST_CARRY, [Dealt(0, 0, DEALT), TurnedUp(0, 0)], "SOLO_ASKED"),
    "call behind the question": (
        BEFORE_DRAW,
        later(0),
        [Dealt(0, 0, DEALT), *ANSWERS],
        "FIRST_CALL",
    ),
    "call without a question": (NEVER_DRAW, later(0), [Dealt(0, 0, DEALT)], "FIRST_CALL"),
}
"""A table, an opening, and the events that lead to each phase before play; the rule of what has to
come in it."""
TOO_EARLY = {
    f"{type(fact).__name__}: {phase}": Walked(
        options, [*events, fact], [(2 + len(events), "violation", rule)], carry
    )
    for phase, (options, carry, events, rule) in PHASES.items()
    for fact in (lead(0), said_lead(0), passes(0))
}
"""A seat acts before the first trick: refused by the rule of what has to come first."""
ENDED_EARLY = {
    phase: Walked(
        options, [*events, HandEnded(0)], [(2 + len(events), "violation", "NORMAL_END")], carry
    )
    for phase, (options, carry, events, _) in PHASES.items()
}
"""A hand is ended before the first trick."""

# Declared readings

WILD = dealt_to(
    "3d 5d 5h 6d 6h Bj Rj 3c 3h 4c 4h Td Kd",
    "3d 7d 7h 8d 8h 9d 9h Bj Rj",
    "7c 7s 8c 8s 9c 9s",
    "",
)
"""Seat 0 has 5566 with two jokers: triples 555666, or pairs that end with 6 or with 7."""
PAIRS, TRIPLES = PlayKind.PAIR_CHAIN, PlayKind.TRIPLE_CHAIN
_FIVES, _SEVENS = "5d 5h 6d 6h Bj Rj", "7d 7h 8d 8h Bj Rj"
_LOW_PAIRS, _HIGHER, _HIGHEST = (
    laid(0, "3c 3h 4c 4h 5d 5h"),
    laid(1, "7d 7h 8d 8h 9d 9h"),
    laid(2, "7c 7s 8c 8s 9c 9s"),
)


def _wild(options: ChibiDagunOptions, events: list[Event], *faults: Fault) -> Walked:
    return after_deal(options, [Called(CALL), *events], *faults, deck=WILD)


READ, READ_NEXT = (4, "breach", "READING"), (5, "breach", "READING")
LOW, LOW_NEXT = (5, "breach", "GREATER"), (6, "breach", "GREATER")
LEADS: dict[str, Walked] = {
    "nothing said: triples to 6": _wild(NEVER, [laid(0, _FIVES), _HIGHER], LOW),
    "triples to 6": _wild(NEVER, [said(0, _FIVES, TRIPLES, SIX), _HIGHER], LOW),
    "pairs to 7": _wild(NEVER, [said(0, _FIVES, PAIRS, SEVEN), _HIGHER]),
    "pairs to 6": _wild(NEVER, [said(0, _FIVES, PAIRS, SIX), _HIGHER]),
    "pairs to 8": _wild(NEVER, [said(0, _FIVES, PAIRS, EIGHT), _HIGHER], READ, LOW),
    "triples to 7": _wild(NEVER, [said(0, _FIVES, TRIPLES, SEVEN), _HIGHER], READ, LOW),
    "a bomb": _wild(NEVER, [said(0, _FIVES, PlayKind.BOMB, SIX), _HIGHER], READ, LOW),
    "triples without rank": _wild(NEVER, [said(0, _FIVES, TRIPLES), _HIGHER], READ, LOW),
    "the most, where nobody has a say": _wild(MAX_ONLY, [said(0, _FIVES, TRIPLES, SIX)]),
    "less, where nobody has a say": _wild(
        MAX_ONLY, [said(0, _FIVES, PAIRS, SEVEN), _HIGHER], READ, LOW
    ),
    "one rank as pairs": _wild(
        NEVER, [said(0, "5d 5h Bj Rj", PAIRS, SIX), laid(1, "7d 7h 8d 8h")], READ, LOW
    ),
    "one rank as pairs, where it may be": _wild(
        CHAINS, [said(0, "5d 5h Bj Rj", PAIRS, SIX), laid(1, "7d 7h 8d 8h")]
    ),
    "one rank undeclared, where it may be pairs": _wild(
        CHAINS, [laid(0, "5d 5h Bj Rj"), laid(1, "7d 7h 8d 8h")], LOW
    ),
    "a joker as a 3": _wild(NEVER, [said(0, "Bj", PlayKind.SINGLE, PlayRank.THREE)]),
    "a joker as an ace": _wild(NEVER, [said(0, "Bj", PlayKind.SINGLE, PlayRank.ACE)], READ),
    "五十K": _wild(NEVER, [said(0, "5d Td Kd", PlayKind.WSK_PURE)]),
    "五十K of a joker": _wild(NEVER, [said(0, "5h Bj Kd", PlayKind.WSK_MIXED)]),
    "五十K with a rank": _wild(NEVER, [said(0, "5d Td Kd", PlayKind.WSK_PURE, SIX)], READ),
    "pure 五十K as mixed": _wild(NEVER, [said(0, "5d Td Kd", PlayKind.WSK_MIXED)], READ),
    "a natural as what it is": _wild(NEVER, [said(0, "3d", PlayKind.SINGLE, PlayRank.THREE)]),
    "a natural as something else": _wild(NEVER, [said(0, "3d", PlayKind.PAIR, SIX)], READ),
    "by another seat": _wild(
        NEVER, [said(1, "3d", PlayKind.PAIR, NINE)], (4, "breach", "FIRST_LEAD"), READ
    ),
    "cards of no type": _wild(
        NEVER, [said(0, "3d 5d", PlayKind.PAIR, NINE)], (4, "violation", "NO_TYPE")
    ),
    "cards not held": _wild(
        NEVER, [said(0, "7d 7d", PlayKind.PAIR, NINE)], (4, "violation", "HELD")
    ),
}
"""What a lead is said to be, and what may answer it then."""
FOLLOWS: dict[str, Walked] = {
    f"on pairs: {what}": _wild(options, [_LOW_PAIRS, *events], *faults)
    for what, options, events, faults in (
        ("nothing said: to 9", NEVER, [laid(1, _SEVENS), _HIGHEST], [LOW_NEXT]),
        ("to 9", NEVER, [said(1, _SEVENS, PAIRS, NINE), _HIGHEST], [LOW_NEXT]),
        ("to 8", NEVER, [said(1, _SEVENS, PAIRS, EIGHT), _HIGHEST], []),
        ("to 7", NEVER, [said(1, _SEVENS, PAIRS, SEVEN), _HIGHEST], [READ_NEXT, LOW_NEXT]),
        ("triples", NEVER, [said(1, _SEVENS, TRIPLES, EIGHT), _HIGHEST], [LOW, LOW_NEXT]),
        (
            "to 9, where nobody has a say",
            MAX_ONLY,
            [said(1, _SEVENS, PAIRS, NINE), _HIGHEST],
            [LOW_NEXT],
        ),
        (
            "to 8, where nobody has a say",
            MAX_ONLY,
            [said(1, _SEVENS, PAIRS, EIGHT), _HIGHEST],
            [READ_NEXT, LOW_NEXT],
        ),
        (
            "out of turn",
            NEVER,
            [said(2, "7c 7s 8c 8s 9c 9s", PAIRS, SIX)],
            [(5, "violation", "ORDER")],
        ),
    )
}
"""What an answer is said to be, and what may answer it in turn."""
