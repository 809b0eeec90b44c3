"""Levels (级别): places on a ladder, counted from 0."""


def climbed(level: int, by: int, stop: int) -> int:
    """The place after a rise that ends at `stop`; who stands there or above does not move."""
    return level if level >= stop else min(level + by, stop)
