"""Parts of hands of 赤壁打滚 near an end, and the faults in them: wind, ends, points, coins."""

from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.chibi_dagun.presets import DEFAULT, FIRST_CARRY
from replay.walk import Chain
from schema.cards import parse_card, parse_cards
from schema.events import (
    AbortReason,
    CallDrawn,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    PlayKind,
    Refused,
    Revealed,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)
from schema.options import ChibiDagunOptions
from tests.builders import DECK, Table, later
from tests.walked import DEALT, Fault, Walked, falsified, laid, no, passes, place_of, truly
from tests.walked_chibi_dagun import SIX, said

CONTEST = replace(DEFAULT, final_trick="contest")
EARLY = replace(DEFAULT, early_stop="public_105")
_CARD = parse_card("4d")
_FRIENDS = Table((b"", b"", b"", b""), dealer=0, partner=2, called=_CARD)
"""Seats 0 and 2 against 1 and 3; 4d is called."""


class Part(NamedTuple):
    """A table, and legal facts from there on."""

    options: ChibiDagunOptions
    table: Table
    facts: tuple[Fact, ...]

    @property
    def events(self) -> list[Event]:
        """The facts with their claims."""
        return truly(self.options, self.table, self.facts)

    def then(self, *more: Event, faults: tuple[tuple[str, str], ...] = ()) -> Walked:
        """More events behind it; the faults are in the last of them."""
        events = [*self.events, *more]
        at = len(events) - 1
        return Walked(self.options, events, [(at, *fault) for fault in faults], self.table)

    def false(self, kind: type[Event], rule: str, **fields: object) -> Walked:
        """The last claim of that kind with other values."""
        events = falsified(self.events, kind, **fields)
        fault = (place_of(events, kind), "claim", rule)
        return Walked(self.options, events, [fault], self.table)

    def missing(self, kind: type[Event], rule: str, behind: Fact) -> Walked:
        """The last claim of that kind left out, which shows at the fact behind it."""
        events = self.events
        del events[place_of(events, kind)]
        fault: Fault = (len(events), "claim", rule)
        return Walked(self.options, [*events, behind], [fault], self.table)

    def undue(self, claim: Event, rule: str) -> Walked:
        """A claim that nothing made due, before the last event."""
        events = self.events
        events.insert(len(events) - 1, claim)
        return Walked(self.options, events, [(len(events) - 2, "claim", rule)], self.table)


def part(
    *facts: Fact,
    hands: tuple[str, ...],
    table: Table = _FRIENDS,
    options: ChibiDagunOptions = DEFAULT,
) -> Part:
    """A part of a hand in which the seats hold these cards."""
    a, b, c, d = map(parse_cards, hands)
    return Part(options, table._replace(hands=(a, b, c, d)), facts)


# Tricks and wind

