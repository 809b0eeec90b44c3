"""Which segments to merge: a pure choice, so that many small index runs do not slow reading.

Segments of about one size are merged eight at a time, so a row is rewritten only a few times
however often the archive is added to.
"""

from collections.abc import Sequence
from itertools import groupby

from replay.archive.manifest import Segment

FAN_IN = 8
"""That many segments of one tier become one of the next."""
LARGEST = 1 << 29
"""Bytes from which on a segment is left alone, unless most of it is retired."""
_SMALLEST = 1 << 19


MOSTLY = 0.5
"""The share of a segment's logs that may be retired before it is written anew."""
NONE_LEFT = 0.0
"""The same where what was taken out is to be gone from the files too."""


def to_merge(segments: Sequence[Segment], share: float = MOSTLY) -> list[Segment]:
    """The next segments to write anew as one, in order; empty if there is nothing to do."""
    for segment in segments:
        retired = len(segment.retired)
        if retired > share * (retired + len(segment.shown())):
            return [segment]
    small = sorted((s for s in segments if s.bytes < LARGEST), key=_tier)
    for _, group in groupby(small, key=_tier):
        members = list(group)
        if len(members) >= FAN_IN:
            return members
    return []


def _tier(segment: Segment) -> int:
    """0 up to half a MiB, then one more for every factor of eight."""
    return max(segment.bytes // _SMALLEST, 1).bit_length() // 3
