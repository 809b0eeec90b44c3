"""The bench measures what it says; no figure of it is held against a clock."""

import json
from pathlib import Path

import msgspec
import pytest

from replay.players.player import KITS
from schema.events import Fact
from tests.bench.__main__ import main
from tests.bench.games import SUBJECTS, hands_of, play
from tests.bench.measure import Probe, Timed, Turn, interleaved
from tests.bench.million.parts import Million
from tests.bench.rows import Budget, Row, lines
from tests.bench.sections import OF_MATCHES, SECTIONS, Measured, Wanted, measure

HANDS, RUNS = 3, 2
BY_GAME = {
    "verify": ("verify, sealed", "verify, live", "verify, text", "verify, sealed, 20 hands a file"),
    "archive": ("index, sealed", "open, query thinking_time"),
    "simulate": ("simulate",),
    "memory": (f"verify, sealed, {HANDS} hands, peak", "long match : short match"),
    "recorder": tuple(
        f"write, sync {sync}, {part}"
        for sync in ("event", "hand", "group")
        for part in ("p50", "p99")
    ),
}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """All that needs no archive measured, as small as can be."""
    folder = tmp_path_factory.mktemp("bench")
    nothing = Million(HANDS, RUNS, folder / "cache", ())
    return measure(Wanted(HANDS, RUNS, nothing, OF_MATCHES), folder, lambda what: None)


def _row(measured: Measured, name: str) -> Row:
    (row,) = (row for row in measured.rows if row.name == name)
    return row


def test_every_game_with_players_is_measured() -> None:
    """A new game is a new line of the bench."""
    assert {subject.game for subject in SUBJECTS} == set(KITS)


@pytest.mark.parametrize("game", KITS)
def test_the_table_has_every_line_of_a_game(measured: Measured, game: str) -> None:
    """In each section."""
    found = {(row.section, row.name) for row in measured.rows}
    wanted = {(part, f"{game}: {name}") for part, names in BY_GAME.items() for name in names}
    assert wanted - found == set()


def test_lines_stand_in_the_order_of_the_sections_and_none_twice(measured: Measured) -> None:
    """So that the table can be read, and looked up by name."""
    places = [SECTIONS.index(row.section) for row in measured.rows]
    assert places == sorted(places)
    assert set(places) == set(range(len(OF_MATCHES)))
    assert len({row.name for row in measured.rows}) == len(measured.rows)


def test_every_form_of_a_match_has_the_facts_that_are_counted(
    measured: Measured, tmp_path: Path
) -> None:
    """What verification checks is what the hands of the same match hold, claims left out."""
    for match in measured.matches:
        paths = play(match.game, HANDS, tmp_path / match.game)
        hands = [hand for path in paths for hand in hands_of(path)]
        events = [event for hand in hands for event in hand.events]
        facts = sum(isinstance(event, Fact) for event in events)
        assert (match.hands, match.facts, match.claims) == (HANDS, facts, len(events) - facts)
        for name in ("verify, sealed", "verify, live", "verify, text", "walk (in memory)"):
            assert _row(measured, f"{match.game}: {name}").amount == facts
        for name in ("read, sealed", "decode (in memory)"):
            assert _row(measured, f"{match.game}: {name}").amount == len(events)


def test_figures_fit_together(measured: Measured) -> None:
    """Nothing takes no time; a percentile is no less than a lower one."""
    assert all(row.value > 0 for row in measured.rows)
    assert all(row.wall is None or row.wall > 0 for row in measured.rows)
    for match in measured.matches:
        for sync in ("event", "hand", "group"):
            p50, p99 = (
                _row(measured, f"{match.game}: write, sync {sync}, {part}")
                for part in ("p50", "p99")
            )
            assert p50.value <= p99.value
            assert p50.amount == p99.amount == match.facts + match.claims


def test_a_ratio_is_of_figures_in_the_same_turn() -> None:
    """A machine that is half as fast in one turn changes no ratio."""
    ours = Probe("verify", "ours", "facts", lambda: 600)
    theirs = Probe("peers", "theirs", "moves", lambda: 100)
    speeds = (1.0, 2.0, 1.0, 4.0)
    mine = Timed(ours, tuple(Turn(600, 2 * speed, 2 * speed) for speed in speeds))
    yours = Timed(theirs, tuple(Turn(100, speed, speed) for speed in speeds))
    assert mine.ratio_to(yours) == 3
    assert mine.cpu_rate == 600 / 3


def test_things_are_measured_by_turns_and_the_first_of_each_is_not_counted() -> None:
    """A B, then A B, B A, A B …"""
    ran: list[str] = []

    def probe(name: str) -> Probe:
        def run() -> int:
            ran.append(name)
            return 1

        return Probe("verify", name, "facts", run)

    timed = interleaved([probe("a"), probe("b")], 3)
    assert "".join(ran) == "ab" + "ab" + "ba" + "ab"
    assert [len(found.turns) for found in timed.values()] == [3, 3]


@pytest.mark.parametrize(
    ("budget", "value", "verdict"),
    [
        (Budget("least", 250_000), 250_000, "≥ 250,000 reached"),
        (Budget("least", 250_000), 249_999, "≥ 250,000 not reached"),
        (Budget("most", 1.1), 1.1, "≤ 1.10 reached"),
        (Budget("most", 1.1), 1.2, "≤ 1.10 not reached"),
    ],
)
def test_a_budget_says_whether_it_is_reached(budget: Budget, value: float, verdict: str) -> None:
    """On its line, behind the figure."""
    row = Row(section="verify", name="x", value=value, unit="facts/s", budget=budget)
    assert lines([row])[-1].endswith(verdict)


def test_the_command_prints_a_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    """A heading, the matches, and the sections that were asked for, as text and as JSON."""
    asked = ["--hands", "2", "--runs", "1", "--only", "peers", "--only", "simulate"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = msgspec.convert(found["rows"], list[Row])
    assert {row.section for row in rows} == {"peers", "simulate"}
    for row in rows:
        assert f"  {row.name} " in text
    for match in found["matches"]:
        assert f"{match['game']}: 1 match, 2 hands of" in text


@pytest.mark.parametrize("wrong", [("--hands", "0"), ("--runs", "none"), ("--only", "speed")])
def test_the_command_refuses_what_it_cannot_measure(
    wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As every command line does: exit status 2, the option named."""
    with pytest.raises(SystemExit) as stopped:
        main(list(wrong))
    assert stopped.value.code == 2
    assert wrong[0] in capsys.readouterr().err
