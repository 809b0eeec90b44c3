"""Who may import whom: the contracts of pyproject.toml can fail, and leave nobody out."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LINTER = PROJECT["tool"]["importlinter"]
CONTRACTS = {contract["id"]: contract for contract in LINTER["contracts"]}
LAYERS = [name for layer in CONTRACTS["layers"]["layers"] for name in layer.split(" | ")]

PLANTS = {
    "layers": ("replay.walk", "replay.verify"),
    "games": ("replay.engine.chibi_dagun", "replay.engine.dagong"),
    "mechanics": ("replay.engine.climbing", "schema.options"),
    "engine": ("replay.engine.mechanics", "random"),
    "schema": ("schema.options", "os"),
    "recorder": ("replay.recorder", "replay.engine"),
    "messages": ("replay.messages", "replay.walk"),
    "viewer": ("webviewer", "duckdb"),
    "composition": ("replay.example_server", "webviewer"),
}
"""For each contract an import that it forbids: who imports what."""


def _python(*arguments: str, path: list[Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


# The contracts


def _named_modules() -> set[str]:
    """Every module of ours that a contract names."""
    lists = ("source_modules", "forbidden_modules", "protected_modules", "modules")
    named = {
        name for contract in CONTRACTS.values() for key in lists for name in contract.get(key, ())
    }
    ours = tuple(f"{root}." for root in LINTER["root_packages"])
    return {name for name in named | set(LAYERS) if f"{name}.".startswith(ours)}


def _skeleton(folder: Path, plants: dict[str, tuple[str, str]]) -> None:
    """A tree with the named modules, empty but for the planted imports, and the contracts."""
    for name in _named_modules() | {importer for importer, _ in plants.values()}:
        package = folder.joinpath(*name.split("."))
        package.mkdir(parents=True, exist_ok=True)
        for each in (package, *package.relative_to(folder).parents):
            if each != Path():
                (folder / each / "__init__.py").touch()
    for importer, imported in plants.values():
        with folder.joinpath(*importer.split("."), "__init__.py").open("a") as module:
            module.write(f"import {imported}\n")
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return _python("-c", lint, "--no-cache", path=[folder], cwd=folder)


def test_contracts_hold_in_a_tree_without_imports(tmp_path: Path) -> None:
    """A tree in which nobody imports anything breaks no contract."""
    _skeleton(tmp_path, {})
    done = _lint(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What import-linter says of a tree in which every contract is broken once."""
    folder = tmp_path_factory.mktemp("planted")
    _skeleton(folder, PLANTS)
    done = _lint(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_contract_catches_a_planted_import(contract: str, planted: str) -> None:
    """Each contract names the import that was planted against it."""
    importer, imported = PLANTS[contract]
    name = CONTRACTS[contract]["name"]
    assert re.search(rf"^{re.escape(name)} BROKEN$", planted, re.MULTILINE)
    _, _, found = planted.partition("Broken contracts")
    _, _, section = found.partition(f"{name}\n---")
    section = re.split(r"\n\n[^\n]+\n-{3,}\n", section)[0]
    assert re.search(rf"{re.escape(importer)}\b.*{re.escape(imported)}\b", section), section


def _children(folder: str) -> Iterator[str]:
    for path in sorted((ROOT / folder).iterdir()):
        if path.suffix == ".py" or (path / "__init__.py").exists():
            yield f"{folder.replace('/', '.')}.{path.stem}"


def test_every_module_of_replay_has_its_layer() -> None:
    """A new module of replay/ must be put into the layers, or nobody watches its imports."""
    assert set(_children("replay")) - {"replay.__init__"} <= set(LAYERS)


def test_every_game_is_held_apart_from_the_others() -> None:
    """Each folder of the engine with a rule book stands in the contract of the games."""
    games = {f"replay.engine.{book.parent.name}" for book in ROOT.glob("replay/engine/*/RULES.md")}
    assert games == set(CONTRACTS["games"]["modules"])


# What no contract can say


def _modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", _modules("schema"), ids=lambda path: path.stem)
def test_the_format_imports_msgspec_and_the_standard_library_only(path: Path) -> None:
    """schema/ can be taken out of the project and needs one other distribution."""
    tops = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            tops |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            tops.add((node.module or "").split(".")[0])
    assert tops <= sys.stdlib_module_names | {"msgspec", "schema"}


@pytest.mark.parametrize(
    "path", _modules("schema") + _modules("replay/engine"), ids=lambda path: path.stem
)
def test_format_and_engine_open_and_say_nothing(path: Path) -> None:
    """Neither calls a builtin that reads, writes, asks or runs text."""
    forbidden = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & forbidden


def test_the_recorder_loads_neither_engine_nor_duckdb(tmp_path: Path) -> None:
    """A game server that imports the recorder loads the format, msgspec and nothing else."""
    code = "import sys, replay.recorder; print(*sorted(sys.modules))"
    done = _python("-c", code, path=[ROOT], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert "replay.recorder" in loaded
    ours = {name for name in loaded if name.startswith(("replay.", "webviewer"))}
    assert {name.split(".")[1] for name in ours} == {"recorder"}
    assert not {"duckdb", "flask", "plotly", "pyarrow", "click", "rich"} & loaded


# The import guard


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class Schema: ...\n", 'FORMAT is None, not "paipu"'),
        ("FORMAT = 'parquet'\n", "FORMAT is 'parquet', not \"paipu\""),
        ("import no_such_module_anywhere\n", "No module named 'no_such_module_anywhere'"),
    ],
    ids=["no FORMAT", "another FORMAT", "cannot be imported"],
)
@pytest.mark.parametrize("place", ["schema.py", "schema/__init__.py"])
def test_another_package_called_schema_is_named(
    tmp_path: Path, place: str, text: str, why: str
) -> None:
    """The other distribution called schema gives one sentence: which file, and what to do."""
    other = tmp_path / "other" / place
    other.parent.mkdir(parents=True)
    other.write_text(text)
    done = _python("-c", "import replay", path=[tmp_path / "other", ROOT], cwd=tmp_path)
    assert done.returncode == 1
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith('ImportError: paipu needs the package "schema" that comes with it')
    assert why in sentence
    assert "FORMAT" not in why or str(other) in sentence
    assert "a virtual environment of its own" in sentence


def test_a_folder_called_schema_is_named(tmp_path: Path) -> None:
    """A folder without code that happens to be called schema does not pass for the package."""
    (tmp_path / "replay").mkdir()
    (tmp_path / "replay" / "__init__.py").write_bytes((ROOT / "replay/__init__.py").read_bytes())
    (tmp_path / "schema").mkdir()
    done = _python("-S", "-c", "import replay", path=[tmp_path], cwd=tmp_path)
    assert f"{tmp_path / 'schema'} is another one (FORMAT is None" in done.stderr.splitlines()[-1]


def test_our_own_schema_passes(tmp_path: Path) -> None:
    """With the package that comes with it, paipu imports and says nothing."""
    done = _python("-W", "error", "-c", "import replay", path=[ROOT], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
