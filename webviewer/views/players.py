"""Players: their list, and one player's page."""

from collections.abc import Iterator
from typing import Any, cast

import msgspec
from flask import Response, render_template, request
from msgspec.structs import replace

from replay.reader.figures import PARTS, PLAYER_SORTS, PlayerQuery, PlayerRow
from webviewer import figures_acts as acts
from webviewer.figures import Draft, Shown, share
from webviewer.views.here import link, pages, reader, words
from webviewer.views.statistics import (
    HABITS,
    figures,
    json_of_part,
    kept,
    none_page,
    part_asked,
    scope_asked,
    shown_part,
    table_of,
)
from webviewer.views.tables import download, every_page

SIDES = ("partners", "opponents")
OTHERS = (HABITS, *SIDES)
TOTALS = "totals"
_OF_TOTALS = (
    "game", "hands", "decided", "won", "coins", "best", "worst", "first_hand_ms", "last_hand_ms"
)  # fmt: skip
_COLUMNS = (
    "player_id",
    "player_name",
    "hands",
    "decided",
    "won",
    "coins",
    "games",
    "last_match_ms",
)
_AT_ONCE = 2000
"""Rows that a download asks for at a time."""


def person(player_id: str, endpoint: str = "pages.player", **more: Any) -> str:
    """The address of a player's page; browsers take the ids `.` and `..` for steps in a path."""
    if player_id in (".", ".."):
        return link(endpoint, player_id="-", id=player_id, **more)
    return link(endpoint, player_id=player_id, **more)


def meant(player_id: str) -> str:
    """The id that an address means."""
    return (
        request.args.get("id", "")[:64] if player_id == "-" and "id" in request.args else player_id
    )


def asked() -> PlayerQuery:
    """The list that the address asks for; words that mean nothing count as absent."""
    args = request.args
    sort = args.get("sort", PLAYER_SORTS[0])
    return PlayerQuery(
        game=args.get("game", "")[:64],
        text=args.get("q", "").strip()[:64],
        sort=cast(Any, sort if sort in PLAYER_SORTS else PLAYER_SORTS[0]),
        page=max(1, args.get("page", 1, type=int)),
    )


@pages.get("/players")
def players() -> str:
    """The list of players."""
    if reader().figures is None:
        return none_page(words()("view.nav.players"))
    query = asked()
    asks = {"game": query.game, "q": query.text, "sort": query.sort}
    plain = {"sort": PLAYER_SORTS[0]}
    return render_template(
        "players.html", found=figures().players(query), query=query, sorts=PLAYER_SORTS,
        kept={k: v for k, v in asks.items() if v and v != plain.get(k)}, person=person,
        share=share,
    )  # fmt: skip


@pages.get("/players/table.<form>")
def players_table(form: str) -> Response:
    """All players that the address asks for, as a file."""
    return download(form, "players", _COLUMNS, map(_told, _all(asked())))


def _all(query: PlayerQuery) -> Iterator[PlayerRow]:
    """Every player of a list."""
    for found in every_page(lambda n: figures().players(replace(query, page=n, size=_AT_ONCE))):
        yield from found.rows


def _told(row: PlayerRow) -> tuple[object, ...]:
    who = row.player
    return who.id, who.name, row.hands, row.decided, row.won, row.coins, row.games, row.last


@pages.get("/player/<player_id>")
def player(player_id: str) -> str:
    """One player; `part` asks for the table of one section."""
    if reader().figures is None:
        return none_page(words()("view.nav.players"))
    scope, part = scope_asked(meant(player_id)), part_asked(OTHERS)
    page = figures().player(scope)
    return render_template(
        "player.html", page=page, scope=scope, kept=kept(scope), parts=(*PARTS, *OTHERS),
        part=part, shown=_shown(part, scope.player) if part else None, person=person, share=share,
        hands_of=Draft(scope, words(), link).hands,
    )  # fmt: skip


def _shown(part: str, player_id: str) -> Shown:
    scope = scope_asked(player_id)
    if part not in SIDES:
        return shown_part(part, scope)
    found = figures().met(scope, cast(Any, part))
    return acts.met(words(), found, person)


@pages.get("/player/<player_id>/figures.json")
def player_figures(player_id: str) -> Response:
    """One part of a player's page."""
    return json_of_part(_shown(part_asked(OTHERS) or PARTS[0], meant(player_id)))


@pages.get("/player/<player_id>/table.<form>")
def player_table(player_id: str, form: str) -> Response:
    """One part of a player's page as a file; his totals are one, too."""
    scope, part = scope_asked(meant(player_id)), part_asked((*OTHERS, TOTALS)) or PARTS[0]
    if part == TOTALS:
        totals = figures().player(scope).totals
        return download(form, part, _OF_TOTALS, map(msgspec.structs.astuple, totals))
    if part not in SIDES:
        return table_of(part, scope, form)
    found = figures().met(scope, cast(Any, part))
    rows = ((met.game, met.player.id, met.player.name, met.hands, met.won) for met in found)
    return download(form, part, ("game", "player_id", "player_name", "hands", "won"), rows)
