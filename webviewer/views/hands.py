"""The list of hands: its filters, its charts, and all of it as a file."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from flask import Response, jsonify, redirect, render_template, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as BaseResponse

from replay.reader import SORTS, Count, HandList, HandQuery, HandRow, Overview
from webviewer.charts import result_shares, seat_bias
from webviewer.views.codes import place_of, why_no_code
from webviewer.views.filters import (
    PAGE_SIZES,
    Notice,
    asked,
    asked_exactly,
    chips,
    filters,
    in_words,
    kept,
    level_word,
    mode_word,
    said,
)
from webviewer.views.here import link, pages, reader, words
from webviewer.views.tables import Row, download

IN_FORM = frozenset(
    [
        "q",
        "player",
        "since",
        "until",
        "game",
        "result",
        "mode",
        "level",
        "bombs",
        "longer",
        "shorter",
        "findings",
        "sort",
    ]
)
"""Parameters that the form has fields for; the others travel hidden."""
_COLUMNS = [
    "hand_id",
    "log_id",
    "log",
    "hand",
    "game",
    "started_at",
    "result",
    "mode",
    "level",
    "fan",
    "score",
    "dealer",
    "winners",
    "bombs",
    "events",
    "findings",
]
_OF_SEAT = ("id", "name", "role", "delta")


@pages.get("/")
def hands() -> str | BaseResponse:
    """List of hands: filters, facets, pages. A replay code in its search opens the hand."""
    if place := place_of(request.args.get("q", "")):
        return redirect(place)
    found = asked()
    query, notices = found.query, [said(notice, words()) for notice in found.notices]
    listed = reader().hands(query)
    if query.page > listed.page:
        notices.append(said(Notice("page", str(query.page), "far"), words()))
    if not listed.total and (sentence := why_no_code(query.text)):
        notices.append(sentence)
    return render_template(
        "hands.html",
        found=listed,
        query=query,
        notices=notices,
        chips=list(chips(query)),
        sorts=SORTS,
        sizes=PAGE_SIZES,
        kept=kept(query),
        hidden={name: value for name, value in kept(query).items() if name not in IN_FORM},
        level_word=lambda level: level_word(level, words()),
        mode_word=lambda mode: mode_word(mode, words()),
        in_words=lambda field, value: in_words(field, value, words()),
        modes=_modes(listed, query),
    )


def _modes(listed: HandList, query: HandQuery) -> list[Count]:
    """The modes to choose from; not one that a level says in the same word, of as many hands."""
    say = words()
    levels = {(level_word(level.value, say), level.n) for level in listed.levels}
    return [
        mode
        for mode in listed.modes
        if mode.value == query.mode or (mode_word(mode.value, say), mode.n) not in levels
    ]


@pages.get("/charts.json")
def overview() -> Response:
    """The figures of the list page, over the hands that match; each bar links to its hands."""
    query = asked().query
    found = reader().overview(query)
    return jsonify(
        results=result_shares(found, words()),
        seats=seat_bias(found, words()),
        links={"results": _of_results(found, query), "seats": _of_seats(found, query)},
    )


def _of_results(found: Overview, query: HandQuery) -> list[tuple[str, str]]:
    """What each bar says, and the address of its hands, in the order of the bars."""
    there = filters(query)
    return [
        (
            f"{words().result(count.value)} {count.n:,}",
            link("pages.hands", **{**there, "result": count.value}),
        )
        for count in sorted(found.results, key=lambda count: count.n)
    ]


def _of_seats(found: Overview, query: HandQuery) -> list[tuple[str, str]]:
    there = {k: v for k, v in filters(query).items() if k not in ("seat", "role", "won")}
    return [
        (
            words()(
                "view.lists.seat_won",
                seat=words()("view.lists.seat_no", seat=seat),
                won=f"{tally.won:,}",
                hands=f"{tally.hands:,}",
                share=f"{100 * tally.won / tally.hands:.1f}" if tally.hands else "0",
            ),
            link("pages.hands", **{**there, "seat": seat, "won": "yes"}),
        )
        for seat, tally in enumerate(found.seats)
    ]


@pages.get("/hands.<form>")
def hands_table(form: str) -> Response:
    """All hands that match, as CSV or JSON: in the order asked for, else in that of the logs."""
    query = asked_exactly()
    if "sort" not in request.args:
        query = replace(query, sort="log")
    columns = [*_COLUMNS, *(f"seat{seat}_{name}" for seat in range(4) for name in _OF_SEAT)]
    return download(form, "hands", columns, _rows(reader().every(query)))


def _rows(hands: Iterator[HandRow]) -> Iterator[Row]:
    for row in hands:
        seats: list[Any] = []
        for seat, player in enumerate(row.players):
            role = row.roles[seat] if row.roles else None
            seats += [player.id, player.name, role, row.deltas[seat] if row.deltas else None]
        yield (
            row.hand_id,
            row.log_id,
            row.log_name,
            row.index,
            row.game,
            moment(row.at),
            row.result,
            row.mode,
            row.level,
            row.fan,
            row.score,
            row.dealer,
            list(row.winners),
            row.bombs,
            row.events,
            row.findings,
            *seats,
        )


def moment(millis: int) -> str:
    """Wall time in ISO 8601, UTC; milliseconds where the calendar has no such year."""
    try:
        found = datetime.fromtimestamp(millis / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return str(millis)
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")
