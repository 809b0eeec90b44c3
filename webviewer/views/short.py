"""Short addresses: a form sends all its fields, and what asks for nothing is taken out again."""

from urllib.parse import quote, urlencode

from flask import redirect, request
from werkzeug.wrappers import Response

from replay.reader import LogQuery
from replay.reader.figures import MatchQuery, PlayerQuery
from replay.reader.pages import HandQuery
from webviewer.views.here import pages


def _shown(query: HandQuery) -> dict[str, str]:
    return {"sort": query.sort, "page": "1", "size": str(query.size)}


_PLAIN: dict[str, dict[str, str]] = {
    "pages.hands": _shown(HandQuery()),
    "pages.logs": {"sort": LogQuery().sort, "page": "1"},
    "pages.matches": {"sort": MatchQuery().sort, "page": "1"},
    "pages.players": {"sort": PlayerQuery().sort, "page": "1"},
    "pages.statistics": {},
    "pages.player": {},
}
"""The pages with forms, and what of their parameters says no more than their absence."""


@pages.before_request
def _shortened() -> Response | None:
    """Lead to the same page without parameters that are empty or plain.

    A parameter that comes twice stays: the first of them counts, and the page says so.
    """
    plain = _PLAIN.get(request.endpoint or "")
    if plain is None:
        return None
    asked = request.args
    kept = [
        (name, value)
        for name, value in asked.items(multi=True)
        if len(asked.getlist(name)) > 1 or (value.strip() and plain.get(name) != value.strip())
    ]
    if len(kept) == sum(map(len, asked.listvalues())):
        return None
    # one slash: two would name another host
    path = "/" + quote((request.script_root + request.path).lstrip("/"))
    return redirect(f"{path}?{urlencode(kept)}" if kept else path)
