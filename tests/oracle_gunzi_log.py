"""What a log of 四副滚子 says, told to the oracle; a state of the engine in the oracle's words."""

from schema.events import Event, TrickWon
from schema.gunzi import BottomShown, GunziCarry, GunziSettled, Redealt, TrumpSet
from tests.oracle_gunzi_cards import LEVELS, SUITS, faces
from tests.oracle_gunzi_score import Carry

Claim = tuple[object, ...]


def carry_of(carry: GunziCarry) -> Carry:
    """What a hand opens with, as the oracle writes it."""
    levels = LEVELS[carry.levels[0] - 1], LEVELS[carry.levels[1] - 1]
    owed = carry.due_for_score, carry.due_for_jokers
    return carry.hand_no, carry.dealer, levels, *owed, carry.is_over


def claim_of(claim: Event) -> Claim:
    """A claim as the oracle writes it."""
    match claim:
        case TrumpSet():
            return ("trump", (*SUITS, "n")[claim.trump], claim.dealer)
        case BottomShown():
            return ("bottom", tuple(faces(claim.cards)), claim.dry)
        case Redealt():
            return ("redealt",)
        case TrickWon():
            return ("trick", claim.seat, claim.points)
        case GunziSettled():
            return (
                "settled",
                *(claim.tricks, claim.fate.name, claim.bottom, claim.factor, claim.score),
                *(claim.result.name, claim.ending.name, claim.risen, carry_of(claim.next)),
            )
        case _:
            raise AssertionError(f"no claim of the oracle's: {claim}")
