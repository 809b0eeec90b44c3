"""回放码: a place in a hand as a short code with a check character, and the page that opens it.

Eight characters are the first 40 bits of the hand's id, two (or three) the event from 1, one the
seat and what is hidden; the last one checks. static/js/code.js writes the same code.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

from flask import redirect, render_template
from msgspec import Struct
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as BaseResponse

from replay.reader import NotFound
from webviewer.views.here import link, pages, reader, words

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's 32: without I, L, O and U."""
PREFIX_DIGITS = 10
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0"})
_FIRST, _LENGTHS = 8, (12, 13)
_GROUPS = ((4, 4, 4), (4, 4, 4, 1))
_LONGEST = 256
"""Characters of a text in which a code is looked for."""
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff]")
_DASH = re.compile("[\u2010-\u2015\u2212]")
_WORD = re.compile("[0-9A-Z]+")
_WRITTEN = re.compile(r"(?<![0-9A-Z-])(?:[0-9A-Z]{4}-){2}[0-9A-Z]{4}(?:-[0-9A-Z])?(?![0-9A-Z-])")
_NAMED = re.compile("回放码|回放碼")


def _powers() -> tuple[int, ...]:
    """The 31 powers of α in GF(32), modulo x⁵ + x² + 1; no two are equal."""
    found = [1]
    while len(found) < 31:
        following = found[-1] << 1
        found.append(following ^ 37 if following & 32 else following)
    return tuple(found)


_POWERS = _powers()
_LOGS = {value: at for at, value in enumerate(_POWERS)}


class Place(Struct, frozen=True):
    """What a code says: the first digits of a hand's id, the event from 1, the seat, the flags."""

    prefix: str
    event: int
    seat: int = 0
    is_hidden: bool = False
    is_spoiler_free: bool = False

    @property
    def fragment(self) -> str:
        """The place as the hand page's address has it."""
        flags = "h" * self.is_hidden + "s" * self.is_spoiler_free
        return f"{self.event}/{self.seat}" + (f":{flags}" if flags else "")


def code_of(place: Place) -> str:
    """The code of a place, in groups of four."""
    flags = place.seat << 2 | place.is_hidden << 1 | int(place.is_spoiler_free)
    wide = 2 if place.event < 1 << 10 else 3
    values = [*_digits(int(place.prefix, 16), _FIRST), *_digits(place.event, wide), flags]
    code = "".join(ALPHABET[value] for value in [*values, checksum([*values, 0])])
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def _digits(number: int, count: int) -> list[int]:
    return [number >> 5 * at & 31 for at in reversed(range(count))]


def checksum(values: list[int]) -> int:
    """The sum of the values weighted with α to the power of their places from the end.

    0 for a code that is right. All weights differ and none is 0, so that it is not 0 once one
    value is another, or two that differ have changed places.
    """
    total = 0
    for at, value in enumerate(reversed(values)):
        if value:
            total ^= _POWERS[(_LOGS[value] + at) % 31]
    return total


def read(text: str) -> Place | Literal["no_code", "wrong"]:
    """The place that a code says; or that it is none, or one with a wrong character."""
    found: Literal["no_code", "wrong"] = "no_code"
    for letters in _candidates(text):
        place = _read(letters)
        if place is not None:
            return place
        found = "wrong"
    return found


def _candidates(text: str) -> Iterator[str]:
    """What could be a code, as it is written first: groups of four, then any words in a run.

    The longest run comes first, for the first twelve letters of thirteen may be right, too. What
    stands in groups is one code: nothing is read out of a part of it, or of it and what follows.
    """
    plain = _plain(text)
    groups = [found[0].replace("-", "").translate(_READ_AS) for found in _WRITTEN.finditer(plain)]
    rest = [run for part in _WRITTEN.split(plain) for run in _runs(_words(part))]
    for run in [*groups, *rest]:
        if len(run) in _LENGTHS and set(run) <= set(ALPHABET):
            yield run


def _runs(written: list[str]) -> list[str]:
    """Words in a run, put together; words that are the groups of thirteen are one run."""
    if tuple(map(len, written)) == _GROUPS[1]:
        return ["".join(written)]
    runs = {
        "".join(written[start:end])
        for start in range(len(written))
        for end in range(start + 1, min(start + max(_LENGTHS), len(written)) + 1)
    }
    return sorted(runs, key=lambda run: (-len(run), run))


def _plain(text: str) -> str:
    """Capitals of half width with plain hyphens, and nothing that is not seen."""
    plain = unicodedata.normalize("NFKC", text[:_LONGEST]).upper()
    return _DASH.sub("-", _UNSEEN.sub("", plain))


def _words(plain: str) -> list[str]:
    """Letters and digits between all else."""
    return [word.translate(_READ_AS) for word in _WORD.findall(plain)]


def why_no_code(text: str) -> str:
    """The sentence for a text that looks like a code and opens nothing; empty for any other."""
    place = read(text)
    if isinstance(place, Place):
        return words()("view.error.no_code")
    is_code = _NAMED.search(text) or _looks_like_one(_words(_plain(text)))
    return words()(f"view.code.{place}", code=text[:40]) if is_code else ""


def _looks_like_one(written: list[str]) -> bool:
    """Whether it stands in groups of four, or at once with letters that ids of hands lack."""
    lengths = [len(word) for word in written]
    if any(tuple(lengths[at : at + len(g)]) == g for g in _GROUPS for at in range(len(lengths))):
        return True
    return any(len(word) in _LENGTHS and _is_mixed(word) for word in written)


def _is_mixed(word: str) -> bool:
    return set(word) <= set(ALPHABET) and not word.isalpha() and bool(re.search("[G-Z]", word))


def _read(letters: str) -> Place | None:
    """The place of letters of the alphabet, as many as a code has; None if they are wrong."""
    values = [ALPHABET.index(letter) for letter in letters]
    event, flags = _number(values[_FIRST:-2]), values[-2]
    if checksum(values) or not event or flags >> 4:
        return None
    prefix = f"{_number(values[:_FIRST]):0{PREFIX_DIGITS}x}"
    return Place(prefix, event, flags >> 2, bool(flags & 2), bool(flags & 1))


def _number(values: list[int]) -> int:
    total = 0
    for value in values:
        total = total << 5 | value
    return total


def place_of(text: str) -> str | None:
    """The address that a code opens; None if it is none, or no hand here has it."""
    place = read(text)
    if not isinstance(place, Place):
        return None
    match reader().hands_with(place.prefix):
        case ():
            return None
        case (hand,):
            return f"{link('pages.hand', hand_id=hand)}#{place.fragment}"
        case _:
            return link("pages.code", code=text)


@pages.get("/code/<code>")
def code(code: str) -> str | BaseResponse:
    """The hand at the place that a code says; a list where several hands begin like that."""
    place = read(code)
    if not isinstance(place, Place):
        raise BadRequest(words()(f"view.code.{place}", code=code[:40]))
    found = reader().hands_with(place.prefix)
    if not found:
        raise NotFound("code", code)
    addresses = [f"{link('pages.hand', hand_id=hand)}#{place.fragment}" for hand in found]
    if len(found) == 1:
        return redirect(addresses[0])
    return render_template("code.html", code=code, hands=list(zip(found, addresses, strict=True)))
