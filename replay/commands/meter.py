"""How far a long command is: one line on stderr with the time left, on terminals alone."""

import sys
import time
from types import TracebackType
from typing import Self

from replay.messages import text

_BETWEEN = 0.1
"""Seconds between two drawings."""
_BAR = 24
_CLEAR = "\r\x1b[2K"


class Meter:
    """Counts up to `total`; use as a context manager, so that its line is gone at the end."""

    def __init__(self, total: int, lang: str) -> None:
        """`total` in any unit; 0 draws nothing."""
        self._total = total
        self._lang = lang
        self._done = 0
        self._is_shown = False
        self._is_wanted = total > 0 and sys.stderr.isatty()
        self._began = self._drawn = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.clear()

    def add(self, n: int) -> None:
        """So much more is done."""
        self._done += n
        if self._is_wanted and time.monotonic() - self._drawn >= _BETWEEN:
            self._draw()

    def reach(self, done: int, total: int) -> None:
        """So much is done in all, of so much."""
        self._total = total
        self.add(done - self._done)

    def clear(self) -> None:
        """Take the line away, before something is printed."""
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._is_shown = False

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        share = min(1.0, self._done / self._total)
        bar = "█" * int(share * _BAR)
        left = (self._drawn - self._began) * (1 - share) / share if share else 0.0
        eta = text(self._lang, "cli.eta", seconds=round(left))
        sys.stderr.write(f"{_CLEAR}{bar:░<{_BAR}} {share:4.0%} {eta}")
        sys.stderr.flush()
        self._is_shown = True
