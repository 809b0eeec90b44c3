"""Whether seats win alike: what chance explains, and what it does not."""

from collections.abc import Sequence
from math import sqrt
from typing import Literal

Verdict = Literal["few", "alike", "differs"]
FEW = 100
"""Hands below which nothing is said."""
_NINETY_FIVE = 1.959964
_OF_FOUR = 2.497705
"""Standard deviations of 95 % for one seat, and for all four at once (5 % shared by four)."""


def within(won: int, hands: int, z: float = _NINETY_FIVE) -> tuple[float, float]:
    """The interval (Wilson) in which the true share of hands won lies, 0 to 1."""
    if not hands:
        return 0.0, 1.0
    rate, square = won / hands, z * z
    middle = (rate + square / (2 * hands)) / (1 + square / hands)
    half = z * sqrt(rate * (1 - rate) / hands + square / (4 * hands * hands)) / (1 + square / hands)
    return max(0.0, middle - half), min(1.0, middle + half)


def verdict(seats: Sequence[tuple[int, int]]) -> tuple[Verdict, list[int], list[int]]:
    """Of hands won and decided by each seat: the verdict, and the seats above and below.

    A seat differs if the share of all seats together lies outside its interval, which is wide
    enough for all four at once to hold it 95 times in a hundred.
    """
    hands = sum(decided for _, decided in seats)
    if not seats or max(decided for _, decided in seats) < FEW:
        return "few", [], []
    shared = sum(won for won, _ in seats) / hands
    ends = [within(won, decided, _OF_FOUR) for won, decided in seats]
    high = [at for at, (low, _) in enumerate(ends) if low > shared]
    low = [at for at, (_, top) in enumerate(ends) if top < shared]
    return ("differs" if high or low else "alike"), high, low