TRICK = part(
    *(laid(0, "5d"), laid(1, "Kd"), passes(2), passes(3), passes(0)),
    hands=("5d 6d", "Kd 6h", "4d 7d", "7h 8h"),
)
HIDDEN_WIND = part(
    *(laid(0, "As"), passes(1), passes(2), passes(3)), hands=("As", "3d 3h", "4d 5d", "6d 6h")
)
REVEALED_WIND = part(
    *HIDDEN_WIND.facts,
    hands=("As", "3d 3h", "4d 5d", "6d 6h"),
    table=_FRIENDS._replace(is_revealed=True),
)
REVEAL = part(laid(0, "3d"), passes(1), laid(2, "4d"), hands=("3d 5d", "6d", "4d 7d", "8d"))
OWN_COPY = part(laid(0, "4d"), hands=("4d 5d", "6d", "4d 7d", "8d"))
LEAD = part(hands=("3d 6d 6h", "7d 7h", "4d 8d", "9d"))
TRICKS: dict[str, Walked] = {
    "a trick": TRICK.then(laid(1, "6h")),
    "led by another seat": TRICK.then(laid(2, "4d"), faults=(("breach", "WINNER_LEADS"),)),
    "a trick's winner": TRICK.false(TrickWon, "TRICK_WINNER", seat=0),
    "a trick's points": TRICK.false(TrickWon, "TRICK_POINTS", points=10),
    "a trick not told": TRICK.missing(TrickWon, "TRICK_WINNER", laid(1, "6h")),
    "wind for the next seat": HIDDEN_WIND.then(laid(1, "3d")),
    "wind for the partner who is hidden": HIDDEN_WIND.then(
        laid(2, "4d"), Revealed(2), faults=()
    )._replace(faults=[(7, "breach", "WIND_NEXT")]),
    "wind for the partner": REVEALED_WIND.then(laid(2, "5d")),
    "wind for the next seat though revealed": REVEALED_WIND.then(
        laid(1, "3d"), faults=(("breach", "WIND_PARTNER"),)
    ),
    "wind told of another seat": HIDDEN_WIND.false(WindTaken, "WIND_NEXT", seat=2),
    "wind told of another seat though revealed": REVEALED_WIND.false(
        WindTaken, "WIND_PARTNER", seat=1
    ),
    "wind not told": HIDDEN_WIND.missing(WindTaken, "WIND_NEXT", laid(1, "3d")),
    "a reveal": REVEAL.then(laid(3, "8d")),
    "a reveal of another seat": REVEAL.false(Revealed, "REVEAL", seat=1),
    "a reveal not told": REVEAL.missing(Revealed, "REVEAL", passes(3)),
    "a reveal by the dealer": OWN_COPY.then(Revealed(0), faults=(("claim", "REVEAL"),)),
    "a good play refused": LEAD.then(
        Refused(0, parse_cards("6d 6h")), faults=(("claim", "GREATER"),)
    ),
    "a bad play refused": LEAD.then(Refused(0, parse_cards("3d 6h"))),
    "the leader passes": LEAD.then(passes(0), faults=(("breach", "LEADER_PLAYS"),)),
    "not greater": LEAD.then(laid(0, "6d"), laid(1, "7d"), laid(2, "4d"), Revealed(2))._replace(
        faults=[(2, "breach", "GREATER")]
    ),
}

# Ends

_NORMAL = _FRIENDS._replace(places=(0, 1), leader=2, captured=(50, 30, 20, 80), is_revealed=True)
_LAST = ("", "", "5d", "Kd 5c")
_TWO = _FRIENDS._replace(places=(0,), leader=2, captured=(50, 30, 20, 85), is_revealed=True)
_SOLO = Table(_FRIENDS.hands, dealer=1, soloist=0, leader=0, captured=(50, 30, 20, 85))
_LAYS = laid(2, "5d")
NORMAL = part(_LAYS, hands=_LAST, table=_NORMAL)
TIE = part(_LAYS, hands=_LAST, table=_NORMAL._replace(captured=(50, 100, 20, 10)))
QING = part(_LAYS, hands=_LAST, table=_NORMAL._replace(captured=(150, 0, 20, 10)))
BANG = part(_LAYS, hands=("", "6d", "5d", "Kd"), table=_TWO)
BALD = part(_LAYS, hands=("", "6d", "5d", "Kd"), table=_TWO._replace(captured=(185, 0, 0, 0)))
SOLO = part(laid(0, "5d"), hands=("5d", "6d", "7d", "Kd"), table=_SOLO)
SOLO_LOST = part(laid(0, "5d"), laid(1, "6d"), hands=("5d 5h", "6d", "7d", "Kd"), table=_SOLO)
STOPPED = part(
    laid(1, "5d"),
    hands=("", "5d", "6d", "Kd"),
    table=_TWO._replace(leader=1, captured=(100, 65, 20, 0)),
    options=EARLY,
)
STOPPED_LATER = part(
    *(laid(1, "5d"), passes(2), passes(3)),
    hands=("", "5d", "6d Kd", "4h"),
    table=_TWO._replace(leader=1, captured=(180, 0, 5, 0)),
    options=EARLY,
)
ANSWERED = part(_LAYS, laid(3, "Kd"), hands=_LAST, table=_NORMAL, options=CONTEST)
PASSED = part(_LAYS, passes(3), hands=_LAST, table=_NORMAL, options=CONTEST)
BANG_PASSED = part(
    *(_LAYS, laid(3, "Kd"), passes(1)), hands=("", "6d", "5d", "Kd"), table=_TWO, options=CONTEST
)
RICH = part(_LAYS, hands=("", "", "5d", "Kd 5c Ad Ad Ah Ah Ac Ac As"), table=_NORMAL)
"""Seat 3 was dealt seven aces."""
ENDED: dict[str, Part] = {
    "normal": NORMAL,
    "tie": TIE,
    "清": QING,
    "绑": BANG,
    "光头": BALD,
    "solo": SOLO,
    "solo lost": SOLO_LOST,
    "early at the second place": STOPPED,
    "early at the end of a trick": STOPPED_LATER,
    "contest, beaten": ANSWERED,
    "contest, passed": PASSED,
    "contest in 绑": BANG_PASSED,
    "bonus": RICH,
}
_ACTS: tuple[Fact, ...] = (
    *(laid(3, "Kd"), passes(3), said(3, "Kd", PlayKind.SINGLE, SIX), no(0)),
    *(Dealt(0, 0, DECK), TurnedUp(0, 0), CallDrawn(0, _CARD)),
    HandAborted(0, AbortReason.DISSOLVED),
)
ENDS: dict[str, Walked] = {
    **{f"{end}: as it should be": case.then(HandEnded(0)) for end, case in ENDED.items()},
    **{
        f"{end}: {type(act).__name__} behind it": case.then(
            act, faults=(("violation", "AFTER_END"),)
        )
        for end, case in ENDED.items()
        for act in _ACTS
    },
}
"""What may follow an end, and what may not."""


