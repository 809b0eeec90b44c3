"""Matches: their list, and one match hand by hand."""

from collections.abc import Iterator
from typing import Any, cast

import msgspec
from flask import Response, render_template, request
from msgspec.structs import replace

from replay.reader.facets import LEVELS
from replay.reader.figures import MATCH_SORTS, MOST_MARKS, MatchHand, MatchQuery, MatchRow
from webviewer.figures_course import course_figure
from webviewer.views.here import link, pages, reader, words
from webviewer.views.players import person
from webviewer.views.statistics import day_asked, figures, none_page
from webviewer.views.tables import download, every_page

_COLUMNS = (
    "match", "file", "game", "player_ids", "player_names", "begun_ms", "duration_ms", "hands",
    "settled", "aborted", "findings", "ended_by", "effect", "winners", "in_progress",
)  # fmt: skip
_OF_HANDS = (
    "hand_id", "hand", "result", "winners", "dealer", "deltas", "level", "score", "levels_before",
    "levels_after", "findings",
)  # fmt: skip
_AT_ONCE = 2000


def asked() -> MatchQuery:
    """The list that the address asks for; words that mean nothing count as absent."""
    args = request.args
    sort, ended = args.get("sort", MATCH_SORTS[0]), args.get("ended", "")
    return MatchQuery(
        game=args.get("game", "")[:64],
        player=args.get("player", "").strip()[:64],
        since=day_asked("since"),
        until=day_asked("until"),
        ended=cast(Any, ended if ended in {"yes", "no"} else ""),
        sort=cast(Any, sort if sort in MATCH_SORTS else MATCH_SORTS[0]),
        page=_page(),
    )


def _page() -> int:
    return max(1, request.args.get("page", 1, type=int))


@pages.get("/matches")
def matches() -> str:
    """The list of matches."""
    if reader().figures is None:
        return none_page(words()("view.nav.matches"))
    query, plain = asked(), MatchQuery()
    names = (name for name in query.__struct_fields__ if name != "page")
    kept = {n: getattr(query, n) for n in names if getattr(query, n) != getattr(plain, n)}
    return render_template(
        "matches.html", found=figures().matches(query), query=query, sorts=MATCH_SORTS, kept=kept,
        person=person,
    )  # fmt: skip


@pages.get("/matches/table.<form>")
def matches_table(form: str) -> Response:
    """All matches that the address asks for, as a file."""
    return download(form, "matches", _COLUMNS, map(_told, _all(asked())))


def _all(query: MatchQuery) -> Iterator[MatchRow]:
    """Every match of a list."""
    for found in every_page(lambda n: figures().matches(replace(query, page=n, size=_AT_ONCE))):
        yield from found.rows


def _told(row: MatchRow) -> tuple[object, ...]:
    fields = msgspec.structs.asdict(row)
    people = fields.pop("players")
    values = list(fields.values())
    return (*values[:3], [who.id for who in people], [who.name for who in people], *values[3:])


@pages.get("/match/<log_id>")
def match(log_id: str) -> str:
    """One match: its hands in order, a chart of how it went."""
    if reader().figures is None:
        return none_page(words()("view.nav.matches"))
    page = figures().match(log_id, _page())
    return render_template(
        "match.html", page=page, row=page.row, person=person, most=MOST_MARKS, letters=LEVELS,
        has_levels=any(hand.after for hand in page.hands),
    )  # fmt: skip


@pages.get("/match/<log_id>/figures.json")
def match_figures(log_id: str) -> Response:
    """The figure of a match."""
    figure = course_figure(figures().course(log_id), words(), link)
    return Response(msgspec.json.encode({"figure": figure}), content_type="application/json")


@pages.get("/match/<log_id>/table.<form>")
def match_table(log_id: str, form: str) -> Response:
    """The hands of a match as a file."""
    return download(form, "match", _OF_HANDS, map(_hand_told, _hands(log_id)))


def _hands(log_id: str) -> Iterator[MatchHand]:
    for found in every_page(lambda n: figures().match(log_id, n)):
        yield from found.hands


def _hand_told(hand: MatchHand) -> tuple[object, ...]:
    row = hand.row
    return (
        row.hand_id, row.index, row.result, row.winners, row.dealer, row.deltas, hand.level or None,
        hand.score, hand.before, hand.after, row.findings,
    )  # fmt: skip
