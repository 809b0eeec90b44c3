"""What the walk makes of wrong calls, questions, declarations and ends of 赤壁打滚."""

import pytest

from tests import walked_chibi_dagun as cases
from tests.walked import Walked, found

EVERY: dict[str, Walked] = {
    f"{group}: {name}": case
    for group in ("CALLS", "DRAWS", "QUESTIONS", "TOO_EARLY", "ENDED_EARLY", "LEADS", "FOLLOWS")
    for name, case in getattr(cases, group).items()
}


@pytest.mark.parametrize("case", EVERY.values(), ids=EVERY)
def test_each_fault_is_found_where_it_is(case: Walked) -> None:
    """At its own event, by its own rule, once, and nothing beside it."""
    assert found(case.options, case.events, case.start) == case.faults
