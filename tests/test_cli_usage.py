"""Wrong usage is said in the language that is asked for, by what click itself refuses."""

import ast
import re
from pathlib import Path

import pytest

from replay.archive.errors import Refused
from replay.archive.manifest import read
from replay.messages import LANGS, keys, slots_of, text
from replay.messages.matched import matched
from tests.shelled import ROOT, paipu

WRONG: dict[str, tuple[list[str], str]] = {
    "argument": (["view"], "缺少参数 'PATH'"),
    "arguments": (["verify"], "缺少参数 'PATH...'"),
    "ours": (["query"], "缺少参数 'ARCHIVE'"),
    "option": (["simulate", "dagong", "--hands", "1"], "缺少选项 '--seed'"),
    "no option": (["view", "x", "-z"], "没有选项 '-z'"),
    "near": (["view", "x", "--allow-hos", "y"], "没有选项 '--allow-hos'；是不是 '--allow-host'？"),
    "nears": (["view", "x", "--prot"], "没有选项 '--prot'；是不是 '--host', '--port' 之一？"),
    "command": (["zzz"], "没有命令 'zzz'"),
    "near command": (["explian"], "没有命令 'explian'；是不是 'explain'？"),
    "no value": (["view", "x", "--port"], "选项 '--port' 后面要有值"),
    "value": (["view", "x", "--open=1"], "选项 '--open' 不带值"),
    "group": (["--version=1"], "选项 '--version' 不带值"),
    "extra": (["view", "x", "y"], "多出了参数：y"),
    "extras": (["view", "x", "y", "z"], "多出了参数：y z"),
    "range": (
        ["view", "x", "--port", "-1"],
        "'--port' 的值不对：-1 不在范围 0<=x<=65535 之内",
    ),
    "integer range": (["view", "x", "--port", "a"], "'--port' 的值不对：'a' 不是整数"),
    "integer": (
        ["simulate", "dagong", "--hands", "1", "--seed", "a"],
        "'--seed' 的值不对：'a' 不是整数",
    ),
    "number": (["query", "x", "--timeout", "a"], "'--timeout' 的值不对：'a' 不是数"),
    "nan": (
        ["query", "x", "--timeout", "nan"],
        "'--timeout' 的值不对：nan 不在范围 0<x<=604800 之内",
    ),
    "memory": (
        ["query", "x", "--memory", "a"],
        "'--memory' 的值不对：'a' 不是内存的大小，如 512MB 或 1GB",
    ),
    "little memory": (
        ["query", "x", "--memory", "1MB"],
        "'--memory' 的值不对：1MB 小于 128MB，或大得不可能有",
    ),
    "choice": (["view", "x", "--lang", "fr"], "'--lang' 的值不对：'fr' 不是 'zh', 'en' 之一"),
    "folder": (
        ["simulate", "dagong", "--hands", "1", "--seed", "1", "-o", __file__],
        f"'-o' / '--out' 的值不对：'{__file__}' 是文件；这里要的是文件夹",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_is_said_in_chinese(case: str) -> None:
    """As `--lang` before the command, or the locale, asks for."""
    words, says = WRONG[case]
    for done in (paipu("--lang", "zh", *words), paipu(*words, env={"LC_ALL": "zh_CN.UTF-8"})):
        assert (done.status, done.out) == (2, "")
        assert done.err.endswith(f"错误：{says}\n")
        assert not re.search("Usage|Error|Try", done.err)


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_in_english_is_what_click_says(case: str) -> None:
    """Its sentences are those of the catalogue, or the Chinese ones would not be found."""
    done = paipu(*WRONG[case][0])
    assert (done.status, done.out) == (2, "")
    assert re.search("^Error: [A-Z]", done.err, re.MULTILINE)


def test_the_language_behind_what_is_wrong_counts() -> None:
    """The arguments cannot be read to their end, and yet it is found."""
    done = paipu("view", "x", "--prot", "1", "--lang=zh")
    assert done.err.startswith(
        "用法：main view [OPTIONS] PATH\n用 main view --help 看说明。\n\n错误："
    )
    assert paipu("view", "--lang", "zh").err.endswith("错误：缺少参数 'PATH'\n")
    assert "Error: " in paipu("view", "x", "--prot", "--", "--lang", "zh").err


def test_what_is_quoted_cannot_move_the_cursor() -> None:
    """An argument may hold anything."""
    assert "\x1b" not in paipu("view", "x", "a\x1b[2Jb").err


def ours() -> list[str]:
    """What our own commands refuse as wrong usage, in English."""
    found = []
    for path in (ROOT / "replay" / "commands").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            is_ours = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("UsageError")
            if isinstance(node, ast.Call) and is_ours:
                found += [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
    return found


def test_our_own_words_for_wrong_usage_have_their_chinese() -> None:
    """Every sentence that a command says of its options."""
    assert len(ours()) >= 5
    assert [said for said in ours() if matched("zh", "cli.misused", said) is None] == []


@pytest.mark.parametrize(
    ("data", "key", "inner", "slots"),
    [
        (b"x", "malformed", "", {"n": 0}),
        (b'{"format": 7, x', "malformed", "", {"n": 14}),
        (b"", "short", "", {}),
        (b"[" * 10_000, "content", "kind", {"wanted": "`object`", "found": "`array`"}),
        (b'{"x":' * 10_000, "deep", "", {}),
        (
            b'{"format": "7"}',
            "content",
            "kind_at",
            {"wanted": "`int`", "found": "`str`", "place": "`$.format`"},
        ),
        (b"{}", "content", "missing", {"field": "`format`"}),
    ],
)
def test_a_damaged_manifest_is_said_in_either_language(
    data: bytes, key: str, inner: str, slots: dict[str, object], tmp_path: Path
) -> None:
    """That it is no JSON and from which byte on, or what it has instead."""
    (tmp_path / "MANIFEST").write_bytes(data)
    with pytest.raises(Refused) as caught:
        read(tmp_path)
    for lang in LANGS:
        what = text(lang, f"cli.contents.{inner}", **slots) if inner else ""
        reason = text(lang, f"cli.json.{key}", what=what, **slots)
        path = tmp_path / "MANIFEST"
        assert caught.value.said(lang) == text(
            lang, "cli.archive.manifest", path=path, reason=reason
        )


def test_the_templates_differ_between_languages() -> None:
    """None of what is found by its English words stays English."""
    above = ("cli.os.", "cli.json.", "cli.contents.", "cli.misused.", "cli.misvalued.")
    found = [key for key in keys("zh") if key.startswith(above)]
    filled = {key: text("zh", key, **dict.fromkeys(slots_of("zh", key), "7")) for key in found}
    assert len(found) > 60
    assert [key for key, sentence in filled.items() if sentence.isascii()] == []
