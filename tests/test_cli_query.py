"""`paipu query`: parameters, forms and files, limits in both languages, what is refused."""

import io
import json
import os
import pty
import stat
import subprocess
import tty
from contextlib import suppress
from pathlib import Path

import pytest
from pyarrow import parquet

from replay.archive import named_queries
from replay.commands.query import Terminal
from replay.messages import text
from tests.archives import hands, indexed, live
from tests.shelled import Ran, command, environment, paipu, process


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a few hands."""
    folder = tmp_path_factory.mktemp("query")
    indexed(folder / "archive", live(folder / "log.paipu", hands(5)))
    return folder / "archive"


def _problem(done: Ran, word: str, lang: str = "en", **slots: object) -> bool:
    said = text(lang, f"cli.problem.{word}", **slots)
    return (done.status, done.out, done.err) == (2, "", f"paipu: {said}\n")


# Parameters


def test_sql_takes_parameters(archive: Path) -> None:
    """As text, an id of digits too; a number where one is needed; with or without the colon."""
    sql = "SELECT count(*) AS n, :x AS x, :who AS who, ':who' AS t FROM range(9) WHERE range < :n"
    params = ("--param", "n=4", "--param", ":x=007", "--param", "who=jia=' OR")
    done = paipu("query", archive, sql, "--json", *params)
    assert done.json == [{"n": 4, "x": "007", "who": "jia=' OR", "t": ":who"}]


def test_a_named_query_takes_parameters_of_its_kinds(archive: Path) -> None:
    """As many rows as `n` says; what is not given has its default."""
    few = paipu("query", archive, "recent_hands", "--json", "--param", "n=3")
    assert len(few.json) == 3
    plain = paipu("query", archive, "results", "--json")
    none = paipu("query", archive, "results", "--json", "--param", "game=gunzi")
    assert (len(plain.json) > 0, none.json) == (True, [])


@pytest.mark.parametrize(
    ("query", "params", "word", "slots"),
    [
        ("results", ["game"], "param_form", {"found": "game"}),
        ("results", ["game=gunzi", "game=dagong"], "param_twice", {"name": "game"}),
        (
            "results",
            ["seat=1"],
            "param_unknown",
            {"name": "seat", "names": "game, since, until, zone"},
        ),
        ("results", ["since=soon"], "param_date", {"name": "since", "found": "soon"}),
        ("aborted_hands", ["n=many"], "param_integer", {"name": "n", "found": "many"}),
        ("SELECT :a, :b", ["c=1"], "param_unknown", {"name": "c", "names": "a, b"}),
        ("SELECT 1", ["c=1"], "param_none", {"name": "c"}),
        ("SELECT :a", ["a=\udcff"], "param_text", {"name": "a"}),
    ],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_parameters_that_do_not_fit_are_said(
    archive: Path, query: str, params: list[str], word: str, slots: dict[str, object], lang: str
) -> None:
    """Which one, what it would have to be, and which there are."""
    options = [each for param in params for each in ("--param", param)]
    done = paipu("query", archive, query, *options, "--lang", lang)
    assert _problem(done, word, lang, **slots), done


def test_a_choice_lists_what_it_may_be(archive: Path) -> None:
    """A word that is none of them is answered with them."""
    done = paipu("query", archive, "results", "--param", "game=poker")
    games = "chaodipi, chibi_dagun, dagong, gunzi"
    assert _problem(done, "param_choice", name="game", found="poker", choices=games), done


def test_a_parameter_without_a_value_is_said(archive: Path) -> None:
    """Of DuckDB's own kind too."""
    done = paipu("query", archive, "SELECT $a, :b", "--param", "b=1")
    assert (done.status, done.err) == (2, "paipu: parameters without a value: a\n")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_parameter_of_ours_without_a_value_is_no_syntax_error(archive: Path, lang: str) -> None:
    """All of them, and how to give the first."""
    done = paipu("query", archive, "SELECT :b, :a, ':c'", "--lang", lang)
    assert _problem(done, "param_missing", lang, name="a", names="a, b"), done


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_list_tells_what_each_takes(archive: Path, lang: str) -> None:
    """Names, what they answer, parameters and defaults; it needs no archive."""
    listed = paipu("query", "--list", "--lang", lang).out
    assert listed == paipu("query", archive, "--list", "--lang", lang).out
    for query in named_queries():
        assert getattr(query, lang) in listed
        for parameter in query.parameters:
            assert f":{parameter.name}" in listed
            assert getattr(parameter, lang) in listed
    names = [query["name"] for query in paipu("query", "--list", "--json").json]
    assert names == [query.name for query in named_queries()]


# Forms and files


