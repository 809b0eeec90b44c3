"""The rule books: all of them with one search, and each with an anchor for every rule."""

import re
from collections.abc import Sequence
from itertools import groupby

from flask import render_template, request
from msgspec import Struct

from replay.messages import LANGS
from replay.reader import RuleEntry, game_names
from webviewer.views.here import pages, reader
from webviewer.words import Words

MOST_FOUND = 200
"""Rules that a search lists."""
_LONGEST = 100
"""Characters of a search."""
_BOTH = tuple(Words(lang) for lang in LANGS)
Pieces = list[tuple[str, bool]]
"""A text cut where a search matches: each piece, and whether it is a match."""


class Rule(Struct, frozen=True):
    """One rule, its sentence in every language, and the source's words (Chinese, or empty)."""

    entry: RuleEntry
    game: str
    sentences: tuple[str, ...]
    source: str

    def has(self, word: re.Pattern[str]) -> bool:
        """Whether the word stands anywhere in it."""
        return any(map(word.search, (self.entry.id, *self.sentences, self.source)))


class Book(Struct, frozen=True):
    """The rules of one game, by sections; or those of them that a search found."""

    game: str
    sections: tuple[tuple[str, tuple[Rule, ...]], ...]

    @property
    def size(self) -> int:
        """How many rules."""
        return sum(len(rules) for _, rules in self.sections)


def books(games: Sequence[str]) -> tuple[Book, ...]:
    """Whole books, in the order given; NotFound for a game that nobody judges here."""
    return tuple(_book(game, [_rule(game, entry) for entry in _entries(game)]) for game in games)


def found_in(all_books: Sequence[Book], asked: str) -> tuple[Book, ...]:
    """The rules in which every word of a search stands, book by book, without empty books."""
    words = [re.compile(re.escape(word), re.IGNORECASE) for word in asked.split()]
    kept = (
        _book(
            book.game, [rule for _, rules in book.sections for rule in rules if _all(words, rule)]
        )
        for book in all_books
    )
    return tuple(book for book in kept if book.sections)


def cut_at(text: str, asked: str) -> Pieces:
    """The text cut at the words of a search; joined, the pieces are the text."""
    words = sorted(set(asked.split()), key=len, reverse=True)
    if not words:
        return [(text, False)]
    pieces = re.split(f"({'|'.join(map(re.escape, words))})", text, flags=re.IGNORECASE)
    return [(piece, at % 2 == 1) for at, piece in enumerate(pieces) if piece]


def _entries(game: str) -> tuple[RuleEntry, ...]:
    return reader().rules(game)


def _rule(game: str, entry: RuleEntry) -> Rule:
    sentences = tuple(words(f"rule.{entry.id}") for words in _BOTH)
    return Rule(entry, game, sentences, _BOTH[0].source(entry.id))


def _book(game: str, rules: Sequence[Rule]) -> Book:
    sections = groupby(rules, lambda rule: rule.entry.section)
    return Book(game, tuple((section, tuple(its)) for section, its in sections))


def _all(words: Sequence[re.Pattern[str]], rule: Rule) -> bool:
    return all(map(rule.has, words))


def _first(found: Sequence[Book], most: int) -> tuple[Book, ...]:
    """As many rules as fit a page, of the first books first."""
    rules = [rule for book in found for _, its in book.sections for rule in its][:most]
    return tuple(_book(game, list(its)) for game, its in groupby(rules, lambda rule: rule.game))


@pages.get("/rules")
def rulebooks() -> str:
    """The books of all games that are judged, and what a search finds in them."""
    asked = request.args.get("q", "").strip()[:_LONGEST]
    everything = books(game_names())
    found = found_in(everything, asked) if asked else ()
    return render_template(
        "rulebooks.html",
        books=everything,
        asked=asked,
        found=_first(found, MOST_FOUND),
        count=sum(book.size for book in found),
        most=MOST_FOUND,
        cut=cut_at,
        both=_BOTH,
    )


@pages.get("/rules/<game>")
def rules(game: str) -> str:
    """The rules of one game, an anchor for each."""
    (book,) = books([game])
    return render_template("rules.html", game=game, book=book, cut=cut_at, both=_BOTH, asked="")
