"""Seats 0–3 in the order of play, and sets of seats as four-bit masks."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

N_SEATS = 4
ALL_SEATS = 0b1111


def next_seat(seat: int) -> int:
    """下家: the seat that acts after `seat`."""
    return (seat + 1) % N_SEATS


def _next_in(mask: int, seat: int) -> int:
    other = next_seat(seat)
    for _ in range(N_SEATS):
        if mask >> other & 1:
            return other
        other = next_seat(other)
    return -1


NEXT_IN: tuple[tuple[int, ...], ...] = tuple(
    tuple(_next_in(mask, seat) for seat in range(N_SEATS)) for mask in range(ALL_SEATS + 1)
)
"""`NEXT_IN[mask][seat]`: the first seat of `mask` after `seat` in order of play; -1 if none."""


def per_seat(values: Iterable[T]) -> tuple[T, T, T, T]:
    """Four values as one a seat; ValueError for any other number."""
    a, b, c, d = values
    return a, b, c, d


def with_seat(values: tuple[T, T, T, T], seat: int, value: T) -> tuple[T, T, T, T]:
    """The values with `seat`'s replaced."""
    a, b, c, d = values
    if seat == 0:
        return value, b, c, d
    if seat == 1:
        return a, value, c, d
    return (a, b, value, d) if seat == 2 else (a, b, c, value)


def side_role(seat: int, dealer: int | None) -> str:
    """Where partners sit opposite: dealer partner attacker, or player while nobody deals."""
    if dealer is None:
        return "player"
    return ("dealer", "attacker", "partner", "attacker")[(seat - dealer) % N_SEATS]
