"""`python -m tests.make_samples`: write the sample logs, their README and the reports on them.

`--search` first looks for a new seed wherever the one on record no longer shows what it should:
needed when a player plays otherwise than before.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic

from schema.events import Event
from tests.samples.broken import broken_hands
from tests.samples.catalogue import (
    DAMAGE_SEED,
    GAMES,
    REPORTS,
    SAMPLES,
    readme,
    reports,
    samples,
)
from tests.samples.clean import clean_hands, is_shown
from tests.samples.files import good
from tests.samples.seeds import SEEDS_FILE, Make, Seeds, search, seeds
from tests.samples.sorts import Clean, Samples, Staged

_ENOUGH, _MOST = 30, 4_000


def main(arguments: list[str]) -> int:
    """Write everything; 1 if a seed could not be found."""
    started = monotonic()
    if arguments == ["--search"] and not _search():
        return 1
    made = {SAMPLES / sample.path: sample.content() for sample in samples()}
    made[SAMPLES / "README.md"] = readme().encode()
    _write(SAMPLES, made)
    said = {
        REPORTS / name: report.encode()
        for sample in samples()
        for name, report in reports(sample).items()
    }
    _write(REPORTS, said)
    size = sum(map(len, made.values()))
    print(f"{len(made) - 1} samples, {size} bytes, {monotonic() - started:.1f} s")
    return 0


def _write(folder: Path, files: dict[Path, bytes]) -> None:
    """Exactly these files in the folder: what is left of earlier ones goes."""
    for path in [path for path in folder.rglob("*") if path.is_file() and path not in files]:
        path.unlink()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _search() -> bool:
    """Find the seeds that are missing or no longer good; what is found is kept in any case."""
    known: Seeds = seeds() if SEEDS_FILE.exists() else {}
    found: Seeds = {}
    lacking = 0
    for samples_of_game in GAMES:
        game = samples_of_game.game
        kept = found[game] = dict[str, int]()
        for name, make in _makes(samples_of_game):
            seed = known.get(game, {}).get(name)
            if seed is None or make(seed) is None:
                seed = search(make, _ENOUGH, _MOST)
            if seed is not None:
                kept[name] = seed
                continue
            print(f"{game}: {name}: no seed below {_MOST} shows it", file=sys.stderr)
            lacking += 1
    SEEDS_FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return not lacking


def _makes(samples_of_game: Samples) -> Iterator[tuple[str, Make]]:
    """Each sample that has a seed, and the hands that a seed gives it."""
    game = samples_of_game.game
    yield DAMAGE_SEED, lambda seed: good(game, DAMAGE_SEED, seed).hands
    for clean in samples_of_game.clean:
        if isinstance(clean, Clean):
            yield clean.name, partial(_shown, game, clean)
    for broken in samples_of_game.broken:
        if not isinstance(broken.way, Staged):
            yield broken.name, partial(broken_hands, samples_of_game, broken)


def _shown(game: str, sample: Clean, seed: int) -> list[list[Event]] | None:
    hands = clean_hands(game, sample, seed)
    return [hand.events for hand in hands] if is_shown(sample, hands[-1]) else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
