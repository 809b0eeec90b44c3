"""The filters of the list of hands: out of an address, and back into links."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from flask import request
from msgspec import Struct
from werkzeug.exceptions import BadRequest

from replay.reader import SORTS, HandQuery
from replay.reader.facets import LEVELS
from webviewer.views.here import link, words
from webviewer.words import Words

PAGE_SIZES = (25, 50, 100, 200)

_PARAMETERS = {"text": "q", "log_id": "log", "player_id": "id"}
"""What a field is called in an address, where that is not its own name."""
_LONGEST = 128
_MOST = 1_000_000_000
_NUMBER = re.compile(r"-?[0-9]{1,10}")
_PLAIN = HandQuery()
_SHOWN = ("sort", "page", "size")
"""Fields that say how to show hands, not which."""


class Notice(Struct, frozen=True):
    """A value of the address that means nothing: which parameter, what it said, and why not."""

    parameter: str
    value: str
    why: str


class Asked(Struct, frozen=True):
    """What an address asks for, and what of it means nothing and is left out."""

    query: HandQuery
    notices: tuple[Notice, ...]


class Chip(Struct, frozen=True):
    """An active filter: what it is about, its value in words, and the list without it."""

    label: str
    value: str
    without: str


class _Wrong(Exception):
    """A value that means nothing; the argument is why."""


def _text(value: str) -> str:
    if len(value) > _LONGEST:
        raise _Wrong("long")
    return value


def _day(value: str) -> str:
    try:
        is_day = date.fromisoformat(value).isoformat() == value
    except ValueError:
        is_day = False
    if not is_day:
        raise _Wrong("day")
    return value


def _number(value: str) -> int:
    if not _NUMBER.fullmatch(value) or abs(int(value)) > _MOST:
        raise _Wrong("number")
    return int(value)


def _count(value: str) -> int:
    found = _number(value)
    if found < 0:
        raise _Wrong("number")
    return found


def _one_of(*known: Any) -> Callable[[str], Any]:
    def read(value: str) -> Any:
        for each in known:
            if str(each) == value:
                return each
        raise _Wrong("choice")

    return read


def _page(value: str) -> int:
    found = _number(value)
    if found < 1:
        raise _Wrong("number")
    return found


_READ: dict[str, Callable[[str], Any]] = {
    "game": _text,
    "player": _text,
    "player_id": _text,
    "result": _text,
    "findings": _one_of("some", "none"),
    "text": _text,
    "log_id": _text,
    "since": _day,
    "until": _day,
    "mode": _text,
    "level": _one_of(*LEVELS),
    "bombs": _count,
    "longer": _count,
    "shorter": _count,
    "fan": _number,
    "score_from": _number,
    "score_to": _number,
    "seat": _one_of(0, 1, 2, 3),
    "role": _text,
    "won": _one_of("yes", "no"),
    "decided": _one_of("yes", "no"),
    "sort": _one_of(*SORTS),
    "page": _page,
    "size": _one_of(*PAGE_SIZES),
}


def parameter_of(field: str) -> str:
    """What a field is called in an address."""
    return _PARAMETERS.get(field, field)


def asked() -> Asked:
    """The query that the address states; empty values, which a form sends, ask for nothing."""
    found: dict[str, Any] = {}
    notices = []
    for field, read in _READ.items():
        name = parameter_of(field)
        value, *more = [value.strip() for value in request.args.getlist(name)] or [""]
        notices += [Notice(name, again, "again") for again in more]
        if not value:
            continue
        try:
            found[field] = read(value)
        except _Wrong as error:
            notices.append(Notice(name, value, str(error)))
    known = {"lang", *map(parameter_of, _READ)}
    notices += [
        Notice(name, value, "unknown") for name, value in request.args.items() if name not in known
    ]
    return Asked(HandQuery(**found), tuple(notices))


def asked_exactly() -> HandQuery:
    """The same for what has no place to say so: BadRequest if anything of it means nothing."""
    found = asked()
    if found.notices:
        raise BadRequest(" ".join(said(notice, words()) for notice in found.notices))
    return found.query


def said(notice: Notice, words: Words) -> str:
    """A notice as a sentence."""
    return words(
        f"view.lists.wrong.{notice.why}", name=notice.parameter, value=notice.value[:_LONGEST]
    )


def kept(query: HandQuery) -> dict[str, Any]:
    """The parameters of a query that are not as they are by default, for links to its siblings."""
    return {
        parameter_of(field): getattr(query, field)
        for field in query.__struct_fields__
        if field != "page" and getattr(query, field) != getattr(_PLAIN, field)
    }


def filters(query: HandQuery) -> dict[str, Any]:
    """Of these, those that say which hands."""
    return {name: value for name, value in kept(query).items() if name not in _SHOWN}


def chips(query: HandQuery) -> Iterator[Chip]:
    """The active filters, in the order of the fields."""
    there, say = kept(query), words()
    for field in query.__struct_fields__:
        name = parameter_of(field)
        if name in there and field not in _SHOWN:
            without = {key: value for key, value in there.items() if key != name}
            yield Chip(
                say(f"view.lists.chip.{field}"),
                in_words(field, there[name], say),
                link("pages.hands", **without),
            )


def in_words(field: str, value: Any, say: Words) -> str:
    """A filter's value as people say it; as it is where the catalogue has no word for it."""
    match field:
        case "result":
            found = say.first(f"result.{value}", f"view.{value}")
        case "level":
            found = level_word(value, say)
        case "findings" | "won" | "decided":
            found = say(f"view.lists.{field}.{value}")
        case "seat":
            found = say("view.lists.seat_no", seat=value)
        case "bombs" | "longer" | "score_from":
            found = f"≥ {value}"
        case "shorter" | "score_to":
            found = f"≤ {value}"
        case _:
            found = say.first(f"{field}.{value}")
    return found or str(value)


def level_word(level: str, say: Words) -> str:
    """A level as people say it: 10, 扛旗."""
    return say.first(f"level.{LEVELS.find(level)}") or level


def mode_word(mode: str, say: Words) -> str:
    """A mode as people say it."""
    return say.first(f"mode.{mode}") or mode
