"""The golden logs of the format. `python -m tests.golden.format.make` writes them.

A change of any byte is a change of the format: it needs a line under "Log format" in the changelog.
"""

from pathlib import Path

from schema.events import AbortReason, HandAborted
from tests.format_logs import (
    CHAODIPI_HEAD,
    CHIBI_HEAD,
    GUNZI_HEAD,
    START,
    every_event,
    recovered_log,
    sealed,
    short_hand,
    short_log,
    written,
)

FOLDER = Path(__file__).parent


def aborted() -> bytes:
    """A live log of the shortest hand there is."""
    return written([[START, HandAborted(5, AbortReason.DISSOLVED)]])


def golden() -> dict[str, bytes]:
    """Name of each golden file → its bytes as the code of today writes them."""
    live = {
        "empty": written([]),
        "aborted": aborted(),
        "every_event": written([every_event()]),
        "recovered": recovered_log(),
        "many_hands": short_log(70),
        "chibi_dagun_every_event": written([every_event("chibi_dagun/1")], CHIBI_HEAD),
        "chaodipi_every_event": written([every_event("chaodipi/1")], CHAODIPI_HEAD),
        "gunzi_every_event": written([every_event("gunzi/1")], GUNZI_HEAD),
    }
    files = {f"{name}.live.paipu": data for name, data in live.items()}
    files |= {f"{name}.sealed.paipu": sealed(data) for name, data in live.items()}
    files["in_progress.live.paipu"] = written([short_hand(0), short_hand(1)[:2]])
    return files


def main() -> None:
    """Write every golden file."""
    for name, data in golden().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
