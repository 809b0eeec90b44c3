"""Values at the bounds that FORMAT.md states and just beyond them, built from the page alone.

Nothing here reads the structs: what the page says and what the decoders do can be held together.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.format_tables import table


class Edge(NamedTuple):
    """A value as MessagePack has it, and whether the type at whose bound it lies allows it."""

    value: object
    is_good: bool


Pair = tuple[object, object]
"""The least and the greatest value of a type."""


def edges(kind: str) -> list[Edge]:
    """Every bound of a type in the notation of the page, from within and from beyond."""
    members = kind.split(" | ")
    if len(members) > 1 or kind.startswith('"'):
        return _of_union(members)
    if kind.startswith("["):
        return list(_of_array(*_array(kind)))
    word, _, size = kind.partition(" ")
    match word:
        case "int":
            least, most = _range(size)
            good = [Edge(least, True), Edge(most, True)]
            return [*good, Edge(least - 1, False), Edge(most + 1, False), Edge(True, False)]
        case "bin" | "cards":
            return _of_bytes(*_range(size))
        case "bool":
            return [Edge(False, True), Edge(True, True), Edge(0, False), Edge(None, False)]
        case _:
            return _of_name(kind)


def _of_name(name: str) -> list[Edge]:
    enum = next((row[1] for row in table("Enums") if row[0] == name), None)
    return list(_of_struct(name)) if enum is None else _of_enum(enum)


def least_and_most(kind: str) -> Pair:
    """The two good values of a type that lie farthest apart."""
    good = [edge.value for edge in edges(kind) if edge.is_good]
    return good[0], good[-1]


def field_types(heading: str) -> list[tuple[str, str]]:
    """Name and type of every field of a record, event or struct, in order."""
    return [(row[0], row[1]) for row in table(heading)]


def _range(size: str) -> tuple[int, int]:
    least, dots, most = size.partition("..")
    return _number(least), _number(most if dots else least)


def _number(text: str) -> int:
    """A number of the page, such as `-2^53` or `2^16-1`."""
    found = re.fullmatch(r"(-?)(\d+)(?:\^(\d+))?(-1)?", text)
    assert found, f"{text!r} is no number"
    size: int = int(found[2]) ** int(found[3] or 1)
    return (-size if found[1] else size) - (1 if found[4] else 0)


def _of_bytes(least: int, most: int) -> list[Edge]:
    """Bytes of these lengths; zeros are card 3d, too."""
    beyond = [Edge(bytes(most + 1), False), Edge("", False), Edge(None, False)]
    if least:
        beyond.append(Edge(bytes(least - 1), False))
    return [Edge(bytes(least), True), Edge(bytes(most), True), *beyond]


def _of_enum(values: str) -> list[Edge]:
    """The cell of the table of enums lacks its outermost backticks."""
    numbers = [int(part.split()[0]) for part in values.split(", ")]
    beyond = (min(numbers) - 1, max(numbers) + 1)
    return [Edge(n, True) for n in numbers] + [Edge(n, False) for n in beyond if n not in numbers]


def _of_union(members: list[str]) -> list[Edge]:
    """Words in quotes, numbers alone, or a type or nil."""
    if members[0].isdigit():
        numbers = list(map(int, members))
        beyond: tuple[object, ...] = (min(numbers) - 1, max(numbers) - 1, max(numbers) + 1, "")
        return [*(Edge(n, True) for n in numbers), *(Edge(value, False) for value in beyond)]
    if members[0].startswith('"'):
        words = [member.strip('"') for member in members]
        assert "other" not in words
        return [*(Edge(word, True) for word in words), Edge("other", False), Edge(0, False)]
    kind, nil = members
    assert nil == "nil"
    return [Edge(None, True), *edges(kind), Edge(False, False)]


def _array(kind: str) -> tuple[str, int, int]:
    found = re.fullmatch(r"\[(\S+) × (.*)\]", kind)
    assert found, f"{kind!r} is no array"
    return found[2], *_range(found[1])


def _of_array(item: str, least: int, most: int) -> Iterator[Edge]:
    low, high = least_and_most(item)
    yield Edge([low] * least, True)
    yield Edge([high] * most, True)
    yield Edge([low] * (most + 1), False)
    if least:
        yield Edge([low] * (least - 1), False)
    for edge in edges(item):
        yield Edge([low] * (most - 1) + [edge.value], edge.is_good)


def _of_struct(name: str) -> Iterator[Edge]:
    fields = field_types(name)
    low = [least_and_most(kind)[0] for _, kind in fields]
    yield Edge(low, True)
    yield Edge(low[:-1], False)
    yield Edge([*low, 0], False)
    for number, (_, kind) in enumerate(fields):
        for edge in edges(kind):
            yield Edge([*low[:number], edge.value, *low[number + 1 :]], edge.is_good)
    yield Edge([least_and_most(kind)[1] for _, kind in fields], True)
