"""The settlement of a climbing game, line by line."""

from replay.engine.board import Stated, Told
from replay.engine.facts import HandFacts
from schema.events import ClimbingResult, ClimbingSettled

_TRANSFERRED = (ClimbingResult.POINTS, ClimbingResult.QING)
"""Results of hands that are played to 末游: elsewhere nobody hands over points."""


def sheet(settled: ClimbingSettled, facts: HandFacts, base: int) -> tuple[Stated | Told, ...]:
    """Every field, what the fan multiplies, what the coins are the sum of, the next hand."""
    named = [name for name in settled.__struct_fields__ if name not in ("deltas", "next")]
    idle = () if settled.result in _TRANSFERRED else ("left", "final")
    carry = settled.next
    return (
        *(Stated(name, is_idle=name in idle) for name in named),
        Told("view.sheet.base", (base,)),
        Told("view.sheet.share", (base * settled.fan,)),
        *_parts(facts),
        Stated("deltas"),
        Told("view.sheet.next_dealer", (() if carry.dealer is None else (carry.dealer,),)),
        Told("view.sheet.balances", carry.balances, is_per_seat=True),
    )


def _parts(facts: HandFacts) -> tuple[Told, ...]:
    """What the coins are the sum of, if there are bonuses: of the hand, of the bonuses."""
    bonus = tuple(seat.bonus or 0 for seat in facts.seats)
    if not any(bonus):
        return ()
    won = tuple((seat.delta or 0) - (seat.bonus or 0) for seat in facts.seats)
    return (
        Told("view.sheet.of_hand", won, is_per_seat=True, sources=("end",)),
        Told("view.sheet.of_bonuses", bonus, is_per_seat=True, sources=("dealt",)),
    )