def test_a_file_is_written_whole_in_the_form_of_its_name(archive: Path, tmp_path: Path) -> None:
    """As private as a log; the same bytes as on standard output; Parquet is read back."""
    sql = "SELECT * FROM plays ORDER BY ALL"
    for name, option in (("a.csv", "--csv"), ("a.json", "--json"), ("a.txt", "--table")):
        done = paipu("query", archive, sql, "-o", tmp_path / name)
        assert done == Ran(0, "", "")
        assert (tmp_path / name).read_bytes().decode() == paipu("query", archive, sql, option).out
    assert paipu("query", archive, sql, "-o", tmp_path / "a.parquet").status == 0
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.num_rows == len(paipu("query", archive, sql, "--json").json)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_form_is_guessed_for_an_ending(archive: Path, tmp_path: Path, lang: str) -> None:
    """A table is no spreadsheet; an option says the form of any name."""
    out = tmp_path / "a.xlsx"
    done = paipu("query", archive, "SELECT 1 AS a", "-o", out, "--lang", lang)
    endings = ".txt .csv .json .parquet"
    assert _problem(done, "query_ending", lang, path=out, found=".xlsx", endings=endings), done
    assert not out.exists()
    assert paipu("query", archive, "SELECT 1 AS a", "-o", out, "--csv") == Ran(0, "", "")
    assert out.read_bytes() == b"a\r\n1\r\n"


def test_a_file_that_is_there_is_replaced_only_if_asked(archive: Path, tmp_path: Path) -> None:
    """And a query that fails leaves it as it was, and nothing beside it."""
    out = tmp_path / "a.csv"
    out.write_text("mine")
    assert _problem(paipu("query", archive, "SELECT 1", "-o", out), "exists", path=str(out))
    for sql in ("SELECT error('x')", "SELECT sleep_ms(60000)"):
        done = paipu("query", archive, sql, "-o", out, "--force", "--timeout", "1")
        assert done.status == 2
        assert out.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [out]
    assert paipu("query", archive, "SELECT 1 AS a", "-o", out, "--force").status == 0
    assert out.read_bytes() == b"a\r\n1\r\n"


def test_parquet_goes_into_a_pipe_and_not_to_a_terminal(archive: Path) -> None:
    """Bytes would spoil the terminal."""
    with process(["query", archive, "SELECT 1 AS a", "--parquet"]) as running:
        assert running.stdout is not None
        data = running.stdout.read()
    assert parquet.read_table(io.BytesIO(data)).to_pydict() == {"a": [1]}
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            command("query", archive, "SELECT 1 AS a", "--parquet"),
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
            check=False,
        )
    finally:
        os.close(theirs)
        os.close(ours)
    said = text("en", "cli.problem.parquet_terminal")
    assert (done.returncode, done.stderr) == (2, f"paipu: {said}\n")


def test_a_plan_is_drawn(archive: Path) -> None:
    """EXPLAIN shows lines, not one line with escapes."""
    drawn = paipu("query", archive, "EXPLAIN SELECT seat FROM plays").out
    assert "\\n" not in drawn
    assert len(drawn.splitlines()) > 3


# Limits


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_limit_that_stops_is_named(archive: Path, lang: str) -> None:
    """Status 2, nothing printed but the sentence: which limit, how much, what allows more."""
    slow = paipu("query", archive, "SELECT sleep_ms(60000)", "--timeout", "0.5", "--lang", lang)
    said = text(lang, "cli.query.stopped.seconds", value="0.5")
    assert slow == Ran(2, "", f"paipu: {said}\n")
    large = ("SELECT repeat('x', 4000000000)", "--memory", "200MB", "--timeout", "60")
    said = text(lang, "cli.query.stopped.memory", value="200")
    assert paipu("query", archive, *large, "--lang", lang) == Ran(2, "", f"paipu: {said}\n")


@pytest.mark.parametrize("told", ["128MB", "0.5GB", "1gb", "200 MiB", "256M"])
def test_memory_is_told_in_units(archive: Path, told: str) -> None:
    """As people write it."""
    assert paipu("query", archive, "SELECT 1", "--memory", told).status == 0


@pytest.mark.parametrize("told", ["512", "much", "127MB", "0MB", "-1GB", "1e3MB", "9999999999GB"])
def test_memory_that_is_none_is_refused(archive: Path, told: str) -> None:
    """A number alone says nothing, and less than a query needs is said."""
    done = paipu("query", archive, "SELECT 1", "--memory", told)
    assert (done.status, done.out) == (2, "")
    assert "--memory" in done.err


def test_an_archive_is_needed_but_for_the_list() -> None:
    """Usage, as of any other command."""
    done = paipu("query")
    assert done.status == 2
    assert "Missing argument 'ARCHIVE'" in done.err


# Terminals


EVIL = "'a' || chr(27) || ']0;x' || chr(7) || chr(155) || '2J' || chr(127) || chr(13) || 'b'"
RAW = ("\x1b", "\x07", "\x9b", "\x7f", "\r")


