"""The archive of the bench: its logs are good ones, made once, and every line is there."""

import json
from pathlib import Path
from random import Random

import pytest

from replay.archive import Archive
from replay.archive.named import NamedQuery, Parameter, named_queries
from replay.players.player import KITS
from replay.verify import Report, verify
from schema.events import Event, HandAborted
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from tests.bench.__main__ import main, warn
from tests.bench.games import hands_of
from tests.bench.million import parts, sqlite, viewer
from tests.bench.million.draw import Drawer, sample
from tests.bench.million.latency import Latency, Took, lines, took
from tests.bench.million.logs import broken_off, seated, told_wrongly, write
from tests.bench.million.originals import SHARES, Original, copies, play
from tests.bench.million.parts import Archived, Million, Places
from tests.bench.million.store import Progress, digest_of, kept
from tests.bench.rows import Budget, Row
from tests.bench.sections import SECTIONS

HANDS = 200


def _quiet(what: str) -> None:
    pass


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this module keeps its archive."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def measured(cache: Path) -> tuple[Archived, list[Row]]:
    """Everything measured, each thing asked once."""
    return parts.measure(Million(HANDS, 1, cache, parts.SECTIONS, pause=0), _quiet)


def _logs(measured: tuple[Archived, list[Row]]) -> list[Path]:
    return sorted(Places(Path(measured[0].place)).logs.rglob("*.paipu"))


# The logs


def test_an_archive_has_so_many_hands_and_no_two_the_same(
    measured: tuple[Archived, list[Row]],
) -> None:
    """Though their cards repeat: the ids of hands are those of hands that were all played."""
    with Archive.open(Places(Path(measured[0].place)).archive) as archive:
        (found,) = archive.query(
            "SELECT count(*), count(DISTINCT hand_id), count(DISTINCT log_id) FROM hands"
        )
        (cards,) = archive.query("SELECT count(DISTINCT dealt) FROM seats")
        faults = list(
            archive.query("SELECT DISTINCT kind, rule FROM findings WHERE kind <> 'claim'")
        )
    made = measured[0].made
    assert found == (HANDS, HANDS, made.logs)
    assert made.hands == HANDS
    assert cards[0] <= 4 * made.distinct < 4 * HANDS
    assert faults == []


def test_every_game_has_its_share_of_the_hands(measured: tuple[Archived, list[Row]]) -> None:
    """To within a match of each."""
    assert set(SHARES) == set(KITS)
    assert sum(SHARES.values()) == 100
    with Archive.open(Places(Path(measured[0].place)).archive) as archive:
        found: dict[str, int] = dict(archive.query("SELECT game, count(*) FROM hands GROUP BY 1"))
    for game, share in SHARES.items():
        assert abs(found[game] - HANDS * share / 100) <= 25


def test_a_match_of_one_archive_is_the_same_each_time_it_is_written(tmp_path: Path) -> None:
    """Byte for byte, by however many processes."""
    played, matches = play(20, tmp_path, 1, _quiet)
    written = [tmp_path / name for name in ("one", "two")]
    made = [
        write(played, matches, 20, place, jobs, _quiet) for jobs, place in enumerate(written, 1)
    ]
    assert made[0] == made[1]
    first, second = (
        {path.name: path.read_bytes() for path in place.rglob("*.paipu")} for place in written
    )
    assert first == second
    assert len(first) == made[0].logs
    assert sum(map(len, first.values())) == made[0].bytes


def test_copies_come_up_to_the_hands_exactly_and_take_matches_by_turns() -> None:
    """The last one is cut off where the archive is full."""
    originals = [Original(game, f"{game}/{n}", 10) for game in SHARES for n in range(3)]
    found = list(copies(originals, 407))
    assert sum(copy.hands for copy in found) == 407
    assert [copy.number for copy in found] == list(range(len(found)))
    taken = [copy.original for copy in found]
    for game, share in SHARES.items():
        times = [taken.count(f"{game}/{n}") for n in range(3)]
        assert max(times) - min(times) <= 1
        assert abs(sum(times) - 407 * share / 1000) <= 1


@pytest.mark.parametrize("game", SHARES)
def test_what_is_changed_in_a_hand_is_found_and_nothing_else(
    game: str, measured: tuple[Archived, list[Row]], tmp_path: Path
) -> None:
    """A trick told wrongly is one finding; a hand that is broken off is none."""
    path = next(path for path in _logs(measured) if path.name.startswith(f"{game}-"))
    hand = hands_of(path)[0]
    for changed, n_findings in ((told_wrongly(hand.events), 1), (broken_off(hand.events), 0)):
        assert changed != hand.events
        report = _verdict(path, changed, tmp_path / "changed.paipu")
        assert [finding.kind for finding in report.findings] == ["claim"] * n_findings
    assert isinstance(broken_off(hand.events)[-1], HandAborted)


def _verdict(path: Path, events: list[Event], place: Path) -> Report:
    """What is said of a log with one hand, under the HEAD of another log."""
    with path.open("rb") as stream:
        writer = LiveWriter(open_log(stream).head)
    place.write_bytes(writer.start() + b"".join(map(writer.event, events)))
    with place.open("rb") as stream:
        return verify(open_log(stream))


