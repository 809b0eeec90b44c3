"""The settlement of 炒地皮, line by line: the score, what it does, the next hand."""

from replay.engine.board import Nth, Phrase, Stated, Told
from replay.engine.chaodipi.levels import FLAG_TO_TAKE, TO_TAKE
from replay.engine.chaodipi.states import RED_FIVES, AwaitingDeal, Over, setting_of, side
from replay.engine.chaodipi.summary import hand_facts
from replay.engine.facts import SeatFacts
from schema.chaodipi import ChaodipiEffect, ChaodipiResult


def sheet(state: Over) -> tuple[Stated | Told, ...]:
    """An escape settles scores and nothing else."""
    escaped = state.settled.result is ChaodipiResult.ESCAPED
    return (*(() if escaped else _score(state)), *_outcome(state), *_next(state))


def _score(state: Over) -> tuple[Stated | Told, ...]:
    """chaodipi-10: points in tricks, the bottom by its factor, failed throws, and the sum."""
    settled, setting = state.settled, setting_of(state)
    assert setting is not None
    attackers = tuple(seat for seat in range(4) if side(seat) != side(setting.dealer))
    needed = FLAG_TO_TAKE if setting.is_flag else TO_TAKE
    return (
        Stated("tricks", attackers),
        Stated("bottom", (Nth(("buried",), -1),)),
        Stated("factor"),
        Told("view.sheet.bottom_counts", (settled.bottom * settled.factor,), sources=("end",)),
        Stated("penalty", ("throw_judged",) if settled.penalty else ()),
        Stated("score"),
        Told("view.sheet.needed", (needed,)),
    )


def _outcome(state: Over) -> tuple[Stated | Told, ...]:
    """chaodipi-11: who wins by which effect, and the levels of every seat's side."""
    facts = hand_facts(state)
    moved = tuple(_moved(seat) for seat in facts.seats)
    return (
        Stated("result"),
        Told("view.sheet.winners", (facts.winners,)),
        Stated("effect", _shown(state)),
        Stated("risen"),
        Told("view.sheet.levels", moved, is_per_seat=True, sources=("end",)),
    )


def _shown(state: Over) -> tuple[Nth, ...]:
    """chaodipi-11.12: the show of a pair of 红桃5, where that is what sets the levels."""
    if state.settled.effect is not ChaodipiEffect.RED_FIVE:
        return ()
    assert not isinstance(state.before, AwaitingDeal)
    rungs = [show.rung for show in state.before.shows]
    return (Nth(("declared", "stirred"), rungs.index(RED_FIVES)),)


def _moved(seat: SeatFacts) -> Phrase:
    before, after = (f"track.level_{level}" for level in (seat.level_before, seat.level_after))
    return Phrase("view.sheet.from_to", (("before", before), ("after", after)))


def _next(state: Over) -> tuple[Stated | Told, ...]:
    """chaodipi-12: game scores; who deals next, unless the match is over."""
    carry = state.settled.next
    failures = tuple(carry.failures[side(seat)] for seat in range(4))
    dealer = () if carry.dealer is None else (carry.dealer,)
    over = Phrase("view.sheet.match_over")
    return (
        *((Told("field.failures", failures, is_per_seat=True),) if any(failures) else ()),
        Stated("deltas", name="view.sheet.scored"),
        Told("field.scores", carry.scores, is_per_seat=True),
        Told("view.sheet.next_dealer", (over if carry.is_over else dealer,)),
    )
