"""The worked cases of 炒地皮: what the engine gives is what the case says."""

import json
from pathlib import Path

import pytest

from tests.casebook_chaodipi import FUNCTIONS, evaluate
from tests.casebook_chaodipi_words import OPTIONS, Row

CASES = Path(__file__).parent / "cases"
BOOK, OURS = (
    [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    for name in ("chaodipi.jsonl", "chaodipi_more.jsonl")
)
ROWS: list[Row] = [*BOOK, *OURS]
IN_WHOLE_HANDS = {
    *("declare_window", "stir_moves_dealer", "self_overturn", "no_declare_first_hand"),
    *("stir_after_bottom_trump", "stir_pass_is_final", "throw_penalty", "stirred_bottom"),
    *("last_trick_510k", "escape_penalty"),
}
"""Options that no single question of a case depends on."""


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['id']}-{row['rule']}" for row in ROWS])
def test_the_engine_gives_what_the_case_says(row: Row) -> None:
    """One worked case; `1` and `true` differ."""
    assert json.dumps(evaluate(row, {})) == json.dumps(row["expect"])


def test_every_case_has_an_id_of_its_own() -> None:
    """No case hides another."""
    assert len({row["id"] for row in ROWS}) == len(ROWS) > 400


def test_every_function_has_cases_of_ours() -> None:
    """No function rests on the book's own cases alone."""
    assert {row["fn"] for row in OURS} == FUNCTIONS.keys()


def test_every_option_is_set_in_a_case() -> None:
    """Each option that a question depends on is set in some case."""
    tried = {name for row in ROWS for name in row.get("opt", {})}
    assert tried == OPTIONS - IN_WHOLE_HANDS


def test_every_option_of_a_case_matters() -> None:
    """Without its option most cases that set one would come out otherwise."""
    rows = [row for row in ROWS if "opt" in row]
    plain = [evaluate({**row, "opt": {}}, {}) == row["expect"] for row in rows]
    assert plain.count(False) > len(rows) // 2
    for name in OPTIONS - IN_WHOLE_HANDS:
        changed = [not same for row, same in zip(rows, plain, strict=True) if name in row["opt"]]
        assert any(changed), name
