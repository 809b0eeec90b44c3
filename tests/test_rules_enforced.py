"""Every rule of 打拱 is broken by a case and a sample log, or cited by the code, or shown."""

import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

from replay.engine.dagong import claims, game
from replay.engine.dagong.rules import R
from replay.engine.rule import RuleClass
from replay.verify import verify
from schema.logfile import open_log
from tests import test_dagong_laws, test_dagong_oracle, test_laws, test_plays
from tests.casebook import CASES, GAMES, Row, read

ENGINE = Path(__file__).parent.parent / "replay" / "engine"
BROKEN = Path(__file__).parent.parent / "sample_logs" / "dagong" / "broken"
ROWS = read(CASES / "dagong.jsonl", CASES / "dagong_more.jsonl")
BREAKABLE = [rule for rule in R if rule.kind in (RuleClass.BLOCKS, RuleClass.CONDUCT)]
JUDGED = [row for row in ROWS.values() if row["fn"] == "judge"]


def _of(kind: RuleClass) -> list[R]:
    return [rule for rule in R if rule.kind is kind]


def _id(rule: R) -> str:
    return rule.id


def _found(row: Row) -> set[str]:
    """The rules that a judged hand breaks, as the engine finds them."""
    found = GAMES["dagong"].evaluate(row, ROWS)
    assert isinstance(found, list)
    return {rule for _, rule in found}


@pytest.mark.parametrize("rule", BREAKABLE, ids=_id)
def test_a_case_breaks_the_rule(rule: R) -> None:
    """Every rule that blocks or is conduct is found in a judged hand that is said to break it."""
    said = [row for row in JUDGED if rule.id in {broken for _, broken in row["expect"]}]
    assert said
    assert all(rule.id in _found(row) for row in said)


@pytest.mark.parametrize("rule", BREAKABLE, ids=_id)
def test_a_sample_breaks_the_rule(rule: R) -> None:
    """And in a sample log that is named after it."""
    samples = sorted(BROKEN.glob(f"{rule.id}--*"))
    assert samples
    for path in samples:
        with path.open("rb") as stream:
            found = {finding.rule for finding in verify(open_log(stream)).findings}
        assert rule.id in found, path.name


def test_hands_without_fault_are_judged_too() -> None:
    """Among the judged hands some break nothing: a judge that always finds fault would fail."""
    results = Counter(bool(row["expect"]) for row in JUDGED)
    assert results[False] >= 20
    assert results[True] >= 100


def _sources() -> dict[Path, str]:
    """The engine's modules but for the list of rules itself."""
    modules = [path for path in ENGINE.rglob("*.py") if path.name != "rules.py"]
    return {path: path.read_text(encoding="utf-8") for path in modules}


@pytest.mark.parametrize("rule", BREAKABLE + _of(RuleClass.CLAIM), ids=_id)
def test_the_engine_names_the_rule(rule: R) -> None:
    """A rule that can be broken is named where 打拱 hands it to a check."""
    named = re.compile(rf"\bR\.{rule.name}\b")
    assert any(named.search(inspect.getsource(module)) for module in (game, claims))


@pytest.mark.parametrize("rule", _of(RuleClass.CLAIM), ids=_id)
def test_a_false_claim_breaks_the_rule(rule: R) -> None:
    """Every rule that judges a claim is found in a judged hand with a false one."""
    said = [row for row in JUDGED if rule.id in {broken for _, broken in row["expect"]}]
    assert said
    assert all(rule.id in _found(row) for row in said)


def _ids_in(text: str) -> set[str]:
    """The rules that a text cites: `dagong-4.1, 4.7` cites two."""
    numbers = r"\d+\.\d+(?:(?:, | and )\d+\.\d+)*"
    cited = re.findall(rf"(?:dagong|GD)-({numbers})", text)
    return {f"dagong-{number}" for group in cited for number in re.findall(r"\d+\.\d+", group)}


@pytest.mark.parametrize("rule", _of(RuleClass.DEFINITION), ids=_id)
def test_a_definition_is_shown(rule: R) -> None:
    """What a rule only defines is what a worked case rests on, or what a law of the tests says."""
    in_cases = set().union(*(_ids_in(row["rule"]) for row in ROWS.values()))
    tests = "".join(
        map(inspect.getsource, (test_laws, test_dagong_laws, test_plays, test_dagong_oracle))
    )
    assert rule.id in in_cases | _ids_in(tests)


def test_the_code_cites_no_other_rules() -> None:
    """Every rule that a docstring or comment of the engine cites exists."""
    known = {rule.id for rule in R}
    for path, text in _sources().items():
        assert _ids_in(text) <= known, path.name


def test_cases_cite_no_other_rules() -> None:
    """Every rule that a case names exists."""
    known = {rule.id for rule in R}
    for row in ROWS.values():
        assert _ids_in(row["rule"]) <= known, row["id"]
