"""House style that no linter knows: sizes, and the words of names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs import glossary, words_of

ROOT = Path(__file__).parent.parent
PACKAGES = ("replay", "schema", "webviewer")
MODULES = [path for part in (*PACKAGES, "tests") for path in sorted((ROOT / part).rglob("*.py"))]
MODULE_LINES = 400
FUNCTION_LINES = 40
EXCUSE = "over 400 lines because"


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_module_is_longer_than_400_lines_without_a_reason(path: Path) -> None:
    """A longer module says why in its docstring."""
    text = path.read_text()
    lines = text.count("\n")
    docstring = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    assert lines <= MODULE_LINES or EXCUSE in docstring, f"{lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_function_is_longer_than_40_lines(path: Path) -> None:
    """From `def` to the last line, decorators aside."""
    sizes = {
        node.name: (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: size for name, size in sizes.items() if size > FUNCTION_LINES} == {}


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that the code itself gives to something."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def test_a_name_falls_into_itswords_of() -> None:
    """Both ways of writing a name give its words."""
    assert words_of("BankerOfRound") == words_of("BANKER_OF_ROUND") == {"banker", "of", "round"}
    assert words_of("_wsk_510k") == {"wsk", "510k"}


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_name_uses_a_word_that_the_glossary_replaces(path: Path) -> None:
    """One thing has one word: `hand`, never `round`; `dealer`, never `banker`."""
    banned = {word for row in glossary() for word in row.never}
    assert {"round", "banker", "kitty"} <= banned
    names = set(_names(ast.parse(path.read_text())))
    assert {name for name in names if words_of(name) & banned} == set()
