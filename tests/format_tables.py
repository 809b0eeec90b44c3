"""FORMAT.md taken apart, and the notation in which its tables write the types of the structs."""

import json
import re
import types
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from schema.chaodipi import BottomCards, ShownCards
from schema.events import DealCards, PlayCards
from schema.gunzi import DeclaredCards

FORMAT = Path(__file__).parent.parent / "schema" / "FORMAT.md"
TEXT = FORMAT.read_text(encoding="utf-8")
CARDS: tuple[object, ...] = (PlayCards, DealCards, ShownCards, BottomCards, DeclaredCards)
"""The annotations of fields that hold cards."""


def table(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, header and rule left out; none, if so said."""
    start = re.search(rf"^#+ {re.escape(heading)}$", TEXT, re.MULTILINE)
    assert start, f"FORMAT.md has no heading {heading!r}"
    rows = []
    for line in TEXT[start.end() :].splitlines():
        if line == "No fields.":
            return []
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            rows.append([cell.strip().replace("\\|", "|").strip("`") for cell in cells])
        elif rows or line.startswith("#"):
            break
    assert len(rows) > 2, f"no table under {heading!r}"
    return rows[2:]


def headings() -> dict[int, str]:
    """Tag → the heading of its event: its name, and whose it is where several have the name."""
    names = [row[1] for row in table("Tags")]
    return {
        int(tag): name if names.count(name) == 1 else f"{name} of {owner}"
        for tag, name, _, owner in table("Tags")
    }


def tags_of() -> dict[str, list[int]]:
    """Schema id → the tags that the table of schemas gives it, ascending."""
    found = {}
    for row in table("Schemas"):
        ends = [list(map(int, part.split("–"))) for part in row[3].split(", ")]
        found[row[0]] = [tag for part in ends for tag in range(part[0], part[-1] + 1)]
    return found


def hex_block(heading: str) -> bytes:
    """The bytes of the hex listing under a heading; what follows a `;` is comment."""
    _, _, rest = TEXT.partition(f"# {heading}\n")
    block = re.search(r"```hex\n(.*?)```", rest, re.DOTALL)
    assert block, f"no hex listing under {heading!r}"
    return bytes.fromhex("".join(line.partition(";")[0] for line in block[1].splitlines()))


def fields_text(struct: type[Struct]) -> list[tuple[str, str]]:
    """Name and type of every field, as the tables write them."""
    return [(field.name, type_text(field.type)) for field in msgspec.structs.fields(struct)]


def type_text(annotation: object) -> str:
    """An annotation in the notation of FORMAT.md."""
    if annotation in CARDS:
        return f"cards 0..{get_args(annotation)[1].max_length}"
    if isinstance(annotation, types.UnionType) or get_origin(annotation) is Union:
        return " | ".join(map(type_text, get_args(annotation)))
    if get_origin(annotation) is Annotated:
        return _bounded(*get_args(annotation))
    if get_origin(annotation) is Literal:
        return " | ".join(json.dumps(word) for word in get_args(annotation))
    if get_origin(annotation) is tuple:
        items = get_args(annotation)
        assert len(set(items)) == 1, "a tuple of one type"
        return f"[{len(items)} × {type_text(items[0])}]"
    assert isinstance(annotation, type)
    return _plain(annotation)


def _plain(base: type) -> str:
    if base is type(None):
        return "nil"
    if issubclass(base, Struct | IntEnum):
        return base.__name__
    return {bool: "bool", bytes: "bin", str: "str"}[base]


def _bounded(base: object, meta: Meta) -> str:
    if base is int:
        most = meta.le if meta.lt is None else meta.lt - 1
        return f"int {_number(meta.ge)}..{_number(most)}"
    if meta.pattern is not None:
        return f"str {meta.pattern[2:-2]}"
    least, most = meta.min_length or 0, meta.max_length
    size = str(most) if least == most else f"{least}..{most}"
    if base in (bytes, str):
        return f"{'bin' if base is bytes else 'str'} {size}"
    return f"[{size} × {type_text(get_args(base)[0])}]"


def _number(value: float | None) -> str:
    """Powers of two of a byte and more as such, or one less than them."""
    assert isinstance(value, int)
    sign, size = ("-" if value < 0 else ""), abs(value)
    for bits in (16, 40, 48, 53):
        if size == 1 << bits:
            return f"{sign}2^{bits}"
        if size == (1 << bits) - 1:
            return f"{sign}2^{bits}-1"
    return f"{value}"
