"""What the walk makes of wrong draws, missing openings, ends that are none, and the chain."""

import io
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.dagong import presets as dagong
from replay.engine.registry import game_named
from replay.verify import Report, verify
from replay.walk import HandWalk, carry_of
from schema.events import (
    AbortReason,
    CallDrawn,
    Called,
    Claim,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
)
from schema.logfile import open_log
from schema.options import Options
from tests.builders import head, later, live_log
from tests.games import CLIMBING, GAMES, Subject
from tests.walked import (
    ANSWERS,
    CALL,
    CALLED,
    DEALT,
    DOUBLED,
    OTHER,
    Fault,
    after_deal,
    found,
    hand_of,
    lead,
    no,
    passes,
)

DRAWN: dict[str, Options] = {
    "dagong": replace(dagong.DEFAULT, call_rule="random_single"),
    "chibi_dagun": replace(chibi_dagun.DEFAULT, later_call="random_single"),
}
"""Tables at which the system draws every call."""

games = pytest.mark.parametrize("subject", GAMES.values(), ids=GAMES)
games_with_coins = pytest.mark.parametrize(
    "subject", [subject for subject in GAMES.values() if subject.has_coins], ids=lambda s: s.name
)
climbing_games = pytest.mark.parametrize("subject", CLIMBING.values(), ids=CLIMBING)


@climbing_games
@pytest.mark.parametrize(
    ("events", "faults"),
    [
        # the draw is the fault; the announcement it displaced is not missed as well
        ([CallDrawn(0, OTHER), Called(OTHER), no(0)], [(3, "breach", "DEALT_CALL")]),
        # who leads behind a leader's pass takes the lead of nobody in particular
        (
            [*CALLED, passes(0), lead(2)],
            [(8, "breach", "LEADER_PLAYS"), (9, "breach", "WINNER_LEADS")],
        ),
    ],
)
def test_one_error_is_one_finding(
    subject: Subject, events: list[Event], faults: list[Fault]
) -> None:
    """Each wrong draw or lead is found at its own event, by its own rule, once."""
    hand = after_deal(subject.default, events)
    assert found(hand) == faults


@climbing_games
@pytest.mark.parametrize(
    ("events", "fault"),
    [
        # a call announced without a draw stands: its twin is with one other seat
        ([Called(OTHER), *ANSWERS, lead(0)], (3, "claim", "FIRST_CALL")),
        ([Called(DOUBLED), no(0)], (3, "violation", "PARTNER")),
        # every hand's call is drawn by the rule of the first
        ([CallDrawn(0, DOUBLED)], (3, "violation", "FIRST_CALL")),
        ([CallDrawn(0, OTHER), Called(CALL)], (4, "claim", "FIRST_CALL")),
        # a second draw is judged by the rule of the first
        (
            [CallDrawn(0, OTHER), Called(OTHER), CallDrawn(0, CALL)],
            (5, "violation", "FIRST_CALL"),
        ),
    ],
)
def test_one_error_where_calls_are_drawn_is_one_finding(
    subject: Subject, events: list[Event], fault: Fault
) -> None:
    """Each wrong call or draw is found at its own event, by its own rule, once."""
    hand = after_deal(DRAWN[subject.name], events)
    assert found(hand) == [fault]


def test_a_free_answer_behind_a_lead_is_one_finding() -> None:
    """Where anybody may go solo unasked, nobody may once a card is laid."""
    hand = after_deal(replace(dagong.DEFAULT, solo_order="free"), [Called(CALL), lead(0), no(1)])
    assert found(hand) == [(5, "violation", "SOLO_ASKED")]


def hands_of(subject: Subject, n: int, seed: int = 5) -> list[list[Event]]:
    """The hands of a legal match."""
    rng, carry, hands = random.Random(seed), subject.first, []
    for _ in range(n):
        events, carry = subject.hand(subject.default, carry, rng)
        hands.append(events)
    return hands


class Named(NamedTuple):
    """Of one game the rules that a missing opening, a false dealer, a false tally and an abort of
    a hand that is over break.
    """

    opening: str
    dealer: str
    tally: str
    ends: frozenset[str]


_CLIMBING = Named(
    "DEALER",
    "FIRST_DEALER",
    "COINS",
    frozenset(("NORMAL_END", "BANG_END", "SOLO_END", "AFTER_END")),
)
NAMED = dict.fromkeys(CLIMBING, _CLIMBING) | {
    "chaodipi": Named("LADDER", "DEALER", "SCORE", frozenset(("HAND_END",))),
    "gunzi": Named("LEVELS", "FIRST_HAND", "FIRST_HAND", frozenset(("HAND_END",))),
}


def opening(subject: Subject, carry: Any) -> Claim:
    """The opening that states this."""
    return game_named(subject.name).opening(carry)


