"""`paipu simulate`, `index` and `query`: from a match to an answer in SQL."""

import csv
import io
import os
from pathlib import Path

import pytest

from replay.archive import named_queries
from replay.archive.writer import Writer
from replay.damages import damage_text
from replay.messages import text
from schema.damage import LogError
from schema.logfile import open_log
from tests.shelled import CLEAN, LOWER_SINGLE, MATCH, NO_LOG, TEXT, Ran, copied, paipu

SIMULATE = ("simulate", "dagong", "--hands", 3, "--seed", 5)


# simulate


def test_equal_arguments_give_equal_bytes(tmp_path: Path) -> None:
    """Whatever the folder is called; another seed gives other bytes."""
    for folder in ("a", "b"):
        done = paipu(*SIMULATE, "-o", tmp_path / folder)
        assert done.status == 0
        (path,) = map(Path, done.out.splitlines())
        assert path.parent == tmp_path / folder
    assert paipu(*SIMULATE[:-1], 6, "-o", tmp_path / "c").status == 0
    logs = [next(folder.iterdir()).read_bytes() for folder in sorted(tmp_path.iterdir())]
    assert logs[0] == logs[1] != logs[2]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--live"], {"form": "live"}),
        (["--claims", "settlement"], {"claims": "settlement"}),
        (["--preset", "faq"], {"form": "sealed"}),
        (["--player", "random"], {"hands": 3}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_is_asked_for_is_played(
    more: list[str], said: dict[str, object], tmp_path: Path
) -> None:
    """Form, claims, house rules and players; every match is clean."""
    done = paipu(*SIMULATE, *more, "-o", tmp_path)
    found = paipu("info", done.out.strip(), "--json").json
    assert {key: found[key] for key in said} == said
    call = "random_single" if "faq" in more else "first_dealt"
    assert found["options"]["call_rule"] == call
    assert paipu("verify", tmp_path).status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "doudizhu", "--hands", 1, "--seed", 1], "doudizhu; there are: dagong (打拱)"),
        ([*SIMULATE, "--preset", "nope"], "no preset nope; there are: default, faq"),
        ([*SIMULATE, "--player", "nobody"], "no player nobody; there are: greedy, random"),
        (
            [*SIMULATE, "--lang", "zh", "--preset", "nope"],
            "没有叫 nope 的预设桌规；有：default, faq",
        ),
    ],
)
def test_what_cannot_be_played_is_said_with_what_can(
    words: list[object], said: str, tmp_path: Path
) -> None:
    """And no folder is made."""
    done = paipu(*words, "-o", tmp_path / "new")
    assert done.status == 2
    assert said in done.err
    assert not (tmp_path / "new").exists()


def test_the_game_may_be_called_by_its_chinese_name(tmp_path: Path) -> None:
    """The logs are the same, by name and by byte."""
    for game in ("dagong", "打拱"):
        assert paipu("simulate", game, *SIMULATE[2:], "-o", tmp_path / game).status == 0
    (one,), (other,) = ((tmp_path / game).iterdir() for game in ("dagong", "打拱"))
    assert (one.name, one.read_bytes()) == (other.name, other.read_bytes())


