"""The worked cases of the rule books: what the engine gives is what the book says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import casebook, casebook_chibi_dagun, casebook_dagong
from tests.casebook import CASES, GAMES, Row
from tests.casebook_chibi_dagun_words import OPTIONS as CHIBI_DAGUN_OPTIONS
from tests.casebook_dagong_words import OPTIONS as DAGONG_OPTIONS

BOOKS = {game: (f"{game}.jsonl", f"{game}_more.jsonl") for game in GAMES}
"""The files of each game's cases: those of the rule book's drafts, and ours."""
OPTIONS = {
    "dagong": ("options", set(DAGONG_OPTIONS)),
    "chibi_dagun": ("opt", CHIBI_DAGUN_OPTIONS),
}
"""The argument that sets options in a game's cases, and the options."""
FUNCTIONS = {
    "dagong": casebook_dagong.FUNCTIONS,
    "chibi_dagun": casebook_chibi_dagun.FUNCTIONS,
}
ROWS = {game: casebook.read(*(CASES / name for name in files)) for game, files in BOOKS.items()}
EACH = [
    pytest.param(game, row, id=f"{game}-{row['id']}-{row['rule'] or row['fn']}")
    for game, rows in ROWS.items()
    for row in rows.values()
]


@pytest.mark.parametrize(("game", "row"), EACH)
def test_the_engine_gives_what_the_case_says(game: str, row: Row) -> None:
    """One worked case, compared as a whole."""
    assert casebook.fault(game, row, ROWS[game]) is None


@pytest.mark.parametrize("game", OPTIONS)
def test_every_option_is_set_in_a_case(game: str) -> None:
    """Each option that the cases can set is set in some case."""
    argument, options = OPTIONS[game]
    tried = {name for row in ROWS[game].values() for name in row["args"].get(argument, {})}
    assert tried == options


@pytest.mark.parametrize("game", OPTIONS)
def test_every_function_has_cases_of_ours(game: str) -> None:
    """No function rests on the book's own cases alone."""
    ours = casebook.read(CASES / f"{game}_more.jsonl")
    assert {row["fn"] for row in ours.values()} == FUNCTIONS[game].keys()


def test_a_flow_that_expects_no_error_has_none() -> None:
    """Only the keys that a case names are compared: one that names no error must have none."""
    flows = [row for row in ROWS["chibi_dagun"].values() if row["fn"] == "flow"]
    silent = [row for row in flows if "error" not in row["expect"]]
    assert len(silent) >= 20
    for row in silent:
        assert "error" not in casebook_chibi_dagun.flow(**row["args"]), row["id"]


# The command line

Write = Callable[[str], Path]

GOOD = (
    '{"id": "G", "fn": "first_banker", "args": {"deal_start": 3, "turnup_index": 2}, "expect": 1}'
)
FALSE = GOOD.replace('"G"', '"F"').replace('"expect": 1', '"expect": 2')
UNKNOWN = GOOD.replace('"G"', '"U"').replace("first_banker", "second_banker")
MISSPELT = GOOD.replace('"G"', '"M"').replace("deal_start", "start_deal")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of cases."""

    def written(text: str) -> Path:
        path = tmp_path / "cases.jsonl"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_all_passed(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line counts, and the status is 0."""
    assert casebook.main(["dagong", str(write(GOOD + "\n\n"))]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_each_failure_is_one_line(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    """A false result, an unknown function and an unknown argument fail alone, by their ids."""
    path = write("\n".join((FALSE, GOOD, UNKNOWN, MISSPELT)))
    assert casebook.main(["dagong", str(path)]) == 1
    *failures, last = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in failures] == ["F", "U", "M"]
    assert failures[0] == "F: first_banker: expected 2, found 1"
    assert last == "1 passed, 3 failed"


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not a line of JSON"), ("[]", "expected the keys"), (f"{GOOD}\n{GOOD}", "a second")],
)
def test_a_file_that_holds_no_cases(
    write: Write, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    """The line is named, and the status is 2."""
    assert casebook.main(["dagong", str(write(text))]) == 2
    assert said in capsys.readouterr().err


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown game or no file gives the usage and the status 2."""
    assert casebook.main(["mahjong", "x.jsonl"]) == 2
    assert casebook.main(["dagong"]) == 2
    assert casebook.main(["dagong", "no such file"]) == 2
    assert "usage" in capsys.readouterr().err


def test_true_is_not_one(write: Write) -> None:
    """Results are compared as JSON, where `true` and `1` differ."""
    case = '{"id": "T", "fn": "beats", "args": {"new": "4s", "old": "3s"}, "expect": 1}'
    assert casebook.main(["dagong", str(write(case))]) == 1
