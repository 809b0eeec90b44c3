"""The viewer's words: none in the catalogue that nobody shows, none on a page that is not in it."""

import re
from pathlib import Path

import pytest

from replay.messages import LANGS, keys

ROOT = Path(__file__).parents[1]
WEBVIEWER = ROOT / "webviewer"
TEMPLATES = sorted((WEBVIEWER / "templates").glob("*.html"))
SCRIPTS = sorted((WEBVIEWER / "static" / "js").glob("*.js"))
SOURCES = [
    *TEMPLATES,
    *SCRIPTS,
    *sorted(WEBVIEWER.rglob("*.py")),
    *(path for path in sorted((ROOT / "replay").rglob("*.py")) if path.parent.name != "messages"),
]
SAME_IN_BOTH = {
    "谱",  # the seal
    *("中文", "中", "EN"),  # the switch between them
    "English",
    *("Ctrl", "Enter", "Esc", "Home", "End", "Space", "Shift", "Tab", "Alt"),
    *("CSV", "JSON", "Parquet", "SQL", "MB", "ms", "UTC"),
}
"""What a page may say without the catalogue: names of languages, keys and forms."""
WORD = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]+")
HAN = re.compile(r"[\u3400-\u9fff]+")
FAMILY = re.compile(r"""["'](view\.[\w.]*)(?:["'] ?~|\{[^}"]*\}([\w.]*)")|`(view\.[\w.]*\.)\$\{""")
"""The beginning and the end of a key whose middle is only known when it is asked for."""


def _text() -> str:
    return "\n".join(path.read_text("utf-8") for path in SOURCES)


@pytest.mark.parametrize("lang", LANGS)
def test_every_word_of_the_viewer_is_used(lang: str) -> None:
    """Each key stands whole in a source, or belongs to a family and its end is a word of one."""
    text = _text()
    whole = set(re.findall(r"view(?:\.\w+)+", text))
    families = {(first or other, end) for first, end, other in FAMILY.findall(text)}
    words = set(re.findall(r"\w+", text))
    assert len(families) > 10
    unused = [
        key
        for key in sorted(keys(lang))
        if key.startswith("view.")
        and key not in whole
        and not any(
            key.startswith(first)
            and key.endswith(end)
            and set(key.removeprefix(first).removesuffix(end).split(".")) <= words
            for first, end in families
        )
    ]
    assert unused == []


def said_outright(template: str) -> list[str]:
    """Words that a template shows without asking the catalogue."""
    template = re.sub(r"\{% block body_class %\}.*?\{% endblock %\}", "", template)
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->", " ", template, flags=re.DOTALL)
    bare = re.sub(r"<(pre|code|svg|script)\b.*?</\1>", " ", bare, flags=re.DOTALL)
    shown = re.findall(
        r'\s(?:title|aria-label|placeholder|alt|label|data-label)="([^"]*)"', bare, re.IGNORECASE
    )
    shown = [text for text in shown if not text.startswith("SELECT ")]  # an example in SQL
    texts = [*shown, *re.split(r"<[^<>]*>", bare)]
    texts += HAN.findall(" ".join(re.findall(r"\{\{.*?\}\}|\{%.*?%\}", template, re.DOTALL)))
    words = [word for text in texts for word in WORD.findall(re.sub(r"&\w+;", " ", text))]
    return [word for word in words if word not in SAME_IN_BOTH]


def test_literal_words_are_seen() -> None:
    """The check itself: texts and labels count, Jinja and code do not."""
    assert said_outright('<p title="Hello">{{ t("view.x") }} <code>abc</code>出牌</p>') == [
        "Hello",
        "出牌",
    ]
    assert said_outright("{{ '局' if lang == 'zh' else '' }}{# 注 #}") == ["局"]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_speaks_for_itself(path: Path) -> None:
    """What is read on a page comes out of the catalogue."""
    assert said_outright(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_speaks_for_itself(path: Path) -> None:
    """No Chinese in a script, and no words put into a text, a title or a label."""
    script = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
    assert HAN.findall(script) == []
    put = r"(?:textContent|innerText|title|ariaLabel|placeholder|alt)\s*=\s*[\"'`]([^\"'`$]*)"
    named = r"setAttribute\(\s*[\"'](?:title|aria-label|placeholder|alt)[\"'],\s*[\"'`]([^\"'`$]*)"
    said = [*re.findall(put, script), *re.findall(named, script)]
    assert [text for text in said if WORD.search(text) and text not in SAME_IN_BOTH] == []
