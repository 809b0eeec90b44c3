"""One hand on one page of paper."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from flask import render_template, url_for
from msgspec import Struct

from replay.reader import HandPage, Moment
from webviewer.encode import finding_texts
from webviewer.printing import Entry, Paper, Row, paper
from webviewer.views.codes import PREFIX_DIGITS, Place, code_of
from webviewer.views.hand import asked_eye
from webviewer.views.here import pages, reader, words
from webviewer.words import Piece

FINDINGS = 6
"""How many findings have room on the page."""
HEIGHT = 940
"""How high the printed part of an A4 page may become, in 1/96 inch, with a little to spare."""


class Density(Struct, frozen=True):
    """How tightly a sheet is set: its class, the height of a line (1/96 inch), its columns, and how
    many characters of full width a line of the page, and a cell of a trick, has.
    """

    name: str
    line: float
    columns: int
    page: float
    cell: float


DENSITIES = (
    Density("d1", 17.0, 1, 58, 12.5),
    Density("d2", 14.2, 1, 70, 15.5),
    Density("d3", 13.6, 2, 70, 6.6),
    Density("d4", 11.8, 2, 81, 7.9),
)


@pages.get("/hand/<hand_id>/print")
def printed(hand_id: str) -> str:
    """The sheet of one hand, ready for the printer; whole without scripts. With `eye` it has what
    this seat saw, and leads back to the table as this seat sees it.
    """
    eye = asked_eye()
    page = reader().hand(hand_id, eye)
    sheet = paper(page, words())
    notes = [_note(finding) for finding in finding_texts(page, words())]
    tightness, room = layout(page, sheet, notes)
    place = Place(page.row.hand_id[:PREFIX_DIGITS], 1, eye or 0, is_hidden=eye is not None)
    here = None if eye is None else f"/{eye}:h"
    return render_template(
        "print.html",
        page=page,
        row=page.row,
        paper=sheet,
        before=[_said(moment) for moment in sheet.before],
        density=tightness.name,
        halves=_halves(sheet.rows, tightness),
        won=frozenset(_won(sheet.rows)),
        has_points=any(row.points is not None for row in sheet.rows),
        notes=notes[:room],
        left_out=len(notes) - room,
        here=here,
        address=url_for("pages.hand", hand_id=page.row.hand_id, _external=True, _anchor=here),
        code=code_of(place),
    )


def _said(moment: Moment) -> tuple[bool, Moment]:
    """Whether the sentence of an act names its seat itself."""
    slots = {piece[0] for piece in words().phrase(moment.label) if not isinstance(piece, str)}
    return "s" in slots, moment


def _halves(rows: tuple[Row, ...], tightness: Density) -> list[tuple[Row, ...]]:
    """The tricks in as many columns as there are, about as high as one another."""
    if tightness.columns == 1:
        return [rows]
    heights = [_lines(row, tightness.cell) for row in rows]
    at = next((n for n in range(len(rows)) if 2 * sum(heights[:n]) >= sum(heights)), len(rows))
    return [half for half in (rows[:at], rows[at:]) if half]


def _won(rows: tuple[Row, ...]) -> Iterator[tuple[int, tuple[Entry | None, ...], int]]:
    """Where each trick's winner laid the cards that won: trick, time around the table, seat."""
    for row in rows:
        laid = (
            (row.number, loop, row.winner)
            for loop in reversed(row.loops)
            if row.winner is not None and (entry := loop[row.winner]) and entry.cards
        )
        yield from islice(laid, 1)


class Note(Struct, frozen=True):
    """A finding as evidence: what it is about, its rule's own sentence, expected and logged."""

    rule: str
    event: int | None
    said: list[Piece]
    sides: list[tuple[str, list[Piece]]]
    sentence: str
    length: str
    """All of it as one text, for its length."""


def _note(finding: dict[str, Any]) -> Note:
    rule: str = finding["rule"]
    sides = [side for side in finding["sides"] if side[0] != "proof"]
    sentence = words().first(f"rule.{rule}")
    drawn = str(finding["text"]) + " ".join(f"{name} {said}" for name, said in sides)
    return Note(rule, finding["event"], finding["said"], sides, sentence, rule + drawn + sentence)


def layout(page: HandPage, sheet: Paper, notes: list[Note]) -> tuple[Density, int]:
    """The largest type with which a hand and its findings stand on one page, and how many of the
    findings that is; the smallest type and one finding where none does.
    """
    for room in range(min(len(notes), FINDINGS), 0, -1):
        for tight in DENSITIES:
            if _height(page, sheet, tight) + _noted(notes[:room], tight) <= HEIGHT:
                return tight, room
    return density(page, sheet), 0 if not notes else 1


def density(page: HandPage, sheet: Paper) -> Density:
    """The largest type with which a hand stands on one page; the smallest where none does."""
    fits = (tight for tight in DENSITIES if _height(page, sheet, tight) <= HEIGHT)
    return next(fits, DENSITIES[-1])


def _noted(notes: list[Note], tight: Density) -> float:
    """About how high the findings become, in 1/96 inch."""
    return tight.line * sum(_wrapped(note.length, tight.page) + 1.5 for note in notes)


def _height(page: HandPage, sheet: Paper, tight: Density) -> float:
    """About how high a sheet without findings becomes, in 1/96 inch."""
    halves = _halves(sheet.rows, tight)
    tricks = max((sum(_lines(row, tight.cell) for row in half) for half in halves), default=0)
    wide = 0.7 * tight.page
    deals = sum(_wrapped("  ".join(groups), wide) for groups in sheet.deals)
    deals += sum(_wrapped(line, wide) for _, line in sheet.bottoms) + (page.eye is not None)
    before = sum(10 + len(moment.cards) * 2 for moment in sheet.before) // tight.page + 1
    per_seat = sum(line.is_per_seat for line in page.sheet)
    name = _wrapped(page.row.log_name, tight.page)
    others = 12 + name + before + per_seat + (len(page.sheet) - per_seat) / 2
    return tight.line * (tricks + deals + others)


def _lines(row: Row, cell: float) -> int:
    """Lines that a trick takes: one a time around the table, more where a play is long."""
    entries = ([entry for entry in loop if entry is not None] for loop in row.loops)
    return sum(max(_wrapped(_text(e), cell) for e in loop) for loop in entries)


def _text(entry: Entry) -> str:
    flaw = "▲" if entry.is_flawed else ""
    return f"{flaw}{entry.cards} ({entry.remark}) ★" if entry.remark else f"{flaw}{entry.cards} ▸★"


def _wrapped(text: str, width: float) -> int:
    """Lines that a text takes; a letter or digit is about half as wide as a sign."""
    return 1 + int(sum(0.6 if char.isascii() else 1.05 for char in text) / width)
