"""The documents are under test: what they name exists, what they show happens."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest

from replay.engine.dagong.presets import DEFAULT
from replay.verify import verify
from schema.events import Fact, HandStarted
from schema.logfile import open_log
from schema.records import Player
from schema.schemas import SCHEMAS
from tests.builders import match
from tests.docs import (
    ROOT,
    Example,
    blocks,
    code_spans,
    examples,
    glossary,
    section,
    shows,
    words_of,
)
from tests.served import served, status_of

README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()


# The command line


def _commands() -> Iterator[tuple[str, click.Command]]:
    from replay.cli import main

    assert isinstance(main, click.Group)
    yield from main.commands.items()


def test_every_command_is_in_the_readme_and_has_help() -> None:
    """Nobody finds a command that is not written down, or understands one without help."""
    for name, command in _commands():
        assert f"paipu {name} " in README, name
        assert command.help, name
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.name}"


def test_the_readme_names_no_other_command() -> None:
    """Every `paipu WORD` of the README is a command."""
    named = set(re.findall(r"\bpaipu ([a-z]+) ", "\n".join(blocks(README, r"\w*"))))
    assert named <= {name for name, _ in _commands()}


# Make, paths, links


def test_every_make_target_in_the_documents_exists() -> None:
    """`make X` works for every X that a document names, and every target is in one."""
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z]+)\b", README + CONTRIBUTING, re.MULTILINE))
    assert named == targets - {"help"}


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_path_in_a_document_exists(document: str) -> None:
    """What stands in backticks and looks like a path is one, from the top of the project."""
    text = (ROOT / document).read_text()
    spans = [span for span in code_spans(text) if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", span)]
    paths = {span for span in spans if "/" in span or re.search(r"\.(py|md|toml|sql)$", span)}
    paths -= set(SCHEMAS)
    paths |= set(re.findall(r"\]\((?!\w+://)([^)#]+)\)", text))
    of_a_game = {"RULES.md", "rules.py", "presets.py"}
    assert [path for path in sorted(paths - of_a_game) if not (ROOT / path).exists()] == []


# What the README shows


def _environment() -> dict[str, str]:
    """As a person has it who installed paipu, but for colours and width."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return environment | {"PATH": path, "NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}


def _try(example: Example, folder: Path) -> None:
    if example.command.startswith("paipu view "):
        with served(example.command.split(), cwd=folder, env=_environment()) as address:
            assert status_of(address)[0] == 200, example.command
        return
    done = subprocess.run(
        ["bash", "-c", example.command],
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == example.status, f"{example.command}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, example.command
    if example.output:
        assert shows(example.output, done.stdout), f"{example.command}\n{done.stdout}"


@pytest.mark.slow
def test_the_examples_of_the_readme_run(tmp_path: Path) -> None:
    """Every console line of the README, in order, does what it says, with its exit status."""
    shutil.copytree(ROOT / "sample_logs", tmp_path / "sample_logs")
    found = examples(README)
    assert found
    for example in found:
        _try(example, tmp_path)


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_the_python_in_the_documents_imports_what_exists(document: str) -> None:
    """Python blocks parse, and every name that they import is there."""
    for block in blocks((ROOT / document).read_text(), "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom):
                module = importlib.import_module(str(node.module))
                assert [alias.name for alias in node.names if not hasattr(module, alias.name)] == []


def test_the_recorder_of_the_readme_records(tmp_path: Path) -> None:
    """Its functions record hands, turn a bad move down, go on after a crash: the log is clean."""
    (example,) = blocks((ROOT / "README.md").read_text(), "python")
    there: dict[str, Any] = {}
    exec(compile(example, "README.md", "exec"), there)
    players = tuple(Player(f"p{seat}", name) for seat, name in enumerate("甲乙丙丁"))
    path = tmp_path / "match.paipu"
    recorder = there["new_match"](path, players)
    carry = there["FIRST_CARRY"]
    hands = [
        [e for e in hand if isinstance(e, Fact)][1:-1] for hand in match(DEFAULT, 3, Random(1))
    ]
    carry = there["record_hand"](recorder, carry, [*hands[0][:1], *hands[0]])
    recorder.write(HandStarted(prev=bytes(32), at=there["now"]()))
    recorder.close()
    recorder, carried = there["carry_on"](path)
    assert carried == carry
    for hand in hands[1:]:
        carried = there["record_hand"](recorder, carried, hand)
    recorder.seal()
    with path.open("rb") as stream:
        report = verify(open_log(stream))
    assert (report.hands, report.aborted, report.findings) == (4, 1, ())


def test_examples_are_taken_apart() -> None:
    """A console block falls into commands, exit statuses and outputs; `…` stands for anything."""
    text = "```console\n$ paipu verify x  # exit status 1\none\n…\nlast\n$ paipu info x\n```\n"
    first, second = examples(text)
    assert first == Example("paipu verify x", 1, "one\n…\nlast")
    assert second == Example("paipu info x", 0, "")
    assert shows(first.output, "one\ntwo\nthree\nlast\n")
    assert not shows(first.output, "two\nthree\nlast\n")


# CONTRIBUTING and CHANGELOG


def test_the_glossary_is_the_code_s() -> None:
    """Every identifier of the glossary is a word of the code."""
    sources = (path for part in ("replay", "schema") for path in (ROOT / part).rglob("*.py"))
    names = set(re.findall(r"\w+", "\n".join(path.read_text() for path in sources)))
    words = names.union(*map(words_of, names))
    terms = glossary()
    assert len(terms) > 20
    assert [word for term in terms for word in term.code if word not in words] == []
    assert [term for term in terms if not re.search(r"[\u4e00-\u9fff]", term.chinese)] == []


def test_every_dependency_has_its_reason() -> None:
    """Dependencies and extras of pyproject.toml are those of the table in CONTRIBUTING.md."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    names = {need.partition(">=")[0] for need in declared}
    table = section("CONTRIBUTING.md", "## Dependencies")
    assert set(re.findall(r"^\| ([a-z]+) \|", table, re.MULTILINE)) - {"distribution"} == names


def test_the_changelog_says_what_can_be_read() -> None:
    """It has the coming or the present version, and names every event schema and the format."""
    import replay
    import schema

    assert re.search(rf"^## \[(Unreleased|{re.escape(replay.__version__)})\]", CHANGELOG, re.M)
    formats = "\n".join(re.findall(r"^### Log format\n(.*?)(?=^#|\Z)", CHANGELOG, re.M | re.S))
    assert f"Format {schema.FORMAT_MAJOR}.{schema.FORMAT_MINOR}" in formats
    assert [id for id in SCHEMAS if f"`{id}`" not in formats] == []
