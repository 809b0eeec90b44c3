"""The list of hands, its filters and its charts."""

from typing import Any, cast

from flask import Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from replay.reader import SORTS, HandQuery
from webviewer.charts import result_shares, seat_bias
from webviewer.views.codes import place_of
from webviewer.views.here import pages, reader, words

PAGE_SIZES = (25, 50, 100, 200)


def asked() -> HandQuery:
    """The query that the URL states; words that mean nothing count as absent."""
    args = request.args
    findings = args.get("findings", "")
    sort = args.get("sort", SORTS[0])
    size = args.get("size", 50, type=int)
    return HandQuery(
        game=args.get("game", "")[:64],
        player=args.get("player", "").strip()[:64],
        result=args.get("result", "")[:64],
        findings=cast(Any, findings if findings in {"some", "none"} else ""),
        text=args.get("q", "").strip()[:64],
        log_id=args.get("log", "")[:128],
        sort=sort if sort in SORTS else SORTS[0],
        page=max(1, args.get("page", 1, type=int)),
        size=size if size in PAGE_SIZES else 50,
    )


@pages.get("/")
def hands() -> str | BaseResponse:
    """List of hands: filters, facets, pages. A replay code in its search opens the hand."""
    if place := place_of(request.args.get("q", "")):
        return redirect(place)
    query = asked()
    return render_template(
        "hands.html", found=reader().hands(query), query=query, sorts=SORTS, kept=_kept(query)
    )


def _kept(query: HandQuery) -> dict[str, Any]:
    """The parameters of a query that are not as they are by default, for links to its siblings."""
    names = {"text": "q", "log_id": "log"}
    plain = HandQuery()
    return {
        names.get(field, field): getattr(query, field)
        for field in query.__struct_fields__
        if field != "page" and getattr(query, field) != getattr(plain, field)
    }


@pages.get("/charts.json")
def overview() -> Response:
    """The figures of the list page, over the hands that match."""
    overview = reader().overview(asked())
    return jsonify(results=result_shares(overview, words()), seats=seat_bias(overview, words()))