def unopened(events: list[Event]) -> list[Event]:
    """A hand without its opening."""
    return [event for event in events if carry_of(event) is None]


def judged(subject: Subject, hands: Sequence[Sequence[Event]]) -> Report:
    """The report on a live log of these hands, chained anew."""
    return verify(open_log(io.BytesIO(live_log(hands, head(subject.default)))))


def places(subject: Subject, report: Report) -> list[tuple[int | None, int | None, str]]:
    """Where its findings are: hand, event, name of the rule."""
    names = {rule.id: rule.name for rule in subject.rules}
    return [(finding.hand, finding.event, names[finding.rule]) for finding in report.findings]


@games
def test_a_missing_opening_is_played_on_from_the_hand_before(subject: Subject) -> None:
    """One finding, nothing unverified, and the next hand is checked as ever."""
    first, second, third = hands_of(subject, 3)
    report = judged(subject, [first, unopened(second), third])
    assert places(subject, report) == [(1, 1, NAMED[subject.name].opening)]
    assert (report.unverified, report.openings_unchecked) == (0, 0)


@games
def test_a_first_hand_without_opening_cannot_be_judged(subject: Subject) -> None:
    """Nothing says with which coins it began: it blocks, and the next opening is not checked."""
    first, second = hands_of(subject, 2)
    report = judged(subject, [unopened(first), second])
    assert places(subject, report) == [(0, 1, NAMED[subject.name].opening)]
    assert report.unverified > 0
    assert report.openings_unchecked == 2
    assert "no opening" in report.findings[0].en


@games
def test_a_settled_hand_cannot_be_aborted_away(subject: Subject) -> None:
    """The abort is the one finding, whichever of the two openings the next hand then states."""
    first, second = hands_of(subject, 2)
    aborted = [*first[:-1], HandAborted(0, AbortReason.DISSOLVED)]
    assert isinstance(first[-1], HandEnded)
    ((hand, event, rule),) = places(subject, judged(subject, [aborted, second]))
    assert (hand, event) == (0, len(aborted) - 1)
    assert rule in NAMED[subject.name].ends
    again = hands_of(subject, 1, seed=6)
    assert places(subject, judged(subject, [aborted, *again])) == [(hand, event, rule)]


@games
def test_a_server_that_died_behind_the_settlement_has_aborted_nothing(subject: Subject) -> None:
    """Cut off before HandEnded: no finding, whether the table went on from it or played anew."""
    first, second = hands_of(subject, 2)
    cut_off = [*first[:-1], HandAborted(0, AbortReason.RECOVERED)]
    assert places(subject, judged(subject, [cut_off, second])) == []
    assert places(subject, judged(subject, [cut_off, *hands_of(subject, 1, seed=6)])) == []


@games
def test_index_0_opens_a_match_whatever_head_names(subject: Subject) -> None:
    """A file that names another may take over its coins, not its dealer."""
    stated = opening(subject, replace(subject.first, hand_no=2, dealer=2))
    hand = [HandStarted(bytes(32), 0), stated, HandAborted(0, AbortReason.OTHER)]
    log = io.BytesIO(live_log([hand], replace(head(subject.default), previous=bytes(32))))
    report = verify(open_log(log))
    assert places(subject, report) == [(0, 1, NAMED[subject.name].dealer)]
    assert report.openings_unchecked == 1


@games_with_coins
def test_damage_in_the_file_before_leaves_the_coins_unchecked(subject: Subject) -> None:
    """What a damaged last hand would have left is unknown, so nobody is accused."""
    before = live_log(hands_of(subject, 2), head(subject.default))
    left = open_log(io.BytesIO(before)).head_leaf
    stated = opening(subject, replace(subject.first, **{subject.tally: (7, -3, -2, -2)}))
    hand = [HandStarted(bytes(32), 0), stated, HandAborted(0, AbortReason.OTHER)]
    after = live_log([hand], replace(head(subject.default), previous=left))
    whole = verify(open_log(io.BytesIO(after)), open_log(io.BytesIO(before)))
    assert places(subject, whole) == [(0, 1, NAMED[subject.name].tally)]
    damaged = bytearray(before)
    damaged[-200] ^= 1
    report = verify(open_log(io.BytesIO(after)), open_log(io.BytesIO(bytes(damaged))))
    assert (places(subject, report), report.openings_unchecked) == ([], 1)


@climbing_games
def test_only_a_lead_opens_trick_1(subject: Subject) -> None:
    """The last answer for 硬牌 stands before the first trick, the lead after it in it."""
    walk = HandWalk(game_named(subject.name), subject.default, "full", None)
    hand = hand_of(later(0), [Dealt(0, 0, DEALT), *CALLED, lead(0)])
    steps = [walk.step(event) for event in hand]
    assert [step.trick for step in steps[-2:]] == [0, 1]
    assert all(a.trick <= b.trick for a, b in pairwise(steps))
