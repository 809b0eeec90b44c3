"""The pages: hands, one hand, rules, logs. Each is a plain GET whose address says everything."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from flask import Blueprint, Response, current_app, g, jsonify, render_template, request

from replay.reader import SORTS, HandQuery, HandRow, NotFound, Reader, Unreadable
from webviewer.asking import answer
from webviewer.assets import asset
from webviewer.charts import by_trick, result_shares, seat_bias
from webviewer.encode import finding_texts, hand_json
from webviewer.words import Words

pages = Blueprint("pages", __name__)

PAGE_SIZES = (25, 50, 100, 200)
MOST_FINDINGS = 500
"""How many findings the page of a log lists; the hands have pages of their own."""
SCRIPT_WORDS = (
    "announce", "attempted", "before_tricks", "bottom", "bottom_hidden", "called", "can_beat",
    "cards_left", "chart_failed", "chart_none", "checked", "copied", "copy_failed", "event_of",
    "expected", "finding_here", "goal", "hand_of", "hidden_cards", "in_reports", "legal_ask",
    "legal_before", "legal_blocked", "legal_clear", "legal_failed", "legal_hidden", "legal_holding",
    "legal_more", "legal_no", "legal_nobody", "legal_only_pass", "legal_pass", "legal_picked",
    "legal_plays",
    "legal_sample", "legal_then", "legal_yes", "level", "load_failed", "logged",
    "moved_hidden", "moves",
    "no_findings_after", "not_opened", "not_verified", "of_seat", "pause", "play", "points",
    "proof", "remark", "shows", "sit_here", "team", "to_beat", "trick", "trump", "turn",
    "turned_up", "won_trick",
)  # fmt: skip
"""The keys `view.js.*` that the hand page's scripts use."""


def _reader() -> Reader:
    return cast(Reader, current_app.config["READER"])


def _words() -> Words:
    return cast(Words, g.words)


@pages.app_template_filter()
def when(millis: int) -> str:
    """Wall time as `2025-03-01 20:15`, UTC; milliseconds where the calendar has no such year."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{millis} ms"


@pages.app_template_filter()
def add(number: int, more: int) -> int:
    """A sum, for lists of numbers."""
    return number + more


@pages.app_template_filter()
def signed(coins: int) -> str:
    """Coins with their sign; a real minus, so that columns line up."""
    return f"+{coins:,}" if coins > 0 else f"{coins:,}".replace("-", "−")


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
def hands() -> str:
    """List of hands: filters, facets, pages."""
    query = asked()
    return render_template(
        "hands.html", found=_reader().hands(query), query=query, sorts=SORTS, kept=_kept(query)
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
    overview, words = _reader().overview(asked()), _words()
    return jsonify(results=result_shares(overview, words), seats=seat_bias(overview, words))


@pages.get("/hand/<hand_id>")
def hand(hand_id: str) -> str:
    """One hand: the table and everything beside it; the steps come by `steps`."""
    words = _words()
    page = _reader().hand(hand_id, None)
    js = {key: words.open(f"view.js.{key}") for key in SCRIPT_WORDS}
    return render_template(
        "hand.html", page=page, row=page.row, js=js, texts=finding_texts(page, words)
    )


@pages.get("/hand/<hand_id>/steps.json")
def steps(hand_id: str) -> Response:
    """All steps of one hand as one seat sees them; without `eye` everybody's cards."""
    eye = request.args.get("eye", type=int)
    if eye is not None and not 0 <= eye <= 3:
        raise NotFound("seat", eye)
    return jsonify(hand_json(_reader().hand(hand_id, eye), _words()))


@pages.get("/hand/<hand_id>/explain.json")
def explain(hand_id: str) -> tuple[Response, int]:
    """What was legal before an event, and what forbids the cards that are asked about."""
    found, status = answer(_reader(), hand_id, request, _words())
    return jsonify(found), status


@pages.get("/hand/<hand_id>/charts.json")
def hand_charts(hand_id: str) -> Response:
    """The figure of the hand page: points by trick."""
    return jsonify(points=by_trick(_reader().hand(hand_id, None), _words()))


@pages.get("/rules/<game>")
def rules(game: str) -> str:
    """The rules of one game, an anchor for each."""
    return render_template("rules.html", game=game, rules=_reader().rules(game))


@pages.get("/logs")
def logs() -> str:
    """The logs that the hands come from, those that cannot be read included."""
    page = max(1, request.args.get("page", 1, type=int))
    game = request.args.get("game", "")[:64]
    found = _reader().logs(page, game)
    return render_template("logs.html", found=found, game=game)


@pages.get("/log/<log_id>")
def log(log_id: str) -> str:
    """The report of one log."""
    page = _reader().log(log_id)
    return render_template("log.html", page=page, most_findings=MOST_FINDINGS)


@pages.get("/plotly.min.js")
def plotly_js() -> Response:
    """The script that draws charts, out of the installed plotly package."""
    import plotly

    script = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    answer = asset(script)
    answer.cache_control.max_age = 86400
    return answer


def seat_name(row: HandRow, seat: int) -> str:
    """The name of the player at a seat."""
    return row.players[seat].name


@pages.app_context_processor
def _games() -> dict[str, Any]:
    reader = _reader()
    return {
        "games": _games_there,
        "collection": reader.title,
        "has_tables": reader.asking is not None,
    }


def _games_there() -> tuple[str, ...]:
    """The games of the logs, for the links to their rules; none on the page that says why."""
    try:
        return _reader().games()
    except Unreadable:
        return ()
