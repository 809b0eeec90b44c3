"""What the walk makes of wrong deals, shows, tribute, burials, plays, claims of 四副滚子."""

from itertools import compress, product

import pytest

from replay.engine.gunzi.rules import R
from replay.engine.rule import RuleClass
from schema.gunzi import BottomShown
from tests import gunzi_hand
from tests import walked_gunzi_before as before
from tests import walked_gunzi_cases as hands
from tests import walked_gunzi_claims as claims
from tests import walked_gunzi_ends as ends
from tests import walked_gunzi_phases as phases
from tests.walked_gunzi import Walked, found

GROUPS: dict[str, dict[str, Walked]] = {
    "phases": phases.WRONG_PHASE,
    "deals": before.DEALS,
    "first shows": before.FIRST_SHOWS,
    "shows": before.SHOWS,
    "turned up": before.TURNS,
    "tribute": hands.TRIBUTES,
    "burials": hands.BURIALS,
    "jokers": hands.JOKERS,
    "plays": hands.PLAYS,
    "trumps": claims.TRUMPS,
    "redeals": claims.REDEALS,
    "bottoms": claims.BOTTOMS,
    "tricks": claims.TRICKS,
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
    """At its own event, by its own rule, once, and nothing beside it; with what is said of it."""
    assert found(case) == (case.faults, case.details)


@pytest.mark.parametrize("rule", [r for r in R if r.kind is not RuleClass.DEFINITION], ids=str)
def test_a_hand_breaks_this_rule_and_no_other(rule: R) -> None:
    """Every rule that can be broken is the one fault of some hand; an act's is told in detail."""
    alone = [case for case in EVERY.values() if [name for *_, name in case.faults] == [rule.name]]
    assert alone
    acts = (RuleClass.BLOCKS, RuleClass.CONDUCT)
    untold = ("DECK", "HAND_END", "PHASES", "MATCH_OVER")
    assert rule.kind not in acts or rule.name in untold or any(case.details for case in alone)


@pytest.mark.parametrize("dropped", [n for n in product((True, False), repeat=3) if any(n)])
def test_every_shown_bottom_that_is_missing_is_found(dropped: tuple[bool, bool, bool]) -> None:
    """Also where the fact behind it shows the bottom anew: one finding for each, 5.2 or 5.9."""
    hand = gunzi_hand.events("jokers")
    shown = [place for place, event in enumerate(hand) if isinstance(event, BottomShown)]
    gone = set(compress(shown, dropped))
    found = gunzi_hand.judged([event for n, event in enumerate(hand) if n not in gone]).findings
    expected = compress((R.BOTTOM_SHOWN, R.JOKERS_SHOWN, R.JOKERS_SHOWN), dropped)
    assert [finding.rule for finding in found] == [rule.id for rule in expected]
