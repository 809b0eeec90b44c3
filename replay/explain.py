"""One position explained: whose turn it was, what was asked, and which plays were legal."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from replay.engine.board import Board, Phrase
from replay.engine.game import Game, State
from replay.engine.rule import Breach, RuleViolation
from replay.findings import Finding, hand_id, of_fault
from replay.folder import Problem
from replay.history import event_text
from replay.verify import HandResult
from replay.walk import Fault, Step
from replay.wording import Words
from schema.cards import cards_text, parse_cards
from schema.events import By, Fact, Passed, Played, SoloAnswered


class Laid(Struct, frozen=True):
    """A play or pass on the table: cards in notation, and what they are in words."""

    seat: int
    cards: str
    play: str


class Group(Struct, frozen=True):
    """The legal acts of one type; `cards` are sets of cards in notation, none for a pass."""

    type: str
    name: str
    cards: tuple[str, ...]


class Ruled(Struct, frozen=True):
    """What a rule says about an act: the sentence about the act, the rule's, the source's."""

    rule: str
    sentence: str
    rule_sentence: str
    source: str
    proof: str


class Asked(Struct, frozen=True):
    """An act that was asked about: `play` says what it is, `rules` what forbids it."""

    act: str
    play: str
    is_legal: bool
    rules: tuple[Ruled, ...]


class Logged(Struct, frozen=True):
    """The event that the log has at this place."""

    event: str
    findings: tuple[Ruled, ...]


class Explained(Struct, frozen=True):
    """A position: that before event `event` of the hand, which has `events` of them.

    `blocked_by` is the event that leaves the state undefined here; then nothing else is known.
    `seat` is None where nobody in particular is to act. `holding` is that of the seat.
    """

    hand: int
    hand_id: str
    event: int
    events: int
    blocked_by: int | None
    phase: str
    trick: int
    seat: int | None
    name: str
    ask: str
    obligations: tuple[str, ...]
    table: tuple[Laid, ...]
    holding: str
    plays: tuple[Group, ...]
    asked: Asked | None
    logged: Logged | None


class Act(Struct, frozen=True):
    """What is asked about: cards, or a pass if there are none."""

    cards: bytes


def explained(result: HandResult, event: int, words: Words, act: Act | None = None) -> Explained:
    """The position before event number `event` (0 to the number of events) of a walked hand."""
    return _Position(result, event, words).explained(act)


class _Position:
    """A state of a hand, and who asks about it."""

    def __init__(self, result: HandResult, event: int, words: Words) -> None:
        self._result = result
        self._game: Game = result.game
        self._number = event
        self._words = words
        self._step = result.steps[event] if event < len(result.steps) else None
        self._state = self._step.before if self._step else result.steps[-1].state

    def explained(self, act: Act | None) -> Explained:
        state, hand, steps = self._state, self._result.hand, self._result.steps
        board = None if state is None else self._game.view(state, None)
        seat = None if board is None else board.prompt.seat
        return Explained(
            hand=hand.index,
            hand_id=hand_id(hand.leaf),
            event=self._number,
            events=len(steps),
            blocked_by=self._blocked_by(),
            phase="" if board is None else self._words(board.phase),
            trick=0 if board is None else board.trick,
            seat=seat,
            name="" if seat is None else self._words.seat(seat),
            ask=self._words("cli.explain.unopened" if board is None else board.prompt.ask),
            obligations=() if board is None else self._obligations(board),
            table=() if board is None else self._table(board),
            holding=_held(board, seat),
            plays=() if state is None else self._plays(state),
            asked=None if act is None or state is None else self._asked(state, act, seat),
            logged=self._logged(),
        )

    def _blocked_by(self) -> int | None:
        """The event before this place that blocks, if one does."""
        for step in self._result.steps[: self._number]:
            if any(fault.kind == "violation" for fault in step.faults):
                return step.index
        return None

    def _obligations(self, board: Board) -> tuple[str, ...]:
        return tuple(map(self._words.phrase, board.prompt.obligations))

    def _table(self, board: Board) -> tuple[Laid, ...]:
        return tuple(
            Laid(laid.seat, cards_text(laid.cards), self._words.phrase(laid.label))
            for laid in board.table
        )

    def _plays(self, state: State) -> tuple[Group, ...]:
        """The legal acts by type, those of few cards first; a pass last."""
        groups: dict[str, list[str]] = {}
        for fact in self._game.plays(state):
            word, cards = self._kind(state, fact)
            groups.setdefault(word, []).append(cards)
        return tuple(
            Group(word, self._words(word), tuple(filter(None, found)))
            for word, found in sorted(groups.items(), key=_size)
        )

    def _kind(self, state: State, fact: Fact) -> tuple[str, str]:
        """The catalogue key of an act's type, and its cards."""
        match fact:
            case Played():
                kind = self._game.label(state, fact).key.rpartition(".")[2]
                return f"type.{_TYPES.get(kind, kind)}", cards_text(fact.cards)
            case Passed():
                return "type.pass", ""
            case SoloAnswered():
                return ("cli.explain.solo_yes" if fact.yes else "cli.explain.solo_no"), ""
            case _:
                raise AssertionError(f"{type(fact).__name__} is no act of a seat")

    def _asked(self, state: State, act: Act, seat: int | None) -> Asked:
        by, at = By.PLAYER, self._player(state, seat)
        fact: Fact = Played(0, by, at, act.cards) if act.cards else Passed(0, by, at)
        label = Phrase("play.pass") if not act.cards else self._game.label(state, fact)
        faults = _faults(self._game, state, fact)
        last = len(self._result.steps) - 1  # behind it nothing has a place in the file
        step = Step(min(self._number, last), fact, state, None, 0, faults, ())
        findings = [of_fault(self._game, self._result.hand, step, fault) for fault in faults]
        return Asked(
            act=cards_text(act.cards),
            play=self._words.phrase(label),
            is_legal=not faults,
            rules=tuple(map(self._ruled, findings)),
        )

    def _player(self, state: State, seat: int | None) -> int:
        """Who would play: whoever is in turn, or who could lead; Problem if nobody."""
        if seat is not None:
            return seat
        for fact in self._game.plays(state):
            if isinstance(fact, Played):
                return fact.seat
        raise Problem("nobody_plays", ask=self._words(self._game.turn(state).ask))

    def _ruled(self, finding: Finding) -> Ruled:
        sentence = finding.zh if self._words.lang == "zh" else finding.en
        return Ruled(finding.rule, sentence, *self._words.rule(finding.rule), finding.proof)

    def _logged(self) -> Logged | None:
        if self._step is None:
            return None
        here = [f for f in self._result.findings if f.event == self._number]
        said = event_text(self._words, self._step.event)
        return Logged(said, tuple(map(self._ruled, here)))


