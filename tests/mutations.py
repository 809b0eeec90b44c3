"""What the verifier finds in logs that were changed at one event and then signed anew.

The hands are legal; one event is changed (mutants.py), and the file is chained, framed and sealed
as a lying server would, so that no checksum says anything. The oracle, which shares nothing with
the engine, says where such a log stops being legal, and the verifier must find its first fault
there, neither earlier nor later.

`python -m tests.mutations [--game G] [N]` prints what became of N mutants of each class, of all
games or of one; `python -m tests.mutations [--game G] --clean N` verifies N legal hands of each.
"""

import argparse
import io
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, count
from typing import NamedTuple

from replay.verify import verify
from schema.events import AnyPlay, Event, Fact
from schema.logfile import open_log
from schema.options import Options
from schema.seal import seal
from tests.builders import any_options, head, live_log, schema_of
from tests.games import GAMES, Subject
from tests.mutants import Mutant
from tests.oracle_log import Verdict

Place = tuple[int, int]
"""Hand and event, both from 0."""
Hands = list[list[Event]]
N_HANDS = {"dagong": (2,), "chibi_dagun": (2,), "chaodipi": (2, 2, 6), "gunzi": (2, 2, 6)}
"""Hands of a match; levels are high only after a few."""
POOL = 60
"""Matches to be changed: made once, they serve many mutants."""


class Base(NamedTuple):
    """A legal match to be changed."""

    options: Options
    hands: Hands


class Judged(NamedTuple):
    """One mutant: what was changed, where it stops being legal, and where faults were found."""

    name: str
    base: Base
    hands: Hands
    changed: Place
    flaw: Place | None
    findings: tuple[tuple[Place, str], ...]

    @property
    def first(self) -> Place | None:
        """Where the verifier found the first fault."""
        return self.findings[0][0] if self.findings else None

    @property
    def fate(self) -> str:
        """`at the event`, `later`, or `legal`: there is nothing to be found."""
        if self.first is None:
            return "legal"
        return "at the event" if self.first <= self.latest else "later"

    @property
    def latest(self) -> Place:
        """The last event that still counts as the changed one: for a drop, the next fact."""
        hand, event = self.changed
        if self.name == "drop":
            while not isinstance(self.hands[hand][event], Fact):
                event += 1
        return hand, event


@cache
def base(game: str, number: int) -> Base:
    """A short legal match at a random table; equal numbers give the same."""
    rng = random.Random(f"base {game} {number}")
    options = any_options(rng, GAMES[game].default)
    return Base(options, GAMES[game].match(options, rng.choice(N_HANDS[game]), rng))


def sealed(hands: Sequence[Sequence[Event]], options: Options) -> io.BytesIO:
    """The sealed file of these hands, every sum and leaf in it right."""
    sink = io.BytesIO()
    seal(open_log(io.BytesIO(live_log(hands, head(options)))), sink)
    sink.seek(0)
    return sink


def findings(hands: Sequence[Sequence[Event]], options: Options) -> Iterator[tuple[Place, str]]:
    """Where the verifier finds what in the file of these hands."""
    for found in verify(open_log(sealed(hands, options))).findings:
        assert found.hand is not None
        assert found.event is not None
        yield (found.hand, found.event), found.rule


def flaw(hands: Sequence[Sequence[Event]], options: Options) -> Place | None:
    """Where the oracle finds that this is no legal match; None if it is one.

    A match may open with any balances; what follows is as the hand before leaves it.
    """
    oracle = GAMES[schema_of(options).game].oracle
    stated = getattr(hands[0][1], "carry", None)
    if stated is None:
        return 0, 1
    opening = oracle.first(stated)
    for index, events in enumerate(hands):
        verdict = Verdict(oracle, options, opening)
        for event in events:
            verdict.hear(event)
        if verdict.flaw is not None:
            return index, verdict.flaw
        assert verdict.is_complete
        opening = verdict.carry
    return None