def _on_a_terminal(*args: object) -> tuple[int, str, str]:
    """Status, what a terminal gets as output, and as errors."""
    shown = []
    ours, theirs = zip(*(pty.openpty() for _ in range(2)), strict=True)
    for each in theirs:
        tty.setraw(each)  # or the terminal itself would turn line feeds into CR LF
    running = subprocess.Popen(
        command(*args), stdin=subprocess.DEVNULL, stdout=theirs[0], stderr=theirs[1],
        env=environment(),
    )  # fmt: skip
    status = running.wait()
    for each, other in zip(ours, theirs, strict=True):
        os.set_blocking(each, False)
        data = b""
        with suppress(BlockingIOError, OSError):
            while piece := os.read(each, 1 << 16):
                data += piece
        shown.append(data.decode())
        os.close(each)
        os.close(other)
    return status, shown[0], shown[1]


@pytest.mark.parametrize("form", ["--table", "--json", "--csv"])
def test_no_value_moves_the_cursor_of_a_terminal(archive: Path, form: str) -> None:
    """Nor does the name of a column; what a form means stays."""
    sql = f"""SELECT {EVIL} AS a, 1 AS "{"".join(RAW)}", '甲"x' AS c"""
    status, out, err = _on_a_terminal("query", archive, sql, form)
    assert (status, err) == (0, "")
    assert not any(each in out.replace("\r\n", "\n") for each in RAW)
    assert "甲" in out
    if form == "--json":
        assert json.loads(out)[0]["a"] == "a\x1b]0;x\x07\x9b2J\x7f\rb"


def test_csv_is_exact_but_on_a_terminal(archive: Path, tmp_path: Path) -> None:
    """In a pipe and in a file each byte is as it is; lines end alike everywhere."""
    sql = f"SELECT {EVIL} AS a, 'x' || chr(10) || 'y' AS b FROM range(3)"
    exact = "a,b\r\n" + '"a\x1b]0;x\x07\x9b2J\x7f\rb","x\ny"\r\n' * 3
    with process(["query", archive, sql, "--csv"]) as running:
        assert running.stdout is not None
        assert running.stdout.read().decode() == exact
    assert paipu("query", archive, sql, "-o", tmp_path / "a.csv").status == 0
    assert (tmp_path / "a.csv").read_bytes().decode() == exact
    _, shown, _ = _on_a_terminal("query", archive, sql, "--csv")
    escaped = r"a\u001b]0;x\u0007\u009b2J\u007f\u000db"
    assert shown == "a,b\r\n" + f'"{escaped}","x\ny"\r\n' * 3


def test_pieces_may_end_anywhere() -> None:
    """Within a character, and between CR and LF; what stands alone is escaped."""
    data = "甲\r\n\x9bb\rc\r\n牌\r".encode()
    for size in range(1, len(data) + 1):
        out = io.BytesIO()
        terminal = Terminal(out)
        for at in range(0, len(data), size):
            assert terminal.write(data[at : at + size]) == len(data[at : at + size])
        terminal.flush()
        assert out.getvalue().decode() == "甲\r\n\\u009bb\\u000dc\r\n牌\\u000d"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_errors_quote_without_obeying(archive: Path, lang: str) -> None:
    """DuckDB's words about a value, over several lines, with what it would do to a terminal."""
    for sql in (f"SELECT error({EVIL})", f"SELECT ({EVIL})::INTEGER", 'SELECT "\x1b[2J\x9b"'):
        status, out, err = _on_a_terminal("query", archive, sql, "--lang", lang)
        assert (status, out) == (2, "")
        assert not any(each in err.replace("\r\n", "\n") for each in RAW)
        assert "\\u001b" in err
        assert "\\u009b" in err
    done = paipu("query", archive, "SELECT *\nFROM nowhere")
    assert "\n\nLINE 2: FROM nowhere\n" in done.err


# Odd numbers


@pytest.mark.parametrize(
    "options",
    [
        ("--memory", "9" * 400 + "MB"),
        ("--memory", "1." + "9" * 400 + "GB"),
        ("--memory", "５１２MB"),
        ("--memory", "٥١٢MB"),
        ("--limit", str(1 << 63)),
        ("--limit", "9" * 400),
        ("--limit", "-1"),
        ("--timeout", "1e400"),
        ("--timeout", "nan"),
    ],
)
def test_numbers_without_measure_are_usage(archive: Path, options: tuple[str, str]) -> None:
    """Named with their option, and no fault of ours."""
    done = paipu("query", archive, "SELECT 1", *options)
    assert (done.status, done.out) == (2, "")
    assert f"Invalid value for '{options[0]}'" in done.err
    assert "fault" not in done.err


def test_the_largest_limit_is_one(archive: Path) -> None:
    """As many rows as a number has."""
    assert len(paipu("query", archive, "SELECT 1", "--json", "--limit", (1 << 63) - 1).json) == 1
