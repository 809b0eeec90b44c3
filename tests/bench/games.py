"""The games that are measured, and for each the match that it is measured with."""

import io
from pathlib import Path

from msgspec import Struct

from replay.players.simulate import Plan, simulate
from schema.events import Fact
from schema.items import Hand
from schema.logfile import open_log
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
)
"""One line a game."""

LIVE_SHARE = 0.5
"""A live file is to be verified at least this fast, as a share of the budget."""
SHORT_MATCH = 20
"""Hands of a short match."""
SEED = 7


class Match(Struct, frozen=True):
    """What a match holds; `bytes` of each form of its file."""

    game: str
    hands: int
    facts: int
    claims: int
    bytes: dict[str, int]


class Material(Struct, frozen=True, eq=False):
    """One match in all forms, short ones, and the hands of the first in memory."""

    subject: Subject
    sealed: Path
    live: Path
    text: Path
    short: tuple[Path, ...]
    head: Head
    hands: tuple[Hand, ...]
    said: Match


def material(subject: Subject, n_hands: int, folder: Path) -> Material:
    """The match of `n_hands` that sensible players play, always the same, written to `folder`."""
    sealed = play(subject.game, n_hands, folder / "match")
    live, text = folder / "match.paipu", folder / "match.paipu.jsonl"
    log = open_log(io.BytesIO(sealed.read_bytes()))
    with live.open("wb") as sink:
        write_live(log, sink)
    with text.open("wb") as sink:
        write_text(log, sink)
    hands = tuple(item for item in log.items() if isinstance(item, Hand))
    return Material(
        subject=subject,
        sealed=sealed,
        live=live,
        text=text,
        short=_short_matches(subject.game, max(1, n_hands // 4), folder / "short"),
        head=log.head,
        hands=hands,
        said=_match(subject.game, hands, {"sealed": sealed, "live": live, "text": text}),
    )


def play(game: str, n_hands: int, folder: Path) -> Path:
    """A match of this game as a sealed file in `folder`."""
    (path,) = simulate(Plan(game=game, hands=n_hands, seed=SEED), folder).paths
    return path


def _short_matches(game: str, n_hands: int, folder: Path) -> tuple[Path, ...]:
    plan = Plan(game=game, hands=n_hands, seed=SEED, hands_per_file=SHORT_MATCH)
    return simulate(plan, folder).paths


def _match(game: str, hands: tuple[Hand, ...], files: dict[str, Path]) -> Match:
    facts = sum(isinstance(event, Fact) for hand in hands for event in hand.events)
    claims = sum(len(hand.events) for hand in hands) - facts
    sizes = {form: path.stat().st_size for form, path in files.items()}
    return Match(game, len(hands), facts, claims, sizes)
