"""A hand as compact JSON for the page: each step holds only what differs from the one before."""

from typing import Any

from replay.reader import (
    Attempt,
    Board,
    Bottom,
    Finding,
    Goal,
    HandPage,
    Laid,
    Moment,
    Moved,
    Phrase,
    SeatView,
    Shown,
    Track,
    Wilds,
    face_down,
    trump_faces,
)
from webviewer.findings import plain, told
from webviewer.words import Piece, Words, letters

Json = dict[str, Any]
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""How many copies of a face: no game has more of one than a digit tells."""


def hand_json(page: HandPage, words: Words) -> Json:
    """Every step of a hand as seen with the page's eye."""
    encode = _Encoder(words)
    return {
        "eye": page.eye,
        "direction": page.direction,
        "unverified": page.unverified_from,
        "steps": [encode.step(moment) for moment in page.moments],
        "findings": finding_texts(page, words),
    }


def finding_texts(page: HandPage, words: Words) -> list[Json]:
    """The findings of a hand in one language, as the page's eye may read them.

    `text` is plain, for titles; `said` and `sides` have names and cards as pieces to be drawn, all
    else is canonical.
    """
    names = [person.name for person in page.row.players]
    return [_finding(finding, words, names) for finding in page.findings]


def _finding(finding: Finding, words: Words, names: list[str]) -> Json:
    shown = told(finding, words)
    return {
        "event": finding.event,
        "seat": finding.seat,
        "kind": finding.kind,
        "rule": finding.rule,
        "text": plain(shown.text, words, names),
        "said": shown.text,
        "sides": shown.sides,
        "expected": finding.expected,
        "logged": finding.logged,
        "proof": finding.proof,
    }


