"""`python -m tests.make_samples`: write the sample logs, their README and the reports on them.

`--search` first looks for a new seed wherever the one on record no longer shows what it should:
needed when a player plays otherwise than before.
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from schema.events import Event
from tests.samples.broken import BROKEN, broken_hands
from tests.samples.catalogue import DAMAGE_SEED, REPORTS, SAMPLES, readme, reports, samples
from tests.samples.clean import CLEAN, Clean, clean_hands
from tests.samples.files import good
from tests.samples.seeds import SEEDS_FILE, Make, search

_ENOUGH, _MOST = 12, 4_000


def main(arguments: list[str]) -> int:
    """Write everything; 1 if a seed could not be found."""
    if arguments == ["--search"] and not _search():
        return 1
    _write(SAMPLES / "dagong", {SAMPLES / sample.path: sample.content() for sample in samples()})
    (SAMPLES / "README.md").write_text(readme(), encoding="utf-8")
    said = {
        REPORTS / name: report.encode()
        for sample in samples()
        for name, report in reports(sample).items()
    }
    _write(REPORTS, said)
    size = sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file())
    print(f"{len(list(samples()))} samples, {size} bytes")
    return 0


def _write(folder: Path, files: dict[Path, bytes]) -> None:
    """Exactly these files in the folder: what is left of earlier ones goes."""
    for path in [path for path in folder.rglob("*") if path.is_file() and path not in files]:
        path.unlink()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _search() -> bool:
    """Find the seeds that are missing or no longer good; keep those that are."""
    seeds = json.loads(SEEDS_FILE.read_text("utf-8")) if SEEDS_FILE.exists() else {}
    found: dict[str, int] = {}
    for name, make in _makes():
        seed = seeds.get(name)
        if seed is None or make(seed) is None:
            seed = search(make, _ENOUGH, _MOST)
        if seed is None:
            print(f"{name}: no seed below {_MOST} shows it", file=sys.stderr)
            return False
        found[name] = seed
    SEEDS_FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return True


def _makes() -> Iterator[tuple[str, Make]]:
    """Each sample that has a seed, and the hands that a seed gives it."""
    yield DAMAGE_SEED, lambda seed: good(DAMAGE_SEED, seed).hands
    for clean in CLEAN:
        yield clean.name, partial(_shown, clean)
    for broken in BROKEN:
        yield broken.name, partial(broken_hands, broken)


def _shown(sample: Clean, seed: int) -> list[list[Event]] | None:
    hands = clean_hands(sample, seed)
    return [hand.events for hand in hands] if sample.shows(hands[-1]) else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