def _too_early(case: Part, rule: str) -> Walked:
    """Ended one fact before the end."""
    before = case._replace(facts=case.facts[:-1])
    return before.then(HandEnded(0), faults=(("violation", rule),))


ENDED_TOO_EARLY = {
    end: _too_early(case, "SOLO_END" if case.table.soloist >= 0 else "NORMAL_END")
    for end, case in ENDED.items()
}

# Points, results, coins


def _falsehoods(settled: ClimbingSettled) -> dict[str, dict[str, object]]:
    """Each field of a settlement with another value."""
    a, b, c, d = settled.deltas
    return {
        "places": {"places": tuple((seat + 1) % 4 for seat in settled.places)},
        "captured": {"captured": (settled.captured[0] + 5, *settled.captured[1:])},
        "left": {"left": settled.left + 5},
        "final": {"final": (settled.final[0] + 5, *settled.final[1:])},
        "winners": {"winners": tuple(s for s in range(4) if s not in settled.winners)},
        "result": {"result": ClimbingResult((settled.result + 1) % len(ClimbingResult))},
        "fan": {"fan": settled.fan + 1},
        "bonuses": {"bonuses": (*settled.bonuses, ClimbingBonus(3, ClimbingBonusKind.XI8))},
        "deltas": {"deltas": (a + 1, b - 1, c, d)},
        "next.dealer": {"next": replace(settled.next, dealer=(settled.places[0] + 1) % 4)},
        "next.balances": {"next": replace(settled.next, balances=(1, 2, 3, 4))},
        "next.hand_no": {"next": replace(settled.next, hand_no=1)},
    }


_ALWAYS = {
    **{"places": "PLACES", "captured": "CAPTURED", "left": "LEFT", "final": "TRANSFER"},
    **{"fan": "COINS", "bonuses": "BONUS", "next.dealer": "NEXT_DEALER"},
    **{"next.balances": "COINS", "next.hand_no": "COINS"},
}
_DECIDED = {
    "normal": ("WINNER", "FRIEND_COINS"),
    "tie": ("TIE", "FRIEND_COINS"),
    "清": ("QING", "FRIEND_COINS"),
    "绑": ("BANG", "FRIEND_COINS"),
    "光头": ("GUANGTOU", "FRIEND_COINS"),
    "solo": ("SOLO_RESULT", "SOLO_COINS"),
    "solo lost": ("SOLO_RESULT", "SOLO_COINS"),
    "early at the second place": ("WINNER", "FRIEND_COINS"),
    "early at the end of a trick": ("WINNER", "FRIEND_COINS"),
    "contest, beaten": ("WINNER", "FRIEND_COINS"),
    "contest, passed": ("WINNER", "FRIEND_COINS"),
    "contest in 绑": ("BANG", "FRIEND_COINS"),
    "bonus": ("WINNER", "BONUS_PAID"),
}
"""By which rules the result and the coins of each end are false."""
_STAYS = {
    **dict.fromkeys(("绑", "光头", "contest in 绑"), "BANG_POINTS"),
    **dict.fromkeys(("solo", "solo lost"), "SOLO_POINTS"),
    **dict.fromkeys(("early at the second place", "early at the end of a trick"), "CAPTURED"),
}
"""The ends at which no points are transferred, and by which rule they are not."""


