"""How far a long command is: a bar with the time left on stderr, on terminals alone."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_BETWEEN = 0.1
"""Seconds between two drawings."""


class Meter:
    """Counts up to `total`; use as a context manager, so that the bar is gone at the end."""

    def __init__(self, total: int) -> None:
        """`total` in any unit."""
        self._total = total
        self._done = 0
        self._said = ""
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._drawn = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

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

    def reach(self, done: int, total: int, said: str = "") -> None:
        """So much is done in all, of so much; `said` stands beside the bar."""
        self._total = total
        self._said = said
        self.add(done - self._done)

    def clear(self) -> None:
        """Take the bar away, before something is printed."""
        if self._bar is not None:
            self._bar.stop()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        if self._bar is None:
            self._bar = _bar()
            self._task = self._bar.add_task("", total=self._total)
        assert self._task is not None, "it comes with the bar"
        self._bar.start()
        done = min(self._done, self._total)
        self._bar.update(
            self._task,
            completed=done,
            total=self._total,
            description=self._said,
            refresh=True,
        )


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,  # no thread: processes may still be forked
        transient=True,
        redirect_stdout=False,  # or a piped result would end up on the terminal
        redirect_stderr=False,
    )