class _Encoder:
    """Remembers the last table sent."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._board: Board | None = None
        self._sent: Json = {}
        self._counter: Json = {}

    def step(self, moment: Moment) -> Json:
        step: Json = {
            "k": moment.kind,
            "a": moment.standing,
            "s": moment.seat,
            **laid_json(moment.cards, moment.wilds, self._words),
            "t": moment.trick,
            "l": joined(self._words.phrase(moment.label)),
        }
        if moment.dt is not None:
            step["d"] = moment.dt
        if moment.by not in (None, "player"):
            step["by"] = self._words(f"by.{moment.by}")
        if moment.findings:
            step["f"] = moment.findings
        # Claims leave the state as it is, and then the very same board comes again.
        if moment.board is not None and moment.board is not self._board:
            changed = self._changed(moment.board)
            changed |= self._counted(moment, moment.board)
            if changed:
                step["b"] = changed
        return step

    def _counted(self, moment: Moment, board: Board) -> Json:
        """For the card counter: what is out, a digit a face; or, seeing all cards, which of them
        lie face down, and for whom they do not.
        """
        if moment.out is None:
            found: Json = {"below": letters(face_down(board.bottom)), "knows": moment.knowers}
        else:
            found = {"out": "".join(DIGITS[n] for n in moment.out)}
        changed = {key: value for key, value in found.items() if self._counter.get(key) != value}
        self._counter |= found
        return changed

    def _changed(self, board: Board) -> Json:
        full = self._table(board)
        before = self._sent
        changed = {
            key: value for key, value in full.items() if key not in before or before[key] != value
        }
        if "seats" in changed and before:
            changed["seats"] = {
                seat: _differing(old, new)
                for seat, (old, new) in enumerate(zip(before["seats"], full["seats"], strict=True))
                if old != new
            }
        self._board, self._sent = board, full
        return changed

    def _table(self, board: Board) -> Json:
        words = self._words
        return {
            "phase": words(board.phase),
            "trick": board.trick,
            "seats": [self._seat(seat) for seat in board.seats],
            "table": [self._laid(laid) for laid in board.table],
            "beat": board.to_beat and self._laid(board.to_beat),
            "trump": board.trump and self._trump(board.trump),
            "bottom": board.bottom and self._bottom(board.bottom),
            "called": _cards(board.called),
            "turn": board.prompt.seat,
            "ask": words(board.prompt.ask),
            "must": must_json(board, words),
            "ladder": [
                [joined(words.phrase(named.name)), self._value(named.value)]
                for named in board.ladder
            ],
            "order": _cards(board.order),
            "trumps": letters(trump_faces(board.order, board.trump)),
            "shows": self._shows(board.shows),
            "moves": [self._moved(moved) for moved in board.moves],
            "attempt": board.attempt and self._attempt(board.attempt),
            "leading": board.leading,
            "tracks": [self._track(track) for track in board.tracks],
            "goal": board.goal and self._goal(board.goal),
        }

    def _trump(self, trump: Phrase) -> Json:
        """The word for it, and its suit letter where it is a suit."""
        suit = dict(trump.slots).get("suit", "")
        return {"l": joined(self._words.phrase(trump)), "suit": suit}

    def _bottom(self, bottom: Bottom) -> Json:
        label = bottom.label and joined(self._words.phrase(bottom.label))
        found = {"c": _cards(bottom.cards), "n": bottom.count, "l": label or ""}
        return {**found, "t": letters(bottom.turned)} if bottom.turned else found

    def _shows(self, shows: tuple[Shown, ...]) -> list[Json]:
        """Cards shown, in order; the last that has made a trump stands, or the last of all."""
        made = [at for at, show in enumerate(shows) if "trump" in dict(show.label.slots)]
        stands = made[-1] if made else len(shows) - 1
        return [
            {
                "s": show.seat,
                "c": letters(show.cards),
                "l": joined(self._words.phrase(show.label)),
                "stands": at == stands,
            }
            for at, show in enumerate(shows)
        ]

    def _moved(self, moved: Moved) -> Json:
        """Cards from `s` to `to`; a seat, or null for the bottom."""
        label = joined(self._words.phrase(moved.label))
        cards = {"c": _cards(moved.cards), "n": moved.count}
        return {"s": moved.source, "to": moved.target, **cards, "l": label}

    def _attempt(self, attempt: Attempt) -> Json:
        return {"s": attempt.seat, "c": letters(attempt.cards), "by": attempt.beaten_by}

    def _track(self, track: Track) -> Json:
        words = self._words
        return {
            "l": joined(words.phrase(track.name)),
            "team": track.team,
            "steps": [words(step) for step in track.steps],
            "at": track.at,
            "notes": [joined(words.phrase(note)) for note in track.notes],
        }

    def _goal(self, goal: Goal) -> Json:
        name = joined(self._words.phrase(goal.name))
        return {"l": name, "value": goal.value, "target": goal.target}

    def _seat(self, seat: SeatView) -> Json:
        words = self._words
        return {
            "c": _cards(seat.cards),
            "n": seat.count,
            "g": seat.groups,
            "roles": [words(role) for role in seat.roles],
            "team": seat.team,
            "level": seat.level and words(seat.level),
            "points": seat.points,
            "last": seat.last and self._laid(seat.last),
            "marks": [joined(words.phrase(mark)) for mark in seat.marks],
        }

    def _laid(self, laid: Laid) -> Json:
        cards = laid_json(laid.cards, laid.wilds, self._words)
        return {"s": laid.seat, **cards, "l": joined(self._words.phrase(laid.label))}

    def _value(self, value: int | str | bytes) -> str | list[Piece]:
        match value:
            case bytes():
                return [("c", letters(value))]
            case str() if "." in value:
                return self._words(value)
            case _:
                return str(value)


def must_json(board: Board, words: Words) -> list[str | list[Piece]]:
    """What the answer must contain; behind the play to beat, what its wild jokers stand for."""
    beat = board.to_beat
    found = []
    for phrase in board.prompt.obligations:
        pieces = words.phrase(phrase)
        if beat is not None and beat.wilds and ("c", letters(beat.cards)) in pieces:
            at = pieces.index(("c", letters(beat.cards)))
            remark = words("view.js.remark", text=words.wilds(beat.cards, beat.wilds))
            pieces.insert(at + 1, f" {remark}")
        found.append(joined(pieces))
    return found


def laid_json(cards: bytes, wilds: Wilds, words: Words) -> Json:
    """Cards that are laid; of wild jokers `w` has a rank for each card, `.` for one that stands
    for itself, and `r` says it in words.
    """
    if not wilds:
        return {"c": letters(cards)}
    ranks = dict(wilds)
    marks = "".join(ranks.get(index, ".") for index in range(len(cards)))
    return {"c": letters(cards), "w": marks, "r": words.wilds(cards, wilds)}


def _cards(cards: bytes | None) -> str | None:
    return None if cards is None else letters(cards)


def _differing(old: Json, new: Json) -> Json:
    return {key: value for key, value in new.items() if old[key] != value}


def joined(pieces: list[Piece]) -> str | list[Piece]:
    """A phrase as it travels: text alone as text, for most phrases have no slots."""
    if not pieces:
        return ""
    if len(pieces) == 1 and isinstance(pieces[0], str):
        return pieces[0]
    return pieces
