"""Logs that are dropped on a page: taken, verified, shown, let go of. Nothing else is posted."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any, cast

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.exceptions import NotFound as NoPage
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as AnyResponse

from webviewer.dropped.limits import Limits
from webviewer.dropped.shelf import DroppedLog, Gone, Shelf, Unanswered, Unknown
from webviewer.dropped.upload import Refused, received
from webviewer.dropped.wire import Answer, Ask, Bad, Progress, Ready
from webviewer.views.here import link, words

dropped = Blueprint("dropped", __name__)

POSTED = frozenset({"dropped.take", "dropped.let_go"})
"""The endpoints that answer POST."""
_SHARED = frozenset({"static", "pages.plotly_js"})
"""What stands under every log's path and is the server's own."""
_WAIT = 2.0
"""Seconds that a form waits for its log to be verified before it shows how far that is."""
_LOOK = 0.5
"""Seconds that a question about it waits."""
_TYPES = re.compile(
    r"(text/html|text/csv|text/plain|image/png|application/json)(; charset=utf-8)?", re.IGNORECASE
)
"""Of what a log's process may answer: nothing that a browser runs as a script or style."""
_ATTACHED = re.compile(r"attachment; filename=[\w.-]{1,100}")
_PLACE = re.compile(r"[!-~]{1,4000}")


class _Places:
    """What an application has for dropped logs."""

    def __init__(self, limits: Limits) -> None:
        self.shelf = Shelf(limits)
        self.uploads = BoundedSemaphore(limits.uploads)


def _limits() -> Limits:
    return cast(Limits, current_app.config.get("DROP_LIMITS") or Limits())


def _places() -> _Places:
    return cast(_Places, current_app.config.setdefault("DROP_PLACES", _Places(_limits())))


def shelf() -> Shelf:
    """The logs dropped on the application that answers."""
    return _places().shelf


@dropped.app_context_processor
def _everywhere() -> dict[str, Any]:
    facts = _facts(_limits())
    return {"dropped_here": current_app.config.get("DROPPED"), "drop_facts": facts}


@dropped.get("/drop")
def page() -> str:
    """The form for browsers and people that drop nothing, and what becomes of a log."""
    return render_template("dropped.html")


@dropped.get("/dropped")
@dropped.get("/dropped/<token>/let-go")
def ask_for_form(token: str = "") -> AnyResponse:
    """To the form: what is only posted to has no page of its own to come back to."""
    return redirect(link("dropped.page"), 303)


@dropped.post("/dropped")
def take() -> AnyResponse:
    """Take a log, and lead to it; a sentence why not."""
    if not _is_posted_here():
        raise Refused(403, "cross_site")
    with _upload(), received(request, shelf().limits, words()("view.drop.pasted")) as got:
        log = shelf().put(*got, lambda token: url_for("dropped.front", token=token).rstrip("/"))
    return _led_on(log, shelf().state(log, _WAIT), 201)


@contextmanager
def _upload() -> Iterator[None]:
    """One of the places in which a log is received."""
    places = _places()
    if not places.uploads.acquire(timeout=_WAIT):
        raise Refused(503, "busy")
    try:
        yield
    finally:
        places.uploads.release()


def _is_posted_here() -> bool:
    """Whether a page of this viewer posts this, or no browser; another site's page may not."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.host


@dropped.get("/dropped/<token>/open")
def opening(token: str) -> AnyResponse:
    """To the report of a log; before it is verified, how far that is."""
    log = shelf().find(token)
    return _led_on(log, shelf().state(log, _WAIT), 200)


@dropped.get("/dropped/<token>/state.json")
def state(token: str) -> AnyResponse:
    """How many hands are verified, or where to go."""
    log = shelf().find(token)
    return _told(log, shelf().state(log, _LOOK), 200)


@dropped.post("/dropped/<token>/let-go")
def let_go(token: str) -> AnyResponse:
    """Let go of a log now."""
    if not _is_posted_here():
        raise Refused(403, "cross_site")
    shelf().let_go(shelf().find(token), Gone("let_go"))
    return redirect(link("dropped.page"), 303)


@dropped.get("/dropped/<token>/", defaults={"rest": ""})
@dropped.get("/dropped/<token>/<path:rest>")
def front(token: str, rest: str) -> AnyResponse:
    """A page about a dropped log, as its process answers; what all logs share, from here."""
    adapter = current_app.create_url_adapter(request)
    assert adapter is not None
    try:
        endpoint, values = adapter.match(f"/{rest}", method="GET")
    except (RequestRedirect, MethodNotAllowed):
        raise NoPage from None
    if endpoint in _SHARED:
        return redirect(url_for(endpoint, **values))
    log = shelf().find(token)
    if not endpoint.startswith("pages."):
        raise NoPage
    if isinstance(shelf().state(log, 0), Progress):
        return redirect(_below(log, "open"), 303)
    prefix = request.environ["PATH_INFO"].index(token) + len(token)
    ask = Ask(
        request.environ["PATH_INFO"][prefix:],
        request.environ.get("QUERY_STRING", ""),
        request.headers.get("Accept-Language", "")[:200],
    )
    return _passed_on(log, shelf().answer(log, ask))


def _passed_on(log: DroppedLog, answer: Answer) -> AnyResponse:
    """The answer with the few headers that a log's process may set; Unanswered for any other."""
    headers = {name.lower(): value for name, value in answer.headers}
    kind, place = headers.get("content-type", ""), headers.get("location", "")
    attached = headers.get("content-disposition", "")
    if not 200 <= answer.status < 600 or not _TYPES.fullmatch(kind):
        raise Unanswered("failed")
    given = Response(answer.body, answer.status, content_type=kind)
    if attached and _ATTACHED.fullmatch(attached):
        given.headers["Content-Disposition"] = attached
    if 300 <= answer.status < 400:
        if not _PLACE.fullmatch(place) or not place.startswith(f"{log.prefix}/"):
            raise Unanswered("failed")
        given.headers["Location"] = place
    return given


