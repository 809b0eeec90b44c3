"""What the verifier finds in logs with one fault, with two, and without any."""

import io
import random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from replay.verify import verify
from schema.events import ClimbingCarry, ClimbingSettled, Event, Fact
from schema.logfile import open_log
from schema.options import Options
from schema.records import ClaimsLevel
from tests import mutations
from tests.builders import (
    FIRST,
    any_options,
    any_style,
    game_for,
    hand_events,
    head,
    live_log,
    match,
)
from tests.crooked import crooked, false_call
from tests.games import GAMES, Subject
from tests.mutants import ALONE, AT_EVENT
from tests.mutations import complaint, findings, mutated

MUTANTS = 12
"""Of each class; the command line judges as many as one likes."""
HANDS = {"dagong": 300, "chibi_dagun": 80}
PAIRS = [("dagong", 50)] * 4 + [("chibi_dagun", 30)]
"""How much of each game is tried: to list all plays takes long where jokers are wild."""

games = pytest.mark.parametrize("subject", GAMES.values(), ids=GAMES)


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in GAMES[game].changes]
)
def test_a_changed_event_is_found_where_the_log_stops_being_legal(game: str, name: str) -> None:
    """The first finding is where the oracle's is; at the event for whatever must show at once."""
    rng = random.Random(f"mutants {name}")
    fates = set()
    for _ in range(MUTANTS):
        case = mutated(rng, GAMES[game], name)
        assert complaint(case) is None
        fates.add(case.fate)
    if name in AT_EVENT:
        assert "at the event" in fates


@games
def test_no_finding_in_legal_hands(subject: Subject) -> None:
    """Legal matches under any options verify clean."""
    assert mutations.clean(random.Random("clean"), subject, HANDS[subject.name]) == []


# Two faults


class Fault(NamedTuple):
    """A hand with one fault in it: where, of what kind, and the opening of the next hand."""

    events: list[Event]
    at: int
    kind: str
    carry: ClimbingCarry


CLAIMED = sorted(ALONE - {"opening: hand_no"})
LASTING = ("called falsely", "opening, and played from it", "settled, and played from it")
KINDS = {game: [*GAMES[game].crooks, *CLAIMED, *LASTING] for game in GAMES}


def _faulty(
    rng: random.Random, subject: Subject, kind: str, options: Options, carry: ClimbingCarry
) -> Fault | None:
    """A hand from that opening with one fault of the kind; None if there was no occasion."""
    game, style = game_for(options), any_style(rng)
    if kind in subject.crooks:
        made = crooked(game, options, carry, rng, subject.crooks[kind][0], style)
        return made and Fault(made.events, made.at, kind, made.carry)
    if kind == "called falsely":
        made = false_call(game, options, carry, rng, style)
        return made and Fault(made.events, made.at, kind, made.carry)
    if kind == "opening, and played from it":
        a, b, c, d = carry.balances
        false = replace(carry, balances=(a + 3, b, c, d - 5))
        events, after = hand_events(game, options, false, rng, style)
        return Fault(events, 1, kind, after)
    events, after = hand_events(game, options, carry, rng, style)
    if kind == "settled, and played from it":
        mutant = subject.changes["settled: next.balances"](rng, events)
        assert mutant is not None
        settled = mutant.events[mutant.at]
        assert isinstance(settled, ClimbingSettled)
        return Fault(mutant.events, mutant.at, kind, settled.next)
    mutant = subject.changes[kind](rng, events)
    return mutant and Fault(mutant.events, mutant.at, kind, after)


Match = tuple[Options, list[list[Event]], list[tuple[int, Fault]]]
"""A match: its options, its hands, and which of them have a fault."""


def _match_with(rng: random.Random, subject: Subject, kinds: dict[int, list[str]]) -> Match:
    """A match of four hands, some of them with a fault of one of these kinds."""
    options = any_options(rng, subject.default)
    carry, hands, faults = FIRST, [], []
    for index in range(4):
        fault = None
        while index in kinds and fault is None:
            fault = _faulty(rng, subject, rng.choice(kinds[index]), options, carry)
        if fault is None:
            events, carry = hand_events(game_for(options), options, carry, rng, any_style(rng))
        else:
            events, carry = fault.events, fault.carry
            faults.append((index, fault))
        hands.append(events)
    return options, hands, faults


