"""Where what is dear to make is kept: outside the repository, found by what determines it."""

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

Say = Callable[[str], None]


def cache() -> Path:
    """The folder of the bench in the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "paipu-bench"


def key(*parts: object) -> str:
    """A name for what these values determine."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def digest_of(folders: Iterable[Path], without: Container[str]) -> str:
    """A name for the programs in these folders, but for the modules of these names."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            if path.name not in without:
                found.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def kept(place: Path, make: Callable[[Path], None]) -> Path:
    """What stands at `place`, made there if it is not: under another name until it is whole."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        making = place.with_name(f"{place.name}.making")
        remove(making)
        make(making)
        making.rename(place)
    return place


def remove(place: Path) -> None:
    """A file or folder, if it is there; what an archive holds may be read only."""
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


@contextmanager
def alone(folder: Path, say: Say) -> Iterator[None]:
    """Only one bench at a time makes things in `folder`; another one waits, and says so."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another bench is at work in {folder}: waiting for it …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Progress:
    """Says how far something is, how fast, and how long it will take; not too often."""

    def __init__(self, total: int, unit: str, say: Say, every: float = 5.0) -> None:
        """`every`: seconds between two sentences."""
        self._total, self._unit, self._say, self._every = total, unit, say, every
        self._begun = self._said = time.monotonic()

    def reach(self, done: int) -> None:
        """So much is done in all."""
        now = time.monotonic()
        if done and now - self._said >= self._every:
            self._said = now
            rate = done / (now - self._begun)
            left = (self._total - done) / rate
            self._say(
                f"  {done:,} of {self._total:,} {self._unit}, {rate:,.0f}/s, {_span(left)} left"
            )


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
