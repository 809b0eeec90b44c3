"""One position of a hand: who is to act, which acts are legal, and what forbids another."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from replay.engine.board import Board, Phrase
from replay.engine.game import Game, State
from replay.engine.rule import Breach, RuleViolation
from replay.findings import Finding, of_fault
from replay.verify import HandResult
from replay.walk import Fault, Step
from replay.wilds import Wilds, wilds_of
from schema.events import AnyPlay, By, Fact, Passed, Played, PlayedAs


class Act(Struct, frozen=True):
    """What is asked about: cards, or a pass if there are none."""

    cards: bytes


class CardSet(Struct, frozen=True):
    """Cards that can be laid, and what their wild jokers stand for.

    `seat` is whose they are where several seats may act; None where one is in turn. `picked` are
    the cards taken out of the bottom in return, as far as the eye sees it.
    """

    cards: bytes
    wilds: Wilds = ()
    seat: int | None = None
    picked: bytes = b""


class Group(Struct, frozen=True):
    """The legal acts of one type (a key of the catalogue); `sets` are empty but for plays.

    Cards that wild jokers make several plays of stand there once for each reading.
    """

    type: str
    sets: tuple[CardSet, ...]


class Reading(Struct, frozen=True):
    """Another reading of cards that were asked about, as it would be declared."""

    wilds: Wilds
    label: Phrase
    findings: tuple[Finding, ...]


class Asked(Struct, frozen=True):
    """An act that was asked about: `label` says what it is, `findings` what forbids it.

    `others` are what the cards can be declared to be instead; `picked` as in CardSet.
    """

    cards: bytes
    wilds: Wilds
    label: Phrase
    findings: tuple[Finding, ...]
    others: tuple[Reading, ...]
    picked: bytes = b""


class Position(Struct, frozen=True):
    """What stands before event `event` of a hand, which has `events` of them, as one eye sees it.

    `blocked_by` is the event that leaves the state undefined here; then nothing else is known.
    `board` is None there and before the opening. `player` is who could play cards: the seat in
    turn, who would lead, or the eye where anyone may show cards; None if nobody. `is_sample`:
    `plays` are some of the legal acts. `is_hidden`: none is told to the eye, for
    those that there are, or may be, are other seats'.
    """

    event: int
    events: int
    blocked_by: int | None
    board: Board | None
    player: int | None
    plays: tuple[Group, ...]
    is_sample: bool
    is_hidden: bool
    asked: Asked | None


class NobodyPlays(Exception):
    """Cards were asked about where no seat could play; `ask` says what is awaited instead."""

    def __init__(self, ask: str) -> None:
        super().__init__(ask)
        self.ask = ask


def position(
    result: HandResult, event: int, act: Act | None = None, eye: int | None = None
) -> Position:
    """The position before event number `event` (0 to the number of events) of a walked hand.

    An eye is told the acts of its own seat alone, and is answered about no others; None is told
    everything.
    """
    steps = result.steps
    state = steps[event].before if event < len(steps) else steps[-1].state
    blocked_by = _blocked_by(steps[:event])
    if state is None:
        return Position(event, len(steps), blocked_by, None, None, (), False, False, None)
    state = result.game.asked(state)
    facts: list[Any] = [*result.game.plays(state), *result.game.reveals(state)]
    seen = [fact for fact in facts if eye is None or _seat_of(fact) in (None, eye)]
    player = _player(result.game, state, facts, eye)
    board = result.game.view(state, eye)
    return Position(
        event=event,
        events=len(steps),
        blocked_by=blocked_by,
        board=board,
        player=player,
        plays=_groups(result.game, state, board, seen),
        is_sample=bool(seen) and not result.game.lists_all(state),
        is_hidden=not seen and (bool(facts) or _may_others(result.game, state, eye)),
        asked=_asked(result, event, state, act, player, board),
    )


def _seat_of(fact: Fact) -> int | None:
    """Whose act a fact is; None of one that is nobody's, such as a card drawn by chance."""
    seat: int | None = getattr(fact, "seat", None)
    return seat


def _blocked_by(steps: list[Step]) -> int | None:
    blocked = (step.index for step in steps if any(f.kind == "violation" for f in step.faults))
    return next(blocked, None)


