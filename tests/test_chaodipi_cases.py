"""The worked cases of 炒地皮 cover every function and option; `test_cases` evaluates each."""

from tests.casebook import CASES, read
from tests.casebook_chaodipi import FUNCTIONS, evaluate
from tests.casebook_chaodipi_words import OPTIONS

OURS = read(CASES / "chaodipi_more.jsonl")
IN_WHOLE_HANDS = {
    *("declare_window", "stir_moves_dealer", "self_overturn", "no_declare_first_hand"),
    *("stir_after_bottom_trump", "stir_pass_is_final", "throw_penalty", "stirred_bottom"),
    *("last_trick_510k", "escape_penalty"),
}
"""Options that no single question of a case depends on."""


def test_every_function_has_cases_of_ours() -> None:
    """No function rests on the book's own cases alone."""
    assert {row["fn"] for row in OURS.values()} == FUNCTIONS.keys()


def test_every_option_is_set_in_a_case() -> None:
    """Each option that a question depends on is set in some case."""
    tried = {name for row in OURS.values() for name in row.get("opt", {})}
    assert tried == OPTIONS - IN_WHOLE_HANDS


def test_every_option_of_a_case_matters() -> None:
    """Without its option some case that sets one would come out otherwise, for each of them."""
    rows = [row for row in OURS.values() if "opt" in row]
    changed = [row for row in rows if evaluate({**row, "opt": {}}, {}) != row["expect"]]
    assert len(changed) > len(rows) // 2
    assert {name for row in changed for name in row["opt"]} == OPTIONS - IN_WHOLE_HANDS
