"""What the documents say, taken apart: the glossary, code spans, and console examples."""

import re
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parent.parent


class Term(Struct, frozen=True):
    """One line of the glossary: what the players say, the code's words, the words it avoids."""

    chinese: str
    code: tuple[str, ...]
    never: tuple[str, ...]


class Example(Struct, frozen=True):
    """A command of a console block, the exit status it is to have, and the output shown for it."""

    command: str
    status: int
    output: str


def section(document: str, heading: str) -> str:
    """The text under a heading, up to the next one of its level or above."""
    text = (ROOT / document).read_text()
    level = heading.split(" ")[0]
    found = re.search(
        rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)", text, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise KeyError(f"{document} has no heading {heading!r}")
    return found.group(1)


def glossary() -> list[Term]:
    """The table under "Glossary" in CONTRIBUTING.md."""
    rows = re.findall(r"^\|(.*)\|(.*)\|(.*)\|$", section("CONTRIBUTING.md", "## Glossary"), re.M)
    return [
        Term(chinese.strip(), code_spans(code), tuple(re.findall(r"\w+", never)))
        for chinese, code, never in rows[2:]
    ]


def code_spans(text: str) -> tuple[str, ...]:
    """What stands between single backticks, fenced blocks aside."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return tuple(re.findall(r"`([^`\n]+)`", prose))


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def examples(text: str) -> list[Example]:
    """The commands (`$ …`) of all console blocks; `# exit status N` says one that is not 0."""
    found = []
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            command, _, status = line.partition("# exit status ")
            found.append(Example(command.strip(), int(status or 0), output.strip()))
    return found


def shows(output: str, printed: str) -> bool:
    """Whether the output shown in a document is what was printed; `…` stands for anything."""
    parts = (re.escape(part) for part in output.split("…"))
    return re.fullmatch(".*".join(parts), printed.strip(), re.DOTALL) is not None


def words_of(name: str) -> set[str]:
    """The words of a name in snake_case or CamelCase, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])", name)}
