"""What the verifier finds in logs with one fault, with two, and without any."""

import io
import random
from typing import Any, NamedTuple

import pytest

from replay.engine.registry import game_named
from replay.verify import verify
from schema.events import Event, Fact
from schema.logfile import open_log
from schema.options import Options
from schema.records import ClaimsLevel
from tests import mutations
from tests.builders import any_options, head, live_log
from tests.games import GAMES, Subject
from tests.mutations import complaint, findings, mutated

MUTANTS = {"dagong": 12, "chibi_dagun": 12, "chaodipi": 5, "gunzi": 4}
"""Of each class; the command line judges as many as one likes."""
HANDS = {"dagong": 300, "chibi_dagun": 80, "chaodipi": 150, "gunzi": 100}
PAIRS = [("dagong", 50)] * 4 + [("chibi_dagun", 30), ("chaodipi", 40), ("gunzi", 20)]
"""How much of each game is tried: to list all plays takes long where jokers are wild."""

games = pytest.mark.parametrize("subject", GAMES.values(), ids=GAMES)


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES for name in GAMES[game].changes]
)
def test_a_changed_event_is_found_where_the_log_stops_being_legal(game: str, name: str) -> None:
    """The first finding is where the oracle's is; at the event for whatever must show at once."""
    rng = random.Random(f"mutants {name}")
    fates = set()
    for _ in range(MUTANTS[game]):
        case = mutated(rng, GAMES[game], name)
        assert complaint(GAMES[game], case) is None
        fates.add(case.fate)
    if name in GAMES[game].at_event:
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
    carry: Any


LASTING = ("opening, and played from it", "settled, and played from it")


def _kinds(subject: Subject) -> list[str]:
    claimed = sorted(subject.alone - {"opening: hand_no"})
    kinds = [*subject.crooks, *claimed, *subject.lies, *LASTING]
    return [kind for kind in kinds if not subject.is_first(kind)]


KINDS = {game: _kinds(GAMES[game]) for game in GAMES}


def _faulty(
    rng: random.Random, subject: Subject, kind: str, options: Options, carry: Any
) -> Fault | None:
    """A hand from that opening with one fault of the kind; None if there was no occasion."""
    if kind in subject.crooks or kind in subject.lies:
        make = subject.crooks[kind][0] if kind in subject.crooks else subject.lies[kind]
        made = make(options, carry, rng)
        return made and Fault(made.events, made.at, kind, made.carry)
    if kind == "opening, and played from it":
        events, after = subject.hand(options, subject.falsely(carry), rng)
        return Fault(events, 1, kind, after)
    events, after = subject.hand(options, carry, rng)
    if kind == "settled, and played from it":
        mutant = subject.changes[f"settled: next.{subject.tally}"](rng, events)
        assert mutant is not None
        settled: Any = mutant.events[mutant.at]
        return Fault(mutant.events, mutant.at, kind, settled.next)
    mutant = subject.changes[kind](rng, events)
    return mutant and Fault(mutant.events, mutant.at, kind, after)


Match = tuple[Options, list[list[Event]], list[tuple[int, Fault]]]
"""A match: its options, its hands, and which of them have a fault."""


def _match_with(rng: random.Random, subject: Subject, kinds: dict[int, list[str]]) -> Match:
    """A match of four hands, some of them with a fault of one of these kinds."""
    while True:
        made = _tried(rng, subject, any_options(rng, subject.default), kinds)
        if made is not None:
            return made


def _tried(
    rng: random.Random, subject: Subject, options: Options, kinds: dict[int, list[str]]
) -> Match | None:
    """Such a match at this table; None if it is over before its fourth hand."""
    carry, hands, faults = subject.first, list[list[Event]](), []
    for index in range(4):
        if game_named(subject.name).match_is_over(options, carry):
            return None
        fault = None
        for _ in range(TRIES * (index in kinds)):
            fault = fault or _faulty(rng, subject, rng.choice(kinds[index]), options, carry)
        if index in kinds and fault is None:
            return None
        if fault is None:
            events, carry = subject.hand(options, carry, rng)
        else:
            events, carry = fault.events, fault.carry
            faults.append((index, fault))
        hands.append(events)
    return options, hands, faults


TRIES = 20


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
@pytest.mark.parametrize("kind", ["opening: {}", *LASTING, "settled: next.{}"])
def test_false_openings_one_after_the_other(kind: str, subject: Subject) -> None:
    """Whatever was false before, each false opening is one finding, the settlements none."""
    rng = random.Random(f"openings {kind}")
    opening = [f"opening: {subject.tally}"]
    kind = kind.format(subject.tally)
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
        events, carry = subject.hand(options, subject.first, rng)
        if not game_named(game).match_is_over(options, carry):
            fault = _faulty(rng, subject, kind, options, carry)
    hands = [events, fault.events]
    if not game_named(game).match_is_over(options, fault.carry):
        hands.append(subject.hand(options, fault.carry, rng)[0])
    assert [place for place, _ in findings(hands, options)] == [(1, fault.at)]


@pytest.mark.parametrize(
    ("game", "kind"), [(game, kind) for game in GAMES for kind in GAMES[game].firsts]
)
def test_a_fault_of_a_first_hand_is_one_finding(game: str, kind: str) -> None:
    """The hand that opens the match, and a legal one behind it: one finding, at that event."""
    rng, subject = random.Random(f"first {kind}"), GAMES[game]
    fault, options = None, subject.default
    while fault is None:
        options = any_options(rng, subject.default)
        fault = _faulty(rng, subject, kind, options, subject.first)
    hands = [fault.events]
    if not game_named(game).match_is_over(options, fault.carry):
        hands.append(subject.hand(options, fault.carry, rng)[0])
    ((place, rule),) = findings(hands, options)
    assert place == (0, fault.at)
    assert rule in subject.ids(*subject.crooks[kind][1])


@games
@pytest.mark.parametrize("level", ["settlement", "none"])
def test_a_false_opening_is_one_finding_at_lower_levels(
    level: ClaimsLevel, subject: Subject
) -> None:
    """Without a settlement in the log the next hand may still open as if nothing had been false."""
    rng = random.Random(f"level {level}")
    for _ in range(HANDS[subject.name] // 20):
        options = any_options(rng, subject.default)
        game, hands = game_named(subject.name), subject.match(options, 3, rng)
        if len(hands) < 2:
            continue
        mutant = subject.changes[f"opening: {subject.tally}"](rng, hands[1])
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
    assert [line[13:44].strip() for line in lines] == ["changed", *subject.changes]
    assert {line[:13].strip() for line in lines[1:]} == {subject.name}
    assert all(sum(map(int, line[44:].split())) == 1 for line in lines[1:])


@games
def test_clean_hands_are_counted(subject: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    """`--clean` verifies that many legal hands."""
    assert mutations.main(["--game", subject.name, "--clean", "20"]) == 0
    assert capsys.readouterr().out == f"{subject.name}: 20 legal hands, 0 findings\n"


def test_without_a_game_all_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each game, in one table."""
    assert mutations.main(["--clean", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(GAMES)
