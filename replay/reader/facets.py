"""Facets of the list of hands: how many hands each value of a field would leave."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from replay.reader.pages import Count, HandQuery

FIELDS = ("game", "result", "findings", "mode", "level")
"""The fields of which the list says how many hands each value has."""
LEVELS = "23456789TJQKAF"
"""Levels in their order."""
Values = tuple[str | None, str | None, str | None, str | None, str | None]
"""What a hand has in each of FIELDS; `findings` is some or none."""


class Facets(Struct, frozen=True):
    """How many hands match, and how many would with another value of one field."""

    total: int
    games: tuple[Count, ...]
    results: tuple[Count, ...]
    modes: tuple[Count, ...]
    levels: tuple[Count, ...]
    flawed: int
    flawless: int


def facets(counted: Iterable[tuple[Values, int]], query: HandQuery) -> Facets:
    """All facets, from the hands that match a query that asks nothing of FIELDS."""
    wanted = [getattr(query, field) for field in FIELDS]
    counts: list[Counter[str]] = [Counter() for _ in FIELDS]
    total = 0
    for values, n in counted:
        failed = [
            at
            for at, (value, want) in enumerate(zip(values, wanted, strict=True))
            if want not in ("", value)
        ]
        total += 0 if failed else n
        for at in failed if len(failed) == 1 else () if failed else range(len(FIELDS)):
            value = values[at]
            if value is not None:
                counts[at][value] += n
    games, results, flaws, modes, levels = counts
    return Facets(
        total,
        most_first(games),
        most_first(results),
        most_first(modes),
        tuple(Count(level, level, levels[level]) for level in sorted(levels, key=LEVELS.find)),
        flaws["some"],
        flaws["none"],
    )


def most_first(counts: Counter[str]) -> tuple[Count, ...]:
    """The values, the most frequent first, equals in order of their names."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Count(value, value, n) for value, n in ordered)
