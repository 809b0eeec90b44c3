"""Whatever is done to the files between runs, the archive holds every hand it ever saw, once."""

import random
from pathlib import Path

import pytest

from tests import archives
from tests.archives import contents, hands, indexed, live, rows, sealed, text

MATCHES = 2
LENGTH = 4


def versions(match: int) -> list[list[tuple[object, ...]]]:
    """The hands of a match as played, and as two other servers might tell it."""
    played = list(hands(LENGTH, seed=match))
    told = [archives.with_false_trick(hand) for hand in played]
    return [played, [played[0], *told[1:]], [*played[:3], told[3]]]  # type: ignore[list-item]


def change(folder: Path, rng: random.Random) -> None:
    """One thing that happens to log files: written, grown, cut short, copied, spoilt, removed."""
    path = folder / f"{rng.randrange(4)}.paipu"
    match = rng.randrange(MATCHES)
    kind = rng.choice(["write", "write", "write", "move", "spoil", "remove"])
    if kind == "write":
        played = rng.choice(versions(match))[: rng.randrange(LENGTH + 1)]
        rng.choice([live, sealed, text])(path, played, match)  # type: ignore[arg-type]
    elif not path.exists():
        return
    elif kind == "move":
        path.rename(folder / f"{rng.randrange(4)}.paipu")
    elif kind == "spoil":
        data = bytearray(path.read_bytes())
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
    else:
        path.unlink()


@pytest.mark.parametrize("seed", range(3))
def test_an_archive_holds_every_hand_it_ever_saw_once(tmp_path: Path, seed: int) -> None:
    """Hands are never lost and never doubled, every log finds its hands, nothing dangles."""
    rng = random.Random(seed)
    logs, archive = tmp_path / "logs", tmp_path / "archive"
    logs.mkdir()
    seen: set[str] = set()
    for _ in range(6):
        for _ in range(rng.randrange(1, 4)):
            change(logs, rng)
        indexed(archive, logs, jobs=1)
        stored = [hand_id for (hand_id,) in rows(archive, "SELECT hand_id FROM hands")]
        named = {hand for (ids,) in rows(archive, "SELECT hand_ids FROM logs") for hand in ids}
        assert len(stored) == len(set(stored))
        assert set(stored) == named
        assert seen <= named
        seen = named
        for table in ("seats", "tricks", "plays"):
            held = rows(archive, f"SELECT DISTINCT hand_id, log_id FROM {table}")
            assert set(held) == set(rows(archive, "SELECT hand_id, log_id FROM hands"))
        assert rows(archive, "SELECT * FROM files ANTI JOIN logs USING (log_id)") == []
        present = {str(path) for path in logs.iterdir()}
        noted = {path for (path,) in rows(archive, "SELECT path FROM files")}
        assert present <= noted
        before = contents(archive)
        assert indexed(archive, logs).unchanged == len(present)
        assert contents(archive) == before
