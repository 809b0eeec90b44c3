"""The table "What each game adds" in CONTRIBUTING.md is what the code says."""

import ast
from collections import Counter
from pathlib import Path

from replay.engine.registry import game_named, game_names
from replay.engine.rule import RuleClass
from schema.events import Claim, Event
from schema.schemas import SCHEMAS, owner_of

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "replay/engine"
HEADING = "### What each game adds"
CHINESE = {
    "dagong": "打拱",
    "chibi_dagun": "赤壁打滚",
    "chaodipi": "炒地皮",
    "gunzi": "四副滚子",
}


def _code(names: list[str]) -> str:
    return " ".join(f"`{name}`" for name in names) or "none"


def _own(game: str) -> list[type[Event]]:
    schema = SCHEMAS[f"{game}/1"]
    return [kind for kind in schema.kinds if owner_of(kind) == schema.id]


def _facts(game: str) -> str:
    return _code([kind.__name__ for kind in _own(game) if not issubclass(kind, Claim)])


def _claims(game: str) -> str:
    return _code([kind.__name__ for kind in _own(game) if issubclass(kind, Claim)])


def _standing(game: str) -> str:
    schema = SCHEMAS[f"{game}/1"]
    return _code([kind.__name__ for kind in schema.kinds if kind in game_named(game).announcements])


def _options(game: str) -> str:
    return str(len(SCHEMAS[f"{game}/1"].options.__struct_fields__))


def _rules(game: str) -> str:
    found = Counter(rule.kind for rule in game_named(game).rules)
    return ", ".join(f"{found[kind]} {kind.value}" for kind in RuleClass)


def _parts(game: str) -> str:
    modules = sorted(path.stem for path in (ENGINE / game).glob("*.py"))
    return _code([name for name in modules if name != "__init__"])


def _imports(folder: Path) -> set[str]:
    nodes = (node for path in folder.glob("*.py") for node in ast.walk(ast.parse(path.read_text())))
    return {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def _shared(game: str) -> str:
    """The mechanics that a game uses, those of the hand that it shares included."""
    found = _imports(ENGINE / game)
    climbs = any(name.startswith("replay.engine.climbing") for name in found)
    if climbs:
        found |= _imports(ENGINE / "climbing")
    prefix = "replay.engine.mechanics."
    used = sorted(name.removeprefix(prefix) for name in found if name.startswith(prefix))
    return " ".join([*(["`climbing`"] if climbs else []), _code(used)])


ROWS = {
    "own facts": _facts,
    "own claims": _claims,
    "claims that stand": _standing,
    "house rules": _options,
    "rules": _rules,
    "own parts": _parts,
    "shared parts": _shared,
}


def table() -> list[str]:
    """The table as the code has it."""
    games = game_names()
    head = " | ".join(f"{CHINESE[game]} `{game}`" for game in games)
    rows = [f"| {name} | {' | '.join(map(row, games))} |" for name, row in ROWS.items()]
    return [f"| | {head} |", "|---" * (len(games) + 1) + "|", *rows]


def test_the_table_says_what_each_game_adds() -> None:
    """Every cell is derived from schemas, rules and modules; the document has the same."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    lines = text.partition(HEADING)[2].splitlines()
    found = [line for line in lines if line.startswith("|")][: len(ROWS) + 2]
    assert found == table()
