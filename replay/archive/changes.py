"""What an index run says: the sums, and what became of each file that is not as it was."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from replay.cluster.errors import Trouble
from schema.damage import Damage

Kind = Literal[
    "added",
    "grown",
    "rewritten",
    "replaced",
    "shrunk",
    "damaged",
    "copy",
    "part",
    "returned",
    "moved",
    "vanished",
    "forgotten",
    "kept",
    "conflict",
    "unreadable",
    "still_unreadable",
    "unsettled",
    "undone",
    "passed",
    "unlisted",
]
"""`added`, `copy`, `part` (hands of a known log) are files at new paths; `grown` has more hands
than the archive had, `rewritten` the same in other bytes, `shrunk` fewer: it keeps them all.
`replaced`: the path holds another log now, the one before stays. `moved`: a known log is now at
`other`. `vanished`: nothing is there any more; the hands stay, unless a `forgotten` says that
they were taken out, or a `kept` that they could not be: the log `other` shares hands with it, and
is gone too. `returned`: it had vanished, or been cut or spoilt. `damaged`, besides what else
became of it: not all of a log that can be read is as it was written. `conflict`: other hands of
the same match are known.
`unsettled`: it changed while it was read and is left for the next run, as is what is `undone`:
no worker of a cluster could do it. `passed`: no regular
file; `unlisted`: a folder that cannot be read."""
NEWS = frozenset({"added", "copy", "part"})
"""Files that the archive did not know: many in a first run, and no change."""


class Change(Struct, frozen=True):
    """A file, what became of it, and what else belongs to that: a path, or why."""

    kind: Kind
    path: str
    other: str | None = None
    hands: int = 0
    """How many hands came in with it that the archive did not have."""
    damage: Damage | None = None
    """Of a file that is no log: what is wrong with its bytes, in any language."""
    trouble: Trouble | None = None
    """Why it is undone, in both languages."""
    places: int = 0
    """Of a damaged log: in how many places."""


Told = Callable[[Change], None]
"""Hears of a change when it stands in the archive."""


class Progress(Struct, frozen=True):
    """How far a run is: files, bytes to be read, and what was added by now."""

    files: int
    n_files: int
    bytes: int
    n_bytes: int
    hands: int
    plays: int
    path: str
    """The file just done; empty where none was."""


class Summary(Struct):
    """What an index run found: files by what became of them, and rows added."""

    files: int = 0
    added: int = 0
    grown: int = 0
    rewritten: int = 0
    unchanged: int = 0
    shrunk: int = 0
    returned: int = 0
    damaged: int = 0
    copies: int = 0
    conflicts: int = 0
    unreadable: int = 0
    moved: int = 0
    vanished: int = 0
    forgotten: int = 0
    hands: int = 0
    plays: int = 0
    findings: int = 0
    merged: int = 0
    problems: list[str] = []
    """A sentence for each file that is unreadable, damaged, in conflict, changed under the reader,
    or was passed over because it is no regular file, and for each folder that cannot be read."""
    changes: list[Change] = []
    """Every file that is not as the archive knew it, `NEWS` aside, in the order of finding."""


Committed = Callable[[Summary], None]
"""Is given the sums after each commit."""
