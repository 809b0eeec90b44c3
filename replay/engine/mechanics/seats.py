"""Seats 0–3 in the order of play, and sets of seats as four-bit masks."""

N_SEATS = 4
ALL_SEATS = 0b1111


def next_seat(seat: int) -> int:
    """下家: the seat that acts after `seat`."""
    return (seat + 1) % N_SEATS


def _next_in(mask: int, seat: int) -> int:
    for step in range(1, N_SEATS + 1):
        other = (seat + step) % N_SEATS
        if mask >> other & 1:
            return other
    return -1


NEXT_IN: tuple[tuple[int, ...], ...] = tuple(
    tuple(_next_in(mask, seat) for seat in range(N_SEATS)) for mask in range(ALL_SEATS + 1)
)
"""`NEXT_IN[mask][seat]`: the first seat of `mask` after `seat` in order of play; -1 if none."""


def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of a mask, ascending."""
    return tuple(seat for seat in range(N_SEATS) if mask >> seat & 1)
