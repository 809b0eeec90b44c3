"""One trick: who is to play, and whose it is. What can beat what is the game's to say."""

from collections.abc import Callable
from typing import TypeVar

from replay.engine.mechanics.seats import N_SEATS

T = TypeVar("T")


def first_unbeaten(plays: tuple[T, ...], beats: Callable[[T, T], bool]) -> int:
    """The place of the play that no later one beats: an equal one comes too late."""
    best = 0
    for place in range(1, len(plays)):
        if beats(plays[place], plays[best]):
            best = place
    return best


SEATS_FROM = tuple(
    tuple((leader + place) % N_SEATS for place in range(N_SEATS)) for leader in range(N_SEATS)
)
"""By the leader of a trick: the seats in the order in which they play."""


def laid(leader: int, plays: tuple[T, ...]) -> tuple[tuple[int, T], ...]:
    """The plays of a trick with their seats, in order."""
    return tuple(zip(SEATS_FROM[leader], plays, strict=False))


def seat_at(leader: int, place: int) -> int:
    """Who plays at a place of a trick, 0 being the leader's."""
    return (leader + place) % N_SEATS
