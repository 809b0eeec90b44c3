"""The words of one request: catalogue look-ups, and phrases cut into pieces that can be drawn."""

import re
from collections.abc import Callable

from replay.messages import has, slots_of, text
from replay.reader import CARD_FACES, Phrase, Wilds, wilds_said

LANGS = ("zh", "en")
Piece = str | tuple[str, int] | tuple[str, str]
"""Plain text, `("s", seat)` for a player's name, or `("c", cards as letters)`."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01"
"""One letter a card code: how cards travel to the page's scripts."""

SEAT_SLOTS = frozenset(
    {"seat", "start", "dealer", "partner", "winner", "leader", "soloist", "second", "third"}
)
"""Slots of phrases whose number is a seat and is shown as that player's name."""

# Private-use characters mark where a seat or cards stand in a sentence; what players chose
# (names, ids) is never put into a template, so it cannot forge a mark.
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKED = re.compile(f"{_OPEN}([sc])([^{_CLOSE}]*){_CLOSE}")

SUIT_SIGNS = {"d": "♦", "c": "♣", "h": "♥", "s": "♠"}


def letters(cards: bytes) -> str:
    """Cards as one letter each, in their order."""
    return "".join(LETTERS[code] for code in cards)


def face_name(code: int, lang: str) -> str:
    """A card as people write it: `10♥`, 大王."""
    face = CARD_FACES[code]
    if face in {"Bj", "Rj"}:
        return text(lang, f"view.card.{face}")
    return face[0].replace("T", "10") + SUIT_SIGNS[face[1]]


def _mark(slot: str, value: int | str | bytes, lang: str) -> str:
    match value:
        case bytes():
            return f"{_OPEN}c{letters(value)}{_CLOSE}"
        case int() if slot in SEAT_SLOTS:
            return f"{_OPEN}s{value}{_CLOSE}"
        case str() if has(lang, value):
            return text(lang, value)
        case _:
            return str(value)


class Words:
    """The catalogue in one language. A key without a sentence is shown as itself, in brackets."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def __call__(self, key: str, **slots: object) -> str:
        """The sentence of `key`."""
        if not has(self.lang, key):
            return f"⟨{key}⟩"
        return text(self.lang, key, **slots)

    def first(self, *keys: str) -> str:
        """The sentence of the first key that has one; empty if none has."""
        return next((text(self.lang, key) for key in keys if has(self.lang, key)), "")

    def phrase(self, phrase: Phrase) -> list[Piece]:
        """The sentence of a phrase, cut at its seats and cards."""
        slots = {name: _mark(name, value, self.lang) for name, value in phrase.slots}
        return cut(self(phrase.key, **slots))

    def plain(self, phrase: Phrase, name_of: Callable[[int], str]) -> str:
        """The sentence of a phrase as plain text."""
        return "".join(self._plain(piece, name_of) for piece in self.phrase(phrase))

    def _plain(self, piece: Piece, name_of: Callable[[int], str]) -> str:
        match piece:
            case str():
                return piece
            case ("s", int(seat)):
                return name_of(seat)
            case (_, cards):
                return self.cards(codes(str(cards)))

    def cards(self, cards: bytes) -> str:
        """Cards as people write them."""
        return " ".join(face_name(code, self.lang) for code in cards)

    def wilds(self, cards: bytes, wilds: Wilds) -> str:
        """What the wild jokers of a play stand for: 大王当3."""
        return wilds_said(
            self.lang, [(face_name(cards[at], self.lang), rank) for at, rank in wilds]
        )

    def result(self, word: str) -> str:
        """How a hand ended: a game's own result, or that there is none."""
        return self(f"view.{word}" if word in {"aborted", "unverified"} else f"result.{word}")

    def option(self, name: str) -> str:
        """What a house rule is called; its own name where the catalogue has no words."""
        key = f"option.{name}"
        return text(self.lang, key) if has(self.lang, key) else name

    def option_value(self, name: str, value: str) -> str:
        """What a value of a house rule means."""
        key = f"option.{name}.{value}"
        return text(self.lang, key) if has(self.lang, key) else value

    def open(self, key: str) -> str:
        """A sentence with its slots left open, for the page's scripts to fill."""
        slots = {slot: f"{{{slot}}}" for slot in slots_of(self.lang, key)}
        return text(self.lang, key, **slots)

    def source(self, rule: str) -> str:
        """The source's own words for a rule, Chinese in every language; empty if there are none."""
        key = f"source.{rule}"
        return text(LANGS[0], key) if has(LANGS[0], key) else ""

    def faces(self, cards: bytes) -> list[dict[str, str]]:
        """Each card's text and suit letter; jokers have `j` and `J`."""
        return [{"text": face_name(code, self.lang), "suit": _suit(code)} for code in cards]

    def all_faces(self) -> list[tuple[str, str, str]]:
        """Of every card code: the index printed in its corner, its suit letter, its name."""
        return [
            (self._index(code), _suit(code), face_name(code, self.lang))
            for code in range(len(CARD_FACES))
        ]

    def _index(self, code: int) -> str:
        face = CARD_FACES[code]
        if face[1] == "j":
            return text(self.lang, f"view.corner.{face}")
        return face[0].replace("T", "10")


def _suit(code: int) -> str:
    """The suit letter; jokers have `j`, and the red one `J`."""
    face = CARD_FACES[code]
    return "J" if face == "Rj" else face[1]


def codes(written: str) -> bytes:
    """The cards that `letters` wrote."""
    return bytes(LETTERS.index(letter) for letter in written)


def cut(sentence: str) -> list[Piece]:
    """A sentence with marks, cut into pieces."""
    pieces: list[Piece] = []
    end = 0
    for found in _MARKED.finditer(sentence):
        if found.start() > end:
            pieces.append(sentence[end : found.start()])
        what, value = found.groups()
        pieces.append((what, int(value)) if what == "s" else (what, value))
        end = found.end()
    if end < len(sentence):
        pieces.append(sentence[end:])
    return pieces