@pytest.mark.parametrize(("chunk", "game", "n"), [(k, *pair) for k, pair in enumerate(PAIRS)])
def test_two_faults_are_two_findings(chunk: int, game: str, n: int) -> None:
    """Each at its own event, and nothing beside them, whatever the two are."""
    rng, subject, every = random.Random(f"pairs {chunk}"), GAMES[game], KINDS[game]
    kinds = set()
    for _ in range(n):
        pair = dict.fromkeys(rng.sample(range(1, 4), 2), every)
        options, hands, faults = _match_with(rng, subject, pair)
        expected = [(hand, fault.at) for hand, fault in faults]
        found = list(findings(hands, options))
        assert [place for place, _ in found] == expected, (faults[0][1].kind, faults[1][1].kind)
        for (_, fault), (_, rule) in zip(faults, found, strict=True):
            if fault.kind in subject.crooks:
                assert rule in subject.ids(*subject.crooks[fault.kind][1])
            kinds.add(fault.kind)
    assert len(kinds) > len(every) // 2


@games
@pytest.mark.parametrize("kind", ["opening: balances", *LASTING, "settled: next.balances"])
def test_false_openings_one_after_the_other(kind: str, subject: Subject) -> None:
    """Whatever was false before, each false opening is one finding, the settlements none."""
    rng = random.Random(f"openings {kind}")
    opening = ["opening: balances"]
    for _ in range(HANDS[subject.name] // 20):
        options, hands, faults = _match_with(rng, subject, {1: [kind], 2: opening, 3: opening})
        found = [place for place, _ in findings(hands, options)]
        assert found == [(hand, fault.at) for hand, fault in faults]


@pytest.mark.parametrize(("game", "kind"), [(game, kind) for game in GAMES for kind in KINDS[game]])
def test_a_fault_that_spoils_nothing_is_one_finding(game: str, kind: str) -> None:
    """One hand with the fault between two legal ones: one finding, at that event."""
    rng, subject = random.Random(f"alone {kind}"), GAMES[game]
    fault, options = None, subject.default
    while fault is None:
        options = any_options(rng, subject.default)
        events, carry = hand_events(game_for(options), options, FIRST, rng)
        fault = _faulty(rng, subject, kind, options, carry)
    after, _ = hand_events(game_for(options), options, fault.carry, rng)
    found = list(findings([events, fault.events, after], options))
    assert [place for place, _ in found] == [(1, fault.at)]


@games
@pytest.mark.parametrize("level", ["settlement", "none"])
def test_a_false_opening_is_one_finding_at_lower_levels(
    level: ClaimsLevel, subject: Subject
) -> None:
    """Without a settlement in the log the next hand may still open as if nothing had been false."""
    rng = random.Random(f"level {level}")
    for _ in range(HANDS[subject.name] // 20):
        options = any_options(rng, subject.default)
        game, hands = game_for(options), match(options, 3, rng)
        mutant = subject.changes["opening: balances"](rng, hands[1])
        assert mutant is not None
        hands[1] = mutant.events
        told = [
            [e for e in events if isinstance(e, Fact) or game.claim_at_level(type(e), level)]
            for events in hands
        ]
        log = open_log(io.BytesIO(live_log(told, head(options, level))))
        assert [(f.hand, f.event) for f in verify(log).findings] == [(1, 1)]


# The command line


@games
def test_the_table_names_every_class(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each class with its counts, and the status 0."""
    assert mutations.main(["--game", subject.name, "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:28].strip() for line in lines] == ["changed", *subject.changes]
    assert all(sum(map(int, line[28:].split())) == 1 for line in lines[1:])


@games
def test_clean_hands_are_counted(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """`--clean` verifies that many legal hands."""
    assert mutations.main(["--game", subject.name, "--clean", "20"]) == 0
    assert capsys.readouterr().out == "20 legal hands, 0 findings\n"
