"""What the walk makes of wrong calls, questions, declarations and ends of 赤壁打滚."""

import pytest

from tests import parts_chibi_dagun as parts
from tests import walked_chibi_dagun as hands
from tests.walked import Walked, found

GROUPS: dict[str, dict[str, Walked]] = {
    "openings": parts.OPENINGS,
    "calls": hands.CALLS,
    "draws": hands.DRAWS,
    "questions": hands.QUESTIONS,
    "acts before play": hands.TOO_EARLY,
    "ended before play": hands.ENDED_EARLY,
    "leads": hands.LEADS,
    "follows": hands.FOLLOWS,
    "tricks": parts.TRICKS,
    "ends": parts.ENDS,
    "ended too early": parts.ENDED_TOO_EARLY,
    "claims": parts.CLAIMS,
}
EVERY = {
    f"{group}, {name}": case for group, cases in GROUPS.items() for name, case in cases.items()
}


@pytest.mark.parametrize("case", EVERY.values(), ids=EVERY)
def test_each_fault_is_found_where_it_is(case: Walked) -> None:
    """At its own event, by its own rule, once, and nothing beside it."""
    assert found(case) == case.faults