def _settlements(end: str) -> dict[str, Walked]:
    """Each field of a settlement false, by the rule that it breaks."""
    case, (decided, paid) = ENDED[end], _DECIDED[end]
    rules = _ALWAYS | {"winners": decided, "result": decided, "deltas": paid}
    if end in _STAYS:
        rules |= dict.fromkeys(("left", "final"), _STAYS[end])
    settled = case.events[-1]
    assert isinstance(settled, ClimbingSettled)
    return {
        f"{end}: {name}": case.false(ClimbingSettled, rules[name], **fields)
        for name, fields in _falsehoods(settled).items()
    }


_END = HandEnded(0)
CLAIMS: dict[str, Walked] = {
    **{name: case for end in ENDED for name, case in _settlements(end).items()},
    "no settlement": NORMAL.missing(ClimbingSettled, "COINS", _END),
    "another seat out": NORMAL.false(WentOut, "PLACES", seat=3),
    "another place": NORMAL.false(WentOut, "PLACES", place=2),
    "a place not told": NORMAL.missing(WentOut, "PLACES", _END),
    "the open trick is the last one's": NORMAL.false(TrickWon, "OPEN_TRICK", seat=3),
    "the open trick has more points": NORMAL.false(TrickWon, "TRICK_POINTS", points=15),
    "the open trick is nobody's": NORMAL.missing(TrickWon, "OPEN_TRICK", _END),
    "the open trick at 绑 is somebody's": BANG.undue(TrickWon(2, 5), "BANG_POINTS"),
    "the open trick in a solo is somebody's": SOLO.undue(TrickWon(0, 5), "SOLO_POINTS"),
    "the open trick of an early end is somebody's": STOPPED.undue(TrickWon(1, 5), "TRICK_WINNER"),
    "接风 after a solo": SOLO.undue(WindTaken(1), "WIND_NEVER"),
    "接风 after 绑": BANG.undue(WindTaken(1), "WIND_NEVER"),
    "明鸡 in a solo": SOLO.undue(Revealed(1), "SOLO_REVEAL"),
    "a contested trick": ANSWERED.false(TrickWon, "TRICK_WINNER", seat=2),
    "a contested trick in 绑": BANG_PASSED.false(TrickWon, "TRICK_WINNER", seat=2),
}
"""False claims about an end."""

# Openings and deals

_BALANCES = replace(later(0), balances=(1, -1, 0, 0))


def _opened(carry: ClimbingCarry, expected: ClimbingCarry, rule: str) -> Walked:
    return Walked(DEFAULT, [], [(1, "claim", rule)], carry, Chain(expected))


OPENINGS: dict[str, Walked] = {
    "another dealer": _opened(later(1), later(0), "DEALER"),
    "a dealer in the first hand": _opened(later(1), FIRST_CARRY, "FIRST_DEALER"),
    "no dealer in a later hand": _opened(FIRST_CARRY, later(0), "DEALER"),
    "other balances": _opened(_BALANCES, later(0), "COINS"),
    "another number": _opened(later(0, 3), later(0), "MATCH_LENGTH"),
    "a hand too many": Walked(
        replace(DEFAULT, hands_per_match=1), [], [(1, "breach", "MATCH_LENGTH")], later(0)
    ),
    "dealt from another seat": Walked(
        DEFAULT, [Dealt(0, 1, DEALT)], [(2, "breach", "DEAL_START")], later(0)
    ),
    "a card too many": Walked(
        DEFAULT, [Dealt(0, 0, DECK + DECK[:1])], [(2, "violation", "DECK")], later(0)
    ),
    "three of a card": Walked(
        DEFAULT, [Dealt(0, 0, DECK[1:] + DECK[1:2])], [(2, "violation", "DECK")], later(0)
    ),
}
"""What a hand opens with, and its deal."""
