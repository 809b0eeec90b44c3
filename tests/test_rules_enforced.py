"""Every rule of a game is broken by a case and a sample log, or cited by the code, or shown."""

import inspect
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec import Struct

from replay.engine.chaodipi import claims as chaodipi_claims
from replay.engine.chaodipi import declaring, following, hand, playing, stirring
from replay.engine.chaodipi import game as chaodipi_game
from replay.engine.chibi_dagun import claims as chibi_dagun_claims
from replay.engine.chibi_dagun import game as chibi_dagun_game
from replay.engine.dagong import claims as dagong_claims
from replay.engine.dagong import game as dagong_game
from replay.engine.gunzi import bottom as gunzi_bottom
from replay.engine.gunzi import claims as gunzi_claims
from replay.engine.gunzi import declaring as gunzi_declaring
from replay.engine.gunzi import following as gunzi_following
from replay.engine.gunzi import game as gunzi_game
from replay.engine.gunzi import hand as gunzi_hand
from replay.engine.gunzi import playing as gunzi_playing
from replay.engine.gunzi import tribute as gunzi_tribute
from replay.engine.gunzi import turning as gunzi_turning
from replay.engine.registry import game_named
from replay.engine.rule import Rule, RuleClass
from replay.verify import verify
from schema.logfile import open_log
from tests import (
    test_chaodipi_laws,
    test_chaodipi_scenarios,
    test_chaodipi_sight,
    test_chaodipi_walk,
    test_chibi_dagun_laws,
    test_chibi_dagun_oracle,
    test_chibi_dagun_types,
    test_dagong_laws,
    test_dagong_oracle,
    test_gunzi_ends,
    test_gunzi_laws,
    test_gunzi_scenarios,
    test_gunzi_walk,
    test_laws,
    test_plays,
    walked_chaodipi,
    walked_gunzi,
)
from tests.casebook import CASES, GAMES, Row, read

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "replay" / "engine"
SAMPLES = ROOT / "sample_logs"


class Enforced(Struct, frozen=True):
    """How one game's rules are held to account.

    `prefix` is that of its rules in the cases of the book's drafts; `checks` are the modules that
    hand its rules to a check, `laws` those that cite what they show. `walked` are hands that are
    said to break rules, of a game whose cases judge none, and `found` is what they are found to.
    """

    prefix: str
    checks: tuple[ModuleType, ...]
    laws: tuple[ModuleType, ...]
    walked: tuple[Any, ...] = ()
    found: Callable[[Any], tuple[list[tuple[int, str, str]], object]] | None = None


GAME = {
    "dagong": Enforced(
        "GD",
        (dagong_game, dagong_claims),
        (test_laws, test_dagong_laws, test_plays, test_dagong_oracle),
    ),
    "chibi_dagun": Enforced(
        "DG",
        (chibi_dagun_game, chibi_dagun_claims),
        (test_laws, test_chibi_dagun_laws, test_chibi_dagun_types, test_chibi_dagun_oracle),
    ),
    "chaodipi": Enforced(
        "CD",
        (
            *(declaring, following, hand, playing, stirring),
            *(chaodipi_claims, chaodipi_game),
        ),
        (test_chaodipi_laws, test_chaodipi_scenarios, test_chaodipi_sight),
        tuple(test_chaodipi_walk.EVERY.values()),
        walked_chaodipi.found,
    ),
    "gunzi": Enforced(
        "GZ",
        (
            *(gunzi_bottom, gunzi_claims, gunzi_declaring, gunzi_following, gunzi_game),
            *(gunzi_hand, gunzi_playing, gunzi_tribute, gunzi_turning),
        ),
        (test_gunzi_laws, test_gunzi_scenarios, test_gunzi_ends),
        tuple(test_gunzi_walk.EVERY.values()),
        walked_gunzi.found,
    ),
}
ROWS: dict[str, dict[str, Row]] = {
    game: read(CASES / f"{game}.jsonl", CASES / f"{game}_more.jsonl") if game in GAMES else {}
    for game in GAME
}
JUDGED = {game: [row for row in ROWS[game].values() if row["fn"] == "judge"] for game in GAME}
RULES = [rule for game in GAME for rule in game_named(game).rules]
BREAKABLE = [rule for rule in RULES if rule.kind in (RuleClass.BLOCKS, RuleClass.CONDUCT)]


