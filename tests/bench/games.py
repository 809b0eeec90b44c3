"""The games that are measured, and for each the matches that it is measured with."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from replay.players.simulate import Plan, simulate
from schema.events import Fact
from schema.items import Hand
from schema.logfile import Log, open_log
from schema.records import Head
from schema.seal import write_live
from schema.textform import write_text


class Subject(Struct, frozen=True):
    """A game and the facts a second that verifying a sealed log of it is to reach."""

    game: str
    budget: int


SUBJECTS = (
    Subject("dagong", budget=250_000),
    Subject("chibi_dagun", budget=250_000),
    Subject("chaodipi", budget=150_000),
    Subject("gunzi", budget=150_000),
)
"""One line a game."""

LIVE_SHARE = 0.5
"""A live file is to be verified at least this fast, as a share of the budget."""
SHORT_MATCH = 20
"""Hands of a short match."""
SEED = 7


class Match(Struct, frozen=True):
    """What a game's matches hold, one or as many as the hands take; `bytes` of each form."""

    game: str
    files: int
    hands: int
    facts: int
    claims: int
    bytes: dict[str, int]


Paths = tuple[Path, ...]


class Material(Struct, frozen=True, eq=False):
    """Matches in all forms, a file each, short ones, and the hands of the first in memory.

    A game that ends its matches by itself has many, any other one.
    """

    subject: Subject
    sealed: Paths
    live: Paths
    text: Paths
    short: Paths
    head: Head
    hands: tuple[Hand, ...]
    said: Match


def material(subject: Subject, n_hands: int, folder: Path) -> Material:
    """The `n_hands` that sensible players play, always the same, written to `folder`."""
    sealed = play(subject.game, n_hands, folder / "match")
    live = _rewritten(sealed, folder / "live", write_live)
    text = _rewritten(sealed, folder / "text", write_text)
    hands = tuple(hand for path in sealed for hand in hands_of(path))
    return Material(
        subject=subject,
        sealed=sealed,
        live=live,
        text=text,
        short=_short_matches(subject.game, max(1, n_hands // 4), folder / "short"),
        head=_head(sealed[0]),
        hands=hands,
        said=_match(subject.game, hands, {"sealed": sealed, "live": live, "text": text}),
    )


def play(game: str, n_hands: int, folder: Path) -> Paths:
    """So many hands of this game as sealed files in `folder`, one a match."""
    return simulate(Plan(game=game, hands=n_hands, seed=SEED), folder).paths


def hands_of(path: Path) -> list[Hand]:
    """The hands of a log."""
    with path.open("rb") as stream:
        return [item for item in open_log(stream).items() if isinstance(item, Hand)]


def _head(path: Path) -> Head:
    with path.open("rb") as stream:
        return open_log(stream).head


def _rewritten(sealed: Paths, folder: Path, write: Callable[[Log, BinaryIO], object]) -> Paths:
    """The same logs in another form."""
    folder.mkdir()
    for path in sealed:
        with path.open("rb") as stream, (folder / path.name).open("wb") as sink:
            write(open_log(stream), sink)
    return tuple(folder / path.name for path in sealed)


def _short_matches(game: str, n_hands: int, folder: Path) -> Paths:
    plan = Plan(game=game, hands=n_hands, seed=SEED, hands_per_file=SHORT_MATCH)
    return simulate(plan, folder).paths


def _match(game: str, hands: tuple[Hand, ...], files: dict[str, Paths]) -> Match:
    facts = sum(isinstance(event, Fact) for hand in hands for event in hand.events)
    claims = sum(len(hand.events) for hand in hands) - facts
    sizes = {form: sum(path.stat().st_size for path in paths) for form, paths in files.items()}
    return Match(game, len(files["sealed"]), len(hands), facts, claims, sizes)