def _below(log: DroppedLog, path: str) -> str:
    lang = words().lang if request.args.get("lang") else ""
    return f"{log.prefix}/{path}" + (f"?lang={lang}" if lang else "")


def _led_on(log: DroppedLog, state: Progress | Ready, status: int) -> AnyResponse:
    if _wants_json():
        return _told(log, state, status)
    match state:
        case Ready():
            return redirect(_below(log, f"log/{state.log_id}"), 303)
        case Progress() if status == 201:
            return redirect(_below(log, "open"), 303)
        case Progress():
            shown = render_template("dropped_opening.html", log=log, state=state)
            return Response(shown, 200, content_type="text/html; charset=utf-8")


def _told(log: DroppedLog, state: Progress | Ready, status: int) -> AnyResponse:
    match state:
        case Ready():
            told: dict[str, Any] = {"to": _below(log, f"log/{state.log_id}")}
        case Progress():
            said = words()("view.drop.verified", n=f"{state.hands:,}")
            told = {"state": _below(log, "state.json"), "said": said}
    answer = jsonify(told)
    answer.status_code = status
    return answer


def _wants_json() -> bool:
    return request.path.endswith(".json") or request.headers.get("Accept") == "application/json"


@dropped.errorhandler(Gone)
def _gone(gone: Gone) -> AnyResponse:
    (why,) = gone.args
    if isinstance(why, Bad):
        return _refusal(422, "bad", getattr(why, words().lang))
    return _refusal(410, "gone_title", _because(f"gone.{why}"))


@dropped.errorhandler(Unknown)
def _unknown(_: Unknown) -> AnyResponse:
    return _refusal(404, "unknown_title", _because("unknown"))


@dropped.errorhandler(Refused)
def _refused(refused: Refused) -> AnyResponse:
    status, why = refused.args
    return _refusal(status, "refused_title", _because(f"refused.{why}"))


@dropped.errorhandler(Unanswered)
def _unanswered(unanswered: Unanswered) -> AnyResponse:
    (why,) = unanswered.args
    status = 503 if why == "busy" else 500
    return _refusal(status, "unanswered_title", _because(f"unanswered.{why}"))


def _because(word: str) -> str:
    return words()(f"view.drop.{word}", **_facts(_limits()))


def _refusal(status: int, title: str, sentence: str) -> AnyResponse:
    """A page of ours that says what is wrong, or its sentence alone for a script."""
    if _wants_json():
        answer = jsonify(error=sentence)
        answer.status_code = status
    else:
        shown = render_template(
            "dropped_problem.html",
            title=words()(f"view.drop.{title}"),
            sentence=sentence,
            status=status,
        )
        answer = Response(shown, status, content_type="text/html; charset=utf-8")
    if status == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def _facts(limits: Limits) -> dict[str, object]:
    """The limits, for sentences that name them."""
    return {
        "mb": f"{limits.log / (1 << 20):g}",
        "memory": f"{limits.memory / (1 << 20):g}",
        "cpu": limits.cpu,
        "verifying": f"{limits.verifying:g}",
        "answering": f"{limits.answering:g}",
        "answer": f"{limits.answer / (1 << 20):g}",
        "minutes": f"{limits.idle / 60:g}",
        "logs": limits.logs,
        "bytes": limits.log,
    }


@dropped.after_request
def _not_kept(answer: Response) -> Response:
    """Neither a browser nor anything between keeps what is about a log that is not stored."""
    if request.endpoint != "dropped.page":
        answer.headers["Cache-Control"] = "no-store"
    return answer
