"""Words for people at a terminal: catalogue sentences, cards, seats and phrases as plain text."""

import unicodedata
from collections.abc import Container, Sequence

from replay.engine.board import Phrase
from replay.messages import has, text
from replay.wilds import wilds_said
from schema.cards import card_text

_SIGNS = {"d": "♦", "c": "♣", "h": "♥", "s": "♠"}
_BETWEEN = {"zh": "，", "en": ", "}
"""What stands between the words of a list; with its space it is no sentence of the catalogue."""
SEAT_SLOTS = frozenset({"seat", "start", "dealer", "partner", "soloist", "second", "third"})
"""Slots whose number is a seat and is shown as that player's name."""
CARD_SLOTS = frozenset({"cards", "led", "jokers", "picked"})
"""Fields of events whose bytes are cards."""
_TURNS_TEXT = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that change the order of what stands beside them."""


class Words:
    """The catalogue in one language, seats by the players' names where they are known."""

    def __init__(self, lang: str, names: Sequence[str] = ()) -> None:
        """`names` are those of seats 0 to 3, or none."""
        self.lang = lang
        self._names = tuple(map(plain, names))

    def __call__(self, key: str, **slots: object) -> str:
        """The sentence of `key`."""
        return text(self.lang, key, **slots)

    def either(self, key: str, otherwise: str) -> str:
        """The sentence of `key`, or `otherwise` where there is none."""
        return text(self.lang, key) if has(self.lang, key) else otherwise

    def seat(self, seat: int) -> str:
        """A seat by its player's name, else by its number."""
        return self._names[seat] if self._names else self("seat.number", seat=seat)

    def card(self, code: int) -> str:
        """A card as people write it: `10♥`, 大王."""
        face = card_text(code)
        if face in ("Bj", "Rj"):
            return self(f"cli.joker.{face}")
        return face[0].replace("T", "10") + _SIGNS[face[1]]

    def cards(self, cards: bytes) -> str:
        """Cards in the order given."""
        return " ".join(map(self.card, cards))

    def sorted_cards(self, cards: bytes) -> str:
        """Cards from big to small, jokers first; 无 for none."""
        return self.cards(bytes(sorted(cards, reverse=True))) or self("value.none")

    def wilds(self, wilds: Sequence[tuple[int, str]]) -> str:
        """What jokers stand for, given as their codes and ranks: 大王当3; empty for none."""
        return wilds_said(self.lang, [(self.card(joker), rank) for joker, rank in wilds])

    def laid(self, cards: bytes, wilds: Sequence[tuple[int, str]]) -> str:
        """Cards as laid, and in brackets what wild jokers, by their codes, stand for."""
        shown = self.cards(cards)
        return self("cli.with", what=shown, more=self.wilds(wilds)) if wilds else shown

    def phrase(self, phrase: Phrase) -> str:
        """The sentence of a phrase, its cards and seats as people write them."""
        return self(phrase.key, **{name: self._slot(name, value) for name, value in phrase.slots})

    def _slot(self, name: str, value: int | str | bytes) -> str:
        match value:
            case bytes():
                return self.cards(value)
            case int() if name in SEAT_SLOTS:
                return self.seat(value)
            case str():
                return self.either(value, value)
            case _:
                return str(value)

    def join(self, parts: Sequence[str]) -> str:
        """A list of words in one line."""
        return _BETWEEN[self.lang].join(parts)

    def rule(self, rule: str) -> tuple[str, str]:
        """The rule's own sentence and the source's words; empty where there are none."""
        return self.either(f"rule.{rule}", ""), self.either(f"source.{rule}", "")


def plain(name: str) -> str:
    """A name that cannot turn or move the text around it: such characters become `\\u202e`."""
    if name.isprintable():
        return name
    return "".join(
        f"\\u{ord(c):04x}" if c in _TURNS_TEXT or unicodedata.category(c) in _MOVES else c
        for c in name
    )


_MOVES = ("Cc", "Zl", "Zp")
"""Categories of control characters and separators of lines."""


def width(text: str) -> int:
    """Columns of a terminal that a text takes: two for a wide character such as 牌."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def columns(
    rows: Sequence[Sequence[str]], indent: str = "", right: Container[int] = ()
) -> list[str]:
    """Rows of cells as lines with aligned columns; those of `right` stand to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        indent
        + "  ".join(_filled(cell, widths[k], k in right) for k, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def _filled(text: str, whole: int, is_right: bool) -> str:
    space = " " * (whole - width(text))
    return space + text if is_right else text + space
