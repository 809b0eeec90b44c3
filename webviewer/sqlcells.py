"""An answer as a table: rows in the order that was asked for, each value as markup.

Names and values may be anybody's: all of them are escaped, and text stands inside <bdi>.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct

from replay.reader import SqlAnswer, cards_in
from webviewer.sqlvalues import is_timed, short_number, short_time
from webviewer.words import Words

_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\([0-9]+,[0-9]+\)")
_HAND_ID = re.compile("[0-9a-f]{16}")
_LONG = 120
_SHOWN = 80
_FEW = 16
"""Of a longer list the JSON is shown, folded like any long text."""
_IN_A_LINE = 14
"""More cards than these stand in several lines."""
_VALUES = {
    "aborted": ("abort",),
    "bottom_fate": ("fate",),
    "dealt_bonus": ("bonus",),
    "effect": ("effect",),
    "ended_by": ("ending", "result"),
    "game": ("game",),
    "kind": ("type", "finding", "kind"),
    "made_by": ("by",),
    "mode": ("mode",),
    "option": ("option",),
    "result": ("result", "view"),
    "role": ("role",),
}
"""Under which keys of the catalogue the words for the values of a column stand."""
Link = Callable[..., str]


class Head(Struct, frozen=True):
    """A column as its head shows it; `sort` is `ascending`, `descending` or `none`.

    `title` is the name in words where a question stands ready, else the name itself.
    """

    name: str
    title: str
    type: str
    is_number: bool
    sort: str


class Line(Struct, frozen=True):
    """A row as the table shows it; `board` is the address of its hand at its event, if any."""

    cells: tuple[Markup, ...]
    board: str | None
    place: str


def is_number(kind: str) -> bool:
    """Whether a column of this type is sorted and aligned as numbers."""
    return _NUMBER.fullmatch(kind) is not None


def is_whole(kind: str) -> bool:
    """Whether values of this type are whole numbers, of which a sum says something."""
    return is_number(kind) and "INT" in kind


def in_order(answer: SqlAnswer, sort: str, is_descending: bool) -> list[list[Any]]:
    """The rows by a column, NULL last either way; as they came if there is no such column."""
    if sort not in answer.columns:
        return answer.rows
    at = answer.columns.index(sort)
    there = [row for row in answer.rows if row[at] is not None]
    key = _number if is_number(answer.types[at]) else _text
    there.sort(key=lambda row: key(row[at]), reverse=is_descending)
    return [*there, *(row for row in answer.rows if row[at] is None)]


def _number(value: Any) -> Any:
    """A number that may have come as text; what is not a number stands behind all others."""
    if isinstance(value, str):
        try:
            value = int(value) if value.lstrip("-").isdecimal() else float(value)
        except ValueError:
            return math.inf
    return math.inf if value != value else value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def titles(answer: SqlAnswer, words: Words) -> list[str]:
    """What the columns of a ready question are called."""
    return [words.first(f"head.{name}") or name for name in answer.columns]


def values(answer: SqlAnswer, words: Words) -> list[dict[str, str]]:
    """Of each column of a ready question the words for its values, as far as there are any."""
    return [
        {
            value: said
            for value in {row[at] for row in answer.rows if isinstance(row[at], str)}
            if (said := _said(name, value, words))
        }
        for at, name in enumerate(answer.columns)
    ]


def _said(column: str, value: str, words: Words) -> str:
    """The words for a value; of several with a space between, those of each."""
    found = []
    for part in value.split(" "):
        said = words.first(*(f"{above}.{part}" for above in _VALUES.get(column, ())))
        if not said:
            return ""
        found.append(said)
    return " ".join(found)


def heads(
    answer: SqlAnswer, sort: str, is_descending: bool, called: Sequence[str] = ()
) -> list[Head]:
    """The heads of the columns; `called` are their titles where these are others."""
    sorted_at = answer.columns.index(sort) if sort in answer.columns else -1
    way = "descending" if is_descending else "ascending"
    return [
        Head(name, title, kind, is_number(kind), way if at == sorted_at else "none")
        for at, (name, title, kind) in enumerate(
            zip(answer.columns, called or answer.columns, answer.types, strict=True)
        )
    ]


def lines(
    answer: SqlAnswer,
    rows: Sequence[Sequence[Any]],
    words: Words,
    link: Link,
    said: Sequence[Mapping[str, str]] = (),
) -> list[Line]:
    """The rows as markup; `said` has the words for values, column by column."""
    pen = _Pen(answer, words, link, said)
    return [pen.line(row) for row in rows]


class _Pen:
    """Writes the rows of one answer."""

    def __init__(
        self, answer: SqlAnswer, words: Words, link: Link, said: Sequence[Mapping[str, str]]
    ) -> None:
        self._answer = answer
        self._said = said or [{}] * len(answer.columns)
        self._words = words
        self._link = link
        names = [name.casefold() for name in answer.columns]
        self._names = names
        self._hand = names.index("hand_id") if "hand_id" in names else None
        self._event = names.index("event") if "event" in names else None
        self._numbers = [is_number(kind) for kind in answer.types]
        self._null = Markup('<span class="null">NULL</span>')
        meaning = escape(words("view.sql.empty_text"))
        self._empty = Markup('<span class="null" title="%s">\'\'</span>') % meaning

    def line(self, row: Sequence[Any]) -> Line:
        """One row."""
        board, place = self._board(row)
        cells = tuple(self._cell(at, value, board) for at, value in enumerate(row))
        return Line(cells, board, place)

    def _board(self, row: Sequence[Any]) -> tuple[str | None, str]:
        hand = None if self._hand is None else row[self._hand]
        if not isinstance(hand, str) or not _HAND_ID.fullmatch(hand):
            return None, ""
        address = self._link("pages.hand", hand_id=hand)
        event = None if self._event is None else row[self._event]
        if type(event) is not int or event < 0:
            return address, self._words("view.sql.open")
        # Reports and tables count events from 0, the board shows them from 1.
        return f"{address}#{event + 1}", self._words("view.event_no", event=event + 1)

    def _cell(self, at: int, value: Any, board: str | None) -> Markup:
        if value is None:
            return self._null
        if value == "":
            return self._empty
        if self._numbers[at]:
            return self._number(at, value)
        if at == self._hand and board is not None:
            return Markup('<a href="%s" tabindex="-1"><code>%s</code></a>') % (board, value)
        if isinstance(value, str) and value in self._said[at]:
            return Markup('<span title="%s">%s</span>') % (value, self._said[at][value])
        cards = cards_in(self._names[at], value)
        if cards is not None:
            return self._cards(cards, value)
        if isinstance(value, list) and len(value) <= _FEW and not any(map(_is_nested, value)):
            items = Markup(", ").join(map(self._item, value))
            return Markup('<span class="list">[%s]</span>') % items
        if isinstance(value, str) and is_timed(self._answer.types[at]):
            return _shortened(value, short_time(value))
        return _prose(_text(value))

    def _item(self, value: Any) -> Markup:
        """A value in a list: a name that turns text around ends with its own brackets."""
        return self._null if value is None else Markup("<bdi>%s</bdi>") % _text(value)

    def _number(self, at: int, value: Any) -> Markup:
        page = self._answer.logs.get(value) if self._names[at] == "log_id" else None
        if page is not None:
            return Markup('<a href="%s">%s</a>') % (self._link("pages.log", log_id=page), value)
        if isinstance(value, float):
            return _shortened(str(value), short_number(value))
        return escape(value)

    def _cards(self, cards: bytes, written: str) -> Markup:
        faces = Markup(" ").join(
            Markup('<span class="suit-%s">%s</span>') % (face["suit"], face["text"])
            for face in self._words.faces(cards)
        )
        many = " many" if len(cards) > _IN_A_LINE else ""
        return Markup('<span class="card-text%s" title="%s">%s</span>') % (many, written, faces)


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | dict) or len(str(value)) > _SHOWN


def _shortened(value: str, short: str) -> Markup:
    """The short form, and the whole value as its title where that is another."""
    if short == value.replace("T", " "):
        return escape(short)
    return Markup('<span title="%s">%s</span>') % (value, short)


def _prose(value: str) -> Markup:
    if len(value) <= _LONG:
        return Markup("<bdi>%s</bdi>") % value
    return Markup(
        '<details class="long"><summary><bdi>%s</bdi>…</summary><bdi>%s</bdi></details>'
    ) % (value[:_SHOWN], value)
