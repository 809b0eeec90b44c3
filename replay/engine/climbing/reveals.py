"""Plays that differ in whether they reveal the partner: the called card or another of its rank.

`plays` gives one set of cards for each type and rank, since equal ranks are equally strong. For the
partner before 明鸡 they are not the same: with the called card in it a play reveals him.
"""

from collections.abc import Iterator

from replay.engine.climbing.states import Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play
from schema.cards import BLACK_JOKER, rank


def could_reveal(state: Playing) -> bool:
    """Whether the seat in turn is the partner, not yet revealed, and holds the called card."""
    return (
        state.soloist < 0
        and not state.is_revealed
        and state.turn == state.partner
        and state.called in unpack(state.holdings[state.turn])
    )


def twins(state: Playing, plays: Iterator[Play]) -> Iterator[Play]:
    """Of each of these plays of `could_reveal`'s seat the one that reveals where it does not.

    And the other way round. The same type, rank and strength; none where no other card is held.
    """
    if state.called >= BLACK_JOKER:
        return  # jokers have no equals
    held = list(unpack(state.holdings[state.turn]))
    equal = [code for code in held if code < BLACK_JOKER and rank(code) == rank(state.called)]
    for play in plays:
        left = list(equal)
        for code in play.cards:
            if code in left:
                left.remove(code)
        cards = _swapped(state.called, play.cards, left)
        if cards is not None:
            yield from (
                other
                for other in state.flow.readings(cards)
                if (other.kind, other.rank, other.size) == (play.kind, play.rank, play.size)
            )


def _swapped(called: int, cards: bytes, left: list[int]) -> bytes | None:
    """The cards with the called one in place of an equal one, or the reverse; None if neither."""
    if called in cards:
        other = next((code for code in left if code != called), None)
        if other is None or cards.count(called) > 1:
            return None
        return _with(cards, called, other)
    mine = next((code for code in cards if _is_equal(code, called)), None)
    return None if mine is None or called not in left else _with(cards, mine, called)


def _is_equal(code: int, called: int) -> bool:
    return code < BLACK_JOKER and rank(code) == rank(called)


def _with(cards: bytes, out: int, put: int) -> bytes:
    changed = bytearray(cards)
    changed[changed.index(out)] = put
    return bytes(sorted(changed))
