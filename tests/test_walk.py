"""What the walk makes of wrong draws, missing openings, ends that are none, and the chain."""

import io
import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from replay.engine.dagong.presets import DEFAULT
from replay.engine.registry import game_named
from replay.verify import Report, verify
from replay.walk import Chain, HandWalk
from schema.cards import parse_cards
from schema.events import (
    AbortReason,
    By,
    CallDrawn,
    Called,
    ClimbingCarry,
    ClimbingOpening,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    SoloAnswered,
)
from schema.logfile import open_log
from schema.options import DagongOptions
from tests.builders import DECK, FIRST, head, later, live_log, match

RANDOM_CALL = replace(DEFAULT, call_rule="random_single")
FREE = replace(DEFAULT, solo_order="free")


def dealt_to(*beginnings: str) -> bytes:
    """A deck in deal order from seat 0 whose hands begin so; the rest is shuffled once."""
    hands = [list(parse_cards(cards)) for cards in beginnings]
    rest = list(DECK)
    for card in (card for hand in hands for card in hand):
        rest.remove(card)
    random.Random(1).shuffle(rest)
    for hand in hands:
        hand += [rest.pop() for _ in range(27 - len(hand))]
    return bytes(hands[k % 4][k // 4] for k in range(108))


DEALT = dealt_to("3d 4d 5d 9h 9h", "3d 4d 5d", "", "")
"""The dealer is seat 0: the deal calls 3d, 4d and 5d are held once, 9h twice."""
CALL, OTHER, DOUBLED = parse_cards("3d 4d 9h")


def found(
    events: Sequence[Event],
    options: DagongOptions = DEFAULT,
    carry: ClimbingCarry | None = None,
    chain: Chain | None = None,
) -> list[tuple[int, str, str]]:
    """The faults of a hand that opens and is dealt as above: event, kind, rule."""
    opening = later(0) if carry is None else carry
    hand = [HandStarted(bytes(32), 0), ClimbingOpening(opening), Dealt(0, 0, DEALT), *events]
    walk = HandWalk(game_named("dagong"), options, "full", chain)
    return [
        (step.index, fault.kind, fault.breach.rule.id)
        for step in map(walk.step, hand)
        for fault in step.faults
    ]


def no(seat: int) -> SoloAnswered:
    """A seat does not go solo."""
    return SoloAnswered(0, By.PLAYER, seat, False)


def lead(seat: int) -> Played:
    """A seat lays its lowest card."""
    return Played(0, By.PLAYER, seat, bytes([min(DEALT[seat::4])]))


ANSWERS = [no(0), no(1), no(2), no(3)]
CALLED = [Called(CALL), *ANSWERS]


@pytest.mark.parametrize(
    ("events", "options", "expected"),
    [
        # dagong-3.2: the draw is the fault; the announcement it displaced is not missed as well
        ([CallDrawn(0, OTHER), Called(OTHER), no(0)], DEFAULT, [(3, "breach", "dagong-3.2")]),
        # a call announced without a draw stands: its twin is with one other seat
        ([Called(OTHER), *ANSWERS, lead(0)], RANDOM_CALL, [(3, "claim", "dagong-3.1")]),
        ([Called(DOUBLED), no(0)], RANDOM_CALL, [(3, "violation", "dagong-3.6")]),
        # random_single is dagong-3.1 in every hand
        ([CallDrawn(0, DOUBLED)], RANDOM_CALL, [(3, "violation", "dagong-3.1")]),
        ([CallDrawn(0, OTHER), Called(CALL)], RANDOM_CALL, [(4, "claim", "dagong-3.1")]),
        # a second draw is judged by the rule of the first
        (
            [CallDrawn(0, OTHER), Called(OTHER), CallDrawn(0, CALL)],
            RANDOM_CALL,
            [(5, "violation", "dagong-3.1")],
        ),
        # who leads behind a leader's pass takes the lead of nobody in particular
        (
            [*CALLED, Passed(0, By.PLAYER, 0), lead(2)],
            DEFAULT,
            [(8, "breach", "dagong-6.3"), (9, "breach", "dagong-6.5")],
        ),
        ([Called(CALL), lead(0), no(1)], FREE, [(5, "violation", "dagong-9.2")]),
    ],
)
def test_one_error_is_one_finding(
    events: list[Event], options: DagongOptions, expected: list[tuple[int, str, str]]
) -> None:
    """Each wrong call, draw or lead is found at its own event, by its own rule, once."""
    assert found(events, options) == expected


def hands_of(n: int, seed: int = 5) -> list[list[Event]]:
    """The hands of a legal match."""
    return match(DEFAULT, n, random.Random(seed))


def judged(hands: Sequence[Sequence[Event]]) -> Report:
    """The report on a live log of these hands, chained anew."""
    return verify(open_log(io.BytesIO(live_log(hands, head()))))


def places(report: Report) -> list[tuple[int | None, int | None, str]]:
    """Where its findings are: hand, event, rule."""
    return [(finding.hand, finding.event, finding.rule) for finding in report.findings]


def test_a_missing_opening_is_played_on_from_the_hand_before() -> None:
    """One finding, nothing unverified, and the next hand is checked as ever."""
    first, second, third = hands_of(3)
    unopened = [event for event in second if not isinstance(event, ClimbingOpening)]
    report = judged([first, unopened, third])
    assert places(report) == [(1, 1, "dagong-2.3")]
    assert (report.unverified, report.openings_unchecked) == (0, 0)


def test_a_first_hand_without_opening_cannot_be_judged() -> None:
    """Nothing says with which coins it began: it blocks, and the next opening is not checked."""
    first, second = hands_of(2)
    unopened = [event for event in first if not isinstance(event, ClimbingOpening)]
    report = judged([unopened, second])
    assert places(report) == [(0, 1, "dagong-2.3")]
    assert report.unverified > 0
    assert report.openings_unchecked == 2
    assert "no opening" in report.findings[0].en


def test_a_settled_hand_cannot_be_aborted_away() -> None:
    """The abort is the one finding, whichever of the two openings the next hand then states."""
    first, second = hands_of(2)
    aborted = [*first[:-1], HandAborted(0, AbortReason.DISSOLVED)]
    assert isinstance(first[-1], HandEnded)
    ((hand, event, rule),) = places(judged([aborted, second]))
    assert (hand, event) == (0, len(aborted) - 1)
    assert rule in {"dagong-8.6", "dagong-8.7", "dagong-9.4"}
    again = hands_of(1, seed=6)
    assert places(judged([aborted, *again])) == [(hand, event, rule)]


def test_a_server_that_died_behind_the_settlement_has_aborted_nothing() -> None:
    """Cut off before HandEnded: no finding, whether the table went on from it or played anew."""
    first, second = hands_of(2)
    cut_off = [*first[:-1], HandAborted(0, AbortReason.RECOVERED)]
    assert places(judged([cut_off, second])) == []
    assert places(judged([cut_off, *hands_of(1, seed=6)])) == []


def test_index_0_opens_a_match_whatever_head_names() -> None:
    """A file that names another may take over its coins, not its dealer."""
    opening = ClimbingOpening(later(2))
    hand = [HandStarted(bytes(32), 0), opening, HandAborted(0, AbortReason.OTHER)]
    log = io.BytesIO(live_log([hand], replace(head(), previous=bytes(32))))
    report = verify(open_log(log))
    assert places(report) == [(0, 1, "dagong-2.2")]
    assert report.openings_unchecked == 1


def test_damage_in_the_file_before_leaves_the_coins_unchecked() -> None:
    """What a damaged last hand would have left is unknown, so nobody is accused."""
    before = live_log(hands_of(2), head())
    left = open_log(io.BytesIO(before)).head_leaf
    carry = replace(FIRST, balances=(7, -3, -2, -2))
    hand = [HandStarted(bytes(32), 0), ClimbingOpening(carry), HandAborted(0, AbortReason.OTHER)]
    after = live_log([hand], replace(head(), previous=left))
    whole = verify(open_log(io.BytesIO(after)), open_log(io.BytesIO(before)))
    assert places(whole) == [(0, 1, "dagong-11.1")]
    damaged = bytearray(before)
    damaged[-200] ^= 1
    report = verify(open_log(io.BytesIO(after)), open_log(io.BytesIO(bytes(damaged))))
    assert (places(report), report.openings_unchecked) == ([], 1)


def test_only_a_lead_opens_trick_1() -> None:
    """The last answer for 硬牌 stands before the first trick, the lead after it in it."""
    hand = [HandStarted(bytes(32), 0), ClimbingOpening(later(0)), Dealt(0, 0, DEALT)]
    walk = HandWalk(game_named("dagong"), DEFAULT, "full", None)
    steps = [walk.step(event) for event in [*hand, *CALLED, lead(0)]]
    assert [step.trick for step in steps[-2:]] == [0, 1]
    assert all(a.trick <= b.trick for a, b in pairwise(steps))