def test_logs_lie_in_many_folders_and_tell_of_different_people_and_times(
    measured: tuple[Archived, list[Row]],
) -> None:
    """Over two years."""
    with Archive.open(Places(Path(measured[0].place)).archive) as archive:
        (found,) = archive.query(
            """SELECT count(DISTINCT player_id),
            max(started_at) - min(started_at) > INTERVAL 300 DAY
            FROM seats JOIN hands USING (hand_id)"""
        )
        ((most, fewest),) = archive.query(
            """SELECT max(n), min(n) FROM (SELECT count(*) n FROM seats GROUP BY player_id)"""
        )
    assert found[0] > 20
    assert found[1]
    assert most > fewest
    assert len({path.parent for path in _logs(measured)}) == measured[0].made.logs


def test_four_people_sit_at_a_table() -> None:
    """The same for the same chance, and those with low numbers more often."""
    tables = [seated(Random(n)) for n in range(500)]
    assert tables[0] == seated(Random(0))
    assert {len({player.id for player in table}) for table in tables} == {4}
    numbers = [int(player.id[1:]) for table in tables for player in table]
    assert sum(number < 200 for number in numbers) > 2 * sum(number >= 1800 for number in numbers)


# What is kept


def test_what_was_made_is_made_once(measured: tuple[Archived, list[Row]], cache: Path) -> None:
    """Logs, archive and SQLite's file stay; nothing is measured that was not asked for."""
    places = Places(Path(measured[0].place))
    files = (places.archive / "MANIFEST", places.sqlite, _logs(measured)[0])
    before = [path.stat().st_mtime_ns for path in files]
    archived, rows = parts.measure(Million(HANDS, 1, cache, ("pages-million",)), _quiet)
    assert [path.stat().st_mtime_ns for path in files] == before
    assert archived.filled == measured[0].filled
    assert {row.section for row in rows} == {"pages-million"}
    assert {each.section for each in archived.latencies} == {"pages-million"}


def test_an_archive_of_other_programs_is_made_anew(tmp_path: Path) -> None:
    """And said to be; the logs stay."""
    said: list[str] = []
    wanted = Million(10, 1, tmp_path, ())
    first, _ = parts.measure(wanted, _quiet)
    place = Places(Path(first.place)).filled
    place.write_text(place.read_text().replace(first.filled.code, "0" * 16))
    second, _ = parts.measure(wanted, said.append)
    assert second.filled.code == first.filled.code
    assert second.made == first.made
    assert any("making it anew" in sentence for sentence in said)
    assert not any("writing" in sentence for sentence in said)


def test_programs_are_known_by_their_text(tmp_path: Path) -> None:
    """But for those that are left out."""
    module, other = tmp_path / "a.py", tmp_path / "asking.py"
    module.write_text("1")
    other.write_text("1")
    first = digest_of([tmp_path], {"asking.py"})
    other.write_text("2")
    assert digest_of([tmp_path], {"asking.py"}) == first
    module.write_text("2")
    assert digest_of([tmp_path], {"asking.py"}) != first


def test_what_is_half_made_is_not_there(tmp_path: Path) -> None:
    """It is begun anew, without what was left."""
    place = tmp_path / "place"

    def breaks(making: Path) -> None:
        making.mkdir()
        (making / "left").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept(place, breaks)
    assert not place.exists()
    assert kept(place, Path.mkdir) == place
    assert list(place.iterdir()) == []


def test_progress_says_how_fast_and_how_long() -> None:
    """Not before something is done."""
    said: list[str] = []
    progress = Progress(1000, "hands", said.append, every=0)
    progress.reach(0)
    progress.reach(1000)
    (sentence,) = said
    assert sentence.startswith("  1,000 of 1,000 hands, ")
    assert sentence.endswith("/s, 0 s left")


# The figures


def test_every_line_is_there(measured: tuple[Archived, list[Row]]) -> None:
    """Of filling, of every named query, of the pages, and of SQLite."""
    archived, rows = measured
    answers = {each.name for each in archived.latencies}
    figures = {row.name for row in rows}
    assert {f"query {query.name}" for query in named_queries()} <= answers
    assert {f"one hand: {table}" for table in ("hands", "seats", "plays")} <= answers
    pages = ("hands", "hands, page 2", "hands of a player", "logs", "a log", "a hand", "SQL")
    assert {f"page: {name}" for name in pages} <= answers
    for question in sqlite.QUESTIONS:
        parted = ("archive, p50", "SQLite, p50", "SQLite : archive")
        assert {f"{question.name}: {part}" for part in parted} <= figures
    assert {"index --jobs 2, plays", "index --jobs 2, hands", "archive, a hand"} <= figures
    assert {"index again, all unchanged", "SQLite, its file", "viewer, peak"} <= figures
    assert len(answers) == len(archived.latencies)
    assert len(figures) == len(rows)