def _of(kind: RuleClass) -> list[Rule]:
    return [rule for rule in RULES if rule.kind is kind]


def _id(rule: Rule) -> str:
    return rule.id


def _game_of(rule: Rule) -> str:
    return rule.id.rpartition("-")[0]


def _found(game: str, row: Row) -> set[str]:
    """The rules that a judged hand breaks, as the engine finds them."""
    found = GAMES[game].evaluate(row, ROWS[game])
    assert isinstance(found, list)
    return {rule for _, rule in found}


def _walked(game: str, case: Any) -> list[tuple[int, str, str]]:
    """The faults that the walk finds in a hand: event, kind, rule."""
    found = GAME[game].found
    assert found is not None
    return found(case)[0]


def _names(faults: list[tuple[int, str, str]]) -> set[str]:
    return {name for *_, name in faults}


@pytest.mark.parametrize("rule", BREAKABLE + _of(RuleClass.CLAIM), ids=_id)
def test_a_case_breaks_the_rule(rule: Rule) -> None:
    """Every rule that can be broken is found in a judged hand that is said to break it."""
    game = _game_of(rule)
    walked = [case for case in GAME[game].walked if rule.name in _names(case.faults)]
    said = [row for row in JUDGED[game] if rule.id in {broken for _, broken in row["expect"]}]
    assert said or walked
    assert all(rule.name in _names(_walked(game, case)) for case in walked)
    assert all(rule.id in _found(game, row) for row in said)


@pytest.mark.parametrize("rule", BREAKABLE + _of(RuleClass.CLAIM), ids=_id)
def test_a_sample_breaks_the_rule(rule: Rule) -> None:
    """And in a sample log that is named after it, which breaks no other."""
    samples = sorted((SAMPLES / _game_of(rule) / "broken").glob(f"{rule.id}--*"))
    assert samples
    for path in samples:
        with path.open("rb") as stream:
            found = [finding.rule for finding in verify(open_log(stream)).findings]
        assert found == [rule.id], path.name


@pytest.mark.parametrize("game", GAME)
def test_hands_without_fault_are_judged_too(game: str) -> None:
    """Among the judged hands some break nothing: a judge that always finds fault would fail."""
    results = Counter(bool(row["expect"]) for row in JUDGED[game])
    results += Counter(bool(case.faults) for case in GAME[game].walked)
    assert results[False] >= 20
    assert results[True] >= 100


@pytest.mark.parametrize("rule", BREAKABLE + _of(RuleClass.CLAIM), ids=_id)
def test_the_engine_names_the_rule(rule: Rule) -> None:
    """A rule that can be broken is named where its game hands it to a check."""
    named = re.compile(rf"\bR\.{rule.name}\b")
    checks = GAME[_game_of(rule)].checks
    assert any(named.search(inspect.getsource(module)) for module in checks)


def _ids_in(text: str, game: str) -> set[str]:
    """The rules of a game that a text cites: `dagong-4.1, 4.7` cites two."""
    numbers = r"\d+\.\d+(?:(?:, | and )\d+\.\d+)*"
    cited = re.findall(rf"\b(?:{game}|{GAME[game].prefix})-({numbers})", text)
    return {f"{game}-{number}" for group in cited for number in re.findall(r"\d+\.\d+", group)}


@pytest.mark.parametrize("rule", _of(RuleClass.DEFINITION), ids=_id)
def test_a_definition_is_shown(rule: Rule) -> None:
    """What a rule only defines is what a worked case rests on, or what a law of the tests says."""
    game = _game_of(rule)
    cited = [row["rule"] for row in ROWS[game].values()]
    cited += [inspect.getsource(module) for module in GAME[game].laws]
    assert any(rule.id in _ids_in(text, game) for text in cited)


@pytest.mark.parametrize("game", GAME)
def test_the_code_cites_no_other_rules(game: str) -> None:
    """Every rule that a docstring or comment of the engine cites exists."""
    known = {rule.id for rule in game_named(game).rules}
    for path in ENGINE.rglob("*.py"):
        if path.name != "rules.py":
            assert _ids_in(path.read_text(encoding="utf-8"), game) <= known, path.name


@pytest.mark.parametrize("game", GAME)
def test_cases_cite_no_other_rules(game: str) -> None:
    """Every rule that a case names exists."""
    known = {rule.id for rule in game_named(game).rules}
    for row in ROWS[game].values():
        assert _ids_in(row["rule"], game) <= known, row["id"]
