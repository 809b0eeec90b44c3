"""Runs: neighbouring groups of equal cards, cut into segments that fill the slots of a lead."""

from functools import cache

Lengths = tuple[int, ...]
"""Lengths of runs, or of slots to fill, in groups, longest first."""


def runs(places: dict[int, int], loose: bytes) -> tuple[bytes, ...]:
    """The groups as runs, longest first: `places` maps a place in a line to the face there.

    Faces whose places follow one another make a run, ascending; those of `loose` stand alone.
    """
    found: list[bytearray] = []
    last = -2
    for place in sorted(places):
        if place == last + 1:
            found[-1].append(places[place])
        else:
            found.append(bytearray([places[place]]))
        last = place
    alone = [bytes([face]) for face in loose]
    return tuple(sorted([*map(bytes, found), *alone], key=len, reverse=True))


@cache
def profile(lengths: Lengths, slots: Lengths) -> Lengths:
    """The lexicographically greatest list of segments that fill slots without overfilling one.

    A segment is a part of one run; several may share a slot. Longer is greater where one list
    continues the other. Cut from its end a run leaves one piece, out of which all can be cut that
    two would give: no other cut need be tried.
    """
    if not lengths or not slots:
        return ()
    longest = min(lengths[0], slots[0])
    best: Lengths = ()
    for run in set(lengths):
        if run < longest:
            continue
        for slot in set(slots):
            if slot < longest:
                continue
            rest = _less(slots, slot, slot - longest)
            best = max(best, profile(_less(lengths, run, run - longest), rest))
    return (longest, *best)


def best_cut(found: tuple[bytes, ...], slots: Lengths) -> bytes:
    """Faces whose groups fill the slots by the greatest profile that the runs can reach."""
    lengths = tuple(map(len, found))
    goal = profile(lengths, slots)
    if not goal:
        return b""
    longest = goal[0]
    for index, run in enumerate(found):
        for slot in {slot for slot in slots if slot >= longest}:
            rest = _less(slots, slot, slot - longest)
            parts = (*found[:index], *found[index + 1 :], run[longest:])
            left = tuple(sorted(filter(None, parts), key=len, reverse=True))
            if len(run) >= longest and profile(tuple(map(len, left)), rest) == goal[1:]:
                return run[:longest] + best_cut(left, rest)
    raise AssertionError("the greatest profile has a first segment")


@cache
def fills(lengths: Lengths, slots: Lengths) -> bool:
    """Whether the runs can be cut so that every slot is one segment."""
    if not slots:
        return True
    first, rest = slots[0], slots[1:]
    return any(
        fills(_less(lengths, run, run - first), rest) for run in set(lengths) if run >= first
    )


def _less(lengths: Lengths, taken: int, left: int) -> Lengths:
    """The lengths with one of them replaced by what is left of it."""
    kept = list(lengths)
    kept.remove(taken)
    if left:
        kept.append(left)
    return tuple(sorted(kept, reverse=True))