def test_a_page_that_does_not_come_is_told_beside_the_others(
    measured: tuple[Archived, list[Row]],
) -> None:
    """Not with half an hour of figures lost."""
    archive = Places(Path(measured[0].place)).archive
    asked = [viewer.Wanted("gone", ("/nowhere",), 0.0), viewer.Wanted("hands", ("/",), 0.0)]
    shown = viewer.shown(archive, asked)
    assert shown.refused.keys() == {"gone"}
    gone, hands = viewer.latencies(shown)
    assert "/nowhere: status 404" in lines([gone])[-1]
    assert "status" not in lines([hands])[-1]


def test_all_took_some_time_and_memory(measured: tuple[Archived, list[Row]]) -> None:
    """Of workers and of the viewer, where the system tells; there may be no findings."""
    archived, rows = measured
    has_status = Path("/proc/self/status").exists()
    for row in rows:
        assert row.value > 0 or row.name == "findings" or (row.unit == "MB" and not has_status)
    for each in archived.latencies:
        for answers in filter(None, (each.here, each.apart)):
            assert 0 < answers.p50 <= answers.p95
            assert answers.runs == 1
    if has_status:
        assert len(archived.filled.worker_peaks) >= 2


def test_percentiles_are_of_the_answers_themselves() -> None:
    """Of twenty, the nineteenth: one in twenty took longer."""
    assert took([n / 1000 for n in range(20, 0, -1)]) == Took(20, 10, 19)
    assert took([0.004]) == Took(1, 4, 4)


def test_a_line_tells_both_and_holds_the_slower_one_against_the_budget() -> None:
    """Here and apart."""
    each = Latency(
        section="queries-million",
        name="query x",
        here=Took(20, 12, 250),
        apart=Took(20, 40, 301),
        budget=Budget("most", 300),
    )
    _, heading, line = lines([each])
    assert heading.startswith("queries-million")
    assert line.split() == [
        "query",
        "x",
        "20",
        "12.0",
        "250",
        "40.0",
        "301",
        "≤",
        "300",
        "not",
        "reached",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs"), [([(1,)], []), ([(1, 2.0)], [(1, 2.1)]), ([("a",)], [("b",)])]
)
def test_another_answer_of_sqlite_is_no_figure(
    ours: list[tuple[object, ...]], theirs: list[tuple[object, ...]]
) -> None:
    """The bench stops."""
    with pytest.raises(AssertionError, match="bombs"):
        sqlite.demand_same(ours, theirs, "bombs")
    sqlite.demand_same([(1, 1 / 3)], [(1, 1 / 3 + 1e-16)], "bombs")


def test_parameters_are_drawn_by_their_kinds(measured: tuple[Archived, list[Row]]) -> None:
    """What may be left out is now and then; days come in order."""
    with Archive.open(Places(Path(measured[0].place)).archive) as archive:
        drawer = Drawer(sample(archive, Random(1)), Random(2))
        players = {player for (player,) in archive.query("SELECT DISTINCT player_id FROM seats")}
        hands = {hand for (hand,) in archive.query("SELECT hand_id FROM hands")}
    query = NamedQuery(
        "x",
        "",
        "",
        "hands",
        "",
        (
            Parameter("game", "choice", None, "", "", tuple(SHARES)),
            Parameter("player", "text", None, "", ""),
            Parameter("since", "date", "2024-01-01", "", ""),
            Parameter("until", "date", "2030-01-01", "", ""),
            Parameter("n", "integer", 20, "", ""),
            Parameter("share", "number", 0.5, "", ""),
            Parameter("hand", "text", None, "", ""),
            Parameter("log", "integer", None, "", ""),
            Parameter("weather", "text", None, "", ""),
        ),
    )
    drawn = [drawer.parameters(query) for _ in range(50)]
    assert {each["game"] for each in drawn} == {*SHARES, None}
    assert {each["player"] for each in drawn} <= {*players, None}
    assert {each["hand"] for each in drawn} <= {*hands, None}
    for each in drawn:
        assert each["log"] is None or 1 <= int(each["log"]) <= measured[0].made.logs
        assert each["weather"] is None
        assert str(each["since"]) <= str(each["until"])
        assert 10 <= float(each["n"] or 0) <= 40
        assert each["share"] == 0.5


# The command


def test_the_command_prints_a_line_for_each_answer(
    cache: Path, measured: tuple[Archived, list[Row]], capsys: pytest.CaptureFixture[str]
) -> None:
    """As text and as JSON, with what the archive is made of."""
    words = ["--million", str(HANDS), "--asked", "1", "--cache", str(cache)]
    asked = [*words, "--only", "pages-million"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["archived"]["made"]["hands"] == HANDS
    assert f"archive: {HANDS} hands in {measured[0].made.logs} logs" in text
    assert "so the cards of each stand there" in text
    for each in found["archived"]["latencies"]:
        assert f"  {each['name']} " in text


def test_what_takes_long_is_said_before(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And how to leave it out; nothing is said of what does not."""
    warn(Million(1_000_000, 1, tmp_path, SECTIONS))
    assert "--only verify" in capsys.readouterr().err
    warn(Million(1_000_000, 1, tmp_path, ("verify",)))
    warn(Million(2_000, 1, tmp_path, SECTIONS))
    assert capsys.readouterr().err == ""