def _player(game: Game, state: State, facts: list[Any], eye: int | None) -> int | None:
    """Who would play: whoever is in turn, or who could lead; who looks, where anyone may act."""
    turn = game.turn(state)
    if turn.seat is not None:
        return turn.seat
    lead = next((fact.seat for fact in facts if isinstance(fact, AnyPlay)), None)
    return eye if lead is None and eye in turn.anyone else lead


def _may_others(game: Game, state: State, eye: int | None) -> bool:
    """Whether other seats may act here, should they have the cards: that they have not is theirs
    to know.
    """
    return eye is not None and bool(game.turn(state).anyone)


def _groups(game: Game, state: State, board: Board, facts: list[Any]) -> tuple[Group, ...]:
    """The legal acts by type, those of few cards first; a pass last.

    What an eye does not tell apart, for want of knowing the bottom, stands there once.
    """
    groups: dict[str, list[CardSet]] = {}
    for fact in facts:
        groups.setdefault(game.act_type(state, fact), []).append(_cards(game, state, board, fact))
    return tuple(
        Group(word, tuple(dict.fromkeys(each for each in found if each.cards)))
        for word, found in sorted(groups.items(), key=_size)
    )


def _cards(game: Game, state: State, board: Board, fact: Fact) -> CardSet:
    """The cards of an act, none of a pass."""
    wilds = wilds_of(game, state, fact) if isinstance(fact, AnyPlay) else ()
    seat = _seat_of(fact) if game.turn(state).anyone else None
    return CardSet(_laid_by(fact), wilds, seat, _picked_by(board, fact))


def _laid_by(fact: Fact) -> bytes:
    """The cards that a seat gives away with an act."""
    cards: bytes = getattr(fact, "cards", getattr(fact, "jokers", b""))
    return cards


def _picked_by(board: Board, fact: Fact) -> bytes:
    """What an act takes out of the bottom, for an eye that sees it."""
    if board.bottom is None or board.bottom.cards is None:
        return b""
    picked: bytes = getattr(fact, "picked", b"")
    return picked


def _size(group: tuple[str, list[CardSet]]) -> tuple[bool, int]:
    word, found = group
    return word == "type.pass", min(len(each.cards) for each in found)


def _asked(
    result: HandResult,
    event: int,
    state: State,
    act: Act | None,
    player: int | None,
    board: Board,
) -> Asked | None:
    if act is None:
        return None
    game = result.game
    if player is None:
        raise NobodyPlays(game.turn(state).ask)
    if board.eye not in (None, player):
        return None
    cards = act.cards
    play = Played(0, By.PLAYER, player, cards)
    fact = game.act(state, player, cards)
    return Asked(
        cards=cards,
        wilds=wilds_of(game, state, play),
        label=_said(game, state, fact),
        findings=_findings(result, event, state, fact),
        others=tuple(
            _reading(result, event, state, other) for other in game.declarable(state, player, cards)
        ),
        picked=_picked_by(board, fact),
    )


def _reading(result: HandResult, event: int, state: State, fact: Fact) -> Reading:
    assert isinstance(fact, PlayedAs)
    game = result.game
    findings = _findings(result, event, state, fact)
    return Reading(wilds_of(game, state, fact), game.label(state, fact), findings)


def _findings(result: HandResult, event: int, state: State, fact: Fact) -> tuple[Finding, ...]:
    """What would be wrong with a fact, as it would be found at this event."""
    faults = tuple(_faults(result.game, state, fact))
    last = len(result.steps) - 1  # behind it nothing has a place in the file
    step = Step(min(event, last), fact, state, None, 0, faults, ())
    return tuple(of_fault(result.game, result.hand, step, fault) for fault in faults)


def _said(game: Game, state: State, fact: Fact) -> Phrase:
    """What an act that was asked about is; of what is no play its type says it."""
    match fact:
        case Passed() | Played(cards=b""):
            return Phrase("play.pass")
        case Played() | PlayedAs():
            return game.label(state, fact)
        case _:
            return Phrase(game.act_type(state, fact))


def _faults(game: Game, state: State, fact: Fact) -> Iterator[Fault]:
    """What would be wrong with a fact in this state."""
    breaches: list[Breach] = []
    blocking: tuple[Fault, ...] = ()
    try:
        game.apply(state, fact, breaches)
    except RuleViolation as violation:
        blocking = (Fault("violation", violation.breach),)
    yield from (Fault("breach", breach) for breach in breaches)
    yield from blocking
