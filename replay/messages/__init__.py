"""The words people read, in Chinese and English: rules, findings, plays, roles, CLI, viewer.

The catalogues are the `.toml` files of this folder: `*zh.toml`, `*en.toml`, and `*both.toml` for
what is not translated (the source's own words). Nested tables make dotted keys: `[play] pair`
is `play.pair`.
A sentence has named slots, and whoever asks for it fills them with words ready to read: seats
as digits in findings and as names in `event.*`, cards in any notation. Only `rank` and `suit`
are taken in the notation of card codes (`T`, `s`). In English `{n} card{n:+s}` is one card, two
cards.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

LANGS = ("zh", "en")
"""The languages of the catalogue."""

_PLURAL = ":+s}"

_NOTATION = {"rank": "card.rank", "suit": "card.suit"}
"""Slots that are filled with card notation, and where the words for it stand."""


def text(lang: str, key: str, /, **slots: object) -> str:
    """The sentence of `key` with its slots filled; slots that it does not name are ignored.

    KeyError names language and key if there is no such sentence, or the slot that is missing.
    """
    template, words = _template(lang, key), _words(lang, slots)
    try:
        if _PLURAL in template:
            return _Counting().vformat(template, (), words)
        return template.format_map(words)
    except KeyError as error:
        needs = ", ".join(sorted(slots_of(lang, key)))
        raise KeyError(
            f"message {key!r} in {lang!r}: slot {error.args[0]!r} is missing (it has: {needs})"
        ) from None


class _Counting(Formatter):
    """Fills `{n:+s}` with the ending of a plural; a slot that is left open stays open."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Nothing for one, else an s."""
        if format_spec != "+s":
            return str(super().format_field(value, format_spec))
        written = str(value)
        if written.startswith("{"):
            return f"{written[:-1]}:+s}}"
        return "" if written == "1" else "s"


def has(lang: str, key: str) -> bool:
    """Whether there is a sentence for `key`."""
    return key in _catalogue(lang)


def keys(lang: str) -> frozenset[str]:
    """Every key of a language."""
    return frozenset(_catalogue(lang))


def slots_of(lang: str, key: str) -> frozenset[str]:
    """The slots that the sentence of `key` names; KeyError if there is no such sentence."""
    return frozenset(name for _, name, _, _ in Formatter().parse(_template(lang, key)) if name)


def merged(catalogues: Mapping[str, str]) -> dict[str, str]:
    """The sentences of several TOML documents by dotted key; `catalogues` maps file name to text.

    ValueError names key and files if two documents have the same key, or a value is no sentence.
    """
    sentences: dict[str, str] = {}
    origin: dict[str, str] = {}
    for file, document in catalogues.items():
        for key, sentence in _flat(tomllib.loads(document), ""):
            if not isinstance(sentence, str):
                raise ValueError(f"{file}: {key!r} is {sentence!r}, not a sentence")
            if key in sentences:
                raise ValueError(f"{key!r} stands in {origin[key]} and again in {file}")
            sentences[key], origin[key] = sentence, file
    return sentences


def _flat(table: Mapping[str, object], above: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value


@cache
def _catalogue(lang: str) -> dict[str, str]:
    if lang not in LANGS:
        raise KeyError(f"no catalogue in {lang!r}; there are {', '.join(LANGS)}")
    ends = (f"{lang}.toml", "both.toml")
    found = sorted(files(__name__).iterdir(), key=lambda file: file.name)
    return merged(
        {file.name: file.read_text("utf-8") for file in found if file.name.endswith(ends)}
    )


def _template(lang: str, key: str) -> str:
    catalogue = _catalogue(lang)
    if key not in catalogue:
        raise KeyError(f"no message {key!r} in {lang!r}")
    return catalogue[key]


def _words(lang: str, slots: dict[str, object]) -> dict[str, object]:
    for slot, table in _NOTATION.items():
        if slot in slots:
            slots[slot] = _catalogue(lang).get(f"{table}.{slots[slot]}", slots[slot])
    return slots
