"""Sentences that code has written in English, found again in the catalogue by their templates."""

import re
from collections.abc import Iterator
from functools import cache

from replay.messages import keys, slots_of, text

_NUMBERS = frozenset({"n", "at", "hand", "count"})
"""Slots that only digits fill."""
_NESTED = frozenset({"what", "bytes"})
"""Slots that are filled with a sentence of the same kind."""
_LONGEST = 4000
"""Characters: longer ones are a quotation, and are left alone."""


def matched(lang: str, above: str, english: str) -> str | None:
    """The sentence in `lang`, from among the keys below `above`; None if none of them is it."""
    if len(english) > _LONGEST:
        return None
    for key, pattern in _patterns(above):
        found = pattern.fullmatch(english)
        if found is not None:
            slots = found.groupdict()
            if "error" in slots:
                slots["error"] = matched(lang, "cli.os", slots["error"]) or slots["error"]
            for name in _NESTED & slots.keys():
                slots[name] = matched(lang, above, slots[name]) or slots[name]
            return text(lang, key, **slots)
    return None


@cache
def _patterns(above: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Templates as patterns, those that say most first."""
    found = sorted(_templates(above), key=lambda pair: -len(pair[1]))
    return tuple((key, re.compile(pattern, re.DOTALL)) for key, pattern in found)


def _templates(above: str) -> Iterator[tuple[str, str]]:
    for key in sorted(keys("en")):
        if key.startswith(f"{above}."):
            slots = {name: f"\ue000{name}\ue001" for name in slots_of("en", key)}
            written = re.escape(text("en", key, **slots))
            yield key, re.sub("\ue000(.*?)\ue001", _slot, written)


def _slot(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{'[0-9]+' if found[1] in _NUMBERS else '.+?'})"
