"""Findings as one seat may read them: what they say of other seats' hidden cards left out."""

import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from replay.engine.board import Board
from replay.engine.game import Game
from replay.findings import Finding
from replay.messages import has, text
from replay.reader.moments import CARD_FIELDS
from replay.verify import HandResult
from replay.walk import Step, told_in
from schema.cards import parse_cards
from schema.events import CallDrawn, Called, Dealt, Event


def seen_by(
    eye: int | None, result: HandResult, findings: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """The findings of a hand as seat `eye` may read them; None reads everything.

    The proof, which is a holding, is for its own seat alone. A finding that names other cards
    than those on the table, and than its own seat's, says no more than which rule it is about.
    """
    if eye is None:
        return findings
    return tuple(_shown(finding, result, eye) for finding in findings)


def _shown(finding: Finding, result: HandResult, eye: int) -> Finding:
    seen = finding if finding.seat == eye else replace(finding, proof="")
    if finding.event is None:
        return seen
    step = result.steps[finding.event]
    is_own = finding.seat == eye
    if not is_own and _is_hidden(result.game, step, eye):
        # Of what lay open there may be a second copy: the same cards prove nothing.
        return _withheld(finding) if _cards(finding.expected + " " + finding.logged) else seen
    own = _own(result.game, step, eye) if is_own else Counter[int]()
    known = [own, *(cards + own for cards in _public(result.game, step, eye))]
    for said in (finding.expected, finding.logged):
        cards = _cards(said)
        if cards and not any(cards <= together for together in known):
            return _withheld(finding)
    return seen


def _own(game: Game, step: Step, eye: int) -> Counter[int]:
    """What a seat knows of itself when it acts: what it lays, and holds before and after."""
    found = Counter(b"".join(_cards_of(step.event)))
    for state in (step.before, step.state):
        if state is not None:
            found |= Counter(game.view(state, eye).seats[eye].cards or b"")
    return found


def _public(game: Game, step: Step, eye: int) -> Iterator[Counter[int]]:
    """Every set of cards that all could see together when the event was over."""
    event = step.event
    if not isinstance(event, Dealt) and not _is_hidden(game, step, eye):
        yield from map(Counter, _cards_of(event))
    boards = [game.view(state, eye) for state in (step.before, step.state) if state is not None]
    yield from _changed(boards)
    for board in boards:
        yield from (Counter(laid.cards) for laid in board.table)
        yield Counter(board.called or b"")
        if board.bottom is not None:
            yield Counter(board.bottom.cards or b"")
            yield Counter(board.bottom.turned)


def _is_hidden(game: Game, step: Step, eye: int) -> bool:
    return game.hidden(told_in(game, step), step.event, eye)


def _changed(boards: list[Board]) -> Iterator[Counter[int]]:
    """What a show shows or replaces, and the cards that change hands with this very event."""
    if len(boards) == 2:
        before, after = boards
        if before.shows != after.shows:
            yield from (Counter(show.cards) for show in after.shows)
        yield from (Counter(move.cards or b"") for move in after.moves[len(before.moves) :])


def _cards_of(event: Event) -> Iterator[bytes]:
    """The fields of an event that are cards."""
    for name in CARD_FIELDS:
        if isinstance(found := getattr(event, name, None), bytes):
            yield found
    if isinstance(event, CallDrawn | Called):
        yield bytes([event.card])


def _cards(said: str) -> Counter[int]:
    """The cards that a side of a finding consists of, or ends in; none if it is about others."""
    words = _WILDS.sub("", said).split()
    while words:
        try:
            return Counter(parse_cards(" ".join(words)))
        except ValueError:
            words = words[1:]
    return Counter()


_WILDS = re.compile(r" \((?:[BR]j=\w ?)+\)$")
"""Behind the cards of a play: what its wild jokers stand for."""


def _withheld(finding: Finding) -> Finding:
    key = f"rule.{finding.rule}"
    zh, en = (text(lang, key) if has(lang, key) else key for lang in ("zh", "en"))
    return replace(finding, zh=zh, en=en, expected="", logged="", proof="")
