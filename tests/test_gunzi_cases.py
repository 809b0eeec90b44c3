"""The worked cases of 四副滚子 cover every function and option; `test_cases` evaluates each."""

import pytest

from tests.casebook import CASES, fault, read
from tests.casebook_gunzi import FUNCTIONS, evaluate
from tests.casebook_gunzi_words import OPTIONS

OURS = read(CASES / "gunzi_more.jsonl")
IN_WHOLE_HANDS = {
    *("late_first_declare", "self_override_other_suit", "tribute_return"),
    *("gan_guo_first_hand", "other_bury", "leader"),
}
"""Options that no single question of a case depends on."""
AN_ARGUMENT = {"follow_mode"}
"""An option that `follow` is given by position."""
IN_CASES = OPTIONS - IN_WHOLE_HANDS - AN_ARGUMENT


def test_every_function_has_cases_of_ours() -> None:
    """No function rests on the book's own cases alone."""
    assert {row["fn"] for row in OURS.values()} == FUNCTIONS.keys()


def test_every_option_is_set_in_a_case() -> None:
    """Each option that a question depends on is set in some case."""
    tried = {name for row in OURS.values() for name in row.get("opt", {})}
    assert tried == IN_CASES


def test_every_option_of_a_case_matters() -> None:
    """Without its option some case that sets one would come out otherwise, for each of them."""
    rows = [row for row in OURS.values() if "opt" in row]
    changed = [row for row in rows if evaluate({**row, "opt": {}}, {}) != row["expect"]]
    assert len(changed) > len(rows) // 3
    assert {name for row in changed for name in row["opt"]} == IN_CASES


def test_each_way_of_following_has_cases() -> None:
    """The same answer is asked about in 活棒 and in 死棒, and comes out otherwise in some cases."""
    found: dict[str, dict[str, bool]] = {"live": {}, "dead": {}}
    for row in OURS.values():
        if row["fn"] == "follow" and "opt" not in row:
            mode, *rest = row["args"]
            found[mode][str(rest)] = row["expect"]
    assert found["live"].keys() == found["dead"].keys()
    stricter = [play for play, may in found["live"].items() if may != found["dead"][play]]
    assert len(stricter) >= 10
    assert all(found["live"][play] for play in stricter)


@pytest.mark.parametrize("opt", [{"no_such": True}, {"pick_tie": "no_such"}, {"other_bury": "no"}])
def test_an_option_that_is_none_fails_the_case(opt: dict[str, object]) -> None:
    """A case with an unknown option or value is not judged by the default."""
    row = {"id": "X", "fn": "points", "args": ["5h"], "opt": opt, "expect": 5}
    assert fault("gunzi", row, {}) is not None
    assert fault("gunzi", {**row, "opt": {}}, {}) is None