def _hand_of(rng: random.Random, name: str, n_hands: int) -> int:
    """Which hand of a match is changed: any, but for what it may open with.

    A match may open with any coins, so that only what follows can show that they were others; a
    game without coins has one way to open.
    """
    if name.startswith("first opening"):
        return 0
    return rng.randrange(name.startswith("opening"), n_hands)


def mutated(rng: random.Random, subject: Subject, name: str, pool: int = POOL) -> Judged:
    """A mutant of that class, judged by both.

    Made from one of the first `pool` matches; from later ones, if none of those has an occasion.
    """
    for number in chain(rng.sample(range(pool), pool), count(pool)):
        legal = base(subject.name, number)
        if len(legal.hands) < 2:
            continue  # a match that ended with its first hand
        index = _hand_of(rng, name, len(legal.hands))
        if not any(isinstance(event, AnyPlay) for event in legal.hands[index]):
            continue  # aborted before the first lead
        mutant = subject.changes[name](rng, legal.hands[index])
        if mutant is not None:
            return judged(name, legal, index, mutant)
    raise AssertionError("there is always another match")


def judged(name: str, legal: Base, index: int, mutant: Mutant) -> Judged:
    """The match with one of its hands changed, judged by the oracle and by the verifier."""
    hands = [*legal.hands[:index], mutant.events, *legal.hands[index + 1 :]]
    return Judged(
        name=name,
        base=legal,
        hands=hands,
        changed=(index, mutant.at),
        flaw=flaw(hands, legal.options),
        findings=tuple(findings(hands, legal.options)),
    )


def complaint(subject: Subject, case: Judged) -> str | None:
    """What is wrong with how the verifier judged the mutant; None if it is as it must be."""
    if case.first != case.flaw:
        return f"{case.name} at {case.changed}: first fault {case.flaw}, found {case.findings[:2]}"
    if case.name in subject.at_event and case.fate == "later":
        return f"{case.name} at {case.changed}: found only at {case.findings[:2]}"
    if case.name in subject.alone and len(case.findings) > 1:
        return f"{case.name} at {case.changed}: one fault, found {case.findings}"
    return None


# The command line

HEADING = f"{'game':13}{'changed':31}{'at the event':>14}{'later':>8}{'legal':>8}"


def table(rng: random.Random, subject: Subject, n: int) -> tuple[list[str], list[str]]:
    """The fates of n mutants of each class, a line each, and every complaint."""
    lines, complaints = list[str](), list[str]()
    for name in subject.changes:
        fates: Counter[str] = Counter()
        for _ in range(n):
            case = mutated(rng, subject, name, max(n, POOL))
            fates[case.fate] += 1
            wrong = complaint(subject, case)
            complaints += [f"{subject.name}: {wrong}"] if wrong else []
        counts = (fates["at the event"], fates["later"], fates["legal"])
        lines.append(f"{subject.name:13}{name:31}{counts[0]:14}{counts[1]:8}{counts[2]:8}")
    return lines, complaints


def clean(rng: random.Random, subject: Subject, n: int) -> list[str]:
    """Findings in at least n legal hands; there should be none."""
    wrong: list[str] = []
    while n > 0:
        options = any_options(rng, subject.default)
        hands = subject.match(options, 10, rng)
        wrong += [f"{place} {rule} {options}" for place, rule in findings(hands, options)]
        n -= len(hands)
    return wrong


def main(arguments: list[str]) -> int:
    """Print one table, or how many legal hands were without fault; status 1 on any complaint."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations")
    parser.add_argument("--game", choices=GAMES, help="one game; without it, every one")
    parser.add_argument("--clean", action="store_true", help="legal hands instead of mutants")
    parser.add_argument("n", nargs="?", type=int, default=100)
    given = parser.parse_args(arguments)
    complaints: list[str] = []
    if not given.clean:
        print(HEADING)
    for subject in [GAMES[given.game]] if given.game else GAMES.values():
        rng = random.Random("mutations")
        if given.clean:
            found = clean(rng, subject, given.n)
            lines = [f"{subject.name}: {given.n} legal hands, {len(found)} findings"]
        else:
            lines, found = table(rng, subject, given.n)
        print(*lines, sep="\n", flush=True)
        complaints += found
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