def _size(group: tuple[str, list[str]]) -> tuple[bool, int]:
    word, found = group
    return word == "type.pass", min(map(len, found))


_TYPES = {"single_joker": "single"}
"""Labels of plays that are no types of their own."""


def _held(board: Board | None, seat: int | None) -> str:
    if board is None or seat is None:
        return ""
    held = board.seats[seat].cards
    return "" if held is None else cards_text(bytes(sorted(held, reverse=True)))


def _faults(game: Game, state: State, fact: Fact) -> tuple[Fault, ...]:
    """What would be wrong with a fact in this state."""
    breaches: list[Breach] = []
    blocking: tuple[Fault, ...] = ()
    try:
        game.apply(state, fact, breaches)
    except RuleViolation as violation:
        blocking = (Fault("violation", violation.breach),)
    return (*(Fault("breach", breach) for breach in breaches), *blocking)


def explained_text(found: Explained, words: Words) -> str:
    """A position as text."""
    return "\n".join(_lines(found, words))


def _lines(found: Explained, words: Words) -> Iterator[str]:
    at = [words("cli.hand", n=found.hand)]
    if found.trick:
        at.append(words("cli.trick", n=found.trick))
    yield words.join([*at, words("cli.explain.before", n=found.event, events=found.events)])
    if found.blocked_by is not None:
        yield "  " + words("cli.explain.blocked", n=found.blocked_by)
    else:
        yield from _position(found, words)
    if found.asked is not None:
        yield from _answer(found.asked, words)
    if found.logged is not None:
        yield "  " + words("cli.explain.logged", event=found.logged.event)
        yield from _ruled_lines(found.logged.findings, words)


def _position(found: Explained, words: Words) -> Iterator[str]:
    if found.seat is not None:
        yield "  " + words("cli.turn", seat=found.name) + f" ({found.ask})"
    else:
        yield f"  {found.ask}"
    for obligation in found.obligations:
        yield f"  {words('cli.obligations')}: {obligation}"
    for laid in found.table:
        cards = f"  {_shown(laid.cards, words)}" if laid.cards else ""
        yield f"  {words('cli.explain.table')}: {words.seat(laid.seat)}: {laid.play}{cards}"
    if found.holding:
        yield f"  {words('cli.explain.holding')}: {_shown(found.holding, words)}"
    if found.plays:
        yield from _groups(found.plays, words)


def _groups(groups: Sequence[Group], words: Words) -> Iterator[str]:
    """The legal acts, a line per type."""
    if [group.type for group in groups] == ["type.pass"]:
        yield "  " + words("cli.no_legal_play")
        return
    yield f"  {words('cli.legal_plays')}:"
    for group in groups:
        sets = " | ".join(_shown(cards, words) for cards in group.cards)
        count = f" ({len(group.cards)}): {sets}" if group.cards else ""
        yield f"    {group.name}{count}"


def _answer(asked: Asked, words: Words) -> Iterator[str]:
    cards = _shown(asked.act, words) or words("play.pass")
    if asked.is_legal:
        yield "  " + words("cli.allowed", cards=cards, play=asked.play)
        return
    first = asked.rules[0]
    yield "  " + words("cli.forbidden", cards=cards, reason=first.rule)
    yield from _ruled_lines(asked.rules, words)


def _ruled_lines(rules: Sequence[Ruled], words: Words) -> Iterator[str]:
    for ruled in rules:
        yield f"    !! {ruled.rule}: {ruled.sentence}"
        told: tuple[tuple[str, Any], ...] = (
            ("rule", ruled.rule_sentence),
            ("source", ruled.source),
            ("proof", ruled.proof),
        )
        for word, value in told:
            if value:
                yield f"       {words(f'cli.{word}')}: {value}"


def _shown(cards: str, words: Words) -> str:
    """Cards in notation as people write them."""
    return words.cards(parse_cards(cards))
