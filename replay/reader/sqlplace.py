"""Where in SQL DuckDB's words point: it quotes a line, perhaps a part of it, with a caret below."""

import re
import unicodedata

_QUOTED = re.compile(r"^LINE (\d+): (.*)\n([ ]*)\^", re.MULTILINE)
_CUT = "..."


def sentence_in(said: str) -> str:
    """What it says, without the line that it quotes."""
    found = _QUOTED.search(said)
    return (said[: found.start()] if found else said).strip()


def place_in(said: str, sql: str) -> tuple[int, int] | None:
    """Line and column, from 1, of the place that is meant; None if none is, or it is not there."""
    found = _QUOTED.search(said)
    if found is None:
        return None
    number, quoted, blanks = int(found[1]), found[2], found[3]
    lines = sql.split("\n")
    at = len(blanks) - len(f"LINE {number}: ")
    if not 1 <= number <= len(lines) or at < 0:
        return None
    # The caret stands where a terminal shows the place: 汉字 are two columns wide, a tab none.
    at = _index(quoted, at)
    line = lines[number - 1]
    if quoted.startswith(_CUT):
        core = quoted.removeprefix(_CUT).removesuffix(_CUT)
        start = line.find(core)
        if start < 0:
            return None
        at += start - len(_CUT)
    return number, max(0, min(at, len(line))) + 1


def _index(quoted: str, columns: int) -> int:
    """How many characters of a line fill so many columns."""
    filled = 0
    for index, character in enumerate(quoted):
        if filled >= columns:
            return index
        filled += _width(character)
    return len(quoted)


def _width(character: str) -> int:
    if unicodedata.category(character) in {"Cc", "Cf", "Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