def test_no_log_is_overwritten(tmp_path: Path) -> None:
    """A second run stops at the file that is there."""
    assert paipu(*SIMULATE, "-o", tmp_path).status == 0
    (log,) = tmp_path.iterdir()
    done = paipu(*SIMULATE, "-o", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert str(log) in done.err


# index


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a clean match and a log with one finding."""
    folder = tmp_path_factory.mktemp("archived")
    logs = copied(folder / "logs", MATCH, LOWER_SINGLE)
    done = paipu("index", folder / "archive", *logs)
    assert done.status == 0, done.err
    return folder / "archive"


def test_findings_do_not_change_the_status_of_index(archive: Path) -> None:
    """The archive is there to hold them."""
    done = paipu("query", archive, "SELECT count(*) AS n FROM findings", "--json")
    assert done.json == [{"n": 1}]


def test_index_says_what_became_of_every_log(tmp_path: Path) -> None:
    """New, unchanged, unreadable; the unreadable one by name."""
    (log,) = copied(tmp_path / "logs", MATCH)
    archive = tmp_path / "archive"
    first = paipu("index", archive, tmp_path / "logs", "--json").json
    assert (first["files"], first["added"], first["unchanged"]) == (1, 1, 0)
    bad, other = copied(tmp_path / "logs", NO_LOG, TEXT)
    again = paipu("index", archive, tmp_path / "logs")
    assert again.status == 0
    assert str(bad) in again.out
    for word in ("added", "unchanged", "unreadable"):
        assert text("en", f"cli.index.{word}", n=1) in again.out
    listed = paipu("query", archive, "SELECT path FROM files ORDER BY path", "--json").json
    assert [Path(row["path"]) for row in listed] == sorted([log, bad, other])


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_became_of_known_files_is_said_in_both_languages(lang: str, tmp_path: Path) -> None:
    """Moved, gone, spoilt, taken out: each with its path, and counted; how fast it went."""
    match, other, third = copied(tmp_path / "logs", MATCH, TEXT, LOWER_SINGLE)
    archive = tmp_path / "archive"
    assert paipu("index", archive, tmp_path / "logs").status == 0
    moved = match.rename(match.with_name("moved.paipu"))
    other.unlink()
    third.write_bytes(b"no log")
    done = paipu("index", archive, tmp_path / "logs", "--prune", "--lang", lang)
    fault = _fault(b"no log", lang)
    for word, slots in (
        ("moved", {"path": match, "other": moved}),
        ("vanished", {"path": other}),
        ("forgotten", {"path": other}),
        ("unreadable", {"path": third, "other": fault}),
    ):
        assert text(lang, f"cli.index.change.{word}", **slots) + "\n" in done.out
    for word in ("moved", "vanished", "forgotten", "unreadable"):
        assert text(lang, f"cli.index.{word}", n=1) in done.out
    assert text(lang, "cli.index.speed", hands=0, rows=0) in done.out.splitlines()[-1]


def _fault(data: bytes, lang: str) -> str:
    """What is wrong with bytes that are no log."""
    with pytest.raises(LogError) as caught:
        open_log(io.BytesIO(data))
    return damage_text(caught.value.damage, lang)


def test_index_reads_all_files_if_asked(tmp_path: Path) -> None:
    """`--rehash`: the same is found, and JSON says how long it took and what has changed."""
    copied(tmp_path / "logs", MATCH)
    archive = tmp_path / "archive"
    assert paipu("index", archive, tmp_path / "logs").status == 0
    found = paipu("index", archive, tmp_path / "logs", "--rehash", "--json").json
    assert (found["unchanged"], found["changes"]) == (1, [])
    assert found["seconds"] > 0


def test_index_of_a_busy_archive_is_refused_or_waits(archive: Path) -> None:
    """Status 2 with the number of the process that writes; `--wait` says whom it waits for."""
    with Writer(archive):
        refused = paipu("index", archive, MATCH)
        waited = paipu("index", archive, MATCH, "--wait", "0.1")
    assert (refused.status, waited.status) == (2, 2)
    assert f"(number {os.getpid()})" in refused.err
    assert waited.err.startswith(f"paipu: {text('en', 'cli.index.waiting', n=os.getpid())}\n")
    assert paipu("index", archive, MATCH, "--wait", "0.1").status == 0


def test_a_folder_without_logs_is_a_mistake_only_for_a_new_archive(tmp_path: Path) -> None:
    """An archive that knows logs there says what has become of them."""
    logs = tmp_path / "logs"
    (log,) = copied(logs, MATCH)
    archive = tmp_path / "archive"
    assert paipu("index", archive, logs).status == 0
    log.unlink()
    assert paipu("index", tmp_path / "new", logs).status == 2
    assert not (tmp_path / "new").exists()
    done = paipu("index", archive, logs)
    assert (done.status, str(log) in done.out) == (0, True)
    pruned = paipu("index", archive, logs, "--prune")
    assert pruned.status == 2
    assert "is the disk mounted?" in pruned.err


def test_a_watch_takes_nothing_out(tmp_path: Path) -> None:
    """What is away for a moment would be lost."""
    done = paipu("index", tmp_path / "archive", MATCH, "--watch", "--prune")
    assert done.status == 2
    assert not (tmp_path / "archive").exists()


def test_index_of_several_processes_is_the_same(tmp_path: Path) -> None:
    """The rows do not depend on how many worked."""
    rows = []
    for jobs in (1, 2):
        archive = tmp_path / f"archive-{jobs}"
        assert paipu("index", archive, MATCH, TEXT, LOWER_SINGLE, "--jobs", jobs).status == 0
        rows.append(paipu("query", archive, "SELECT * FROM plays ORDER BY ALL", "--csv").out)
    assert rows[0] == rows[1]
    assert rows[0].count("\n") > 100


def test_what_is_no_log_or_no_archive_is_told_apart(archive: Path, tmp_path: Path) -> None:
    """Wherever one of them stands for the other, the error says which is which."""
    is_one = text("en", "cli.problem.archive", path=archive)
    for words in (["verify"], ["info"], ["show"], ["index", tmp_path / "new"]):
        done = paipu(*words, archive)
        assert (done.status == 0) is (words == ["info"])
        assert (is_one in done.err) is (words != ["info"])
    done = paipu("query", CLEAN, "SELECT 1")
    assert done.err == f"paipu: {text('en', 'cli.problem.no_archive', path=CLEAN)}\n"
    assert paipu("index", CLEAN, MATCH).status == 2
    assert paipu("index", tmp_path / "new", "-").status == 2
    assert paipu("index", tmp_path / "new", tmp_path / "absent").status == 2
    assert not (CLEAN / "MANIFEST").exists()


def test_info_of_an_archive_finds_what_was_changed(tmp_path: Path) -> None:
    """Its files are compared with their digests, and its logs looked for."""
    (log,) = copied(tmp_path, TEXT)
    archive = tmp_path / "archive"
    assert paipu("index", archive, log).status == 0
    assert paipu("info", archive).status == 0
    log.unlink()
    missing = paipu("info", archive, "--json").json
    assert (missing["faults"], missing["missing"]) == ([], [str(log)])
    segment = max(archive.glob("*.duckdb"))
    segment.chmod(0o600)
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    done = paipu("info", archive)
    assert done.status == 1
    assert segment.name in done.out


# query

RESULTS = "SELECT result, count(*) AS hands FROM hands GROUP BY result ORDER BY ALL"


def test_the_three_forms_of_an_answer_agree(archive: Path) -> None:
    """Table, CSV and JSON hold the same rows."""
    rows = paipu("query", archive, RESULTS, "--json").json
    assert len(rows) > 1
    listed = list(csv.DictReader(io.StringIO(paipu("query", archive, RESULTS, "--csv").out)))
    assert [{**row, "hands": int(row["hands"])} for row in listed] == rows
    table = paipu("query", archive, RESULTS).out.splitlines()
    assert table[0].split() == ["result", "hands"]
    assert [line.split() for line in table[2:-1]] == [
        [row["result"], str(row["hands"])] for row in rows
    ]


def test_queries_have_names(archive: Path) -> None:
    """Without SQL they are listed; a name runs one; an unknown name is said to be none."""
    listed = paipu("query", archive).out
    names = [query.name for query in named_queries()]
    lines = [line for line in listed.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in lines] == names
    assert [query["name"] for query in paipu("query", archive, "--json").json] == names
    for name in names[::11]:
        assert paipu("query", archive, name).status == 0, name
    unknown = paipu("query", archive, "nonsense")
    assert unknown.status == 2
    assert "no query is called 'nonsense'" in unknown.err


def test_sql_can_come_from_standard_input(archive: Path) -> None:
    """`-` reads it."""
    piped = paipu("query", archive, "-", stdin=RESULTS.encode())
    assert piped == paipu("query", archive, RESULTS)


def test_rows_left_out_are_said(archive: Path) -> None:
    """`--limit` cuts, and stderr says so; without it a table is cut, CSV is not."""
    two = paipu("query", archive, "SELECT * FROM plays", "--csv", "--limit", 2)
    assert two.out.count("\r\n") == 3
    assert two.err == text("en", "cli.query.cut", n=2) + "\n"
    numbers = "SELECT * FROM range(1500)"
    table, whole = paipu("query", archive, numbers), paipu("query", archive, numbers, "--csv")
    assert "(1000 rows)" in table.out
    assert table.err == text("en", "cli.query.cut", n=1000) + "\n"
    assert (whole.out.count("\n"), whole.err) == (1501, "")


def _refused(done: Ran, said: str) -> bool:
    return done.status == 2 and done.err.startswith("paipu: ") and said in done.err


def test_sql_that_cannot_be_run_is_said_in_duckdb_s_words(archive: Path) -> None:
    """Syntax, a table that is not there, what would write, and what takes too long."""
    assert _refused(paipu("query", archive, "SELEC 1"), "syntax error")
    assert _refused(paipu("query", archive, "SELECT * FROM nowhere"), "nowhere")
    assert _refused(paipu("query", archive, "DROP VIEW hands"), "SELECT")
    slow = "SELECT count(*) FROM range(10000000) a, range(10000000) b"
    assert _refused(paipu("query", archive, slow, "--timeout", "0.2"), "time limit")


def test_an_archive_can_be_read_by_who_may_not_write_it(archive: Path) -> None:
    """`query` leaves every file as it was."""
    before = {path: path.stat().st_mtime_ns for path in archive.iterdir()}
    assert paipu("query", archive, "results").status == 0
    assert {path: path.stat().st_mtime_ns for path in archive.iterdir()} == before
    assert os.access(archive, os.R_OK)
