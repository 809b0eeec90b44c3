"""What a follower owes to a lead, in 活棒 and 死棒 (gunzi-7.4 to 7.7)."""

from msgspec import Struct

from replay.engine.gunzi.order import Context
from replay.engine.gunzi.rules import R
from replay.engine.mechanics.holding import (
    EMPTY,
    count,
    n_exact_pairs,
    n_pairs,
    n_triples,
    size,
    unpack,
)
from schema.options import GunziOptions

PAIR, TRIPLE = 2, 3
_SHIELDED = 4
"""At most so many cards of the suit shield the triple among them (option `dead_triple`)."""


class Owed(Struct, frozen=True):
    """A duty that a play broke: its rule, the cards of the suit that it concerns."""

    rule: R
    cards: bytes


def broken(
    options: GunziOptions, context: Context, suit: int, n: int, holding: int, packed: int
) -> Owed | None:
    """The first duty that a play of `n` cards, `packed` out of `holding`, leaves undone.

    None if it may be played. `suit` is the effective suit led.
    """
    mask = context.masks[suit]
    held, answer = holding & mask, packed & mask
    if not held:
        return None
    if n == 1:
        return None if answer else Owed(R.SUIT, unpack(EMPTY + held))
    if size(answer) < must_follow(options, n, held):
        return Owed(R.SUIT, unpack(EMPTY + held))
    if options.follow_mode == "live":
        return None
    return _dead(n, held, answer)


def must_follow(options: GunziOptions, n: int, held: int) -> int:
    """gunzi-7.4: how many of `n` cards have to be of the suit, of which `held` is held."""
    most = size(held)
    is_dead_pair = n == PAIR and options.follow_mode == "dead"
    if is_dead_pair and options.dead_triple == "shielded" and most <= _SHIELDED:
        most -= TRIPLE * n_triples(held)
    return min(n, most)


def _dead(n: int, held: int, answer: int) -> Owed | None:
    """gunzi-7.7: a pair for a pair, a triple for a triple, else a pair and a single."""
    if n == PAIR:
        if n_exact_pairs(held) and not n_pairs(answer):
            return Owed(R.DEAD, _groups(held, PAIR))
        return None
    if n_triples(held):
        return None if n_triples(answer) else Owed(R.DEAD, _groups(held, TRIPLE))
    if n_pairs(held) and not n_pairs(answer):
        return Owed(R.DEAD, _groups(held, PAIR))
    return None


def _groups(held: int, copies: int) -> bytes:
    """The cards that are held exactly so many times."""
    whole = EMPTY + held
    return bytes(code for code in unpack(whole) if count(whole, code) == copies)
