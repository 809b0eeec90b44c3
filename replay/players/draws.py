"""Draws of chance that come out alike in every Python: only `random()` is asked."""

from random import Random


def below(rng: Random, n: int) -> int:
    """A whole number from 0 to n-1."""
    return int(rng.random() * n)


def millis(rng: Random, least: int, spread: int) -> int:
    """A time of at least `least` ms and up to `spread` more."""
    return least + below(rng, spread)
