"""Findings as the viewer says them: names beside the seats, cards as they lie on the table.

Files, the command line and JSON keep the canonical notation; here the sentence is the same one.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from replay.messages import LANGS, has, slots_of
from replay.reader import CARD_FACES, Finding, wilds_said
from webviewer.words import LETTERS, Piece, Words, codes, face_name

_CARD = r"(?:[3-9TJQKA2][dchs]|[BR]j)"
_ALONE = r"(?<![0-9A-Za-z_.=])", r"(?![0-9A-Za-z_=])"
_PARTS = re.compile(
    rf"""
      (?P<wilds>\ \((?:[BR]j=[\w]\ ?)+\))                               # what wild jokers stand for
    | {_ALONE[0]}(?P<cards>{_CARD}(?:\ {_CARD})*){_ALONE[1]}
    | (?P<before>(?<![0-9])(?P<first>[0-3])号位)                        # the seat first, in Chinese
    | (?P<behind>(?:座位|庄家|{_ALONE[0]}(?:seat|dealer))\ (?P<last>[0-3])){_ALONE[1]}
    """,
    re.VERBOSE,
)
_CODES = {name: code for code, name in enumerate(CARD_FACES)}
_LATIN = re.compile("[A-Za-z]")
_NOTHING = {"none": "value.none", "nothing": "value.nothing"}
_OF_RULES = frozenset({"violation", "breach", "claim"})
"""Kinds whose sentences are ours from end to end; those about bytes quote what a file holds."""
_SIDES = {"expected": "expected", "logged": "found", "proof": ""}
"""What a finding has besides its sentence, and as which slot the sentence may say it too."""


class Told(Struct, frozen=True):
    """A finding as it is drawn: its sentence, and what was expected, logged, and held."""

    text: list[Piece]
    sides: list[tuple[str, list[Piece]]]


def told(finding: Finding, words: Words) -> Told:
    """The finding in the language of the words."""
    sentence: str = getattr(finding, words.lang)
    if finding.kind not in _OF_RULES:
        return Told([sentence], list(_quoted(finding, words)))
    if sentence == words(f"rule.{finding.rule}"):  # withheld: "As many cards" is no ace of spades
        return Told([sentence], [])
    return Told(list(pieces_of(sentence, words)), list(_sides(finding, words)))


def pieces_of(said: str, words: Words) -> Iterator[Piece]:
    """Canonical notation cut into words, players and cards."""
    end = 0
    for found in _PARTS.finditer(said):
        if found.start() > end:
            yield said[end : found.start()]
        end = found.end()
        if found["wilds"]:
            yield f" {words('view.js.remark', text=_wilds(found['wilds'], words.lang))}"
        elif found["cards"]:
            yield ("c", "".join(LETTERS[_CODES[name]] for name in found["cards"].split()))
        else:
            yield f"{found['before'] or found['behind']} "
            yield ("s", int(found["first"] or found["last"]))
            if said[end : end + 1].isalnum():
                yield " "
    if end < len(said):
        yield said[end:]


def _wilds(said: str, lang: str) -> str:
    pairs = (pair.split("=") for pair in said.strip(" ()").split())
    return wilds_said(lang, [(face_name(_CODES[name], lang), rank) for name, rank in pairs])


def _sides(finding: Finding, words: Words) -> Iterator[tuple[str, list[Piece]]]:
    """What the sentence does not say already, where the two languages differ."""
    for side, slot in _SIDES.items():
        said: str = getattr(finding, side)
        if said in _NOTHING:
            said = words(_NOTHING[said])
        pieces = list(pieces_of(said, words))
        is_english = any(isinstance(each, str) and _LATIN.search(each) for each in pieces)
        if said and not (is_english and words.lang != "en" and _says(finding, slot)):
            yield side, pieces


def _says(finding: Finding, slot: str) -> bool:
    """Whether the Chinese sentence itself says a side; those of claims say both."""
    key = f"breach.{finding.rule}"
    if finding.kind == "claim" or not has(LANGS[0], key):
        return True
    return slot in slots_of(LANGS[0], key)


def _quoted(finding: Finding, words: Words) -> Iterator[tuple[str, list[Piece]]]:
    """Of bytes: as the report has it in English; the Chinese sentence has both sides."""
    if words.lang == "en":
        for side in _SIDES:
            if said := getattr(finding, side):
                yield side, [said]


def plain(pieces: list[Piece], words: Words, names: Sequence[str]) -> str:
    """Pieces as text alone: for titles."""
    return "".join(_plain(piece, words, names) for piece in pieces)


def _plain(piece: Piece, words: Words, names: Sequence[str]) -> str:
    match piece:
        case str():
            return piece
        case ("s", int(seat)):
            return names[seat]
        case (_, cards):
            return words.cards(codes(str(cards)))
