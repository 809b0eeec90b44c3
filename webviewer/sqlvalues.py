"""How values of an answer are written: numbers in few digits, times to the millisecond."""

import math
import re

_DIGITS = 4
_LARGE = 1e15
"""From here up a number with a point is written with an exponent: its digits say nothing more."""
_TIMED = re.compile("TIMESTAMP.*|TIME|TIME WITH TIME ZONE|INTERVAL")
_FRACTION = re.compile(r"(?<=:\d\d)\.(\d+)")
_ONLY_ZEROS = "000"


def is_timed(kind: str) -> bool:
    """Whether values of this type may have fractions of seconds."""
    return _TIMED.fullmatch(kind) is not None


def short_number(value: float) -> str:
    """A number with few digits behind the point; the others are in its title."""
    if not math.isfinite(value):
        return str(value)
    if abs(value) >= _LARGE:
        return f"{value:.{_DIGITS + 1}g}".replace("e+", "e")
    if value and abs(value) < 10**-_DIGITS * 10:
        return f"{value:.{_DIGITS}g}"
    return f"{value:.{_DIGITS}f}".rstrip("0").removesuffix(".")


def short_time(value: str) -> str:
    """A moment or a span to the millisecond, `2025-03-01 20:15:00.250`; whole seconds without.

    What is shorter than a millisecond keeps its digits: it is not nothing.
    """
    return _FRACTION.sub(_fraction, value.replace("T", " "))


def _fraction(found: re.Match[str]) -> str:
    digits = found[1].rstrip("0")
    if not digits:
        return ""
    millis = found[1][:3].ljust(3, "0")
    return f".{digits if millis == _ONLY_ZEROS else millis}"
