"""Statistics over all hands: is the deal fair, who wins as what, how hands end, when, how fast."""

import shlex
from datetime import date
from typing import Any, cast

import msgspec
from flask import Response, render_template, request

from replay.reader import NotFound
from replay.reader.figures import PARTS, Figures, Part, Scope
from webviewer import figures_acts as acts
from webviewer.figures import Draft, Shown
from webviewer.views.here import link, pages, reader, words
from webviewer.views.tables import download

HABITS = "habits"
_OF_TALLIES = ("game", "value", "hands", "decided", "won", "coins")


def figures() -> Figures:
    """What counts; NotFound over plain logs, where nothing is counted."""
    found = reader().figures
    if found is None:
        raise NotFound("figures", reader().title)
    return found


def none_page(title: str) -> str:
    """The page that says how an archive is made."""
    path = shlex.quote(str(reader().path))
    return render_template("figures_none.html", title=title, name=reader().title, path=path)


def day_asked(name: str) -> str:
    """A day of the address; what is none counts as absent."""
    try:
        return date.fromisoformat(request.args.get(name, "")).isoformat()
    except ValueError:
        return ""


def scope_asked(player: str = "") -> Scope:
    """The game and the days that the address asks for."""
    game = request.args.get("game", "")[:64]
    return Scope(game, player, day_asked("since"), day_asked("until"))


def kept(scope: Scope) -> dict[str, Any]:
    """The parameters of a scope that ask for something; the player stands in the path."""
    asked = msgspec.structs.asdict(scope)
    return {name: value for name, value in asked.items() if value and name != "player"}


def part_asked(others: tuple[str, ...]) -> str:
    """The part that the address asks for; empty if it asks for none, NotFound for an unknown."""
    part = request.args.get("part", "")[:64]
    if part and part not in (*PARTS, *others):
        raise NotFound("part", part)
    return part


def shown_part(part: str, scope: Scope) -> Shown:
    """A distribution, or what is done."""
    draft = Draft(scope, words(), link)
    if part == HABITS:
        return acts.habits(draft, words(), figures().habits(scope), bool(scope.player))
    return draft.shown(cast(Part, part), figures().tallies(cast(Part, part), scope))


def json_of_part(shown: Shown) -> Response:
    """A part for the page's script."""
    return Response(msgspec.json.encode(shown), content_type="application/json")


def table_of(part: str, scope: Scope, form: str) -> Response:
    """A part as a file, its values as the archive has them."""
    if part == HABITS:
        habits = figures().habits(scope)
        names = ("game", "hands", "acts", "passes", "bombs", "acted_for", "thinking_ms")
        return download(form, part, names, map(msgspec.structs.astuple, habits))
    found = figures().tallies(cast(Part, part), scope)
    return download(form, part, _OF_TALLIES, map(msgspec.structs.astuple, found))


@pages.get("/statistics")
def statistics() -> str:
    """The sections of the page; `part` asks for the table of one, for whoever runs no script."""
    if reader().figures is None:
        return none_page(words()("view.nav.statistics"))
    scope, part = scope_asked(), part_asked((HABITS,))
    shown = shown_part(part, scope) if part else None
    return render_template(
        "statistics.html", scope=scope, kept=kept(scope), parts=(*PARTS, HABITS), part=part,
        shown=shown,
    )  # fmt: skip


@pages.get("/statistics/figures.json")
def statistics_figures() -> Response:
    """One part: its sentences, table and figure."""
    return json_of_part(shown_part(part_asked((HABITS,)) or PARTS[0], scope_asked()))


@pages.get("/statistics/table.<form>")
def statistics_table(form: str) -> Response:
    """One part as a file."""
    return table_of(part_asked((HABITS,)) or PARTS[0], scope_asked(), form)
