"""Worked cases of a rule book, one JSON object a line: what the engine gives for each.

`python -m tests.casebook dagong FILE.jsonl…` prints one line for each failing case, then
`N passed, M failed`; exit status 1 if any failed, 2 if a file cannot be read. What the functions
mean stands in each game's rule book; a game adds its module to GAMES.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests import casebook_chaodipi, casebook_chibi_dagun, casebook_dagong, casebook_gunzi
from tests.judge import Judge

Row = dict[str, Any]
"""One case: id, fn, args and expect are read; rule, amb and note are for people."""
CASES = Path(__file__).parent / "cases"


class Book(Struct, frozen=True):
    """How one game's cases are evaluated: `evaluate` takes a row and all rows by id.

    Keys of a result named in `sets` are lists without an order; `judge` judges whole
    hands, where the cases have such.
    """

    evaluate: Callable[[Row, Mapping[str, Row]], object]
    sets: frozenset[str]
    judge: Judge | None


GAMES: dict[str, Book] = {
    "dagong": Book(casebook_dagong.evaluate, frozenset(("random_from",)), casebook_dagong.JUDGE),
    "chibi_dagun": Book(casebook_chibi_dagun.evaluate, frozenset(), casebook_chibi_dagun.JUDGE),
    "chaodipi": Book(casebook_chaodipi.evaluate, frozenset(), None),
    "gunzi": Book(casebook_gunzi.evaluate, frozenset(), None),
}


def read(*paths: Path) -> dict[str, Row]:
    """The cases of the files by id; ValueError names the file and line that is no case."""
    rows: dict[str, Row] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                row = _row(line, f"{path.name}:{number}")
                if row["id"] in rows:
                    raise ValueError(f"{path.name}:{number}: a second case {row['id']!r}")
                rows[row["id"]] = row
    return rows


def _row(line: str, where: str) -> Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: not a line of JSON: {error}") from None
    if not isinstance(row, dict) or not {"id", "fn", "args", "expect"} <= row.keys():
        raise ValueError(f"{where}: expected the keys id fn args expect, found {line[:60]!r}")
    return row


def fault(game: str, row: Row, rows: Mapping[str, Row]) -> str | None:
    """How the case fails, in one line; None if it passes."""
    try:
        found = GAMES[game].evaluate(row, rows)
    except Exception as error:  # whatever a case does to the engine, the other cases are judged
        return f"{row['id']}: {row['fn']}: {type(error).__name__}: {error}"
    sets = GAMES[game].sets
    expect, got = _canonical(row["expect"], sets), _canonical(found, sets)
    return None if expect == got else f"{row['id']}: {row['fn']}: expected {expect}, found {got}"


def _canonical(value: object, sets: frozenset[str]) -> str:
    """JSON text: keys sorted, sets sorted; `1` and `true` differ, as they do in the book."""
    if isinstance(value, dict):
        value = {k: sorted(v) if k in sets else v for k, v in value.items()}
    return json.dumps(value, sort_keys=True)


def main(arguments: list[str]) -> int:
    """The command line: a game and files of cases."""
    if len(arguments) < 2 or arguments[0] not in GAMES:
        print(f"usage: python -m tests.casebook {'|'.join(GAMES)} FILE.jsonl…", file=sys.stderr)
        return 2
    game, paths = arguments[0], map(Path, arguments[1:])
    try:
        rows = read(*paths)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    faults = [text for row in rows.values() if (text := fault(game, row, rows))]
    for text in faults:
        print(text)
    print(f"{len(rows) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
