"""What code says in English has its words in Chinese: each of its sentences has a template."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.findings import of_damage
from replay.messages.matched import matched
from schema.damage import Damage, Fault

ROOT = Path(__file__).parent.parent
SCHEMA = sorted((ROOT / "schema").glob("*.py"))
RAISED = {"Misfit", "Damage", "_here", "_refused", "gap_damage"}
SIDES = {"expected", "found"}


def written(node: ast.expr) -> Iterator[str]:
    """The texts of an expression, with a number for all that is filled in."""
    match node:
        case ast.Constant(value=str(said)):
            yield said
        case ast.JoinedStr(values=values):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "7" for part in values
            )
        case ast.IfExp(body=body, orelse=other):
            yield from (*written(body), *written(other))
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from written(part)
        case _:
            pass


def sides_in(path: Path) -> Iterator[str]:
    """All that a module gives as expected or found; a single word is a name of the format."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args):
                found = args if name in RAISED else []
            case ast.Assign(targets=[target], value=value):
                names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
                found = [value] if names & SIDES else []
            case _:
                found = []
        for each in found:
            yield from (said for said in written(each) if len(re.findall("[A-Za-z]+", said)) > 1)


@pytest.mark.parametrize("path", SCHEMA, ids=lambda path: path.name)
def test_every_side_of_a_damage_has_its_words(path: Path) -> None:
    """Nothing that the format's code says of bytes stays English in a Chinese sentence."""
    assert [said for said in sides_in(path) if matched("zh", "damage", said) is None] == []


def test_the_sides_are_found_in_code() -> None:
    """The test above looks at something."""
    assert len([said for path in SCHEMA for said in sides_in(path)]) > 60


def test_a_sentence_about_bytes_is_in_one_language() -> None:
    """A file that is no log, in Chinese; the report's own fields stay English."""
    found = of_damage(Damage(Fault.NOT_A_LOG, 0, 0, "a paipu log", "a file that begins with 23 20"))
    assert found.zh == "文件开头不是牌谱：应为 一份 paipu 牌谱，实为 以 23 20 开头的文件"
    assert "a file that begins with 23 20" in found.en
    assert found.expected == "a paipu log"
    assert found.logged == "a file that begins with 23 20"


def test_sentences_stand_in_one_another() -> None:
    """What is said of a place, and then of what lies behind it."""
    said = "12 bytes, then the file ends; 30 bytes to the end of the file, no good frame among them"
    assert matched("zh", "damage", said) == (
        "12 字节，随后文件结束；到文件末尾还有 30 字节，其中没有完好的记录"
    )
    cut = "a file that begins with 23 20 … (99 bytes)"
    assert matched("zh", "damage", cut) == "以 23 20 …（共 99 字节） 开头的文件"


@pytest.mark.parametrize("said", ["", "TrumpSet.rung: int <= 8", "{n} bytes", "x" * 5000])
def test_what_is_no_sentence_of_ours_is_left_alone(said: str) -> None:
    """Nothing is guessed."""
    assert matched("zh", "damage", said) is None


@pytest.mark.parametrize(
    "said",
    [
        "expected one statement, found 2",
        "an archive is read with SELECT, this statement is DELETE",
        "an archive is read with SELECT, this statement is MULTI (a PIVOT needs its IN list)",
        "an archive is read with SELECT, this statement has INSERT in its WITH",
        "it cannot be told whether this statement only reads",
    ],
)
def test_refusals_of_sql_have_their_words(said: str) -> None:
    """The gate's own sentences; in English they stay what they are."""
    zh = matched("zh", "refusal", said)
    assert zh is not None
    assert not zh.isascii()
    assert matched("en", "refusal", said) == said
