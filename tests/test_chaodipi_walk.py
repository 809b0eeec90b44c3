"""What the walk makes of wrong deals, shows, stirs, plays, announcements and ends of 炒地皮."""

import pytest

from tests import walked_chaodipi_cases as hands
from tests import walked_chaodipi_claims as claims
from tests import walked_chaodipi_ends as ends
from tests.walked_chaodipi import Walked, found
from tests.walked_chaodipi_cases import parsed

GROUPS: dict[str, dict[str, Walked]] = {
    "phases": hands.WRONG_PHASE,
    "deals": hands.DEALS,
    "shows": hands.SHOWS,
    "stirs": hands.STIRS,
    "plays": hands.PLAYS,
    "trumps": claims.TRUMPS,
    "bottoms": claims.BOTTOMS,
    "throws": claims.THROWS,
    "tricks": claims.TRICKS,
    "escapes": claims.ESCAPES,
    "ends": claims.ENDS,
    "several": claims.SEVERAL,
    "settlements": ends.SETTLEMENTS,
    "openings": ends.OPENINGS,
}
EVERY = {
    f"{group}, {name}": case for group, cases in GROUPS.items() for name, case in cases.items()
}


@pytest.mark.parametrize("case", EVERY.values(), ids=EVERY)
def test_each_fault_is_found_where_it_is(case: Walked) -> None:
    """At its own event, by its own rule, once, and nothing beside it; with what was owed."""
    faults, expected = found(case)
    assert faults == case.faults
    assert parsed(expected) == parsed(case.expected)
